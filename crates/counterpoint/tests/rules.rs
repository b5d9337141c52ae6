//! `counterpoint rules`: the list, one rule's text, and a name that is none.

use std::process::{Command, Output};

use expect_test::expect;

fn rules(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg("rules")
        .args(arguments)
        .output()
        .expect("the program starts")
}

#[test]
fn without_a_name_all_are_listed() {
    let output = rules(&[]);
    assert_eq!(output.status.code(), Some(0));
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
    .assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn with_a_name_its_text_is_shown() {
    let output = rules(&["spin-lock"]);
    assert_eq!(output.status.code(), Some(0));
    let library = property::library_rule("spin-lock").expect("it is in the library");
    assert_eq!(String::from_utf8_lossy(&output.stdout), library.text);
}

#[test]
fn an_unknown_name_is_wrong_use() {
    let output = rules(&["spinlock"]);
    assert_eq!(output.status.code(), Some(2));
    expect![[r#"
        error: there is no rule `spinlock`; `counterpoint rules` lists them
    "#]]
    .assert_eq(&String::from_utf8_lossy(&output.stderr));
}
