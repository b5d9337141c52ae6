//! Gates over bits, each made once, simplified as they are made.
//!
//! Besides conjunction there are gates for what words are computed with: exclusive or, choice and majority (a sum's carry).
//! They keep their shape until the clauses are written, because a SAT solver infers more from the clauses of a gate than from
//! those of the conjunctions that it could be made of.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// What a gate computes, or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_negated())
    }

    /// The gate's number; the gates that it is computed from have smaller ones.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn of(gate: usize) -> Bit {
        Bit((gate as u32) << 1)
    }

    fn negated_if(self, condition: bool) -> Bit {
        Bit(self.0 ^ u32::from(condition))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    /// The first gate, which is false.
    False,
    Input,
    /// Arguments in order.
    And(Bit, Bit),
    /// Arguments in order, neither negated.
    Xor(Bit, Bit),
    /// If the first, the second, else the third; the first two are not negated.
    Choose(Bit, Bit, Bit),
    /// Arguments in order, the first not negated.
    Majority(Bit, Bit, Bit),
}

pub(crate) struct Circuit {
    gates: Vec<Gate>,
    made: FxHashMap<Gate, Bit>,
    /// What must hold besides what is asked: it says what some inputs are, and can always be made to hold.
    pub definitions: Vec<Bit>,
}

impl Circuit {
    pub fn new() -> Circuit {
        Circuit {
            gates: vec![Gate::False],
            made: FxHashMap::default(),
            definitions: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    pub fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        Bit::of(self.gates.len() - 1)
    }

    fn make(&mut self, gate: Gate) -> Bit {
        let gates = &mut self.gates;
        *self.made.entry(gate).or_insert_with(|| {
            gates.push(gate);
            Bit::of(gates.len() - 1)
        })
    }

    /// The two that a conjunction, negated or not, is of.
    fn conjuncts(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gates[bit.gate()] {
            Gate::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Bit::FALSE => return Bit::FALSE,
            Bit::TRUE => return b,
            _ if a == b => return a,
            _ if a == !b => return Bit::FALSE,
            _ => {}
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some((x, y)) = self.conjuncts(one) else {
                continue;
            };
            match one.is_negated() {
                false if other == x || other == y => return one,
                false if other == !x || other == !y => return Bit::FALSE,
                true if other == !x || other == !y => return other,
                true if other == x => return self.and(!y, other),
                true if other == y => return self.and(!x, other),
                _ => {}
            }
            if let Some((u, v)) = self.conjuncts(other)
                && !one.is_negated()
                && (u == !x || u == !y || v == !x || v == !y)
            {
                return if other.is_negated() { one } else { Bit::FALSE };
            }
        }
        self.make(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        if a == Bit::FALSE {
            return b.negated_if(negated);
        }
        if a == b {
            return Bit::constant(negated);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::Xor(x, y) = self.gates[one.gate()] {
                if other == x {
                    return y.negated_if(negated);
                }
                if other == y {
                    return x.negated_if(negated);
                }
            }
        }
        self.make(Gate::Xor(a, b)).negated_if(negated)
    }

    pub fn same(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    pub fn choose(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        let (condition, then, otherwise) = match condition.is_negated() {
            true => (!condition, otherwise, then),
            false => (condition, then, otherwise),
        };
        if condition == Bit::FALSE {
            return otherwise;
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.same(condition, then);
        }
        if then == Bit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Bit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Bit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Bit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let negated = then.is_negated();
        let gate = Gate::Choose(condition, then.negated_if(negated), otherwise.negated_if(negated));
        self.make(gate).negated_if(negated)
    }

    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut sorted = [a, b, c];
        sorted.sort();
        let [a, b, c] = sorted;
        match a {
            Bit::FALSE => return self.and(b, c),
            Bit::TRUE => return self.or(b, c),
            _ => {}
        }
        if a == b || b == c {
            return b;
        }
        // A bit and its opposite are neighbours in the order.
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let negated = a.is_negated();
        // They are of three gates: negating them does not change their order.
        let [a, b, c] = sorted.map(|bit| bit.negated_if(negated));
        self.make(Gate::Majority(a, b, c)).negated_if(negated)
    }

    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |all, bit| self.and(all, bit))
    }

    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.or(any, bit))
    }

    /// What gates compute from 64 assignments of the inputs at once, gate by gate.
    #[cfg(test)]
    pub fn simulate(&self, mut input: impl FnMut(Bit) -> u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::with_capacity(self.gates.len());
        for (number, &gate) in self.gates.iter().enumerate() {
            let of = |bit: Bit| values[bit.gate()] ^ if bit.is_negated() { u64::MAX } else { 0 };
            let value = match gate {
                Gate::False => 0,
                Gate::Input => input(Bit::of(number)),
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Choose(c, a, b) => (of(c) & of(a)) | (!of(c) & of(b)),
                Gate::Majority(a, b, c) => (of(a) & of(b)) | (of(a) & of(c)) | (of(b) & of(c)),
            };
            values.push(value);
        }
        values
    }
}
