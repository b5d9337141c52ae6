//! `counterpoint path` on whole files: what a person reads.

mod support;

use expect_test::{Expect, expect};
use support::{counterpoint, folder};

const PROGRAM: &str = "void main(int a, int b)
{
    long c;
    if (b > 0) {
        c = 2L * b;
        a = b;
        a = a - 1;
        if (a < b)
            if (a == c)
                a = 0;
    }
}
";

fn check(test: &str, arguments: &[&str], status: i32, expected: Expect) {
    let folder = folder(test, &[("input.c", PROGRAM)]);
    let printed = counterpoint(&folder, &[&["path", "input.c"], arguments].concat());
    expected.assert_eq(&printed.all());
    assert_eq!(printed.status, Some(status));
}

#[test]
fn a_contradiction_with_its_table() {
    check(
        "a_contradiction_with_its_table",
        &["--branches", "1,1,1", "--table"],
        0,
        expect![[r#"
            infeasible: step 6 cannot be taken
              input.c:9: assume a == c

            The smallest part of the path that cannot be taken:
                1  input.c:4: assume b > 0
                2  input.c:5: c = 2L * b
                5  input.c:8: assume a < b
                6  input.c:9: assume a == c

            Predicates that show it:
              main: b <= 0
              main: a < b
              main: c == 2 * (long long)b

            7 steps, store 3, conditions 3, history 2, 3 of 4 predicates

            Store Ω: variable, value, depends on
              1. b  θ_b                 ()   before the first step
              2. c  2 * (long long)θ_b  (1)  step 2, input.c:5
              3. a  θ_a                 ()   step 4, input.c:7

            Conditions Φ: condition, depends on
              θ_b > 0                               (1)    step 1, input.c:4
              θ_a < θ_b                             (1,3)  step 5, input.c:8
              2 * (long long)θ_b == (long long)θ_a  (2,3)  step 6, input.c:9
        "#]],
    );
}

#[test]
fn outcomes_that_name_no_path() {
    check(
        "outcomes_that_name_no_path",
        &["--branches", "1,2"],
        2,
        expect![[r#"
            error: branch 2 has no outcome 2: there are 2 ways to go on, counted from 0
        "#]],
    );
    check(
        "outcomes_that_name_no_path",
        &["--branches", "0,1"],
        2,
        expect![[r#"
            error: the path ends after 1 of the 2 outcomes given
        "#]],
    );
    check(
        "outcomes_that_name_no_path",
        &["--entry", "start"],
        2,
        expect![[r#"
            error: the program has no function `start`
        "#]],
    );
}
