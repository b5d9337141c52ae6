//! What is different in the other run, as a story: where the runs part, what only one of them does there, and which predicates
//! are different afterwards.
//!
//! A predicate that is about a branch at which the runs part is told by the branch. Of the others, those matter that are about
//! the condition which failed; of steps that only one run makes, those that the condition's value came from in that run
//! (Δ-slicing). What else is different did not change the outcome.

use std::collections::{BTreeMap, BTreeSet};

use logic::Op;
use program::EdgeId;
use semantics::{Semantics, Step};

use crate::metric::{Metric, Visit};
use crate::model::{Model, Track};
use crate::predicates::{Predicate, Predicates};

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub what: What,
    /// Whether the outcome depends on it.
    pub is_causal: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The runs part, and meet again or not.
    Detour {
        turn: Option<Turn>,
        /// What only the failing run does.
        deleted: Vec<Alone>,
        /// What only the other does.
        inserted: Vec<Alone>,
    },
    /// Where both are, something else holds.
    Predicate {
        /// The steps before which it is so, the first and the last.
        first: EdgeId,
        last: EdgeId,
        was: String,
        now: String,
        /// The step of the failing run that it begins with.
        set_by: Option<EdgeId>,
        /// Whether it is why the runs part somewhere.
        leads: bool,
    },
    /// What the failing run fails at comes out right.
    Outcome { turn: Turn },
}

/// A step that only one of the runs makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alone {
    pub edge: EdgeId,
    /// Whether the outcome depends on it.
    pub is_causal: bool,
}

/// A branch that goes another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub was: EdgeId,
    pub now: Option<EdgeId>,
}

/// A step of the failing run, of the other, or of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub failing: Option<EdgeId>,
    pub other: Option<EdgeId>,
    /// What holds before it in the failing run and what in the other, where that differs.
    pub differing: Vec<(String, String)>,
}

impl Change {
    /// How many source lines it takes to tell, about.
    pub fn lines(&self) -> usize {
        match &self.what {
            What::Detour {
                turn,
                deleted,
                inserted,
            } => {
                let steps = deleted.iter().chain(inserted);
                usize::from(turn.is_some()) + steps.filter(|step| step.is_causal).count()
            }
            What::Predicate { .. } => 1,
            What::Outcome { .. } => 0,
        }
    }
}

/// Two runs that are to be compared.
pub struct Compared<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub model: &'a Model,
    pub metric: &'a Metric,
    pub predicates: &'a Predicates,
    pub failing: Side<'a>,
    pub other: Side<'a>,
    pub error: EdgeId,
    /// The position of the condition that the failing run fails at.
    pub check: Option<usize>,
    /// Steps that are not told.
    pub unseen: &'a BTreeSet<EdgeId>,
}

/// One of the runs.
pub struct Side<'a> {
    pub track: &'a Track,
    /// As far as it is compared.
    pub visits: &'a [Visit],
    /// For each step whether the condition at which the failing run fails depends on it, if that is known.
    pub matters: Option<Vec<bool>>,
}

impl Side<'_> {
    fn matters(&self, position: usize) -> bool {
        let matters = self.matters.as_ref();
        matters.is_none_or(|matters| matters.get(position).copied().unwrap_or(false))
    }

    fn leaves(&self, position: usize) -> bool {
        matches!(self.track.steps.get(position), Some(Step::Leave { .. }))
    }
}

/// A component that has another value.
struct Differing<'a> {
    members: Vec<(&'a Predicate, bool, bool)>,
}

/// Positions of both runs in order; both where they are aligned.
struct Pair {
    failing: Option<usize>,
    other: Option<usize>,
    /// The pair of visits, and the step in them.
    visits: Option<(usize, usize, usize)>,
}

/// The differences, and both runs side by side.
pub fn changes(compared: &Compared<'_, '_>) -> (Vec<Change>, Vec<Row>) {
    let pairs = pairs(compared);
    let turned = turned(compared, &pairs);
    let mut told: Vec<Change> = Vec::new();
    let mut rows = Vec::new();
    let mut open: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut before: Option<usize> = None;
    for (index, pair) in pairs.iter().enumerate() {
        let differing = differing(compared, pair);
        let mut still_open: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut texts = Vec::new();
        for differing in &differing {
            let text = differing.text(compared.semantics);
            let failing = pair.failing.expect("only what is aligned differs in predicates");
            let edge = compared.failing_edge(failing);
            texts.push(text.clone());
            let leads = differing
                .origins()
                .any(|origin| turned.contains(&origin) && failing <= origin);
            match open.get(&text) {
                Some(&known) => {
                    if let What::Predicate { last, .. } = &mut told[known].what {
                        *last = edge;
                    }
                    still_open.insert(text, known);
                }
                None => {
                    still_open.insert(text.clone(), told.len());
                    // What a branch is about is told by the branch.
                    let is_causal =
                        !leads && differing.origins().any(|origin| Some(origin) == compared.check);
                    told.push(Change {
                        what: What::Predicate {
                            first: edge,
                            last: edge,
                            was: text.0,
                            now: text.1,
                            set_by: before.map(|position| compared.failing_edge(position)),
                            leads,
                        },
                        is_causal,
                    });
                }
            }
        }
        if pair.visits.is_some() {
            open = still_open;
        }
        rows.extend(row(compared, pair, texts));
        let seen = |&at: &usize| !compared.unseen.contains(&compared.failing_edge(at));
        before = pair.failing.filter(seen).or(before);
        let parts = pairs.get(index + 1).is_none_or(|next| next.visits.is_none());
        if parts || turns(compared, pair) {
            told.extend(detour(compared, &pairs, index));
        }
    }
    (told, rows)
}

impl Compared<'_, '_> {
    /// What the failing run does at a position.
    fn failing_edge(&self, position: usize) -> EdgeId {
        let steps = &self.failing.track.steps;
        steps.get(position).map_or(self.error, |step| step.edge())
    }

    fn other_edge(&self, position: usize) -> Option<EdgeId> {
        let steps = &self.other.track.steps;
        steps.get(position).map(|step| step.edge())
    }
}

/// Where visits start in a track.
fn starts(model: &Model, visits: &[Visit]) -> Vec<usize> {
    let lengths = visits.iter().map(|visit| model.places[visit.unit].len());
    let mut start = 0;
    lengths
        .map(|length| {
            start += length;
            start - length
        })
        .collect()
}

fn pairs(compared: &Compared<'_, '_>) -> Vec<Pair> {
    let (failing, other) = (compared.failing.visits, compared.other.visits);
    let aligned = compared.metric.align(failing, other);
    let aligned = aligned.map_or(Vec::new(), |aligned| aligned.pairs);
    let lengths = |visits: &[Visit], index: usize| compared.model.places[visits[index].unit].len();
    let (starts_a, starts_b) = (starts(compared.model, failing), starts(compared.model, other));
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    let ends = [(failing.len(), other.len())];
    for &(next_i, next_j) in aligned.iter().chain(&ends) {
        while i < next_i {
            let positions = (0..lengths(failing, i)).map(|step| starts_a[i] + step);
            pairs.extend(positions.map(|position| Pair {
                failing: Some(position),
                other: None,
                visits: None,
            }));
            i += 1;
        }
        while j < next_j {
            let positions = (0..lengths(other, j)).map(|step| starts_b[j] + step);
            pairs.extend(positions.map(|position| Pair {
                failing: None,
                other: Some(position),
                visits: None,
            }));
            j += 1;
        }
        if i < failing.len() && j < other.len() {
            pairs.extend((0..lengths(failing, i)).map(|step| Pair {
                failing: Some(starts_a[i] + step),
                other: Some(starts_b[j] + step),
                visits: Some((i, j, step)),
            }));
            i += 1;
            j += 1;
        }
    }
    // The failing run ends a little later than what is compared.
    let compared_steps = failing
        .iter()
        .map(|visit| compared.model.places[visit.unit].len());
    let rest = compared_steps.sum()..compared.failing.track.places.len();
    pairs.extend(rest.map(|position| Pair {
        failing: Some(position),
        other: None,
        visits: None,
    }));
    pairs
}

/// Whether both runs are here and do something else next.
fn turns(compared: &Compared<'_, '_>, pair: &Pair) -> bool {
    match (pair.failing, pair.other) {
        (Some(failing), Some(other)) => Some(compared.failing_edge(failing)) != compared.other_edge(other),
        _ => false,
    }
}

/// The conditions at which the runs part, by their positions in the failing run; not the one that it fails at.
fn turned(compared: &Compared<'_, '_>, pairs: &[Pair]) -> BTreeSet<usize> {
    pairs
        .iter()
        .filter(|pair| turns(compared, pair))
        .filter_map(|pair| pair.failing)
        .filter(|&position| Some(position) != compared.check && compared.failing.matters(position))
        .collect()
}

fn differing<'a>(compared: &Compared<'a, '_>, pair: &Pair) -> Vec<Differing<'a>> {
    let Some((i, j, step)) = pair.visits else {
        return Vec::new();
    };
    let (a, b) = (&compared.failing.visits[i], &compared.other.visits[j]);
    let place = compared.model.places[a.unit][step];
    let loc = compared.model.survey.places[place].loc;
    let Some(predicates) = compared.predicates.get(&loc) else {
        return Vec::new();
    };
    let components = &compared.model.shapes[a.location].steps[step];
    let differs = |component: &&Vec<usize>| component.iter().any(|&p| a.values[step][p] != b.values[step][p]);
    components
        .iter()
        .filter(differs)
        .filter(|component| component.iter().any(|&p| !predicates[p].origins.is_empty()))
        .map(|component| Differing {
            members: component
                .iter()
                .map(|&p| (&predicates[p], a.values[step][p], b.values[step][p]))
                .collect(),
        })
        .collect()
}

impl Differing<'_> {
    fn origins(&self) -> impl Iterator<Item = usize> + '_ {
        let changed = self.members.iter().filter(|(_, was, now)| was != now);
        changed.flat_map(|(predicate, ..)| predicate.origins.iter().copied())
    }

    /// What held, and what holds now.
    fn text(&self, semantics: &Semantics<'_>) -> (String, String) {
        (
            self.side(semantics, |(_, was, _)| *was),
            self.side(semantics, |(_, _, now)| *now),
        )
    }

    fn side(&self, semantics: &Semantics<'_>, holds: impl Fn(&(&Predicate, bool, bool)) -> bool) -> String {
        // One value says it all.
        let equal = self
            .members
            .iter()
            .find(|member| holds(member) && semantics.terms.op(member.0.term) == Op::Eq);
        if let Some((predicate, ..)) = equal {
            return semantics.to_c(predicate.term);
        }
        let changed = self.members.iter().filter(|(_, was, now)| was != now);
        let literals = changed.map(|member| match holds(member) {
            true => semantics.to_c(member.0.term),
            false => negated(semantics, member.0.term),
        });
        literals.collect::<Vec<_>>().join(" && ")
    }
}

fn negated(semantics: &Semantics<'_>, term: logic::Term) -> String {
    let text = semantics.to_c(term);
    // The printer has no negation of its own without a term; comparisons are turned round here.
    for (operator, turned) in [
        (" == ", " != "),
        (" < ", " >= "),
        (" <= ", " > "),
        (" > ", " <= "),
        (" >= ", " < "),
    ] {
        if text.matches(operator).count() == 1 && !text.contains("&&") && !text.contains("||") {
            return text.replace(operator, turned);
        }
    }
    format!("!({text})")
}

fn row(compared: &Compared<'_, '_>, pair: &Pair, differing: Vec<(String, String)>) -> Option<Row> {
    let failing = pair.failing.filter(|&at| !compared.failing.leaves(at));
    let other = pair.other.filter(|&at| !compared.other.leaves(at));
    let seen = |edge: &EdgeId| !compared.unseen.contains(edge);
    let row = Row {
        failing: failing
            .map(|position| compared.failing_edge(position))
            .filter(seen),
        other: other
            .and_then(|position| compared.other_edge(position))
            .filter(seen),
        differing,
    };
    (row.failing.is_some() || row.other.is_some()).then_some(row)
}

/// What happens between an aligned step and the next one.
fn detour(compared: &Compared<'_, '_>, pairs: &[Pair], index: usize) -> Option<Change> {
    let pair = &pairs[index];
    pair.visits?;
    let turn = turns(compared, pair).then(|| Turn {
        was: compared.failing_edge(pair.failing.expect("it is aligned")),
        now: pair.other.and_then(|position| compared.other_edge(position)),
    });
    let turn = turn.filter(|turn| !compared.unseen.contains(&turn.was));
    if turn.is_some() && pair.failing == compared.check {
        return Some(Change {
            what: What::Outcome { turn: turn? },
            is_causal: true,
        });
    }
    let apart: Vec<&Pair> = pairs[index + 1..]
        .iter()
        .take_while(|pair| pair.visits.is_none())
        .collect();
    let alone = |position: usize, side: &Side<'_>, edge: Option<EdgeId>| {
        let is_told = |edge: &EdgeId| !side.leaves(position) && !compared.unseen.contains(edge);
        edge.filter(is_told).map(|edge| Alone {
            edge,
            is_causal: side.matters(position),
        })
    };
    let deleted = apart.iter().filter_map(|pair| pair.failing);
    let deleted = deleted.filter_map(|at| alone(at, &compared.failing, Some(compared.failing_edge(at))));
    let inserted = apart.iter().filter_map(|pair| pair.other);
    let inserted = inserted.filter_map(|at| alone(at, &compared.other, compared.other_edge(at)));
    let (deleted, inserted): (Vec<Alone>, Vec<Alone>) = (deleted.collect(), inserted.collect());
    if turn.is_none() && deleted.is_empty() && inserted.is_empty() {
        return None;
    }
    let turned = turn.is_some()
        && (pair.failing.is_some_and(|at| compared.failing.matters(at))
            || pair.other.is_some_and(|at| compared.other.matters(at)));
    let is_causal = turned || deleted.iter().chain(&inserted).any(|step| step.is_causal);
    Some(Change {
        what: What::Detour {
            turn,
            deleted,
            inserted,
        },
        is_causal,
    })
}
