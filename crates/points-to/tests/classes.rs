//! Small C programs and the alias classes, call targets and effects that come out.

use c_frontend::{Options, load_text};
use expect_test::{Expect, expect};
use points_to::PointsTo;
use program::{Callee, EdgeKind, Id, Node, PlaceId, Printer, Program, Walk};

fn analyse(text: &str) -> (Program, PointsTo) {
    let program = load_text("test.c", text, &Options::default())
        .expect("the test is valid C")
        .program;
    let main = program.function_named("main").expect("the test has a main");
    let result = PointsTo::new(&program, &[main]);
    (program, result)
}

/// The classes that are more than plain variables.
fn check_classes(text: &str, expected: Expect) {
    let (program, result) = analyse(text);
    let mut lines: Vec<String> = result
        .classes()
        .filter(|(_, class)| class.variable.is_none() && !class.regions.is_empty())
        .map(|(id, _)| result.describe_class(&program, id) + "\n")
        .collect();
    lines.sort();
    expected.assert_eq(&lines.concat());
}

/// The place that prints as the text.
fn place(program: &Program, text: &str) -> PlaceId {
    let printer = Printer::new(program);
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Place(place) = node
            && printer.place(place) == text
        {
            return place;
        }
    }
    panic!("no place prints as {text}")
}

fn check_alias(text: &str, a: &str, b: &str, expected: bool) {
    let (program, result) = analyse(text);
    let (a, b) = (place(&program, a), place(&program, b));
    assert_eq!(result.may_alias(&program, a, b), expected);
    assert_eq!(result.may_alias(&program, b, a), expected);
    if expected {
        let classes = result.classes_of(&program, a);
        assert!(classes.len() == 1 && classes == result.classes_of(&program, b));
    }
}

#[test]
fn fields_of_one_struct_are_apart() {
    let text = "struct s { int a; int b[3]; char c; } x; 
        int main(void) { struct s *p = &x; int *q = &p->b[1]; p->a = 1; *q = 2; p->c = 3; q[2] = 4; return x.a; }";
    check_classes(
        text,
        expect![[r#"
            x [0..4] by 4
            x [16..17] by 1
            x [4..8] by 4
        "#]],
    );
    check_alias(text, "p->a", "*q", false);
    check_alias(text, "p->a", "x.a", true);
    check_alias(text, "*q", "q[2]", true);
}

#[test]
fn bit_fields_share_bytes_with_their_neighbours_only() {
    let text = "struct s { int a; unsigned b : 3, c : 7; int d; char e[2]; } x;
        int main(void) { struct s *p = &x; p->a = 1; p->b = 2; p->c = 3; p->d = 4; p->e[1] = 5; return x.a; }";
    check_classes(
        text,
        expect![[r#"
            x [0..4] by 4
            x [12..13] by 1
            x [4..6] by 1/2
            x [8..12] by 4
        "#]],
    );
}

#[test]
fn a_struct_that_starts_with_bytes_keeps_its_members_apart() {
    let text = "struct s { char name[8]; int *p; }; int z;
        int main(void) { struct s x, *q = &x; q->name[z] = 1; q->p = &z; *q->p = 1; return 0; }";
    check_alias(text, "q->name[z]", "q->p", false);
}

#[test]
fn pointers_to_different_objects_do_not_alias() {
    let text = "int main(void) { int x, y, *p = &x, *q = &y; *p = 1; *q = 2; return x; }";
    check_alias(text, "*p", "*q", false);
    check_alias(text, "*p", "x", true);
}

#[test]
fn a_container_is_found_from_its_member() {
    let text = "struct list { struct list *next; }; struct item { int n; struct list l; } a, b;
        int main(void) {
          a.l.next = &b.l;
          struct list *l = a.l.next;
          struct item *i = (struct item *)((char *)l - __builtin_offsetof(struct item, l));
          i->n = 1;
          return b.n + a.n; }";
    check_alias(text, "i->n", "b.n", true);
    check_alias(text, "i->n", "a.n", false);
    // The same in integers, and from an element of an array.
    let text = "struct item { int n; int m[4]; } a; long main(void) {
          int *p = &a.m[2];
          struct item *i = (struct item *)((unsigned long)p - 12);
          i->n = 1; return a.n; }";
    check_alias(text, "i->n", "a.n", true);
}

#[test]
fn unions_and_bytes_overlap() {
    let text = "union u { int i; float f; struct { short lo, hi; } h; } x; struct s { long a; long b; } y;
        int main(void) { x.i = 1; x.h.hi = 2; char *c = (char *)&y; int n = 3; c[n] = 1; y.a = 1; y.b = 2; return x.f; }";
    check_alias(text, "x.i", "x.h.hi", true);
    check_alias(text, "c[n]", "y.a", true);
    check_alias(text, "c[n]", "y.b", true);
}

#[test]
fn integers_carry_pointers() {
    let text = "int x, y; int main(void) { unsigned long a = (unsigned long)&x; a = (a | 1) & ~1UL;
        int *p = (int *)a; *p = 1; int *q = &y; *q = 1; return x; }";
    check_alias(text, "*p", "x", true);
    check_alias(text, "*p", "*q", false);
}

#[test]
fn pointers_copied_byte_by_byte_are_found() {
    let text = "int x; void copy(char *d, char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
        int main(void) { int *p = &x, *q; copy((char *)&q, (char *)&p, sizeof p); *q = 1; return x; }";
    check_alias(text, "*q", "x", true);
}

#[test]
fn structs_are_copied_field_by_field() {
    let text = "struct s { int *p; int *q; }; int x, y; struct s make(void) { struct s s = { &x, &y }; return s; }
        void *memcpy(void *, const void *, unsigned long);
        int main(void) { struct s a = make(), b, c; b = a; memcpy(&c, &b, sizeof c); *c.p = 1; *c.q = 2; return 0; }";
    check_alias(text, "*c.p", "x", true);
    check_alias(text, "*c.q", "y", true);
    check_alias(text, "*c.p", "*c.q", false);
}

#[test]
fn allocations_are_told_apart_also_behind_wrappers() {
    let text = "void *malloc(unsigned long); void abort(void);
        void *xmalloc(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }
        struct s { int a; struct s *next; };
        int main(void) { struct s *p = xmalloc(sizeof *p), *q = xmalloc(sizeof *q); p->next = q; p->a = 1; q->a = 2;
          return p->next->a; }";
    check_alias(text, "p->a", "q->a", false);
    check_alias(text, "p->next->a", "q->a", true);
    check_alias(text, "p->next->a", "p->a", false);
    // A wrapper that keeps a pointer is an ordinary function.
    let text = "void *malloc(unsigned long); int *last;
        int *keep(void) { int *p = malloc(4); last = p; return p; }
        int main(void) { int *p = keep(); *p = 1; return *last; }";
    check_alias(text, "*p", "*last", true);
}

#[test]
fn arguments_beyond_the_declared_ones() {
    let text = "int x; int get(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n);
          int *p = __builtin_va_arg(ap, int *); __builtin_va_end(ap); return *p; }
        int main(void) { return get(1, &x) + x; }";
    check_alias(text, "*p", "x", true);
}

#[test]
fn inputs_lead_to_memory_of_their_own() {
    let text = "struct s { int a; struct s *next; int *data; }; struct s *in(void); struct s *in2(void); struct s mine;
        int main(void) { struct s *p = in(), *q = in2(), *r = &mine; p->a = 1; q->a = 2; r->a = 3;
          p->next->a = 4; p->next->next->a = 5; *p->data = 6; return 0; }";
    check_alias(text, "p->a", "q->a", false);
    check_alias(text, "p->a", "r->a", false);
    check_alias(text, "p->next->a", "p->next->next->a", true);
    check_alias(text, "*p->data", "p->a", false);
}

#[test]
fn calls_through_pointers_are_resolved() {
    let text = "int one(int x) { return x; } int two(int x) { return x + 1; } int three(int x) { return x; }
        struct ops { int (*f)(int); int (*g)(int); } ops = { one, two }; int (*unknown)(int);
        int main(void) { int (*h)(int) = three; return ops.g(1) + ops.f(2) + h(3) + unknown(4); }";
    let (program, result) = analyse(text);
    let mut lines = String::new();
    for (id, edge) in program.edges.iter() {
        if let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = edge.kind
        {
            let targets = result.call_targets(&program, id);
            let names: Vec<&str> = targets
                .functions
                .iter()
                .map(|&f| program.functions[f].name.as_str())
                .collect();
            let other = if targets.other { " or other" } else { "" };
            lines += &format!(
                "{}: {}{other}\n",
                Printer::new(&program).expr(pointer),
                names.join(" ")
            );
        }
    }
    expect![[r#"
        ops.g: two
        ops.f: one
        h: three
        unknown:  or other
    "#]]
    .assert_eq(&lines);
}

#[test]
fn effects_reach_through_calls_and_recursion() {
    let text = "int g, h, unread; void set(int *p) { *p = 1; } 
        void even(int n) { if (n) { void odd(int); odd(n - 1); } else set(&g); }
        void odd(int n) { if (n) even(n - 1); h++; }
        void *memset(void *, int, unsigned long); void clear(char *s) { memset(s, 0, 4); }
        int main(void) { char buffer[4]; int local = 0; even(3); clear(buffer); buffer[1] = 1; unread = local; return g; }";
    let (program, result) = analyse(text);
    let mut lines = String::new();
    for (id, function) in program.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let show = |set: &points_to::ClassSet| {
            let classes: Vec<String> = set
                .iter()
                .map(|class| result.describe_class(&program, class))
                .collect();
            classes.join(", ")
        };
        let effects = result.effects(id);
        lines += &format!(
            "{}: writes {}; reads {}\n",
            function.name,
            show(&effects.writes),
            show(&effects.reads)
        );
    }
    expect![[r#"
        set: writes g [0..4] by 4; reads 
        even: writes g [0..4] by 4, h [0..4] by 4; reads h [0..4] by 4
        odd: writes g [0..4] by 4, h [0..4] by 4; reads h [0..4] by 4
        clear: writes buffer of main [0..1] by 1; reads 
        main: writes g [0..4] by 4, h [0..4] by 4, unread [0..4] by 4, buffer of main [0..1] by 1; reads g [0..4] by 4, h [0..4] by 4
    "#]]
    .assert_eq(&lines);
}

#[test]
fn classes_that_are_as_good_as_variables() {
    let (program, result) = analyse(
        "struct s { int a, b; } x; int a[3]; int main(void) { int l = 1, t = 2; int *p = &t; struct s s; s.a = 1; x.b = *p;
         a[l] = 1; return s.a; }",
    );
    let mut lines: Vec<String> = result
        .classes()
        .filter(|(_, class)| class.is_single)
        .map(|(id, _)| result.describe_class(&program, id))
        .collect();
    lines.retain(|line| !line.contains('$'));
    lines.sort();
    expect![[r#"
        l of main [0..4] by 4
        p of main [0..8] by 8
        s of main [0..4] by 4
        s of main [4..8] by 4
        t of main [0..4] by 4
        x [4..8] by 4"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn what_does_not_run_is_left_out() {
    let (program, result) =
        analyse("void dead(void) {} void live(void) {} int main(void) { live(); return 0; }");
    let reached: Vec<bool> = ["dead", "live", "main"]
        .iter()
        .map(|name| result.is_reached(program.function_named(name).unwrap()))
        .collect();
    assert_eq!(reached, [false, true, true]);
}

#[test]
fn places_made_later_are_answered_too() {
    let (mut program, result) = analyse(
        "struct s { int a; int b; } x; int main(void) { struct s *p = &x; p->a = 1; x.b = 2; return 0; }",
    );
    let a = place(&program, "p->a");
    let program::PlaceKind::Field(star, _) = program.place(a).kind else {
        panic!("p->a is a field")
    };
    let count = program.exprs.place_count();
    let b = program.field(star, 1);
    assert!(b.index() >= count, "the place is new");
    let x_b = place(&program, "x.b");
    assert!(result.may_alias(&program, b, x_b) && !result.may_alias(&program, a, b));
    assert_eq!(result.classes_of(&program, b), result.classes_of(&program, x_b));
}
