//! Interpolants: a ladder of ways to guess one, and one way to verify it.
//!
//! The first rungs look for formulas that a person would write: hints, the atoms of the two sides, and what the cores
//! of the two sides say about the common symbols. Of these the simplest is taken, where an equation with one value is
//! the least welcome: `x >= y` carries over to the next iteration of a loop and `x == 2` does not. Later rungs are
//! tried only when these fail. A formula is an interpolant when the checks in machine words say so.

use std::collections::BTreeSet;
use std::convert::Infallible;

use logic::{Op, Symbol, Term, Terms};

use crate::answer::{Answer, Interpolant, Interpolation, Rung, Want};
use crate::eliminate::eliminate;
use crate::farkas::farkas;
use crate::minimise::minimise;
use crate::project::guess_with_integers;
use crate::rungs::{cover_by_models, spacer_on_integers, spacer_on_words};
use crate::session::Z3Solver;

/// More candidates than this cost more than they bring.
const MAX_CANDIDATES: usize = 32;

pub fn interpolate(
    solver: &mut Z3Solver,
    terms: &mut Terms,
    a: &[Term],
    b: &[Term],
    hints: &[Term],
) -> Interpolation {
    let split = |terms: &mut Terms, side: &[Term]| -> Vec<Term> {
        let whole = terms.all(side);
        terms.conjuncts(whole)
    };
    let (a, b) = (split(terms, a), split(terms, b));
    let both: Vec<Term> = a.iter().chain(&b).copied().collect();
    let core = match solver.check_set(terms, &both, Want::MinimalCore) {
        Answer::Unsat(core) => core,
        Answer::Unknown(reason) => return Interpolation::Unknown(reason),
        Answer::Sat(_) => {
            return match solver.check_set(terms, &both, Want::Model) {
                Answer::Sat(Some(model)) => Interpolation::Satisfiable(model),
                Answer::Unknown(reason) => Interpolation::Unknown(reason),
                _ => Interpolation::NotFound,
            };
        }
    };
    let common: BTreeSet<Symbol> = &terms.free_symbols(&a) & &terms.free_symbols(&b);
    let (core_a, core_b): (Vec<Term>, Vec<Term>) = core.iter().partition(|f| a.contains(f));
    if core_a.is_empty() || core_b.is_empty() {
        let term = terms.bool(core_a.is_empty());
        return Interpolation::Found(Interpolant {
            term,
            rung: Rung::OneSide,
        });
    }
    let mut ladder = Ladder {
        solver,
        a: core_a,
        b: core_b,
        common,
    };
    match ladder.climb(terms, hints) {
        Some(interpolant) => Interpolation::Found(interpolant),
        None => Interpolation::NotFound,
    }
}

/// The cores of two sides that contradict each other, and the symbols that both sides have.
struct Ladder<'a> {
    solver: &'a mut Z3Solver,
    a: Vec<Term>,
    b: Vec<Term>,
    common: BTreeSet<Symbol>,
}

impl Ladder<'_> {
    fn climb(&mut self, terms: &mut Terms, hints: &[Term]) -> Option<Interpolant> {
        if let Some(term) = self.by_candidates(terms, hints) {
            return Some(Interpolant {
                term,
                rung: Rung::Candidates,
            });
        }
        let own = self.own_atoms(terms);
        let guesses = [
            (self.by_candidates(terms, &own), Rung::Candidates),
            (self.by_projecting_b(terms), Rung::ProjectB),
            (self.by_projecting_a(terms), Rung::ProjectA),
        ];
        let simplest = guesses
            .into_iter()
            .filter_map(|(term, rung)| Some(Interpolant { term: term?, rung }))
            .min_by_key(|found| cost(terms, found.term));
        simplest.or_else(|| self.by_force(terms))
    }

    /// The rungs that are slower or whose formulas generalise less.
    fn by_force(&mut self, terms: &mut Terms) -> Option<Interpolant> {
        let (a, b) = (self.a.clone(), self.b.clone());
        for guess in farkas(self.solver, terms, &a, &b) {
            if self.verified(terms, guess) {
                return Some(Interpolant {
                    term: guess,
                    rung: Rung::Farkas,
                });
            }
        }
        let mut guesses = spacer_on_integers(self.solver, terms, &a, &b, &self.common);
        guesses.retain(|guess| self.verified(terms, *guess));
        let spacer = guesses.into_iter().next().or_else(|| {
            let guess = spacer_on_words(self.solver, terms, &a, &b, &self.common)?;
            self.verified(terms, guess).then_some(guess)
        });
        if let Some(term) = spacer {
            return Some(Interpolant {
                term,
                rung: Rung::Spacer,
            });
        }
        let cover_of_a = cover_by_models(self.solver, terms, &a, &self.common);
        let cover_of_b = match cover_of_a {
            Some(_) => None,
            None => cover_by_models(self.solver, terms, &b, &self.common).map(|cover| terms.not(cover)),
        };
        let term = cover_of_a.or(cover_of_b)?;
        self.verified(terms, term).then_some(Interpolant {
            term,
            rung: Rung::Models,
        })
    }

    /// `a` implies it, it contradicts `b`, and it is about the common symbols: decided in machine words.
    fn verified(&mut self, terms: &mut Terms, guess: Term) -> bool {
        terms.mentions_only(guess, &self.common) && self.follows(terms, guess) && self.blocks(terms, &[guess])
    }

    fn follows(&mut self, terms: &mut Terms, guess: Term) -> bool {
        self.refute(terms, guess).is_unsat()
    }

    /// Looks for values that make the first side true and the guess false.
    fn refute(&mut self, terms: &mut Terms, guess: Term) -> Answer {
        let negated = terms.not(guess);
        let mut query = self.a.clone();
        query.extend(terms.conjuncts(negated));
        self.solver.check_set(terms, &query, Want::Model)
    }

    fn blocks(&mut self, terms: &mut Terms, guesses: &[Term]) -> bool {
        let mut query = self.b.clone();
        for &guess in guesses {
            query.extend(terms.conjuncts(guess));
        }
        self.solver.check_set(terms, &query, Want::Verdict).is_unsat()
    }

    /// A smallest conjunction of candidates; those that come first stay first.
    fn by_candidates(&mut self, terms: &mut Terms, candidates: &[Term]) -> Option<Term> {
        let mut open: Vec<Term> = Vec::new();
        for &candidate in candidates {
            let usable = terms.as_bool(candidate).is_none() && terms.mentions_only(candidate, &self.common);
            if usable && !open.contains(&candidate) && open.len() < MAX_CANDIDATES {
                open.push(candidate);
            }
        }
        // A model in which one candidate fails shows the same of many others.
        open.reverse();
        let mut implied: Vec<Term> = Vec::new();
        while let Some(candidate) = open.pop() {
            match self.refute(terms, candidate) {
                Answer::Unsat(_) => implied.push(candidate),
                Answer::Sat(Some(model)) => open.retain(|other| {
                    terms
                        .eval(*other, &model)
                        .is_ok_and(|value| value.as_bool() == Some(true))
                }),
                _ => {}
            }
        }
        if implied.is_empty() || !self.blocks(terms, &implied) {
            return None;
        }
        Some(self.without_superfluous(terms, implied))
    }

    /// Leaves out conjuncts, the last first, while the rest still blocks; equations give way to inequalities.
    fn without_superfluous(&mut self, terms: &mut Terms, conjuncts: Vec<Term>) -> Term {
        let Ok(mut conjuncts) = minimise(conjuncts, |rest| {
            let enough = !rest.is_empty() && self.blocks(terms, rest);
            Ok::<_, Infallible>(enough.then(|| rest.to_vec()))
        });
        conjuncts.reverse();
        for index in 0..conjuncts.len() {
            for weaker in weaker_than_equation(terms, conjuncts[index]) {
                let mut weakened = conjuncts.clone();
                weakened[index] = weaker;
                if self.blocks(terms, &weakened) {
                    conjuncts = weakened;
                    break;
                }
            }
        }
        terms.all(&conjuncts)
    }

    /// The atoms of both sides about common symbols, in the sign in which they may separate the sides: what
    /// contradicts the second side first, equations last.
    fn own_atoms(&mut self, terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        for conjunct in self.b.clone() {
            found.push(terms.not(conjunct));
        }
        for side in [self.b.clone(), self.a.clone()] {
            let atoms: Vec<Term> = side.into_iter().flat_map(|f| terms.atoms(f)).collect();
            for atom in atoms {
                let negated = terms.not(atom);
                found.extend([atom, negated]);
            }
        }
        found.sort_by_key(|term| terms.op(*term) == Op::Eq);
        found.dedup();
        found
    }

    fn by_projecting_a(&mut self, terms: &mut Terms) -> Option<Term> {
        let left = eliminate(terms, &self.a, &self.common);
        let kept: Vec<Term> = left
            .iter()
            .copied()
            .filter(|c| terms.mentions_only(*c, &self.common))
            .collect();
        if !kept.is_empty() && self.blocks(terms, &kept) {
            return Some(self.without_superfluous(terms, kept)).filter(|guess| self.verified(terms, *guess));
        }
        if kept.len() == left.len() {
            return None;
        }
        for guess in guess_with_integers(self.solver, terms, &left, &self.common) {
            if self.verified(terms, guess) {
                let conjuncts = terms.conjuncts(guess);
                let smaller = self.without_superfluous(terms, conjuncts);
                return Some(smaller).filter(|guess| self.verified(terms, *guess));
            }
        }
        None
    }

    fn by_projecting_b(&mut self, terms: &mut Terms) -> Option<Term> {
        let left = eliminate(terms, &self.b, &self.common);
        let kept: Vec<Term> = left
            .iter()
            .copied()
            .filter(|c| terms.mentions_only(*c, &self.common))
            .collect();
        let without = terms.all(&kept);
        let mut guesses = vec![without];
        if kept.len() != left.len() {
            guesses.extend(guess_with_integers(self.solver, terms, &left, &self.common));
        }
        for guess in guesses {
            // What is left out of the projection makes its negation stronger, so the core of it is taken.
            let mut query = self.a.clone();
            let parts = terms.conjuncts(guess);
            query.extend(&parts);
            let Answer::Unsat(core) = self.solver.check_set(terms, &query, Want::MinimalCore) else {
                continue;
            };
            let needed: Vec<Term> = core.into_iter().filter(|f| parts.contains(f)).collect();
            let projected = terms.all(&needed);
            let negated = terms.not(projected);
            if self.verified(terms, negated) {
                return Some(negated);
            }
        }
        None
    }
}

/// `a == b` as the two inequalities that it implies, in the order that their symbols are read in.
fn weaker_than_equation(terms: &mut Terms, term: Term) -> Vec<Term> {
    let (Op::Eq, &[a, b]) = (terms.op(term), terms.args(term)) else {
        return Vec::new();
    };
    if terms.sort(a).width().is_none() {
        return Vec::new();
    }
    vec![terms.sle(b, a), terms.sle(a, b), terms.ule(b, a), terms.ule(a, b)]
}

/// Small formulas are better; an equation is worse than an inequality, one with a constant more so.
fn cost(terms: &Terms, term: Term) -> usize {
    let equations = terms
        .atoms(term)
        .into_iter()
        .filter(|atom| terms.op(*atom) == Op::Eq);
    let weights = equations.map(|atom| {
        let constant = terms.args(atom).iter().any(|side| terms.is_constant(*side));
        if constant { 12 } else { 6 }
    });
    terms.size(term) + weights.sum::<usize>()
}
