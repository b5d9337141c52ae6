//! The matrix with its answers: what all views show.

use std::collections::BTreeMap;

use crate::{Answer, Cell, Changes, Failure, Known, Matrix, Plan, Store, Verdict};

pub struct Results<'a> {
    pub plan: &'a Plan,
    pub matrix: &'a Matrix,
    /// Version and build of the checker.
    pub version: &'a str,
    /// By key.
    answers: BTreeMap<String, Answer>,
    /// What changed, and since when; nothing if there was no campaign before.
    pub changes: Option<Changes>,
}

impl<'a> Results<'a> {
    pub fn new(
        plan: &'a Plan,
        matrix: &'a Matrix,
        version: &'a str,
        store: &Store,
    ) -> Result<Results<'a>, Failure> {
        let keys = matrix.cells.iter().map(|cell| cell.key.as_str());
        Ok(Results {
            plan,
            matrix,
            version,
            answers: store.answers(keys)?,
            changes: None,
        })
    }

    pub fn answer(&self, cell: &Cell) -> Option<&Answer> {
        self.answers.get(&cell.key)
    }

    /// All cells with their answers, by row and column.
    pub fn cells(&self) -> impl Iterator<Item = (&'a Cell, Option<&Answer>)> {
        self.matrix.cells.iter().map(|cell| (cell, self.answer(cell)))
    }

    pub fn is_complete(&self) -> bool {
        self.cells().all(|(_, answer)| answer.is_some())
    }

    /// How many cells have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cells()
            .filter(|(_, answer)| answer.is_some_and(|answer| answer.verdict == verdict))
            .count()
    }

    /// What is to be compared with later campaigns.
    pub fn known(&self) -> Known {
        Known::of(self.cells().filter_map(|(cell, answer)| {
            let column = &self.matrix.columns[cell.column];
            let name = [&self.matrix.rows[cell.row], &column.check, &column.variant].map(String::clone);
            Some((name, answer?.clone()))
        }))
    }

    /// Compares with what was known.
    pub fn compare(&mut self, since: &str, before: &Known) {
        self.changes = Some(Changes::new(since, before, &self.known()));
    }

    /// The name of a cell's report within the folder of results.
    pub fn report_name(&self, cell: &Cell, has_page: bool) -> String {
        let ending = if has_page { "html" } else { "txt" };
        format!("reports/{}.{ending}", cell.key)
    }
}
