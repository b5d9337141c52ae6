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
    }
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST).then(|| Rc::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::SymbolInfo;

    /// Symbols with some values, and terms over them.
    #[derive(Default)]
    struct Speech {
        terms: Terms,
        values: Values,
    }

    impl Speech {
        fn anything(&mut self, sort: Sort) -> Term {
            let symbol = self.terms.fresh_symbol("s", sort, SymbolInfo::unsigned());
            self.terms.symbol_term(symbol)
        }

        fn one_of(&mut self, values: impl IntoIterator<Item = u128>) -> Term {
            let listed: Vec<Term> = values.into_iter().map(|value| self.number(value)).collect();
            let symbol = self
                .terms
                .fresh_symbol("s", Sort::BitVec(32), SymbolInfo::unsigned());
            self.values.declare(symbol, Rc::from(listed));
            self.terms.symbol_term(symbol)
        }

        fn number(&mut self, value: u128) -> Term {
            self.terms.word(32, value)
        }

        /// What is listed for a term, smallest first.
        fn listed(&mut self, term: Term) -> Option<Vec<u128>> {
            let listed = self.values.of(&mut self.terms, term)?;
            let as_number = |&value: &Term| {
                let truth = self.terms.as_bool(value).map(u128::from);
                truth
                    .or_else(|| self.terms.as_word(value))
                    .expect("a constant is listed")
            };
            let mut numbers: Vec<u128> = listed.iter().map(as_number).collect();
            numbers.sort_unstable();
            Some(numbers)
        }
    }

    #[test]
    fn what_is_computed_from_few_values() {
        let mut speech = Speech::default();
        let (few, five) = (speech.one_of([1, 3]), speech.number(5));
        let sum = speech.terms.add(few, five);
        let less = speech.terms.ult(few, five);
        assert_eq!(speech.listed(sum), Some(vec![6, 8]));
        assert_eq!(speech.listed(less), Some(vec![1]));
        assert_eq!(
            speech.values.settled(&mut speech.terms, less),
            speech.terms.bool(true)
        );
        assert_eq!(speech.values.settled(&mut speech.terms, sum), sum);
        let only = speech.one_of([4]);
        assert_eq!(speech.values.settled(&mut speech.terms, only), speech.number(4));
    }

    #[test]
    fn what_can_be_anything() {
        let mut speech = Speech::default();
        let (any, few, truth) = (
            speech.anything(Sort::BitVec(32)),
            speech.one_of([1, 2]),
            speech.anything(Sort::Bool),
        );
        let sum = speech.terms.add(any, few);
        let chosen = speech.terms.ite(truth, any, few);
        assert_eq!(speech.listed(any), None);
        assert_eq!(speech.listed(sum), None);
        assert_eq!(speech.listed(chosen), None);
        assert_eq!(speech.listed(truth), Some(vec![0, 1]));
    }

    #[test]
    fn choices() {
        let mut speech = Speech::default();
        let (few, other, three) = (speech.one_of([1, 3]), speech.one_of([3, 7]), speech.number(3));
        let any = speech.anything(Sort::Bool);
        let at_most = speech.terms.ule(few, three);
        let above = speech.terms.ult(three, few);
        let below = speech.terms.ult(few, three);
        for (condition, expected) in [
            (any, vec![1, 3, 7]),
            (below, vec![1, 3, 7]),
            (at_most, vec![1, 3]),
            (above, vec![3, 7]),
        ] {
            let chosen = speech.terms.ite(condition, few, other);
            assert_eq!(speech.listed(chosen), Some(expected));
        }
        // More than there are combinations to try, and few values.
        let (ten, also_ten) = (speech.one_of(0..10), speech.one_of(0..10));
        let chosen = speech.terms.ite(any, ten, also_ten);
        assert_eq!(speech.listed(chosen), Some((0..10).collect()));
    }

    #[test]
    fn connected_conditions() {
        let mut speech = Speech::default();
        let (few, three) = (speech.one_of([1, 2]), speech.number(3));
        let any = speech.anything(Sort::Bool);
        let below = speech.terms.ult(few, three);
        let above = speech.terms.ult(three, few);
        let (ten, other) = (speech.number(10), speech.one_of([20, 30]));
        let also_below = speech.terms.ult(ten, other);
        let cases = [
            (speech.terms.and(any, above), vec![0]),
            (speech.terms.or(any, below), vec![1]),
            (speech.terms.and(any, below), vec![0, 1]),
            (speech.terms.or(any, above), vec![0, 1]),
            (speech.terms.and(below, also_below), vec![1]),
        ];
        for (term, expected) in cases {
            assert_eq!(speech.listed(term), Some(expected));
        }
        let mut many: Vec<Term> = (0..9).map(|_| speech.anything(Sort::Bool)).collect();
        many.push(above);
        let all = speech.terms.all(&many);
        assert_eq!(speech.listed(all), Some(vec![0]));
    }

    #[test]
    fn as_many_combinations_as_are_tried() {
        let mut speech = Speech::default();
        let masks = |count: u128| (0..count).map(|bits| (bits << 4) | (bits % 4));
        let (twelve, sixteen) = (speech.one_of(masks(12)), speech.one_of(masks(16)));
        let (four, forty_nine) = (speech.one_of(0..4), speech.one_of(0..49));
        let few = speech.terms.bit_and(twelve, sixteen);
        assert!(speech.listed(few).is_some());
        // 196 of them, of which few are different.
        let many = speech.terms.bit_and(four, forty_nine);
        assert_eq!(speech.listed(many), None);
    }

    #[test]
    fn as_many_values_as_are_listed() {
        let mut speech = Speech::default();
        let numbers: Vec<Term> = (0..60).map(|value| speech.number(value)).collect();
        let joined = |lists: &[&[Term]]| union(lists.iter().map(|&list| Some(list)));
        let all = |list: &[Term]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            Some(Rc::from(list))
        };
        assert_eq!(joined(&[&numbers[..20], &numbers[10..48]]), all(&numbers[..48]));
        assert_eq!(joined(&[&numbers[..20], &numbers[10..49]]), None);
        // Longer together than they are when each is counted once.
        let often: Vec<&[Term]> = vec![&numbers[..48]; 9];
        assert_eq!(joined(&often), all(&numbers[..48]));
        let more: Vec<&[Term]> = vec![&numbers[..49]; 9];
        assert_eq!(joined(&more), None);
        assert_eq!(union([Some(&numbers[..2]), None].into_iter()), None);
    }
}
