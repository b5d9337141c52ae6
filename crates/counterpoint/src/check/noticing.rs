//! How a compiled program notices that it is at the error: what the error is was decided when the property was woven.

use std::collections::BTreeSet;

use program::{FuncId, Function};
use property::{ErrorKind, ErrorSite, Rule, Woven};

use super::compile::{Changes, Diversion};
use super::harness;

/// The functions whose call is the error.
pub fn error_functions<'w>(woven: &'w Woven, error: &ErrorSite) -> impl Iterator<Item = &'w Function> {
    let called = same_property(woven, error).filter_map(|site| match site.kind {
        ErrorKind::Call(function) => Some(function),
        ErrorKind::Label(_) | ErrorKind::Rule => None,
    });
    let called: BTreeSet<FuncId> = called.collect();
    called
        .into_iter()
        .map(|function| &woven.program.functions[function])
}

fn same_property<'w>(woven: &'w Woven, error: &ErrorSite) -> impl Iterator<Item = &'w ErrorSite> {
    let errors = woven.errors.iter();
    errors.filter(|site| site.property == error.property)
}

/// What has to be compiled differently for the error to be noticed, and C that notices it; or why it cannot be noticed.
pub fn changes<'w>(woven: &'w Woven, error: &ErrorSite) -> Result<(Changes<'w>, String), String> {
    let mut changes = Changes::default();
    changes
        .labels
        .extend(same_property(woven, error).filter_map(|site| match &site.kind {
            ErrorKind::Label(label) => Some(label),
            ErrorKind::Call(_) | ErrorKind::Rule => None,
        }));
    let functions = error_functions(woven, error).filter(|function| function.body.is_some());
    changes.diversions.extend(functions.map(|function| Diversion {
        function: function.name.clone(),
        to: harness::REACHED_FUNCTION.to_owned(),
        original: None,
    }));
    let is_violated = |rule: &&Rule| error.kind == ErrorKind::Rule && rule.name() == error.property;
    let Some(rule) = woven.rules.iter().find(is_violated) else {
        return Ok((changes, String::new()));
    };
    let violated = format!("{}()", harness::REACHED_FUNCTION);
    let overflow = format!("_Exit({})", harness::TOO_MANY);
    let monitor = property::monitor(woven, rule, &violated, &overflow)?;
    for observed in &monitor.observed {
        match observed.is_linked {
            true => changes.wrapped.push(observed.function.clone()),
            false => changes.diversions.push(Diversion {
                function: observed.function.clone(),
                to: observed.substitute(),
                original: Some(observed.original()),
            }),
        }
    }
    Ok((changes, monitor.text))
}
