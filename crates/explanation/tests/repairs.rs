//! Faulty programs, and the lines at which another result alone would do.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use budget::Budget;
use evidence::{Answer, Judge, Violation, vouch};
use expect_test::{Expect, expect};
use explanation::repairs;
use interpreter::ListedInputs;
use points_to::PointsTo;
use program::{CallGraph, EdgeId, FuncId, Id};
use property::{Property, Woven};
use semantics::{AliasMemory, Semantics};
use verdict::{Counterexample, Task, Verdict};

const PRELUDE: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

/// What is said about the run on some inputs, which fails. `expected` is trusted where the program has such a function.
fn check(inputs: &[i128], text: &str, expected: Expect) {
    let loaded = c_frontend::load_text(
        "test.c",
        &format!("{PRELUDE}{text}"),
        &c_frontend::Options::default(),
    );
    let program = match loaded {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    let woven = property::weave(program, &Property::default()).unwrap_or_else(|error| panic!("{error}"));
    expected.assert_eq(&said(&woven, inputs));
}

fn said(woven: &Woven, inputs: &[i128]) -> String {
    let program = &woven.program;
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let points_to = PointsTo::new(program, &[woven.entry]);
    let calls = CallGraph::new(program, &points_to);
    let task = Task {
        program,
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
        followed: &[],
    };
    let violation = violation(&task, inputs);
    let functions = (0..program.functions.len()).map(FuncId::from_index);
    let trusted: Vec<FuncId> = functions
        .filter(|&function| program.functions[function].name == "expected")
        .collect();
    let Some(found) = repairs(&task, &violation, &trusted, &Budget::unlimited()) else {
        return "no line alone\n".to_owned();
    };
    let mut said = String::new();
    for &(edge, wrong) in &found.lines {
        let span = program.edges[edge].span.expect("lines of the source are told");
        let source = program.sources.file(span.file).line(span.line);
        let right = match wrong {
            0 => "all runs are right then",
            _ => "nearly all runs are right then",
        };
        let _ = writeln!(said, "{}   ({right})", source.expect("it is in the text").trim());
    }
    assert!(
        found.failing > 0 && found.passing > 0,
        "there are runs that say so"
    );
    said
}

/// The run, as the judge has it.
fn violation(task: &Task<'_>, inputs: &[i128]) -> Violation {
    let mut listed = ListedInputs::new(inputs.iter().copied());
    let found = sampling::failing_run(task, task.errors[0], &mut listed).expect("the run fails");
    let points_to = PointsTo::new(task.program, &[task.entry]);
    let memory = AliasMemory::new(task.program, &points_to);
    let mut semantics = Semantics::new(task.program, &memory);
    let verdict = Verdict::Unsafe(Box::new(Counterexample {
        path: found.path,
        error: found.error,
        given: sampling::given(&found.inputs),
        defined: true,
        doubt: None,
        abstract_trace: None,
    }));
    let answer = vouch(
        "test",
        task,
        &mut semantics,
        verdict,
        &Judge::default(),
        &Budget::unlimited(),
        &mut |_| ControlFlow::Continue(()),
    );
    match answer {
        Answer::Violated(violation) => *violation,
        _ => panic!("the judge does not see it fail"),
    }
}

#[test]
fn a_wrong_number_some_calls_away() {
    check(
        &[1, 520],
        "int limit(int kind) {
            if (kind == 0)
                return 400;
            return 550;
        }
        int is_far(int kind, int distance) {
            int least = limit(kind);
            return distance >= least;
        }
        int expected(int kind, int distance) { return distance >= (kind == 0 ? 400 : 500); }
        int main(void) {
            int kind = __VERIFIER_nondet_int();
            int distance = __VERIFIER_nondet_int();
            assert(is_far(kind, distance) == expected(kind, distance));
            return 0;
        }",
        expect![[r#"
            return 550;   (all runs are right then)
            return distance >= least;   (all runs are right then)
            if (kind == 0)   (nearly all runs are right then)
        "#]],
    );
}

#[test]
fn a_branch_on_the_wrong_value() {
    check(
        &[2],
        "int price(int kind) {
            int price = 10;
            if (kind == 2)
                price = 20;
            if (kind == 4)
                price = 40;
            return price;
        }
        int expected(int kind) { return kind == 3 ? 20 : kind == 4 ? 40 : 10; }
        int main(void) {
            int kind = __VERIFIER_nondet_int();
            assert(price(kind) == expected(kind));
            return 0;
        }",
        expect![[r#"
            if (kind == 2)   (all runs are right then)
            price = 20;   (nearly all runs are right then)
        "#]],
    );
}

#[test]
fn a_condition_that_is_left_out() {
    check(
        &[1, 700, 5],
        "int confident, rate, height;
        int enabled(void) {
            int result;
            result = confident && height > 0;
            return result;
        }
        int expected(void) { return confident && rate <= 600 && height > 0; }
        int main(void) {
            confident = __VERIFIER_nondet_int();
            rate = __VERIFIER_nondet_int();
            height = __VERIFIER_nondet_int();
            assert(!enabled() == !expected());
            return 0;
        }",
        expect![[r#"
            result = confident && height > 0;   (all runs are right then)
            return result;   (all runs are right then)
        "#]],
    );
}

#[test]
fn an_alternative_that_is_left_out() {
    check(
        &[1, 0, 0, 3],
        "int confident, equipped, reports, height;
        int answer(void) {
            int known = reports;
            int answer = 0;
            if (confident && (equipped && known))
                answer = height > 2 ? 1 : 2;
            return answer;
        }
        int expected(void) {
            if (!confident || (equipped && !reports))
                return 0;
            return height > 2 ? 1 : 2;
        }
        int main(void) {
            confident = __VERIFIER_nondet_int();
            equipped = __VERIFIER_nondet_int();
            reports = __VERIFIER_nondet_int();
            height = __VERIFIER_nondet_int();
            int given = answer();
            int wanted = expected();
            assert(given == wanted);
            return 0;
        }",
        expect![[r#"
            if (confident && (equipped && known))   (all runs are right then)
            int answer = 0;   (nearly all runs are right then)
            return answer;   (nearly all runs are right then)
        "#]],
    );
}

#[test]
fn a_condition_that_is_remembered_elsewhere() {
    check(
        &[5, 5, 1],
        "int own, other, free;
        int is_below(void) {
            return own < other;
        }
        int climbs(void) {
            int result;
            result = free;
            return result;
        }
        int expected(void) { return is_below() && free; }
        int main(void) {
            own = __VERIFIER_nondet_int();
            other = __VERIFIER_nondet_int();
            free = __VERIFIER_nondet_int();
            if (free < 0 || free > 1)
                return 0;
            assert(climbs() == expected());
            return 0;
        }",
        expect![[r#"
            return own < other;   (all runs are right then)
            result = free;   (all runs are right then)
            return result;   (all runs are right then)
        "#]],
    );
}

#[test]
fn what_is_trusted_is_no_repair() {
    // Either of the two could be wrong; one is said not to be.
    check(
        &[5],
        "int doubled(int x) {
            return x + x + (x == 5);
        }
        int expected(int x) {
            return 2 * x;
        }
        int main(void) {
            int x = __VERIFIER_nondet_int();
            if (x < 0 || x > 1000)
                return 0;
            assert(doubled(x) == expected(x));
            return 0;
        }",
        expect![[r#"
            return x + x + (x == 5);   (all runs are right then)
        "#]],
    );
}

#[test]
fn two_faults_need_two_repairs() {
    check(
        &[1, 1],
        "int first(int x) {
            return x == 1 ? 7 : x;
        }
        int second(int y) {
            return y == 1 ? 9 : y;
        }
        int main(void) {
            int x = __VERIFIER_nondet_int();
            int y = __VERIFIER_nondet_int();
            int a = first(x);
            int b = second(y);
            assert(a == x && b == y);
            return 0;
        }",
        expect![[r#"
            no line alone
        "#]],
    );
}

#[test]
fn without_a_run_that_passes_there_is_nothing_to_keep() {
    check(
        &[3],
        "int main(void) {
            int x = __VERIFIER_nondet_int();
            int y = x;
            assert(x != y);
            return 0;
        }",
        expect![[r#"
            no line alone
        "#]],
    );
}

#[test]
fn without_inputs_there_is_one_run() {
    check(
        &[],
        "int main(void) {
            int x = 3;
            x = x + 1;
            assert(x == 3);
            return 0;
        }",
        expect![[r#"
            no line alone
        "#]],
    );
}
