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
    /// Whether something has to get smaller; else nothing may grow.
    pub counts: bool,
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
///
/// If `some_count`, rounds that count may be none at all, and that is tried first.
pub fn find(
    candidates: &Candidates,
    seen: &Seen,
    useless: &[Vec<Vec<usize>>],
    some_count: bool,
) -> Option<Vec<Vec<usize>>> {
    let choices = candidates.choices();
    let counts = seen.changes.iter().any(|change| change.counts);
    if some_count && !counts && !useless.contains(&Vec::new()) {
        return Some(Vec::new());
    }
    if seen.changes.is_empty() {
        let mut single = choices.into_iter().map(|choice| vec![choice]);
        return single.find(|measure| !useless.contains(measure));
    }
    // What was of no use is not used as the first part again.
    let banned: Vec<&Vec<usize>> = useless.iter().filter_map(|measure| measure.first()).collect();
    let mut left: Vec<&Change> = seen.changes.iter().collect();
    let mut measure: Vec<Vec<usize>> = Vec::new();
    while left.iter().any(|change| change.counts) {
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
    (!useless.contains(&measure)).then_some(measure)
}

/// In how many changes the expression gets smaller; `None` if it grows in one.
fn explained(choice: &[usize], changes: &[&Change]) -> Option<usize> {
    let mut smaller = 0;
    for change in changes {
        match order(choice, change)? {
            std::cmp::Ordering::Less => smaller += usize::from(change.counts),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes of expressions that are numbered, as `before -> after`; those in brackets do not count.
    fn seen(text: &str) -> Seen {
        let mut seen = Seen::default();
        for line in text.split(';') {
            let counts = !line.contains('[');
            let line = line.replace(['[', ']'], "");
            let (from, to) = line.split_once("->").expect("a change");
            let values = |text: &str| Values {
                position: 0,
                values: text
                    .split_whitespace()
                    .map(|value| Some(value.parse().expect("a number")))
                    .collect(),
            };
            seen.add(Change {
                from: values(from),
                to: values(to),
                counts,
            });
        }
        seen
    }

    fn measure(text: &str, some_count: bool) -> Option<Vec<usize>> {
        let seen = seen(text);
        let mut pool = program::Program::new(program::DataModel::Lp64);
        let long = pool.types.int(program::IntKind::LongLong);
        let exprs = (0..seen.changes[0].from.values.len()).map(|at| pool.int(at as i128, long));
        let candidates = Candidates {
            of: vec![exprs.collect()],
        };
        let found = find(&candidates, &seen, &[], some_count)?;
        Some(found.into_iter().map(|part| part[0]).collect())
    }

    #[test]
    fn what_gets_smaller_in_every_round_is_enough() {
        assert_eq!(measure("5 9 -> 6 8; 6 8 -> 7 3", false), Some(vec![1]));
    }

    #[test]
    fn what_never_grows_comes_first_and_explains_its_rounds() {
        assert_eq!(
            measure("3 2 -> 2 9; 2 9 -> 2 8; 2 8 -> 1 70", false),
            Some(vec![0, 1])
        );
    }

    #[test]
    fn what_grows_and_shrinks_is_no_measure() {
        assert_eq!(measure("3 2 -> 4 1; 4 1 -> 3 2", false), None);
    }

    #[test]
    fn rounds_that_do_not_count_may_stay_as_they_are_but_not_grow() {
        assert_eq!(measure("[3 3 -> 3 4]; 3 3 -> 2 2", true), Some(vec![0]));
        assert_eq!(measure("[3 3 -> 4 4]; 3 3 -> 2 2", true), None);
        assert_eq!(measure("[3 3 -> 4 4]", true), Some(vec![]));
    }
}
