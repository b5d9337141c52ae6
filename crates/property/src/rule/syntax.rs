//! The syntax tree of a rule. Every node that a message may be about carries its place in the text.

use crate::text_error::Range;

/// The one object that the rule follows.
#[derive(Clone, Debug)]
pub struct Watch {
    pub name: String,
    /// Which objects can be meant at all.
    pub condition: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub ty: StateType,
    pub initial: Expr,
    pub at: Range,
}

#[derive(Clone, Debug)]
pub enum StateType {
    Int,
    Bool,
    /// Names numbered from 0.
    Enum(Vec<(String, Range)>),
}

/// `on EVENT PATTERN | PATTERN … returns RESULT { … }`.
#[derive(Clone, Debug)]
pub struct Handler {
    pub event: EventKind,
    /// Any of these; none for the end of the program.
    pub patterns: Vec<Pattern>,
    /// What the result is matched with; only at exits.
    pub result: Option<Argument>,
    /// Whether a call whose result nobody looks at matches too, whatever the result.
    pub or_unused: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Entry,
    Exit,
    /// The program ends: its entry function returns, or `exit` is called.
    End,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub function: String,
    pub arguments: Vec<Argument>,
    /// Whether `...` allows more arguments than are listed.
    pub open: bool,
    pub at: Range,
}

#[derive(Clone, Debug)]
pub enum Argument {
    /// `_`: any value.
    Any,
    /// A name: the watched object if it is the watched object's name, else a name for the value.
    Name(String, Range),
    /// This value and no other.
    Constant(Expr),
    /// `*name`: what is found behind a pointer after the call.
    Behind(String, Range),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign {
        name: String,
        value: Expr,
        at: Range,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// The rule is violated.
    Abort {
        message: String,
    },
    /// What happens from here on is of no interest.
    Halt,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: Range,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i128),
    Null,
    Name(String),
    /// `$1`, `$2`, …: an argument of the call, counted from 1.
    Argument(usize),
    /// `$result`.
    Result,
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Not,
    Negate,
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
}

impl Handler {
    /// Whether an expression of the body has a part of which `is_meant` holds.
    pub fn mentions(&self, is_meant: &dyn Fn(&ExprKind) -> bool) -> bool {
        statements_mention(&self.body, is_meant)
    }
}

fn statements_mention(body: &[Stmt], is_meant: &dyn Fn(&ExprKind) -> bool) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Assign { value, .. } => value.mentions(is_meant),
        Stmt::If {
            condition,
            then,
            otherwise,
        } => {
            condition.mentions(is_meant)
                || statements_mention(then, is_meant)
                || statements_mention(otherwise, is_meant)
        }
        Stmt::Abort { .. } | Stmt::Halt => false,
    })
}

impl Expr {
    fn mentions(&self, is_meant: &dyn Fn(&ExprKind) -> bool) -> bool {
        is_meant(&self.kind)
            || match &self.kind {
                ExprKind::Unary(_, operand) => operand.mentions(is_meant),
                ExprKind::Binary(_, left, right) => left.mentions(is_meant) || right.mentions(is_meant),
                _ => false,
            }
    }
}
