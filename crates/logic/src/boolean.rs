//! Constructors of Boolean structure.
//!
//! Conjunctions and disjunctions are flat, sorted and without duplicates as long as they are small: a conjunct that
//! is itself a big conjunction stays one argument, so that building a long path condition step by step takes time
//! linear in its length. Negation stops at atoms that have a negation of their own (`!(a < b)` is `b <= a`).

use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::Sort;

/// Nested connectives of more arguments than this stay nested.
const MAX_FLAT: usize = 32;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::True, _) => self.bool(false),
            (Op::False, _) => self.bool(true),
            (Op::Not, &[inner]) => inner,
            (Op::Ult, &[x, y]) => self.ule(y, x),
            (Op::Ule, &[x, y]) => self.ult(y, x),
            (Op::Slt, &[x, y]) => self.sle(y, x),
            (Op::Sle, &[x, y]) => self.slt(y, x),
            _ => self.intern(Op::Not, Sort::Bool, &[a]),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.all(&[a, b])
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.any(&[a, b])
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction; of nothing it is true.
    pub fn all(&mut self, args: &[Term]) -> Term {
        self.connect(Op::And, args)
    }

    /// The disjunction; of nothing it is false.
    pub fn any(&mut self, args: &[Term]) -> Term {
        self.connect(Op::Or, args)
    }

    fn connect(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = self.bool(op == Op::And);
        let absorbing = self.bool(op == Op::Or);
        let mut flat: Vec<Term> = Vec::with_capacity(args.len());
        for &arg in args {
            if arg == absorbing {
                return absorbing;
            }
            if arg == neutral {
                continue;
            }
            if self.op(arg) == op && self.args(arg).len() <= MAX_FLAT {
                flat.extend_from_slice(self.args(arg));
            } else {
                flat.push(arg);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for i in 0..flat.len() {
            let complement = self.existing_complement(flat[i]);
            if complement.is_some_and(|c| flat.binary_search(&c).is_ok()) {
                return absorbing;
            }
        }
        match flat.as_slice() {
            [] => neutral,
            [single] => *single,
            _ => self.intern(op, Sort::Bool, &flat),
        }
    }

    /// The negation of an argument, found without making a new term where that is not needed for `x && !x`.
    fn existing_complement(&mut self, a: Term) -> Option<Term> {
        match self.op(a) {
            Op::Not | Op::Ult | Op::Ule | Op::Slt | Op::Sle => Some(self.not(a)),
            // Seen from the other side: there the argument is a negation.
            _ => None,
        }
    }

    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        if let Some(known) = self.as_bool(condition) {
            return if known { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        if self.op(condition) == Op::Not {
            let inner = self.args(condition)[0];
            return self.ite(inner, no, yes);
        }
        let yes = self.under(condition, yes, true);
        let no = self.under(condition, no, false);
        if yes == no {
            return yes;
        }
        if self.sort(yes).is_bool() {
            match (self.as_bool(yes), self.as_bool(no)) {
                (Some(true), _) => return self.or(condition, no),
                (_, Some(false)) => return self.and(condition, yes),
                (Some(false), _) => {
                    let negated = self.not(condition);
                    return self.and(negated, no);
                }
                (_, Some(true)) => return self.implies(condition, yes),
                _ => {}
            }
        }
        self.intern(Op::Ite, self.sort(yes), &[condition, yes, no])
    }

    /// A branch seen where the condition has a known value: a choice by the same condition is made.
    fn under(&mut self, condition: Term, branch: Term, value: bool) -> Term {
        if branch == condition {
            return self.bool(value);
        }
        match (self.op(branch), self.args(branch)) {
            (Op::Ite, &[inner, yes, no]) if inner == condition => {
                if value {
                    yes
                } else {
                    no
                }
            }
            _ => branch,
        }
    }
}
