//! Formulas of words and floats, decided by a SAT solver: every bit of theirs becomes a gate (`translate.rs`; `words.rs` and
//! `floats.rs` are the arithmetic), the gates become clauses (`clauses.rs`), and CaDiCaL decides those. Z3 has such a way of its own;
//! this one has smaller circuits, above all for floats, and a stronger solver behind it (`bench/bounded`).

mod cheapest;
mod circuit;
mod clauses;
mod count;
mod floats;
#[cfg(test)]
mod tests;
mod translate;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use logic::{Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;

use cheapest::{Found, cheapest};
use circuit::Bit;
use clauses::Clauses;
use translate::{Refused, Translation};

/// When to stop.
#[derive(Clone)]
pub(crate) struct Limit {
    until: Option<Instant>,
    /// So many wrong guesses of the SAT solver.
    conflicts: Option<u32>,
    /// Counts interruptions; another one ends the question.
    interruptions: Arc<AtomicU64>,
    interruptions_before: u64,
}

impl Limit {
    pub fn new(until: Option<Instant>, conflicts: Option<u32>, interruptions: &Arc<AtomicU64>) -> Limit {
        Limit {
            until,
            conflicts,
            interruptions: Arc::clone(interruptions),
            interruptions_before: interruptions.load(Ordering::Relaxed),
        }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interruptions.load(Ordering::Relaxed) != self.interruptions_before
    }

    fn is_reached(&self) -> bool {
        self.is_interrupted() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl cadical::Callbacks for Limit {
    fn terminate(&mut self) -> bool {
        self.is_reached()
    }
}

pub(crate) enum Decided {
    /// With values of the symbols that matter.
    Sat(Vec<(Symbol, Value)>),
    /// With formulas that contradict each other, if they were asked for.
    Unsat(Vec<Term>),
    /// The time was up, or there was an interruption.
    Stopped,
    /// The work was done that the question may take.
    TooMuchWork,
    /// These are no formulas for this: they have arrays, or are too large.
    Refused,
}

pub(crate) struct Sat(cadical::Solver<Limit>);

impl Sat {
    /// What is asked of words mostly cannot be, and then a search that does not look for values first is about a third quicker
    /// (`bench/bounded`); of floats it is as often the other way round.
    fn for_formulas(translation: &Translation) -> Sat {
        let for_words = cadical::Solver::with_config("unsat").ok();
        let solver = for_words.filter(|_| !translation.has_floats());
        Sat(solver.unwrap_or_default())
    }
}

impl Clauses for Sat {
    fn clause(&mut self, literals: &[i32]) {
        self.0.add_clause(literals.iter().copied());
    }
}

/// Whether formulas can be true together. Each is assumed by itself where a core is wanted, which costs something.
pub(crate) fn decide(terms: &Terms, formulas: &[Term], limit: Limit, wants_core: bool) -> Decided {
    let mut translation = Translation::new();
    let mut bits = Vec::with_capacity(formulas.len());
    for &formula in formulas {
        match translation.formula(terms, formula, &|| limit.is_reached()) {
            Ok(Bit::FALSE) => return Decided::Unsat(vec![formula]),
            Ok(bit) => bits.push(bit),
            Err(Refused::Stopped) => return Decided::Stopped,
            Err(Refused::Arrays | Refused::TooLarge) => return Decided::Refused,
        }
    }
    let mut required = translation.circuit.definitions.clone();
    let assumed: Vec<Bit> = match wants_core {
        true => bits,
        false => {
            required.extend(bits);
            Vec::new()
        }
    };
    let mut sat = Sat::for_formulas(&translation);
    let Some(variables) = clauses::write(&translation.circuit, &required, &assumed, &mut sat) else {
        return Decided::Unsat(Vec::new());
    };
    if let Some(conflicts) = limit.conflicts {
        sat.0
            .set_limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX))
            .expect("CaDiCaL counts conflicts");
    }
    sat.0.set_callbacks(Some(limit.clone()));
    let assumptions: Vec<Option<i32>> = assumed.iter().map(|&bit| variables.literal(bit)).collect();
    match sat.0.solve_with(assumptions.iter().flatten().copied()) {
        None if limit.is_reached() => Decided::Stopped,
        None => Decided::TooMuchWork,
        Some(false) => {
            let needed = formulas.iter().zip(assumptions);
            let needed = needed.filter(|(_, literal)| literal.is_some_and(|literal| sat.0.failed(literal)));
            Decided::Unsat(needed.map(|(&formula, _)| formula).collect())
        }
        Some(true) => {
            let value = |bit: Bit| {
                variables
                    .literal(bit)
                    .is_some_and(|literal| sat.0.value(literal) == Some(true))
            };
            Decided::Sat(translation.values(terms, value))
        }
    }
}

/// The bit of each proposition.
fn first_bits(translation: &Translation) -> FxHashMap<Symbol, Bit> {
    let symbols = translation.symbols().iter();
    symbols.map(|(symbol, word)| (*symbol, word[0])).collect()
}

/// Of each symbol, whether it is false wherever the formula is true; what is not known in time is not. The formula says that one of
/// them is true. `None` if the formula is none for this.
pub(crate) fn decide_each(
    terms: &Terms,
    formula: Term,
    symbols: &[Symbol],
    limit: Limit,
) -> Option<Vec<bool>> {
    let mut translation = Translation::new();
    let required = match translation.formula(terms, formula, &|| limit.is_reached()) {
        Ok(Bit::FALSE) => return Some(vec![true; symbols.len()]),
        Ok(bit) => bit,
        Err(Refused::Stopped) => return Some(vec![false; symbols.len()]),
        Err(Refused::Arrays | Refused::TooLarge) => return None,
    };
    let bits = first_bits(&translation);
    let named: Option<Vec<Bit>> = symbols.iter().map(|symbol| bits.get(symbol).copied()).collect();
    let named = named?;
    let mut all = translation.circuit.definitions.clone();
    all.push(required);
    let mut sat = Sat::for_formulas(&translation);
    let Some(variables) = clauses::write(&translation.circuit, &all, &named, &mut sat) else {
        return Some(vec![true; symbols.len()]);
    };
    sat.0.set_callbacks(Some(limit));
    let mut open: Vec<(usize, i32)> = named
        .iter()
        .enumerate()
        .filter_map(|(at, &bit)| Some((at, variables.literal(bit)?)))
        .collect();
    let mut last = variables.last();
    while !open.is_empty() {
        // One of those that are left is to be true, as long as this is assumed.
        last += 1;
        let literals: Vec<i32> = open.iter().map(|&(_, literal)| literal).chain([-last]).collect();
        sat.clause(&literals);
        match sat.0.solve_with([last]) {
            Some(true) => open.retain(|&(_, literal)| sat.0.value(literal) != Some(true)),
            Some(false) => break,
            None => return Some(vec![false; symbols.len()]),
        }
    }
    let mut impossible = vec![false; symbols.len()];
    open.into_iter().for_each(|(at, _)| impossible[at] = true);
    Some(impossible)
}

/// Values that make a formula true and of the preferred symbols so much that the weights of the others are the least sum, and whether
/// they are: otherwise the limit was reached, and there may be cheaper ones.
pub(crate) fn decide_best(
    terms: &Terms,
    formula: Term,
    preferred: &[(Symbol, u64)],
    limit: Limit,
) -> (Decided, bool) {
    let mut translation = Translation::new();
    let required = match translation.formula(terms, formula, &|| limit.is_reached()) {
        Ok(Bit::FALSE) => return (Decided::Unsat(Vec::new()), true),
        Ok(bit) => bit,
        Err(Refused::Stopped) => return (Decided::Stopped, false),
        Err(Refused::Arrays | Refused::TooLarge) => return (Decided::Refused, false),
    };
    let bits = first_bits(&translation);
    // What does not occur costs nothing.
    let preferred = preferred
        .iter()
        .filter_map(|(symbol, weight)| Some((*bits.get(symbol)?, *weight)));
    let preferred: Vec<(Bit, u64)> = preferred.collect();
    let named: Vec<Bit> = preferred.iter().map(|&(bit, _)| bit).collect();
    let mut all = translation.circuit.definitions.clone();
    all.push(required);
    let mut sat = Sat(cadical::Solver::new());
    let Some(variables) = clauses::write(&translation.circuit, &all, &named, &mut sat) else {
        return (Decided::Unsat(Vec::new()), true);
    };
    sat.0.set_callbacks(Some(limit.clone()));
    let literals = preferred.iter().map(|&(bit, weight)| {
        let literal = variables.literal(bit);
        (literal.expect("it was named"), weight)
    });
    let literals: Vec<(i32, u64)> = literals.collect();
    match cheapest(&mut sat, variables.last(), &literals, &limit) {
        Found::Stopped => (Decided::Stopped, false),
        Found::Unsatisfiable => (Decided::Unsat(Vec::new()), true),
        Found::Values(values, is_least) => {
            let value = |bit: Bit| {
                let literal = variables.literal(bit);
                literal.is_some_and(|literal| values[literal.unsigned_abs() as usize - 1] == (literal > 0))
            };
            (Decided::Sat(translation.values(terms, value)), is_least)
        }
    }
}
