//! Rules: state becomes globals, events become code before and after the calls they match.
//!
//! A call matches by the name of what it calls; a call through a pointer may match several functions, and the pointer
//! is compared with each. The entry function is called by nobody: its events are woven into its body. The functions of
//! one event are names of one operation: where one of them is written by means of another, that is one event, not two.

use program::{
    Callee, EdgeId, EdgeKind, Enumeration, ExprId, FuncId, Initial, IntKind, PlaceKind, Type, TypeId, Var,
    VarId, VarKind,
};

use super::calls::listed;
use super::edit::Code;
use super::handler::{Occurrence, RuleVars, WatchedVar, initial_value};
use super::{NotApplicable, Watched, Weaver};
use crate::rule::{Argument, Event, Handler, Pattern, Rule, StateType};
use crate::text_error::TextError;

/// Functions of the C library that end the program in the regular way.
const ENDS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// Functions of the C library that let other functions run at the end.
const END_HANDLERS: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];

/// A call that an event matches.
struct Match<'r> {
    edge: EdgeId,
    caller: FuncId,
    function: FuncId,
    /// What is called through, if not the function by its name.
    pointer: Option<ExprId>,
    handler: &'r Handler,
    /// None for a call that ends the program.
    pattern: Option<&'r Pattern>,
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
                reason: format!("nothing that runs calls {}", listed(&functions)),
            });
            return Ok(());
        }
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

    /// All calls that events of the rule match, call by call.
    fn matches<'r>(&mut self, rule: &'r Rule) -> Result<Vec<Match<'r>>, TextError> {
        let looks_at_end = rule.handlers.iter().any(|handler| handler.event == Event::End);
        let mut matches = Vec::new();
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
                let is_library = |names: &[&str]| info.body.is_none() && names.contains(&info.name.as_str());
                registers_end_handler |= is_library(&END_HANDLERS);
                for handler in &rule.handlers {
                    if handler.event == Event::End && is_library(&ENDS) {
                        add(function, handler, None);
                    }
                    let is_same_operation =
                        *caller != info.name && handler.patterns.iter().any(|p| p.function == *caller);
                    if is_same_operation {
                        continue;
                    }
                    for pattern in handler.patterns.iter().filter(|p| p.function == info.name) {
                        check_arity(rule, pattern, count)?;
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
        Ok(matches)
    }

    /// The code of all events at one call.
    fn weave_call(&mut self, rule: &Rule, vars: &RuleVars, matches: &[Match<'_>]) -> Result<(), TextError> {
        let (edge, caller) = (matches[0].edge, matches[0].caller);
        let wants_result = |found: &Match<'_>| {
            found.handler.event == Event::Exit
                && (found.handler.result.is_some() || mentions_result(found.handler))
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
        let has_exit = matches.iter().any(|found| found.handler.event == Event::Exit);
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
            let at_exit = found.handler.event == Event::Exit;
            let values = if at_exit { &kept } else { &arguments };
            let code = self.handler_code(&Occurrence {
                rule,
                vars,
                handler: found.handler,
                pattern: found.pattern,
                arguments: values.iter().copied().map(Some).collect(),
                result: result.filter(|_| at_exit),
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
        self.insert_before(edge, &before);
        self.insert_after(edge, &after);
        Ok(())
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

    /// Events of the entry function, the end of the program, and what holds of the watched object from the start.
    fn weave_entry(&mut self, rule: &Rule, vars: &RuleVars) -> Result<(), TextError> {
        let entry = self.entry;
        let name = self.program.functions[entry].name.clone();
        let params = self.program.functions[entry].params.clone();
        let mut at_entry = Vec::new();
        if let Some(watch) = &rule.watch
            && let Some(condition) = &watch.condition
        {
            let nowhere = Occurrence {
                rule,
                vars,
                handler: &rule.handlers[0],
                pattern: None,
                arguments: Vec::new(),
                result: None,
            };
            at_entry.push(Code::Assume(self.value(&nowhere, condition)?));
        }
        let looks_at_end = rule.handlers.iter().any(|handler| handler.event == Event::End);
        // Where the program calls its own entry function, only the outermost return is the end.
        let depth = (looks_at_end && self.sites.iter().any(|site| site.targets.contains(&entry)))
            .then(|| self.new_global(rule, "depth", IntKind::Int));
        if let Some(depth) = depth {
            at_entry.push(self.add_to(depth, 1));
        }
        for handler in rule
            .handlers
            .iter()
            .filter(|handler| handler.event == Event::Entry)
        {
            for pattern in handler.patterns.iter().filter(|pattern| pattern.function == name) {
                check_arity(rule, pattern, params.len())?;
                let arguments = params.iter().map(|&param| Some(self.program.read_var(param)));
                let occurrence = Occurrence {
                    rule,
                    vars,
                    handler,
                    pattern: Some(pattern),
                    arguments: arguments.collect(),
                    result: None,
                };
                at_entry.extend(self.handler_code(&occurrence)?);
            }
        }
        for edge in self.returns(entry) {
            let EdgeKind::Return { value } = self.program.edges[edge].kind else {
                unreachable!("a return is a return edge")
            };
            let mut code = Vec::new();
            for handler in rule
                .handlers
                .iter()
                .filter(|handler| handler.event == Event::Exit)
            {
                for pattern in handler.patterns.iter().filter(|pattern| pattern.function == name) {
                    check_arity(rule, pattern, params.len())?;
                    code.extend(self.handler_code(&Occurrence {
                        rule,
                        vars,
                        handler,
                        pattern: Some(pattern),
                        arguments: vec![None; params.len()],
                        result: value,
                    })?);
                }
            }
            let mut at_end = Vec::new();
            for handler in rule.handlers.iter().filter(|handler| handler.event == Event::End) {
                at_end.extend(self.handler_code(&Occurrence {
                    rule,
                    vars,
                    handler,
                    pattern: None,
                    arguments: Vec::new(),
                    result: None,
                })?);
            }
            match depth {
                Some(depth) => {
                    code.push(self.add_to(depth, -1));
                    let open = self.program.read_var(depth);
                    code.push(Code::If {
                        condition: open,
                        then: Vec::new(),
                        otherwise: at_end,
                    });
                }
                None => code.extend(at_end),
            }
            self.insert_before(edge, &code);
        }
        self.insert_at_entry(entry, &at_entry);
        Ok(())
    }

    fn returns(&self, function: FuncId) -> Vec<EdgeId> {
        let body = self.program.functions[function].body.as_ref();
        let exit = body.expect("the entry function has a body").exit;
        self.program.locs[exit].incoming.clone()
    }

    /// `var = var + amount`.
    fn add_to(&mut self, var: VarId, amount: i128) -> Code {
        let place = self.program.var_place(var);
        let ty = self.program.vars[var].ty;
        let before = self.program.read(place);
        let amount = self.program.int(amount, ty);
        let value = self.program.binary(program::BinaryOp::Add, before, amount, ty);
        Code::Assign { place, value }
    }

    fn rule_vars(&mut self, rule: &Rule, matches: &[Match<'_>]) -> RuleVars {
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
            let value = self
                .program
                .int(initial_value(rule, &state.ty, &state.initial), ty);
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

    /// A type that holds whatever the watched object is compared with: `void *` if those are pointers, as most are.
    fn watched_type(&mut self, name: &str, matches: &[Match<'_>]) -> TypeId {
        let is_watched = |argument: &Argument| matches!(argument, Argument::Name(known, _) if known == name);
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
        match pointers {
            0 if compared.is_empty() => {}
            0 if compared.iter().any(is_wide) => return types.int(IntKind::LongLong),
            0 => return types.int(IntKind::Int),
            _ if pointers < compared.len() => return types.int(IntKind::ULongLong),
            _ => {}
        }
        let void = types.void();
        types.pointer(void)
    }

    fn new_global(&mut self, rule: &Rule, name: &str, kind: IntKind) -> VarId {
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

fn check_arity(rule: &Rule, pattern: &Pattern, count: usize) -> Result<(), TextError> {
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
    if found.handler.event != Event::Exit {
        return false;
    }
    let named = found.pattern.and_then(|pattern| pattern.arguments.get(position));
    named.is_some_and(|argument| !matches!(argument, Argument::Any))
        || found.handler.mentions(
            &|expr| matches!(expr, crate::rule::ExprKind::Argument(number) if *number == position + 1),
        )
}

fn mentions_result(handler: &Handler) -> bool {
    handler.mentions(&|expr| matches!(expr, crate::rule::ExprKind::Result))
}
