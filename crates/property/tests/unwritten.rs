//! Reads of what was never written: what is woven into a program sees what the interpreter notices when it runs it.

mod support;

use expect_test::{Expect, expect};
use interpreter::{Captured, End, Inputs, NoObserver, Request, Source, UndefinedKind};
use program::{DataModel, Program};
use property::{Check, Property, Undefined, Woven, weave};
use support::{program, violations};

fn woven(program: Program) -> Woven {
    let property = Property {
        checks: vec![Check::Undefined(Undefined::Uninitialised)],
        ..Property::default()
    };
    weave(program, &property).unwrap_or_else(|error| panic!("{error}"))
}

/// The errors of the program, and how many reads need none.
fn check(text: &str, expected: Expect) {
    let woven = woven(program(text));
    let mut shown = String::new();
    for site in &woven.errors {
        shown.push_str(&format!("{}: {}\n", site.property, site.message));
    }
    shown.push_str(&format!("{} ruled out\n", woven.discharged));
    expected.assert_eq(&shown);
}

#[test]
fn what_is_written_on_all_ways_is_not_asked_about() {
    check(
        "struct s { char c; int v; };
         int in(void);
         static int sum(struct s s, int *p) { return s.v + *p; }
         int main(void) {
             int x, y, z; struct s s, t; int a[3];
             if (in()) x = 1; else x = 2;
             y = x;
             s.c = 1; s.v = y; t = s;
             a[0] = 1; a[1] = 2; a[2] = 3;
             while (in()) { int w; w = 1; z = w; }
             return x + sum(t, &y) + a[in() & 1] + t.c;
         }",
        expect![[r#"
            7 ruled out
        "#]],
    );
    check(
        "struct s { char c; int v; };
         int in(void);
         int main(void) {
             int x, y; struct s s, t; int a[3];
             if (in()) x = 1;
             t = s;
             a[in() & 1] = 1;
             for (int i = 0; i < 3; i++) { int w; if (i) w = 1; y = w; }
             return x + y + s.v + t.c + a[0];
         }",
        expect![[r#"
            no-uninitialised-read: `w` is read, but nothing was written there before
            no-uninitialised-read: `a[0]` is read, but nothing was written there before
            no-uninitialised-read: `t.c` is read, but nothing was written there before
            no-uninitialised-read: `s.v` is read, but nothing was written there before
            no-uninitialised-read: `y` is read, but nothing was written there before
            no-uninitialised-read: `x` is read, but nothing was written there before
            0 ruled out
        "#]],
    );
}

/// What a copy of nothing lets be read later is found there.
#[test]
fn copies_take_along_what_they_hold() {
    let found = |text: &str| -> Vec<String> {
        let text = format!(
            "#include <string.h>\nstruct s {{ char c; int v; }};\nint main(void) {{ struct s s, t; s.c = 1; \n{text} }}"
        );
        violations(&woven(program(&text)), &[]).into_iter().collect()
    };
    let read = |what: &str| {
        vec![format!(
            "4: `{what}` is read, but nothing was written there before"
        )]
    };
    assert_eq!(found("t = s; return t.c;"), [""; 0]);
    assert_eq!(found("t = s; return t.v;"), read("t.v"));
    assert_eq!(found("s.v = 1; t = s; return t.v;"), [""; 0]);
    assert_eq!(found("memcpy(&t, &s, sizeof t); return t.c;"), [""; 0]);
    assert_eq!(found("memcpy(&t, &s, sizeof t); return t.v;"), read("t.v"));
    let bytes =
        "unsigned char *d = (void *)&t, *b = (void *)&s; for (int i = 0; i < sizeof t; i++) d[i] = b[i];";
    assert_eq!(found(&format!("{bytes} return t.c;")), [""; 0]);
    assert_eq!(found(&format!("{bytes} return t.v;")), read("t.v"));
    assert_eq!(found(&format!("{bytes} return d[4] + 1;")), read("d[4]"));
    // The padding behind a member has some value once the member was stored.
    assert_eq!(found(&format!("{bytes} return d[1] + 1;")), [""; 0]);
}

/// Random programs on random inputs, for both data models.
#[test]
fn the_interpreter_notices_the_same() {
    let (mut noticed_some, mut noticed_none) = (0, 0);
    for number in 0..600 {
        let text = Random(number).program();
        let model = if number % 2 == 0 {
            DataModel::Lp64
        } else {
            DataModel::Ilp32
        };
        let original = load(&text, model);
        let woven = woven(original.clone());
        let mut random = Random(number + 1_000_000);
        for _ in 0..4 {
            let values: Vec<i128> = (0..8).map(|_| i128::from(random.below(4))).collect();
            let seen = noticed(&original, &values);
            let found: Vec<String> = violations(&woven, &values).into_iter().collect();
            let line = found
                .first()
                .and_then(|found| found.split(':').next()?.parse().ok());
            assert_eq!(line, seen, "{number} with {values:?}: {found:?}\n{text}");
            *(if seen.is_some() {
                &mut noticed_some
            } else {
                &mut noticed_none
            }) += 1;
        }
    }
    assert!(
        noticed_some > 500 && noticed_none > 500,
        "{noticed_some} runs read what was never written, {noticed_none} do not"
    );
}

fn load(text: &str, model: DataModel) -> Program {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    match c_frontend::load_text("test.c", text, &options) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    }
}

/// The line at which a run reads what was never written.
fn noticed(program: &Program, values: &[i128]) -> Option<u32> {
    let options = interpreter::Options {
        stop_at_undefined: true,
        ..interpreter::Options::default()
    };
    let entry = program.function_named("main").expect("it is in the text");
    let mut inputs = Listed(values.iter());
    let outcome = interpreter::run(
        program,
        entry,
        &options,
        &mut inputs,
        &mut Captured::default(),
        &mut NoObserver,
    );
    match outcome.end {
        End::Undefined(undefined) => {
            assert_eq!(
                undefined.kind,
                UndefinedKind::UninitialisedRead,
                "{}",
                undefined.message
            );
            Some(undefined.at.span.expect("it is in the text").line)
        }
        End::Exit { .. } => None,
        other => panic!("{other:?}"),
    }
}

struct Listed<'v>(std::slice::Iter<'v, i128>);

impl Inputs for Listed<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        match request.source {
            Source::Uninitialised(_) => None,
            _ => self.0.next().copied(),
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        // The multiplier is that of Knuth's MMIX.
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn program(&mut self) -> String {
        let mut text = "#include <stdlib.h>
#include <string.h>
struct s { char c; int v; struct { short h; unsigned b : 3; unsigned d : 5; } in; int a[2]; };
struct p { int x; long y; };
union u { int i; char c[8]; };
int in(void);
int g; struct p gp;
static void set(int *p, int v) { *p = v; }
static int get(const int *p) { return *p; }
static struct p make(int v) { struct p r; r.x = v; if (v & 1) r.y = 2; return r; }
static int sum(struct p q, int with) { return with ? q.x + (int)q.y : q.x; }
static void move(unsigned char *d, const unsigned char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
int main(void) {
int x, y, a[4], i = in() & 1; unsigned k = 0; struct s s, t; struct p p, q; union u o; unsigned char c[8]; int *m = malloc(16), *r = &y;
"
        .to_owned();
        let first = [
            "x = 1;",
            "y = 1;",
            "memset(a, 0, sizeof a);",
            "memset(&s, 0, sizeof s);",
            "t = s;",
            "p.x = 1; p.y = 2;",
            "q = p;",
            "o.i = 0;",
            "memset(c, 0, 8);",
            "memset(m, 1, 16);",
        ];
        for written in first {
            if self.below(8) != 0 {
                text.push_str(written);
                text.push('\n');
            }
        }
        for _ in 0..3 + self.below(12) {
            text.push_str(&self.statement(2));
            text.push('\n');
        }
        text + "return k > 3;\n}\n"
    }

    fn statement(&mut self, depth: u64) -> String {
        let n = self.below(4);
        let two = self.below(2);
        if depth > 0 && self.below(6) == 0 {
            let (one, other) = (self.statement(depth - 1), self.statement(depth - 1));
            return match self.below(4) {
                0 => format!("if (in()) {{ {one} }} else {{ {other} }}"),
                1 => format!("if (in() > 1) {{ {one} {other} }}"),
                2 => format!("for (int j = 0; j < 2; j++) {{ {one} {other} }}"),
                _ => format!("{{ int w; if (in()) w = 1; {one} k += w; {other} }}"),
            };
        }
        match self.below(72) {
            0..=2 => "x = 1;".to_owned(),
            3 => "k += x;".to_owned(),
            4..=6 => "y = 1;".to_owned(),
            7 => "k += y;".to_owned(),
            8..=10 => format!("a[{n}] = 1;"),
            11 => format!("k += a[{n}];"),
            12 => "a[i] = 2;".to_owned(),
            13 => "k += a[i + 1];".to_owned(),
            14 | 15 => "s.v = 1; s.c = 2;".to_owned(),
            16 => "k += s.v;".to_owned(),
            17 => "s.in.h = 1; s.in.b = 2;".to_owned(),
            18 => "k += s.in.d;".to_owned(),
            19 => "k += t.in.h;".to_owned(),
            20 => format!("s.a[{two}] = 1;"),
            21 => format!("k += t.a[{two}];"),
            22 | 23 => "t = s;".to_owned(),
            24 => "s = t;".to_owned(),
            25 => "memcpy(&t, &s, sizeof t);".to_owned(),
            26 | 27 => "p.x = 1;".to_owned(),
            28 => "p.y = 1;".to_owned(),
            29 => "q = p;".to_owned(),
            30 => "k += q.x;".to_owned(),
            31 => "k += (unsigned)q.y;".to_owned(),
            32 => "p = make(in());".to_owned(),
            33 => "k += sum(p, 0);".to_owned(),
            34 => "k += sum(make(in()), in());".to_owned(),
            35 => "r = &y;".to_owned(),
            36 => format!("r = &a[{n}];"),
            37 => format!("r = m + {n};"),
            38 => "r = &s.v;".to_owned(),
            39 => "r = &g;".to_owned(),
            40..=42 => "*r = 3;".to_owned(),
            43 => "k += *r;".to_owned(),
            44 => "set(r, 4);".to_owned(),
            45 => "k += get(r);".to_owned(),
            46 => format!("set(&a[{n}], 4);"),
            47..=49 => format!("m[{n}] = 5;"),
            50 => format!("k += m[{n}];"),
            51 => "memcpy(a, m, 16);".to_owned(),
            52 => "memcpy(m, a, 8);".to_owned(),
            53 => "memset(a, 0, 8);".to_owned(),
            54 => "memset(&s, 0, sizeof s);".to_owned(),
            55 => "move((unsigned char *)&q, (unsigned char *)&p, sizeof q);".to_owned(),
            56 | 57 => format!("c[{n}] = 6;"),
            58 => format!("c[{}] = c[{n}];", self.below(8)),
            59 => format!("k += c[{}];", self.below(8)),
            60 => "o.i = 1;".to_owned(),
            61 => format!("k += (unsigned)o.c[{n}];"),
            62 => "k += o.i;".to_owned(),
            63 => "{ int *n = calloc(2, 4); if (n) { k += n[1]; free(n); } }".to_owned(),
            64 => "m = realloc(m, 32); m[6] = 1; r = m;".to_owned(),
            65 => "gp = p;".to_owned(),
            66 => "k += gp.x;".to_owned(),
            67 => "c[7] = 0; k += strlen((char *)c + 6);".to_owned(),
            68 => "memset(m, 0, (in() & 3) * 4);".to_owned(),
            69 => "s = (struct s){1, 2};".to_owned(),
            70 => "g = 2; k += g;".to_owned(),
            _ => "x = in(); y = in();".to_owned(),
        }
    }
}
