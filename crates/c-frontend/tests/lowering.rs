//! What C constructs become: C text in, the text form of the program out.

use c_frontend::{Options, load_text};
use expect_test::{Expect, expect};
use program::{DataModel, TextOptions, function_text};

/// The function `f` of the text, lowered.
fn check(text: &str, expected: Expect) {
    check_with(text, &Options::default(), expected);
}

fn check_with(text: &str, options: &Options, expected: Expect) {
    let loaded = match load_text("test.c", text, options) {
        Ok(loaded) => loaded,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    let function = loaded.program.function_named("f").expect("the text defines f");
    expected.assert_eq(&function_text(&loaded.program, function, TextOptions::default()));
}

#[test]
fn conditions_are_control_flow_and_harmless_values_stay_expressions() {
    check(
        "int f(int a, int b, int *p) {
            if (a && !(b || *p)) return 1;
            int both = a && b, deref = a && *p, least = a < b ? a : b;
            return both + deref + least;
        }",
        expect![[r#"
            int f(int a, int b, int *p) {
              int both;
              int deref;
              int $1;
              int least;
            L0:
              assume a -> L1
              assume !a -> L4
            L1:
              assume b -> L4
              assume !b -> L2
            L2:
              assume *p -> L4
              assume !*p -> L3
            L3:
              return 1 -> exit
            L4:
              both = a && b -> L5
            L5:
              assume a -> L6
              assume !a -> L8
            L6:
              assume *p -> L7
              assume !*p -> L8
            L7:
              $1 = 1 -> L9
            L8:
              $1 = 0 -> L9
            L9:
              deref = $1 -> L10
            L10:
              least = a < b ? a : b -> L11
            L11:
              return both + deref + least -> exit
            }
        "#]],
    );
}

#[test]
fn operands_are_saved_from_the_calls_after_them() {
    check(
        "int g, h(void);
        int f(int local) { return g + local * h() + g; }",
        expect![[r#"
            int f(int local) {
              int $1;
              int $2;
            L0:
              $1 = g -> L1
            L1:
              $2 = h() -> L2
            L2:
              return $1 + local * $2 + g -> exit
            }
        "#]],
    );
}

#[test]
fn assignments_have_values_and_places_are_evaluated_once() {
    check(
        "int *next(void); struct s { int n; } *p;
        void f(int a, int b) {
            a = b = *next();
            *next() += 2;
            a = p->n = b;
            a = (*next())++ + --b;
        }",
        expect![[r#"
            void f(int a, int b) {
              int *$1;
              int *$2;
              int $3;
              int *$4;
              int $5;
            L0:
              $1 = next() -> L1
            L1:
              b = *$1 -> L2
            L2:
              a = b -> L3
            L3:
              $2 = next() -> L4
            L4:
              *$2 = *$2 + 2 -> L5
            L5:
              $3 = b -> L6
            L6:
              p->n = $3 -> L7
            L7:
              a = $3 -> L8
            L8:
              $4 = next() -> L9
            L9:
              $5 = *$4 -> L10
            L10:
              *$4 = $5 + 1 -> L11
            L11:
              b = b - 1 -> L12
            L12:
              a = $5 + b -> L13
            L13:
              return -> exit
            }
        "#]],
    );
}

#[test]
fn compound_assignment_computes_in_the_common_type() {
    check(
        "void f(char c, int i, double d) { c += 1; i *= 0.5; c <<= i; d -= c; i += d; }",
        expect![[r#"
        void f(char c, int i, double d) {
        L0:
          c = c + 1 -> L1
        L1:
          i = i * 0.5 -> L2
        L2:
          c = c << i -> L3
        L3:
          d = d - c -> L4
        L4:
          i = i + d -> L5
        L5:
          return -> exit
        }
    "#]],
    );
}

#[test]
fn pointers_arrays_and_fields_are_named_by_one_path() {
    check(
        "struct s { int a[3]; struct { short x, y; }; } v, *p;
        int f(int i, int *q) {
            *(v.a + i) = q[i] + *&v.a[1];
            (&v)->y = p[2].x;
            q = &p->a[i] + 1;
            return q - p->a;
        }",
        expect![[r#"
            int f(int i, int *q) {
            L0:
              v.a[i] = q[i] + v.a[1] -> L1
            L1:
              v.y = p[2].x -> L2
            L2:
              q = &p->a[i] + 1 -> L3
            L3:
              return q - p->a -> exit
            }
        "#]],
    );
}

#[test]
fn switch_falls_through_and_knows_ranges() {
    check(
        "int f(unsigned char c) {
            int kind = 0;
            switch (c) {
            case 'a' ... 'z': kind = 1; break;
            case '0': kind = 2;
            case '1': kind++; break;
            default: for (;;) { if (kind > 3) break; else continue; }
            }
            return kind;
        }",
        expect![[r#"
            int f(unsigned char c) {
              int kind;
            L0:
              kind = 0 -> L1
            L1:
              assume c >= 97 && c <= 122 -> L2
              assume !(c >= 97 && c <= 122) -> L3
            L2:
              kind = 1 -> L8
            L3:
              assume c == 48 -> L4
              assume !(c == 48) -> L5
            L4:
              kind = 2 -> L6
            L5:
              assume c == 49 -> L6
              assume !(c == 49) -> L7
            L6:
              kind = kind + 1 -> L8
            L7:
              assume kind > 3 -> L8
              assume !(kind > 3) -> L7
            L8:
              return kind -> exit
            }
        "#]],
    );
}

#[test]
fn loops_and_gotos() {
    check(
        "int f(int n) {
            int s = 0, i;
            for (i = 0; i < n; i++) { if (i == 3) goto out; s += i; }
            do s--; while (s > n);
            while (s) { again: s /= 2; if (s == 1) goto again; }
        out:
            return s;
        }",
        expect![[r#"
            int f(int n) {
              int s;
              int i;
            L0:
              s = 0 -> L1
            L1:
              havoc i (uninitialised) -> L2
            L2:
              i = 0 -> L3
            L3:
              assume i < n -> L4
              assume !(i < n) -> L7
            L4:
              assume i == 3 -> L12
              assume !(i == 3) -> L5
            L5:
              s = s + i -> L6
            L6:
              i = i + 1 -> L3
            L7:
              s = s - 1 -> L8
            L8:
              assume s > n -> L7
              assume !(s > n) -> L9
            L9:
              assume s -> L10
              assume !s -> L12
            L10 again:
              s = s / 2 -> L11
            L11:
              assume s == 1 -> L10
              assume !(s == 1) -> L9
            L12 out:
              return s -> exit
            }
        "#]],
    );
}

#[test]
fn an_endless_loop_without_a_body_is_an_edge_that_does_nothing() {
    check(
        "void f(void) { for (;;) {} }",
        expect![[r#"
        void f(void) {
        L0:
          assume 1 -> L0
        }
    "#]],
    );
}

#[test]
fn computed_gotos_test_for_each_label() {
    check(
        "int f(int i) {
            static void *table[] = { &&a, &&b };
            goto *table[i];
        a:  return 1;
        b:  return 2;
        }",
        expect![[r#"
            int f(int i) {
              void *$1;
            L0:
              $1 = table[i] -> L1
            L1:
              assume $1 == &&a -> L2
              assume !($1 == &&a) -> L3
            L2 a:
              return 1 -> exit
            L3:
              assume $1 == &&b -> L4
              assume !($1 == &&b) -> L5
            L4 b:
              return 2 -> exit
            L5:
              __builtin_unreachable() -> L6
            L6:
            }
        "#]],
    );
}

#[test]
fn initialisers_become_assignments() {
    check(
        "struct p { int x, y; }; struct q { char name[4]; struct p at[2]; unsigned f : 3, g : 7; };
        void f(struct p given) {
            struct q whole = { \"ab\", { [1] = { .y = 4 }, }, .g = 9 };
            struct p copy = given, swapped = { copy.y, copy.x };
            int list[] = { 1, 2, [5] = 6 };
            given = (struct p){ list[0] };
        }",
        expect![[r#"
            void f(struct p given) {
              struct q whole;
              struct p copy;
              struct p swapped;
              int list[6];
              struct p (literal);
              int $1;
            L0:
              whole = {0} -> L1
            L1:
              whole.name[0] = 'a' -> L2
            L2:
              whole.name[1] = 'b' -> L3
            L3:
              whole.at[1].y = 4 -> L4
            L4:
              whole.g = 9 -> L5
            L5:
              copy = given -> L6
            L6:
              swapped = {0} -> L7
            L7:
              swapped.x = copy.y -> L8
            L8:
              swapped.y = copy.x -> L9
            L9:
              list = {0} -> L10
            L10:
              list[0] = 1 -> L11
            L11:
              list[1] = 2 -> L12
            L12:
              list[5] = 6 -> L13
            L13:
              $1 = list[0] -> L14
            L14:
              (literal) = {0} -> L15
            L15:
              (literal).x = $1 -> L16
            L16:
              given = (literal) -> L17
            L17:
              return -> exit
            }
        "#]],
    );
}

#[test]
fn bit_fields_are_read_back_as_they_were_stored() {
    check(
        "struct { unsigned f : 3; signed g : 5; } s; int f(int i) { return s.f = i, s.g += s.f++; }",
        expect![[r#"
        int f(int i) {
          unsigned int $1;
          int $2;
        L0:
          s.f = i -> L1
        L1:
          $1 = s.f -> L2
        L2:
          s.f = $1 + 1 -> L3
        L3:
          s.g = s.g + $1 -> L4
        L4:
          $2 = s.g -> L5
        L5:
          return $2 -> exit
        }
    "#]],
    );
}

#[test]
fn variable_length_arrays_are_pointers_to_stack_storage() {
    check(
        "int f(int n, int m[n][n]) { int a[n + 1]; a[0] = m[1][2]; return sizeof a; }",
        expect![[r#"
            int f(int n, int (*m)[]) {
              int $1;
              int $2;
              int *a;
            L0:
              $1 = n -> L1
            L1:
              $2 = n + 1 -> L2
            L2:
              a = __builtin_alloca($2 * 4UL, $2) -> L3
            L3:
              *a = ((int *)((char *)m + 1 * ($1 * 4UL)))[2] -> L4
            L4:
              return $2 * 4UL -> exit
            }
        "#]],
    );
}

#[test]
fn statement_expressions_and_elvis() {
    check(
        "int g(void); int f(int x) { return ({ int y = x * x; y + 1; }) + (g() ?: 7); }",
        expect![[r#"
        int f(int x) {
          int y;
          int $1;
          int $2;
          int $3;
        L0:
          y = x * x -> L1
        L1:
          $1 = y + 1 -> L2
        L2:
          $2 = g() -> L3
        L3:
          assume $2 -> L4
          assume !$2 -> L5
        L4:
          $3 = $2 -> L6
        L5:
          $3 = 7 -> L6
        L6:
          return $1 + $3 -> exit
        }
    "#]],
    );
}

#[test]
fn clean_ups_run_on_every_way_out() {
    check(
        "void drop(int *p);
        int f(int n) {
            int a __attribute__((cleanup(drop))) = 1;
            for (;;) {
                int b __attribute__((cleanup(drop))) = 2;
                if (n == 1) break;
                if (n == 2) return a + b;
                if (n == 3) goto out;
            }
        out:
            return a;
        }",
        expect![[r#"
            int f(int n) {
              int a;
              int b;
              int $1;
              int $2;
            L0:
              a = 1 -> L1
            L1:
              b = 2 -> L2
            L2:
              assume n == 1 -> L3
              assume !(n == 1) -> L4
            L3:
              drop(&b) -> L11
            L4:
              assume n == 2 -> L5
              assume !(n == 2) -> L9
            L5:
              $1 = a + b -> L6
            L6:
              drop(&b) -> L7
            L7:
              drop(&a) -> L8
            L8:
              return $1 -> exit
            L9:
              assume n == 3 -> L10
              assume !(n == 3) -> L14
            L10:
              drop(&b) -> L11
            L11 out:
              $2 = a -> L12
            L12:
              drop(&a) -> L13
            L13:
              return $2 -> exit
            L14:
              drop(&b) -> L1
            }
        "#]],
    );
}

#[test]
fn overflow_checks_compute_exactly() {
    check(
        "_Bool f(int a, unsigned b, int *r, unsigned long x, unsigned long *s) {
            return __builtin_add_overflow(a, b, r) || __builtin_mul_overflow(x, x, s);
        }",
        expect![[r#"
            _Bool f(int a, unsigned int b, int *r, unsigned long x, unsigned long *s) {
              int $1;
              int $2;
              unsigned int $3;
              long long $4;
              unsigned long $5;
              unsigned long $6;
              unsigned __int128 $7;
            L0:
              $2 = a -> L1
            L1:
              $3 = b -> L2
            L2:
              $4 = (long long)$2 + $3 -> L3
            L3:
              *r = $4 -> L4
            L4:
              assume (int)$4 != $4 -> L10
              assume !((int)$4 != $4) -> L5
            L5:
              $5 = x -> L6
            L6:
              $6 = x -> L7
            L7:
              $7 = (unsigned __int128)$5 * $6 -> L8
            L8:
              *s = $7 -> L9
            L9:
              assume (unsigned long)$7 != $7 -> L10
              assume !((unsigned long)$7 != $7) -> L11
            L10:
              $1 = 1 -> L12
            L11:
              $1 = 0 -> L12
            L12:
              return $1 -> exit
            }
        "#]],
    );
}

#[test]
fn atomics_are_plain_accesses() {
    check(
        "int f(_Atomic int *p, int *e) {
            *p += 1;
            __atomic_compare_exchange_n(p, e, 5, 0, 5, 5);
            return __sync_fetch_and_add(p, 2);
        }",
        expect![[r#"
            int f(int *p, int *e) {
              int *$1;
              int *$2;
              int $3;
              _Bool $4;
              int *$5;
              int $6;
            L0:
              *p = *p + 1 -> L1
            L1:
              $1 = p -> L2
            L2:
              $2 = e -> L3
            L3:
              $3 = *$1 -> L4
            L4:
              assume $3 == *$2 -> L5
              assume !($3 == *$2) -> L7
            L5:
              *$1 = 5 -> L6
            L6:
              $4 = 1 -> L9
            L7:
              *$2 = $3 -> L8
            L8:
              $4 = 0 -> L9
            L9:
              $5 = p -> L10
            L10:
              $6 = *$5 -> L11
            L11:
              *$5 = $6 + 2U -> L12
            L12:
              return $6 -> exit
            }
        "#]],
    );
}

#[test]
fn varargs_are_calls_of_intrinsics() {
    check(
        "int f(int n, ...) {
            __builtin_va_list ap;
            __builtin_va_start(ap, n);
            int r = __builtin_va_arg(ap, int);
            __builtin_va_end(ap);
            return r;
        }",
        expect![[r#"
            int f(int n, ...) {
              struct __va_list_tag ap[1];
              int r;
              int $1;
            L0:
              havoc ap (uninitialised) -> L1
            L1:
              __builtin_va_start(ap) -> L2
            L2:
              $1 = __builtin_va_arg(ap) -> L3
            L3:
              r = $1 -> L4
            L4:
              __builtin_va_end(ap) -> L5
            L5:
              return r -> exit
            }
        "#]],
    );
}

#[test]
fn code_after_a_call_that_does_not_return_is_gone() {
    check(
        "void abort(void); int f(int x) { if (x) { abort(); x = 1; } return x; }",
        expect![[r#"
        int f(int x) {
        L0:
          assume x -> L1
          assume !x -> L3
        L1:
          abort() -> L2
        L2:
        L3:
          return x -> exit
        }
    "#]],
    );
}

#[test]
fn assembly_that_jumps_goes_on_anywhere_it_names() {
    check(
        "int f(int x) {
            asm goto(\"jc %l[bad]\" : \"+r\"(x) : : : bad, worse);
            return x;
        bad: return 1;
        worse: return 2;
        }",
        expect![[r#"
            int f(int x) {
              int $1;
              int $2;
            L0:
              havoc x (assembly) -> L1
            L1:
              havoc $1 (assembly) -> L2
            L2:
              assume $1 -> L3
              assume !$1 -> L4
            L3 bad:
              return 1 -> exit
            L4:
              havoc $2 (assembly) -> L5
            L5:
              assume $2 -> L6
              assume !$2 -> L7
            L6 worse:
              return 2 -> exit
            L7:
              return x -> exit
            }
        "#]],
    );
}

#[test]
fn constructs_without_a_meaning_are_marked() {
    check(
        "int setjmp(int *); int f(int *b, _Complex double *z) {
            asm volatile(\"cpuid\" : \"=a\"(*b) : \"0\"(1));
            *z = *z * 2;
            int inner(int x) { return x; }
            return setjmp(b);
        }",
        expect![[r#"
            int f(int *b, struct _Complex128 *z) {
              int *$1;
              struct _Complex128 $2;
              int $3;
            L0:
              $1 = b -> L1
            L1:
              havoc *$1 (assembly) -> L2
            L2:
              $2.real = z->real * 2 -> L3
            L3:
              $2.imaginary = z->imaginary * 2 -> L4
            L4:
              *z = $2 -> L5
            L5:
              unsupported: a nested function -> L6
            L6:
              unsupported: setjmp -> L7
            L7:
              $3 = setjmp(b) -> L8
            L8:
              return $3 -> exit
            }
        "#]],
    );
}

#[test]
fn the_data_model_decides_widths() {
    let options = Options {
        model: DataModel::Ilp32,
        ..Options::default()
    };
    check_with(
        "long f(void *p, unsigned u) { return (long)p + u + sizeof(long) + (1UL << 31); }",
        &options,
        expect![[r#"
        long f(void *p, unsigned int u) {
        L0:
          return (long)p + u + 4 + (1UL << 31) -> exit
        }
    "#]],
    );
}

#[test]
fn enumerators_and_characters_are_printed_by_name() {
    check(
        "enum color { RED, GREEN = 5 } c; int f(char k) { c = GREEN; return c == RED && k != 'x' && c < 3; }",
        expect![[r#"
            int f(char k) {
            L0:
              c = GREEN -> L1
            L1:
              return c == RED && k != 'x' && c < 3 -> exit
            }
        "#]],
    );
}

#[test]
fn literals_in_static_initialisers_are_written_out() {
    check_globals(
        "struct s { char name[3]; int n; };
        char text[] = \"abc\"; char full[2] = \"ab\"; struct s a = (struct s){ \"xy\", 5 }, b[2] = { { \"q\" }, (struct s){ .n = 7 } };",
        expect![[r#"
            text[0] = 97
            text[1] = 98
            text[2] = 99
            full[0] = 97
            full[1] = 98
            a.name[0] = 120
            a.name[1] = 121
            a.n = 5
            b[0].name[0] = 113
            b[1].n = 7
        "#]],
    );
}

#[test]
fn a_prototype_in_a_block_is_no_nested_function() {
    check(
        "int f(void) { int g(void); return g(); } int g(void) { return 1; }",
        expect![[r#"
        int f(void) {
          int $1;
        L0:
          $1 = g() -> L1
        L1:
          return $1 -> exit
        }
    "#]],
    );
}

#[test]
fn wide_bit_fields_compute_in_their_own_width() {
    check(
        "struct { unsigned long long b : 40; } s; unsigned long long f(void) { return s.b + 1; }",
        expect![[r#"
        unsigned long long f(void) {
        L0:
          return (s.b << 24 >> 24) + (1ULL << 24 >> 24) << 24 >> 24 -> exit
        }
    "#]],
    );
}

/// The values that static objects start with.
fn check_globals(text: &str, expected: Expect) {
    let loaded = load_text("test.c", text, &Options::default()).expect("the text is right");
    let printer = program::Printer::new(&loaded.program);
    let mut told = String::new();
    for var in loaded.program.vars.values() {
        if let program::VarKind::Global(program::Initial::Values(values)) = &var.kind {
            for &(place, value) in values {
                told += &format!("{} = {}\n", printer.place(place), printer.expr(value));
            }
        }
    }
    expected.assert_eq(&told);
}

#[test]
fn a_jump_back_over_a_declaration_cleans_up() {
    check(
        "void drop(int *p); void f(int i) { again:; int d __attribute__((cleanup(drop))) = 1; if (i++ < 2) goto again; }",
        expect![[r#"
            void f(int i) {
              int d;
              int $1;
            L0 again:
              d = 1 -> L1
            L1:
              $1 = i -> L2
            L2:
              i = $1 + 1 -> L3
            L3:
              assume $1 < 2 -> L4
              assume !($1 < 2) -> L5
            L4:
              drop(&d) -> L0
            L5:
              drop(&d) -> L6
            L6:
              return -> exit
            }
        "#]],
    );
}

#[test]
fn constructors_run_before_main() {
    let text = "int x; __attribute__((constructor)) void late(void) { x = 42; }
        __attribute__((constructor(101))) void early(void) { x = 1; } int main(void) { return x; }";
    let program = load_text("test.c", text, &Options::default())
        .expect("the text is right")
        .program;
    let main = program.function_named("main").expect("it is there");
    expect![[r#"
        int main(void) {
        L0:
          early() -> L1
        L1:
          late() -> L2
        L2:
          return x -> exit
        }
    "#]]
    .assert_eq(&function_text(&program, main, TextOptions::default()));
}
