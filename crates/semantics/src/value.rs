//! Expressions as terms, with C's machine arithmetic: signed overflow wraps, shift amounts count modulo the width, as
//! the compiled program does. A division requires a divisor other than zero.

use logic::{Op, Sort, Substitution, SymbolInfo, Term};
use program::{
    BinaryOp, Expr, ExprId, ExprKind, FloatBits, IntShape, StandsFor, Stated, Type, TypeId, UnaryOp,
};

use crate::effect::{Fresh, FreshCause};
use crate::error::Unsupported;
use crate::storage::{Semantics, Storage, float_kind};

impl Semantics<'_> {
    /// Whether what is stated holds, as a term over the program's storage.
    pub fn stated(&mut self, stated: &Stated) -> Result<Term, Unsupported> {
        let holds = self.truth(stated.expr)?;
        let mut pairs = Vec::new();
        for symbol in self.terms.free_symbols(&[holds]) {
            let Some(Storage::Variable(var, part)) = self.storage_of(symbol) else {
                continue;
            };
            let Some(&(_, meant)) = stated.stands_for.iter().find(|&&(stands, _)| stands == var) else {
                continue;
            };
            let storage = match meant {
                StandsFor::Result(function) => Storage::Result(function, part),
                StandsFor::AtEntry(_, var) if !self.is_split(var) => {
                    let name = &self.program.vars[var].name;
                    return Err(Unsupported::new(format!(
                        "`\\old` of `{name}`, which is in memory"
                    )));
                }
                StandsFor::AtEntry(function, var) => {
                    let now = self.symbol(Storage::Variable(var, part));
                    Storage::AtEntry(function, now)
                }
            };
            pairs.push((symbol, self.current(storage)));
        }
        Ok(Substitution::of_symbols(&self.terms, pairs).apply(&mut self.terms, holds))
    }

    pub(crate) fn compute_value(&mut self, id: ExprId) -> Result<Term, Unsupported> {
        let Expr { kind, ty } = self.program.expr(id);
        if self.open_comparisons.contains(&id) {
            let truth = self.truth(id)?;
            return self.truth_value(truth, ty);
        }
        match kind {
            ExprKind::Int(value) => {
                let shape = self.shape(ty)?;
                Ok(self.terms.int(shape.bits, value))
            }
            ExprKind::Float(bits) => Ok(self.float_constant(bits)),
            ExprKind::Zero => Err(Unsupported::new("a record used as a scalar")),
            ExprKind::Read(place) => self.read(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Function(function) => {
                let (bits, address) = (self.pointer_bits(), self.function_address(function));
                Ok(self.terms.word(bits, u128::from(address)))
            }
            ExprKind::Label(loc) => {
                let (bits, address) = (self.pointer_bits(), self.label_address(loc));
                Ok(self.terms.word(bits, u128::from(address)))
            }
            ExprKind::Unary(op, operand) => self.unary(op, operand, ty),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, ty),
            ExprKind::Cast { operand, .. } => self.cast(operand, ty),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.truth(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                Ok(self.terms.ite(condition, then, otherwise))
            }
        }
    }

    pub(crate) fn compute_truth(&mut self, id: ExprId) -> Result<Term, Unsupported> {
        let Expr { kind, ty } = self.program.expr(id);
        match kind {
            _ if self.open_comparisons.contains(&id) || self.open_choices.contains(&id) => {
                Ok(self.open_outcome())
            }
            ExprKind::Binary(BinaryOp::LogicalAnd, left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(self.terms.and(left, right))
            }
            ExprKind::Binary(BinaryOp::LogicalOr, left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(self.terms.or(left, right))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => self.compare(op, left, right),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let operand = self.truth(operand)?;
                Ok(self.terms.not(operand))
            }
            // A conversion that keeps all values keeps what is zero.
            ExprKind::Cast { operand, .. } if self.keeps_zero(operand, ty) => self.truth(operand),
            _ => {
                let value = self.value(id)?;
                Ok(self.is_nonzero(value))
            }
        }
    }

    /// What nobody knows of a comparison, and nothing determines.
    pub(crate) fn open_outcome(&mut self) -> Term {
        let symbol = self.unknown("open", Sort::BitVec(1), SymbolInfo::unsigned());
        self.unspecified.push(Fresh {
            symbol,
            cause: FreshCause::Unfollowed,
        });
        let outcome = self.terms.symbol_term(symbol);
        self.terms.is_nonzero(outcome)
    }

    fn keeps_zero(&self, operand: ExprId, to: TypeId) -> bool {
        let types = &self.program.types;
        let from = self.program.expr(operand).ty;
        if matches!(types.get(to), Type::Bool) {
            return true;
        }
        match (types.int_shape(from), types.int_shape(to)) {
            (Some(from), Some(to)) => to.bits >= from.bits,
            _ => false,
        }
    }

    fn is_nonzero(&mut self, value: Term) -> Term {
        match self.terms.sort(value) {
            Sort::Float(kind) => {
                let zero = self.terms.float(kind, 0);
                let equal = self.terms.fp_relation(Op::FpEq, &[value, zero]);
                self.terms.not(equal)
            }
            _ => self.terms.is_nonzero(value),
        }
    }

    fn shape(&self, ty: TypeId) -> Result<IntShape, Unsupported> {
        self.program
            .types
            .int_shape(ty)
            .ok_or_else(|| Unsupported::new("integer arithmetic on another type"))
    }

    fn float_constant(&mut self, constant: FloatBits) -> Term {
        let kind = float_kind(constant.kind);
        let pattern = match constant.kind {
            // The format's explicit leading bit is left out of the pattern.
            program::FloatKind::Extended => {
                let significand = constant.bits & ((1 << 63) - 1);
                let above = constant.bits >> 64;
                above << 63 | significand
            }
            _ => constant.bits,
        };
        self.terms.float(kind, pattern)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Result<Term, Unsupported> {
        if op == UnaryOp::Not {
            let truth = self.truth(operand)?;
            let truth = self.terms.not(truth);
            return self.truth_value(truth, ty);
        }
        let value = self.value(operand)?;
        if let Sort::Float(kind) = self.terms.sort(value) {
            return self.float_unary(op, value, kind, ty);
        }
        let shape = self.shape(self.program.expr(operand).ty)?;
        let width = shape.bits;
        Ok(match op {
            UnaryOp::Negate => self.terms.neg(value),
            UnaryOp::BitNot => self.terms.bit_not(value),
            UnaryOp::Abs => {
                let zero = self.terms.word(width, 0);
                let negative = self.terms.slt(value, zero);
                let negated = self.terms.neg(value);
                self.terms.ite(negative, negated, value)
            }
            UnaryOp::ByteSwap => {
                let mut swapped = self.terms.extract(7, 0, value);
                for byte in 1..width / 8 {
                    let next = self.terms.extract(byte * 8 + 7, byte * 8, value);
                    swapped = self.terms.concat(swapped, next);
                }
                swapped
            }
            UnaryOp::CountOnes => {
                let result = self.shape(ty)?.bits;
                self.sum_of_bits(value, width, result)
            }
            UnaryOp::Parity => {
                let result = self.shape(ty)?.bits;
                let sum = self.sum_of_bits(value, width, result);
                let one = self.terms.word(result, 1);
                self.terms.bit_and(sum, one)
            }
            UnaryOp::LeadingZeros => {
                let bits = (0..width).rev().map(|bit| (bit, width - 1 - bit));
                let count = self.first_bit(value, width, bits, width, ty)?;
                self.count_of_nonzero(value, count, ty)?
            }
            UnaryOp::TrailingZeros => {
                let count = self.first_bit(value, width, (0..width).map(|bit| (bit, bit)), width, ty)?;
                self.count_of_nonzero(value, count, ty)?
            }
            UnaryOp::FirstSet => self.first_bit(value, width, (0..width).map(|bit| (bit, bit + 1)), 0, ty)?,
            UnaryOp::RedundantSignBits => {
                // Bits that differ from the sign show up as ones; their leading zeros, less the sign bit itself.
                let sign = self.terms.word(width, u128::from(width - 1));
                let spread = self.terms.ashr(value, sign);
                let differing = self.terms.bit_xor(value, spread);
                let bits = (0..width - 1).rev().map(|bit| (bit, width - 2 - bit));
                self.first_bit(differing, width, bits, width - 1, ty)?
            }
            UnaryOp::Not => unreachable!("handled above"),
            UnaryOp::IsNan
            | UnaryOp::IsInfinite
            | UnaryOp::IsFinite
            | UnaryOp::IsNormal
            | UnaryOp::SignBit
            | UnaryOp::InfiniteSign => {
                return Err(Unsupported::new("classifying a value that is not a float"));
            }
        })
    }

    fn sum_of_bits(&mut self, value: Term, width: u32, result: u32) -> Term {
        let mut sum = self.terms.word(result, 0);
        for bit in 0..width {
            let one = self.terms.extract(bit, bit, value);
            let one = self.terms.zero_extend(result, one);
            sum = self.terms.add(sum, one);
        }
        sum
    }

    /// The number that goes with the first bit, in the given order, that is set; `none` if there is none.
    fn first_bit(
        &mut self,
        value: Term,
        width: u32,
        bits: impl Iterator<Item = (u32, u32)>,
        none: u32,
        ty: TypeId,
    ) -> Result<Term, Unsupported> {
        let result = self.shape(ty)?.bits;
        let order: Vec<(u32, u32)> = bits.collect();
        debug_assert!(order.iter().all(|&(bit, _)| bit < width), "bits of the word");
        let mut answer = self.terms.word(result, u128::from(none));
        for (bit, number) in order.into_iter().rev() {
            let one = self.terms.extract(bit, bit, value);
            let set = self.terms.is_nonzero(one);
            let number = self.terms.word(result, u128::from(number));
            answer = self.terms.ite(set, number, answer);
        }
        Ok(answer)
    }

    pub(crate) fn float_unary(
        &mut self,
        op: UnaryOp,
        value: Term,
        kind: logic::FloatKind,
        ty: TypeId,
    ) -> Result<Term, Unsupported> {
        match op {
            UnaryOp::Negate => return Ok(self.terms.fp_arithmetic(Op::FpNeg, &[value])),
            UnaryOp::Abs => return Ok(self.terms.fp_arithmetic(Op::FpAbs, &[value])),
            _ => {}
        }
        let nan = self.terms.fp_relation(Op::FpIsNan, &[value]);
        let infinite = self.terms.fp_relation(Op::FpIsInfinite, &[value]);
        let truth = match op {
            UnaryOp::IsNan => nan,
            UnaryOp::IsInfinite => infinite,
            UnaryOp::IsFinite => {
                let not_finite = self.terms.or(nan, infinite);
                self.terms.not(not_finite)
            }
            UnaryOp::IsNormal => {
                let not_finite = self.terms.or(nan, infinite);
                let finite = self.terms.not(not_finite);
                let smallest = self.terms.float(kind, 1 << (kind.significand_bits() - 1));
                let magnitude = self.terms.fp_arithmetic(Op::FpAbs, &[value]);
                let large = self.terms.fp_relation(Op::FpLe, &[smallest, magnitude]);
                self.terms.and(finite, large)
            }
            UnaryOp::InfiniteSign => {
                let zero = self.terms.float(kind, 0);
                let negative = self.terms.fp_relation(Op::FpLt, &[value, zero]);
                let bits = self.shape(ty)?.bits;
                let (one, minus_one) = (self.terms.int(bits, 1), self.terms.int(bits, -1));
                let zero = self.terms.word(bits, 0);
                let sign = self.terms.ite(negative, minus_one, one);
                return Ok(self.terms.ite(infinite, sign, zero));
            }
            _ => {
                let bits = self.float_bits(value);
                let top = kind.exponent_bits() + kind.significand_bits() - 1;
                let sign = self.terms.extract(top, top, bits);
                self.terms.is_nonzero(sign)
            }
        };
        self.truth_value(truth, ty)
    }

    /// 1 or 0 of an integer type.
    fn truth_value(&mut self, truth: Term, ty: TypeId) -> Result<Term, Unsupported> {
        let bits = self.shape(ty)?.bits;
        Ok(self.terms.bool_to_word(bits, truth))
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> Result<Term, Unsupported> {
        if op.is_comparison() {
            let truth = self.compare(op, left, right)?;
            return self.truth_value(truth, ty);
        }
        match op {
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                let truth = if op == BinaryOp::LogicalAnd {
                    self.terms.and(left, right)
                } else {
                    self.terms.or(left, right)
                };
                self.truth_value(truth, ty)
            }
            BinaryOp::PointerAdd => {
                let pointer = self.value(left)?;
                let index = self.index_value(right)?;
                let size = self.pointee_size(left);
                let size = self.terms.word(self.pointer_bits(), u128::from(size));
                let offset = self.terms.mul(index, size);
                Ok(self.terms.add(pointer, offset))
            }
            BinaryOp::PointerDiff => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                let bytes = self.terms.sub(a, b);
                let size = self.pointee_size(left).max(1);
                let size = self.terms.word(self.pointer_bits(), u128::from(size));
                Ok(self.terms.sdiv(bytes, size))
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, left, right),
            _ => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                if matches!(self.terms.sort(a), Sort::Float(_)) {
                    return self.float_binary(op, a, b, ty);
                }
                let shape = self.shape(self.program.expr(left).ty)?;
                self.word_binary(op, a, b, shape)
            }
        }
    }

    fn word_binary(&mut self, op: BinaryOp, a: Term, b: Term, shape: IntShape) -> Result<Term, Unsupported> {
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            self.require_nonzero(b);
            if shape.signed {
                self.require_quotient(a, b, shape.bits);
            }
        }
        Ok(match (op, shape.signed) {
            (BinaryOp::Add, _) => self.terms.add(a, b),
            (BinaryOp::Sub, _) => self.terms.sub(a, b),
            (BinaryOp::Mul, _) => self.terms.mul(a, b),
            (BinaryOp::Div, true) => self.terms.sdiv(a, b),
            (BinaryOp::Div, false) => self.terms.udiv(a, b),
            (BinaryOp::Rem, true) => self.terms.srem(a, b),
            (BinaryOp::Rem, false) => self.terms.urem(a, b),
            (BinaryOp::BitAnd, _) => self.terms.bit_and(a, b),
            (BinaryOp::BitOr, _) => self.terms.bit_or(a, b),
            (BinaryOp::BitXor, _) => self.terms.bit_xor(a, b),
            _ => return Err(Unsupported::new("this operation on integers")),
        })
    }

    /// The smallest value divided by -1 has no quotient, and no remainder either: machines trap as they do on zero.
    fn require_quotient(&mut self, a: Term, b: Term, bits: u32) {
        let (smallest, minus_one) = (self.terms.word(bits, 1 << (bits - 1)), self.terms.int(bits, -1));
        let (a, b) = (self.terms.ne(a, smallest), self.terms.ne(b, minus_one));
        let fits = self.terms.or(a, b);
        if self.terms.as_bool(fits) != Some(true) {
            self.required.push(fits);
        }
    }

    fn shift(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Result<Term, Unsupported> {
        let shape = self.shape(self.program.expr(left).ty)?;
        let amount_shape = self.shape(self.program.expr(right).ty)?;
        let value = self.value(left)?;
        let amount = self.value(right)?;
        let amount = self.terms.resize(shape.bits, amount, amount_shape.signed);
        // Widths are powers of two: the amount modulo the width.
        let mask = self.terms.word(shape.bits, u128::from(shape.bits - 1));
        let amount = self.terms.bit_and(amount, mask);
        Ok(match (op, shape.signed) {
            (BinaryOp::Shl, _) => self.terms.shl(value, amount),
            (_, true) => self.terms.ashr(value, amount),
            (_, false) => self.terms.lshr(value, amount),
        })
    }

    fn float_binary(&mut self, op: BinaryOp, a: Term, b: Term, ty: TypeId) -> Result<Term, Unsupported> {
        let arithmetic = match op {
            BinaryOp::Add => Op::FpAdd,
            BinaryOp::Sub => Op::FpSub,
            BinaryOp::Mul => Op::FpMul,
            BinaryOp::Div => Op::FpDiv,
            BinaryOp::Unordered => {
                let (left, right) = (
                    self.terms.fp_relation(Op::FpIsNan, &[a]),
                    self.terms.fp_relation(Op::FpIsNan, &[b]),
                );
                let truth = self.terms.or(left, right);
                return self.truth_value(truth, ty);
            }
            BinaryOp::LessGreater => {
                let (less, greater) = (
                    self.terms.fp_relation(Op::FpLt, &[a, b]),
                    self.terms.fp_relation(Op::FpLt, &[b, a]),
                );
                let truth = self.terms.or(less, greater);
                return self.truth_value(truth, ty);
            }
            _ => return Err(Unsupported::new("this operation on floats")),
        };
        Ok(self.terms.fp_arithmetic(arithmetic, &[a, b]))
    }

    fn compare(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Result<Term, Unsupported> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        if matches!(self.terms.sort(a), Sort::Float(_)) {
            return Ok(match op {
                BinaryOp::Eq => self.terms.fp_relation(Op::FpEq, &[a, b]),
                BinaryOp::Ne => {
                    let equal = self.terms.fp_relation(Op::FpEq, &[a, b]);
                    self.terms.not(equal)
                }
                BinaryOp::Lt => self.terms.fp_relation(Op::FpLt, &[a, b]),
                BinaryOp::Le => self.terms.fp_relation(Op::FpLe, &[a, b]),
                BinaryOp::Gt => self.terms.fp_relation(Op::FpLt, &[b, a]),
                _ => self.terms.fp_relation(Op::FpLe, &[b, a]),
            });
        }
        let signed = self.shape(self.program.expr(left).ty)?.signed;
        Ok(match (op, signed) {
            (BinaryOp::Eq, _) => self.terms.eq(a, b),
            (BinaryOp::Ne, _) => self.terms.ne(a, b),
            (BinaryOp::Lt, true) => self.terms.slt(a, b),
            (BinaryOp::Lt, false) => self.terms.ult(a, b),
            (BinaryOp::Le, true) => self.terms.sle(a, b),
            (BinaryOp::Le, false) => self.terms.ule(a, b),
            (BinaryOp::Gt, true) => self.terms.slt(b, a),
            (BinaryOp::Gt, false) => self.terms.ult(b, a),
            (_, true) => self.terms.sle(b, a),
            (_, false) => self.terms.ule(b, a),
        })
    }

    fn cast(&mut self, operand: ExprId, to: TypeId) -> Result<Term, Unsupported> {
        let from = self.program.expr(operand).ty;
        if matches!(self.program.types.get(to), Type::Bool) {
            let truth = self.truth(operand)?;
            return self.truth_value(truth, to);
        }
        let value = self.value(operand)?;
        self.convert(value, from, to)
    }

    /// A value of one scalar type as one of another.
    pub(crate) fn convert(&mut self, value: Term, from: TypeId, to: TypeId) -> Result<Term, Unsupported> {
        let types = &self.program.types;
        let scalars = types.is_scalar(from) && types.is_scalar(to);
        if !scalars {
            return Err(Unsupported::new("a conversion between types that are not scalar"));
        }
        if matches!(types.get(to), Type::Bool) {
            let truth = self.is_nonzero(value);
            return self.truth_value(truth, to);
        }
        Ok(match (types.float_kind(from), types.float_kind(to)) {
            (Some(_), Some(kind)) => self.terms.fp_convert(float_kind(kind), value),
            (None, Some(kind)) => {
                let signed = self.shape(from)?.signed;
                self.terms.fp_from_word(float_kind(kind), value, signed)
            }
            (Some(_), None) => {
                let shape = self.shape(to)?;
                self.truncated(value, shape)
            }
            (None, None) => {
                let (from, to) = (self.shape(from)?, self.shape(to)?);
                self.terms.resize(to.bits, value, from.signed)
            }
        })
    }

    /// The integer that a float truncates to; anything where it does not fit.
    pub(crate) fn truncated(&mut self, value: Term, shape: IntShape) -> Term {
        let fits = self.fits(value, shape);
        let whole = self.terms.fp_to_word(shape.bits, value, shape.signed);
        self.defined_if(fits, whole, shape)
    }

    /// How many zeros there are in a word; anything where it is 0, of which the built-in functions say nothing: machines
    /// leave what they like in the result, and compilers differ.
    fn count_of_nonzero(&mut self, value: Term, count: Term, ty: TypeId) -> Result<Term, Unsupported> {
        let nonzero = self.terms.is_nonzero(value);
        let shape = self.shape(ty)?;
        Ok(self.defined_if(nonzero, count, shape))
    }

    /// A value of the shape where the condition holds, anything elsewhere.
    fn defined_if(&mut self, condition: Term, value: Term, shape: IntShape) -> Term {
        if self.terms.as_bool(condition) == Some(true) {
            return value;
        }
        let info = match shape.signed {
            true => SymbolInfo::signed(),
            false => SymbolInfo::unsigned(),
        };
        let symbol = self.unknown("undefined", Sort::BitVec(shape.bits), info);
        self.unspecified.push(Fresh {
            symbol,
            cause: FreshCause::OutOfRange,
        });
        let anything = self.terms.symbol_term(symbol);
        self.terms.ite(condition, value, anything)
    }

    /// Whether the integer that a float truncates to is one of the shape.
    fn fits(&mut self, value: Term, shape: IntShape) -> Term {
        let Sort::Float(kind) = self.terms.sort(value) else {
            unreachable!("only floats are truncated")
        };
        let precision = kind.significand_bits();
        let bias = (1_u128 << (kind.exponent_bits() - 1)) - 1;
        // A power beyond all floats is their infinity.
        let power = |exponent: u32| {
            let exponent = (bias + u128::from(exponent)).min(2 * bias + 1);
            exponent << (precision - 1)
        };
        let magnitude = match shape.signed {
            true => shape.bits - 1,
            false => shape.bits,
        };
        let above = self.terms.float(kind, power(magnitude));
        let small_enough = self.terms.fp_relation(Op::FpLt, &[value, above]);
        let large_enough = if !shape.signed || shape.bits <= precision {
            let below = self.terms.int(128, shape.min() - 1);
            let below = self.terms.fp_from_word(kind, below, true);
            self.terms.fp_relation(Op::FpLt, &[below, value])
        } else {
            // Between the smallest integer and the one below it there is no float.
            let sign = 1_u128 << (kind.width() - 1);
            let smallest = self.terms.float(kind, sign | power(magnitude));
            self.terms.fp_relation(Op::FpLe, &[smallest, value])
        };
        self.terms.and(large_enough, small_enough)
    }

    /// An index in the width of a pointer.
    pub(crate) fn index_value(&mut self, index: ExprId) -> Result<Term, Unsupported> {
        let shape = self.shape(self.program.expr(index).ty)?;
        let value = self.value(index)?;
        Ok(self.terms.resize(self.pointer_bits(), value, shape.signed))
    }

    fn pointee_size(&self, pointer: ExprId) -> u64 {
        let types = &self.program.types;
        types
            .pointee(self.program.expr(pointer).ty)
            .map_or(1, |to| types.size(to))
    }
}
