//! What expressions evaluate to and where places are, as nodes of the constraint system. Any scalar may carry a
//! pointer: integers that pointers were cast to, and parts of pointers that were copied byte by byte. Only
//! arithmetic in integers narrower than a pointer loses them.

use program::{
    BinaryOp, ExprId, ExprKind, Node, PlaceId, PlaceKind, Program, Type, TypeId, UnaryOp, VarKind, Walk,
};
use rustc_hash::FxHashMap;

use crate::layout::{Layout, Offset, Shift};
use crate::object::{Input, ObjectId, ObjectKind};
use crate::solve::{NodeId, Solver, TargetId, Use};

/// Where a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// In one known object.
    Known(ObjectId, Offset),
    /// Where the node points.
    Through(NodeId),
    /// Nowhere: what is followed cannot be a pointer.
    Nowhere,
}

/// Numbers this close to 0, from either side, are no addresses: null with a member's offset, and error codes.
const NO_ADDRESS: i128 = 4096;

#[derive(Default)]
pub(crate) struct Memo {
    /// `None` of an expression that carries no pointers.
    values: FxHashMap<ExprId, Option<NodeId>>,
    addresses: FxHashMap<PlaceId, Address>,
    shifts: FxHashMap<(NodeId, Shift), NodeId>,
    constants: FxHashMap<TargetId, NodeId>,
}

impl Memo {
    pub fn into_values(self) -> FxHashMap<ExprId, Option<NodeId>> {
        self.values
    }
}

/// The expression and number of bytes of `(struct s *)((char *)pointer + bytes)`: stepping from a member to what
/// contains it.
pub(crate) fn container(program: &Program, expr: ExprId) -> Option<(ExprId, i64)> {
    let types = &program.types;
    let ExprKind::Cast { operand, .. } = program.expr(expr).kind else {
        return None;
    };
    let to = types.pointee(program.expr(expr).ty)?;
    let mut sum = operand;
    while let ExprKind::Cast { operand, .. } = program.expr(sum).kind {
        types.pointee(program.expr(sum).ty)?;
        sum = operand;
    }
    let ExprKind::Binary(BinaryOp::PointerAdd, base, bytes) = program.expr(sum).kind else {
        return None;
    };
    let step = types.size(types.pointee(program.expr(base).ty)?);
    match program.expr(bytes).kind {
        ExprKind::Int(bytes) if step == 1 && types.size(to) != 1 => Some((base, bytes as i64)),
        _ => None,
    }
}

/// Whether an expression is a number used as a pointer, other than one that cannot be an address.
pub(crate) fn is_numeric_address(program: &Program, expr: ExprId) -> bool {
    let data = program.expr(expr);
    let number = match data.kind {
        ExprKind::Int(number) => number,
        ExprKind::Cast { operand, .. } => match program.expr(operand).kind {
            ExprKind::Int(number) => number,
            _ => return false,
        },
        _ => return false,
    };
    let bits = program.types.model().pointer_bits();
    let signed = program::IntShape { bits, signed: true };
    program.types.is_pointer(data.ty) && signed.wrap(number).abs() >= NO_ADDRESS
}

/// Whether an expression is a number that may be an address once it is converted.
pub(crate) fn may_be_address(program: &Program, expr: ExprId) -> bool {
    let data = program.expr(expr);
    let ExprKind::Int(number) = data.kind else {
        return false;
    };
    let bits = program.types.model().pointer_bits();
    let signed = program::IntShape { bits, signed: true };
    holds_address(program, data.ty) && signed.wrap(number).abs() >= NO_ADDRESS
}

/// Whether the program spells out an address as a number. Only then may numbers in variables be the same address.
pub(crate) fn spells_out_addresses(program: &Program) -> bool {
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && is_numeric_address(program, expr)
        {
            return true;
        }
    }
    false
}

/// Whether the program makes pointers of numbers that it computes. Only then does it matter which addresses it takes for numbers.
pub(crate) fn makes_pointers(program: &Program) -> bool {
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && is_made_pointer(program, expr)
        {
            return true;
        }
    }
    false
}

/// Whether an expression is a computed number that is converted to a pointer.
pub(crate) fn is_made_pointer(program: &Program, expr: ExprId) -> bool {
    let data = program.expr(expr);
    let ExprKind::Cast { operand, .. } = data.kind else {
        return false;
    };
    let number = program.expr(operand);
    program.types.is_pointer(data.ty)
        && !program.types.is_pointer(number.ty)
        && holds_address(program, number.ty)
        && !matches!(number.kind, ExprKind::Int(_))
}

/// Whether an expression is an address that is converted to a number.
fn is_exposed_address(program: &Program, expr: ExprId) -> bool {
    let data = program.expr(expr);
    let ExprKind::Cast { operand, .. } = data.kind else {
        return false;
    };
    program.types.is_pointer(program.expr(operand).ty)
        && !program.types.is_pointer(data.ty)
        && program.types.int_shape(data.ty).is_some()
}

/// Whether arithmetic makes a number of addresses that need not be an address in the same objects.
fn loses_object(program: &Program, expr: ExprId) -> bool {
    match program.expr(expr).kind {
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, _) => true,
        ExprKind::Binary(op, ..) => matches!(
            op,
            BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::BitXor
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Sub
        ),
        _ => false,
    }
}

/// Whether a value of the type has room for an address.
pub(crate) fn holds_address(program: &Program, ty: TypeId) -> bool {
    let bits = program.types.model().pointer_bits();
    program
        .types
        .int_shape(ty)
        .is_some_and(|shape| shape.bits >= bits)
}

/// The expressions whose pointers flow into the value of an expression.
pub(crate) fn sources(program: &Program, expr: ExprId) -> Vec<ExprId> {
    if let Some((base, _)) = container(program, expr) {
        return vec![base];
    }
    let data = program.expr(expr);
    match data.kind {
        ExprKind::Read(place) | ExprKind::AddressOf(place) => {
            followed_pointer(program, place).into_iter().collect()
        }
        ExprKind::Cast { operand, .. } => match program.types.get(data.ty) {
            Type::Bool | Type::Float(_) => Vec::new(),
            _ => vec![operand],
        },
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::BitNot, operand) if holds_address(program, data.ty) => {
            vec![operand]
        }
        ExprKind::Binary(BinaryOp::PointerAdd, base, index) => match program.expr(base).kind {
            // `(char *)0 + address`.
            ExprKind::Int(0) => vec![index],
            _ => vec![base],
        },
        ExprKind::Binary(
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr,
            left,
            right,
        ) if holds_address(program, data.ty) => vec![left, right],
        ExprKind::Conditional { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// The pointer that must be followed to get to a place.
pub(crate) fn followed_pointer(program: &Program, mut place: PlaceId) -> Option<ExprId> {
    loop {
        match program.place(place).kind {
            PlaceKind::Var(_) => return None,
            PlaceKind::Deref(pointer) => return Some(pointer),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
        }
    }
}

/// How an expression changes the pointers that flow into it.
pub(crate) fn shift_of(program: &Program, expr: ExprId) -> Option<Shift> {
    if let Some((_, bytes)) = container(program, expr) {
        return Some(Shift::Container(bytes));
    }
    let data = program.expr(expr);
    match data.kind {
        ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
            let pointee = program
                .types
                .pointee(data.ty)
                .map_or(1, |ty| program.types.size(ty))
                .max(1);
            match (program.expr(base).kind, program.expr(index).kind) {
                (ExprKind::Int(0), _) => Some(Shift::Anywhere),
                (_, ExprKind::Int(count)) => Some(Shift::Elements {
                    size: pointee,
                    count: i64::try_from(count).unwrap_or(0),
                }),
                _ => Some(Shift::SomeElements(pointee)),
            }
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            // Integer arithmetic with a constant is how old code steps to a container.
            let constant = |expr| match program.expr(expr).kind {
                ExprKind::Int(value) => Some(value as i64),
                _ => None,
            };
            match (op, constant(left), constant(right)) {
                (BinaryOp::Add, _, Some(bytes)) | (BinaryOp::Add, Some(bytes), _) => {
                    Some(Shift::Container(bytes))
                }
                (BinaryOp::Sub, _, Some(bytes)) => Some(Shift::Container(bytes.wrapping_neg())),
                _ => Some(Shift::Anywhere),
            }
        }
        ExprKind::Binary(..) | ExprKind::Unary(..) => Some(Shift::Anywhere),
        _ => None,
    }
}

/// How many bytes an access of a place of scalar type touches.
pub(crate) fn width(program: &Program, place: PlaceId) -> u64 {
    match program.bit_field(place) {
        Some(bits) => u64::from(bits.start + bits.width).div_ceil(8),
        None => program.types.size(program.place(place).ty),
    }
}

/// The steps from the variable or dereferenced pointer to a place, first step first.
pub(crate) fn path(program: &Program, place: PlaceId) -> (PlaceId, Vec<Shift>) {
    let mut steps = Vec::new();
    let mut at = place;
    loop {
        match program.place(at).kind {
            PlaceKind::Var(_) | PlaceKind::Deref(_) => break,
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                    unreachable!("only records have fields")
                };
                steps.push(Shift::Member(
                    program.types.record(record).fields[field as usize].offset,
                ));
                at = base;
            }
            PlaceKind::Index(base, index) => {
                let size = program.types.size(program.place(at).ty);
                match program.expr(index).kind {
                    ExprKind::Int(0) => {}
                    _ => steps.push(Shift::Index(size.max(1))),
                }
                at = base;
            }
        }
    }
    steps.reverse();
    (at, steps)
}

/// Builds nodes for expressions and places.
pub(crate) struct Values<'p> {
    pub solver: Solver<'p>,
    pub memo: Memo,
    /// Whether numbers may be addresses.
    pub numeric: bool,
    /// All addresses that were converted to numbers, where numbers become pointers again: such a pointer may lead to any of
    /// them, whatever happened to the number on the way.
    pub exposed: Option<NodeId>,
}

impl<'p> Values<'p> {
    pub fn program(&self) -> &'p Program {
        self.solver.program
    }

    pub fn var_object(&mut self, var: program::VarId) -> ObjectId {
        let data = &self.program().vars[var];
        let input = match data.kind {
            VarKind::Global(program::Initial::External) => Some(Input::Global(var)),
            _ => None,
        };
        self.solver
            .object(ObjectKind::Var(var), Layout::One(data.ty), input)
    }

    /// A node that holds just the target.
    pub fn constant(&mut self, object: ObjectId, offset: Offset) -> NodeId {
        let target = self.solver.target(object, offset);
        if let Some(&node) = self.memo.constants.get(&target) {
            return node;
        }
        let node = self.solver.node();
        self.solver.add_target(node, target);
        self.memo.constants.insert(target, node);
        node
    }

    pub fn shifted(&mut self, node: NodeId, shift: Shift) -> NodeId {
        if shift == Shift::Member(0) {
            return node;
        }
        let node = self.solver.find(node);
        if let Some(&known) = self.memo.shifts.get(&(node, shift)) {
            return known;
        }
        let into = self.solver.node();
        self.memo.shifts.insert((node, shift), into);
        self.solver.add_use(node, Use::Shift { into, shift });
        into
    }

    /// The node of a value, or `None` if it carries no pointers.
    pub fn value(&mut self, expr: ExprId) -> Option<NodeId> {
        let mut pending = vec![expr];
        while let Some(&at) = pending.last() {
            if self.memo.values.contains_key(&at) {
                pending.pop();
                continue;
            }
            let missing: Vec<ExprId> = sources(self.program(), at)
                .into_iter()
                .filter(|source| !self.memo.values.contains_key(source))
                .collect();
            if missing.is_empty() {
                let node = self.value_of_sources(at);
                self.memo.values.insert(at, node);
                pending.pop();
            } else {
                pending.extend(missing);
            }
        }
        self.memo.values[&expr]
    }

    /// The value of an expression whose sources have theirs.
    fn value_of_sources(&mut self, expr: ExprId) -> Option<NodeId> {
        let program = self.program();
        let data = program.expr(expr);
        match data.kind {
            _ if is_numeric_address(program, expr) => {
                let object = self.solver.object(ObjectKind::Absolute, Layout::Blurred, None);
                Some(self.constant(object, Offset::At(0)))
            }
            ExprKind::Int(_) if self.numeric && may_be_address(program, expr) => {
                let object = self.solver.object(ObjectKind::Absolute, Layout::Blurred, None);
                Some(self.constant(object, Offset::At(0)))
            }
            ExprKind::Int(_) => None,
            ExprKind::Function(function) => {
                let object = self
                    .solver
                    .object(ObjectKind::Function(function), Layout::Blurred, None);
                Some(self.constant(object, Offset::At(0)))
            }
            ExprKind::Read(place) => {
                if !program.types.is_scalar(data.ty) {
                    return None;
                }
                let address = self.address(place);
                self.load(address, width(program, place))
            }
            ExprKind::AddressOf(place) => match self.address(place) {
                Address::Known(object, offset) => Some(self.constant(object, offset)),
                Address::Through(node) => Some(node),
                Address::Nowhere => None,
            },
            _ => self.joined(expr),
        }
    }

    fn joined(&mut self, expr: ExprId) -> Option<NodeId> {
        let node = self.joined_sources(expr);
        let program = self.program();
        let Some(exposed) = self.exposed else {
            return node;
        };
        if is_exposed_address(program, expr)
            && let Some(node) = node
        {
            self.solver.copy(node, exposed);
        }
        // Where pointers from outside are taken to be apart, so are numbers that no address went into.
        let guesses = is_made_pointer(program, expr) && self.solver.outside.is_some();
        if !(guesses || loses_object(program, expr) && self.loses_pointer(expr)) {
            return node;
        }
        let into = self.solver.node();
        let anywhere = self.shifted(exposed, Shift::Anywhere);
        self.solver.copy(anywhere, into);
        if let Some(node) = node {
            self.solver.copy(node, into);
        }
        Some(into)
    }

    /// Whether an address may go into arithmetic that loses it. What something that is no address is subtracted from keeps its object.
    fn loses_pointer(&self, expr: ExprId) -> bool {
        let carries = |expr: &ExprId| matches!(self.memo.values.get(expr), Some(Some(_)));
        match self.program().expr(expr).kind {
            ExprKind::Binary(BinaryOp::Sub, _, right) => carries(&right),
            _ => sources(self.program(), expr).iter().any(carries),
        }
    }

    fn joined_sources(&mut self, expr: ExprId) -> Option<NodeId> {
        let program = self.program();
        let nodes: Vec<NodeId> = sources(program, expr)
            .into_iter()
            .filter_map(|source| self.memo.values[&source])
            .collect();
        let node = match nodes[..] {
            [] => return None,
            [node] => node,
            _ => {
                let into = self.solver.node();
                for node in nodes {
                    self.solver.copy(node, into);
                }
                into
            }
        };
        match shift_of(program, expr) {
            Some(shift) => Some(self.shifted(node, shift)),
            None => Some(node),
        }
    }

    /// Where a place is. The pointer it follows, if any, gets its value first.
    pub fn address(&mut self, place: PlaceId) -> Address {
        if let Some(&known) = self.memo.addresses.get(&place) {
            return known;
        }
        let program = self.program();
        let (base, steps) = path(program, place);
        let mut address = match program.place(base).kind {
            PlaceKind::Var(var) => Address::Known(self.var_object(var), Offset::At(0)),
            PlaceKind::Deref(pointer) => self.value(pointer).map_or(Address::Nowhere, Address::Through),
            PlaceKind::Field(..) | PlaceKind::Index(..) => unreachable!("a path starts at its base"),
        };
        for step in steps {
            address = self.moved(address, step);
        }
        self.memo.addresses.insert(place, address);
        address
    }

    pub fn moved(&mut self, address: Address, step: Shift) -> Address {
        match address {
            Address::Nowhere => Address::Nowhere,
            Address::Through(node) => Address::Through(self.shifted(node, step)),
            Address::Known(object, offset) => {
                let target = self.solver.target(object, offset);
                match self.solver.shifted(target, step)[..] {
                    [(object, offset)] => Address::Known(object, offset),
                    // Outside of what the type describes, or in several places: anywhere in the object.
                    _ => Address::Known(object, Offset::Any),
                }
            }
        }
    }

    /// What is stored at an address.
    pub fn load(&mut self, address: Address, width: u64) -> Option<NodeId> {
        match address {
            Address::Nowhere => None,
            Address::Known(object, offset) => {
                let target = self.solver.target(object, offset);
                self.solver.accessed(target, width)
            }
            Address::Through(node) => {
                let into = self.solver.node();
                self.solver.add_use(node, Use::Load { into, width });
                Some(into)
            }
        }
    }

    pub fn store(&mut self, address: Address, width: u64, from: NodeId) {
        match address {
            Address::Nowhere => {}
            Address::Known(object, offset) => {
                let target = self.solver.target(object, offset);
                if let Some(cell) = self.solver.accessed(target, width) {
                    self.solver.copy(from, cell);
                }
            }
            Address::Through(node) => self.solver.add_use(node, Use::Store { from, width }),
        }
    }
}
