//! What people and other tools look at. Each view is a text made from [`crate::Results`]; [`write_all`] writes them into the
//! folder of results.

mod benchexec;
mod csv;
mod json;
mod page;
mod sarif;
mod table;

use std::path::Path;

use crate::files::{describe, make_folder};
use crate::{Failure, Results, Store, write_whole};

pub use json::VERSION as JSON_VERSION;

impl Results<'_> {
    /// The table for a terminal, without colours and times: the same answers give the same text.
    pub fn table(&self) -> String {
        table::table(self)
    }

    pub fn csv(&self) -> String {
        csv::csv(self)
    }

    /// `schemas/campaign.json` describes it.
    pub fn json(&self) -> String {
        json::json(self)
    }

    /// Writes all files that people look at. The reports of cells are written once: their names are those of what they say. `results.json`
    /// is written last: if it says the same already, so do the others.
    pub fn write_all(&self, store: &Store) -> Result<(), Failure> {
        let folder = &self.plan.results;
        let json = self.json();
        let is_written = std::fs::read(folder.join("results.json")).is_ok_and(|text| text == json.as_bytes());
        let others = [
            "index.html",
            "results.csv",
            "results.sarif",
            "reports",
            "benchexec",
        ];
        if is_written && others.iter().all(|name| folder.join(name).exists()) {
            return Ok(());
        }
        make_folder(&folder.join("reports"))?;
        make_folder(&folder.join("benchexec"))?;
        let mut reports = Vec::new();
        let mut sarif = sarif::Merged::new(self.version);
        for (cell, answer) in self.cells() {
            let mut name = None;
            if let (Some(answer), Some(documents)) = (answer, store.documents(&cell.key)?) {
                let report = self.report_name(cell, documents.page.is_some());
                let text = documents.page.as_ref().unwrap_or(&documents.printed);
                write_once(&folder.join(&report), text)?;
                if let Some(text) = &documents.report {
                    write_once(&folder.join(format!("reports/{}.json", cell.key)), text)?;
                }
                sarif.add(&self.matrix.name(cell), answer, documents.sarif.as_deref());
                name = Some(report);
            }
            reports.push(name);
        }
        let write = |name: &str, text: String| write_whole(&folder.join(name), text.as_bytes());
        write("results.csv", self.csv())?;
        write("results.sarif", sarif.text())?;
        for (name, text) in benchexec::files(self, &reports) {
            write(&format!("benchexec/{name}"), text)?;
        }
        write("index.html", page::page(self, &reports))?;
        write("results.json", json)
    }
}

/// Writes a file that never changes. The store has all of it, so that it may be lost; what is left of a torn one is written again.
fn write_once(path: &Path, text: &str) -> Result<(), Failure> {
    let is_there = std::fs::metadata(path).is_ok_and(|data| data.len() == text.len() as u64);
    match is_there {
        true => Ok(()),
        false => std::fs::write(path, text).map_err(|error| Failure::at(path, describe(&error))),
    }
}
