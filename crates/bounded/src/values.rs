//! The few values that a term can have, where they are few: of choices between constants, and of what is computed from
//! them. A pointer that is one of three addresses reads one of three cells; a state that is 3 or 5 is not 4.

use std::rc::Rc;

use logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// No more values than this are followed.
const MAX_VALUES: usize = 64;
/// No more combinations of arguments than this are tried.
const MAX_COMBINATIONS: usize = 256;

/// The values found so far. They are a property of the term alone, so they never change.
#[derive(Default)]
pub(crate) struct Values {
    known: FxHashMap<Term, Option<Rc<[Term]>>>,
}

impl Values {
    /// The constants that the term can equal, in order; `None` if they are too many, or not known.
    pub fn of(&mut self, terms: &mut Terms, term: Term) -> Option<Rc<[Term]>> {
        let mut pending = vec![term];
        while let Some(&next) = pending.last() {
            if self.known.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let missing = terms
                .args(next)
                .iter()
                .filter(|arg| !self.known.contains_key(*arg));
            pending.extend(missing);
            if pending.len() == before {
                let values = self.compute(terms, next);
                self.known.insert(next, values);
                pending.pop();
            }
        }
        self.known[&term].clone()
    }

    /// The term, or the only constant that it can equal.
    pub fn settled(&mut self, terms: &mut Terms, term: Term) -> Term {
        match self.of(terms, term).as_deref() {
            Some(&[only]) => only,
            _ => term,
        }
    }

    fn compute(&self, terms: &mut Terms, term: Term) -> Option<Rc<[Term]>> {
        let op = terms.op(term);
        if op.is_constant() {
            return Some(Rc::from([term]));
        }
        let sort = terms.sort(term);
        if matches!(op, Op::Symbol(_) | Op::Select | Op::Store | Op::ConstArray)
            || matches!(sort, Sort::Array { .. })
        {
            return (sort == Sort::Bool).then(|| Rc::from([terms.bool(false), terms.bool(true)]));
        }
        let args: Vec<Term> = terms.args(term).to_vec();
        let found = match op {
            Op::Ite => self.choice(terms, &args),
            _ => self.combined(terms, op, sort, &args),
        };
        match found {
            None if sort == Sort::Bool => Some(Rc::from([terms.bool(false), terms.bool(true)])),
            found => found,
        }
    }

    fn choice(&self, terms: &Terms, args: &[Term]) -> Option<Rc<[Term]>> {
        let condition = self.known[&args[0]].as_ref()?;
        if let &[only] = &condition[..] {
            let taken = if terms.as_bool(only) == Some(true) { 1 } else { 2 };
            return self.known[&args[taken]].clone();
        }
        let (yes, no) = (self.known[&args[1]].as_ref()?, self.known[&args[2]].as_ref()?);
        collected(yes.iter().chain(no.iter()).copied())
    }

    fn combined(&self, terms: &mut Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Rc<[Term]>> {
        // A conjunction is false if one argument always is, whatever the others are; they have values in any case.
        let choices: Vec<Rc<[Term]>> = args
            .iter()
            .map(|arg| self.known[arg].clone())
            .collect::<Option<_>>()?;
        if matches!(op, Op::And | Op::Or) {
            let absorbing = terms.bool(op == Op::Or);
            let always = choices.iter().any(|values| values[..] == [absorbing]);
            let never = choices.iter().all(|values| !values.contains(&absorbing));
            return Some(match (always, never) {
                (true, _) => Rc::from([absorbing]),
                (_, true) => Rc::from([terms.not(absorbing)]),
                _ => Rc::from([terms.bool(false), terms.bool(true)]),
            });
        }
        let combinations = choices
            .iter()
            .try_fold(1_usize, |product, values| product.checked_mul(values.len()))?;
        if combinations > MAX_COMBINATIONS {
            return None;
        }
        let mut results = Vec::with_capacity(combinations);
        let mut chosen = Vec::with_capacity(args.len());
        for mut number in 0..combinations {
            chosen.clear();
            for values in &choices {
                chosen.push(values[number % values.len()]);
                number /= values.len();
            }
            let result = terms.rebuild(op, sort, &chosen);
            if !terms.is_constant(result) {
                return None;
            }
            results.push(result);
        }
        collected(results.into_iter())
    }
}

fn collected(values: impl Iterator<Item = Term>) -> Option<Rc<[Term]>> {
    let mut values: Vec<Term> = values.collect();
    values.sort_unstable();
    values.dedup();
    (values.len() <= MAX_VALUES).then(|| Rc::from(values))
}
