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
        // An array is known only where nothing was ever written to it: it is never followed.
        _ if matches!(sort, Sort::Array { .. }) => return None,
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

/// What an operation gives of words of which not all are known.
fn of_numbers(op: Op, sort: Sort, args: &[(Option<Known>, Sort)]) -> Option<Known> {
    let numbers: Vec<(i128, i128)> = args.iter().map(bounds).collect::<Option<_>>()?;
    let &(low, high) = numbers.first()?;
    if sort == Sort::Bool {
        return decided(op, (low, high), *numbers.get(1)?).map(Known::Truth);
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
            by if by > 0 => (low / by, high / by),
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
        Op::SignExtend => (low, high),
        Op::ZeroExtend | Op::Extract { low: 0, .. } if low >= 0 => (low, high),
        // Bits that are cut off are copies of the sign, where the number fits.
        Op::Extract { low: 0, .. } => (low, high),
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
    match low / by == high / by && low.signum() * high.signum() > 0 {
        true => (low % by, high % by),
        false => (low.clamp(1 - by, 0), high.clamp(0, by - 1)),
    }
}

/// Whether a comparison holds, if it does or does not whichever the numbers are.
fn decided(op: Op, left: (i128, i128), right: (i128, i128)) -> Option<bool> {
    let known = |always: bool, never: bool| (always || never).then_some(always);
    match op {
        Op::Eq => known(false, left.1 < right.0 || right.1 < left.0),
        // Numbers that have no sign are compared alike.
        Op::Ult | Op::Ule if left.0 < 0 || right.0 < 0 => None,
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
        let (symbol, low, high) = match (terms.as_symbol(left), terms.as_symbol(right)) {
            (Some(symbol), None) => {
                let number = number(right)?;
                match terms.op(comparison) {
                    Op::Eq => (symbol, number, number),
                    Op::Slt => (symbol, least, number - 1),
                    Op::Sle => (symbol, least, number),
                    Op::Ult if number > 0 => (symbol, 0, number - 1),
                    Op::Ule if number >= 0 => (symbol, 0, number),
                    _ => return None,
                }
            }
            (None, Some(symbol)) => {
                let number = number(left)?;
                match terms.op(comparison) {
                    Op::Eq => (symbol, number, number),
                    Op::Slt => (symbol, number + 1, greatest),
                    Op::Sle => (symbol, number, greatest),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (least <= low && low <= high && high <= greatest).then_some(Said {
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
    use logic::{Op, Sort, Symbol, SymbolInfo, Term, Terms, Value, apply};

    use super::{Known, Said, applied, extent};

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

    /// All ranges of so many bits, the widest as what is not known.
    fn ranges(width: u32) -> Vec<(Option<Known>, Vec<i128>)> {
        let (least, greatest) = extent(width);
        let ends = (least..=greatest).flat_map(|low| (low..=greatest).map(move |high| (low, high)));
        ends.map(|(low, high)| (Known::between(width, low, high), (low..=high).collect()))
            .collect()
    }

    fn word(width: u32, number: i128) -> Value {
        Value::word(width, number as u128)
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

    /// Whatever the numbers are, what is known of the result is so; returns how often something is known of several.
    fn is_sound(op: Op, sort: Sort, widths: &[u32]) -> usize {
        let mut known_of_several = 0;
        let first = ranges(widths[0]);
        let second = widths
            .get(1)
            .map(|&width| ranges(width))
            .unwrap_or(vec![(None, vec![0])]);
        for (left, lefts) in &first {
            for (right, rights) in &second {
                let both = [
                    (*left, Sort::BitVec(widths[0])),
                    (*right, Sort::BitVec(widths[widths.len() - 1])),
                ];
                let found = applied(op, sort, &both[..widths.len()]);
                known_of_several += usize::from(found.is_some() && lefts.len() * rights.len() > 1);
                for &left in lefts {
                    for &right in rights {
                        let values = [word(widths[0], left), word(widths[widths.len() - 1], right)];
                        let value = apply(op, sort, &values[..widths.len()]);
                        assert!(
                            contains(found, &value),
                            "{op:?} of {both:?}: {value:?} is not in {found:?}"
                        );
                    }
                }
            }
        }
        known_of_several
    }

    #[test]
    fn results_lie_within_their_bounds() {
        let same = Sort::BitVec(WIDTH);
        for op in [
            Op::Add,
            Op::Mul,
            Op::Sdiv,
            Op::Srem,
            Op::Udiv,
            Op::Urem,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
            Op::BitAnd,
        ] {
            assert!(is_sound(op, same, &[WIDTH, WIDTH]) > 50, "{op:?}");
        }
        for op in [Op::BitOr, Op::BitXor] {
            is_sound(op, same, &[WIDTH, WIDTH]);
        }
        for op in [Op::Eq, Op::Slt, Op::Sle, Op::Ult, Op::Ule] {
            assert!(is_sound(op, Sort::Bool, &[WIDTH, WIDTH]) > 100, "{op:?}");
        }
        is_sound(Op::Concat, Sort::BitVec(WIDTH + 2), &[WIDTH, 2]);
        assert!(is_sound(Op::BitNot, same, &[WIDTH]) > 50);
        assert!(is_sound(Op::SignExtend, Sort::BitVec(7), &[WIDTH]) > 50);
        assert!(is_sound(Op::ZeroExtend, Sort::BitVec(7), &[WIDTH]) > 20);
        assert!(is_sound(Op::Extract { high: 2, low: 0 }, Sort::BitVec(3), &[WIDTH]) > 10);
        is_sound(Op::Extract { high: 3, low: 1 }, Sort::BitVec(3), &[WIDTH]);
    }

    #[test]
    fn one_of_two_lies_within_what_is_known_of_both() {
        let sort = Sort::BitVec(WIDTH);
        for (left, lefts) in ranges(WIDTH) {
            for (right, rights) in ranges(WIDTH) {
                let found = applied(Op::Ite, sort, &[(None, Sort::Bool), (left, sort), (right, sort)]);
                for &number in lefts.iter().chain(&rights) {
                    assert!(contains(found, &word(WIDTH, number)));
                }
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
    fn conditions_leave_what_satisfies_them() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(WIDTH), SymbolInfo::signed());
        let symbol = terms.as_symbol(x).expect("it is one");
        let mut narrowed = 0;
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
                        narrowed += leaves_what_satisfies(&terms, condition, symbol);
                    }
                }
            }
        }
        assert!(narrowed > 1000, "{narrowed}");
    }

    fn leaves_what_satisfies(terms: &Terms, condition: Term, symbol: Symbol) -> usize {
        let Some(said) = Said::of(terms, condition) else {
            return 0;
        };
        assert_eq!(said.symbol, symbol);
        let mut narrowed = 0;
        for (known, numbers) in ranges(WIDTH) {
            let found = said.added(known);
            narrowed += usize::from(found != known);
            for number in numbers {
                let value = word(WIDTH, number);
                let assignment = [(symbol, value.clone())].into_iter().collect();
                let holds = terms.eval(condition, &assignment) == Ok(Value::Bool(true));
                assert!(
                    !holds || contains(found, &value),
                    "{said:?} of {known:?}: {number}"
                );
            }
        }
        narrowed
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
        let (least, greatest) = extent(WIDTH);
        for (known, numbers) in ranges(WIDTH) {
            let Some(known) = known else { continue };
            let found = known.widened(starts.into_iter());
            let cells = cell(numbers[0])..=cell(numbers[numbers.len() - 1]);
            for number in least..=greatest {
                let is_in = contains(found, &word(WIDTH, number));
                assert_eq!(is_in, cells.contains(&cell(number)), "{known:?}: {number}");
            }
        }
    }
}
