//! Simultaneous substitution of terms for terms.

use rustc_hash::FxHashMap;

use crate::pool::{Symbol, Term, Terms};

/// Replacements made all at once: what a replacement brings in is not replaced again. What was computed for one term
/// is kept for the next, so applying one substitution to many terms that share parts does each part once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces the first of each pair by the second, of the same sort.
    pub fn new(terms: &Terms, pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        let done: FxHashMap<Term, Term> = pairs.into_iter().collect();
        debug_assert!(
            done.iter().all(|(from, to)| terms.sort(*from) == terms.sort(*to)),
            "the sorts are the same"
        );
        Substitution { done }
    }

    pub fn of_symbols(terms: &Terms, pairs: impl IntoIterator<Item = (Symbol, Term)>) -> Substitution {
        Substitution::new(
            terms,
            pairs
                .into_iter()
                .map(|(symbol, term)| (terms.symbol_term(symbol), term)),
        )
    }

    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if self.done.contains_key(&next) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.args(next).iter().filter(|a| !self.done.contains_key(*a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = terms.args(next).iter().map(|a| self.done[a]).collect();
            let result = if args == terms.args(next) {
                next
            } else {
                terms.rebuild(terms.op(next), terms.sort(next), &args)
            };
            self.done.insert(next, result);
        }
        self.done[&term]
    }
}

impl Terms {
    /// Replaces symbols by terms of their sorts, all at once.
    pub fn substitute(&mut self, term: Term, pairs: &[(Symbol, Term)]) -> Term {
        Substitution::of_symbols(self, pairs.iter().copied()).apply(self, term)
    }

    /// Makes every node anew by its simplifying constructor.
    pub fn simplify(&mut self, term: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for next in self.subterms(&[term]) {
            let args: Vec<Term> = self.args(next).iter().map(|a| done[a]).collect();
            let result = self.rebuild(self.op(next), self.sort(next), &args);
            done.insert(next, result);
        }
        done[&term]
    }
}

#[cfg(test)]
mod tests {
    use crate::pool::{SymbolInfo, Terms};
    use crate::sort::Sort;

    #[test]
    fn replacements_happen_at_once() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.symbol(n, Sort::BitVec(32), SymbolInfo::signed()));
        let (tx, ty) = (t.symbol_term(x), t.symbol_term(y));
        let difference = t.sub(tx, ty);
        let swapped = t.substitute(difference, &[(x, ty), (y, tx)]);
        let expected = t.sub(ty, tx);
        assert_eq!(swapped, expected);
    }
}
