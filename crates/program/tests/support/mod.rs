//! Small programs built by hand, for the tests of this crate.
#![allow(dead_code)]

use program::*;

pub struct Build {
    pub p: Program,
    pub f: FuncId,
}

impl Build {
    /// A program with one function `int f(void)` of an entry and an exit.
    pub fn new(model: DataModel) -> Build {
        let mut p = Program::new(model);
        let f = add_function(&mut p, "f");
        Build { p, f }
    }

    pub fn ty(&mut self, kind: IntKind) -> TypeId {
        self.p.types.int(kind)
    }

    pub fn int_ty(&mut self) -> TypeId {
        self.ty(IntKind::Int)
    }

    pub fn var(&mut self, name: &str, ty: TypeId) -> VarId {
        let var = self.p.vars.push(Var {
            name: name.to_owned(),
            ty,
            kind: VarKind::Local,
            function: Some(self.f),
            span: None,
            is_const: false,
            align: 0,
        });
        self.p.functions[self.f].locals.push(var);
        var
    }

    /// Reads a new local variable of that type.
    pub fn read(&mut self, name: &str, ty: TypeId) -> ExprId {
        let var = self.var(name, ty);
        self.p.read_var(var)
    }

    pub fn loc(&mut self) -> LocId {
        let loc = self.p.add_loc(self.f);
        self.p.functions[self.f].body.as_mut().unwrap().locs.push(loc);
        loc
    }

    pub fn entry(&self) -> LocId {
        self.p.functions[self.f].body.as_ref().unwrap().entry
    }

    pub fn exit(&self) -> LocId {
        self.p.functions[self.f].body.as_ref().unwrap().exit
    }

    pub fn assign(&mut self, from: LocId, to: LocId, var: VarId, value: ExprId) -> EdgeId {
        let place = self.p.var_place(var);
        self.p.add_edge(from, to, EdgeKind::Assign { place, value }, None)
    }

    pub fn assume(&mut self, from: LocId, to: LocId, condition: ExprId, holds: bool) -> EdgeId {
        self.p
            .add_edge(from, to, EdgeKind::Assume { condition, holds }, None)
    }

    /// An edge that does nothing.
    pub fn skip(&mut self, from: LocId, to: LocId) -> EdgeId {
        let int = self.int_ty();
        let one = self.p.int(1, int);
        self.assume(from, to, one, true)
    }

    pub fn ret(&mut self, from: LocId) -> EdgeId {
        let exit = self.exit();
        self.p
            .add_edge(from, exit, EdgeKind::Return { value: None }, None)
    }

    pub fn cast(&mut self, operand: ExprId, ty: TypeId) -> ExprId {
        self.p.exprs.add(
            ExprKind::Cast {
                operand,
                implicit: false,
            },
            ty,
        )
    }

    pub fn compare(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let int = self.int_ty();
        self.p.binary(op, left, right, int)
    }

    /// An operator whose result has the type of its left operand.
    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let ty = self.p.expr(left).ty;
        self.p.binary(op, left, right, ty)
    }

    pub fn record(&mut self, kind: RecordKind, name: &str, fields: &[(&str, TypeId)]) -> TypeId {
        let mut offset = 0;
        let fields: Vec<Field> = fields
            .iter()
            .map(|&(name, ty)| {
                let field = Field {
                    name: name.to_owned(),
                    ty,
                    offset,
                    bits: None,
                };
                if kind == RecordKind::Struct {
                    offset += self.p.types.size(ty);
                }
                field
            })
            .collect();
        let size = fields
            .iter()
            .map(|f| f.offset + self.p.types.size(f.ty))
            .max()
            .unwrap_or(0);
        let id = self.p.types.add_record(Record {
            kind,
            name: name.to_owned(),
            tagged: true,
            complete: true,
            fields,
            size,
            align: 8,
        });
        self.p.types.intern(Type::Record(id))
    }
}

/// Adds `int name(void)` with an entry and an exit.
pub fn add_function(p: &mut Program, name: &str) -> FuncId {
    let int = p.types.int(IntKind::Int);
    let ty = p.types.intern(Type::Function(FunctionType {
        result: int,
        params: vec![],
        variadic: false,
    }));
    let f = p.functions.push(Function {
        name: name.to_owned(),
        ty,
        params: vec![],
        locals: vec![],
        body: None,
        noreturn: false,
        is_static: false,
        const_params: Vec::new(),
        span: None,
    });
    let entry = p.add_loc(f);
    let exit = p.add_loc(f);
    p.functions[f].body = Some(Body {
        entry,
        exit,
        locs: vec![entry, exit],
    });
    f
}
