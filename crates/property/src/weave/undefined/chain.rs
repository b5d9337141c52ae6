//! Which object a place or an address is made from, and how far into it.

use program::{BinaryOp, ExprId, ExprKind, Initial, PlaceId, PlaceKind, Program, Type, VarId, VarKind};

/// What an address is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Variable(VarId),
    Pointer(ExprId),
}

/// A number of bytes from a root on: a constant, and indices with the sizes of what they count.
#[derive(Clone, Debug)]
pub struct Chain {
    pub root: Root,
    pub constant: i128,
    pub indices: Vec<(ExprId, u64)>,
}

impl Chain {
    pub fn of_place(program: &Program, place: PlaceId) -> Chain {
        Chain::from(program, Err(place))
    }

    pub fn of_pointer(program: &Program, pointer: ExprId) -> Chain {
        Chain::from(program, Ok(pointer))
    }

    fn from(program: &Program, mut at: Result<ExprId, PlaceId>) -> Chain {
        let mut offset = Offset::default();
        let end = |root, Offset { constant, indices }| Chain {
            root,
            constant,
            indices,
        };
        loop {
            at = match at {
                Err(place) => match program.place(place).kind {
                    PlaceKind::Var(var) => {
                        return end(Root::Variable(var), offset);
                    }
                    PlaceKind::Deref(pointer) => Ok(pointer),
                    PlaceKind::Field(base, field) => {
                        if let Type::Record(record) = *program.types.get(program.place(base).ty) {
                            offset.constant +=
                                i128::from(program.types.record(record).fields[field as usize].offset);
                        }
                        Err(base)
                    }
                    PlaceKind::Index(base, index) => {
                        offset.add(program, index, program.types.size(program.place(place).ty));
                        Err(base)
                    }
                },
                Ok(pointer) => match program.expr(pointer).kind {
                    ExprKind::AddressOf(place) => Err(place),
                    ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
                        let pointee = program.types.pointee(program.expr(base).ty);
                        offset.add(program, index, pointee.map_or(1, |ty| program.types.size(ty)));
                        Ok(base)
                    }
                    ExprKind::Cast { operand, .. } if program.types.is_pointer(program.expr(operand).ty) => {
                        Ok(operand)
                    }
                    _ => {
                        return end(Root::Pointer(pointer), offset);
                    }
                },
            };
        }
    }
}

#[derive(Default)]
struct Offset {
    constant: i128,
    indices: Vec<(ExprId, u64)>,
}

impl Offset {
    fn add(&mut self, program: &Program, index: ExprId, scale: u64) {
        match program.expr(index).kind {
            ExprKind::Int(value) => self.constant += value * i128::from(scale),
            _ => self.indices.push((index, scale)),
        }
    }
}

/// How many bytes a variable has; nothing where no file says.
pub fn size_of(program: &Program, var: VarId) -> Option<u64> {
    let size = program::object_size(program, var);
    match &program.vars[var].kind {
        VarKind::Global(Initial::External) if size == 0 => None,
        _ => Some(size),
    }
}
