//! Printed expressions mean what they were printed from: random C expressions are read, printed, read again, and both
//! programs run on the same values must agree.

#![allow(clippy::unwrap_used)]

use c_frontend::{Options, load_text};
use interpreter::{Captured, End, NoInputs, NoObserver};
use program::{DataModel, EdgeKind, Printer, Program};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// An expression over the variables of [`PRELUDE`].
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return self
                .pick(&[
                    "c",
                    "uc",
                    "s",
                    "us",
                    "i",
                    "u",
                    "l",
                    "ul",
                    "ll",
                    "b",
                    "x.f",
                    "x.g",
                    "p->n",
                    "p->a[i & 3]",
                    "q[1]",
                    "*q",
                    "e",
                    "RED",
                    "BLUE",
                    "0",
                    "1",
                    "-1",
                    "7u",
                    "3L",
                    "255UL",
                    "2147483647",
                    "(-2147483647 - 1)",
                    "'a'",
                    "4294967295U",
                    "9223372036854775807L",
                    "sizeof(int)",
                    "d",
                    "f",
                    "0.5",
                    "1.5f",
                ])
                .to_owned();
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        let type_name = self.pick(&[
            "char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned",
            "long",
            "unsigned long",
            "_Bool",
            "long long",
        ]);
        match self.below(20) {
            0..=2 => format!("({a} + {b})"),
            3..=4 => format!("({a} - {b})"),
            5 => format!("({a} * {b})"),
            6 => format!("({a} < {b})"),
            7 => format!("({a} >= {b})"),
            8 => format!("({a} == {b})"),
            9 => format!("({a} != {b})"),
            10 => format!("(int)({a} && {b})"),
            11 => format!("({a} || {b})"),
            12 => format!("!({a})"),
            13 => format!("-({a})"),
            14 => format!("({type_name})({a})"),
            15 => format!("((long)({a}) & (int)({b}))"),
            16 => format!("~({type_name})({a})"),
            17 => format!("(({type_name})({a}) >> ({type_name})3)"),
            18 => format!("((unsigned)({a}) ^ ({type_name})({b}))"),
            _ => format!("({a} ? {b} : {a})"),
        }
    }
}

const PRELUDE: &str = "
int printf(const char *, ...);
enum color { RED, GREEN, BLUE = 5 };
struct s { int n; int a[4]; unsigned f : 3; signed g : 9; };
typedef signed char schar;
char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul; long long ll;
_Bool b; struct s x; struct s *p = &x; int array[4] = {1, -2, 3, -4}; int *q = array; enum color e; double d; float f;
static void set(int k) {
  static const long v[] = {0, 1, -1, 127, 128, 255, -128, 32767, 65535, 2147483647L, -2147483647L - 1, 40000, 5};
  long w = v[k % 13], z = v[(k * 5 + 3) % 13];
  c = w; uc = z; s = w; us = z; i = w; u = z; l = z; ul = w; ll = w; b = z; x.n = z; x.f = w; x.g = z; x.a[1] = w;
  x.a[3] = z; array[1] = z; e = k % 2 ? GREEN : BLUE; d = z; f = k;
}
";

/// A program that shows each expression's value on several states.
fn source(expressions: &[String]) -> String {
    let mut text = PRELUDE.to_owned();
    for (at, expression) in expressions.iter().enumerate() {
        // Assigned, so that the program has an edge with just that expression.
        text += &format!("static double f{at}(void) {{ double r = {expression}; return r; }}\n");
        text += &format!("static int t{at}(void) {{ if ({expression}) return 1; return 0; }}\n");
    }
    text += "int main(void) {\n  for (int k = 0; k < 13; k++) {\n    set(k);\n";
    for at in 0..expressions.len() {
        text += &format!("    printf(\"{at} %a %d\\n\", f{at}(), t{at}());\n");
    }
    text + "  }\n  return 0;\n}\n"
}

fn load(text: &str, model: DataModel) -> Program {
    let options = Options {
        model,
        ..Options::default()
    };
    match load_text("random.c", text, &options) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}\n{text}", errors[0]),
    }
}

fn run(program: &Program) -> String {
    let main = program.function_named("main").unwrap();
    let mut output = Captured::default();
    let options = interpreter::Options::default();
    let outcome = interpreter::run(
        program,
        main,
        &options,
        &mut NoInputs,
        &mut output,
        &mut NoObserver,
    );
    assert!(matches!(outcome.end, End::Exit { code: 0 }), "{:?}", outcome.end);
    String::from_utf8(output.output).unwrap()
}

/// The expression as the program's edges have it; `None` if it took several edges.
fn printed(program: &Program, at: usize) -> Option<String> {
    let function = program.function_named(&format!("f{at}"))?;
    let locs = &program.functions[function].body.as_ref()?.locs;
    let edges: Vec<&EdgeKind> = locs
        .iter()
        .flat_map(|&loc| &program.locs[loc].outgoing)
        .map(|&edge| &program.edges[edge].kind)
        .collect();
    match edges[..] {
        [EdgeKind::Assign { place, value }, EdgeKind::Return { .. }] => {
            let ty = program.place(*place).ty;
            Some(Printer::new(program).converted(*value, ty))
        }
        _ => None,
    }
}

#[test]
fn what_is_printed_reads_back_with_the_same_meaning() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut kept = 0;
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for _ in 0..4 {
            let expressions: Vec<String> = (0..60).map(|_| random.expression(3)).collect();
            let first = load(&source(&expressions), model);
            let texts: Vec<Option<String>> = (0..expressions.len()).map(|at| printed(&first, at)).collect();
            kept += texts.iter().flatten().count();
            let again: Vec<String> = texts
                .iter()
                .zip(&expressions)
                .map(|(text, original)| text.clone().unwrap_or_else(|| original.clone()))
                .collect();
            let second = load(&source(&again), model);
            let (one, two) = (run(&first), run(&second));
            for (a, b) in one.lines().zip(two.lines()) {
                if a != b {
                    let at: usize = a.split(' ').next().unwrap().parse().unwrap();
                    panic!("{}\nprinted as\n{}\n{a}\n{b}", expressions[at], again[at]);
                }
            }
            assert_eq!(one.len(), two.len());
        }
    }
    assert!(
        kept > 200,
        "most expressions should be one edge, but only {kept} are"
    );
}
