//! Whether the program can take a trace of its abstraction, and if not, why.

use std::rc::Rc;
use std::time::Instant;

use abstraction::Abstraction;
use path_analysis::{Analysis, Explanation, Feasible, analyse};
use reachability::{Outcome, Query, Search};
use semantics::{Path, Step};
use symbolic_execution::{Addresses, Execution};
use verdict::{Counterexample, Event, Goal, Reason, Verdict};

use super::{AbstractTrace, Refinement};
use crate::trace::Traced;
use crate::{Iteration, trace};

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

impl Refinement<'_, '_, '_> {
    /// Simulates the trace in the program.
    pub(super) fn explain(
        &mut self,
        model: &Abstraction,
        trace: &AbstractTrace,
        round: &mut Iteration,
    ) -> Result<Explained, Reason> {
        self.tools.tell(Event::Began("explaining a trace"))?;
        let started = Instant::now();
        let Traced { path, goal, values } = self.path(model, trace)?;
        round.path_length = path.steps.len();
        self.tools.tell(Event::Found {
            round: round.number,
            path: &path,
            goal: &goal,
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
            Analysis::Unknown(reason) => return Err(reason),
            Analysis::Feasible(feasible) => {
                let shorter = match trace.query.search {
                    Search::First => self.shorter(model, &trace.query, &options),
                    _ => None,
                };
                let found = Traced { path, goal, values };
                let (found, feasible) = shorter.unwrap_or((found, feasible));
                Explained::Feasible(self.verdict(found, feasible))
            }
            Analysis::Infeasible(explanation) => {
                round.store = explanation.statistics.store;
                round.conditions = explanation.statistics.conditions;
                Explained::Spurious {
                    path,
                    explanation,
                    assumed,
                }
            }
        };
        round.explaining = started.elapsed();
        Ok(explained)
    }

    fn path(&self, model: &Abstraction, trace: &AbstractTrace) -> Result<Traced, Reason> {
        trace::path(self.task, model, &trace.steps, &trace.end)
    }

    fn explaining(&mut self) -> path_analysis::Options {
        if self.start.is_none() {
            let start = Execution::new(self.tools.semantics, self.task.entry, Addresses::Chosen);
            // What is not supported is said where the path is simulated.
            self.start = start.ok();
        }
        let predicates = self.learned.predicates.iter();
        path_analysis::Options {
            known: predicates
                .map(|(_, predicate)| (predicate.term, predicate.scope))
                .collect(),
            entry_values: true,
            enumerated: Rc::clone(&self.enumerated),
            start: self.start.clone(),
        }
    }

    fn analyse(&mut self, path: &Path, options: &path_analysis::Options) -> Result<Analysis, Reason> {
        analyse(
            self.tools.semantics,
            self.tools.solver,
            path,
            options,
            self.tools.budget,
        )
        .map_err(|malformed| Reason::Internal(format!("the trace is no path: {malformed}")))
    }

    /// A shorter path to the error, if it can be taken too: it is easier to read, and its runs do less that is not followed.
    fn shorter(
        &mut self,
        model: &Abstraction,
        query: &Query,
        options: &path_analysis::Options,
    ) -> Option<(Traced, Feasible)> {
        let mut query = query.clone();
        query.search = Search::Near;
        let Ok(Outcome::Reachable(counterexample)) =
            reachability::check(&model.program, &query, self.tools.budget)
        else {
            return None;
        };
        let trace = AbstractTrace::new(query, counterexample, self.tools.budget)?;
        let found = self.path(model, &trace).ok()?;
        match self.analyse(&found.path, options) {
            Ok(Analysis::Feasible(feasible)) if feasible.defined && matches!(found.goal, Goal::Error(_)) => {
                Some((found, feasible))
            }
            _ => None,
        }
    }

    /// Takes only runs of these steps that are defined; whether that is new for one of them.
    fn assume_defined(&mut self, path: &Path, steps: &[usize]) -> bool {
        let mut changed = false;
        for &step in steps {
            // What a call returns is stored without a condition.
            if !matches!(path.steps[step], Step::Leave { .. }) {
                changed |= self.tools.semantics.assume_defined(path.steps[step].edge());
            }
        }
        changed
    }

    /// What a path that can be taken means.
    fn verdict(&self, found: Traced, feasible: Feasible) -> Verdict {
        let (edge, what) = match found.goal {
            Goal::Error(error) => {
                let predicates = self.learned.predicates.iter();
                return Verdict::Unsafe(Box::new(Counterexample {
                    path: found.path,
                    error,
                    given: feasible.given,
                    defined: feasible.defined,
                    doubt: feasible.doubt,
                    abstract_trace: Some(verdict::AbstractTrace {
                        predicates: predicates.map(|(_, known)| (known.term, known.scope)).collect(),
                        values: found.values,
                    }),
                }));
            }
            Goal::Unsupported(edge, what) => (edge, what),
            Goal::Elsewhere(edge) => (
                edge,
                "a call through a pointer that may lead to a function that is not known".to_owned(),
            ),
        };
        Verdict::Unknown(Reason::Unsupported { what, at: Some(edge) })
    }
}
