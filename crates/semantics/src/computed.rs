//! Results of library functions that formulas say exactly.

use library::{FloatFunction, Function, Meaning, Rounding};
use logic::{Op, Sort, SymbolInfo, Term};
use program::{ExprId, PlaceId, TypeId, UnaryOp};

use crate::effect::{Fresh, FreshCause};
use crate::error::Unsupported;
use crate::storage::Semantics;

impl Semantics<'_> {
    /// The value that the function returns for these arguments, as the place wants it; `None` where that is not followed.
    pub(crate) fn computed(
        &mut self,
        fresh: &mut Vec<Fresh>,
        row: &Function,
        arguments: &[ExprId],
        place: PlaceId,
    ) -> Result<Option<Term>, Unsupported> {
        let (Some(meaning), &[argument, ..]) = (&row.meaning, arguments) else {
            return Ok(None);
        };
        let (from, to) = (self.program.expr(argument).ty, self.program.place(place).ty);
        if !self.program.types.is_scalar(from) || !self.program.types.is_scalar(to) {
            return Ok(None);
        }
        let value = self.value(argument)?;
        let is_float = matches!(self.terms.sort(value), Sort::Float(_));
        Ok(match meaning {
            Meaning::Operator(UnaryOp::Abs) if from == to => Some(self.absolute(value)),
            Meaning::Operator(op)
                if is_float && *op != UnaryOp::Abs && self.program.types.int_shape(to).is_some() =>
            {
                let Sort::Float(kind) = self.terms.sort(value) else {
                    return Ok(None);
                };
                Some(self.float_unary(*op, value, kind, to)?)
            }
            Meaning::Round(rounding) if is_float && from == to => self.rounded(value, *rounding),
            Meaning::Round(rounding) if is_float => match self.program.types.int_shape(to) {
                Some(shape) => self
                    .rounded(value, *rounding)
                    .map(|rounded| self.truncated(rounded, shape)),
                None => None,
            },
            Meaning::Float(function) if is_float => {
                let other = arguments
                    .get(1)
                    .filter(|&&other| self.program.expr(other).ty == from);
                let other = other.map(|&other| self.value(other)).transpose()?;
                self.float_function(fresh, *function, value, other, to)?
            }
            Meaning::Class(ranges) if !is_float && from == to => {
                let inside = self.is_in(value, ranges);
                // Which number says yes is not said.
                let sort = self.terms.sort(value);
                let cause = FreshCause::Unfollowed;
                let yes = self.fresh_value(fresh, sort, SymbolInfo::signed(), cause);
                let (zero, one) = match sort {
                    Sort::BitVec(bits) => (self.terms.word(bits, 0), self.terms.word(bits, 1)),
                    _ => return Ok(None),
                };
                let is_zero = self.terms.eq(yes, zero);
                let yes = self.terms.ite(is_zero, one, yes);
                Some(self.terms.ite(inside, yes, zero))
            }
            &Meaning::Case(low, high, by) if !is_float && from == to => {
                let Sort::BitVec(bits) = self.terms.sort(value) else {
                    return Ok(None);
                };
                let inside = self.is_in(value, &[(low, high)]);
                let by = self.terms.int(bits, i128::from(by));
                let moved = self.terms.add(value, by);
                Some(self.terms.ite(inside, moved, value))
            }
            _ => None,
        })
    }

    fn float_function(
        &mut self,
        fresh: &mut Vec<Fresh>,
        function: FloatFunction,
        value: Term,
        other: Option<Term>,
        to: TypeId,
    ) -> Result<Option<Term>, Unsupported> {
        let Sort::Float(kind) = self.terms.sort(value) else {
            return Ok(None);
        };
        let is_nan = self.terms.fp_relation(Op::FpIsNan, &[value]);
        if function == FloatFunction::Class {
            let Some(shape) = self.program.types.int_shape(to) else {
                return Ok(None);
            };
            let zero = self.terms.float(kind, 0);
            let is_zero = self.terms.fp_relation(Op::FpEq, &[value, zero]);
            let is_infinite = self.terms.fp_relation(Op::FpIsInfinite, &[value]);
            let smallest = self.terms.float(kind, 1 << (kind.significand_bits() - 1));
            let magnitude = self.terms.fp_arithmetic(Op::FpAbs, &[value]);
            let is_small = self.terms.fp_relation(Op::FpLt, &[magnitude, smallest]);
            let mut class = self.terms.word(shape.bits, 4);
            // The last that holds decides.
            for (holds, number) in [(is_small, 3), (is_zero, 2), (is_infinite, 1), (is_nan, 0)] {
                let number = self.terms.word(shape.bits, number);
                class = self.terms.ite(holds, number, class);
            }
            return Ok(Some(class));
        }
        let Some(other) = other.filter(|_| self.program.types.float_kind(to).is_some()) else {
            return Ok(None);
        };
        if self.terms.sort(other) != Sort::Float(kind) {
            return Ok(None);
        }
        let other_is_nan = self.terms.fp_relation(Op::FpIsNan, &[other]);
        Ok(Some(match function {
            FloatFunction::Least | FloatFunction::Greatest => {
                let (first, second) = match function {
                    FloatFunction::Least => (value, other),
                    _ => (other, value),
                };
                let first_is_chosen = self.terms.fp_relation(Op::FpLt, &[first, second]);
                let second_is_chosen = self.terms.fp_relation(Op::FpLt, &[second, first]);
                // Of two zeros it may be either.
                let cause = FreshCause::Unfollowed;
                let toss = self.fresh_value(fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
                let toss = self.terms.is_nonzero(toss);
                let equal = self.terms.ite(toss, value, other);
                let chosen = self.terms.ite(second_is_chosen, other, equal);
                let chosen = self.terms.ite(first_is_chosen, value, chosen);
                let chosen = self.terms.ite(other_is_nan, value, chosen);
                self.terms.ite(is_nan, other, chosen)
            }
            FloatFunction::Difference => {
                let above = self.terms.fp_relation(Op::FpLt, &[other, value]);
                let difference = self.terms.fp_arithmetic(Op::FpSub, &[value, other]);
                let zero = self.terms.float(kind, 0);
                let difference = self.terms.ite(above, difference, zero);
                let difference = self.terms.ite(other_is_nan, other, difference);
                self.terms.ite(is_nan, value, difference)
            }
            FloatFunction::CopySign => {
                let bits = self.float_bits(other);
                let top = kind.exponent_bits() + kind.significand_bits() - 1;
                let sign = self.terms.extract(top, top, bits);
                let negative = self.terms.is_nonzero(sign);
                let magnitude = self.terms.fp_arithmetic(Op::FpAbs, &[value]);
                let negated = self.terms.fp_arithmetic(Op::FpNeg, &[magnitude]);
                self.terms.ite(negative, negated, magnitude)
            }
            FloatFunction::Class => unreachable!("handled above"),
        }))
    }

    fn absolute(&mut self, value: Term) -> Term {
        let Sort::BitVec(bits) = self.terms.sort(value) else {
            return self.terms.fp_arithmetic(Op::FpAbs, &[value]);
        };
        let zero = self.terms.word(bits, 0);
        let negative = self.terms.slt(value, zero);
        let negated = self.terms.neg(value);
        self.terms.ite(negative, negated, value)
    }

    fn is_in(&mut self, value: Term, ranges: &[(u8, u8)]) -> Term {
        let Sort::BitVec(bits) = self.terms.sort(value) else {
            unreachable!("characters are integers")
        };
        let mut inside = self.terms.bool(false);
        for &(low, high) in ranges {
            let (low, high) = (
                self.terms.word(bits, u128::from(low)),
                self.terms.word(bits, u128::from(high)),
            );
            let (above, below) = (self.terms.ule(low, value), self.terms.ule(value, high));
            let here = self.terms.and(above, below);
            inside = self.terms.or(inside, here);
        }
        inside
    }

    /// A float rounded to an integer: by way of a machine word where it is small, and itself where it has no fraction. `None`
    /// for formats whose integers are larger than words.
    fn rounded(&mut self, value: Term, rounding: Rounding) -> Option<Term> {
        let Sort::Float(kind) = self.terms.sort(value) else {
            return None;
        };
        if kind.significand_bits() > 53 {
            return None;
        }
        let terms = &mut self.terms;
        let word = terms.fp_to_word(64, value, true);
        let whole = terms.fp_from_word(kind, word, true);
        let constant = |terms: &mut logic::Terms, number: i128| {
            let number = terms.int(64, number);
            terms.fp_from_word(kind, number, true)
        };
        let (one, zero) = (constant(terms, 1), constant(terms, 0));
        let rounded = match rounding {
            Rounding::TowardZero => whole,
            Rounding::Down => {
                let beyond = terms.fp_relation(Op::FpLt, &[value, whole]);
                let lower = terms.fp_arithmetic(Op::FpSub, &[whole, one]);
                terms.ite(beyond, lower, whole)
            }
            Rounding::Up => {
                let beyond = terms.fp_relation(Op::FpLt, &[whole, value]);
                let higher = terms.fp_arithmetic(Op::FpAdd, &[whole, one]);
                terms.ite(beyond, higher, whole)
            }
            Rounding::Away | Rounding::Even => {
                // What is cut off is exact, and so is the comparison of it with a half.
                let cut = terms.fp_arithmetic(Op::FpSub, &[value, whole]);
                let cut = terms.fp_arithmetic(Op::FpAbs, &[cut]);
                let two = constant(terms, 2);
                let half = terms.fp_arithmetic(Op::FpDiv, &[one, two]);
                let more = terms.fp_relation(Op::FpLt, &[half, cut]);
                let equal = terms.fp_relation(Op::FpEq, &[half, cut]);
                let further = match rounding {
                    Rounding::Even => {
                        let odd = terms.extract(0, 0, word);
                        let odd = terms.is_nonzero(odd);
                        terms.and(equal, odd)
                    }
                    _ => equal,
                };
                let further = terms.or(more, further);
                let negative = terms.fp_relation(Op::FpLt, &[value, zero]);
                let lower = terms.fp_arithmetic(Op::FpSub, &[whole, one]);
                let higher = terms.fp_arithmetic(Op::FpAdd, &[whole, one]);
                let next = terms.ite(negative, lower, higher);
                terms.ite(further, next, whole)
            }
        };
        // What is negative becomes a negative zero.
        let (negative, none) = (
            terms.fp_relation(Op::FpLt, &[value, zero]),
            terms.fp_relation(Op::FpEq, &[rounded, zero]),
        );
        let vanishes = terms.and(negative, none);
        let negative_zero = terms.fp_arithmetic(Op::FpNeg, &[zero]);
        let rounded = terms.ite(vanishes, negative_zero, rounded);
        let limit = constant(terms, 1 << 53);
        let magnitude = terms.fp_arithmetic(Op::FpAbs, &[value]);
        let small = terms.fp_relation(Op::FpLt, &[magnitude, limit]);
        let is_zero = terms.fp_relation(Op::FpEq, &[value, zero]);
        let not_zero = terms.not(is_zero);
        let small = terms.and(small, not_zero);
        Some(terms.ite(small, rounded, value))
    }
}
