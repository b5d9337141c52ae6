//! The solver on Z3: proxies, checks, cores, models.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use logic::{Op, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use z3_sys::Z3_mk_not;

use crate::answer::{Answer, Implication, Interpolation, Model, Projection, Unknown, Want};
use crate::cache::{Cache, Known};
use crate::encode::Encoder;
use crate::statistics::{Kind, Statistics};
use crate::z3::{self, Ast, Context, Engine, Interrupter, Outcome, Z3Error};
use crate::{Solver, decode, interpolate, project};

/// After so many named formulas the solver is started anew: each of them costs every later check a little.
const MAX_PROXIES: usize = 4096;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The time that one check may take.
    pub time_limit: Option<Duration>,
    /// The memory that Z3 may use, in MiB. It is one limit for the whole process; the last one set counts.
    pub memory_limit: Option<u32>,
}

/// A [`Solver`] on Z3. It belongs to one thread and to one pool of terms.
pub struct Z3Solver {
    context: Context,
    engine: Engine,
    encoder: Encoder,
    /// A literal for each named formula, defined in `engine`.
    proxies: FxHashMap<Term, Ast>,
    negations: FxHashMap<Term, Ast>,
    named: u64,
    /// What is asserted, from the outermost scope inwards; the first is never closed.
    scopes: Vec<Vec<Term>>,
    cache: Cache,
    pub(crate) statistics: Statistics,
    time_limit: Option<Duration>,
}

impl Z3Solver {
    pub fn new(options: &Options) -> Result<Z3Solver, Unknown> {
        if let Some(megabytes) = options.memory_limit {
            z3::set_global("memory_max_size", &megabytes.to_string());
        }
        let build = || {
            let context = Context::new()?;
            let engine = new_engine(&context, options.time_limit)?;
            let encoder = Encoder::new(&context);
            Ok((context, engine, encoder))
        };
        let (context, engine, encoder) = build().map_err(unknown)?;
        Ok(Z3Solver {
            context,
            engine,
            encoder,
            proxies: FxHashMap::default(),
            negations: FxHashMap::default(),
            named: 0,
            scopes: vec![Vec::new()],
            cache: Cache::default(),
            statistics: Statistics::default(),
            time_limit: options.time_limit,
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

    /// A literal that stands for the formula. An atom is named once for both signs; anything bigger is only implied
    /// by its name, which is enough for an assumption and cheaper.
    fn literal(&mut self, terms: &mut Terms, formula: Term) -> Result<Ast, Z3Error> {
        let (atom, positive) = terms.literal(formula);
        if terms.op(atom).is_connective() {
            return match self.proxies.get(&formula) {
                Some(proxy) => Ok(proxy.clone()),
                None => self.name(terms, formula, z3_sys::Z3_mk_implies),
            };
        }
        if !positive && let Some(negation) = self.negations.get(&atom) {
            return Ok(negation.clone());
        }
        let proxy = match self.proxies.get(&atom) {
            Some(proxy) => proxy.clone(),
            None if matches!(terms.op(atom), Op::Symbol(_)) => {
                let symbol = self.encoder.encode(terms, atom)?;
                self.proxies.insert(atom, symbol.clone());
                symbol
            }
            None => self.name(terms, atom, z3_sys::Z3_mk_eq)?,
        };
        if positive {
            return Ok(proxy);
        }
        let negation = self.context.unary(Z3_mk_not, &proxy)?;
        self.negations.insert(atom, negation.clone());
        Ok(negation)
    }

    fn name(&mut self, terms: &Terms, formula: Term, defined_by: z3::Binary) -> Result<Ast, Z3Error> {
        let meaning = self.encoder.encode(terms, formula)?;
        let proxy = self
            .context
            .constant(&format!("name!{}", self.named), &self.context.bool_sort()?)?;
        self.named += 1;
        self.engine
            .assert(&self.context.binary(defined_by, &proxy, &meaning)?)?;
        self.proxies.insert(formula, proxy.clone());
        Ok(proxy)
    }

    fn restart_if_big(&mut self) -> Result<(), Z3Error> {
        if self.proxies.len() > MAX_PROXIES {
            self.engine = new_engine(&self.context, self.time_limit)?;
            self.proxies.clear();
            self.negations.clear();
            self.statistics.restarts += 1;
        }
        Ok(())
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
                    Err(error) => Known::Unknown(unknown(error), self.time_limit),
                };
                self.cache.insert(key, known.clone());
                known
            }
        };
        let answer = match known {
            Known::Sat(model) => Answer::Sat(model.filter(|_| want == Want::Model).map(|m| (*m).clone())),
            Known::Unsat { core, .. } => match want {
                Want::Core | Want::MinimalCore => Answer::Unsat(core.map_or(Vec::new(), |c| c.to_vec())),
                Want::Verdict | Want::Model => Answer::Unsat(Vec::new()),
            },
            Known::Unknown(reason, _) => Answer::Unknown(reason),
        };
        let is_unknown = matches!(answer, Answer::Unknown(_));
        self.statistics
            .count(Kind::Check, hit, is_unknown, start.elapsed());
        answer
    }

    fn solve(&mut self, terms: &mut Terms, key: &[Term], want: Want) -> Result<Known, Z3Error> {
        let falsehood = terms.bool(false);
        if key.binary_search(&falsehood).is_ok() {
            return Ok(Known::Unsat {
                core: Some(Rc::from([falsehood])),
                minimal: true,
            });
        }
        self.restart_if_big()?;
        let mut literals = Vec::with_capacity(key.len());
        for &formula in key {
            if terms.as_bool(formula).is_none() {
                literals.push(self.literal(terms, formula)?);
            }
        }
        let start = Instant::now();
        match self.engine.check(&literals)? {
            Outcome::Unknown(reason) => {
                // Z3 reports its own time limit as an interruption too.
                let late = self.time_limit.is_some_and(|limit| start.elapsed() >= limit);
                let reason = match Unknown::from_reason(&reason) {
                    Unknown::Interrupted if late => Unknown::TimeLimit,
                    reason => reason,
                };
                Ok(Known::Unknown(reason, self.time_limit))
            }
            Outcome::Sat if want != Want::Model => Ok(Known::Sat(None)),
            Outcome::Sat => self.read_model(terms, key),
            Outcome::Unsat if matches!(want, Want::Verdict | Want::Model) => Ok(Known::Unsat {
                core: None,
                minimal: false,
            }),
            Outcome::Unsat => {
                let used: Vec<u32> = self.engine.core()?.iter().map(Ast::id).collect();
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
    fn minimise(&mut self, terms: &mut Terms, core: Vec<Term>, always: &[Term]) -> Vec<Term> {
        let mut needed: Vec<Term> = Vec::new();
        let mut rest = core;
        while let Some(candidate) = rest.pop() {
            let set: Vec<Term> = needed.iter().chain(&rest).chain(always).copied().collect();
            match self.check_set(terms, &set, Want::Core) {
                Answer::Unsat(smaller) => rest.retain(|f| smaller.contains(f)),
                _ => needed.push(candidate),
            }
        }
        needed.sort_unstable();
        needed
    }

    /// A model of the formulas in Z3's own form, for what works on models.
    pub(crate) fn raw_model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Option<z3::Model> {
        let mut literals = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            literals.push(self.literal(terms, formula).ok()?);
        }
        match self.engine.check(&literals).ok()? {
            Outcome::Sat => self.engine.model().ok(),
            _ => None,
        }
    }

    fn read_model(&mut self, terms: &Terms, key: &[Term]) -> Result<Known, Z3Error> {
        let found = self.engine.model()?;
        let mut model = Model::new();
        model.complete_with_zero = true;
        for symbol in terms.free_symbols(key) {
            let constant = self.encoder.encode(terms, terms.symbol_term(symbol))?;
            let Some(value) = decode::value_of(&found, terms, symbol, &constant) else {
                let name = terms.symbol_name(symbol);
                return Err(Z3Error(format!(
                    "the model's value of `{name}` could not be read"
                )));
            };
            model.set(symbol, value);
        }
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

impl Solver for Z3Solver {
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
        if limit != self.time_limit {
            self.time_limit = limit;
            // A limit that cannot be set would show as a query that takes longer, not as a wrong answer.
            let _ = self.engine.configure(milliseconds(limit));
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

fn new_engine(context: &Context, limit: Option<Duration>) -> Result<Engine, Z3Error> {
    let engine = Engine::new(context, None)?;
    engine.configure(milliseconds(limit))?;
    Ok(engine)
}

/// Z3 counts milliseconds; the largest number is no limit.
fn milliseconds(limit: Option<Duration>) -> u32 {
    limit.map_or(u32::MAX, |d| {
        u32::try_from(d.as_millis()).unwrap_or(u32::MAX).max(1)
    })
}

pub(crate) fn unknown(error: Z3Error) -> Unknown {
    Unknown::from_reason(&error.0)
}
