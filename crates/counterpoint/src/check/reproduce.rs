//! A counterexample outside of the checker: `--test` writes it as C, `--confirm` compiles and runs it.

use evidence::Violation;
use program::{Callee, EdgeKind};
use property::{ErrorKind, ErrorSite, Woven};

use super::compile::Changes;
use super::confirm::{Confirmation, confirm};
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
    let files = options.front_end.inputs().unwrap_or_default();
    let names: Vec<String> = files
        .iter()
        .map(|input| input.path.display().to_string())
        .collect();
    comment(woven, violation, &names, &reproduced.changes) + &reproduced.harness.text
}

/// Writes the counterexample as C and confirms it, as far as the user asks for it.
pub fn reproduce(options: &Options, woven: &Woven, violation: &Violation) {
    if options.test.is_none() && !options.confirm {
        return;
    }
    let error = violated(woven, violation);
    let reproduced = reproduced(woven, violation);
    if let Some(path) = &options.test {
        match std::fs::write(path, text(options, woven, violation, &reproduced)) {
            Ok(()) => println!("written: {}", path.display()),
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
    let files = options.front_end.inputs().unwrap_or_default();
    let confirmation = match unable {
        Some(reason) => Confirmation::Unable(reason),
        None => confirm(
            &files,
            &woven.program.sources,
            &harness,
            &changes,
            &violation.replayed.arguments,
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

fn write(woven: &Woven, violation: &Violation, error: &ErrorSite, changes: &Changes<'_>) -> Harness {
    let names: Vec<String> = error_functions(woven, error)
        .filter(|function| function.body.is_none())
        .map(|function| function.name.clone())
        .collect();
    let inputs = violation.inputs();
    let mut harness = harness::write(
        &woven.program,
        woven.entry,
        &names,
        &inputs,
        &violation.replayed.written,
        &changes.wrapped,
    );
    if violation.replayed.unfounded.is_some() {
        let missing = "memory is read that was never initialised".to_owned();
        harness.missing.push(missing);
    }
    if let Some(name) = resizing(&woven.program, &violation.replayed.edges) {
        let missing = format!("whether `{name}` moves a block is up to the C library");
        harness.missing.push(missing);
    }
    harness
}

/// What the file is and how it is used, as comments. `files` are those of the program.
fn comment(woven: &Woven, violation: &Violation, files: &[String], changes: &Changes<'_>) -> String {
    let error = violated(woven, violation);
    let place = error.span.map_or(String::new(), |span| {
        format!(" at {}", woven.program.sources.describe_line(&span))
    });
    let data_model = match woven.program.types.model() {
        program::DataModel::Ilp32 => "-m32 ",
        program::DataModel::Lp64 => "",
    };
    let wraps: Vec<String> = changes
        .wrapped
        .iter()
        .map(|name| format!("-Wl,--wrap={name} "))
        .collect();
    let wraps = match wraps.as_slice() {
        [] => String::new(),
        wraps => format!("-fno-builtin {}", wraps.concat()),
    };
    let sanitizers = match changes.sanitizers {
        Some(kinds) => format!("-c -fsanitize={kinds} "),
        None => String::new(),
    };
    let how = match sanitizers.is_empty() {
        true => format!("cc {data_model}{wraps}{} THIS_FILE -lm", files.join(" ")),
        false => format!(
            "cc {data_model}{sanitizers}{}, then cc {data_model}THIS_FILE *.o -lm",
            files.join(" ")
        ),
    };
    let mut comment = format!(
        "Reproduces: {}{place}.\nCompile with: {how}\n\
         The program then prints `{}` and ends with exit status {}.",
        error.message,
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
    comment.push_str(&by_hand(changes));
    let lines = comment.lines().map(|line| line.replace('\\', "/"));
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
