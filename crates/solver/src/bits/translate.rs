//! Terms without arrays as bits.

use std::rc::Rc;

use logic::{FloatKind, Op, Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;

use super::circuit::{Bit, Circuit};
use super::floats::{Float, Format};
use super::words::{Word, as_constant, constant, inverted, sign_extend, zero_extend};

/// More gates than that would not fit into a reasonable amount of memory.
const MAX_GATES: usize = 10_000_000;

/// What a term is.
#[derive(Clone)]
enum Bits {
    Truth(Bit),
    Word(Rc<[Bit]>),
    Float(Rc<Float>),
}

/// Why terms are not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Arrays,
    TooLarge,
    Stopped,
}

/// The translation of terms, each once.
pub(crate) struct Translation {
    pub circuit: Circuit,
    done: FxHashMap<Term, Bits>,
    /// The inputs that stand for each symbol: for floats the bits of their patterns.
    symbols: Vec<(Symbol, Word)>,
    /// Quotients and remainders, which are computed together.
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Translation {
    pub fn new() -> Translation {
        Translation {
            circuit: Circuit::new(),
            done: FxHashMap::default(),
            symbols: Vec::new(),
            divisions: FxHashMap::default(),
        }
    }

    /// The bit that a formula is. `stop` is asked now and then.
    pub fn formula(&mut self, terms: &Terms, formula: Term, stop: &dyn Fn() -> bool) -> Result<Bit, Refused> {
        for (count, term) in terms.subterms(&[formula]).into_iter().enumerate() {
            if self.done.contains_key(&term) {
                continue;
            }
            if count % 1024 == 0 && stop() {
                return Err(Refused::Stopped);
            }
            let bits = self.term(terms, term)?;
            if self.circuit.len() > MAX_GATES {
                return Err(Refused::TooLarge);
            }
            self.done.insert(term, bits);
        }
        Ok(self.truth(formula))
    }

    /// What the symbols are when inputs are as `value` says.
    pub fn values(&self, terms: &Terms, value: impl Fn(Bit) -> bool) -> Vec<(Symbol, Value)> {
        let number = |word: &Word| {
            word.iter()
                .enumerate()
                .fold(0, |number, (at, &bit)| number | u128::from(value(bit)) << at)
        };
        self.symbols
            .iter()
            .map(|(symbol, word)| {
                let bits = number(word);
                let value = match terms.symbol_sort(*symbol) {
                    Sort::Bool => Value::Bool(bits == 1),
                    Sort::BitVec(width) => Value::word(width, bits),
                    Sort::Float(kind) => Value::float(kind, bits),
                    Sort::Array { .. } => unreachable!("arrays are refused"),
                };
                (*symbol, value)
            })
            .collect()
    }

    /// Whether there are floats among what was translated.
    pub fn has_floats(&self) -> bool {
        self.done.values().any(|bits| matches!(bits, Bits::Float(_)))
    }

    pub fn symbols(&self) -> &[(Symbol, Word)] {
        &self.symbols
    }

    /// A word, or the pattern of a float.
    #[cfg(test)]
    pub fn bits_of(&mut self, terms: &Terms, term: Term) -> Word {
        for term in terms.subterms(&[term]) {
            let bits = self.term(terms, term).expect("there are no arrays");
            self.done.insert(term, bits);
        }
        match self.done[&term].clone() {
            Bits::Truth(bit) => vec![bit],
            Bits::Word(word) => word.to_vec(),
            Bits::Float(float) => self.circuit.pack(&float),
        }
    }

    fn truth(&self, term: Term) -> Bit {
        match &self.done[&term] {
            Bits::Truth(bit) => *bit,
            _ => unreachable!("the term is a truth value"),
        }
    }

    fn word(&self, term: Term) -> Rc<[Bit]> {
        match &self.done[&term] {
            Bits::Word(word) => Rc::clone(word),
            _ => unreachable!("the term is a word"),
        }
    }

    fn float(&self, term: Term) -> Rc<Float> {
        match &self.done[&term] {
            Bits::Float(float) => Rc::clone(float),
            _ => unreachable!("the term is a float"),
        }
    }

    fn term(&mut self, terms: &Terms, term: Term) -> Result<Bits, Refused> {
        Ok(match terms.sort(term) {
            Sort::Array { .. } => return Err(Refused::Arrays),
            Sort::Bool => Bits::Truth(self.truth_term(terms, term)?),
            Sort::BitVec(width) => Bits::Word(Rc::from(self.word_term(terms, term, width as usize)?)),
            Sort::Float(kind) => Bits::Float(Rc::new(self.float_term(terms, term, kind)?)),
        })
    }

    fn symbol(&mut self, symbol: Symbol, width: usize) -> Word {
        let word: Word = (0..width).map(|_| self.circuit.input()).collect();
        self.symbols.push((symbol, word.clone()));
        word
    }

    fn truth_term(&mut self, terms: &Terms, term: Term) -> Result<Bit, Refused> {
        let args = terms.args(term);
        let op = terms.op(term);
        Ok(match op {
            Op::True => Bit::TRUE,
            Op::False => Bit::FALSE,
            Op::Symbol(symbol) => self.symbol(symbol, 1)[0],
            Op::Not => !self.truth(args[0]),
            Op::And => {
                let bits: Word = args.iter().map(|&arg| self.truth(arg)).collect();
                self.circuit.all(bits)
            }
            Op::Or => {
                let bits: Word = args.iter().map(|&arg| self.truth(arg)).collect();
                self.circuit.any(bits)
            }
            Op::Ite => {
                let [condition, then, otherwise] = [0, 1, 2].map(|at| self.truth(args[at]));
                self.circuit.choose(condition, then, otherwise)
            }
            Op::Eq => match (&self.done[&args[0]], &self.done[&args[1]]) {
                (Bits::Truth(a), Bits::Truth(b)) => self.circuit.same(*a, *b),
                (Bits::Word(a), Bits::Word(b)) => self.circuit.equal(a, b),
                (Bits::Float(a), Bits::Float(b)) => self.circuit.float_identical(a, b),
                _ => unreachable!("what is compared is of one sort"),
            },
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                let (a, b) = (self.word(args[0]), self.word(args[1]));
                match op {
                    Op::Ult => self.circuit.less(&a, &b),
                    Op::Ule => !self.circuit.less(&b, &a),
                    Op::Slt => self.circuit.signed_less(&a, &b),
                    _ => !self.circuit.signed_less(&b, &a),
                }
            }
            Op::FpEq | Op::FpLt | Op::FpLe => {
                let (a, b) = (self.float(args[0]), self.float(args[1]));
                match op {
                    Op::FpEq => self.circuit.float_equal(&a, &b),
                    Op::FpLt => self.circuit.float_less(&a, &b),
                    _ => self.circuit.float_at_most(&a, &b),
                }
            }
            Op::FpIsNan => self.float(args[0]).nan,
            Op::FpIsInfinite => self.float(args[0]).infinite,
            Op::Select => return Err(Refused::Arrays),
            _ => unreachable!("{op:?} is no truth value"),
        })
    }

    fn word_term(&mut self, terms: &Terms, term: Term, width: usize) -> Result<Word, Refused> {
        let args = terms.args(term);
        let op = terms.op(term);
        Ok(match op {
            Op::Word(bits) => constant(width, bits),
            Op::Symbol(symbol) => self.symbol(symbol, width),
            Op::Ite => {
                let condition = self.truth(args[0]);
                let (then, otherwise) = (self.word(args[1]), self.word(args[2]));
                self.circuit.choose_word(condition, &then, &otherwise)
            }
            Op::Add => self.sum(terms, args, width),
            Op::Mul => {
                let mut product = self.word(args[0]).to_vec();
                for &arg in &args[1..] {
                    product = self.circuit.multiply(&product, &self.word(arg), width);
                }
                product
            }
            Op::Udiv => self.divide(&self.word(args[0]), &self.word(args[1])).0,
            Op::Urem => self.divide(&self.word(args[0]), &self.word(args[1])).1,
            Op::Sdiv | Op::Srem => {
                let (a, b) = (self.word(args[0]), self.word(args[1]));
                let (minus, by_minus) = (a[width - 1], b[width - 1]);
                let (a, b) = (
                    self.circuit.negate_if(minus, &a),
                    self.circuit.negate_if(by_minus, &b),
                );
                let (quotient, rest) = self.divide(&a, &b);
                if op == Op::Srem {
                    self.circuit.negate_if(minus, &rest)
                } else {
                    let opposite = self.circuit.xor(minus, by_minus);
                    self.circuit.negate_if(opposite, &quotient)
                }
            }
            Op::BitNot => inverted(&self.word(args[0])),
            Op::BitAnd => self.bitwise(args, Circuit::and),
            Op::BitOr => self.bitwise(args, Circuit::or),
            Op::BitXor => self.bitwise(args, Circuit::xor),
            Op::Shl => self.circuit.shift_left(&self.word(args[0]), &self.word(args[1])),
            Op::Lshr => {
                let (a, by) = (self.word(args[0]), self.word(args[1]));
                self.circuit.shift_right(&a, &by, Bit::FALSE)
            }
            Op::Ashr => {
                let (a, by) = (self.word(args[0]), self.word(args[1]));
                self.circuit.shift_right(&a, &by, a[width - 1])
            }
            Op::Concat => {
                let mut word = self.word(args[1]).to_vec();
                word.extend(self.word(args[0]).iter());
                word
            }
            Op::Extract { high, low } => self.word(args[0])[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend => zero_extend(&self.word(args[0]), width),
            Op::SignExtend => sign_extend(&self.word(args[0]), width),
            Op::FpToSigned => self.circuit.float_to_word(&self.float(args[0]), true, width),
            Op::FpToUnsigned => self.circuit.float_to_word(&self.float(args[0]), false, width),
            Op::FpToBits => self.circuit.pack(&self.float(args[0])),
            Op::Select => return Err(Refused::Arrays),
            _ => unreachable!("{op:?} is no word"),
        })
    }

    /// Multiples are added row by row, without products of their own.
    fn sum(&mut self, terms: &Terms, args: &[Term], width: usize) -> Word {
        let mut numbers = constant(width, 0);
        let mut multiples = Vec::new();
        for &arg in args {
            let is_multiple = match terms.args(arg) {
                &[a, b] if terms.op(arg) == Op::Mul => terms.as_word(a).or(terms.as_word(b)).is_some(),
                _ => false,
            };
            match is_multiple {
                true => multiples.push(arg),
                false => numbers = self.circuit.add(&numbers, &self.word(arg), Bit::FALSE).0,
            }
        }
        for multiple in multiples {
            let &[a, b] = terms.args(multiple) else {
                unreachable!("a multiple is a product of two")
            };
            let (factor, of) = match terms.as_word(a) {
                Some(factor) => (factor, b),
                None => (as_constant(&self.word(b)).expect("one of them is a number"), a),
            };
            self.circuit
                .accumulate_multiple(&mut numbers, factor, &self.word(of));
        }
        numbers
    }

    fn bitwise(&mut self, args: &[Term], gate: fn(&mut Circuit, Bit, Bit) -> Bit) -> Word {
        let mut word = self.word(args[0]).to_vec();
        for &arg in &args[1..] {
            let other = self.word(arg);
            for (bit, &other) in word.iter_mut().zip(other.iter()) {
                *bit = gate(&mut self.circuit, *bit, other);
            }
        }
        word
    }

    fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let key = (a.to_vec(), b.to_vec());
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let result = self.circuit.divide(a, b);
        self.divisions.insert(key, result.clone());
        result
    }

    fn float_term(&mut self, terms: &Terms, term: Term, kind: FloatKind) -> Result<Float, Refused> {
        let args = terms.args(term);
        let op = terms.op(term);
        let format = Format {
            exponent: kind.exponent_bits() as usize,
            significand: kind.significand_bits() as usize,
        };
        let width = kind.width() as usize;
        Ok(match op {
            Op::Float(pattern) => self.circuit.unpack(format, &constant(width, pattern)),
            Op::Symbol(symbol) => {
                let pattern = self.symbol(symbol, width);
                self.circuit.unpack(format, &pattern)
            }
            Op::Ite => {
                let condition = self.truth(args[0]);
                let (then, otherwise) = (self.float(args[1]), self.float(args[2]));
                self.circuit.choose_float(condition, &then, &otherwise)
            }
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => {
                let (a, b) = (self.float(args[0]), self.float(args[1]));
                match op {
                    Op::FpAdd => self.circuit.float_add(&a, &b),
                    Op::FpSub => {
                        let minus = self.circuit.float_negate(&b);
                        self.circuit.float_add(&a, &minus)
                    }
                    Op::FpMul => self.circuit.float_multiply(&a, &b),
                    _ => self.circuit.float_divide(&a, &b),
                }
            }
            Op::FpNeg => self.circuit.float_negate(&self.float(args[0])),
            Op::FpAbs => self.circuit.float_absolute(&self.float(args[0])),
            Op::FpConvert => self.circuit.float_convert(&self.float(args[0]), format),
            Op::FpFromSigned => self.circuit.float_from_word(&self.word(args[0]), true, format),
            Op::FpFromUnsigned => self.circuit.float_from_word(&self.word(args[0]), false, format),
            Op::FpFromBits => self.circuit.unpack(format, &self.word(args[0])),
            Op::Select => return Err(Refused::Arrays),
            _ => unreachable!("{op:?} is no float"),
        })
    }
}
