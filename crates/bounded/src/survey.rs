//! The unwound program for somebody who looks on: every place with the condition under which a run comes there, what leads to
//! it, and formulas of theirs about the state there. The search asks for an error; whoever compares runs with each other asks
//! for more.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use logic::{Symbol, Term};
use program::{EdgeId, FuncId, LocId, Program};
use semantics::{Path, Semantics, Step};
use verdict::{Reason, Task};

use crate::order::Order;
use crate::unwinding::{Arrival, Bound, HazardKind, Lens, NodeId, Unwinding};

/// How far the program is to be unwound, and what is to be noted.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Formulas about the state at a location.
    pub formulas: BTreeMap<LocId, Vec<Term>>,
    /// How many rounds of a loop, by its head, may come that need not.
    pub rounds: BTreeMap<LocId, u32>,
    /// The same for other loops, and for activations of a function in others of it.
    pub other_rounds: u32,
    /// Steps in all.
    pub fuel: u64,
}

/// Rounds of a loop that have to come are not counted against a plan; but there is an end.
const ROUNDS: u32 = 10_000;

/// An unwound program. What leads to a place comes before it.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    pub places: Vec<Place>,
    /// Where runs take an error edge.
    pub errors: Vec<Taken>,
    /// Where runs do what has no meaning here.
    pub obstacles: Vec<Taken>,
    /// Where runs go further than the plan.
    pub cut_short: Vec<CutShort>,
    /// What a step from a place was given, in order: each such symbol is an input.
    pub inputs: Vec<(usize, Step, Symbol)>,
}

/// A location in a certain round of its loops in a certain chain of calls.
#[derive(Clone, Debug)]
pub struct Place {
    pub loc: LocId,
    /// When a run comes here.
    pub guard: Term,
    /// Whether no call is open.
    pub outermost: bool,
    pub ways: Vec<Way>,
    /// What was to be noted, in the plan's order.
    pub formulas: Vec<Term>,
}

/// A step to a place.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub from: usize,
    pub step: Step,
    /// When it is taken.
    pub guard: Term,
}

/// An edge that ends what is followed of a run.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub from: usize,
    pub edge: EdgeId,
    pub guard: Term,
}

/// A place that runs come to but that is not followed.
#[derive(Clone, Debug)]
pub struct CutShort {
    pub loc: LocId,
    pub guard: Term,
    pub outermost: bool,
    pub ways: Vec<Way>,
}

/// Unwinds the program as planned.
pub fn survey(
    semantics: &mut Semantics<'_>,
    task: &Task<'_>,
    plan: &Plan,
    budget: &Budget,
) -> Result<Survey, Reason> {
    let mut unwinding = Unwinding::new(semantics, task).map_err(|unsupported| Reason::Unsupported {
        what: format!("the program's initial values need {unsupported}"),
        at: None,
    })?;
    unwinding.look_through(Lens {
        formulas: plan.formulas.clone(),
        ..Lens::default()
    });
    let allows = |loc: LocId, depth: Bound| {
        let chosen = plan.rounds.get(&loc).copied().unwrap_or(plan.other_rounds);
        Bound { chosen, all: ROUNDS }.allows(depth)
    };
    unwinding.unwind(semantics, &allows, plan.fuel, budget)?;
    let lens = unwinding.take_lens().expect("it was put there");
    // Places of the search that were not noted are those behind a call that leads nowhere.
    let mut index: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, sight) in lens.sights.iter().enumerate() {
        index.insert(sight.node.index(), number);
    }
    let at = |node: NodeId| index.get(&node.index()).copied();
    let ways = |arrivals: &[Arrival]| -> Vec<Way> {
        let known = arrivals.iter().filter_map(|arrival| {
            Some(Way {
                from: at(arrival.from)?,
                step: arrival.step,
                guard: arrival.guard,
            })
        });
        known.collect()
    };
    let mut survey = Survey::default();
    for sight in lens.sights {
        survey.places.push(Place {
            loc: sight.loc,
            guard: sight.guard,
            outermost: sight.outermost,
            ways: ways(unwinding.arrivals(sight.node)),
            formulas: sight.formulas,
        });
    }
    for hazard in unwinding.take_hazards() {
        let (edge, list) = match hazard.kind {
            HazardKind::Error(edge) => (edge, &mut survey.errors),
            HazardKind::Unsupported(edge, _) | HazardKind::Elsewhere(edge) => (edge, &mut survey.obstacles),
        };
        if let Some(from) = at(hazard.node) {
            list.push(Taken {
                from,
                edge,
                guard: hazard.guard,
            });
        }
    }
    for cut in unwinding.cut_off(semantics) {
        survey.cut_short.push(CutShort {
            loc: cut.loc,
            guard: cut.guard,
            outermost: cut.outermost,
            ways: ways(&cut.arrivals),
        });
    }
    let inputs = lens.inputs.into_iter();
    survey.inputs = inputs
        .filter_map(|(node, step, symbol)| Some((at(node)?, step, symbol)))
        .collect();
    Ok(survey)
}

/// How often a path comes back to the head of each loop at most before it leaves it.
pub fn rounds_of(program: &Program, path: &Path, locations: &[LocId]) -> BTreeMap<LocId, u32> {
    let mut orders: BTreeMap<FuncId, Order> = BTreeMap::new();
    let mut most = BTreeMap::new();
    // For each open call, the loops that it is in: the position of the head, and the round.
    let mut open: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    for (index, &loc) in locations.iter().enumerate() {
        let function = program.locs[loc].function;
        let order = orders
            .entry(function)
            .or_insert_with(|| Order::new(program, function));
        let there = order.of(loc);
        let step = index.checked_sub(1).map(|before| path.steps[before]);
        let mut from = step.map(|step| program.edges[step.edge()].from);
        match step {
            Some(Step::Enter { .. }) => {
                open.push(Vec::new());
                from = None;
            }
            Some(Step::Leave { .. }) => {
                open.pop();
            }
            _ => {}
        }
        let Some(loops) = open.last_mut() else { break };
        let is_round = from.is_some_and(|from| there.is_back_edge_from(order.of(from)));
        let kept = loops.iter().zip(&there.heads);
        let kept = kept.take_while(|((head, _), there)| head == *there).count();
        loops.truncate(kept);
        for &head in &there.heads[kept..] {
            loops.push((head, 0));
        }
        if is_round && let Some((_, round)) = loops.last_mut() {
            *round += 1;
            let most: &mut u32 = most.entry(loc).or_default();
            *most = (*most).max(*round);
        }
    }
    most
}

/// The heads of the loops that a path is in where it ends, in all calls that are open then.
pub fn loops_open(program: &Program, path: &Path, locations: &[LocId]) -> BTreeSet<LocId> {
    let mut open: Vec<LocId> = Vec::new();
    for (&loc, step) in locations.iter().zip(&path.steps) {
        match step {
            Step::Enter { .. } => open.push(loc),
            Step::Leave { .. } => {
                open.pop();
            }
            _ => {}
        }
    }
    open.extend(locations.last());
    let heads = open.into_iter().flat_map(|loc| {
        let order = Order::new(program, program.locs[loc].function);
        order.heads_around(loc)
    });
    heads.collect()
}
