//! Calls. Arguments are evaluated from left to right; a result is stored where it is wanted.

use program::{Callee, EdgeKind, ExprId, FuncId, PlaceId, Type, TypeId};
use rucc_sema as sema;

use super::effects::may_interfere;
use super::{Entity, Lowering};

impl Lowering<'_> {
    pub(super) fn call_value(
        &mut self,
        id: sema::ExprId,
        callee: sema::ExprId,
        args: sema::ExprList,
    ) -> ExprId {
        let ty = self.type_of(id);
        if matches!(self.program.types.get(ty), Type::Void) {
            self.call_for_effect(callee, args);
            let int = self.int();
            return self.program.int(0, int);
        }
        let (callee, arguments) = self.call_parts(callee, args);
        let result = self.temporary(ty);
        self.finish_call(Some(result), callee, arguments);
        self.program.read(result)
    }

    pub(super) fn call_for_effect(&mut self, callee: sema::ExprId, args: sema::ExprList) {
        let (callee, arguments) = self.call_parts(callee, args);
        self.finish_call(None, callee, arguments);
    }

    /// The value of `id`; where it is a call whose result fits `place`, the result is stored there at once and there
    /// is no value left.
    pub(super) fn call_into(&mut self, id: sema::ExprId, place: Option<PlaceId>) -> Option<ExprId> {
        let Some(place) = place else {
            return Some(self.rvalue(id));
        };
        let sema::ExprKind::Call { callee, args } = self.unit.tast[id].kind else {
            return Some(self.rvalue(id));
        };
        let fits =
            self.type_of(id) == self.program.place(place).ty && self.program.bit_field(place).is_none();
        if !fits {
            return Some(self.rvalue(id));
        }
        let outer = self.body.span;
        // A statement of several lines is known by its first one.
        let own = self.span(self.unit.tast.expr_span(id));
        let place_of = |span: program::Span| (span.file, span.line);
        if outer.is_none() || outer.map(place_of) == own.map(place_of) {
            self.body.span = own;
        }
        let (callee, arguments) = self.call_parts(callee, args);
        self.finish_call(Some(place), callee, arguments);
        self.body.span = outer;
        None
    }

    fn call_parts(&mut self, callee: sema::ExprId, args: sema::ExprList) -> (Callee, Vec<ExprId>) {
        let args: Vec<sema::ExprId> = self.unit.tast[args].to_vec();
        let interferes: Vec<bool> = args
            .iter()
            .map(|&arg| may_interfere(&self.unit.tast, arg))
            .collect();
        let mut evaluated = Vec::with_capacity(args.len() + 1);
        let start = self.made();
        let target = match self.direct_callee(callee) {
            Some(function) => Callee::Direct(function),
            None => {
                let value = self.rvalue(callee);
                let later = interferes.iter().any(|&i| i);
                let value = if later && self.reads_shared(value) {
                    self.save(value)
                } else {
                    value
                };
                evaluated.push((start..self.made(), vec![value]));
                Callee::Indirect(value)
            }
        };
        let mut arguments = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let start = self.made();
            let value = self.rvalue(arg);
            let later = interferes[index + 1..].iter().any(|&i| i);
            let value = if later && self.reads_shared(value) {
                self.save(value)
            } else {
                value
            };
            arguments.push(value);
            evaluated.push((start..self.made(), vec![value]));
        }
        self.unordered(evaluated);
        (target, arguments)
    }

    fn direct_callee(&mut self, mut callee: sema::ExprId) -> Option<FuncId> {
        loop {
            match self.unit.tast[callee].kind {
                sema::ExprKind::Convert {
                    kind: sema::Conversion::FunctionDecay,
                    operand,
                } => callee = operand,
                sema::ExprKind::Unary {
                    op: rucc_ast::UnaryOp::Deref | rucc_ast::UnaryOp::AddrOf,
                    operand,
                } if self.unit.tast[operand].category == sema::Category::Function
                    || self.unit.tast[callee].category == sema::Category::Function =>
                {
                    callee = operand;
                }
                sema::ExprKind::Decl(decl) => {
                    return match self.entity(decl) {
                        Entity::Function(function) => Some(function),
                        Entity::Var(_) => None,
                    };
                }
                _ => return None,
            }
        }
    }

    fn finish_call(&mut self, result: Option<PlaceId>, callee: Callee, arguments: Vec<ExprId>) {
        let mut noreturn = false;
        if let Callee::Direct(function) = callee {
            // What no edge can express.
            let called = &self.program.functions[function];
            let row = library::of(&called.name).function;
            if let Some(what) = row.unsupported.filter(|_| called.body.is_none()) {
                self.unsupported(what);
            }
            noreturn = self.program.functions[function].noreturn;
        }
        self.edge(EdgeKind::Call {
            result,
            callee,
            arguments,
        });
        if noreturn {
            self.dead_end();
        }
    }

    /// A call of a function known by its name, with a result.
    pub(super) fn intrinsic_call(&mut self, name: &str, arguments: Vec<ExprId>, ty: TypeId) -> ExprId {
        let function = self.intrinsic(name, ty, false);
        let result = self.temporary(ty);
        self.call(Some(result), function, arguments);
        self.program.read(result)
    }

    /// A call of a function known by its name that does not come back.
    pub(super) fn intrinsic_end(&mut self, name: &str) {
        let void = self.program.types.void();
        let function = self.intrinsic(name, void, true);
        self.call(None, function, Vec::new());
        self.dead_end();
    }
}
