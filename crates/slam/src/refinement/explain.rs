//! Whether the program can take a trace of its abstraction, and if not, why.

use std::time::Instant;

use abstraction::{Abstraction, Target};
use path_analysis::{Analysis, Explanation, Feasible, analyse};
use reachability::{Outcome, Query, Search};
use semantics::{Path, Step};

use super::{AbstractTrace, Refinement};
use crate::{Event, Iteration, Phase, Reason, Verdict, trace};

/// What the program says of a trace.
pub(super) enum Explained {
    Feasible(Verdict),
    Spurious {
        path: Path,
        explanation: Explanation,
        /// Whether effects were changed by assuming that they are defined.
        assumed: bool,
    },
}

impl Refinement<'_, '_> {
    /// Simulates the trace in the program.
    pub(super) fn explain(
        &mut self,
        model: &Abstraction,
        trace: &AbstractTrace,
        round: &mut Iteration,
    ) -> Result<Explained, Reason> {
        self.tell(Event::Began(Phase::Explaining))?;
        let started = Instant::now();
        let (path, target) = self.path(model, trace)?;
        round.path_length = path.steps.len();
        self.tell(Event::Found {
            round: round.number,
            path: &path,
            target: &target,
        })?;
        let options = self.explaining();
        let mut analysis = self.analyse(&path, &options);
        // A run ends where its behaviour is undefined: a path that has no other runs cannot be taken.
        let mut assumed = false;
        while let Ok(Analysis::Feasible(feasible)) = &analysis
            && self.assume_defined(&path, &feasible.undefined)
        {
            assumed = true;
            analysis = self.analyse(&path, &options);
        }
        let explained = match analysis? {
            Analysis::Unknown(reason) => return Err(Reason::Other(reason)),
            Analysis::Feasible(feasible) => {
                let shorter = match trace.query.search {
                    Search::First => self.shorter(model, &trace.query, &options),
                    _ => None,
                };
                let (path, feasible, target) = shorter.unwrap_or((path, feasible, target));
                Explained::Feasible(verdict(path, feasible, target))
            }
            Analysis::Infeasible(explanation) => Explained::Spurious {
                path,
                explanation,
                assumed,
            },
        };
        round.explaining = started.elapsed();
        Ok(explained)
    }

    fn path(&self, model: &Abstraction, trace: &AbstractTrace) -> Result<(Path, Target), Reason> {
        trace::path(self.task, model, &trace.steps, trace.end.statement)
    }

    fn explaining(&self) -> path_analysis::Options {
        let predicates = self.learned.predicates.iter();
        path_analysis::Options {
            known: predicates
                .map(|(_, predicate)| (predicate.term, predicate.scope))
                .collect(),
            entry_values: true,
        }
    }

    fn analyse(&mut self, path: &Path, options: &path_analysis::Options) -> Result<Analysis, Reason> {
        analyse(self.semantics, self.solver, path, options, self.budget)
            .map_err(|malformed| Reason::Other(format!("the trace is no path: {malformed}")))
    }

    /// A shorter path to the error, if it can be taken too: it is easier to read, and its runs do less that is not followed.
    fn shorter(
        &mut self,
        model: &Abstraction,
        query: &Query,
        options: &path_analysis::Options,
    ) -> Option<(Path, Feasible, Target)> {
        let mut query = query.clone();
        query.search = Search::Near;
        let Ok(Outcome::Reachable(counterexample)) = reachability::check(&model.program, &query, self.budget)
        else {
            return None;
        };
        let trace = AbstractTrace::new(query, counterexample, self.budget)?;
        let (path, target) = self.path(model, &trace).ok()?;
        match self.analyse(&path, options) {
            Ok(Analysis::Feasible(feasible)) if feasible.defined && matches!(target, Target::Error(_)) => {
                Some((path, feasible, target))
            }
            _ => None,
        }
    }

    /// Takes only runs of these steps that are defined; whether that is new for one of them.
    fn assume_defined(&mut self, path: &Path, steps: &[usize]) -> bool {
        let mut changed = false;
        for &step in steps {
            let edge = match path.steps[step] {
                Step::Edge(edge) | Step::Enter { call: edge, .. } | Step::Outside { call: edge, .. } => edge,
                // What a call returns is stored without a condition.
                Step::Leave { .. } => continue,
            };
            if self.semantics.assume_defined(edge) {
                self.memo.forget(edge);
                changed = true;
            }
        }
        changed
    }
}

/// What a path that can be taken means.
fn verdict(path: Path, feasible: Feasible, target: Target) -> Verdict {
    match target {
        Target::Error(error) => Verdict::Unsafe {
            path,
            feasible,
            error,
        },
        Target::Unsupported(edge, what) => Verdict::Unknown(Reason::Unsupported { edge, what }),
        Target::Elsewhere(edge) => Verdict::Unknown(Reason::Unsupported {
            edge,
            what: "a call through a pointer that may lead to a function that is not known".to_owned(),
        }),
    }
}
