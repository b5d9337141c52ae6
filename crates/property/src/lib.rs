//! What to check, woven into the program.
//!
//! A [`Property`] is what the user asks for: that no assertion fails, that no error function is called or error label
//! reached, that a [`Rule`] of how functions are to be called is kept, or that nothing is [`Undefined`] in some way. [`weave`] turns all of them into one thing:
//! *error edges* of a program, whose taking is the violation. Whoever reasons about the woven program needs to know
//! nothing else about properties.

mod library;
mod ltl;
mod monitor;
mod property_file;
mod rule;
mod text_error;
mod undefined;
mod weave;

pub use ::library::ERROR_FUNCTIONS;
pub use library::{LibraryRule, library, library_rule};
pub use ltl::{AtomText, Ltl};
pub use monitor::{Monitor, Observed, monitor};
pub use property_file::{PropertyFileError, named_property, read_property_file};
pub use rule::Rule;
pub use text_error::TextError;
pub use undefined::Undefined;
pub use weave::{
    CALLS, ErrorKind, ErrorSite, Lassos, NotApplicable, PASSES, Product, Round, Unreachable, Unseen, Watched,
    WeaveError, WhyNever, Woven, show_calls, show_devices, weave, weave_lassos, weave_ltl,
};

/// What the user asks about a program.
#[derive(Clone, Debug)]
pub struct Property {
    /// The function that the program starts at.
    pub entry: String,
    pub checks: Vec<Check>,
    /// The file with the code that is around the function to be checked, if somebody put some there: what that allocates is not the
    /// function's to free.
    pub around: Option<String>,
}

impl Property {
    /// Whether it is about ends of runs.
    pub fn is_termination(&self) -> bool {
        matches!(self.checks[..], [Check::Termination])
    }

    /// The formula, if that is what it is about.
    pub fn ltl(&self) -> Option<&Ltl> {
        match &self.checks[..] {
            [Check::Ltl(ltl)] => Some(ltl),
            _ => None,
        }
    }
}

/// One thing to check.
#[derive(Clone, Debug)]
pub enum Check {
    /// No function of these names is called.
    ErrorFunctions(Vec<String>),
    /// No label of this name is reached.
    ErrorLabel(String),
    /// The rule is kept.
    Rule(Box<Rule>),
    /// Nothing is undefined in this way.
    Undefined(Undefined),
    /// Every run ends. That is no matter of error edges, and none are woven in for it.
    Termination,
    /// Every run satisfies the formula. It is woven in by itself ([`weave_ltl`]).
    Ltl(Box<Ltl>),
}

impl Check {
    /// The name that verdicts and reports use.
    pub fn name(&self) -> &str {
        match self {
            Check::ErrorFunctions(_) => "unreach-call",
            Check::ErrorLabel(_) => "unreach-label",
            Check::Rule(rule) => rule.name(),
            Check::Undefined(kind) => kind.name(),
            Check::Termination => "termination",
            Check::Ltl(ltl) => &ltl.name,
        }
    }
}

impl Check {
    fn undefined(&self) -> Option<Undefined> {
        match self {
            Check::Undefined(kind) => Some(*kind),
            Check::ErrorFunctions(_)
            | Check::ErrorLabel(_)
            | Check::Rule(_)
            | Check::Termination
            | Check::Ltl(_) => None,
        }
    }
}

impl Default for Property {
    /// No assertion fails and no error function is called.
    fn default() -> Property {
        Property::new(Check::ErrorFunctions(ERROR_FUNCTIONS.map(str::to_owned).to_vec()))
    }
}

impl Property {
    /// One check of a program that starts at `main`.
    pub fn new(check: Check) -> Property {
        Property {
            entry: "main".to_owned(),
            checks: vec![check],
            around: None,
        }
    }
}
