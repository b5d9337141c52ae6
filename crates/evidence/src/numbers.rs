//! Questions about addresses as numbers. How far apart objects lie, which bits their addresses have, whether an address is a certain
//! number: C says nothing of that, and no few placements show it all. Where a condition asks such a question, both answers count.
//!
//! Some questions have one answer, or one that the placements of the judge show: whether an address is null or an error code,
//! whether two are the same, which of two is the larger, and bits that are zero because of the alignment. They can be told only
//! where the numbers are addresses still, and nothing was computed from them. What lies where such a number says is not known either.

use std::collections::BTreeSet;

use points_to::{ObjectId, ObjectKind, PointsTo};
use program::{
    BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Initial, Node, PlaceId, PlaceKind, Program,
    UnaryOp, VarId, VarKind, Walk,
};
use semantics::Semantics;
use verdict::Task;

use crate::chance::may_run;
use crate::comparisons::Chancy;

mod moved;

/// What a program asks about the numbers of addresses.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// The branches whose conditions are such numbers, and calls through pointers that are made of them.
    conditions: BTreeSet<EdgeId>,
    /// The comparisons that ask.
    comparisons: BTreeSet<ExprId>,
    /// The conditions of `?:` that are such numbers.
    choices: BTreeSet<ExprId>,
    /// Those that ask whether an address is larger than a small number, which the placements answer in either way.
    small: BTreeSet<ExprId>,
    /// Whether it asks in another way, too.
    pub elsewhere: bool,
}

/// Numbers this close to 0, from either side, are no addresses.
const NO_ADDRESS: i128 = 4096;

impl Numbers {
    pub fn new(task: &Task<'_>, points_to: &PointsTo, runs: &BTreeSet<FuncId>) -> Numbers {
        let program = task.program;
        let survey = Survey::new(task, points_to);
        let mut found = Numbers::default();
        for (id, edge) in program.edges.iter() {
            if !runs.contains(&program.locs[edge.from].function) {
                continue;
            }
            // Whether an address is a device's: no object lies there.
            if program.devices.contains(&id) && matches!(edge.kind, EdgeKind::Assume { .. }) {
                continue;
            }
            let mut walk = Walk::new();
            walk.add_edge(&edge.kind);
            match edge.kind {
                // A condition asks whether it is zero.
                EdgeKind::Assume { condition, .. } if survey.is_computed(condition) => {
                    found.conditions.insert(id);
                }
                // Which function is called.
                EdgeKind::Call {
                    callee: Callee::Indirect(function),
                    ..
                } if survey.is_moved(function) => {
                    found.conditions.insert(id);
                }
                _ => {}
            }
            while let Some(node) = walk.next(program) {
                let Node::Expr(expr) = node else { continue };
                match program.expr(expr).kind {
                    ExprKind::Binary(op, left, right) if op.is_comparison() => {
                        if survey.asks(op, left, right) {
                            found.comparisons.insert(expr);
                        } else if survey.is_ordered_by_a_number(op, left, right) {
                            found.small.insert(expr);
                        }
                    }
                    ExprKind::Unary(UnaryOp::Not, operand) if survey.is_computed(operand) => {
                        found.comparisons.insert(expr);
                    }
                    ExprKind::Conditional { condition, .. } if survey.is_computed(condition) => {
                        found.choices.insert(condition);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Comparisons of pointers whose outcome is left to chance are asked of addresses as well.
    pub fn with(mut self, chancy: &Chancy) -> Numbers {
        self.comparisons.extend(&chancy.asked);
        self.elsewhere |= chancy.subtracts;
        self
    }

    /// Whether there are any whose answers no few placements show.
    pub fn are_asked_about(&self) -> bool {
        self.elsewhere || self.can_be_left_open()
    }

    /// Whether there are some to leave open.
    pub fn can_be_left_open(&self) -> bool {
        !self.conditions.is_empty() || !self.comparisons.is_empty() || !self.choices.is_empty()
    }

    /// From now on both answers count.
    pub fn leave_open(&self, semantics: &mut Semantics<'_>) {
        self.conditions
            .iter()
            .for_each(|&edge| semantics.leave_open(edge));
        let comparisons = self.comparisons.iter();
        comparisons.for_each(|&comparison| semantics.leave_comparison_open(comparison));
        self.choices
            .iter()
            .for_each(|&condition| semantics.leave_choice_open(condition));
    }
}

/// Leaves open what the program asks of addresses as numbers, even where placements show all answers that there are: an engine that
/// gets by without them has a proof for all placements. Whether the program asks anything.
pub fn leave_addresses_open(task: &Task<'_>, points_to: &PointsTo, semantics: &mut Semantics<'_>) -> bool {
    let runs = may_run(task.program, task.entry);
    let chancy = Chancy::new(task.program, points_to, &runs);
    let numbers = Numbers::new(task, points_to, &runs).with(&chancy);
    numbers.leave_open(semantics);
    (numbers.small.iter()).for_each(|&comparison| semantics.leave_comparison_open(comparison));
    numbers.can_be_left_open() || !numbers.small.is_empty()
}

struct Survey<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    /// Variables for the objects that rules follow.
    followed: BTreeSet<VarId>,
    /// Objects that hold numbers which addresses went into, each for all of its bytes.
    objects: BTreeSet<ObjectId>,
    /// Functions that return such numbers.
    results: BTreeSet<FuncId>,
    /// Objects that hold pointers which such numbers moved.
    astray: BTreeSet<ObjectId>,
    /// Functions that return such pointers.
    astray_results: BTreeSet<FuncId>,
    /// Whether numbers are computed from addresses anywhere; then a variable may hold one.
    computes: bool,
    /// Whether numbers are computed that lead elsewhere when taken for pointers; then a variable may hold one.
    mixes: bool,
}

impl<'p> Survey<'p> {
    fn new(task: &Task<'p>, points_to: &'p PointsTo) -> Survey<'p> {
        let program = task.program;
        let mut survey = Survey {
            program,
            points_to,
            followed: task.followed.iter().map(|object| object.var).collect(),
            objects: BTreeSet::new(),
            results: BTreeSet::new(),
            astray: BTreeSet::new(),
            astray_results: BTreeSet::new(),
            computes: false,
            mixes: false,
        };
        while survey.look() {}
        survey
    }

    /// Looks where such numbers go; whether that is more than was known.
    fn look(&mut self) -> bool {
        let known = self.known();
        let program = self.program;
        for (id, edge) in program.edges.iter() {
            match &edge.kind {
                EdgeKind::Assign { place, value } => self.keep(*place, *value),
                EdgeKind::Havoc { place, .. } if self.is_moved_place(*place) => self.mark(*place),
                EdgeKind::Return { value: Some(value) } => {
                    let function = program.locs[edge.from].function;
                    if self.is_number(*value) {
                        self.results.insert(function);
                    }
                    if self.is_moved(*value) {
                        self.astray_results.insert(function);
                    }
                }
                EdgeKind::Call {
                    result,
                    callee,
                    arguments,
                } => {
                    if let Some(place) = result.filter(|&place| self.is_moved_place(place)) {
                        self.mark(place);
                    }
                    let callees = match callee {
                        Callee::Direct(function) => vec![*function],
                        Callee::Indirect(_) => self.points_to.call_targets(self.program, id).functions,
                    };
                    for callee in callees {
                        self.call(callee, arguments, *result);
                    }
                }
                _ => {}
            }
        }
        for var in program.vars.values() {
            if let VarKind::Global(Initial::Values(values)) = &var.kind {
                for &(place, value) in values {
                    self.keep(place, value);
                }
            }
        }
        let mut walk = Walk::new();
        walk.add_program(program);
        while !(self.computes && self.mixes)
            && let Some(node) = walk.next(program)
        {
            if let Node::Expr(expr) = node {
                self.computes |= self.computes_here(expr);
                self.mixes |= self.mixes_here(expr);
            }
        }
        known != self.known()
    }

    /// The value is put there.
    fn keep(&mut self, place: PlaceId, value: ExprId) {
        if self.is_number(value) || self.is_moved_place(place) {
            self.mark(place);
        }
        if self.is_moved(value) {
            self.mark_astray(place);
        }
    }

    /// How much is known of where they go.
    fn known(&self) -> [usize; 6] {
        [
            self.objects.len(),
            self.results.len(),
            self.astray.len(),
            self.astray_results.len(),
            usize::from(self.computes),
            usize::from(self.mixes),
        ]
    }

    fn call(&mut self, callee: FuncId, arguments: &[ExprId], result: Option<PlaceId>) {
        let data = &self.program.functions[callee];
        if data.body.is_some() {
            for (&param, &argument) in data.params.iter().zip(arguments) {
                let (is_number, is_moved) = (self.is_number(argument), self.is_moved(argument));
                if (is_number || is_moved)
                    && let Some((object, _)) =
                        (self.points_to.objects()).find(|&(_, kind)| kind == ObjectKind::Var(param))
                {
                    self.objects.extend(Some(object).filter(|_| is_number));
                    self.astray.extend(Some(object).filter(|_| is_moved));
                }
            }
            if let Some(place) = result.filter(|_| self.results.contains(&callee)) {
                self.mark(place);
            }
            if let Some(place) = result.filter(|_| self.astray_results.contains(&callee)) {
                self.mark_astray(place);
            }
            return;
        }
        // What it is given it may copy to wherever it is led.
        let leads = |argument: &ExprId| self.points_to.pointees(self.program, *argument);
        let met: Vec<ObjectId> = arguments
            .iter()
            .flat_map(leads)
            .map(|pointee| pointee.object)
            .collect();
        let moved = arguments.iter().any(|&argument| self.is_moved(argument));
        let gets = moved || arguments.iter().any(|&argument| self.is_number(argument));
        let has = |objects: &BTreeSet<ObjectId>| met.iter().any(|object| objects.contains(object));
        let (numbers, pointers) = (gets || has(&self.objects), moved || has(&self.astray));
        if let Some(place) = result {
            if numbers {
                self.mark(place);
            }
            if pointers {
                self.mark_astray(place);
            }
        }
        if numbers {
            self.objects.extend(met.iter().copied());
        }
        if pointers {
            self.astray.extend(met);
        }
    }

    fn mark_astray(&mut self, place: PlaceId) {
        let addresses = self.points_to.addresses(self.program, place);
        self.astray.extend(addresses.iter().map(|pointee| pointee.object));
    }

    fn mark(&mut self, place: PlaceId) {
        let addresses = self.points_to.addresses(self.program, place);
        self.objects
            .extend(addresses.iter().map(|pointee| pointee.object));
    }

    /// Whether the comparison has an outcome that nobody knows.
    fn asks(&self, op: BinaryOp, left: ExprId, right: ExprId) -> bool {
        let known =
            |expr: ExprId| constant(self.program, expr).is_some_and(|value| self.is_no_address(value));
        if !known(left) && !known(right) {
            // No placement has functions elsewhere.
            let orders = !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
            let is_code = |side: ExprId| self.is_number(side) && self.leads_to_code(side);
            let moves = |side: ExprId| self.is_moved(side) || orders && is_code(side);
            if moves(left) || moves(right) {
                return true;
            }
        }
        let (one, other) = (self.is_number(left), self.is_number(right));
        if !one && !other {
            return false;
        }
        let plain = |expr: ExprId| !self.is_computed(expr) && self.is_number(expr);
        let apart = |one: ExprId, other: ExprId| {
            plain(one) && (plain(other) || known(other) || self.is_followed(other))
        };
        !apart(left, right) && !apart(right, left)
    }

    /// Whether it compares an address with a small number that may be smaller or larger.
    fn is_ordered_by_a_number(&self, op: BinaryOp, left: ExprId, right: ExprId) -> bool {
        let small = |expr: ExprId| {
            let value = constant(self.program, expr);
            value.is_some_and(|value| value.abs() > 1 && self.is_no_address(value))
        };
        let is_order = !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        is_order && (self.is_number(left) && small(right) || self.is_number(right) && small(left))
    }

    /// Whether this is the object that a rule follows. That may be any: both answers count as it is.
    fn is_followed(&self, expr: ExprId) -> bool {
        match self.program.expr(expr).kind {
            ExprKind::Read(place) => match self.program.place(place).kind {
                PlaceKind::Var(var) => self.followed.contains(&var),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the number is one that addresses went into, but not an address.
    fn is_computed(&self, expr: ExprId) -> bool {
        if !self.is_number(expr) {
            return false;
        }
        let types = &self.program.types;
        let mut inner = expr;
        let mut part = self.is_part(inner);
        while let ExprKind::Cast { operand, .. } = self.program.expr(inner).kind
            && !types.is_pointer(self.program.expr(operand).ty)
        {
            inner = operand;
            part |= self.is_part(inner);
        }
        match self.program.expr(inner).kind {
            ExprKind::Cast { .. } => part,
            ExprKind::Read(place) => part || self.computes || self.is_moved_place(place),
            ExprKind::Binary(BinaryOp::BitAnd, address, mask) => {
                !self.is_aligned(address, mask, |mask, align| mask < align)
            }
            ExprKind::Binary(BinaryOp::Rem, address, by) => {
                !self.is_aligned(address, by, |by, align| by != 0 && align % by == 0)
            }
            _ => true,
        }
    }

    /// Whether the number has no room for all bits of an address. Floats may have, or not.
    fn is_part(&self, expr: ExprId) -> bool {
        let types = &self.program.types;
        let shape = types.int_shape(self.program.expr(expr).ty);
        shape.is_none_or(|shape| shape.bits < types.model().pointer_bits())
    }

    /// Whether what is asked of the address is known to be zero by its alignment.
    fn is_aligned(&self, address: ExprId, by: ExprId, is_zero: impl Fn(u128, u128) -> bool) -> bool {
        let align = u128::from(self.alignment(address));
        constant(self.program, by).is_some_and(|by| is_zero(by.unsigned_abs(), align))
    }

    /// By what an address can be divided, if the number is one.
    fn alignment(&self, address: ExprId) -> u64 {
        let program = self.program;
        let mut pointer = address;
        while let ExprKind::Cast { operand, .. } = program.expr(pointer).kind
            && !program.types.is_pointer(program.expr(pointer).ty)
        {
            pointer = operand;
        }
        let pointee = program.types.pointee(program.expr(pointer).ty);
        pointee.map_or(1, |pointee| program.types.align(pointee).max(1))
    }

    /// Whether an operator computes a number from an address.
    fn computes_here(&self, expr: ExprId) -> bool {
        match self.program.expr(expr).kind {
            ExprKind::Unary(op, operand) => op != UnaryOp::Not && self.is_number(operand),
            ExprKind::Binary(op, left, right) => {
                let moves = matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerDiff)
                    || matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr)
                    || op.is_comparison();
                !moves && (self.is_number(left) || self.is_number(right))
            }
            _ => false,
        }
    }

    /// Whether the value is no pointer, but one that addresses of the program's own objects went into, or holds one.
    fn is_number(&self, expr: ExprId) -> bool {
        let program = self.program;
        let is_pointer = |expr: ExprId| program.types.is_pointer(program.expr(expr).ty);
        let mut seen = BTreeSet::new();
        let mut rest = vec![expr];
        while let Some(expr) = rest.pop() {
            if is_pointer(expr) || !seen.insert(expr) {
                continue;
            }
            match program.expr(expr).kind {
                ExprKind::Cast { operand, .. } if is_pointer(operand) && self.leads_to_own(operand) => {
                    return true;
                }
                ExprKind::Read(place) => {
                    let addresses = self.points_to.addresses(program, place);
                    if addresses.iter().any(|pointee| self.holds(pointee.object))
                        || self.is_moved_place(place)
                    {
                        return true;
                    }
                }
                ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => rest.push(operand),
                // What comes of a comparison is asked where it is made.
                ExprKind::Binary(op, ..) if op.is_comparison() => {}
                ExprKind::Binary(BinaryOp::PointerDiff, left, right)
                    if self.is_moved(left) || self.is_moved(right) =>
                {
                    return true;
                }
                ExprKind::Binary(BinaryOp::PointerDiff, ..) => {}
                ExprKind::Binary(_, left, right) => rest.extend([left, right]),
                ExprKind::Conditional { then, otherwise, .. } => rest.extend([then, otherwise]),
                _ => {}
            }
        }
        false
    }

    /// Whether an integer that is read there is one that addresses went into: a pointer by its bytes is such, too.
    fn holds(&self, object: ObjectId) -> bool {
        let is_pointer = match self.points_to.object(object) {
            ObjectKind::Var(var) => self.program.types.is_pointer(self.program.vars[var].ty),
            _ => false,
        };
        is_pointer || self.objects.contains(&object)
    }

    /// Whether the pointer leads to something that the program has, and that may lie anywhere.
    fn leads_to_own(&self, pointer: ExprId) -> bool {
        let pointees = self.points_to.pointees(self.program, pointer);
        let mut objects = pointees
            .iter()
            .map(|pointee| self.points_to.object(pointee.object));
        let is_own = objects.any(|object| matches!(object, ObjectKind::Var(_) | ObjectKind::Heap(_)));
        is_own || self.leads_to_code(pointer)
    }

    /// Whether the value is the address of a function or a label, or was.
    fn leads_to_code(&self, value: ExprId) -> bool {
        let pointees = self.points_to.pointees(self.program, value);
        let mut objects = pointees
            .iter()
            .map(|pointee| self.points_to.object(pointee.object));
        if objects.any(|object| matches!(object, ObjectKind::Function(_))) {
            return true;
        }
        let mut walk = Walk::new();
        walk.add_expr(value);
        while let Some(node) = walk.next(self.program) {
            if let Node::Expr(expr) = node
                && let ExprKind::Function(_) | ExprKind::Label(_) = self.program.expr(expr).kind
            {
                return true;
            }
        }
        false
    }

    fn is_no_address(&self, number: i128) -> bool {
        let bits = self.program.types.model().pointer_bits();
        let signed = program::IntShape { bits, signed: true };
        signed.wrap(number).abs() <= NO_ADDRESS
    }
}

/// The number that an expression is spelled as.
fn constant(program: &Program, expr: ExprId) -> Option<i128> {
    let node = program.expr(expr);
    let value = match node.kind {
        ExprKind::Int(value) => value,
        ExprKind::Cast { operand, .. } => constant(program, operand)?,
        ExprKind::Unary(UnaryOp::Negate, operand) => constant(program, operand)?.wrapping_neg(),
        ExprKind::Unary(UnaryOp::BitNot, operand) => !constant(program, operand)?,
        _ => return None,
    };
    let shape = program.types.int_shape(node.ty);
    Some(shape.map_or(value, |shape| shape.wrap(value)))
}
