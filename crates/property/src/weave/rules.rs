//! Rules: state becomes globals, events become code before and after the calls they match.
//!
//! A call matches by the name of what it calls; a call through a pointer may match several functions, and the pointer
//! is compared with each. The entry function is called by nobody: its events are woven into its body. The functions of
//! one event are names of one operation: where one of them is written by means of another, that is one event, not two.

use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId, Function, Note, PlaceKind, Type};

use super::calls::listed;
use super::edit::Code;
use super::endings::{ends_regularly, runs_at_end};
use super::handler::{Occurrence, RuleVars};
use super::{NotApplicable, Weaver};
use crate::rule::{Argument, EventKind, Handler, Pattern, Rule};
use crate::text_error::TextError;

/// A call that an event matches.
pub struct Match<'r> {
    pub edge: EdgeId,
    caller: FuncId,
    pub function: FuncId,
    /// What is called through, if not the function by its name.
    pointer: Option<ExprId>,
    pub handler: &'r Handler,
    /// None for a call that ends the program.
    pub pattern: Option<&'r Pattern>,
}

impl Weaver {
    pub fn rule(&mut self, rule: &Rule) -> Result<(), TextError> {
        let matches = self.matches(rule)?;
        let entry_name = self.program.functions[self.entry].name.clone();
        let is_about_entry = |name: &&str| *name == entry_name;
        if matches.iter().all(|found| found.pattern.is_none()) && !rule.functions().iter().all(is_about_entry)
        {
            let mut functions = rule.functions();
            functions.retain(|name| !is_about_entry(name));
            self.not_applicable.push(NotApplicable {
                property: rule.name().to_owned(),
                reason: format!("nothing that runs calls {}", few(&functions)),
                occurs: self.mentions(&functions),
            });
            return Ok(());
        }
        self.rules.push(rule.clone());
        let vars = self.rule_vars(rule, &matches);
        let mut start = 0;
        while start < matches.len() {
            let edge = matches[start].edge;
            let end = start
                + matches[start..]
                    .iter()
                    .take_while(|found| found.edge == edge)
                    .count();
            self.weave_call(rule, &vars, &matches[start..end])?;
            start = end;
        }
        self.weave_entry(rule, &vars)
    }

    /// Whether some call, of those that nothing runs too, is a call of one of these functions.
    fn mentions(&self, names: &[&str]) -> bool {
        let is_named = |function: &FuncId| names.contains(&self.program.functions[*function].name.as_str());
        let lives = self.sites.iter().any(|site| site.targets.iter().any(is_named));
        lives
            || self
                .program
                .dead
                .calls
                .iter()
                .any(|call| is_named(&call.function))
    }

    /// All calls that events of the rule match, call by call.
    pub fn matches<'r>(&mut self, rule: &'r Rule) -> Result<Vec<Match<'r>>, TextError> {
        let looks_at_end = rule
            .handlers
            .iter()
            .any(|handler| handler.event == EventKind::End);
        let mut matches = Vec::new();
        // Functions of the program's own that only share the name of what the rule is about.
        let mut namesakes: Vec<FuncId> = Vec::new();
        for site in self.sites.clone() {
            if !self.reach.runs(site.caller) {
                continue;
            }
            let EdgeKind::Call { arguments, .. } = &self.program.edges[site.edge].kind else {
                unreachable!("a call site is a call edge")
            };
            let count = arguments.len();
            let pointer = match site.callee {
                Callee::Direct(_) => None,
                Callee::Indirect(pointer) => Some(pointer),
            };
            let mut add = |function, handler, pattern| {
                matches.push(Match {
                    edge: site.edge,
                    caller: site.caller,
                    function,
                    pointer,
                    handler,
                    pattern,
                })
            };
            let caller = &self.program.functions[site.caller].name;
            let mut registers_end_handler = false;
            for &function in site.targets.iter().filter(|&&target| target != self.entry) {
                let info = &self.program.functions[function];
                let is_library = info.body.is_none();
                registers_end_handler |= is_library && runs_at_end(&info.name);
                for handler in &rule.handlers {
                    if handler.event == EventKind::End && is_library && ends_regularly(&info.name) {
                        add(function, handler, None);
                    }
                    let is_same_operation =
                        *caller != info.name && handler.patterns.iter().any(|p| p.function == *caller);
                    if is_same_operation {
                        continue;
                    }
                    let name = known_as(handler, info);
                    for pattern in handler.patterns.iter().filter(|p| p.function == name) {
                        if let Err(error) = check_arity(rule, pattern, count) {
                            if info.is_static && info.body.is_some() {
                                namesakes.push(function);
                                continue;
                            }
                            return Err(error);
                        }
                        add(function, handler, Some(pattern));
                    }
                }
            }
            if looks_at_end && registers_end_handler {
                let what = format!(
                    "functions that run at the end of the program (atexit), with the rule `{}` that looks at the end",
                    rule.name()
                );
                self.insert_before(site.edge, &[Code::Unsupported(what)]);
            }
        }
        namesakes.sort_unstable();
        namesakes.dedup();
        for function in namesakes {
            let info = &self.program.functions[function];
            let message = format!(
                "the rule `{}` is not about the static function `{}`, which takes other arguments",
                rule.name(),
                info.name
            );
            let span = info.span;
            self.program.notes.push(Note { message, span });
        }
        Ok(matches)
    }

    fn weave_call(&mut self, rule: &Rule, vars: &RuleVars, matches: &[Match<'_>]) -> Result<(), TextError> {
        let edge = matches[0].edge;
        let (before, after) = self.around_call(rule, vars, matches)?;
        self.insert_before(edge, &before);
        self.insert_after(edge, &after);
        Ok(())
    }

    /// The code of all events at one call: before it and after it.
    pub fn around_call(
        &mut self,
        rule: &Rule,
        vars: &RuleVars,
        matches: &[Match<'_>],
    ) -> Result<(Vec<Code>, Vec<Code>), TextError> {
        let (edge, caller) = (matches[0].edge, matches[0].caller);
        let unused = matches!(self.program.edges[edge].kind, EdgeKind::Call { result: None, .. });
        let wants_result = |found: &Match<'_>| {
            let is_matched = found.handler.result.is_some() && !(unused && found.handler.or_unused);
            found.handler.event == EventKind::Exit && (is_matched || mentions_result(found.handler))
        };
        let mut before = Vec::new();
        let mut after = Vec::new();
        if let Some(found) = matches.iter().find(|found| wants_result(found)) {
            self.hold_result(edge, found.function, caller, &mut after);
        }
        let EdgeKind::Call {
            result,
            callee,
            arguments,
        } = self.program.edges[edge].kind.clone()
        else {
            unreachable!("a call site is a call edge")
        };
        let has_exit = matches.iter().any(|found| found.handler.event == EventKind::Exit);
        let (mut kept, mut kept_pointer) = (Vec::new(), None);
        if has_exit {
            for (position, &argument) in arguments.iter().enumerate() {
                let is_used = matches.iter().any(|found| uses_argument(found, position));
                kept.push(match is_used {
                    true => self.keep(argument, caller, result, &mut before),
                    false => argument,
                });
            }
            if let Callee::Indirect(pointer) = callee {
                kept_pointer = Some(self.keep(pointer, caller, result, &mut before));
            }
        }
        let result = result.map(|place| self.program.read(place));
        for found in matches {
            let at_exit = found.handler.event == EventKind::Exit;
            let values = if at_exit { &kept } else { &arguments };
            let code = self.handler_code(&Occurrence {
                rule,
                vars,
                handler: found.handler,
                pattern: found.pattern,
                arguments: values.iter().copied().map(Some).collect(),
                result: result.filter(|_| at_exit),
                unused,
            })?;
            let pointer = match at_exit {
                true => kept_pointer,
                false => found.pointer,
            };
            let code = match pointer.filter(|_| found.pointer.is_some() && !code.is_empty()) {
                Some(pointer) => vec![Code::If {
                    condition: self.points_to(pointer, found.function),
                    then: code,
                    otherwise: Vec::new(),
                }],
                None => code,
            };
            match at_exit {
                true => after.extend(code),
                false => before.extend(code),
            }
        }
        Ok((before, after))
    }

    /// Makes the call's result readable after it: in a variable. Where it goes elsewhere it passes through one.
    fn hold_result(&mut self, edge: EdgeId, function: FuncId, caller: FuncId, after: &mut Vec<Code>) {
        let EdgeKind::Call { result, .. } = self.program.edges[edge].kind else {
            unreachable!("a call site is a call edge")
        };
        let ty = match result {
            Some(place) if matches!(self.program.place(place).kind, PlaceKind::Var(_)) => return,
            Some(place) => self.program.place(place).ty,
            None => self.program.result_type(function),
        };
        if matches!(self.program.types.get(ty), Type::Void) {
            return;
        }
        let var = self.new_temporary(caller, ty);
        let held = self.program.var_place(var);
        if let EdgeKind::Call { result, .. } = &mut self.program.edges[edge].kind {
            *result = Some(held);
        }
        if let Some(place) = result {
            let value = self.program.read(held);
            after.push(Code::Assign { place, value });
        }
    }
}

/// The name that a handler knows a function by: its own, or that of the function which the compiler's own spelling means.
pub fn known_as<'f>(handler: &Handler, function: &'f Function) -> &'f str {
    let is_meant = |name: &str| handler.patterns.iter().any(|pattern| pattern.function == name);
    match function.name.strip_prefix("__builtin_") {
        Some(plain) if function.body.is_none() && !is_meant(&function.name) => plain,
        _ => &function.name,
    }
}

/// The functions, or of many only the first.
fn few(functions: &[&str]) -> String {
    const SHOWN: usize = 3;
    match functions.len() {
        count if count <= SHOWN + 1 => listed(functions),
        count => {
            let quoted: Vec<String> = functions[..SHOWN]
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            format!("{} or any other of its {count} functions", quoted.join(", "))
        }
    }
}

pub fn check_arity(rule: &Rule, pattern: &Pattern, count: usize) -> Result<(), TextError> {
    let listed = pattern.arguments.len();
    if listed == count || (pattern.open && listed <= count) {
        return Ok(());
    }
    let arguments = match count {
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    };
    Err(rule.error(
        pattern.at,
        format!(
            "this program calls `{}` with {arguments}, the pattern is for {listed}",
            pattern.function
        ),
    ))
}

/// Whether the handler of an exit looks at the argument at a position, counted from 0.
fn uses_argument(found: &Match<'_>, position: usize) -> bool {
    if found.handler.event != EventKind::Exit {
        return false;
    }
    let named = found.pattern.and_then(|pattern| pattern.arguments.get(position));
    named.is_some_and(|argument| !matches!(argument, Argument::Any))
        || found.handler.mentions(
            &|expr| matches!(expr, crate::rule::ExprKind::Argument(number) if *number == position + 1),
        )
}

pub fn mentions_result(handler: &Handler) -> bool {
    handler.mentions(&|expr| matches!(expr, crate::rule::ExprKind::Result))
}
