//! The variables that a rule brings into the program.

use program::{EdgeKind, Enumeration, Initial, IntKind, Type, TypeId, Var, VarId, VarKind};

use super::handler::{RuleVars, WatchedVar, constant_value};
use super::rules::Match;
use super::{Watched, Weaver};
use crate::rule::{Argument, Rule, StateType};

impl Weaver {
    pub fn rule_vars(&mut self, rule: &Rule, matches: &[Match<'_>]) -> RuleVars {
        let mut states = Vec::with_capacity(rule.states.len());
        for state in &rule.states {
            let ty = match &state.ty {
                StateType::Int => self.program.types.int(IntKind::Int),
                StateType::Bool => self.program.types.bool(),
                StateType::Enum(names) => {
                    let underlying = self.program.types.int(IntKind::Int);
                    let enumerators = names
                        .iter()
                        .zip(0..)
                        .map(|((name, _), value)| (name.clone(), value));
                    let enumeration = self.program.types.add_enum(Enumeration {
                        name: global_name(rule, &state.name),
                        tagged: false,
                        underlying,
                        enumerators: enumerators.collect(),
                    });
                    self.program.types.intern(Type::Enum(enumeration))
                }
            };
            let var = self.add_global(rule, &state.name, ty, Initial::Values(Vec::new()));
            let place = self.program.var_place(var);
            let initial = constant_value(rule, &state.initial);
            let initial = match state.ty {
                StateType::Bool => i128::from(initial != 0),
                StateType::Int | StateType::Enum(_) => initial,
            };
            let value = self.program.int(initial, ty);
            self.program.vars[var].kind = VarKind::Global(Initial::Values(vec![(place, value)]));
            states.push(var);
        }
        let watched = rule.watch.as_ref().map(|watch| {
            let ty = self.watched_type(&watch.name, matches);
            let var = self.add_global(rule, &watch.name, ty, Initial::External);
            self.watched.push(Watched {
                rule: rule.name().to_owned(),
                var,
                comparisons: Vec::new(),
            });
            WatchedVar {
                var,
                index: self.watched.len() - 1,
            }
        });
        RuleVars { states, watched }
    }

    /// An integer type that holds whatever the watched object is compared with. For pointers it is an integer too, the
    /// size of an address: an input of pointer type would be taken to lead to storage of its own, and the watched object
    /// is one of the program's.
    fn watched_type(&mut self, name: &str, matches: &[Match<'_>]) -> TypeId {
        let is_watched = |argument: &Argument| matches!(argument, Argument::Name(known, _) | Argument::Behind(known, _) if known == name);
        let mut compared: Vec<TypeId> = Vec::new();
        for found in matches {
            let EdgeKind::Call {
                result, arguments, ..
            } = &self.program.edges[found.edge].kind
            else {
                unreachable!("a call site is a call edge")
            };
            let patterns = found
                .pattern
                .map_or(&[][..], |pattern| pattern.arguments.as_slice());
            let watched = patterns
                .iter()
                .zip(arguments)
                .filter(|(pattern, _)| is_watched(pattern));
            compared.extend(watched.map(|(_, &argument)| self.program.expr(argument).ty));
            if found.handler.result.as_ref().is_some_and(is_watched) {
                compared.push(match result {
                    Some(place) => self.program.place(*place).ty,
                    None => self.program.result_type(found.function),
                });
            }
        }
        let types = &mut self.program.types;
        let is_wide = |&ty: &TypeId| types.int_shape(ty).is_some_and(|shape| shape.bits > 32);
        let pointers = compared.iter().filter(|&&ty| types.is_pointer(ty)).count();
        if pointers == compared.len() {
            types.size_type()
        } else if pointers > 0 {
            types.int(IntKind::ULongLong)
        } else if compared.iter().any(is_wide) {
            types.int(IntKind::LongLong)
        } else {
            types.int(IntKind::Int)
        }
    }

    pub fn new_global(&mut self, rule: &Rule, name: &str, kind: IntKind) -> VarId {
        let ty = self.program.types.int(kind);
        self.add_global(rule, name, ty, Initial::Values(Vec::new()))
    }

    fn add_global(&mut self, rule: &Rule, name: &str, ty: TypeId, initial: Initial) -> VarId {
        self.program.vars.push(Var {
            name: global_name(rule, name),
            ty,
            kind: VarKind::Global(initial),
            function: None,
            span: None,
            is_const: false,
            align: 0,
        })
    }
}

/// A name that no program takes by chance: `$` is legal only as an extension.
fn global_name(rule: &Rule, name: &str) -> String {
    format!("{}${name}", rule.name().replace('-', "_"))
}
