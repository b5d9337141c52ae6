//! `counterpoint explain`: why does it fail? The failing run is set against the closest run that does not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use budget::Budget;
use clap::{Args, ValueEnum};
use evidence::Violation;
use explanation::{Explanation, Kind, Unexplained, Weights};
use points_to::PointsTo;
use program::{FuncId, Id, VarId};
use property::Woven;
use report::ExplanationOptions;
use verdict::Reason;

use crate::check;
use crate::exit::Status;
use crate::limits::solver_options;
use crate::supervise::{Ended, Limits, supervise};
use crate::task::Asked;

/// So many more rounds are allowed at most for runs without end, unless the user says otherwise.
const DEEPEST: u32 = 4;

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

    /// A function that is right: a run that does the same in it is looked for, and it is not to be looked at
    #[arg(long, value_name = "FUNCTION")]
    trust: Vec<String>,

    /// How many more rounds of a loop than the failing run the other may go [default: 1; for temporal formulas as many as it takes,
    /// up to 4]
    #[arg(long, value_name = "NUMBER")]
    more_rounds: Option<u32>,

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

    /// Show the values that differ where both runs make the same step
    #[arg(long)]
    concrete: bool,

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
            predicate_weight: 1,
            action_weight: 1,
            ..How::default()
        }
    }

    pub fn shown(&self) -> ExplanationOptions {
        ExplanationOptions {
            all: self.all,
            concrete: self.concrete,
            side_by_side: self.side_by_side,
        }
    }

    fn options(&self, woven: &Woven, memory_limit: Option<u64>) -> explanation::Options {
        let program = &woven.program;
        let function = |name: &String| {
            let mut functions = (0..program.functions.len()).map(FuncId::from_index);
            let found = functions.find(|&function| program.functions[function].name == *name);
            if found.is_none() {
                eprintln!("note: --trust {name}: there is no such function");
            }
            found
        };
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
            trusted: self.trust.iter().filter_map(function).collect(),
            more_rounds: self.more_rounds.unwrap_or(1),
            solver: solver_options(memory_limit),
            unseen: explanation::Unseen {
                edges: woven.unseen.edges.clone(),
                vars: woven.unseen.vars.clone(),
                in_round: None,
            },
            ..explanation::Options::default()
        }
    }

    /// How many more rounds are allowed, one after the other, where a run without end may need more to come back.
    fn depths(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.more_rounds.unwrap_or(DEEPEST)
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
    let options = how.options(woven, memory_limit);
    within(
        woven,
        violation,
        time,
        memory_limit,
        move |asked, violation, budget| explanation::explain(&asked.task(), violation, &options, budget),
    )
}

/// Explains a run without end that violates a formula: the violation is of a program whose runs end where they satisfy it.
pub fn explain_lasso(
    woven: &Arc<Woven>,
    in_round: VarId,
    violation: &Violation,
    how: &How,
    time: Duration,
    memory_limit: Option<u64>,
) -> Result<Explanation, Unexplained> {
    let mut options = how.options(woven, memory_limit);
    options.must_end = true;
    options.unseen.in_round = Some(in_round);
    let depths = how.depths();
    within(
        woven,
        violation,
        time,
        memory_limit,
        move |asked, violation, budget| {
            let mut found = Err(Unexplained::TooShort);
            for depth in depths {
                options.more_rounds = depth;
                found = explanation::explain(&asked.task(), violation, &options, budget);
                if !matches!(found, Err(Unexplained::TooShort)) {
                    break;
                }
            }
            found
        },
    )
}

/// Within a time of its own.
fn within(
    woven: &Arc<Woven>,
    violation: &Violation,
    time: Duration,
    memory_limit: Option<u64>,
    work: impl FnOnce(&Asked<'_>, &Violation, &Budget) -> Result<Explanation, Unexplained> + Send + 'static,
) -> Result<Explanation, Unexplained> {
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
            work(&asked, &violation, budget)
        },
        || {},
    );
    match ended {
        Ended::Done(found) | Ended::Exhausted(_, Some(found @ Ok(_))) => found,
        Ended::Exhausted(exhausted, _) => Err(Reason::Exhausted(exhausted).into()),
        Ended::Failed(reason) => Err(reason.into()),
    }
}
