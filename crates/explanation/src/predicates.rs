//! The predicates that an explanation is told in, from the failing run: the conditions that it met, and what they say about earlier
//! states, by weakest preconditions along its way. A predicate is followed at the locations at which it was met so. That is
//! one way for the counterexamples of all engines; an abstraction that an engine refined has the same predicates where they
//! matter for the way.
//!
//! Each predicate knows the conditions that it comes from: that is how it is known later which of them tell the same story.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Exhausted};
use logic::{Op, Substitution, Term};
use program::{EdgeKind, FuncId, LocId, VarId, VarKind};
use semantics::{Path, Semantics, Step, Storage, owner};

use crate::inputs::equals;

/// A predicate at a location.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// An atom.
    pub term: Term,
    /// The steps of the path that are conditions which it comes from; none for what only tells the stem of a run from its rounds, which
    /// is compared but not told.
    pub origins: BTreeSet<usize>,
}

pub type Predicates = BTreeMap<LocId, Vec<Predicate>>;

/// No location has more.
const MOST: usize = 8;
/// Larger terms tell nobody anything.
const LARGEST: usize = 24;
/// Conditions are followed back over so many steps.
const FURTHEST: usize = 400;

/// A predicate on its way back.
struct Carried {
    term: Term,
    origin: usize,
}

/// The predicates of a path, without those about variables that are not to be seen.
pub fn predicates(
    semantics: &mut Semantics<'_>,
    path: &Path,
    locations: &[LocId],
    unseen: &BTreeSet<VarId>,
    budget: &Budget,
) -> Result<Predicates, Exhausted> {
    let mut found = Predicates::new();
    let mut carried: Vec<Carried> = Vec::new();
    for step in (0..path.steps.len()).rev() {
        budget.check()?;
        let taken = path.steps[step];
        let Ok(effect) = semantics.effect(taken) else {
            carried.clear();
            continue;
        };
        carried.retain(|carried| carried.origin - step < FURTHEST);
        back_over(semantics, taken, &effect.updates, &mut carried);
        let is_condition = matches!(
            semantics.program.edges[taken.edge()].kind,
            EdgeKind::Assume { .. }
        );
        if is_condition {
            for atom in semantics.terms.atoms(effect.guard) {
                let (term, _) = semantics.terms.literal(atom);
                carried.push(Carried { term, origin: step });
            }
        }
        carried.retain(|carried| is_readable(semantics, carried.term));
        let function = semantics.program.locs[locations[step]].function;
        let here = found.entry(locations[step]).or_default();
        // What the error is about comes first, then what is met next.
        let last = carried.iter().map(|carried| carried.origin).max();
        let about_error = carried.iter().filter(|carried| Some(carried.origin) == last);
        let others = carried
            .iter()
            .rev()
            .filter(|carried| Some(carried.origin) != last);
        for carried in about_error.chain(others) {
            if is_about(semantics, carried.term, function) && !mentions(semantics, carried.term, unseen) {
                add(here, carried);
            }
        }
    }
    Ok(found)
}

/// At all of the locations, a predicate that says whether the variable is 0.
pub fn tell_apart(
    semantics: &mut Semantics<'_>,
    locations: &[LocId],
    var: VarId,
    predicates: &mut Predicates,
) {
    if !semantics.is_split(var) {
        return;
    }
    let symbol = semantics.symbol(Storage::Variable(var, 0));
    let Some(term) = equals(semantics, symbol, 0) else {
        return;
    };
    for &loc in locations.iter().collect::<BTreeSet<_>>() {
        predicates.entry(loc).or_default().push(Predicate {
            term,
            origins: BTreeSet::new(),
        });
    }
}

fn add(here: &mut Vec<Predicate>, carried: &Carried) {
    if let Some(known) = here.iter_mut().find(|known| known.term == carried.term) {
        known.origins.insert(carried.origin);
    } else if here.len() < MOST {
        here.push(Predicate {
            term: carried.term,
            origins: BTreeSet::from([carried.origin]),
        });
    }
}

/// What the predicates after a step say about the state before it. What depends on an input of the step begins there.
fn back_over(
    semantics: &mut Semantics<'_>,
    step: Step,
    updates: &[(logic::Symbol, Term)],
    carried: &mut Vec<Carried>,
) {
    if let Step::Leave { callee, .. } = step {
        // The caller's own activation of the callee is another than the one that is gone into.
        carried.retain(|carried| {
            let symbols = semantics.terms.free_symbols(&[carried.term]);
            symbols
                .into_iter()
                .all(|symbol| owner(semantics, symbol) != Some(callee))
        });
    }
    if updates.is_empty() {
        return;
    }
    let mut substitution = Substitution::of_symbols(&semantics.terms, updates.iter().copied());
    let mut before: Vec<Carried> = Vec::new();
    for Carried { term, origin } in carried.drain(..) {
        let term = substitution.apply(&mut semantics.terms, term);
        for atom in semantics.terms.atoms(term) {
            let (term, _) = semantics.terms.literal(atom);
            if !before
                .iter()
                .any(|known| known.term == term && known.origin == origin)
            {
                before.push(Carried { term, origin });
            }
        }
    }
    *carried = before;
}

/// Whether a term is about the program's storage, short, and reads memory as it is.
fn is_readable(semantics: &Semantics<'_>, term: Term) -> bool {
    let terms = &semantics.terms;
    terms.size(term) <= LARGEST
        && terms
            .subterms(&[term])
            .into_iter()
            .all(|part| match terms.op(part) {
                Op::Store | Op::Ite | Op::ConstArray => false,
                Op::Symbol(symbol) => semantics.storage_of(symbol).is_some(),
                _ => true,
            })
}

fn mentions(semantics: &Semantics<'_>, term: Term, vars: &BTreeSet<VarId>) -> bool {
    let symbols = semantics.terms.free_symbols(&[term]);
    symbols
        .into_iter()
        .any(|symbol| match semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => vars.contains(&var),
            _ => false,
        })
}

/// Whether the term can be spoken of in a function.
fn is_about(semantics: &Semantics<'_>, term: Term, function: FuncId) -> bool {
    let symbols = semantics.terms.free_symbols(&[term]);
    symbols.into_iter().all(|symbol| {
        let is_named = match semantics.storage_of(symbol) {
            Some(Storage::Variable(var, _)) => semantics.program.vars[var].kind != VarKind::Temporary,
            Some(Storage::Result(..)) => false,
            _ => true,
        };
        is_named && owner(semantics, symbol).is_none_or(|owner| owner == function)
    })
}

/// The two sides of a comparison in either order, or the one that is compared with a constant.
type Sides = (Term, Option<Term>);

/// Groups predicates that exclude each other: comparisons of the same two sides, or of one with constants.
pub fn components(semantics: &Semantics<'_>, predicates: &[Predicate]) -> Vec<Vec<usize>> {
    let terms = &semantics.terms;
    let key = |term: Term| -> Sides {
        match (terms.op(term), terms.args(term)) {
            (Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule, &[a, b]) => {
                match (terms.is_constant(a), terms.is_constant(b)) {
                    (true, _) => (b, None),
                    (_, true) => (a, None),
                    _ => (a.min(b), Some(a.max(b))),
                }
            }
            _ => (term, None),
        }
    };
    let mut components: Vec<(Sides, Vec<usize>)> = Vec::new();
    for (index, predicate) in predicates.iter().enumerate() {
        let key = key(predicate.term);
        match components.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(index),
            None => components.push((key, vec![index])),
        }
    }
    components.into_iter().map(|(_, members)| members).collect()
}
