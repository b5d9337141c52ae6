//! A measure for all that was seen: expressions in the order of dictionaries.
//!
//! Parts are chosen greedily. The next part is an expression that grows in none of the rounds that are still to be explained and gets
//! smaller in as many as possible; these are then explained. If there is any such list, that finds one.

use crate::candidates::Candidates;

/// More changes of one cycle than this are not kept.
const MOST: usize = 600;

/// What the expressions were at one place of a cycle, and at the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub from: Values,
    pub to: Values,
}

/// What the expressions of a place are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    pub position: usize,
    /// `None` where there is no value.
    pub values: Vec<Option<i64>>,
}

/// All that was seen of a cycle.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    changes: Vec<Change>,
}

impl Seen {
    pub fn add(&mut self, change: Change) {
        if self.changes.len() < MOST && !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }
}

/// The parts of a measure: of each, one expression for every place of the cycle.
pub fn find(candidates: &Candidates, seen: &Seen, useless: &[Vec<Vec<usize>>]) -> Option<Vec<Vec<usize>>> {
    let choices = candidates.choices();
    if seen.changes.is_empty() {
        let mut single = choices.into_iter().map(|choice| vec![choice]);
        return single.find(|measure| !useless.contains(measure));
    }
    // What was of no use is not used as the first part again.
    let banned: Vec<&Vec<usize>> = useless.iter().filter_map(|measure| measure.first()).collect();
    let mut left: Vec<&Change> = seen.changes.iter().collect();
    let mut measure: Vec<Vec<usize>> = Vec::new();
    while !left.is_empty() {
        let open = choices
            .iter()
            .filter(|choice| !measure.contains(choice))
            .filter(|choice| !measure.is_empty() || !banned.contains(choice));
        let mut best: Option<(usize, &Vec<usize>)> = None;
        for choice in open {
            let Some(explained) = explained(choice, &left) else {
                continue;
            };
            if explained > best.map_or(0, |(most, _)| most) {
                best = Some((explained, choice));
            }
        }
        let (_, choice) = best?;
        left.retain(|change| order(choice, change) != Some(std::cmp::Ordering::Less));
        measure.push(choice.clone());
    }
    Some(measure)
}

/// In how many changes the expression gets smaller; `None` if it grows in one.
fn explained(choice: &[usize], changes: &[&Change]) -> Option<usize> {
    let mut smaller = 0;
    for change in changes {
        match order(choice, change)? {
            std::cmp::Ordering::Less => smaller += 1,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => return None,
        }
    }
    Some(smaller)
}

/// How the expression changes.
fn order(choice: &[usize], change: &Change) -> Option<std::cmp::Ordering> {
    let value = |at: &Values| at.values[choice[at.position]];
    Some(value(&change.to)?.cmp(&value(&change.from)?))
}
