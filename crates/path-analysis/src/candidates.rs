//! The predicates that may explain a contradiction: conditions as written, definitions as equalities, and conditions
//! carried back to where their values were computed.

use std::collections::BTreeSet;

use budget::Budget;
use indexmap::IndexMap;
use logic::{ElementSort, Op, Signedness, Sort, Symbol, Term};
use program::{FuncId, VarKind};
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Semantics, Storage};
use symbolic_execution::Computed;

use crate::atoms::atoms;
use crate::reduce::Reduced;
use crate::simulate::{Simulation, Stop};
use crate::translate::{Names, Translator};

/// Larger atoms explain nothing to anyone.
const MAX_SIZE: usize = 40;
/// Whether an address is that of a block in use.
const IN_USE: ElementSort = ElementSort::BitVec(1);
/// The cost of saying that two storages of a few constants are equal: each constant of both says more, for less.
const LAST_RESORT: usize = 50;
/// At most so many formulas are carried to other positions.
const MAX_TRANSLATIONS: usize = 30_000;

/// A predicate that may be chosen. Cheaper ones are preferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub term: Term,
    pub scope: Option<FuncId>,
    pub cost: usize,
}

/// How a predicate was come by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Written,
    Definition,
    Carried,
}

/// What predicates may speak of, besides the storage of now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vocabulary {
    /// Values at procedure entry.
    pub entry_values: bool,
    /// Whether a pointer is the address of a block in use.
    pub blocks: bool,
}

/// Candidates, cheapest first.
pub(crate) fn candidates(
    semantics: &mut Semantics<'_>,
    simulation: &Simulation,
    reduced: &Reduced,
    vocabulary: Vocabulary,
    enumerated: &FxHashSet<Term>,
    budget: &Budget,
) -> Result<Vec<Candidate>, Stop> {
    let written = written_constants(semantics, simulation);
    let mut collector = Collector {
        simulation,
        written,
        enumerated,
        seen: FxHashSet::default(),
        found: IndexMap::default(),
    };
    for &index in &reduced.conditions {
        let condition = &simulation.conditions[index];
        collector.add(semantics, condition.step, condition.guard.term, Origin::Written);
    }
    let kept = reduced.kept();
    let mut translator = Translator::new(semantics, simulation, &kept);
    let mut translations = 0;
    let mut ways = Vec::new();
    for locals in [true, false] {
        for entry_values in [false, true] {
            if vocabulary.entry_values || !entry_values {
                ways.push(Names {
                    locals,
                    entry_values,
                    entry_values_first: false,
                });
            }
        }
    }
    let entered_by = &simulation.activations.entered_by;
    let is_left = |position: usize| matches!(entered_by.get(position), Some(Some(_)));
    for position in positions(simulation, reduced) {
        budget.check()?;
        if vocabulary.entry_values {
            collector.add_copies_of_entry_values(semantics, &mut translator, reduced, position);
        }
        for &names in &ways {
            translator.move_to(position, names);
            for &id in &reduced.definitions {
                let definition = &simulation.definitions[id];
                if !definition.lives_at(position) {
                    continue;
                }
                let Some(value) = &definition.value else { continue };
                translations += 1;
                for (held, value) in equalities(semantics, definition.symbol, value) {
                    let held = Computed {
                        term: held,
                        uses: own_use(semantics, id, definition.symbol, &value).into(),
                        ..value.clone()
                    };
                    let Some(held) = translator.translate(semantics, &held) else {
                        continue;
                    };
                    let others = [
                        translator.translate(semantics, &value),
                        translator.twin(semantics, id),
                        translator.copied_value(semantics, id),
                    ];
                    for other in others.into_iter().flatten() {
                        if semantics.terms.sort(held) == semantics.terms.sort(other) {
                            let equal = semantics.terms.eq(held, other);
                            collector.add(semantics, position, equal, Origin::Definition);
                        }
                    }
                }
            }
            for &index in &reduced.conditions {
                let condition = &simulation.conditions[index];
                // Back to where its values were computed; and forth to where a function is left, whose caller does not
                // know the names it was said with.
                if condition.step < position && !is_left(position) {
                    continue;
                }
                translations += 1;
                if let Some(carried) = translator.translate(semantics, &condition.guard) {
                    collector.add(semantics, position, carried, Origin::Carried);
                }
            }
        }
        if translations > MAX_TRANSLATIONS {
            break;
        }
    }
    collector.add_entries(semantics);
    if vocabulary.blocks {
        collector.add_blocks(semantics, vocabulary);
    }
    let mut found: Vec<Candidate> = collector.found.into_values().collect();
    found.sort_by_key(|candidate| candidate.cost);
    Ok(found)
}

/// Where the vocabulary of the reduced path changes: after a definition is made or lost, and at conditions.
fn positions(simulation: &Simulation, reduced: &Reduced) -> BTreeSet<usize> {
    let end = reduced
        .conditions
        .iter()
        .map(|&index| simulation.conditions[index].step)
        .max()
        .unwrap_or(0);
    let mut positions: BTreeSet<usize> = reduced
        .conditions
        .iter()
        .map(|&index| simulation.conditions[index].step)
        .collect();
    for &id in &reduced.definitions {
        let definition = &simulation.definitions[id];
        positions.extend([definition.born, definition.died]);
    }
    // Values pass from one activation to another at calls.
    for (step, entered) in simulation.activations.entered_by.iter().enumerate() {
        if let Some(enter) = entered {
            positions.extend([*enter, enter + 1, step, step + 1]);
        }
    }
    positions.retain(|&position| position <= end);
    positions
}

/// The storage that a definition changed, and the values it got: a variable, or cells of memory.
fn equalities(semantics: &mut Semantics<'_>, symbol: Symbol, value: &Computed) -> Vec<(Term, Computed)> {
    let storage = semantics.terms.symbol_term(symbol);
    if !matches!(semantics.storage_of(symbol), Some(Storage::Memory(_))) {
        return vec![(storage, value.clone())];
    }
    let mut cells = Vec::new();
    let mut array = value.term;
    while semantics.terms.op(array) == Op::Store {
        let &[below, at, stored] = semantics.terms.args(array) else {
            unreachable!("a store has three arguments")
        };
        let cell = semantics.terms.select(storage, at);
        let named = semantics.terms.free_symbols(&[at, stored]);
        let uses = value.uses.iter().copied();
        cells.push((
            cell,
            Computed {
                term: stored,
                uses: uses.filter(|(symbol, _)| named.contains(symbol)).collect(),
                ..*value
            },
        ));
        array = below;
    }
    cells
}

fn is_parameter(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    match semantics.storage_of(symbol) {
        Some(Storage::Variable(var, _)) => semantics.program.vars[var].kind == VarKind::Param,
        _ => false,
    }
}

/// The uses of a term over the storage that a definition made: that storage is the definition's, the rest as before.
fn own_use(semantics: &Semantics<'_>, id: usize, symbol: Symbol, value: &Computed) -> Vec<(Symbol, usize)> {
    let is_memory = matches!(semantics.storage_of(symbol), Some(Storage::Memory(_)));
    let mut uses: Vec<(Symbol, usize)> = if is_memory {
        value
            .uses
            .iter()
            .copied()
            .filter(|&(used, _)| used != symbol)
            .collect()
    } else {
        Vec::new()
    };
    uses.push((symbol, id));
    uses
}

struct Collector<'a> {
    simulation: &'a Simulation,
    written: FxHashSet<Term>,
    enumerated: &'a FxHashSet<Term>,
    /// Formulas of a function that were added, with where they came from: the same ones come from many positions.
    seen: FxHashSet<(Term, FuncId, Origin)>,
    found: IndexMap<(Term, Option<FuncId>), Candidate, FxBuildHasher>,
}

impl Collector<'_> {
    fn add(&mut self, semantics: &mut Semantics<'_>, position: usize, formula: Term, origin: Origin) {
        let activations = &self.simulation.activations;
        let function = activations.all[activations.at[position]].function;
        if !self.seen.insert((formula, function, origin)) {
            return;
        }
        let Some(atoms) = atoms(&mut semantics.terms, formula) else {
            return;
        };
        for atom in atoms {
            if let Some(candidate) = self.candidate(semantics, function, atom, origin) {
                let entry = self
                    .found
                    .entry((candidate.term, candidate.scope))
                    .or_insert_with(|| candidate.clone());
                entry.cost = entry.cost.min(candidate.cost);
            }
        }
    }

    /// That a local, or the result, is what something held at entry that has changed since.
    fn add_copies_of_entry_values(
        &mut self,
        semantics: &mut Semantics<'_>,
        translator: &mut Translator<'_>,
        reduced: &Reduced,
        position: usize,
    ) {
        let local = Names {
            locals: true,
            entry_values: false,
            entry_values_first: false,
        };
        let at_entry = Names {
            locals: false,
            entry_values: true,
            entry_values_first: true,
        };
        translator.move_to(position, local);
        let mut held = Vec::new();
        for &id in &reduced.definitions {
            let definition = &self.simulation.definitions[id];
            let Some(value) = definition
                .value
                .as_ref()
                .filter(|_| definition.lives_at(position))
            else {
                continue;
            };
            if matches!(semantics.storage_of(definition.symbol), Some(Storage::Memory(_))) {
                continue;
            }
            let own = Computed {
                term: semantics.terms.symbol_term(definition.symbol),
                uses: own_use(semantics, id, definition.symbol, value).into(),
                ..value.clone()
            };
            held.extend(translator.translate(semantics, &own).map(|own| (own, value)));
        }
        translator.move_to(position, at_entry);
        for (own, value) in held {
            let Some(then) = translator.translate(semantics, value) else {
                continue;
            };
            let is_lost = |semantics: &mut Semantics<'_>, symbol| match semantics.storage_of(symbol) {
                Some(Storage::AtEntry(function, inner)) => {
                    let now = semantics.terms.symbol_term(inner);
                    !(is_parameter(semantics, inner) && semantics.is_returned(function, now))
                }
                _ => false,
            };
            let mut symbols = semantics.terms.free_symbols(&[then]).into_iter();
            if symbols.any(|symbol| is_lost(semantics, symbol))
                && semantics.terms.sort(own) == semantics.terms.sort(then)
            {
                let equal = semantics.terms.eq(own, then);
                self.add(semantics, position, equal, Origin::Carried);
            }
        }
    }

    /// What an entry value is at entry: what the storage holds. Of memory, the cells that are spoken of.
    fn add_entries(&mut self, semantics: &mut Semantics<'_>) {
        let roots: Vec<Term> = self.found.keys().map(|&(term, _)| term).collect();
        for term in semantics.terms.subterms(&roots) {
            let (then, index) = match (semantics.terms.op(term), semantics.terms.args(term)) {
                (Op::Symbol(_), _) => (term, None),
                (Op::Select, &[array, index]) => (array, Some(index)),
                _ => continue,
            };
            let storage = semantics
                .terms
                .as_symbol(then)
                .and_then(|symbol| semantics.storage_of(symbol));
            let Some(Storage::AtEntry(function, inner)) = storage else {
                continue;
            };
            let now = semantics.terms.symbol_term(inner);
            let equal = match (index, semantics.terms.sort(now)) {
                (None, Sort::Array { .. }) => continue,
                (None, _) => semantics.terms.eq(now, then),
                (Some(index), _) => {
                    let now = semantics.terms.select(now, index);
                    semantics.terms.eq(now, term)
                }
            };
            if let Some(candidate) = self.candidate(semantics, function, equal, Origin::Definition) {
                self.found.insert((candidate.term, candidate.scope), candidate);
            }
        }
    }

    /// That what is compared with others is the address of a block in use, now or when the function began: a new block is
    /// another one.
    fn add_blocks(&mut self, semantics: &mut Semantics<'_>, vocabulary: Vocabulary) {
        let found: Vec<(Term, Option<FuncId>)> = self.found.keys().copied().collect();
        let allocated = semantics.symbol(Storage::Allocated);
        let (now, yes) = (semantics.current(Storage::Allocated), semantics.terms.word(1, 1));
        for (term, scope) in found {
            if semantics.terms.op(term) != Op::Eq {
                continue;
            }
            let function = scope.unwrap_or(self.simulation.activations.all[0].function);
            let mut times = vec![now];
            let mut atoms = Vec::new();
            if vocabulary.entry_values && scope.is_some() {
                let then = semantics.current(Storage::AtEntry(function, allocated));
                times.push(then);
                atoms.push(semantics.terms.eq(now, then));
            }
            for side in semantics.terms.args(term).to_vec() {
                if may_be_pointer(semantics, side) {
                    for &time in &times {
                        let there = semantics.terms.select(time, side);
                        atoms.push(semantics.terms.eq(there, yes));
                    }
                }
            }
            for atom in atoms {
                if let Some(candidate) = self.candidate(semantics, function, atom, Origin::Definition) {
                    self.found
                        .entry((candidate.term, candidate.scope))
                        .or_insert(candidate);
                }
            }
        }
    }

    /// The atom as a predicate of the function, if it can be one.
    fn candidate(
        &self,
        semantics: &Semantics<'_>,
        function: FuncId,
        atom: Term,
        origin: Origin,
    ) -> Option<Candidate> {
        let symbols = semantics.terms.free_symbols(&[atom]);
        if semantics.terms.as_bool(atom).is_some()
            || semantics.terms.size(atom) > MAX_SIZE
            || compares_memories(semantics, atom)
        {
            return None;
        }
        let mut scope = None;
        let mut changing = false;
        for &symbol in &symbols {
            let storage = semantics.storage_of(symbol)?;
            changing |= !matches!(storage, Storage::Address(_));
            if let Some(owner) = self.simulation.activations.scope_of(semantics, symbol) {
                scope = Some(owner);
                if owner != function {
                    return None;
                }
            }
        }
        changing.then(|| Candidate {
            term: atom,
            scope,
            cost: self.cost(semantics, atom, origin),
        })
    }

    fn cost(&self, semantics: &Semantics<'_>, atom: Term, origin: Origin) -> usize {
        let mut cost = match origin {
            Origin::Written => 0,
            Origin::Carried => 2,
            Origin::Definition => 3,
        };
        let sides = semantics.terms.args(atom);
        if semantics.terms.op(atom) == Op::Eq && sides.iter().all(|side| self.enumerated.contains(side)) {
            cost += LAST_RESORT;
        }
        for term in semantics.terms.subterms(&[atom]) {
            cost += match semantics.terms.op(term) {
                Op::Word(bits) if bits > 1 && !self.written.contains(&term) => 12,
                Op::Word(_) | Op::Float(_) => 0,
                Op::Select => 2,
                Op::Store | Op::ConstArray => 100,
                Op::Symbol(symbol) => match semantics.storage_of(symbol) {
                    Some(Storage::AtEntry(..)) => 4,
                    Some(Storage::Variable(var, _))
                        if semantics.program.vars[var].kind == VarKind::Temporary =>
                    {
                        3
                    }
                    _ => 1,
                },
                _ => 1,
            };
        }
        cost
    }
}

/// Whether a term is storage that may hold a pointer; of memory, the type is not known.
fn may_be_pointer(semantics: &Semantics<'_>, term: Term) -> bool {
    if semantics.terms.sort(term) != Sort::BitVec(semantics.pointer_bits()) {
        return false;
    }
    match semantics.terms.op(term) {
        Op::Symbol(symbol) => {
            semantics.terms.symbol_info(symbol).signedness == Signedness::Pointer
                && !matches!(semantics.storage_of(symbol), Some(Storage::Address(_)))
        }
        Op::Select => true,
        _ => false,
    }
}

/// Whether the atom says that two memories are equal as a whole, which no C expression does. What is allocated may be the
/// same as before.
fn compares_memories(semantics: &Semantics<'_>, atom: Term) -> bool {
    let terms = &semantics.terms;
    terms.op(atom) == Op::Eq
        && matches!(terms.sort(terms.args(atom)[0]), Sort::Array { element, .. } if element != IN_USE)
}

/// The constants that the path's steps write down.
fn written_constants(semantics: &Semantics<'_>, simulation: &Simulation) -> FxHashSet<Term> {
    let conditions = simulation.conditions.iter().map(|condition| condition.guard.term);
    let values = simulation
        .definitions
        .iter()
        .filter(|definition| definition.step.is_some())
        .filter_map(|definition| definition.value.as_ref().map(|value| value.term));
    let roots: Vec<Term> = conditions.chain(values).collect();
    semantics
        .terms
        .subterms(&roots)
        .into_iter()
        .filter(|&term| semantics.terms.is_constant(term))
        .collect()
}
