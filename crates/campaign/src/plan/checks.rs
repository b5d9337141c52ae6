//! What programs are checked for, by the names that a plan uses.

use std::path::Path;

use super::{Check, CheckEntry, Program, Variant, VariantEntry, tasks};
use crate::{Failure, Tool};

/// All rules of the library.
const ALL_RULES: &str = "rules";
/// What each task file asks for.
const TASKS: &str = "tasks";

/// The checks that all programs have in common. What task files ask for stays with the programs, unless the plan names checks
/// and `tasks` is not among them.
pub fn checks(
    entries: &[CheckEntry],
    programs: &mut [Program],
    tool: &dyn Tool,
) -> Result<Vec<Check>, Failure> {
    let mut checks: Vec<Check> = Vec::new();
    let mut uses_tasks = false;
    for entry in entries {
        match entry {
            CheckEntry::Named(name) if name == TASKS => uses_tasks = true,
            CheckEntry::Named(name) if name == ALL_RULES => {
                checks.extend(property::library().iter().map(|rule| of_rule(rule.name)));
            }
            CheckEntry::Named(name) => checks.push(named(name, tool)?),
            CheckEntry::Spelled { name, arguments } => checks.push(Check {
                name: name.clone(),
                arguments: arguments.0.clone(),
            }),
        }
    }
    let has_own = programs.iter().any(|program| !program.asked.is_empty());
    if uses_tasks && !has_own {
        return Err(Failure::new(
            "checks: `tasks` is for task files (.yml), and there is none",
        ));
    }
    if checks.is_empty() && !uses_tasks && !has_own {
        return Err(Failure::new(
            "the plan names nothing to check: `checks` takes rules, property files, `assertions`, `overflow` and the like",
        ));
    }
    if !uses_tasks && !checks.is_empty() {
        programs.iter_mut().for_each(|program| program.asked.clear());
    }
    for (index, check) in checks.iter().enumerate() {
        if checks[..index].iter().any(|earlier| earlier.name == check.name) {
            return Err(Failure::new(format!(
                "checks: `{}` stands there twice",
                check.name
            )));
        }
        tool.accepts(&check.arguments)?;
        tool.property_digest(&check.arguments)?;
    }
    Ok(checks)
}

fn of_rule(name: &str) -> Check {
    Check {
        name: name.to_owned(),
        arguments: vec!["--rule".to_owned(), name.to_owned()],
    }
}

fn named(name: &str, tool: &dyn Tool) -> Result<Check, Failure> {
    let path = Path::new(name);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("prp") => return Ok(tasks::of_property_file(path)),
        Some(_) => {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            return Ok(Check {
                name: stem.unwrap_or_default(),
                ..of_rule(name)
            });
        }
        None => {}
    }
    if property::library_rule(name).is_some() {
        return Ok(of_rule(name));
    }
    let kind = Check {
        name: name.to_owned(),
        arguments: vec!["--check".to_owned(), name.to_owned()],
    };
    match tool.accepts(&kind.arguments) {
        Ok(()) => Ok(kind),
        Err(_) => Err(Failure::new(format!(
            "checks: there is no rule and no kind of check `{name}`; `counterpoint rules` lists the rules, a file is named with \
             its ending"
        ))),
    }
}

pub fn variants(entries: Vec<VariantEntry>) -> Result<Vec<Variant>, Failure> {
    if entries.is_empty() {
        return Ok(vec![Variant::default()]);
    }
    let mut variants: Vec<Variant> = Vec::new();
    for entry in entries {
        if variants.iter().any(|earlier| earlier.name == entry.name) {
            return Err(Failure::new(format!(
                "options: `{}` stands there twice",
                entry.name
            )));
        }
        variants.push(Variant {
            name: entry.name,
            arguments: entry.arguments.0,
        });
    }
    Ok(variants)
}
