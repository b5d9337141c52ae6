//! The weakest disjunction of cubes over given literals that implies a formula.
//!
//! Cubes are tried by increasing length; what a shorter cube implies, its extensions need not be asked for. A model in
//! which a cube holds and the formula fails is a witness against the cube: whatever extends the cube to one that implies
//! the formula must contradict the witness, so that only the literals that do are worth adding. Witnesses are kept with
//! the formula: when the same question comes back with more predicates, what was known is not asked again.

use std::rc::Rc;

use indexmap::IndexMap;
use logic::{Term, Terms};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use semantics::Semantics;
use solver::{Answer, Model, Solver, Want};

use budget::{Budget, Exhausted};

use crate::footprint::Footprints;
use crate::translate::Options;

/// A conjunction of literals: positions in the list of predicates, with the value each must have.
pub(crate) type Cube = Vec<(usize, bool)>;

/// A conjunction of literals of predicates, in the order of their terms.
type Literals = Vec<(Term, bool)>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CubeStatistics {
    /// Questions `F(φ)` asked.
    pub searches: u64,
    /// Of them, answered from earlier ones.
    pub repeated: u64,
    /// Of them, searched for. The others have answers that need no search.
    pub anew: u64,
    /// Cubes given to the solver.
    pub solver_calls: u64,
    /// Cubes ruled out by a model.
    pub ruled_out: u64,
    /// Searches that ended because they had asked too often, with what they had found.
    pub cut_short: u64,
}

/// Searches for cubes; answers are kept for the whole run.
pub struct Cubes {
    max_length: Option<usize>,
    most_asked: Option<usize>,
    known: FxHashMap<(Term, Vec<Term>), Vec<Cube>>,
    formulas: FxHashMap<Term, Findings>,
    /// Literals that exclude each other, whatever the formula.
    inconsistent: FxHashSet<Literals>,
    footprints: Footprints,
    pub statistics: CubeStatistics,
}

/// What is known about the cubes of one formula, over all literals that were ever asked about.
#[derive(Default)]
struct Findings {
    literals: IndexMap<Term, usize, FxBuildHasher>,
    implicants: FxHashSet<Literals>,
    witnesses: Vec<Witness>,
}

/// Values of the state in which the formula fails.
struct Witness {
    model: Rc<Model>,
    /// Which of the literals of [`Findings`] hold, where it is known.
    truths: Vec<Option<bool>>,
}

impl Cubes {
    pub fn new(options: &Options) -> Cubes {
        Cubes {
            max_length: options.cube_length,
            most_asked: options.cube_queries,
            known: FxHashMap::default(),
            formulas: FxHashMap::default(),
            inconsistent: FxHashSet::default(),
            footprints: Footprints::default(),
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
        let relevant = self.footprints.cone(&mut semantics.terms, literals, formula);
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
        let found = self.search(semantics, solver, &key.1, formula, self.max_length, budget)?;
        let result = in_positions(&found, &relevant);
        self.known.insert(key, found);
        Ok(result)
    }

    /// The cubes of at most `length` literals that no state satisfies, none a part of another.
    pub(crate) fn contradictions(
        &mut self,
        semantics: &mut Semantics<'_>,
        solver: &mut dyn Solver,
        literals: &[Term],
        length: usize,
        budget: &Budget,
    ) -> Result<Vec<Cube>, Exhausted> {
        self.statistics.searches += 1;
        let nothing = semantics.terms.bool(false);
        let key = (nothing, literals.to_vec());
        if let Some(known) = self.known.get(&key) {
            self.statistics.repeated += 1;
            return Ok(known.clone());
        }
        let found = self.search(semantics, solver, literals, nothing, Some(length), budget)?;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    fn search(
        &mut self,
        semantics: &mut Semantics<'_>,
        solver: &mut dyn Solver,
        literals: &[Term],
        formula: Term,
        max_length: Option<usize>,
        budget: &Budget,
    ) -> Result<Vec<Cube>, Exhausted> {
        self.statistics.anew += 1;
        let nothing = semantics.terms.bool(false);
        let negated = semantics.terms.not(formula);
        let mut facts = semantics.address_facts(&[literals, &[formula]].concat());
        facts.push(negated);
        let findings = self.formulas.entry(formula).or_default();
        let columns = findings.add_literals(semantics, literals, &facts);
        let longest = max_length.unwrap_or(literals.len()).min(literals.len());
        let mut search = Search {
            literals,
            columns,
            links: Links::new(&mut self.footprints, &mut semantics.terms, literals, formula),
            facts,
            findings,
            inconsistent: &mut self.inconsistent,
            implicants: Vec::new(),
            contradictions: Vec::new(),
        };
        let mut asked = 0;
        let mut layer: Vec<Cube> = vec![Vec::new()];
        for length in 0..=longest {
            let mut next: FxHashSet<Cube> = FxHashSet::default();
            for cube in layer {
                budget.check()?;
                if search.is_decided(&cube) {
                    continue;
                }
                let worth_asking = search.links.connect(&cube);
                let witness = match search.witness(&cube) {
                    Some(witness) => {
                        self.statistics.ruled_out += 1;
                        Some(witness)
                    }
                    None if !worth_asking => None,
                    None if Some(asked) == self.most_asked && formula != nothing => {
                        self.statistics.cut_short += 1;
                        return Ok(search.implicants);
                    }
                    None => {
                        asked += 1;
                        self.statistics.solver_calls += 1;
                        match search.ask(semantics, solver, &cube) {
                            Judgement::Decided => continue,
                            Judgement::Fails(witness) => witness,
                        }
                    }
                };
                if length < longest {
                    search.extend(&cube, witness, length + 1 == longest, &mut next);
                }
            }
            layer = next.into_iter().collect();
            layer.sort_unstable();
        }
        Ok(if semantics.terms.as_bool(formula) == Some(false) {
            search.contradictions
        } else {
            search.implicants
        })
    }
}

impl Findings {
    /// The columns of the literals in the witnesses' truth values.
    fn add_literals(&mut self, semantics: &Semantics<'_>, literals: &[Term], facts: &[Term]) -> Vec<usize> {
        let old = self.literals.len();
        let mut new = Vec::new();
        let columns = literals
            .iter()
            .map(|&literal| {
                let next = self.literals.len();
                *self.literals.entry(literal).or_insert_with(|| {
                    new.push(literal);
                    next
                })
            })
            .collect();
        if new.is_empty() {
            return columns;
        }
        let roots: Vec<Term> = new.iter().chain(facts).copied().collect();
        for witness in &mut self.witnesses {
            debug_assert_eq!(witness.truths.len(), old, "witnesses know all literals so far");
            let values = semantics
                .terms
                .eval_all(&roots, &witness.model)
                .unwrap_or_default();
            let holds = |index: usize| values.get(index).and_then(|value| value.as_bool());
            let is_state = (new.len()..roots.len()).all(|index| holds(index) == Some(true));
            // What the model says about symbols it was not made for counts only if it is a state all the same.
            witness
                .truths
                .extend((0..new.len()).map(|index| holds(index).filter(|_| is_state)));
        }
        columns
    }
}

enum Judgement {
    /// The cube, or a part of it, implies the formula or contradicts itself.
    Decided,
    /// With the witness, if one could be read.
    Fails(Option<usize>),
}

struct Search<'a> {
    literals: &'a [Term],
    /// Where each literal is in the witnesses' truth values.
    columns: Vec<usize>,
    links: Links,
    /// What is known about addresses, and last the negated formula.
    facts: Vec<Term>,
    findings: &'a mut Findings,
    inconsistent: &'a mut FxHashSet<Literals>,
    implicants: Vec<Cube>,
    /// Cubes that were found to exclude themselves, now or earlier.
    contradictions: Vec<Cube>,
}

impl Search<'_> {
    fn as_literals(&self, cube: &[(usize, bool)]) -> Literals {
        let mut literals: Literals = cube
            .iter()
            .map(|&(position, value)| (self.literals[position], value))
            .collect();
        literals.sort_unstable();
        literals
    }

    /// Whether a part of the cube implies the formula already, or contradicts itself.
    fn is_decided(&mut self, cube: &Cube) -> bool {
        let covers = |part: &Cube| part.iter().all(|literal| cube.contains(literal));
        if self.implicants.iter().any(covers) {
            return true;
        }
        if self.findings.implicants.contains(&self.as_literals(cube)) {
            self.implicants.push(cube.clone());
            return true;
        }
        let contradiction = parts(cube).find(|part| self.inconsistent.contains(&self.as_literals(part)));
        match contradiction {
            Some(part) => {
                if !self.contradictions.contains(&part) {
                    self.contradictions.push(part);
                }
                true
            }
            None => false,
        }
    }

    /// A known model that satisfies the cube and not the formula.
    fn witness(&self, cube: &Cube) -> Option<usize> {
        self.findings.witnesses.iter().position(|witness| {
            cube.iter()
                .all(|&(position, value)| witness.truths[self.columns[position]] == Some(value))
        })
    }

    /// The longer cubes that may imply the formula: with a witness, those that contradict it.
    fn extend(&self, cube: &Cube, witness: Option<usize>, last: bool, next: &mut FxHashSet<Cube>) {
        for position in 0..self.literals.len() {
            if cube.iter().any(|&(taken, _)| taken == position) {
                continue;
            }
            let truth = witness.and_then(|at| self.findings.witnesses[at].truths[self.columns[position]]);
            for value in [true, false] {
                if truth == Some(value) {
                    continue;
                }
                let mut longer = cube.clone();
                let at = longer.partition_point(|&(taken, _)| taken < position);
                longer.insert(at, (position, value));
                if !last || self.links.connect(&longer) {
                    next.insert(longer);
                }
            }
        }
    }

    /// Asks the solver. No answer counts as no implication.
    fn ask(&mut self, semantics: &mut Semantics<'_>, solver: &mut dyn Solver, cube: &Cube) -> Judgement {
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
        match solver.check(&mut semantics.terms, &assumptions, Want::Either) {
            Answer::Unsat(core) => {
                let part: Cube = cube
                    .iter()
                    .zip(&terms_of_cube)
                    .filter(|(_, term)| core.contains(term))
                    .map(|(&literal, _)| literal)
                    .collect();
                let literals = self.as_literals(&part);
                if core.contains(&negated) {
                    self.findings.implicants.insert(literals);
                    self.implicants.push(part);
                } else {
                    self.inconsistent.insert(literals);
                    self.contradictions.push(part);
                }
                Judgement::Decided
            }
            Answer::Sat(model) => {
                Judgement::Fails(model.and_then(|model| self.keep(&semantics.terms, model)))
            }
            Answer::Unknown(_) => Judgement::Fails(None),
        }
    }

    /// Keeps a model as a witness.
    fn keep(&mut self, terms: &Terms, model: Model) -> Option<usize> {
        let mut roots = vec![terms.bool(true); self.findings.literals.len()];
        for (&literal, &column) in &self.findings.literals {
            roots[column] = literal;
        }
        let asked: FxHashSet<usize> = self.columns.iter().copied().collect();
        let values = terms.eval_all(&roots, &model).ok()?;
        let truths = values
            .iter()
            .enumerate()
            // Literals that were not part of this question may need facts about addresses of their own.
            .map(|(column, value)| value.as_bool().filter(|_| asked.contains(&column)))
            .collect();
        self.findings.witnesses.push(Witness {
            model: Rc::new(model),
            truths,
        });
        Some(self.findings.witnesses.len() - 1)
    }
}

/// All parts of a cube that have two literals or more, the cube among them; of long cubes only it.
fn parts(cube: &Cube) -> impl Iterator<Item = Cube> + '_ {
    const LONG: usize = 6;
    let all = (1u32 << cube.len().min(LONG)) - 1;
    let first = if cube.len() > LONG { all } else { 1 };
    (first..=all).map(move |chosen| {
        cube.iter()
            .enumerate()
            .filter(|(index, _)| cube.len() > LONG || chosen & (1 << index) != 0)
            .map(|(_, &literal)| literal)
            .collect()
    })
}

/// Which literals have to do with each other and with the formula. In a cube that implies the formula and has no literal
/// too many, every literal is connected to it.
struct Links {
    to_formula: Vec<bool>,
    to_each_other: Vec<Vec<bool>>,
    /// A formula without symbols: a cube need only hang together.
    formula_is_constant: bool,
}

impl Links {
    fn new(footprints: &mut Footprints, terms: &mut Terms, literals: &[Term], formula: Term) -> Links {
        let mut to = |one: Term| -> Vec<bool> {
            literals
                .iter()
                .map(|&literal| footprints.are_linked(terms, one, literal))
                .collect()
        };
        let to_each_other = literals.iter().map(|&literal| to(literal)).collect();
        let to_formula = to(formula);
        Links {
            formula_is_constant: terms.free_symbols(&[formula]).is_empty(),
            to_formula,
            to_each_other,
        }
    }

    fn connect(&self, cube: &Cube) -> bool {
        let mut reached: Vec<usize> = Vec::with_capacity(cube.len());
        let mut rest: Vec<usize> = cube.iter().map(|&(position, _)| position).collect();
        if self.formula_is_constant {
            reached.extend(rest.pop());
        }
        loop {
            if rest.is_empty() {
                return true;
            }
            let before = rest.len();
            rest.retain(|&position| {
                let linked = self.to_formula[position]
                    || reached.iter().any(|&other| self.to_each_other[position][other]);
                if linked {
                    reached.push(position);
                }
                !linked
            });
            if rest.len() == before {
                return false;
            }
        }
    }
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
