//! What is known of a value where some of a state is not: numbers between two bounds, one of them if the bounds are the same.
//!
//! Words are read as signed numbers. An operation on several numbers is looked at only where it goes up or down with each of its
//! operands, so that the bounds of the result come from bounds of the operands, and where no number leaves its width on the way: then
//! words are numbers, and nothing wraps around. All else is not known.

use logic::{FloatKind, Op, Sort, Symbol, Term, Terms, Value, apply};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    Truth(bool),
    /// A word of at most 64 bits, not less than the first and not greater than the second.
    Numbers {
        width: u32,
        low: i128,
        high: i128,
    },
    Float {
        kind: FloatKind,
        bits: u128,
    },
}

/// The least and the greatest number of so many bits.
fn extent(width: u32) -> (i128, i128) {
    let half = 1_i128 << (width - 1);
    (-half, half - 1)
}

impl Known {
    /// The numbers from one to another, if they are not all that there are, and all of them have so many bits.
    pub fn between(width: u32, low: i128, high: i128) -> Option<Known> {
        let (least, greatest) = extent(width);
        let fits = least <= low && low <= high && high <= greatest;
        (fits && (low, high) != (least, greatest)).then_some(Known::Numbers { width, low, high })
    }

    pub fn of(value: &Value) -> Option<Known> {
        match *value {
            Value::Bool(truth) => Some(Known::Truth(truth)),
            Value::Word {
                width: width @ 1..=64,
                bits,
            } => {
                let number = match bits >> (width - 1) {
                    0 => bits as i128,
                    _ => bits as i128 - (1 << width),
                };
                Some(Known::Numbers {
                    width,
                    low: number,
                    high: number,
                })
            }
            Value::Float { kind, bits } => Some(Known::Float { kind, bits }),
            Value::Word { .. } | Value::Array(_) => None,
        }
    }

    /// The value, if there is only one.
    pub fn value(self) -> Option<Value> {
        match self {
            Known::Truth(truth) => Some(Value::Bool(truth)),
            Known::Numbers { width, low, high } => (low == high).then(|| Value::word(width, low as u128)),
            Known::Float { kind, bits } => Some(Value::float(kind, bits)),
        }
    }

    pub fn is_false(self) -> bool {
        self == Known::Truth(false)
    }

    /// The numbers of the cells that this is in; cells begin at `starts`, the first of them below all.
    pub fn widened(self, starts: impl Iterator<Item = i64> + Clone) -> Option<Known> {
        let Known::Numbers { width, low, high } = self else {
            return None;
        };
        let (least, greatest) = extent(width);
        let starts = starts.map(i128::from);
        let below = starts.clone().filter(|&start| start <= low).max();
        let above = starts.filter(|&start| start > high).min();
        Known::between(
            width,
            below.unwrap_or(least).max(least),
            above.map_or(greatest, |start| (start - 1).min(greatest)),
        )
    }
}

/// A term in the order in which it is computed: each operation with where its arguments are.
pub(crate) struct Computation {
    steps: Vec<(Op, Sort, Vec<usize>)>,
}

impl Computation {
    pub fn new(terms: &Terms, term: Term) -> Computation {
        let order = terms.subterms(&[term]);
        let places: FxHashMap<Term, usize> = order.iter().copied().zip(0..).collect();
        let steps = order.iter().map(|&subterm| {
            let args = terms.args(subterm).iter().map(|arg| places[arg]);
            (terms.op(subterm), terms.sort(subterm), args.collect())
        });
        Computation {
            steps: steps.collect(),
        }
    }

    /// What is known of the term, where `of` says what is of symbols.
    pub fn known(&self, of: impl Fn(Symbol) -> Option<Known>) -> Option<Known> {
        let mut found: Vec<Option<Known>> = Vec::with_capacity(self.steps.len());
        for (op, sort, places) in &self.steps {
            let known = match op {
                Op::Symbol(symbol) => of(*symbol),
                op => {
                    let args: Vec<(Option<Known>, Sort)> =
                        places.iter().map(|&at| (found[at], self.steps[at].1)).collect();
                    applied(*op, *sort, &args)
                }
            };
            found.push(known);
        }
        found.last().copied().flatten()
    }
}

/// What an operation gives of arguments of which more or less is known.
pub(crate) fn applied(op: Op, sort: Sort, args: &[(Option<Known>, Sort)]) -> Option<Known> {
    let is = |truth: bool| move |arg: &(Option<Known>, Sort)| arg.0 == Some(Known::Truth(truth));
    match op {
        Op::And if args.iter().any(is(false)) => return Some(Known::Truth(false)),
        Op::Or if args.iter().any(is(true)) => return Some(Known::Truth(true)),
        Op::Ite => {
            return match args[0].0 {
                Some(Known::Truth(true)) => args[1].0,
                Some(Known::Truth(false)) => args[2].0,
                _ => either(args[1].0?, args[2].0?),
            };
        }
        _ => {}
    }
    let values: Option<Vec<Value>> = args
        .iter()
        .map(|(known, _)| known.and_then(Known::value))
        .collect();
    match values {
        Some(values) => Known::of(&apply(op, sort, &values)),
        None => of_numbers(op, sort, args),
    }
}

/// What is so in both cases.
fn either(one: Known, other: Known) -> Option<Known> {
    match (one, other) {
        (
            Known::Numbers { width, low, high },
            Known::Numbers {
                low: low_too,
                high: high_too,
                ..
            },
        ) => Known::between(width, low.min(low_too), high.max(high_too)),
        _ => (one == other).then_some(one),
    }
}

/// The bounds of an argument that is a word of at most 64 bits.
fn bounds(&(known, sort): &(Option<Known>, Sort)) -> Option<(i128, i128)> {
    match (known, sort) {
        (Some(Known::Numbers { low, high, .. }), _) => Some((low, high)),
        (None, Sort::BitVec(width @ 1..=64)) => Some(extent(width)),
        _ => None,
    }
}

/// The bounds of a word's other reading, without a sign.
fn unsigned(low: i128, high: i128, sort: Sort) -> Option<(i128, i128)> {
    let Sort::BitVec(width) = sort else {
        return None;
    };
    let raised = 1_i128 << width;
    Some(match (low < 0, high < 0) {
        (false, _) => (low, high),
        (true, true) => (low + raised, high + raised),
        (true, false) => (0, raised - 1),
    })
}

/// What an operation gives of words of which not all are known.
fn of_numbers(op: Op, sort: Sort, args: &[(Option<Known>, Sort)]) -> Option<Known> {
    let numbers: Vec<(i128, i128)> = args.iter().map(bounds).collect::<Option<_>>()?;
    let &(low, high) = numbers.first()?;
    if sort == Sort::Bool {
        let (left, right) = ((low, high), *numbers.get(1)?);
        let truth = match op {
            Op::Ult | Op::Ule => {
                let [left, right] = [left, right].map(|(low, high)| unsigned(low, high, args[0].1));
                decided(op, left?, right?)
            }
            _ => decided(op, left, right),
        };
        return truth.map(Known::Truth);
    }
    let Sort::BitVec(width @ 1..=64) = sort else {
        return None;
    };
    let constant = || {
        numbers
            .get(1)
            .filter(|(low, high)| low == high)
            .map(|&(value, _)| value)
    };
    let positive = || constant().filter(|&value| value > 0);
    let shift = || constant().filter(|value| (0..i128::from(width)).contains(value));
    let (low, high) = match op {
        Op::Add => numbers
            .iter()
            .fold((0, 0), |(low, high), &(least, most)| (low + least, high + most)),
        Op::Mul => product(&numbers)?,
        Op::BitNot => (-1 - high, -1 - low),
        Op::Sdiv => match constant()? {
            0 => return None,
            by @ 1.. => (low / by, high / by),
            by => (high / by, low / by),
        },
        Op::Srem => match constant()? {
            0 => return None,
            by => rest(low, high, by.abs()),
        },
        Op::Udiv if low >= 0 => (low / positive()?, high / positive()?),
        Op::Urem if low >= 0 => rest(low, high, positive()?),
        Op::Shl => product(&[(low, high), (1 << shift()?, 1 << shift()?)])?,
        Op::Ashr => (low >> shift()?, high >> shift()?),
        Op::Lshr if low >= 0 => (low >> shift()?, high >> shift()?),
        // No bit is set that is not in each of them.
        Op::BitAnd => (
            0,
            numbers
                .iter()
                .filter(|(low, _)| *low >= 0)
                .map(|&(_, high)| high)
                .min()?,
        ),
        Op::ZeroExtend => unsigned(low, high, args[0].1)?,
        // Bits that are cut off are copies of the sign, where the number fits.
        Op::SignExtend | Op::Extract { low: 0, .. } => (low, high),
        _ => return None,
    };
    Known::between(width, low, high)
}

fn product(numbers: &[(i128, i128)]) -> Option<(i128, i128)> {
    let mut all = (1_i128, 1_i128);
    for &(low, high) in numbers {
        let ends = [
            all.0.checked_mul(low)?,
            all.0.checked_mul(high)?,
            all.1.checked_mul(low)?,
            all.1.checked_mul(high)?,
        ];
        all = (*ends.iter().min()?, *ends.iter().max()?);
    }
    Some(all)
}

/// What is left of numbers when a positive one is taken away as often as it can be; it has their sign.
fn rest(low: i128, high: i128, by: i128) -> (i128, i128) {
    match low / by == high / by {
        true => (low % by, high % by),
        false => (low.clamp(1 - by, 0), high.clamp(0, by - 1)),
    }
}

/// Whether a comparison holds, if it does or does not whichever the numbers are.
fn decided(op: Op, left: (i128, i128), right: (i128, i128)) -> Option<bool> {
    let known = |always: bool, never: bool| (always || never).then_some(always);
    match op {
        Op::Eq => known(false, left.1 < right.0 || right.1 < left.0),
        Op::Slt | Op::Ult => known(left.1 < right.0, left.0 >= right.1),
        Op::Sle | Op::Ule => known(left.1 <= right.0, left.0 > right.1),
        _ => None,
    }
}

/// What a condition says of a symbol by comparing it with a constant: it lies between two numbers, or, if not `inside`, it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub symbol: Symbol,
    width: u32,
    low: i128,
    high: i128,
    inside: bool,
}

impl Said {
    /// What a condition says; nothing if it is no such comparison.
    pub fn of(terms: &Terms, condition: Term) -> Option<Said> {
        let inside = terms.op(condition) != Op::Not;
        let comparison = if inside {
            condition
        } else {
            terms.args(condition)[0]
        };
        let &[left, right] = terms.args(comparison) else {
            return None;
        };
        let Sort::BitVec(width @ 1..=64) = terms.sort(left) else {
            return None;
        };
        let number = |term: Term| match Known::of(&Value::word(width, terms.as_word(term)?))? {
            Known::Numbers { low, .. } => Some(low),
            _ => None,
        };
        let (least, greatest) = extent(width);
        // No other comparisons of a symbol with a constant are terms. A constant without a sign that is too large to be read as a
        // number leaves nothing between the two.
        let (symbol, low, high) = match (
            terms.op(comparison),
            terms.as_symbol(left),
            terms.as_symbol(right),
        ) {
            (Op::Eq, Some(symbol), None) => (symbol, number(right)?, number(right)?),
            (Op::Slt, Some(symbol), None) => (symbol, least, number(right)? - 1),
            (Op::Ult, Some(symbol), None) => (symbol, 0, number(right)? - 1),
            (Op::Sle, None, Some(symbol)) => (symbol, number(left)?, greatest),
            _ => return None,
        };
        (low <= high).then_some(Said {
            symbol,
            width,
            low,
            high,
            inside,
        })
    }

    /// What is known of the symbol where this holds.
    pub fn added(self, known: Option<Known>) -> Option<Known> {
        let (low, high) = match known {
            Some(Known::Numbers { low, high, .. }) => (low, high),
            Some(_) => return known,
            None => extent(self.width),
        };
        let (low, high) = match self.inside {
            true => (low.max(self.low), high.min(self.high)),
            false if self.low <= low && low <= self.high => (self.high + 1, high),
            false if self.low <= high && high <= self.high => (low, self.low - 1),
            false => (low, high),
        };
        // Where nothing is left no state is, and anything may be said.
        match low <= high {
            true => Known::between(self.width, low, high),
            false => known,
        }
    }
}

#[cfg(test)]
mod tests {
    use logic::{ElementSort, FloatKind, Op, Sort, Symbol, SymbolInfo, Term, Terms, Value, apply};

    use super::{Known, Said, applied};

    const WIDTH: u32 = 4;

    #[test]
    fn one_argument_may_decide() {
        let truth = |value: bool| Some(Known::Truth(value));
        let both = |op: Op, one: Option<Known>, other: Option<Known>| {
            let found = applied(op, Sort::Bool, &[(one, Sort::Bool), (other, Sort::Bool)]);
            let turned = applied(op, Sort::Bool, &[(other, Sort::Bool), (one, Sort::Bool)]);
            assert_eq!(found, turned);
            found
        };
        assert_eq!(both(Op::And, truth(false), None), truth(false));
        assert_eq!(both(Op::And, truth(true), None), None);
        assert_eq!(both(Op::And, truth(true), truth(true)), truth(true));
        assert_eq!(both(Op::And, truth(true), truth(false)), truth(false));
        assert_eq!(both(Op::Or, truth(true), None), truth(true));
        assert_eq!(both(Op::Or, truth(false), None), None);
        assert_eq!(both(Op::Or, truth(false), truth(false)), truth(false));
        assert_eq!(both(Op::Or, truth(false), truth(true)), truth(true));
        assert_eq!(applied(Op::Not, Sort::Bool, &[(None, Sort::Bool)]), None);
        assert_eq!(
            applied(Op::Not, Sort::Bool, &[(truth(true), Sort::Bool)]),
            truth(false)
        );
    }

    #[test]
    fn nothing_times_whatever_is_nothing() {
        let word = |number: i128| Known::between(8, number, number);
        let of = |op: Op, one: Option<Known>, other: Option<Known>| {
            applied(
                op,
                Sort::BitVec(8),
                &[(one, Sort::BitVec(8)), (other, Sort::BitVec(8))],
            )
        };
        for op in [Op::Mul, Op::BitAnd] {
            assert_eq!(of(op, word(0), None), word(0));
            assert_eq!(of(op, None, word(0)), word(0));
        }
        assert_eq!(of(Op::Mul, word(3), None), None);
        assert_eq!(of(Op::BitAnd, word(3), None), Known::between(8, 0, 3));
        assert_eq!(of(Op::Mul, word(3), word(5)), word(15));
        assert_eq!(of(Op::Add, word(0), None), None);
        assert_eq!(of(Op::BitOr, word(0), None), None);
        assert_eq!(of(Op::BitOr, word(0), word(6)), word(6));
    }

    /// The numbers of so many bits, from the least on.
    fn all(width: u32) -> std::ops::Range<i128> {
        -(1 << (width - 1))..1 << (width - 1)
    }

    /// What is known of the numbers from one to another; nothing if these are all.
    fn range(width: u32, low: i128, high: i128) -> Option<Known> {
        ((low..high + 1) != all(width)).then_some(Known::Numbers { width, low, high })
    }

    /// All ranges of so many bits, the widest as what is not known.
    fn ranges(width: u32) -> Vec<(Option<Known>, Vec<i128>)> {
        let ends = all(width).flat_map(|low| (low..all(width).end).map(move |high| (low, high)));
        ends.map(|(low, high)| (range(width, low, high), (low..=high).collect()))
            .collect()
    }

    fn word(width: u32, number: i128) -> Value {
        Value::word(width, number as u128)
    }

    /// What is known of a value that is one of these, at best.
    fn closest(values: &[Value]) -> Option<Known> {
        let number = |value: &Value| match *value {
            Value::Word { width, bits } if bits < 1 << (width - 1) => (width, bits as i128),
            Value::Word { width, bits } => (width, bits as i128 - (1 << width)),
            _ => unreachable!("all of them are words"),
        };
        if let Value::Bool(truth) = values[0] {
            let is_same = values.iter().all(|value| *value == Value::Bool(truth));
            return is_same.then_some(Known::Truth(truth));
        }
        let (width, low) = values.iter().map(number).min()?;
        let (_, high) = values.iter().map(number).max()?;
        range(width, low, high)
    }

    fn contains(known: Option<Known>, value: &Value) -> bool {
        match (known, Known::of(value)) {
            (None, _) => true,
            (Some(Known::Numbers { low, high, .. }), Some(Known::Numbers { low: number, .. })) => {
                (low..=high).contains(&number)
            }
            (known, value) => known == value,
        }
    }

    /// The first number of some, and the last.
    type Ends = (i128, i128);

    fn ends(numbers: &[i128]) -> Ends {
        (numbers[0], numbers[numbers.len() - 1])
    }

    /// Whatever the numbers are, what is known of the result is so; nothing better could be known where the operation is said to be `close`.
    fn is_sound(op: Op, sort: Sort, widths: [u32; 2], close: impl Fn(Ends, Ends) -> bool) {
        for (left, lefts) in ranges(widths[0]) {
            for (right, rights) in ranges(widths[1]) {
                let both = [(left, Sort::BitVec(widths[0])), (right, Sort::BitVec(widths[1]))];
                let found = applied(op, sort, &both);
                let pairs = lefts
                    .iter()
                    .flat_map(|&left| rights.iter().map(move |&right| (left, right)));
                let values = pairs
                    .map(|(left, right)| apply(op, sort, &[word(widths[0], left), word(widths[1], right)]));
                let values: Vec<Value> = values.collect();
                if values.len() == 1 || close(ends(&lefts), ends(&rights)) {
                    assert_eq!(found, closest(&values), "{op:?} of {both:?}");
                }
                for value in values {
                    assert!(
                        contains(found, &value),
                        "{op:?} of {both:?}: {value:?} is not in {found:?}"
                    );
                }
            }
        }
    }

    /// The same of one number.
    fn is_sound_of_one(op: Op, sort: Sort, close: impl Fn(Ends) -> bool) {
        for (known, numbers) in ranges(WIDTH) {
            let found = applied(op, sort, &[(known, Sort::BitVec(WIDTH))]);
            let values = numbers
                .iter()
                .map(|&number| apply(op, sort, &[word(WIDTH, number)]));
            let values: Vec<Value> = values.collect();
            if values.len() == 1 || close(ends(&numbers)) {
                assert_eq!(found, closest(&values), "{op:?} of {known:?}");
            }
            for value in values {
                assert!(
                    contains(found, &value),
                    "{op:?} of {known:?}: {value:?} is not in {found:?}"
                );
            }
        }
    }

    fn has_room(low: i128, high: i128) -> bool {
        all(WIDTH).contains(&low) && all(WIDTH).contains(&high)
    }

    #[test]
    fn sums_and_products_lie_within_their_bounds() {
        let (same, widths) = (Sort::BitVec(WIDTH), [WIDTH, WIDTH]);
        is_sound(Op::Add, same, widths, |left, right| {
            has_room(left.0 + right.0, left.1 + right.1)
        });
        is_sound(Op::Mul, same, widths, |left, right| {
            let ends = [
                left.0 * right.0,
                left.0 * right.1,
                left.1 * right.0,
                left.1 * right.1,
            ];
            ends.iter().all(|&end| has_room(end, end))
        });
        is_sound(Op::Shl, same, widths, |left, right| {
            let is_shift = right.0 == right.1 && (0..4).contains(&right.0);
            is_shift && has_room(left.0 << right.0, left.1 << right.0)
        });
    }

    #[test]
    fn quotients_and_rests_lie_within_their_bounds() {
        let (same, widths) = (Sort::BitVec(WIDTH), [WIDTH, WIDTH]);
        is_sound(Op::Sdiv, same, widths, |left, right| {
            right.0 == right.1 && right.0 != 0 && !(right.0 == -1 && left.0 == -8)
        });
        is_sound(Op::Srem, same, widths, |_, right| {
            right.0 == right.1 && right.0 != 0
        });
        for op in [Op::Udiv, Op::Urem] {
            is_sound(op, same, widths, |left, right| {
                left.0 >= 0 && right.0 == right.1 && right.0 > 0
            });
        }
        let is_shift = |right: Ends| right.0 == right.1 && (0..4).contains(&right.0);
        is_sound(Op::Ashr, same, widths, |_, right| is_shift(right));
        is_sound(Op::Lshr, same, widths, |left, right| {
            left.0 >= 0 && is_shift(right)
        });
    }

    #[test]
    fn bits_lie_within_their_bounds() {
        let (same, widths) = (Sort::BitVec(WIDTH), [WIDTH, WIDTH]);
        for op in [Op::BitAnd, Op::BitOr, Op::BitXor] {
            is_sound(op, same, widths, |_, _| false);
        }
        is_sound(Op::Concat, Sort::BitVec(WIDTH + 2), [WIDTH, 2], |_, _| false);
        is_sound_of_one(Op::BitNot, same, |_| true);
        is_sound_of_one(Op::SignExtend, Sort::BitVec(7), |_| true);
        is_sound_of_one(Op::ZeroExtend, Sort::BitVec(7), |_| true);
        is_sound_of_one(Op::Extract { high: 2, low: 0 }, Sort::BitVec(3), |(low, high)| {
            low >= -4 && high < 4
        });
        is_sound_of_one(Op::Extract { high: 3, low: 1 }, Sort::BitVec(3), |_| false);
    }

    #[test]
    fn comparisons_are_decided() {
        let widths = [WIDTH, WIDTH];
        for op in [Op::Eq, Op::Slt, Op::Sle] {
            is_sound(op, Sort::Bool, widths, |_, _| true);
        }
        for op in [Op::Ult, Op::Ule] {
            is_sound(op, Sort::Bool, widths, |_, _| true);
        }
    }

    #[test]
    fn several_operands() {
        let sort = Sort::BitVec(8);
        let operands = [(1, 2), (3, 4), (-6, 5)].map(|(low, high)| (range(8, low, high), sort));
        assert_eq!(applied(Op::Add, sort, &operands), range(8, -2, 11));
        assert_eq!(applied(Op::Mul, sort, &operands), range(8, -48, 40));
        let operands = [(1, 12), (3, 4), (-6, 50)].map(|(low, high)| (range(8, low, high), sort));
        assert_eq!(applied(Op::BitAnd, sort, &operands), range(8, 0, 4));
    }

    #[test]
    fn words_of_64_bits() {
        let sort = Sort::BitVec(64);
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        assert_eq!(Known::of(&Value::word(64, u128::MAX)), range(64, -1, -1));
        assert_eq!(
            Known::of(&Value::word(64, greatest as u128)),
            range(64, greatest, greatest)
        );
        let sum = |low: i128, high: i128, more: i128| {
            let operands = [(range(64, low, high), sort), (range(64, more, more), sort)];
            applied(Op::Add, sort, &operands)
        };
        assert_eq!(sum(0, greatest - 1, 1), range(64, 1, greatest));
        assert_eq!(sum(0, greatest, 1), None);
        assert_eq!(sum(least + 1, 0, -1), range(64, least, -1));
        assert_eq!(sum(least, 0, -1), None);
        assert_eq!(
            applied(Op::Mul, sort, &[(None, sort), (None, sort), (None, sort)]),
            None
        );
    }

    #[test]
    fn wider_words_and_arrays_are_not_known() {
        assert_eq!(Known::of(&Value::word(65, 1)), None);
        let narrow = (range(8, 1, 2), Sort::BitVec(8));
        assert_eq!(
            applied(Op::SignExtend, Sort::BitVec(64), &[narrow]),
            range(64, 1, 2)
        );
        assert_eq!(applied(Op::SignExtend, Sort::BitVec(65), &[narrow]), None);
        let wide = (None, Sort::BitVec(65));
        assert_eq!(
            applied(Op::Extract { high: 7, low: 0 }, Sort::BitVec(8), &[wide]),
            None
        );
        assert_eq!(applied(Op::Slt, Sort::Bool, &[wide, wide]), None);
        let array = Sort::Array {
            index: 8,
            element: ElementSort::BitVec(8),
        };
        let zero = (range(8, 0, 0), Sort::BitVec(8));
        assert_eq!(applied(Op::ConstArray, array, &[zero]), None);
        assert_eq!(applied(Op::Select, Sort::BitVec(8), &[(None, array), zero]), None);
    }

    #[test]
    fn one_of_two_lies_within_what_is_known_of_both() {
        let sort = Sort::BitVec(WIDTH);
        for (left, lefts) in ranges(WIDTH) {
            for (right, rights) in ranges(WIDTH) {
                let found = applied(Op::Ite, sort, &[(None, Sort::Bool), (left, sort), (right, sort)]);
                let both = lefts.iter().chain(&rights).map(|&number| word(WIDTH, number));
                assert_eq!(found, closest(&both.collect::<Vec<Value>>()));
                for (truth, chosen) in [(true, left), (false, right)] {
                    let condition = (Some(Known::Truth(truth)), Sort::Bool);
                    assert_eq!(
                        applied(Op::Ite, sort, &[condition, (left, sort), (right, sort)]),
                        chosen
                    );
                }
            }
        }
    }

    #[test]
    fn one_of_two_that_are_the_same() {
        let float = |bits: u128| Known::Float {
            kind: FloatKind::F32,
            bits,
        };
        for (sort, one, other) in [
            (Sort::Bool, Known::Truth(true), Known::Truth(false)),
            (Sort::Float(FloatKind::F32), float(0), float(1)),
        ] {
            let of = |left: Known, right: Known| {
                let args = [(None, Sort::Bool), (Some(left), sort), (Some(right), sort)];
                applied(Op::Ite, sort, &args)
            };
            assert_eq!(of(one, one), Some(one));
            assert_eq!(of(one, other), None);
        }
    }

    #[test]
    fn conditions_leave_what_satisfies_them() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(WIDTH), SymbolInfo::signed());
        let symbol = terms.as_symbol(x).expect("it is one");
        for bits in 0..1 << WIDTH {
            let constant = terms.word(WIDTH, bits);
            for (left, right) in [(x, constant), (constant, x)] {
                let atoms = [
                    terms.eq(left, right),
                    terms.slt(left, right),
                    terms.sle(left, right),
                    terms.ult(left, right),
                    terms.ule(left, right),
                ];
                for atom in atoms {
                    let negated = terms.not(atom);
                    for condition in [atom, negated] {
                        leaves_what_satisfies(&terms, condition, symbol);
                    }
                }
            }
        }
        let y = terms.var("y", Sort::BitVec(WIDTH), SymbolInfo::signed());
        let three = terms.word(WIDTH, 3);
        let sum = terms.add(x, three);
        for condition in [
            terms.slt(x, y),
            terms.eq(x, y),
            terms.slt(sum, three),
            terms.sle(y, sum),
        ] {
            assert_eq!(Said::of(&terms, condition), None);
        }
    }

    /// Nothing better can be known than what a condition leaves of what is known.
    fn leaves_what_satisfies(terms: &Terms, condition: Term, symbol: Symbol) {
        if terms.as_bool(condition).is_some() {
            return;
        }
        let said = Said::of(terms, condition);
        let is_said = match (terms.op(condition), terms.args(condition)) {
            // Between zero and a number that is not read as a negative one.
            (Op::Ult, &[_, most]) => terms.as_word(most) < Some(8),
            (Op::Ule, _) => false,
            _ => true,
        };
        assert_eq!(said.is_some(), is_said);
        let Some(said) = said else { return };
        assert_eq!(said.symbol, symbol);
        for (known, numbers) in ranges(WIDTH) {
            let mut left = numbers
                .iter()
                .map(|&number| word(WIDTH, number))
                .collect::<Vec<Value>>();
            left.retain(|value| {
                let assignment = [(symbol, value.clone())].into_iter().collect();
                terms.eval(condition, &assignment) == Ok(Value::Bool(true))
            });
            let expected = if left.is_empty() { known } else { closest(&left) };
            assert_eq!(said.added(known), expected, "{said:?} of {known:?}");
        }
    }

    #[test]
    fn what_is_no_number_stays_as_it_is() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(WIDTH), SymbolInfo::signed());
        let three = terms.word(WIDTH, 3);
        let condition = terms.eq(x, three);
        let said = Said::of(&terms, condition).expect("it says what x is");
        assert_eq!(said.added(Some(Known::Truth(true))), Some(Known::Truth(true)));
    }

    #[test]
    fn widened_to_whole_cells() {
        let starts = [-3_i64, 0, 1, 5];
        let cell = |number: i128| {
            starts
                .iter()
                .filter(|&&start| i128::from(start) <= number)
                .count()
        };
        for (known, numbers) in ranges(WIDTH) {
            let Some(known) = known else { continue };
            let found = known.widened(starts.into_iter());
            let cells = cell(numbers[0])..=cell(numbers[numbers.len() - 1]);
            for number in all(WIDTH) {
                let is_in = contains(found, &word(WIDTH, number));
                assert_eq!(is_in, cells.contains(&cell(number)), "{known:?}: {number}");
            }
        }
    }
}
