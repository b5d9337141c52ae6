//! Proofs that are wrong as a whole: what they say would be enough, but it is not so.

use program::{CallGraph, CallResolver, EdgeId, ExprId, FuncId, Program};
use semantics::Storage;
use verdict::{Invariants, Task, Verdict};

use crate::asked::Asked;
use crate::stated::Stated;

/// What the text says is refused for this reason.
fn refused(text: &str, reason: &str) {
    let asked = Asked::new(text);
    let mut stated = Stated::new(&asked, text);
    let claimed = stated.invariants.clone();
    assert_eq!(stated.judged(claimed), reason, "{text}");
}

fn not_kept(text: &str, line: u32) {
    refused(
        text,
        &format!("internal: the proof does not hold: an invariant is not kept at t.c:{line}"),
    );
}

fn not_initial(text: &str) {
    refused(
        text,
        "internal: the proof does not hold: the first invariant does not hold at the start",
    );
}

#[test]
fn a_bound_too_tight() {
    not_kept(
        "
int main(void) {
    int i = 0;
    while (i < 10) {
        inv(i >= 0, i < 9);
        i++;
    }
    inv(i < 10);
    if (i >= 10) reach_error();
}",
        6,
    );
}

#[test]
fn a_global_that_starts_otherwise() {
    not_initial("\nint g = 3;\nint main(void) { inv(g == 4); if (g != 4) reach_error(); }");
}

#[test]
fn an_undefined_global() {
    not_initial("\nextern int g;\nint main(void) { inv(g == 0); if (g) reach_error(); }");
}

#[test]
fn a_parameter_of_the_entry() {
    not_initial("\nint main(int argc, char **argv) { inv(argc == 1); if (argc != 1) reach_error(); }");
}

#[test]
fn a_local_without_a_value() {
    not_kept(
        "\nint main(void) {\n    inv(1); int x;\n    inv(x == 0);\n    if (x) reach_error();\n}",
        3,
    );
}

#[test]
fn a_callees_local_without_a_value() {
    not_kept(
        "
void f(void) { inv(1); int x; inv(x == 0); if (x) reach_error(); }
int main(void) { inv(1); f(); }",
        2,
    );
}

#[test]
fn a_callees_local_is_not_the_callers() {
    not_kept(
        "
void f(int n) {
    inv(1);
    int mine;
    inv(n == 0 || mine == 1);
    if (n && mine != 1) reach_error();
    mine = 1;
    inv(mine == 1);
    f(1);
}
int main(void) { inv(1); f(0); }",
        4,
    );
}

#[test]
fn a_recursive_call_does_not_change_the_callers_local() {
    not_kept(
        "
int f(int n) {
    int mine = n;
    ensures(mine == 0);
    if (n <= 0) { mine = 0; return 0; }
    inv(mine == n, n > 0);
    f(n - 1);
    inv(mine == 0);
    if (mine) reach_error();
    return 0;
}
int main(void) { inv(1); f(2); }",
        7,
    );
}

#[test]
fn a_parameter_that_is_assigned_does_not_keep_its_value() {
    not_kept(
        "
extern int result;
int f(int n) { ensures(result == n); n = n + 1; return n; }
int main(void) {
    inv(1);
    int y = f(5);
    inv(y == 5);
    if (y != 5) reach_error();
}",
        6,
    );
}

#[test]
fn a_callee_of_a_callee_changes_a_global() {
    not_kept(
        "
int g;
void inner(void) { g = 1; }
void outer(void) { inv(1); inner(); }
int main(void) {
    inv(g == 0);
    outer();
    inv(g == 0);
    if (g) reach_error();
}",
        7,
    );
}

#[test]
fn a_callee_changes_what_a_pointer_leads_to() {
    not_kept(
        "
void set(int *p) { *p = 1; }
int main(void) {
    int x = 0;
    inv(x == 0);
    set(&x);
    inv(x == 0);
    if (x) reach_error();
}",
        6,
    );
}

#[test]
fn one_of_the_targets_of_a_pointer_does_otherwise() {
    not_kept(
        "
extern int result;
int one(void) { ensures(result == 1); return 1; }
int two(void) { ensures(result == 2); return 2; }
int main(void) {
    int (*f)(void) = one;
    inv(f == one);
    if (__VERIFIER_nondet_int()) f = two;
    inv(f == one || f == two);
    int y = f();
    inv(y == 1);
    if (y != 1) reach_error();
}",
        10,
    );
}

#[test]
fn a_pointer_to_a_function_without_a_body() {
    not_kept(
        "
int outside(void);
int main(void) {
    int (*f)(void) = outside;
    inv(f == outside);
    int y = f();
    inv(y == 0);
    if (y) reach_error();
}",
        6,
    );
}

#[test]
fn the_result_of_an_outer_call_is_not_that_of_an_inner_one() {
    not_kept(
        "
extern int result;
int f(int n) {
    ensures(result == 1);
    inv(1);
    int y = 0;
    if (n > 0) {
        inv(1);
        y = f(n - 1);
    }
    inv(y == 1);
    return y;
}
int main(void) {
    inv(1);
    int x = f(3);
    inv(x == 1);
    if (x != 1) reach_error();
}",
        6,
    );
}

#[test]
fn an_entry_value_is_not_the_one_of_now() {
    not_kept(
        "
extern int result, old_n;
int f(int n) { ensures(result == old_n); inv(n == old_n); n++; inv(n == old_n); return n; }
int main(void) {
    inv(1);
    int x = f(3);
    inv(x == 3);
    if (x != 3) reach_error();
}",
        3,
    );
}

#[test]
fn functions_that_run_at_the_end() {
    refused(
        "
extern int atexit(void (*)(void));
int g;
void last(void) { inv(0); if (g) reach_error(); }
int main(void) {
    inv(1);
    atexit(last);
    inv(1);
    g = 1;
}",
        "unsupported: a function registered by `atexit` that may violate the property at the end at t.c:7",
    );
}

#[test]
fn functions_that_a_library_function_calls() {
    refused(
        "
extern void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int g;
int same(const void *a, const void *b) { inv(0); g = 1; return 0; }
int main(void) {
    int a[2], key;
    inv(g == 0);
    bsearch(&key, a, 2, sizeof a[0], same);
    inv(g == 0);
    if (g) reach_error();
}",
        "unsupported: the function `bsearch` at t.c:8",
    );
}

#[test]
fn something_without_a_meaning() {
    refused(
        "
extern void longjmp(int *, int);
int main(void) {
    int buffer[100];
    inv(1);
    longjmp(buffer, 1);
    inv(0);
    reach_error();
}",
        "unsupported: longjmp at t.c:6",
    );
}

#[test]
fn nothing_is_said_at_all() {
    let asked = Asked::new("\nint main(void) { return 0; }");
    let mut semantics = asked.semantics();
    let silent: Option<Invariants> = None;
    let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(silent)));
    assert_eq!(asked.said(&answer), "internal: the proof says nothing");
    let empty = Some(Invariants::default());
    let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(empty)));
    let reason = "internal: the proof does not hold: the first invariant does not hold at the start";
    assert_eq!(asked.said(&answer), reason);
}

/// Knows of no function that a pointer leads to.
struct Nowhere;

impl CallResolver for Nowhere {
    fn targets(&self, _: &Program, _: EdgeId, _: ExprId) -> Vec<FuncId> {
        Vec::new()
    }
}

/// What the judge says to an engine that knows nothing of calls through pointers.
fn refused_to_the_ignorant(text: &str, reason: &str) {
    let asked = Asked::new(text);
    let stated = Stated::new(&asked, text);
    let calls = CallGraph::new(asked.program(), &Nowhere);
    let task = Task {
        calls: &calls,
        ..asked.task()
    };
    let mut semantics = stated.semantics;
    let answer = evidence::vouch(
        "test",
        &task,
        &mut semantics,
        Verdict::Safe(Box::new(Some(stated.invariants))),
        &evidence::Judge::default(),
        &budget::Budget::unlimited(),
        &mut |_| std::ops::ControlFlow::Continue(()),
    );
    assert_eq!(asked.said(&answer), reason);
}

#[test]
fn the_judge_finds_out_itself_what_is_called() {
    refused_to_the_ignorant(
        "
void bad(void) { inv(0); reach_error(); }
int main(void) {
    void (*f)(void) = bad;
    inv(1);
    f();
}",
        "internal: the proof does not hold: an invariant is not kept at t.c:6",
    );
    refused_to_the_ignorant(
        "
extern int result;
int one(void) { ensures(result == 2); inv(1); return 1; }
int main(void) {
    int (*f)(void) = one;
    inv(f == one);
    int n = f();
    inv(n == 2);
    if (n != 2) reach_error();
}",
        "internal: the proof does not hold: an invariant is not kept at t.c:3",
    );
}

#[test]
fn what_a_library_function_writes() {
    for (declared, called) in [
        ("int scanf(const char *, ...)", "scanf(\"%d\", &x)"),
        (
            "int __isoc99_scanf(const char *, ...)",
            "__isoc99_scanf(\"%d\", &x)",
        ),
        (
            "int __isoc23_sscanf(const char *, const char *, ...)",
            "__isoc23_sscanf(\"5\", \"%d\", &x)",
        ),
        ("double frexp(double, int *)", "frexp(8.0, &x)"),
        ("long read(int, void *, unsigned long)", "read(0, &x, 4)"),
        ("int waitpid(int, int *, int)", "waitpid(1, &x, 0)"),
        ("void sincosf(float, int *, int *)", "sincosf(0.0f, &y, &x)"),
    ] {
        let text = format!(
            "
extern {declared};
int main(void) {{
    int x = 0, y = 0;
    inv(x == 0);
    {called};
    inv(x == 0);
    if (x) reach_error();
}}"
        );
        not_kept(&text, 6);
    }
}

#[test]
fn library_functions_that_write_in_ways_that_are_not_followed() {
    for (declared, called) in [
        ("char *strtok(char *, const char *)", "strtok(text, \"b\")"),
        ("char *stpcpy(char *, const char *)", "stpcpy(text, \"b\")"),
        (
            "void *mempcpy(void *, const void *, unsigned long)",
            "mempcpy(text, \"b\", 1)",
        ),
    ] {
        let text = format!(
            "
extern {declared};
int main(void) {{
    char text[4] = \"abc\";
    inv(text[0] == 'a');
    {called};
    inv(text[0] == 'a');
    if (text[0] != 'a') reach_error();
}}"
        );
        not_kept(&text, 6);
    }
}

/// That `g` is what it was when `of` was entered, claimed where `at` is entered.
fn entry_value_of_another(of: &str, at: &str) -> String {
    let text = "
int g;
void f(void) { inv(1); }
int main(void) {
    inv(1);
    g = 1;
    inv(1);
    f();
}";
    let asked = Asked::new(text);
    let mut stated = Stated::new(&asked, text);
    let program = asked.program();
    let function = |name: &str| program.function_named(name).expect("there is such a function");
    let g = program.vars.ids().find(|&var| program.vars[var].name == "g");
    let now = stated
        .semantics
        .symbol(Storage::Variable(g.expect("there is a global"), 0));
    let then = stated.semantics.current(Storage::AtEntry(function(of), now));
    let terms = &mut stated.semantics.terms;
    let now = terms.symbol_term(now);
    let same = terms.eq(now, then);
    let entry = program.functions[function(at)]
        .body
        .as_ref()
        .map(|body| body.entry);
    let mut claimed = stated.invariants.clone();
    claimed.at.insert(entry.expect("it has a body"), same);
    stated.judged(claimed)
}

#[test]
fn an_entry_value_of_another_function() {
    let reason = "internal: the proof does not hold: the first invariant does not hold at the start";
    assert_eq!(entry_value_of_another("f", "main"), reason);
    let reason = "internal: the proof does not hold: an invariant is not kept at t.c:8";
    assert_eq!(entry_value_of_another("main", "f"), reason);
    assert_eq!(entry_value_of_another("f", "f"), "safe");
    assert_eq!(entry_value_of_another("main", "main"), "safe");
}

/// What a function returned is known by where it is stored; the symbol for it is the callee's, not the caller's.
#[test]
fn a_result_is_not_the_callers() {
    let text = "
extern int result;
int f(int n) {
    ensures(result == 1);
    if (n) {
        inv(1);
        f(0);
        inv(1); n = 0;
    }
    return 1;
}
int main(void) {
    inv(1);
    f(1);
    inv(1);
}";
    let asked = Asked::new(text);
    let mut stated = Stated::new(&asked, text);
    let f = asked
        .program()
        .function_named("f")
        .expect("there is such a function");
    let result = stated.semantics.current(Storage::Result(f, 0));
    let terms = &mut stated.semantics.terms;
    let one = terms.word(32, 1);
    let claim = terms.eq(result, one);
    let claimed = stated.invariants.clone();
    assert_eq!(stated.judged(claimed.clone()), "safe");
    for (place, line) in [("t.c:8", 7), ("t.c:15", 14), ("t.c:6", 5)] {
        let said = stated.said.iter().find(|said| said.place == place);
        let mut wrong = claimed.clone();
        for &loc in &said.expect("something is said there").locs {
            wrong.at.insert(loc, claim);
        }
        let reason = format!("internal: the proof does not hold: an invariant is not kept at t.c:{line}");
        assert_eq!(stated.judged(wrong), reason, "{place}");
    }
}

/// Here `first` lies before `second`; C does not say so.
#[test]
fn where_objects_lie() {
    let ordered = |operator: &str| {
        format!(
            "
int first, second;
int main(void) {{
    inv(1);
    if (&first {operator} &second) reach_error();
}}"
        )
    };
    refused(
        &ordered(">"),
        "not-confirmed: the answer may depend on where objects lie in memory, which C does not say",
    );
    refused(
        &ordered("<"),
        "internal: the proof does not hold: an invariant is not kept at t.c:5",
    );
    refused(&ordered("=="), "safe");
}

#[test]
fn where_a_pointer_leads() {
    refused(
        "
static int *one(void) { return 0; }
static int *two(int n) { return 0; }
int main(void) {
    int *(*pointer)(void) = one;
    if (__VERIFIER_nondet_int()) pointer = (int *(*)(void))two;
    inv(1);
    int *p = pointer();
    if (0) reach_error();
}",
        "unsupported: a call through a pointer that may lead to a function that is not known at t.c:8",
    );
}
