//! Sums and products. A sum is kept in linear normal form modulo 2^n: a list of different terms with coefficients,
//! ordered, and a constant. Equal linear functions of the same terms are therefore the same term.
//!
//! Sums of more than [`MAX_MONOMIALS`] summands are taken as they are, so that adding to a sum stays cheap.

use crate::bits;
use crate::op::Op;
use crate::pool::{Term, Terms};

const MAX_MONOMIALS: usize = 32;
const MAX_FACTORS: usize = 16;

/// `constant + Σ coefficient · term` modulo 2^width; terms are ordered and different, coefficients not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    pub width: u32,
    pub constant: u128,
    pub monomials: Vec<(Term, u128)>,
}

impl Linear {
    pub fn constant(width: u32, constant: u128) -> Linear {
        Linear {
            width,
            constant,
            monomials: Vec::new(),
        }
    }

    /// Adds `factor` times the other.
    pub fn add_scaled(&mut self, other: &Linear, factor: u128) {
        let width = self.width;
        self.constant = bits::add(self.constant, bits::mul(other.constant, factor, width), width);
        let mine = std::mem::take(&mut self.monomials);
        let (mut a, mut b) = (
            mine.into_iter().peekable(),
            other.monomials.iter().copied().peekable(),
        );
        loop {
            let next = match (a.peek(), b.peek()) {
                (Some((x, _)), Some((y, _))) if x == y => {
                    let (term, c) = a.next().expect("it was peeked");
                    let (_, d) = b.next().expect("it was peeked");
                    (term, bits::add(c, bits::mul(d, factor, width), width))
                }
                (Some((x, _)), Some((y, _))) if x < y => a.next().expect("it was peeked"),
                (_, Some(_)) => {
                    let (term, d) = b.next().expect("it was peeked");
                    (term, bits::mul(d, factor, width))
                }
                (Some(_), None) => a.next().expect("it was peeked"),
                (None, None) => break,
            };
            if next.1 != 0 {
                self.monomials.push(next);
            }
        }
    }

    /// Orders the monomials and joins those of one term; a sum made by the constructors here is so already.
    fn normalise(&mut self) {
        if self.monomials.is_sorted_by(|(a, _), (b, _)| a < b) {
            return;
        }
        self.monomials.sort_by_key(|(term, _)| *term);
        let mut joined: Vec<(Term, u128)> = Vec::with_capacity(self.monomials.len());
        for (term, coefficient) in self.monomials.drain(..) {
            match joined.last_mut() {
                Some((last, sum)) if *last == term => *sum = bits::add(*sum, coefficient, self.width),
                _ => joined.push((term, coefficient)),
            }
        }
        joined.retain(|(_, coefficient)| *coefficient != 0);
        self.monomials = joined;
    }

    pub fn scale(&mut self, factor: u128) {
        self.constant = bits::mul(self.constant, factor, self.width);
        for (_, coefficient) in &mut self.monomials {
            *coefficient = bits::mul(*coefficient, factor, self.width);
        }
        self.monomials.retain(|(_, coefficient)| *coefficient != 0);
    }
}

impl Terms {
    /// The term as a linear function of terms that are not sums.
    pub fn linear(&self, term: Term) -> Linear {
        let width = self.width(term);
        let mut linear = Linear::constant(width, 0);
        if self.op(term) == Op::Add && self.args(term).len() <= MAX_MONOMIALS {
            for &arg in self.args(term) {
                match self.as_word(arg) {
                    Some(constant) => linear.constant = bits::add(linear.constant, constant, width),
                    None => linear.monomials.push(self.monomial(arg)),
                }
            }
            linear.normalise();
        } else if let Some(constant) = self.as_word(term) {
            linear.constant = constant;
        } else {
            linear.monomials.push(self.monomial(term));
        }
        linear
    }

    /// A product by a constant, taken apart when it has one other factor.
    fn monomial(&self, term: Term) -> (Term, u128) {
        match (self.op(term), self.args(term)) {
            (Op::Mul, &[coefficient, other]) => match self.as_word(coefficient) {
                Some(coefficient) => (other, coefficient),
                None => (term, 1),
            },
            _ => (term, 1),
        }
    }

    pub fn from_linear(&mut self, linear: &Linear) -> Term {
        let mut args: Vec<Term> = Vec::with_capacity(linear.monomials.len() + 1);
        for &(term, coefficient) in &linear.monomials {
            let arg = if coefficient == 1 {
                term
            } else {
                let coefficient = self.word(linear.width, coefficient);
                self.intern(Op::Mul, self.sort(term), &[coefficient, term])
            };
            args.push(arg);
        }
        if linear.constant != 0 || args.is_empty() {
            args.push(self.word(linear.width, linear.constant));
        }
        match args.as_slice() {
            [single] => *single,
            _ => self.intern(Op::Add, self.sort(args[0]), &args),
        }
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        if let Some(choice) = self.fold_choice(Op::Add, self.sort(a), &[a, b]) {
            return choice;
        }
        let mut sum = self.linear(a);
        sum.add_scaled(&self.linear(b), 1);
        self.from_linear(&sum)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let mut sum = self.linear(a);
        sum.add_scaled(&self.linear(b), bits::mask(sum.width));
        self.from_linear(&sum)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        let mut sum = self.linear(a);
        sum.scale(bits::mask(sum.width));
        self.from_linear(&sum)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let (scalar, other) = match (self.as_word(a), self.as_word(b)) {
            (Some(scalar), _) => (scalar, b),
            (_, Some(scalar)) => (scalar, a),
            (None, None) => return self.product(a, b),
        };
        if let Some(choice) = self.fold_choice(Op::Mul, self.sort(a), &[a, b]) {
            return choice;
        }
        let mut sum = self.linear(other);
        sum.scale(scalar);
        self.from_linear(&sum)
    }

    /// Neither argument is a constant: coefficients move to the front, factors are ordered.
    fn product(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let ((a, c), (b, d)) = (self.monomial(a), self.monomial(b));
        let mut factors = Vec::new();
        for term in [a, b] {
            if self.op(term) == Op::Mul && self.args(term).len() <= MAX_FACTORS {
                factors.extend_from_slice(self.args(term));
            } else {
                factors.push(term);
            }
        }
        factors.sort_unstable();
        let product = self.intern(Op::Mul, self.sort(a), &factors);
        let coefficient = bits::mul(c, d, width);
        let mut linear = Linear::constant(width, 0);
        if coefficient != 0 {
            linear.monomials.push((product, coefficient));
        }
        self.from_linear(&linear)
    }
}
