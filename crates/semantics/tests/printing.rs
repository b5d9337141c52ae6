//! Conditions print as the C that the user wrote, in both memory models, before and after going back through a path.

use expect_test::{Expect, expect};
use points_to::PointsTo;
use program::{EdgeId, EdgeKind, Program};
use semantics::{AliasMemory, MemoryModel, Semantics, SingleMemory, Step, Storage};

fn load(text: &str) -> Program {
    c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the program is right")
        .program
}

/// The conditions that hold on the way into the branches of `main`, one a line.
fn conditions(program: &Program, memory: &dyn MemoryModel) -> String {
    let mut semantics = Semantics::new(program, memory);
    let main = program.function_named("main").expect("there is a main function");
    let mut text = String::new();
    for edge in program.edges.values() {
        if let EdgeKind::Assume {
            condition,
            holds: true,
        } = edge.kind
            && program.locs[edge.from].function == main
            && program.locs[edge.from].outgoing.len() == 2
        {
            let term = semantics.truth(condition).expect("the condition is supported");
            text.push_str(&semantics.to_c(term));
            text.push('\n');
        }
    }
    text
}

fn check(text: &str, expected: &Expect) {
    let program = load(text);
    let main = program.function_named("main").expect("there is a main function");
    let points_to = PointsTo::new(&program, &[main]);
    expected.assert_eq(&conditions(&program, &AliasMemory::new(&program, &points_to)));
}

#[test]
fn places_in_memory() {
    check(
        "struct node { int key; struct node *next; unsigned char tags[4]; double weight; };
         struct node pool[3], *head = &pool[1];
         int table[10], *cursor = table;
         int grid[3][4];
         int main(void) {
           int i = 0, x = 0, *p = &x;
           struct node *n = head;
           pool[0].next = &pool[1];
           if (*p == 3) i++;
           if (p[2] < 7) i++;
           if (n->key > 0) i++;
           if (n->next->key >= n->key) i++;
           if (n->next->next == 0) i++;
           if (pool[2].key != x) i++;
           if (pool[i].tags[1] == 9) i++;
           if (table[i + 1] == table[i]) i++;
           if (grid[2][i] < *cursor) i++;
           if (n->weight < 0.5) i++;
           return i;
         }",
        &expect![[r#"
            *p == 3
            p[2] < 7
            n->key > 0
            n->key <= n->next->key
            n->next->next == NULL
            x != pool[2].key
            pool[i].tags[1] == 9
            table[i] == table[i + 1]
            grid[2][i] < *cursor
            n->weight < 0.5
        "#]],
    );
}

#[test]
fn words_in_memory_of_bytes() {
    let program = load(
        "struct node { int key; struct node *next; } *n;
         int a[4];
         int main(void) {
           int i = 0;
           if (n->next->key < a[i + 1]) i++;
           if (n->next < n) i++;
           return i;
         }",
    );
    expect![[r#"
        n->next->key < a[i + 1]
        n->next < n
    "#]]
    .assert_eq(&conditions(&program, &SingleMemory::new(&program)));
}

#[test]
fn names_of_two_functions() {
    let program = load(
        "int f(int x) { return x; }
         int main(void) { int x = 0, y = 0; if (x < y) x = f(y); return x; }",
    );
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let mut value_of = |function: &str| {
        let function = program.function_named(function).expect("the function exists");
        let edge = program
            .edges
            .values()
            .find_map(|edge| match edge.kind {
                EdgeKind::Return { value } if program.locs[edge.from].function == function => value,
                _ => None,
            })
            .expect("it returns a value");
        semantics.value(edge).expect("the value is supported")
    };
    let (inner, outer) = (value_of("f"), value_of("main"));
    let less = semantics.terms.slt(inner, outer);
    expect!["f::x < main::x"].assert_eq(&semantics.to_c(less));
    expect!["x"].assert_eq(&semantics.to_c(inner));
}

#[test]
fn variables_without_an_address() {
    check(
        "struct pair { int a; unsigned b : 3; };
         int g;
         int main(void) {
           struct pair q = {1, 2};
           unsigned u = 4;
           long l = 5;
           char c = 6;
           if (q.a + 1 < g) g++;
           if (q.b == 2) g++;
           if (u > 7 && l != g) g++;
           if (c == 'x' || !g) g++;
           return g;
         }",
        &expect![[r#"
            q.a + 1 < g
            q.b == 2
            u >= 8
            (long long)g != l
            c == 120
            g != 0
        "#]],
    );
}

/// The predicate at the end of the path that a program without branches is, taken back to its start.
fn back_to_start(text: &str) -> String {
    let program = load(text);
    let main = program.function_named("main").expect("there is a main function");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let body = program.functions[main].body.as_ref().expect("it has a body");
    let mut edges: Vec<EdgeId> = Vec::new();
    let mut at = body.entry;
    while let [edge] = program.locs[at].outgoing[..] {
        edges.push(edge);
        at = program.edges[edge].to;
    }
    let Some(&last) = edges.last() else {
        panic!("the path has edges");
    };
    let EdgeKind::Return { value: Some(value) } = program.edges[last].kind else {
        panic!("the path ends with a return");
    };
    let mut formula = semantics.truth(value).expect("the predicate is supported");
    for &edge in edges[..edges.len() - 1].iter().rev() {
        let effect = semantics.effect(Step::Edge(edge)).expect("the edge is supported");
        formula = semantics.weakest_precondition(&effect, formula);
    }
    semantics.to_c(formula)
}

#[test]
fn a_store_through_a_pointer_may_change_what_another_reads() {
    let text = back_to_start(
        "int x, y;
         int *p = &x, *q = &y;
         int main(void) { p = x ? &x : &y; *p = x + 3; return *q > y; }",
    );
    expect!["(&y == (x == 0 ? &y : &x) ? (x + 3) : y) < (q == (x == 0 ? &y : &x) ? (x + 3) : *q)"]
        .assert_eq(&text);
}

#[test]
fn assignments_substitute() {
    let text = back_to_start(
        "int x, y, z;
         int main(void) { x = y + 1; z = x * 2; return z > y + y + y; }",
    );
    expect!["3 * y < 2 * y + 2"].assert_eq(&text);
}

#[test]
fn functions_have_names() {
    check(
        "int f(int a) { return a; }
         int g(int a) { return a + 1; }
         struct s { int (*call)(int); } table[2] = {{f}, {g}};
         int main(void) {
           int (*chosen)(int) = table[1].call;
           struct s *s = &table[0];
           if (chosen == f) return 1;
           if (s->call != g) return 2;
           return s->call(1) + chosen(2);
         }",
        &expect![[r#"
            chosen == f
            s->call != g
        "#]],
    );
}

#[test]
fn bytes_of_a_union_are_read_as_such() {
    check(
        "union u { unsigned word; struct { unsigned short low, high; } halves; };
         struct s { int tag; union u u; };
         int main(void) {
           struct s s, *p = &s;
           p->u.word = 7;
           p->u.halves.low = 1;
           if (p->u.word == 3) return 1;
           if (p->u.halves.high < 3) return 1;
           return 0;
         }",
        &expect![[r#"
            *(unsigned char *)((char *)p + 4) == 3 && *(unsigned char *)((char *)p + 5) == 0 && *(unsigned char *)((char *)p + 6) == 0 && *(unsigned char *)((char *)p + 7) == 0
            p->u.halves.high < 3
        "#]],
    );
}

#[test]
fn blocks_in_use() {
    let program = load("int *p; int main(void) { return *p; }");
    let main = program.function_named("main").expect("there is a main function");
    let (p, _) = program
        .vars
        .iter()
        .find(|(_, var)| var.name == "p")
        .expect("there is a variable p");
    let memory = SingleMemory::new(&program);
    let mut semantics = Semantics::new(&program, &memory);
    let now = semantics.symbol(Storage::Allocated);
    let then = semantics.symbol(Storage::AtEntry(main, now));
    let p = semantics.current(Storage::Variable(p, 0));
    let one = semantics.terms.word(1, 1);
    let mut text = String::new();
    for time in [now, then] {
        let blocks = semantics.terms.symbol_term(time);
        let bit = semantics.terms.select(blocks, p);
        let in_use = semantics.terms.eq(bit, one);
        let free = semantics.terms.not(in_use);
        text += &format!("{}\n{}\n", semantics.to_c(in_use), semantics.to_c(free));
    }
    expect![[r"
        \allocated(p)
        !\allocated(p)
        \old(\allocated)(p)
        !\old(\allocated)(p)
    "]]
    .assert_eq(&text);
}
