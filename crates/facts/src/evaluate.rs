//! The value of a term, as far as a state tells it.

use logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};

use crate::state::State;
use crate::word::{Word, mask, to_signed};

/// So many combinations of values are computed one by one.
const MAX_COMBINATIONS: usize = 16;

#[derive(Clone, Debug)]
pub enum Value {
    Word(Word),
    Truth(Option<bool>),
    /// A float or an array.
    Other,
}

impl Value {
    pub fn word(self, width: u32) -> Word {
        match self {
            Value::Word(word) => word,
            _ => Word::any(width),
        }
    }
}

/// Whether addresses of variables are numbers. What programs do does not depend on where objects lie, and no fact may; but
/// that different objects are apart is told by any placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    Unknown,
    Placed,
}

/// The value of a term of any sort.
pub fn value(semantics: &mut Semantics<'_>, state: &State, addresses: Addresses, term: Term) -> Value {
    let mut evaluation = Evaluation {
        semantics,
        state,
        addresses,
        known: FxHashMap::default(),
    };
    evaluation.value(term)
}

/// The value of a term that is a word.
pub fn word(semantics: &mut Semantics<'_>, state: &State, term: Term) -> Word {
    let width = width(&semantics.terms, term);
    value(semantics, state, Addresses::Unknown, term).word(width)
}

pub fn truth(semantics: &mut Semantics<'_>, state: &State, term: Term) -> Option<bool> {
    match value(semantics, state, Addresses::Unknown, term) {
        Value::Truth(truth) => truth,
        _ => None,
    }
}

pub fn width(terms: &Terms, term: Term) -> u32 {
    terms.sort(term).width().expect("the term is a word")
}

struct Evaluation<'a, 's, 'p> {
    semantics: &'s mut Semantics<'p>,
    state: &'a State,
    addresses: Addresses,
    known: FxHashMap<Term, Value>,
}

impl Evaluation<'_, '_, '_> {
    fn value(&mut self, root: Term) -> Value {
        for term in self.semantics.terms.subterms(&[root]) {
            let value = match self.semantics.terms.sort(term) {
                Sort::Bool => Value::Truth(self.truth(term)),
                Sort::BitVec(width) => Value::Word(self.word(term, width)),
                _ => Value::Other,
            };
            self.known.insert(term, value);
        }
        self.known[&root].clone()
    }

    fn known_word(&self, term: Term) -> Word {
        match self.known.get(&term) {
            Some(Value::Word(word)) => word.clone(),
            _ => Word::any(width(&self.semantics.terms, term)),
        }
    }

    fn known_truth(&self, term: Term) -> Option<bool> {
        match self.known.get(&term) {
            Some(&Value::Truth(truth)) => truth,
            _ => None,
        }
    }

    fn truth(&mut self, term: Term) -> Option<bool> {
        let terms = &self.semantics.terms;
        let args = terms.args(term).to_vec();
        match terms.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => self.known_truth(args[0]).map(|truth| !truth),
            Op::And => self.all(&args, true),
            Op::Or => self.all(&args, false),
            Op::Eq if terms.sort(args[0]).width().is_some() => self.equal(args[0], args[1]),
            Op::Ult => {
                let (a, b) = (self.known_word(args[0]), self.known_word(args[1]));
                compare(a.unsigned, b.unsigned)
            }
            Op::Ule => {
                let (a, b) = (self.known_word(args[0]), self.known_word(args[1]));
                compare(b.unsigned, a.unsigned).map(|less| !less)
            }
            Op::Slt => {
                let (a, b) = (self.known_word(args[0]), self.known_word(args[1]));
                compare(a.signed, b.signed)
            }
            Op::Sle => {
                let (a, b) = (self.known_word(args[0]), self.known_word(args[1]));
                compare(b.signed, a.signed).map(|less| !less)
            }
            Op::Ite => match self.known_truth(args[0]) {
                Some(true) => self.known_truth(args[1]),
                Some(false) => self.known_truth(args[2]),
                None => self
                    .known_truth(args[1])
                    .filter(|&truth| self.known_truth(args[2]) == Some(truth)),
            },
            _ => None,
        }
    }

    /// Whether all are `neutral`, or one is not.
    fn all(&self, args: &[Term], neutral: bool) -> Option<bool> {
        let mut all = Some(neutral);
        for &arg in args {
            match self.known_truth(arg) {
                Some(truth) if truth == neutral => {}
                Some(truth) => return Some(truth),
                None => all = None,
            }
        }
        all
    }

    fn equal(&mut self, a: Term, b: Term) -> Option<bool> {
        let (x, y) = (self.known_word(a), self.known_word(b));
        if x.meet(&y).is_none() {
            return Some(false);
        }
        if let (Some(x), Some(y)) = (x.as_constant(), y.as_constant()) {
            return Some(x == y);
        }
        let mut difference = self.semantics.terms.linear(a);
        let minus_one = mask(difference.width);
        difference.add_scaled(&self.semantics.terms.linear(b), minus_one);
        self.state.constant(&difference).map(|constant| constant == 0)
    }

    fn word(&mut self, term: Term, width: u32) -> Word {
        let slot = self.state.words().get(&term).cloned();
        let computed = self.computed(term, width);
        match slot {
            Some(slot) => slot.meet(&computed).unwrap_or(slot),
            None => computed,
        }
    }

    fn computed(&mut self, term: Term, width: u32) -> Word {
        let terms = &self.semantics.terms;
        let op = terms.op(term);
        let args = terms.args(term).to_vec();
        match op {
            Op::Word(bits) => return Word::constant(width, bits),
            Op::Symbol(symbol) => {
                return match self.semantics.storage_of(symbol) {
                    Some(Storage::Address(var)) if self.addresses == Addresses::Placed => {
                        Word::constant(width, u128::from(self.semantics.address_value(var)))
                    }
                    _ => Word::any(width),
                };
            }
            Op::Select => return self.select(args[0], args[1], width),
            Op::Ite => {
                return match self.known_truth(args[0]) {
                    Some(true) => self.known_word(args[1]),
                    Some(false) => self.known_word(args[2]),
                    None => self.known_word(args[1]).join(&self.known_word(args[2])),
                };
            }
            _ => {}
        }
        if args.iter().any(|&arg| terms.sort(arg).width().is_none()) {
            return Word::any(width);
        }
        let words: Vec<Word> = args.iter().map(|&arg| self.known_word(arg)).collect();
        if let Some(values) = self.combinations(op, Sort::BitVec(width), &words) {
            return Word::of_values(width, values).expect("every combination has a value");
        }
        match op {
            Op::Add | Op::Mul => self.sum(term, width, &words),
            _ => by_bounds(op, width, &words),
        }
    }

    /// The operation on each combination of its arguments' values, where they are few.
    fn combinations(&mut self, op: Op, sort: Sort, words: &[Word]) -> Option<Vec<u128>> {
        let mut combinations: Vec<Vec<u128>> = vec![Vec::new()];
        for word in words {
            let values = word.values.as_ref()?;
            if combinations.len() * values.len() > MAX_COMBINATIONS {
                return None;
            }
            let longer = combinations.iter().flat_map(|combination| {
                values.iter().map(|&value| {
                    let mut longer = combination.clone();
                    longer.push(value);
                    longer
                })
            });
            combinations = longer.collect();
        }
        let terms = &mut self.semantics.terms;
        let results = combinations.into_iter().map(|combination| {
            let args: Vec<Term> = words
                .iter()
                .zip(combination)
                .map(|(word, value)| terms.word(word.width, value))
                .collect();
            let result = terms.rebuild(op, sort, &args);
            terms.as_word(result)
        });
        results.collect()
    }

    fn sum(&mut self, term: Term, width: u32, words: &[Word]) -> Word {
        let linear = self.semantics.terms.linear(term);
        if linear.monomials.len() == 1 && linear.monomials[0].0 == term {
            return match words {
                [a, b] => times(width, a, b),
                _ => Word::any(width),
            };
        }
        if let Some(constant) = self.state.constant(&linear) {
            return Word::constant(width, constant);
        }
        let summands: Vec<(i128, Word)> = linear
            .monomials
            .iter()
            .map(|&(term, coefficient)| (to_signed(coefficient, width), self.known_word(term)))
            .collect();
        linear_word(width, to_signed(linear.constant, width), &summands)
    }

    /// What an array has at an address.
    fn select(&mut self, mut array: Term, address: Term, width: u32) -> Word {
        let mut found: Option<Word> = None;
        let mut add = |word: Word| {
            found = Some(match found.take() {
                Some(found) => found.join(&word),
                None => word,
            });
        };
        loop {
            let args = self.semantics.terms.args(array).to_vec();
            match self.semantics.terms.op(array) {
                Op::Store => {
                    let here = self.same_address(args[1], address);
                    if here != Some(false) {
                        add(self.known_word(args[2]));
                    }
                    if here == Some(true) {
                        break;
                    }
                    array = args[0];
                }
                Op::ConstArray => {
                    add(self.known_word(args[0]));
                    break;
                }
                _ => {
                    let cell = self.semantics.terms.select(array, address);
                    add(self
                        .state
                        .words()
                        .get(&cell)
                        .cloned()
                        .unwrap_or_else(|| Word::any(width)));
                    break;
                }
            }
        }
        found.expect("the loop ends with a word")
    }

    fn same_address(&mut self, a: Term, b: Term) -> Option<bool> {
        let difference = self.semantics.terms.sub(a, b);
        if let Some(constant) = self.semantics.terms.as_word(difference) {
            return Some(constant == 0);
        }
        let width = width(&self.semantics.terms, a);
        let placed = |semantics: &mut Semantics<'_>, term| {
            value(semantics, self.state, Addresses::Placed, term).word(width)
        };
        let (a, b) = (placed(self.semantics, a), placed(self.semantics, b));
        match (a.as_constant(), b.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ if a.meet(&b).is_none() => Some(false),
            _ => None,
        }
    }
}

/// Whether the numbers of one range are less than those of another.
fn compare<N: Ord>(a: (N, N), b: (N, N)) -> Option<bool> {
    if a.1 < b.0 {
        Some(true)
    } else if a.0 >= b.1 {
        Some(false)
    } else {
        None
    }
}

/// `constant + Σ factor · word`.
pub fn linear_word(width: u32, constant: i128, summands: &[(i128, Word)]) -> Word {
    let bounds = |of: &dyn Fn(&Word) -> Option<(i128, i128)>| -> Option<Word> {
        let (mut low, mut high) = (constant, constant);
        for (factor, word) in summands {
            let (a, b) = of(word)?;
            let (a, b) = (a.checked_mul(*factor)?, b.checked_mul(*factor)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        Some(Word::of_number(width, low, high))
    };
    let signed = bounds(&|word| Some(word.signed));
    let unsigned = bounds(&|word| {
        let (low, high) = word.unsigned;
        Some((i128::try_from(low).ok()?, i128::try_from(high).ok()?))
    });
    match (signed, unsigned) {
        (Some(a), Some(b)) => a.meet(&b).unwrap_or(a),
        (Some(word), None) | (None, Some(word)) => word,
        (None, None) => Word::any(width),
    }
}

fn times(width: u32, a: &Word, b: &Word) -> Word {
    let mut word = Word::any(width);
    let corners = [
        a.signed.0.checked_mul(b.signed.0),
        a.signed.0.checked_mul(b.signed.1),
        a.signed.1.checked_mul(b.signed.0),
        a.signed.1.checked_mul(b.signed.1),
    ];
    if let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() {
        let (low, high) = corners
            .iter()
            .fold((i128::MAX, i128::MIN), |(low, high), &corner| {
                (low.min(corner), high.max(corner))
            });
        word = word.meet(&Word::of_number(width, low, high)).unwrap_or(word);
    }
    if let Some(high) = a.unsigned.1.checked_mul(b.unsigned.1)
        && high <= mask(width)
        && let Some(range) = Word::of_unsigned(width, a.unsigned.0 * b.unsigned.0, high)
    {
        word = word.meet(&range).unwrap_or(word);
    }
    word
}

/// The least number of all ones that is not below the number.
fn all_ones(number: u128) -> u128 {
    match number {
        0 => 0,
        _ => u128::MAX >> number.leading_zeros(),
    }
}

fn by_bounds(op: Op, width: u32, args: &[Word]) -> Word {
    let any = || Word::any(width);
    let unsigned = |low: u128, high: u128| Word::of_unsigned(width, low, high).unwrap_or_else(any);
    let signed = |low: i128, high: i128| Word::of_signed(width, low, high).unwrap_or_else(any);
    match (op, args) {
        (Op::Urem, [a, b]) if b.unsigned.0 > 0 => match a.unsigned.1 < b.unsigned.0 {
            true => a.clone(),
            false => unsigned(0, a.unsigned.1.min(b.unsigned.1 - 1)),
        },
        (Op::Udiv, [a, b]) if b.unsigned.0 > 0 => {
            unsigned(a.unsigned.0 / b.unsigned.1, a.unsigned.1 / b.unsigned.0)
        }
        (Op::Srem, [a, b]) if b.signed.0 > 0 => {
            let most = b.signed.1 - 1;
            let low = if a.signed.0 >= 0 {
                0
            } else {
                (-most).max(a.signed.0)
            };
            let high = if a.signed.1 <= 0 { 0 } else { most.min(a.signed.1) };
            signed(low, high)
        }
        (Op::Sdiv, [a, b]) if b.signed.0 > 0 => {
            let quotients = [
                a.signed.0 / b.signed.0,
                a.signed.0 / b.signed.1,
                a.signed.1 / b.signed.0,
                a.signed.1 / b.signed.1,
            ];
            let (low, high) = quotients.iter().fold((i128::MAX, i128::MIN), |(low, high), &q| {
                (low.min(q), high.max(q))
            });
            signed(low, high)
        }
        (Op::BitNot, [a]) => unsigned(mask(width) - a.unsigned.1, mask(width) - a.unsigned.0),
        (Op::BitAnd, args) => unsigned(
            0,
            args.iter().map(|arg| arg.unsigned.1).min().unwrap_or(mask(width)),
        ),
        (Op::BitOr, args) => unsigned(
            args.iter().map(|arg| arg.unsigned.0).max().unwrap_or(0),
            args.iter().fold(0, |ones, arg| ones | all_ones(arg.unsigned.1)),
        ),
        (Op::BitXor, args) => unsigned(
            0,
            args.iter().fold(0, |ones, arg| ones | all_ones(arg.unsigned.1)),
        ),
        (Op::Lshr, [a, by]) => match by.as_constant().filter(|&by| by < u128::from(width)) {
            Some(by) => unsigned(a.unsigned.0 >> by, a.unsigned.1 >> by),
            None => unsigned(0, a.unsigned.1),
        },
        (Op::Ashr, [a, by]) => match by.as_constant().filter(|&by| by < u128::from(width)) {
            Some(by) => signed(a.signed.0 >> by, a.signed.1 >> by),
            None => any(),
        },
        (Op::ZeroExtend, [a]) => unsigned(a.unsigned.0, a.unsigned.1),
        (Op::SignExtend, [a]) => signed(a.signed.0, a.signed.1),
        (Op::Concat, [a, b]) => unsigned(
            a.unsigned.0 << b.width | b.unsigned.0,
            a.unsigned.1 << b.width | b.unsigned.1,
        ),
        (Op::Extract { low, .. }, [a]) => {
            let (from, to) = (a.unsigned.0 >> low, a.unsigned.1 >> low);
            let mut word = any();
            if from >> (width - 1) >> 1 == to >> (width - 1) >> 1 {
                word = unsigned(from & mask(width), to & mask(width));
            }
            // A number that fits is the same number.
            if low == 0 {
                let range = Word::any(width).signed;
                if range.0 <= a.signed.0 && a.signed.1 <= range.1 {
                    let same = signed(a.signed.0, a.signed.1);
                    word = word.meet(&same).unwrap_or(same);
                }
            }
            word
        }
        _ => any(),
    }
}

/// A read of memory as what was stored there, where it is known which store that was.
pub fn resolved(semantics: &mut Semantics<'_>, state: &State, term: Term) -> Term {
    if semantics.terms.op(term) != Op::Select {
        return term;
    }
    let (mut array, address) = (semantics.terms.args(term)[0], semantics.terms.args(term)[1]);
    while semantics.terms.op(array) == Op::Store {
        let args = semantics.terms.args(array).to_vec();
        let mut evaluation = Evaluation {
            semantics,
            state,
            addresses: Addresses::Unknown,
            known: FxHashMap::default(),
        };
        match evaluation.same_address(args[1], address) {
            Some(true) => return args[2],
            Some(false) => array = args[0],
            None => break,
        }
    }
    semantics.terms.select(array, address)
}
