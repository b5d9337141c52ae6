//! Predicates about an element of an array at an index that varies, for each index that there is.
//!
//! `a[i] == 0` may hold because all elements are zero, as in static arrays, which nothing says of an `i` that may be anything. Where a trace
//! comes back although such a predicate is known, the elements become predicates of their own, and with them which of them is meant.

use std::collections::BTreeSet;

use logic::{Op, Signedness, Sort, Substitution, Symbol, Term};
use semantics::{Semantics, Storage};

/// Of arrays with more elements, none is taken by itself.
const MOST: u64 = 16;

/// What a predicate says of each element that its index may choose, which one it chooses, and whether it chooses one. Nothing where it does not speak of an
/// element of a small array.
pub(crate) fn by_element(semantics: &mut Semantics<'_>, predicate: Term) -> Vec<Term> {
    let Some((index, count)) = index_of(semantics, predicate) else {
        return Vec::new();
    };
    let variable = semantics.terms.symbol_term(index);
    let Sort::BitVec(width) = semantics.terms.sort(variable) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for at in 0..count {
        let chosen = semantics.terms.word(width, u128::from(at));
        let mut element = Substitution::of_symbols(&semantics.terms, [(index, chosen)]);
        found.push(element.apply(&mut semantics.terms, predicate));
        found.push(semantics.terms.eq(variable, chosen));
    }
    let end = semantics.terms.word(width, u128::from(count));
    if semantics.terms.symbol_info(index).signedness == Signedness::Signed {
        let zero = semantics.terms.word(width, 0);
        found.push(semantics.terms.slt(variable, zero));
        found.push(semantics.terms.slt(variable, end));
    } else {
        found.push(semantics.terms.ult(variable, end));
    }
    found.retain(|&term| semantics.terms.as_bool(term).is_none());
    found
}

/// The variable that chooses among the elements of an array, and how many there are.
fn index_of(semantics: &mut Semantics<'_>, predicate: Term) -> Option<(Symbol, u64)> {
    let subterms = semantics.terms.subterms(&[predicate]);
    let reads = subterms.into_iter().filter_map(|term| {
        let terms = &semantics.terms;
        (terms.op(term) == Op::Select).then(|| terms.args(term)[1])
    });
    let addresses: Vec<Term> = reads.collect();
    addresses
        .into_iter()
        .find_map(|address| chosen_by(semantics, address))
}

fn chosen_by(semantics: &mut Semantics<'_>, address: Term) -> Option<(Symbol, u64)> {
    let mut array = None;
    let mut index = None;
    let symbols: BTreeSet<Symbol> = semantics.terms.free_symbols(&[address]).into_iter().collect();
    for symbol in symbols {
        let place = match semantics.storage_of(symbol)? {
            Storage::Address(var) => array.replace(var).is_some(),
            Storage::Variable(..) => index.replace(symbol).is_some(),
            _ => true,
        };
        if place {
            return None;
        }
    }
    let (array, index) = (array?, index?);
    let Sort::BitVec(width) = semantics.terms.symbol_sort(index) else {
        return None;
    };
    let start = semantics.current(Storage::Address(array));
    let mut at = |value: u128| {
        let value = semantics.terms.word(width, value);
        let mut element = Substitution::of_symbols(&semantics.terms, [(index, value)]);
        let address = element.apply(&mut semantics.terms, address);
        let offset = semantics.terms.sub(address, start);
        semantics.terms.as_word(offset)
    };
    let (first, second) = (at(0)?, at(1)?);
    let size = u128::from(semantics.program.types.size(semantics.program.vars[array].ty));
    let stride = second.checked_sub(first).filter(|&stride| stride > 0)?;
    let count = u64::try_from(size.checked_sub(first)?.div_ceil(stride)).ok()?;
    (2..=MOST).contains(&count).then_some((index, count))
}
