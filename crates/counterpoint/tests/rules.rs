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
    expect![[r#""#]].assert_eq(&String::from_utf8_lossy(&output.stdout));
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
    expect![[r#""#]].assert_eq(&String::from_utf8_lossy(&output.stderr));
}
