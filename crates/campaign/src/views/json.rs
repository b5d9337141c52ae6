//! All results as JSON; `schemas/campaign.json` describes it. It is also what later campaigns are compared with.

use serde::Serialize;

use crate::{Answer, Changes, Results, Verdict};

/// The version of the form; it changes when something that was there changes its meaning or goes.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct File<'a> {
    version: u32,
    campaign: &'a str,
    tool: Tool<'a>,
    counts: std::collections::BTreeMap<&'static str, usize>,
    cells: Vec<FileCell<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<&'a Changes>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct FileCell<'a> {
    program: &'a str,
    check: &'a str,
    options: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<bool>,
    key: &'a str,
    #[serde(flatten)]
    answer: &'a Answer,
}

pub fn json(results: &Results<'_>) -> String {
    let cells = results.cells().filter_map(|(cell, answer)| {
        let column = &results.matrix.columns[cell.column];
        Some(FileCell {
            program: &results.matrix.rows[cell.row],
            check: &column.check,
            options: &column.variant,
            expected: cell.expected,
            key: &cell.key,
            answer: answer?,
        })
    });
    let file = File {
        version: VERSION,
        campaign: &results.plan.name,
        tool: Tool {
            name: "counterpoint",
            version: results.version,
        },
        counts: Verdict::ALL
            .into_iter()
            .map(|verdict| (verdict.name(), results.count(verdict)))
            .collect(),
        cells: cells.collect(),
        changes: results.changes.as_ref(),
    };
    let text = serde_json::to_string_pretty(&file).expect("plain data can be written as JSON");
    text + "\n"
}
