//! A counterexample outside of the checker: `--test` writes it as C, `--confirm` compiles and runs it.

use evidence::Violation;
use program::{Callee, EdgeKind};
use property::Woven;

use super::confirm::{Confirmation, Marks, confirm};
use super::{Options, harness, violated};

/// Writes the counterexample as C and confirms it, as far as the user asks for it.
pub fn reproduce(options: &Options, woven: &Woven, violation: &Violation) {
    if options.test.is_none() && !options.confirm {
        return;
    }
    let inputs = violation.inputs();
    let error = violated(woven, violation);
    let place = error.span.map_or(String::new(), |span| {
        format!(" at {}", woven.program.sources.describe_line(&span))
    });
    let program = &woven.program;
    let marks = marks(options, woven);
    let files = options.front_end.inputs().unwrap_or_default();
    let names: Vec<String> = files
        .iter()
        .map(|input| input.path.display().to_string())
        .collect();
    let data_model = match program.types.model() {
        program::DataModel::Ilp32 => "-m32 ",
        program::DataModel::Lp64 => "",
    };
    let mut comment = format!(
        "Reproduces: {}{place}.\nCompile with: cc {data_model}{} THIS_FILE -lm\n\
         The program then prints `{}` and ends with exit status {}.",
        error.message,
        names.join(" "),
        harness::MESSAGE,
        harness::REACHED
    );
    if let [_, arguments @ ..] = violation.replayed.arguments.as_slice()
        && !arguments.is_empty()
    {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| format!("\"{}\"", argument.escape_ascii()))
            .collect();
        comment.push_str(&format!(
            "\nIt has to be started with the arguments {}.",
            arguments.join(" ")
        ));
    }
    for name in marks.labels.iter().chain(&marks.functions) {
        comment.push_str(&format!(
            "\nFor that, the place `{name}` of the program has to call {}().",
            harness::REACHED_FUNCTION
        ));
    }
    let names: Vec<String> = error_functions(woven)
        .filter(|(_, has_body)| !has_body)
        .map(|(name, _)| name)
        .collect();
    let mut harness = harness::write(program, woven.entry, &names, &inputs, &comment);
    if violation.replayed.unfounded.is_some() {
        let missing = "memory is read that was never initialised".to_owned();
        harness.missing.push(missing);
    }
    if let Some(name) = resizing(program, &violation.replayed.edges) {
        let missing = format!("whether `{name}` moves a block is up to the C library");
        harness.missing.push(missing);
    }
    if let Some(path) = &options.test {
        match std::fs::write(path, &harness.text) {
            Ok(()) => println!("written: {}", path.display()),
            Err(error) => eprintln!("error: {}: {error}", path.display()),
        }
    }
    if !options.confirm {
        for missing in &harness.missing {
            println!("note: the compiled program need not do the same: {missing}");
        }
        return;
    }
    let is_rule = !["unreach-call", "unreach-label"].contains(&error.property.as_str());
    if is_rule {
        println!("not confirmed: a compiled program does not notice that it violates a rule");
        return;
    }
    match confirm(&files, &harness, &marks, &violation.replayed.arguments) {
        Confirmation::Confirmed => println!("confirmed by running the compiled program"),
        Confirmation::Unable(reason) => println!("not confirmed: {reason}"),
        Confirmation::Contradicted(what) => println!(
            "WARNING: THE COMPILED PROGRAM CONTRADICTS THIS VERDICT: on the same inputs, {what}. Please report this."
        ),
    }
}

/// A function on the way that gives a block another size: the block may stay where it is, or move.
fn resizing<'p>(program: &'p program::Program, edges: &[program::EdgeId]) -> Option<&'p str> {
    edges.iter().find_map(|&edge| match program.edges[edge].kind {
        EdgeKind::Call {
            callee: Callee::Direct(function),
            ..
        } if program.functions[function].body.is_none() => {
            let name = program.functions[function].name.as_str();
            let returns = &library::of(name).function.returns;
            matches!(returns, library::Returns::Resized { .. }).then_some(name)
        }
        _ => None,
    })
}

/// The functions whose call is an error of the program, and whether they have a body.
fn error_functions(woven: &Woven) -> impl Iterator<Item = (String, bool)> {
    let called = woven
        .errors
        .iter()
        .filter_map(|site| match woven.program.edges[site.edge].kind {
            EdgeKind::Call {
                callee: Callee::Direct(function),
                ..
            } => Some(&woven.program.functions[function]),
            _ => None,
        });
    called.map(|function| (function.name.clone(), function.body.is_some()))
}

/// What says that the error is reached only in a changed copy of the program.
fn marks(options: &Options, woven: &Woven) -> Marks {
    let mut functions: Vec<String> = error_functions(woven)
        .filter(|(_, has_body)| *has_body)
        .map(|(name, _)| name)
        .collect();
    functions.sort_unstable();
    functions.dedup();
    let checks = options.property.load().map(|property| property.checks);
    let labels = checks
        .unwrap_or_default()
        .into_iter()
        .filter_map(|check| match check {
            property::Check::ErrorLabel(label) => Some(label),
            property::Check::ErrorFunctions(_) | property::Check::Rule(_) | property::Check::Undefined(_) => {
                None
            }
        });
    let labels = labels.collect();
    Marks { labels, functions }
}
