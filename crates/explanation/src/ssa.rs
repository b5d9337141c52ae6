//! The second metric: what is computed where, wherever the run goes between.
//!
//! In the unwound program every step stands in one round of its loops in one chain of calls, so it has a name of its own, as an
//! assignment in static single assignment form has. Runs are compared name by name: a predicate where a step before gave it a new
//! value, and which way a branch goes. A step that only one of the runs makes costs little: that the runs part is counted at
//! the branch. So a fault of pure control flow costs one difference, however much code it leaves out.

use logic::Symbol;
use program::EdgeKind;
use semantics::Semantics;
use std::collections::BTreeSet;

use crate::explain::{Explanation, Kind};
use crate::metric::{Goal, Metric, Shape, Weights};
use crate::model::Model;
use crate::predicates::Predicates;

/// A difference in what is computed outweighs so many units that one run alone goes through.
const DIFFERENCE: u64 = 20;

pub fn metric(
    semantics: &mut Semantics<'_>,
    model: &Model,
    predicates: &Predicates,
    weights: Weights,
) -> Metric {
    let mut shapes = model.shapes.clone();
    let mut known: Vec<bool> = vec![false; shapes.len()];
    for (unit, places) in model.unwound.units.iter().zip(&model.places) {
        if std::mem::replace(&mut known[unit.location], true) {
            continue;
        }
        let shape: &mut Shape = &mut shapes[unit.location];
        for (components, &place) in shape.steps.iter_mut().zip(places) {
            let loc = model.survey.places[place].loc;
            let written = written_before(semantics, model, place);
            let here = predicates.get(&loc).map_or(&[][..], Vec::as_slice);
            components.retain(|component| {
                component.iter().any(|&p| {
                    let symbols = semantics.terms.free_symbols(&[here[p].term]);
                    !symbols.is_disjoint(&written)
                })
            });
        }
    }
    Metric {
        alone: vec![1; shapes.len()],
        shapes,
        predicate: weights.predicate * DIFFERENCE,
        action: weights.action * DIFFERENCE,
        in_place: true,
        goal: Goal::Whole,
    }
}

/// What the steps to a place write.
fn written_before(semantics: &mut Semantics<'_>, model: &Model, place: usize) -> BTreeSet<Symbol> {
    let mut written = BTreeSet::new();
    for way in &model.survey.places[place].ways {
        let edge = &semantics.program.edges[way.step.edge()].kind;
        if matches!(edge, EdgeKind::Assume { .. }) {
            continue;
        }
        if let Ok(effect) = semantics.effect(way.step) {
            written.extend(effect.updates.iter().map(|&(symbol, _)| symbol));
        }
    }
    written
}

/// Whether an explanation is to be preferred to one by alignments: it has fewer differences to read, by far.
pub fn is_plainer(by_definitions: &Explanation, by_alignment: &Explanation) -> bool {
    debug_assert_eq!(by_definitions.kind, Kind::Definitions);
    let size = |explanation: &Explanation| -> usize {
        let changes = explanation.changes.iter().filter(|change| change.is_causal);
        changes.map(crate::changes::Change::lines).sum()
    };
    2 * size(by_definitions) < size(by_alignment)
}
