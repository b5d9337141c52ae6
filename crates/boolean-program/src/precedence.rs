//! How binary operators bind. The dialects contradict each other: `a = b & c` is `(a = b) & c` for Bebop and Getafix
//! and `a = (b & c)` for SATABS. A chain without parentheses is therefore folded by the table of its dialect, and the
//! reader can ask whether another table would have given another tree.

use crate::dialect::Dialect;
use crate::expr::{BinaryOp, Expr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    And,
    Or,
    Binary(BinaryOp),
}

impl Infix {
    pub fn from_symbol(symbol: &str) -> Option<Infix> {
        Some(match symbol {
            "&" | "&&" => Infix::And,
            "|" | "||" => Infix::Or,
            "^" => Infix::Binary(BinaryOp::Xor),
            "=" => Infix::Binary(BinaryOp::Eq),
            "!=" => Infix::Binary(BinaryOp::Ne),
            "=>" => Infix::Binary(BinaryOp::Implies),
            _ => return None,
        })
    }

    /// Higher binds tighter.
    fn strength(self, dialect: Dialect) -> u8 {
        match (dialect, self) {
            (Dialect::Satabs, Infix::And) => 4,
            (Dialect::Satabs, Infix::Or) => 3,
            (Dialect::Satabs, Infix::Binary(BinaryOp::Xor)) => 2,
            (Dialect::Satabs, Infix::Binary(_)) => 1,
            (_, Infix::Binary(BinaryOp::Eq | BinaryOp::Ne)) => 5,
            (_, Infix::And) => 4,
            (_, Infix::Binary(BinaryOp::Xor)) => 3,
            (_, Infix::Or) => 2,
            (_, Infix::Binary(BinaryOp::Implies)) => 1,
        }
    }

    fn is_right_associative(self, dialect: Dialect) -> bool {
        match self {
            Infix::Binary(BinaryOp::Implies) => true,
            Infix::Binary(BinaryOp::Eq | BinaryOp::Ne) => dialect == Dialect::Satabs,
            _ => false,
        }
    }
}

/// A chain `first op operand op operand …`.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub first: Expr,
    pub rest: Vec<(Infix, Expr)>,
}

/// An operand while folding: `open` says that a further operand of the same `&` or `|` chain joins it.
struct Operand {
    expr: Expr,
    open: bool,
}

impl Chain {
    pub fn fold(self, dialect: Dialect) -> Expr {
        let mut operands = vec![Operand {
            expr: self.first,
            open: false,
        }];
        let mut operators: Vec<Infix> = Vec::new();
        for (operator, operand) in self.rest {
            while let Some(&top) = operators.last() {
                let (above, new) = (top.strength(dialect), operator.strength(dialect));
                if above > new || (above == new && !operator.is_right_associative(dialect)) {
                    operators.pop();
                    reduce(&mut operands, top);
                } else {
                    break;
                }
            }
            operators.push(operator);
            operands.push(Operand {
                expr: operand,
                open: false,
            });
        }
        while let Some(operator) = operators.pop() {
            reduce(&mut operands, operator);
        }
        operands.pop().expect("a chain has a first operand").expr
    }

    /// Whether the dialects disagree about this chain.
    pub fn is_ambiguous(&self) -> bool {
        // Chains of one operator are read alike up to the grouping of `=`, which does not change the meaning.
        let uniform = self.rest.windows(2).all(|pair| pair[0].0 == pair[1].0);
        !uniform && self.clone().fold(Dialect::Bebop) != self.clone().fold(Dialect::Satabs)
    }
}

fn reduce(operands: &mut Vec<Operand>, operator: Infix) {
    let right = operands.pop().expect("an operator has a right operand").expr;
    let left = operands.pop().expect("an operator has a left operand");
    let expr = match (operator, left) {
        (
            Infix::And,
            Operand {
                expr: Expr::And(mut chain),
                open: true,
            },
        ) => {
            chain.push(right);
            Expr::And(chain)
        }
        (
            Infix::Or,
            Operand {
                expr: Expr::Or(mut chain),
                open: true,
            },
        ) => {
            chain.push(right);
            Expr::Or(chain)
        }
        (Infix::And, left) => Expr::And(vec![left.expr, right]),
        (Infix::Or, left) => Expr::Or(vec![left.expr, right]),
        (Infix::Binary(op), left) => Expr::binary(op, left.expr, right),
    };
    operands.push(Operand {
        expr,
        open: matches!(operator, Infix::And | Infix::Or),
    });
}
