//! What the predicates that one statement changes say of each other afterwards: the Boolean abstraction, where the Cartesian one
//! lets each of them change by itself.
//!
//! The predicates are taken one after the other. Each is decided by those before the statement, which is what its own value says
//! already, and by those that came earlier in the row, with their values after it: `F` over both implies that it holds, or that it
//! does not. Whatever the order, this is the whole relation between states before and after if cubes may have any length.

use boolean_program::Expr;
use logic::Term;

use crate::constraints::Literal;
use crate::translate::{Stop, Translator};

impl Translator<'_, '_> {
    /// What holds of the literals `after` a change, by their next values, and those `before` it; nothing in the Cartesian abstraction.
    /// The change is made where `guard` holds.
    pub(crate) fn together(
        &mut self,
        guard: Term,
        before: &[Literal],
        after: &[Literal],
    ) -> Result<Option<Expr>, Stop> {
        if !self.memo.changes_together {
            return Ok(None);
        }
        let terms: Vec<Term> = before.iter().map(|literal| literal.term).collect();
        let open = self.undecided(&terms, after);
        let mut known = terms;
        let mut parts = Vec::new();
        for (place, literal) in open.iter().enumerate() {
            if place > 0 {
                let negated = self.semantics.terms.not(literal.term);
                for (formula, value) in [(literal.term, true), (negated, false)] {
                    let holds = self.semantics.terms.implies(guard, formula);
                    let cubes =
                        self.memo
                            .cubes
                            .implying(self.semantics, self.solver, &known, holds, self.budget)?;
                    let is_new = |position: &usize| *position >= before.len();
                    for cube in cubes {
                        if !cube.iter().any(|(position, _)| is_new(position)) {
                            continue;
                        }
                        let mut excluded: Vec<Expr> = cube
                            .into_iter()
                            .map(|(position, value)| match position.checked_sub(before.len()) {
                                None => Expr::literal(before[position].value, value),
                                Some(earlier) => next(&open[earlier], value),
                            })
                            .collect();
                        excluded.push(next(literal, !value));
                        parts.push(Expr::negated(Expr::all(excluded)));
                    }
                }
            }
            known.push(literal.term);
        }
        Ok((!parts.is_empty()).then(|| Expr::all(parts)))
    }

    /// Those whose values are not just those of one before the change, or constant.
    fn undecided(&mut self, before: &[Term], after: &[Literal]) -> Vec<Literal> {
        let mut is_open = |literal: &&Literal| {
            let (atom, _) = self.semantics.terms.literal(literal.term);
            self.semantics.terms.as_bool(atom).is_none() && !before.contains(&atom)
        };
        after.iter().filter(&mut is_open).copied().collect()
    }
}

fn next(literal: &Literal, value: bool) -> Expr {
    let next = Expr::Next(literal.value);
    if value { next } else { Expr::negated(next) }
}
