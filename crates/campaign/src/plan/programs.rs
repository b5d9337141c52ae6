//! The programs of a plan: files by pattern, files that are linked, targets of a compilation database, tasks.

use std::path::{Path, PathBuf};

use super::{Program, ProgramEntry, tasks};
use crate::{Failure, Tool};

pub fn programs(entries: &[ProgramEntry], tool: &dyn Tool) -> Result<Vec<Program>, Failure> {
    let mut programs: Vec<Program> = Vec::new();
    for entry in entries {
        for program in of_entry(entry, tool)? {
            match programs.iter().find(|known| known.name == program.name) {
                None => programs.push(program),
                // Two patterns that match the same file.
                Some(known) if *known == program => {}
                Some(_) => {
                    return Err(Failure::new(format!(
                        "two different programs are called `{}`: give one of them another `name`",
                        program.name
                    )));
                }
            }
        }
    }
    match programs.is_empty() {
        true => Err(Failure::new("the plan names no program")),
        false => Ok(programs),
    }
}

fn of_entry(entry: &ProgramEntry, tool: &dyn Tool) -> Result<Vec<Program>, Failure> {
    let arguments = &entry.arguments.0;
    tool.accepts(arguments)?;
    if let Some(database) = &entry.compile_commands {
        return targets(entry, database, tool);
    }
    let mut files = matching(&entry.files.0)?;
    let left_out = patterns(&entry.exclude.0)?;
    files.retain(|file| !left_out.iter().any(|pattern| pattern.matches_path(file)));
    if files.is_empty() {
        return Err(Failure::new("an entry of `programs` names no file"));
    }
    if let Some(name) = &entry.name {
        return Ok(vec![plain(name.clone(), files, arguments)]);
    }
    let mut programs = Vec::new();
    for file in files {
        match ending(&file) {
            Some("set") => {
                for task in tasks::read_set(&file)? {
                    programs.push(of_file(task, arguments)?);
                }
            }
            _ => programs.push(of_file(file, arguments)?),
        }
    }
    Ok(programs)
}

fn ending(file: &Path) -> Option<&str> {
    file.extension().and_then(|ending| ending.to_str())
}

fn of_file(file: PathBuf, arguments: &[String]) -> Result<Program, Failure> {
    match ending(&file) {
        Some("yml" | "yaml") => tasks::read(&file, arguments),
        _ => Ok(plain(file.display().to_string(), vec![file], arguments)),
    }
}

fn plain(name: String, files: Vec<PathBuf>, arguments: &[String]) -> Program {
    let words = files.iter().map(|file| file.display().to_string());
    Program {
        name,
        arguments: words.chain(arguments.iter().cloned()).collect(),
        files,
        asked: Vec::new(),
    }
}

fn targets(entry: &ProgramEntry, database: &Path, tool: &dyn Tool) -> Result<Vec<Program>, Failure> {
    let all = tool.targets(database)?;
    let wanted = &entry.targets.0;
    if let Some(missing) = wanted
        .iter()
        .find(|name| !all.iter().any(|(known, _)| known == *name))
    {
        return Err(Failure::at(database, format!("there is no target `{missing}`")));
    }
    let taken = all
        .into_iter()
        .filter(|(name, _)| wanted.is_empty() || wanted.contains(name));
    Ok(taken
        .map(|(name, files)| {
            let words = ["-p", &database.display().to_string(), "--target", &name].map(str::to_owned);
            Program {
                arguments: words
                    .into_iter()
                    .chain(entry.arguments.0.iter().cloned())
                    .collect(),
                name,
                files,
                asked: Vec::new(),
            }
        })
        .collect())
}

fn patterns(texts: &[String]) -> Result<Vec<glob::Pattern>, Failure> {
    let read = |text: &String| {
        glob::Pattern::new(text).map_err(|error| Failure::new(format!("the pattern `{text}`: {}", error.msg)))
    };
    texts.iter().map(read).collect()
}

/// The files that the patterns match, each once, in the order of the patterns and by name for each.
pub fn matching(texts: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for text in texts {
        let mut found = Vec::new();
        if Path::new(text).is_file() {
            found.push(PathBuf::from(text));
        } else {
            let fail = |message: &str| Failure::new(format!("the pattern `{text}`: {message}"));
            for path in glob::glob(text).map_err(|error| fail(error.msg))? {
                found.push(path.map_err(|error| fail(&error.to_string()))?);
            }
            found.retain(|path| path.is_file());
        }
        if found.is_empty() {
            return Err(Failure::new(match text.contains(['*', '?', '[']) {
                true => format!("the pattern `{text}` matches no file"),
                false => format!("{text}: no such file"),
            }));
        }
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}
