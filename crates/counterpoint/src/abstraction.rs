//! `counterpoint abstract FILE --predicates P`: the Boolean program that the refinement loop would make of a program and
//! these predicates.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::abstraction::{Constraints, Input, Memo, Predicates, Stop, abstract_program};
use boolean_program::{Dialect, Expr, StatementId, StatementKind};
use budget::Budget;
use c_frontend::{Diagnostic, ScopedExpression};
use clap::Args;
use points_to::PointsTo;
use program::Stated;
use property::Woven;
use semantics::{AliasMemory, Semantics, State};
use solver::Z3Solver;
use verdict::Goal;

use crate::exit::Status;
use crate::front_end_options::FrontEndOptions;
use crate::property_options::PropertyOptions;
use crate::task::Asked;

/// Abstract a program to a Boolean program over given predicates
#[derive(Args)]
#[command(
    after_help = "Example: counterpoint abstract lock.c --predicates lock.preds -o lock.bp

The file of predicates has one a line: `function: C expression` for one that mentions variables of a function, else
`global: C expression` or the expression alone. `#` starts a comment. What is written is read by `counterpoint reach`;
errors of the program are assertions in it."
)]
pub struct Options {
    #[command(flatten)]
    front_end: FrontEndOptions,

    #[command(flatten)]
    property: PropertyOptions,

    /// The predicates
    #[arg(long, value_name = "FILE")]
    predicates: PathBuf,

    /// Write the Boolean program here instead of on standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The longest cube that is tried: a number or `none`
    #[arg(long, value_name = "LENGTH", default_value = "3", value_parser = crate::limits::cube_length)]
    cube_length: crate::limits::CubeLength,

    /// Give up after this time
    #[arg(long, default_value = "60s", value_parser = crate::limits::duration, value_name = "TIME")]
    time_limit: Duration,

    /// Give up beyond this memory
    #[arg(long, default_value = "2GiB", value_parser = crate::limits::bytes, value_name = "MEMORY")]
    memory_limit: u64,

    /// How many cubes the search for one formula asks the solver about: a number or `none`
    #[arg(long, value_name = "NUMBER", default_value = "300", value_parser = crate::limits::cube_length)]
    cube_queries: crate::limits::CubeLength,

    /// What is said of the predicates that one statement changes
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    abstraction: crate::precision::Abstraction,

    /// Who decides formulas
    #[arg(long, value_name = "SOLVER", value_enum, default_value_t)]
    solver: crate::precision::Solver,
}

/// What stops the command, with the message that says so.
struct Failure(Status, String);

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        let text = diagnostics.iter().map(ToString::to_string).collect();
        Failure(Status::BadInput, text)
    }
}

pub fn run(options: &Options) -> Status {
    let text = match abstracted(options) {
        Ok(text) => text,
        Err(Failure(status, message)) => {
            eprint!("{message}");
            return status;
        }
    };
    match crate::output::write(options.output.as_deref(), &text) {
        Ok(()) => Status::Done,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

fn abstracted(options: &Options) -> Result<String, Failure> {
    let bad = |message: String| Failure(Status::BadInput, message);
    let file = options.predicates.display().to_string();
    let text = std::fs::read_to_string(&options.predicates)
        .map_err(|error| bad(format!("error: cannot read {file}: {error}\n")))?;
    let expressions = c_frontend::scoped_expressions(&file, &text);
    let inputs = options.front_end.inputs()?;
    let (loaded, terms) = c_frontend::load_with_expressions(&inputs, &expressions)?;
    let property = options.property.load().map_err(bad)?;
    let woven = property::weave(loaded.program, &property).map_err(|error| bad(error.to_string()))?;
    write(options, &woven, &expressions, &terms)
}

fn write(
    options: &Options,
    woven: &Woven,
    expressions: &[ScopedExpression],
    terms: &[Stated],
) -> Result<String, Failure> {
    let program = &woven.program;
    let unknown = |message: String| Failure(Status::Unknown, format!("error: {message}\n"));
    let points_to = PointsTo::new(program, &[woven.entry]);
    let memory = AliasMemory::new(program, &points_to);
    let mut semantics = Semantics::new(program, &memory);
    let limits = solver::Options {
        prover: options.solver.prover(),
        ..solver::Options::default()
    };
    let mut solver = Z3Solver::new(&limits).map_err(|reason| unknown(reason.to_string()))?;
    let mut predicates = Predicates::default();
    for (expression, term) in expressions.iter().zip(terms) {
        let place = format!("{}:{}", expression.file, expression.line);
        let term = semantics.stated(term).map_err(|what| {
            Failure(
                Status::BadInput,
                format!("{place}: error: not supported: {what}\n"),
            )
        })?;
        if predicates.add(&mut semantics, term).is_none() {
            eprintln!("{place}: note: this predicate is a constant, or given before");
        }
    }
    let mut initial = State::new();
    let first = semantics.initial();
    let first = first.map_err(|what| unknown(format!("the program's initial values need {what}")))?;
    initial.step(&mut semantics, &first);
    let asked = Asked::new(woven, &points_to);
    let input = Input {
        task: &asked.task(),
        predicates: &predicates,
        constraints: &Constraints::default(),
        initial: &initial,
    };
    let budget = Budget::new(
        Some(options.time_limit),
        Some(options.memory_limit),
        Arc::default(),
    );
    let settings = ::abstraction::Options {
        cube_length: options.cube_length.0,
        cube_queries: options.cube_queries.0,
        changes: options.abstraction.changes(),
    };
    let mut memo = Memo::new(&settings);
    let made = abstract_program(&mut semantics, &mut solver, &mut memo, &input, &budget);
    let mut made = made.map_err(|stop| match stop {
        Stop::Exhausted(exhausted) => unknown(exhausted.to_string()),
    })?;
    let mut text = String::new();
    // Writing to a string does not fail.
    let statements = made.program.statements();
    for (statement, target) in made.targets() {
        let (_, statement) = statements[statement.index()];
        let label = statement.labels.iter().find(|label| label.starts_with("TARGET"));
        let label = label.expect("a target is labelled as one");
        let _ = match target {
            Goal::Error(edge) => {
                let site = woven.errors.iter().find(|site| site.edge == *edge);
                writeln!(
                    text,
                    "// {label}: {}",
                    site.map_or("error", |site| site.message.as_str())
                )
            }
            Goal::Unsupported(_, what) => {
                writeln!(text, "// {label}: not an error, but not supported: {what}")
            }
            Goal::Elsewhere(_) => {
                writeln!(
                    text,
                    "// {label}: not an error, but not supported: a call of a function that is not known"
                )
            }
        };
    }
    let targets: Vec<StatementId> = made.targets().map(|(statement, _)| statement).collect();
    mark_targets(&mut made.program, &targets);
    // The program starts with the procedure that sets the predicates over globals.
    let names: Vec<String> = made.program.procedures.iter().map(|p| p.name.clone()).collect();
    for procedure in made
        .program
        .procedures
        .iter_mut()
        .skip(1)
        .filter(|p| p.name == "main")
    {
        procedure.name = (0..)
            .map(|number| format!("main_{number}"))
            .find(|name| !names.contains(name))
            .expect("there are more numbers than procedures");
    }
    made.program.procedures[made.entry.index()].name = "main".to_owned();
    text.push_str(&boolean_program::write(&made.program, Dialect::Bebop));
    Ok(text)
}

/// Targets become assertions that fail.
fn mark_targets(program: &mut boolean_program::Program, targets: &[StatementId]) {
    // An abstraction has no statements inside of others: they are numbered as they stand in the bodies.
    let statements = program
        .procedures
        .iter_mut()
        .flat_map(|procedure| &mut procedure.body);
    for (number, statement) in statements.enumerate() {
        if targets.contains(&StatementId(number as u32)) {
            statement.kind = StatementKind::Assert(Expr::FALSE);
        }
    }
}
