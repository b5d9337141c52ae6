//! Every rule of the library on programs that keep it and on programs that break it.
//!
//! The programs are in the corpus, in `tests/programs/rules`: `RULE.good.c` keeps the rule. `RULE.bad.c` breaks it: the runs of the
//! program must show exactly the violations that its comments `//~ FALSE RULE: MESSAGE` announce, each on its line. In the `bad`
//! programs, a run goes through one case of a `switch` over an input, so that one program can hold several violations.

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use corpus::{ENGINES, Test, What};
use property::{Check, Property, Woven, library, weave};
use support::{behaviour, program, violations};

/// More cases than any of the programs has.
const CASES: i128 = 10;

fn text(rule: &str, kind: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/rules");
    let path = folder.join(format!("{rule}.{kind}.c"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn woven(rule: &property::LibraryRule, text: &str) -> Woven {
    let parsed = rule.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parsed.name(), rule.name, "a rule is called as its file");
    let property = Property::new(Check::Rule(Box::new(parsed)));
    let woven = weave(program(text), &property).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        woven.not_applicable.is_empty(),
        "{}: {:?}",
        rule.name,
        woven.not_applicable
    );
    woven
}

fn shown(woven: &Woven) -> BTreeSet<String> {
    (0..CASES).flat_map(|case| violations(woven, &[case])).collect()
}

#[test]
fn every_file_of_the_folder_is_in_the_library() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the rules have a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".rule")?.to_owned()))
        .collect();
    names.sort();
    let listed: Vec<&str> = library().iter().map(|rule| rule.name).collect();
    assert_eq!(listed, names);
}

#[test]
fn correct_programs_break_no_rule() {
    for rule in library() {
        let found = shown(&woven(rule, &text(rule.name, "good")));
        assert!(found.is_empty(), "{}: {found:#?}", rule.name);
    }
}

#[test]
fn weaving_does_not_change_what_correct_programs_do() {
    for rule in library() {
        let text = text(rule.name, "good");
        let woven = woven(rule, &text);
        let watched: Vec<program::VarId> = woven.watched.iter().map(|watched| watched.var).collect();
        for case in 0..CASES {
            assert_eq!(
                behaviour(&woven.program, &watched, &[case]),
                behaviour(&program(&text), &[], &[case]),
                "{}",
                rule.name
            );
        }
    }
}

#[test]
fn violations_are_found_where_they_are() {
    let mut wrong = String::new();
    for rule in library() {
        let text = text(rule.name, "bad");
        let announced: BTreeSet<String> = announced(rule.name)
            .into_iter()
            .map(|(line, message)| format!("{line}: {message}"))
            .collect();
        assert!(!announced.is_empty(), "{}: no violation is announced", rule.name);
        let found = shown(&woven(rule, &text));
        for extra in found.difference(&announced) {
            wrong.push_str(&format!("{}.bad.c: not announced: {extra}\n", rule.name));
        }
        for missed in announced.difference(&found) {
            wrong.push_str(&format!("{}.bad.c: not found: {missed}\n", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_message_of_the_library_is_shown_by_a_program() {
    for rule in library() {
        let announced = announced(rule.name);
        for message in messages(rule.text) {
            let shown = announced.iter().any(|(_, announced)| announced == message);
            assert!(shown, "{}: {message}", rule.name);
        }
    }
}

/// The violations that a rule's `bad` program announces: lines and messages.
fn announced(rule: &str) -> Vec<(usize, String)> {
    let test = Test::parse(&text(rule, "bad")).unwrap_or_else(|mistake| panic!("{rule}.bad.c:{mistake}"));
    let expected = test.expected(&test.runs[0], &ENGINES[0]);
    expected
        .into_iter()
        .filter_map(|expectation| match &expectation.what {
            What::False { property, message } if property == rule => {
                Some((expectation.line, message.clone()))
            }
            _ => None,
        })
        .collect()
}

fn messages(rule: &str) -> Vec<&str> {
    rule.split("abort \"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}
