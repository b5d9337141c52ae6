//! The whole analysis of a path.

use std::collections::BTreeSet;
use std::rc::Rc;

use budget::Budget;
use logic::{Sort, Term};
use program::{FuncId, LocId};
use rustc_hash::FxHashSet;
use semantics::{FreshCause, Malformed, Path, Semantics};
use solver::{Answer, Solver, Want};
use symbolic_execution::{Cause, Execution, point_apart};
use verdict::{Doubt, Given, Reason};

use crate::abstract_path::Predicate;
use crate::candidates::{Candidate, Vocabulary, candidates};
use crate::feasibility::{ask, first_contradiction};
use crate::given::{foreseen, values};
use crate::input::{Feasible, Input};
use crate::reduce::{Reduced, reduce, unreduced};
use crate::select::{Chosen, Question, select};
use crate::simulate::{Simulation, Stop, simulate};
use crate::table::{SliceStep, Table, slice, table};

#[derive(Clone)]
pub struct Options {
    /// Predicates that are there already, with their scopes: the new ones are those that are needed besides them.
    pub known: Vec<(Term, Option<FuncId>)>,
    /// Whether predicates may speak of values at procedure entry ([`semantics::Storage::AtEntry`]).
    pub entry_values: bool,
    /// Storage whose constants are known all at once, as soon as one is: that two of it are equal is worth saying only where
    /// that is not enough.
    pub enumerated: Rc<FxHashSet<Term>>,
    /// The start of the program with chosen addresses, where paths have one in common: with much static data, making it takes
    /// longer than a path.
    pub start: Option<Execution>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            known: Vec::new(),
            entry_values: true,
            enumerated: Rc::default(),
            start: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Analysis {
    Feasible(Feasible),
    Infeasible(Explanation),
    Unknown(Reason),
}

/// Why a path cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// New predicates; none is a conjunction, and none is the negation of another.
    pub predicates: Vec<Found>,
    /// Whether the abstraction of the path over the known and the new predicates is contradictory. Where it is not,
    /// the predicates are the best that was found.
    pub sufficient: bool,
    /// Whether the known predicates alone would have been enough for an exact abstraction: then the new ones, if any,
    /// are another way to say it.
    pub known_suffice: bool,
    /// The steps of the conditions that contradict each other; the last is the first that cannot be taken.
    pub core: Vec<usize>,
    /// The smallest part of the path that is still contradictory.
    pub slice: Vec<SliceStep>,
    pub table: Table,
    pub statistics: Statistics,
}

/// A predicate of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// An atom over the current state.
    pub term: Term,
    /// The function whose locals it mentions; a global predicate mentions none.
    pub scope: Option<FuncId>,
    /// The positions (a position is before the step of its number) at which it says something that matters.
    pub positions: Vec<usize>,
    /// The same as locations, each once.
    pub locations: Vec<LocId>,
}

/// The size of the work, up to the contradiction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps simulated.
    pub steps: usize,
    /// Entries of the store Ω.
    pub store: usize,
    /// Conditions Φ.
    pub conditions: usize,
    /// Entries of the history Π.
    pub history: usize,
    /// Predicates that were considered.
    pub candidates: usize,
}

/// Simulates the path, and explains why it cannot be taken or gives the inputs with which it is.
pub fn analyse(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    path: &Path,
    options: &Options,
    budget: &Budget,
) -> Result<Analysis, Malformed> {
    let locations = path.locations(semantics.program)?;
    Ok(
        match analyse_well_formed(semantics, solver, path, &locations, options, budget) {
            Ok(analysis) => analysis,
            Err(stop) => Analysis::Unknown(stop.reason),
        },
    )
}

fn analyse_well_formed(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    path: &Path,
    locations: &[LocId],
    options: &Options,
    budget: &Budget,
) -> Result<Analysis, Stop> {
    let simulation = simulate(semantics, path, options.start.as_ref(), budget)?;
    let Some(contradiction) = first_contradiction(semantics, solver, &simulation, budget)? else {
        return feasible(semantics, solver, path, &simulation, budget);
    };
    let reduced = reduce(semantics, solver, &simulation, &contradiction, budget)?;
    let explanation = Explainer {
        semantics,
        solver,
        path,
        simulation: &simulation,
        options,
        budget,
        considered: 0,
    }
    .explain(&contradiction, &reduced)?;
    let Selected {
        predicates,
        sufficient,
        known_suffice,
        considered,
    } = explanation;
    let last = last_step(&simulation, &reduced);
    let found = predicates
        .into_iter()
        .map(|(predicate, positions)| {
            let places: BTreeSet<LocId> = positions.iter().map(|&position| locations[position]).collect();
            Found {
                term: predicate.term,
                scope: predicate.scope,
                positions,
                locations: places.into_iter().collect(),
            }
        })
        .collect();
    let in_store = |position: usize| {
        simulation
            .definitions
            .iter()
            .filter(|d| d.lives_at(position) && semantics.storage_of(d.symbol).is_some())
            .count()
    };
    let history = simulation.definitions.iter().filter(|d| d.died <= last).count();
    let statistics = Statistics {
        steps: last + 1,
        store: in_store(last),
        conditions: simulation.conditions.iter().filter(|c| c.step <= last).count(),
        history,
        candidates: considered,
    };
    Ok(Analysis::Infeasible(Explanation {
        predicates: found,
        sufficient,
        known_suffice,
        core: reduced
            .conditions
            .iter()
            .map(|&index| simulation.conditions[index].step)
            .collect(),
        slice: slice(&simulation, path, &reduced),
        table: table(semantics, &simulation, &reduced),
        statistics,
    }))
}

fn last_step(simulation: &Simulation, reduced: &Reduced) -> usize {
    reduced
        .conditions
        .iter()
        .map(|&index| simulation.conditions[index].step)
        .max()
        .expect("a contradiction has conditions")
}

/// That `main` is given a handful of arguments, if the path asks how many there are.
fn few_arguments(semantics: &mut Semantics<'_>, execution: &Execution) -> Option<Term> {
    const FEW: u128 = 16;
    let program = semantics.program;
    let count = execution
        .unknowns()
        .iter()
        .find_map(|unknown| match unknown.cause {
            Cause::Parameter(var, 0) => {
                let function = &program.functions[program.vars[var].function?];
                let is_count = function.name == "main" && function.params.first() == Some(&var);
                is_count.then_some(unknown.exact)
            }
            _ => None,
        })?;
    let Sort::BitVec(bits) = semantics.terms.sort(count) else {
        return None;
    };
    let most = semantics.terms.word(bits, FEW);
    Some(semantics.terms.ule(count, most))
}

/// Inputs that take the path, without undefined behaviour where that is possible.
fn feasible(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    path: &Path,
    simulation: &Simulation,
    budget: &Budget,
) -> Result<Analysis, Stop> {
    let execution = &simulation.execution;
    let conditions: Vec<Term> = simulation.conditions.iter().map(|c| c.exact).collect();
    let mut all = conditions.clone();
    all.extend(simulation.defined.iter().map(|&(_, condition)| condition));
    let mut environment = Vec::new();
    let mut undefined = Vec::new();
    let mut answer = ask(&mut semantics.terms, solver, &all, Want::Model, budget)?;
    // People start programs with few arguments.
    if let Answer::Sat(Some(_)) = answer
        && let Some(few) = few_arguments(semantics, execution)
    {
        all.push(few);
        match solver.check(&mut semantics.terms, &all, Want::Model) {
            fewer @ Answer::Sat(Some(_)) => answer = fewer,
            _ => {
                all.pop();
            }
        }
    }
    if answer.is_unsat()
        && let Answer::Unsat(core) = ask(&mut semantics.terms, solver, &all, Want::MinimalCore, budget)?
    {
        let first = |term: &Term| simulation.defined.iter().find(|(_, other)| other == term);
        undefined = core.iter().filter_map(first).map(|&(step, _)| step).collect();
        undefined.sort_unstable();
        undefined.dedup();
    }
    let (model, defined) = match answer {
        Answer::Sat(Some(model)) => {
            let pointed = point_apart(semantics, solver, execution, &all, model, budget);
            environment = pointed.environment;
            (pointed.model, true)
        }
        _ => match ask(&mut semantics.terms, solver, &conditions, Want::Model, budget)? {
            Answer::Sat(Some(model)) => (model, false),
            Answer::Unknown(reason) => {
                return Ok(Analysis::Unknown(Reason::Solver(reason.to_string())));
            }
            _ => {
                let what = "the solver gave no values for a path that it found feasible";
                return Ok(Analysis::Unknown(Reason::Solver(what.to_owned())));
            }
        },
    };
    let mut model = model;
    model.complete_with_zero = true;
    let mut inputs = Vec::with_capacity(execution.unknowns().len());
    for unknown in execution.unknowns().iter() {
        let value = semantics.terms.eval(unknown.exact, &model)?;
        inputs.push(Input {
            cause: unknown.cause,
            step: unknown.step,
            symbol: unknown.symbol,
            value,
        });
    }
    let mut memory = execution.initial_memory(semantics, &all, &model)?;
    // Where only undefined behaviour leads on, nothing is there for pointers that point nowhere.
    memory.environment = if defined { environment } else { Vec::new() };
    let first = |cause: FreshCause| {
        let mut unknowns = execution.unknowns().iter();
        let unknown = unknowns.find(|unknown| unknown.cause == Cause::Edge(cause))?;
        Some(path.steps[unknown.step?].edge())
    };
    let doubt = first(FreshCause::Unfollowed)
        .map(Doubt::Unfollowed)
        .or_else(|| first(FreshCause::OutOfRange).map(Doubt::OutOfRange))
        .or_else(|| foreseen(path, execution, &inputs).map(Doubt::Foreseen));
    Ok(Analysis::Feasible(Feasible {
        given: Given {
            values: values(semantics.program, path, &inputs),
            placed: Vec::new(),
            memory,
        },
        inputs,
        defined,
        undefined,
        doubt,
    }))
}

/// What was chosen, with the positions at which each matters.
struct Selected {
    predicates: Vec<(Predicate, Vec<usize>)>,
    sufficient: bool,
    known_suffice: bool,
    considered: usize,
}

/// From so many candidates on, so few of the cheapest are tried first.
const MANY: usize = 100;
const FEW: usize = 40;

struct Explainer<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    path: &'a Path,
    simulation: &'a Simulation,
    options: &'a Options,
    budget: &'a Budget,
    considered: usize,
}

impl Explainer<'_, '_> {
    /// Tries the reduced path's candidates, then those of the path with nothing forgotten; values at procedure entry only
    /// where the others do not suffice, and which blocks are in use only where these do not.
    fn explain(mut self, contradiction: &[usize], reduced: &Reduced) -> Result<Selected, Stop> {
        let whole = unreduced(self.simulation, contradiction);
        let mut pool: Vec<Candidate> = Vec::new();
        let mut best: Option<Vec<Candidate>> = None;
        let forgot = whole.definitions != reduced.kept() || whole.conditions != reduced.conditions;
        let entry_values = self.options.entry_values;
        let allocates = !self.simulation.execution.allocations().is_empty();
        let vocabularies = [(false, false), (entry_values, false), (entry_values, allocates)];
        let mut vocabularies: Vec<Vocabulary> = vocabularies
            .map(|(entry_values, blocks)| Vocabulary { entry_values, blocks })
            .to_vec();
        vocabularies.dedup();
        let parts = [reduced, &whole];
        let parts = &parts[..if forgot { 2 } else { 1 }];
        let stages = vocabularies
            .iter()
            .flat_map(|&vocabulary| parts.iter().map(move |&part| (part, vocabulary)));
        for (part, vocabulary) in stages.collect::<Vec<_>>() {
            let found = candidates(
                self.semantics,
                self.simulation,
                part,
                vocabulary,
                &self.options.enumerated,
                self.budget,
            )?;
            best.get_or_insert_with(|| found.clone());
            for candidate in found {
                if !pool
                    .iter()
                    .any(|other| (other.term, other.scope) == (candidate.term, candidate.scope))
                {
                    pool.push(candidate);
                }
            }
            pool.sort_by_key(|candidate| candidate.cost);
            if let Some(selected) = self.choose(&pool, part)? {
                return Ok(selected);
            }
        }
        // Nothing suffices: the cheapest of what was found, so that the caller has something to go on with. What the
        // reduced path brings comes first.
        const SOME: usize = 6;
        let lists = [best.unwrap_or_default(), pool];
        let new = lists.iter().map(|list| {
            let new = list.iter().filter(|candidate| !self.is_known(candidate.term));
            let new = new.take(SOME);
            new.map(|candidate| (as_predicate(candidate), Vec::new()))
                .collect()
        });
        let predicates = new.into_iter().find(|new: &Vec<_>| !new.is_empty());
        Ok(Selected {
            predicates: predicates.unwrap_or_default(),
            sufficient: false,
            known_suffice: false,
            considered: self.considered,
        })
    }

    /// A term's symbols say where it can be spoken of: the scope plays no part.
    fn is_known(&self, term: Term) -> bool {
        self.options.known.iter().any(|&(known, _)| known == term)
    }

    fn choose(&mut self, pool: &[Candidate], part: &Reduced) -> Result<Option<Selected>, Stop> {
        let conditions: BTreeSet<usize> = part
            .conditions
            .iter()
            .map(|&index| self.simulation.conditions[index].step)
            .collect();
        let question = Question {
            simulation: self.simulation,
            path: self.path,
            last: last_step(self.simulation, part),
            conditions: &conditions,
        };
        // What is known costs nothing. Known predicates that the path does not suggest are not considered: they make the
        // question large and hardly ever the choice smaller.
        let (known, new): (Vec<&Candidate>, Vec<&Candidate>) =
            pool.iter().partition(|candidate| self.is_known(candidate.term));
        let free = known.len();
        let list: Vec<Predicate> = known.into_iter().chain(new).map(as_predicate).collect();
        self.considered = list.len() - free;
        let mut known_suffice = false;
        let Some(mut chosen) = self.select(&question, &list, free)? else {
            return Ok(None);
        };
        let mut list = list;
        if chosen.is_empty() {
            // The abstraction lost what the known predicates could say: say it in other words.
            known_suffice = true;
            list = pool.iter().map(as_predicate).collect();
            chosen = self.select(&question, &list, 0)?.unwrap_or_default();
        }
        let predicates = chosen
            .into_iter()
            .map(|chosen| (list[chosen.index], chosen.positions))
            .filter(|(predicate, _)| !self.is_known(predicate.term))
            .collect();
        Ok(Some(Selected {
            predicates,
            sufficient: true,
            known_suffice,
            considered: self.considered,
        }))
    }

    /// The question is as large as the list is long, times the path: of many, a few of the cheapest are tried first.
    fn select(
        &mut self,
        question: &Question<'_>,
        list: &[Predicate],
        free: usize,
    ) -> Result<Option<Vec<Chosen>>, Stop> {
        let mut select = |list| select(self.semantics, self.solver, question, list, free, self.budget);
        if list.len() - free > MANY
            && let Some(chosen) = select(&list[..free + FEW])?
        {
            return Ok(Some(chosen));
        }
        select(list)
    }
}

fn as_predicate(candidate: &Candidate) -> Predicate {
    Predicate {
        term: candidate.term,
        scope: candidate.scope,
    }
}
