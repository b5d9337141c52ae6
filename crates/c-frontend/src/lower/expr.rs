//! Expressions: their side effects become edges, their value an expression of the program.

use program::{BinaryOp, ExprId, ExprKind, FloatBits, PlaceId, Type, TypeId, UnaryOp};
use rucc_ast as ast;
use rucc_sema as sema;
use sema::Conversion;

use super::effects::{is_harmless, may_interfere};
use super::{Entity, Lowering};

impl Lowering<'_> {
    /// The value of an expression. One of type `void` has some `int`.
    pub(super) fn rvalue(&mut self, id: sema::ExprId) -> ExprId {
        if let Some(&length) = self.body.lengths.get(&id) {
            return length;
        }
        let outer = self.enter(id);
        let value = self.rvalue_here(id);
        let value = self.cut_to_width(id, value);
        self.body.span = outer;
        value
    }

    /// A result of a type narrower than the one it was computed in: bit-fields wider than `int` have types of their own
    /// width.
    fn cut_to_width(&mut self, id: sema::ExprId, value: ExprId) -> ExprId {
        let expr = self.unit.tast[id];
        let types = &self.unit.types;
        let rucc_types::TypeKind::BitInt { width, .. } = types.kind(types.canonical(expr.ty)) else {
            return value;
        };
        let computes = matches!(
            expr.kind,
            sema::ExprKind::Unary { .. } | sema::ExprKind::Binary { .. } | sema::ExprKind::Cast(_)
        ) || matches!(expr.kind, sema::ExprKind::Convert { kind, .. } if kind != Conversion::Lvalue);
        let ty = self.program.expr(value).ty;
        let Some(shape) = self
            .program
            .types
            .int_shape(ty)
            .filter(|shape| width < shape.bits)
        else {
            return value;
        };
        if !computes {
            return value;
        }
        let int = self.int();
        let unsigned = self
            .program
            .types
            .int(super::types::storage_kind(shape.bits, false));
        let unused = self.program.int(i128::from(shape.bits - width), int);
        let raised = self.program.convert(value, unsigned);
        let raised = self.program.binary(BinaryOp::Shl, raised, unused, unsigned);
        let raised = self.program.convert(raised, ty);
        self.program.binary(BinaryOp::Shr, raised, unused, ty)
    }

    /// Makes an expression the source of the edges to come, and gives back what was. Inside a statement the smaller
    /// span is the better one, except that an operand does not narrow down the whole.
    fn enter(&mut self, id: sema::ExprId) -> Option<program::Span> {
        let outer = self.body.span;
        let narrow = matches!(
            self.unit.tast[id].kind,
            sema::ExprKind::Call { .. } | sema::ExprKind::Assign { .. } | sema::ExprKind::Comma { .. }
        );
        if narrow || outer.is_none() {
            self.body.span = self.span(self.unit.tast.expr_span(id)).or(outer);
        }
        outer
    }

    fn rvalue_here(&mut self, id: sema::ExprId) -> ExprId {
        let expr = self.unit.tast[id];
        match expr.kind {
            sema::ExprKind::Error => {
                let ty = self.type_of(id);
                self.unsupported_value("an expression the parser rejected", ty)
            }
            sema::ExprKind::Const(_) | sema::ExprKind::Unary { .. } | sema::ExprKind::Binary { .. }
                if self.computes_complex(id) =>
            {
                self.complex_value(id)
            }
            sema::ExprKind::Const(constant) => self.constant(constant, expr.ty),
            sema::ExprKind::Str(_)
            | sema::ExprKind::Decl(_)
            | sema::ExprKind::CompoundLiteral(_)
            | sema::ExprKind::Member { .. }
            | sema::ExprKind::Subscript { .. } => self.read_lvalue(id),
            sema::ExprKind::Call { callee, args } => self.call_value(id, callee, args),
            sema::ExprKind::Unary { op, operand } => self.unary(id, op, operand),
            sema::ExprKind::Binary { op, lhs, rhs } => self.binary(id, op, lhs, rhs),
            sema::ExprKind::Assign {
                op,
                computation,
                lhs,
                rhs,
            } => self.assignment(op, computation, lhs, rhs, true),
            sema::ExprKind::Cond {
                cond,
                then,
                otherwise,
            } => self.conditional(id, cond, then, otherwise),
            sema::ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.rvalue(rhs)
            }
            sema::ExprKind::Cast(operand) => {
                self.evaluate_lengths(expr.ty);
                self.cast(operand, expr.ty, false)
            }
            sema::ExprKind::Convert { kind, operand } => self.conversion(id, kind, operand),
            sema::ExprKind::StmtExpr(stmt) => self.statement_expression(stmt, id),
            sema::ExprKind::LabelAddr(label) => {
                let loc = self.label_loc(label);
                let ty = self.type_of(id);
                self.program.exprs.add(ExprKind::Label(loc), ty)
            }
            _ => self.builtin(id),
        }
    }

    /// Whether this is a constant of complex type or an operation that gives a new value of one.
    fn computes_complex(&mut self, id: sema::ExprId) -> bool {
        let computes = match self.unit.tast[id].kind {
            sema::ExprKind::Const(_) | sema::ExprKind::Binary { .. } => true,
            sema::ExprKind::Unary { op, .. } => {
                matches!(
                    op,
                    ast::UnaryOp::Plus | ast::UnaryOp::Minus | ast::UnaryOp::BitNot
                )
            }
            _ => false,
        };
        let ty = self.type_of(id);
        computes && self.half(ty).is_some()
    }

    /// Evaluates an expression for its effects alone.
    pub(super) fn discard(&mut self, id: sema::ExprId) {
        let outer = self.enter(id);
        let expr = self.unit.tast[id];
        match expr.kind {
            sema::ExprKind::Assign {
                op,
                computation,
                lhs,
                rhs,
            } => {
                self.assignment(op, computation, lhs, rhs, false);
            }
            sema::ExprKind::Unary {
                op:
                    op @ (ast::UnaryOp::PreInc
                    | ast::UnaryOp::PreDec
                    | ast::UnaryOp::PostInc
                    | ast::UnaryOp::PostDec),
                operand,
            } => {
                self.step(op, operand, false);
            }
            sema::ExprKind::Call { callee, args } => self.call_for_effect(callee, args),
            sema::ExprKind::Cast(operand) => {
                self.evaluate_lengths(expr.ty);
                self.discard(operand);
            }
            sema::ExprKind::Convert { operand, .. } => self.discard(operand),
            sema::ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.discard(rhs);
            }
            sema::ExprKind::Cond {
                cond,
                then,
                otherwise,
            } => self.conditional_for_effect(cond, then, otherwise),
            sema::ExprKind::Binary {
                op: op @ (ast::BinaryOp::LogAnd | ast::BinaryOp::LogOr),
                lhs,
                rhs,
            } => {
                self.short_circuit_for_effect(op, lhs, rhs);
            }
            sema::ExprKind::StmtExpr(stmt) => self.statement(stmt),
            sema::ExprKind::Str(_) | sema::ExprKind::Decl(_) | sema::ExprKind::Const(_) => {}
            _ => {
                let value = self.rvalue(id);
                if self.computes(value) {
                    self.save(value);
                }
            }
        }
        self.body.span = outer;
    }

    /// Whether a constant is a value of the type, or the type is unsigned and wraps it.
    fn fits(&self, constant: Option<i128>, ty: TypeId) -> bool {
        let shape = self.program.types.int_shape(ty);
        constant.is_some_and(|value| shape.is_some_and(|shape| !shape.signed || shape.wrap(value) == value))
    }

    /// Whether evaluating the value can be undefined by an operator or an access of it, so that it matters that it is evaluated.
    fn computes(&self, value: ExprId) -> bool {
        let mut walk = program::Walk::new();
        walk.add_expr(value);
        while let Some(node) = walk.next(self.program) {
            let program::Node::Expr(expr) = node else {
                continue;
            };
            let ty = self.program.expr(expr).ty;
            let is_integer = self.program.types.int_shape(ty).is_some();
            let may_fail = match self.program.expr(expr).kind {
                ExprKind::Read(place) if self.program.types.is_scalar(ty) => self.is_computed(place),
                ExprKind::Unary(op, _) => is_integer && matches!(op, UnaryOp::Negate | UnaryOp::Abs),
                ExprKind::Binary(op, ..) if is_integer => {
                    use BinaryOp::*;
                    matches!(op, Add | Sub | Mul | Div | Rem | Shl | Shr)
                }
                _ => false,
            };
            if may_fail {
                return true;
            }
        }
        false
    }

    /// Whether a place is found by a pointer or an index.
    fn is_computed(&self, mut place: program::PlaceId) -> bool {
        loop {
            match self.program.place(place).kind {
                program::PlaceKind::Var(_) => return false,
                program::PlaceKind::Field(base, _) => place = base,
                program::PlaceKind::Deref(_) | program::PlaceKind::Index(..) => return true,
            }
        }
    }

    fn read_lvalue(&mut self, id: sema::ExprId) -> ExprId {
        if let sema::ExprKind::Decl(decl) = self.unit.tast[id].kind
            && let Entity::Function(function) = self.entity(decl)
        {
            let ty = self.type_of(id);
            let ty = self.program.types.pointer(ty);
            let function = self.addressed(decl, function);
            return self.program.exprs.add(ExprKind::Function(function), ty);
        }
        let place = self.place(id);
        self.load(id, place)
    }

    /// Operand `first` of an operation whose operand `second` is evaluated after it.
    pub(super) fn operand_before(&mut self, first: sema::ExprId, second: sema::ExprId) -> ExprId {
        let value = self.rvalue(first);
        // The cheaper question first: in a long chain of operators the left operand is most of it.
        if may_interfere(&self.unit.tast, second) && self.reads_shared(value) {
            self.save(value)
        } else {
            value
        }
    }

    /// Whether a call could change the value: it reads something other than locals whose address nobody has.
    pub(super) fn reads_shared(&self, value: ExprId) -> bool {
        match self.program.expr(value).kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Label(_) => false,
            ExprKind::Read(place) => self.is_shared(place),
            ExprKind::AddressOf(place) => self.address_reads_shared(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => self.reads_shared(operand),
            ExprKind::Binary(_, left, right) => self.reads_shared(left) || self.reads_shared(right),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.reads_shared(condition) || self.reads_shared(then) || self.reads_shared(otherwise),
        }
    }

    fn is_shared(&self, place: PlaceId) -> bool {
        match self.program.place(place).kind {
            program::PlaceKind::Var(var) => {
                matches!(self.program.vars[var].kind, program::VarKind::Global(_)) || self.body_shares(var)
            }
            program::PlaceKind::Deref(_) => true,
            program::PlaceKind::Field(base, _) => self.is_shared(base),
            program::PlaceKind::Index(base, index) => self.is_shared(base) || self.reads_shared(index),
        }
    }

    fn address_reads_shared(&self, place: PlaceId) -> bool {
        match self.program.place(place).kind {
            program::PlaceKind::Var(_) => false,
            program::PlaceKind::Deref(pointer) => self.reads_shared(pointer),
            program::PlaceKind::Field(base, _) => self.address_reads_shared(base),
            program::PlaceKind::Index(base, index) => {
                self.address_reads_shared(base) || self.reads_shared(index)
            }
        }
    }

    pub(super) fn constant(&mut self, id: sema::ConstId, ty: rucc_types::TypeId) -> ExprId {
        let lowered = self.ty(ty);
        match self.unit.tast[id] {
            sema::Const::Int(value) if self.program.types.int_shape(lowered).is_some() => {
                let value = self.program.int(value, lowered);
                self.note_device(ty, value);
                value
            }
            sema::Const::Float(value) => match self.program.types.float_kind(lowered) {
                Some(kind) => {
                    let bits = FloatBits {
                        kind,
                        bits: value.to_bits(),
                    };
                    self.program.exprs.add(ExprKind::Float(bits), lowered)
                }
                None => self.unsupported_value("a floating-point constant of this type", lowered),
            },
            sema::Const::Address(address) => {
                let value = self.address_constant(address, lowered);
                self.note_device(ty, value);
                value
            }
            sema::Const::Apart { .. } => self.unsupported_value("the distance between two labels", lowered),
            sema::Const::Int(_) | sema::Const::Complex { .. } | sema::Const::ComplexInt { .. } => {
                self.unsupported_value("a constant of this type", lowered)
            }
        }
    }

    /// An address that was folded to an object and an offset, as the path to it where there is one.
    fn address_constant(&mut self, address: sema::Address, ty: TypeId) -> ExprId {
        let base = match address.base {
            sema::Base::Decl(decl) => match self.entity(decl) {
                Entity::Var(var) => self.program.var_place(var),
                Entity::Function(function) => {
                    let function = self.addressed(decl, function);
                    let function_type = self.program.functions[function].ty;
                    let pointer = self.program.types.pointer(function_type);
                    let value = self.program.exprs.add(ExprKind::Function(function), pointer);
                    return self.program.convert(value, ty);
                }
            },
            sema::Base::Str(string) => {
                let var = self.string_of_literal(string);
                self.program.var_place(var)
            }
            sema::Base::Label(label) => {
                let loc = self.label_loc(label);
                return self.program.exprs.add(ExprKind::Label(loc), ty);
            }
            sema::Base::Absolute => {
                return match self.program.types.int_shape(ty) {
                    Some(_) => self.program.int(address.offset, ty),
                    None => self.unsupported_value("an address of this type", ty),
                };
            }
        };
        let pointee = self.program.types.pointee(ty);
        if let Some(pointee) = pointee
            && let Ok(offset) = u64::try_from(address.offset)
            && let Some(place) = self.place_at(base, offset, |types, place_ty| {
                place_ty == pointee || types.element(place_ty) == Some(pointee)
            })
        {
            return self.address_of(place, ty);
        }
        let base_type = self.program.place(base).ty;
        let base_pointer = self.program.types.pointer(base_type);
        let start = self.program.exprs.add(ExprKind::AddressOf(base), base_pointer);
        if address.offset == 0 {
            return self.program.convert(start, ty);
        }
        let ptrdiff = self.program.types.ptrdiff_type();
        let offset = self.program.int(address.offset, ptrdiff);
        self.byte_offset(start, offset, ty)
    }

    fn conversion(&mut self, id: sema::ExprId, kind: Conversion, operand: sema::ExprId) -> ExprId {
        match kind {
            Conversion::Lvalue => self.read_lvalue(operand),
            Conversion::ArrayDecay => {
                let ty = self.type_of(id);
                let place = self.place(operand);
                self.address_of(place, ty)
            }
            Conversion::FunctionDecay => self.function_value(operand, id),
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool | Conversion::NullPointer => {
                self.cast(operand, self.unit.tast[id].ty, true)
            }
            Conversion::Void => {
                self.discard(operand);
                let int = self.int();
                self.program.int(0, int)
            }
            Conversion::Broadcast | Conversion::Hardbool => {
                let ty = self.type_of(id);
                self.unsupported_value(format!("the conversion `{}`", kind.as_str()), ty)
            }
        }
    }

    /// A function designator as a pointer to it.
    fn function_value(&mut self, operand: sema::ExprId, id: sema::ExprId) -> ExprId {
        let ty = self.type_of(id);
        match self.unit.tast[operand].kind {
            sema::ExprKind::Decl(decl) if let Entity::Function(function) = self.entity(decl) => {
                let function = self.addressed(decl, function);
                self.program.exprs.add(ExprKind::Function(function), ty)
            }
            // Dereferencing a function pointer and taking the function's address again changes nothing.
            sema::ExprKind::Unary {
                op: ast::UnaryOp::Deref,
                operand,
            } => {
                let value = self.rvalue(operand);
                self.program.convert(value, ty)
            }
            _ => {
                let value = self.rvalue(operand);
                self.program.convert(value, ty)
            }
        }
    }

    pub(super) fn cast(&mut self, operand: sema::ExprId, ty: rucc_types::TypeId, implicit: bool) -> ExprId {
        let to = self.ty(ty);
        if matches!(self.program.types.get(to), Type::Void) {
            self.discard(operand);
            let int = self.int();
            return self.program.int(0, int);
        }
        let value = self.rvalue(operand);
        self.note_device(ty, value);
        self.cast_value(value, to, implicit)
    }

    pub(super) fn cast_value(&mut self, value: ExprId, to: TypeId, implicit: bool) -> ExprId {
        let from = self.program.expr(value).ty;
        if from == to {
            return value;
        }
        if self.half(from).is_some() || self.half(to).is_some() {
            return self.convert_complex(value, to);
        }
        if !self.program.types.is_scalar(from) || !self.program.types.is_scalar(to) {
            return self.unsupported_value("a conversion between types that are not scalar", to);
        }
        // Constants convert on the spot: `unsigned x = 1` assigns an unsigned 1.
        if let ExprKind::Int(constant) = self.program.expr(value).kind
            && implicit
            && let Some(shape) = self.program.types.int_shape(to)
        {
            let is_bool = matches!(self.program.types.get(to), Type::Bool);
            let constant = if is_bool {
                i128::from(constant != 0)
            } else {
                shape.wrap(constant)
            };
            return self.program.int(constant, to);
        }
        self.program.exprs.add(
            ExprKind::Cast {
                operand: value,
                implicit,
            },
            to,
        )
    }

    fn unary(&mut self, id: sema::ExprId, op: ast::UnaryOp, operand: sema::ExprId) -> ExprId {
        let ty = self.type_of(id);
        let simple = match op {
            ast::UnaryOp::Plus => {
                let value = self.rvalue(operand);
                return self.cast_value(value, ty, true);
            }
            ast::UnaryOp::Minus => UnaryOp::Negate,
            ast::UnaryOp::BitNot => UnaryOp::BitNot,
            ast::UnaryOp::Not => {
                let operand = self.strip_bool(operand);
                let value = self.rvalue(operand);
                return self.not(value, ty);
            }
            ast::UnaryOp::Deref => return self.read_lvalue_or_function(id, operand),
            ast::UnaryOp::AddrOf => return self.address_of_operand(id, operand),
            ast::UnaryOp::PreInc | ast::UnaryOp::PreDec | ast::UnaryOp::PostInc | ast::UnaryOp::PostDec => {
                return self.step(op, operand, true);
            }
            ast::UnaryOp::Real | ast::UnaryOp::Imag => {
                return self.half_value(operand, op == ast::UnaryOp::Imag);
            }
        };
        let value = self.rvalue(operand);
        if !self.program.types.is_scalar(ty) || !self.program.types.is_scalar(self.program.expr(value).ty) {
            return self.unsupported_value("arithmetic on a type that is not scalar", ty);
        }
        let value = self.cast_value(value, ty, true);
        match (simple, self.program.expr(value).kind) {
            // Where that overflows, whoever evaluates it is to see it.
            (UnaryOp::Negate, ExprKind::Int(constant)) if self.fits(constant.checked_neg(), ty) => {
                self.program.int(-constant, ty)
            }
            _ => self.program.unary(simple, value, ty),
        }
    }

    /// `!value`, with a comparison turned around instead.
    pub(super) fn not(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        let value = match self.half(self.program.expr(value).ty) {
            Some(_) => self.complex_truth(value),
            None => value,
        };
        if !self.program.types.is_scalar(self.program.expr(value).ty) {
            return self.unsupported_value("a logical operation on a type that is not scalar", ty);
        }
        self.program.unary(UnaryOp::Not, value, ty)
    }

    fn read_lvalue_or_function(&mut self, id: sema::ExprId, operand: sema::ExprId) -> ExprId {
        // `*f` of a function is the function again.
        if self.unit.tast[id].category == sema::Category::Function {
            return self.rvalue(operand);
        }
        self.read_lvalue(id)
    }

    fn address_of_operand(&mut self, id: sema::ExprId, operand: sema::ExprId) -> ExprId {
        if self.unit.tast[operand].category == sema::Category::Function {
            return self.function_value(operand, id);
        }
        let ty = self.type_of(id);
        let place = self.place(operand);
        self.address_of(place, ty)
    }

    fn binary(
        &mut self,
        id: sema::ExprId,
        op: ast::BinaryOp,
        lhs: sema::ExprId,
        rhs: sema::ExprId,
    ) -> ExprId {
        if matches!(op, ast::BinaryOp::LogAnd | ast::BinaryOp::LogOr) {
            return self.short_circuit(id, op, lhs, rhs);
        }
        let pointee = self.pointee(lhs).or_else(|| self.pointee(rhs));
        let (left, right) = self.operands(lhs, rhs);
        let ty = self.type_of(id);
        self.operate(op, left, right, ty, pointee)
    }

    /// An arithmetic, comparing or pointer operation on two values; `ty` is the result's type and `pointee` what a
    /// pointer operand points to in the tree.
    pub(super) fn operate(
        &mut self,
        op: ast::BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
        pointee: Option<rucc_types::TypeId>,
    ) -> ExprId {
        let (left_ty, right_ty) = (self.program.expr(left).ty, self.program.expr(right).ty);
        if self.half(left_ty).is_some() || self.half(right_ty).is_some() {
            return self.complex_comparison(op, left, right, ty);
        }
        let types = &self.program.types;
        if !types.is_scalar(left_ty) || !types.is_scalar(right_ty) || !types.is_scalar(ty) {
            return self.unsupported_value("arithmetic on a type that is not scalar", ty);
        }
        let (left_pointer, right_pointer) = (types.is_pointer(left_ty), types.is_pointer(right_ty));
        let lowered = binary_op(op);
        match (lowered, left_pointer, right_pointer) {
            (BinaryOp::Add | BinaryOp::Sub, true, false) => self.move_pointer(lowered, left, right, pointee),
            (BinaryOp::Add, false, true) => self.move_pointer(lowered, right, left, pointee),
            (BinaryOp::Sub, true, true) => self.pointer_difference(left, right, ty, pointee),
            (_, true, _) if lowered.is_comparison() => {
                let right = self.cast_value(right, left_ty, true);
                self.program.binary(lowered, left, right, ty)
            }
            (_, false, true) if lowered.is_comparison() => {
                let left = self.cast_value(left, right_ty, true);
                self.program.binary(lowered, left, right, ty)
            }
            (_, false, false) => self.program.binary(lowered, left, right, ty),
            _ => self.unsupported_value("this operation on pointers", ty),
        }
    }

    fn move_pointer(
        &mut self,
        op: BinaryOp,
        pointer: ExprId,
        index: ExprId,
        pointee: Option<rucc_types::TypeId>,
    ) -> ExprId {
        let ptrdiff = self.program.types.ptrdiff_type();
        let index = match (op, self.program.expr(index).kind) {
            (BinaryOp::Sub, ExprKind::Int(value)) => self.program.int(-value, ptrdiff),
            (BinaryOp::Sub, _) => {
                let index = self.program.convert(index, ptrdiff);
                self.program.unary(UnaryOp::Negate, index, ptrdiff)
            }
            _ => index,
        };
        match pointee {
            Some(pointee) if self.is_variable_length(pointee) => self.scaled_pointer(pointer, index, pointee),
            _ => self.pointer_add(pointer, index),
        }
    }

    fn pointer_difference(
        &mut self,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
        pointee: Option<rucc_types::TypeId>,
    ) -> ExprId {
        let left_ty = self.program.expr(left).ty;
        match pointee {
            Some(pointee) if self.is_variable_length(pointee) => {
                let char_type = self.program.types.int(program::IntKind::Char);
                let char_pointer = self.program.types.pointer(char_type);
                let left = self.program.convert(left, char_pointer);
                let right = self.program.convert(right, char_pointer);
                let bytes = self.program.binary(BinaryOp::PointerDiff, left, right, ty);
                let size = self.size_of(pointee);
                let size = self.program.convert(size, ty);
                self.program.binary(BinaryOp::Div, bytes, size, ty)
            }
            _ => {
                let right = self.cast_value(right, left_ty, true);
                self.program.binary(BinaryOp::PointerDiff, left, right, ty)
            }
        }
    }

    /// The condition itself, without the conversion to `_Bool` that the tree puts around conditions.
    pub(super) fn strip_bool(&self, mut id: sema::ExprId) -> sema::ExprId {
        while let sema::ExprKind::Convert {
            kind: Conversion::Bool,
            operand,
        } = self.unit.tast[id].kind
        {
            id = operand;
        }
        id
    }

    /// Whether both expressions may be evaluated whatever the condition before them says.
    pub(super) fn all_harmless(&self, ids: &[sema::ExprId]) -> bool {
        ids.iter().all(|&id| is_harmless(&self.unit.tast, id))
    }
}

pub(super) fn binary_op(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Rem => BinaryOp::Rem,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Shl => BinaryOp::Shl,
        ast::BinaryOp::Shr => BinaryOp::Shr,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::LogAnd => BinaryOp::LogicalAnd,
        ast::BinaryOp::LogOr => BinaryOp::LogicalOr,
    }
}
