//! A counterexample outside of the checker: `--test` writes it as C, `--confirm` compiles and runs it.

use std::path::Path;

use evidence::Violation;
use explanation::Explanation;
use interpreter::{Consumed, Source, Written};
use program::{Callee, EdgeKind};
use property::{ErrorKind, ErrorSite, Woven};

use super::compile::{self, Changes};
use super::confirm::{Confirmation, Expected, confirm};
use super::harness::Harness;
use super::noticing::{changes, error_functions};
use super::{Options, harness, violated};

/// A counterexample as C, and what has to be compiled differently for it.
struct Reproduced<'w> {
    harness: Harness,
    changes: Changes<'w>,
    /// Why a compiled program does not notice that it fails.
    unable: Option<String>,
}

fn reproduced<'w>(woven: &'w Woven, violation: &Violation) -> Reproduced<'w> {
    let error = violated(woven, violation);
    let (mut changes, monitor, unable) = match changes(woven, error) {
        Ok((changes, monitor)) => (changes, monitor, None),
        Err(reason) => (Changes::default(), String::new(), Some(reason)),
    };
    let mut harness = write(woven, violation, error, &changes);
    if violation.replayed.unfounded.is_some() {
        let missing = "memory is read that was never initialised".to_owned();
        harness.missing.push(missing);
    }
    if let Some(name) = resizing(&woven.program, &violation.replayed.edges) {
        let missing = format!("whether `{name}` moves a block is up to the C library");
        harness.missing.push(missing);
    }
    harness.text.push_str(&monitor);
    changes.wrapped.append(&mut harness.wrapped);
    Reproduced {
        harness,
        changes,
        unable: unable
            .map(|reason| format!("a compiled program does not notice that it violates the rule: {reason}")),
    }
}

/// The C file that reproduces a violation.
pub fn test(options: &Options, woven: &Woven, violation: &Violation) -> String {
    text(options, woven, violation, &reproduced(woven, violation))
}

fn text(options: &Options, woven: &Woven, violation: &Violation, reproduced: &Reproduced<'_>) -> String {
    let command = command_line(options, violation, &reproduced.changes);
    comment(woven, violation, &command, &reproduced.changes) + &reproduced.harness.text
}

/// How the file is compiled with the program, and run.
fn command_line(options: &Options, violation: &Violation, changes: &Changes<'_>) -> String {
    let files = options.front_end.inputs().unwrap_or_default();
    let test = options.test.as_deref().unwrap_or(Path::new("test.c"));
    compile::command_line(test, &files, changes, &violation.replayed.arguments)
}

/// Writes the counterexample as C and confirms it, as far as the user asks for it.
pub fn reproduce(options: &Options, woven: &Woven, violation: &Violation) {
    if options.test.is_none() && !options.confirm {
        return;
    }
    let error = violated(woven, violation);
    let reproduced = reproduced(woven, violation);
    let files = options.front_end.inputs().unwrap_or_default();
    if let Some(path) = &options.test {
        for input in &files {
            if let (Some(to), Some(text)) = (compile::beside(path, input), &input.options.contents)
                && let Err(error) = std::fs::write(&to, text.as_bytes())
            {
                eprintln!("error: {}: {error}", to.display());
            }
        }
        match std::fs::write(path, text(options, woven, violation, &reproduced)) {
            Ok(()) if reproduced.changes.is_by_hand() => println!("written: {}", path.display()),
            Ok(()) => println!(
                "written: {}, to be compiled and run by\n  {}",
                path.display(),
                command_line(options, violation, &reproduced.changes)
            ),
            Err(error) => eprintln!("error: {}: {error}", path.display()),
        }
    }
    let Reproduced {
        harness,
        changes,
        unable,
    } = reproduced;
    if !options.confirm {
        for missing in harness.missing.iter().chain(&unable) {
            println!("note: the compiled program need not do the same: {missing}");
        }
        return;
    }
    let confirmation = match unable {
        Some(reason) => Confirmation::Unable(reason),
        None => confirm(
            &files,
            &woven.program.sources,
            &harness,
            &changes,
            &violation.replayed.arguments,
            Expected::Failure,
        ),
    };
    match confirmation {
        Confirmation::Confirmed => println!("confirmed by running the compiled program"),
        Confirmation::Unable(reason) => println!("not confirmed: {reason}"),
        Confirmation::Contradicted(what) if matches!(error.kind, ErrorKind::Undefined(_)) => {
            println!("not confirmed: a compiler leaves out what nobody uses; {what}");
        }
        Confirmation::Contradicted(what) => println!(
            "WARNING: THE COMPILED PROGRAM CONTRADICTS THIS VERDICT: on the same inputs, {what}. Please report this."
        ),
    }
}

/// Compiles the run that an explanation sets against the violation, which does not fail, if the user asks for that.
pub fn confirm_other(options: &Options, woven: &Woven, violation: &Violation, other: &Explanation) {
    if !options.confirm {
        return;
    }
    let unable = |reason: &str| println!("the other run was not made by the compiled program: {reason}");
    if !other.ends {
        return unable("it goes on after what is shown of it");
    }
    if !violation.replayed.written.is_empty() || violation.replayed.arguments.len() > 1 {
        return unable("it gets more than the values that functions return");
    }
    let error = violated(woven, violation);
    let (mut changes, monitor) = match changes(woven, error) {
        Ok(both) => both,
        Err(reason) => return unable(&reason),
    };
    let mut harness = write_for(woven, error, &other.inputs, &[], &changes);
    harness.text.push_str(&monitor);
    changes.wrapped.append(&mut harness.wrapped);
    let files = options.front_end.inputs().unwrap_or_default();
    let (sources, arguments) = (&woven.program.sources, &violation.replayed.arguments);
    match confirm(&files, sources, &harness, &changes, arguments, Expected::End) {
        Confirmation::Confirmed => println!("the other run does not fail in the compiled program either"),
        Confirmation::Unable(reason) => unable(&reason),
        Confirmation::Contradicted(what) => println!(
            "WARNING: THE COMPILED PROGRAM CONTRADICTS THE OTHER RUN: on the same inputs, {what}. Please report this."
        ),
    }
}

fn write(woven: &Woven, violation: &Violation, error: &ErrorSite, changes: &Changes<'_>) -> Harness {
    let written = &violation.replayed.written;
    write_for(woven, error, &needed(violation), written, changes)
}

/// What makes the compiled program take the run with these inputs, in which functions wrote this.
fn write_for(
    woven: &Woven,
    error: &ErrorSite,
    inputs: &[Consumed],
    written: &[Written],
    changes: &Changes<'_>,
) -> Harness {
    let names: Vec<String> = error_functions(woven, error)
        .filter(|function| function.body.is_none())
        .map(|function| function.name.clone())
        .collect();
    harness::write(
        &woven.program,
        woven.entry,
        &names,
        inputs,
        written,
        &changes.wrapped,
    )
}

/// The inputs of a run; of what variables held before they had a value, that which the error depends on.
fn needed(violation: &Violation) -> Vec<Consumed> {
    let Some(recording) = &violation.recording else {
        return violation.inputs();
    };
    let matters = recording.steps.mattering([]);
    let inputs = recording.inputs.iter().filter(|(step, consumed)| {
        let is_held = matches!(consumed.request.source, Source::Uninitialised(_));
        !is_held || step.is_none_or(|step| matters[step as usize])
    });
    inputs.map(|&(_, consumed)| consumed).collect()
}

/// What the file is and how it is used, as comments.
fn comment(woven: &Woven, violation: &Violation, command: &str, changes: &Changes<'_>) -> String {
    let error = violated(woven, violation);
    let place = error.span.map_or(String::new(), |span| {
        format!(" at {}", woven.program.sources.describe_line(&span))
    });
    let mut comment = format!(
        "Reproduces: {}{place}.\nCompile and run with: {command}\n\
         The program then prints `{}` and ends with exit status {}.",
        error.message,
        harness::MESSAGE,
        harness::REACHED
    );
    comment.push_str(&by_hand(changes));
    // A backslash at its end would make the next line a part of it.
    let lines = comment.lines().map(|line| line.trim_end_matches('\\'));
    lines.map(|line| format!("// {line}\n")).collect()
}

/// What whoever compiles the program has to see to.
fn by_hand(changes: &Changes<'_>) -> String {
    let mut text = String::new();
    for label in &changes.labels {
        text.push_str(&format!(
            "\nFor that, the place `{}` of the program has to call {}().",
            label.name,
            harness::REACHED_FUNCTION
        ));
    }
    for diversion in &changes.diversions {
        let original = match &diversion.original {
            Some(original) => format!(", which calls it as {original}"),
            None => String::new(),
        };
        text.push_str(&format!(
            "\nFor that, calls of the function `{}` have to lead to {}(){original}.",
            diversion.function, diversion.to
        ));
    }
    text
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
