//! What a run can look like that is no further away than some distance, by its way alone.
//!
//! A run and the failing run together go through pairs (how much of the failing run is behind, unit of the run): a unit is
//! aligned and both go on, or inserted, or one of the failing run is deleted. The cheapest way to each pair and from it to
//! the end is a shortest path; pairs on no path that is cheap enough are out. Few units are left where the distance is small, and
//! the solver need not hear of the others.

use std::collections::BTreeMap;

use crate::metric::{Metric, Visit};
use crate::unwound::Unwound;

/// What runs within a distance can do.
pub struct Band {
    /// For each unit whether such a run can come there.
    pub units: Vec<bool>,
    /// Visits of the failing run, by number, and units that such a run can align with them.
    pub pairs: Vec<(usize, usize)>,
}

/// For a unit: the cheapest cost with so many visits of the failing run behind.
type Costs = BTreeMap<usize, u64>;

impl Band {
    /// `None` if every run is further away than that.
    pub fn within(distance: u64, failing: &[Visit], unwound: &Unwound, metric: &Metric) -> Option<Band> {
        let forwards = forwards(distance, failing, unwound, metric);
        forwards.last()?.get(&failing.len())?;
        let backwards = backwards(distance, failing, unwound, metric, &forwards);
        let left = |unit: usize, behind: usize| backwards[unit].get(&behind).copied();
        let mut band = Band {
            units: vec![false; unwound.units.len()],
            pairs: Vec::new(),
        };
        for (number, unit) in unwound.units.iter().enumerate() {
            for (&behind, &cost) in &forwards[number] {
                if left(number, behind).is_some_and(|left| cost + left <= distance) {
                    band.units[number] = true;
                }
                let Some(visit) = failing
                    .get(behind)
                    .filter(|_| metric.may_align(failing, behind, number, unit.location))
                else {
                    continue;
                };
                let goes_on = unit.ways.iter().any(|way| {
                    let to = way.to.unwrap_or(unwound.units.len());
                    let action = if way.action == visit.action {
                        0
                    } else {
                        metric.action
                    };
                    left(to, behind + 1).is_some_and(|left| cost + action + left <= distance)
                });
                if goes_on {
                    band.pairs.push((behind, number));
                }
            }
        }
        Some(band)
    }
}

/// The distance of the closest run, by its way alone: none that is closer exists.
pub fn least(failing: &[Visit], unwound: &Unwound, metric: &Metric, most: u64) -> Option<u64> {
    // Doubling keeps what is looked at near what is needed.
    let mut distance = 1 + metric.alone.iter().copied().max().unwrap_or(0);
    loop {
        let found = forwards(distance, failing, unwound, metric);
        if let Some(&least) = found.last().and_then(|end| end.get(&failing.len())) {
            return Some(least);
        }
        if distance >= most {
            return None;
        }
        distance = (2 * distance).min(most);
    }
}

fn improve(costs: &mut Costs, behind: usize, cost: u64, most: u64) {
    if cost <= most {
        let known = costs.entry(behind).or_insert(cost);
        *known = cost.min(*known);
    }
}

/// The cheapest ways to each unit; the last is the end.
fn forwards(most: u64, failing: &[Visit], unwound: &Unwound, metric: &Metric) -> Vec<Costs> {
    let end = unwound.units.len();
    let mut costs: Vec<Costs> = vec![Costs::new(); end + 1];
    costs[0].insert(0, 0);
    for number in 0..=end {
        let mut here = std::mem::take(&mut costs[number]);
        let mut behind = here.keys().next().copied();
        while let Some(at) = behind {
            if let Some(deleted) = metric.deleted(failing, at, number) {
                let cost = here[&at] + deleted;
                improve(&mut here, at + 1, cost, most);
            }
            behind = here.range(at + 1..).next().map(|(&next, _)| next);
        }
        if let Some(unit) = unwound.units.get(number) {
            for (&at, &cost) in &here {
                let inserted = metric.inserted(failing, at, number, unit.location);
                for way in &unit.ways {
                    let to = way.to.unwrap_or(end);
                    if let Some(inserted) = inserted {
                        improve(&mut costs[to], at, cost + inserted, most);
                    }
                    if let Some(visit) = failing.get(at)
                        && metric.may_align(failing, at, number, unit.location)
                    {
                        let action = if way.action == visit.action {
                            0
                        } else {
                            metric.action
                        };
                        improve(&mut costs[to], at + 1, cost + action, most);
                    }
                }
            }
        }
        costs[number] = here;
    }
    costs
}

/// The cheapest ways from each pair that the forward pass reached to the end.
fn backwards(
    most: u64,
    failing: &[Visit],
    unwound: &Unwound,
    metric: &Metric,
    forwards: &[Costs],
) -> Vec<Costs> {
    let end = unwound.units.len();
    let mut costs: Vec<Costs> = vec![Costs::new(); end + 1];
    for number in (0..=end).rev() {
        let mut here = Costs::new();
        for (&at, &behind) in forwards[number].iter().rev() {
            let rest = most - behind;
            let mut best = u64::MAX;
            if number == end && at == failing.len() {
                best = 0;
            }
            let deleted = metric.deleted(failing, at, number);
            if let (Some(deleted), Some(after)) = (deleted, here.get(&(at + 1))) {
                best = best.min(deleted + after);
            }
            if let Some(unit) = unwound.units.get(number) {
                let inserted = metric.inserted(failing, at, number, unit.location);
                for way in &unit.ways {
                    let after = &costs[way.to.unwrap_or(end)];
                    if let (Some(inserted), Some(left)) = (inserted, after.get(&at)) {
                        best = best.min(inserted + left);
                    }
                    if let (Some(visit), Some(left)) = (failing.get(at), after.get(&(at + 1)))
                        && metric.may_align(failing, at, number, unit.location)
                    {
                        let action = if way.action == visit.action {
                            0
                        } else {
                            metric.action
                        };
                        best = best.min(action + left);
                    }
                }
            }
            if best <= rest {
                here.insert(at, best);
            }
        }
        costs[number] = here;
    }
    costs
}
