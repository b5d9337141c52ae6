//! Answers kept under the set of formulas that they are about. Terms are hash-consed and simplified, so a set of them
//! in order is canonical.

use std::rc::Rc;
use std::time::Duration;

use logic::Term;
use rustc_hash::FxHashMap;

use crate::answer::{Model, Unknown, Want};

#[derive(Clone)]
pub enum Known {
    Sat(Option<Rc<Model>>),
    Unsat {
        core: Option<Rc<[Term]>>,
        minimal: bool,
    },
    /// With the time limit under which it was so.
    Unknown(Unknown, Option<Duration>),
}

impl Known {
    /// Whether it says as much as is wanted.
    fn suffices(&self, want: Want, limit: Option<Duration>) -> bool {
        match (self, want) {
            (Known::Sat(model), Want::Model | Want::Either) => model.is_some(),
            (Known::Unsat { core, .. }, Want::Core | Want::Either) => core.is_some(),
            (Known::Unsat { core, minimal }, Want::MinimalCore) => core.is_some() && *minimal,
            // More time may bring an answer; a lack of memory or an interruption may have passed.
            (Known::Unknown(Unknown::TimeLimit, tried), _) => {
                tried.is_none_or(|tried| limit.is_some_and(|limit| limit <= tried))
            }
            (Known::Unknown(..), _) => false,
            (Known::Sat(_) | Known::Unsat { .. }, _) => true,
        }
    }
}

/// When the cache has this many answers it starts again: memory stays bounded.
const CAPACITY: usize = 1 << 20;

#[derive(Default)]
pub struct Cache {
    answers: FxHashMap<Box<[Term]>, Known>,
}

impl Cache {
    /// The key of a query: what it is about, in order, each once.
    pub fn key(formulas: impl Iterator<Item = Term>) -> Vec<Term> {
        let mut key: Vec<Term> = formulas.collect();
        key.sort_unstable();
        key.dedup();
        key
    }

    pub fn get(&self, key: &[Term], want: Want, limit: Option<Duration>) -> Option<&Known> {
        self.answers.get(key).filter(|known| known.suffices(want, limit))
    }

    pub fn insert(&mut self, key: Vec<Term>, known: Known) {
        if self.answers.len() >= CAPACITY {
            self.answers.clear();
        }
        self.answers.insert(key.into_boxed_slice(), known);
    }
}
