//! Calls, in three parts: the callee's predicates over parameters are computed from the caller's; the call returns the
//! values of predicates that outlive it; and what the caller knows about things that may have changed is computed anew
//! from both.

use boolean_program::{Expr, Statement, StatementKind};
use logic::Term;
use program::{EdgeId, FuncId, VarKind};
use semantics::{Call, Effect, Role, Step};
use verdict::Goal;

use crate::constraints::{self, EdgePart, Literal, Name, Part, Transition};
use crate::origin::Origin;
use crate::predicates::PredId;
use crate::translate::{Stop, Translator, conjunction};

impl Translator<'_, '_> {
    /// Predicates of a function over its parameters and globals alone: the caller can tell their values.
    pub(crate) fn formal_predicates(&self, function: FuncId) -> Vec<PredId> {
        let known = |symbol| match self.semantics.role(function, symbol) {
            Role::Own(var) => self.semantics.program.vars[var].kind == VarKind::Param,
            Role::Result | Role::Foreign => false,
            Role::AtEntry(_) | Role::Outer | Role::Constant => true,
        };
        let mut formals = self.input.predicates.with_scope(Some(function));
        formals.retain(|&id| self.input.predicates.get(id).symbols.iter().copied().all(known));
        formals
    }

    /// Predicates of a function that tell its caller something new: over its result or globals, and parameters that keep
    /// the value they were given. What is said of parameters alone tells which of several results there is (`b < a` of `max(a, b)`),
    /// unless every caller can say it itself.
    pub(crate) fn returned_predicates(&mut self, function: FuncId) -> Vec<PredId> {
        let predicates = self.input.predicates;
        let mut returned = predicates.with_scope(Some(function));
        returned.retain(|&id| self.semantics.is_returned(function, predicates.get(id).term));
        let is_new = |translator: &Self, id: PredId| {
            let mut symbols = predicates.get(id).symbols.iter();
            symbols.any(|&symbol| {
                let role = translator.semantics.role(function, symbol);
                matches!(role, Role::Result | Role::Outer)
            })
        };
        let tells_more = returned.iter().any(|&id| is_new(self, id));
        returned.retain(|&id| is_new(self, id) || tells_more && !self.callers_say(function, id));
        returned
    }

    /// Whether all calls of a function are made where its predicate over parameters is one of the caller's, or constant.
    fn callers_say(&mut self, function: FuncId, id: PredId) -> bool {
        let calls = self.input.task.calls;
        let term = self.input.predicates.get(id).term;
        let mut sites = calls
            .sites()
            .iter()
            .filter(|site| site.targets.contains(&function));
        sites.all(|site| {
            let Ok(meaning) = Call::new(self.semantics, site.edge, function) else {
                return true;
            };
            let in_caller = meaning.at_entry(self.semantics, term);
            let (atom, _) = self.semantics.terms.literal(in_caller);
            let caller = self.semantics.program.locs[self.semantics.program.edges[site.edge].from].function;
            let in_scope = |scope: Option<FuncId>| scope.is_none_or(|scope| scope == caller);
            self.semantics.terms.as_bool(atom).is_some()
                || (self.input.predicates.iter())
                    .any(|(_, predicate)| predicate.term == atom && in_scope(predicate.scope))
        })
    }

    /// A call through a pointer: one branch for each function that it is known to lead to, and one for it to lead elsewhere.
    pub(crate) fn call_through_pointer(
        &mut self,
        caller: FuncId,
        edge: EdgeId,
        ways: &[Step],
    ) -> Result<Vec<Statement>, Stop> {
        let after = format!("{edge}_done");
        let label = |way: &Step| match *way {
            Step::Enter { callee, .. } | Step::Outside { callee, .. } => format!("{edge}_{callee}"),
            _ => format!("{edge}_elsewhere"),
        };
        let labels: Vec<String> = ways.iter().map(label).collect();
        let mut block = vec![Statement::new(StatementKind::Goto(labels.clone()))];
        for (&way, label) in ways.iter().zip(labels) {
            let mut branch = match way {
                Step::Enter { callee, .. } => self.call(caller, edge, callee)?,
                Step::Outside { .. } => self.plain(caller, way)?,
                _ => self.call_elsewhere(caller, edge)?,
            };
            branch[0].labels.push(label);
            block.append(&mut branch);
            if !matches!(way, Step::Elsewhere(_)) {
                block.push(Statement::new(StatementKind::Goto(vec![after.clone()])));
            }
        }
        block.push(Statement::new(StatementKind::Skip).labelled(after));
        Ok(block)
    }

    /// That a call through a pointer leads elsewhere: the condition, and the target.
    fn call_elsewhere(&mut self, caller: FuncId, edge: EdgeId) -> Result<Vec<Statement>, Stop> {
        let guard = match self.semantics.effect(Step::Elsewhere(edge)) {
            Ok(effect) => effect.guard,
            Err(_) => self.semantics.terms.bool(true),
        };
        let scope = self.scope_literals(caller);
        let place = EdgePart {
            edge,
            part: Part::Elsewhere,
        };
        let condition = self.condition(place, &scope, guard)?;
        Ok(vec![condition, self.target(edge, Goal::Elsewhere(edge))])
    }

    /// A call of a function with a body.
    pub(crate) fn call(
        &mut self,
        caller: FuncId,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Vec<Statement>, Stop> {
        let meaning = match Call::new(self.semantics, edge, callee) {
            Ok(meaning) => meaning,
            Err(unsupported) => {
                return Ok(vec![self.target(edge, Goal::Unsupported(edge, unsupported.what))]);
            }
        };
        let enter = &meaning.enter;
        let scope = self.scope_literals(caller);
        let mut block = Vec::new();
        if self.semantics.terms.as_bool(enter.guard) != Some(true) {
            let place = EdgePart {
                edge,
                part: Part::Chosen(callee),
            };
            block.push(self.condition(place, &scope, enter.guard)?);
        }

        // Part one: the callee's predicates over its parameters, in terms of the arguments.
        let signature = &self.procedures[&callee];
        let (procedure, formals, returned) = (
            signature.id,
            signature.formals.clone(),
            signature.returned.clone(),
        );
        let in_memory = meaning.stored(self.semantics);
        let mut arguments = Vec::new();
        let mut passed = Vec::new();
        for &id in &formals {
            let term = self.input.predicates.get(id).term;
            let in_caller = meaning.at_entry(self.semantics, term);
            arguments.push(self.choice(&scope, in_caller)?);
            passed.push(Literal {
                name: Name::Predicate(id),
                value: self.variables[id.index()],
                term: in_caller,
            });
        }
        // Where parameters that live in memory are stored first, the other arguments speak of the state before that;
        // and where something is known about combinations of arguments, they are chosen together.
        let place = EdgePart {
            edge,
            part: Part::Arguments(callee),
        };
        let mut passing = None;
        let related = self.input.constraints.at(place).next().is_some()
            || self.together(enter.guard, &scope, &passed)?.is_some();
        if !in_memory.is_empty() || related {
            let caller_procedure = self.procedures[&caller].id;
            for (index, literal) in passed.iter_mut().enumerate() {
                let name = format!(
                    "a{}_{}_{index}",
                    program::Id::index(edge),
                    program::Id::index(callee)
                );
                literal.value = self.program.add_local(caller_procedure, name);
            }
            let effect = Effect {
                guard: self.semantics.terms.bool(true),
                updates: in_memory,
                ..Effect::clone(enter)
            };
            let (stored, mut values) = self.updates(&scope, &effect)?;
            let held = passed.iter().map(|literal| Expr::Var(literal.value));
            let held: Vec<_> = held.collect();
            values.append(&mut arguments);
            arguments = held;
            // A stored parameter's predicates and the callee's may be the same: the callee's come first.
            let mut targets = passed;
            let count = targets.len();
            targets.extend(stored);
            values.rotate_right(count);
            if !targets.is_empty() {
                let statement = self.assignment(place, enter.guard, &scope, targets, values)?;
                block.push(statement);
            }
        } else if !passed.is_empty() {
            passing = Some(Transition {
                place,
                guard: enter.guard,
                before: scope.clone(),
                after: passed,
            });
        }

        // Part two: the call; what it returns is held in temporaries of this call.
        let caller_procedure = self.procedures[&caller].id;
        let mut results = Vec::new();
        for &id in &returned {
            let name = format!(
                "t{}_{}_{}",
                program::Id::index(edge),
                program::Id::index(callee),
                id.0
            );
            let temporary = self.program.add_local(caller_procedure, name);
            results.push(temporary);
        }
        let mut call = Statement::new(StatementKind::Call {
            procedure,
            arguments,
            results: results.iter().map(|&result| Some(result)).collect(),
        });
        let enters = Step::Enter { call: edge, callee };
        self.mark(&mut call, edge, Origin::Step(enters));
        if let Some(transition) = passing {
            self.origins.relate(&mut call, transition);
        }
        block.push(call);

        // Part three: what may have changed.
        let may_change = self.memo.modified(self.semantics, self.input.task.calls)[callee].clone();
        let mut known: Vec<Literal> = Vec::new();
        for literal in &scope {
            let is_global = self.input.predicates.iter().any(|(id, predicate)| {
                self.variables[id.index()] == literal.value && predicate.scope.is_none()
            });
            // Global predicates already have their values after the call; the caller's own, those from before it.
            let term = if is_global {
                literal.term
            } else {
                meaning.before(self.semantics, &may_change, literal.term)
            };
            known.push(Literal { term, ..*literal });
        }
        for (&id, &temporary) in returned.iter().zip(&results) {
            let term = self.input.predicates.get(id).term;
            let term = meaning.at_exit(self.semantics, &may_change, term);
            known.push(Literal {
                name: Name::Returned(id),
                term,
                value: temporary,
            });
        }
        let returned = block.len();
        if !results.is_empty() {
            block.push(self.consistent(edge, callee, &known)?);
        }
        let (mut changed, mut values) = (Vec::new(), Vec::new());
        for (literal, kept) in scope.iter().zip(known.clone()) {
            let after = meaning.after(self.semantics, literal.term);
            if after == kept.term {
                continue;
            }
            values.push(self.choice(&known, after)?);
            changed.push(Literal {
                term: after,
                ..*literal
            });
        }
        if !changed.is_empty() {
            let place = EdgePart {
                edge,
                part: Part::AfterCall(callee),
            };
            let guard = meaning.before(self.semantics, &may_change, enter.guard);
            let statement = self.assignment(place, guard, &known, changed, values)?;
            block.push(statement);
            // Up to here, the globals were those after the call and the caller's own predicates those before it.
            for statement in &mut block[returned..] {
                statement.unenforced = true;
            }
        }
        if !results.is_empty() {
            block.push(Statement::new(StatementKind::Dead(results)));
        }
        Ok(block)
    }

    /// An assumption that what a call returned and what the caller and the globals know of the same things agree: the
    /// callee may know them by other names.
    fn consistent(&mut self, edge: EdgeId, callee: FuncId, known: &[Literal]) -> Result<Statement, Stop> {
        const LENGTH: usize = 2;
        let terms: Vec<Term> = known.iter().map(|literal| literal.term).collect();
        let cubes =
            self.memo
                .cubes
                .contradictions(self.semantics, self.solver, &terms, LENGTH, self.budget)?;
        let is_returned = |position: usize| matches!(known[position].name, Name::Returned(_));
        let mut parts: Vec<Expr> = cubes
            .into_iter()
            .filter(|cube| cube.iter().any(|&(position, _)| is_returned(position)))
            .map(|cube| Expr::negated(conjunction(known, cube)))
            .collect();
        let place = EdgePart {
            edge,
            part: Part::Returned(callee),
        };
        parts.extend(constraints::as_expr(self.input.constraints.at(place), known, &[]));
        let transition = Transition {
            place,
            guard: self.semantics.terms.bool(true),
            before: known.to_vec(),
            after: Vec::new(),
        };
        let mut statement = Statement::new(StatementKind::Assume(Expr::all(parts)));
        self.origins.relate(&mut statement, transition);
        Ok(statement)
    }
}
