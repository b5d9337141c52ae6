//! The check of the claim that the values of some variables tell states apart well enough: all states are visited.
//!
//! A state is a location of each open activation, and of every storage that is followed a value, a range of values, or nothing. Every step
//! is taken whose guard is not false with what is known; what it writes is known as far as it can be computed from what is
//! known (`known.rs`). So each run is matched by states that know of it nothing that is not so: to forget a value, for whatever
//! reason, makes more possible and never less. The claim only says what is forgotten. Where objects lie is never known.

mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use budget::Budget;
use logic::{Sort, Symbol};
use program::{EdgeId, FuncId, LocId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Effect, Semantics, Step, Storage, owner};
use verdict::{Enumerated, Reason, Task};

use known::{Computation, Known, Said};

/// Calls are followed so deep: each state has all activations that are open.
const DEEPEST: usize = 1000;

/// What was visited.
pub(crate) struct Visited {
    /// At the start, and where the claim says what is remembered.
    pub states: u64,
    /// Locations that a run may come to.
    pub seen: BTreeSet<LocId>,
    /// Where it relies on that a run ends where its behaviour is undefined.
    pub relied_on: BTreeSet<EdgeId>,
}

/// What is known, by symbol.
type Values = BTreeMap<Symbol, Known>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    loc: LocId,
    /// Most steps change nothing of it: states share what they know.
    outer: Rc<Values>,
    /// The open activations, the innermost last, with the calls that began them.
    activations: Vec<(FuncId, Option<EdgeId>, Rc<Values>)>,
}

/// A step's effect, ready to be computed.
struct Prepared {
    guard: Computation,
    defined: Vec<Computation>,
    /// Of storage that is followed.
    updates: Vec<(Symbol, Computation)>,
    /// What the guard says of storage that is followed.
    said: Vec<Said>,
}

struct Visitor<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    task: &'a Task<'a>,
    claim: &'a Enumerated,
    budget: &'a Budget,
    errors: BTreeSet<EdgeId>,
    prepared: FxHashMap<Step, Rc<Prepared>>,
    visited: Visited,
}

/// A way between states that are remembered: how often ways parted more than they met.
struct Way {
    state: State,
    parted: u32,
}

/// Visits all states.
pub(crate) fn check_enumerated(
    semantics: &mut Semantics<'_>,
    task: &Task<'_>,
    claim: &Enumerated,
    budget: &Budget,
) -> Result<Visited, Reason> {
    let mut visitor = Visitor {
        semantics,
        task,
        claim,
        budget,
        errors: task.errors.iter().copied().collect(),
        prepared: FxHashMap::default(),
        visited: Visited {
            states: 0,
            seen: BTreeSet::new(),
            relied_on: BTreeSet::new(),
        },
    };
    visitor.visit_all()?;
    Ok(visitor.visited)
}

impl Visitor<'_, '_> {
    fn visit_all(&mut self) -> Result<(), Reason> {
        let first = self.first();
        let mut known: FxHashSet<State> = FxHashSet::default();
        known.insert(first.clone());
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            self.visited.states += 1;
            for arrived in self.next(state)? {
                if !known.contains(&arrived) {
                    known.insert(arrived.clone());
                    open.push(arrived);
                }
            }
        }
        Ok(())
    }

    fn first(&mut self) -> State {
        let entry = self.task.entry;
        let mut state = State {
            loc: entry_of(self.semantics.program, entry),
            outer: Rc::default(),
            activations: vec![(entry, None, Rc::default())],
        };
        if let Ok(initial) = self.semantics.initial() {
            let prepared = self.prepare(&initial);
            let values = self.updated(&state, &prepared);
            self.set(&mut state, values);
        }
        state
    }

    /// The states that are remembered next on all ways from one.
    fn next(&mut self, state: State) -> Result<Vec<State>, Reason> {
        let mut arrived = Vec::new();
        let mut met: FxHashSet<State> = FxHashSet::default();
        let mut open = vec![Way { state, parted: 0 }];
        while let Some(way) = open.pop() {
            self.budget.check()?;
            self.visited.seen.insert(way.state.loc);
            let ways = self.steps(&way.state)?;
            let parted = way.parted + u32::from(ways.len() > 1);
            for mut state in ways {
                let loc = state.loc;
                if let Some(remembered) = self.claim.at_heads.get(&loc) {
                    self.forget(&mut state, remembered);
                    self.widen(&mut state);
                    arrived.push(state);
                    continue;
                }
                let mut parted = parted;
                if parted > 0 && self.semantics.program.locs[loc].incoming.len() > 1 {
                    if !met.insert(state.clone()) {
                        continue;
                    }
                    parted -= 1;
                }
                open.push(Way { state, parted });
            }
        }
        Ok(arrived)
    }

    /// The states after one step.
    fn steps(&mut self, state: &State) -> Result<Vec<State>, Reason> {
        let program = self.semantics.program;
        let &(function, call, _) = innermost(state);
        let body = program.functions[function].body.as_ref();
        if body.is_some_and(|body| body.exit == state.loc) {
            return match call {
                Some(call) => Ok(vec![self.left(state, call, function)?]),
                // The run ends.
                None => Ok(Vec::new()),
            };
        }
        let mut after = Vec::new();
        for &edge in &program.locs[state.loc].outgoing {
            if self.errors.contains(&edge) {
                return Err(wrong(program, "the error is not excluded", edge));
            }
            for step in self.semantics.ways(edge) {
                after.extend(self.taken(state, step)?);
            }
        }
        Ok(after)
    }

    /// The state after a step that does not end an activation; none if it cannot be taken.
    fn taken(&mut self, state: &State, step: Step) -> Result<Option<State>, Reason> {
        let edge = step.edge();
        let prepared = self.effect(step)?;
        if self.is_false(state, &prepared.guard) {
            return Ok(None);
        }
        if let Step::Elsewhere(_) = step {
            return Err(Reason::Unsupported {
                what: "a call through a pointer that may lead to a function that is not known".to_owned(),
                at: Some(edge),
            });
        }
        let mut defined = prepared.defined.iter();
        if defined.any(|condition| self.is_false(state, condition)) {
            if !self.claim.assumed_defined.contains(&edge) {
                let what = "a run may go on after undefined behaviour";
                return Err(wrong(self.semantics.program, what, edge));
            }
            self.visited.relied_on.insert(edge);
            return Ok(None);
        }
        let mut after = state.clone();
        for said in &prepared.said {
            let known = said.added(self.known(&after, said.symbol));
            self.set(&mut after, vec![(said.symbol, known)]);
        }
        let values = self.updated(&after, &prepared);
        match step {
            Step::Enter { call, callee } => {
                if after.activations.len() >= DEEPEST {
                    return Err(Reason::NotConfirmed(
                        "the proof cannot be checked: calls may be nested too deeply".to_owned(),
                    ));
                }
                if let Some(remembered) = self.claim.after_calls.get(&call) {
                    self.forget(&mut after, remembered);
                }
                after.activations.push((callee, Some(call), Rc::default()));
                after.loc = entry_of(self.semantics.program, callee);
            }
            _ => after.loc = self.semantics.program.edges[edge].to,
        }
        self.set(&mut after, values);
        Ok(Some(after))
    }

    /// The state after the innermost activation, which a call began, has ended.
    fn left(&mut self, state: &State, call: EdgeId, callee: FuncId) -> Result<State, Reason> {
        let prepared = self.effect(Step::Leave { call, callee })?;
        let mut after = state.clone();
        after.activations.pop();
        let values = self.updated(&after, &prepared);
        self.set(&mut after, values);
        after.loc = self.semantics.program.edges[call].to;
        // What was returned is where it belongs.
        let semantics = &*self.semantics;
        Rc::make_mut(&mut after.outer)
            .retain(|&symbol, _| !matches!(semantics.storage_of(symbol), Some(Storage::Result(..))));
        Ok(after)
    }

    fn effect(&mut self, step: Step) -> Result<Rc<Prepared>, Reason> {
        if let Some(known) = self.prepared.get(&step) {
            return Ok(Rc::clone(known));
        }
        let effect = self
            .semantics
            .effect(step)
            .map_err(|unsupported| Reason::Unsupported {
                what: unsupported.what,
                at: Some(step.edge()),
            })?;
        let prepared = Rc::new(self.prepare(&effect));
        self.prepared.insert(step, Rc::clone(&prepared));
        Ok(prepared)
    }

    fn prepare(&mut self, effect: &Effect) -> Prepared {
        let conjuncts = self.semantics.terms.conjuncts(effect.guard);
        let terms = &self.semantics.terms;
        let said = conjuncts
            .into_iter()
            .filter_map(|conjunct| Said::of(terms, conjunct));
        let followed = effect
            .updates
            .iter()
            .filter(|(symbol, _)| self.is_followed(*symbol));
        Prepared {
            guard: Computation::new(terms, effect.guard),
            defined: effect
                .defined
                .iter()
                .map(|&condition| Computation::new(terms, condition))
                .collect(),
            updates: followed
                .map(|&(symbol, value)| (symbol, Computation::new(terms, value)))
                .collect(),
            said: said.filter(|said| self.is_followed(said.symbol)).collect(),
        }
    }

    /// Whether the values of a storage are followed: those of the claim's variables, and what functions hand back.
    fn is_followed(&self, symbol: Symbol) -> bool {
        let is_scalar = !matches!(self.semantics.terms.symbol_sort(symbol), Sort::Array { .. });
        is_scalar
            && match self.semantics.storage_of(symbol) {
                Some(Storage::Variable(var, _)) => self.claim.followed.contains(&var),
                Some(Storage::Result(..)) => true,
                _ => false,
            }
    }

    /// What the innermost activation's values, or those that outlast it, say of a symbol.
    fn known(&self, state: &State, symbol: Symbol) -> Option<Known> {
        let values = match is_own(self.semantics, symbol) {
            true => &innermost(state).2,
            false => &state.outer,
        };
        values.get(&symbol).copied()
    }

    fn is_false(&self, state: &State, condition: &Computation) -> bool {
        let known = condition.known(|symbol| self.known(state, symbol));
        known.is_some_and(Known::is_false)
    }

    /// What a step writes, in the state before.
    fn updated(&self, state: &State, prepared: &Prepared) -> Vec<(Symbol, Option<Known>)> {
        let updates = prepared.updates.iter();
        updates
            .map(|(symbol, value)| (*symbol, value.known(|symbol| self.known(state, symbol))))
            .collect()
    }

    fn set(&self, state: &mut State, values: Vec<(Symbol, Option<Known>)>) {
        for (symbol, value) in values {
            let own = &mut state.activations.last_mut().expect("an activation is open").2;
            let values = match is_own(self.semantics, symbol) {
                true => own,
                false => &mut state.outer,
            };
            if values.get(&symbol).copied() == value {
                continue;
            }
            match value {
                Some(value) => Rc::make_mut(values).insert(symbol, value),
                None => Rc::make_mut(values).remove(&symbol),
            };
        }
    }

    /// Keeps of the innermost activation what these variables hold.
    fn forget(&self, state: &mut State, remembered: &BTreeSet<VarId>) {
        let semantics = &*self.semantics;
        let own = &mut state.activations.last_mut().expect("an activation is open").2;
        Rc::make_mut(own).retain(|&symbol, _| match semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => remembered.contains(&var),
            _ => false,
        });
    }

    /// Keeps of what is known only by its bounds, and of values that the claim does not tell apart, what the claim's ranges say.
    fn widen(&self, state: &mut State) {
        let own = state.activations.iter_mut().map(|(_, _, own)| own);
        for values in std::iter::once(&mut state.outer).chain(own) {
            Rc::make_mut(values).retain(|&symbol, known| {
                let var = match self.semantics.storage_of(symbol) {
                    Some(Storage::Variable(var, _)) => Some(var),
                    _ => None,
                };
                let is_exact = var.is_none_or(|var| self.claim.exact.contains(&var));
                if is_exact && known.value().is_some() {
                    return true;
                }
                let starts = var.and_then(|var| self.claim.starts.get(&var));
                let widened = known.widened(starts.into_iter().flatten().copied());
                *known = widened.unwrap_or(*known);
                widened.is_some()
            });
        }
    }
}

fn innermost(state: &State) -> &(FuncId, Option<EdgeId>, Rc<Values>) {
    state.activations.last().expect("an activation is open")
}

/// Whether each activation has such storage of its own.
fn is_own(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    matches!(semantics.storage_of(symbol), Some(Storage::Variable(..))) && owner(semantics, symbol).is_some()
}

fn entry_of(program: &Program, function: FuncId) -> LocId {
    let body = program.functions[function].body.as_ref();
    body.expect("a function that is entered has a body").entry
}

fn wrong(program: &Program, how: &str, edge: EdgeId) -> Reason {
    let place = program.edges[edge]
        .span
        .map(|span| program.sources.describe_line(&span));
    let at = place.map_or(String::new(), |place| format!(" at {place}"));
    Reason::Internal(format!("the proof does not hold: {how}{at}"))
}
