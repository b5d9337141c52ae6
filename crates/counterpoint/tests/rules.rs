//! `counterpoint rules`: the list, one rule's text, and a name that is none; the options that say what to check, as
//! `counterpoint cfg` takes them.

mod support;

use std::path::Path;

use expect_test::expect;
use support::{Printed, counterpoint, folder};

fn rules(arguments: &[&str]) -> Printed {
    counterpoint(Path::new("."), &[&["rules"], arguments].concat())
}

#[test]
fn without_a_name_all_are_listed() {
    let printed = rules(&[]);
    assert_eq!(printed.status, Some(0));
    expect![[r#"
        double-free            Memory is freed once, and not passed to functions afterwards.
        file-descriptor        A descriptor is closed once, not used afterwards, and closed before the program ends.
        file-stream            A stream is closed once, not used afterwards, and closed before the program ends.
        init-before-use        An object is initialised before it is used, and not used after it was destroyed.
        interrupts             Interrupts are disabled and enabled in turn, and enabled when the program ends.
        irp-completion         An I/O request is completed or passed on once, and not used afterwards.
        memory-leak            Allocated memory is freed before the program ends.
        mutex                  A kernel mutex is locked and unlocked in turn, and not held when the program ends.
        no-sleep-while-locked  No function that may block is called while a spin lock is held.
        pthread-mutex          A POSIX mutex is locked and unlocked in turn, and not locked when it is destroyed.
        reference-count        Each reference that is acquired is released once, and none is kept when the program ends.
        spin-lock              A spin lock is acquired and released in turn, and not held when the program ends.
    "#]]
    .assert_eq(&printed.output);
}

#[test]
fn with_a_name_its_text_is_shown() {
    let printed = rules(&["spin-lock"]);
    assert_eq!(printed.status, Some(0));
    let library = property::library_rule("spin-lock").expect("it is in the library");
    assert_eq!(printed.output, library.text);
}

#[test]
fn an_unknown_name_is_wrong_use() {
    let printed = rules(&["spinlock"]);
    assert_eq!(printed.status, Some(2));
    expect![[r#"
        error: there is no rule `spinlock`; `counterpoint rules` lists them
    "#]]
    .assert_eq(&printed.messages);
}

const LOCKING: &str = "void spin_lock(int *l), spin_unlock(int *l), reach_error(void);
int lock;
int main(void) {
    spin_lock(&lock);
    spin_unlock(&lock);
    if (lock) goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 1;
}
static int unused(void) { reach_error(); return 0; }
";

const NEVER: &str = "rule never \"Nothing is locked.\";\non entry spin_lock(_) { abort \"locked\"; }\n";
const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const RACE: &str = "CHECK( init(main()), LTL(G ! data-race) )\n";

/// The lines about errors on standard output, then standard error.
fn cfg(name: &str, arguments: &[&str]) -> String {
    let files = [
        (name, LOCKING),
        ("never.rule", NEVER),
        ("unreach-call.prp", UNREACH),
        ("no-data-race.prp", RACE),
    ];
    let printed = counterpoint(&folder(name, &files), &[&["cfg", name], arguments].concat());
    let errors = printed.output.lines().filter(|line| line.starts_with("error "));
    let errors: String = errors.map(|line| format!("{line}\n")).collect();
    let code = printed.status.expect("the program ends by itself");
    format!("{errors}{}exit code {code}\n", printed.messages)
}

#[test]
fn a_rule_is_woven_by_name_or_from_a_file() {
    expect![[r#"
        error spin-lock: L3 -> L18 of main: the spin lock is acquired although it is held already at by_name.c:4:5
        error spin-lock: L8 -> L18 of main: the spin lock is released although it is not held at by_name.c:5:5
        error spin-lock: L17 -> L18 of main: the spin lock is still held when the program ends at by_name.c:7:5
        error spin-lock: L14 -> L18 of main: the spin lock is still held when the program ends at by_name.c:10:5
        exit code 0
    "#]].assert_eq(&cfg("by_name.c", &["--rule", "spin-lock"]));
    expect![[r#"
        error never: L0 -> L1 of main: locked at from_file.c:4:5
        exit code 0
    "#]]
    .assert_eq(&cfg("from_file.c", &["--rule", "never.rule"]));
    expect![[r#"
        note: mutex is not applicable: nothing that runs calls `mutex_lock`, `mutex_lock_nested`, `mutex_lock_interruptible` or any other of its 11 functions
        exit code 0
    "#]].assert_eq(&cfg("not_applicable.c", &["--rule", "mutex"]));
}

#[test]
fn error_functions_and_labels_are_woven() {
    expect![[r#"
        error unreach-call: L3 -> L4 of main: call of `reach_error` at function.c:9:5
        error unreach-call: L0 -> L1 of unused: call of `reach_error` at function.c:12:27
        note: never reached: function.c:12: call of `reach_error`: nothing that runs calls `unused`
        exit code 0
    "#]]
    .assert_eq(&cfg("function.c", &["--error-function", "reach_error"]));
    expect![[r#"
        error unreach-label: L3 -> L4 of main: label `ERROR` at label.c:9:5
        exit code 0
    "#]]
    .assert_eq(&cfg("label.c", &["--error-label", "ERROR"]));
}

#[test]
fn property_files_are_read_or_refused() {
    expect![[r#"
        error unreach-call: L3 -> L4 of main: call of `reach_error` at reach.c:9:5
        error unreach-call: L0 -> L1 of unused: call of `reach_error` at reach.c:12:27
        note: never reached: reach.c:12: call of `reach_error`: nothing that runs calls `unused`
        exit code 0
    "#]]
    .assert_eq(&cfg("reach.c", &["--property", "unreach-call.prp"]));
    expect![[r#"
        no-data-race.prp:1:26: error: this property is not supported: no-data-race
         1 | CHECK( init(main()), LTL(G ! data-race) )
           |                          ^^^^^^^^^^^^^^^^
        exit code 2
    "#]]
    .assert_eq(&cfg("overflow.c", &["--property", "no-data-race.prp"]));
}

#[test]
fn what_cannot_be_checked_is_wrong_use() {
    expect![[r#"
        error: there is no rule `spinlock`; `counterpoint rules` lists them, and a file is named with its ending
        exit code 2
    "#]].assert_eq(&cfg("no_rule.c", &["--rule", "spinlock"]));
    expect![[r#"
        error: ./missing.rule: No such file or directory (os error 2)
        exit code 2
    "#]]
    .assert_eq(&cfg("no_file.c", &["--rule", "./missing.rule"]));
    expect![[r#"
        error: the program has no function `start` to start at
        exit code 2
    "#]]
    .assert_eq(&cfg(
        "no_entry.c",
        &["--error-label", "ERROR", "--entry", "start"],
    ));
}
