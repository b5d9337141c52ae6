//! The abstraction of a path over predicates, as one formula.
//!
//! Every step has a state of its own, a copy of the storage. Steps are connected by the truth values of predicates and
//! nothing else: what a predicate says after one step it says before the next. The formula is satisfiable exactly if
//! the Boolean abstraction of the path (one bit a predicate, nothing lost between predicates) has a run.
//!
//! A step copies only the storage that it is about: predicates that have nothing to do with it, directly or by what they
//! share with others, say after it what they said before.
//!
//! A call returns what its predicates say about results, globals and entry values; the caller's own predicates are
//! those of the time of the call, over a state in which the callee was given its arguments.

use std::collections::BTreeSet;
use std::rc::Rc;

use logic::{Substitution, Symbol, Term};
use program::FuncId;
use rustc_hash::FxHashMap;
use semantics::{Effect, Path, Role, Semantics, Step, Storage, owner};
use symbolic_execution::{Activation, place_addresses};

use crate::components::Components;
use crate::simulate::Simulation;

/// A predicate to abstract over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate {
    pub term: Term,
    pub scope: Option<FuncId>,
}

/// What one predicate carries from one step to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The predicate's place in the list.
    pub predicate: usize,
    pub position: usize,
    pub term: Term,
}

pub(crate) struct AbstractPath {
    /// What the steps require, with the step.
    pub guards: Vec<(usize, Term)>,
    pub links: Vec<Link>,
}

/// The path up to and with step `last`.
pub(crate) fn abstract_path(
    semantics: &mut Semantics<'_>,
    simulation: &Simulation,
    path: &Path,
    last: usize,
    conditions: &BTreeSet<usize>,
    predicates: &[Predicate],
) -> AbstractPath {
    let terms = predicates.iter().map(|predicate| predicate.term);
    let components = Components::new(semantics, terms);
    let mut builder = Builder {
        semantics,
        simulation,
        path,
        predicates,
        components,
        calls: Vec::new(),
        symbols: FxHashMap::default(),
        copies: FxHashMap::default(),
        result: AbstractPath {
            guards: Vec::new(),
            links: Vec::new(),
        },
    };
    builder.build(last, conditions);
    builder.result
}

struct Builder<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    simulation: &'a Simulation,
    path: &'a Path,
    predicates: &'a [Predicate],
    components: Components,
    /// Of the calls that are open: what the predicates said before, and whether the call has nothing to do with them.
    calls: Vec<(Values, bool)>,
    /// The symbols of the terms that were seen in a view: the same terms are, at every step.
    symbols: FxHashMap<Term, Rc<[Symbol]>>,
    /// The copies of symbols, by the names of their copies.
    copies: FxHashMap<(Rc<str>, Symbol), Term>,
    result: AbstractPath,
}

/// The predicates' values after a step, as terms over its own copy of the state; `None` out of scope.
type Values = Vec<Option<Term>>;

/// Replacements for symbols; what is not replaced gets a copy.
struct View {
    replaced: FxHashMap<Symbol, Term>,
    /// The name of the copy of the frame of the function, and of everything else.
    frame: Rc<str>,
    rest: Rc<str>,
    /// Globals that are in the frame's copy.
    renamed: BTreeSet<Symbol>,
    function: FuncId,
    activation: Activation,
}

impl Builder<'_, '_> {
    fn build(&mut self, last: usize, conditions: &BTreeSet<usize>) {
        let kept = self.kept_steps(last, conditions);
        let mut values = self.start();
        for (index, &keep) in kept.iter().enumerate() {
            if !keep {
                continue;
            }
            let effect = &self.simulation.effects[index];
            let activations = &self.simulation.activations;
            values = match self.path.steps[index] {
                Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => {
                    let touched = self.components.touched(self.semantics, effect);
                    let view = self.plain_view(index, activations.at[index]);
                    self.connect(index, &values, &view, |predicate| touched[predicate]);
                    self.require(index, effect, &view);
                    let after = self.after(effect, &view, activations.at[index + 1]);
                    let both = after.into_iter().zip(values).zip(touched);
                    both.map(|((after, before), touched)| if touched { after } else { before })
                        .collect()
                }
                Step::Enter { callee, .. } => {
                    let apart = self.is_apart(index, callee);
                    self.calls.push((values.clone(), apart));
                    if apart {
                        self.without_locals(values)
                    } else {
                        let view = self.plain_view(index, activations.at[index]);
                        self.connect(index, &values, &view, |_| true);
                        self.require(index, effect, &view);
                        self.entered(index, effect, &view, callee)
                    }
                }
                Step::Leave { callee, .. } => {
                    let (before, apart) = self.calls.pop().expect("a call that is left was entered");
                    if apart {
                        self.with_locals(values, &before)
                    } else {
                        self.left(index, effect, &values, callee)
                    }
                }
            };
        }
    }

    /// Whether the predicates of caller and callee have nothing to do with a call: those of globals change inside it, no
    /// others do.
    fn is_apart(&self, enter: usize, callee: FuncId) -> bool {
        let simulation = self.simulation;
        let activations = &simulation.activations;
        let caller = activations.all[activations.at[enter]].function;
        let is_nothing = |effect: &Effect| {
            self.semantics.terms.as_bool(effect.guard) == Some(true)
                && effect
                    .updates
                    .iter()
                    .all(|(symbol, _)| !self.components.mention(*symbol))
        };
        if self
            .predicates
            .iter()
            .any(|predicate| predicate.scope == Some(callee))
            || !is_nothing(&simulation.effects[enter])
        {
            return false;
        }
        let leave = activations.entered_by.iter().rposition(|&by| by == Some(enter));
        let Some(leave) = leave else {
            return true;
        };
        let own: Vec<Term> = self
            .predicates
            .iter()
            .filter(|predicate| predicate.scope == Some(caller))
            .map(|predicate| predicate.term)
            .collect();
        let own = self.semantics.terms.free_symbols(&own);
        let mut changed = simulation.effects[enter..leave]
            .iter()
            .flat_map(|effect| &effect.updates);
        is_nothing(&simulation.effects[leave]) && !changed.any(|(symbol, _)| own.contains(symbol))
    }

    /// What predicates of globals say.
    fn without_locals(&self, values: Values) -> Values {
        let both = values.into_iter().zip(self.predicates);
        both.map(|(value, predicate)| value.filter(|_| predicate.scope.is_none()))
            .collect()
    }

    /// What predicates of globals say now, and others said before.
    fn with_locals(&self, values: Values, before: &Values) -> Values {
        let all = values.into_iter().zip(before).zip(self.predicates);
        all.map(
            |((now, before), predicate)| {
                if predicate.scope.is_none() { now } else { *before }
            },
        )
        .collect()
    }

    /// Steps that the formula is about: those that change what a predicate speaks of, the conditions, and the calls
    /// around them.
    fn kept_steps(&self, last: usize, conditions: &BTreeSet<usize>) -> Vec<bool> {
        let mut mentioned: BTreeSet<Symbol> = BTreeSet::new();
        let mut scopes: BTreeSet<FuncId> = BTreeSet::new();
        for predicate in self.predicates {
            scopes.extend(predicate.scope);
            for symbol in self.semantics.terms.free_symbols(&[predicate.term]) {
                mentioned.insert(symbol);
                if let Some(Storage::AtEntry(_, inner)) = self.semantics.storage_of(symbol) {
                    mentioned.insert(inner);
                }
            }
        }
        let mut kept: Vec<bool> = (0..=last)
            .map(|index| {
                let effect = &self.simulation.effects[index];
                conditions.contains(&index)
                    || effect.updates.iter().any(|(symbol, _)| mentioned.contains(symbol))
                    || matches!(self.path.steps[index], Step::Enter { callee, .. } if scopes.contains(&callee))
            })
            .collect();
        // A call is kept as a whole or not at all; one that is still open at the end is kept.
        let mut open: Vec<(usize, bool)> = Vec::new();
        for index in 0..=last {
            match self.path.steps[index] {
                Step::Enter { .. } => open.push((index, kept[index])),
                Step::Leave { .. } => {
                    let (enter, inside) = open.pop().expect("a well-formed path leaves what it entered");
                    let keep = inside || kept[index];
                    kept[enter] = keep;
                    kept[index] = keep;
                    if let Some((_, outer)) = open.last_mut() {
                        *outer |= keep;
                    }
                }
                Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => {
                    if let Some((_, inside)) = open.last_mut() {
                        *inside |= kept[index];
                    }
                }
            }
        }
        for (enter, _) in open {
            kept[enter] = true;
        }
        kept
    }

    fn plain_view(&self, index: usize, activation: usize) -> View {
        let activation = self.simulation.activations.all[activation];
        View {
            replaced: FxHashMap::default(),
            frame: index.to_string().into(),
            rest: index.to_string().into(),
            renamed: BTreeSet::new(),
            function: activation.function,
            activation,
        }
    }

    /// The predicates' values when the program has started.
    fn start(&mut self) -> Values {
        let mut view = self.plain_view(0, 0);
        view.frame = "start".into();
        view.rest = "start".into();
        self.set_start(&mut view);
        self.set_entry_values(&mut view);
        self.values(&view)
    }

    /// Replaces what the program's start updates: memories by what they were when the path was simulated, since static data may
    /// be much.
    fn set_start(&mut self, view: &mut View) {
        let simulation = self.simulation;
        let starts = simulation.definitions.iter().filter(|definition| {
            definition.born == 0 && definition.value.is_some() && definition.activation.is_none()
        });
        let known: FxHashMap<Symbol, Term> = starts.map(|start| (start.symbol, start.exact)).collect();
        let mut new = Vec::with_capacity(simulation.start.updates.len());
        for &(symbol, value) in &simulation.start.updates {
            let is_memory = matches!(self.semantics.storage_of(symbol), Some(Storage::Memory(_)));
            let value = match known.get(&symbol) {
                Some(&exact) if is_memory => exact,
                _ => self.see(view, value),
            };
            new.push((symbol, value));
        }
        view.replaced.extend(new);
    }

    /// Replaces what an effect updates by its new values, themselves seen in the view.
    fn set_updates(&mut self, effect: &Effect, view: &mut View) {
        let mut new = Vec::with_capacity(effect.updates.len());
        for &(symbol, value) in &effect.updates {
            new.push((symbol, self.see(view, value)));
        }
        view.replaced.extend(new);
    }

    /// Entry values of the view's function are what their storage holds in the view.
    fn set_entry_values(&mut self, view: &mut View) {
        for (symbol, value) in self.semantics.entry_values(view.function, &self.terms(), &[]) {
            let value = self.see(view, value);
            view.replaced.insert(symbol, value);
        }
    }

    fn terms(&self) -> Vec<Term> {
        self.predicates.iter().map(|predicate| predicate.term).collect()
    }

    /// A term in a view of the state.
    fn see(&mut self, view: &View, term: Term) -> Term {
        let mut pairs = Vec::new();
        for &symbol in self.symbols_of(term).iter() {
            if let Some(&value) = view.replaced.get(&symbol) {
                pairs.push((symbol, value));
                continue;
            }
            let framed = match self.semantics.role(view.function, symbol) {
                // A step's own unknown is in no other step.
                Role::Constant => continue,
                Role::Own(_) | Role::AtEntry(_) => true,
                Role::Outer => view.renamed.contains(&symbol),
                Role::Result | Role::Foreign => false,
            };
            let copy = if framed { &view.frame } else { &view.rest };
            pairs.push((symbol, self.copy_of(copy, symbol)));
        }
        // Addresses first: what replaces a symbol may come from another activation and is placed already.
        let term = place_addresses(self.semantics, &view.activation, term);
        Substitution::of_symbols(&self.semantics.terms, pairs).apply(&mut self.semantics.terms, term)
    }

    fn symbols_of(&mut self, term: Term) -> Rc<[Symbol]> {
        let terms = &self.semantics.terms;
        let symbols = self.symbols.entry(term);
        Rc::clone(symbols.or_insert_with(|| terms.free_symbols(&[term]).into_iter().collect()))
    }

    fn copy_of(&mut self, copy: &Rc<str>, symbol: Symbol) -> Term {
        let terms = &mut self.semantics.terms;
        *self.copies.entry((Rc::clone(copy), symbol)).or_insert_with(|| {
            let name = format!("{}@{copy}", terms.symbol_name(symbol));
            let sort = terms.symbol_sort(symbol);
            let info = terms.symbol_info(symbol).clone();
            terms.var(&name, sort, info)
        })
    }

    fn in_scope(&self, predicate: Predicate, function: FuncId) -> bool {
        predicate.scope.is_none_or(|scope| scope == function)
    }

    /// The values of all predicates in scope, in a view.
    fn values(&mut self, view: &View) -> Values {
        (0..self.predicates.len())
            .map(|index| {
                let predicate = self.predicates[index];
                self.in_scope(predicate, view.function)
                    .then(|| self.see(view, predicate.term))
            })
            .collect()
    }

    /// What the predicates said after the step before, they say in this view.
    fn connect(&mut self, position: usize, values: &Values, view: &View, chosen: impl Fn(usize) -> bool) {
        for (index, value) in values.iter().enumerate() {
            let (Some(value), true) = (*value, chosen(index)) else {
                continue;
            };
            let here = self.see(view, self.predicates[index].term);
            let term = self.semantics.terms.iff(value, here);
            self.result.links.push(Link {
                predicate: index,
                position,
                term,
            });
        }
    }

    fn require(&mut self, index: usize, effect: &Effect, view: &View) {
        let guard = self.see(view, effect.guard);
        self.result.guards.push((index, guard));
    }

    fn after(&mut self, effect: &Effect, view: &View, activation: usize) -> Values {
        let activation = self.simulation.activations.all[activation];
        let mut after = View {
            replaced: view.replaced.clone(),
            frame: view.frame.clone(),
            rest: view.rest.clone(),
            renamed: view.renamed.clone(),
            function: activation.function,
            activation,
        };
        let mut new = Vec::with_capacity(effect.updates.len());
        for &(symbol, value) in &effect.updates {
            new.push((symbol, self.see(view, value)));
        }
        after.replaced.extend(new);
        self.values(&after)
    }

    /// The view of a callee's state right after a call, given the caller's view.
    fn callee_view(&mut self, index: usize, effect: &Effect, caller: &View, callee: FuncId) -> View {
        let activations = &self.simulation.activations;
        let activation = activations.all[activations.at[index + 1]];
        let mut view = View {
            replaced: FxHashMap::default(),
            // Locals of the callee are in nobody's state yet.
            frame: format!("{}.new", caller.frame).into(),
            rest: caller.rest.clone(),
            renamed: BTreeSet::new(),
            function: callee,
            activation,
        };
        // Globals are the caller's, which may have a copy of their own.
        let mut roots = self.terms();
        let entry_values = self.semantics.entry_values(callee, &roots, &[]);
        roots.extend(entry_values.into_iter().map(|(_, value)| value));
        for symbol in self.semantics.terms.free_symbols(&roots) {
            if self.semantics.role(callee, symbol) == Role::Outer {
                let term = self.semantics.terms.symbol_term(symbol);
                let value = self.see(caller, term);
                view.replaced.insert(symbol, value);
            }
        }
        let mut new = Vec::with_capacity(effect.updates.len());
        for &(symbol, value) in &effect.updates {
            new.push((symbol, self.see(caller, value)));
        }
        view.replaced.extend(new);
        self.set_entry_values(&mut view);
        view
    }

    fn entered(&mut self, index: usize, effect: &Effect, caller: &View, callee: FuncId) -> Values {
        let view = self.callee_view(index, effect, caller, callee);
        let mut values = self.values(&view);
        for (value, predicate) in values.iter_mut().zip(self.predicates) {
            // It has no result yet.
            if self.mentions_result(predicate.term, callee) {
                *value = None;
            }
        }
        values
    }

    fn mentions_result(&mut self, term: Term, function: FuncId) -> bool {
        let symbols = self.symbols_of(term);
        let mut symbols = symbols.iter();
        symbols.any(|&symbol| self.semantics.role(function, symbol) == Role::Result)
    }

    fn left(&mut self, index: usize, effect: &Effect, values: &Values, callee: FuncId) -> Values {
        let simulation = self.simulation;
        let enter = simulation.activations.entered_by[index].expect("a call that is left was entered");
        let enter_effect = &simulation.effects[enter];
        let caller = simulation.activations.at[enter];
        let caller_activation = simulation.activations.all[caller];
        let function = caller_activation.function;

        // The caller's state at the time of the call: its own frame, and what the callee changed as it was then.
        let changed: BTreeSet<Symbol> = simulation.effects[enter..index]
            .iter()
            .flat_map(|effect| effect.updates.iter().map(|&(symbol, _)| symbol))
            .filter(|&symbol| owner(self.semantics, symbol).is_none())
            .collect();
        let before = View {
            replaced: FxHashMap::default(),
            frame: format!("{index}.call").into(),
            rest: index.to_string().into(),
            renamed: changed,
            function,
            activation: caller_activation,
        };
        let at_call = self.plain_view(enter, caller);
        for predicate in 0..self.predicates.len() {
            let term = self.predicates[predicate].term;
            // The result of a function that calls itself is the call's at its end, not what the caller had before it.
            if self.predicates[predicate].scope != Some(function) || self.mentions_result(term, function) {
                continue;
            }
            let (then, now) = (self.see(&at_call, term), self.see(&before, term));
            let term = self.semantics.terms.iff(then, now);
            self.result.links.push(Link {
                predicate,
                position: enter,
                term,
            });
        }

        // The callee's state at its exit: results and globals of now, and what it was given.
        let given = self.callee_view(enter, enter_effect, &before, callee);
        let mut exit = View {
            replaced: FxHashMap::default(),
            frame: format!("{index}.exit").into(),
            rest: index.to_string().into(),
            renamed: BTreeSet::new(),
            function: callee,
            activation: given.activation,
        };
        exit.replaced = given.replaced;
        exit.replaced
            .retain(|&symbol, _| self.semantics.lasts(callee, symbol));
        let returned: Vec<bool> = self
            .predicates
            .iter()
            .map(|predicate| self.is_returned(predicate.term, callee))
            .collect();
        self.connect(index, values, &exit, |predicate| returned[predicate]);

        // Back in the caller: its frame of then, everything else of now, and the result stored.
        let mut after = View {
            replaced: FxHashMap::default(),
            frame: format!("{index}.call").into(),
            rest: index.to_string().into(),
            renamed: BTreeSet::new(),
            function,
            activation: caller_activation,
        };
        self.require(index, effect, &after);
        self.set_updates(effect, &mut after);
        self.values(&after)
    }

    /// Whether a caller can make sense of the callee's predicate after its return.
    fn is_returned(&mut self, term: Term, callee: FuncId) -> bool {
        let activations = &self.simulation.activations;
        let is_own_address = |symbol: Symbol| {
            matches!(self.semantics.storage_of(symbol), Some(Storage::Address(_)))
                && activations.scope_of(self.semantics, symbol) == Some(callee)
        };
        let mut symbols = self.semantics.terms.free_symbols(&[term]).into_iter();
        !symbols.any(is_own_address) && self.semantics.is_returned(callee, term)
    }
}
