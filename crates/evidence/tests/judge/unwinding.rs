//! Claims that every run ends, stated in the program's text, and all the single changes of them.
//!
//! On the line of a loop's head `// rounds N` says how often a run comes back there at most; `// nested f N` says how deep
//! activations of `f` lie in others at most. On lines with `// defined` the claim relies on defined behaviour.

use evidence::{Answer, Evidence, Safe};
use program::{EdgeId, EdgeKind, Loops};
use semantics::Step;
use verdict::{Statement, Unwound, Verdict};

use crate::asked::Asked;

/// What the text claims.
pub fn claimed(asked: &Asked, text: &str) -> Unwound {
    let program = asked.program();
    let line = |edge: EdgeId| {
        let number = program.edges[edge].span?.presumed().1;
        text.lines().nth(number as usize - 1)
    };
    let number = |text: &str| text.trim().parse().expect("a number");
    let mut claim = Unwound::default();
    for (function, data) in program.functions.iter() {
        if data.body.is_none() {
            continue;
        }
        for (_, found) in Loops::new(program, function).iter() {
            let edges = &program.locs[found.head].outgoing;
            let said = edges
                .iter()
                .find_map(|&edge| line(edge)?.split_once("// rounds "));
            if let Some((_, rounds)) = said {
                claim.rounds.insert(found.head, number(rounds));
            }
        }
        let name = format!("// nested {} ", data.name);
        if let Some((_, nested)) = text.lines().find_map(|line| line.split_once(&name)) {
            claim.nested.insert(function, number(nested));
        }
    }
    let mut semantics = asked.semantics();
    for edge in program.edges.ids() {
        if !line(edge).is_some_and(|line| line.contains("// defined")) {
            continue;
        }
        let effect = semantics.effect(Step::Edge(edge));
        if effect.is_ok_and(|effect| !effect.defined.is_empty()) {
            claim.assumed_defined.insert(edge);
        }
    }
    claim
}

fn judged(asked: &Asked, claim: impl Into<Statement>) -> String {
    let mut semantics = asked.semantics();
    let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(Some(claim.into()))));
    asked.said(&answer)
}

fn safe(asked: &Asked, claim: Unwound) -> Safe {
    let mut semantics = asked.semantics();
    let verdict = Verdict::Safe(Box::new(Some(Statement::from(claim))));
    match asked.judged(&mut semantics, verdict) {
        Answer::Safe(safe) => safe,
        answer => panic!("{}", asked.said(&answer)),
    }
}

/// The claim holds, and says no more than it needs; no smaller one does.
fn holds(text: &str) {
    check(&Asked::new(text), text);
}

fn check(asked: &Asked, text: &str) {
    let claim = claimed(asked, text);
    assert_eq!(safe(asked, claim.clone()).assumed_defined, claim.assumed_defined);
    let wrong = "internal: the proof does not hold: ";
    for (&head, &rounds) in &claim.rounds {
        if rounds == 0 {
            continue;
        }
        let mut smaller = claim.clone();
        smaller.rounds.insert(head, rounds - 1);
        let said = judged(asked, smaller);
        let once_more = format!("{wrong}a run may go round once more at ");
        assert!(said.starts_with(&once_more), "{said}\n{text}");
    }
    for (&function, &nested) in &claim.nested {
        let mut smaller = claim.clone();
        smaller.nested.insert(function, nested - 1);
        let said = judged(asked, smaller);
        let deeper = format!("{wrong}calls may be nested deeper at ");
        assert!(said.starts_with(&deeper), "{said}\n{text}");
    }
    for edge in &claim.assumed_defined {
        let mut less = claim.clone();
        less.assumed_defined.remove(edge);
        let said = judged(asked, less);
        assert!(said.starts_with(wrong), "{said}\n{text}");
    }
}

/// What the text claims is refused for this reason.
fn refused(text: &str, reason: &str) {
    let asked = Asked::new(text);
    assert_eq!(judged(&asked, claimed(&asked, text)), reason, "{text}");
}

fn reached(text: &str, line: u32) {
    refused(
        text,
        &format!("internal: the proof does not hold: the error at t.c:{line} is not excluded"),
    );
}

#[test]
fn a_loop_with_a_constant_bound() {
    holds(
        "
int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) // rounds 10
        s += i;
    if (s != 45) reach_error();
}",
    );
}

#[test]
fn a_loop_with_a_choice_in_each_round() {
    let text = "
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    __VERIFIER_assume(n >= 0 && n <= 5);
    int i = 0;
    while (i < n) { // rounds 5
        i++;
        if (__VERIFIER_nondet_int()) continue;
        if (__VERIFIER_nondet_int()) s += 2;
        else s += 1;
    }
    if (s > MOST) reach_error();
}";
    holds(&text.replace("MOST", "10"));
    reached(&text.replace("MOST", "9"), 12);
}

#[test]
fn loops_in_loops() {
    holds(
        "
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    __VERIFIER_assume(n >= 0 && n < 4);
    for (int i = 0; i < n; i++) // rounds 3
        for (int j = 0; j < i; j++) // rounds 2
            s++;
    if (s > 3) reach_error();
}",
    );
}

#[test]
fn ways_that_meet_are_told_apart() {
    // Nothing decides between the edges of a choice: what is left different by them must not be taken to be the same.
    reached(
        "
int main(void) {
    int x = 0, y = 0;
    if (__VERIFIER_nondet_int()) x = 1; else y = 1;
    if (x) y = 2;
    if (x + y == 1) reach_error();
}",
        6,
    );
    holds(
        "
int main(void) {
    int x = 0, y = 0, c = __VERIFIER_nondet_int();
    if (c > 3) x = 1; else y = 1;
    int *p = c > 3 ? &x : &y;
    *p = *p + 1;
    if (x + y != 2 || *p != 2) reach_error();
}",
    );
}

#[test]
fn a_variable_that_only_one_way_sets() {
    reached(
        "
int main(void) {
    int x;
    if (__VERIFIER_nondet_int()) x = 1;
    if (x == 7) reach_error();
}",
        5,
    );
}

#[test]
fn recursion() {
    let text = "
int f(int n) { if (n <= 0) return 0; int mine = n; int r = f(n - 1); return r + mine; }
int main(void) { // nested f 4
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= 4);
    if (f(n) > MOST) reach_error();
}";
    holds(&text.replace("MOST", "10"));
    reached(&text.replace("MOST", "9"), 6);
}

#[test]
fn functions_that_call_each_other() {
    holds(
        "
int odd(int n); // nested even 3
int even(int n) { return n == 0 ? 1 : odd(n - 1); } // nested odd 2
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 6);
    if (even(n) != (n % 2 == 0)) reach_error();
}",
    );
}

#[test]
fn calls_through_pointers() {
    let text = "
int one(void) { return 1; }
int two(void) { return 2; }
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int() ? one : two;
    if (f() > MOST) reach_error();
}";
    holds(&text.replace("MOST", "2"));
    reached(&text.replace("MOST", "1"), 6);
    refused(
        "
int *one(int n) { return 0; }
int main(int argc, char **argv) {
    int *(*f)(void) = (int *(*)(void))one;
    int *p = f();
}",
        "unsupported: a call through a pointer that may lead to a function that is not known at t.c:5",
    );
    // What nobody knows returns, whatever that is.
    reached(
        "
extern int *(*f)(void);
int main(void) {
    if (f() == (int *)1) reach_error();
}",
        4,
    );
}

#[test]
fn arrays_with_unknown_indices() {
    let text = "
int a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 8 && j < 8);
    a[3] = 7;
    a[i] = 5;
    if (a[3] != (i == 3 ? 5 : 7)) reach_error();
    if (a[j] != 5 && a[j] != 7 && a[j] != 0) reach_error();
    if (i != j && a[j] == 5) reach_error();
    if (a[2] == WRONG) reach_error();
}";
    holds(&text.replace("WRONG", "7"));
    reached(&text.replace("WRONG", "5"), 11);
}

#[test]
fn many_cells_and_unknown_indices() {
    let text = "
int a[100];
int main(void) {
    for (int i = 0; i < 100; i++) // rounds 100
        a[i] = i;
    unsigned j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(j < 100);
    a[j] = 1000;
    if (a[99] != 99 && j != LAST) reach_error();
}";
    holds(&text.replace("LAST", "99"));
    reached(&text.replace("LAST", "98"), 9);
}

/// What is written depends on a number that is not known.
#[test]
fn memory_that_is_filled_in_part() {
    let text = "
extern void *memset(void *, int, unsigned long);
int a[4];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 3);
    a[1] = 7; a[2] = 8;
    memset(a, 0, 4 * n);
    if (n == 2 && a[1] != 0) reach_error();
    if (n < 2 && a[1] != 7) reach_error();
    if (a[WHICH] == 0) reach_error();
}";
    holds(&text.replace("WHICH", "2"));
    reached(&text.replace("WHICH", "1"), 11);
}

#[test]
fn memory_that_nothing_wrote() {
    let text = "
extern int outside[4];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 4);
    int before = outside[2], there = outside[i];
    if (i == 2 && before != there) reach_error();
    if (before == WRONG) reach_error();
}";
    holds(&text.replace("before == WRONG", "before != outside[2]"));
    reached(&text.replace("WRONG", "5"), 8);
}

#[test]
fn allocated_memory() {
    let text = "
struct node { int value; struct node *next; };
int main(void) {
    struct node *list = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 3 && i < n; i++) { // rounds 3
        struct node *node = malloc(sizeof *node);
        if (!node) return 0;
        node->value = i;
        node->next = list;
        list = node;
    }
    int last = 3;
    while (list) { // rounds 3
        if (list->value > LAST) reach_error();
        last = list->value;
        list = list->next;
    }
    if (n > 0 && last != 0) reach_error();
}";
    holds(&text.replace("LAST", "2"));
    reached(&text.replace("LAST", "1"), 15);
}

#[test]
fn behaviour_that_is_assumed_to_be_defined() {
    holds(
        "
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0;
    x = 10 / n; // defined
    if (n == 0) reach_error();
}",
    );
    holds(
        "
int main(void) {
    int x, *p = __VERIFIER_nondet_int() ? &x : 0;
    *p = 1; // defined
    if (!p) reach_error();
}",
    );
}

#[test]
fn what_is_plainly_defined_is_not_assumed() {
    let text = "
int main(void) {
    int x = 10, y = 5, z = 0;
    x = x / y; // defined
    if (__VERIFIER_nondet_int()) z = 8; // defined
    if (x != 2) reach_error();
}";
    let asked = Asked::new(text);
    let claim = claimed(&asked, text);
    assert_eq!(claim.assumed_defined.len(), 1);
    assert!(safe(&asked, claim).assumed_defined.is_empty());
}

#[test]
fn several_things_assumed_in_one_step() {
    let text = "
int main(void) {
    int n = __VERIFIER_nondet_int(), d = 2, x = 0;
    x = ORDER; // defined
    if (n == 0) reach_error();
}";
    for order in ["10 / n + 10 / d", "10 / d + 10 / n"] {
        holds(&text.replace("ORDER", order));
    }
}

#[test]
fn how_much_was_followed() {
    let followed = |text: &str| {
        let asked = Asked::new(text);
        match safe(&asked, claimed(&asked, text)).evidence {
            Evidence::Unwound { steps, rounds } => (steps, rounds),
            evidence => panic!("{evidence:?}"),
        }
    };
    let (one, rounds) = followed("\nint main(void) { int i = 0; while (i < 2) // rounds 2\n i++; }");
    assert_eq!(rounds, 2);
    let (other, rounds) = followed("\nint main(void) { int i = 0; while (i < 5) // rounds 5\n i++; }");
    assert_eq!(rounds, 5);
    // A round is the condition with its two outcomes, and the step.
    assert_eq!(other - one, 9);
}

#[test]
fn memory_that_something_outside_writes() {
    let text = "
extern void outside(int *);
int main(void) {
    int x = 1, y = 2;
    if (__VERIFIER_nondet_int()) outside(&x);
    if (CONDITION) reach_error();
}";
    let said = |condition: &str| {
        let asked = Asked::anywhere(&text.replace("CONDITION", condition));
        judged(&asked, Unwound::default())
    };
    assert_eq!(said("y != 2"), "safe");
    for condition in ["x == 5", "x == 1 && y != 3"] {
        let reason = "internal: the proof does not hold: the error at t.c:6 is not excluded";
        assert_eq!(said(condition), reason);
    }
}

#[test]
fn where_objects_lie() {
    let reason = "not-confirmed: the answer may depend on where objects lie in memory, which C does not say";
    for condition in ["&x > &y", "(unsigned long)&x > (unsigned long)&y"] {
        let text = format!("\nint x, y;\nint main(void) {{ if ({condition}) reach_error(); }}");
        refused(&text, reason);
    }
    refused(
        "
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if (p && q && p > q) reach_error();
}",
        reason,
    );
    holds(
        "
int a[4];
int main(void) {
    int s = 0;
    for (int *p = a; p < a + 4; p++) // rounds 4
        s++;
    if (s != 4) reach_error();
}",
    );
}

#[test]
fn memory_that_is_given_out_again() {
    let reason = "not-confirmed: the answer may depend on where objects lie in memory, which C does not say";
    let text = "
extern void *realloc(void *, unsigned long);
int main(void) {
    int *p = malloc(8);
    unsigned long address = (unsigned long)p;
    FREE(p);
    int *q = malloc(8);
    if (SAME) reach_error();
}";
    for free in ["free(p)", "realloc(p, 16)"] {
        for same in ["p == q", "(unsigned long)q == address"] {
            refused(&text.replace("FREE(p)", free).replace("SAME", same), reason);
        }
    }
    holds(
        "
int main(void) {
    int *p = malloc(8);
    free(p);
    int *q = malloc(8);
    *q = 1;
    int *r = malloc(8);
    if (q == r) reach_error();
}",
    );
}

#[test]
fn memory_of_unknown_size() {
    let text = "
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    LIMIT
    char *p = malloc(n * 1048576UL * 1048576UL);
    if (p) { *p = 1; if (*p != 1) reach_error(); }
}";
    refused(
        &text.replace("LIMIT", ""),
        "not-confirmed: the proof cannot be checked: it is not known how much memory is allocated at t.c:5",
    );
    holds(&text.replace("LIMIT", "__VERIFIER_assume(n <= 1);"));
}

/// A run is in the first round of a loop that a function begins with when it enters the function.
#[test]
fn loops_that_functions_begin_with() {
    holds(
        "
int n;
int less(int m) {
    do
        m--; // rounds 2
    while (m > 3);
    return m;
}
int main(void) {
    do
        n++; // rounds 3
    while (n < 4);
    if (less(6) != 3 || n != 4) reach_error();
}",
    );
}

#[test]
fn loops_with_several_entries() {
    refused(
        "
int main(void) {
    int i = 0;
    if (__VERIFIER_nondet_int()) goto inside;
    while (i < 3) {
        i++;
inside:
        i++;
    }
    if (i > 5) reach_error();
}",
        "not-confirmed: the proof cannot be checked: a loop has several entries, at t.c:8",
    );
    // The head of one loop is gone back to from outside of that loop.
    refused(
        "
int main(void) {
    int i = 0;
    if (__VERIFIER_nondet_int()) goto outside;
again:
    i++; // rounds 9
    if (i < 3) goto again;
outside:
    if (i < 5) goto again;
    if (i > 5) reach_error();
}",
        "not-confirmed: the proof cannot be checked: a loop has several entries, at t.c:9",
    );
}

#[test]
fn something_without_a_meaning() {
    refused(
        "
extern void longjmp(int *, int);
int main(void) {
    int buffer[100];
    longjmp(buffer, 1);
    reach_error();
}",
        "unsupported: longjmp at t.c:5",
    );
}

#[test]
fn a_loop_that_does_not_end() {
    refused(
        "
int main(void) {
    int i = 0;
    while (1) { // rounds 1000
        i = !i;
        if (i == 2) reach_error();
    }
}",
        "internal: the proof does not hold: a run may go round once more at t.c:6",
    );
}

/// What goes on for ever in a loop from which nothing is reached need not be followed.
#[test]
fn a_loop_that_nothing_comes_of() {
    holds(
        "
void stop(void) {
    int i = 0;
    while (1)
        i = !i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3) stop();
    if (n > 3) reach_error();
}",
    );
    reached(
        "
int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 3);
    if (n < 3) reach_error();
}",
        5,
    );
    refused(
        "
void look(int i) { if (i > 1) reach_error(); }
int main(void) {
    int i = 0;
    while (1) // rounds 3
        look(i);
}",
        "internal: the proof does not hold: a run may go round once more at t.c:6",
    );
}

#[test]
fn words_of_32_bits() {
    let text = "
int main(void) {
    unsigned long n = __VERIFIER_nondet_uint();
    n = n + 1;
    if (n == 0) reach_error();
}";
    holds(text);
    let asked = Asked::on_32_bits(text);
    let reason = "internal: the proof does not hold: the error at t.c:5 is not excluded";
    assert_eq!(judged(&asked, claimed(&asked, text)), reason);
}

/// The only run is claimed.
fn only_run(text: &str) -> String {
    judged(&Asked::new(text), Statement::OnlyRun)
}

#[test]
fn an_only_run() {
    assert_eq!(
        only_run(
            "
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { int unused; if (fib(12) != 144) reach_error(); return 0; }"
        ),
        "safe"
    );
    assert_eq!(
        only_run("\nint main(int argc, char **argv) { return 0; }"),
        "safe"
    );
}

#[test]
fn runs_that_are_not_the_only_ones() {
    let wrong = |text: &str, how: &str| {
        let reason = format!("internal: the proof does not hold: {how}");
        assert_eq!(only_run(text), reason, "{text}");
    };
    wrong(
        "\nint main(void) { reach_error(); }",
        "its only run takes the error at t.c:2",
    );
    wrong(
        "\nint main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); }",
        "the program asks for a value at t.c:2",
    );
    wrong(
        "\nint main(int argc, char **argv) { if (argc > 9) reach_error(); }",
        "the program is given arguments",
    );
    wrong(
        "\nint main(void) { int x; if (x == 7) reach_error(); }",
        "the run has undefined behaviour at t.c:2: read of `x`, which has no value yet",
    );
    wrong(
        "\nextern int other(void);\nint main(void) { other(); }",
        "the program asks for a value at t.c:3",
    );
    wrong(
        "\nextern int other;\nint main(void) { if (other) reach_error(); }",
        "the program asks for a value",
    );
    wrong(
        "\nint a[3];\nint main(void) { int i = 3; a[i] = 1; if (a[0]) reach_error(); }",
        "the run does not end well",
    );
    wrong(
        "\nint main(void) { int i = 0; i = 1 / i; reach_error(); }",
        "the run does not end well",
    );
    wrong(
        "\nint main(void) { char *p = malloc(4); if (p[0] == 7 || p[1] == 7) reach_error(); }",
        "the run has undefined behaviour at t.c:2: read of allocated memory where nothing was written yet",
    );
    wrong(
        "\nchar *getenv(const char *);\nint main(void) { char *p = getenv(\"HOME\"); if (p && *p == 'x') reach_error(); }",
        "the program asks for a value at t.c:3",
    );
    let chance = "not-confirmed: the only run that was found may depend on where objects lie in memory, which C does not say";
    assert_eq!(
        only_run("\nint x, y;\nint main(void) { if (&x < &y) reach_error(); }"),
        chance
    );
}

#[test]
fn a_run_that_calls_deeper_than_there_is_room() {
    assert_eq!(
        only_run("\nint f(int n) { return f(n + 1) + 1; }\nint main(void) { f(0); }"),
        "not-confirmed: the only run that was found takes too long to be checked"
    );
}

#[test]
fn a_run_that_could_have_gone_another_way() {
    let text = "\nint main(void) { int x = 1; if (x) x = 2; if (x == 3) reach_error(); }";
    assert_eq!(only_run(text), "safe");
    // Both ways on from the first condition, under the same condition: which is taken is nobody's decision.
    let asked = Asked::changed(text, |program| {
        let branches = program
            .locs
            .ids()
            .filter(|&loc| program.locs[loc].outgoing.len() == 2);
        let second = branches.map(|loc| program.locs[loc].outgoing[1]).next();
        let second = second.expect("there is a condition");
        let EdgeKind::Assume { holds, .. } = &mut program.edges[second].kind else {
            panic!("a condition has two outcomes");
        };
        *holds = !*holds;
    });
    let reason = "internal: the proof does not hold: the run has a choice at t.c:2";
    assert_eq!(judged(&asked, Statement::OnlyRun), reason);
}

#[test]
fn a_run_to_an_error_that_nobody_asked_about() {
    let asked = Asked::with_rule(
        "\nvoid reach_error(void) {}\nint main(void) { reach_error(); }",
        "spin-lock",
    );
    assert_eq!(judged(&asked, Statement::OnlyRun), "safe");
}
