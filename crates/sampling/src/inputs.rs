//! The inputs of a run, by its number. A run has a manner in which it answers: always the same number, a mix, small numbers
//! only; and it may answer so for a while and then always with one number.

use interpreter::{Inputs, Request, Scalar};
use program::{FloatKind, Program};

use crate::constants::Constants;

/// Answers requests; the same number of a run gives the same answers.
pub struct Sampled<'a> {
    program: &'a Program,
    constants: &'a Constants,
    random: Random,
    manner: Manner,
    /// So many answers are in that manner, and the number that the others are.
    prefix: usize,
    after: i128,
    answered: usize,
}

#[derive(Clone, Copy)]
enum Manner {
    Always(i128),
    /// From 0 on, less than this.
    Small(u64),
    /// 0 or this.
    Sometimes(i128),
    Mixed,
    Random,
}

impl<'a> Sampled<'a> {
    pub fn new(program: &'a Program, constants: &'a Constants, number: u32) -> Sampled<'a> {
        let mut random = Random(u64::from(number) << 32);
        let integers = &constants.integers;
        let number = number as usize;
        let manner = match number {
            1 => Manner::Always(1),
            2 => Manner::Always(-1),
            3 => Manner::Small(2),
            // Every third run is one constant throughout, as long as there are more of them.
            _ if number.is_multiple_of(3) && number / 3 - 2 < integers.len() => {
                Manner::Always(integers[number / 3 - 2])
            }
            _ => match random.below(8) {
                0 => Manner::Small(2),
                1 => Manner::Small(4),
                2 => Manner::Small(20),
                3 => Manner::Sometimes(random.integer(integers)),
                4 => Manner::Random,
                _ => Manner::Mixed,
            },
        };
        let prefix = match (manner, random.below(3)) {
            (Manner::Always(_), _) | (_, 0) => usize::MAX,
            _ => 1 << random.below(8),
        };
        let after = random.below(3) as i128 - 1;
        Sampled {
            program,
            constants,
            random,
            manner,
            prefix,
            after,
            answered: 0,
        }
    }

    fn integer(&mut self) -> i128 {
        if self.answered > self.prefix {
            return self.after;
        }
        match self.manner {
            Manner::Always(value) => value,
            Manner::Small(bound) => i128::from(self.random.below(bound)),
            Manner::Sometimes(value) => value * i128::from(self.random.below(2)),
            Manner::Random => i128::from(self.random.bits() as i64),
            Manner::Mixed => match self.random.below(8) {
                0 => i128::from(self.random.bits() as i64),
                1 | 2 => i128::from(self.random.below(12)) - 2,
                _ => self.random.integer(&self.constants.integers),
            },
        }
    }

    fn float(&mut self, kind: FloatKind) -> i128 {
        const SPECIAL: [f64; 10] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            1e-40,
            1e30,
            f64::INFINITY,
            f64::NAN,
        ];
        let constants = &self.constants.floats;
        let value = match self.random.below(8) {
            // One of the program's, or a neighbour of it.
            0 | 1 if !constants.is_empty() => {
                let bits = interpreter::float_from_f64(kind, self.random.pick(constants));
                return bits.saturating_add(i128::from(self.random.below(3)) - 1);
            }
            // Between two of them: what is assumed of an input is often a range.
            2..=4 if constants.len() > 1 => {
                let (low, high) = (self.random.pick(constants), self.random.pick(constants));
                let part = self.random.bits() as f64 / u64::MAX as f64;
                low + part * (high - low)
            }
            0..2 => self.random.pick(&SPECIAL),
            2 | 3 => f64::from(self.random.bits() as u32) / 7.0,
            4 => self.integer() as f64,
            _ => self.random.below(2_000) as f64 / 500.0 - 2.0,
        };
        interpreter::float_from_f64(kind, value)
    }
}

impl Inputs for Sampled<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        self.answered += 1;
        Some(match Scalar::of(&self.program.types, request.ty)? {
            Scalar::Bool => self.integer() & 1,
            Scalar::Int(_) => {
                // An address that is made up leads nowhere.
                if self.program.types.is_pointer(request.ty) {
                    return None;
                }
                self.integer()
            }
            Scalar::Float(kind) => self.float(kind),
        })
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    fn pick(&mut self, from: &[f64]) -> f64 {
        from[self.below(from.len() as u64) as usize]
    }

    /// A constant of the program or an extreme.
    fn integer(&mut self, constants: &[i128]) -> i128 {
        const EXTREMES: [i128; 8] = [
            i32::MAX as i128,
            i32::MIN as i128,
            u32::MAX as i128,
            i64::MAX as i128,
            i64::MIN as i128,
            255,
            127,
            -128,
        ];
        let (few, many) = (EXTREMES.len() as u64, constants.len() as u64);
        let chosen = self.below(few + 4 * many);
        match chosen.checked_sub(few) {
            None => EXTREMES[chosen as usize],
            Some(rest) => constants[(rest % many) as usize],
        }
    }
}
