//! How checks are dealt out to the tasks of a job: the longest first, each to the task that has the least to do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Cell, Estimates};

/// Starting a task costs a cluster about a second: shorter ones are not worth it.
const WORTH_A_TASK: f64 = 20.0;
/// But so many tasks there are whatever they take, so that no node waits for work.
const FEWEST: usize = 64;

/// How many tasks so many checks are dealt to, if the cluster takes any number.
pub fn wanted(cells: &[&Cell], estimates: &Estimates) -> usize {
    let times: Option<f64> = cells.iter().map(|cell| estimates.of_cell(cell)).sum();
    let worth = times.map_or(cells.len(), |seconds| (seconds / WORTH_A_TASK).ceil() as usize);
    worth.max(FEWEST).min(cells.len())
}

/// Deals checks, which are sorted by length, to tasks. Longer tasks come first: Slurm starts them in this order.
pub fn deal<'a>(cells: &[&'a Cell], tasks: usize, estimates: &Estimates) -> Vec<Vec<&'a Cell>> {
    let mut dealt: Vec<(u64, Vec<&Cell>)> = vec![(0, Vec::new()); tasks];
    // The least to do, then the lowest number.
    let mut least: BinaryHeap<Reverse<(u64, usize)>> = (0..tasks).map(|task| Reverse((0, task))).collect();
    for &cell in cells {
        let Some(Reverse((load, task))) = least.pop() else {
            break;
        };
        // Where nothing is known, each check counts the same.
        let milliseconds = (estimates.of_cell(cell).unwrap_or(1.0) * 1000.0) as u64;
        let load = load + milliseconds.max(1);
        dealt[task].0 = load;
        dealt[task].1.push(cell);
        least.push(Reverse((load, task)));
    }
    dealt.retain(|(_, cells)| !cells.is_empty());
    dealt.sort_by_key(|&(load, _)| Reverse(load));
    dealt.into_iter().map(|(_, cells)| cells).collect()
}
