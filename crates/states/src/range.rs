//! What is known of a word: all values from one bound to another, read as signed numbers.
//!
//! One value is a range from itself to itself, and nothing is known of the widest range. Most values are one or the other; ranges in
//! between come from conditions (`x <= 38`), remainders and quotients. Truth is 0 or 1.

use logic::Op;

/// A word of at most 64 bits. The bounds are read as signed numbers of its width; of every width, [`Range::ANY`] is all that there
/// is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    pub low: i64,
    pub high: i64,
}

pub(crate) const FALSE: Range = Range { low: 0, high: 0 };
pub(crate) const TRUE: Range = Range { low: 1, high: 1 };

/// The smallest and the largest number of a width.
pub(crate) fn bounds(width: u32) -> (i64, i64) {
    (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
}

pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

pub(crate) fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

impl Range {
    pub const ANY: Range = Range {
        low: i64::MIN,
        high: i64::MAX,
    };

    pub fn truth(value: bool) -> Range {
        if value { TRUE } else { FALSE }
    }

    /// The word with these lowest bits.
    pub fn word(bits: u64, width: u32) -> Range {
        let value = signed(bits, width);
        Range {
            low: value,
            high: value,
        }
    }

    /// All numbers between two that a word of this width can be; nothing is known where one of them does not fit.
    pub fn between(low: i128, high: i128, width: u32) -> Range {
        let (least, most) = bounds(width);
        let fits = i128::from(least) <= low && high <= i128::from(most);
        match fits && (low, high) != (i128::from(least), i128::from(most)) {
            true => Range {
                low: low as i64,
                high: high as i64,
            },
            false => Range::ANY,
        }
    }

    pub fn is_any(self) -> bool {
        self == Range::ANY
    }

    pub fn as_value(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn is_false(self) -> bool {
        self == FALSE
    }

    /// The bounds of a word of this width.
    fn of(self, width: u32) -> (i128, i128) {
        let (least, most) = bounds(width);
        (i128::from(self.low.max(least)), i128::from(self.high.min(most)))
    }

    pub fn hull(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// What both say; what the first does, if they exclude each other.
    pub fn both(self, other: Range) -> Range {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        match low <= high {
            true => Range { low, high },
            false => self,
        }
    }

    /// What is left without the numbers of another range, where these are at one of the ends.
    pub fn without(self, other: Range, width: u32) -> Range {
        let (low, high) = self.of(width);
        let (from, to) = (i128::from(other.low), i128::from(other.high));
        match (from <= low, high <= to) {
            (true, true) => self,
            (true, false) => Range::between(low.max(to + 1), high, width),
            (false, true) => Range::between(low, high.min(from - 1), width),
            (false, false) => self,
        }
    }

    /// The smallest range around it that ends where cells end; `starts` are the first numbers of all cells but the lowest, in
    /// ascending order.
    pub fn rounded(self, starts: &[i64]) -> Range {
        if self.is_any() {
            return self;
        }
        let below = starts.partition_point(|&start| start <= self.low);
        let above = starts.partition_point(|&start| start <= self.high);
        Range {
            low: below.checked_sub(1).map_or(i64::MIN, |at| starts[at]),
            high: starts.get(above).map_or(i64::MAX, |&start| start - 1),
        }
    }
}

/// The comparisons of two words.
pub(crate) fn compared(op: Op, left: Range, right: Range, width: u32) -> Range {
    let (left, right) = (left.of(width), right.of(width));
    let (left, right) = match op {
        Op::Ult | Op::Ule => (as_unsigned(left, width), as_unsigned(right, width)),
        _ => (left, right),
    };
    let (always, never) = match op {
        Op::Eq => (
            left.0 == left.1 && left == right,
            left.1 < right.0 || right.1 < left.0,
        ),
        Op::Ult | Op::Slt => (left.1 < right.0, left.0 >= right.1),
        _ => (left.1 <= right.0, left.0 > right.1),
    };
    match (always, never) {
        (true, _) => TRUE,
        (_, true) => FALSE,
        _ => Range::ANY,
    }
}

/// The same words read without a sign; from 0 to the largest where the sign is not known.
fn as_unsigned((low, high): (i128, i128), width: u32) -> (i128, i128) {
    let size = 1_i128 << width;
    match (low < 0, high < 0) {
        (false, false) => (low, high),
        (true, true) => (low + size, high + size),
        _ => (0, size - 1),
    }
}

/// What an operation gives of words of which one at least is not one value.
pub(crate) fn computed(op: Op, operands: &[Range], from: u32, width: u32) -> Range {
    let of = |at: usize| operands[at].of(from);
    let second = || operands.get(1).and_then(|range| range.as_value()).map(i128::from);
    let is_positive = |(low, _): (i128, i128)| low >= 0;
    let found = match op {
        Op::Add => operands.iter().try_fold((0, 0), |sum: (i128, i128), range| {
            let (low, high) = range.of(from);
            Some((sum.0 + low, sum.1 + high))
        }),
        Op::Mul => operands.iter().try_fold((1, 1), |product: (i128, i128), range| {
            corners(product, range.of(from), i128::checked_mul)
        }),
        Op::BitNot => {
            let (low, high) = of(0);
            Some((-high - 1, -low - 1))
        }
        Op::Sdiv => second().filter(|&by| by != 0).map(|by| {
            let (low, high) = of(0);
            (low / by, high / by)
        }),
        Op::Udiv if is_positive(of(0)) => second().filter(|&by| by > 0).map(|by| {
            let (low, high) = of(0);
            (low / by, high / by)
        }),
        Op::Srem => second()
            .filter(|&by| by != 0)
            .map(|by| remainder(of(0), by.abs())),
        Op::Urem if is_positive(of(0)) => second().filter(|&by| by > 0).map(|by| remainder(of(0), by)),
        Op::Shl => second()
            .filter(|by| (0..i128::from(width)).contains(by))
            .map(|by| (of(0).0 << by, of(0).1 << by)),
        Op::Ashr => second()
            .filter(|by| (0..i128::from(width)).contains(by))
            .map(|by| (of(0).0 >> by, of(0).1 >> by)),
        Op::Lshr if is_positive(of(0)) => second()
            .filter(|by| (0..i128::from(width)).contains(by))
            .map(|by| (of(0).0 >> by, of(0).1 >> by)),
        Op::BitAnd => {
            // A word without a sign has no bits above its own.
            let positive = operands
                .iter()
                .map(|range| range.of(from))
                .filter(|&range| is_positive(range));
            positive.map(|(_, high)| (0, high)).min()
        }
        Op::BitOr | Op::BitXor if operands.iter().all(|range| is_positive(range.of(from))) => {
            let most = operands.iter().map(|range| range.of(from).1).max().unwrap_or(0);
            let bits = 128 - most.leading_zeros();
            Some((0, (1_i128 << bits) - 1))
        }
        Op::SignExtend => Some(of(0)),
        Op::ZeroExtend => Some(as_unsigned(of(0), from)),
        Op::Extract { low: 0, .. } => Some(of(0)),
        Op::Extract { low, .. } if is_positive(of(0)) => Some((of(0).0 >> low, of(0).1 >> low)),
        _ => None,
    };
    found.map_or(Range::ANY, |(low, high)| {
        Range::between(low.min(high), low.max(high), width)
    })
}

/// The least and the greatest that two bounds of each side give.
fn corners(
    left: (i128, i128),
    right: (i128, i128),
    combine: fn(i128, i128) -> Option<i128>,
) -> Option<(i128, i128)> {
    let all = [
        combine(left.0, right.0)?,
        combine(left.0, right.1)?,
        combine(left.1, right.0)?,
        combine(left.1, right.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// Remainders have the sign of what is divided.
fn remainder((low, high): (i128, i128), by: i128) -> (i128, i128) {
    if low / by == high / by && (low >= 0) == (high >= 0) {
        return (low % by, high % by);
    }
    let least = if low < 0 { low.max(1 - by) } else { 0 };
    let most = if high > 0 { high.min(by - 1) } else { 0 };
    (least, most)
}
