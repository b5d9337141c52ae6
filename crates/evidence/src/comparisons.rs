//! Comparisons of pointers whose outcome C leaves to chance.
//!
//! The end of one object may be the start of another, and a number that is taken for a pointer may be the address of anything. Which
//! pointers can be one past the end is not known exactly: those into objects that some arithmetic moves a pointer through, and all to
//! objects without a size. Blocks that one call allocates count as one object; no allocator puts them end to end. String literals may
//! be the same object, or one a part of the other, where their bytes allow it.

use std::collections::BTreeSet;

use points_to::{ObjectId, ObjectKind, Pointee, PointsTo};
use program::{
    BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Initial, Node, PlaceId, PlaceKind, Program, Type,
    TypeId, VarKind, Walk,
};

/// The edges that make such comparisons.
#[derive(Debug, Default)]
pub(crate) struct Chancy {
    /// Of what may be the end of an object with a pointer to another object, or of string literals that may be one.
    pub ends: BTreeSet<EdgeId>,
    /// Of a pointer to an object with what may be a number.
    pub numbers: BTreeSet<EdgeId>,
    /// The comparisons of `ends`.
    pub asked: BTreeSet<ExprId>,
    /// Whether the difference of two such pointers is taken.
    pub subtracts: bool,
}

impl Chancy {
    pub fn new(program: &Program, points_to: &PointsTo, runs: &BTreeSet<FuncId>) -> Chancy {
        let does_run = |edge: EdgeId| runs.contains(&program.locs[program.edges[edge].from].function);
        let (mut comparisons, mut orders) = (comparisons(program), orders(program));
        comparisons.retain(|asked| does_run(asked.edge));
        orders.retain(|asked| does_run(asked.edge));
        if comparisons.is_empty() && orders.is_empty() {
            return Chancy::default();
        }
        let survey = Survey::new(program, points_to);
        let mut found = Chancy::default();
        for asked in comparisons.iter().chain(&orders) {
            if survey.share(&survey.leads(asked.left), &survey.leads(asked.right)) {
                found.add(program, asked);
            }
        }
        for asked in comparisons {
            let Asked {
                edge, left, right, ..
            } = asked;
            let (from, to) = (survey.leads(left), survey.leads(right));
            if survey.meet(&from, &to) || survey.meet(&to, &from) {
                found.add(program, &asked);
            }
            let numbers = survey.is_number(left, &from) && survey.leads_to_made(&to)
                || survey.is_number(right, &to) && survey.leads_to_made(&from);
            if numbers {
                found.numbers.insert(edge);
            }
        }
        found
    }

    fn add(&mut self, program: &Program, asked: &Asked) {
        self.ends.insert(asked.edge);
        match program.expr(asked.expr).kind {
            ExprKind::Binary(BinaryOp::PointerDiff, ..) => self.subtracts = true,
            _ => {
                self.asked.insert(asked.expr);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty() && self.numbers.is_empty()
    }

    /// Whether a pointer that is a number may be that of an object, which nothing that is left open shows: what lies there is the
    /// object. It may be assumed not to be.
    pub fn meets_numbers(&self, program: &Program) -> bool {
        !self.numbers.is_empty() && !program.assumptions.separate
    }
}

/// A comparison, with the edge that makes it.
struct Asked {
    edge: EdgeId,
    expr: ExprId,
    left: ExprId,
    right: ExprId,
}

/// Equality of pointers neither of which is null by its spelling.
fn comparisons(program: &Program) -> Vec<Asked> {
    let is_pointer = |expr: ExprId| program.types.is_pointer(program.expr(expr).ty);
    let mut found = Vec::new();
    for (id, edge) in program.edges.iter() {
        let mut walk = Walk::new();
        walk.add_edge(&edge.kind);
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) = program.expr(expr).kind
                && is_pointer(left)
                && is_pointer(right)
                && number(program, left) != Some(0)
                && number(program, right) != Some(0)
            {
                found.push(Asked {
                    edge: id,
                    expr,
                    left,
                    right,
                });
            }
        }
    }
    found
}

/// All other comparisons and differences that tell whether two addresses are the same, if there are literals that may be.
fn orders(program: &Program) -> Vec<Asked> {
    let literals = program.vars.values().filter(|var| bytes(&var.kind).is_some());
    if literals.count() < 2 {
        return Vec::new();
    }
    let is_pointer = |expr: ExprId| program.types.is_pointer(program.expr(expr).ty);
    let mut found = Vec::new();
    for (id, edge) in program.edges.iter() {
        let mut walk = Walk::new();
        walk.add_edge(&edge.kind);
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            let ExprKind::Binary(op, left, right) = program.expr(expr).kind else {
                continue;
            };
            let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
            if op == BinaryOp::PointerDiff
                || op.is_comparison() && !(is_equality && is_pointer(left) && is_pointer(right))
            {
                found.push(Asked {
                    edge: id,
                    expr,
                    left,
                    right,
                });
            }
        }
    }
    found
}

/// What a string literal holds, its terminator included.
fn bytes(kind: &VarKind) -> Option<&[u8]> {
    match kind {
        VarKind::Global(Initial::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

/// The number that a pointer is spelled as.
fn number(program: &Program, mut expr: ExprId) -> Option<i128> {
    loop {
        match program.expr(expr).kind {
            ExprKind::Cast { operand, .. } => expr = operand,
            ExprKind::Int(value) => return Some(value),
            _ => return None,
        }
    }
}

struct Survey<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    /// Objects that arithmetic moves a pointer through.
    walked: BTreeSet<ObjectId>,
    /// Whether a number that is computed is ever taken for a pointer.
    has_numbers: bool,
}

impl<'p> Survey<'p> {
    fn new(program: &'p Program, points_to: &'p PointsTo) -> Survey<'p> {
        let mut survey = Survey {
            program,
            points_to,
            walked: BTreeSet::new(),
            has_numbers: false,
        };
        survey.look();
        // An object without a size is its own end.
        let objects = points_to.objects();
        let empty = objects.filter(
            |&(_, kind)| matches!(kind, ObjectKind::Var(var) if is_empty(program, program.vars[var].ty)),
        );
        survey.walked.extend(empty.map(|(object, _)| object));
        survey
    }

    /// Looks at all values that are computed.
    fn look(&mut self) {
        let program = self.program;
        let mut walk = Walk::new();
        walk.add_program(program);
        // Whatever is not followed at once.
        let mut held: Vec<ExprId> = Vec::new();
        for edge in program.edges.values() {
            match &edge.kind {
                EdgeKind::Assign { value, .. } => held.push(*value),
                EdgeKind::Assume { condition, .. } => held.push(*condition),
                EdgeKind::Call { arguments, .. } => held.extend(arguments),
                EdgeKind::Return { value } => held.extend(value),
                EdgeKind::Havoc { .. } | EdgeKind::Unsupported { .. } => {}
            }
        }
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            match program.expr(expr).kind {
                ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => held.push(operand),
                ExprKind::Binary(_, left, right) => held.extend([left, right]),
                ExprKind::Conditional { then, otherwise, .. } => held.extend([then, otherwise]),
                ExprKind::AddressOf(place) => {
                    self.see_address(place);
                    held.extend(followed(program, place));
                }
                _ => {}
            }
        }
        for var in program.vars.values() {
            if let VarKind::Global(Initial::Values(values)) = &var.kind {
                held.extend(values.iter().map(|&(_, value)| value));
            }
        }
        held.sort_unstable();
        held.dedup();
        for expr in held {
            self.see(expr);
        }
    }

    /// A value that is more than followed.
    fn see(&mut self, expr: ExprId) {
        let program = self.program;
        match program.expr(expr).kind {
            ExprKind::Binary(BinaryOp::PointerAdd, pointer, by) if number(program, by) != Some(0) => {
                self.walk_through(self.points_to.pointees(program, pointer));
            }
            ExprKind::Cast { operand, .. } => {
                let types = &program.types;
                self.has_numbers |= types.is_pointer(program.expr(expr).ty)
                    && !types.is_pointer(program.expr(operand).ty)
                    && number(program, operand).is_none();
            }
            _ => {}
        }
    }

    fn see_address(&mut self, place: PlaceId) {
        if may_be_an_end(self.program, place) {
            self.walk_through(self.points_to.addresses(self.program, place));
        }
    }

    fn walk_through(&mut self, pointees: Vec<Pointee>) {
        self.walked.extend(pointees.iter().map(|pointee| pointee.object));
    }

    fn leads(&self, pointer: ExprId) -> BTreeSet<ObjectId> {
        let pointees = self.points_to.pointees(self.program, pointer);
        pointees.iter().map(|pointee| pointee.object).collect()
    }

    /// Whether the end of one of these may be the start of one of those.
    fn meet(&self, ends: &BTreeSet<ObjectId>, starts: &BTreeSet<ObjectId>) -> bool {
        let mut ends = ends
            .iter()
            .filter(|&end| self.walked.contains(end) && self.is_made(*end));
        ends.any(|end| starts.iter().any(|start| start != end && self.is_made(*start)))
    }

    /// Whether one of these and one of those may be string literals in the same memory.
    fn share(&self, some: &BTreeSet<ObjectId>, others: &BTreeSet<ObjectId>) -> bool {
        let literals = |objects: &BTreeSet<ObjectId>| -> Vec<(ObjectId, &'p [u8])> {
            let bytes = |&object: &ObjectId| Some((object, self.literal(object)?));
            objects.iter().filter_map(bytes).collect()
        };
        let (some, others) = (literals(some), literals(others));
        some.iter().any(|&(one, left)| {
            others.iter().any(|&(other, right)| {
                let is_moved = self.walked.contains(&one) || self.walked.contains(&other);
                one != other && may_share(left, right, is_moved)
            })
        })
    }

    /// What the object holds if it is a string literal.
    fn literal(&self, object: ObjectId) -> Option<&'p [u8]> {
        match self.points_to.object(object) {
            ObjectKind::Var(var) => bytes(&self.program.vars[var].kind),
            _ => None,
        }
    }

    /// Whether it is storage that the program has.
    fn is_made(&self, object: ObjectId) -> bool {
        matches!(
            self.points_to.object(object),
            ObjectKind::Var(_) | ObjectKind::Heap(_)
        )
    }

    fn leads_to_made(&self, leads: &BTreeSet<ObjectId>) -> bool {
        leads.iter().any(|&object| self.is_made(object))
    }

    /// Whether the pointer may be a number, as far as is known of where it leads.
    fn is_number(&self, pointer: ExprId, leads: &BTreeSet<ObjectId>) -> bool {
        let may_be = |&object: &ObjectId| match self.points_to.object(object) {
            ObjectKind::Absolute => true,
            ObjectKind::Input(..) => self.has_numbers,
            _ => false,
        };
        number(self.program, pointer).is_some()
            || leads.iter().any(may_be)
            || leads.is_empty() && self.has_numbers
    }
}

/// Whether two string literals can lie in the same memory: from the same address on, unless pointers into them are moved.
fn may_share(one: &[u8], other: &[u8], is_moved: bool) -> bool {
    let agree = |one: &[u8], other: &[u8]| one.iter().zip(other).all(|(one, other)| one == other);
    let within = |one: &[u8], other: &[u8]| (0..one.len()).any(|at| agree(&one[at..], other));
    agree(one, other) || is_moved && (within(one, other) || within(other, one))
}

/// Whether objects of the type have no bytes, which GNU C allows.
fn is_empty(program: &Program, ty: TypeId) -> bool {
    match *program.types.get(ty) {
        Type::Array(element, length) => length == Some(0) || is_empty(program, element),
        Type::Record(record) => {
            let record = program.types.record(record);
            record.complete && record.size == 0
        }
        _ => false,
    }
}

/// The pointer that leads to a place.
fn followed(program: &Program, mut place: PlaceId) -> Option<ExprId> {
    loop {
        match program.place(place).kind {
            PlaceKind::Var(_) => return None,
            PlaceKind::Deref(pointer) => return Some(pointer),
            PlaceKind::Field(around, _) | PlaceKind::Index(around, _) => place = around,
        }
    }
}

/// Whether the place may be just behind an array.
fn may_be_an_end(program: &Program, place: PlaceId) -> bool {
    match program.place(place).kind {
        PlaceKind::Var(_) | PlaceKind::Deref(_) => false,
        PlaceKind::Field(record, _) => may_be_an_end(program, record),
        PlaceKind::Index(array, index) => {
            let length = match program.types.get(program.place(array).ty) {
                Type::Array(_, length) => length.map(i128::from),
                _ => None,
            };
            match (number(program, index), length) {
                (Some(index), Some(length)) if index < length => may_be_an_end(program, array),
                _ => true,
            }
        }
    }
}
