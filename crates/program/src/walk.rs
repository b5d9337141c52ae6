//! Visiting what a program mentions: every place and expression below an edge or an initialiser, each once, without
//! recursion (an expression may be tens of thousands of operators deep).

use rustc_hash::FxHashSet;

use crate::{Callee, EdgeKind, ExprId, ExprKind, Initial, PlaceId, PlaceKind, Program, VarKind};

/// Something that [`Walk::next`] comes across.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Expr(ExprId),
    Place(PlaceId),
}

impl Node {
    /// What it is made of, in the order of the source.
    pub fn parts(self, program: &Program) -> [Option<Node>; 3] {
        match self {
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Zero
                | ExprKind::Function(_)
                | ExprKind::Label(_) => [None; 3],
                ExprKind::Read(place) | ExprKind::AddressOf(place) => [Some(Node::Place(place)), None, None],
                ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => {
                    [Some(Node::Expr(operand)), None, None]
                }
                ExprKind::Binary(_, left, right) => [Some(Node::Expr(left)), Some(Node::Expr(right)), None],
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise,
                } => [condition, then, otherwise].map(|expr| Some(Node::Expr(expr))),
            },
            Node::Place(place) => match program.place(place).kind {
                PlaceKind::Var(_) => [None; 3],
                PlaceKind::Deref(pointer) => [Some(Node::Expr(pointer)), None, None],
                PlaceKind::Field(base, _) => [Some(Node::Place(base)), None, None],
                PlaceKind::Index(base, index) => [Some(Node::Place(base)), Some(Node::Expr(index)), None],
            },
        }
    }
}

/// A traversal that yields each expression and place below its roots once, parents before children. Roots may be
/// added at any time; what was already seen is not yielded again.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    seen: FxHashSet<Node>,
    pending: Vec<Node>,
}

impl Walk {
    pub fn new() -> Walk {
        Walk::default()
    }

    pub fn add_expr(&mut self, expr: ExprId) {
        if self.seen.insert(Node::Expr(expr)) {
            self.pending.push(Node::Expr(expr));
        }
    }

    pub fn add_place(&mut self, place: PlaceId) {
        if self.seen.insert(Node::Place(place)) {
            self.pending.push(Node::Place(place));
        }
    }

    /// Everything an edge evaluates or writes.
    pub fn add_edge(&mut self, edge: &EdgeKind) {
        match edge {
            EdgeKind::Assign { place, value } => {
                self.add_place(*place);
                self.add_expr(*value);
            }
            EdgeKind::Assume { condition, .. } => self.add_expr(*condition),
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => {
                if let Some(place) = *result {
                    self.add_place(place);
                }
                if let Callee::Indirect(pointer) = *callee {
                    self.add_expr(pointer);
                }
                for &argument in arguments {
                    self.add_expr(argument);
                }
            }
            EdgeKind::Return { value } => {
                if let Some(value) = *value {
                    self.add_expr(value);
                }
            }
            EdgeKind::Havoc { place, .. } => self.add_place(*place),
            EdgeKind::Unsupported { .. } => {}
        }
    }

    /// Every edge and every initialiser of the program.
    pub fn add_program(&mut self, program: &Program) {
        for edge in program.edges.values() {
            self.add_edge(&edge.kind);
        }
        for var in program.vars.values() {
            if let VarKind::Global(Initial::Values(values)) = &var.kind {
                for &(place, value) in values {
                    self.add_place(place);
                    self.add_expr(value);
                }
            }
        }
    }

    /// What was added, or found below it, and is still to be visited.
    pub fn pending(&self) -> impl Iterator<Item = Node> + '_ {
        self.pending.iter().copied()
    }

    pub fn next(&mut self, program: &Program) -> Option<Node> {
        let node = self.pending.pop()?;
        // The last is visited first.
        for part in node.parts(program).into_iter().flatten().rev() {
            match part {
                Node::Expr(expr) => self.add_expr(expr),
                Node::Place(place) => self.add_place(place),
            }
        }
        Some(node)
    }
}
