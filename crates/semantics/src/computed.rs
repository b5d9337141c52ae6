//! Results of library functions that formulas say exactly.

use library::{Function, Meaning, Rounding};
use logic::{Op, Sort, SymbolInfo, Term};
use program::{ExprId, PlaceId, UnaryOp};

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
