//! C texts as tasks.

use evidence::{Answer, Judge, vouch};
use points_to::PointsTo;
use program::{Assumptions, CallGraph, DataModel, EdgeId, Program};
use property::{Check, Property, Woven, library_rule, weave};
use semantics::{AliasMemory, Semantics};
use std::ops::ControlFlow;
use verdict::{Engine, Followed, Task, Tools, Verdict};

/// What programs may mention without declaring it, on one line, so that the text's lines keep their numbers.
const DECLARED: &str = "extern void reach_error(void); extern void abort(void); extern void inv(int, ...); \
     extern void ensures(int, ...); extern int __VERIFIER_nondet_int(void); \
     extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_assume(int); \
     extern void *malloc(unsigned long); extern void free(void *); ";

/// A program with a property. What is made of a text lives as long as the tests: there are few, and they are small.
pub struct Asked {
    pub woven: &'static Woven,
    points_to: &'static PointsTo,
    calls: &'static CallGraph,
    errors: Vec<EdgeId>,
    followed: Vec<Followed<'static>>,
}

impl Asked {
    /// No error function is called.
    pub fn new(text: &str) -> Asked {
        Asked::with(text, DataModel::Lp64, &Property::default())
    }

    pub fn on_32_bits(text: &str) -> Asked {
        Asked::with(
            &text.replace("unsigned long", "unsigned"),
            DataModel::Ilp32,
            &Property::default(),
        )
    }

    /// Nothing is assumed about what is outside.
    pub fn anywhere(text: &str) -> Asked {
        Asked::anywhere_with(text, DataModel::Lp64)
    }

    pub fn anywhere_with(text: &str, model: DataModel) -> Asked {
        let mut program = Asked::read(text, model);
        program.assumptions = Assumptions::NONE;
        Asked::of(program, &Property::default())
    }

    /// The graph of the text's program is another one.
    pub fn changed(text: &str, change: impl FnOnce(&mut Program)) -> Asked {
        let mut program = Asked::read(text, DataModel::Lp64);
        change(&mut program);
        Asked::of(program, &Property::default())
    }

    /// A rule of the library is kept.
    pub fn with_rule(text: &str, rule: &str) -> Asked {
        let rule = library_rule(rule).expect("the library has the rule");
        let rule = rule.parse().expect("the library's rules can be read");
        Asked::with(text, DataModel::Lp64, &Property::new(Check::Rule(Box::new(rule))))
    }

    pub fn with(text: &str, model: DataModel, property: &Property) -> Asked {
        Asked::of(Asked::read(text, model), property)
    }

    fn read(text: &str, model: DataModel) -> Program {
        let options = c_frontend::Options {
            model,
            ..c_frontend::Options::default()
        };
        let declared = match model {
            DataModel::Lp64 => DECLARED.to_owned(),
            DataModel::Ilp32 => DECLARED.replace("unsigned long", "unsigned"),
        };
        let loaded = c_frontend::load_text("t.c", &format!("{declared}{text}"), &options);
        loaded.unwrap_or_else(|errors| panic!("{errors:?}")).program
    }

    fn of(program: Program, property: &Property) -> Asked {
        let woven: &'static Woven = Box::leak(Box::new(weave(program, property).expect("it can be woven")));
        let points_to: &'static PointsTo = Box::leak(Box::new(PointsTo::new(&woven.program, &[woven.entry])));
        Asked {
            points_to,
            calls: Box::leak(Box::new(CallGraph::new(&woven.program, points_to))),
            errors: woven.errors.iter().map(|site| site.edge).collect(),
            followed: woven
                .watched
                .iter()
                .map(|watched| Followed {
                    var: watched.var,
                    comparisons: &watched.comparisons,
                })
                .collect(),
            woven,
        }
    }

    pub fn program(&self) -> &'static Program {
        &self.woven.program
    }

    pub fn task(&self) -> Task<'_> {
        Task {
            program: &self.woven.program,
            calls: self.calls,
            entry: self.woven.entry,
            errors: &self.errors,
            followed: &self.followed,
        }
    }

    pub fn semantics(&self) -> Semantics<'static> {
        let memory: &'static AliasMemory =
            Box::leak(Box::new(AliasMemory::new(self.program(), self.points_to)));
        Semantics::new(self.program(), memory)
    }

    /// What the refinement loop finds.
    pub fn found(&self, semantics: &mut Semantics<'_>) -> Verdict {
        let budget = budget::Budget::unlimited();
        let mut solver =
            evidence::start_solver(&solver::Options::default(), &budget).expect("there is a solver");
        let mut tools = Tools {
            semantics,
            solver: &mut solver,
            budget: &budget,
            watch: &mut |_| ControlFlow::Continue(()),
        };
        slam::Slam::default().run(&self.task(), &mut tools)
    }

    /// What the judge says; terms are those of `stated_in`.
    pub fn judged(&self, stated_in: &mut Semantics<'_>, verdict: Verdict) -> Answer {
        vouch(
            "test",
            &self.task(),
            stated_in,
            verdict,
            &Judge::default(),
            &budget::Budget::unlimited(),
            &mut |_| ControlFlow::Continue(()),
        )
    }

    /// The answer in one line.
    pub fn said(&self, answer: &Answer) -> String {
        match answer {
            Answer::Safe(_) => "safe".to_owned(),
            Answer::Violated(violation) => format!("violated at {}", self.line(violation.replayed.edge)),
            Answer::Unknown(unknown) => format!(
                "{}: {}",
                unknown.reason.kind(),
                unknown
                    .reason
                    .describe(self.program())
                    .trim_start_matches("internal: ")
            ),
        }
    }

    /// Where an edge stands.
    pub fn line(&self, edge: EdgeId) -> String {
        let program = self.program();
        match program.edges[edge].span {
            Some(span) => program.sources.describe_line(&span),
            None => edge.to_string(),
        }
    }
}
