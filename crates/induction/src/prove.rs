//! What the solver is asked.

use logic::{Term, Value};
use solver::{Answer, Model, Want};

use crate::Work;

/// What a query may cost, in the solver's count: a candidate that is expensive to judge is not worth it.
const EFFORT: u32 = 500_000;

pub(crate) enum Judged {
    Holds,
    Fails(Box<Model>),
    Unknown,
}

impl Work<'_, '_, '_> {
    fn query(&mut self, premises: &[Term], conclusion: Term, want: Want) -> Answer {
        let negated = self.semantics.terms.not(conclusion);
        let mut formulas = premises.to_vec();
        formulas.push(negated);
        let mut assumptions = self.semantics.address_facts(&formulas);
        assumptions.extend(formulas);
        self.solver.set_effort_limit(Some(EFFORT));
        let answer = self.solver.check(&mut self.semantics.terms, &assumptions, want);
        self.solver.set_effort_limit(None);
        answer
    }

    pub fn judge(&mut self, premises: &[Term], conclusion: Term) -> Judged {
        match self.query(premises, conclusion, Want::Model) {
            Answer::Unsat(_) => Judged::Holds,
            Answer::Sat(Some(model)) => Judged::Fails(Box::new(model)),
            Answer::Sat(None) | Answer::Unknown(_) => Judged::Unknown,
        }
    }

    pub fn holds(&mut self, premises: &[Term], conclusion: Term) -> bool {
        self.query(premises, conclusion, Want::Verdict).is_unsat()
    }

    /// The premises that are needed for the conclusion; `None` if it is not known to follow.
    pub fn needed(&mut self, premises: &[Term], conclusion: Term) -> Option<Vec<Term>> {
        match self.query(premises, conclusion, Want::Core) {
            Answer::Unsat(core) => Some(core),
            _ => None,
        }
    }

    /// Whether a formula is false in a model.
    pub fn is_false(&self, model: &Model, formula: Term) -> bool {
        let mut model = model.clone();
        model.complete_with_zero = true;
        matches!(self.semantics.terms.eval(formula, &model), Ok(Value::Bool(false)))
    }
}
