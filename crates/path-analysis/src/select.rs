//! Choosing predicates: the cheapest of the candidates that make the abstraction of the path contradictory.

use std::collections::BTreeSet;

use budget::Budget;
use logic::Term;
use semantics::{Path, Semantics};
use solver::{Solver, minimise};

use crate::abstract_path::{AbstractPath, Predicate, abstract_path};
use crate::patience::{EFFORT, MOMENT, Patience};
use crate::simulate::{Simulation, Stop};

/// What the choice is about.
pub(crate) struct Question<'a> {
    pub simulation: &'a Simulation,
    pub path: &'a Path,
    /// The last step that matters.
    pub last: usize,
    /// The steps of the conditions that contradict.
    pub conditions: &'a BTreeSet<usize>,
}

/// A chosen predicate and the positions at which it carries something.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// Its place in the list it was chosen from.
    pub index: usize,
    pub positions: Vec<usize>,
}

/// A smallest choice from a list that starts with the most welcome; the first `free` of it cost nothing. `None` if all
/// together do not suffice.
pub(crate) fn select(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    question: &Question<'_>,
    predicates: &[Predicate],
    free: usize,
    budget: &Budget,
) -> Result<Option<Vec<Chosen>>, Stop> {
    let path = abstract_path(
        semantics,
        question.simulation,
        question.path,
        question.last,
        question.conditions,
        predicates,
    );
    let mut selection = Selection {
        semantics,
        solver,
        path,
        connections: Vec::new(),
        facts: Vec::new(),
        patience: Patience::default(),
        is_first: true,
        budget,
    };
    selection.connect(predicates.len());
    let all: Vec<usize> = (0..predicates.len()).collect();
    let Some(mut rest) = selection.sufficient(&all)? else {
        return Ok(None);
    };
    if free > 0 && selection.sufficient(&(0..free).collect::<Vec<_>>())?.is_some() {
        return Ok(Some(Vec::new()));
    }
    let given: Vec<usize> = (0..free).collect();
    rest.retain(|&index| index >= free);
    let mut needed = minimise(rest, |others| {
        budget.check()?;
        selection.sufficient(&[&given, others].concat())
    })?;
    needed.sort_unstable();
    let used: Vec<usize> = given.iter().chain(&needed).copied().collect();
    let positions = selection.positions(&used)?;
    Ok(Some(
        needed
            .into_iter()
            .map(|index| Chosen {
                index,
                positions: positions
                    .iter()
                    .filter(|&&(predicate, _)| predicate == index)
                    .map(|&(_, position)| position)
                    .collect(),
            })
            .collect(),
    ))
}

struct Selection<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    solver: &'a mut dyn Solver,
    path: AbstractPath,
    /// For each predicate, all that it connects.
    connections: Vec<Term>,
    /// What is known about addresses in every state.
    facts: Vec<Term>,
    patience: Patience,
    is_first: bool,
    budget: &'a Budget,
}

impl Selection<'_, '_> {
    fn connect(&mut self, count: usize) {
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); count];
        for link in &self.path.links {
            parts[link.predicate].push(link.term);
        }
        self.connections = parts
            .iter()
            .map(|terms| self.semantics.terms.all(terms))
            .collect();
        let guards = self.path.guards.iter().map(|&(_, guard)| guard);
        let roots: Vec<Term> = guards.chain(self.connections.iter().copied()).collect();
        self.facts = self.semantics.address_facts(&roots);
    }

    /// What holds whatever predicates are chosen.
    fn given(&self) -> Vec<Term> {
        let guards = self.path.guards.iter().map(|&(_, guard)| guard);
        guards.chain(self.facts.iter().copied()).collect()
    }

    /// Those of the predicates that a contradiction needs; `None` if there is none.
    fn sufficient(&mut self, chosen: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        let mut assumptions = self.given();
        assumptions.extend(chosen.iter().map(|&index| self.connections[index]));
        let effort = if self.is_first { MOMENT } else { EFFORT };
        self.is_first = false;
        let terms = &mut self.semantics.terms;
        // What cannot be shown to suffice does not.
        let core = (self.patience).core(terms, self.solver, &assumptions, effort, self.budget)?;
        Ok(core.map(|core| {
            let used = chosen.iter().copied();
            used.filter(|&index| core.contains(&self.connections[index]))
                .collect()
        }))
    }

    /// Where the chosen predicates carry something that the contradiction needs.
    fn positions(&mut self, chosen: &[usize]) -> Result<Vec<(usize, usize)>, Stop> {
        let links: Vec<(usize, usize, Term)> = self
            .path
            .links
            .iter()
            .filter(|link| chosen.contains(&link.predicate))
            .map(|link| (link.predicate, link.position, link.term))
            .collect();
        let mut assumptions = self.given();
        assumptions.extend(links.iter().map(|&(_, _, term)| term));
        let terms = &mut self.semantics.terms;
        let core = (self.patience).core(terms, self.solver, &assumptions, MOMENT, self.budget)?;
        let core = core.unwrap_or(assumptions);
        let mut positions: Vec<(usize, usize)> = links
            .into_iter()
            .filter(|(_, _, term)| core.contains(term))
            .map(|(predicate, position, _)| (predicate, position))
            .collect();
        positions.sort_unstable();
        positions.dedup();
        Ok(positions)
    }
}
