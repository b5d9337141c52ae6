//! Task files of the verification competition (`.yml`): the files of a program, what it is checked for, and the verdicts that
//! are expected; and lists of patterns of them (`.set`).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Check, Program, programs::matching};
use crate::{Failure, files};

#[derive(Deserialize)]
struct Task {
    input_files: InputFiles,
    #[serde(default)]
    properties: Vec<TaskProperty>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum InputFiles {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct TaskProperty {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Default, Deserialize)]
struct TaskOptions {
    data_model: Option<String>,
}

pub fn read(path: &Path, arguments: &[String]) -> Result<Program, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, files::describe(&error)))?;
    let task: Task = serde_saphyr::from_str(&text)
        .map_err(|error| Failure::at(path, format!("is no task file: {error}")))?;
    let names = match task.input_files {
        InputFiles::One(one) => vec![one],
        InputFiles::Many(many) => many,
    };
    let files: Vec<PathBuf> = names.iter().map(|name| beside(path, name)).collect();
    if let Some(missing) = files.iter().find(|file| !file.is_file()) {
        return Err(Failure::at(path, format!("{}: no such file", missing.display())));
    }
    let model = match task.options.data_model.as_deref() {
        None => None,
        Some("ILP32") => Some("--32"),
        Some("LP64") => Some("--64"),
        Some(other) => return Err(Failure::at(path, format!("there is no data model `{other}`"))),
    };
    let mut words: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    words.extend(model.map(str::to_owned));
    words.extend_from_slice(arguments);
    let asked = task.properties.into_iter().map(|property| {
        let file = beside(path, &property.property_file);
        (of_property_file(&file), property.expected_verdict)
    });
    Ok(Program {
        name: path.with_extension("").display().to_string(),
        files,
        arguments: words,
        asked: asked.collect(),
    })
}

/// The check for a property file; `unreach-call.prp` is `unreach-call`.
pub fn of_property_file(file: &Path) -> Check {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Check {
        name: stem.unwrap_or_default(),
        arguments: vec!["--property".to_owned(), file.display().to_string()],
    }
}

/// The task files that a list names.
pub fn read_set(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, files::describe(&error)))?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim());
    let patterns: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(|line| beside(path, line).display().to_string())
        .collect();
    let tasks = matching(&patterns).map_err(|failure| Failure::at(path, failure))?;
    match tasks.is_empty() {
        true => Err(Failure::at(path, "it names no task")),
        false => Ok(tasks),
    }
}

/// A name that a file mentions, which is relative to the file, without `x/../`.
fn beside(file: &Path, name: &str) -> PathBuf {
    let mut path = file.parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(name).components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir
                if matches!(
                    path.components().next_back(),
                    Some(std::path::Component::Normal(_))
                ) =>
            {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}
