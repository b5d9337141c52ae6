//! Values for pointers and indices that nothing determines. Any pointer but null would take the path; a run can go on only
//! where there is memory behind it. So accesses stay inside of the objects that their addresses are computed from, and
//! each pointer that comes from nowhere is given memory of its own, apart from all objects of the program, as far as the
//! path's conditions allow it.

use std::ops::Range;

use budget::Budget;
use logic::{Assignment, ElementSort, Op, Signedness, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashSet;
use semantics::{FreshCause, Semantics};
use solver::{Answer, Cells, Decision, Solver, Want};

use crate::execution::Execution;
use crate::memory::{Home, home};
use crate::unknown::Cause;

/// How far apart the memories of two pointers are.
const ROOM: u64 = 0x1_0000;
/// A pointer may point into the middle of what it belongs to.
const BEFORE: u64 = 0x4000;
/// More pointers than this are left as they are.
const MAX_POINTERS: usize = 64;
/// More accesses of objects than this are not looked after.
const MAX_ACCESSES: usize = 256;
/// So many questions may stay without an answer.
const MAX_UNANSWERED: u32 = 2;
/// The work that a question is worth, in the solver's count: about a second. Without an answer the model is as good as it was.
const EFFORT: u32 = 1_500_000;
/// From so many reads and writes of memory on, cells are asked about instead of memories.
const MANY: usize = 24;
/// So many wishes are given up one at a time; then it is half of those that are left.
const MAX_SINGLE: usize = 16;

/// Where the memory begins that is none of the program's.
fn environment(pointer_bits: u32) -> u64 {
    match pointer_bits {
        32 => 0x3000_0000,
        _ => 0x5800_0000_0000,
    }
}

/// A model of a path's conditions in which pointers have memory of their own where possible.
pub struct Pointed {
    pub model: Assignment,
    /// The memory of those pointers.
    pub environment: Vec<Range<u64>>,
}

/// Finds a better model of the assumptions than the one that is known.
pub fn point_apart(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    execution: &Execution,
    assumptions: &[Term],
    model: Assignment,
    budget: &Budget,
) -> Pointed {
    let pointers = pointers(semantics, execution);
    let bits = semantics.pointer_bits();
    let mut wishes: Vec<(Option<Range<u64>>, Term)> = inside(semantics, execution, assumptions)
        .into_iter()
        .map(|wish| (None, wish))
        .collect();
    for (number, pointer) in pointers.into_iter().enumerate() {
        let start = environment(bits) + ROOM * number as u64;
        let address = semantics.terms.word(bits, u128::from(start + BEFORE));
        wishes.push((Some(start..start + ROOM), semantics.terms.eq(pointer, address)));
    }
    let uses_much_memory = Cells::count(&semantics.terms, assumptions) >= MANY;
    let mut cells = uses_much_memory.then(Cells::default);
    let mut unanswered = 0;
    let mut given_up = 0;
    while !wishes.is_empty() && unanswered < MAX_UNANSWERED && budget.check().is_ok() {
        let all: Vec<Term> = assumptions
            .iter()
            .copied()
            .chain(wishes.iter().map(|&(_, wish)| wish))
            .collect();
        solver.set_effort_limit(Some(EFFORT));
        let answer = match &mut cells {
            Some(cells) => match cells.decide(&mut semantics.terms, solver, &all, budget) {
                Ok(Decision::Possible(model)) => Answer::Sat(Some(model)),
                Ok(Decision::Contradictory(core)) => Answer::Unsat(core),
                Ok(Decision::NotFound) | Err(_) => Answer::Sat(None),
            },
            None => solver.check(&mut semantics.terms, &all, Want::Either),
        };
        solver.set_effort_limit(None);
        match answer {
            Answer::Sat(Some(model)) => {
                let environment = wishes.into_iter().filter_map(|(range, _)| range).collect();
                return Pointed { model, environment };
            }
            Answer::Unsat(core) => {
                // The first pointers of a path are what the later ones are read through.
                given_up += 1;
                match wishes.iter().rposition(|(_, wish)| core.contains(wish)) {
                    Some(position) if given_up <= MAX_SINGLE => drop(wishes.remove(position)),
                    Some(_) => wishes.truncate(wishes.len() / 2),
                    None => break,
                }
            }
            Answer::Sat(None) | Answer::Unknown(_) => {
                unanswered += 1;
                wishes.truncate(wishes.len() / 2);
            }
        }
    }
    Pointed {
        model,
        environment: Vec::new(),
    }
}

/// That accesses whose addresses are computed from an object's address lie inside of it.
fn inside(semantics: &mut Semantics<'_>, execution: &Execution, roots: &[Term]) -> Vec<Term> {
    let mut accesses: Vec<(Term, u64, u64)> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = roots.to_vec();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) || accesses.len() >= MAX_ACCESSES {
            continue;
        }
        let terms = &semantics.terms;
        let args = terms.args(term);
        pending.extend(args);
        let (Op::Select | Op::Store, Sort::Array { element, .. }) =
            (terms.op(term), terms.sort(args.first().copied().unwrap_or(term)))
        else {
            continue;
        };
        let address = args[1];
        if let Some((start, size)) = object_of(semantics, execution, address) {
            let width = match element {
                ElementSort::BitVec(bits) => u64::from(bits / 8),
                ElementSort::Float(_) | ElementSort::Bool => 1,
            };
            if width <= size && !accesses.iter().any(|&(known, ..)| known == address) {
                accesses.push((address, start, size - width));
            }
        }
    }
    let bits = semantics.pointer_bits();
    let terms = &mut semantics.terms;
    let mut wishes = Vec::with_capacity(accesses.len());
    for (address, start, last) in accesses {
        let start = terms.word(bits, u128::from(start));
        let last = terms.word(bits, u128::from(last));
        let offset = terms.sub(address, start);
        wishes.push(terms.ule(offset, last));
    }
    wishes
}

/// Where the object lies, and its size, that a sum adds an unknown offset to.
fn object_of(semantics: &Semantics<'_>, execution: &Execution, address: Term) -> Option<(u64, u64)> {
    let terms = &semantics.terms;
    if terms.op(address) != Op::Add {
        return None;
    }
    let base = terms.args(address).iter().find_map(|&term| terms.as_word(term))?;
    let base = u64::try_from(base).ok()?;
    match home(semantics, execution, base) {
        Home::Allocation(number, _) => {
            let allocation = &execution.allocations()[number];
            Some((allocation.address, allocation.size))
        }
        Home::Variable(var, offset) => {
            let program = semantics.program;
            Some((base - offset, program.types.size(program.vars[var].ty)))
        }
        Home::Environment | Home::Nowhere => None,
    }
}

/// The pointers of the path's accesses whose values depend on unknowns, each once, without constant offsets.
fn pointers(semantics: &mut Semantics<'_>, execution: &Execution) -> Vec<Term> {
    let bits = semantics.pointer_bits();
    let mut found: Vec<Term> = Vec::new();
    let candidates: Vec<Term> = (execution.defined().iter())
        .flat_map(|&(_, condition)| not_null(semantics, condition))
        .collect();
    for pointer in candidates {
        if semantics.terms.sort(pointer) != Sort::BitVec(bits)
            || !may_be_pointer(semantics, execution, pointer)
            || object_of(semantics, execution, pointer).is_some()
        {
            continue;
        }
        let base = without_offset(semantics, pointer);
        if !found.contains(&base) && found.len() < MAX_POINTERS {
            found.push(base);
        }
    }
    found
}

/// The words that a condition says are not zero, less offsets: where memory may have been written, it says so for the case
/// that it was not.
fn not_null(semantics: &mut Semantics<'_>, condition: Term) -> Vec<Term> {
    let bits = semantics.pointer_bits();
    let terms = &mut semantics.terms;
    let mut found = Vec::new();
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut pending = vec![(condition, true)];
    while let Some((term, holds)) = pending.pop() {
        if !seen.insert((term, holds)) {
            continue;
        }
        let args = terms.args(term).to_vec();
        match (terms.op(term), &args[..]) {
            (Op::Not, &[negated]) => pending.push((negated, !holds)),
            (Op::And | Op::Or, _) => {
                if terms.op(term) == Op::And && !holds {
                    found.extend(word_in_bytes(terms, &args, bits));
                }
                pending.extend(args.iter().rev().map(|&arg| (arg, holds)));
            }
            (Op::Ite, &[_, then, otherwise]) => pending.extend([(otherwise, holds), (then, holds)]),
            // That p + 4 is not zero may be said as p != -4.
            (Op::Eq, &[a, b]) if !holds => match (terms.as_word(a), terms.as_word(b)) {
                (Some(_), None) => found.push(b),
                (None, Some(_)) => found.push(a),
                _ => {}
            },
            _ => {}
        }
    }
    found
}

/// The word that conditions compare byte by byte, each with a number: that is what is left of a comparison of bytes that are read
/// together.
fn word_in_bytes(terms: &mut Terms, parts: &[Term], bits: u32) -> Option<Term> {
    if parts.len() != bits as usize / 8 {
        return None;
    }
    let mut bytes: Vec<(u128, Term)> = Vec::with_capacity(parts.len());
    let mut first = None;
    for &part in parts {
        let &[one, other] = terms.args(part) else {
            return None;
        };
        let read = match (terms.op(part), terms.as_word(one), terms.as_word(other)) {
            (Op::Eq, None, Some(_)) => one,
            (Op::Eq, Some(_), None) => other,
            _ => return None,
        };
        let &[_, at] = terms.args(read) else { return None };
        if terms.op(read) != Op::Select || terms.sort(read) != Sort::BitVec(8) {
            return None;
        }
        let first = *first.get_or_insert(at);
        let distance = terms.sub(at, first);
        bytes.push((terms.as_word(distance)?, read));
    }
    // Where it begins comes first: distances count modulo the width.
    let half = 1_u128 << (bits - 1);
    bytes.sort_unstable_by_key(|&(distance, _)| distance.wrapping_add(half) % (2 * half));
    let is_next = |pair: &[(u128, Term)]| pair[0].0.wrapping_add(1) % (2 * half) == pair[1].0;
    bytes.windows(2).all(is_next).then(|| {
        let mut word = bytes[0].1;
        for &(_, byte) in &bytes[1..] {
            word = terms.concat(byte, word);
        }
        word
    })
}

/// Not what is a number to the program: a divisor must not be zero either. What memory holds may be either.
fn may_be_pointer(semantics: &Semantics<'_>, execution: &Execution, word: Term) -> bool {
    let terms = &semantics.terms;
    let program = semantics.program;
    let is_cell = |symbol: Symbol| {
        let unknown = execution
            .unknowns()
            .iter()
            .find(|unknown| unknown.symbol == symbol);
        match unknown.map(|unknown| unknown.cause) {
            Some(Cause::Edge(FreshCause::Uninitialised(var))) => {
                !program.types.is_scalar(program.vars[var].ty)
            }
            _ => false,
        }
    };
    terms.free_symbols(&[word]).into_iter().any(|symbol| {
        matches!(terms.symbol_sort(symbol), Sort::Array { .. })
            || terms.symbol_info(symbol).signedness == Signedness::Pointer
            || is_cell(symbol)
    })
}

fn without_offset(semantics: &mut Semantics<'_>, pointer: Term) -> Term {
    let terms = &mut semantics.terms;
    if terms.op(pointer) != Op::Add {
        return pointer;
    }
    let rest: Vec<Term> = terms
        .args(pointer)
        .iter()
        .copied()
        .filter(|&term| !terms.is_constant(term))
        .collect();
    match *rest.as_slice() {
        [] => pointer,
        [one] => one,
        [first, ref others @ ..] => {
            let others = others.to_vec();
            others.into_iter().fold(first, |sum, term| terms.add(sum, term))
        }
    }
}
