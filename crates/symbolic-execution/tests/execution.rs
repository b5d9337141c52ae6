//! States along small paths: their values, their unknowns, and going back to them.

use logic::{Term, Value};
use points_to::PointsTo;
use program::{EdgeKind, Program};
use semantics::{AliasMemory, FreshCause, Path, Semantics, Step, Storage};
use symbolic_execution::{Addresses, Cause, Execution};
use verdict::Content;

/// Runs a check on the executions of a program's paths from its main function.
fn with_program(text: &str, check: impl FnOnce(&mut Semantics<'_>)) {
    let program = c_frontend::load_text("execution.c", text, &c_frontend::Options::default())
        .expect("the program is right")
        .program;
    let main = program.function_named("main").expect("there is a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    check(&mut Semantics::new(&program, &memory));
}

fn path(program: &Program, outcomes: &[usize]) -> Path {
    let main = program.function_named("main").expect("there is a main function");
    Path::follow(program, main, outcomes).expect("the outcomes name a path")
}

fn start(semantics: &mut Semantics<'_>, addresses: Addresses) -> Execution {
    let main = semantics.program.function_named("main");
    Execution::new(semantics, main.expect("there is a main function"), addresses)
        .expect("the start is supported")
}

fn take(semantics: &mut Semantics<'_>, execution: &mut Execution, steps: &[Step]) {
    for &step in steps {
        execution.step(semantics, step).expect("the step is supported");
    }
}

/// All that can be seen of an execution.
fn describe(semantics: &Semantics<'_>, execution: &Execution) -> String {
    let mut lines = vec![format!("at {:?}", execution.location())];
    for &activation in &execution.open_activations() {
        lines.push(format!("{:?}", execution.activations()[activation]));
        for (_, definition) in execution.locals(activation) {
            lines.push(format!("{definition:?}"));
        }
    }
    for (_, definition) in execution.globals() {
        lines.push(format!("{definition:?}"));
    }
    lines.extend(execution.steps().iter().map(|step| format!("{step:?}")));
    lines.extend(execution.conditions().iter().map(|it| format!("{it:?}")));
    lines.extend(execution.defined().iter().map(|it| format!("{it:?}")));
    lines.extend(execution.unknowns().iter().map(|it| format!("{it:?}")));
    lines.extend(execution.allocations().iter().map(|it| format!("{it:?}")));
    lines.extend(execution.definitions().iter().map(|it| format!("{it:?}")));
    let conditions: Vec<Term> = execution.conditions().iter().map(|it| it.exact).collect();
    lines.extend(conditions.iter().map(|&term| semantics.terms.to_c(term)));
    lines.join("\n")
}

/// The value that the last step returns, as C.
fn returned(semantics: &mut Semantics<'_>, execution: &mut Execution) -> String {
    let main = semantics
        .program
        .function_named("main")
        .expect("there is a main function");
    let result = semantics.current(Storage::Result(main, 0));
    let value = execution.value(semantics, result);
    semantics.terms.to_c(value)
}

const BRANCHES: &str = "
    extern int nondet(void);
    int g = 7, a[4];
    int twice(int x) { int y = x + x; a[x & 3] = y; return y; }
    int main(int c) {
        int n = nondet(), *p = c ? &g : &n;
        if (n > 3) *p = twice(n); else *p = twice(c) + g;
        if (g == 7) return n;
        return twice(g);
    }";

#[test]
fn a_step_says_what_it_requires() {
    with_program(
        "extern int nondet(void);
         int main(int d) { int x = 8; if (x < 9) { x = x / d; } if (x == nondet()) return x; return 0; }",
        |semantics| {
            let steps = path(semantics.program, &[1, 1]).steps;
            let mut execution = start(semantics, Addresses::Chosen);
            let mut seen = Vec::new();
            for step in steps {
                let taken = execution.step(semantics, step).expect("the step is supported");
                let conditions = taken.condition.into_iter().chain(taken.defined);
                let conditions = conditions.map(|term| semantics.terms.to_c(term));
                seen.extend(conditions);
            }
            assert_eq!(seen.len(), 2, "that 8 < 9 is nothing to require: {seen:?}");
            assert!(seen[0].ends_with("!= 0"), "{seen:?}");
            assert!(seen[1].contains("8 /"), "{seen:?}");
            let causes: Vec<Cause> = execution.unknowns().iter().map(|unknown| unknown.cause).collect();
            assert!(
                matches!(
                    causes[..],
                    [Cause::Parameter(_, 0), Cause::Edge(FreshCause::External(_))]
                ),
                "{causes:?}"
            );
        },
    );
}

#[test]
fn going_back_is_as_if_nothing_had_been_done() {
    with_program(BRANCHES, |semantics| {
        for outcomes in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let one = path(semantics.program, &outcomes).steps;
            let other = path(semantics.program, &[outcomes[0], 1 - outcomes[1]]).steps;
            let mut execution = start(semantics, Addresses::Chosen);
            for (at, &step) in one.iter().enumerate() {
                let (mark, before) = (execution.mark(), describe(semantics, &execution));
                // To the end of this path, and as far along the other one as it is the same.
                take(semantics, &mut execution, &one[at..]);
                assert_ne!(describe(semantics, &execution), before);
                execution.undo_to(&mark);
                if other.get(..at) == Some(&one[..at]) {
                    take(semantics, &mut execution, &other[at..]);
                    execution.undo_to(&mark);
                }
                assert_eq!(describe(semantics, &execution), before, "step {at}");
                take(semantics, &mut execution, &[step]);
            }
        }
    });
}

#[test]
fn forks_go_on_by_themselves() {
    with_program(
        "int g;
         int f(int x) { int y = x + 1; g = y; return y * g; }
         int main(int n) { int r = f(n); return r + f(r); }",
        |semantics| {
            let steps = path(semantics.program, &[]).steps;
            let mut root = start(semantics, Addresses::Chosen);
            // What is unknown is met before they part.
            let main = &semantics.program.functions[root.activations()[0].function];
            let parameter = semantics.current(Storage::Variable(main.params[0], 0));
            root.value(semantics, parameter);
            let mut alone = root.fork();
            take(semantics, &mut alone, &steps);
            let expected = describe(semantics, &alone);
            for at in 0..=steps.len() {
                let mut trunk = root.fork();
                take(semantics, &mut trunk, &steps[..at]);
                let before = describe(semantics, &trunk);
                let mut branch = trunk.fork();
                take(semantics, &mut branch, &steps[at..]);
                assert_eq!(describe(semantics, &branch), expected);
                assert_eq!(describe(semantics, &trunk), before);
            }
        },
    );
}

#[test]
fn every_activation_has_its_own_locals() {
    with_program(
        "int sum(int n) { int rest = 0; if (n > 0) rest = sum(n - 1); return n + rest; }
         int main(void) { return sum(3); }",
        |semantics| {
            let steps = path(semantics.program, &[1, 1, 1, 0]).steps;
            let mut execution = start(semantics, Addresses::Chosen);
            let mut deepest = Vec::new();
            for &step in &steps {
                take(semantics, &mut execution, &[step]);
                let open = execution.open_activations();
                if open.len() > deepest.len() {
                    deepest = open
                        .iter()
                        .map(|&activation| execution.locals(activation).len())
                        .collect();
                }
            }
            assert_eq!(
                deepest,
                [1, 2, 2, 2, 0],
                "parameter, and `rest` in those further out"
            );
            assert_eq!(returned(semantics, &mut execution), "6");
            assert_eq!(execution.open_activations(), [0]);
            let depths: Vec<u64> = execution.activations().iter().map(|it| it.depth).collect();
            assert_eq!(depths, [0, 0, 1, 2, 3]);
        },
    );
}

#[test]
fn allocations_do_not_overlap() {
    with_program(
        "extern void *malloc(unsigned long);
         int g;
         int main(void) {
           int *p = malloc(4), *q = malloc(8), *r = &g;
           *p = 1; *q = 2; *r = 3;
           return (*p == 1) & (*q == 2) & (*r == 3) & (p != q) & (p != r);
         }",
        |semantics| {
            let steps = path(semantics.program, &[]).steps;
            let mut execution = start(semantics, Addresses::Chosen);
            take(semantics, &mut execution, &steps);
            assert_eq!(returned(semantics, &mut execution), "1");
            let sizes: Vec<u64> = execution.allocations().iter().map(|it| it.size).collect();
            assert_eq!(sizes, [4, 8]);
            // Where objects lie anywhere, that is not said.
            let mut execution = start(semantics, Addresses::Symbolic);
            take(semantics, &mut execution, &steps);
            assert_ne!(returned(semantics, &mut execution), "1");
            assert!(execution.allocations().is_empty());
        },
    );
}

#[test]
fn an_external_bool_is_an_unknown_of_the_start() {
    with_program("extern _Bool b; int main(void) { return b; }", |semantics| {
        let steps = path(semantics.program, &[]).steps;
        let mut execution = start(semantics, Addresses::Chosen);
        take(semantics, &mut execution, &steps);
        let unknowns: Vec<_> = execution.unknowns().iter().collect();
        let [unknown] = unknowns[..] else {
            panic!("{unknowns:?}")
        };
        assert!(matches!(
            (unknown.cause, unknown.step),
            (Cause::Edge(FreshCause::Uninitialised(_)), None)
        ));
    });
}

#[test]
fn a_step_without_a_meaning_changes_nothing() {
    with_program(
        "extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int main(int a, char *p) { qsort(p, a, 1, 0); return a; }",
        |semantics| {
            let steps = path(semantics.program, &[]).steps;
            let mut execution = start(semantics, Addresses::Chosen);
            let before = describe(semantics, &execution);
            let refused = execution.step(semantics, steps[0]);
            refused.expect_err("what `qsort` does is not modelled");
            assert_eq!(describe(semantics, &execution), before);
        },
    );
}

/// Where no object of the program lies.
const POINTED: u128 = 0x5800_0000_4000;

#[test]
fn a_model_says_what_memory_held() {
    with_program(
        "int main(int *p) { if (p[1] == 5) { p[1] = 6; if (p[1] == 6) return 1; } return 0; }",
        |semantics| {
            let path = path(semantics.program, &[1, 1]);
            assert!(matches!(
                semantics.program.edges[path.steps[0].edge()].kind,
                EdgeKind::Assume { .. }
            ));
            let mut execution = start(semantics, Addresses::Chosen);
            take(semantics, &mut execution, &path.steps);
            let mut model = logic::Assignment::new();
            model.complete_with_zero = true;
            for unknown in execution.unknowns().iter() {
                let value = match unknown.cause {
                    Cause::Memory(_) => {
                        let zero = Value::word(32, 0);
                        let memory = logic::ArrayValue::constant(64, zero);
                        Value::Array(memory.store(POINTED + 4, Value::word(32, 5)))
                    }
                    _ => Value::word(64, POINTED),
                };
                model.set(unknown.symbol, value);
            }
            let conditions: Vec<Term> = execution.conditions().iter().map(|it| it.exact).collect();
            let held = semantics
                .terms
                .eval_all(&conditions, &model)
                .expect("all is given");
            assert!(held.iter().all(|value| value.as_bool() == Some(true)));
            let memory = execution
                .initial_memory(semantics, &conditions, &model)
                .expect("all is given");
            assert!(memory.born.is_empty() && memory.variables.is_empty());
            let five = Content {
                at: POINTED as u64 + 4,
                bytes: vec![5, 0, 0, 0],
            };
            assert_eq!(memory.environment_contents, [five]);
        },
    );
}
