//! Expressions that may get smaller each time round: sides of comparisons and their differences, variables that the cycle changes,
//! their sums and differences, and conditions as 0 and 1. All are `long long`, computed without overflow where the operands
//! are shorter, and all can be computed in every state.
//!
//! What does not change need not be mentioned: a variable that only grows does so for ever in no machine, whatever it grows
//! towards.

use std::collections::BTreeSet;

use evidence::Cycle;
use program::{
    BinaryOp, EdgeKind, ExprId, ExprKind, FuncId, IntKind, LocId, Loops, Node, PlaceKind, Program, TypeId,
    UnaryOp, VarId, VarKind, Walk, written_variable,
};

/// So many variables are combined with each other.
const COMBINED: usize = 8;
/// So many comparisons are looked at.
const COMPARISONS: usize = 24;
/// So many ways to choose an expression for each function of a group are tried.
const CHOICES: usize = 4_000;

/// What is looked at.
pub struct Candidates {
    /// For each place of the cycle: the loop's head, or the entry of each function.
    pub of: Vec<Vec<ExprId>>,
}

impl Candidates {
    pub fn new(program: &mut Program, cycle: &Cycle) -> Candidates {
        let of = match cycle {
            Cycle::Loop(head) => vec![of_loop(program, *head)],
            Cycle::Recursion(functions) => {
                let is_group = functions.len() > 1;
                let each = functions.iter();
                each.map(|&function| of_function(program, function, is_group))
                    .collect()
            }
        };
        Candidates { of }
    }

    /// All ways to choose an expression for each place, the plainest first.
    pub fn choices(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for place in &self.of {
            let longer = all.iter().flat_map(|choice| {
                let further = 0..place.len();
                further.map(move |next| choice.iter().copied().chain([next]).collect())
            });
            all = longer.take(CHOICES).collect();
        }
        all.sort_by_key(|choice| choice.iter().sum::<usize>());
        all
    }
}

fn of_loop(program: &mut Program, head: LocId) -> Vec<ExprId> {
    let function = program.locs[head].function;
    let loops = Loops::new(program, function);
    let Some(id) = loops.headed_by(head) else {
        return Vec::new();
    };
    let body = &loops.get(id).body;
    let mut changed: Vec<VarId> = Vec::new();
    let mut comparisons = Vec::new();
    let mut conditions = Vec::new();
    let mut has_calls = false;
    for &loc in body {
        for &edge in &program.locs[loc].outgoing {
            match program.edges[edge].kind {
                EdgeKind::Assume {
                    condition,
                    holds: true,
                } => {
                    conditions.push(condition);
                    comparisons.push(condition);
                }
                EdgeKind::Call { .. } => has_calls = true,
                _ => {}
            }
            changed.extend(written_variable(program, edge));
        }
    }
    if has_calls {
        // What is called may write globals.
        let edges = program.edges.ids();
        let written = edges.filter_map(|edge| written_variable(program, edge));
        let is_global = |var: &VarId| matches!(program.vars[*var].kind, VarKind::Global(_));
        let globals: BTreeSet<VarId> = written.filter(is_global).collect();
        changed.extend(globals);
    }
    let mut mentioned = Vec::new();
    for &condition in &conditions {
        mentioned.extend(variables(program, condition));
    }
    let is_plain = |var: &VarId| {
        let data = &program.vars[*var];
        let is_scalar = program.types.int_shape(data.ty).is_some() && !program.types.is_pointer(data.ty);
        is_scalar && data.kind != VarKind::Temporary
    };
    let mut vars: Vec<VarId> = Vec::new();
    let first = mentioned.iter().filter(|var| changed.contains(var));
    for &var in first.chain(&changed).filter(|var| is_plain(var)) {
        if !vars.contains(&var) {
            vars.push(var);
        }
    }
    let mut maker = Maker::new(program, function);
    for &condition in comparisons.iter().take(COMPARISONS) {
        maker.sides(condition);
    }
    maker.combined(&vars);
    for &condition in conditions.iter().take(COMPARISONS) {
        maker.truth(condition);
    }
    maker.triples(&vars);
    maker.made
}

fn of_function(program: &mut Program, function: FuncId, is_group: bool) -> Vec<ExprId> {
    let params = program.functions[function].params.clone();
    let is_plain = |var: &VarId| {
        let ty = program.vars[*var].ty;
        program.types.int_shape(ty).is_some() && !program.types.is_pointer(ty)
    };
    let vars: Vec<VarId> = params.into_iter().filter(is_plain).collect();
    let locs = program.functions[function].body.as_ref();
    let locs = locs.map_or(Vec::new(), |body| body.locs.clone());
    let mut comparisons = Vec::new();
    for loc in locs {
        for &edge in &program.locs[loc].outgoing {
            if let EdgeKind::Assume {
                condition,
                holds: true,
            } = program.edges[edge].kind
            {
                let about = variables(program, condition);
                if about.iter().all(|var| vars.contains(var)) {
                    comparisons.push(condition);
                }
            }
        }
    }
    let mut maker = Maker::new(program, function);
    if is_group {
        // Which function it is may count too.
        maker.singles(&vars);
        maker.constants();
        return maker.made;
    }
    for &condition in comparisons.iter().take(COMPARISONS) {
        maker.sides(condition);
    }
    maker.combined(&vars);
    for &condition in comparisons.iter().take(COMPARISONS) {
        maker.truth(condition);
    }
    maker.triples(&vars);
    maker.made
}

/// The variables that an expression reads; none if it reads anything else.
fn variables(program: &Program, expr: ExprId) -> Vec<VarId> {
    let mut walk = Walk::new();
    walk.add_expr(expr);
    let mut vars = Vec::new();
    while let Some(node) = walk.next(program) {
        if let Node::Place(place) = node
            && let PlaceKind::Var(var) = program.place(place).kind
        {
            vars.push(var);
        }
    }
    vars
}

struct Maker<'a> {
    program: &'a mut Program,
    function: FuncId,
    long: TypeId,
    made: Vec<ExprId>,
}

impl<'a> Maker<'a> {
    fn new(program: &'a mut Program, function: FuncId) -> Maker<'a> {
        Maker {
            long: program.types.int(IntKind::LongLong),
            program,
            function,
            made: Vec::new(),
        }
    }

    fn add(&mut self, expr: ExprId) {
        if !self.made.contains(&expr) && evidence::is_measure(self.program, self.function, expr) {
            self.made.push(expr);
        }
    }

    /// The differences of what is compared, both ways, and how far apart they are.
    fn sides(&mut self, condition: ExprId) {
        match self.program.expr(condition).kind {
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let is_integer = |side: ExprId| {
                    let ty = self.program.expr(side).ty;
                    self.program.types.int_shape(ty).is_some() && !self.program.types.is_pointer(ty)
                };
                if !is_integer(left) || !is_integer(right) {
                    return;
                }
                let (left, right) = (self.wide(left), self.wide(right));
                let below = self.arithmetic(BinaryOp::Sub, left, right);
                let above = self.arithmetic(BinaryOp::Sub, right, left);
                self.add(below);
                self.add(above);
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    let apart = self.program.unary(UnaryOp::Abs, below, self.long);
                    self.add(apart);
                }
            }
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right) => {
                self.sides(left);
                self.sides(right);
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.sides(operand),
            ExprKind::Read(_) => {
                let wide = self.wide(condition);
                self.both_ways(wide);
            }
            _ => {}
        }
    }

    fn singles(&mut self, vars: &[VarId]) {
        for &var in vars {
            let value = self.variable(var);
            self.both_ways(value);
        }
    }

    /// Variables, their sums and their differences.
    fn combined(&mut self, vars: &[VarId]) {
        self.singles(vars);
        let some: Vec<ExprId> = vars
            .iter()
            .take(COMBINED)
            .map(|&var| self.variable(var))
            .collect();
        for (at, &one) in some.iter().enumerate() {
            for &other in &some[at + 1..] {
                let difference = self.arithmetic(BinaryOp::Sub, one, other);
                let contrary = self.arithmetic(BinaryOp::Sub, other, one);
                let sum = self.arithmetic(BinaryOp::Add, one, other);
                self.add(difference);
                self.add(contrary);
                self.both_ways(sum);
                let apart = self.program.unary(UnaryOp::Abs, difference, self.long);
                self.add(apart);
            }
        }
    }

    /// Sums of three, and of two of which one counts twice.
    fn triples(&mut self, vars: &[VarId]) {
        let some: Vec<ExprId> = vars
            .iter()
            .take(COMBINED / 2)
            .map(|&var| self.variable(var))
            .collect();
        for &one in &some {
            let twice = self.arithmetic(BinaryOp::Add, one, one);
            for &other in &some {
                if one == other {
                    continue;
                }
                let sum = self.arithmetic(BinaryOp::Add, twice, other);
                let difference = self.arithmetic(BinaryOp::Sub, twice, other);
                self.both_ways(sum);
                self.both_ways(difference);
                for &third in some.iter().filter(|&&third| third != one && third != other) {
                    let pair = self.arithmetic(BinaryOp::Add, one, other);
                    let sum = self.arithmetic(BinaryOp::Add, pair, third);
                    let difference = self.arithmetic(BinaryOp::Sub, pair, third);
                    self.both_ways(sum);
                    self.both_ways(difference);
                }
            }
        }
    }

    fn constants(&mut self) {
        for value in [0, 1, 2] {
            let value = self.program.int(value, self.long);
            self.add(value);
        }
    }

    /// Whether the condition holds, as a number, and whether it does not.
    fn truth(&mut self, condition: ExprId) {
        let int = self.program.types.int(IntKind::Int);
        let not = self.program.unary(UnaryOp::Not, condition, int);
        let is = self.program.unary(UnaryOp::Not, not, int);
        for truth in [is, not] {
            let truth = self.program.convert(truth, self.long);
            self.add(truth);
        }
    }

    /// An expression, and one that is the smaller the larger it is.
    fn both_ways(&mut self, expr: ExprId) {
        self.add(expr);
        let contrary = self.program.unary(UnaryOp::BitNot, expr, self.long);
        self.add(contrary);
    }

    fn variable(&mut self, var: VarId) -> ExprId {
        let read = self.program.read_var(var);
        self.wide(read)
    }

    fn wide(&mut self, expr: ExprId) -> ExprId {
        // Sums and differences that are short where they stand are long here.
        let node = self.program.expr(expr);
        let shape = self.program.types.int_shape(node.ty);
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) = node.kind
            && shape.is_some_and(|shape| shape.signed && shape.bits <= 32)
        {
            let (left, right) = (self.wide(left), self.wide(right));
            return self.arithmetic(op, left, right);
        }
        self.program.convert(expr, self.long)
    }

    /// Without a sign, so that nothing is undefined.
    fn arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let unsigned = self.program.types.int(IntKind::ULongLong);
        let (left, right) = (
            self.program.convert(left, unsigned),
            self.program.convert(right, unsigned),
        );
        let result = self.program.binary(op, left, right, unsigned);
        self.program.convert(result, self.long)
    }
}
