//! When an operator on integers is undefined, as conditions in the program's own expressions. A condition can be
//! evaluated wherever the operands of the operator can: it computes in a wider type, or with constants that are known to fit.

use program::{BinaryOp, ExprId, ExprKind, IntKind, IntShape, Printer, Program, TypeId, UnaryOp};

use super::ranges::{Range, Ranges, exact};
use crate::Undefined;

/// Something that may be undefined about an operator.
pub struct Condition {
    pub kind: Undefined,
    /// It is undefined where all of these hold; each is evaluated only where those before it do.
    pub all: Vec<ExprId>,
    /// What is wrong then, or why that cannot be said.
    pub message: Result<String, String>,
}

/// What may be undefined, and what the ranges of the operands rule out.
pub type Conditions = (Vec<Condition>, Vec<Undefined>);

/// What may be undefined about an expression whose operands are defined.
pub fn conditions(program: &mut Program, ranges: &Ranges, expr: ExprId) -> Conditions {
    let ty = program.expr(expr).ty;
    let Some(shape) = program.types.int_shape(ty) else {
        return Conditions::default();
    };
    let mut operator = Operator {
        shown: Printer::new(program).expr(expr),
        program,
        ranges,
        ty,
        shape,
        found: Conditions::default(),
    };
    match operator.program.expr(expr).kind {
        ExprKind::Unary(UnaryOp::Negate, operand) if shape.signed => operator.is_smallest(operand),
        ExprKind::Unary(UnaryOp::Abs, operand) if shape.signed => operator.is_smallest(operand),
        ExprKind::Binary(op, left, right) => match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if shape.signed => {
                operator.overflow(op, left, right)
            }
            BinaryOp::Div | BinaryOp::Rem => operator.division(left, right),
            BinaryOp::Shl | BinaryOp::Shr => operator.shift(op, left, right),
            _ => {}
        },
        _ => {}
    }
    operator.found
}

/// What is undefined where the operand is the smallest value of its type; `shown` is what overflows.
pub fn smallest(program: &mut Program, ranges: &Ranges, operand: ExprId, shown: String) -> Conditions {
    let ty = program.expr(operand).ty;
    let Some(shape) = program.types.int_shape(ty).filter(|shape| shape.signed) else {
        return Conditions::default();
    };
    let mut operator = Operator {
        program,
        ranges,
        ty,
        shape,
        shown,
        found: Conditions::default(),
    };
    operator.is_smallest(operand);
    operator.found
}

struct Operator<'a> {
    program: &'a mut Program,
    ranges: &'a Ranges,
    /// The type of the result.
    ty: TypeId,
    shape: IntShape,
    /// The operator as C.
    shown: String,
    found: Conditions,
}

impl Operator<'_> {
    fn add(&mut self, kind: Undefined, all: Vec<ExprId>, message: String) {
        self.found.0.push(Condition {
            kind,
            all,
            message: Ok(message),
        });
    }

    fn add_overflow(&mut self, all: Vec<ExprId>) {
        let ty = Printer::new(self.program).ty(self.ty);
        let what = self.shown.clone();
        let what = if what.starts_with("the ") {
            what
        } else {
            format!("`{what}`")
        };
        self.add(
            Undefined::Overflow,
            all,
            format!("signed overflow: {what} does not fit `{ty}`"),
        );
    }

    fn rule_out(&mut self, kind: Undefined) {
        self.found.1.push(kind);
    }

    fn range(&self, expr: ExprId) -> Option<Range> {
        self.ranges.of(self.program, expr)
    }

    fn constant(&self, expr: ExprId) -> Option<i128> {
        self.range(expr)
            .filter(|range| range.0 == range.1)
            .map(|range| range.0)
    }

    fn compare(&mut self, op: BinaryOp, operand: ExprId, value: i128) -> ExprId {
        compare(self.program, op, operand, value)
    }

    fn outside(&mut self, operand: ExprId, low: i128, high: i128) -> Option<ExprId> {
        outside(self.program, self.ranges, operand, low, high)
    }

    fn either(&mut self, one: Option<ExprId>, other: Option<ExprId>) -> Option<ExprId> {
        either(self.program, one, other)
    }

    fn is_smallest(&mut self, operand: ExprId) {
        match self.range(operand) {
            Some((low, _)) if low > self.shape.min() => self.rule_out(Undefined::Overflow),
            _ => {
                let is_smallest = self.compare(BinaryOp::Eq, operand, self.shape.min());
                self.add_overflow(vec![is_smallest]);
            }
        }
    }

    fn overflow(&mut self, op: BinaryOp, left: ExprId, right: ExprId) {
        let (min, max) = (self.shape.min(), self.shape.max());
        let (a, b) = (self.range(left), self.range(right));
        let results = a.zip(b).and_then(|(a, b)| exact(op, a, b));
        if results.is_some_and(|(low, high)| min <= low && high <= max) {
            return self.rule_out(Undefined::Overflow);
        }
        let condition = match (op, self.constant(left), self.constant(right)) {
            _ if self.shape.bits > 64 => {
                let what = format!("whether `{}` overflows, in 128 bits,", self.shown);
                let always = self.program.types.int(IntKind::Int);
                let always = self.program.int(1, always);
                return self.found.0.push(Condition {
                    kind: Undefined::Overflow,
                    all: vec![always],
                    message: Err(what),
                });
            }
            (BinaryOp::Add, Some(constant), _) => self.outside(right, min - constant, max - constant),
            (BinaryOp::Add, _, Some(constant)) => self.outside(left, min - constant, max - constant),
            (BinaryOp::Sub, Some(constant), _) => self.outside(right, constant - max, constant - min),
            (BinaryOp::Sub, _, Some(constant)) => self.outside(left, min + constant, max + constant),
            (BinaryOp::Mul, Some(factor), _) if factor != 0 => {
                let (low, high) = factors(min, max, factor);
                self.outside(right, low, high)
            }
            (BinaryOp::Mul, _, Some(factor)) if factor != 0 => {
                let (low, high) = factors(min, max, factor);
                self.outside(left, low, high)
            }
            _ => {
                let wide = if self.shape.bits > 32 {
                    IntKind::Int128
                } else {
                    IntKind::LongLong
                };
                let wide = self.program.types.int(wide);
                let (left, right) = (
                    self.program.convert(left, wide),
                    self.program.convert(right, wide),
                );
                let result = self.program.binary(op, left, right, wide);
                let below = results.is_none_or(|(low, _)| low < min);
                let above = results.is_none_or(|(_, high)| high > max);
                let below = below.then(|| self.compare(BinaryOp::Lt, result, min));
                let above = above.then(|| self.compare(BinaryOp::Gt, result, max));
                self.either(below, above)
            }
        };
        match condition {
            Some(condition) => self.add_overflow(vec![condition]),
            None => self.rule_out(Undefined::Overflow),
        }
    }

    fn division(&mut self, left: ExprId, right: ExprId) {
        match self.range(right) {
            Some((low, high)) if low > 0 || high < 0 => self.rule_out(Undefined::DivisionByZero),
            _ => {
                let is_zero = self.compare(BinaryOp::Eq, right, 0);
                let message = format!("division by zero: `{}`", self.shown);
                self.add(Undefined::DivisionByZero, vec![is_zero], message);
            }
        }
        if !self.shape.signed {
            return;
        }
        let is_possible =
            |range: Option<Range>, value| range.is_none_or(|(low, high)| low <= value && value <= high);
        if is_possible(self.range(left), self.shape.min()) && is_possible(self.range(right), -1) {
            let smallest = self.compare(BinaryOp::Eq, left, self.shape.min());
            let minus_one = self.compare(BinaryOp::Eq, right, -1);
            self.add_overflow(vec![minus_one, smallest]);
        } else {
            self.rule_out(Undefined::Overflow);
        }
    }

    fn shift(&mut self, op: BinaryOp, left: ExprId, amount: ExprId) {
        let most = i128::from(self.shape.bits) - 1;
        match self.outside(amount, 0, most) {
            Some(wrong) => {
                let message = format!("the amount of the shift `{}` is not in 0 to {most}", self.shown);
                self.add(Undefined::Shift, vec![wrong], message);
            }
            None => self.rule_out(Undefined::Shift),
        }
        if op != BinaryOp::Shl || !self.shape.signed {
            return;
        }
        if self.range(left).is_some_and(|(low, _)| low >= 0) {
            self.rule_out(Undefined::Shift);
        } else {
            let negative = self.compare(BinaryOp::Lt, left, 0);
            let message = format!("a negative value is shifted left: `{}`", self.shown);
            self.add(Undefined::Shift, vec![negative], message);
        }
        self.shifted_out(left, amount, most);
    }

    /// A positive value overflows if what the largest one keeps of its bits when it is shifted back is less.
    fn shifted_out(&mut self, left: ExprId, amount: ExprId, most: i128) {
        let max = self.shape.max();
        if let Some(amount) = self.constant(amount) {
            // An amount out of range is a matter of its own.
            let fits = (0..=most).contains(&amount).then(|| max >> amount);
            match fits.filter(|&fits| self.range(left).is_none_or(|range| range.1 > fits)) {
                Some(fits) => {
                    let too_large = self.compare(BinaryOp::Gt, left, fits);
                    self.add_overflow(vec![too_large]);
                }
                None => self.rule_out(Undefined::Overflow),
            }
            return;
        }
        let mut all = Vec::new();
        if let Some(wrong) = self.outside(amount, 0, most) {
            let int = self.program.types.int(IntKind::Int);
            all.push(self.program.unary(UnaryOp::Not, wrong, int));
        }
        let largest = self.program.int(max, self.ty);
        let fits = self.program.binary(BinaryOp::Shr, largest, amount, self.ty);
        let int = self.program.types.int(IntKind::Int);
        all.push(self.program.binary(BinaryOp::Gt, left, fits, int));
        self.add_overflow(all);
    }
}

/// A comparison with a constant of the operand's type.
fn compare(program: &mut Program, op: BinaryOp, operand: ExprId, value: i128) -> ExprId {
    let value = program.int(value, program.expr(operand).ty);
    let int = program.types.int(IntKind::Int);
    program.binary(op, operand, value, int)
}

/// That the operand is outside of the bounds; nothing where it cannot be.
pub fn outside(
    program: &mut Program,
    ranges: &Ranges,
    operand: ExprId,
    low: i128,
    high: i128,
) -> Option<ExprId> {
    let range = ranges.of(program, operand);
    let below = range.is_none_or(|range| range.0 < low);
    let above = range.is_none_or(|range| range.1 > high);
    let below = below.then(|| compare(program, BinaryOp::Lt, operand, low));
    let above = above.then(|| compare(program, BinaryOp::Gt, operand, high));
    either(program, below, above)
}

fn either(program: &mut Program, one: Option<ExprId>, other: Option<ExprId>) -> Option<ExprId> {
    match (one, other) {
        (Some(one), Some(other)) => {
            let int = program.types.int(IntKind::Int);
            Some(program.binary(BinaryOp::LogicalOr, one, other, int))
        }
        (one, other) => one.or(other),
    }
}

/// The least and the largest value whose product with the factor is in the bounds.
fn factors(min: i128, max: i128, factor: i128) -> (i128, i128) {
    let (low, high) = if factor > 0 { (min, max) } else { (max, min) };
    // Rounded towards the inside: the quotient of a bound rounds towards zero, which the bounds are on both sides of.
    (low / factor, high / factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_the_bounds_of_products_that_fit() {
        for factor in (-20..=20).filter(|&factor| factor != 0) {
            let (low, high) = factors(-128, 127, factor);
            for value in -200..=200_i128 {
                let fits = (-128..=127).contains(&(value * factor));
                assert_eq!(fits, (low..=high).contains(&value), "{value} * {factor}");
            }
        }
    }
}
