//! Text in, text out: a C program and the outcomes of a path's branches give the predicates that explain it.

use budget::Budget;
use path_analysis::{Analysis, Options, Path, analyse};
use program::{EdgeId, ExprId, PlaceId, Program, VarId};
use semantics::{Cell, ClassId, MemoryModel, Semantics};
use solver::Z3Solver;

/// One memory of `int`s: right for programs whose memory holds nothing else.
pub struct Ints {
    plain: Vec<bool>,
}

impl Ints {
    pub fn new(program: &Program) -> Ints {
        let taken = program::AddressTaken::new(program);
        Ints {
            plain: program.vars.ids().map(|var| !taken.contains(var)).collect(),
        }
    }
}

impl MemoryModel for Ints {
    fn is_plain(&self, var: VarId) -> bool {
        self.plain[program::Id::index(var)]
    }

    fn class(&self, _: PlaceId, _: u64, _: u64) -> ClassId {
        ClassId(0)
    }

    fn class_behind(&self, _: ExprId, _: u64, _: u64) -> Option<ClassId> {
        Some(ClassId(0))
    }

    fn class_allocated(&self, _: EdgeId, _: u64, _: u64) -> Option<ClassId> {
        Some(ClassId(0))
    }

    fn cell(&self, _: ClassId) -> Cell {
        Cell::Word(4)
    }

    fn sole_owner(&self, _: ClassId) -> Option<VarId> {
        None
    }
}

pub fn load(text: &str) -> Program {
    c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the test's program is right")
        .program
}

/// What the analysis says about the path through `main` with these outcomes.
pub fn explain(text: &str, outcomes: &[usize]) -> String {
    explain_with(text, outcomes, &Options::default())
}

pub fn explain_with(text: &str, outcomes: &[usize], options: &Options) -> String {
    let program = load(text);
    let memory = Ints::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let main = program.function_named("main").expect("there is a main");
    let path = Path::follow(&program, main, outcomes).expect("the outcomes name a path");
    let analysis = analyse(&mut semantics, &mut solver, &path, options, &Budget::unlimited())
        .expect("the path is well formed");
    match analysis {
        Analysis::Unknown(reason) => format!("unknown: {reason}\n"),
        Analysis::Feasible(feasible) => {
            let mut text = "feasible\n".to_owned();
            for input in feasible.inputs {
                let name = semantics.terms.symbol_name(input.symbol);
                text += &format!(
                    "  {} = {:?}\n",
                    name.split('!').next().unwrap_or(name),
                    input.value
                );
            }
            text
        }
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
            let mut text = lines.concat();
            let steps: Vec<String> = explanation
                .slice
                .iter()
                .filter_map(|step| program.edges[step.edge].span)
                .map(|span| span.line.to_string())
                .collect();
            text += &format!("slice: lines {}\n", steps.join(" "));
            text
        }
    }
}
