//! Whether conditions about memory can hold together, asked without the theory of arrays.
//!
//! Every cell that the conditions read is a scalar of its own. What the memory says about these scalars (that a cell holds what
//! was stored there last, that two cells at one address are one) is added as it is needed: where a model of the scalars gets it
//! wrong. Conditions that contradict each other whatever memory holds are found in the first question; long chains of stores
//! at other addresses are never looked at by the solver.
//!
//! All that is added is true of every memory, so a contradiction is one. A model is evaluated in the conditions as they were
//! asked before it is believed.

use std::collections::BTreeMap;

use crate::{Answer, Model, Solver, Want};
use budget::{Budget, Exhausted};
use logic::{ArrayValue, Assignment, Op, Sort, Symbol, SymbolInfo, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// A question that was corrected so often is given up.
const MOST_ROUNDS: usize = 100;

/// What is found out about conditions.
pub enum Decision {
    Possible(Model),
    /// Conditions that contradict each other; not the fewest.
    Contradictory(Vec<Term>),
    NotFound,
}

/// Questions about the same memories, with what was needed for the earlier ones.
#[derive(Default)]
pub struct Cells {
    /// What is asked instead of each term.
    scalars: FxHashMap<Term, Term>,
    reads: Vec<Read>,
    /// What is known about the scalars.
    facts: Vec<Term>,
}

/// A cell that is read.
#[derive(Clone, Copy)]
struct Read {
    memory: Term,
    /// In terms of scalars.
    index: Term,
    value: Term,
}

/// What a read must give by a model's values, and under which condition in general.
struct Expected {
    /// Over scalars: the way through the memory that the model takes.
    way: Vec<Term>,
    from: Source,
}

enum Source {
    Stored(Term),
    /// The memory as it was before everything.
    First(Symbol),
    /// A memory of another form.
    Other,
}

impl Cells {
    /// How often memory is read or written in formulas: where that is often, cells are easier to ask about than memories.
    pub fn count(terms: &Terms, formulas: &[Term]) -> usize {
        let subterms = terms.subterms(formulas).into_iter();
        let accesses = subterms.filter(|&term| matches!(terms.op(term), Op::Select | Op::Store));
        accesses.count()
    }

    pub fn decide(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        conditions: &[Term],
        budget: &Budget,
    ) -> Result<Decision, Exhausted> {
        let mut asked: Vec<(Term, Term)> = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            asked.push((condition, self.scalar(terms, condition)));
        }
        for _ in 0..MOST_ROUNDS {
            budget.check()?;
            let mut question: Vec<Term> = asked.iter().map(|&(_, scalar)| scalar).collect();
            question.extend(&self.facts);
            match solver.check(terms, &question, Want::Either) {
                Answer::Unsat(core) => {
                    let used = asked.iter().filter(|(_, scalar)| core.contains(scalar));
                    return Ok(Decision::Contradictory(
                        used.map(|&(condition, _)| condition).collect(),
                    ));
                }
                Answer::Sat(Some(mut model)) => {
                    model.complete_with_zero = true;
                    let known = self.facts.len();
                    let Some(memories) = self.correct(terms, &model) else {
                        return Ok(Decision::NotFound);
                    };
                    if self.facts.len() > known {
                        continue;
                    }
                    for (symbol, memory) in memories {
                        model.set(symbol, Value::Array(memory));
                    }
                    let truths = terms.eval_all(conditions, &model).unwrap_or_default();
                    let is_model = truths.len() == conditions.len()
                        && truths.iter().all(|truth| truth.as_bool() == Some(true));
                    return Ok(match is_model {
                        true => Decision::Possible(model),
                        false => Decision::NotFound,
                    });
                }
                Answer::Sat(None) | Answer::Unknown(_) => return Ok(Decision::NotFound),
            }
        }
        Ok(Decision::NotFound)
    }

    /// A term with every cell that it reads as a scalar.
    fn scalar(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if self.scalars.contains_key(&next) {
                stack.pop();
                continue;
            }
            let (op, sort, args) = (terms.op(next), terms.sort(next), terms.args(next).to_vec());
            // Of memory, only the place is looked at.
            let parts: &[Term] = match op {
                Op::Select => &args[1..],
                _ if args.iter().any(|&arg| is_memory(terms, arg)) => &[],
                _ => &args,
            };
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !self.scalars.contains_key(part)));
            if stack.len() > before {
                continue;
            }
            let scalar = match op {
                Op::Symbol(_) => next,
                Op::Select => self.read(terms, args[0], self.scalars[&args[1]], sort),
                // That two memories are the same as a whole: whatever it may be, until a model is evaluated.
                _ if parts.len() < args.len() => fresh(terms, sort),
                _ => {
                    let args: Vec<Term> = args.iter().map(|arg| self.scalars[arg]).collect();
                    terms.rebuild(op, sort, &args)
                }
            };
            self.scalars.insert(next, scalar);
        }
        self.scalars[&term]
    }

    fn read(&mut self, terms: &mut Terms, memory: Term, index: Term, sort: Sort) -> Term {
        let value = fresh(terms, sort);
        self.reads.push(Read { memory, index, value });
        value
    }

    /// Adds what a model gets wrong; the first memories, if it gets nothing wrong. `None` where that cannot be told.
    fn correct(&mut self, terms: &mut Terms, model: &Model) -> Option<BTreeMap<Symbol, ArrayValue>> {
        let mut first: BTreeMap<(Symbol, u128), (usize, Vec<Term>, Value)> = BTreeMap::new();
        let mut at = 0;
        // The ways through memory may read cells that were not read before.
        while at < self.reads.len() {
            let read = self.reads[at];
            let index = terms.eval(read.index, model).ok()?;
            let value = terms.eval(read.value, model).ok()?;
            let expected = self.follow(terms, model, &read, &index)?;
            match expected.from {
                Source::Stored(stored) => {
                    if terms.eval(stored, model).ok()? != value {
                        let same = terms.eq(read.value, stored);
                        self.add(terms, &expected.way, same);
                    }
                }
                Source::First(symbol) => {
                    let key = (symbol, index.as_word()?);
                    match first.get(&key) {
                        None => {
                            first.insert(key, (at, expected.way, value));
                        }
                        Some((_, _, other)) if *other == value => {}
                        Some((other, way, _)) => {
                            let other = self.reads[*other];
                            let mut both = way.clone();
                            both.extend(expected.way);
                            both.push(terms.eq(read.index, other.index));
                            let same = terms.eq(read.value, other.value);
                            self.add(terms, &both, same);
                        }
                    }
                }
                Source::Other => return None,
            }
            at += 1;
        }
        let mut memories: BTreeMap<Symbol, ArrayValue> = BTreeMap::new();
        for ((symbol, index), (_, _, value)) in first {
            let Sort::Array {
                index: width,
                element,
            } = terms.symbol_sort(symbol)
            else {
                return None;
            };
            let memory = memories
                .entry(symbol)
                .or_insert_with(|| ArrayValue::constant(width, Value::zero(element.into())));
            *memory = memory.store(index, value);
        }
        Some(memories)
    }

    fn add(&mut self, terms: &mut Terms, way: &[Term], conclusion: Term) {
        let way = terms.all(way);
        let fact = terms.implies(way, conclusion);
        self.facts.push(fact);
    }

    /// Where a read's value comes from in a model.
    fn follow(&mut self, terms: &mut Terms, model: &Assignment, read: &Read, at: &Value) -> Option<Expected> {
        let mut way = Vec::new();
        let mut memory = read.memory;
        loop {
            if let (Some(chain), Some(at)) = (terms.chain(memory), at.as_word()) {
                if let Some(&stored) = chain.entries.get(&at) {
                    way.push(is_word(terms, read.index, at));
                    let from = Source::Stored(self.scalar(terms, stored));
                    return Some(Expected { way, from });
                }
                // Between two indices that are neighbours in the chain there is none.
                let below = chain.entries.range(..at).next_back();
                let above = chain.entries.range(at..).next();
                if let Some((&last, _)) = below {
                    let last = like(terms, read.index, last);
                    way.push(terms.ult(last, read.index));
                }
                if let Some((&next, _)) = above {
                    let next = like(terms, read.index, next);
                    way.push(terms.ult(read.index, next));
                }
                memory = chain.below;
                continue;
            }
            match (terms.op(memory), terms.args(memory).to_vec()[..].as_ref()) {
                (Op::Symbol(symbol), _) => {
                    return Some(Expected {
                        way,
                        from: Source::First(symbol),
                    });
                }
                (Op::Store, &[below, index, stored]) => {
                    let index = self.scalar(terms, index);
                    let here = terms.eq(read.index, index);
                    if terms.eval(index, model).ok()? == *at {
                        way.push(here);
                        let from = Source::Stored(self.scalar(terms, stored));
                        return Some(Expected { way, from });
                    }
                    let elsewhere = terms.not(here);
                    if terms.as_bool(elsewhere) != Some(true) {
                        way.push(elsewhere);
                    }
                    memory = below;
                }
                (Op::Ite, &[condition, yes, no]) => {
                    let condition = self.scalar(terms, condition);
                    let holds = terms.eval(condition, model).ok()?.as_bool()?;
                    way.push(if holds { condition } else { terms.not(condition) });
                    memory = if holds { yes } else { no };
                }
                (Op::ConstArray, &[value]) => {
                    let from = Source::Stored(self.scalar(terms, value));
                    return Some(Expected { way, from });
                }
                _ => {
                    return Some(Expected {
                        way,
                        from: Source::Other,
                    });
                }
            }
        }
    }
}

/// A word of the width of another.
fn like(terms: &mut Terms, index: Term, bits: u128) -> Term {
    let width = terms.sort(index).width().expect("an index is a word");
    terms.word(width, bits)
}

fn is_word(terms: &mut Terms, index: Term, bits: u128) -> Term {
    let word = like(terms, index, bits);
    terms.eq(index, word)
}

fn is_memory(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::Array { .. })
}

fn fresh(terms: &mut Terms, sort: Sort) -> Term {
    let symbol = terms.fresh_symbol("cell", sort, SymbolInfo::default());
    terms.symbol_term(symbol)
}

#[cfg(test)]
mod tests {
    use crate::{Options, Z3Solver};
    use logic::ElementSort;
    use logic::random::Random;

    use super::*;

    const WIDTH: u32 = 8;

    fn word(terms: &mut Terms, random: &mut Random, depth: usize) -> Term {
        match random.below(if depth == 0 { 2 } else { 4 }) {
            0 => {
                let name = ["p", "q", "i"][random.below(3)];
                terms.var(name, Sort::BitVec(WIDTH), SymbolInfo::default())
            }
            1 => terms.word(WIDTH, random.below(4) as u128),
            _ => {
                let memory = memory(terms, random, depth - 1);
                let at = word(terms, random, depth - 1);
                terms.select(memory, at)
            }
        }
    }

    fn memory(terms: &mut Terms, random: &mut Random, depth: usize) -> Term {
        match random.below(if depth == 0 { 1 } else { 4 }) {
            0 => {
                let element = ElementSort::BitVec(WIDTH);
                let sort = Sort::Array {
                    index: WIDTH,
                    element,
                };
                terms.var(["m", "n"][random.below(2)], sort, SymbolInfo::default())
            }
            1 => {
                let condition = condition(terms, random, depth - 1);
                let (yes, no) = (memory(terms, random, depth - 1), memory(terms, random, depth - 1));
                terms.ite(condition, yes, no)
            }
            _ => {
                let below = memory(terms, random, depth - 1);
                let (at, value) = (word(terms, random, depth - 1), word(terms, random, depth - 1));
                terms.store(below, at, value)
            }
        }
    }

    fn condition(terms: &mut Terms, random: &mut Random, depth: usize) -> Term {
        let (one, other) = (word(terms, random, depth), word(terms, random, depth));
        let atom = match random.below(3) {
            0 => terms.ult(one, other),
            _ => terms.eq(one, other),
        };
        if random.below(2) == 0 {
            terms.not(atom)
        } else {
            atom
        }
    }

    /// The theory of arrays says the same, of the whole and of what is said to contradict itself.
    #[test]
    fn the_theory_of_arrays_agrees() {
        let mut terms = Terms::new();
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let mut random = Random::new(11);
        let (mut possible, mut contradictory) = (0, 0);
        for _ in 0..120 {
            let count = 3 + random.below(6);
            let conditions: Vec<Term> = (0..count)
                .map(|_| condition(&mut terms, &mut random, 3))
                .collect();
            let budget = Budget::unlimited();
            let decision = Cells::default()
                .decide(&mut terms, &mut solver, &conditions, &budget)
                .expect("there is no limit");
            match decision {
                Decision::Possible(_) => {
                    possible += 1;
                    assert!(solver.check(&mut terms, &conditions, Want::Verdict).is_sat());
                }
                Decision::Contradictory(core) => {
                    contradictory += 1;
                    assert!(core.iter().all(|used| conditions.contains(used)));
                    assert!(solver.check(&mut terms, &core, Want::Verdict).is_unsat());
                }
                Decision::NotFound => panic!("no memory is compared as a whole here"),
            }
        }
        assert!(possible > 20 && contradictory > 20, "{possible} {contradictory}");
    }

    #[test]
    fn a_contradiction_without_memory_takes_one_question() {
        let mut terms = Terms::new();
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let mut random = Random::new(3);
        let counter = terms.var("counter", Sort::BitVec(WIDTH), SymbolInfo::default());
        let (one, two) = (terms.word(WIDTH, 1), terms.word(WIDTH, 2));
        let contradiction = [terms.eq(counter, one), terms.eq(counter, two)];
        let mut conditions: Vec<Term> = (0..20).map(|_| condition(&mut terms, &mut random, 4)).collect();
        conditions.extend(contradiction);
        let mut cells = Cells::default();
        let decision = cells.decide(&mut terms, &mut solver, &conditions, &Budget::unlimited());
        assert!(matches!(decision, Ok(Decision::Contradictory(_))));
        assert_eq!(cells.facts, []);
    }
}
