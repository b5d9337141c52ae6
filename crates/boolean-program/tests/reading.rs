//! Text in, text out: what the reader accepts, how it understands it, and what it says about bad input.

use boolean_program::{Dialect, read, write};
use expect_test::{Expect, expect};

fn check_in(dialect: Option<Dialect>, source: &str, expected: &Expect) {
    let text = match read(source, dialect) {
        Ok(reading) => {
            let warnings: String = reading
                .warnings
                .iter()
                .map(|warning| format!("warning: {warning}\n"))
                .collect();
            warnings + &write(&reading.program, Dialect::Bebop)
        }
        Err(problems) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
    };
    expected.assert_eq(&text);
}

fn check(source: &str, expected: &Expect) {
    check_in(None, source, expected);
}

#[test]
fn all_statements() {
    check(
        "decl held, ok;
decl b0; // x <= y
dfs bool<2> take(want, b) begin
  decl got;
  enforce !(held & !ok);
  if (want) then got := schoose[F,held]; elsif ok then skip; else got := F; fi
  while * do got := ~got; dead got; od;
  return got, choose(want, b);
end
void main() begin
  decl r, s := 1;
  /* a block
     comment */
  again: more: r, _ := take(T, *);
  held, ok := F, 'ok constrain 'held != ok';
  goto yes, 3;
  yes: assume(r); abortif ok; print(r, s);
  3: assert r;
  take(r, s);
  return
end",
        &expect![[r#"
            15:3: the next value `'ok` has a meaning in `constrain` only
        "#]],
    );
    check(
        "decl held, ok;
decl b0; // x <= y
dfs bool<2> take(want, b) begin
  decl got;
  enforce !(held & !ok);
  if (want) then got := schoose[F,held]; elsif ok then skip; else got := F; fi
  while * do got := ~got; dead got; od;
  return got, choose(want, b);
end
void main() begin
  decl r, s := 1;
  /* a block
     comment */
  again: more: r, _ := take(T, *);
  held, ok := F, * constrain 'held != ok';
  goto yes, 3;
  yes: assume(r); abortif ok; print(r, s);
  3: assert r;
  take(r, s);
  return
end",
        &expect![[r#"
            warning: 3:13: `dfs` is a hint about search order; it has no meaning here
            decl held;
            decl ok;
            decl b0; // x <= y

            dfs bool<2> take(want, b) begin
              decl got;
              enforce !(held & !ok);
              if (want) then
                got := schoose[F, held];
              elsif (ok) then
                skip;
              else
                got := F;
              fi
              while (*) do
                got := !got;
                dead got;
              od
              return got, schoose[want, b];
            end

            void main() begin
              decl r;
              decl s;
              s := T;
            again:
            more:
              r, _ := take(T, *);
              held, ok := F, * constrain 'held != 'ok;
              goto yes, 3;
            yes:
              assume(r);
              abortif (ok);
              print(r, s);
            3:
              assert(r);
              take(r, s);
              return;
            end
        "#]],
    );
}

#[test]
fn dialects_bind_differently() {
    let source = "decl a, b, c; void main() begin a := a = b & c; b := a | b ^ c; c := a => b => c; end";
    check(
        source,
        &expect![[r#"
        warning: 1:38: dialects read this mix of operators differently; it is read as bebop does (parentheses settle it)
        warning: 1:54: dialects read this mix of operators differently; it is read as bebop does (parentheses settle it)
        decl a;
        decl b;
        decl c;

        void main() begin
          a := (a = b) & c;
          b := a | (b ^ c);
          c := a => (b => c);
        end
    "#]],
    );
    check_in(
        Some(Dialect::Bebop),
        source,
        &expect![[r#"
        decl a;
        decl b;
        decl c;

        void main() begin
          a := (a = b) & c;
          b := a | (b ^ c);
          c := a => (b => c);
        end
    "#]],
    );
    check_in(
        Some(Dialect::Satabs),
        source,
        &expect![[r#"
        decl a;
        decl b;
        decl c;

        void main() begin
          a := a = (b & c);
          b := (a | b) ^ c;
          c := a => (b => c);
        end
    "#]],
    );
}

#[test]
fn getafix_tokens() {
    let source = "decl a; void main() begin if (?) then a := T; fi end";
    check(
        source,
        &expect![[r#"
        1:31: `?` is a choice in the Getafix dialect only; `*` is one in all
    "#]],
    );
    check_in(
        Some(Dialect::Getafix),
        source,
        &expect![[r#"
        decl a;

        void main() begin
          if (*) then
            a := T;
          fi
        end
    "#]],
    );
    check_in(
        Some(Dialect::Getafix),
        "/* no */ void main() begin end",
        &expect![[r#"
        1:1: the Getafix dialect has no block comments
    "#]],
    );
}

#[test]
fn threads_are_read() {
    check(
        "decl thread_local t := 0; void f() begin atomic_begin; skip; atomic_end; end_thread; end
        void main() begin start_thread f(); start_thread goto l; l: sync e; wait e; broadcast e; end",
        &expect![[r#"
            decl thread_local t := 0;

            void f() begin
              atomic_begin;
              skip;
              atomic_end;
              end_thread;
            end

            void main() begin
              start_thread f();
              start_thread goto l;
            l:
              sync e;
              wait e;
              broadcast e;
            end
        "#]],
    );
}

#[test]
fn a_predicate_is_the_comment_behind_a_lone_name() {
    check(
        "decl a; // x > 0
decl b, c; // not theirs
decl d; decl e; // not clear whose
void main(
  f, // y == z
  g
) begin // about the procedure
end",
        &expect![[r#"
            decl a; // x > 0
            decl b;
            decl c;
            decl d;
            decl e;

            void main(
                f, // y == z
                g
            ) begin
            end
        "#]],
    );
}

#[test]
fn syntax_errors_are_located() {
    check(
        "",
        &expect![[r#"
        1:1: there is no procedure in this program
    "#]],
    );
    check(
        "decl a",
        &expect![[r#"
        1:7: expected `;`, found the end of the text
    "#]],
    );
    check(
        "void main() begin skip",
        &expect![[r#"
        1:1: this procedure has no `end`
    "#]],
    );
    check(
        "void main() begin skip skip end",
        &expect![[r#"
        1:24: expected `;`, found `skip`
    "#]],
    );
    check(
        "void main() begin\n  x = 1;\nend",
        &expect![[r#"
        2:3: the variable `x` is not declared
        2:5: expected `:=`, found `=`
    "#]],
    );
    check(
        "decl x; void main() begin x := (x; end",
        &expect![[r#"
        1:34: expected `)`, found `;`
    "#]],
    );
    check(
        "decl x; void main() begin x := x @ x; end",
        &expect![[r#"
        1:34: unexpected character `@`
    "#]],
    );
    check(
        "void main() begin /* end",
        &expect![[r#"
        1:19: this comment is not closed
    "#]],
    );
    check(
        "void main() begin if * then skip; end",
        &expect![[r#"
        1:35: expected `fi`, found `end`
    "#]],
    );
    check(
        "void main() begin l: end",
        &expect![[r#"
        1:22: expected a statement after the label (`skip` does nothing), found `end`
    "#]],
    );
    check(
        "void main() begin skip; enforce T; end",
        &expect![[r#"
        1:25: `enforce` stands before the statements of a procedure: it holds before all of them that are not `unenforced`
    "#]],
    );
    check(
        "bool<x> main() begin end",
        &expect![[r#"
        1:6: expected the number of results, found `x`
    "#]],
    );
    check(
        "decl {a b}; void main() begin end",
        &expect![[r#"
        1:6: a `{…}` name has no blanks inside and ends with `}`
    "#]],
    );
    check(
        "decl a; void main() begin _ := a; end",
        &expect![[r#"
        1:27: only a result of a call can be discarded by `_`
    "#]],
    );
    check(
        "decl a; void main() begin a := a & f(a); end",
        &expect![[r#"
        1:36: a call stands alone on the right of `:=`, not inside an expression
    "#]],
    );
    check(
        "decl T; void main() begin end",
        &expect![[r#"
        1:6: expected the name of a variable, found `T`
    "#]],
    );
}

#[test]
fn wrong_names_and_numbers_are_located() {
    check(
        "decl a, a;
bool f(x, x) begin decl x; return T, F; end
void f() begin return T; end
void main() begin
  b, a := T;
  a, a := T, F;
  a, a := f(T);
  a := f();
  g(c);
  l: goto m;
  l: skip;
  assume('a);
end",
        &expect![[r#"
            1:9: the global variable `a` is declared twice
            2:11: the variable `x` is declared twice in the procedure `f`
            2:25: the variable `x` is declared twice in the procedure `f`
            3:6: the procedure `f` is defined twice
            5:3: the variable `b` is not declared
            9:3: the procedure `g` is not defined
            9:5: the variable `c` is not declared
        "#]],
    );
    check(
        "decl a;
bool f(x) begin return T, F; end
void main() begin
  a, a := T;
  a, a := f(T);
  a := f();
  l: goto m;
  l: skip;
  assume('a);
end",
        &expect![[r#"
            2:17: `f` returns 1 value, not 2
            4:3: 1 value for 2 variables
            4:3: the variable `a` is assigned twice in one statement
            5:3: the variable `a` is assigned twice in one statement
            5:3: `f` returns 1 value, but 2 are expected here
            6:3: `f` takes 1 argument, not 0
            7:6: there is no label `m` in the procedure `main`
            8:6: the label `l` marks two statements of the procedure `main`
            9:3: the next value `'a` has a meaning in `constrain` only
        "#]],
    );
}

#[test]
fn nesting_is_limited() {
    let wrap = |open: &str, middle: &str, close: &str, times: usize| {
        format!(
            "decl a; void main() begin {}{middle}{} end",
            open.repeat(times),
            close.repeat(times)
        )
    };
    check(
        &wrap("if a then ", "skip;", " fi", 300),
        &expect![[r#"
        1:2027: blocks are nested more than 200 levels deep
    "#]],
    );
    for deep in [
        format!(
            "decl a; void main() begin a := {}a{}; end",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("decl a; void main() begin a := {}a; end", "!".repeat(100_000)),
        format!("decl a; void main() begin a := {}a; end", "a = ".repeat(100_000)),
        format!(
            "decl a; void main() begin a := {}a{}; end",
            "!!(".repeat(600),
            ")".repeat(600)
        ),
    ] {
        let problems = read(&deep, None).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(
            problems[0].message,
            "this expression is nested more than 1000 levels deep"
        );
    }
    let flat = format!("decl a; void main() begin a := {}a; end", "a & ".repeat(100_000));
    assert!(read(&flat, None).is_ok(), "long conjunctions are not deep");
}
