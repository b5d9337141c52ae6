//! The search against dense execution: random programs whose inputs have few values are run on all of them, and the search
//! must say what the runs show.

mod support;

use bounded::Outcome;
use interpreter::{Captured, End, ListedInputs, Observer, UndefinedKind, View};
use program::{DataModel, EdgeId};
use property::Woven;
use support::{describe, search, woven_for};

/// Programs from here on: another range than those of other tests.
const FIRST: u64 = 3 << 40;
const PROGRAMS: u64 = 40;

/// A program takes so many inputs of four values each; later ones are constant.
const INPUTS: u32 = 3;

/// What the program's own inputs are made of.
const PICK: &str = "
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static int picked;
static long long pick(void) {
  if (picked >= 3) return 7;
  picked++;
  switch (__VERIFIER_nondet_uchar() & 3) {
    case 0: return 0;
    case 1: return 1;
    case 2: return -2;
    default: return 1234567890123LL;
  }
}
";

const TYPES: [(&str, &str); 14] = [
    ("int", "int"),
    ("unsigned", "uint"),
    ("char", "char"),
    ("signed char", "schar"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
    ("_Bool", "bool"),
    ("float", "float"),
    ("double", "double"),
];

/// The random program with its inputs picked, and `main` ending in `last`, which sees the result `r` and the globals.
fn text(seed: u64, last: &str) -> String {
    let mut original = semantics_bench::program(seed);
    for (ty, name) in TYPES {
        let declared = format!("extern {ty} __VERIFIER_nondet_{name}(void);");
        let defined = format!("static {ty} pick_{name}(void) {{ return ({ty})pick(); }}");
        original = original.replace(&declared, &defined);
    }
    let body = original
        .replace("__VERIFIER_nondet_", "pick_")
        .replace("int main(void)", "static int body(void)");
    let globals: Vec<&str> = body.lines().filter_map(integer_global).collect();
    let mix: String = globals.iter().map(|name| format!(" r ^= {name};")).collect();
    format!("{PICK}{body}int main(void) {{ int r = body();{mix}\n  {last}\n}}\n")
}

/// The name that a line declares, if it declares a global integer.
fn integer_global(line: &str) -> Option<&str> {
    let (before, _) = line.split_once(" = ")?;
    let (ty, name) = before.rsplit_once(' ')?;
    let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
    let is_integer = TYPES[..12].iter().any(|&(known, _)| known == ty);
    (is_integer && is_plain(name) && !line.starts_with(' ')).then_some(name)
}

struct Watch<'a> {
    errors: &'a [EdgeId],
    hit: bool,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, _view: &mut View<'_, '_>) {
        self.hit |= self.errors.contains(&edge);
    }
}

/// The exit codes of all runs, and whether one of them takes an error edge; `None` if a run cannot be judged.
fn dense(woven: &Woven) -> Option<(Vec<i32>, bool)> {
    let errors: Vec<EdgeId> = woven.errors.iter().map(|site| site.edge).collect();
    let options = interpreter::Options {
        step_limit: Some(100_000),
        error_functions: Vec::new(),
        ..interpreter::Options::default()
    };
    let mut codes = Vec::new();
    let mut violated = false;
    for number in 0..4_i128.pow(INPUTS) {
        let values = (0..INPUTS).map(|digit| (number >> (2 * digit)) & 3);
        let mut watch = Watch {
            errors: &errors,
            hit: false,
        };
        let outcome = interpreter::run(
            &woven.program,
            woven.entry,
            &options,
            &mut ListedInputs::new(values),
            &mut Captured::default(),
            &mut watch,
        );
        violated |= watch.hit;
        let harmless = |kind: UndefinedKind| {
            matches!(
                kind,
                UndefinedKind::SignedOverflow | UndefinedKind::ShiftOutOfRange
            )
        };
        if outcome
            .undefined
            .iter()
            .any(|undefined| !harmless(undefined.kind))
        {
            return None;
        }
        match outcome.end {
            End::Exit { code } => codes.push(code),
            End::AssumptionNotMet { .. } => {}
            // A run ends there, for the search as well.
            End::Undefined(undefined) if undefined.kind == UndefinedKind::DivisionByZero => {}
            _ if watch.hit => {}
            _ => return None,
        }
    }
    Some((codes, violated))
}

#[test]
fn the_search_says_what_dense_execution_shows() {
    let (mut violations, mut proofs, mut unknown) = (0, 0, 0);
    for seed in FIRST..FIRST + PROGRAMS {
        let model = if seed % 2 == 0 {
            DataModel::Lp64
        } else {
            DataModel::Ilp32
        };
        let options = c_frontend::Options {
            model,
            ..c_frontend::Options::default()
        };
        let plain = woven_for(
            &text(seed, "if (r == 0x12345678) reach_error(); return r;"),
            &options,
        );
        let Some((codes, _)) = dense(&plain) else {
            continue;
        };
        // Every other program asks for a value that some run has, the others for one that is close to it.
        let Some(&code) = codes.get(seed as usize % codes.len().max(1)) else {
            continue;
        };
        let wanted = code.wrapping_add((seed % 2) as i32);
        let text = text(seed, &format!("if (r == {wanted}) reach_error(); return 0;"));
        let woven = woven_for(&text, &options);
        let Some((_, violated)) = dense(&woven) else {
            continue;
        };
        let outcome = search(&woven, 40, None);
        let said = describe(&woven, &outcome);
        match outcome {
            Outcome::Violation { .. } => {
                assert!(violated, "program {seed}: {said}{text}");
                violations += 1;
            }
            Outcome::NoRunIsLonger { .. } => {
                assert!(!violated, "program {seed}: {said}{text}");
                proofs += 1;
            }
            Outcome::Unknown(_) => {
                eprintln!("program {seed}: {said}");
                unknown += 1;
            }
        }
    }
    assert!(
        violations >= 8 && proofs >= 8 && unknown <= 3,
        "{violations} violations, {proofs} proofs, {unknown} unknown"
    );
}
