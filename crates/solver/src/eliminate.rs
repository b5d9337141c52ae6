//! Elimination of symbols by equations, exact in machine words: `x == e` is used up by putting `e` for `x`.

use std::collections::BTreeSet;

use logic::{Op, Sort, Substitution, Symbol, SymbolInfo, Term, Terms};

/// Uses equations to get rid of symbols outside `keep`. The result is equivalent to the conjunction once the symbols
/// that it still has beside the kept ones are quantified away; fresh ones may be among them.
pub fn eliminate(terms: &mut Terms, conjuncts: &[Term], keep: &BTreeSet<Symbol>) -> Vec<Term> {
    let mut left = conjuncts.to_vec();
    while let Some((index, symbol, replacement, facts)) = find_definition(terms, &left, keep) {
        left.remove(index);
        let mut substitution = Substitution::of_symbols(terms, [(symbol, replacement)]);
        let mut replaced = Vec::with_capacity(left.len());
        for term in left.into_iter().chain(facts) {
            let term = substitution.apply(terms, term);
            for part in terms.conjuncts(term) {
                if !replaced.contains(&part) {
                    replaced.push(part);
                }
            }
        }
        left = replaced;
    }
    left
}

type Definition = (usize, Symbol, Term, Vec<Term>);

fn find_definition(terms: &mut Terms, conjuncts: &[Term], keep: &BTreeSet<Symbol>) -> Option<Definition> {
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        if terms.mentions_only(conjunct, keep) {
            continue;
        }
        if let Some((symbol, term)) = solve(terms, conjunct, keep) {
            return Some((index, symbol, term, Vec::new()));
        }
    }
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        if let Some((symbol, term, facts)) = solve_stores(terms, conjunct, keep) {
            return Some((index, symbol, term, facts));
        }
    }
    None
}

/// A symbol that the conjunct defines and what it equals.
fn solve(terms: &mut Terms, conjunct: Term, keep: &BTreeSet<Symbol>) -> Option<(Symbol, Term)> {
    let local = |terms: &Terms, t: Term| terms.as_symbol(t).filter(|s| !keep.contains(s));
    match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::Symbol(symbol), _) if !keep.contains(&symbol) => Some((symbol, terms.bool(true))),
        (Op::Not, &[inner]) => local(terms, inner).map(|symbol| (symbol, terms.bool(false))),
        (Op::Eq, &[a, b]) if terms.sort(a).width().is_none() => {
            [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
                let symbol = local(terms, side)?;
                (!terms.free_symbols(&[other]).contains(&symbol)).then_some((symbol, other))
            })
        }
        (Op::Eq, &[a, b]) => {
            let width = terms.sort(a).width()?;
            let mut difference = terms.linear(a);
            let minus_one = u128::MAX >> (128 - width);
            difference.add_scaled(&terms.linear(b), minus_one);
            for (position, &(term, coefficient)) in difference.monomials.iter().enumerate() {
                let Some(symbol) = local(terms, term) else {
                    continue;
                };
                let mut rest = difference.clone();
                rest.monomials.remove(position);
                let others: Vec<Term> = rest.monomials.iter().map(|(t, _)| *t).collect();
                if coefficient & 1 == 0 || terms.free_symbols(&others).contains(&symbol) {
                    continue;
                }
                rest.scale(inverse(coefficient).wrapping_neg() & minus_one);
                return Some((symbol, terms.from_linear(&rest)));
            }
            None
        }
        _ => None,
    }
}

/// `kept == store(…store(m, i, v)…)`: the local array `m` equals the kept one but for the places that were stored to,
/// where it had some values that nobody knows.
fn solve_stores(
    terms: &mut Terms,
    conjunct: Term,
    keep: &BTreeSet<Symbol>,
) -> Option<(Symbol, Term, Vec<Term>)> {
    let (Op::Eq, &[a, b]) = (terms.op(conjunct), terms.args(conjunct)) else {
        return None;
    };
    let Sort::Array { element, .. } = terms.sort(a) else {
        return None;
    };
    for (whole, chain) in [(a, b), (b, a)] {
        let mut stores = Vec::new();
        let mut base = chain;
        while let (Op::Store, &[inner, index, value]) = (terms.op(base), terms.args(base)) {
            stores.push((index, value));
            base = inner;
        }
        let Some(symbol) = terms.as_symbol(base).filter(|s| !keep.contains(s)) else {
            continue;
        };
        let mut parts = vec![whole];
        parts.extend(stores.iter().flat_map(|(i, v)| [*i, *v]));
        if stores.is_empty() || terms.free_symbols(&parts).contains(&symbol) {
            continue;
        }
        let mut before = whole;
        let mut facts = Vec::new();
        for position in 0..stores.len() {
            let (index, value) = stores[position];
            let read = terms.select(whole, index);
            let mut options = vec![terms.eq(read, value)];
            for &(later, _) in &stores[..position] {
                options.push(terms.eq(later, index));
            }
            facts.push(terms.any(&options));
            let unknown = terms.fresh_symbol("old", element.into(), SymbolInfo::signed());
            let unknown = terms.symbol_term(unknown);
            before = terms.store(before, index, unknown);
        }
        return Some((symbol, before, facts));
    }
    None
}

/// Of an odd number modulo 2^128, and so modulo every smaller power.
fn inverse(odd: u128) -> u128 {
    (0..7).fold(odd, |x, _| {
        x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_used_up() {
        let mut t = Terms::new();
        let sort = Sort::BitVec(32);
        let [x, y, z] = ["x", "y", "z"].map(|n| t.symbol(n, sort, SymbolInfo::signed()));
        let [tx, ty, tz] = [x, y, z].map(|s| t.symbol_term(s));
        let three = t.int(32, 3);
        let product = t.mul(ty, three);
        let first = t.eq(product, tx);
        let sum = t.add(ty, tz);
        let second = t.slt(sum, tx);
        let left = eliminate(&mut t, &[first, second], &[x, z].into_iter().collect());
        assert_eq!(left.len(), 1);
        assert_eq!(t.to_c(left[0]), "z - 1431655765 * x < x");
    }

    #[test]
    fn an_old_array_leaves_what_was_stored() {
        let mut t = Terms::new();
        let sort = Sort::Array {
            index: 32,
            element: logic::ElementSort::BitVec(8),
        };
        let [old, new] = ["old", "new"].map(|n| t.symbol(n, sort, SymbolInfo::signed()));
        let i = t.symbol("i", Sort::BitVec(32), SymbolInfo::signed());
        let (told, tnew, ti) = (t.symbol_term(old), t.symbol_term(new), t.symbol_term(i));
        let seven = t.word(8, 7);
        let stored = t.store(told, ti, seven);
        let equation = t.eq(tnew, stored);
        let one = t.int(32, 1);
        let next = t.add(ti, one);
        let beside = t.select(told, next);
        let same = t.eq(beside, seven);
        let left = eliminate(&mut t, &[equation, same], &[new, i].into_iter().collect());
        let texts: Vec<String> = left.iter().map(|c| t.to_c(*c)).collect();
        assert_eq!(texts, ["new[i + 1] == 7", "new[i] == 7"]);
    }
}
