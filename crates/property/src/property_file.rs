//! Property files of the software-verification competition (`.prp`): one clause a line, `//` for comments, and
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )` as the clause met most.
//!
//! A clause that is well formed but asks for something that is not checked here is refused by its name, so that
//! nobody takes the answer to one property for the answer to another.

use std::fmt;

use crate::text_error::{Range, TextError};
use ::library::ASSERTION_FAILS;

use crate::{Check, Ltl, Property, Undefined};

/// Why a property file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyFileError {
    /// It is not written as property files are.
    Syntax(TextError),
    /// It asks for something that is not checked here; `name` is the property's usual name.
    Unsupported { name: &'static str, at: TextError },
}

impl fmt::Display for PropertyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyFileError::Syntax(error) | PropertyFileError::Unsupported { at: error, .. } => {
                error.fmt(f)
            }
        }
    }
}

impl std::error::Error for PropertyFileError {}

/// The text of the property file that is usually named so.
pub fn named_property(name: &str) -> Option<&'static str> {
    Some(match name {
        "termination" => "CHECK( init(main()), LTL(F end) )",
        "unreach-call" => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        "no-overflow" => "CHECK( init(main()), LTL(G ! overflow) )",
        "valid-memsafety" => {
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )"
        }
        "valid-memcleanup" => "CHECK( init(main()), LTL(G valid-memcleanup) )",
        _ => return None,
    })
}

/// Reads the text of a property file; `file` is its name for messages.
pub fn read_property_file(file: &str, text: &str) -> Result<Property, PropertyFileError> {
    let mut property: Option<Property> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let clause = line.split("//").next().unwrap_or(line);
        let reader = Reader {
            file,
            text,
            at: start,
            end: start + clause.trim_end().len(),
        };
        start += line.len();
        if clause.trim().is_empty() {
            continue;
        }
        let (entry, check, at) = reader.clause()?;
        match &mut property {
            None => {
                property = Some(Property {
                    entry,
                    ..Property::new(check)
                })
            }
            Some(known) if known.entry == entry => {
                let is_alone = |check: &Check| matches!(check, Check::Termination | Check::Ltl(_));
                if is_alone(&check) || known.checks.iter().any(is_alone) {
                    let message = "what goes on for ever is checked by itself, without other clauses";
                    return Err(PropertyFileError::Syntax(TextError::new(file, text, at, message)));
                }
                known.checks.push(check);
            }
            Some(known) => {
                let message = format!(
                    "this clause starts at `{entry}`, the one before at `{}`",
                    known.entry
                );
                return Err(PropertyFileError::Syntax(TextError::new(file, text, at, message)));
            }
        }
    }
    property.ok_or_else(|| {
        let at = Range { start: 0, end: 0 };
        PropertyFileError::Syntax(TextError::new(file, text, at, "the file holds no property"))
    })
}

/// Reads one clause: the bytes from `at` to `end` of the text.
struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    at: usize,
    end: usize,
}

type Clause = (String, Check, Range);

impl<'t> Reader<'t> {
    fn clause(mut self) -> Result<Clause, PropertyFileError> {
        self.skip_blanks();
        let start = self.at;
        match self.word() {
            "CHECK" => {}
            "COVER" => return Err(self.unsupported("test coverage", start)),
            _ => return Err(self.error("expected `CHECK( init(main()), LTL(…) )`", start)),
        }
        self.expect("(")?;
        if self.accept("annotations") {
            return Err(self.unsupported("correct-annotations", start));
        }
        self.expect("init")?;
        self.expect("(")?;
        let entry = self.identifier()?;
        for token in ["(", ")", ")", ",", "LTL", "("] {
            self.expect(token)?;
        }
        let formula = self.at;
        let check = self.formula()?;
        let at = Range {
            start: formula,
            end: self.at,
        };
        self.expect(")")?;
        self.expect(")")?;
        self.skip_blanks();
        if self.at < self.end {
            return Err(self.error("unexpected text after the clause", self.at));
        }
        Ok((entry, check, at))
    }

    /// `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G assert`, or a formula that is refused by its name.
    fn formula(&mut self) -> Result<Check, PropertyFileError> {
        self.skip_blanks();
        let start = self.at;
        match self.word() {
            "G" if self.accept("!") => {
                self.skip_blanks();
                match self.word() {
                    "call" => {
                        self.expect("(")?;
                        let function = self.identifier()?;
                        for token in ["(", ")", ")"] {
                            self.expect(token)?;
                        }
                        Ok(Check::ErrorFunctions(vec![function]))
                    }
                    "label" => {
                        self.expect("(")?;
                        let label = self.identifier()?;
                        self.expect(")")?;
                        Ok(Check::ErrorLabel(label))
                    }
                    "overflow" => Ok(Check::Undefined(Undefined::Overflow)),
                    "data-race" => Err(self.unsupported("no-data-race", start)),
                    "deadlock" => Err(self.unsupported("no-deadlock", start)),
                    _ => self.general(start),
                }
            }
            "G" => {
                self.skip_blanks();
                match self.word() {
                    "assert" => Ok(Check::ErrorFunctions(vec![ASSERTION_FAILS.to_owned()])),
                    "valid-free" => Ok(Check::Undefined(Undefined::Free)),
                    "valid-deref" => Ok(Check::Undefined(Undefined::Deref)),
                    "valid-memtrack" => Ok(Check::Undefined(Undefined::Leak)),
                    "valid-memcleanup" => Ok(Check::Undefined(Undefined::Cleanup)),
                    "def-behavior" => Err(self.unsupported("def-behavior", start)),
                    _ => self.general(start),
                }
            }
            "F" if self.accept("end") => Ok(Check::Termination),
            _ => self.general(start),
        }
    }

    /// Any other formula: all up to the two parentheses that end the clause.
    fn general(&mut self, start: usize) -> Result<Check, PropertyFileError> {
        let clause = self.text[start..self.end].trim_end();
        let closed = |text: &str| text.strip_suffix(')').map(|inside| inside.trim_end().len());
        let end = closed(clause).and_then(|length| closed(&clause[..length]));
        let Some(length) = end else {
            return Err(self.error("expected `))` at the end of the clause", self.end));
        };
        let at = Range {
            start,
            end: start + length,
        };
        let ltl = Ltl::within(self.file, self.text, at).map_err(PropertyFileError::Syntax)?;
        self.at = at.end;
        Ok(Check::Ltl(Box::new(ltl)))
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..self.end];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The letters, digits, `_` and `-` that come next; empty if something else does.
    fn word(&mut self) -> &'t str {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.text[start..self.end];
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .unwrap_or(rest.len());
        self.at += length;
        &self.text[start..start + length]
    }

    fn identifier(&mut self) -> Result<String, PropertyFileError> {
        self.skip_blanks();
        let start = self.at;
        let word = self.word();
        if word.is_empty() || word.contains('-') || word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.error("expected a name", start));
        }
        Ok(word.to_owned())
    }

    fn accept(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..self.end].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), PropertyFileError> {
        match self.accept(token) {
            true => Ok(()),
            false => Err(self.error(&format!("expected `{token}`"), self.at)),
        }
    }

    fn located(&self, message: impl Into<String>, start: usize) -> TextError {
        let end = self.end.max(start);
        TextError::new(self.file, self.text, Range { start, end }, message)
    }

    fn error(&self, message: &str, start: usize) -> PropertyFileError {
        PropertyFileError::Syntax(self.located(message, start))
    }

    fn unsupported(&self, name: &'static str, start: usize) -> PropertyFileError {
        PropertyFileError::Unsupported {
            name,
            at: self.located(format!("this property is not supported: {name}"), start),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown = match read_property_file("p.prp", text) {
            Ok(property) => format!("{}: {:?}\n", property.entry, property.checks),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn error_calls_and_labels_with_any_spacing_and_comments() {
        check(
            "// no error\n\nCHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            expect![[r#"
                main: [ErrorFunctions(["reach_error"])]
            "#]],
        );
        check(
            "CHECK(init(start ( )),LTL( G!label( ERROR ) )) // why\r\nCHECK( init(start()), LTL(G ! call(__VERIFIER_error())) )",
            expect![[r#"
                start: [ErrorLabel("ERROR"), ErrorFunctions(["__VERIFIER_error"])]
            "#]],
        );
    }

    #[test]
    fn memory_safety_is_several_clauses() {
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\nCHECK( init(main()), LTL(G valid-memcleanup) )\n",
            expect![[r#"
                main: [Undefined(Free), Undefined(Deref), Undefined(Leak), Undefined(Cleanup)]
            "#]],
        );
    }

    #[test]
    fn termination_is_checked_by_itself() {
        check(
            "CHECK( init(main()), LTL(F end) )",
            expect![[r#"
                main: [Termination]
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(F end) )",
            expect![[r#"
                p.prp:2:26: error: what goes on for ever is checked by itself, without other clauses
                 2 | CHECK( init(main()), LTL(F end) )
                   |                          ^^^^^
            "#]],
        );
    }

    #[test]
    fn other_formulas_are_read_as_such() {
        let text = "CHECK( init(main()), LTL(G (\"x > 0\" -> F call(f))) )";
        let property = read_property_file("p.prp", text).expect("it is a formula");
        let ltl = property.ltl().expect("it is temporal");
        assert_eq!(ltl.text, "G (\"x > 0\" -> F call(f))");
        let atom = &ltl.expressions()[0];
        assert_eq!(&atom.text[atom.start..], "x > 0");
        for wrong in [
            "CHECK( init(main()), LTL(G (\"x\" ||)) )",
            "CHECK( init(main()), LTL() )",
            "CHECK( init(main()), LTL(G \"x\" )",
        ] {
            let refused = read_property_file("p.prp", wrong);
            assert!(matches!(refused, Err(PropertyFileError::Syntax(_))), "{wrong}");
        }
    }

    #[test]
    fn other_properties_are_refused_by_name() {
        for (formula, name) in [
            ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
            ("CHECK( init(main()), LTL(G def-behavior) )", "def-behavior"),
            ("CHECK(annotations, all)", "correct-annotations"),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "test coverage",
            ),
        ] {
            match read_property_file("p.prp", formula) {
                Err(PropertyFileError::Unsupported { name: found, .. }) => assert_eq!(found, name),
                other => panic!("{formula}: {other:?}"),
            }
        }
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        check(
            "// empty\n",
            expect![[r#"
                p.prp:1:1: error: the file holds no property
                 1 | // empty
                   | ^
            "#]],
        );
        check(
            "// x\n  CHECK( init(main), LTL(G ! call(f())) )",
            expect![[r#"
                p.prp:2:19: error: expected `(`
                 2 |   CHECK( init(main), LTL(G ! call(f())) )
                   |                   ^^^^^^^^^^^^^^^^^^^^^^^
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(G ! call(reach_error())) ) x",
            expect![[r#"
                p.prp:1:53: error: unexpected text after the clause
                 1 | CHECK( init(main()), LTL(G ! call(reach_error())) ) x
                   |                                                     ^
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(G ! call(f())) )\nCHECK( init(other()), LTL(G ! call(f())) )",
            expect![[r#"
                p.prp:2:27: error: this clause starts at `other`, the one before at `main`
                 2 | CHECK( init(other()), LTL(G ! call(f())) )
                   |                           ^^^^^^^^^^^^^
            "#]],
        );
        check(
            "CHECK( init(main()), LTL(G ! data-race) )",
            expect![[r#"
                p.prp:1:26: error: this property is not supported: no-data-race
                 1 | CHECK( init(main()), LTL(G ! data-race) )
                   |                          ^^^^^^^^^^^^^^^^
            "#]],
        );
    }
}
