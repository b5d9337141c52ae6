//! Where candidates come from: comparisons of words that a loop works with, conditions of the program, and preconditions of
//! what is wanted.

use std::collections::BTreeSet;

use facts::Split;
use logic::{Op, Signedness, Sort, Symbol, Term};
use program::{EdgeId, EdgeKind, FuncId, LocId, LoopId, Loops, VarKind};
use semantics::{Semantics, Step, Storage};
use verdict::Reason;

use crate::{Candidates, Goal, Work, contents};

/// The words of a loop that are compared with each other.
const MAX_WORDS: usize = 14;
/// The words of which sums are compared.
const MAX_SUMMED: usize = 5;
const MAX_FACTORS: usize = 4;
/// The conditions by which a function's states are kept apart, one at a time.
const MAX_PHASES: usize = 8;
const MAX_NUMBERS: usize = 24;
const MAX_CONDITIONS: usize = 40;
/// The most candidates of a cut point.
const MAX_CANDIDATES: usize = 900;

/// Kinds of candidates, each tried with all before it where those do not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What is wanted, and the program's own conditions.
    Wanted,
    /// Comparisons of words with each other and with numbers.
    Compared,
    /// What is wanted one round earlier.
    RoundBefore,
    /// What holds in the phases of loops, as conditions of the program tell them apart.
    Phases,
    /// Comparisons of sums and multiples.
    Summed,
}

pub(crate) const STAGES: [Stage; 7] = [
    Stage::Wanted,
    Stage::Compared,
    Stage::Phases,
    Stage::RoundBefore,
    Stage::Summed,
    Stage::RoundBefore,
    Stage::RoundBefore,
];

impl Stage {
    /// Adds candidates; `wanted` is what was wanted last, and so is what it gives.
    pub fn add(
        self,
        work: &mut Work<'_, '_, '_>,
        candidates: &mut Candidates,
        wanted: BTreeSet<Goal>,
    ) -> Result<BTreeSet<Goal>, Reason> {
        match self {
            Stage::RoundBefore => one_round_more(work, candidates, &wanted),
            Stage::Wanted => {
                guess(work, candidates, self);
                no_errors(work, candidates)
            }
            Stage::Phases => {
                phases(work, candidates)?;
                Ok(wanted)
            }
            Stage::Compared | Stage::Summed => {
                guess(work, candidates, self);
                Ok(wanted)
            }
        }
    }
}

/// What can be guessed at loop heads.
fn guess(work: &mut Work<'_, '_, '_>, candidates: &mut Candidates, stage: Stage) {
    let functions: Vec<FuncId> = work.functions.iter().map(|&(function, _)| function).collect();
    for (position, function) in functions.into_iter().enumerate() {
        for head in work.cut_points_of(function) {
            let id = work.functions[position].1.headed_by(head);
            let guessed = match (id, stage) {
                (None, _) if head == work.entry_of(function) => Vec::new(),
                (_, Stage::Wanted) => {
                    let mut guessed = conditions(work, function);
                    guessed.extend(contents::candidates(work, function));
                    guessed
                }
                (Some(id), _) => {
                    let around = outermost(&work.functions[position].1, id);
                    let words = words(work, function, position, around);
                    match stage {
                        Stage::Compared => comparisons(work, function, &words),
                        _ => sums(work, function, &words),
                    }
                }
                (None, _) => Vec::new(),
            };
            let known: BTreeSet<Term> = work.known(head).into_iter().collect();
            let there = candidates.entry(head).or_default();
            let mut seen: BTreeSet<Term> = there.iter().copied().collect();
            let room = MAX_CANDIDATES.saturating_sub(there.len());
            let new = guessed.into_iter().filter(|&term| {
                work.semantics.terms.as_bool(term).is_none() && !known.contains(&term) && seen.insert(term)
            });
            there.extend(new.take(room));
        }
    }
}

/// The facts of each phase, at loop heads.
fn phases(work: &mut Work<'_, '_, '_>, candidates: &mut Candidates) -> Result<(), Reason> {
    let functions: Vec<FuncId> = work.functions.iter().map(|&(function, _)| function).collect();
    for function in functions {
        let heads = work.cut_points_of(function);
        if heads.iter().all(|&head| head == work.entry_of(function)) {
            continue;
        }
        for condition in branches(work, function) {
            let split = Split { function, condition };
            let split = facts::analyse_split(work.semantics, work.task, split, work.budget)?;
            for &head in &heads {
                let known = work.known(head);
                let there = candidates.entry(head).or_default();
                for formula in split.at(work.semantics, head).unwrap_or_default() {
                    let is_new = !known.contains(&formula) && !there.contains(&formula);
                    if is_new && work.semantics.terms.as_bool(formula).is_none() {
                        there.push(formula);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Conditions of a function's branches, those of branches inside loops first.
fn branches(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<Term> {
    let slots: BTreeSet<Term> = work.facts.slots(function).collect();
    let program = work.task.program;
    let (_, loops) = work
        .functions
        .iter()
        .find(|(other, _)| *other == function)
        .expect("the function may be entered");
    let mut ranked: Vec<(bool, EdgeId)> = Vec::new();
    for &loc in loops.flow().reverse_post_order() {
        for &edge in &program.locs[loc].outgoing {
            let is_inside = loops.innermost(loc).is_some()
                && loops.innermost(loc) == loops.innermost(program.edges[edge].to);
            ranked.push((!is_inside, edge));
        }
    }
    ranked.sort_unstable();
    let mut branches = Vec::new();
    for (_, edge) in ranked {
        if !matches!(program.edges[edge].kind, EdgeKind::Assume { .. }) {
            continue;
        }
        let Ok(effect) = work.semantics.effect(Step::Edge(edge)) else {
            continue;
        };
        for atom in work.semantics.terms.atoms(effect.guard) {
            let (atom, _) = work.semantics.terms.literal(atom);
            if !branches.contains(&atom) && speaks_of(work, atom, &slots) {
                branches.push(atom);
            }
        }
    }
    branches.truncate(MAX_PHASES);
    branches
}

fn outermost(loops: &Loops, mut id: LoopId) -> LoopId {
    while let Some(parent) = loops.get(id).parent {
        id = parent;
    }
    id
}

/// The symbols that the edges from some locations mention and those that they assign.
fn mentioned(work: &mut Work<'_, '_, '_>, locs: &[LocId]) -> (BTreeSet<Symbol>, BTreeSet<Symbol>) {
    let program = work.task.program;
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        for way in work.semantics.ways(edge) {
            for step in [Some(way), way.leave()].into_iter().flatten() {
                let Ok(effect) = work.semantics.effect(step) else {
                    continue;
                };
                let mut roots = vec![effect.guard];
                roots.extend(effect.updates.iter().map(|&(_, value)| value));
                read.extend(work.semantics.terms.free_symbols(&roots));
                written.extend(effect.updates.iter().map(|&(symbol, _)| symbol));
            }
        }
    }
    (read, written)
}

/// The words that a loop works with, those that it changes first.
fn words(work: &mut Work<'_, '_, '_>, function: FuncId, position: usize, id: LoopId) -> Vec<Term> {
    let loops = &work.functions[position].1;
    let body = loops.get(id).body.clone();
    let all = loops.flow().reverse_post_order().to_vec();
    let (in_loop, changed) = mentioned(work, &body);
    let (anywhere, _) = mentioned(work, &all);
    let slots: Vec<Term> = work.facts.slots(function).collect();
    let symbol_of = |semantics: &Semantics<'_>, slot: Term| match semantics.terms.op(slot) {
        Op::Symbol(symbol) => Some(symbol),
        _ => semantics.terms.as_symbol(semantics.terms.args(slot)[0]),
    };
    let is_named = |semantics: &Semantics<'_>, symbol: Symbol| match semantics.storage_of(symbol) {
        Some(Storage::Variable(var, _)) => semantics.program.vars[var].kind != VarKind::Temporary,
        Some(Storage::Memory(_)) => true,
        _ => false,
    };
    let mut ranked: Vec<(usize, Term)> = Vec::new();
    for slot in slots {
        let Some(symbol) = symbol_of(work.semantics, slot) else {
            continue;
        };
        if !is_named(work.semantics, symbol)
            || !matches!(work.semantics.terms.sort(slot), Sort::BitVec(8..=64))
        {
            continue;
        }
        let rank = match (changed.contains(&symbol), in_loop.contains(&symbol)) {
            (true, true) => 0,
            (false, true) => 1,
            (true, false) => 2,
            (false, false) if anywhere.contains(&symbol) => 3,
            _ => continue,
        };
        ranked.push((rank, slot));
    }
    ranked.sort_unstable();
    ranked.truncate(MAX_WORDS);
    ranked.into_iter().map(|(_, slot)| slot).collect()
}

/// Numbers that the function compares with or assigns.
fn numbers(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<i128> {
    let mut numbers: BTreeSet<(u128, i128)> = BTreeSet::new();
    for term in program_terms(work, function) {
        let terms = &work.semantics.terms;
        if let (Some(bits), Some(width @ 8..=64)) = (terms.as_word(term), terms.sort(term).width()) {
            let number = ((bits << (128 - width)) as i128) >> (128 - width);
            for near in [number - 1, number, number + 1] {
                numbers.insert((near.unsigned_abs(), near));
            }
        }
    }
    numbers
        .into_iter()
        .map(|(_, number)| number)
        .take(MAX_NUMBERS)
        .collect()
}

/// All terms of the conditions and assignments of a function.
fn program_terms(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<Term> {
    let program = work.task.program;
    let body = program.functions[function].body.as_ref();
    let locs = body.map_or(&[][..], |body| &body.locs);
    let mut roots = Vec::new();
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        for way in work.semantics.ways(edge) {
            if let Ok(effect) = work.semantics.effect(way) {
                roots.push(effect.guard);
                roots.extend(effect.updates.iter().map(|&(_, value)| value));
            }
        }
    }
    work.semantics.terms.subterms(&roots)
}

/// The conditions of a function's branches, as they are and weaker: `x < y` also as `x <= y`.
fn conditions(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<Term> {
    let slots: BTreeSet<Term> = work.facts.slots(function).collect();
    let mut conditions = Vec::new();
    for term in program_terms(work, function) {
        let op = work.semantics.terms.op(term);
        if !matches!(op, Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle) || !speaks_of(work, term, &slots) {
            continue;
        }
        let args = work.semantics.terms.args(term).to_vec();
        if work.semantics.terms.sort(args[0]).width().is_none() {
            continue;
        }
        let (a, b) = (args[0], args[1]);
        let terms = &mut work.semantics.terms;
        let signed = matches!(op, Op::Slt | Op::Sle);
        conditions.extend([term, terms.not(term)]);
        match op {
            Op::Eq => conditions.extend([terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]),
            _ if signed => conditions.extend([terms.sle(a, b), terms.sle(b, a)]),
            _ => conditions.extend([terms.ule(a, b), terms.ule(b, a)]),
        }
        if conditions.len() > 4 * MAX_CONDITIONS {
            break;
        }
    }
    conditions
}

/// Whether a formula speaks of the function's storage alone.
fn speaks_of(work: &Work<'_, '_, '_>, formula: Term, slots: &BTreeSet<Term>) -> bool {
    let terms = &work.semantics.terms;
    let symbols = terms.free_symbols(&[formula]);
    !symbols.is_empty()
        && symbols
            .iter()
            .all(|&symbol| match work.semantics.storage_of(symbol) {
                Some(Storage::Variable(var, _)) => {
                    work.semantics.program.vars[var].kind != VarKind::Temporary
                        && (slots.contains(&terms.symbol_term(symbol))
                            || terms.symbol_sort(symbol).width().is_none())
                }
                Some(Storage::Memory(_) | Storage::Address(_)) => true,
                _ => false,
            })
}

fn is_unsigned(work: &Work<'_, '_, '_>, term: Term) -> bool {
    let terms = &work.semantics.terms;
    match terms.as_symbol(term) {
        Some(symbol) => terms.symbol_info(symbol).signedness != Signedness::Signed,
        None => false,
    }
}

fn comparisons(work: &mut Work<'_, '_, '_>, function: FuncId, words: &[Term]) -> Vec<Term> {
    let mut guessed = Vec::new();
    let numbers = numbers(work, function);
    for (index, &x) in words.iter().enumerate() {
        for &y in &words[index + 1..] {
            if work.semantics.terms.sort(x) != work.semantics.terms.sort(y) {
                continue;
            }
            let unsigned = is_unsigned(work, x) || is_unsigned(work, y);
            let terms = &mut work.semantics.terms;
            let width = terms.sort(x).width().expect("words are compared");
            let one = terms.word(width, 1);
            let (x_next, y_next) = (terms.add(x, one), terms.add(y, one));
            guessed.push(terms.eq(x, y));
            guessed.extend([terms.sle(x, y), terms.sle(y, x), terms.slt(x, y), terms.slt(y, x)]);
            guessed.extend([terms.sle(x, y_next), terms.sle(y, x_next)]);
            if unsigned {
                guessed.extend([terms.ule(x, y), terms.ule(y, x), terms.ult(x, y), terms.ult(y, x)]);
                guessed.extend([terms.ule(x, y_next), terms.ule(y, x_next)]);
            }
            let different = terms.ne(x, y);
            guessed.push(different);
        }
    }
    for &x in words {
        let unsigned = is_unsigned(work, x);
        let terms = &mut work.semantics.terms;
        let width = terms.sort(x).width().expect("words are compared");
        for &number in &numbers {
            let number = terms.int(width, number);
            let different = terms.ne(x, number);
            match unsigned {
                true => guessed.extend([terms.ule(x, number), terms.ule(number, x), different]),
                false => guessed.extend([terms.sle(x, number), terms.sle(number, x), different]),
            }
        }
    }
    guessed
}

/// Comparisons of sums of two words, and of multiples of words, with others.
fn sums(work: &mut Work<'_, '_, '_>, function: FuncId, words: &[Term]) -> Vec<Term> {
    let mut guessed = Vec::new();
    let summed: Vec<Term> = words.iter().copied().take(MAX_SUMMED).collect();
    let factors: Vec<i128> = numbers(work, function)
        .into_iter()
        .filter(|&number| number > 1)
        .take(MAX_FACTORS)
        .collect();
    for (index, &x) in summed.iter().enumerate() {
        for &y in &summed {
            let terms = &mut work.semantics.terms;
            if x == y || terms.sort(x) != terms.sort(y) {
                continue;
            }
            let width = terms.sort(x).width().expect("words are compared");
            let one = terms.word(width, 1);
            for &factor in &factors {
                let factor = terms.int(width, factor);
                let multiple = terms.mul(factor, y);
                let next = terms.add(multiple, one);
                guessed.extend([terms.sle(x, multiple), terms.sle(multiple, x), terms.sle(x, next)]);
                guessed.extend([terms.ule(x, multiple), terms.ule(multiple, x)]);
            }
        }
        for &y in &summed[index + 1..] {
            for &z in &summed {
                let terms = &mut work.semantics.terms;
                if z == x || z == y || terms.sort(x) != terms.sort(y) || terms.sort(x) != terms.sort(z) {
                    continue;
                }
                let sum = terms.add(x, y);
                guessed.extend([
                    terms.sle(sum, z),
                    terms.sle(z, sum),
                    terms.ule(sum, z),
                    terms.ule(z, sum),
                ]);
            }
        }
    }
    guessed
}

/// Adds what must hold at cut points for no error to come before the next; gives what was added.
fn no_errors(work: &mut Work<'_, '_, '_>, candidates: &mut Candidates) -> Result<BTreeSet<Goal>, Reason> {
    let mut wanted = BTreeSet::from([Goal::NoError]);
    // What a function needs at its entry is wanted of its callers, which come after it.
    for _ in 0..3 {
        let added = one_round_more(work, candidates, &wanted)?;
        let at_entries: BTreeSet<Goal> = added
            .iter()
            .copied()
            .filter(|goal| match *goal {
                Goal::At(loc, _) => work.entry_of(work.task.program.locs[loc].function) == loc,
                Goal::NoError => false,
            })
            .collect();
        wanted.extend(added);
        if at_entries.is_empty() {
            break;
        }
    }
    wanted.remove(&Goal::NoError);
    Ok(wanted)
}

/// Adds what must hold at cut points for the goals to hold at the next; gives what was added.
fn one_round_more(
    work: &mut Work<'_, '_, '_>,
    candidates: &mut Candidates,
    goals: &BTreeSet<Goal>,
) -> Result<BTreeSet<Goal>, Reason> {
    let mut added = BTreeSet::new();
    let start = work.entry_of(work.task.entry);
    for &goal in goals {
        for function in work.functions_of(goal) {
            let Some(conditions) = work.conditions(function, goal)? else {
                continue;
            };
            for source in work.cut_points_of(function) {
                let is_start_only = source == start
                    && work
                        .functions
                        .iter()
                        .all(|(f, l)| *f != function || l.headed_by(source).is_none());
                if is_start_only && !work.task.calls.is_recursive(function) {
                    continue;
                }
                let known = work.known(source);
                let there = candidates.entry(source).or_default();
                for &formula in conditions.get(&source).into_iter().flatten() {
                    let is_new = !there.contains(&formula) && !known.contains(&formula);
                    if is_new
                        && there.len() < MAX_CANDIDATES
                        && work.semantics.terms.as_bool(formula).is_none()
                    {
                        there.push(formula);
                        added.insert(Goal::At(source, formula));
                    }
                }
            }
        }
    }
    Ok(added)
}
