//! `counterpoint explain`: why does it fail? The failing run is set against the closest run that does not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use evidence::Violation;
use explanation::{Explanation, Kind, Unexplained, Weights};
use points_to::PointsTo;
use property::Woven;
use report::ExplanationOptions;
use verdict::Reason;

use crate::check;
use crate::exit::Status;
use crate::limits::solver_options;
use crate::supervise::{Ended, Limits, supervise};
use crate::task::Asked;

/// Explain why a program violates a property
///
/// Checks the program as `check` does. If it fails, the failing run is compared with the closest run that does not fail: what only
/// one of them does (-, +), and what holds in one and not in the other (~, was and now).
#[derive(Args)]
#[group(skip)]
#[command(after_help = "Examples:\n  \
        counterpoint explain examples/double_release.c\n  \
        counterpoint explain task.i --32 --property unreach-call.prp --side-by-side")]
pub struct Options {
    #[command(flatten)]
    check: check::Options,

    #[command(flatten)]
    how: How,
}

/// How a violation is explained, and what of it is shown.
#[derive(Args, Clone, Default)]
pub struct How {
    /// How runs are compared [default: the one with far less to read, else align]
    #[arg(long, value_name = "METRIC", value_enum)]
    metric: Option<Metric>,

    /// How many more rounds of a loop than the failing run the other may go
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    more_rounds: u32,

    /// What a predicate with another value costs
    #[arg(long, value_name = "WEIGHT", default_value_t = 1)]
    predicate_weight: u64,

    /// What it costs to do something else at the same place
    #[arg(long, value_name = "WEIGHT", default_value_t = 1)]
    action_weight: u64,

    /// What a step costs that only one run makes [default: 2 more than the most predicates at a place]
    #[arg(long, value_name = "WEIGHT")]
    control_weight: Option<u64>,

    /// Show all differences, also those that the outcome does not depend on
    #[arg(long)]
    all: bool,

    /// Show both runs side by side
    #[arg(long)]
    side_by_side: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Metric {
    /// Steps are aligned; those that only one run makes cost most
    Align,
    /// What is computed where is compared, whatever the runs do between
    Ssa,
}

impl How {
    /// As `check` explains.
    pub fn usual() -> How {
        How {
            more_rounds: 1,
            predicate_weight: 1,
            action_weight: 1,
            ..How::default()
        }
    }

    pub fn shown(&self) -> ExplanationOptions {
        ExplanationOptions {
            all: self.all,
            side_by_side: self.side_by_side,
        }
    }

    fn options(&self, memory_limit: Option<u64>) -> explanation::Options {
        explanation::Options {
            weights: Weights {
                predicate: self.predicate_weight,
                action: self.action_weight,
                control: self.control_weight,
            },
            metric: self.metric.map(|metric| match metric {
                Metric::Align => Kind::Alignment,
                Metric::Ssa => Kind::Definitions,
            }),
            more_rounds: self.more_rounds,
            solver: solver_options(memory_limit),
            ..explanation::Options::default()
        }
    }
}

pub fn run(options: &Options) -> Status {
    check::explain(&options.check, &options.how)
}

/// Explains a violation within a time of its own.
pub fn explain(
    woven: &Arc<Woven>,
    violation: &Violation,
    how: &How,
    time: Duration,
    memory_limit: Option<u64>,
) -> Result<Explanation, Unexplained> {
    let options = how.options(memory_limit);
    let (woven, violation) = (Arc::clone(woven), violation.clone());
    let limits = Limits {
        time: Some(time),
        memory: memory_limit,
    };
    let ended = supervise(
        limits,
        &Arc::new(AtomicBool::new(false)),
        move |budget| {
            let points_to = PointsTo::new(&woven.program, &[woven.entry]);
            let asked = Asked::new(&woven, &points_to);
            explanation::explain(&asked.task(), &violation, &options, budget)
        },
        || {},
    );
    match ended {
        Ended::Done(found) | Ended::Exhausted(_, Some(found @ Ok(_))) => found,
        Ended::Exhausted(exhausted, _) => Err(Reason::Exhausted(exhausted).into()),
        Ended::Failed(reason) => Err(reason.into()),
    }
}
