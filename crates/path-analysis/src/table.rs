//! The store, the conditions and the history of an explained path, for people.

use std::collections::BTreeMap;

use logic::{Substitution, Symbol, Term};
use program::EdgeId;
use semantics::{Path, Semantics};
use symbolic_execution::{Computed, DefId};

use crate::definitions::closure;
use crate::reduce::Reduced;
use crate::simulate::Simulation;

/// An entry of the store or of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Entries are numbered from 1.
    pub number: usize,
    /// The step that made the entry; `None` for what holds before the first.
    pub step: Option<usize>,
    pub storage: Symbol,
    /// In terms of symbolic constants.
    pub value: Term,
    /// The numbers of the entries that it was computed from.
    pub depends_on: Vec<usize>,
    /// Whether it was overwritten before the contradiction: it is in the history Π, not in the store Ω.
    pub overwritten: bool,
}

/// A condition of Φ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionRow {
    pub step: usize,
    pub value: Term,
    pub depends_on: Vec<usize>,
}

/// What the contradiction rests on.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    pub entries: Vec<Row>,
    pub conditions: Vec<ConditionRow>,
}

/// A step that the contradiction cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceStep {
    pub step: usize,
    pub edge: EdgeId,
}

/// The steps that make the reduced path, in order.
pub(crate) fn slice(simulation: &Simulation, path: &Path, reduced: &Reduced) -> Vec<SliceStep> {
    let conditions = reduced
        .conditions
        .iter()
        .map(|&index| simulation.conditions[index].step);
    let definitions = reduced
        .definitions
        .iter()
        .filter_map(|&id| simulation.definitions[id].step);
    let mut steps: Vec<usize> = conditions.chain(definitions).collect();
    steps.sort_unstable();
    steps.dedup();
    steps
        .into_iter()
        .map(|step| SliceStep {
            step,
            edge: path.steps[step].edge(),
        })
        .collect()
}

pub(crate) fn table(semantics: &mut Semantics<'_>, simulation: &Simulation, reduced: &Reduced) -> Table {
    let end = reduced
        .conditions
        .iter()
        .map(|&index| simulation.conditions[index].step)
        .max()
        .unwrap_or(0);
    // Entries that the conditions and the kept definitions use; a definition that was forgotten is a constant.
    let counted = reduced.kept();
    let mut kept = simulation.definitions.clone();
    for (id, definition) in kept.iter_mut().enumerate() {
        if !counted.contains(&id) {
            definition.value = None;
        }
    }
    let roots = reduced.conditions.iter().flat_map(|&index| {
        simulation.conditions[index]
            .guard
            .uses
            .iter()
            .map(|&(_, used)| used)
    });
    let used = closure(&kept, roots);

    let mut table = Table::default();
    let mut numbers: BTreeMap<DefId, usize> = BTreeMap::new();
    let mut values: BTreeMap<DefId, Term> = BTreeMap::new();
    for id in used {
        let definition = &kept[id];
        let value = match &definition.value {
            Some(value) => evaluate(semantics, value, &values),
            None => constant(semantics, definition.symbol, definition.exact, &values),
        };
        values.insert(id, value);
        // An input is where it is stored; it is no entry of its own.
        if semantics.storage_of(definition.symbol).is_none() {
            continue;
        }
        let number = table.entries.len() + 1;
        numbers.insert(id, number);
        let depends_on = definition
            .value
            .iter()
            .flat_map(|value| value.uses.iter())
            .filter_map(|(_, used)| numbers.get(used).copied())
            .collect();
        table.entries.push(Row {
            number,
            step: definition.step,
            storage: definition.symbol,
            value,
            depends_on,
            overwritten: definition.died <= end,
        });
    }
    for &index in &reduced.conditions {
        let condition = &simulation.conditions[index];
        table.conditions.push(ConditionRow {
            step: condition.step,
            value: evaluate(semantics, &condition.guard, &values),
            depends_on: condition
                .guard
                .uses
                .iter()
                .filter_map(|(_, used)| numbers.get(used).copied())
                .collect(),
        });
    }
    table
}

fn evaluate(semantics: &mut Semantics<'_>, computed: &Computed, values: &BTreeMap<DefId, Term>) -> Term {
    let pairs: Vec<(Symbol, Term)> = computed
        .uses
        .iter()
        .filter_map(|&(symbol, used)| Some((symbol, *values.get(&used)?)))
        .collect();
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, computed.term)
}

/// A symbolic constant named after its storage; another of the same name gets a number.
fn constant(
    semantics: &mut Semantics<'_>,
    symbol: Symbol,
    exact: Term,
    taken: &BTreeMap<DefId, Term>,
) -> Term {
    if semantics.storage_of(symbol).is_none() {
        return exact;
    }
    let whole = semantics.terms.symbol_name(symbol);
    let short = whole.rsplit("::").next().unwrap_or(whole).to_owned();
    let sort = semantics.terms.symbol_sort(symbol);
    let info = semantics.terms.symbol_info(symbol).clone();
    let mut name = format!("θ_{short}");
    let mut count = 1;
    loop {
        match semantics.terms.find_symbol(&name) {
            Some(known) => {
                let term = semantics.terms.symbol_term(known);
                if semantics.terms.symbol_sort(known) == sort && !taken.values().any(|&other| other == term) {
                    return term;
                }
            }
            None => return semantics.terms.var(&name, sort, info),
        }
        count += 1;
        name = format!("θ_{short}{count}");
    }
}
