//! Questions about terms: what they mention and what they are made of.
//!
//! Arguments have smaller numbers than the terms made of them, so the subterms in ascending order are a post-order:
//! every traversal in this crate is a loop over that list.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::pool::{Symbol, Term, Terms};

impl Terms {
    /// All subterms of the roots, each once, arguments before the terms made of them.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut found: Vec<Term> = seen.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            for &arg in self.args(found[next]) {
                if seen.insert(arg) {
                    found.push(arg);
                }
            }
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// The number of different subterms.
    pub fn size(&self, term: Term) -> usize {
        self.subterms(&[term]).len()
    }

    pub fn free_symbols(&self, roots: &[Term]) -> BTreeSet<Symbol> {
        self.subterms(roots)
            .into_iter()
            .filter_map(|t| self.as_symbol(t))
            .collect()
    }

    /// Whether all symbols of the term are among the given ones.
    pub fn mentions_only(&self, term: Term, symbols: &BTreeSet<Symbol>) -> bool {
        self.subterms(&[term])
            .into_iter()
            .filter_map(|t| self.as_symbol(t))
            .all(|s| symbols.contains(&s))
    }

    /// The conjuncts of a formula, taken apart through nested conjunctions and negated disjunctions, in order and
    /// each once; of `true` there are none.
    pub fn conjuncts(&mut self, formula: Term) -> Vec<Term> {
        self.parts(formula, Op::And, Op::Or)
    }

    /// The disjuncts of a formula; of `false` there are none.
    pub fn disjuncts(&mut self, formula: Term) -> Vec<Term> {
        self.parts(formula, Op::Or, Op::And)
    }

    fn parts(&mut self, formula: Term, connective: Op, dual: Op) -> Vec<Term> {
        let neutral = self.bool(connective == Op::And);
        let mut seen = FxHashSet::default();
        let mut parts = Vec::new();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if term == neutral || !seen.insert(term) {
                continue;
            }
            if self.op(term) == connective {
                stack.extend(self.args(term).iter().rev());
                continue;
            }
            if self.op(term) == Op::Not && self.op(self.args(term)[0]) == dual {
                let negated = self.args(self.args(term)[0]).to_vec();
                for part in negated.into_iter().rev() {
                    stack.push(self.not(part));
                }
                continue;
            }
            parts.push(term);
        }
        parts
    }

    /// The Boolean subterms that are not built by connectives, in ascending order. Of a choice or an equivalence
    /// between formulas the parts are taken; a condition inside a word is an atom too.
    pub fn atoms(&self, formula: Term) -> Vec<Term> {
        self.subterms(&[formula])
            .into_iter()
            .filter(|&t| self.sort(t).is_bool() && !self.is_constant(t) && !self.connects_formulas(t))
            .collect()
    }

    fn connects_formulas(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Ite => true,
            Op::Eq => self.sort(self.args(term)[0]).is_bool(),
            op => op.is_connective(),
        }
    }

    /// An atom and its sign: `a <= b` is the negation of the atom `b < a`, `!p` of `p`.
    pub fn literal(&mut self, term: Term) -> (Term, bool) {
        match self.op(term) {
            Op::Not => (self.args(term)[0], false),
            Op::Ule | Op::Sle => (self.not(term), false),
            _ => (term, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pool::{SymbolInfo, Terms};
    use crate::sort::Sort;

    #[test]
    fn conjuncts_go_through_nesting_and_negation() {
        let mut t = Terms::new();
        let [p, q, r] = ["p", "q", "r"].map(|n| t.var(n, Sort::Bool, SymbolInfo::signed()));
        let q_or_r = t.or(q, r);
        let neither = t.not(q_or_r);
        let formula = t.and(p, neither);
        let (not_q, not_r) = (t.not(q), t.not(r));
        assert_eq!(t.conjuncts(formula), [p, not_q, not_r]);
        let truth = t.bool(true);
        assert!(t.conjuncts(truth).is_empty());
    }

    #[test]
    fn atoms_are_what_connectives_connect() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::BitVec(32), SymbolInfo::signed()));
        let less = t.slt(x, y);
        let equal = t.eq(x, y);
        let not_equal = t.not(equal);
        let formula = t.or(less, not_equal);
        let mut expected = vec![less, equal];
        expected.sort();
        assert_eq!(t.atoms(formula), expected);
        let at_least = t.not(less);
        assert_eq!(t.literal(at_least), (less, false));
    }
}
