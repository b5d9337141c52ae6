//! Events in formulas, as rules write them: `entry f(_, 1)`, `exit f(lock) returns 0`.
//!
//! The events of a formula are a rule of their own: at calls that an event matches, a global says whether it happens, the
//! automaton moves, and the global is reset. A name among the arguments stands for any one object, the same in all events of the formula.

use std::collections::BTreeSet;

use program::{Callee, EdgeId, VarId};
use temporal::Atom;

use super::Weaving;
use crate::ltl::Ltl;
use crate::rule::{Argument, EventKind, Rule};
use crate::text_error::TextError;
use crate::weave::edit::Code;
use crate::weave::handler::RuleVars;
use crate::weave::rules::Match;

/// The events of a formula: the rule, and which atom each of its handlers is about.
pub(super) struct Events {
    pub rule: Rule,
    atoms: Vec<usize>,
}

/// What happens around one call.
#[derive(Default)]
pub(super) struct Around {
    pub before: Vec<Code>,
    pub after: Vec<Code>,
    /// The atoms that may hold at the step before the call, and at that after it.
    pub entries: BTreeSet<usize>,
    pub exits: BTreeSet<usize>,
}

impl Events {
    /// Those of a formula, if it has any.
    pub fn of(ltl: &Ltl, through_pointer: &dyn Fn(&str) -> bool) -> Result<Option<Events>, TextError> {
        let (mut atoms, mut states, mut handlers) = (Vec::new(), String::new(), String::new());
        let mut object: Option<String> = None;
        for (number, atom) in ltl.property.atoms.iter().enumerate() {
            let text = match atom {
                Atom::Event(text) => text.clone(),
                // Which function a pointer leads to is seen when the call is made.
                Atom::Call(name) if through_pointer(name) => format!("entry {name}(...)"),
                Atom::Return(name) if through_pointer(name) => format!("exit {name}(...)"),
                Atom::Call(_) | Atom::Return(_) | Atom::Expression(_) | Atom::End => continue,
            };
            let alone = Rule::parse("", &format!("rule ltl \"\"; on {text} {{}}"))
                .map_err(|error| ltl.error_at(number, error.message()))?;
            for name in alone.names() {
                match &object {
                    Some(known) if known != name => {
                        let message =
                            format!("a formula follows one object, which is `{known}`; any value is `_`");
                        return Err(ltl.error_at(number, &message));
                    }
                    _ => object = Some(name.to_owned()),
                }
            }
            states.push_str(&format!("bool event{number} = false; "));
            handlers.push_str(&format!("on {text} {{ event{number} = true; }} "));
            atoms.push(number);
        }
        let Some(&first) = atoms.first() else {
            return Ok(None);
        };
        let watch = object.map_or(String::new(), |name| format!("watch {name};"));
        let text = format!("rule ltl \"\"; {watch} state {{ {states} }} {handlers}");
        let rule = Rule::parse("", &text).map_err(|error| ltl.error_at(first, error.message()))?;
        Ok(Some(Events { rule, atoms }))
    }

    /// The atom that a handler is about.
    fn atom(&self, found: &Match<'_>) -> usize {
        let mut handlers = self.rule.handlers.iter();
        let position = handlers.position(|handler| std::ptr::eq(handler, found.handler));
        self.atoms[position.expect("a match has a handler of the rule")]
    }
}

impl Weaving<'_> {
    /// Makes the globals of the events, and what happens around each call that one of them matches.
    pub(super) fn events(&mut self) -> Result<Vec<(EdgeId, Around)>, TextError> {
        let weaver = &self.weaver;
        let through_pointer = |name: &str| {
            let function = weaver.program.function_named(name);
            let sites = weaver.sites.iter();
            let mut sites = sites.filter(|site| matches!(site.callee, Callee::Indirect(_)));
            sites.any(|site| function.is_some_and(|function| site.targets.contains(&function)))
        };
        let Some(events) = Events::of(self.ltl, &through_pointer)? else {
            return Ok(Vec::new());
        };
        let rule = &events.rule;
        for (handler, &atom) in rule.handlers.iter().zip(&events.atoms) {
            let function = &handler.patterns[0].function;
            let message = match self.weaver.program.function_named(function) {
                None => format!("the program has no function `{function}`"),
                Some(found) if found == self.weaver.entry => {
                    format!("the program starts at `{function}`, which nobody calls")
                }
                Some(_) => continue,
            };
            return Err(self.ltl.error_at(atom, &message));
        }
        let first = events.atoms[0];
        let located = |ltl: &Ltl, error: TextError| ltl.error_at(first, error.message());
        let matches = self
            .weaver
            .matches(rule)
            .map_err(|error| located(self.ltl, error))?;
        let vars = self.weaver.rule_vars(rule, &matches);
        for (&atom, &flag) in events.atoms.iter().zip(&vars.states) {
            self.flags[atom] = Some(flag);
        }
        let mut around = Vec::new();
        for at_call in matches.chunk_by(|one, next| one.edge == next.edge) {
            let made = self.around(&events, &vars, at_call);
            around.push((at_call[0].edge, made.map_err(|error| located(self.ltl, error))?));
        }
        Ok(around)
    }

    fn around(
        &mut self,
        events: &Events,
        vars: &RuleVars,
        matches: &[Match<'_>],
    ) -> Result<Around, TextError> {
        let (before, after) = self.weaver.around_call(&events.rule, vars, matches)?;
        let of = |kind: EventKind| -> BTreeSet<usize> {
            let such = matches.iter().filter(|found| found.handler.event == kind);
            such.map(|found| events.atom(found)).collect()
        };
        Ok(Around {
            before,
            after,
            entries: of(EventKind::Entry),
            exits: of(EventKind::Exit),
        })
    }

    /// The step at which these events happen, then none of them.
    pub(super) fn step_of(&mut self, events: &BTreeSet<usize>) -> Vec<Code> {
        let mut code = self.step(events);
        let flags: Vec<VarId> = events.iter().filter_map(|&atom| self.flags[atom]).collect();
        for flag in flags {
            let program = &mut self.weaver.program;
            let ty = program.types.bool();
            code.push(Code::Assign {
                place: program.var_place(flag),
                value: program.int(0, ty),
            });
        }
        code
    }
}

impl Rule {
    /// The names that stand for values of calls.
    fn names(&self) -> impl Iterator<Item = &str> {
        let arguments = self.handlers.iter().flat_map(|handler| {
            let arguments = handler.patterns.iter().flat_map(|pattern| &pattern.arguments);
            arguments.chain(&handler.result)
        });
        arguments.filter_map(|argument| match argument {
            Argument::Name(name, _) | Argument::Behind(name, _) => Some(name.as_str()),
            Argument::Any | Argument::Constant(_) => None,
        })
    }
}
