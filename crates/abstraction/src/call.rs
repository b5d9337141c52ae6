//! Calls, in three parts: the callee's predicates over parameters are computed from the caller's; the call returns the
//! values of predicates that outlive it; and what the caller knows about things that may have changed is computed anew
//! from both.

use boolean_program::{Expr, Statement, StatementKind};
use logic::{Substitution, Symbol, Term};
use program::{EdgeId, EdgeKind, FuncId, VarKind, unassigned_parameters};
use semantics::{Storage, owner};

use crate::constraints::{self, Literal, Name, Part, Place, Transition};
use crate::origin::Origin;
use crate::predicates::PredId;
use crate::translate::{Stop, Target, Translator, conjunction};

impl Translator<'_, '_> {
    /// Predicates of a function over its parameters and globals alone: the caller can tell their values.
    pub(crate) fn formal_predicates(&self, function: FuncId) -> Vec<PredId> {
        self.local_predicates(function, |translator, symbol| {
            translator.is_parameter(symbol, function) || translator.is_entry_value(symbol)
        })
    }

    /// Predicates of a function that tell its caller something new: over its result or globals, and parameters that keep
    /// the value they were given. What is said of parameters alone, the caller has said itself.
    pub(crate) fn returned_predicates(&self, function: FuncId) -> Vec<PredId> {
        let kept = unassigned_parameters(self.semantics.program, function);
        let mut returned = self.local_predicates(function, |translator, symbol| {
            match translator.semantics.storage_of(symbol) {
                Some(Storage::Result(..) | Storage::AtEntry(..)) => true,
                Some(Storage::Variable(var, _)) => kept.contains(&var),
                _ => false,
            }
        });
        returned.retain(|&id| {
            let symbols = &self.input.predicates.get(id).symbols;
            symbols.iter().any(|&symbol| {
                !self.is_parameter(symbol, function)
                    && !self.is_address(symbol)
                    && !self.is_entry_value(symbol)
            })
        });
        returned
    }

    fn is_entry_value(&self, symbol: Symbol) -> bool {
        matches!(self.semantics.storage_of(symbol), Some(Storage::AtEntry(..)))
    }

    /// The values that a term's symbols for values at the function's entry have when it is entered, in terms of the
    /// state of its caller, given what the call sets.
    pub(crate) fn entry_values(
        &self,
        term: Term,
        function: FuncId,
        given: &[(Symbol, Term)],
    ) -> Vec<(Symbol, Term)> {
        let symbols = self.semantics.terms.free_symbols(&[term]).into_iter();
        let values = symbols.filter_map(|symbol| match self.semantics.storage_of(symbol) {
            Some(Storage::AtEntry(of, inner)) if of == function => {
                let set = given.iter().find(|(set, _)| *set == inner);
                let value = set.map_or_else(|| self.semantics.terms.symbol_term(inner), |&(_, value)| value);
                Some((symbol, value))
            }
            _ => None,
        });
        values.collect()
    }

    fn is_address(&self, symbol: Symbol) -> bool {
        matches!(self.semantics.storage_of(symbol), Some(Storage::Address(_)))
    }

    fn local_predicates(&self, function: FuncId, allowed: impl Fn(&Self, Symbol) -> bool) -> Vec<PredId> {
        let fits = |id: &PredId| {
            let symbols = &self.input.predicates.get(*id).symbols;
            symbols
                .iter()
                .all(|&symbol| owner(self.semantics, symbol).is_none() || allowed(self, symbol))
        };
        self.input
            .predicates
            .with_scope(Some(function))
            .into_iter()
            .filter(fits)
            .collect()
    }

    fn is_parameter(&self, symbol: Symbol, function: FuncId) -> bool {
        match self.semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => {
                let data = &self.semantics.program.vars[var];
                data.kind == VarKind::Param && data.function == Some(function)
            }
            _ => false,
        }
    }

    pub(crate) fn call(
        &mut self,
        caller: FuncId,
        edge: EdgeId,
        targets: &[FuncId],
    ) -> Result<Vec<Statement>, Stop> {
        let direct = matches!(
            self.semantics.program.edges[edge].kind,
            EdgeKind::Call {
                callee: program::Callee::Direct(_),
                ..
            }
        );
        if let [target] = targets
            && direct
        {
            return self.call_of(caller, edge, *target);
        }
        // One branch for each function that the pointer is known to lead to, and one for it to lead elsewhere.
        let after = format!("{edge}_done");
        let elsewhere = format!("{edge}_elsewhere");
        let mut labels: Vec<String> = targets.iter().map(|target| format!("{edge}_{target}")).collect();
        labels.push(elsewhere.clone());
        let mut block = vec![Statement::new(StatementKind::Goto(labels.clone()))];
        for (&target, label) in targets.iter().zip(labels) {
            let mut branch = self.call_of(caller, edge, target)?;
            branch[0].labels.push(label);
            block.append(&mut branch);
            block.push(Statement::new(StatementKind::Goto(vec![after.clone()])));
        }
        let guard = match self.semantics.elsewhere(edge, targets) {
            Ok(effect) => effect.guard,
            Err(_) => self.semantics.terms.bool(true),
        };
        let scope = self.scope_literals(caller);
        let place = Place {
            edge,
            part: Part::Elsewhere,
        };
        let condition = self.condition(place, &scope, guard)?;
        block.push(condition.labelled(elsewhere));
        block.push(self.target(edge, Target::Elsewhere(edge)));
        block.push(Statement::new(StatementKind::Skip).labelled(after));
        Ok(block)
    }

    /// A call of a function without a body through a pointer.
    fn call_outside(&mut self, caller: FuncId, edge: EdgeId, callee: FuncId) -> Result<Vec<Statement>, Stop> {
        match self.memo.outside(self.semantics, edge, callee) {
            Err(unsupported) => Ok(vec![
                self.target(edge, Target::Unsupported(edge, unsupported.what)),
            ]),
            Ok(effect) => {
                let scope = self.scope_literals(caller);
                let mut block = self.effect_statements(edge, Some(callee), &scope, &effect)?;
                let origin = Origin::Outside { call: edge, callee };
                self.mark(&mut block[0], edge, origin);
                Ok(block)
            }
        }
    }

    fn call_of(&mut self, caller: FuncId, edge: EdgeId, callee: FuncId) -> Result<Vec<Statement>, Stop> {
        if !self.procedures.contains_key(&callee) {
            return self.call_outside(caller, edge, callee);
        }
        let (enter, leave) = match self.memo.call(self.semantics, edge, callee) {
            Ok(effects) => effects,
            Err(unsupported) => {
                return Ok(vec![
                    self.target(edge, Target::Unsupported(edge, unsupported.what)),
                ]);
            }
        };
        let scope = self.scope_literals(caller);
        let mut block = Vec::new();
        if self.semantics.terms.as_bool(enter.guard) != Some(true) {
            let place = Place {
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
        let (in_memory, given): (Vec<_>, Vec<_>) = enter
            .updates
            .iter()
            .copied()
            .partition(|&(symbol, _)| owner(self.semantics, symbol).is_none());
        let mut arguments = Vec::new();
        let mut passed = Vec::new();
        for &id in &formals {
            let term = self.input.predicates.get(id).term;
            let entered = self.entry_values(term, callee, &enter.updates);
            let updates = given.iter().chain(&in_memory).copied().chain(entered);
            let mut substitution = Substitution::of_symbols(&self.semantics.terms, updates);
            let in_caller = substitution.apply(&mut self.semantics.terms, term);
            arguments.push(self.choice(&scope, in_caller)?);
            passed.push(Literal {
                name: Name::Predicate(id),
                value: self.variables[id.index()],
                term: in_caller,
            });
        }
        // Where parameters that live in memory are stored first, the other arguments speak of the state before that;
        // and where something is known about combinations of arguments, they are chosen together.
        let place = Place {
            edge,
            part: Part::Arguments(callee),
        };
        let mut passing = None;
        if !in_memory.is_empty() || self.input.constraints.at(place).next().is_some() {
            let caller_procedure = self.procedures[&caller].id;
            for (index, literal) in passed.iter_mut().enumerate() {
                let name = format!(
                    "a{}_{}_{index}",
                    program::Id::index(edge),
                    program::Id::index(callee)
                );
                literal.value = self.program.add_local(caller_procedure, name);
            }
            let effect = semantics::Effect {
                guard: self.semantics.terms.bool(true),
                updates: in_memory,
                ..enter.clone()
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
                let statement = self.assignment(place, enter.guard, &scope, targets, values);
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
        self.mark(&mut call, edge, Origin::Edge(edge));
        if let Some(transition) = passing {
            self.origins.relate(&mut call, transition);
        }
        block.push(call);

        // Part three: what may have changed. Its old values get names of their own.
        let changed = self.memo.modified(self.semantics, self.input.calls)[callee].clone();
        let mut before: Vec<(Symbol, Term)> = Vec::new();
        // In a function that calls itself, the result so far is not the result of the call.
        let own: Vec<Term> = scope.iter().map(|literal| literal.term).collect();
        let own_result: Vec<Symbol> = self
            .semantics
            .terms
            .free_symbols(&own)
            .into_iter()
            .filter(|&symbol| {
                matches!(self.semantics.storage_of(symbol), Some(Storage::Result(of, _)) if of == callee)
            })
            .collect();
        for symbol in changed.into_iter().chain(own_result.iter().copied()) {
            let (sort, info) = (
                self.semantics.terms.symbol_sort(symbol),
                self.semantics.terms.symbol_info(symbol).clone(),
            );
            let name = format!("{}@before", self.semantics.terms.symbol_name(symbol));
            let old = self.semantics.terms.symbol(&name, sort, info);
            before.push((symbol, self.semantics.terms.symbol_term(old)));
        }
        let mut to_before = Substitution::of_symbols(&self.semantics.terms, before.iter().copied());
        let mut known: Vec<Literal> = Vec::new();
        for literal in &scope {
            let is_global = self.input.predicates.iter().any(|(id, predicate)| {
                self.variables[id.index()] == literal.value && predicate.scope.is_none()
            });
            // Global predicates already have their values after the call; the caller's own, those from before it.
            let term = if is_global {
                literal.term
            } else {
                to_before.apply(&mut self.semantics.terms, literal.term)
            };
            known.push(Literal { term, ..*literal });
        }
        let arguments_before: Vec<(Symbol, Term)> = given
            .iter()
            .map(|&(symbol, value)| (symbol, to_before.apply(&mut self.semantics.terms, value)))
            .collect();
        for (&id, &temporary) in returned.iter().zip(&results) {
            let term = self.input.predicates.get(id).term;
            let mut pairs = arguments_before.clone();
            for (symbol, value) in self.entry_values(term, callee, &enter.updates) {
                pairs.push((symbol, to_before.apply(&mut self.semantics.terms, value)));
            }
            let mut substitution = Substitution::of_symbols(&self.semantics.terms, pairs);
            let term = substitution.apply(&mut self.semantics.terms, term);
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
        let kept_result = before
            .iter()
            .copied()
            .filter(|(symbol, _)| own_result.contains(symbol));
        let stored: Vec<(Symbol, Term)> = leave.updates.iter().copied().chain(kept_result).collect();
        let (mut changed, mut values) = (Vec::new(), Vec::new());
        for (literal, kept) in scope.iter().zip(known.clone()) {
            let mut substitution = Substitution::of_symbols(&self.semantics.terms, stored.iter().copied());
            let after = substitution.apply(&mut self.semantics.terms, literal.term);
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
            let place = Place {
                edge,
                part: Part::AfterCall(callee),
            };
            let guard = to_before.apply(&mut self.semantics.terms, enter.guard);
            let statement = self.assignment(place, guard, &known, changed, values);
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
        let place = Place {
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
