//! Claims that all states can be visited, stated in the program's text, and claims with a variable less.
//!
//! `// follow x y` names the variables whose values are followed; where nothing else is said, all of them are remembered at the heads
//! of loops and during calls. On lines with `// defined` the claim relies on defined behaviour. Of variables of `// range x 0 11` it is
//! remembered in which of the ranges that begin there they are.

use std::collections::BTreeSet;

use evidence::{Answer, Evidence};
use program::{EdgeKind, Loops, VarId};
use verdict::{Enumerated, Statement, Verdict};

use crate::asked::Asked;

fn claimed(asked: &Asked, text: &str) -> Enumerated {
    let program = asked.program();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once("// follow "))
        .flat_map(|(_, names)| names.split_whitespace())
        .collect();
    let followed: BTreeSet<VarId> = program
        .vars
        .iter()
        .filter(|(_, var)| names.contains(&var.name.as_str()))
        .map(|(var, _)| var)
        .collect();
    let mut claim = Enumerated {
        exact: followed.clone(),
        ..Enumerated::default()
    };
    let ranges = text.lines().filter_map(|line| line.split_once("// range "));
    for (_, range) in ranges {
        let mut words = range.split_whitespace();
        let name = words.next().expect("a variable is named");
        let named = program.vars.iter().find(|(_, var)| var.name == name);
        let starts = words.map(|word| word.parse().expect("it is a number"));
        claim
            .starts
            .insert(named.expect("it is declared").0, starts.collect());
    }
    let followed: BTreeSet<VarId> = followed.iter().chain(claim.starts.keys()).copied().collect();
    claim.followed = followed.clone();
    for (function, data) in program.functions.iter() {
        if data.body.is_some() {
            for &head in Loops::new(program, function).cut_points() {
                claim.at_heads.insert(head, followed.clone());
            }
        }
    }
    for (edge, data) in program.edges.iter() {
        if matches!(data.kind, EdgeKind::Call { .. }) {
            claim.after_calls.insert(edge, followed.clone());
        }
        let line = data
            .span
            .and_then(|span| text.lines().nth(span.presumed().1 as usize - 1));
        if line.is_some_and(|line| line.contains("// defined")) {
            claim.assumed_defined.insert(edge);
        }
    }
    claim
}

fn judged(asked: &Asked, claim: Enumerated) -> Answer {
    let verdict = Verdict::Safe(Box::new(Some(Statement::from(claim))));
    asked.judged(&mut asked.semantics(), verdict)
}

/// The claim holds with so many states, and with no variable less.
fn holds(text: &str, states: u64) {
    let asked = Asked::new(text);
    let claim = claimed(&asked, text);
    match judged(&asked, claim.clone()) {
        Answer::Safe(safe) => match safe.evidence {
            Evidence::Enumerated { states: visited } => assert_eq!(visited, states, "{text}"),
            other => panic!("shown by {other:?}"),
        },
        answer => panic!("{}: {text}", asked.said(&answer)),
    }
    for &var in &claim.followed {
        let mut less = claim.clone();
        less.followed.remove(&var);
        let said = asked.said(&judged(&asked, less));
        let is_refused = said.contains(NOT_EXCLUDED) || said.contains("calls may be nested too deeply");
        assert!(is_refused, "without {}: {said}", asked.program().vars[var].name);
    }
}

fn refused_as(asked: &Asked, claim: Enumerated, how: &str) {
    let said = asked.said(&judged(asked, claim));
    assert!(said.contains(how), "{said}");
}

/// The claim does not hold, for this reason.
fn refused(text: &str, how: &str) {
    let asked = Asked::new(text);
    refused_as(&asked, claimed(&asked, text), how);
}

const NOT_EXCLUDED: &str = "internal: the proof does not hold: the error is not excluded";

#[test]
fn a_controller_has_few_states() {
    holds(
        "int main(void) { // follow state armed
           int state = 0, armed = 0;
           while (1) {
             int input = __VERIFIER_nondet_int();
             if (input != 1 && input != 2) continue;
             if (state == 0 && input == 1) { state = 1; armed = 1; }
             else if (state == 1 && input == 2) { state = 2; }
             else if (state == 2 && input == 1) { state = 0; armed = 0; }
             if (state == 2 && !armed) reach_error();
           }
         }",
        4,
    );
}

#[test]
fn what_is_not_remembered_at_a_head_is_not_known_there() {
    let text = "int main(void) { // follow x
           int x = 1;
           while (__VERIFIER_nondet_int()) { }
           if (x != 1) reach_error();
         }";
    holds(text, 2);
    let asked = Asked::new(text);
    let mut claim = claimed(&asked, text);
    for remembered in claim.at_heads.values_mut() {
        remembered.clear();
    }
    refused_as(&asked, claim, NOT_EXCLUDED);
}

#[test]
fn what_is_not_remembered_during_a_call_is_not_known_after_it() {
    let text = "int f(int n) { return n + 1; } int main(void) { // follow x y n
           int x = 1, y = f(3);
           if (x != 1 || y != 4) reach_error();
         }";
    holds(text, 1);
    let asked = Asked::new(text);
    let mut claim = claimed(&asked, text);
    for remembered in claim.after_calls.values_mut() {
        remembered.clear();
    }
    refused_as(&asked, claim, NOT_EXCLUDED);
}

#[test]
fn each_activation_has_its_own_values() {
    holds(
        "int f(int n) { int below; if (n == 0) return 0; below = f(n - 1); return below + n; } // follow n below s
         int main(void) { int s = f(4); if (s != 10) reach_error(); }",
        1,
    );
}

#[test]
fn what_a_function_returned_is_not_kept() {
    holds(
        "int f(void) { return __VERIFIER_nondet_int(); } int g(void) { return 2; }
         int main(void) { // follow a
           int a = g();
           while (__VERIFIER_nondet_int()) f();
           if (a != 2) reach_error();
         }",
        2,
    );
    // Nor is it what tells states apart.
    holds(
        "int f(void) { if (__VERIFIER_nondet_int()) return 1; return 2; }
         int main(void) { // follow a
           int a = 2;
           while (__VERIFIER_nondet_int()) f();
           if (a != 2) reach_error();
         }",
        2,
    );
}

#[test]
fn a_condition_may_say_what_a_variable_holds() {
    holds(
        "int main(void) { int x = __VERIFIER_nondet_int(); // follow x
           if (x == 3) { if (x != 3) reach_error(); }
           if (4 != x) return 0;
           if (x != 4) reach_error();
         }",
        1,
    );
}

#[test]
fn what_globals_hold_outlasts_calls() {
    holds(
        "int g; void f(void) { if (g == 1) g = 2; } int main(void) { // follow g
           g = 1; f(); if (g != 2) reach_error();
         }",
        1,
    );
}

#[test]
fn ways_that_meet_in_the_same_state_go_on_together() {
    let choice = "if (__VERIFIER_nondet_int()) x = 1; else x = 1;\n";
    holds(
        &format!(
            "int main(void) {{ // follow x
               int x = 0;
               {} if (x != 1) reach_error();
             }}",
            choice.repeat(64)
        ),
        1,
    );
}

#[test]
fn an_error_is_never_excluded_where_a_run_has_it() {
    refused(
        "int main(void) { // follow x
           int x = 0;
           while (__VERIFIER_nondet_int()) { x++; if (x == 3) reach_error(); }
         }",
        NOT_EXCLUDED,
    );
    refused(
        "int main(void) { int x = __VERIFIER_nondet_int(); // follow x
           if (x == 2) return 0;
           if (x == 3) { if (x != 3) reach_error(); return 0; }
           if (x == 3) reach_error();
         }",
        NOT_EXCLUDED,
    );
}

#[test]
fn memory_and_inputs_are_not_known() {
    refused(
        "int main(void) { int a[2]; int i = __VERIFIER_nondet_int() & 1; a[0] = 1; a[1] = 1; // follow i
           if (a[i] != 1) reach_error();
         }",
        NOT_EXCLUDED,
    );
    refused(
        "int g = 1; int main(void) { int *p = &g; *p = 2; if (g == 2) reach_error(); } // follow g p",
        NOT_EXCLUDED,
    );
}

#[test]
fn a_run_that_ends_at_undefined_behaviour_is_said_to() {
    let text = "int main(void) { int zero = 0; // follow zero
           int y = 1 / zero; // defined
           reach_error(); }";
    let asked = Asked::new(text);
    let claim = claimed(&asked, text);
    match judged(&asked, claim.clone()) {
        Answer::Safe(safe) => assert!(!safe.assumed_defined.is_empty()),
        answer => panic!("{}", asked.said(&answer)),
    }
    let unsaid = Enumerated {
        assumed_defined: BTreeSet::new(),
        ..claim
    };
    refused_as(
        &asked,
        unsaid,
        "internal: the proof does not hold: a run may go on after undefined behaviour",
    );
}

#[test]
fn calls_that_lead_nowhere_known_are_refused() {
    refused(
        "int *one(int n) { return 0; }
         int main(void) { int *(*f)(void) = (int *(*)(void))one; // follow f
           int *p = f(); }",
        "a call through a pointer",
    );
}

#[test]
fn ranges_are_followed() {
    holds(
        "int main(void) { int x = 3; // range x 0 11
           while (__VERIFIER_nondet_int()) { if (x > 10 || x < 0) reach_error(); x = (x * 5 + 7) % 11; }
         }",
        2,
    );
    holds(
        "int main(void) { int x = __VERIFIER_nondet_int(); // range x -5 6
           if (x < -5 || 5 < x) return 0;
           while (__VERIFIER_nondet_int()) { if (x == 6 || x == -6) reach_error(); x = -x / 2 - x % 3; }
         }",
        2,
    );
}

/// Without one of its ends a range lets something in.
#[test]
fn every_end_of_a_range_counts() {
    let text = "int main(void) { int x = 3; // range x 0 11
           while (__VERIFIER_nondet_int()) { if (x > 10 || x < 0) reach_error(); x = (x * 5 + 7) % 11; }
         }";
    let asked = Asked::new(text);
    let claim = claimed(&asked, text);
    let x = *claim.followed.first().expect("it is followed");
    for starts in [vec![0], vec![11], vec![1, 11], vec![0, 12], vec![]] {
        let mut other = claim.clone();
        other.starts.insert(x, starts.into_iter().collect());
        let said = asked.said(&judged(&asked, other));
        assert!(said.contains(NOT_EXCLUDED), "{said}");
    }
}

/// What a condition says of a variable that is not remembered is forgotten at the next head.
#[test]
fn ranges_that_are_not_claimed_are_forgotten() {
    refused(
        "int main(void) { int x = __VERIFIER_nondet_int(); // follow x
           if (x < 0 || x > 5) return 0;
           while (__VERIFIER_nondet_int()) { }
           if (x > 5) reach_error();
         }",
        NOT_EXCLUDED,
    );
}

#[test]
fn floats_are_followed() {
    holds(
        "int main(void) { double x = 0.5; // follow x
           while (__VERIFIER_nondet_int()) { x = x * 2; if (x > 1) x = 0.5; }
           if (x != 0.5 && x != 1.0) reach_error();
         }",
        3,
    );
}

#[test]
fn where_objects_lie_is_left_open() {
    // Whatever comes of the question.
    holds(
        "int x; int main(void) { // follow s
           int s = 0;
           while (__VERIFIER_nondet_int()) { if ((unsigned long)&x % 8 == 3) s = 1 - s; else s = 0; if (s > 1) reach_error(); }
         }",
        3,
    );
    for asks in [
        "(unsigned long)&x % 8 == 3",
        "(unsigned long)&x == 0x7f123450",
        "&x < &y",
    ] {
        let text = format!("int x, y; int main(void) {{ if ({asks}) reach_error(); }} // follow");
        refused(&text, NOT_EXCLUDED);
    }
    // Asked by something that is no branch, and nobody cares.
    holds(
        "int x; int main(void) { int s = 0, is = (unsigned long)&x % 8 == 3; if (s) reach_error(); } // follow s",
        1,
    );
    // Somebody does, and then even a question that is no comparison is one.
    for is in ["(unsigned long)&x % 8 == 3", "!((unsigned long)&x % 8)"] {
        let text = format!(
            "int x; int main(void) {{ int s = 0, is = {is}; if (is) s = 1; if (s) reach_error(); }} // follow s is"
        );
        refused(&text, NOT_EXCLUDED);
    }
}
