//! The few values that a term can have, where they are few. A pointer that is one of three addresses reads one of three cells,
//! and a state that is 3 or 5 is not 4: the way on for 4 need not be followed.

use std::rc::Rc;

use logic::{Op, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// No more values than this are listed.
const MOST: usize = 48;
/// No more combinations of arguments than this are tried.
const MOST_COMBINATIONS: usize = 192;

type Listed = Option<Rc<[Term]>>;

/// The constants that terms can equal. What is listed for a term never changes: symbols have their values from the start.
#[derive(Default)]
pub(super) struct Values {
    of_symbols: FxHashMap<Symbol, Rc<[Term]>>,
    of_terms: FxHashMap<Term, Listed>,
}

impl Values {
    /// Says what a symbol stands for, before anybody asks.
    pub fn declare(&mut self, symbol: Symbol, values: Rc<[Term]>) {
        self.of_symbols.insert(symbol, values);
    }

    /// All constants that the term can equal, in order; `None` if they are not known to be few.
    pub fn of(&mut self, terms: &mut Terms, term: Term) -> Listed {
        let mut open = vec![(term, false)];
        while let Some((next, arguments_done)) = open.pop() {
            if self.of_terms.contains_key(&next) {
                continue;
            }
            if arguments_done {
                let listed = self.listed(terms, next);
                self.of_terms.insert(next, listed);
            } else {
                open.push((next, true));
                open.extend(terms.args(next).iter().map(|&arg| (arg, false)));
            }
        }
        self.of_terms[&term].clone()
    }

    /// The term, or the one constant that it equals.
    pub fn settled(&mut self, terms: &mut Terms, term: Term) -> Term {
        match self.of(terms, term).as_deref() {
            Some(&[only]) => only,
            _ => term,
        }
    }

    fn listed(&self, terms: &mut Terms, term: Term) -> Listed {
        let (op, sort) = (terms.op(term), terms.sort(term));
        let found = match op {
            _ if terms.is_constant(term) => Some(Rc::from([term])),
            Op::Symbol(symbol) => self.of_symbols.get(&symbol).cloned(),
            Op::Select | Op::Store | Op::ConstArray => None,
            _ if matches!(sort, Sort::Array { .. }) => None,
            Op::Ite => {
                let args = terms.args(term);
                let [condition, yes, no] = [args[0], args[1], args[2]].map(|arg| &self.of_terms[&arg]);
                match condition.as_deref() {
                    Some(&[only]) if terms.as_bool(only) == Some(true) => yes.clone(),
                    Some(&[_]) => no.clone(),
                    _ => union([yes, no].into_iter().map(Option::as_deref)),
                }
            }
            Op::And | Op::Or => Some(self.connected(terms, term, op)),
            _ => self.computed(terms, term, op, sort),
        };
        match found {
            None if sort == Sort::Bool => Some(Rc::from([terms.bool(false), terms.bool(true)])),
            found => found,
        }
    }

    /// One argument can decide a conjunction or a disjunction.
    fn connected(&self, terms: &Terms, term: Term, op: Op) -> Rc<[Term]> {
        let deciding = terms.bool(op == Op::Or);
        let other = terms.bool(op == Op::And);
        let mut may_be_decided = false;
        for arg in terms.args(term) {
            match self.of_terms[arg].as_deref() {
                Some(&[only]) if only == deciding => return Rc::from([deciding]),
                Some(&[_]) => {}
                _ => may_be_decided = true,
            }
        }
        match may_be_decided {
            false => Rc::from([other]),
            true => Rc::from([terms.bool(false), terms.bool(true)]),
        }
    }

    fn computed(&self, terms: &mut Terms, term: Term, op: Op, sort: Sort) -> Listed {
        let lists: Vec<Rc<[Term]>> = terms
            .args(term)
            .iter()
            .map(|arg| self.of_terms[arg].clone())
            .collect::<Option<_>>()?;
        let mut combinations: Vec<Vec<Term>> = vec![Vec::new()];
        for list in &lists {
            if combinations.len() * list.len() > MOST_COMBINATIONS {
                return None;
            }
            let longer = combinations
                .iter()
                .flat_map(|start| list.iter().map(move |&last| [start.as_slice(), &[last]].concat()));
            combinations = longer.collect();
        }
        let results: Vec<Term> = combinations
            .iter()
            .map(|arguments| terms.rebuild(op, sort, arguments))
            .collect();
        results
            .iter()
            .all(|&result| terms.is_constant(result))
            .then(|| union([Some(&results[..])].into_iter()))?
    }
}

/// What is in one of the lists; `None` if one of them is not known, or if together they are too long.
pub(super) fn union<'a>(lists: impl Iterator<Item = Option<&'a [Term]>>) -> Listed {
    let mut all = Vec::new();
    for list in lists {
        all.extend_from_slice(list?);
        if all.len() > 4 * MOST {
            all.sort_unstable();
            all.dedup();
            if all.len() > MOST {
                return None;
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST).then(|| Rc::from(all))
}
