//! What the tests of this crate share: reading C, and running woven programs.

#![allow(dead_code)] // Each test uses what it needs.

use std::collections::BTreeSet;

use interpreter::{Captured, End, Inputs, Observer, Request, Source, View};
use program::{EdgeId, ExprId, Program, VarId};
use property::Woven;

/// The program that a C text is.
pub fn program(text: &str) -> Program {
    match c_frontend::load_text("test.c", text, &c_frontend::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    }
}

/// The violations that runs of the program show: `LINE: MESSAGE`, one run for each object that a rule compares with
/// the one it watches. The program's own inputs are `values`, then 0.
pub fn violations(woven: &Woven, values: &[i128]) -> BTreeSet<String> {
    // Nothing has this address; a descriptor of this number is nobody's concern.
    let mut pending: Vec<i128> = vec![1];
    let mut tried = BTreeSet::new();
    let mut found = BTreeSet::new();
    while let Some(object) = pending.pop() {
        if !tried.insert(object) {
            continue;
        }
        let mut watcher = Watcher::new(woven);
        let mut inputs = Chosen {
            watched: woven.watched.iter().map(|watched| watched.var).collect(),
            object,
            values: values.iter().copied(),
        };
        let options = interpreter::Options {
            error_functions: Vec::new(),
            step_limit: Some(100_000),
            ..interpreter::Options::default()
        };
        let outcome = interpreter::run(
            &woven.program,
            woven.entry,
            &options,
            &mut inputs,
            &mut Captured::default(),
            &mut watcher,
        );
        pending.extend(watcher.compared);
        match watcher.error {
            Some(error) => {
                let site = woven.errors.iter().find(|site| site.edge == error);
                let site = site.expect("error edges are error sites");
                let line = site.span.map_or(0, |span| span.line);
                found.insert(format!("{line}: {}", site.message));
            }
            None => assert!(
                matches!(
                    outcome.end,
                    End::Exit { .. } | End::AssumptionNotMet { .. } | End::Undefined(_)
                ),
                "{:?}",
                outcome.end
            ),
        }
    }
    found
}

/// How a program ends and what it prints, given values for its inputs.
pub fn behaviour(program: &Program, watched: &[VarId], values: &[i128]) -> String {
    let mut inputs = Chosen {
        watched: watched.to_vec(),
        object: 1,
        values: values.iter().copied(),
    };
    let mut output = Captured::default();
    let options = interpreter::Options {
        error_functions: Vec::new(),
        step_limit: Some(100_000),
        ..interpreter::Options::default()
    };
    let entry = program.function_named("main").expect("a program has a main");
    let observer = &mut interpreter::NoObserver;
    let outcome = interpreter::run(program, entry, &options, &mut inputs, &mut output, observer);
    let end = match outcome.end {
        End::Exit { code } => format!("exit {code}"),
        other => format!("{other:?}"),
    };
    format!("{end}\n{output:?}")
}

/// Notes the first error edge that is taken, and what watched objects are compared with.
struct Watcher {
    errors: Vec<EdgeId>,
    comparisons: Vec<(EdgeId, ExprId)>,
    error: Option<EdgeId>,
    compared: Vec<i128>,
}

impl Watcher {
    fn new(woven: &Woven) -> Watcher {
        let watched = woven.watched.iter();
        Watcher {
            errors: woven.errors.iter().map(|site| site.edge).collect(),
            comparisons: watched.flat_map(|watched| watched.comparisons.clone()).collect(),
            error: None,
            compared: Vec::new(),
        }
    }
}

impl Observer for Watcher {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.error.is_none() && self.errors.contains(&edge) {
            self.error = Some(edge);
        }
        for &(_, value) in self.comparisons.iter().filter(|(at, _)| *at == edge) {
            self.compared.extend(view.eval(value).map(|(value, _)| value));
        }
    }
}

struct Chosen<'v> {
    watched: Vec<VarId>,
    object: i128,
    values: std::iter::Copied<std::slice::Iter<'v, i128>>,
}

impl Inputs for Chosen<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        match request.source {
            Source::Global(var) if self.watched.contains(&var) => Some(self.object),
            Source::Uninitialised(_) => None,
            _ => self.values.next(),
        }
    }
}
