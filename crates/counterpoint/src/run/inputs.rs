//! Input values from the command line: a list for the program's input calls in their order, then 0 or pseudo-random numbers. What
//! variables hold from the start that nobody defines is given by their names: no call asks for it.

use std::collections::VecDeque;
use std::path::Path;

use interpreter::{Inputs, Request, Scalar, Source};
use program::{FloatKind, Program, VarId};

pub struct CommandLineInputs<'a> {
    program: &'a Program,
    given: VecDeque<Number>,
    /// Values of variables, and whether they were asked for.
    named: Vec<(String, Number, bool)>,
    /// Variables that nobody defines, nor gives a value.
    undefined: Vec<String>,
    random: Option<Random>,
    /// How many values were asked for beyond those given.
    missing: usize,
}

/// A value as written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Integer(i128),
    Float(f64),
}

impl<'a> CommandLineInputs<'a> {
    pub fn new(
        program: &'a Program,
        values: &[String],
        file: Option<&Path>,
        seed: Option<u64>,
    ) -> Result<CommandLineInputs<'a>, String> {
        let mut given = VecDeque::new();
        let mut named = Vec::new();
        let mut add = |word: &str| -> Result<(), String> {
            match word.split_once('=') {
                Some((name, value)) => named.push((name.trim().to_owned(), parse(value.trim())?, false)),
                None => given.push_back(parse(word)?),
            }
            Ok(())
        };
        for value in values {
            add(value.trim())?;
        }
        if let Some(path) = file {
            let text =
                std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let words = text.split(|c: char| c.is_whitespace() || c == ',');
            for word in words.filter(|word| !word.is_empty()) {
                add(word).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(CommandLineInputs {
            program,
            given,
            named,
            undefined: Vec::new(),
            random: seed.map(Random),
            missing: 0,
        })
    }

    /// What to tell the user about inputs that did not match the program's needs.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if let (Some(first), true) = (self.undefined.first(), self.random.is_none()) {
            let others = match self.undefined.len() {
                1 => format!("`{first}`, which nobody defines, is"),
                count => format!(
                    "`{first}` and {} more variables that nobody defines are",
                    count - 1
                ),
            };
            remarks.push(format!("{others} taken to be 0 (--input {first}=VALUE)"));
        }
        if self.missing > 0 && self.random.is_none() {
            remarks.push(format!(
                "{} further inputs were needed and taken to be 0 (give them by --input, or --seed for random ones)",
                self.missing
            ));
        }
        let unused = self.given.len() + self.named.iter().filter(|(.., used)| !used).count();
        if unused > 0 {
            remarks.push(format!("{unused} of the given inputs were not used"));
        }
        remarks
    }

    fn by_name(&mut self, var: VarId) -> Option<Number> {
        let name = &self.program.vars[var].name;
        let (_, number, used) = self.named.iter_mut().find(|(other, ..)| other == name)?;
        *used = true;
        Some(*number)
    }
}

impl Inputs for CommandLineInputs<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        if matches!(request.source, Source::Uninitialised(_)) {
            return None;
        }
        let scalar = Scalar::of(&self.program.types, request.ty);
        let number = match request.source {
            Source::Global(var) => self.by_name(var),
            Source::Parameter(var) => self.by_name(var).or_else(|| self.given.pop_front()),
            _ => self.given.pop_front(),
        };
        if let Some(number) = number {
            return Some(encode(number, scalar));
        }
        match request.source {
            Source::Global(var) => {
                let name = &self.program.vars[var].name;
                if self.undefined.last() != Some(name) {
                    self.undefined.push(name.clone());
                }
            }
            _ => self.missing += 1,
        }
        // A random address would point nowhere.
        if self.program.types.is_pointer(request.ty) {
            return Some(0);
        }
        match &mut self.random {
            Some(random) => Some(random.value()),
            None => Some(0),
        }
    }
}

fn parse(text: &str) -> Result<Number, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => digits.parse::<u128>().ok(),
    };
    if let Some(magnitude) = magnitude {
        let value = magnitude as i128;
        return Ok(Number::Integer(if negative {
            value.wrapping_neg()
        } else {
            value
        }));
    }
    text.parse::<f64>()
        .map(Number::Float)
        .map_err(|_| format!("`{text}` is no input value"))
}

/// The value in the way the machine wants it: an integer, or the bits of a float.
fn encode(number: Number, scalar: Option<Scalar>) -> i128 {
    let float = |value: f64, kind: FloatKind| match kind {
        FloatKind::Single => i128::from((value as f32).to_bits()),
        FloatKind::Double => i128::from(value.to_bits()),
        FloatKind::Extended | FloatKind::Quad => interpreter::float_from_f64(kind, value),
    };
    match (number, scalar) {
        (Number::Integer(value), Some(Scalar::Float(kind))) => float(value as f64, kind),
        (Number::Float(value), Some(Scalar::Float(kind))) => float(value, kind),
        (Number::Integer(value), _) => value,
        (Number::Float(value), _) => value as i128,
    }
}

/// SplitMix64: small, fast, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Small numbers half of the time: they are the ones programs branch on.
    fn value(&mut self) -> i128 {
        let kind = self.next() % 4;
        let bits = i128::from(self.next()) << 64 | i128::from(self.next());
        match kind {
            0 => bits.rem_euclid(4),
            1 => bits.rem_euclid(257) - 128,
            _ => bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_written() {
        assert_eq!(parse("-1"), Ok(Number::Integer(-1)));
        assert_eq!(parse("0xff"), Ok(Number::Integer(255)));
        assert_eq!(parse("1.5"), Ok(Number::Float(1.5)));
        assert_eq!(parse("one"), Err("`one` is no input value".to_owned()));
    }

    #[test]
    fn seeds_repeat() {
        let values = |seed| {
            let mut random = Random(seed);
            (0..8).map(|_| random.value()).collect::<Vec<_>>()
        };
        assert_eq!(values(7), values(7));
        assert_ne!(values(7), values(8));
    }
}
