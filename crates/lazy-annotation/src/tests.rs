//! The paper's fragments, with the labels that are derived for them, and that labels are justified after every rule.
//!
//! Words are machine words here: where the paper adds one without a thought, a fragment assumes that there is room.

use std::collections::BTreeSet;

use budget::Budget;
use expect_test::{Expect, expect};
use points_to::PointsTo;
use program::{CallGraph, EdgeId, LocId};
use property::Property;
use semantics::{AliasMemory, Semantics};
use solver::Z3Solver;
use verdict::Task;

use crate::engine::Proved;
use crate::query::Prover;
use crate::rules::Search;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); \
    extern void reach_error(void); ";

/// What is found, and the labels without limits of the lines that have a comment `// labels`; every label that is made on the
/// way is checked to be justified.
fn check(text: &str, expected: Expect) {
    let text = format!("{PRELUDE}{text}");
    let loaded = c_frontend::load_text("test.c", &text, &c_frontend::Options::default());
    let program = loaded.map(|loaded| loaded.program);
    let program = program
        .unwrap_or_else(|errors| panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()));
    let woven = property::weave(program, &Property::default()).expect("the property applies");
    let program = &woven.program;
    let points_to = PointsTo::new(program, &[woven.entry]);
    let memory = AliasMemory::new(program, &points_to);
    let calls = CallGraph::new(program, &points_to);
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let task = Task {
        program,
        calls: &calls,
        entry: woven.entry,
        errors: &errors,
        followed: &[],
    };
    let mut semantics = Semantics::new(program, &memory);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let budget = Budget::unlimited();
    let goals: BTreeSet<LocId> = errors.iter().map(|&edge| program.edges[edge].from).collect();
    let prover = Prover::new(&mut semantics, &mut solver, &budget);
    let mut search = Search::new(prover, &task, goals).expect("the program is supported");
    search.checks = true;
    let main = search.main_contract();
    let mut found = "unknown".to_owned();
    for tau in [0, 1, 2, 4] {
        match search.round(main, tau).expect("the search goes on") {
            Proved::Yes => found = "safe".to_owned(),
            Proved::NotYet => continue,
            Proved::Goal(query) => found = format!("a goal after {} steps", query.execution.steps().len()),
        }
        break;
    }
    let mut shown = vec![found];
    let lines: Vec<&str> = text.lines().collect();
    for id in search.annotation.ids() {
        let contract = search.annotation.get(id);
        let name = &program.functions[contract.function].name;
        for (loc, labels) in contract.locations() {
            let edge = program.locs[loc].outgoing.first();
            let span = edge.and_then(|&edge| program.edges[edge].span);
            let Some(line) = span.map(|span| span.line as usize) else {
                continue;
            };
            if !lines[line - 1].contains("// labels") {
                continue;
            }
            for label in labels.iter().filter(|label| label.below.is_none()) {
                let formula = search.prover.semantics.to_c(label.formula);
                let post = search.prover.semantics.to_c(contract.post);
                shown.push(format!("{name} for {post}, line {line}: {formula}"));
            }
        }
    }
    expected.assert_eq(&(shown.join("\n") + "\n"));
}

#[test]
fn simple_is_blocked_by_what_the_loopless_path_taught() {
    check(
        "int main(void) {
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x == 0);
            if (__VERIFIER_nondet_int()) {
                int y = __VERIFIER_nondet_int();
                __VERIFIER_assume(y >= 0);
                x = x + y;
            }
            if (x < 0) // labels
                reach_error();
        }",
        expect![[r#"
            safe
            main for 1, line 9: x >= 0
        "#]],
    );
}

#[test]
fn diamond_forgets_the_irrelevant_branch() {
    check(
        "int main(void) {
            int p = __VERIFIER_nondet_int(), x = 0, a;
            __VERIFIER_assume(p);
            if (__VERIFIER_nondet_int()) a = 1; else a = 0;
            if (a) // labels
                x = x + 1;
            else
                x = x - 1;
            if (!p) // labels
                reach_error();
            return x;
        }",
        expect![[r#"
            safe
            main for 1, line 5: p != 0
            main for 1, line 9: p != 0
        "#]],
    );
}

#[test]
fn loop1_is_strengthened_by_induction() {
    check(
        "int main(void) {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
            __VERIFIER_assume(x == y);
            int i = 0;
            while (i < n) { // labels
                __VERIFIER_assume(x < 2147483647);
                x = x + 1;
                i = i + 1;
            }
            if (x < y)
                reach_error();
        }",
        expect![[r#"
            safe
            main for 1, line 5: y <= x
        "#]],
    );
}

#[test]
fn call1_is_summarised_by_what_the_callee_does_to_its_entry() {
    check(
        "int x;
        void foo(void) {
            __VERIFIER_assume(x < 2147483647); // labels
            x = x + 1;
        }
        int main(void) {
            int y = __VERIFIER_nondet_int();
            x = y;
            foo(); // labels
            if (x < y)
                reach_error();
        }",
        expect![[r#"
            safe
            main for 1, line 9: x == 2147483647 || x <= x + 1
            foo for \old(x) <= x, line 3: x == 2147483647 || \old(x) <= x + 1
        "#]],
    );
}

#[test]
fn rec1_uses_its_own_summary() {
    check(
        "int x;
        void rec1(void) {
            if (__VERIFIER_nondet_int()) { // labels
                rec1();
                rec1();
            }
            __VERIFIER_assume(x < 2147483647);
            x = x + 1;
        }
        int main(void) {
            int y = __VERIFIER_nondet_int();
            x = y;
            rec1();
            if (x < y)
                reach_error();
        }",
        expect![[r#"
            safe
            rec1 for \old(x) <= x, line 3: x == 2147483647 || \old(x) <= x + 1
            rec1 for \old(x) <= x, line 3: x == 2147483647 || \old(x) <= x + 1
        "#]],
    );
}

#[test]
fn a_goal_behind_calls_and_a_loop_is_reached() {
    check(
        "int twice(int a) { if (a > 10) return a - 10; return a; }
        int main(void) {
            int x = __VERIFIER_nondet_int(), s = 0;
            for (int i = 0; i < 3; i++) s += twice(x);
            if (s == 33)
                reach_error();
        }",
        expect![[r#"
            a goal after 26 steps
        "#]],
    );
}

#[test]
fn a_call_that_is_the_whole_loop_ends() {
    check(
        "void keep(int c) { if (!c) reach_error(); }
        int main(void) {
            int x = 0;
            while (1) keep(x == 0);
        }",
        expect![[r#"
            safe
        "#]],
    );
}

#[test]
fn a_recursive_function_that_returns_what_it_is_given() {
    check(
        "static unsigned same(unsigned n) { // labels
            if (n == 0)
                return 0;
            return same(n - 1) + 1;
        }
        int main(void) {
            unsigned n = __VERIFIER_nondet_int();
            unsigned result = same(n);
            if (n < 4 && result != n)
                reach_error();
            return 0;
        }",
        expect![[r#"
            safe
        "#]],
    );
}
