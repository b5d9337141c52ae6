//! How checks are dealt out to the tasks of a job: the longest first, each to the task that has the least to do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Starting a task costs a cluster about a second: shorter ones are not worth it.
const WORTH_A_TASK: f64 = 20.0;
/// But so many tasks there are whatever they take, so that no node waits for work.
const FEWEST: usize = 64;

/// How many tasks checks are dealt to that take so many seconds as far as that is known, if the cluster takes any number.
pub fn wanted(seconds: &[Option<f64>]) -> usize {
    let all: Option<f64> = seconds.iter().copied().sum();
    let worth = all.map_or(seconds.len(), |all| (all / WORTH_A_TASK).ceil() as usize);
    worth.max(FEWEST).min(seconds.len())
}

/// Deals checks, which are sorted by length, to tasks; gives their numbers. Longer tasks come first: Slurm starts them in this order.
pub fn deal(seconds: &[Option<f64>], tasks: usize) -> Vec<Vec<usize>> {
    let mut dealt: Vec<(u64, Vec<usize>)> = vec![(0, Vec::new()); tasks];
    // The least to do, then the lowest number.
    let mut least: BinaryHeap<Reverse<(u64, usize)>> = (0..tasks).map(|task| Reverse((0, task))).collect();
    for (check, seconds) in seconds.iter().enumerate() {
        let Some(Reverse((load, task))) = least.pop() else {
            break;
        };
        // Where nothing is known, each check counts the same.
        let milliseconds = (seconds.unwrap_or(1.0) * 1000.0) as u64;
        let load = load + milliseconds.max(1);
        dealt[task].0 = load;
        dealt[task].1.push(check);
        least.push(Reverse((load, task)));
    }
    dealt.retain(|(_, checks)| !checks.is_empty());
    dealt.sort_by_key(|&(load, _)| Reverse(load));
    dealt.into_iter().map(|(_, checks)| checks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_first_and_all_tasks_alike() {
        let seconds = [9.0, 5.0, 4.0, 3.0, 3.0].map(Some);
        assert_eq!(deal(&seconds, 3), [vec![0], vec![1, 4], vec![2, 3]]);
        assert_eq!(deal(&[None; 5], 2), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(
            deal(&[Some(0.0); 2], 3),
            [vec![0], vec![1]],
            "no task has nothing to do"
        );
    }

    #[test]
    fn as_many_tasks_as_are_worth_starting() {
        assert_eq!(wanted(&[Some(60.0); 1000]), 1000, "a task is at least a check");
        assert_eq!(wanted(&[Some(1.0); 10_000]), 500);
        assert_eq!(wanted(&[Some(0.01); 1000]), 64);
        assert_eq!(wanted(&[None; 1000]), 1000, "nothing is known");
        assert_eq!(wanted(&[None; 3]), 3);
    }
}
