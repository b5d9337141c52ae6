//! What is compared at the end of a run: every scalar of the globals and of the main function's variables, and random
//! predicates over them.

use logic::random::Random;
use program::{
    AddressTaken, BinaryOp, EdgeKind, ExprId, ExprKind, FuncId, IntKind, PlaceId, Program, Type, VarId,
    VarKind,
};

pub struct Probes {
    pub values: Vec<ExprId>,
    /// Conditions of type `int`.
    pub predicates: Vec<ExprId>,
    /// The addresses of variables that pointers may lead to, to translate pointers with.
    pub addresses: Vec<(VarId, ExprId)>,
}

/// Arrays are looked at up to this length.
const MAX_ELEMENTS: u64 = 16;

impl Probes {
    /// Nothing is looked at.
    pub fn none() -> Probes {
        Probes {
            values: Vec::new(),
            predicates: Vec::new(),
            addresses: Vec::new(),
        }
    }

    /// Adds the expressions to the program; its edges stay as they are.
    pub fn new(program: &mut Program, main: FuncId, random: &mut Random) -> Probes {
        let taken = AddressTaken::new(program);
        let function = &program.functions[main];
        let statics = program
            .vars
            .iter()
            .filter(|(_, var)| matches!(var.kind, VarKind::Global(_)))
            .map(|(id, _)| id);
        let vars: Vec<VarId> = statics
            .chain(function.params.iter().copied())
            .chain(function.locals.iter().copied())
            .collect();
        let mut probes = Probes {
            values: Vec::new(),
            predicates: Vec::new(),
            addresses: Vec::new(),
        };
        for var in vars {
            let place = program.var_place(var);
            let ty = program.vars[var].ty;
            if taken.contains(var) || program.types.is_aggregate(ty) {
                let pointer = program.types.pointer(ty);
                let address = program.exprs.add(ExprKind::AddressOf(place), pointer);
                probes.addresses.push((var, address));
            }
            collect(program, place, &mut probes.values);
        }
        let returns: Vec<ExprId> = program
            .edges
            .values()
            .filter(|edge| program.locs[edge.from].function == main)
            .filter_map(|edge| match edge.kind {
                EdgeKind::Return { value } => value,
                _ => None,
            })
            .collect();
        probes.values.extend(&returns);
        probes.predicates = predicates(program, &probes.values, random);
        probes.predicates.extend(returns);
        probes
    }
}

/// Every scalar in a place.
fn collect(program: &mut Program, place: PlaceId, values: &mut Vec<ExprId>) {
    let ty = program.place(place).ty;
    match program.types.get(ty).clone() {
        Type::Array(_, Some(length)) if length <= MAX_ELEMENTS => {
            for index in 0..length {
                let int = program.types.int(IntKind::Int);
                let index = program.int(i128::from(index), int);
                let element = program.index(place, index);
                collect(program, element, values);
            }
        }
        Type::Record(record) => {
            for field in 0..program.types.record(record).fields.len() {
                let field = program.field(place, field as u32);
                collect(program, field, values);
            }
        }
        _ if program.types.is_scalar(ty) => values.push(program.read(place)),
        _ => {}
    }
}

/// Comparisons of two scalars of a type, or of one with a constant.
fn predicates(program: &mut Program, values: &[ExprId], random: &mut Random) -> Vec<ExprId> {
    let int = program.types.int(IntKind::Int);
    let mut found = Vec::new();
    for _ in 0..3 {
        let left = values[random.below(values.len())];
        let ty = program.expr(left).ty;
        if program.types.is_pointer(ty) {
            continue;
        }
        let same: Vec<ExprId> = values
            .iter()
            .copied()
            .filter(|&other| program.expr(other).ty == ty && other != left)
            .collect();
        let right = if !same.is_empty() && random.chance(70) {
            same[random.below(same.len())]
        } else if program.types.int_shape(ty).is_some() {
            let value = random.pick(&[0, 1, -1, 5, 100]);
            program.int(value, ty)
        } else {
            continue;
        };
        let op = random.pick(&[
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Eq,
            BinaryOp::Ne,
            BinaryOp::Ge,
        ]);
        let predicate = program.binary(op, left, right, int);
        found.push(predicate);
        if let Some(&first) = found.first().filter(|_| random.chance(30)) {
            let op = random.pick(&[BinaryOp::LogicalAnd, BinaryOp::LogicalOr]);
            found.push(program.binary(op, first, predicate, int));
        }
    }
    found
}
