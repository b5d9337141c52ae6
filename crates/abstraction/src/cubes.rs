//! The weakest disjunction of cubes over given literals that implies a formula.
//!
//! Cubes are tried by increasing length; what a shorter cube implies, its extensions need not be asked for. Every model
//! in which the formula fails rules out all cubes it satisfies, so that most cubes are decided without the solver.

use logic::{Term, Terms};
use rustc_hash::FxHashMap;
use semantics::Semantics;
use solver::{Answer, Solver, Want};

use budget::{Budget, Exhausted};

/// A conjunction of literals: positions in the list of predicates, with the value each must have.
pub(crate) type Cube = Vec<(usize, bool)>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CubeStatistics {
    /// Questions `F(φ)` asked.
    pub searches: u64,
    /// Of them, answered from earlier ones.
    pub repeated: u64,
    /// Cubes given to the solver.
    pub solver_calls: u64,
    /// Cubes ruled out by a model.
    pub ruled_out: u64,
}

/// Searches for cubes; answers are kept for the whole run.
pub struct Cubes {
    max_length: Option<usize>,
    known: FxHashMap<(Term, Vec<Term>), Vec<Cube>>,
    pub statistics: CubeStatistics,
}

impl Cubes {
    pub fn new(max_length: Option<usize>) -> Cubes {
        Cubes {
            max_length,
            known: FxHashMap::default(),
            statistics: CubeStatistics::default(),
        }
    }

    /// The prime cubes over `literals` that imply `formula`.
    pub(crate) fn implying(
        &mut self,
        semantics: &mut Semantics<'_>,
        solver: &mut dyn Solver,
        literals: &[Term],
        formula: Term,
        budget: &Budget,
    ) -> Result<Vec<Cube>, Exhausted> {
        self.statistics.searches += 1;
        if let Some(constant) = semantics.terms.as_bool(formula) {
            return Ok(if constant { vec![Vec::new()] } else { Vec::new() });
        }
        // A literal that is the formula says it all.
        let (atom, positive) = semantics.terms.literal(formula);
        if let Some(position) = literals.iter().position(|&literal| literal == atom) {
            return Ok(vec![vec![(position, positive)]]);
        }
        let relevant = cone(&semantics.terms, literals, formula);
        let key = (
            formula,
            relevant
                .iter()
                .map(|&position| literals[position])
                .collect::<Vec<Term>>(),
        );
        if let Some(known) = self.known.get(&key) {
            self.statistics.repeated += 1;
            return Ok(in_positions(known, &relevant));
        }
        let found = self.search(semantics, solver, &key.1, formula, budget)?;
        let result = in_positions(&found, &relevant);
        self.known.insert(key, found);
        Ok(result)
    }

    fn search(
        &mut self,
        semantics: &mut Semantics<'_>,
        solver: &mut dyn Solver,
        literals: &[Term],
        formula: Term,
        budget: &Budget,
    ) -> Result<Vec<Cube>, Exhausted> {
        let negated = semantics.terms.not(formula);
        let mut facts = semantics.address_facts(&[literals, &[formula]].concat());
        facts.push(negated);
        let mut search = Search {
            literals,
            facts,
            implicants: Vec::new(),
            inconsistent: Vec::new(),
            models: Vec::new(),
        };
        let longest = self.max_length.unwrap_or(literals.len()).min(literals.len());
        let mut layer: Vec<Cube> = vec![Vec::new()];
        for length in 0..=longest {
            let mut next = Vec::new();
            for cube in layer {
                budget.check()?;
                if search.is_decided(&cube) {
                    continue;
                }
                if search.fails(&cube) {
                    self.statistics.ruled_out += 1;
                } else {
                    self.statistics.solver_calls += 1;
                    if search.ask(semantics, solver, &cube) {
                        continue;
                    }
                }
                if length < longest {
                    let start = cube.last().map_or(0, |&(position, _)| position + 1);
                    for position in start..literals.len() {
                        for value in [true, false] {
                            let mut longer = cube.clone();
                            longer.push((position, value));
                            next.push(longer);
                        }
                    }
                }
            }
            layer = next;
        }
        Ok(search.implicants)
    }
}

struct Search<'a> {
    literals: &'a [Term],
    /// The negated formula and what is known about addresses.
    facts: Vec<Term>,
    implicants: Vec<Cube>,
    inconsistent: Vec<Cube>,
    /// The literals' values in models in which the formula fails.
    models: Vec<Vec<bool>>,
}

impl Search<'_> {
    /// Whether a part of the cube implies the formula already, or contradicts itself.
    fn is_decided(&self, cube: &Cube) -> bool {
        let covers = |part: &Cube| part.iter().all(|literal| cube.contains(literal));
        self.implicants.iter().any(covers) || self.inconsistent.iter().any(covers)
    }

    /// Whether a known model satisfies the cube and not the formula.
    fn fails(&self, cube: &Cube) -> bool {
        self.models
            .iter()
            .any(|model| cube.iter().all(|&(position, value)| model[position] == value))
    }

    /// Asks the solver; whether the cube is decided now. No answer counts as no implication.
    fn ask(&mut self, semantics: &mut Semantics<'_>, solver: &mut dyn Solver, cube: &Cube) -> bool {
        let mut assumptions = self.facts.clone();
        let negated = self.facts[self.facts.len() - 1];
        let mut terms_of_cube = Vec::new();
        for &(position, value) in cube {
            let literal = self.literals[position];
            let literal = if value {
                literal
            } else {
                semantics.terms.not(literal)
            };
            terms_of_cube.push(literal);
            assumptions.push(literal);
        }
        match solver.check(&mut semantics.terms, &assumptions, Want::Core) {
            Answer::Unsat(core) => {
                let part: Cube = cube
                    .iter()
                    .zip(&terms_of_cube)
                    .filter(|(_, term)| core.contains(term))
                    .map(|(&literal, _)| literal)
                    .collect();
                if core.contains(&negated) || part.is_empty() {
                    self.implicants.push(part);
                } else {
                    self.inconsistent.push(part);
                }
                true
            }
            Answer::Sat(_) => {
                if let Answer::Sat(Some(model)) =
                    solver.check(&mut semantics.terms, &assumptions, Want::Model)
                    && let Ok(values) = semantics.terms.eval_all(self.literals, &model)
                {
                    self.models
                        .push(values.iter().map(|value| value.as_bool() == Some(true)).collect());
                }
                false
            }
            Answer::Unknown(_) => false,
        }
    }
}

/// The literals that can bear on the formula: those connected to it by shared symbols.
fn cone(terms: &Terms, literals: &[Term], formula: Term) -> Vec<usize> {
    let mut reached = terms.free_symbols(&[formula]);
    let symbols: Vec<_> = literals
        .iter()
        .map(|&literal| terms.free_symbols(&[literal]))
        .collect();
    let mut chosen = vec![false; literals.len()];
    loop {
        let mut grown = false;
        for (position, mentioned) in symbols.iter().enumerate() {
            if !chosen[position] && !mentioned.is_disjoint(&reached) {
                chosen[position] = true;
                reached.extend(mentioned.iter().copied());
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    (0..literals.len()).filter(|&position| chosen[position]).collect()
}

/// Cubes over the relevant literals, as cubes over all of them.
fn in_positions(cubes: &[Cube], relevant: &[usize]) -> Vec<Cube> {
    cubes
        .iter()
        .map(|cube| {
            cube.iter()
                .map(|&(index, value)| (relevant[index], value))
                .collect()
        })
        .collect()
}
