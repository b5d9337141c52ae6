//! The compiler's own operations: bit counting, overflow checks, classification of floats, variable arguments.

use program::{BinaryOp, ExprId, ExprKind, IntKind, IntShape, TypeId, UnaryOp};
use rucc_sema as sema;
use sema::{BitCount, Classify, OverflowOp, Sign};

use super::Lowering;

impl Lowering<'_> {
    pub(super) fn builtin(&mut self, id: sema::ExprId) -> ExprId {
        let ty = self.type_of(id);
        match self.unit.tast[id].kind {
            sema::ExprKind::VaArg { list } => {
                let list = self.rvalue(list);
                let result = self.temporary(ty);
                let void = self.program.types.void();
                let function = self.intrinsic("__builtin_va_arg", void, false);
                self.call(Some(result), function, vec![list]);
                self.program.read(result)
            }
            sema::ExprKind::VaStart { list } => self.effect("__builtin_va_start", &[list]),
            sema::ExprKind::VaEnd { list } => self.effect("__builtin_va_end", &[list]),
            sema::ExprKind::VaCopy { dst, src } => self.effect("__builtin_va_copy", &[dst, src]),
            sema::ExprKind::Classify { op, lhs, rhs } => self.classify(op, lhs, rhs, ty),
            sema::ExprKind::FpClassify { value, answers } => self.fp_classify(value, answers, ty),
            sema::ExprKind::Sign {
                op: Sign::Clear, lhs, ..
            } => self.operator(UnaryOp::Abs, lhs, ty),
            sema::ExprKind::Sign {
                op: Sign::Of,
                lhs,
                rhs: Some(rhs),
            } => {
                let (left, right) = self.operands(lhs, rhs);
                self.float_operation(BinaryOp::CopySign, left, right, ty)
            }
            sema::ExprKind::Abs { operand } => self.operator(UnaryOp::Abs, operand, ty),
            sema::ExprKind::ByteSwap { operand } => self.operator(UnaryOp::ByteSwap, operand, ty),
            sema::ExprKind::BitCount { operand, count } => {
                let op = match count {
                    BitCount::Leading => UnaryOp::LeadingZeros,
                    BitCount::Trailing => UnaryOp::TrailingZeros,
                    BitCount::Ones => UnaryOp::CountOnes,
                    BitCount::Parity => UnaryOp::Parity,
                    BitCount::FirstSet => UnaryOp::FirstSet,
                    BitCount::RedundantSign => UnaryOp::RedundantSignBits,
                };
                self.operator(op, operand, ty)
            }
            sema::ExprKind::Overflow { op, args, stores, .. } => self.overflow(op, args, stores, ty),
            sema::ExprKind::Atomic { op, args, .. } => self.atomic(op, args, ty),
            sema::ExprKind::Expect { value, .. } => self.rvalue(value),
            sema::ExprKind::Prefetch { address, .. } => {
                self.discard(address);
                self.nothing()
            }
            sema::ExprKind::Unreachable => {
                self.intrinsic_end("__builtin_unreachable");
                self.nothing()
            }
            sema::ExprKind::Trap => {
                self.intrinsic_end("__builtin_trap");
                self.nothing()
            }
            // gcc's answers where it does not know the object.
            sema::ExprKind::ObjectSize { kind, .. } => {
                let unknown = if kind & 2 == 0 { -1 } else { 0 };
                self.program.int(unknown, ty)
            }
            sema::ExprKind::ConstantP { .. } => self.program.int(0, ty),
            sema::ExprKind::Alloca { size } => {
                let size = self.rvalue(size);
                let result = self.temporary(ty);
                self.allocate_on_stack(size, Vec::new(), result);
                self.program.read(result)
            }
            sema::ExprKind::FrameAddress { .. } | sema::ExprKind::ThreadPointer | sema::ExprKind::SpEntry => {
                self.note(
                    "an address of the machine's stack is taken to be any value",
                    self.body.span,
                );
                self.intrinsic_call("__builtin_machine_address", Vec::new(), ty)
            }
            sema::ExprKind::TimeStamp { aux: None } => {
                self.intrinsic_call("__builtin_ia32_rdtsc", Vec::new(), ty)
            }
            sema::ExprKind::CpuModel { .. } => self.intrinsic_call("__builtin_cpu_supports", Vec::new(), ty),
            sema::ExprKind::Jump { .. } => self.unsupported_value("setjmp", ty),
            sema::ExprKind::Complex { .. } => self.complex_value(id),
            sema::ExprKind::Shuffle { .. }
            | sema::ExprKind::ShuffleVector { .. }
            | sema::ExprKind::ConvertVector { .. }
            | sema::ExprKind::Elementwise { .. } => self.unsupported_value("vector types", ty),
            _ => self.unsupported_value("this compiler builtin", ty),
        }
    }

    /// A value for an expression that has none.
    fn nothing(&mut self) -> ExprId {
        let int = self.int();
        self.program.int(0, int)
    }

    fn effect(&mut self, name: &str, operands: &[sema::ExprId]) -> ExprId {
        let arguments = operands.iter().map(|&operand| self.rvalue(operand)).collect();
        let void = self.program.types.void();
        let function = self.intrinsic(name, void, false);
        self.call(None, function, arguments);
        self.nothing()
    }

    fn operator(&mut self, op: UnaryOp, operand: sema::ExprId, ty: TypeId) -> ExprId {
        let value = self.rvalue(operand);
        if !self.program.types.is_scalar(self.program.expr(value).ty) {
            return self.unsupported_value("this builtin on a type that is not scalar", ty);
        }
        self.program.unary(op, value, ty)
    }

    fn float_operation(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> ExprId {
        let both_float = [left, right].iter().all(|&e| {
            let ty = self.program.expr(e).ty;
            self.program.types.float_kind(ty).is_some()
        });
        if !both_float {
            return self.unsupported_value("this builtin on a type that is not a binary float", ty);
        }
        self.program.binary(op, left, right, ty)
    }

    fn classify(&mut self, op: Classify, lhs: sema::ExprId, rhs: Option<sema::ExprId>, ty: TypeId) -> ExprId {
        let unary = match op {
            Classify::Nan => UnaryOp::IsNan,
            Classify::Infinite => UnaryOp::IsInfinite,
            Classify::Finite => UnaryOp::IsFinite,
            Classify::Normal => UnaryOp::IsNormal,
            Classify::SignBit => UnaryOp::SignBit,
            Classify::InfiniteSign => UnaryOp::InfiniteSign,
            Classify::Unordered | Classify::LessGreater => {
                let Some(rhs) = rhs else {
                    return self.unsupported_value("a comparison of one operand", ty);
                };
                let op = if op == Classify::Unordered {
                    BinaryOp::Unordered
                } else {
                    BinaryOp::LessGreater
                };
                let (left, right) = self.operands(lhs, rhs);
                return self.truth(|l| l.float_operation_int(op, left, right), ty);
            }
        };
        let value = self.rvalue(lhs);
        let value_type = self.program.expr(value).ty;
        if self.program.types.float_kind(value_type).is_none() {
            return self.unsupported_value("classifying a type that is not a binary float", ty);
        }
        self.truth(
            |l| {
                let int = l.int();
                l.program.unary(unary, value, int)
            },
            ty,
        )
    }

    fn float_operation_int(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let int = self.int();
        self.float_operation(op, left, right, int)
    }

    /// An `int` answer in the type the tree gives it.
    fn truth(&mut self, answer: impl FnOnce(&mut Self) -> ExprId, ty: TypeId) -> ExprId {
        let answer = answer(self);
        self.cast_value(answer, ty, true)
    }

    fn fp_classify(&mut self, value: sema::ExprId, answers: sema::ExprList, ty: TypeId) -> ExprId {
        let value = self.rvalue(value);
        let value = self.save_if_changing(value);
        let value_type = self.program.expr(value).ty;
        let answers: Vec<sema::ExprId> = self.unit.tast[answers].to_vec();
        let [nan, infinite, normal, subnormal, zero] = answers[..] else {
            return self.unsupported_value("a malformed __builtin_fpclassify", ty);
        };
        if self.program.types.float_kind(value_type).is_none() {
            return self.unsupported_value("classifying a type that is not a binary float", ty);
        }
        let int = self.int();
        let float_zero = {
            let zero = self.program.int(0, int);
            self.program.convert(zero, value_type)
        };
        let is_zero = self.program.binary(BinaryOp::Eq, value, float_zero, int);
        let mut answer = {
            let (then, otherwise) = (self.rvalue(zero), self.rvalue(subnormal));
            self.program.exprs.add(
                ExprKind::Conditional {
                    condition: is_zero,
                    then,
                    otherwise,
                },
                ty,
            )
        };
        let tests = [
            (UnaryOp::IsNormal, normal),
            (UnaryOp::IsInfinite, infinite),
            (UnaryOp::IsNan, nan),
        ];
        for (test, then) in tests {
            let condition = self.program.unary(test, value, int);
            let then = self.rvalue(then);
            answer = self.program.exprs.add(
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise: answer,
                },
                ty,
            );
        }
        answer
    }

    /// The exact result is computed in a type wide enough for it; it overflows if converting it to the wanted type
    /// changes it.
    fn overflow(&mut self, op: OverflowOp, args: sema::ExprList, stores: bool, ty: TypeId) -> ExprId {
        let args: Vec<sema::ExprId> = self.unit.tast[args].to_vec();
        let [lhs, rhs, last] = args[..] else {
            return self.unsupported_value("a malformed overflow check", ty);
        };
        let left = self.rvalue(lhs);
        let left = if stores { self.save_if_changing(left) } else { left };
        let right = self.rvalue(rhs);
        let right = if stores {
            self.save_if_changing(right)
        } else {
            right
        };
        let destination = if stores {
            let pointer = self.rvalue(last);
            Some(self.deref(pointer))
        } else {
            None
        };
        let result_type = match destination {
            Some(place) => self.program.place(place).ty,
            None => self.type_of(last),
        };
        let shapes = (
            self.program.types.int_shape(self.program.expr(left).ty),
            self.program.types.int_shape(self.program.expr(right).ty),
            self.program.types.int_shape(result_type),
        );
        let (Some(a), Some(b), Some(_)) = shapes else {
            return self.unsupported_value("an overflow check of values that are not integers", ty);
        };
        let Some(wide) = exact_type(op, a, b) else {
            return self.unsupported_value("an overflow check of 128-bit integers", ty);
        };
        let wide = self.program.types.int(wide);
        let left = self.cast_value(left, wide, true);
        let right = self.cast_value(right, wide, true);
        let op = match op {
            OverflowOp::Add => BinaryOp::Add,
            OverflowOp::Sub => BinaryOp::Sub,
            OverflowOp::Mul => BinaryOp::Mul,
        };
        let exact = self.program.binary(op, left, right, wide);
        let exact = self.save(exact);
        let narrow = self.cast_value(exact, result_type, true);
        if let Some(place) = destination {
            self.assign(place, narrow);
        }
        let back = self.cast_value(narrow, wide, true);
        let int = self.int();
        let differs = self.program.binary(BinaryOp::Ne, back, exact, int);
        self.cast_value(differs, ty, true)
    }
}

/// A type that holds every result of the operation on values of the two shapes. An unsigned result is only chosen for a
/// product of two unsigned values, whose wrapped image cannot be mistaken for it.
fn exact_type(op: OverflowOp, a: IntShape, b: IntShape) -> Option<IntKind> {
    let bits = |s: IntShape| if s.signed { s.bits } else { s.bits + 1 };
    let needed = match op {
        OverflowOp::Add | OverflowOp::Sub => bits(a).max(bits(b)) + 1,
        OverflowOp::Mul => bits(a) + bits(b),
    };
    match needed {
        0..=64 => Some(IntKind::LongLong),
        65..=128 => Some(IntKind::Int128),
        _ if op == OverflowOp::Mul && !a.signed && !b.signed && a.bits + b.bits <= 128 => {
            Some(IntKind::UInt128)
        }
        // 64-bit signed times 64-bit unsigned: 129 bits by the rule above, but the extreme product is -2^127.
        _ if op == OverflowOp::Mul && a.bits + b.bits <= 128 => Some(IntKind::Int128),
        _ => None,
    }
}
