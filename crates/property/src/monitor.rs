//! Rules as C: what a compiled program needs in order to notice by itself that it violates a rule.
//!
//! The weaver puts a rule's code around calls in the graph. Here the same rule becomes C functions that stand between callers
//! and the functions that the rule is about; the program's own text stays as it is. A woven rule watches one object, chosen
//! before the run. Compiled, addresses are others, so every object that an event is about is followed at once: its state starts
//! as that of an object that no event was about yet. What cannot be observed in this way is an error, never left out.

mod functions;
mod handlers;

use std::fmt::Write as _;

use program::Type;

use crate::rule::{Rule, StateType};
use crate::weave::{Woven, constant_value};
use handlers::expression;

/// A rule as C, and which functions of the program have to be observed for it.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub text: String,
    pub observed: Vec<Observed>,
}

/// A function in whose place another one is called, which calls it in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// What the compiler calls it.
    pub function: String,
    /// Whether calls of it are seen by the linker: no object that calls it defines it.
    pub is_linked: bool,
}

impl Observed {
    /// The function that is called in its place. Where the linker does it, it decides about the name.
    pub fn substitute(&self) -> String {
        match self.is_linked {
            true => format!("__wrap_{}", self.function),
            false => format!("counterpoint_at_{}", self.function),
        }
    }

    /// What it is called itself.
    pub fn original(&self) -> String {
        match self.is_linked {
            true => format!("__real_{}", self.function),
            false => format!("counterpoint_original_{}", self.function),
        }
    }
}

/// More objects are not followed.
const MOST_OBJECTS: usize = 1 << 16;

/// The rule as C. It says `violated` where the rule is violated, and `overflow` where there are more objects than it can follow.
/// An error is why the rule cannot be observed in a compiled program.
pub fn monitor(woven: &Woven, rule: &Rule, violated: &str, overflow: &str) -> Result<Monitor, String> {
    let functions = functions::observed(woven, rule)?;
    let watched = watched_type(woven, rule)?;
    let mut text = format!(
        "\n// The rule {}: a state for each object that an event was about, and first that of all others.\n\
         struct counterpoint_state {{\n    {watched} watched;\n    _Bool known, halted;\n",
        rule.name()
    );
    // Writing to a string does not fail.
    let mut initial = String::new();
    for state in &rule.states {
        let ty = match state.ty {
            StateType::Bool => "_Bool",
            StateType::Int | StateType::Enum(_) => "int",
        };
        let _ = writeln!(text, "    {ty} s_{};", state.name);
        let _ = write!(
            initial,
            ".s_{} = {}, ",
            state.name,
            constant_value(rule, &state.initial)
        );
    }
    let _ = write!(
        text,
        "}};\nstatic struct counterpoint_state counterpoint_states[{MOST_OBJECTS}] = {{{{{initial}}}}};\n\
         static unsigned counterpoint_count = 1;\n"
    );
    if let Some(watch) = &rule.watch {
        let condition = match &watch.condition {
            Some(condition) => expression(rule, None, condition),
            None => "1".to_owned(),
        };
        let _ = write!(
            text,
            "static void counterpoint_follow({watched} object) {{\n    \
             for (unsigned i = 1; i < counterpoint_count; i++)\n        \
             if (counterpoint_states[i].watched == object)\n            return;\n    \
             struct counterpoint_state new = counterpoint_states[0], *s = &new;\n    \
             s->watched = object;\n    s->known = 1;\n    if (!({condition}))\n        return;\n    \
             if (counterpoint_count == {MOST_OBJECTS})\n        {overflow};\n    \
             counterpoint_states[counterpoint_count++] = new;\n}}\n"
        );
    }
    for function in &functions {
        text.push_str(&handlers::substitute(rule, function, watched, violated)?);
    }
    Ok(Monitor {
        text,
        observed: functions.into_iter().map(|function| function.observed).collect(),
    })
}

/// The type of the watched object; some type, if there is none.
fn watched_type(woven: &Woven, rule: &Rule) -> Result<&'static str, String> {
    let watched = woven.watched.iter().find(|watched| watched.rule == rule.name());
    let Some(watched) = watched else {
        return Ok("int");
    };
    match woven.program.types.get(woven.program.vars[watched.var].ty) {
        Type::Int(kind) => Ok(kind.c_name()),
        _ => Err("the watched object is no number".to_owned()),
    }
}
