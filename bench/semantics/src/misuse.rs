//! Random C programs that misuse what C leaves undefined now and then: null and dangling pointers, indices out of bounds, `free` of the
//! wrong thing or twice, overflow, division by zero, shifts, reads of what was never written, library functions past the end.
//!
//! Statements are drawn from a list over a fixed set of variables, so that pointers come and go between all of them. A run ends at
//! the first misuse; each statement is therefore harmless most of the time. One statement is one line, by which findings are
//! compared. Two things are left out. Signed numbers are not shifted to the left: the interpreter takes that as gcc documents it, and
//! the checks as C does. Nothing is written to string literals: no check is about that.

use logic::random::Random;

const PRELUDE: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s { char c; int v; short h[3]; int *p; unsigned b : 5; int d : 7; };
struct n { struct n *next; int v; };
union u { int i; unsigned char c[8]; };
int in(void);
static int ga[4]; static struct s gs; static int *gp; static char gt[6] = \"ab\";
static void set(int *p, int v) { *p = v; }
static int get(const int *p, int at) { return p[at]; }
static int *same(int *p) { return p; }
static int *fresh(int n) { return calloc(n, sizeof(int)); }
static int *local(int v) { int l = v; int *r = &l; return r; }
static void drop(int **p) { free(*p); *p = 0; }
static int sum(const int *p, int n) { int r = 0; for (int i = 0; i < n; i++) r += p[i]; return r; }
static int part(struct s a) { return a.v / (a.c + 1); }
static struct s make(int v) { struct s r; r.v = v; r.p = &ga[1]; if (v & 1) r.c = 2; return r; }
static int half(int v) { return v / 2; }
static int count(int n) { return n <= 0 ? 0 : n + count(n - 1); }
static void fill(char *t, int n) { for (int i = 0; i < n; i++) t[i] = 'x'; t[n] = 0; }
";

/// What is declared in the main function, and how each variable gets a first value, if it does.
const VARIABLES: &str = "int x, y, la[3], lm[2][3], *p, *q, *r, **pp; unsigned u; long l; short h; signed char sc; unsigned char uc;
long long w; char t[8], *a; struct s s, o, *sp; struct n *n, *e; union u v; int (*f)(int);
";
const FIRST: [&str; 22] = [
    "x = in();",
    "y = 2;",
    "la[0] = 1; la[1] = 2; la[2] = 3;",
    "memset(lm, 0, sizeof lm);",
    "p = la;",
    "q = ga;",
    "r = 0;",
    "pp = &p;",
    "u = 3;",
    "l = 1;",
    "h = 7;",
    "sc = -1;",
    "uc = 200;",
    "w = in();",
    "memcpy(t, \"abc\", 4);",
    "a = t;",
    "s.v = 1; s.c = 0; s.h[0] = s.h[1] = s.h[2] = 0; s.p = la; s.b = 1; s.d = 2;",
    "o = s;",
    "sp = &s;",
    "n = 0; e = 0;",
    "v.i = 0; v.c[6] = 1;",
    "f = half;",
];

/// The text of the program of a seed.
pub fn misuse(seed: u64) -> String {
    let mut generator = Misuse(Random::new(seed ^ 0x0dd));
    let mut text = format!("{PRELUDE}int main(void) {{\n{VARIABLES}");
    for first in FIRST {
        if !generator.0.chance(3) {
            text.push_str(first);
            text.push('\n');
        }
    }
    for _ in 0..4 + generator.0.below(12) {
        text.push_str(&generator.statement(2));
    }
    text.push_str("return 0;\n}\n");
    text
}

/// A value for an input: mostly small, at times at the end of a range.
pub fn input(random: &mut Random) -> i128 {
    match random.below(8) {
        0 => random.pick(&[
            i128::from(i32::MAX),
            i128::from(i32::MIN),
            -1,
            31,
            32,
            127,
            46341,
            1 << 30,
        ]),
        _ => random.below(5) as i128,
    }
}

struct Misuse(Random);

impl Misuse {
    fn pick(&mut self, from: &[&str]) -> String {
        self.0.pick(from).to_owned()
    }

    fn pointer(&mut self) -> String {
        self.pick(&["p", "p", "p", "q", "q", "q", "s.p", "sp->p", "*pp", "r", "gp"])
    }

    /// An index that is one of three elements most of the time.
    fn index(&mut self) -> String {
        match self.0.below(10) {
            0 => "3".to_owned(),
            1 => "x".to_owned(),
            2 => "in()".to_owned(),
            3 => "y - 1".to_owned(),
            4 => "x & 3".to_owned(),
            _ => self.0.below(3).to_string(),
        }
    }

    /// A place of some integer type.
    fn place(&mut self) -> String {
        let (index, other, pointer) = (self.index(), self.index(), self.pointer());
        match self.0.below(24) {
            0 => format!("la[{index}]"),
            1 => format!("ga[{index}]"),
            2 => format!("lm[{}][{index}]", self.0.below(2)),
            3 => format!("lm[{index}][{other}]"),
            4 => format!("*{pointer}"),
            5 | 6 => format!("{pointer}[{index}]"),
            7 => "sp->v".to_owned(),
            8 => format!("s.h[{index}]"),
            9 => format!("sp->h[{index}]"),
            10 => "s.b".to_owned(),
            11 => "sp->d".to_owned(),
            12 => format!("t[{index}]"),
            13 => format!("a[{index}]"),
            14 => format!("v.c[{index}]"),
            15 => "v.i".to_owned(),
            16 => "o.v".to_owned(),
            17 => "e->v".to_owned(),
            18 => "gs.v".to_owned(),
            _ => self.pick(&["x", "y", "u", "l", "h", "sc", "uc", "w"]),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.0.chance(35) {
            return match self.0.below(5) {
                0 => self.pick(&["0", "1", "2", "7u", "3L", "-1", "2147483647", "100", "65536"]),
                1 => self.pick(&["x", "y"]),
                2 => "in()".to_owned(),
                _ => self.place(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        let (pointer, other, index) = (self.pointer(), self.pointer(), self.index());
        match self.0.below(32) {
            0..=3 => format!("({a} + {b})"),
            4 | 5 => format!("({a} - {b})"),
            6 => format!("({a} * {b})"),
            7 => format!("({a} / {b})"),
            8 => format!("({a} % {b})"),
            9 => format!("({a} / ({b} | 1))"),
            10 => format!("((unsigned)({a}) << ({b}))"),
            11 => format!("((unsigned long long)({a}) << ({b} & 31))"),
            12 => format!("({a} >> ({b}))"),
            13 => format!("({a} >> ({b} & 7))"),
            14 => format!("(-({a}))"),
            15 => format!("({a} & {b})"),
            16 => format!("({a} ^ {b})"),
            17 => format!("({a} < {b})"),
            18 => format!("({a} && {b})"),
            19 => format!("({a} == 1 || {b})"),
            20 => format!("(x > 1 ? {a} : {b})"),
            21 => format!("({pointer} ? {pointer}[{index}] : {a})"),
            22 => format!("({pointer} && *{pointer} == {a})"),
            23 => format!("(short)({a})"),
            24 => format!("(long)({a})"),
            25 => format!("abs({a})"),
            26 => format!("get({pointer}, {index})"),
            27 => "f(x)".to_owned(),
            28 => format!("half({a})"),
            29 => format!("({pointer} == {other})"),
            30 => "count(y & 3)".to_owned(),
            _ => format!("({a}, {b})"),
        }
    }

    fn condition(&mut self) -> String {
        let (pointer, other) = (self.pointer(), self.pointer());
        match self.0.below(7) {
            0 => "x > 1".to_owned(),
            1 => format!("{pointer} != {other}"),
            2 => pointer,
            3 => self.value(2),
            4 => format!("{pointer} && {pointer}[0] > 0"),
            _ => "in() & 1".to_owned(),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth > 0 && self.0.chance(18) {
            let condition = self.condition();
            let (one, other) = (self.block(depth - 1), self.block(depth - 1));
            return match self.0.below(6) {
                0 => format!("if ({condition}) {{\n{one}}} else {{\n{other}}}\n"),
                1 => format!("if ({condition}) {{\n{one}}}\n"),
                2 => format!("for (int i = 0; i < 3; i++) {{\n{one}}}\n"),
                3 => {
                    let pointer = self.pointer();
                    format!("for (int i = 0; i < 3; i++) {{\n{one}{pointer}[i] = i;\n}}\n")
                }
                4 => format!(
                    "switch (in()) {{\ncase 0:\n{one}break;\ncase 1:\n{other}break;\ndefault:\nx = 1;\n}}\n"
                ),
                _ => format!("{{\nint z;\nif (in() & 3) z = 1;\n{one}x = z;\n}}\n"),
            };
        }
        format!("{}\n", self.simple())
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.0.below(2)).map(|_| self.statement(depth)).collect()
    }

    fn simple(&mut self) -> String {
        match self.0.below(10) {
            0..=3 => {
                let (place, value) = (self.place(), self.value(3));
                match self.0.below(6) {
                    0 => format!("{place} += {value};"),
                    1 => format!("{place}++;"),
                    2 => format!("{place} = in();"),
                    _ => format!("{place} = {value};"),
                }
            }
            4 => self.pointers(),
            5 => self.heap(),
            6 => self.texts(),
            7 => self.blocks(),
            8 => self.records(),
            _ => self.pick(&[
                "x = in();",
                "y = in();",
                "x = 1; y = 3;",
                "w = in(); w = w * 4096;",
                "u = in();",
            ]),
        }
    }

    /// Pointers get other values.
    fn pointers(&mut self) -> String {
        let (to, from, index) = (self.pointer(), self.pointer(), self.index());
        match self.0.below(24) {
            0..=2 => format!("{to} = {from};"),
            3 => format!("{to} = same({from});"),
            4 => format!("{to} = &ga[{}];", self.0.below(4)),
            5 => format!("{to} = la;"),
            6 => format!("{to} = lm[{}];", self.0.below(2)),
            7 => format!("{to} = &la[{index}];"),
            8 => format!("{to} = &lm[{index}][1];"),
            9 => format!("if ({from} == la) {to} = {from} + 1;"),
            10 => format!("if ({to} == &la[1]) {to}--;"),
            11 => format!("{to} = 0;"),
            12 => format!("{to} = local(x);"),
            13 => format!("pp = &{};", self.pick(&["p", "q", "r", "gp", "s.p"])),
            14 => format!("set({to}, {});", self.value(2)),
            15 => format!("set(&{to}[{index}], y);"),
            16 => "f = 0;".to_owned(),
            17 => "f = x > 2 ? count : half;".to_owned(),
            18 => format!("x = sum({to}, {});", self.0.below(4)),
            19 => format!("{{ int k = x; {to} = &k; *{to} = 1; }}"),
            20 => format!("{to} = x ? {from} : ga;"),
            21 => format!("x = {to} ? *{to} : 0;"),
            22 => format!("l = {to} - {to};"),
            _ => format!("*{to} = {};", self.value(2)),
        }
    }

    /// Memory is allocated and freed.
    fn heap(&mut self) -> String {
        let (to, from) = (self.pointer(), self.pointer());
        let count = 1 + self.0.below(4);
        match self.0.below(20) {
            0 | 1 => format!("{to} = malloc({count} * sizeof(int));"),
            2 => format!("{to} = calloc({count}, sizeof(int));"),
            3 => format!("{to} = fresh({count});"),
            4 => format!("{to} = malloc({count} * sizeof(int)); *{to} = x;"),
            5 => format!("{to} = realloc({from}, {count} * sizeof(int));"),
            6 => format!("{to} = malloc(8); {to} = realloc({to}, 16); {to}[3] = 1;"),
            7 => format!("free({to});"),
            8 => format!("free({to}); {to} = 0;"),
            9 => format!("{to} = malloc(4); free({to});"),
            10 => "drop(pp);".to_owned(),
            11 => "n = malloc(sizeof *n); n->next = e; n->v = x; e = n;".to_owned(),
            12 => "n = malloc(sizeof *n); n->next = e; e = n;".to_owned(),
            13 => "for (n = e; n; n = n->next) x += n->v & 1;".to_owned(),
            14 => "n = e; if (e) e = e->next; free(n);".to_owned(),
            15 => "while (e) { n = e->next; free(e); e = n; }".to_owned(),
            16 => "x = n->v;".to_owned(),
            17 => format!(
                "if (x > 0 && x < 9) {{ int k[x]; k[x - 1] = 2; k[{}] = 1; y = k[0]; }}",
                self.index()
            ),
            18 => format!("{{ int k[x]; k[0] = {count}; x = k[0]; }}"),
            _ => format!("{to} = malloc((x & 7) * sizeof(int)); if ({to}) {to}[0] = 1;"),
        }
    }

    /// Strings.
    fn texts(&mut self) -> String {
        let one = self.pick(&["t", "a", "a", "gt", "t + 2", "(char *)&v"]);
        let other = self.pick(&["t", "a", "gt", "\"abcd\"", "\"\"", "\"x\"", "a + 1"]);
        let size = self.0.below(9);
        match self.0.below(33) {
            0 => "a = t;".to_owned(),
            1 => format!("a = t + {size};"),
            2 => "a = gt;".to_owned(),
            3 => format!("a = malloc({});", size + 1),
            4 => format!("a = malloc({}); *a = 0;", size + 1),
            5 => "free(a);".to_owned(),
            6 => "a = 0;".to_owned(),
            7 => format!("x = strlen({other});"),
            8 => format!("if (a) x = strlen({one});"),
            9 => format!("strcpy({one}, {other});"),
            10 => format!("strcat({one}, {other});"),
            11 => format!("strncpy({one}, {other}, {size});"),
            12 => format!("x = strcmp({one}, {other});"),
            13 => format!("x = strncmp({one}, {other}, {size});"),
            14 => format!("a = strchr({one}, 'b');"),
            15 => format!("x = memcmp({one}, {other}, {size});"),
            16 => format!("fill({one}, {});", self.0.below(5)),
            17 => format!("memset({one}, 'y', {size});"),
            18 => format!("memcpy({one}, {other}, {});", self.0.below(3)),
            19 => format!("{one}[{}] = 0;", self.0.below(4))
                .replace("(char *)&v", "((char *)&v)")
                .replace("t + 2", "(t + 2)"),
            20 => format!("a = memchr({one}, 0, {size});"),
            21 => format!("memmove({one}, {other}, {size});"),
            22 => "for (x = 0; a[x]; x++) ;".to_owned(),
            23 => format!("strncat({one}, {other}, {size});"),
            24 => format!("a = stpcpy({one}, {other});"),
            25 => format!("a = strrchr({one}, 'c');"),
            26 => format!("x = strnlen({one}, {size});"),
            27 => format!("x = sprintf({one}, \"%s\", {other});"),
            28 => format!("x = sprintf({one}, \"%d\", x);"),
            29 => format!("x = snprintf({one}, {size}, \"<%s>%x\", {other}, y);"),
            30 => format!("a = strdup({other});"),
            31 => format!("a = strndup({other}, {size});"),
            _ => format!("x = *{};", self.pick(&["a", "(a + 1)", "gt", "&t[5]"])),
        }
    }

    /// Many bytes at once.
    fn blocks(&mut self) -> String {
        let (to, from) = (self.pointer(), self.pointer());
        let size = self.pick(&["4", "8", "12", "0", "16", "x", "y * 4", "sizeof la"]);
        match self.0.below(8) {
            0 => format!("memset({to}, 0, {size});"),
            1 => format!("if ({to} != {from}) memmove({to}, {from}, {size});"),
            2 => format!("memcpy(ga, la, {size});"),
            3 => format!("memcpy(la, {from}, {size});"),
            4 => format!(
                "memset(&s, 0, {});",
                self.pick(&["sizeof s", "4", "sizeof s - 4"])
            ),
            5 => "memcpy(&o, &s, sizeof o);".to_owned(),
            6 => "memcpy(&v, t, 8);".to_owned(),
            _ => format!("memset({to} + 1, 1, {size});"),
        }
    }

    fn records(&mut self) -> String {
        let pointer = self.pointer();
        match self.0.below(18) {
            0 => "s = o;".to_owned(),
            1 => "o = *sp;".to_owned(),
            2 => "sp = &s;".to_owned(),
            3 => "sp = &o;".to_owned(),
            4 => "sp = &gs;".to_owned(),
            5 => "sp = 0;".to_owned(),
            6 => "sp = malloc(sizeof *sp);".to_owned(),
            7 => "sp = malloc(sizeof *sp); *sp = s;".to_owned(),
            8 => "sp = calloc(1, sizeof *sp);".to_owned(),
            9 => "free(sp);".to_owned(),
            10 => "s = make(in());".to_owned(),
            11 => "x = part(s);".to_owned(),
            12 => "x = part(*sp);".to_owned(),
            13 => "x = make(x).v;".to_owned(),
            14 => format!("sp->p = {pointer};"),
            15 => "sp->b = x; x += sp->b;".to_owned(),
            16 => "if (sp) x = sp->p[0];".to_owned(),
            _ => "*sp = o; x = sp->h[1];".to_owned(),
        }
    }
}
