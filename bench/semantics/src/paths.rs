//! How the terms of a path grow with its length.

use std::time::{Duration, Instant};

use points_to::PointsTo;
use program::{EdgeId, Program};
use semantics::{AliasMemory, MemoryModel, Semantics, SingleMemory, State, Step};

/// The state after a path of some statements.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub statements: usize,
    /// Terms that the state and its conditions are made of, each counted once.
    pub terms: usize,
    pub time: Duration,
}

/// Which memory the path is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Single,
    Divided,
}

/// Builds a path of statements that read and write variables, arrays, fields and what pointers lead to.
pub fn measure(statements: usize, memory: Memory) -> Measured {
    let text = path_text(statements);
    let program = c_frontend::load_text("path.c", &text, &c_frontend::Options::default())
        .expect("the program is right")
        .program;
    let main = program.function_named("main").expect("it has a main function");
    match memory {
        Memory::Single => build(&program, &SingleMemory::new(&program), statements),
        Memory::Divided => {
            let points_to = PointsTo::new(&program, &[main]);
            build(&program, &AliasMemory::new(&program, &points_to), statements)
        }
    }
}

fn build(program: &Program, memory: &dyn MemoryModel, statements: usize) -> Measured {
    let start = Instant::now();
    let mut semantics = Semantics::new(program, memory);
    let mut state = State::at_fixed_addresses(&semantics);
    for edge in path(program) {
        let effect = semantics
            .effect_anew(Step::Edge(edge))
            .expect("the edge is supported");
        state.step(&mut semantics, &effect);
    }
    let time = start.elapsed();
    let mut roots: Vec<logic::Term> = state.written().into_iter().map(|(_, term)| term).collect();
    roots.extend(&state.conditions);
    Measured {
        statements,
        terms: semantics.terms.subterms(&roots).len(),
        time,
    }
}

/// The edges of a main function, by the second way wherever it branches: the text's branches have an empty first one.
fn path(program: &Program) -> Vec<EdgeId> {
    let main = program.function_named("main").expect("it has a main function");
    let body = program.functions[main].body.as_ref().expect("it has a body");
    let mut edges = Vec::new();
    let mut at = body.entry;
    while let Some(&edge) = program.locs[at].outgoing.last() {
        edges.push(edge);
        at = program.edges[edge].to;
    }
    edges
}

fn path_text(statements: usize) -> String {
    let kinds = [
        "x = x + y;",
        "y = x ^ 3;",
        "a[x & 7] = y;",
        "p = y > 4 ? &s : &t;",
        "p->f = a[y & 7] + x;",
        "z = s.f - t.f;",
        "*q = z;",
        "x = *q * 3 + z;",
        "p->g = x;",
        "q = p->g ? &y : &x;",
    ];
    let mut text = String::from(
        "struct r { int f; short g; };
         extern int __VERIFIER_nondet_int(void);
         int main(void) {
           struct r s = {0}, t = {0}, *p = &s;
           int a[8] = {0}, x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = 0, *q = &x;\n",
    );
    for index in 0..statements {
        text.push_str(kinds[index % kinds.len()]);
        text.push('\n');
    }
    text.push_str("return 0; }\n");
    text
}
