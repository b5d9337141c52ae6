//! Weaving: a property becomes error edges of the program.
//!
//! Locations, edges and variables that exist keep their ids; new ones are appended. An edge may get another start or
//! end, where something happens before or after it, and a call may give its result to a new variable first, where a rule
//! looks at it.

mod calls;
mod device;
mod edit;
mod endings;
mod entry;
mod expression;
mod frames;
mod handler;
mod keep;
mod ltl;
mod only_when;
mod outside;
mod reach;
mod rules;
mod undefined;
mod variables;

pub use device::show_devices;
pub(crate) use endings::ends_regularly;
pub(crate) use handler::constant_value;
pub use ltl::{Lassos, Product, weave_lassos, weave_ltl};
pub use outside::{CALLS, PASSES, show_calls};
pub(crate) use rules::{check_arity, known_as, mentions_result};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use program::{
    AddressTaken, CallGraph, CallSite, EdgeId, ExprId, FuncId, Label, LocId, Program, Span, TypeResolver,
    VarId, list_locations,
};

use crate::text_error::TextError;
use crate::{Check, Property, Rule, Undefined};

/// A program whose error edges are all that is left to know about the property.
#[derive(Clone, Debug)]
pub struct Woven {
    pub program: Program,
    /// The function that the program starts at.
    pub entry: FuncId,
    /// In the order of the source.
    pub errors: Vec<ErrorSite>,
    /// Errors that cannot happen by the shape of the program alone: whoever wrote them should know.
    pub unreachable: Vec<Unreachable>,
    /// Checks of things that do not occur in the program.
    pub not_applicable: Vec<NotApplicable>,
    /// The inputs by which rules choose the object they follow.
    pub watched: Vec<Watched>,
    /// How often something could be undefined but for the types and constants of operands, which rule it out.
    pub discharged: usize,
    /// The rules that were woven in.
    pub rules: Vec<Rule>,
    /// What only watches the run, and is nothing that a user wants to hear of.
    pub unseen: Unseen,
    /// Where the rounds begin of a run that goes on for ever, if the errors are about one.
    pub round: Option<Round>,
}

/// Steps and variables that change nothing of what the program does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    pub edges: BTreeSet<EdgeId>,
    pub vars: BTreeSet<VarId>,
}

impl Unseen {
    /// All that a program has and a smaller one with so many edges and variables had not.
    pub fn since(edges: usize, vars: usize, program: &Program) -> Unseen {
        Unseen {
            edges: program.edges.ids().skip(edges).collect(),
            vars: program.vars.ids().skip(vars).collect(),
        }
    }
}

/// How a run is divided that goes on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// It is taken each time the run comes to where rounds may begin.
    pub edge: EdgeId,
    /// At this time, counted from 1, begins what is repeated.
    pub first: u64,
}

/// An error edge: to take it is the violation, whatever comes after. It is a call of an error function, or an edge that
/// does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSite {
    pub edge: EdgeId,
    pub kind: ErrorKind,
    /// What is violated, as verdicts name it: `unreach-call`, `unreach-label`, the name of a rule, or
    /// that of a kind of undefined behaviour, such as `no-overflow`.
    pub property: String,
    pub message: String,
    /// Where in the program it happens.
    pub span: Option<Span>,
}

impl ErrorSite {
    /// Whether it is an assertion that fails, and not just a function that is called.
    pub fn is_assertion(&self) -> bool {
        matches!(self.kind, ErrorKind::Call(_)) && self.message.starts_with("assertion ")
    }
}

/// What happens when an error edge is taken, in terms of the program before anything was woven into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// This function is called.
    Call(FuncId),
    /// Control is at this label.
    Label(Label),
    /// A rule is violated.
    Rule,
    /// Something is undefined.
    Undefined(Undefined),
    /// The run goes on for ever.
    Endless,
    /// The run violates a temporal formula, whatever it does next.
    Temporal,
}

/// An error that no run can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    pub property: String,
    pub message: String,
    pub span: Option<Span>,
    pub why: WhyNever,
}

/// Why no run reaches an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNever {
    /// It stands in this function, which the entry function never calls, directly or not.
    NotCalled(FuncId),
    /// It stands where no control flow leads. It is no error edge of the program.
    DeadCode,
}

impl Unreachable {
    /// One line for the user.
    pub fn describe(&self, program: &Program) -> String {
        let place = match &self.span {
            Some(span) => format!("{}: ", program.sources.describe_line(span)),
            None => String::new(),
        };
        let why = match self.why {
            WhyNever::NotCalled(function) => {
                format!("nothing that runs calls `{}`", program.functions[function].name)
            }
            WhyNever::DeadCode => "no control flow leads there".to_owned(),
        };
        format!("never reached: {place}{}: {why}", self.message)
    }
}

/// A check of something that does not occur in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplicable {
    pub property: String,
    pub reason: String,
    /// Whether it occurs after all, where nothing that runs comes by.
    pub occurs: bool,
}

/// The object that a rule follows: an input that stands for any one object. Whether it is one or another changes what
/// the rule sees, never what the program does; so a run with any choice shows which choices matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    pub rule: String,
    /// The global that holds the choice; nobody writes it.
    pub var: VarId,
    /// Edges just before whose taking the watched object was compared with the value of the expression.
    pub comparisons: Vec<(EdgeId, ExprId)>,
}

/// Why a property cannot be woven into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeaveError {
    /// The program does not define the function it is to start at.
    NoEntry { name: String },
    /// A rule does not fit the program.
    Rule(TextError),
}

impl fmt::Display for WeaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeaveError::NoEntry { name } => {
                writeln!(f, "error: the program has no function `{name}` to start at")?;
                match name.as_str() {
                    "main" => writeln!(f, "  = help: a part of a program is checked by --entry FUNCTION"),
                    _ => Ok(()),
                }
            }
            WeaveError::Rule(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WeaveError {}

impl From<TextError> for WeaveError {
    fn from(error: TextError) -> WeaveError {
        WeaveError::Rule(error)
    }
}

/// Turns a property into error edges of the program.
pub fn weave(mut program: Program, property: &Property) -> Result<Woven, WeaveError> {
    let entry = program
        .function_named(&property.entry)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or_else(|| WeaveError::NoEntry {
            name: property.entry.clone(),
        })?;
    show_devices(&mut program, entry);
    show_calls(&mut program);
    let kinds: BTreeSet<Undefined> = property.checks.iter().filter_map(Check::undefined).collect();
    // What is asked about blocks tells variables from them.
    let unseen = match kinds.is_empty() {
        true => frames::separate_frames(&mut program, entry),
        false => Unseen::default(),
    };
    let mut weaver = Weaver::new(program, entry, &property.checks);
    weaver.unseen = unseen;
    // What other checks add to the program is not what the user wrote.
    weaver.undefined(&kinds, property.around.as_deref());
    for check in &property.checks {
        match check {
            Check::ErrorFunctions(functions) => weaver.error_functions(functions),
            Check::ErrorLabel(label) => weaver.error_label(label),
            Check::Rule(rule) => weaver.rule(rule)?,
            Check::Undefined(_) | Check::Termination | Check::Ltl(_) => {}
        }
    }
    weaver.end_handlers();
    weaver.expect_values_of_parameters();
    Ok(weaver.finish())
}

/// A program while it is being woven.
struct Weaver {
    program: Program,
    entry: FuncId,
    /// All calls, function by function, as they were before weaving; edges keep their ids.
    sites: Vec<CallSite>,
    reach: reach::Reach,
    /// Variables that pointers may lead to, of those that existed before weaving.
    taken: AddressTaken,
    /// How many variables existed before weaving.
    original_vars: usize,
    /// Of each function that needed one, the location that nothing leads out of.
    ends: BTreeMap<FuncId, LocId>,
    /// The new locations of functions that have any.
    new_locs: BTreeMap<FuncId, Vec<LocId>>,
    errors: Vec<ErrorSite>,
    unreachable: Vec<Unreachable>,
    not_applicable: Vec<NotApplicable>,
    watched: Vec<Watched>,
    discharged: usize,
    rules: Vec<Rule>,
    questions: undefined::Questions,
    /// Edges that do nothing but mark a place.
    marked: Vec<EdgeId>,
    unseen: Unseen,
    /// Whether nobody else wants to see the calls of library functions.
    may_replace_calls: bool,
    /// Whether it is known which blocks there are.
    follows_blocks: bool,
    /// Functions whose calls are errors.
    error_functions: Vec<String>,
}

impl Weaver {
    fn new(program: Program, entry: FuncId, checks: &[Check]) -> Weaver {
        let graph = CallGraph::new(&program, &TypeResolver::new(&program));
        let error_functions: Vec<&str> = checks
            .iter()
            .flat_map(|check| match check {
                Check::ErrorFunctions(names) => names.as_slice(),
                Check::ErrorLabel(_)
                | Check::Rule(_)
                | Check::Undefined(_)
                | Check::Termination
                | Check::Ltl(_) => &[],
            })
            .map(String::as_str)
            .collect();
        let reach = reach::Reach::new(&program, &graph, entry, &error_functions);
        Weaver {
            entry,
            sites: graph.sites().to_vec(),
            reach,
            taken: AddressTaken::new(&program),
            original_vars: program.vars.len(),
            ends: BTreeMap::new(),
            new_locs: BTreeMap::new(),
            errors: Vec::new(),
            unreachable: Vec::new(),
            not_applicable: Vec::new(),
            watched: Vec::new(),
            discharged: 0,
            rules: Vec::new(),
            questions: undefined::Questions::default(),
            marked: Vec::new(),
            unseen: Unseen::default(),
            follows_blocks: false,
            may_replace_calls: !checks
                .iter()
                .any(|check| matches!(check, Check::Rule(_) | Check::Ltl(_))),
            error_functions: error_functions.into_iter().map(str::to_owned).collect(),
            program,
        }
    }

    fn finish(mut self) -> Woven {
        for (&function, new) in &self.new_locs {
            list_locations(&mut self.program, function, new);
        }
        self.errors.sort_by_key(|site| (site.span, site.edge));
        Woven {
            program: self.program,
            entry: self.entry,
            errors: self.errors,
            unreachable: self.unreachable,
            not_applicable: self.not_applicable,
            watched: self.watched,
            discharged: self.discharged,
            rules: self.rules,
            unseen: self.unseen,
            round: None,
        }
    }
}
