//! The solver on Z3: proxies, checks, cores, models.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::{Duration, Instant};

use logic::{Symbol, Term, Terms};

use crate::answer::{Answer, Implication, Interpolation, Model, Optimum, Projection, Unknown, Want};
use crate::cache::{Cache, Known};
use crate::encode::Encoder;
use crate::flatten::flatten;
use crate::lane::{Lane, Limits};
use crate::minimise::minimise;
use crate::narrow::narrow;
use crate::simple::{self, Decided};
use crate::statistics::{Kind, Statistics};
use crate::z3::{self, Ast, Context, Interrupter, Optimiser, Outcome, Z3Error};
use crate::{Solver, by_bits, decode, interpolate, once, one_by_one, project};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The time that one check may take.
    pub time_limit: Option<Duration>,
    /// The memory that Z3 may use, in MiB. It is one limit for the whole process; the last one set counts.
    pub memory_limit: Option<u32>,
    pub prover: Prover,
}

/// Who decides sets of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prover {
    /// Comparisons of symbols and constants nobody (`simple.rs`), floats the SAT solver, the rest Z3.
    #[default]
    Mixed,
    /// Z3 all of them.
    Z3,
    /// The SAT solver all that have no arrays and are not too large for it, Z3 the others.
    Sat,
}

/// A [`Solver`] on Z3. It belongs to one thread and to one pool of terms.
pub struct Z3Solver {
    context: Context,
    encoder: Encoder,
    pub(crate) lane: Lane,
    /// What is asserted, from the outermost scope inwards; the first is never closed.
    scopes: Vec<Vec<Term>>,
    cache: Cache,
    pub(crate) statistics: Statistics,
    pub(crate) time_limit: Option<Duration>,
    prover: Prover,
}

impl Z3Solver {
    pub fn new(options: &Options) -> Result<Z3Solver, Unknown> {
        if let Some(megabytes) = options.memory_limit {
            z3::set_memory_limit(megabytes);
        }
        let build = || {
            let context = Context::new()?;
            let limits = Limits {
                time: options.time_limit,
                effort: None,
            };
            let lane = Lane::new(&context, limits)?;
            Ok((context, lane))
        };
        let (context, lane) = build().map_err(unknown)?;
        Ok(Z3Solver {
            encoder: Encoder::new(&context),
            context,
            lane,
            scopes: vec![Vec::new()],
            cache: Cache::default(),
            statistics: Statistics::default(),
            time_limit: options.time_limit,
            prover: options.prover,
        })
    }

    /// The version of the library, such as `5.3.2`.
    pub fn version() -> String {
        let (major, minor, build) = z3::version();
        format!("{major}.{minor}.{build}")
    }

    /// Stops the running question from another thread; it answers [`Unknown::Interrupted`].
    pub fn interrupter(&self) -> Interrupter {
        self.context.interrupter()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn encode(&mut self, terms: &Terms, term: Term) -> Result<Ast, Unknown> {
        self.encoder.encode(terms, term).map_err(unknown)
    }

    pub(crate) fn milliseconds(&self) -> u32 {
        milliseconds(self.time_limit)
    }

    /// Checks a set of formulas as it is, without scopes. The core is in terms of the set.
    pub(crate) fn check_set(&mut self, terms: &mut Terms, formulas: &[Term], want: Want) -> Answer {
        let start = Instant::now();
        let key = Cache::key(formulas.iter().copied());
        let known = self.cache.get(&key, want, self.time_limit).cloned();
        let hit = known.is_some();
        let known = match known {
            Some(known) => known,
            None => {
                let known = match self.solve(terms, &key, want) {
                    Ok(known) => known,
                    Err(error) => {
                        // What failed half-way must not burden the queries that follow.
                        let _ = self.restart();
                        Known::Unknown(unknown(error), self.time_limit)
                    }
                };
                self.cache.insert(key, known.clone());
                known
            }
        };
        let answer = match known {
            Known::Sat(model) => {
                let wanted = matches!(want, Want::Model | Want::Either);
                Answer::Sat(model.filter(|_| wanted).map(|m| (*m).clone()))
            }
            Known::Unsat { core, .. } => match want {
                Want::Core | Want::MinimalCore | Want::Either => {
                    Answer::Unsat(core.map_or(Vec::new(), |c| c.to_vec()))
                }
                Want::Verdict | Want::Model => Answer::Unsat(Vec::new()),
            },
            Known::Unknown(reason, _) => Answer::Unknown(reason),
        };
        let is_unknown = matches!(answer, Answer::Unknown(_));
        self.statistics
            .count(Kind::Check, hit, is_unknown, start.elapsed());
        answer
    }

    fn restart(&mut self) -> Result<(), Z3Error> {
        self.statistics.restarts += 1;
        self.lane.restart()
    }

    fn solve(&mut self, terms: &mut Terms, key: &[Term], want: Want) -> Result<Known, Z3Error> {
        let falsehood = terms.bool(false);
        if key.binary_search(&falsehood).is_ok() {
            return Ok(Known::Unsat {
                core: Some(Rc::from([falsehood])),
                minimal: true,
            });
        }
        if self.prover == Prover::Mixed
            && let Some(decided) = simple::decide(terms, key)
        {
            self.statistics.simple += 1;
            return Ok(match decided {
                Decided::Sat(model) => Known::Sat(Some(Rc::new(model))),
                // A core that must be minimal is left to those who can tell.
                Decided::Unsat(_, false) if want == Want::MinimalCore => {
                    return self.solve_by_z3(terms, key, want);
                }
                Decided::Unsat(core, minimal) => Known::Unsat {
                    core: Some(Rc::from(core)),
                    minimal,
                },
            });
        }
        let by_bits = match self.prover {
            Prover::Mixed => by_bits::are_about_floats(terms, key),
            Prover::Z3 => false,
            Prover::Sat => true,
        };
        if by_bits && let Some(known) = self.ask_by_bits(terms, key, key, want)? {
            return Ok(known);
        }
        self.solve_by_z3(terms, key, want)
    }

    fn solve_by_z3(&mut self, terms: &mut Terms, key: &[Term], want: Want) -> Result<Known, Z3Error> {
        if self.lane.is_big(key.len()) {
            self.restart()?;
        }
        let literals = self.lane.literals(&mut self.encoder, terms, key)?;
        let start = Instant::now();
        let outcome = self.lane.engine.check(&literals)?;
        let spent = start.elapsed();
        match outcome {
            Outcome::Unknown(reason) => {
                // What was too hard, or half done, must not burden the queries that follow.
                self.restart()?;
                // Z3 reports its own time limit as an interruption too.
                let late = self.time_limit.is_some_and(|limit| spent >= limit);
                let reason = match Unknown::from_reason(&reason) {
                    Unknown::Interrupted if late => Unknown::TimeLimit,
                    reason => reason,
                };
                Ok(Known::Unknown(reason, self.time_limit))
            }
            Outcome::Sat if !matches!(want, Want::Model | Want::Either) => Ok(Known::Sat(None)),
            Outcome::Sat => self.read_model(terms, key),
            Outcome::Unsat if matches!(want, Want::Verdict | Want::Model) => Ok(Known::Unsat {
                core: None,
                minimal: false,
            }),
            Outcome::Unsat => {
                let used: Vec<u32> = self.lane.engine.core()?.iter().map(Ast::id).collect();
                let formulas = key.iter().filter(|f| terms.as_bool(**f).is_none());
                let core: Vec<Term> = formulas
                    .zip(&literals)
                    .filter(|(_, l)| used.contains(&l.id()))
                    .map(|(f, _)| *f)
                    .collect();
                let minimal = want == Want::MinimalCore;
                let core = if minimal {
                    self.minimise(terms, core, &[])
                } else {
                    core
                };
                Ok(Known::Unsat {
                    core: Some(Rc::from(core)),
                    minimal,
                })
            }
        }
    }

    /// Leaves out of a contradictory set one formula after the other while the rest, with `always`, contradicts
    /// itself. The order is that of the terms, so the result does not depend on the solver's.
    pub(crate) fn minimise(&mut self, terms: &mut Terms, core: Vec<Term>, always: &[Term]) -> Vec<Term> {
        let Ok(mut needed) = minimise(core, |others| {
            let set: Vec<Term> = others.iter().chain(always).copied().collect();
            Ok::<_, Infallible>(match self.check_set(terms, &set, Want::Core) {
                Answer::Unsat(smaller) => Some(smaller),
                _ => None,
            })
        });
        needed.sort_unstable();
        needed
    }

    /// A model of the formulas in Z3's own form, for what works on models.
    pub(crate) fn raw_model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Option<z3::Model> {
        let literals = self.lane.literals(&mut self.encoder, terms, formulas).ok()?;
        match self.lane.engine.check(&literals).ok()? {
            Outcome::Sat => self.lane.engine.model().ok(),
            _ => None,
        }
    }

    fn read_model(&mut self, terms: &Terms, key: &[Term]) -> Result<Known, Z3Error> {
        let found = self.lane.engine.model()?;
        self.read(terms, key, &found)
    }

    /// A model of the formulas as values of ours, evaluated.
    fn read(&mut self, terms: &Terms, key: &[Term], found: &z3::Model) -> Result<Known, Z3Error> {
        let model = self.values(terms, key.iter(), found)?;
        self.verified(terms, key, model)
    }

    /// What a model says about the symbols of some formulas.
    fn values<'t>(
        &mut self,
        terms: &Terms,
        formulas: impl Iterator<Item = &'t Term>,
        found: &z3::Model,
    ) -> Result<Model, Z3Error> {
        let mut model = Model::new();
        model.complete_with_zero = true;
        let formulas: Vec<Term> = formulas.copied().collect();
        for symbol in terms.free_symbols(&formulas) {
            let constant = self.encoder.encode(terms, terms.symbol_term(symbol))?;
            let Some(value) = decode::value_of(found, terms, symbol, &constant) else {
                let name = terms.symbol_name(symbol);
                return Err(Z3Error(format!(
                    "the model's value of `{name}` could not be read"
                )));
            };
            model.set(symbol, value);
        }
        Ok(model)
    }

    /// The model, if the formulas are true in it.
    pub(crate) fn verified(&mut self, terms: &Terms, key: &[Term], model: Model) -> Result<Known, Z3Error> {
        let truths = terms
            .eval_all(key, &model)
            .map_err(|error| Z3Error(error.to_string()))?;
        if truths.iter().any(|truth| truth.as_bool() != Some(true)) {
            self.statistics.wrong_models += 1;
            return Ok(Known::Unknown(Unknown::WrongModel, self.time_limit));
        }
        Ok(Known::Sat(Some(Rc::new(model))))
    }
}

impl Z3Solver {
    fn ask_once(&mut self, terms: &mut Terms, formula: Term, want: Want) -> Result<Known, Z3Error> {
        if !once::has_arrays(terms, formula) {
            return self.ask_as_it_is(terms, formula, want);
        }
        let Some(flat) = flatten(terms, formula) else {
            return self.ask_as_it_is(terms, formula, want);
        };
        let known = self.ask_as_it_is(terms, flat.formula, want)?;
        let Known::Sat(Some(model)) = known else {
            return Ok(known);
        };
        let model = flat
            .lift(terms, Model::clone(&model))
            .map_err(|error| Z3Error(error.to_string()))?;
        self.verified(terms, &[formula], model)
    }

    fn ask_as_it_is(&mut self, terms: &mut Terms, formula: Term, want: Want) -> Result<Known, Z3Error> {
        let narrowed = narrow(terms, formula);
        if self.prover != Prover::Z3
            && let Some(known) = self.ask_by_bits(terms, &[formula], &[narrowed], want)?
        {
            return Ok(known);
        }
        let engine = once::engine_for(&self.context, terms, formula)?;
        self.lane.limits.set(&engine)?;
        engine.assert(&self.encoder.encode(terms, narrowed)?)?;
        let start = Instant::now();
        let outcome = engine.check(&[])?;
        match outcome {
            Outcome::Unknown(reason) => {
                let late = self.time_limit.is_some_and(|limit| start.elapsed() >= limit);
                let reason = match Unknown::from_reason(&reason) {
                    Unknown::Interrupted if late => Unknown::TimeLimit,
                    reason => reason,
                };
                Ok(Known::Unknown(reason, self.time_limit))
            }
            Outcome::Unsat => Ok(Known::Unsat {
                core: None,
                minimal: false,
            }),
            Outcome::Sat if !matches!(want, Want::Model | Want::Either) => Ok(Known::Sat(None)),
            Outcome::Sat => {
                let found = engine.model()?;
                self.read(terms, &[formula], &found)
            }
        }
    }
}

impl Z3Solver {
    fn ask_for_best(
        &mut self,
        terms: &mut Terms,
        hard: &[Term],
        soft: &[(Term, u64)],
    ) -> Result<Known, Z3Error> {
        let optimiser = Optimiser::new(&self.context, milliseconds(self.time_limit))?;
        for &formula in hard {
            optimiser.assert(&self.encoder.encode(terms, formula)?)?;
        }
        for &(formula, weight) in soft {
            optimiser.prefer(&self.encoder.encode(terms, formula)?, weight)?;
        }
        let start = Instant::now();
        match optimiser.check()? {
            Outcome::Unknown(reason) => {
                let late = self.time_limit.is_some_and(|limit| start.elapsed() >= limit);
                let reason = match Unknown::from_reason(&reason) {
                    Unknown::Interrupted if late => Unknown::TimeLimit,
                    reason => reason,
                };
                Ok(Known::Unknown(reason, self.time_limit))
            }
            Outcome::Unsat => Ok(Known::Unsat {
                core: None,
                minimal: false,
            }),
            Outcome::Sat => {
                let found = optimiser.model()?;
                let model = self.values(terms, hard.iter().chain(soft.iter().map(|(f, _)| f)), &found)?;
                Ok(self.verified(terms, hard, model)?)
            }
        }
    }
}

impl Solver for Z3Solver {
    fn optimise(
        &mut self,
        terms: &mut Terms,
        hard: &[Term],
        soft: &[(Term, u64)],
    ) -> Result<Option<Optimum>, Unknown> {
        let start = Instant::now();
        let known = match self.ask_for_best_by_bits(terms, hard, soft) {
            Ok(None) => self.ask_for_best(terms, hard, soft).map(|known| (known, true)),
            Ok(Some(known)) => Ok(known),
            Err(error) => Err(error),
        };
        let answer = match known {
            Ok((Known::Sat(Some(model)), is_least)) => cost(terms, soft, &model).map(|cost| {
                Some(Optimum {
                    cost,
                    model: (*model).clone(),
                    is_least,
                })
            }),
            Ok((Known::Sat(None), _)) => unreachable!("the model was read"),
            Ok((Known::Unsat { .. }, _)) => Ok(None),
            Ok((Known::Unknown(reason, _), _)) => Err(reason),
            Err(error) => Err(unknown(error)),
        };
        self.statistics
            .count(Kind::Check, false, answer.is_err(), start.elapsed());
        answer
    }

    fn check_once(&mut self, terms: &mut Terms, formula: Term, want: Want) -> Answer {
        let start = Instant::now();
        let known = self.ask_once(terms, formula, want);
        let answer = match known {
            Ok(Known::Sat(model)) => Answer::Sat(model.map(|model| (*model).clone())),
            Ok(Known::Unsat { .. }) => Answer::Unsat(Vec::new()),
            Ok(Known::Unknown(reason, _)) => Answer::Unknown(reason),
            Err(error) => Answer::Unknown(unknown(error)),
        };
        let is_unknown = matches!(answer, Answer::Unknown(_));
        self.statistics
            .count(Kind::Check, false, is_unknown, start.elapsed());
        answer
    }

    fn impossible(&mut self, terms: &mut Terms, formulas: &[Term]) -> BTreeSet<Term> {
        let start = Instant::now();
        let Some(impossible) = self.impossible_by_bits(terms, formulas) else {
            return one_by_one(self, terms, formulas);
        };
        self.statistics.count(Kind::Check, false, false, start.elapsed());
        impossible
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[Term], want: Want) -> Answer {
        let asserted: Vec<Term> = self.scopes.iter().flatten().copied().collect();
        if asserted.is_empty() {
            return self.check_set(terms, assumptions, want);
        }
        let all: Vec<Term> = asserted.iter().chain(assumptions).copied().collect();
        let first = if want == Want::MinimalCore {
            Want::Core
        } else {
            want
        };
        match self.check_set(terms, &all, first) {
            Answer::Unsat(mut core) => {
                core.retain(|f| assumptions.contains(f) && !asserted.contains(f));
                if want == Want::MinimalCore {
                    core = self.minimise(terms, core, &asserted);
                }
                Answer::Unsat(core)
            }
            other => other,
        }
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    fn assert(&mut self, fact: Term) {
        self.scopes
            .last_mut()
            .expect("the outermost scope is never closed")
            .push(fact);
    }

    fn implies(&mut self, terms: &mut Terms, premises: &[Term], conclusion: Term, want: Want) -> Implication {
        let start = Instant::now();
        let negated = terms.not(conclusion);
        let mut all = premises.to_vec();
        all.push(negated);
        let answer = match self.check(terms, &all, want) {
            Answer::Sat(model) => Implication::Fails(model),
            Answer::Unsat(mut core) => {
                core.retain(|f| premises.contains(f));
                Implication::Holds(core)
            }
            Answer::Unknown(reason) => Implication::Unknown(reason),
        };
        let is_unknown = matches!(answer, Implication::Unknown(_));
        self.statistics
            .count(Kind::Implies, false, is_unknown, start.elapsed());
        answer
    }

    fn interpolate(&mut self, terms: &mut Terms, a: &[Term], b: &[Term], hints: &[Term]) -> Interpolation {
        let start = Instant::now();
        let result = interpolate::interpolate(self, terms, a, b, hints);
        if let Interpolation::Found(interpolant) = &result {
            *self.statistics.rungs.entry(interpolant.rung).or_default() += 1;
        }
        let is_unknown = matches!(result, Interpolation::Unknown(_) | Interpolation::NotFound);
        self.statistics
            .count(Kind::Interpolate, false, is_unknown, start.elapsed());
        result
    }

    fn project(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        keep: &BTreeSet<Symbol>,
    ) -> Result<Projection, Unknown> {
        let start = Instant::now();
        let result = project::project(self, terms, formula, keep);
        self.statistics
            .count(Kind::Project, false, result.is_err(), start.elapsed());
        result
    }

    fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
        self.lane.set_limits(Limits {
            time: limit,
            ..self.lane.limits
        });
    }

    fn time_limit(&self) -> Option<Duration> {
        self.time_limit
    }

    fn set_effort_limit(&mut self, limit: Option<u32>) {
        self.lane.set_limits(Limits {
            effort: limit,
            ..self.lane.limits
        });
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// What the formulas cost that do not hold.
fn cost(terms: &Terms, soft: &[(Term, u64)], model: &Model) -> Result<u64, Unknown> {
    let formulas: Vec<Term> = soft.iter().map(|&(formula, _)| formula).collect();
    let truths = terms
        .eval_all(&formulas, model)
        .map_err(|error| Unknown::Other(error.to_string()))?;
    let paid = soft.iter().zip(truths);
    let paid = paid.filter(|(_, truth)| truth.as_bool() != Some(true));
    Ok(paid.map(|((_, weight), _)| weight).sum())
}

/// Z3 counts milliseconds; the largest number is no limit.
pub(crate) fn milliseconds(limit: Option<Duration>) -> u32 {
    limit.map_or(u32::MAX, |d| {
        u32::try_from(d.as_millis()).unwrap_or(u32::MAX).max(1)
    })
}

pub(crate) fn unknown(error: Z3Error) -> Unknown {
    Unknown::from_reason(&error.0)
}

#[cfg(test)]
mod tests {
    use logic::{Sort, SymbolInfo};

    use super::*;

    /// A small generator of numbers, the same everywhere.
    fn next(state: &mut u64, below: usize) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as usize % below
    }

    #[test]
    fn what_is_decided_without_z3_is_decided_the_same_by_z3() {
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 is there");
        let mut terms = Terms::new();
        let mut state = 7;
        let (mut decided, mut contradictory) = (0, 0);
        for _ in 0..3000 {
            let width = [8, 32][next(&mut state, 2)];
            let words: Vec<Term> = ["a", "b", "c", "d"]
                .iter()
                .map(|name| {
                    terms.var(
                        &format!("{name}{width}"),
                        Sort::BitVec(width),
                        SymbolInfo::unsigned(),
                    )
                })
                .collect();
            let numbers = [0, 1, 2, 127, 1 << (width - 1), (1u128 << width) - 1];
            let words: Vec<Term> = words
                .into_iter()
                .chain(numbers.map(|number| terms.word(width, number)))
                .collect();
            let index = words[next(&mut state, words.len())];
            let arrays = ["m", "n"].map(|name| {
                let sort = Sort::Array {
                    index: width,
                    element: logic::ElementSort::BitVec(width),
                };
                terms.var(&format!("{name}{width}"), sort, SymbolInfo::unsigned())
            });
            let cells = arrays.map(|array| terms.select(array, index));
            let other = terms.select(arrays[0], words[0]);
            let words: Vec<Term> = words.into_iter().chain(cells).chain([other]).collect();
            let count = 1 + next(&mut state, 7);
            let formulas: Vec<Term> = (0..count)
                .map(|_| {
                    let (a, b) = (
                        words[next(&mut state, words.len())],
                        words[next(&mut state, words.len())],
                    );
                    let atom = match next(&mut state, 6) {
                        0 => terms.slt(a, b),
                        1 => terms.sle(a, b),
                        2 => terms.ult(a, b),
                        _ => terms.eq(a, b),
                    };
                    if next(&mut state, 2) == 0 {
                        terms.not(atom)
                    } else {
                        atom
                    }
                })
                .collect();
            let key = Cache::key(formulas.into_iter());
            let Some(answer) = simple::decide(&terms, &key) else {
                continue;
            };
            decided += 1;
            match answer {
                Decided::Sat(model) => {
                    let values = terms.eval_all(&key, &model).expect("the model has all symbols");
                    assert!(values.iter().all(|value| value.as_bool() == Some(true)));
                }
                Decided::Unsat(core, _) => {
                    contradictory += 1;
                    let by_z3 = solver.solve_by_z3(&mut terms, &Cache::key(core.into_iter()), Want::Verdict);
                    assert!(matches!(by_z3, Ok(Known::Unsat { .. })));
                }
            }
        }
        assert!(decided > 1000 && contradictory > 300, "{decided} {contradictory}");
    }
}
