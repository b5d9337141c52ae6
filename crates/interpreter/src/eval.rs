//! Evaluation of compiled expressions: fast paths for what fits a register, the general arithmetic for the rest.

use program::BinaryOp;

use crate::arithmetic;
use crate::code::*;
use crate::machine::{Machine, OrEnd, Register, Value};
use crate::memory::{Area, Bytes, NOTHING, ObjectRef};
use crate::report::UndefinedKind;
use crate::scalar::Scalar;

impl Machine<'_> {
    /// As [`Machine::eval`], with the common leaves answered on the spot.
    #[inline(always)]
    pub fn operand(&mut self, node: &Node) -> OrEnd<i64> {
        match node {
            Node::Const(value) => Ok(*value),
            Node::Register(at) => self.read_register(*at),
            _ => self.eval(node),
        }
    }

    /// The content of a register for the value of an expression.
    pub fn eval(&mut self, node: &Node) -> OrEnd<i64> {
        match node {
            Node::Const(value) => Ok(*value),
            Node::Register(at) => self.read_register(*at),
            Node::Global(at) => {
                let register = self.globals[*at as usize];
                if !register.written {
                    self.read_unwritten_global(*at)?;
                }
                Ok(register.value)
            }
            Node::Int(op, operands) => {
                let a = self.operand(&operands[0])?;
                let b = self.operand(&operands[1])?;
                self.int(*op, a, b)
            }
            Node::Load(access) => self.load_narrow(access),
            Node::Address(path) => self.address(path),
            Node::Wrap(wrap, operand) => {
                let value = self.operand(operand)?;
                Ok(match wrap {
                    Wrap::I8 => i64::from(value as i8),
                    Wrap::I16 => i64::from(value as i16),
                    Wrap::I32 => i64::from(value as i32),
                    Wrap::U8 => i64::from(value as u8),
                    Wrap::U16 => i64::from(value as u16),
                    Wrap::U32 => i64::from(value as u32),
                    Wrap::Bool => i64::from(value != 0),
                })
            }
            Node::Double(op, operands) => {
                let a = f64::from_bits(self.operand(&operands[0])? as u64);
                let b = f64::from_bits(self.operand(&operands[1])? as u64);
                Ok(match op {
                    FloatOp::Add => self.computed(a + b),
                    FloatOp::Sub => self.computed(a - b),
                    FloatOp::Mul => self.computed(a * b),
                    FloatOp::Div => self.computed(a / b),
                    FloatOp::Eq => i64::from(a == b),
                    FloatOp::Ne => i64::from(a != b),
                    FloatOp::Lt => i64::from(a < b),
                    FloatOp::Le => i64::from(a <= b),
                })
            }
            Node::PointerAdd(operands, scale) => {
                let pointer = self.operand(&operands[0])?;
                let index = self.operand(&operands[1])?;
                let sum = pointer.wrapping_add(index.wrapping_mul(*scale));
                Ok((sum as u64 & self.pointer_mask) as i64)
            }
            Node::PointerDiff(operands, scale) => {
                let a = self.operand(&operands[0])?;
                let b = self.operand(&operands[1])?;
                let difference = a.wrapping_sub(b);
                let difference = match self.pointer_mask {
                    u64::MAX => difference,
                    _ => i64::from(difference as i32),
                };
                Ok(difference / scale)
            }
            Node::Not(operand) => Ok(i64::from(self.operand(operand)? == 0)),
            Node::And(operands) => Ok(i64::from(
                self.operand(&operands[0])? != 0 && self.operand(&operands[1])? != 0,
            )),
            Node::Or(operands) => Ok(i64::from(
                self.operand(&operands[0])? != 0 || self.operand(&operands[1])? != 0,
            )),
            Node::Choose(parts) => {
                let chosen = if self.operand(&parts[0])? != 0 { 1 } else { 2 };
                self.operand(&parts[chosen])
            }
            Node::General(wide) => Ok(self.eval_wide(wide)? as i64),
        }
    }

    #[inline(always)]
    fn read_register(&mut self, at: u32) -> OrEnd<i64> {
        let register = self.registers[self.register_base + at as usize];
        if !register.written {
            self.read_unwritten(at)?;
        }
        Ok(register.value)
    }

    #[cold]
    fn read_unwritten(&mut self, at: u32) -> OrEnd<()> {
        if self.is_reported(UndefinedKind::UninitialisedRead) {
            return Ok(());
        }
        let var = self
            .frames
            .last()
            .and_then(|frame| frame.code.register_vars[at as usize]);
        let message = match var {
            Some(var) if self.program.vars[var].name.starts_with('$') => {
                return self.undefined(
                    UndefinedKind::MissingReturnValue,
                    UndefinedKind::MissingReturnValue.description().to_owned(),
                );
            }
            Some(var) => format!(
                "read of `{}`, which has no value yet",
                self.program.vars[var].name
            ),
            None => UndefinedKind::UninitialisedRead.description().to_owned(),
        };
        self.undefined(UndefinedKind::UninitialisedRead, message)
    }

    #[cold]
    fn read_unwritten_global(&mut self, at: u32) -> OrEnd<()> {
        let name = match self.layout.global_registers[at as usize] {
            Some(var) => format!("`{}`", self.program.vars[var].name),
            None => "a global".to_owned(),
        };
        let message = format!("read of {name}, which has no value");
        self.undefined(UndefinedKind::UninitialisedRead, message)
    }

    #[inline(always)]
    fn int(&mut self, op: IntOp, a: i64, b: i64) -> OrEnd<i64> {
        let narrow = |result: i64| i64::from(result as i32);
        Ok(match op {
            IntOp::AddI32 => {
                let sum = a + b;
                if sum != narrow(sum) {
                    self.overflow("+", a, b, 32)?;
                }
                narrow(sum)
            }
            IntOp::SubI32 => {
                let difference = a - b;
                if difference != narrow(difference) {
                    self.overflow("-", a, b, 32)?;
                }
                narrow(difference)
            }
            IntOp::MulI32 => {
                let product = a * b;
                if product != narrow(product) {
                    self.overflow("*", a, b, 32)?;
                }
                narrow(product)
            }
            IntOp::AddI64 => {
                let (sum, overflowed) = a.overflowing_add(b);
                if overflowed {
                    self.overflow("+", a, b, 64)?;
                }
                sum
            }
            IntOp::SubI64 => {
                let (difference, overflowed) = a.overflowing_sub(b);
                if overflowed {
                    self.overflow("-", a, b, 64)?;
                }
                difference
            }
            IntOp::MulI64 => {
                let (product, overflowed) = a.overflowing_mul(b);
                if overflowed {
                    self.overflow("*", a, b, 64)?;
                }
                product
            }
            IntOp::AddU32 => i64::from((a as u32).wrapping_add(b as u32)),
            IntOp::SubU32 => i64::from((a as u32).wrapping_sub(b as u32)),
            IntOp::MulU32 => i64::from((a as u32).wrapping_mul(b as u32)),
            IntOp::AddU64 => a.wrapping_add(b),
            IntOp::SubU64 => a.wrapping_sub(b),
            IntOp::MulU64 => a.wrapping_mul(b),
            IntOp::And => a & b,
            IntOp::Or => a | b,
            IntOp::Xor => a ^ b,
            IntOp::ShlI32 => {
                self.check_shift(b, 32)?;
                i64::from((a as i32).wrapping_shl(b as u32))
            }
            IntOp::ShlU32 => {
                self.check_shift(b, 32)?;
                i64::from((a as u32).wrapping_shl(b as u32))
            }
            IntOp::Shl64 => {
                self.check_shift(b, 64)?;
                a.wrapping_shl(b as u32)
            }
            IntOp::ShrI32 => {
                self.check_shift(b, 32)?;
                i64::from((a as i32).wrapping_shr(b as u32))
            }
            IntOp::ShrU32 => {
                self.check_shift(b, 32)?;
                i64::from((a as u32).wrapping_shr(b as u32))
            }
            IntOp::ShrI64 => {
                self.check_shift(b, 64)?;
                a.wrapping_shr(b as u32)
            }
            IntOp::ShrU64 => {
                self.check_shift(b, 64)?;
                (a as u64).wrapping_shr(b as u32) as i64
            }
            IntOp::DivI32 => {
                self.check_divisor(b)?;
                let quotient = a / b;
                if quotient != narrow(quotient) {
                    self.division_overflow("/", a, b, 32)?;
                }
                narrow(quotient)
            }
            IntOp::RemI32 => {
                self.check_divisor(b)?;
                if a == i64::from(i32::MIN) && b == -1 {
                    self.division_overflow("%", a, b, 32)?;
                }
                a % b
            }
            IntOp::DivI64 => {
                self.check_divisor(b)?;
                let (quotient, overflowed) = a.overflowing_div(b);
                if overflowed {
                    self.division_overflow("/", a, b, 64)?;
                }
                quotient
            }
            IntOp::RemI64 => {
                self.check_divisor(b)?;
                let (remainder, overflowed) = a.overflowing_rem(b);
                if overflowed {
                    self.division_overflow("%", a, b, 64)?;
                }
                remainder
            }
            IntOp::DivU => {
                self.check_divisor(b)?;
                (a as u64 / b as u64) as i64
            }
            IntOp::RemU => {
                self.check_divisor(b)?;
                (a as u64 % b as u64) as i64
            }
            IntOp::Eq => i64::from(a == b),
            IntOp::Ne => i64::from(a != b),
            IntOp::LtS => i64::from(a < b),
            IntOp::LeS => i64::from(a <= b),
            IntOp::LtU => i64::from((a as u64) < b as u64),
            IntOp::LeU => i64::from(a as u64 <= b as u64),
        })
    }

    #[cold]
    fn overflow(&mut self, op: &str, a: i64, b: i64, bits: u32) -> OrEnd<()> {
        if self.is_reported(UndefinedKind::SignedOverflow) {
            return Ok(());
        }
        let message = format!("signed integer overflow: {a} {op} {b} does not fit {bits} bits");
        self.undefined(UndefinedKind::SignedOverflow, message)
    }

    #[cold]
    fn division_overflow(&mut self, op: &str, a: i64, b: i64, bits: u32) -> OrEnd<()> {
        let message = format!("overflow of a division: {a} {op} {b} does not fit {bits} bits");
        self.undefined(UndefinedKind::DivisionOverflow, message)
    }

    #[inline]
    fn check_shift(&mut self, amount: i64, bits: i64) -> OrEnd<()> {
        if (0..bits).contains(&amount) || self.is_reported(UndefinedKind::ShiftOutOfRange) {
            return Ok(());
        }
        let message = format!("shift of a {bits}-bit value by {amount}");
        self.undefined(UndefinedKind::ShiftOutOfRange, message)
    }

    #[inline]
    fn check_divisor(&mut self, divisor: i64) -> OrEnd<()> {
        if divisor != 0 {
            return Ok(());
        }
        self.undefined(
            UndefinedKind::DivisionByZero,
            UndefinedKind::DivisionByZero.description().to_owned(),
        )
    }

    /// The value of an expression of any scalar kind.
    pub fn eval_wide(&mut self, wide: &Wide) -> OrEnd<i128> {
        match wide {
            Wide::Const(value) => Ok(*value),
            Wide::Register(at) => {
                let low = self.read_register(*at)?;
                let high = self.registers[self.register_base + *at as usize + 1].value;
                Ok(join(low, high))
            }
            Wide::Global(at) => {
                let at = *at as usize;
                Ok(join(self.globals[at].value, self.globals[at + 1].value))
            }
            Wide::Load(access) => self.load(access),
            Wide::Narrow(scalar, node) => Ok(scalar.widen(self.eval(node)?)),
            Wide::Unary(op, scalar, operand) => {
                let operand = self.eval_wide(operand)?;
                let computed = arithmetic::unary(*op, *scalar, operand);
                self.checked(computed)
            }
            Wide::Binary(op, scalar, operands) => {
                let a = self.eval_wide(&operands[0])?;
                match op {
                    BinaryOp::LogicalAnd if !arithmetic::is_true(*scalar, a) => return Ok(0),
                    BinaryOp::LogicalOr if arithmetic::is_true(*scalar, a) => return Ok(1),
                    _ => {}
                }
                let b = self.eval_wide(&operands[1])?;
                let computed = arithmetic::binary(*op, *scalar, a, b);
                self.unspecified |= arithmetic::computes_nan(*op, *scalar, computed.0);
                self.checked(computed)
            }
            Wide::Cast(from, to, operand) => {
                let operand = self.eval_wide(operand)?;
                let computed = arithmetic::cast(*from, *to, operand);
                self.checked(computed)
            }
            Wide::Choose(condition, parts) => {
                let chosen = if self.eval(condition)? != 0 { 0 } else { 1 };
                self.eval_wide(&parts[chosen])
            }
        }
    }

    /// The sign and the other bits of a not-a-number that is computed are the machine's choice.
    #[inline]
    fn computed(&mut self, value: f64) -> i64 {
        self.unspecified |= value.is_nan();
        value.to_bits() as i64
    }

    #[inline]
    fn checked(&mut self, (value, undefined): arithmetic::Computed) -> OrEnd<i128> {
        if let Some(kind) = undefined {
            self.undefined(kind, kind.description().to_owned())?;
        }
        Ok(value)
    }

    /// The value of an operand of any type.
    pub fn value(&mut self, operand: &Operand) -> OrEnd<Value> {
        Ok(match operand {
            Operand::Narrow(scalar, node) => Value::Scalar(scalar.widen(self.eval(node)?), *scalar),
            Operand::Wide(scalar, wide) => Value::Scalar(self.eval_wide(wide)?, *scalar),
            Operand::Bytes { path, size } => {
                let (object, offset) = self.resolve(path, *size, false)?;
                Value::Bytes(Box::new(self.memory.object(object).copy_out(offset, *size)))
            }
            Operand::Zeros { size } => Value::Bytes(Box::new(Bytes {
                data: vec![0; *size as usize],
                unwritten: None,
            })),
        })
    }

    pub fn hoist(&mut self, hoisted: &Hoisted) -> OrEnd<()> {
        match hoisted {
            Hoisted::Narrow(at, node) => {
                let value = self.eval(node)?;
                self.registers[self.register_base + *at as usize] = Register { value, written: true };
            }
            Hoisted::Wide(at, wide) => {
                let value = self.eval_wide(wide)?;
                write_wide(&mut self.registers, self.register_base + *at as usize, value);
            }
        }
        Ok(())
    }

    pub fn set_register(&mut self, at: u32, scalar: Scalar, value: i128) {
        write_register(
            &mut self.registers,
            self.register_base + at as usize,
            scalar,
            value,
        );
    }

    pub fn assign_operand(&mut self, destination: &Destination, operand: &Operand) -> OrEnd<()> {
        match (destination, operand) {
            (
                Destination::Bytes {
                    path: to,
                    size,
                    padding,
                },
                Operand::Bytes { path: from, .. },
            ) => self.copy(to, from, *size, padding),
            (Destination::Bytes { path, size, padding }, Operand::Zeros { .. }) => {
                let (object, offset) = self.resolve(path, *size, true)?;
                let object = self.memory.object_mut(object);
                let range = object.range(offset, *size);
                object.data[range].fill(0);
                object.mark_written(offset, *size);
                object.open_padding(offset, padding);
                Ok(())
            }
            _ => {
                let value = self.value(operand)?;
                self.assign(destination, value)
            }
        }
    }

    /// A byte takes what it holds along, even if that is nothing.
    pub fn copy_byte(&mut self, to: &Path, from: &Path) -> OrEnd<()> {
        let (source, at) = self.resolve(from, 1, false)?;
        let (target, offset) = self.resolve(to, 1, true)?;
        let found = self.memory.object(source);
        let byte = found.data[at as usize];
        let mark = found.unwritten.as_ref().map_or(0, |mask| mask[at as usize]);
        let found = self.memory.object_mut(target);
        found.data[offset as usize] = byte;
        match (&mut found.unwritten, mark) {
            (None, 0) => {}
            (Some(mask), _) => mask[offset as usize] = mark,
            (None, _) => {
                let mut mask = vec![0; found.data.len()];
                mask[offset as usize] = mark;
                found.unwritten = Some(mask);
            }
        }
        Ok(())
    }

    fn copy(&mut self, to: &Path, from: &Path, size: u64, padding: &[std::ops::Range<u64>]) -> OrEnd<()> {
        let (source, at) = self.resolve(from, size, false)?;
        let (target, offset) = self.resolve(to, size, true)?;
        if source == target && at != offset && at.abs_diff(offset) < size {
            self.undefined(
                UndefinedKind::OverlappingCopy,
                UndefinedKind::OverlappingCopy.description().to_owned(),
            )?;
        }
        let bytes = self.memory.object(source).copy_out(at, size);
        let object = self.memory.object_mut(target);
        object.copy_in(offset, &bytes);
        object.open_padding(offset, padding);
        Ok(())
    }

    /// Stores a value of any type.
    pub fn assign(&mut self, destination: &Destination, value: Value) -> OrEnd<()> {
        match (destination, value) {
            (Destination::Register(to, at), Value::Scalar(value, from)) => {
                let value = converted(from, *to, value);
                self.set_register(*at, *to, value);
                Ok(())
            }
            (Destination::GlobalRegister(to, at), Value::Scalar(value, from)) => {
                let value = converted(from, *to, value);
                write_register(&mut self.globals, *at as usize, *to, value);
                Ok(())
            }
            (Destination::Memory(access), Value::Scalar(value, from)) => {
                let value = converted(from, access.scalar, value);
                self.store(access, value)
            }
            (Destination::Bytes { path, size, padding }, Value::Bytes(bytes)) => {
                let (object, offset) = self.resolve(path, *size, true)?;
                if bytes.data.len() as u64 == *size {
                    let object = self.memory.object_mut(object);
                    object.copy_in(offset, &bytes);
                    object.open_padding(offset, padding);
                }
                Ok(())
            }
            (destination, _) => self.forget(destination),
        }
    }

    /// Makes a destination hold nothing.
    pub fn forget(&mut self, destination: &Destination) -> OrEnd<()> {
        match destination {
            Destination::Register(_, at) => {
                self.registers[self.register_base + *at as usize].written = false;
            }
            Destination::GlobalRegister(_, at) => self.globals[*at as usize].written = false,
            Destination::Memory(access) => {
                let (object, offset) = self.resolve(&access.path, u64::from(access.bytes), true)?;
                if access.bits.is_none() {
                    self.forget_range(object, offset, u64::from(access.bytes));
                }
            }
            Destination::Bytes { path, size, .. } => {
                let (object, offset) = self.resolve(path, *size, true)?;
                self.forget_range(object, offset, *size);
            }
        }
        Ok(())
    }

    /// What a destination in memory holds is what the inputs gave; the program has not written it.
    pub fn mark_given(&mut self, destination: &Destination) -> OrEnd<()> {
        let (path, size) = match destination {
            Destination::Register(..) | Destination::GlobalRegister(..) => return Ok(()),
            Destination::Memory(access) => (&access.path, u64::from(access.bytes)),
            Destination::Bytes { path, size, .. } => (path, *size),
        };
        let (object, offset) = self.resolve(path, size, true)?;
        self.memory.object_mut(object).mark_given(offset, size);
        Ok(())
    }

    fn forget_range(&mut self, object: ObjectRef, offset: u64, size: u64) {
        let object = self.memory.object_mut(object);
        if offset == 0 && size == object.size {
            return object.forget();
        }
        let range = object.range(offset, size);
        let length = object.data.len();
        object.unwritten.get_or_insert_with(|| vec![0; length])[range].fill(NOTHING);
    }

    /// The object that a path starts at, if that is known without evaluation.
    pub fn root_object(&self, root: &Root) -> Option<ObjectRef> {
        match root {
            Root::Static(index) => Some(ObjectRef {
                area: Area::Static,
                index: *index,
            }),
            Root::Frame(at) => Some(ObjectRef {
                area: Area::Stack,
                index: self.object_base + at,
            }),
            Root::Pointer(_) => None,
        }
    }
}

fn converted(from: Scalar, to: Scalar, value: i128) -> i128 {
    if from == to {
        return value;
    }
    arithmetic::cast(from, to, value).0
}

fn join(low: i64, high: i64) -> i128 {
    i128::from(high) << 64 | i128::from(low as u64)
}

fn write_wide(registers: &mut [Register], at: usize, value: i128) {
    registers[at] = Register {
        value: value as i64,
        written: true,
    };
    registers[at + 1] = Register {
        value: (value >> 64) as i64,
        written: true,
    };
}

pub(crate) fn write_register(registers: &mut [Register], at: usize, scalar: Scalar, value: i128) {
    if scalar.is_narrow() {
        registers[at] = Register {
            value: scalar.narrow(value),
            written: true,
        };
    } else {
        write_wide(registers, at, value);
    }
}

#[cfg(test)]
mod tests {
    use program::{DataModel, IntShape, Program};

    use super::*;
    use crate::inputs::NoInputs;
    use crate::machine::Options;
    use crate::output::Captured;

    const I32: IntShape = IntShape {
        bits: 32,
        signed: true,
    };
    const U32: IntShape = IntShape {
        bits: 32,
        signed: false,
    };
    const I64: IntShape = IntShape {
        bits: 64,
        signed: true,
    };
    const U64: IntShape = IntShape {
        bits: 64,
        signed: false,
    };

    /// Every fast operator with the operator and shape it stands for.
    const FAST: &[(IntOp, BinaryOp, IntShape)] = &[
        (IntOp::AddI32, BinaryOp::Add, I32),
        (IntOp::SubI32, BinaryOp::Sub, I32),
        (IntOp::MulI32, BinaryOp::Mul, I32),
        (IntOp::AddI64, BinaryOp::Add, I64),
        (IntOp::SubI64, BinaryOp::Sub, I64),
        (IntOp::MulI64, BinaryOp::Mul, I64),
        (IntOp::AddU32, BinaryOp::Add, U32),
        (IntOp::SubU32, BinaryOp::Sub, U32),
        (IntOp::MulU32, BinaryOp::Mul, U32),
        (IntOp::AddU64, BinaryOp::Add, U64),
        (IntOp::SubU64, BinaryOp::Sub, U64),
        (IntOp::MulU64, BinaryOp::Mul, U64),
        (IntOp::And, BinaryOp::BitAnd, I32),
        (IntOp::Or, BinaryOp::BitOr, U64),
        (IntOp::Xor, BinaryOp::BitXor, U32),
        (IntOp::ShlI32, BinaryOp::Shl, I32),
        (IntOp::ShlU32, BinaryOp::Shl, U32),
        (IntOp::Shl64, BinaryOp::Shl, I64),
        (IntOp::Shl64, BinaryOp::Shl, U64),
        (IntOp::ShrI32, BinaryOp::Shr, I32),
        (IntOp::ShrU32, BinaryOp::Shr, U32),
        (IntOp::ShrI64, BinaryOp::Shr, I64),
        (IntOp::ShrU64, BinaryOp::Shr, U64),
        (IntOp::DivI32, BinaryOp::Div, I32),
        (IntOp::RemI32, BinaryOp::Rem, I32),
        (IntOp::DivI64, BinaryOp::Div, I64),
        (IntOp::RemI64, BinaryOp::Rem, I64),
        (IntOp::DivU, BinaryOp::Div, U32),
        (IntOp::DivU, BinaryOp::Div, U64),
        (IntOp::RemU, BinaryOp::Rem, U32),
        (IntOp::RemU, BinaryOp::Rem, U64),
        (IntOp::Eq, BinaryOp::Eq, U64),
        (IntOp::Ne, BinaryOp::Ne, I32),
        (IntOp::LtS, BinaryOp::Lt, I64),
        (IntOp::LeS, BinaryOp::Le, I32),
        (IntOp::LtU, BinaryOp::Lt, U64),
        (IntOp::LeU, BinaryOp::Le, U32),
    ];

    #[test]
    fn fast_operators_agree_with_the_general_arithmetic() {
        let program = Program::new(DataModel::Lp64);
        // With this, undefined behaviour of any kind is an error, and so visible here.
        let options = Options {
            stop_at_undefined: true,
            ..Options::default()
        };
        let (mut inputs, mut output) = (NoInputs, Captured::default());
        let mut machine = Machine::new(&program, &options, &mut inputs, &mut output);
        let corners = [
            0,
            1,
            2,
            -1,
            -2,
            7,
            31,
            32,
            33,
            63,
            64,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            -0x8000_0000,
            i64::MAX.into(),
            i64::MIN.into(),
            u64::MAX.into(),
            0x1234_5678_9abc_def0,
        ];
        for &(fast, op, shape) in FAST {
            for a in corners.map(|value: i128| shape.wrap(value)) {
                for b in corners.map(|value: i128| shape.wrap(value)) {
                    let scalar = Scalar::Int(shape);
                    let (expected, undefined) = arithmetic::binary(op, scalar, a, b);
                    match machine.int(fast, scalar.narrow(a), scalar.narrow(b)) {
                        Ok(value) => {
                            assert_eq!(undefined, None, "{fast:?} {a} {b}");
                            let result = if op.is_comparison() {
                                Scalar::Int(I32)
                            } else {
                                scalar
                            };
                            assert_eq!(result.widen(value), expected, "{fast:?} {a} {b}");
                        }
                        Err(_) => assert!(undefined.is_some(), "{fast:?} {a} {b}"),
                    }
                }
            }
        }
    }
}
