//! A surveyed program as units with predicates, and the failing run in it.

use std::collections::{BTreeMap, BTreeSet};

use bounded::{CutShort, Survey};
use logic::{Assignment, Term, Value};
use program::{Callee, EdgeId, EdgeKind, FuncId, Id, IntShape, LocId, Program};
use semantics::{Path, Semantics, Step, Storage};
use verdict::{Given, Needed};

use crate::inputs::equals;
use crate::metric::{Shape, Visit};
use crate::predicates::{Predicates, components};
use crate::unwound::{Unit, Unwound, Way};

/// The action of a run that returns from the entry function, or that is followed no further.
pub const ENDS: usize = usize::MAX;

/// Which runs count as successful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// Those that come to the end of the program.
    Ends,
    /// Also those that go round an outermost loop, or one in which the failing run fails, as often as that.
    GoesOn,
}

/// A step from one place to another.
#[derive(Clone, Copy, Debug)]
pub struct Onward {
    pub step: Step,
    pub to: usize,
    pub guard: Term,
}

pub struct Model {
    pub survey: Survey,
    pub unwound: Unwound,
    pub shapes: Vec<Shape>,
    /// The places of each unit.
    pub places: Vec<Vec<usize>>,
    onward: Vec<Vec<Onward>>,
    /// How runs end well, by the place that they end at.
    endings: Vec<Ending>,
}

#[derive(Clone, Copy, Debug)]
struct Ending {
    place: usize,
    action: usize,
    guard: Term,
}

/// A way through the survey: the places that it comes to, and the steps between them.
#[derive(Clone, Debug)]
pub struct Track {
    pub places: Vec<usize>,
    pub steps: Vec<Step>,
}

impl Model {
    pub fn new(
        semantics: &mut Semantics<'_>,
        survey: Survey,
        predicates: &Predicates,
        entry_exit: LocId,
        success: Success,
        open: &BTreeSet<LocId>,
    ) -> Model {
        let program = semantics.program;
        let mut onward: Vec<Vec<Onward>> = vec![Vec::new(); survey.places.len()];
        for (to, place) in survey.places.iter().enumerate() {
            for way in &place.ways {
                onward[way.from].push(Onward {
                    step: way.step,
                    to,
                    guard: way.guard,
                });
            }
        }
        let endings = endings(program, &survey, entry_exit, success, open);
        let units = units(program, &survey, &onward);
        let mut unit_of = vec![0; survey.places.len()];
        for (number, places) in units.iter().enumerate() {
            for &place in places {
                unit_of[place] = number;
            }
        }
        let mut names: BTreeMap<(LocId, usize), usize> = BTreeMap::new();
        let mut shapes: Vec<Shape> = Vec::new();
        let mut unwound = Unwound::default();
        for places in &units {
            let first = &survey.places[places[0]];
            let location = *names.entry((first.loc, places.len())).or_insert_with(|| {
                let steps = places.iter().map(|&place| {
                    let here = predicates.get(&survey.places[place].loc);
                    components(semantics, here.map_or(&[], Vec::as_slice))
                });
                shapes.push(Shape {
                    steps: steps.collect(),
                });
                shapes.len() - 1
            });
            let last = places[places.len() - 1];
            let ways = onward[last].iter().map(|onward| Way {
                action: action(onward.step),
                to: Some(unit_of[onward.to]),
                guard: onward.guard,
            });
            let ends = endings.iter().filter(|ending| ending.place == last);
            let ends = ends.map(|ending| Way {
                action: ending.action,
                to: None,
                guard: ending.guard,
            });
            unwound.units.push(Unit {
                location,
                guard: first.guard,
                predicates: places
                    .iter()
                    .map(|&place| survey.places[place].formulas.clone())
                    .collect(),
                ways: ways.chain(ends).collect(),
            });
        }
        Model {
            survey,
            unwound,
            shapes,
            places: units,
            onward,
            endings,
        }
    }

    /// The way that a path takes, if it was surveyed as far as that.
    pub fn track(&self, path: &Path) -> Option<Track> {
        let mut here = 0;
        let mut places = vec![here];
        for &step in &path.steps {
            let mut onward = self.onward[here].iter();
            here = onward.find(|onward| onward.step == step)?.to;
            places.push(here);
        }
        Some(Track {
            places,
            steps: path.steps.clone(),
        })
    }

    /// The way of a run that ends well.
    pub fn track_of(&self, semantics: &Semantics<'_>, values: &Assignment) -> Option<Track> {
        let mut values = semantics.terms.evaluation(values);
        let mut holds = |guard: Term| values.holds(guard) == Ok(true);
        let mut here = 0;
        let mut track = Track {
            places: vec![here],
            steps: Vec::new(),
        };
        loop {
            let mut onward = self.onward[here].iter();
            match onward.find(|onward| holds(onward.guard)) {
                Some(onward) => {
                    here = onward.to;
                    track.places.push(here);
                    track.steps.push(onward.step);
                }
                None => {
                    let mut endings = self.endings.iter();
                    let ends = endings.any(|ending| ending.place == here && holds(ending.guard));
                    return ends.then_some(track);
                }
            }
        }
    }

    /// The visits of a run along a track that ends with an action.
    pub fn visits(
        &self,
        semantics: &Semantics<'_>,
        track: &Track,
        last: usize,
        values: &Assignment,
    ) -> Option<Vec<Visit>> {
        let first: BTreeMap<usize, usize> = self
            .places
            .iter()
            .enumerate()
            .map(|(unit, places)| (places[0], unit))
            .collect();
        let mut values = semantics.terms.evaluation(values);
        let mut visits = Vec::new();
        for (position, place) in track.places.iter().enumerate() {
            let Some(&number) = first.get(place) else { continue };
            let end = position + self.places[number].len() - 1;
            let action = track.steps.get(end).map_or(last, |&step| action(step));
            let unit = &self.unwound.units[number];
            visits.push(unit.visit(&mut values, number, action).ok()?);
        }
        Some(visits)
    }

    /// For each location by how much its differences are multiplied: those of some functions by `factor`.
    pub fn factors(&self, program: &Program, functions: &[FuncId], factor: u64) -> Vec<u64> {
        let mut factors = vec![1; self.shapes.len()];
        for (unit, places) in self.unwound.units.iter().zip(&self.places) {
            let loc = self.survey.places[places[0]].loc;
            if functions.contains(&program.locs[loc].function) {
                factors[unit.location] = factor;
            }
        }
        factors
    }

    /// How many of some visits there are up to the one that has a position.
    pub fn visits_up_to(&self, visits: &[Visit], position: usize) -> usize {
        let mut steps = 0;
        let before = visits.iter().take_while(|visit| {
            let is_before = steps <= position;
            steps += self.places[visit.unit].len();
            is_before
        });
        before.count()
    }

    /// How many steps a run has made at the end of a visit, by its number.
    pub fn steps_up_to(&self, visits: &[Visit], visit: usize) -> usize {
        visits[..=visit]
            .iter()
            .map(|visit| self.places[visit.unit].len())
            .sum()
    }

    /// That a run takes the track.
    pub fn taken(&self, semantics: &mut Semantics<'_>, track: &Track) -> Term {
        let mut guards = Vec::new();
        for (position, step) in track.steps.iter().enumerate() {
            let to = track.places[position + 1];
            let onward = self.onward[track.places[position]].iter();
            let onward = onward.filter(|onward| onward.step == *step && onward.to == to);
            guards.extend(onward.map(|onward| onward.guard));
        }
        semantics.terms.all(&guards)
    }

    /// That a run ends where the track does.
    pub fn endings_of(&self, track: &Track) -> Option<Term> {
        let last = track.places.last()?;
        let mut endings = self.endings.iter();
        endings
            .find(|ending| ending.place == *last)
            .map(|ending| ending.guard)
    }

    /// That the inputs of a track are those that a run was given, as far as they have symbols here.
    pub fn pinned(&self, semantics: &mut Semantics<'_>, track: &Track, given: &Given) -> Vec<Term> {
        let mut pins = Vec::new();
        let mut left: BTreeMap<EdgeId, Vec<i128>> = BTreeMap::new();
        for input in given.values.iter().rev() {
            match input.needed {
                Needed::At(edge) => left.entry(edge).or_default().push(input.value),
                Needed::Before(var, 0) if semantics.is_split(var) => {
                    let symbol = semantics.symbol(Storage::Variable(var, 0));
                    pins.extend(equals(semantics, symbol, input.value));
                }
                Needed::Before(..) => {}
            }
        }
        for (position, &step) in track.steps.iter().enumerate() {
            for symbol in self.inputs(track.places[position], step) {
                let value = left.get_mut(&step.edge()).and_then(Vec::pop);
                if let Some(value) = value {
                    pins.extend(equals(semantics, symbol, value));
                }
            }
        }
        pins
    }

    /// The symbols of what a step from a place is given.
    pub fn inputs(&self, place: usize, step: Step) -> impl Iterator<Item = logic::Symbol> + '_ {
        let start = self.survey.inputs.partition_point(|&(from, ..)| from < place);
        self.survey.inputs[start..]
            .iter()
            .take_while(move |&&(from, ..)| from == place)
            .filter(move |&&(_, taken, _)| taken == step)
            .map(|&(.., symbol)| symbol)
    }
}

/// An input's value as a run is given it.
pub fn integer(value: &Value) -> Option<i128> {
    match *value {
        Value::Word { width, bits } => {
            let shape = IntShape {
                bits: width,
                signed: true,
            };
            Some(shape.wrap(bits as i128))
        }
        Value::Bool(value) => Some(i128::from(value)),
        Value::Float { .. } | Value::Array(_) => None,
    }
}

pub fn action(step: Step) -> usize {
    step.edge().index()
}

fn endings(
    program: &Program,
    survey: &Survey,
    entry_exit: LocId,
    success: Success,
    open: &BTreeSet<LocId>,
) -> Vec<Ending> {
    let mut endings = Vec::new();
    for (number, place) in survey.places.iter().enumerate() {
        let leaves = place.outermost && place.loc == entry_exit;
        let by_call = program.locs[place.loc].outgoing.is_empty()
            && place.ways.iter().any(|way| ends_well(program, way.step.edge()));
        if leaves || by_call {
            endings.push(Ending {
                place: number,
                action: ENDS,
                guard: place.guard,
            });
        }
    }
    if success == Success::GoesOn {
        for cut in survey.cut_short.iter().filter(|cut| goes_on(cut, open)) {
            endings.extend(cut.ways.iter().map(|way| Ending {
                place: way.from,
                action: action(way.step),
                guard: way.guard,
            }));
        }
    }
    endings
}

/// Whether a run that is followed no further goes round a loop for one more time in which there is nothing new to come: an outermost
/// one, or one of those that the failing run is in where it fails.
pub fn goes_on(cut: &CutShort, open: &BTreeSet<LocId>) -> bool {
    cut.outermost || open.contains(&cut.loc)
}

/// Whether the call ends the program as it is meant to.
fn ends_well(program: &Program, edge: EdgeId) -> bool {
    let EdgeKind::Call {
        callee: Callee::Direct(callee),
        ..
    } = program.edges[edge].kind
    else {
        return false;
    };
    let known = library::of(&program.functions[callee].name);
    matches!(
        known.function.ends,
        Some(library::Ends::Exit | library::Ends::QuickExit)
    )
}

/// The places that follow each other whatever happens.
fn units(program: &Program, survey: &Survey, onward: &[Vec<Onward>]) -> Vec<Vec<usize>> {
    let mut leads: BTreeSet<LocId> = BTreeSet::new();
    for place in &survey.places {
        let location = &program.locs[place.loc];
        let is_plain = match location.incoming[..] {
            [edge] => {
                program.locs[program.edges[edge].from].outgoing.len() == 1
                    && !matches!(program.edges[edge].kind, EdgeKind::Call { .. })
            }
            _ => false,
        };
        let body = &program.functions[location.function].body;
        let is_entry = body.as_ref().is_some_and(|body| body.entry == place.loc);
        if !is_plain || is_entry {
            leads.insert(place.loc);
        }
    }
    let mut units = Vec::new();
    for (number, place) in survey.places.iter().enumerate() {
        if !leads.contains(&place.loc) {
            continue;
        }
        let mut places = vec![number];
        let mut last = number;
        while let [next] = onward[last][..] {
            if leads.contains(&survey.places[next.to].loc) {
                break;
            }
            last = next.to;
            places.push(last);
        }
        units.push(places);
    }
    units
}
