//! What single edges and calls mean: conditions of definedness, what is refused and why.

use program::{Callee, EdgeId, EdgeKind, Program};
use semantics::{Semantics, SingleMemory, State, Step};

fn load(text: &str) -> Program {
    c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the program is right")
        .program
}

fn edges_of<'p>(program: &'p Program, function: &str) -> impl Iterator<Item = EdgeId> + use<'p> {
    let function = program.function_named(function).expect("the function exists");
    program
        .edges
        .iter()
        .filter(move |(_, edge)| program.locs[edge.from].function == function)
        .map(|(id, _)| id)
}

/// What must hold for the edges of a function to be defined, one a line.
fn defined(text: &str, function: &str) -> Vec<String> {
    let program = load(text);
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let mut found = Vec::new();
    for edge in edges_of(&program, function) {
        let effect = semantics.effect(Step::Edge(edge)).expect("the edge is supported");
        found.extend(effect.defined.iter().map(|&term| semantics.to_c(term)));
    }
    found
}

#[test]
fn divisors_and_pointers_are_not_zero() {
    let text = "struct s { int f; };
        int f(int a, int b, int *p, struct s *q) { a = a / b; *p = a; return q->f; }";
    let expected = ["b != 0", "a != -2147483648 || b != -1", "p != NULL", "q != NULL"];
    assert_eq!(defined(text, "f"), expected);
}

#[test]
fn an_address_alone_needs_no_object() {
    let text = "struct s { int e, f; };
        int *f(struct s *q) { return &q->f; }";
    assert!(defined(text, "f").is_empty());
}

#[test]
fn failed_effects_leave_nothing_behind() {
    let program = load(
        "extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int f(int a, int b, char *p) { qsort(p, a / b, 1, 0); a = 1; return a; }",
    );
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    for edge in edges_of(&program, "f") {
        let defined = semantics
            .effect(Step::Edge(edge))
            .map(|effect| effect.defined.len());
        match &program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Direct(_),
                ..
            } => assert!(defined.is_err(), "what `qsort` does is not modelled"),
            _ => assert_eq!(defined, Ok(0)),
        }
    }
}

#[test]
fn variables_in_memory_of_a_recursive_function_are_refused() {
    let program = load("int f(int n) { int x = n; int *p = &x; return n ? f(n - 1) + *p : 0; }");
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let f = program.function_named("f").expect("the function exists");
    let call = edges_of(&program, "f")
        .find(|&edge| matches!(program.edges[edge].kind, EdgeKind::Call { .. }))
        .expect("it calls itself");
    let refused = semantics
        .effect(Step::Enter { call, callee: f })
        .expect_err("it has a variable in memory");
    assert_eq!(
        refused.what,
        "the variables of the recursive function `f` that are in memory"
    );
}

#[test]
fn allocations_do_not_overlap_at_fixed_addresses() {
    let program = load(
        "extern void *malloc(unsigned long);
         int g;
         int main(void) {
           int *p = malloc(4), *q = malloc(8), *r = &g;
           *p = 1; *q = 2; *r = 3;
           return (*p == 1) & (*q == 2) & (*r == 3) & (p != q) & (p != r);
         }",
    );
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let mut state = State::at_fixed_addresses(&semantics);
    let main = program.function_named("main").expect("there is a main function");
    let mut at = program.functions[main]
        .body
        .as_ref()
        .expect("it has a body")
        .entry;
    while let [edge] = program.locs[at].outgoing[..] {
        let effect = semantics.effect(Step::Edge(edge)).expect("the edge is supported");
        state.step(&mut semantics, &effect);
        if let EdgeKind::Return { value: Some(value) } = program.edges[edge].kind {
            let value = semantics.value(value).expect("the result is supported");
            let value = state.evaluate(&mut semantics, value);
            assert_eq!(semantics.terms.as_word(value), Some(1));
            return;
        }
        at = program.edges[edge].to;
    }
    panic!("the function has no branches");
}

#[test]
fn deep_expressions_need_no_stack() {
    let depth = 3_000;
    let sum = "x * 3 ^ ".repeat(depth);
    let both = "x != 1 && ".repeat(depth);
    let program = load(&format!("int f(int x) {{ int y = {sum} x; return {both} y; }}"));
    let memory = SingleMemory::new(&program);
    // The stack of a test's thread is small, and smaller here.
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(256 << 10)
            .spawn_scoped(scope, || {
                let mut semantics = Semantics::new(&program, &memory);
                for edge in edges_of(&program, "f") {
                    semantics.effect(Step::Edge(edge)).expect("the edge is supported");
                }
            })
            .expect("a thread starts");
    });
}

#[test]
fn an_unknown_bool_is_0_or_1() {
    let program = load(
        "extern _Bool __VERIFIER_nondet_bool(void);
         int f(void) { _Bool b = __VERIFIER_nondet_bool(); return b < 2; }",
    );
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let mut state = State::new();
    for edge in edges_of(&program, "f").collect::<Vec<_>>() {
        let effect = semantics.effect(Step::Edge(edge)).expect("the edge is supported");
        if let EdgeKind::Return { value: Some(value) } = program.edges[edge].kind {
            let small = semantics.truth(value).expect("the result is supported");
            let small = state.evaluate(&mut semantics, small);
            assert_eq!(semantics.terms.as_bool(small), Some(true));
            return;
        }
        state.step(&mut semantics, &effect);
    }
    panic!("the function returns");
}
