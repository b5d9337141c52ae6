//! The dialects of the language, and a guess at which one a text is in.

/// They differ in how operators bind (see `precedence`) and in a few tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SLAM's, as Bebop reads it.
    Bebop,
    /// SATABS's, as boppo and Boom read it.
    Satabs,
    /// Getafix's: binds like Bebop's, `?` is a choice, comments are single lines.
    Getafix,
}

impl Dialect {
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Bebop => "bebop",
            Dialect::Satabs => "satabs",
            Dialect::Getafix => "getafix",
        }
    }

    /// Looks for what only one family of tools writes; Bebop's binding is the default.
    pub fn guess(source: &str) -> Dialect {
        let satabs_marks = [
            "CPROVER/SATABS",
            "thread_local",
            "// FROM Predicates",
            "// TO Predicates",
        ];
        if satabs_marks.iter().any(|mark| source.contains(mark)) {
            Dialect::Satabs
        } else {
            Dialect::Bebop
        }
    }
}
