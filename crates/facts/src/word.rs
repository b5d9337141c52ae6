//! What is known of one machine word: the few values that it can have, or else bounds of it, read as an unsigned and as a
//! signed number.
//!
//! Both readings are kept because a program compares the same bits in both ways. Each bounds the other where no sign is
//! in doubt ([`Word::reduced`]).

/// A word with more values than this is known by its bounds only.
pub const MAX_VALUES: usize = 8;

/// Not empty. `values`, if there, are sorted and different, and the bounds are theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub width: u32,
    pub unsigned: (u128, u128),
    pub signed: (i128, i128),
    pub values: Option<Vec<u128>>,
}

pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

pub fn to_signed(value: u128, width: u32) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

pub fn from_signed(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

pub fn signed_range(width: u32) -> (i128, i128) {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}

impl Word {
    pub fn any(width: u32) -> Word {
        Word {
            width,
            unsigned: (0, mask(width)),
            signed: signed_range(width),
            values: None,
        }
    }

    pub fn constant(width: u32, value: u128) -> Word {
        Word::of_values(width, vec![value]).expect("there is a value")
    }

    /// One of some values; `None` if there are none.
    pub fn of_values(width: u32, mut values: Vec<u128>) -> Option<Word> {
        values.sort_unstable();
        values.dedup();
        let unsigned = (*values.first()?, *values.last()?);
        let as_signed = |value: &u128| to_signed(*value, width);
        let signed = (
            values.iter().map(as_signed).min()?,
            values.iter().map(as_signed).max()?,
        );
        Some(Word {
            width,
            unsigned,
            signed,
            values: (values.len() <= MAX_VALUES).then_some(values),
        })
    }

    pub fn of_unsigned(width: u32, low: u128, high: u128) -> Option<Word> {
        let any = Word::any(width);
        Word {
            unsigned: (low, high.min(mask(width))),
            ..any
        }
        .reduced()
    }

    pub fn of_signed(width: u32, low: i128, high: i128) -> Option<Word> {
        let any = Word::any(width);
        let (min, max) = any.signed;
        Word {
            signed: (low.max(min), high.min(max)),
            ..any
        }
        .reduced()
    }

    /// A whole number between `low` and `high`, cut off to the width.
    pub fn of_number(width: u32, low: i128, high: i128) -> Word {
        if width > 64 {
            return Word::any(width);
        }
        let size = 1_i128 << width;
        let mut word = Word::any(width);
        if low.div_euclid(size) == high.div_euclid(size) {
            word.unsigned = (from_signed(low, width), from_signed(high, width));
        }
        let half = size / 2;
        let (shifted_low, shifted_high) = match (low.checked_add(half), high.checked_add(half)) {
            (Some(low), Some(high)) => (low, high),
            _ => return Word::any(width),
        };
        if shifted_low.div_euclid(size) == shifted_high.div_euclid(size) {
            word.signed = (
                to_signed(from_signed(low, width), width),
                to_signed(from_signed(high, width), width),
            );
        }
        word.reduced().unwrap_or_else(|| Word::any(width))
    }

    pub fn is_any(&self) -> bool {
        self.values.is_none()
            && self.unsigned == (0, mask(self.width))
            && self.signed == signed_range(self.width)
    }

    pub fn as_constant(&self) -> Option<u128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    pub fn contains(&self, value: u128) -> bool {
        match &self.values {
            Some(values) => values.contains(&value),
            None => {
                let signed = to_signed(value, self.width);
                (self.unsigned.0..=self.unsigned.1).contains(&value)
                    && (self.signed.0..=self.signed.1).contains(&signed)
            }
        }
    }

    /// With what each reading says of the other; `None` if nothing is left.
    fn reduced(mut self) -> Option<Word> {
        let width = self.width;
        if let Some(values) = self.values.take() {
            let bounds = Word { values: None, ..self };
            let left = values.into_iter().filter(|&value| bounds.contains(value));
            return Word::of_values(width, left.collect());
        }
        let top = mask(width) >> 1;
        // Twice, as what the first reading learns from the second may tell the second more.
        for _ in 0..2 {
            let (low, high) = self.signed;
            if low > high || self.unsigned.0 > self.unsigned.1 {
                return None;
            }
            if low >= 0 || high < 0 {
                self.unsigned.0 = self.unsigned.0.max(from_signed(low, width));
                self.unsigned.1 = self.unsigned.1.min(from_signed(high, width));
            }
            let (low, high) = self.unsigned;
            if low > high {
                return None;
            }
            if high <= top || low > top {
                self.signed.0 = self.signed.0.max(to_signed(low, width));
                self.signed.1 = self.signed.1.min(to_signed(high, width));
            }
        }
        if self.signed.0 > self.signed.1 || self.unsigned.0 > self.unsigned.1 {
            return None;
        }
        if self.unsigned.1 - self.unsigned.0 < MAX_VALUES as u128 {
            let (low, high) = self.unsigned;
            let bounds = self;
            return Word::of_values(
                width,
                (low..=high).filter(|&value| bounds.contains(value)).collect(),
            );
        }
        let spread = self.signed.1.checked_sub(self.signed.0);
        if spread.is_some_and(|spread| spread < MAX_VALUES as i128) {
            let (low, high) = self.signed;
            let values = (low..=high).map(|value| from_signed(value, width));
            let bounds = self;
            return Word::of_values(width, values.filter(|&value| bounds.contains(value)).collect());
        }
        Some(self)
    }

    pub fn join(&self, other: &Word) -> Word {
        if let (Some(mine), Some(others)) = (&self.values, &other.values) {
            let all = mine.iter().chain(others).copied().collect();
            return Word::of_values(self.width, all).expect("words are not empty");
        }
        Word {
            width: self.width,
            unsigned: (
                self.unsigned.0.min(other.unsigned.0),
                self.unsigned.1.max(other.unsigned.1),
            ),
            signed: (
                self.signed.0.min(other.signed.0),
                self.signed.1.max(other.signed.1),
            ),
            values: None,
        }
    }

    pub fn meet(&self, other: &Word) -> Option<Word> {
        let bounds = Word {
            width: self.width,
            unsigned: (
                self.unsigned.0.max(other.unsigned.0),
                self.unsigned.1.min(other.unsigned.1),
            ),
            signed: (
                self.signed.0.max(other.signed.0),
                self.signed.1.min(other.signed.1),
            ),
            values: None,
        };
        match (&self.values, &other.values) {
            (Some(values), _) | (_, Some(values)) => {
                let left = values.iter().copied();
                let left = left.filter(|&value| self.contains(value) && other.contains(value));
                Word::of_values(self.width, left.collect())
            }
            _ => bounds.reduced(),
        }
    }

    pub fn without(&self, value: u128) -> Option<Word> {
        if let Some(values) = &self.values {
            let left = values.iter().copied().filter(|&other| other != value);
            return Word::of_values(self.width, left.collect());
        }
        let mut left = self.clone();
        let signed = to_signed(value, self.width);
        if left.unsigned.0 == value {
            left.unsigned.0 += 1;
        }
        if left.unsigned.1 == value {
            left.unsigned.1 -= 1;
        }
        if left.signed.0 == signed {
            left.signed.0 += 1;
        }
        if left.signed.1 == signed {
            left.signed.1 -= 1;
        }
        left.reduced()
    }

    /// Bounds that grow go on to the next threshold at once. `self` is what was known before.
    pub fn widen(&self, wider: &Word, thresholds: &Thresholds) -> Word {
        if wider.values.is_some() {
            return wider.clone();
        }
        let mut word = wider.clone();
        let (min, max) = signed_range(self.width);
        if wider.signed.0 < self.signed.0 {
            word.signed.0 = thresholds.signed_below(wider.signed.0, min);
        }
        if wider.signed.1 > self.signed.1 {
            word.signed.1 = thresholds.signed_above(wider.signed.1, max);
        }
        if wider.unsigned.0 < self.unsigned.0 {
            word.unsigned.0 = thresholds.unsigned_below(wider.unsigned.0, self.width);
        }
        if wider.unsigned.1 > self.unsigned.1 {
            word.unsigned.1 = thresholds.unsigned_above(wider.unsigned.1, self.width);
        }
        word
    }
}

/// The numbers at which bounds stop growing for a moment: those of the program.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// Sorted.
    numbers: Vec<i128>,
}

impl Thresholds {
    pub fn new(numbers: impl IntoIterator<Item = i128>) -> Thresholds {
        let mut numbers: Vec<i128> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        Thresholds { numbers }
    }

    fn signed_below(&self, value: i128, least: i128) -> i128 {
        let below = self.numbers.iter().rev().find(|&&number| number <= value);
        below.copied().map_or(least, |number| number.max(least))
    }

    fn signed_above(&self, value: i128, most: i128) -> i128 {
        let above = self.numbers.iter().find(|&&number| number >= value);
        above.copied().map_or(most, |number| number.min(most))
    }

    fn unsigned_below(&self, value: u128, width: u32) -> u128 {
        let below = self.numbers.iter().map(|&number| from_signed(number, width));
        below.filter(|&number| number <= value).max().unwrap_or(0)
    }

    fn unsigned_above(&self, value: u128, width: u32) -> u128 {
        let above = self.numbers.iter().map(|&number| from_signed(number, width));
        above
            .filter(|&number| number >= value)
            .min()
            .unwrap_or(mask(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_bound_each_other() {
        let word = Word::of_signed(32, 0, 100).expect("not empty");
        assert_eq!(word.unsigned, (0, 100));
        let word = Word::of_signed(32, -1, 100).expect("not empty");
        assert_eq!(word.unsigned, (0, u128::from(u32::MAX)));
        assert_eq!(
            Word::of_unsigned(8, 200, 255).expect("not empty").signed,
            (-56, -1)
        );
        assert!(Word::of_signed(8, 3, 2).is_none());
    }

    #[test]
    fn few_values_are_kept_apart() {
        let word = Word::constant(8, 3).join(&Word::constant(8, 250));
        assert_eq!(word.values, Some(vec![3, 250]));
        assert_eq!(word.signed, (-6, 3));
        assert!(word.without(3).expect("one is left").as_constant() == Some(250));
    }

    #[test]
    fn numbers_wrap_as_a_whole_or_not_at_all() {
        assert_eq!(Word::of_number(8, 256, 266).unsigned, (0, 10));
        assert_eq!(Word::of_number(8, 250, 260).signed, (-6, 4));
        assert!(Word::of_number(8, 0, 256).is_any());
    }

    #[test]
    fn widening_stops_at_thresholds() {
        let thresholds = Thresholds::new([0, 100]);
        let before = Word::of_signed(32, 0, 10).expect("not empty");
        let after = Word::of_signed(32, 0, 11).expect("not empty");
        assert_eq!(before.widen(&after, &thresholds).signed, (0, 100));
    }
}
