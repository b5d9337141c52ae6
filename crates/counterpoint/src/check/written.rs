//! The files that `check` writes about an answer, beside what it prints.

use std::path::Path;

use evidence::Answer;
use property::{ErrorSite, Woven};
use report::{Report, html, sarif, witness};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::engine::Diary;
use super::{Options, reproduce, violated};

/// Writes what the user asked for, or says why that cannot be done.
pub fn write(options: &Options, woven: &Woven, answer: &Answer, report: &Report) -> Result<(), String> {
    if let Some(path) = &options.json {
        let text = report.json().map_err(|error| error.to_string())?;
        write_file(path, &(text + "\n"))?;
    }
    if let Some(path) = &options.sarif {
        let about = sarif::About {
            hashes: hashes(report)?,
            command: std::env::args().collect::<Vec<_>>().join(" "),
        };
        let text = report.sarif(&about).map_err(|error| error.to_string())?;
        write_file(path, &(text + "\n"))?;
    }
    if let Some(path) = &options.witness {
        let about = about(options, woven, answer, report)?;
        let is_graph = path.extension().is_some_and(|ending| ending == "graphml");
        let format = match is_graph {
            true => witness::Format::GraphMl,
            false => witness::Format::Yaml,
        };
        match report.witness(format, about) {
            Some(text) => write_file(path, &text?)?,
            None => {
                let why = match answer {
                    Answer::Unknown(_) => "there is no answer",
                    Answer::Violated(_) | Answer::Safe(_) => {
                        "what the run does for ever has no place that it can name"
                    }
                };
                eprintln!("note: {} is not written: {why}", path.display());
            }
        }
    }
    Ok(())
}

/// Writes the page, if the user asked for it.
pub fn write_page(
    options: &Options,
    woven: &Woven,
    answer: &Answer,
    report: &Report,
    diary: &Diary,
) -> Result<(), String> {
    let Some(path) = &options.report else {
        return Ok(());
    };
    let test = match answer {
        Answer::Violated(violation) => Some(reproduce::test(options, woven, violation)),
        Answer::Safe(_) | Answer::Unknown(_) => None,
    };
    let page = report.html(html::About {
        sources: &woven.program.sources,
        test,
        attempts: diary.read(),
    });
    write_file(path, &page.map_err(|error| error.to_string())?)
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn about(
    options: &Options,
    woven: &Woven,
    answer: &Answer,
    report: &Report,
) -> Result<witness::About, String> {
    let hashes = hashes(report)?;
    let only_assertions = match answer {
        Answer::Violated(violation) => violated(woven, violation).is_assertion(),
        Answer::Safe(_) | Answer::Unknown(_) => {
            !woven.errors.is_empty() && woven.errors.iter().all(ErrorSite::is_assertion)
        }
    };
    let mut all = format!("{:?} {}", report.verdict, report.program.properties.join(" "));
    for (_, hash) in &hashes {
        all.push_str(hash);
    }
    Ok(witness::About {
        specification: options.property.specification(only_assertions),
        hashes,
        creation_time: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        // The same answer about the same program has the same name.
        uuid: Uuid::new_v5(&Uuid::NAMESPACE_OID, all.as_bytes()).to_string(),
    })
}

/// The files of the program with their SHA-256.
fn hashes(report: &Report) -> Result<Vec<(String, String)>, String> {
    let files = report.program.files.iter();
    files
        .map(|file| {
            let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            let digest = Sha256::digest(&bytes);
            let digits = digest.iter().map(|byte| format!("{byte:02x}"));
            Ok((file.clone(), digits.collect()))
        })
        .collect()
}
