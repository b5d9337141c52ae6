//! The value of a term under an assignment of values to its symbols.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::constant::apply;
use crate::op::Op;
use crate::pool::{Symbol, Term, Terms};
use crate::value::Value;

/// Values of symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: IndexMap<Symbol, Value>,
    /// Whether a symbol without a value counts as zero, as in a solver's model that does not care.
    pub complete_with_zero: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The symbol has no value.
    Unassigned(Symbol),
    /// The symbol's value is of another sort.
    WrongSort(Symbol),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unassigned(symbol) => write!(f, "symbol {} has no value", symbol.index()),
            EvalError::WrongSort(symbol) => {
                write!(f, "symbol {} has a value of another sort", symbol.index())
            }
        }
    }
}

impl std::error::Error for EvalError {}

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.values.insert(symbol, value);
    }

    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.values.get(&symbol)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.values.iter().map(|(symbol, value)| (*symbol, value))
    }

    fn value_of(&self, terms: &Terms, symbol: Symbol) -> Result<Value, EvalError> {
        match self.values.get(&symbol) {
            Some(value) if value.sort() == terms.symbol_sort(symbol) => Ok(value.clone()),
            Some(_) => Err(EvalError::WrongSort(symbol)),
            None if self.complete_with_zero => Ok(Value::zero(terms.symbol_sort(symbol))),
            None => Err(EvalError::Unassigned(symbol)),
        }
    }
}

impl FromIterator<(Symbol, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Symbol, Value)>>(pairs: I) -> Assignment {
        Assignment {
            values: pairs.into_iter().collect(),
            complete_with_zero: false,
        }
    }
}

impl Terms {
    /// The value of a term: exactly what the operations say, in every sort.
    pub fn eval(&self, term: Term, assignment: &Assignment) -> Result<Value, EvalError> {
        Ok(self
            .eval_all(&[term], assignment)?
            .pop()
            .expect("one value for one term"))
    }

    /// The values of several terms; what they share is computed once.
    pub fn eval_all(&self, roots: &[Term], assignment: &Assignment) -> Result<Vec<Value>, EvalError> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        let mut args = Vec::new();
        for term in self.subterms(roots) {
            let value = match self.op(term) {
                Op::Symbol(symbol) => assignment.value_of(self, symbol)?,
                op => {
                    args.clear();
                    args.extend(self.args(term).iter().map(|a| values[a].clone()));
                    apply(op, self.sort(term), &args)
                }
            };
            values.insert(term, value);
        }
        Ok(roots.iter().map(|root| values[root].clone()).collect())
    }

    /// The values of terms that are asked for one after the other.
    pub fn evaluation<'a>(&'a self, assignment: &'a Assignment) -> Evaluation<'a> {
        Evaluation {
            terms: self,
            assignment,
            values: FxHashMap::default(),
        }
    }
}

/// The values of terms under one assignment; what they share is computed once, whenever they are asked for.
pub struct Evaluation<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    values: FxHashMap<Term, Value>,
}

impl Evaluation<'_> {
    pub fn value(&mut self, term: Term) -> Result<&Value, EvalError> {
        let mut open = vec![term];
        let mut args = Vec::new();
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let known = open.len();
            let missing = self.terms.args(term).iter();
            open.extend(missing.filter(|arg| !self.values.contains_key(*arg)));
            if open.len() > known {
                continue;
            }
            let value = match self.terms.op(term) {
                Op::Symbol(symbol) => self.assignment.value_of(self.terms, symbol)?,
                op => {
                    args.clear();
                    args.extend(self.terms.args(term).iter().map(|a| self.values[a].clone()));
                    apply(op, self.terms.sort(term), &args)
                }
            };
            self.values.insert(term, value);
            open.pop();
        }
        Ok(&self.values[&term])
    }

    /// Whether a formula holds.
    pub fn holds(&mut self, formula: Term) -> Result<bool, EvalError> {
        Ok(self.value(formula)?.as_bool() == Some(true))
    }
}
