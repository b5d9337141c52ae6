//! The paper's fragments, with the labels that are derived for them, and that labels are justified after every rule.
//!
//! Words are machine words here: where the paper adds one without a thought, a fragment assumes that there is room.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use budget::Budget;
use expect_test::{Expect, expect};
use points_to::PointsTo;
use program::{CallGraph, EdgeId, LocId};
use property::Property;
use semantics::{AliasMemory, Semantics};
use solver::Z3Solver;
use verdict::{Counterexample, Task, Tools};

use crate::coverage::{Mode, cover};
use crate::engine::Proved;
use crate::query::Prover;
use crate::rules::Search;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); \
    extern void reach_error(void); ";

/// What is found, and the labels without limits of the lines that have a comment `// labels`; every label that is made on the
/// way is checked to be justified.
fn check(text: &str, expected: Expect) {
    let text = format!("{PRELUDE}{text}");
    with_tools(&text, |task, tools| {
        let found = annotate(&text, task, tools);
        expected.assert_eq(&(found.join("\n") + "\n"));
    });
}

/// Gives a program's task, and what engines work with, to a test.
fn with_tools(text: &str, test: impl FnOnce(&Task<'_>, &mut Tools<'_, '_>)) {
    let loaded = c_frontend::load_text("test.c", text, &c_frontend::Options::default());
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
    let mut tools = Tools {
        semantics: &mut semantics,
        solver: &mut solver,
        budget: &Budget::unlimited(),
        watch: &mut |_| ControlFlow::Continue(()),
    };
    test(&task, &mut tools);
}

fn goals(task: &Task<'_>) -> BTreeSet<LocId> {
    let errors = task.errors.iter();
    errors.map(|&edge| task.program.edges[edge].from).collect()
}

fn annotate(text: &str, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Vec<String> {
    let program = task.program;
    let prover = Prover::new(&mut *tools.semantics, &mut *tools.solver, tools.budget);
    let mut search = Search::new(prover, task, goals(task)).expect("the program is supported");
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
    shown
}

/// The lines of the goals that are reached, in their order, and of those that are proved to be out of reach; and how often the search went
/// back, with learning and without.
fn check_coverage(text: &str, modes: &[Mode], expected: Expect) {
    let text = format!("{PRELUDE}{text}");
    let mut said = Vec::new();
    for &mode in modes {
        with_tools(&text, |task, tools| {
            let program = task.program;
            let line = |loc: LocId| {
                let span = program.edges[program.locs[loc].outgoing[0]].span;
                span.map_or(0, |span| span.line).to_string()
            };
            let mut reached = Vec::new();
            let mut found = |_: &mut Semantics<'_>, way: Counterexample| {
                let at = program.edges[way.error].from;
                reached.push(line(at));
                vec![at]
            };
            let covered = cover(task, tools, goals(task), mode, &mut found).expect("the search goes on");
            let dead: Vec<String> = covered.open.iter().map(|&loc| line(loc)).collect();
            let proved = match covered.proof {
                Ok(Some(invariants)) => {
                    let false_there = |loc: &LocId| {
                        let invariant = invariants.at.get(loc);
                        invariant.is_none_or(|&at| tools.semantics.terms.as_bool(at) == Some(false))
                    };
                    assert!(covered.open.iter().all(false_there));
                    "proved"
                }
                Ok(None) => "not proved",
                Err(_) => "stopped",
            };
            said.push(format!(
                "{mode:?}: reached {}; left {} ({proved}); {} backtracks",
                reached.join(" "),
                dead.join(" "),
                covered.backtracks
            ));
        });
    }
    expected.assert_eq(&(said.join("\n") + "\n"));
}

#[test]
fn learning_keeps_from_paths_that_are_in_vain() {
    check_coverage(
        "int main(void) {
            int s = 0, p = __VERIFIER_nondet_int();
            if (__VERIFIER_nondet_int()) s = s + 1; else s = s + 2;
            if (__VERIFIER_nondet_int()) s = s + 1; else s = s + 2;
            if (__VERIFIER_nondet_int()) s = s + 1; else s = s + 2;
            if (__VERIFIER_nondet_int()) s = s + 1; else s = s + 2;
            if (s == 8)
                reach_error();
            if (p > 3 && p < 4)
                reach_error();
        }",
        &[Mode::Learning, Mode::AllPaths],
        expect![[r#"
            Learning: reached 8; left 10 (proved); 6 backtracks
            AllPaths: reached 8; left 10 (not proved); 31 backtracks
        "#]],
    );
}

#[test]
fn what_comes_after_the_last_goal_is_not_explored() {
    check_coverage(
        "int count;
        void many(int n) { for (int i = 0; i < n; i++) if (__VERIFIER_nondet_int()) count++; if (0) count = 7; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            for (int i = 0; i < 3; i++)
                count += n;
            if (count != n * 3)
                reach_error();
            many(n);
            while (n < 100)
                n++;
        }",
        &[Mode::Learning],
        expect![[r#"
            Learning: reached ; left 8 (proved); 1 backtracks
        "#]],
    );
}

#[test]
fn what_a_callee_reads_and_the_caller_knows() {
    check(
        "int mode;
        int offset(void) { return mode - 5; }
        int main(void) {
            int open = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
            __VERIFIER_assume(other < 1000 && other > -1000);
            mode = other + 5;
            int got = offset();
            if (open && got != other)
                reach_error();
        }",
        expect![[r#"
            safe
        "#]],
    );
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
fn conditions_without_strictness_are_kept_by_loops() {
    let text = format!(
        "{PRELUDE}static void nothing(void) {{ }}
        int main(void) {{
            int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0;
            __VERIFIER_assume(n >= 0 && m > n);
            while (i < n) {{ // facts
                nothing();
                i = i + 1;
            }}
            if (i > n)
                reach_error();
        }}"
    );
    with_tools(&text, |task, tools| {
        let prover = Prover::new(&mut *tools.semantics, &mut *tools.solver, tools.budget);
        let mut search = Search::new(prover, task, goals(task)).expect("the program is supported");
        let before = search.facts.clone();
        let found = search.abstract_by_predicates().expect("the search goes on");
        assert!(found);
        let heads = search.cycles.heads.clone();
        let mut new = Vec::new();
        for head in heads {
            let mut facts = search.known(head);
            facts.retain(|fact| !before[&head].contains(fact));
            new.extend(facts.into_iter().map(|fact| search.prover.semantics.to_c(fact)));
        }
        expect![[r#"
            n < m
            i <= n
            n <= m"#]]
        .assert_eq(&new.join("\n"));
        assert!(!search.abstract_by_predicates().expect("the search goes on"));
    });
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
