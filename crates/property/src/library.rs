//! The rules that come with the program; their texts are the files in `rules/`.

use crate::{Rule, TextError};

/// A rule of the library, unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryRule {
    pub name: &'static str,
    pub text: &'static str,
}

impl LibraryRule {
    pub fn parse(&self) -> Result<Rule, TextError> {
        Rule::parse(&format!("rules/{}.rule", self.name), self.text)
    }
}

macro_rules! rules {
    ($($name:literal),* $(,)?) => {
        &[$(LibraryRule {
            name: $name,
            text: include_str!(concat!("../../../rules/", $name, ".rule")),
        }),*]
    };
}

const RULES: &[LibraryRule] = rules![
    "double-free",
    "file-descriptor",
    "file-stream",
    "init-before-use",
    "interrupts",
    "irp-completion",
    "memory-leak",
    "mutex",
    "no-sleep-while-locked",
    "pthread-mutex",
    "reference-count",
    "spin-lock",
];

/// All rules of the library, by name.
pub fn library() -> &'static [LibraryRule] {
    RULES
}

pub fn library_rule(name: &str) -> Option<&'static LibraryRule> {
    RULES.iter().find(|rule| rule.name == name)
}
