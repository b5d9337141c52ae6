//! Values for pointers that nothing determines. Any value but null would take the path; a run can go on only where there
//! is memory behind the pointer. So each such pointer is given memory of its own, apart from all objects of the program,
//! as far as the path's conditions allow it.

use budget::Budget;
use logic::{Assignment, Op, Signedness, Sort, Term};
use semantics::Semantics;
use solver::{Answer, Solver, Want};

use crate::simulate::{Simulation, Stop};

/// How far apart the memories of two pointers are.
const ROOM: u64 = 0x1_0000;
/// A pointer may point into the middle of what it belongs to.
const BEFORE: u64 = 0x4000;
/// More pointers than this are left as they are.
const MAX_POINTERS: usize = 64;

/// Where the memory begins that is none of the program's.
fn environment(pointer_bits: u32) -> u64 {
    match pointer_bits {
        32 => 0x3000_0000,
        _ => 0x5800_0000_0000,
    }
}

/// A model in which pointers have memory of their own where possible: of the assumptions, like the one that is known.
pub(crate) fn point_apart(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    simulation: &Simulation,
    assumptions: &[Term],
    model: Assignment,
    budget: &Budget,
) -> Result<Assignment, Stop> {
    let pointers = pointers(semantics, simulation);
    let bits = semantics.pointer_bits();
    let mut wishes = Vec::with_capacity(pointers.len());
    for (number, pointer) in pointers.into_iter().enumerate() {
        let address = environment(bits) + ROOM * number as u64 + BEFORE;
        let address = semantics.terms.word(bits, u128::from(address));
        wishes.push(semantics.terms.eq(pointer, address));
    }
    if wishes.is_empty() {
        return Ok(model);
    }
    let mut all = assumptions.to_vec();
    all.extend(&wishes);
    if let Answer::Sat(Some(model)) = solver.check(&mut semantics.terms, &all, Want::Model) {
        return Ok(model);
    }
    all.truncate(assumptions.len());
    let mut model = model;
    for wish in wishes {
        budget.check()?;
        all.push(wish);
        match solver.check(&mut semantics.terms, &all, Want::Model) {
            Answer::Sat(Some(better)) => model = better,
            _ => {
                all.pop();
            }
        }
    }
    Ok(model)
}

/// The pointers of the path's accesses whose values depend on unknowns, each once, without constant offsets.
fn pointers(semantics: &mut Semantics<'_>, simulation: &Simulation) -> Vec<Term> {
    let bits = semantics.pointer_bits();
    let mut found: Vec<Term> = Vec::new();
    for &condition in &simulation.defined {
        let terms = &semantics.terms;
        let Some(pointer) = not_null(semantics, condition) else {
            continue;
        };
        if terms.sort(pointer) != Sort::BitVec(bits) || !may_be_pointer(semantics, pointer) {
            continue;
        }
        let base = without_offset(semantics, pointer);
        if !found.contains(&base) && found.len() < MAX_POINTERS {
            found.push(base);
        }
    }
    found
}

/// The word that a condition says is not zero, less an offset.
fn not_null(semantics: &Semantics<'_>, condition: Term) -> Option<Term> {
    let terms = &semantics.terms;
    let (Op::Not, &[equality]) = (terms.op(condition), terms.args(condition)) else {
        return None;
    };
    let (Op::Eq, &[a, b]) = (terms.op(equality), terms.args(equality)) else {
        return None;
    };
    // That p + 4 is not zero may be said as p != -4.
    match (terms.as_word(a), terms.as_word(b)) {
        (Some(_), None) => Some(b),
        (None, Some(_)) => Some(a),
        _ => None,
    }
}

/// Not what is a number to the program: a divisor must not be zero either.
fn may_be_pointer(semantics: &Semantics<'_>, word: Term) -> bool {
    let terms = &semantics.terms;
    terms.free_symbols(&[word]).into_iter().any(|symbol| {
        matches!(terms.symbol_sort(symbol), Sort::Array { .. })
            || terms.symbol_info(symbol).signedness == Signedness::Pointer
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
