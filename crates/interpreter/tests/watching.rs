//! Inputs and observers: what is asked for, in which order, and what an observer sees.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use expect_test::{Expect, expect};
use interpreter::{
    Captured, End, Inputs, ListedInputs, NoObserver, Observer, Options, Outcome, Request, Scalar, Source,
    View, run,
};
use program::{
    BinaryOp, Body, DataModel, EdgeId, EdgeKind, Function, FunctionType, IntKind, Printer, Program, Type,
};

fn load(text: &str) -> Program {
    match c_frontend::load_text("t.c", text, &c_frontend::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors[0]),
    }
}

/// Answers 1, 2, 3, … and writes down what it was asked.
struct Asked<'a> {
    program: &'a Program,
    log: String,
    count: i128,
    uninitialised: bool,
}

impl Inputs for Asked<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let program = self.program;
        let source = match request.source {
            Source::Nondet(f) => format!("nondet {}", program.functions[f].name),
            Source::External(f) => format!("external {}", program.functions[f].name),
            Source::Environment(f) => format!("environment {}", program.functions[f].name),
            Source::Memory(f) => format!("memory {}", program.functions[f].name),
            Source::Global(v) => format!("global {}", program.vars[v].name),
            Source::Parameter(v) => format!("parameter {}", program.vars[v].name),
            Source::Uninitialised(v) => format!("uninitialised {}", program.vars[v].name),
            Source::Assembly(_) => "assembly".to_owned(),
            Source::Hardware(_) => "hardware".to_owned(),
        };
        let size = program.types.size(request.ty);
        writeln!(self.log, "{source}+{} ({size} bytes)", request.offset).unwrap();
        if matches!(request.source, Source::Uninitialised(_)) && !self.uninitialised {
            return None;
        }
        self.count += 1;
        Some(self.count)
    }

    fn fills_aggregates(&mut self, _var: program::VarId, _edge: Option<EdgeId>) -> bool {
        self.uninitialised
    }
}

fn asked(text: &str, entry: &str, uninitialised: bool, expected: Expect) -> Outcome {
    let program = load(text);
    let entry = program.function_named(entry).unwrap();
    let mut inputs = Asked {
        program: &program,
        log: String::new(),
        count: 0,
        uninitialised,
    };
    let outcome = run(
        &program,
        entry,
        &Options::default(),
        &mut inputs,
        &mut Captured::default(),
        &mut NoObserver,
    );
    expected.assert_eq(&inputs.log);
    outcome
}

#[test]
fn every_undetermined_value_is_asked_for_once() {
    let outcome = asked(
        "char __VERIFIER_nondet_char(void); struct p { int x; short y; }; struct p outside(void); int rand(void);\n\
         extern int setting; extern int unused; extern struct p shared;\n\
         int main(void) { struct p p = outside(); char c = __VERIFIER_nondet_char(); int r = rand();\n\
         return p.x + p.y + c + r + setting + shared.y; }",
        "main",
        false,
        expect![[r#"
            global setting+0 (4 bytes)
            global shared+0 (4 bytes)
            global shared+4 (2 bytes)
            external outside+0 (4 bytes)
            external outside+4 (2 bytes)
            nondet __VERIFIER_nondet_char+0 (1 bytes)
            environment rand+0 (4 bytes)
        "#]],
    );
    assert_eq!(
        outcome.end,
        End::Exit {
            code: 1 + 3 + 4 + 5 + 6 + 7
        }
    );
    assert_eq!(outcome.inputs.len(), 7);
}

#[test]
fn parameters_of_an_entry_function_are_inputs() {
    let outcome = asked(
        "int f(int a, unsigned char b) { return a * 10 + b; }",
        "f",
        false,
        expect![[r#"
            parameter a+0 (4 bytes)
            parameter b+0 (1 bytes)
        "#]],
    );
    assert_eq!(outcome.end, End::Exit { code: 12 });
}

#[test]
fn uninitialised_locals_may_be_given_values() {
    let text = "int main(void) { int x; int a[2]; return x * 100 + a[0] * 10 + a[1]; }";
    let outcome = asked(
        text,
        "main",
        true,
        expect![[r#"
        uninitialised x+0 (4 bytes)
        uninitialised a+0 (4 bytes)
        uninitialised a+4 (4 bytes)
    "#]],
    );
    assert_eq!(outcome.end, End::Exit { code: 123 });
    assert!(!outcome.met_undefined());
    let outcome = asked(
        text,
        "main",
        false,
        expect![[r#"
        uninitialised x+0 (4 bytes)
    "#]],
    );
    assert!(outcome.met_undefined());
}

#[test]
fn recorded_inputs_replay_a_run() {
    let program = load(
        "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n\
         int main(void) { int s = 0; while (__VERIFIER_nondet_int() > 0) s = s * 3 + __VERIFIER_nondet_uchar();\n\
         return s; }",
    );
    let main = program.function_named("main").unwrap();
    let go = |values: Vec<i128>| {
        let mut inputs = ListedInputs::new(values);
        run(
            &program,
            main,
            &Options::default(),
            &mut inputs,
            &mut Captured::default(),
            &mut NoObserver,
        )
    };
    let first = go(vec![5, 300, 1, 7, 0]);
    assert_eq!(first.end, End::Exit { code: 44 * 3 + 7 });
    let second = go(first.inputs.iter().map(|consumed| consumed.value).collect());
    assert_eq!(second.end, first.end);
    assert_eq!(second.inputs, first.inputs);
    assert_eq!(second.edges, first.edges);
}

/// Writes down every edge, with what was stored.
struct Watcher<'a> {
    program: &'a Program,
    log: String,
}

impl Observer for Watcher<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let printer = Printer::new(self.program);
        let depth = view.depth();
        match &self.program.edges[edge].kind {
            EdgeKind::Assume { condition, holds } => {
                let (value, _) = view.eval(*condition).unwrap();
                assert_eq!(value != 0, *holds, "an edge that is taken can be");
                writeln!(self.log, "{depth} assume {} is {holds}", printer.expr(*condition)).unwrap();
            }
            EdgeKind::Return { .. } => writeln!(self.log, "{depth} return").unwrap(),
            EdgeKind::Call { .. } => writeln!(self.log, "{depth} call").unwrap(),
            _ => {}
        }
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        let printer = Printer::new(self.program);
        let depth = view.depth();
        match self.program.edges[edge].kind {
            EdgeKind::Assign { place, .. }
            | EdgeKind::Call {
                result: Some(place), ..
            } => {
                let value = view.read(place).map(|(value, _)| value);
                writeln!(self.log, "{depth} {} = {value:?}", printer.place(place)).unwrap();
            }
            _ => {}
        }
    }
}

#[test]
fn an_observer_sees_each_edge_before_and_after() {
    let program = load(
        "int g; int twice(int x) { g = x; return 2 * x; }\n\
         int main(void) { int a[2]; a[1] = twice(4); int u; if (a[1] > 7) g = -g; return a[1]; }",
    );
    let main = program.function_named("main").unwrap();
    let mut watcher = Watcher {
        program: &program,
        log: String::new(),
    };
    let outcome = run(
        &program,
        main,
        &Options::default(),
        &mut ListedInputs::default(),
        &mut Captured::default(),
        &mut watcher,
    );
    assert_eq!(outcome.end, End::Exit { code: 8 });
    expect![[r#"
        1 call
        2 g = Some(4)
        2 return
        1 a[1] = Some(8)
        1 assume a[1] > 7 is true
        1 g = Some(-4)
        1 return
    "#]]
    .assert_eq(&watcher.log);
}

#[test]
fn looking_at_what_is_undefined_gives_nothing_and_reports_nothing() {
    struct Looks(Vec<Option<i128>>, program::ExprId);
    impl Observer for Looks {
        fn after(&mut self, _edge: EdgeId, view: &mut View<'_, '_>) {
            let seen = view.eval(self.1);
            assert!(seen.is_none_or(|(_, scalar)| matches!(scalar, Scalar::Int(_))));
            self.0.push(seen.map(|(value, _)| value));
        }
    }
    let mut program = load("int main(void) { int d; int q = 1; d = 0; q = 2; d = 5; return q; }");
    let main = program.function_named("main").unwrap();
    let d = program.functions[main].locals[0];
    let int = program.types.int(IntKind::Int);
    let (ten, d) = (program.int(10, int), program.read_var(d));
    let quotient = program.binary(BinaryOp::Div, ten, d, int);
    let mut looks = Looks(Vec::new(), quotient);
    let outcome = run(
        &program,
        main,
        &Options::default(),
        &mut ListedInputs::default(),
        &mut Captured::default(),
        &mut looks,
    );
    assert_eq!(outcome.end, End::Exit { code: 2 });
    assert!(!outcome.met_undefined());
    assert_eq!(looks.0, [None, None, None, None, Some(2)]);
}

/// A location may have any number of edges; the first whose assumption holds is taken.
#[test]
fn the_first_edge_that_can_be_taken_is() {
    let mut program = Program::new(DataModel::Lp64);
    let int = program.types.int(IntKind::Int);
    let ty = program.types.intern(Type::Function(FunctionType {
        result: int,
        params: vec![],
        variadic: false,
    }));
    let function = program.functions.push(Function {
        name: "f".to_owned(),
        ty,
        params: vec![],
        locals: vec![],
        body: None,
        noreturn: false,
        is_static: false,
        const_params: Vec::new(),
        span: None,
    });
    let locs: Vec<_> = (0..3).map(|_| program.add_loc(function)).collect();
    let [entry, middle, exit] = locs[..] else {
        unreachable!("three were made")
    };
    let (no, yes) = (program.int(0, int), program.int(1, int));
    for condition in [no, no, yes] {
        let kind = EdgeKind::Assume {
            condition,
            holds: true,
        };
        program.add_edge(entry, middle, kind, None);
    }
    program.add_edge(middle, exit, EdgeKind::Return { value: Some(yes) }, None);
    program.functions[function].body = Some(Body { entry, exit, locs });
    let go = |program: &Program| {
        let mut inputs = ListedInputs::default();
        let mut output = Captured::default();
        run(
            program,
            function,
            &Options::default(),
            &mut inputs,
            &mut output,
            &mut NoObserver,
        )
    };
    let outcome = go(&program);
    assert_eq!(outcome.end, End::Exit { code: 1 });
    assert_eq!(outcome.edges, 2);

    let third = program.locs[entry].outgoing[2];
    program.edges[third].kind = EdgeKind::Assume {
        condition: no,
        holds: true,
    };
    assert!(matches!(go(&program).end, End::AssumptionNotMet { .. }));
}
