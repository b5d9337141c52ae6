//! Which values an expression can have by its types and constants alone.

use program::{BinaryOp, ExprId, ExprKind, PlaceId, Program, Type, TypeId, UnaryOp};
use rustc_hash::FxHashMap;

/// The least and the largest value.
pub type Range = (i128, i128);

/// The ranges of expressions of integer types, added operands first.
#[derive(Default)]
pub struct Ranges {
    known: FxHashMap<ExprId, Range>,
}

/// The values of an integer type, unless 128 bits are too few to say.
pub fn of_type(program: &Program, ty: TypeId) -> Option<Range> {
    if matches!(program.types.get(ty), Type::Bool) {
        return Some((0, 1));
    }
    let shape = program.types.int_shape(ty)?;
    (shape.signed || shape.bits < 128).then(|| (shape.min(), shape.max()))
}

impl Ranges {
    /// The range of an expression that was added, or that of its type.
    pub fn of(&self, program: &Program, expr: ExprId) -> Option<Range> {
        let known = self.known.get(&expr).copied();
        known.or_else(|| of_type(program, program.expr(expr).ty))
    }

    pub fn add(&mut self, program: &Program, expr: ExprId) {
        let of_type = of_type(program, program.expr(expr).ty);
        // What leaves the range of its type wraps around, and can then be anything in it.
        if let (Some(range), Some(all)) = (self.computed(program, expr), of_type)
            && all.0 <= range.0
            && range.1 <= all.1
        {
            self.known.insert(expr, range);
        }
    }

    fn computed(&self, program: &Program, expr: ExprId) -> Option<Range> {
        match program.expr(expr).kind {
            ExprKind::Int(value) => Some((value, value)),
            ExprKind::Read(place) => bit_field(program, place),
            ExprKind::Unary(UnaryOp::Not, _) => Some((0, 1)),
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                let (low, high) = self.of(program, operand)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            ExprKind::Cast { operand, .. } => {
                // Only integers: a pointer or a float is not kept by a conversion because it is small.
                let from = program.types.get(program.expr(operand).ty);
                matches!(from, Type::Bool | Type::Int(_) | Type::Enum(_))
                    .then(|| self.of(program, operand))?
            }
            ExprKind::Binary(op, left, right) => self.binary(program, op, left, right),
            ExprKind::Conditional { then, otherwise, .. } => {
                let (a, b) = (self.of(program, then)?, self.of(program, otherwise)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        }
    }

    fn binary(&self, program: &Program, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Range> {
        use BinaryOp::*;
        if op.is_comparison() || matches!(op, LogicalAnd | LogicalOr | Unordered | LessGreater) {
            return Some((0, 1));
        }
        let (a, b) = (self.of(program, left)?, self.of(program, right)?);
        exact(op, a, b)
    }
}

/// The range of the exact results, if it is known.
pub fn exact(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    use BinaryOp::*;
    match op {
        Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        Mul => {
            let products = [
                a.0.checked_mul(b.0)?,
                a.0.checked_mul(b.1)?,
                a.1.checked_mul(b.0)?,
                a.1.checked_mul(b.1)?,
            ];
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        Div if b.0 > 0 => {
            let quotients = [a.0 / b.0, a.0 / b.1, a.1 / b.0, a.1 / b.1];
            Some((*quotients.iter().min()?, *quotients.iter().max()?))
        }
        Rem => {
            // The result is smaller than the divisor, not larger than the dividend, and has its sign.
            let most = b.0.checked_abs()?.max(b.1.checked_abs()?).checked_sub(1)?;
            let low = if a.0 < 0 { a.0.max(-most) } else { 0 };
            let high = if a.1 > 0 { a.1.min(most) } else { 0 };
            Some((low, high))
        }
        BitAnd if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        BitAnd if a.0 >= 0 => Some((0, a.1)),
        BitAnd if b.0 >= 0 => Some((0, b.1)),
        BitOr | BitXor if a.0 >= 0 && b.0 >= 0 => {
            let bits = 128 - a.1.max(b.1).leading_zeros();
            (bits < 127).then(|| (0, (1 << bits) - 1))
        }
        Shl if a.0 >= 0 && b.0 == b.1 && (0..64).contains(&b.0) && a.1 < 1 << 63 => {
            Some((a.0 << b.0, a.1 << b.0))
        }
        Shr if b.0 == b.1 && (0..127).contains(&b.0) => Some((a.0 >> b.0, a.1 >> b.0)),
        Shr if a.0 >= 0 && b.0 >= 0 => Some((0, a.1)),
        _ => None,
    }
}

/// What a bit-field of integer type holds.
fn bit_field(program: &Program, place: PlaceId) -> Option<Range> {
    let bits = program.bit_field(place)?;
    let signed = program.types.int_shape(program.place(place).ty)?.signed;
    (bits.width < 127 && bits.width > 0).then(|| match signed {
        true => (-1 << (bits.width - 1), (1 << (bits.width - 1)) - 1),
        false => (0, (1 << bits.width) - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every result of small operands is in the range, and operands of one value have a range of one value.
    #[test]
    fn ranges_hold_every_result() {
        use BinaryOp::*;
        let compute = |op: BinaryOp, x: i128, y: i128| match op {
            Add => Some(x + y),
            Sub => Some(x - y),
            Mul => Some(x * y),
            Div => x.checked_div(y),
            Rem => x.checked_rem(y),
            BitAnd => Some(x & y),
            BitOr => Some(x | y),
            BitXor => Some(x ^ y),
            Shl => (0..8).contains(&y).then(|| x << y),
            _ => (0..8).contains(&y).then(|| x >> y),
        };
        for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr] {
            for (low, high) in (-5..6).flat_map(|low| (low..6).map(move |high| (low, high))) {
                for (from, to) in (-5..6).flat_map(|from| (from..6).map(move |to| (from, to))) {
                    let Some(range) = exact(op, (low, high), (from, to)) else {
                        continue;
                    };
                    for (x, y) in (low..=high).flat_map(|x| (from..=to).map(move |y| (x, y))) {
                        let inside = compute(op, x, y).is_none_or(|z| range.0 <= z && z <= range.1);
                        assert!(inside, "{op:?} of {x} and {y} is not in {range:?}");
                    }
                }
            }
        }
    }
}
