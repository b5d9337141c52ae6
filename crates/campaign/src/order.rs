//! Which check is made when: longest first, by the times of earlier runs, so that no long one is left alone at the end.

use std::collections::BTreeMap;

use crate::{Cell, Failure, Matrix, Store};

/// How long checks take, as far as earlier runs tell.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// By row and column.
    known: BTreeMap<(usize, usize), f64>,
    /// The mean of what is known in a row.
    rows: BTreeMap<usize, f64>,
    /// The mean of all that is known.
    overall: Option<f64>,
}

impl Estimates {
    pub fn new(matrix: &Matrix, store: &Store) -> Result<Estimates, Failure> {
        let times = store.times()?;
        let cells = matrix.cells.iter();
        let known = cells.filter_map(|cell| Some(((cell.row, cell.column), *times.get(&matrix.name(cell))?)));
        Ok(Estimates::of(known.collect()))
    }

    fn of(known: BTreeMap<(usize, usize), f64>) -> Estimates {
        let mut rows: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (&(row, _), &time) in &known {
            let (sum, count) = rows.entry(row).or_default();
            *sum += time;
            *count += 1.0;
        }
        let overall = known.values().sum::<f64>() / known.len() as f64;
        Estimates {
            overall: (!known.is_empty()).then_some(overall),
            rows: rows
                .into_iter()
                .map(|(row, (sum, count))| (row, sum / count))
                .collect(),
            known,
        }
    }

    /// Seconds: of this check, of others of its program, or of any; nothing if nothing was ever checked.
    pub fn of_cell(&self, cell: &Cell) -> Option<f64> {
        let known = self.known.get(&(cell.row, cell.column));
        known.or(self.rows.get(&cell.row)).copied().or(self.overall)
    }
}

/// Sorts checks by how long they are expected to take, the longest first; equal ones stay in the order of the plan.
pub fn longest_first<'a>(mut cells: Vec<&'a Cell>, estimates: &Estimates) -> Vec<&'a Cell> {
    cells.sort_by(|a, b| {
        let (a, b) = (estimates.of_cell(a), estimates.of_cell(b));
        b.unwrap_or(0.0).total_cmp(&a.unwrap_or(0.0))
    });
    cells
}
