//! Values that must outlive a call: arguments, and the pointer that was called through, as they were before it.

use program::{ExprId, ExprKind, FuncId, PlaceId, PlaceKind, TypeId, Var, VarId, VarKind};

use super::Weaver;
use super::edit::Code;

/// Deeper expressions are kept in a variable without a look at what they read.
const MAX_DEPTH: u32 = 50;

impl Weaver {
    /// The value of `expr` before a call, in a form that can be read after it. Where that takes a new variable, the
    /// assignment is added to `before`.
    pub fn keep(
        &mut self,
        expr: ExprId,
        function: FuncId,
        result: Option<PlaceId>,
        before: &mut Vec<Code>,
    ) -> ExprId {
        let overwritten = result.and_then(|place| program::base_variable(&self.program, place));
        if self.outlives_call(expr, overwritten, MAX_DEPTH) {
            return expr;
        }
        let ty = self.program.expr(expr).ty;
        let var = self.new_temporary(function, ty);
        let place = self.program.var_place(var);
        before.push(Code::Assign { place, value: expr });
        self.program.read(place)
    }

    /// A temporary of the function, named as the lowering names them.
    pub fn new_temporary(&mut self, function: FuncId, ty: TypeId) -> VarId {
        let locals = self.program.functions[function].locals.iter();
        let number = |&var: &VarId| self.program.vars[var].name.strip_prefix('$')?.parse().ok();
        let last: u64 = locals.filter_map(number).max().unwrap_or(0);
        let var = self.program.vars.push(Var {
            name: format!("${}", last + 1),
            ty,
            kind: VarKind::Temporary,
            function: Some(function),
            span: None,
            is_const: false,
            align: 0,
        });
        self.program.functions[function].locals.push(var);
        var
    }

    /// Whether an expression surely means the same after a call as before: it reads nothing but variables of the
    /// function that no pointer leads to and the result does not go to.
    fn outlives_call(&self, expr: ExprId, overwritten: Option<VarId>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let outlives = |expr| self.outlives_call(expr, overwritten, depth);
        match self.program.expr(expr).kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::Label(_) => true,
            ExprKind::Zero => false,
            ExprKind::Read(place) => match self.program.place(place).kind {
                PlaceKind::Var(var) => {
                    let is_global = matches!(self.program.vars[var].kind, VarKind::Global(_));
                    !is_global && !self.taken.contains(var) && overwritten != Some(var)
                }
                PlaceKind::Deref(_) | PlaceKind::Field(..) | PlaceKind::Index(..) => false,
            },
            ExprKind::AddressOf(place) => self.stays_in_place(place, overwritten, depth),
            ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => outlives(operand),
            ExprKind::Binary(_, left, right) => outlives(left) && outlives(right),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => outlives(condition) && outlives(then) && outlives(otherwise),
        }
    }

    fn stays_in_place(&self, place: PlaceId, overwritten: Option<VarId>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match self.program.place(place).kind {
            PlaceKind::Var(_) => true,
            PlaceKind::Deref(pointer) => self.outlives_call(pointer, overwritten, depth),
            PlaceKind::Field(base, _) => self.stays_in_place(base, overwritten, depth),
            PlaceKind::Index(base, index) => {
                self.stays_in_place(base, overwritten, depth) && self.outlives_call(index, overwritten, depth)
            }
        }
    }
}
