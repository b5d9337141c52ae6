//! Runs that do not end: the run comes back to a place in the state that it was there in before, having asked for some inputs on the
//! way. Given these again, and again, it goes on for ever. A call that is entered in the same state as one that has not
//! returned yet goes ever deeper.
//!
//! The interpreter makes the run and compares the states as a whole. Where the run does anything that C leaves undefined before it
//! is back, nothing is known of it.

use std::collections::BTreeSet;
use std::time::Instant;

use budget::Budget;
use interpreter::{Captured, Extent, Observer, Options, View};
use program::{
    BinaryOp, EdgeId, EdgeKind, Initial, IntKind, LocId, Program, Span, Var, VarKind, list_locations,
};
use verdict::{Given, Reason, Task};

use crate::arguments::{Arguments, arguments};
use crate::given::Giver;

/// A run that is claimed to come back.
#[derive(Clone, Debug)]
pub struct Lasso {
    pub given: Given,
    pub at: LocId,
    /// The visits of the place, counted from 1, in between which the run goes round.
    pub first: u64,
    pub again: u64,
    /// How many edges the run takes until it is back.
    pub edges: u64,
}

/// How a run goes on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It is in the same state again.
    State,
    /// It is in the same state again, but in another call that lies in the first one.
    Deeper,
}

/// Runs the program. If only some edges are fair, one of them has to be taken on the way round.
pub fn repeats(
    task: &Task<'_>,
    lasso: &Lasso,
    fair: Option<&BTreeSet<EdgeId>>,
    budget: &Budget,
) -> Result<Repeats, Reason> {
    let Arguments { strings, .. } = arguments(task.program, task.entry, &lasso.given);
    let options = Options {
        arguments: strings,
        step_limit: Some(lasso.edges + 1),
        error_functions: Vec::new(),
        deadline: budget
            .remaining_time()
            .and_then(|left| Instant::now().checked_add(left)),
        ..Options::default()
    };
    let entries = task.program.functions.values();
    let entries = entries.filter_map(|function| function.body.as_ref());
    let mut watch = Watch {
        program: task.program,
        lasso,
        is_entry: entries.into_iter().any(|body| body.entry == lasso.at),
        fair,
        visits: 0,
        first: None,
        least_depth: usize::MAX,
        was_fair: false,
        repeats: None,
    };
    let outcome = interpreter::run(
        task.program,
        task.entry,
        &options,
        &mut Giver::new(task.program, &lasso.given),
        &mut Captured::default(),
        &mut watch,
    );
    budget.check()?;
    if let Some(undefined) = outcome.undefined.first() {
        return Err(Reason::NotConfirmed(format!(
            "the endless run that was found has undefined behaviour: {}",
            undefined.message
        )));
    }
    // What functions without a body return is given, like any other input; a real machine may have room.
    if outcome.notes.iter().any(|note| note == interpreter::OUT_OF_ROOM) {
        return Err(Reason::NotConfirmed(format!(
            "in the endless run that was found {}",
            interpreter::OUT_OF_ROOM
        )));
    }
    let repeats = watch.repeats;
    repeats.ok_or_else(|| Reason::Internal("the run does not come back to the same state".to_owned()))
}

struct Watch<'a> {
    program: &'a Program,
    lasso: &'a Lasso,
    /// Whether functions are entered at the place.
    is_entry: bool,
    fair: Option<&'a BTreeSet<EdgeId>>,
    visits: u64,
    first: Option<First>,
    /// The fewest calls that were open since.
    least_depth: usize,
    was_fair: bool,
    repeats: Option<Repeats>,
}

/// The run as it was first there.
struct First {
    depth: usize,
    whole: Option<Vec<u8>>,
    activation: Option<Vec<u8>>,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let depth = view.depth();
        self.least_depth = self.least_depth.min(depth);
        if self.program.edges[edge].from == self.lasso.at {
            self.visits += 1;
            if self.visits == self.lasso.first {
                self.was_fair = false;
                self.least_depth = depth;
                self.first = Some(First {
                    depth,
                    whole: view.state(Extent::Whole),
                    activation: view.state(Extent::Activation),
                });
            } else if self.visits == self.lasso.again && view.first_unfounded().is_none() {
                self.repeats = self.compare(depth, view);
            }
        }
        self.was_fair |= self.fair.is_none_or(|fair| fair.contains(&edge));
    }
}

impl Watch<'_> {
    fn compare(&self, depth: usize, view: &View<'_, '_>) -> Option<Repeats> {
        let first = self.first.as_ref().filter(|_| self.was_fair)?;
        let same = |then: &Option<Vec<u8>>, extent| then.is_some() && *then == view.state(extent);
        if depth == first.depth && same(&first.whole, Extent::Whole) {
            return Some(Repeats::State);
        }
        let goes_deeper = self.is_entry && depth > first.depth && self.least_depth == first.depth;
        (goes_deeper && same(&first.activation, Extent::Activation)).then_some(Repeats::Deeper)
    }
}

/// The program with an error edge that is taken when a run comes to the place for the so-manieth time.
pub fn comes_back(mut program: Program, at: LocId, visits: u64) -> (Program, EdgeId) {
    let function = program.locs[at].function;
    let ty = program.types.int(IntKind::LongLong);
    let int = program.types.int(IntKind::Int);
    let span: Option<Span> = {
        let data = &program.locs[at];
        let leaving = data.outgoing.iter().find_map(|&edge| program.edges[edge].span);
        let first = data.loops.first().copied().or(leaving);
        first.or(program.functions[function].span)
    };
    let var = program.vars.push(Var {
        name: "visits$".to_owned(),
        ty,
        kind: VarKind::Global(Initial::Values(Vec::new())),
        function: None,
        span: None,
        is_const: false,
        align: 0,
    });
    let place = program.var_place(var);
    let read = program.read(place);
    let one = program.int(1, ty);
    let more = program.binary(BinaryOp::Add, read, one, ty);
    let (counted, back, end, moved) = (
        program.add_loc(function),
        program.add_loc(function),
        program.add_loc(function),
        program.add_loc(function),
    );
    let edges = std::mem::take(&mut program.locs[at].outgoing);
    for &edge in &edges {
        program.edges[edge].from = moved;
    }
    program.locs[moved].outgoing = edges;
    program.add_edge(at, counted, EdgeKind::Assign { place, value: more }, span);
    let all = program.int(i128::from(visits), ty);
    let condition = program.binary(BinaryOp::Eq, read, all, int);
    for (to, holds) in [(back, true), (moved, false)] {
        program.add_edge(counted, to, EdgeKind::Assume { condition, holds }, span);
    }
    let always = program.int(1, int);
    let error = program.add_edge(
        back,
        end,
        EdgeKind::Assume {
            condition: always,
            holds: true,
        },
        span,
    );
    list_locations(&mut program, function, &[counted, back, end, moved]);
    (program, error)
}
