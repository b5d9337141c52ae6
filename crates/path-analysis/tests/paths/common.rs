//! Text in, text out: a C program and the outcomes of a path's branches give the predicates that explain it.

use budget::Budget;
use path_analysis::{Analysis, Options, analyse};
use points_to::PointsTo;
use program::Program;
use semantics::{AliasMemory, Path, Semantics};
use solver::Z3Solver;

pub fn load(text: &str) -> Program {
    c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the test's program is right")
        .program
}

/// What the analysis says about the path through `main` with these outcomes.
pub fn explain(text: &str, outcomes: &[usize]) -> String {
    with_analysis(
        text,
        outcomes,
        |_, _| Options::default(),
        |semantics, analysis| describe(semantics, &analysis),
    )
}

/// Analyses the path through `main` with these outcomes; the options may be about the program's symbols.
pub fn with_analysis<R>(
    text: &str,
    outcomes: &[usize],
    options: impl FnOnce(&mut Semantics<'_>, &Path) -> Options,
    then: impl FnOnce(&mut Semantics<'_>, Analysis) -> R,
) -> R {
    let program = load(text);
    let main = program.function_named("main").expect("there is a main");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let path = Path::follow(&program, main, outcomes).expect("the outcomes name a path");
    let options = options(&mut semantics, &path);
    let analysis = analyse(&mut semantics, &mut solver, &path, &options, &Budget::unlimited())
        .expect("the path is well formed");
    then(&mut semantics, analysis)
}

/// Predicates by scope, and the lines of the slice. Every explanation must suffice.
pub fn describe(semantics: &Semantics<'_>, analysis: &Analysis) -> String {
    let program = semantics.program;
    match analysis {
        Analysis::Unknown(reason) => format!("unknown: {}\n", reason.text()),
        Analysis::Feasible(_) => "feasible\n".to_owned(),
        Analysis::Infeasible(explanation) => {
            assert!(explanation.sufficient, "the predicates suffice: {explanation:#?}");
            let mut lines: Vec<String> = explanation
                .predicates
                .iter()
                .map(|found| {
                    let scope = found
                        .scope
                        .map_or("global", |f| program.functions[f].name.as_str());
                    assert!(!found.positions.is_empty(), "a predicate matters somewhere");
                    format!("{scope}: {}\n", semantics.to_c(found.term))
                })
                .collect();
            lines.sort();
            let steps: Vec<String> = explanation
                .slice
                .iter()
                .filter_map(|step| program.edges[step.edge].span)
                .map(|span| span.line.to_string())
                .collect();
            lines.concat() + &format!("slice: lines {}\n", steps.join(" "))
        }
    }
}
