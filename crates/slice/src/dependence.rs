//! The locations at which something happens that errors can depend on, and the storage that they depend on.
//!
//! Storage is told apart as symbols are, alias classes of memory among them, and by nothing else: not by when it is read, nor
//! by who calls. A location is chosen with all edges that leave it: their conditions matter, and of what they write, that
//! which matters brings in what it is computed from.

use budget::{Budget, Exhausted};
use logic::{Symbol, Term};
use program::{Arena, EdgeId, EdgeKind, Flow, FuncId, LocId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Effect, Semantics, Step};
use verdict::Task;

use crate::control::{Graph, close};

pub(crate) struct Dependence<'p> {
    program: &'p Program,
    /// Of each function that may run and has a body.
    functions: Vec<Inside>,
    /// Its place in there.
    inside: FxHashMap<FuncId, usize>,
    /// Of each edge, the storage that its taking depends on.
    conditions: FxHashMap<EdgeId, Vec<Symbol>>,
    /// Of each storage, the edges that write it, and from what.
    writers: FxHashMap<Symbol, Vec<(EdgeId, Vec<Symbol>)>>,
    /// Calls of each function with a body.
    calls: FxHashMap<FuncId, Vec<EdgeId>>,
    /// Storage that matters.
    relevant: FxHashSet<Symbol>,
    open: Vec<Open>,
}

/// A function from inside.
struct Inside {
    locs: Vec<LocId>,
    position: FxHashMap<LocId, usize>,
    graph: Graph,
    /// By position.
    chosen: Vec<bool>,
    /// Whether something is done in it that matters, so that calls of it do.
    matters: bool,
    /// Whether locations were chosen since it was last closed.
    grown: bool,
}

/// What was found to matter.
enum Open {
    Symbol(Symbol),
    Loc(LocId),
}

impl<'p> Dependence<'p> {
    /// Only errors, ends and what has no meaning matter.
    pub fn new(
        semantics: &mut Semantics<'_>,
        task: &Task<'p>,
        functions: &[FuncId],
        budget: &Budget,
    ) -> Result<Dependence<'p>, Exhausted> {
        let program = task.program;
        let mut errors: Arena<EdgeId, bool> = Arena::new();
        for _ in program.edges.ids() {
            errors.push(false);
        }
        for &error in task.errors {
            errors[error] = true;
        }
        let mut dependence = Dependence {
            program,
            functions: Vec::new(),
            inside: FxHashMap::default(),
            conditions: FxHashMap::default(),
            writers: FxHashMap::default(),
            calls: FxHashMap::default(),
            relevant: FxHashSet::default(),
            open: Vec::new(),
        };
        for &function in functions {
            let Some(body) = &program.functions[function].body else {
                continue;
            };
            let mut ends: FxHashSet<EdgeId> = FxHashSet::default();
            for &loc in &body.locs {
                budget.check()?;
                let outgoing = &program.locs[loc].outgoing;
                for &edge in outgoing {
                    let known = dependence.add_edge(semantics, edge);
                    if known.ends {
                        ends.insert(edge);
                    }
                    if errors[edge] || known.has_no_meaning || known.is_conditional && outgoing.len() == 1 {
                        dependence.open.push(Open::Loc(loc));
                    }
                }
                if outgoing.iter().all(|edge| ends.contains(edge)) && loc != body.exit {
                    dependence.open.push(Open::Loc(loc));
                }
            }
            dependence.add_function(function, &ends);
        }
        Ok(dependence)
    }

    /// Whether something is done at the location that matters.
    pub fn is_chosen(&self, loc: LocId) -> bool {
        let inside = &self.functions[self.inside[&self.program.locs[loc].function]];
        inside.chosen[inside.position[&loc]]
    }

    /// Whether something is done in the function that matters.
    pub fn matters(&self, function: FuncId) -> bool {
        self.functions[self.inside[&function]].matters
    }

    /// Follows dependences until there are no new ones.
    pub fn close(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        loop {
            while let Some(open) = self.open.pop() {
                match open {
                    Open::Symbol(symbol) => self.written(symbol),
                    Open::Loc(loc) => self.choose(loc),
                }
            }
            let Some(at) = self.functions.iter().position(|inside| inside.grown) else {
                return Ok(());
            };
            budget.check()?;
            let inside = &mut self.functions[at];
            inside.grown = false;
            let new = close(&inside.graph, &mut inside.chosen).into_iter();
            let new: Vec<LocId> = new.map(|position| inside.locs[position]).collect();
            for loc in new {
                self.open_conditions(loc);
            }
        }
    }

    fn choose(&mut self, loc: LocId) {
        let function = self.program.locs[loc].function;
        let Some(&at) = self.inside.get(&function) else {
            return;
        };
        let inside = &mut self.functions[at];
        let position = inside.position[&loc];
        if std::mem::replace(&mut inside.chosen[position], true) {
            return;
        }
        inside.grown = true;
        if !std::mem::replace(&mut inside.matters, true) {
            for call in self.calls.get(&function).into_iter().flatten() {
                self.open.push(Open::Loc(self.program.edges[*call].from));
            }
        }
        self.open_conditions(loc);
    }

    /// What the taking of edges from a chosen location depends on matters.
    fn open_conditions(&mut self, loc: LocId) {
        for edge in &self.program.locs[loc].outgoing {
            for &symbol in self.conditions.get(edge).into_iter().flatten() {
                if self.relevant.insert(symbol) {
                    self.open.push(Open::Symbol(symbol));
                }
            }
        }
    }

    /// Edges that write relevant storage matter, and what they write it from.
    fn written(&mut self, symbol: Symbol) {
        for (edge, from) in self.writers.get(&symbol).into_iter().flatten() {
            self.open.push(Open::Loc(self.program.edges[*edge].from));
            for &symbol in from {
                if self.relevant.insert(symbol) {
                    self.open.push(Open::Symbol(symbol));
                }
            }
        }
    }

    fn add_function(&mut self, function: FuncId, ends: &FxHashSet<EdgeId>) {
        let program = self.program;
        let Some(body) = &program.functions[function].body else {
            return;
        };
        let locs = body.locs.clone();
        let position: FxHashMap<LocId, usize> = locs.iter().enumerate().map(|(at, &loc)| (loc, at)).collect();
        let successors = locs
            .iter()
            .map(|&loc| {
                let edges = program.locs[loc].outgoing.iter();
                edges
                    .filter(|edge| !ends.contains(edge))
                    .map(|&edge| position[&program.edges[edge].to])
                    .collect()
            })
            .collect();
        let flow = Flow::new(program, function);
        let order = flow.reverse_post_order().iter().rev();
        let order = order.map(|loc| position[loc]).collect();
        let mut chosen = vec![false; locs.len()];
        chosen[position[&body.exit]] = true;
        self.inside.insert(function, self.functions.len());
        self.functions.push(Inside {
            locs,
            position,
            graph: Graph { successors, order },
            chosen,
            matters: false,
            grown: false,
        });
    }

    /// Notes what an edge reads and writes.
    fn add_edge(&mut self, semantics: &mut Semantics<'_>, edge: EdgeId) -> Known {
        let mut known = Known {
            ends: true,
            ..Known::default()
        };
        for way in semantics.ways(edge) {
            if let Step::Enter { callee, .. } = way {
                self.calls.entry(callee).or_default().push(edge);
            }
            for step in [Some(way), way.leave()].into_iter().flatten() {
                let Ok(effect) = semantics.effect(step) else {
                    known.has_no_meaning = true;
                    continue;
                };
                let holds = semantics.terms.as_bool(effect.guard);
                if matches!(step, Step::Elsewhere(_)) {
                    known.has_no_meaning |= holds != Some(false);
                } else if !matches!(step, Step::Leave { .. }) {
                    known.ends &= holds == Some(false);
                    known.is_conditional |= holds.is_none();
                }
                self.add_effect(semantics, edge, &effect);
            }
        }
        if let EdgeKind::Call { .. } = self.program.edges[edge].kind {
            // Where it leads is one of the functions, or has no meaning.
            known.is_conditional &= semantics.ways(edge).len() == 1;
        }
        known.ends &= !known.has_no_meaning;
        known
    }

    fn add_effect(&mut self, semantics: &Semantics<'_>, edge: EdgeId, effect: &Effect) {
        let symbols = |term: Term| -> Vec<Symbol> {
            let symbols = semantics.terms.free_symbols(&[term]).into_iter();
            symbols
                .filter(|&symbol| semantics.storage_of(symbol).is_some())
                .collect()
        };
        self.conditions
            .entry(edge)
            .or_default()
            .extend(symbols(effect.guard));
        for &(symbol, value) in &effect.updates {
            self.writers
                .entry(symbol)
                .or_default()
                .push((edge, symbols(value)));
        }
    }
}

/// What is known of an edge from its effects.
#[derive(Default)]
struct Known {
    /// No run goes on from it.
    ends: bool,
    has_no_meaning: bool,
    /// Some runs may not go on from it.
    is_conditional: bool,
}
