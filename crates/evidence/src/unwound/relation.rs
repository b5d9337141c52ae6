//! What is known of the symbols that stand for values and for ways: facts that only ever say *what follows if the symbol is
//! true*, or *what it is on which way*. Each holds of every run, so leaving one out can only make more seem possible.

use std::rc::Rc;

use logic::{Op, Sort, Symbol, SymbolInfo, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::values::{Values, union};

#[derive(Default)]
pub(super) struct Relation {
    /// What is worth knowing once the symbol occurs.
    about: FxHashMap<Symbol, Vec<Term>>,
    /// Contents of memory at the start, by the array and the address.
    contents: FxHashMap<(Symbol, u64), Term>,
    /// Of each of these contents the array, and that it is what the array has there.
    from_array: FxHashMap<Symbol, (Symbol, Term)>,
    pub values: Values,
}

impl Relation {
    pub fn state(&mut self, symbol: Symbol, fact: Term) {
        self.about.entry(symbol).or_default().push(fact);
    }

    /// A way on under one more condition; `None` if that cannot be.
    pub fn narrowed(&mut self, terms: &mut Terms, way: Term, condition: Term) -> Option<Term> {
        let condition = self.values.settled(terms, condition);
        match (terms.as_bool(condition), terms.as_bool(way)) {
            (Some(true), _) => return Some(way),
            (Some(false), _) => return None,
            (None, Some(true)) => return Some(condition),
            (None, _) => {}
        }
        let narrower = terms.fresh_symbol("way", Sort::Bool, SymbolInfo::unsigned());
        let named = terms.symbol_term(narrower);
        let both = terms.and(way, condition);
        if terms.as_bool(both) == Some(false) {
            return None;
        }
        let fact = terms.implies(named, both);
        self.state(narrower, fact);
        Some(named)
    }

    /// One symbol for each of the ways that meet: the run came by that way. And one for that it came by any of them.
    pub fn meeting(&mut self, terms: &mut Terms, ways: &[Term]) -> (Vec<Term>, Term) {
        let mut came_by = Vec::with_capacity(ways.len());
        for &way in ways {
            let symbol = terms.fresh_symbol("by", Sort::Bool, SymbolInfo::unsigned());
            let by = terms.symbol_term(symbol);
            let fact = terms.implies(by, way);
            self.state(symbol, fact);
            came_by.push(by);
        }
        let symbol = terms.fresh_symbol("here", Sort::Bool, SymbolInfo::unsigned());
        let here = terms.symbol_term(symbol);
        let any = terms.any(&came_by);
        let fact = terms.implies(here, any);
        self.state(symbol, fact);
        (came_by, here)
    }

    /// What is one of several values, depending on the way by which the run came.
    pub fn one_of(&mut self, terms: &mut Terms, came_by: &[Term], values: &[Term]) -> Term {
        let first = values[0];
        if values.iter().all(|&value| value == first) {
            return first;
        }
        if matches!(terms.sort(first), Sort::Array { .. }) {
            // Solvers are bad at equations between arrays.
            let (&last, others) = values.split_last().expect("something came here");
            return others
                .iter()
                .zip(came_by)
                .rev()
                .fold(last, |rest, (&value, &by)| terms.ite(by, value, rest));
        }
        let lists: Vec<Option<Rc<[Term]>>> =
            values.iter().map(|&value| self.values.of(terms, value)).collect();
        let info = SymbolInfo::unsigned();
        let symbol = terms.fresh_symbol("met", terms.sort(first), info);
        if let Some(all) = union(lists.iter().map(Option::as_deref)) {
            self.values.declare(symbol, all);
        }
        let met = terms.symbol_term(symbol);
        let mut ways_of: Vec<(Term, Vec<Term>)> = Vec::new();
        let mut position: FxHashMap<Term, usize> = FxHashMap::default();
        for (&value, &by) in values.iter().zip(came_by) {
            let at = *position.entry(value).or_insert(ways_of.len());
            match ways_of.get_mut(at) {
                Some((_, ways)) => ways.push(by),
                None => ways_of.push((value, vec![by])),
            }
        }
        for (value, ways) in ways_of {
            let (any, same) = (terms.any(&ways), terms.eq(met, value));
            let fact = terms.implies(any, same);
            self.state(symbol, fact);
        }
        met
    }

    /// What an array that nothing has written holds at an address.
    pub fn content(&mut self, terms: &mut Terms, array: Term, width: u32, address: u64) -> Term {
        let index = terms.word(width, u128::from(address));
        let there = terms.select(array, index);
        let Op::Symbol(base) = terms.op(array) else {
            return there;
        };
        if let Some(&known) = self.contents.get(&(base, address)) {
            return known;
        }
        let symbol = terms.fresh_symbol("content", terms.sort(there), SymbolInfo::unsigned());
        let content = terms.symbol_term(symbol);
        let same = terms.eq(content, there);
        self.from_array.insert(symbol, (base, same));
        self.contents.insert((base, address), content);
        content
    }

    /// All that is known of what the formulas speak of.
    pub fn known_of(&self, terms: &Terms, formulas: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut open: Vec<Term> = formulas.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            open.extend_from_slice(terms.args(term));
            if let Op::Symbol(symbol) = terms.op(term) {
                symbols.push(symbol);
                if let Some(about) = self.about.get(&symbol) {
                    facts.extend_from_slice(about);
                    open.extend_from_slice(about);
                }
            }
        }
        for symbol in symbols {
            if let Some(&(array, same)) = self.from_array.get(&symbol)
                && seen.contains(&terms.symbol_term(array))
            {
                facts.push(same);
            }
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_on_all_ways_stays_as_it_is() {
        let mut terms = Terms::new();
        let mut relation = Relation::default();
        let mut var = |name: &str, sort: Sort| terms.var(name, sort, SymbolInfo::unsigned());
        let ways = [var("a", Sort::Bool), var("b", Sort::Bool)];
        let (x, y) = (var("x", Sort::BitVec(8)), var("y", Sort::BitVec(8)));
        assert_eq!(relation.one_of(&mut terms, &ways, &[x, x]), x);
        let met = relation.one_of(&mut terms, &ways, &[x, y]);
        assert!(met != x && met != y);
        let facts = relation.known_of(&terms, &[met]);
        let expected = [(ways[0], x), (ways[1], y)].map(|(way, value)| {
            let same = terms.eq(met, value);
            terms.implies(way, same)
        });
        assert_eq!(facts, expected);
    }
}
