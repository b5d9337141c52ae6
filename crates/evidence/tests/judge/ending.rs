//! What is to be shown for runs to end, and runs that do not: claims that are not so are refused.

use std::collections::BTreeMap;

use budget::Budget;
use evidence::{Argument, Cycle, Lasso, Obligation, Repeats, Unmet, cycles, repeats};
use points_to::PointsTo;
use program::{CallGraph, ExprId, FuncId, IntKind, LocId, Program, VarId};
use verdict::{Given, Task};

pub fn load(text: &str) -> (Program, FuncId) {
    let loaded = c_frontend::load_text("p.c", text, &c_frontend::Options::default()).expect("it is C");
    let entry = loaded.program.function_named("main").expect("there is one");
    (loaded.program, entry)
}

pub fn calls(program: &Program, entry: FuncId) -> CallGraph {
    CallGraph::new(program, &PointsTo::new(program, &[entry]))
}

pub fn variable(program: &Program, name: &str) -> VarId {
    let mut vars = program.vars.iter();
    vars.find(|(_, var)| var.name == name).expect("it is declared").0
}

/// The variable as a part of a measure.
pub fn part(program: &mut Program, name: &str) -> ExprId {
    let var = variable(program, name);
    let long = program.types.int(IntKind::LongLong);
    let read = program.read_var(var);
    program.convert(read, long)
}

pub fn only_loop(program: &Program, calls: &CallGraph, entry: FuncId) -> LocId {
    match cycles(program, calls, entry).expect("it can be cut").as_slice() {
        [Cycle::Loop(head)] => *head,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_cycle_of_what_runs_is_found() {
    let (program, entry) = load(
        "extern int nondet(void);\n\
         static int f(int n) { return n ? f(n - 1) : 0; }\n\
         static void unused(void) { while (nondet()); }\n\
         int main(void) { int i; while (nondet()) { do { i = nondet(); } while (i); }\n\
             for (i = 0; i < 10; i++); return f(i); }",
    );
    let found = cycles(&program, &calls(&program, entry), entry).expect("they can be cut");
    let loops = found
        .iter()
        .filter(|cycle| matches!(cycle, Cycle::Loop(_)))
        .count();
    // The third loop says itself how often it goes round, and nothing calls the fourth.
    assert_eq!((loops, found.len()), (2, 3), "{found:?}");
}

#[test]
fn every_edge_back_is_an_error_that_a_measure_must_exclude() {
    let (mut program, entry) = load(
        "extern int nondet(void);\n\
         int main(void) { int x = nondet(); while (x > 0) { x--; if (nondet()) continue; x--; } return 0; }",
    );
    let calls = calls(&program, entry);
    let head = only_loop(&program, &calls, entry);
    let measure = part(&mut program, "x");
    let cut = |parts: Vec<ExprId>| Obligation::new(&program, &calls, None, &[Argument::Loop(head, parts)]);
    let back_edges = |program: &Program| {
        let loops = program::Loops::new(program, entry);
        let id = loops.headed_by(head).expect("it is a loop still");
        loops.get(id).back_edges.clone()
    };
    let before = back_edges(&program).len();
    let obligation = cut(vec![measure]).expect("it is a measure");
    // One where it is larger and one where it is the same, on every edge back.
    assert_eq!(obligation.errors.len(), 2 * before);
    // No measure at all is smaller in no round.
    assert_eq!(cut(Vec::new()).expect("it is refused later").errors.len(), before);
    // All that is left of the ways back passes a comparison.
    for edge in back_edges(&obligation.program) {
        let from = obligation.program.edges[edge].from;
        assert!(program.locs.get(from).is_none(), "{edge:?} goes round unseen");
    }
}

#[test]
fn measures_that_have_no_value_in_some_state_are_refused() {
    let (mut program, entry) = load(
        "extern int nondet(void); int *p; int a[4];\n\
         int main(void) { int x = nondet(); while (x > 0) { x = x / *p + a[x]; } return 0; }",
    );
    let calls = calls(&program, entry);
    let head = only_loop(&program, &calls, entry);
    let long = program.types.int(IntKind::LongLong);
    let x = part(&mut program, "x");
    let p = variable(&program, "p");
    let p = program.read_var(p);
    let behind = program.deref(p);
    let behind = program.read(behind);
    let behind = program.convert(behind, long);
    let quotient = program.binary(program::BinaryOp::Div, x, x, long);
    let a = variable(&program, "a");
    let array = program.var_place(a);
    let element = program.index(array, x);
    let element = program.read(element);
    let element = program.convert(element, long);
    let short = variable(&program, "x");
    let short = program.read_var(short);
    for wrong in [behind, quotient, element, short] {
        let refused = Obligation::new(&program, &calls, None, &[Argument::Loop(head, vec![wrong])]);
        assert_eq!(refused.err(), Some(Unmet::NotAMeasure(wrong)));
    }
}

#[test]
fn all_functions_that_call_each_other_need_a_measure() {
    let (mut program, entry) = load(
        "extern int nondet(void); static int g(int b);\n\
         static int f(int a) { int c = a; return a > 0 ? g(c) : 0; }\n\
         static int g(int b) { return b > 0 ? f(b - 1) : 0; }\n\
         int main(void) { return f(nondet()); }",
    );
    let calls = calls(&program, entry);
    let (f, g) = (program.function_named("f"), program.function_named("g"));
    let (f, g) = (f.expect("it is there"), g.expect("it is there"));
    let (a, b, c) = (
        part(&mut program, "a"),
        part(&mut program, "b"),
        part(&mut program, "c"),
    );
    let cut = |measures: &[(FuncId, Vec<ExprId>)]| {
        let measures: BTreeMap<FuncId, Vec<ExprId>> = measures.iter().cloned().collect();
        Obligation::new(&program, &calls, None, &[Argument::Recursion(measures)])
    };
    assert!(cut(&[(f, vec![a]), (g, vec![b])]).is_ok());
    assert_eq!(cut(&[(f, vec![a])]).err(), Some(Unmet::NoCycle));
    assert_eq!(cut(&[(f, vec![a, a]), (g, vec![b])]).err(), Some(Unmet::NoCycle));
    // What a function computes is not known before it is called.
    assert_eq!(
        cut(&[(f, vec![c]), (g, vec![b])]).err(),
        Some(Unmet::NotAMeasure(c))
    );
    // Nor is what another one is given.
    assert_eq!(
        cut(&[(f, vec![b]), (g, vec![b])]).err(),
        Some(Unmet::NotAMeasure(b))
    );
}

fn comes_back(text: &str, first: u64, again: u64) -> Result<Repeats, verdict::Reason> {
    let (program, entry) = load(text);
    let calls = calls(&program, entry);
    let found = cycles(&program, &calls, entry).expect("they can be cut");
    let at = match &found[0] {
        Cycle::Loop(head) => *head,
        Cycle::Recursion(functions) => {
            let body = program.functions[functions[0]].body.as_ref();
            body.expect("it is defined").entry
        }
    };
    let task = Task {
        program: &program,
        calls: &calls,
        entry,
        errors: &[],
        followed: &[],
    };
    let lasso = Lasso {
        given: Given::default(),
        at,
        first,
        again,
        edges: 1000,
    };
    repeats(&task, &lasso, None, &Budget::unlimited())
}

#[test]
fn only_runs_that_come_back_go_on_for_ever() {
    let flip = "int main(void) { int i = 0; while (i < 2) i = 1 - i; return 0; }";
    assert_eq!(comes_back(flip, 1, 3), Ok(Repeats::State));
    assert!(comes_back(flip, 1, 2).is_err());
    let ends = "int n = 2; int main(void) { int i = 0; while (i < n) i++; return 0; }";
    assert!(comes_back(ends, 1, 2).is_err());
    let grows = "unsigned n; int main(void) { while (n < n + 1) n++; return 0; }";
    assert!(comes_back(grows, 1, 2).is_err());
    // What lies in memory counts.
    let memory = "int a[2]; int main(void) { int *p = a; while (a[1] < 9) { p[1]++; } return 0; }";
    assert!(comes_back(memory, 1, 2).is_err());
    // A run that does what is undefined may do anything.
    let undefined = "int main(void) { int i, j = 2147483647; while (1) { i = j + 1; } return i; }";
    assert!(comes_back(undefined, 2, 3).is_err());
}

#[test]
fn only_calls_that_have_not_returned_go_deeper() {
    let deeper = "static int f(int n) { return f(n); } int main(void) { return f(1); }";
    assert_eq!(comes_back(deeper, 1, 2), Ok(Repeats::Deeper));
    let other = "static int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }";
    assert!(comes_back(other, 1, 2).is_err());
    let returned = "static int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(0) + f(0); }";
    assert!(comes_back(returned, 1, 2).is_err());
    let global = "int n = 5; static int f(void) { return n-- ? f() : 0; } int main(void) { return f(); }";
    assert!(comes_back(global, 1, 2).is_err());
}

/// Whether the program that is to be shown free of errors still goes round: its run does not end early, or at an error, but as before.
pub fn goes_on(obligation: &Obligation, entry: FuncId) -> (interpreter::End, bool) {
    struct Met<'a>(&'a [program::EdgeId], bool);
    impl interpreter::Observer for Met<'_> {
        fn before(&mut self, edge: program::EdgeId, _: &mut interpreter::View<'_, '_>) {
            self.1 |= self.0.contains(&edge);
        }
    }
    let errors: Vec<program::EdgeId> = obligation.errors.iter().map(|error| error.0).collect();
    let mut met = Met(&errors, false);
    let outcome = interpreter::run(
        &obligation.program,
        entry,
        &interpreter::Options::default(),
        &mut interpreter::NoInputs,
        &mut interpreter::Captured::default(),
        &mut met,
    );
    (outcome.end, met.1)
}

#[test]
fn rounds_and_calls_that_are_counted() {
    let programs = [
        "int n = 3; int main(void) { int i = 0; while (i != n) i++; return i; }",
        "static int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { return f(3); }",
    ];
    for text in programs {
        let (program, entry) = load(text);
        let calls = calls(&program, entry);
        let found = cycles(&program, &calls, entry).expect("they can be cut");
        let [cycle] = &found[..] else { panic!("{found:?}") };
        let counted = [Argument::Counted(cycle.clone())];
        let obligation = Obligation::new(&program, &calls, None, &counted).expect("it can be counted");
        assert_eq!(obligation.errors.len(), 1, "{text}");
        let (end, failed) = goes_on(&obligation, entry);
        assert_eq!(end, interpreter::End::Exit { code: 3 }, "{text}");
        assert!(!failed, "{text}");
    }
}
