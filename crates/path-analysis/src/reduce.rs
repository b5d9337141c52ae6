//! From a contradiction to its smallest part: first the conditions, then the definitions they rest on.
//!
//! The second part is where the simulation forgets. The conditions are stated once more over one name for each
//! definition, together with an equation for each definition. Definitions are left out, the latest first, while the
//! contradiction stays: where a redundant assume says enough about a variable, the values that were assigned to it go,
//! and the variable's name stands for a symbolic constant from there on. Of a store into memory only the stored value
//! can be left out, not that the other cells are as before.

use std::collections::BTreeSet;

use budget::Budget;
use logic::{Op, Substitution, Symbol, SymbolInfo, Term};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};
use solver::{Solver, minimise};
use symbolic_execution::{Computed, DefId, place_addresses};

use crate::definitions::closure;
use crate::patience::{EFFORT, MOMENT, Patience};
use crate::simulate::{Simulation, Stop};

/// Of a memory made by more stores, only the cells are stated that are read.
const MANY_CELLS: usize = 200;

/// What is left of a contradictory path.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    pub conditions: Vec<usize>,
    pub definitions: BTreeSet<DefId>,
    /// Stores into memory that matter for leaving other cells as they are.
    pub passed: BTreeSet<DefId>,
}

impl Reduced {
    /// The definitions that are not forgotten.
    pub fn kept(&self) -> BTreeSet<DefId> {
        self.definitions.union(&self.passed).copied().collect()
    }
}

/// The contradiction with everything it was computed from, nothing forgotten.
pub(crate) fn unreduced(simulation: &Simulation, contradiction: &[usize]) -> Reduced {
    Reduced {
        conditions: contradiction.to_vec(),
        definitions: closure(&simulation.definitions, used_by(simulation, contradiction)),
        passed: BTreeSet::new(),
    }
}

fn used_by(simulation: &Simulation, conditions: &[usize]) -> Vec<DefId> {
    conditions
        .iter()
        .flat_map(|&index| {
            simulation.conditions[index]
                .guard
                .uses
                .iter()
                .map(|&(_, used)| used)
        })
        .collect()
}

/// The smallest part of the path, by definitions first, that is still contradictory.
pub(crate) fn reduce(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    simulation: &Simulation,
    contradiction: &[usize],
    budget: &Budget,
) -> Result<Reduced, Stop> {
    let whole = unreduced(simulation, contradiction);
    let last = *contradiction.last().expect("a contradiction has conditions");
    // Conditions on values that the contradiction rests on may stand in for those values.
    let mut conditions: Vec<usize> = (0..last)
        .filter(|index| {
            contradiction.contains(index)
                || simulation.conditions[*index]
                    .guard
                    .uses
                    .iter()
                    .any(|(_, used)| whole.definitions.contains(used))
        })
        .collect();
    conditions.push(last);
    let all = closure(&simulation.definitions, used_by(simulation, &conditions));

    let mut names = Names::new(simulation);
    let mut equations: Vec<(DefId, Term)> = Vec::new();
    // In the order of time: a memory's name is made from that of the memory before.
    for &definition in &all {
        if let Some(equation) = names.equation(semantics, definition) {
            equations.push((definition, equation));
        }
    }
    let stated: Vec<(usize, Term)> = conditions
        .iter()
        .map(|&index| {
            let guard = &simulation.conditions[index].guard;
            (index, names.state(semantics, guard))
        })
        .collect();

    let spoken: Vec<Term> = (equations.iter().map(|&(_, term)| term))
        .chain(stated.iter().map(|&(_, term)| term))
        .collect();
    equations.extend(names.known_cells(semantics, &spoken));
    equations.sort_by_key(|&(definition, _)| definition);

    let mut search = Search {
        semantics,
        solver,
        patience: Patience::default(),
        budget,
    };
    let conditions: Vec<Term> = stated.iter().map(|&(_, term)| term).collect();
    let terms: Vec<Term> = equations.iter().map(|&(_, term)| term).collect();
    let Some(terms) = search.core(&terms, &conditions, MOMENT)? else {
        return Ok(whole);
    };
    let terms = search.minimise(terms, &conditions)?;
    let conditions = match search.core(&conditions, &terms, MOMENT)? {
        Some(core) => search.minimise(core, &terms)?,
        None => conditions,
    };
    let conditions: Vec<usize> = stated
        .iter()
        .filter(|(_, term)| conditions.contains(term))
        .map(|&(index, _)| index)
        .collect();
    let definitions: BTreeSet<DefId> = equations
        .iter()
        .filter(|(_, term)| terms.contains(term))
        .map(|&(definition, _)| definition)
        .collect();
    let passed = names.passed(&conditions, &definitions);
    Ok(Reduced {
        conditions,
        definitions,
        passed,
    })
}

/// One name for each definition: a symbol, or for stores into memory the memory before with named values in the cells.
struct Names<'a> {
    simulation: &'a Simulation,
    names: FxHashMap<DefId, Term>,
    /// For stores into memory, the memory before.
    before: FxHashMap<DefId, DefId>,
    /// Memories made by many stores, as static data is: what is stored where.
    large: Vec<(DefId, FxHashMap<u128, Term>)>,
}

impl<'a> Names<'a> {
    fn new(simulation: &'a Simulation) -> Names<'a> {
        Names {
            simulation,
            names: FxHashMap::default(),
            before: FxHashMap::default(),
            large: Vec::new(),
        }
    }

    fn of(&mut self, semantics: &mut Semantics<'_>, definition: DefId) -> Term {
        let data = &self.simulation.definitions[definition];
        if data.value.is_none() {
            return data.exact;
        }
        *self.names.entry(definition).or_insert_with(|| {
            let name = format!("{}'{}", semantics.terms.symbol_name(data.symbol), data.born);
            let sort = semantics.terms.symbol_sort(data.symbol);
            let info = semantics.terms.symbol_info(data.symbol).clone();
            semantics.terms.var(&name, sort, info)
        })
    }

    /// What a definition says about its name.
    fn equation(&mut self, semantics: &mut Semantics<'_>, definition: DefId) -> Option<Term> {
        let simulation = self.simulation;
        let value = simulation.definitions[definition].value.as_ref()?;
        // Its name is all that is said of a large memory until it is known which cells are read.
        if self.note_large(semantics, definition, value) {
            return None;
        }
        if let Some(equation) = self.stores(semantics, definition, value) {
            return Some(equation);
        }
        let value = self.state(semantics, value);
        let name = self.of(semantics, definition);
        Some(semantics.terms.eq(name, value))
    }

    /// Whether a memory is made by many stores.
    fn note_large(&mut self, semantics: &mut Semantics<'_>, definition: DefId, value: &Computed) -> bool {
        let mut known: FxHashMap<u128, Term> = FxHashMap::default();
        let mut array = value.term;
        let mut stores = Vec::new();
        while let (Op::Store, &[below, at, stored]) = (semantics.terms.op(array), semantics.terms.args(array))
        {
            stores.push((at, stored));
            array = below;
        }
        if stores.len() <= MANY_CELLS {
            return false;
        }
        let activation = &self.simulation.activations.all[value.activation];
        for (at, stored) in stores {
            let at = place_addresses(semantics, activation, at);
            if let Some(at) = semantics.terms.as_word(at) {
                known.entry(at).or_insert(stored);
            }
        }
        self.large.push((definition, known));
        true
    }

    /// Names a memory by the memory before and the values stored; what is stored is the equation.
    fn stores(&mut self, semantics: &mut Semantics<'_>, definition: DefId, value: &Computed) -> Option<Term> {
        let data = &self.simulation.definitions[definition];
        if !matches!(semantics.storage_of(data.symbol), Some(Storage::Memory(_))) {
            return None;
        }
        let mut cells = Vec::new();
        let mut array = value.term;
        while semantics.terms.op(array) == Op::Store {
            let &[below, at, stored] = semantics.terms.args(array) else {
                unreachable!("a store has three arguments")
            };
            cells.push((at, stored));
            array = below;
        }
        let memory = semantics.terms.as_symbol(array)?;
        let &(_, before) = value.uses.iter().find(|&&(used, _)| used == memory)?;
        let mut name = self.of(semantics, before);
        let mut equations = Vec::with_capacity(cells.len());
        for (index, (at, stored)) in cells.into_iter().rev().enumerate() {
            let part = |term| Computed {
                term,
                ..value.clone()
            };
            let at = self.state(semantics, &part(at));
            let stored = self.state(semantics, &part(stored));
            let cell = format!(
                "{}'{}.{index}",
                semantics.terms.symbol_name(data.symbol),
                data.born
            );
            let sort = semantics.terms.sort(stored);
            let cell = semantics.terms.var(&cell, sort, SymbolInfo::default());
            equations.push(semantics.terms.eq(cell, stored));
            name = semantics.terms.store(name, at, cell);
        }
        self.before.insert(definition, before);
        self.names.insert(definition, name);
        Some(semantics.terms.all(&equations))
    }

    /// Of memories made by many stores, what those cells hold that some formulas read at known addresses.
    fn known_cells(&mut self, semantics: &mut Semantics<'_>, formulas: &[Term]) -> Vec<(DefId, Term)> {
        let mut equations = Vec::new();
        for (definition, known) in std::mem::take(&mut self.large) {
            let name = self.of(semantics, definition);
            let Some(value) = &self.simulation.definitions[definition].value else {
                continue;
            };
            let mut cells = Vec::new();
            for term in semantics.terms.subterms(formulas) {
                let (Op::Select, &[memory, at]) = (semantics.terms.op(term), semantics.terms.args(term))
                else {
                    continue;
                };
                let stored = semantics.terms.as_word(at).and_then(|at| known.get(&at));
                if memory == name
                    && let Some(&stored) = stored
                {
                    let stored = Computed {
                        term: stored,
                        ..value.clone()
                    };
                    let stored = self.state(semantics, &stored);
                    cells.push(semantics.terms.eq(term, stored));
                }
            }
            if !cells.is_empty() {
                equations.push((definition, semantics.terms.all(&cells)));
            }
        }
        equations
    }

    /// The stores between memories that the conditions and definitions speak of.
    fn passed(&self, conditions: &[usize], definitions: &BTreeSet<DefId>) -> BTreeSet<DefId> {
        let simulation = self.simulation;
        let mut spoken: BTreeSet<DefId> = used_by(simulation, conditions).into_iter().collect();
        for &definition in definitions {
            let value = &simulation.definitions[definition].value;
            spoken.extend(
                value
                    .iter()
                    .flat_map(|value| value.uses.iter().map(|&(_, used)| used)),
            );
            spoken.insert(definition);
        }
        let mut passed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for &memory in spoken.iter().rev() {
            let mut between = Vec::new();
            let mut here = memory;
            while let Some(&before) = self.before.get(&here) {
                if !seen.insert(here) {
                    break;
                }
                between.push(here);
                here = before;
                if spoken.contains(&here) {
                    passed.extend(between.drain(..));
                }
            }
        }
        passed.retain(|store| !definitions.contains(store));
        passed
    }

    fn state(&mut self, semantics: &mut Semantics<'_>, computed: &Computed) -> Term {
        let activation = &self.simulation.activations.all[computed.activation];
        let placed = place_addresses(semantics, activation, computed.term);
        let pairs: Vec<(Symbol, Term)> = computed
            .uses
            .iter()
            .map(|&(symbol, used)| (symbol, self.of(semantics, used)))
            .collect();
        Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, placed)
    }
}

struct Search<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    patience: Patience,
    budget: &'a Budget,
}

impl Search<'_, '_> {
    /// Those of the terms that contradict the fixed ones, as the solver finds them; `None` if they do not.
    fn core(&mut self, terms: &[Term], fixed: &[Term], effort: u32) -> Result<Option<Vec<Term>>, Stop> {
        let all: Vec<Term> = terms.iter().chain(fixed).copied().collect();
        let pool = &mut self.semantics.terms;
        let core = (self.patience).core(pool, self.solver, &all, effort, self.budget)?;
        Ok(core.map(|core| terms.iter().copied().filter(|t| core.contains(t)).collect()))
    }

    /// Leaves out the terms that are not needed, the last first. What is not found out with little work is needed.
    fn minimise(&mut self, terms: Vec<Term>, fixed: &[Term]) -> Result<Vec<Term>, Stop> {
        minimise(terms, |others| {
            self.budget.check()?;
            self.core(others, fixed, EFFORT)
        })
    }
}
