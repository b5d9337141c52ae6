//! The same question to a solver, asked the other way round: the state is taken forwards through what the edge does, where
//! the abstraction takes predicates backwards.

use std::rc::Rc;

use abstraction::{Constraint, EdgePart, Name, Part, PredId, Predicates};
use logic::{Symbol, Term};
use program::{CallGraph, EdgeId, FuncId};
use semantics::{Effect, Semantics, State, Step, Storage};
use solver::{Answer, Solver, Want};

pub struct Entailment<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub solver: &'a mut dyn Solver,
    pub calls: &'a CallGraph,
    pub predicates: &'a Predicates,
}

/// Whether a constraint cuts off something that can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    Nothing,
    Something,
    Unknown,
}

/// The states between which a part of an edge leads.
struct Between {
    /// Where the caller's own predicates have their values before.
    caller: State,
    /// Where all other predicates have theirs, and those that were returned.
    before: State,
    after: State,
}

impl Entailment<'_, '_> {
    /// Whether a transition that the constraint forbids is one that the program can take.
    pub fn transition(&mut self, place: EdgePart, constraint: &Constraint) -> Cut {
        let between = self.between(place);
        let program = self.semantics.program;
        let caller = program.locs[program.edges[place.edge].from].function;
        let mut formulas = between.after.conditions.clone();
        for &(name, value) in &constraint.before {
            let state = match name {
                Name::Predicate(id) if self.predicates.get(id).scope == Some(caller) => &between.caller,
                _ => &between.before,
            };
            formulas.push(self.literal(state, name, value));
        }
        for &(name, value) in &constraint.after {
            formulas.push(self.literal(&between.after, name, value));
        }
        self.possible(formulas)
    }

    /// Whether a combination of predicates that is enforced not to be can be.
    pub fn state(&mut self, literals: &[(PredId, bool)]) -> Cut {
        let now = State::new();
        let formulas = literals
            .iter()
            .map(|&(id, value)| self.literal(&now, Name::Predicate(id), value))
            .collect();
        self.possible(formulas)
    }

    fn literal(&mut self, state: &State, name: Name, value: bool) -> Term {
        let (Name::Predicate(id) | Name::Returned(id)) = name;
        let term = state.evaluate(self.semantics, self.predicates.get(id).term);
        if value {
            term
        } else {
            self.semantics.terms.not(term)
        }
    }

    fn possible(&mut self, mut formulas: Vec<Term>) -> Cut {
        let facts = self.semantics.address_facts(&formulas);
        formulas.extend(facts);
        match self
            .solver
            .check(&mut self.semantics.terms, &formulas, Want::Verdict)
        {
            Answer::Unsat(_) => Cut::Nothing,
            Answer::Sat(_) => Cut::Something,
            Answer::Unknown(_) => Cut::Unknown,
        }
    }

    fn between(&mut self, place: EdgePart) -> Between {
        let start = State::new();
        let has_body = |callee: FuncId| self.semantics.program.functions[callee].body.is_some();
        let part = match place.part {
            Part::Chosen(callee) if !has_body(callee) => Part::Outside(callee),
            part => part,
        };
        match part {
            Part::Condition | Part::Change | Part::Elsewhere | Part::Outside(_) => {
                let call = place.edge;
                let step = match part {
                    Part::Elsewhere => Step::Elsewhere(call),
                    Part::Outside(callee) => Step::Outside { call, callee },
                    _ => Step::Edge(call),
                };
                let effect = self.effect(step);
                let mut after = start.clone();
                after.step(self.semantics, &effect);
                Between {
                    caller: start.clone(),
                    before: start,
                    after,
                }
            }
            Part::Chosen(callee) | Part::Arguments(callee) => Between {
                caller: start.clone(),
                before: start,
                after: self.entered(place.edge, callee),
            },
            Part::Returned(callee) | Part::AfterCall(callee) => self.around(place.edge, callee),
        }
    }

    fn effect(&mut self, step: Step) -> Rc<Effect> {
        self.semantics
            .effect_anew(step)
            .expect("a constrained edge is supported")
    }

    /// The state in which the callee begins.
    fn entered(&mut self, call: EdgeId, callee: FuncId) -> State {
        let effect = self.effect(Step::Enter { call, callee });
        let mut state = State::new();
        state.step(self.semantics, &effect);
        let symbols: Vec<Symbol> = self.mentioned();
        for symbol in symbols {
            if let Some(Storage::AtEntry(of, inner)) = self.semantics.storage_of(symbol)
                && of == callee
            {
                let inner = self.semantics.terms.symbol_term(inner);
                let value = state.evaluate(self.semantics, inner);
                state.set(symbol, value);
            }
        }
        state
    }

    /// The states before and after the caller draws its conclusions, whatever the callee did to what it may change.
    fn around(&mut self, call: EdgeId, callee: FuncId) -> Between {
        let program = self.semantics.program;
        let caller = program.locs[program.edges[call].from].function;
        let entered = self.entered(call, callee);
        // The caller's own storage is as before, also where the callee is the same function.
        let own: Vec<Symbol> = self.own_storage(caller);
        let mut in_caller = entered.clone();
        for &symbol in &own {
            let value = self.semantics.terms.symbol_term(symbol);
            in_caller.set(symbol, value);
        }
        let mut exit = entered;
        for symbol in self.changed(callee) {
            let value = self.anything(symbol);
            exit.set(symbol, value);
        }
        let result = self.semantics.symbol(Storage::Result(callee, 0));
        let mut after = exit.clone();
        for &symbol in own.iter().filter(|&&symbol| symbol != result) {
            let value = self.semantics.terms.symbol_term(symbol);
            after.set(symbol, value);
        }
        let effect = self.effect(Step::Leave { call, callee });
        after.step(self.semantics, &effect);
        if caller == callee {
            let value = self.semantics.terms.symbol_term(result);
            after.set(result, value);
        }
        Between {
            caller: in_caller,
            before: exit,
            after,
        }
    }

    /// The symbols of all predicates.
    fn mentioned(&self) -> Vec<Symbol> {
        let terms: Vec<Term> = self
            .predicates
            .iter()
            .map(|(_, predicate)| predicate.term)
            .collect();
        self.semantics.terms.free_symbols(&terms).into_iter().collect()
    }

    /// What belongs to an activation of a function: variables, result so far, values at entry.
    fn own_storage(&mut self, function: FuncId) -> Vec<Symbol> {
        let mut own = self.mentioned();
        for effect in self.effects(function) {
            let values = effect.updates.iter().map(|&(_, value)| value);
            let read: Vec<Term> = values.chain([effect.guard]).collect();
            own.extend(self.semantics.terms.free_symbols(&read));
            own.extend(effect.updates.iter().map(|&(symbol, _)| symbol));
        }
        own.retain(|&symbol| self.is_in_frame(symbol, function));
        own.push(self.semantics.symbol(Storage::Result(function, 0)));
        let at_entry = self.mentioned().into_iter().filter(|&symbol| {
            matches!(self.semantics.storage_of(symbol), Some(Storage::AtEntry(of, _)) if of == function)
        });
        own.extend(at_entry);
        own
    }

    /// What the edges of a function do, calls by what they return.
    fn effects(&mut self, function: FuncId) -> Vec<Rc<Effect>> {
        let program = self.semantics.program;
        let body = program.functions[function].body.as_ref().expect("it was called");
        let mut effects = Vec::new();
        for &edge in body.locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
            for way in self.semantics.ways(edge) {
                effects.extend(self.semantics.effect(way.leave().unwrap_or(way)));
            }
        }
        effects
    }

    /// Whether a symbol is a variable of the function.
    fn is_in_frame(&self, symbol: Symbol, function: FuncId) -> bool {
        let vars = &self.semantics.program.vars;
        matches!(self.semantics.storage_of(symbol), Some(Storage::Variable(var, _)) if vars[var].function == Some(function))
    }

    /// What may be different when a function returns: what it and the functions it calls may change, its result, and
    /// those of its variables that it assigns.
    fn changed(&mut self, function: FuncId) -> Vec<Symbol> {
        let all = semantics::modified(self.semantics, self.calls);
        let mut changed: Vec<Symbol> = all[function].iter().copied().collect();
        changed.push(self.semantics.symbol(Storage::Result(function, 0)));
        for effect in self.effects(function) {
            let updated = effect.updates.iter().map(|&(symbol, _)| symbol);
            changed.extend(updated.filter(|&symbol| self.is_in_frame(symbol, function)));
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    fn anything(&mut self, symbol: Symbol) -> Term {
        let terms = &mut self.semantics.terms;
        let name = format!("{}@after", terms.symbol_name(symbol));
        let (sort, info) = (terms.symbol_sort(symbol), terms.symbol_info(symbol).clone());
        terms.var(&name, sort, info)
    }
}
