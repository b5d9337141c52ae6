//! Random terms and values for property tests and benchmarks, from a fixed seed.
//!
//! Terms are made without simplification, so that a test can compare what was written with what the simplifier makes
//! of it. Words are mostly corner cases, because that is where mistakes are.

pub use crate::random_pairs::{Family, pair};

use crate::eval::Assignment;
use crate::op::Op;
use crate::pool::{Symbol, SymbolInfo, Term, Terms};
use crate::sort::{ElementSort, FloatKind, Sort};
use crate::value::{ArrayValue, Value};

/// A small generator of pseudo-random numbers (splitmix64): the same seed gives the same sequence everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What the random terms are made of.
#[derive(Clone, Debug)]
pub struct Shape {
    pub widths: Vec<u32>,
    pub floats: Vec<FloatKind>,
    pub arrays: bool,
    /// Division, remainder and products of unknowns, which make queries hard.
    pub division: bool,
    /// Symbols of each sort.
    pub symbols: usize,
}

pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub shape: &'a Shape,
}

impl Generator<'_> {
    fn symbol(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        let prefix = match sort {
            Sort::Bool => "b".to_owned(),
            Sort::BitVec(width) => format!("x{width}"),
            Sort::Float(kind) => format!("f{}", kind.width()),
            Sort::Array { index, element } => format!("a{index}_{}", Sort::from(element)),
        };
        let name = format!("{prefix}_{}", self.random.below(self.shape.symbols));
        let info = if self.random.chance(50) {
            SymbolInfo::signed()
        } else {
            SymbolInfo::unsigned()
        };
        terms.var(&name, sort, info)
    }

    pub fn word_bits(&mut self, width: u32) -> u128 {
        let mask = crate::bits::mask(width);
        let value = match self.random.below(7) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => 1 << (width - 1),
            4 => mask >> 1,
            5 => self.random.below(16) as u128,
            _ => u128::from(self.random.bits()) << 64 | u128::from(self.random.bits()),
        };
        value & mask
    }

    fn float_bits(&mut self, kind: FloatKind) -> u128 {
        let exponent = crate::bits::mask(kind.exponent_bits()) << (kind.significand_bits() - 1);
        match self.random.below(6) {
            0 => 0,
            1 => 1 << (kind.width() - 1),
            2 => exponent,
            3 => crate::float::nan(kind),
            4 => {
                let small = self.random.below(2000) as u128;
                crate::float::from_word(crate::bits::neg(small, 32), 32, true, kind)
            }
            _ => {
                let random = self.word_bits(kind.width());
                crate::float::canonical(random, kind)
            }
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.chance(50)),
            Sort::BitVec(width) => Value::word(width, self.word_bits(width)),
            Sort::Float(kind) => Value::float(kind, self.float_bits(kind)),
            Sort::Array { index, element } => {
                let default = self.value(element.into());
                let mut array = ArrayValue::constant(index, default);
                for _ in 0..self.random.below(4) {
                    let at = self.word_bits(index);
                    array = array.store(at, self.value(element.into()));
                }
                Value::Array(array)
            }
        }
    }

    pub fn assignment(&mut self, terms: &Terms, symbols: impl IntoIterator<Item = Symbol>) -> Assignment {
        symbols
            .into_iter()
            .map(|s| (s, self.value(terms.symbol_sort(s))))
            .collect()
    }

    fn any_width(&mut self) -> u32 {
        self.random.pick(&self.shape.widths)
    }

    fn array_sort(&mut self) -> Sort {
        let element = if self.random.chance(80) {
            ElementSort::BitVec(8)
        } else {
            ElementSort::Bool
        };
        Sort::Array {
            index: self.shape.widths[0],
            element,
        }
    }

    /// A random term of the sort, at most that deep.
    pub fn term(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.random.chance(8) {
            if self.random.chance(35) {
                let value = self.value(sort);
                if !matches!(value, Value::Array(_)) {
                    return terms.constant(&value);
                }
            }
            return self.symbol(terms, sort);
        }
        match sort {
            Sort::Bool => self.formula(terms, depth - 1),
            Sort::BitVec(width) => self.word_term(terms, width, depth - 1),
            Sort::Float(kind) => self.float_term(terms, kind, depth - 1),
            Sort::Array { index, element } => match self.random.below(8) {
                0 => {
                    let args = [self.term(terms, element.into(), depth - 1)];
                    terms.raw(Op::ConstArray, sort, &args)
                }
                1 => self.choice(terms, sort, depth - 1),
                _ => {
                    let args = [
                        self.term(terms, sort, depth - 1),
                        self.term(terms, Sort::BitVec(index), depth - 1),
                        self.term(terms, element.into(), depth - 1),
                    ];
                    terms.raw(Op::Store, sort, &args)
                }
            },
        }
    }

    fn choice(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
        let args = [
            self.term(terms, Sort::Bool, depth),
            self.term(terms, sort, depth),
            self.term(terms, sort, depth),
        ];
        terms.raw(Op::Ite, sort, &args)
    }

    fn pair(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> [Term; 2] {
        [self.term(terms, sort, depth), self.term(terms, sort, depth)]
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let width = self.any_width();
        match self
            .random
            .below(if self.shape.floats.is_empty() { 12 } else { 15 })
        {
            0 => {
                let args = [self.term(terms, Sort::Bool, depth)];
                terms.raw(Op::Not, Sort::Bool, &args)
            }
            1..=3 => {
                let op = self.random.pick(&[Op::And, Op::Or]);
                let count = 2 + self.random.below(2);
                let args: Vec<Term> = (0..count).map(|_| self.term(terms, Sort::Bool, depth)).collect();
                terms.raw(op, Sort::Bool, &args)
            }
            4 => self.choice(terms, Sort::Bool, depth),
            5 => {
                let array = self.shape.arrays && self.random.chance(30);
                let sort = if array { self.array_sort() } else { Sort::Bool };
                let args = self.pair(terms, sort, depth);
                terms.raw(Op::Eq, Sort::Bool, &args)
            }
            6..=7 => {
                let args = self.pair(terms, Sort::BitVec(width), depth);
                terms.raw(Op::Eq, Sort::Bool, &args)
            }
            8..=11 => {
                let op = self.random.pick(&[Op::Ult, Op::Ule, Op::Slt, Op::Sle]);
                let args = self.pair(terms, Sort::BitVec(width), depth);
                terms.raw(op, Sort::Bool, &args)
            }
            _ => {
                let sort = Sort::Float(self.random.pick(&self.shape.floats));
                let op = self.random.pick(&[
                    Op::FpEq,
                    Op::FpLt,
                    Op::FpLe,
                    Op::Eq,
                    Op::FpIsNan,
                    Op::FpIsInfinite,
                ]);
                let args = self.pair(terms, sort, depth);
                let count = if matches!(op, Op::FpIsNan | Op::FpIsInfinite) {
                    1
                } else {
                    2
                };
                terms.raw(op, Sort::Bool, &args[..count])
            }
        }
    }

    fn word_term(&mut self, terms: &mut Terms, width: u32, depth: u32) -> Term {
        let sort = Sort::BitVec(width);
        match self.random.below(14) {
            0..=3 => {
                let args = self.pair(terms, sort, depth);
                terms.raw(Op::Add, sort, &args)
            }
            4 => {
                let scalar = self.word_bits(width);
                let first = if self.shape.division {
                    self.term(terms, sort, depth)
                } else {
                    terms.word(width, scalar)
                };
                let args = [first, self.term(terms, sort, depth)];
                terms.raw(Op::Mul, sort, &args)
            }
            5 => {
                let op = if self.shape.division {
                    self.random.pick(&[Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem])
                } else {
                    Op::BitAnd
                };
                let args = self.pair(terms, sort, depth);
                terms.raw(op, sort, &args)
            }
            6 => {
                let args = [self.term(terms, sort, depth)];
                terms.raw(Op::BitNot, sort, &args)
            }
            7 => {
                let op = self.random.pick(&[Op::BitAnd, Op::BitOr, Op::BitXor]);
                let args = self.pair(terms, sort, depth);
                terms.raw(op, sort, &args)
            }
            8 => {
                let op = self.random.pick(&[Op::Shl, Op::Lshr, Op::Ashr]);
                let args = self.pair(terms, sort, depth);
                terms.raw(op, sort, &args)
            }
            9 => self.choice(terms, sort, depth),
            10 if self.shape.arrays && width == 8 => {
                let array = Sort::Array {
                    index: self.shape.widths[0],
                    element: ElementSort::BitVec(8),
                };
                let args = [
                    self.term(terms, array, depth),
                    self.term(terms, Sort::BitVec(self.shape.widths[0]), depth),
                ];
                terms.raw(Op::Select, sort, &args)
            }
            11 if !self.shape.floats.is_empty() => {
                let kind = self.random.pick(&self.shape.floats);
                let op = self.random.pick(&[Op::FpToSigned, Op::FpToUnsigned]);
                let op = if kind.width() == width { Op::FpToBits } else { op };
                let args = [self.term(terms, Sort::Float(kind), depth)];
                terms.raw(op, sort, &args)
            }
            _ => self.slice(terms, width, depth),
        }
    }

    fn slice(&mut self, terms: &mut Terms, width: u32, depth: u32) -> Term {
        let sort = Sort::BitVec(width);
        let other = self.any_width();
        if other < width {
            if self.random.chance(60) {
                let op = self.random.pick(&[Op::ZeroExtend, Op::SignExtend]);
                let args = [self.term(terms, Sort::BitVec(other), depth)];
                return terms.raw(op, sort, &args);
            }
            let args = [
                self.term(terms, Sort::BitVec(width - other), depth.min(1)),
                self.term(terms, Sort::BitVec(other), depth),
            ];
            return terms.raw(Op::Concat, sort, &args);
        }
        if other > width {
            let low = self.random.pick(&[0, 0, 0, other - width]);
            let args = [self.term(terms, Sort::BitVec(other), depth)];
            return terms.raw(
                Op::Extract {
                    high: low + width - 1,
                    low,
                },
                sort,
                &args,
            );
        }
        self.choice(terms, sort, depth)
    }

    fn float_term(&mut self, terms: &mut Terms, kind: FloatKind, depth: u32) -> Term {
        let sort = Sort::Float(kind);
        match self.random.below(9) {
            0..=3 => {
                let op = self.random.pick(&[Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv]);
                let args = self.pair(terms, sort, depth);
                terms.raw(op, sort, &args)
            }
            4 => {
                let op = self.random.pick(&[Op::FpNeg, Op::FpAbs]);
                let args = [self.term(terms, sort, depth)];
                terms.raw(op, sort, &args)
            }
            5 => self.choice(terms, sort, depth),
            6 => {
                let from = self.random.pick(&self.shape.floats);
                let args = [self.term(terms, Sort::Float(from), depth)];
                terms.raw(Op::FpConvert, sort, &args)
            }
            7 if self.shape.widths.contains(&kind.width()) => {
                let args = [self.term(terms, Sort::BitVec(kind.width()), depth)];
                terms.raw(Op::FpFromBits, sort, &args)
            }
            _ => {
                let op = self.random.pick(&[Op::FpFromSigned, Op::FpFromUnsigned]);
                let width = self.any_width();
                let args = [self.term(terms, Sort::BitVec(width), depth)];
                terms.raw(op, sort, &args)
            }
        }
    }
}
