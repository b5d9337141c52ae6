//! Expressions over Boolean variables.
//!
//! Conjunction and disjunction take any number of operands, so that the long chains a predicate abstraction writes stay
//! shallow trees. Every `*` is a choice of its own.

use crate::tree::VarId;

/// Deeper expressions are refused by the reader and by `check`, so that everyone else may recurse over them.
pub const MAX_DEPTH: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Const(bool),
    /// `*`: either value.
    Nondet,
    Var(VarId),
    /// `'x`: the value after the assignment; only inside `constrain`.
    Next(VarId),
    Not(Box<Expr>),
    /// At least two operands.
    And(Vec<Expr>),
    /// At least two operands.
    Or(Vec<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `schoose[p, n]`: true if `p` holds, else false if `n` holds, else either.
    Choose(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Xor,
    Eq,
    Ne,
    Implies,
}

impl BinaryOp {
    pub fn apply(self, left: bool, right: bool) -> bool {
        match self {
            BinaryOp::Xor | BinaryOp::Ne => left != right,
            BinaryOp::Eq => left == right,
            BinaryOp::Implies => !left || right,
        }
    }
}

impl Expr {
    pub const TRUE: Expr = Expr::Const(true);
    pub const FALSE: Expr = Expr::Const(false);

    /// `var` if `positive`, else its negation.
    pub fn literal(var: VarId, positive: bool) -> Expr {
        if positive {
            Expr::Var(var)
        } else {
            Expr::negated(Expr::Var(var))
        }
    }

    pub fn negated(operand: Expr) -> Expr {
        Expr::Not(Box::new(operand))
    }

    /// The conjunction of all operands: true for none, the operand itself for one.
    pub fn all(operands: impl IntoIterator<Item = Expr>) -> Expr {
        let mut operands: Vec<Expr> = operands.into_iter().collect();
        match operands.len() {
            0 => Expr::TRUE,
            1 => operands.remove(0),
            _ => Expr::And(operands),
        }
    }

    /// The disjunction of all operands: false for none, the operand itself for one.
    pub fn any(operands: impl IntoIterator<Item = Expr>) -> Expr {
        let mut operands: Vec<Expr> = operands.into_iter().collect();
        match operands.len() {
            0 => Expr::FALSE,
            1 => operands.remove(0),
            _ => Expr::Or(operands),
        }
    }

    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn choose(positive: Expr, negative: Expr) -> Expr {
        Expr::Choose(Box::new(positive), Box::new(negative))
    }

    /// The same over other variables.
    #[must_use]
    pub fn renamed(&self, rename: &impl Fn(VarId) -> VarId) -> Expr {
        let all = |operands: &[Expr]| operands.iter().map(|operand| operand.renamed(rename)).collect();
        match self {
            Expr::Const(_) | Expr::Nondet => self.clone(),
            Expr::Var(var) => Expr::Var(rename(*var)),
            Expr::Next(var) => Expr::Next(rename(*var)),
            Expr::Not(operand) => Expr::negated(operand.renamed(rename)),
            Expr::And(operands) => Expr::And(all(operands)),
            Expr::Or(operands) => Expr::Or(all(operands)),
            Expr::Binary(op, left, right) => Expr::binary(*op, left.renamed(rename), right.renamed(rename)),
            Expr::Choose(positive, negative) => {
                Expr::choose(positive.renamed(rename), negative.renamed(rename))
            }
        }
    }

    /// The direct operands, left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) => Vec::new(),
            Expr::Not(operand) => vec![operand],
            Expr::And(operands) | Expr::Or(operands) => operands.iter().collect(),
            Expr::Binary(_, left, right) | Expr::Choose(left, right) => vec![left, right],
        }
    }

    /// Calls `visit` for this expression and everything below it, parents first. Does not recurse, so it is safe for
    /// trees that have not been checked for depth.
    pub fn walk<'e>(&'e self, mut visit: impl FnMut(&'e Expr)) {
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            visit(expr);
            open.extend(expr.operands().into_iter().rev());
        }
    }

    /// Calls `visit` for each variable read, with whether its next value is meant.
    pub fn for_each_var(&self, mut visit: impl FnMut(VarId, bool)) {
        self.walk(|expr| match expr {
            Expr::Var(var) => visit(*var, false),
            Expr::Next(var) => visit(*var, true),
            _ => {}
        });
    }

    /// The value under an assignment to the variables; `None` where it depends on a choice or a next value.
    pub fn evaluate(&self, value: &impl Fn(VarId) -> bool) -> Option<bool> {
        match self {
            Expr::Const(constant) => Some(*constant),
            Expr::Nondet | Expr::Next(_) => None,
            Expr::Var(var) => Some(value(*var)),
            Expr::Not(operand) => operand.evaluate(value).map(|it| !it),
            Expr::And(operands) => decided_by(operands, false, value),
            Expr::Or(operands) => decided_by(operands, true, value),
            Expr::Binary(op, left, right) => Some(op.apply(left.evaluate(value)?, right.evaluate(value)?)),
            Expr::Choose(positive, negative) => {
                match (positive.evaluate(value)?, negative.evaluate(value)?) {
                    (true, _) => Some(true),
                    (false, true) => Some(false),
                    (false, false) => None,
                }
            }
        }
    }

    /// The height of the tree.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((expr, depth)) = open.pop() {
            deepest = deepest.max(depth);
            open.extend(expr.operands().into_iter().map(|operand| (operand, depth + 1)));
        }
        deepest
    }
}

/// A conjunction (disjunction) has the `dominant` value as soon as one operand has it, whatever the others are.
fn decided_by(operands: &[Expr], dominant: bool, value: &impl Fn(VarId) -> bool) -> Option<bool> {
    let mut undecided = false;
    for operand in operands {
        match operand.evaluate(value) {
            Some(it) if it == dominant => return Some(dominant),
            Some(_) => {}
            None => undecided = true,
        }
    }
    if undecided { None } else { Some(!dominant) }
}
