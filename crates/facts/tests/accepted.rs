//! Facts as text, and the judge's word on them: without anything to check, the facts are a proof that says all of them, and
//! whoever judges has to accept every one.

use std::ops::ControlFlow;
use std::time::Duration;

use budget::Budget;
use evidence::{Answer, Judge, decide};
use expect_test::{Expect, expect};
use facts::{StaticFacts, analyse};
use points_to::PointsTo;
use program::{CallGraph, EdgeId};
use property::{Property, Woven};
use semantics::{AliasMemory, Semantics};
use verdict::Task;

fn woven(text: &str) -> Woven {
    let loaded = c_frontend::load_text("test.c", text, &c_frontend::Options::default());
    let program = match loaded {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    property::weave(program, &Property::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn task<'a>(woven: &'a Woven, calls: &'a CallGraph, errors: &'a [EdgeId]) -> Task<'a> {
    Task {
        program: &woven.program,
        calls,
        entry: woven.entry,
        errors,
        followed: &[],
    }
}

/// Why the judge does not accept the facts of a program, if it does not.
fn refused(woven: &Woven) -> Option<String> {
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let calls = CallGraph::new(&woven.program, &points_to);
    let answer = decide(
        &StaticFacts,
        &task(woven, &calls, &[]),
        &Judge::default(),
        &Budget::unlimited().stage(Duration::from_secs(600)),
        &mut |_| ControlFlow::Continue(()),
    );
    match answer {
        Answer::Safe(_) => None,
        Answer::Violated(_) => Some("a violation of nothing".to_owned()),
        Answer::Unknown(unknown) => Some(unknown.reason.describe(&woven.program)),
    }
}

/// The facts at each label of a program, which the judge has to accept.
fn check(text: &str, expected: Expect) {
    let woven = woven(text);
    assert_eq!(refused(&woven), None);
    let points_to = PointsTo::new(&woven.program, &[woven.entry]);
    let memory = AliasMemory::new(&woven.program, &points_to);
    let mut semantics = Semantics::new(&woven.program, &memory);
    let calls = CallGraph::new(&woven.program, &points_to);
    let asked = task(&woven, &calls, &[]);
    let facts = analyse(&mut semantics, &asked, &Budget::unlimited()).expect("there is no limit");
    let mut lines = String::new();
    for (loc, data) in woven.program.locs.iter() {
        for label in &data.labels {
            let known = match facts.at(&mut semantics, loc) {
                None => "never reached".to_owned(),
                Some(known) => {
                    let known: Vec<String> = known.iter().map(|&fact| semantics.to_c(fact)).collect();
                    known.join(", ")
                }
            };
            lines += &format!("{}: {known}\n", label.name);
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn counters_are_related() {
    check(
        "extern int nondet(void);
         int main(void) {
           unsigned n = nondet(), x = n, y = 0, even = 0;
           while (x > 0) { HEAD: x--; y++; even += 2; }
           END: return 0;
         }",
        expect![[r#"
            HEAD: x != 0, 2 * $1 == 2 * x + even, $1 == x + y, $1 == n
            END: x == 0, 2 * $1 == even, $1 == y, x == 0, $1 == n
        "#]],
    );
}

#[test]
fn bounds_stop_at_numbers_of_the_program() {
    check(
        "extern int nondet(void);
         int main(void) {
           int i = 0, state = 3;
           while (i < 100) { HEAD: i++; if (nondet()) state = 7; }
           END: if (state == 4) { NEVER: ; }
           return 0;
         }",
        expect![[r#"
            HEAD: i >= 0, i < 100, state == 3 || state == 7, 1073741824 * state == -1073741824
            END: i == 100, state == 3 || state == 7, 1073741824 * state == -1073741824, i == 100
            NEVER: never reached
        "#]],
    );
}

#[test]
fn cells_behind_pointers() {
    check(
        "struct pair { int first, second; };
         static struct pair pair;
         static void both(struct pair *p, int by) { p->first += by; p->second += by; END_OF_BOTH: return; }
         extern int nondet(void);
         int main(void) {
           while (nondet()) both(&pair, nondet());
           END: return 0;
         }",
        expect![[r#"
            END_OF_BOTH: pair.first == pair.second, p == &pair
            END: $1 == 0, pair.first == pair.second, $1 == 0
        "#]],
    );
}

#[test]
fn a_call_of_itself_returns_its_own_result() {
    check(
        "static int down(int n) {
           if (n <= 0) return 0;
           int rest = down(n - 1);
           AFTER: return 5;
         }
         extern int nondet(void);
         int main(void) { int r = down(nondet()); END: return r; }",
        expect![[r#"
            AFTER: n > 0, rest == 0 || rest == 5
            END: r == 0 || r == 5
        "#]],
    );
}

#[test]
fn results_are_told_by_arguments() {
    check(
        "static int more(int a, int b) { return a - b + 1; }
         extern int nondet(void);
         int main(void) {
           int x = nondet(), y = nondet();
           int z = more(x, y);
           END: return z;
         }",
        expect![[r#"
            END: x + 1 == y + z
        "#]],
    );
}

#[test]
fn the_judge_accepts_the_facts_of_random_programs() {
    // Another range than those of other tests.
    for seed in 0..12 {
        let woven = woven(&semantics_bench::program((5 << 40) + seed));
        if let Some(reason) = refused(&woven) {
            assert!(!reason.contains("does not hold"), "program {seed}: {reason}");
        }
    }
}
