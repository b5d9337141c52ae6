//! Who may know the address of a variable for longer than it lives. Addresses are followed through variables that no pointer
//! leads to, and through parameters; whatever else happens to one, somebody may keep it.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    AddressTaken, BinaryOp, Callee, EdgeKind, ExprId, ExprKind, Id, PlaceId, PlaceKind, Program, Type,
    TypeId, VarId, VarKind,
};

/// Variables whose addresses, or whose values, may be known for too long.
#[derive(Debug, Default)]
pub struct Holders {
    /// After their function has returned.
    pub kept: BTreeSet<VarId>,
    /// After control has left their block.
    pub outlived: BTreeSet<VarId>,
}

impl Holders {
    pub fn new(program: &Program, taken: &AddressTaken) -> Holders {
        let mut flows = Flows {
            program,
            taken,
            kept: BTreeSet::new(),
            into: BTreeSet::new(),
        };
        flows.look();
        let Flows { mut kept, into, .. } = flows;
        let outlived = outlived(program, &kept, &into);
        spread(&mut kept, &into);
        Holders { kept, outlived }
    }
}

/// Whoever knows what somebody else keeps lets it be kept.
fn spread(kept: &mut BTreeSet<VarId>, into: &BTreeSet<(VarId, VarId)>) {
    let mut from: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    for &(source, target) in into {
        from.entry(target).or_default().push(source);
    }
    let mut pending: Vec<VarId> = kept.iter().copied().collect();
    while let Some(target) = pending.pop() {
        for &source in from.get(&target).into_iter().flatten() {
            if kept.insert(source) {
                pending.push(source);
            }
        }
    }
}

/// The variables of blocks, and arrays of variable length in them, that flow to somebody who keeps them, or to a variable of
/// the function around their block.
fn outlived(program: &Program, kept: &BTreeSet<VarId>, into: &BTreeSet<(VarId, VarId)>) -> BTreeSet<VarId> {
    let outlives = |var: &VarId| {
        let blocks = &program.scopes[var];
        let mut seen = BTreeSet::from([*var]);
        let mut pending = vec![*var];
        while let Some(holder) = pending.pop() {
            let same_function = program.vars[holder].function == program.vars[*var].function;
            let around = program.scopes.get(&holder).map_or(&[][..], Vec::as_slice);
            if kept.contains(&holder) || same_function && !around.starts_with(blocks) {
                return true;
            }
            let next = into.range((holder, VarId::from_index(0))..);
            let next = next.take_while(|&&(from, _)| from == holder);
            pending.extend(next.map(|&(_, to)| to).filter(|&to| seen.insert(to)));
        }
        false
    };
    program.scopes.keys().copied().filter(outlives).collect()
}

struct Flows<'a> {
    program: &'a Program,
    taken: &'a AddressTaken,
    kept: BTreeSet<VarId>,
    /// What the first knows, the second does.
    into: BTreeSet<(VarId, VarId)>,
}

impl Flows<'_> {
    fn look(&mut self) {
        let program = self.program;
        for edge in program.edges.values() {
            match &edge.kind {
                EdgeKind::Assign { place, value } => {
                    let target = match program.place(*place).kind {
                        PlaceKind::Var(var) => self.holder(var),
                        _ => None,
                    };
                    self.value(*value, target);
                }
                EdgeKind::Call {
                    result,
                    callee,
                    arguments,
                } => self.call(*callee, arguments, result.is_some()),
                EdgeKind::Return { value } => {
                    if let Some(value) = value {
                        self.value(*value, None);
                    }
                }
                // What is only looked at flows nowhere.
                EdgeKind::Assume { .. } | EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => {}
            }
        }
    }

    /// A variable that dies with its function and that nobody else looks at.
    fn holder(&self, var: VarId) -> Option<VarId> {
        let is_global = matches!(self.program.vars[var].kind, VarKind::Global(_));
        (!is_global && !self.taken.contains(var)).then_some(var)
    }

    /// A value goes to a holder, or to somebody who keeps it.
    fn value(&mut self, value: ExprId, target: Option<VarId>) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match self.program.expr(value).kind {
                ExprKind::Read(place) => {
                    if let Some(var) = program::base_variable(self.program, place)
                        && !self.is_number(self.program.vars[var].ty)
                    {
                        self.flow(var, target);
                    }
                }
                ExprKind::AddressOf(place) => match program::base_variable(self.program, place) {
                    Some(var) => self.flow(var, target),
                    // From a pointer, to somewhere in the same object.
                    None => pending.extend(self.pointer(place)),
                },
                ExprKind::Binary(op, left, right) => match op {
                    _ if op.is_comparison() => {}
                    BinaryOp::LogicalAnd | BinaryOp::LogicalOr | BinaryOp::PointerDiff => {}
                    _ => pending.extend([left, right]),
                },
                ExprKind::Cast { operand, .. } if self.is_number(self.program.expr(value).ty) => {
                    // Numbers are not followed.
                    match self.is_number(self.program.expr(operand).ty) {
                        true => pending.push(operand),
                        false => self.value(operand, None),
                    }
                }
                ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => pending.push(operand),
                ExprKind::Conditional { then, otherwise, .. } => pending.extend([then, otherwise]),
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Zero
                | ExprKind::Function(_)
                | ExprKind::Label(_) => {}
            }
        }
    }

    fn is_number(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types.get(ty),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_)
        )
    }

    fn flow(&mut self, var: VarId, target: Option<VarId>) {
        match target {
            Some(target) => self.into.insert((var, target)),
            None => self.kept.insert(var),
        };
    }

    /// The pointer that a place is found by.
    fn pointer(&self, mut place: PlaceId) -> Option<ExprId> {
        loop {
            match self.program.place(place).kind {
                PlaceKind::Var(_) => return None,
                PlaceKind::Deref(pointer) => return Some(pointer),
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
            }
        }
    }

    fn call(&mut self, callee: Callee, arguments: &[ExprId], has_result: bool) {
        let function = match callee {
            Callee::Direct(function) => Some(&self.program.functions[function]),
            Callee::Indirect(_) => None,
        };
        for (at, &argument) in arguments.iter().enumerate() {
            match function {
                Some(function) if function.body.is_some() => {
                    let target = function.params.get(at).and_then(|&param| self.holder(param));
                    self.value(argument, target);
                }
                Some(function) => {
                    let row = library::of(&function.name).function;
                    let keeps =
                        row.is_unknown() || !row.keeps_no_pointer() || row.gives_back_pointer() && has_result;
                    if keeps {
                        self.value(argument, None);
                    }
                }
                None => self.value(argument, None),
            }
        }
    }
}
