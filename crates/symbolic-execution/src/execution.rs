//! The state after a path, made from the state before its last step.

use std::rc::Rc;

use logic::{Symbol, Term};
use program::{FuncId, Id, LocId};
use semantics::{Effect, Semantics, Step, Storage, Unsupported};

use crate::define::is_local;
use crate::definitions::{Condition, DefId, Definition};
use crate::layout::{Activation, Allocation, frame_of};
use crate::persistent::{List, Map};
use crate::unknown::Unknown;

/// What addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Numbers: every object lies somewhere, apart from all others. Whether a path can be taken is asked in such a state:
    /// what a defined program computes does not depend on where its objects are.
    Chosen,
    /// Symbols: what is said of the state holds wherever the objects lie.
    Symbolic,
}

/// A path and the state after it: what each storage holds, what must have held on the way, and what was unknown, all in
/// terms of these unknowns.
///
/// Invariants: there is one position more than steps; a definition uses only definitions before it; what is in the store
/// has not died.
#[derive(Clone)]
pub struct Execution {
    pub(crate) addresses: Addresses,
    location: LocId,
    pub(crate) steps: List<Step>,
    start: Rc<Effect>,
    effects: List<Rc<Effect>>,
    pub(crate) activations: List<Activation>,
    /// The activation at each position.
    at: List<usize>,
    /// How many activations of each function are open.
    open: Map<u64>,
    pub(crate) globals: Map<DefId>,
    /// The storage of each activation; of one that was left there is none.
    pub(crate) frames: List<Map<DefId>>,
    pub(crate) definitions: List<Definition>,
    pub(crate) conditions: List<Condition>,
    pub(crate) unknowns: List<Unknown>,
    pub(crate) allocations: List<Allocation>,
    pub(crate) defined: List<(usize, Term)>,
}

/// An earlier state of an execution, to go back to.
#[derive(Clone)]
pub struct Mark(Execution);

/// What taking a step requires, in terms of the path's unknowns. What is plainly true is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// That the step can be taken.
    pub condition: Option<Term>,
    /// That its behaviour is defined.
    pub defined: Vec<Term>,
}

impl Execution {
    /// The start of the program at a function: static objects have their first values, parameters are unknown.
    pub fn new(
        semantics: &mut Semantics<'_>,
        entry: FuncId,
        addresses: Addresses,
    ) -> Result<Execution, Unsupported> {
        let program = semantics.program;
        let Some(body) = &program.functions[entry].body else {
            let name = &program.functions[entry].name;
            return Err(Unsupported::new(format!(
                "a start at `{name}`, which has no body"
            )));
        };
        let start = Rc::new(semantics.initial()?);
        let mut execution = Execution {
            addresses,
            location: body.entry,
            steps: List::default(),
            start: Rc::clone(&start),
            effects: List::default(),
            activations: List::default(),
            at: List::default(),
            open: Map::default(),
            globals: Map::default(),
            frames: List::default(),
            definitions: List::default(),
            conditions: List::default(),
            unknowns: List::default(),
            allocations: List::default(),
            defined: List::default(),
        };
        execution.activate(entry, 0, None, None);
        for fresh in &start.fresh {
            execution.input(semantics, None, fresh.symbol, fresh.cause);
        }
        let made = execution.computed_updates(semantics, 0, &start);
        execution.define_all(semantics, None, 0, made);
        execution.at.push(0);
        Ok(execution)
    }

    /// Somewhere in a function, in whatever state: every storage holds an unknown.
    pub fn anywhere(semantics: &Semantics<'_>, location: LocId, addresses: Addresses) -> Execution {
        let start = Effect {
            guard: semantics.terms.bool(true),
            defined: Vec::new(),
            updates: Vec::new(),
            fresh: Vec::new(),
        };
        let mut execution = Execution {
            addresses,
            location,
            steps: List::default(),
            start: Rc::new(start),
            effects: List::default(),
            activations: List::default(),
            at: List::default(),
            open: Map::default(),
            globals: Map::default(),
            frames: List::default(),
            definitions: List::default(),
            conditions: List::default(),
            unknowns: List::default(),
            allocations: List::default(),
            defined: List::default(),
        };
        execution.activate(semantics.program.locs[location].function, 0, None, None);
        execution.at.push(0);
        execution
    }

    /// Remembers what storage holds now as what it held when the current activation began ([`Storage::AtEntry`]): formulas may
    /// speak of it from now on. To be said where an activation begins.
    pub fn remember_entry(
        &mut self,
        semantics: &mut Semantics<'_>,
        symbols: impl IntoIterator<Item = Symbol>,
    ) {
        let (activation, position) = (self.current(), self.steps.len());
        let function = self.activations[activation].function;
        for symbol in symbols {
            let now = semantics.terms.symbol_term(symbol);
            let (value, exact) = self.computed(semantics, activation, now);
            let kept = semantics.symbol(Storage::AtEntry(function, symbol));
            self.remember(kept, activation, position, value, exact);
        }
    }

    /// Goes on by a step, which must begin where the execution is. If the step has no meaning nothing is changed.
    pub fn step(&mut self, semantics: &mut Semantics<'_>, step: Step) -> Result<Taken, Unsupported> {
        let effect = semantics.effect_anew(step)?;
        let index = self.steps.len();
        let before = self.current();
        let activation = match step {
            Step::Leave { callee, .. } => self.leave(callee, index + 1),
            Step::Enter { callee, .. } => {
                self.check_addresses(semantics, callee, &effect)?;
                before
            }
            Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => before,
        };
        for fresh in &effect.fresh {
            self.input_at(semantics, index, activation, fresh.symbol, fresh.cause);
        }
        let taken = self.require(semantics, index, activation, &effect);
        let made = self.computed_updates(semantics, activation, &effect);
        let inside = match step {
            // The callee's storage is that of a new activation.
            Step::Enter { callee, .. } => self.activate(callee, index + 1, Some(index), Some(activation)),
            _ => activation,
        };
        self.at.push(inside);
        self.define_all(semantics, Some(index), inside, made);
        self.steps.push(step);
        self.effects.push(effect);
        self.location = end_of(semantics, step);
        Ok(taken)
    }

    /// The state as it is now, to come back to. It costs the same however long the path is.
    pub fn mark(&self) -> Mark {
        Mark(self.clone())
    }

    /// Goes back to an earlier state: as if nothing had been done since.
    pub fn undo_to(&mut self, mark: &Mark) {
        self.clone_from(&mark.0);
    }

    /// A second execution that goes on from here by itself.
    pub fn fork(&self) -> Execution {
        self.clone()
    }

    /// The value of a term over the program's storage, as the current function sees it. What is read for the first time
    /// becomes an unknown of the path.
    pub fn value(&mut self, semantics: &mut Semantics<'_>, term: Term) -> Term {
        let (_, exact) = self.computed(semantics, self.current(), term);
        exact
    }

    /// What a symbol's storage holds; `None` for what nothing has written or read yet.
    pub fn holds(&self, semantics: &Semantics<'_>, symbol: Symbol) -> Option<Term> {
        let scope = self.scope(is_local(semantics, symbol), self.current());
        let id = *scope.get(symbol.index())?;
        Some(self.definitions[id].exact)
    }

    /// The variables of an open activation that were written or read, in the order of their symbols.
    pub fn locals(&self, activation: usize) -> Vec<(DefId, &Definition)> {
        let ids = self.frames[activation].iter().map(|(_, &id)| id);
        ids.map(|id| (id, &self.definitions[id])).collect()
    }

    /// The globals, memories, results and unknowns of steps that were written or read, in the order of their symbols.
    pub fn globals(&self) -> Vec<(DefId, &Definition)> {
        let ids = self.globals.iter().map(|(_, &id)| id);
        ids.map(|id| (id, &self.definitions[id])).collect()
    }

    pub fn steps(&self) -> &List<Step> {
        &self.steps
    }

    /// Where the path has led to.
    pub fn location(&self) -> LocId {
        self.location
    }

    /// The activation that the path has led to.
    pub fn current(&self) -> usize {
        let current = self.at.last().copied();
        // Before the first position there is the first activation only.
        current.unwrap_or(0)
    }

    /// The activations that are open, the innermost first.
    pub fn open_activations(&self) -> Vec<usize> {
        let mut open = vec![self.current()];
        while let Some(parent) = self.activations[open[open.len() - 1]].parent {
            open.push(parent);
        }
        open
    }

    /// All activations, in the order in which they were entered.
    pub fn activations(&self) -> &List<Activation> {
        &self.activations
    }

    /// The activation at each position.
    pub fn activation_at(&self) -> &List<usize> {
        &self.at
    }

    /// The effect of the program's start.
    pub fn start(&self) -> &Rc<Effect> {
        &self.start
    }

    /// The effect of each step.
    pub fn effects(&self) -> &List<Rc<Effect>> {
        &self.effects
    }

    /// All that was ever in the store, in the order in which it was made.
    pub fn definitions(&self) -> &List<Definition> {
        &self.definitions
    }

    /// The path condition. Also conditions that are plainly true of this path are among them.
    pub fn conditions(&self) -> &List<Condition> {
        &self.conditions
    }

    /// What must hold for the steps to be defined, with the step.
    pub fn defined(&self) -> &List<(usize, Term)> {
        &self.defined
    }

    /// In the order met.
    pub fn unknowns(&self) -> &List<Unknown> {
        &self.unknowns
    }

    /// New memory, in the order of its addresses, which is that of the path.
    pub fn allocations(&self) -> &List<Allocation> {
        &self.allocations
    }

    fn activate(
        &mut self,
        function: FuncId,
        entry: usize,
        enter: Option<usize>,
        parent: Option<usize>,
    ) -> usize {
        let depth = self.open.get(function.index()).copied().unwrap_or(0);
        self.open.insert(function.index(), depth + 1);
        self.activations.push(Activation {
            function,
            entry,
            enter,
            parent,
            depth,
        });
        self.frames.push(Map::default());
        self.activations.len() - 1
    }

    /// Ends the current activation: its storage is gone. The caller's.
    fn leave(&mut self, callee: FuncId, position: usize) -> usize {
        let left = self.current();
        let Activation {
            function,
            parent,
            depth,
            ..
        } = self.activations[left];
        assert_eq!(function, callee, "a path leaves what it entered last");
        let frame = self.frames.get_mut(left).expect("an activation has a frame");
        let frame = std::mem::take(frame);
        for (_, &id) in frame.iter() {
            self.dies(id, position);
        }
        self.open.insert(function.index(), depth);
        parent.expect("a path leaves what it entered")
    }

    /// A recursive call that mentions addresses of its function's variables could mean an outer activation's or its
    /// own.
    fn check_addresses(
        &self,
        semantics: &Semantics<'_>,
        callee: FuncId,
        effect: &Effect,
    ) -> Result<(), Unsupported> {
        if self.open.get(callee.index()).is_none_or(|&open| open == 0) {
            return Ok(());
        }
        let roots: Vec<Term> = effect.updates.iter().map(|&(_, value)| value).collect();
        for symbol in semantics.terms.free_symbols(&roots) {
            if let Some(Storage::Address(var)) = semantics.storage_of(symbol)
                && frame_of(semantics, var) == Some(callee)
            {
                let name = &semantics.program.functions[callee].name;
                return Err(Unsupported::new(format!(
                    "`{name}` calls itself with its variables' addresses"
                )));
            }
        }
        Ok(())
    }
}

/// Where a step leads.
fn end_of(semantics: &Semantics<'_>, step: Step) -> LocId {
    let program = semantics.program;
    match step {
        Step::Enter { callee, .. } => {
            let body = program.functions[callee].body.as_ref();
            body.expect("a function that is entered has a body").entry
        }
        _ => program.edges[step.edge()].to,
    }
}
