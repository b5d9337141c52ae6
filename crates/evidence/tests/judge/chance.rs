//! What C leaves to chance about addresses: claims that may rest on it are refused, and only those.

use verdict::{Statement, Unwound, Verdict};

use crate::asked::Asked;

const LIES: &str =
    "not-confirmed: the answer may depend on where objects lie in memory, which C does not say";
const ONLY: &str = "not-confirmed: the only run that was found may depend on where objects lie in memory, which C does not say";

fn judged(text: &str, claim: impl Into<Statement>) -> String {
    said(&Asked::new(text), claim)
}

fn said(asked: &Asked, claim: impl Into<Statement>) -> String {
    let mut semantics = asked.semantics();
    let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(Some(claim.into()))));
    asked.said(&answer)
}

/// The claim that a program without loops has followed all its runs.
fn followed(text: &str) -> String {
    judged(text, Unwound::default())
}

#[test]
fn addresses_that_may_be_given_out_again() {
    let reused = [
        "\nint main(void) { char *p = malloc(4); free(p); char *q = malloc(4); if (p == q) reach_error(); }",
        "\nint main(void) { char *p = malloc(4); free(p); char *q = malloc(4); if (p != q) return 0; reach_error(); }",
        // Freed through a pointer.
        "\nvoid (*give)(void *) = free;\nint main(void) { char *p = malloc(4); give(p); char *q = malloc(4); if (p == q) reach_error(); }",
        // Given back as more is asked for.
        "\nvoid *realloc(void *, unsigned long);\nint main(void) { char *p = malloc(4), *q = realloc(p, 9); if (p == q) reach_error(); }",
        // Given back by returning.
        "\nvoid *alloca(unsigned long);\nstatic char *f(void) { char *p = alloca(4); return p; }\nint main(void) { if (f() == f()) reach_error(); }",
    ];
    for text in reused {
        assert_eq!(judged(text, Statement::OnlyRun), ONLY, "{text}");
    }
}

#[test]
fn addresses_that_nobody_compares() {
    let not_compared = [
        "\nint main(void) { char *p = malloc(4); if (p == 0) return 0; free(p); p = malloc(4); if (0 == p) return 0; }",
        "\nint main(void) { char *p = malloc(4); free(p); if (p == (char *)(void *)0) return 0; }",
        "\nint main(void) { int i = 1; char *p = malloc(4); free(p); if (i == 2) reach_error(); }",
        "\nint x, *q = &x;\nint main(void) { char *p = malloc(4); if (q == &x) return 0; }",
    ];
    for text in not_compared {
        assert_eq!(judged(text, Statement::OnlyRun), "safe", "{text}");
    }
}

#[test]
fn ends_and_starts() {
    let left_to_chance = [
        "\nint a, b;\nint main(void) { if (&a + 1 == &b) reach_error(); }",
        "\nint a, b;\nint main(void) { if (&a == &b + 1) reach_error(); }",
        "\nint a[4], b;\nint main(void) { if (&a[4] == &b) reach_error(); }",
        "\nint a[4], b;\nint main(void) { int *p = a; p += 4; if (p == &b) reach_error(); }",
        "\nstruct { int a[4]; } s;\nint b;\nint main(void) { int i = 4; if (&s.a[i] == &b) reach_error(); }",
        "\nint a[4], b;\nint *end = a + 4;\nint main(void) { if (end == &b) reach_error(); }",
        "\nint a[4], b;\nint *end(int *p) { return p + 4; }\nint main(void) { if (end(a) == &b) reach_error(); }",
        "\nint a[4], b;\nint at(int *p) { return p == &b; }\nint main(void) { if (at(a + 4)) reach_error(); }",
        "\nint a[4][2], b;\nint main(void) { if (&a[4][0] == &b) reach_error(); }",
        "\nint a[4], b;\nint main(void) { if ((char *)(a + 4) == (char *)&b) reach_error(); }",
        "\nint a[4], b;\nint main(void) { if ((__VERIFIER_nondet_int() ? a + 4 : a) == &b) reach_error(); }",
        "\nint a[4], b;\nint main(void) { if ((__VERIFIER_nondet_int() ? a : a + 4) == &b) reach_error(); }",
        "\nstruct s { int x; } a[4];\nint b;\nint main(void) { struct s *p = a; if (&p[4].x == &b) reach_error(); }",
    ];
    for text in left_to_chance {
        assert_eq!(followed(text), LIES, "{text}");
        assert_eq!(judged(text, Statement::OnlyRun), LIES, "{text}");
    }
    let certain = [
        "\nint a, b;\nint main(void) { if (&a == &b) reach_error(); }",
        "\nint a[4], b;\nint main(void) { if (&a[3] == &b) reach_error(); }",
        "\nint a[4];\nint main(void) { if (&a[4] != a + 4) reach_error(); }",
        "\nint a[4], b;\nint main(void) { int i = 2; a[i] = 3; int *p = a; if (p == &b || p[i] != 3) reach_error(); }",
        "\nint a, b;\nint main(void) { if (&a + 0 == &b) reach_error(); }",
    ];
    for text in certain {
        assert_eq!(followed(text), "safe", "{text}");
    }
}

/// A refusal is not put down to chance where nothing is left to it.
#[test]
fn nothing_left_to_chance() {
    let text = "\nint main(void) { if (__VERIFIER_nondet_int()) reach_error(); }";
    let reason = "internal: the proof does not hold: the error at t.c:2 is not excluded";
    assert_eq!(followed(text), reason);
}

/// Whether literals with the same bytes are one object is not said, nor whether one is a part of another.
#[test]
fn string_literals() {
    let text = |main: &str| {
        format!(
            "\nconst char *name(int n) {{ return n ? \"abc\" : \"x\"; }}\nchar own[] = \"abc\";\nint main(void) {{ const char *p = \"abc\", *q = name(1), *r = \"xabc\"; {main} }}"
        )
    };
    let left_to_chance = [
        "if (p == q) reach_error();",
        "if (p != q) return 0; reach_error();",
        "if (q == \"abc\") reach_error();",
        "if (p <= q && q <= p) reach_error();",
        "if (!(p < q) && !(q < p)) reach_error();",
        "if (p - q == 0) reach_error();",
        "if ((unsigned long)p == (unsigned long)q) reach_error();",
        "unsigned long n = (unsigned long)p, m = (unsigned long)q; if (n == m) reach_error();",
        "if (p == r + 1) reach_error();",
        "if (r + 1 <= p && p <= r + 1) reach_error();",
        "int i = 1; if ((unsigned long)p == (unsigned long)&r[i]) reach_error();",
    ];
    for main in left_to_chance {
        assert_eq!(followed(&text(main)), LIES, "{main}");
        assert_eq!(judged(&text(main), Statement::OnlyRun), LIES, "{main}");
    }
    let certain = [
        "if (p == r) reach_error();",
        "if (p == own) reach_error();",
        "if (p != p || p[2] != 'c' || q[2] != 'c') reach_error();",
        "q = r; if (p == q) reach_error();",
        "const char *a = \"ab\"; if (a == p) reach_error();",
        "if (p == \"\") reach_error();",
        "int i = 3; if (i == 4 || q[i] != 0) reach_error();",
    ];
    for main in certain {
        let text = text(main).replace("q = name(1)", "q = p");
        assert_eq!(followed(&text), "safe", "{main}");
    }
    let run = text("if (p != q) reach_error();");
    let asked = Asked::new(&run);
    let found = asked.found(&mut asked.semantics());
    assert_eq!(asked.said(&asked.judged(&mut asked.semantics(), found)), LIES);
}

/// Objects of no size, as GNU C has them, may lie where others do.
#[test]
fn objects_without_a_size() {
    let declared = "\nstruct empty {}; struct full { int n; };\nint same(void *p, void *q) { return p == q; }\nint main(void) {";
    let left_to_chance = [
        "struct empty x, y; if (same(&x, &y)) reach_error(); }",
        "struct empty x; int y; if (same(&y, &x)) reach_error(); }",
        "struct empty x[2]; int y; if (same(x, &y)) reach_error(); }",
        "int x[0], y; if (same(x, &y)) reach_error(); }",
    ];
    for main in left_to_chance {
        assert_eq!(followed(&format!("{declared} {main}")), LIES, "{main}");
    }
    let certain = [
        "struct full x, y; if (same(&x, &y)) reach_error(); }",
        "extern struct opaque x; int y; if (same(&x, &y)) reach_error(); }",
        "extern int x[]; int y; if (same(x, &y)) reach_error(); }",
    ];
    for main in certain {
        assert_eq!(followed(&format!("{declared} {main}")), "safe", "{main}");
    }
}

#[test]
fn numbers_as_pointers() {
    let left_to_chance = [
        "\nint a;\nint main(void) { if ((int *)0x10000 == &a) reach_error(); }",
        "\nint a;\nint main(void) { if (&a == (int *)(unsigned long)__VERIFIER_nondet_uint()) reach_error(); }",
        "\nint a;\nint main(void) { unsigned long n = 1000; int *p = (int *)n; if (&a == p) reach_error(); }",
        "\nint a;\nint main(void) { unsigned long n = 1000; if ((char *)(int *)n == (char *)&a) reach_error(); }",
        // By way of a variable.
        "\nint a, *p;\nint main(void) { p = (int *)0x1000; if (p == &a) reach_error(); }",
        // Something outside may have been told the number.
        "\nextern int *make(void);\nint a;\nint main(void) { unsigned long n = 1000; int *p = (int *)n; if (make() == &a) reach_error(); }",
    ];
    for text in left_to_chance {
        assert_eq!(said(&Asked::anywhere(text), Unwound::default()), LIES, "{text}");
    }
    // Assumed to be apart; the first is not, where the judge puts the object.
    assert_eq!(followed(left_to_chance[0]), LIES);
    assert_eq!(followed(left_to_chance[2]), "safe");
    let certain = [
        "\nint a;\nint main(void) { if (&a == (int *)0) reach_error(); }",
        "\nint *p;\nint main(void) { p = (int *)0x1000; if (p != (int *)0x1000) reach_error(); }",
        "\nint a, b;\nint main(void) { if (&a == &b) reach_error(); }",
        // A number that is taken for another number.
        "\nint a, i;\nint main(void) { int *p = 0; long j = i; if (p == &a) reach_error(); }",
        // A pointer that is taken for another pointer.
        "\nint a, i;\nint main(void) { int *p = 0; char *q = (char *)&i; if (p == &a) reach_error(); }",
    ];
    for text in certain {
        assert_eq!(said(&Asked::anywhere(text), Unwound::default()), "safe", "{text}");
    }
}

/// Programs that ask about an address as a number, `main` and what is before it.
const NUMBERS: [&str; 26] = [
    "int main(void) { if ((unsigned long)&a % 8 == 3) reach_error(); }",
    "int main(void) { if ((unsigned long)&x == 0x7f123450) reach_error(); }",
    "int main(void) { if (0x7f123450 == (unsigned long)&x) reach_error(); }",
    "int main(void) { if (((unsigned long)&x ^ (unsigned long)&y) == 12) reach_error(); }",
    "int main(void) { if ((unsigned long)&x - (unsigned long)&y == 24) reach_error(); }",
    "int main(void) { if (-(unsigned long)&x == 24) reach_error(); }",
    "int main(void) { if (((unsigned long)&x & 4) == 4 && ((unsigned long)&x & 8) == 8 && ((unsigned long)&x & 16) == 0) reach_error(); }",
    "int main(void) { if ((unsigned long)&x % 3 == 1 && (unsigned long)&y % 5 == 4) reach_error(); }",
    "int main(void) { if (!((unsigned long)&x % 7) && !((unsigned long)&y % 7)) reach_error(); }",
    "int main(void) { if ((unsigned long)&x % 7 ? 0 : (unsigned long)&y % 7 ? 0 : 1) reach_error(); }",
    // No alignment is known.
    "int main(void) { void *p = &x; if ((unsigned long)p % 64 == 52) reach_error(); }",
    "struct opaque;\nint main(void) { struct opaque *p = (struct opaque *)&x; if ((unsigned long)p % 64 == 52) reach_error(); }",
    "int main(void) { if (((unsigned long)&d & (unsigned char)-4) == 24) reach_error(); }",
    "unsigned long n = (unsigned long)&x;\nint main(void) { if (n % 64 == 60) reach_error(); }",
    // Kept on the way.
    "int main(void) { unsigned long n = (unsigned long)&a % 8; if (n == 3) reach_error(); }",
    "unsigned long n;\nint main(void) { n = (unsigned long)&a % 8; if (n == 3) reach_error(); }",
    "unsigned long n(void) { return (unsigned long)&a % 8; }\nint main(void) { if (n() == 3) reach_error(); }",
    "unsigned long (*f)(void);\nunsigned long n(void) { return (unsigned long)&a % 8; }\nint main(void) { f = n; if (f() == 3) reach_error(); }",
    "void at(unsigned long n) { if (n == 3) reach_error(); }\nint main(void) { at((unsigned long)&a % 8); }",
    "int main(void) { unsigned long n = (unsigned long)&a % 8, m; memcpy(&m, &n, 8); if (m == 3) reach_error(); }",
    "int main(void) { unsigned long n = __VERIFIER_nondet_int() ? (unsigned long)&a % 8 : 1; if (n == 3) reach_error(); }",
    "struct s { unsigned long n; } s, copy;\nint main(void) { s.n = (unsigned long)&x % 64; copy = s; if (copy.n == 52) reach_error(); }",
    "int main(void) { double n = (unsigned long)&x; if ((unsigned long)n % 64 == 52) reach_error(); }",
    "int main(void) { float n = (unsigned long)&x; if (n == 8589934592.0f) reach_error(); }",
    // Asked by something that is no branch.
    "int main(void) { int is = (unsigned long)&a % 8 == 3; if (is) reach_error(); }",
    "int main(void) { char *p = &a[0]; if (((unsigned char *)&p)[0] == 0x33) reach_error(); }",
];

#[test]
fn numbers_of_addresses() {
    for text in NUMBERS {
        let text = format!(
            "\nvoid *memcpy(void *, const void *, unsigned long);\nchar a[4];\nint x, y;\ndouble d;\n{text}"
        );
        assert_eq!(followed(&text), LIES, "{text}");
    }
}

/// A table with an entry for each remainder of an address.
const TABLE: &str = "
int x, y;
int t[64] = { [37] = 1 };
#define AT ((unsigned long)&x / 4 % 64)
#define ADDRESS ((unsigned long)t)
struct cell { long long key; int value; } cells[64];
void *memset(void *, int, unsigned long);
int load(const int *p) { return *p; }
int *find(void) { return t + AT; }
void zero(void) {}
void fail(void) { reach_error(); }
void (*calls[64])(void);
";

#[test]
fn places_that_depend_on_addresses() {
    let left_to_chance = [
        "if (t[AT]) reach_error();",
        "int i = AT; if (t[i] == 1) reach_error();",
        "int v = t[AT]; if (v) reach_error();",
        "if (t[t[AT]] == 5) reach_error();",
        "if (*(t + AT)) reach_error();",
        "int *p = t + AT; if (*p) reach_error();",
        "int *p = &t[AT]; if (p[1]) reach_error();",
        "int *p = t; p += AT; if (p == t + 37) reach_error();",
        "int *p = t; p += AT; if (p - t == 37) reach_error();",
        "int *p = __VERIFIER_nondet_int() ? t : t + AT; if (*p == 1) reach_error();",
        "int *p = (int *)(ADDRESS + 4 * AT); if (*p) reach_error();",
        "int *p = (int *)((unsigned long)(t + 8) & ~63ul); if (p == t + 3) reach_error();",
        "unsigned long n = (unsigned long)(t + 8) & ~63ul; int *p = (int *)n; if (p == t + 3) reach_error();",
        "if (load(t + AT)) reach_error();",
        "if (*find()) reach_error();",
        "int *p = find(); if (*p == 1) reach_error();",
        "struct box { int *p; } box, copy; box.p = t + AT; copy = box; if (*copy.p) reach_error();",
        // Written there.
        "t[AT] = 7; if (t[5] == 7) reach_error();",
        "*(t + AT) = 7; if (t[5] == 7) reach_error();",
        "cells[AT].value = 7; if (cells[5].value) reach_error();",
        "memset(t + AT, 1, 4); if (t[5]) reach_error();",
        "t[AT] = __VERIFIER_nondet_int(); if (t[5]) reach_error();",
        "__asm__(\"\" : \"=r\"(t[AT])); if (t[41]) reach_error();",
        // Called.
        "for (int i = 0; i < 64; i++) calls[i] = i == 5 ? fail : zero; calls[AT]();",
    ];
    let text = |main: &str| format!("{TABLE}int main(void) {{ {main} }}");
    for main in left_to_chance {
        assert_eq!(rounds(&text(main)), LIES, "{main}");
    }
    let certain = [
        "int i = __VERIFIER_nondet_uint() % 37; if (t[i]) reach_error();",
        "int *p = (int *)(ADDRESS + 4 * 37); if (*p != 1) reach_error();",
        "int *p = (int *)(4 * 37 + ADDRESS - 4); if (*p) reach_error();",
        "int *p = (int *)((ADDRESS | 1) - 1); if (p[37] != 1) reach_error();",
        "int *p = (int *)(ADDRESS & ~3ul); if (p[37] != 1) reach_error();",
        "int *p = (int *)ADDRESS; if (p[37] != 1) reach_error();",
        "int *p = t + AT; if (p == 0) reach_error();",
    ];
    for main in certain {
        assert_eq!(rounds(&text(main)), "safe", "{main}");
    }
    // Kept as a number, where no other numbers are computed.
    let kept = "\nint t[64] = { [37] = 1 };\nint main(void) { unsigned long n = (unsigned long)t; int *p = (int *)n; if (p[37] != 1) reach_error(); }";
    assert_eq!(rounds(kept), "safe");
}

/// The claim that no loop goes round more than 64 times.
fn rounds(text: &str) -> String {
    let asked = Asked::new(text);
    let mut claim = Unwound::default();
    for (function, data) in asked.program().functions.iter() {
        if data.body.is_some() {
            let loops = program::Loops::new(asked.program(), function);
            claim
                .rounds
                .extend(loops.iter().map(|(_, found)| (found.head, 64)));
        }
    }
    said(&asked, claim)
}

#[test]
fn where_functions_lie() {
    let left_to_chance = [
        "if ((unsigned long)f % 16 == 8) reach_error();",
        "if (((unsigned long)f & 8) > 4) reach_error();",
        "if ((unsigned long)f == 0x7f123450) reach_error();",
        "if ((unsigned long)g < (unsigned long)f) reach_error();",
        "if ((unsigned long)f >= (unsigned long)g) reach_error();",
        "if ((unsigned long)f > (unsigned long)&x) reach_error();",
        "if ((unsigned long)&x < (unsigned long)f) reach_error();",
        "int is = (unsigned long)g < (unsigned long)f; if (is) reach_error();",
    ];
    let text =
        |main: &str| format!("\nint x;\nvoid f(void) {{}}\nvoid g(void) {{}}\nint main(void) {{ {main} }}");
    for main in left_to_chance {
        assert_eq!(followed(&text(main)), LIES, "{main}");
    }
    let certain = [
        "if (f == g || f == 0) reach_error();",
        "if ((unsigned long)f == (unsigned long)g || !(unsigned long)f) reach_error();",
        "if ((unsigned long)f == (unsigned long)&x) reach_error();",
        "if ((unsigned long)f >= (unsigned long)-4095 || (unsigned long)f < 16) reach_error();",
        "void (*p)(void) = __VERIFIER_nondet_int() ? f : g; if (p != f && p != g) reach_error(); p();",
    ];
    for main in certain {
        assert_eq!(followed(&text(main)), "safe", "{main}");
    }
}

#[test]
fn numbers_of_addresses_that_are_known() {
    let known = [
        "if (((unsigned long)&x & 3) != 0) reach_error();",
        "if ((unsigned long)&x % 2 != 0 || (unsigned long)&x % 4) reach_error();",
        "if ((unsigned long)&x == 0 || !(unsigned long)&x || 1 == (unsigned long)&x) reach_error();",
        "if ((unsigned long)&x >= (unsigned long)-4095) reach_error();",
        "if ((unsigned long)&x == (unsigned long)&y) reach_error();",
        "unsigned long n = (unsigned long)&x; if (n == (unsigned long)&y || n == 4096) reach_error();",
        "int n = 3; if (n == 4) reach_error();",
        // One of two is the larger, and a pointer that leads to nothing of the program's own is any number.
        "if ((unsigned long)&x < (unsigned long)&y && (unsigned long)&y < (unsigned long)&x) reach_error();",
        "int *p = 0; if ((unsigned long)p % 64 == 1) reach_error();",
        "int n; __asm__(\"\" : \"=r\"(n)); if (n == 3 && n == 4) reach_error();",
    ];
    for text in known {
        let text = format!("\nint x, y;\nint main(void) {{ {text} }}");
        assert_eq!(followed(&text), "safe", "{text}");
    }
    // Bits that the alignment says nothing of.
    let other = "\nint x;\nint main(void) { if (((unsigned long)&x & 4) == 1) reach_error(); }";
    assert_eq!(followed(other), LIES);
}
