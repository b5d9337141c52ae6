//! What is to be shown of a program, run: its errors are met where the measures do not get smaller, and only there.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{Argument, Cycle, Obligation, Unmet, cycles};
use interpreter::End;
use program::{EdgeId, EdgeKind, ExprId, FuncId, PlaceKind, Program};

use crate::ending::{calls, goes_on, load, variable};

/// What the last assignment to the variable assigns.
fn assigned(program: &Program, name: &str) -> (EdgeId, ExprId) {
    let var = variable(program, name);
    let mut found = program.edges.iter().filter_map(|(id, edge)| match edge.kind {
        EdgeKind::Assign { place, value } if program.place(place).kind == PlaceKind::Var(var) => {
            Some((id, value))
        }
        _ => None,
    });
    found.next_back().expect("it is assigned")
}

/// Every location is left by one edge or by a branch, edges are listed where they start and end, and errors say where they are.
fn is_well_formed(obligation: &Obligation) {
    let program = &obligation.program;
    for (id, loc) in program.locs.iter() {
        let kinds: Vec<&EdgeKind> = loc
            .outgoing
            .iter()
            .map(|&edge| &program.edges[edge].kind)
            .collect();
        match kinds[..] {
            [] | [_] => {}
            [
                &EdgeKind::Assume {
                    condition: one,
                    holds,
                },
                &EdgeKind::Assume {
                    condition: other,
                    holds: otherwise,
                },
            ] => assert!(one == other && holds != otherwise, "{id:?}"),
            _ => panic!("{id:?} is left by {kinds:?}"),
        }
        for &edge in &loc.outgoing {
            assert_eq!(program.edges[edge].from, id);
        }
        for &edge in &loc.incoming {
            assert_eq!(program.edges[edge].to, id);
        }
    }
    for (edge, _) in &obligation.errors {
        assert!(program.edges[*edge].span.is_some());
    }
    let made: Vec<&str> = program
        .vars
        .values()
        .map(|var| var.name.as_str())
        .filter(|name| name.starts_with("measure$"))
        .collect();
    assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len(), "{made:?}");
}

/// Whether the run of what is to be shown meets no error, and ends as the program does.
fn passes(obligation: &Obligation, entry: FuncId, text: &str) -> bool {
    is_well_formed(obligation);
    let (end, failed) = goes_on(obligation, entry);
    if !failed {
        assert_eq!(end, End::Exit { code: 7 }, "{text}");
    }
    !failed
}

/// Cuts the first loop with what is assigned to `m`, and to `k` behind it if that is there.
fn loop_passes(text: &str, parts: &[&str], fair: Option<&[EdgeId]>) -> bool {
    let (program, entry) = load(text);
    let calls = calls(&program, entry);
    let found = cycles(&program, &calls, entry).expect("they can be cut");
    let head = found.iter().find_map(|cycle| match cycle {
        Cycle::Loop(head) => Some(*head),
        Cycle::Recursion(_) => None,
    });
    let measure = parts.iter().map(|name| assigned(&program, name).1).collect();
    let argument = Argument::Loop(head.expect("there is a loop"), measure);
    let fair: Option<BTreeSet<EdgeId>> = fair.map(|edges| edges.iter().copied().collect());
    let obligation = Obligation::new(&program, &calls, fair.as_ref(), &[argument]);
    passes(&obligation.expect("they are measures"), entry, text)
}

#[test]
fn rounds_make_the_measure_smaller() {
    let text = "int n = 3; int main(void) { int x = n; long long m, up, same;\n\
         while (x > 0) { m = x; up = -x; same = n; x--; } return 7; }";
    assert!(loop_passes(text, &["m"], None));
    assert!(loop_passes(text, &["same", "m"], None));
    assert!(loop_passes(text, &["m", "up"], None));
    for wrong in [&["up"][..], &["same"], &["same", "up"], &["up", "m"], &[]] {
        assert!(!loop_passes(text, wrong, None), "{wrong:?}");
    }
}

#[test]
fn only_fair_rounds_make_it_smaller() {
    let text = "int n = 4, t; int main(void) { int x = n; long long m;\n\
         while (x > 0) { m = x; t = !t; if (t) x--; } return 7; }";
    let (program, _) = load(text);
    let branch = |wanted: bool| {
        let t = variable(&program, "t");
        let mut found = program.edges.iter().filter(|(_, edge)| match edge.kind {
            EdgeKind::Assume { condition, holds } => {
                let mut walk = program::Walk::new();
                walk.add_expr(condition);
                let mut reads = false;
                while let Some(node) = walk.next(&program) {
                    if let program::Node::Place(place) = node {
                        reads |= program.place(place).kind == PlaceKind::Var(t);
                    }
                }
                reads && holds == wanted
            }
            _ => false,
        });
        found.next_back().expect("it is asked").0
    };
    assert!(!loop_passes(text, &["m"], None));
    assert!(loop_passes(text, &["m"], Some(&[assigned(&program, "x").0])));
    assert!(!loop_passes(text, &["m"], Some(&[assigned(&program, "t").0])));
    assert_ne!(
        loop_passes(text, &["m"], Some(&[branch(true)])),
        loop_passes(text, &["m"], Some(&[branch(false)]))
    );
    // No round makes it larger.
    let grows = "int n = 4, t; int main(void) { int x = n; long long m;\n\
         while (x > 0) { m = x; t = !t; if (!t) x++; else x = x - 2; } return 7; }";
    let (program, _) = load(grows);
    assert!(!loop_passes(grows, &["m"], Some(&[assigned(&program, "x").0])));
    // Rounds of other activations are not told apart.
    let nested = "int n = 4, t; static int f(int d) { int x = n; long long m;\n\
         while (x > 0) { m = x; t = !t; if (t) x--; } return d ? f(d - 1) : 7; }\n\
         int main(void) { return f(1); }";
    let (program, _) = load(nested);
    assert!(!loop_passes(nested, &["m"], Some(&[assigned(&program, "x").0])));
}

/// Cuts the recursion with what is assigned to the variables, each in its function.
fn recursion(text: &str, measures: &[(&str, &[&str])]) -> Result<bool, Unmet> {
    let (program, entry) = load(text);
    let calls = calls(&program, entry);
    let measures: BTreeMap<FuncId, Vec<ExprId>> = measures
        .iter()
        .map(|(function, parts)| {
            let function = program.function_named(function).expect("it is there");
            let parts = parts.iter().map(|name| assigned(&program, name).1);
            (function, parts.collect())
        })
        .collect();
    let obligation = Obligation::new(&program, &calls, None, &[Argument::Recursion(measures)])?;
    Ok(passes(&obligation, entry, text))
}

#[test]
fn calls_make_the_measure_smaller() {
    let of = |measure: &str| {
        format!(
            "int g = 1; static int f(int k, int n) {{ long long m = {measure};\n\
             return n > 0 ? f(k + 1, n - 1) : 7; }}\n\
             int main(void) {{ return f(0, 3); }}"
        )
    };
    let smaller = [
        "n",
        "n + g",
        "-(5 - n)",
        "~(-n)",
        "(char)n",
        "n > 1 ? n + 5 : n",
        "g > 0 ? n : k",
        "g > 1 ? k : n",
        "-k",
        "n - k",
    ];
    for measure in smaller {
        assert_eq!(recursion(&of(measure), &[("f", &["m"])]), Ok(true), "{measure}");
    }
    for measure in ["k", "-n", "g", "5", "n + k", "g > 0 ? k : n", "n > 1 ? 0 : n"] {
        assert_eq!(recursion(&of(measure), &[("f", &["m"])]), Ok(false), "{measure}");
    }
}

#[test]
fn several_parts_and_functions() {
    let ackermann = "static int f(int a, int b) { long long m = a, n = b; if (a == 0) return b + 1;\n\
         if (b == 0) return f(a - 1, 1); return f(a - 1, f(a, b - 1)); }\n\
         int main(void) { return f(2, 2); }";
    assert_eq!(recursion(ackermann, &[("f", &["m", "n"])]), Ok(true));
    assert_eq!(recursion(ackermann, &[("f", &["n", "m"])]), Ok(false));
    assert_eq!(recursion(ackermann, &[("f", &["m"])]), Ok(false));
    let mutual = |of_g: &str| {
        format!(
            "static int g(int b, int a); static int f(int a, int b) {{ long long m = 2 * a; return a > 0 ? g(b, a - 1) : 7; }}\n\
             static int g(int b, int a) {{ long long k = {of_g}; return f(a, b); }}\n\
             int main(void) {{ return f(3, 9); }}"
        )
    };
    let measures: [(&str, &[&str]); 2] = [("f", &["m"]), ("g", &["k"])];
    assert_eq!(recursion(&mutual("2 * a + 1"), &measures), Ok(true));
    assert_eq!(recursion(&mutual("2 * a"), &measures), Ok(false));
    assert_eq!(recursion(&mutual("b"), &measures), Ok(false));
}

#[test]
fn addresses_that_are_passed_are_no_measure() {
    let text = "char s[3]; static int f(char *p) { long long m = (long long)p; return p != s ? f(p - 1) : 7; }\n\
         int main(void) { return f(s + 2); }";
    assert!(matches!(recursion(text, &[("f", &["m"])]), Err(Unmet::Calls(_))));
}

#[test]
fn counted_loops_are_entered_as_before() {
    let programs = [
        "int n = 7; int main(void) { int i = 2, c = 2; while (i != n) { i++; c++; } return c; }",
        // The function begins with the loop.
        "int n = 7, i; int main(void) { while (i != n) i++; return i; }",
        "int n = 7, i; static int f(void) { while (i != n) i++; return i; } int main(void) { i = 3; f(); i = 4; return f(); }",
    ];
    for text in programs {
        let (program, entry) = load(text);
        let calls = calls(&program, entry);
        let found = cycles(&program, &calls, entry).expect("they can be cut");
        let counted: Vec<Argument> = found.into_iter().map(Argument::Counted).collect();
        let obligation = Obligation::new(&program, &calls, None, &counted).expect("it can be counted");
        assert!(passes(&obligation, entry, text), "{text}");
    }
}
