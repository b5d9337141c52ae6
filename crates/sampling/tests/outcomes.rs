//! Small programs and what running them shows.

use std::time::Duration;

use budget::Budget;
use expect_test::{Expect, expect};
use program::{CallGraph, TypeResolver};
use property::Property;
use sampling::{Options, Outcome};
use verdict::Task;

fn check(text: &str, expected: Expect) {
    let loaded = c_frontend::load_text("test.c", text, &c_frontend::Options::default());
    let program = match loaded {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    let woven = property::weave(program, &Property::default()).unwrap_or_else(|error| panic!("{error}"));
    let errors: Vec<_> = woven.errors.iter().map(|site| site.edge).collect();
    let calls = CallGraph::new(&woven.program, &TypeResolver::new(&woven.program));
    let task = Task {
        program: &woven.program,
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
        followed: &[],
    };
    // As many runs on a slow machine as on a fast one.
    let options = Options {
        runs: 100,
        run_steps: 10_000,
        long_steps: 10_000,
        most: Duration::from_secs(600),
        ..Options::default()
    };
    let said = match sampling::run(&task, &options, &Budget::unlimited()) {
        Outcome::Violation(violation) => {
            let path = violation.path.locations(&woven.program);
            let path = path.expect("the steps make a path");
            assert_eq!(
                path.last(),
                Some(&woven.program.edges[violation.error].from),
                "the path ends where the error edge starts"
            );
            let inputs: Vec<String> = violation
                .inputs
                .iter()
                .map(|input| input.value.to_string())
                .collect();
            format!(
                "fails after {} steps with [{}]\n",
                violation.path.steps.len(),
                inputs.join(", ")
            )
        }
        Outcome::DecidedByItsOnlyRun { steps } => format!("its only run ends after {steps} steps\n"),
        Outcome::Nothing { .. } => "no run fails\n".to_owned(),
        Outcome::Stopped(exhausted) => format!("{exhausted}\n"),
    };
    expected.assert_eq(&said);
}

#[test]
fn a_program_without_inputs_is_decided() {
    check(
        "#include <assert.h>
        int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main(void) { int unused; assert(fib(15) == 610); return 0; }",
        expect![[r#"
            its only run ends after 7895 steps
        "#]],
    );
    check(
        "#include <assert.h>
        int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main(void) { assert(fib(5) != 5); return 0; }",
        expect![[r#"
            fails after 76 steps with []
        "#]],
    );
}

#[test]
fn a_constant_of_the_program_is_tried() {
    check(
        "#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7531); return 0; }",
        expect![[r#"
            fails after 2 steps with [7531]
        "#]],
    );
    check(
        "#include <assert.h>
        extern unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { int n = 0; while (__VERIFIER_nondet_uchar()) n++; assert(n != 4); return 0; }",
        expect![[r#"
            fails after 16 steps with [165, 143, 240, 44, 0]
        "#]],
    );
}

/// None of these has one run only, or its run shows nothing.
#[test]
fn what_is_not_decided_by_one_run() {
    let not_decided = [
        // What it reads was never written.
        "int main(void) { int x; if (x == 12345) reach_error(); return 0; }",
        // Its arguments.
        "int main(int argc, char **argv) { if (argc == 5) reach_error(); return 0; }",
        // What somebody else defines.
        "extern int other; int main(void) { if (other == 1 << 20) reach_error(); return 0; }",
        "extern void other(int *); int main(void) { int x = 0; other(&x); if (x) reach_error(); return 0; }",
        "extern int rand(void); int main(void) { if (rand() == 7 << 20) reach_error(); return 0; }",
        // It does not end.
        "int main(void) { for (;;); reach_error(); }",
        // Undefined behaviour.
        "int a[3]; int main(void) { a[3] = 1; if (a[0]) reach_error(); return 0; }",
        "int main(void) { int x = 1, n = 0; x = x / n; if (n) reach_error(); return 0; }",
    ];
    for text in not_decided {
        let text = format!("extern void reach_error(void); {text}");
        let loaded = c_frontend::load_text("test.c", &text, &c_frontend::Options::default());
        let program = match loaded {
            Ok(loaded) => loaded.program,
            Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
        };
        let woven = property::weave(program, &Property::default()).unwrap_or_else(|error| panic!("{error}"));
        let errors: Vec<_> = woven.errors.iter().map(|site| site.edge).collect();
        let calls = CallGraph::new(&woven.program, &TypeResolver::new(&woven.program));
        let task = Task {
            calls: &calls,
            followed: &[],
            program: &woven.program,
            entry: woven.entry,
            errors: &errors,
        };
        let options = Options {
            runs: 0,
            first_steps: 100_000,
            ..Options::default()
        };
        let outcome = sampling::run(&task, &options, &Budget::unlimited());
        assert!(matches!(outcome, Outcome::Nothing { .. }), "{text}: {outcome:?}");
    }
}
