//! A woven program as the task of an engine.

use points_to::PointsTo;
use program::{CallGraph, EdgeId};
use property::Woven;
use verdict::{Followed, Task};

/// What a [`Task`] refers to.
pub struct Asked<'a> {
    woven: &'a Woven,
    calls: CallGraph,
    errors: Vec<EdgeId>,
    followed: Vec<Followed<'a>>,
}

impl<'a> Asked<'a> {
    pub fn new(woven: &'a Woven, points_to: &PointsTo) -> Asked<'a> {
        let watched = woven.watched.iter();
        Asked {
            woven,
            calls: CallGraph::new(&woven.program, points_to),
            errors: woven.errors.iter().map(|site| site.edge).collect(),
            followed: watched
                .map(|watched| Followed {
                    var: watched.var,
                    comparisons: &watched.comparisons,
                })
                .collect(),
        }
    }

    pub fn task(&self) -> Task<'_> {
        Task {
            program: &self.woven.program,
            calls: &self.calls,
            entry: self.woven.entry,
            errors: &self.errors,
            followed: &self.followed,
        }
    }
}
