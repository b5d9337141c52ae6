//! Random pairs of formulas that share some symbols, as interpolation problems. Whether a pair is contradictory is for
//! a solver to find out; the shapes are chosen so that many are.

use crate::op::Op;
use crate::pool::{SymbolInfo, Term, Terms};
use crate::random::Random;
use crate::sort::{ElementSort, Sort};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Linear constraints over small numbers, where words behave as integers.
    Integers,
    /// Linear and bit operations over whole words.
    Words,
    /// Conjunctions of small disjunctions of linear constraints.
    Disjunctions,
    /// Stores and reads.
    Arrays,
}

impl Family {
    pub const ALL: [Family; 4] = [
        Family::Integers,
        Family::Words,
        Family::Disjunctions,
        Family::Arrays,
    ];
}

const COMMON: [&str; 3] = ["x", "y", "z"];

/// Two sides, each a list of conjuncts. Symbols `x`, `y`, `z` (and `mem`) are common, `a…` and `b…` are local.
pub fn pair(terms: &mut Terms, random: &mut Random, family: Family) -> (Vec<Term>, Vec<Term>) {
    let first = Side {
        terms,
        random,
        local: "a",
    }
    .conjuncts(family);
    let second = Side {
        terms,
        random,
        local: "b",
    }
    .conjuncts(family);
    (first, second)
}

struct Side<'a> {
    terms: &'a mut Terms,
    random: &'a mut Random,
    local: &'static str,
}

impl Side<'_> {
    fn conjuncts(&mut self, family: Family) -> Vec<Term> {
        match family {
            Family::Integers => {
                let mut conjuncts = self.bounds();
                conjuncts.extend((0..4).map(|_| self.linear_atom()).collect::<Vec<_>>());
                conjuncts
            }
            Family::Words => (0..4)
                .map(|_| {
                    if self.random.chance(50) {
                        self.word_atom()
                    } else {
                        self.linear_atom()
                    }
                })
                .collect(),
            Family::Disjunctions => {
                let mut conjuncts = self.bounds();
                for _ in 0..2 {
                    let (left, right) = (self.linear_atom(), self.linear_atom());
                    conjuncts.push(self.terms.or(left, right));
                    conjuncts.push(self.linear_atom());
                }
                conjuncts
            }
            Family::Arrays => self.array_facts(),
        }
    }

    fn var(&mut self, name: &str) -> Term {
        self.terms.var(name, Sort::BitVec(32), SymbolInfo::signed())
    }

    fn any_var(&mut self) -> Term {
        let local = [format!("{}0", self.local), format!("{}1", self.local)];
        match self.random.below(5) {
            n @ 0..=2 => self.var(COMMON[n]),
            n => self.var(&local[n - 3]),
        }
    }

    fn number(&mut self, value: i128) -> Term {
        self.terms.int(32, value)
    }

    /// All symbols are between -1000 and 1000.
    fn bounds(&mut self) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        let local = self.local;
        let names = COMMON.iter().map(|n| (*n).to_owned());
        for name in names.chain((0..2).map(|i| format!("{local}{i}"))) {
            let (variable, low, high) = (self.var(&name), self.number(-1000), self.number(1000));
            conjuncts.push(self.terms.sle(low, variable));
            conjuncts.push(self.terms.sle(variable, high));
        }
        conjuncts
    }

    fn linear_sum(&mut self) -> Term {
        let mut sum = self.number(0);
        for _ in 0..2 {
            let coefficient = self.random.pick(&[1, 1, 1, -1, -1, 2, -2, 3]);
            let (variable, factor) = (self.any_var(), self.number(coefficient));
            let product = self.terms.mul(variable, factor);
            sum = self.terms.add(sum, product);
        }
        sum
    }

    fn linear_atom(&mut self) -> Term {
        let sum = self.linear_sum();
        let bound = self.random.below(21) as i128 - 10;
        let bound = self.number(bound);
        match self.random.below(4) {
            0 => self.terms.eq(sum, bound),
            1 => self.terms.sle(bound, sum),
            _ => self.terms.sle(sum, bound),
        }
    }

    fn word_atom(&mut self) -> Term {
        let (a, b) = (self.any_var(), self.any_var());
        let mask = self.random.pick(&[1, 3, 7, 0xff, 0xf0, 0x8000_0000]);
        let mask = self.number(mask);
        let combined = match self.random.below(5) {
            0 => self.terms.bit_and(a, mask),
            1 => self.terms.bit_xor(a, b),
            2 => self.terms.bit_or(a, b),
            3 => {
                let shift = self.number(4);
                self.terms.lshr(a, shift)
            }
            _ => self.terms.bit_and(a, b),
        };
        let value = self.random.below(9) as i128 - 1;
        let value = self.number(value);
        match self.random.below(4) {
            0 => self.terms.ult(combined, value),
            1 => self.terms.ule(value, combined),
            _ => self.terms.eq(combined, value),
        }
    }

    fn array_facts(&mut self) -> Vec<Term> {
        let sort = Sort::Array {
            index: 32,
            element: ElementSort::BitVec(32),
        };
        let memory = self.terms.var("mem", sort, SymbolInfo::signed());
        let old = self
            .terms
            .var(&format!("{}_mem", self.local), sort, SymbolInfo::signed());
        let mut conjuncts = Vec::new();
        let mut stored = old;
        for _ in 0..1 + self.random.below(2) {
            let (index, value) = (self.any_var(), self.any_var());
            stored = self.terms.store(stored, index, value);
        }
        let equal = self.terms.eq(memory, stored);
        conjuncts.push(equal);
        for _ in 0..3 {
            let (index, sum) = (self.any_var(), self.linear_sum());
            let from = if self.random.chance(60) { memory } else { old };
            let read = self.terms.select(from, index);
            let atom = match self.random.below(3) {
                0 => self.terms.slt(read, sum),
                1 => self.terms.sle(sum, read),
                _ => self.terms.eq(read, sum),
            };
            conjuncts.push(atom);
        }
        for _ in 0..2 {
            let (a, b) = (self.any_var(), self.any_var());
            let equal = self.terms.eq(a, b);
            conjuncts.push(equal);
            conjuncts.push(self.linear_atom());
        }
        conjuncts.retain(|c| self.terms.op(*c) != Op::True);
        conjuncts
    }
}
