//! The SLAM process: abstract the program over the predicates known so far, look for a way to the error in the
//! abstraction, simulate it in the program, and learn predicates from why it cannot be taken; until there is no such way,
//! or one that can be taken. [`Slam`] is the engine.

mod constants;
mod early;
mod elements;
mod invariants;
mod kept;
mod learned;
mod refinement;
mod trace;

use std::time::Duration;

use abstraction::CubeStatistics;
use program::Stated;
use verdict::{Amount, Engine, Event, Round, Task, Tools, Verdict};

use learned::Learned;
use refinement::Refinement;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub abstraction: abstraction::Options,
    pub constrain: Constrain,
    /// The predicates to begin with.
    pub predicates: Vec<Stated>,
    /// For tests: whether a sufficient explanation has to exclude its path from the next abstraction.
    pub checks_explanations: bool,
}

/// When transitions are refined instead of looking for predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constrain {
    /// Never.
    Off,
    /// When a spurious trace brings no new predicate.
    Lazy(Limits),
    /// Then, and where predicates seem not to be what is missing.
    Early(Limits),
    /// On every trace first.
    Eager(Limits),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most constraints from one trace.
    pub constraints: usize,
    /// The most traces in a row that are refined without looking for predicates.
    pub passes: usize,
}

impl Limits {
    pub const LAZY: Limits = Limits {
        constraints: 5,
        passes: 4,
    };
    pub const EAGER: Limits = Limits {
        constraints: 200,
        passes: 200,
    };
}

impl Default for Constrain {
    fn default() -> Constrain {
        Constrain::Lazy(Limits::LAZY)
    }
}

impl Constrain {
    fn limits(self) -> Option<Limits> {
        match self {
            Constrain::Off => None,
            Constrain::Lazy(limits) | Constrain::Early(limits) | Constrain::Eager(limits) => Some(limits),
        }
    }
}

/// What one round of the loop did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Iteration {
    pub number: usize,
    pub predicates: usize,
    pub cubes: CubeStatistics,
    pub peak_nodes: usize,
    pub path_length: usize,
    /// Of a path that cannot be taken: entries of the store and of the conditions, NEWTON's Ω and Φ.
    pub store: usize,
    pub conditions: usize,
    pub learned: usize,
    /// New constraints on transitions, and new combinations of predicates that no state has.
    pub constraints: usize,
    pub enforced: usize,
    /// Traces whose transitions were tested, and how many of them begin a series without looking for predicates.
    pub constrain_calls: usize,
    pub constrain_series: usize,
    pub abstracting: Duration,
    pub checking: Duration,
    pub explaining: Duration,
    pub constraining: Duration,
    /// The solver's part of all of these.
    pub solving: Duration,
}

impl Round for Iteration {
    fn number(&self) -> usize {
        self.number
    }

    fn known(&self) -> usize {
        self.predicates + self.learned
    }

    fn describe(&self) -> String {
        let i = self;
        format!(
            "iteration {}: {} predicates, {} cube searches ({} repeated, {} solver calls, {} ruled out by models, {} cut short), \
             {} BDD nodes, path of {} steps with {} entries of the store and {} conditions, {} new predicates, {} constraints, {} enforced; \
             abstract {:.2} s, check {:.2} s, explain {:.2} s, constrain {:.2} s; of these the solver {:.2} s",
            i.number,
            i.predicates,
            i.cubes.searches,
            i.cubes.repeated,
            i.cubes.solver_calls,
            i.cubes.ruled_out,
            i.cubes.cut_short,
            i.peak_nodes,
            i.path_length,
            i.store,
            i.conditions,
            i.learned,
            i.constraints,
            i.enforced,
            i.abstracting.as_secs_f64(),
            i.checking.as_secs_f64(),
            i.explaining.as_secs_f64(),
            i.constraining.as_secs_f64(),
            i.solving.as_secs_f64(),
        )
    }

    fn amounts(&self) -> Vec<(&'static str, Amount)> {
        vec![
            ("constrain_calls", Amount::Count(self.constrain_calls)),
            ("constrain_series", Amount::Count(self.constrain_series)),
            ("constraints", Amount::Count(self.constraints)),
            ("enforced", Amount::Count(self.enforced)),
            ("abstract", Amount::Time(self.abstracting)),
            ("check", Amount::Time(self.checking)),
            ("explain", Amount::Time(self.explaining)),
            ("constrain", Amount::Time(self.constraining)),
        ]
    }
}

/// The loop as an engine.
#[derive(Clone, Debug, Default)]
pub struct Slam {
    pub options: Options,
}

impl Engine for Slam {
    fn name(&self) -> &'static str {
        "slam"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        let mut learned = Learned::default();
        let verdict = Refinement::new(task, tools, &self.options, &mut learned)
            .and_then(Refinement::run)
            .unwrap_or_else(Verdict::Unknown);
        let semantics = &*tools.semantics;
        // Whoever is told may end the loop; it has ended.
        let _ = (tools.watch)(Event::Learned(&|| learned::describe(semantics, &learned)));
        verdict
    }
}
