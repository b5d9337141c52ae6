//! The judge against dense execution: random programs whose inputs have few values are run on all of them. A claim that none
//! of the runs fails must be refused where one does.

use interpreter::{Captured, End, ListedInputs, Observer, UndefinedKind, View};
use program::{DataModel, EdgeId, Loops};
use property::Property;
use semantics::Step;
use verdict::{Enumerated, Statement, Unwound, Verdict};

use crate::asked::Asked;

/// Programs from here on: another range than those of other tests.
const FIRST: u64 = 5 << 40;
const PROGRAMS: u64 = 40;
/// A program takes so many inputs of four values each; later ones are constant.
const INPUTS: u32 = 3;

const PICK: &str = "
extern unsigned char __VERIFIER_nondet_uchar(void);
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

/// A random program by its number.
type Program = fn(u64) -> String;

/// The random program with its inputs picked, and `main` ending in `last`, which sees the result `r`.
fn text(mut body: String, last: &str) -> String {
    for (ty, name) in TYPES {
        let declared = format!("extern {ty} __VERIFIER_nondet_{name}(void);");
        let defined = format!("static {ty} pick_{name}(void) {{ return ({ty})pick(); }}");
        body = body.replace(&declared, &defined);
    }
    let body = body
        .replace("__VERIFIER_nondet_", "pick_")
        .replace("int main(void)", "static int body(void)");
    format!("{PICK}{body}int main(void) {{ int r = body();\n  {last}\n}}\n")
}

fn asked(program: Program, seed: u64, last: &str) -> Asked {
    let model = match seed % 2 {
        0 => DataModel::Lp64,
        _ => DataModel::Ilp32,
    };
    Asked::with(&text(program(seed), last), model, &Property::default())
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

/// The exit codes of all runs, and whether one takes an error edge; `None` if a run has undefined behaviour.
fn dense(asked: &Asked) -> Option<(Vec<i32>, bool)> {
    let task = asked.task();
    let options = interpreter::Options {
        step_limit: Some(100_000),
        error_functions: Vec::new(),
        ..interpreter::Options::default()
    };
    let (mut codes, mut violated) = (Vec::new(), false);
    for number in 0..4_i128.pow(INPUTS) {
        let values = (0..INPUTS).map(|digit| (number >> (2 * digit)) & 3);
        let mut watch = Watch {
            errors: task.errors,
            hit: false,
        };
        let mut inputs = ListedInputs::new(values);
        let outcome = interpreter::run(
            task.program,
            task.entry,
            &options,
            &mut inputs,
            &mut Captured::default(),
            &mut watch,
        );
        violated |= watch.hit;
        let wraps = [UndefinedKind::SignedOverflow, UndefinedKind::ShiftOutOfRange];
        if outcome.undefined.iter().any(|met| !wraps.contains(&met.kind)) {
            return None;
        }
        match outcome.end {
            End::Exit { code } => codes.push(code),
            End::Undefined(met) if met.kind == UndefinedKind::DivisionByZero => {}
            End::AssumptionNotMet { .. } => {}
            _ if watch.hit => {}
            _ => return None,
        }
    }
    Some((codes, violated))
}

/// That all loops go round so often at most, and that behaviour is defined.
fn generous(asked: &Asked) -> Unwound {
    let program = asked.program();
    let mut semantics = asked.semantics();
    let mut claim = Unwound::default();
    for (function, data) in program.functions.iter() {
        let Some(body) = &data.body else { continue };
        for (_, found) in Loops::new(program, function).iter() {
            claim.rounds.insert(found.head, 20);
        }
        claim.nested.insert(function, 3);
        for &loc in &body.locs {
            for &edge in &program.locs[loc].outgoing {
                let steps: Vec<Step> = semantics.ways(edge);
                let may_be_undefined =
                    |step| matches!(semantics.effect(step), Ok(effect) if !effect.defined.is_empty());
                if steps.into_iter().any(may_be_undefined) {
                    claim.assumed_defined.insert(edge);
                }
            }
        }
    }
    claim
}

/// That the values of all variables tell states apart.
fn all_values(asked: &Asked) -> Enumerated {
    let program = asked.program();
    Enumerated {
        followed: program.vars.ids().collect(),
        exact: program.vars.ids().collect(),
        assumed_defined: generous(asked).assumed_defined,
        ..Enumerated::default()
    }
}

#[test]
fn a_claim_is_refused_where_a_run_contradicts_it() {
    let claimed = |asked: &Asked| generous(asked).into();
    let (passed, others) = refuses_what_runs_contradict(semantics_bench::program, claimed);
    assert!(
        passed >= 8 && others.len() <= 3,
        "{passed} passed, refused without a reason: {others:?}"
    );
}

#[test]
fn states_are_refused_where_a_run_has_another() {
    let claimed = |asked: &Asked| all_values(asked).into();
    // What goes through memory is not known.
    let (passed, others) = refuses_what_runs_contradict(semantics_bench::program, claimed);
    assert!(
        passed >= 2,
        "{passed} passed, refused without a reason: {others:?}"
    );
    let (passed, others) = refuses_what_runs_contradict(semantics_bench::scalar_program, claimed);
    assert!(
        passed >= 10 && others.is_empty(),
        "{passed} passed, refused without a reason: {others:?}"
    );
}

/// Makes claims about random programs: how many are passed, and which are refused although no run contradicts them.
fn refuses_what_runs_contradict(
    program: Program,
    claimed: impl Fn(&Asked) -> Statement,
) -> (u32, Vec<String>) {
    let (mut refused, mut passed, mut others) = (0, 0, Vec::new());
    for seed in FIRST..FIRST + PROGRAMS {
        let Some((codes, _)) = dense(&asked(
            program,
            seed,
            "if (r == 0x12345678) reach_error(); return r;",
        )) else {
            continue;
        };
        // Every other program asks for a value that some run has, the others for one that is close to it.
        let Some(&code) = codes.get(seed as usize % codes.len().max(1)) else {
            continue;
        };
        let wanted = code.wrapping_add((seed / 2 % 2) as i32);
        let asked = asked(
            program,
            seed,
            &format!("if (r == {wanted}) reach_error(); return 0;"),
        );
        let Some((_, violated)) = dense(&asked) else {
            continue;
        };
        let claim = Verdict::Safe(Box::new(Some(claimed(&asked))));
        let answer = asked.judged(&mut asked.semantics(), claim);
        let said = asked.said(&answer);
        match (said.as_str(), violated) {
            ("safe", true) => panic!("program {seed} fails when r is {wanted}, and the claim is passed"),
            ("safe", false) => passed += 1,
            (_, true) => refused += 1,
            // Two operands that both pick: runs were made in one order of several.
            (said, false) if said.contains("the order in which operands are evaluated") => {}
            (_, false) => {
                others.push(format!("program {seed}: {said}"));
            }
        }
    }
    assert!(refused >= 8, "{refused} refused");
    (passed, others)
}
