//! Undefined behaviour of operators: what is woven into a program sees what the interpreter notices when it runs it.

mod support;

use expect_test::{Expect, expect};
use interpreter::{Captured, End, Inputs, NoObserver, Request, Source, UndefinedKind};
use property::{Check, Property, Undefined, Woven, weave};
use support::{program, violations};

const ALL: [Undefined; 3] = [Undefined::Overflow, Undefined::DivisionByZero, Undefined::Shift];

fn woven(text: &str) -> Woven {
    let property = Property {
        checks: ALL.map(Check::Undefined).to_vec(),
        ..Property::default()
    };
    weave(program(text), &property).unwrap_or_else(|error| panic!("{error}"))
}

/// The errors of the program, and how many operators need none.
fn check(text: &str, expected: Expect) {
    let woven = woven(text);
    let mut shown = String::new();
    for site in &woven.errors {
        shown.push_str(&format!("{}: {}\n", site.property, site.message));
    }
    shown.push_str(&format!("{} ruled out\n", woven.discharged));
    expected.assert_eq(&shown);
}

#[test]
fn every_operator_that_may_fail_has_its_error() {
    check(
        "int f(int a, int b) { return -a + b - 1; }
         long g(long a, int b) { return a * b / (a % 7); }
         int main(int argc, char **argv) { return f(argc, 2) + (int)g(argc, argc << argc) + __builtin_abs(argc); }",
        expect![[r#"
            no-overflow: signed overflow: `-a + b - 1` does not fit `int`
            no-overflow: signed overflow: `-a + b` does not fit `int`
            no-overflow: signed overflow: `-a` does not fit `int`
            no-overflow: signed overflow: `a * b / (a % 7)` does not fit `long`
            no-division-by-zero: division by zero: `a * b / (a % 7)`
            no-overflow: signed overflow: `a * b` does not fit `long`
            no-overflow: signed overflow: `$1 + (int)$2 + __builtin_abs(argc)` does not fit `int`
            no-overflow: signed overflow: `__builtin_abs(argc)` does not fit `int`
            no-overflow: signed overflow: `$1 + (int)$2` does not fit `int`
            no-overflow: signed overflow: `argc << argc` does not fit `int`
            no-undefined-shift: a negative value is shifted left: `argc << argc`
            no-undefined-shift: the amount of the shift `argc << argc` is not in 0 to 31
            2 ruled out
        "#]],
    );
}

#[test]
fn types_and_constants_rule_errors_out() {
    check(
        "struct S { int low : 5; unsigned high : 3; } s;
         int main(void) {
             unsigned char c = 1; short h = 2; unsigned u = 3; long l = 4; _Bool b = 1;
             c + c; h * h; u + u; (l & 15) * 1000; s.low * s.high - 1; b << 3; u / 8; l % 9 + c; -h; l > 3 ? c : -c;
             1 << 30; (int)u / 2; (u >> 1) + 0; (signed char)l * (signed char)l;
             return 0;
         }",
        expect![[r#"
            21 ruled out
        "#]],
    );
}

/// What is only evaluated for its own sake is evaluated.
#[test]
fn values_that_nobody_uses_count() {
    let text = "int in(void); int main(void) { int x = in(); x + 1; (void)(x * 2); x == 5 || x - 7; (x + 3, 0); return 0; }";
    let found = |value: i128| -> Vec<String> { violations(&woven(text), &[value]).into_iter().collect() };
    assert_eq!(
        found(i128::from(i32::MAX)),
        ["1: signed overflow: `x + 1` does not fit `int`"]
    );
    assert_eq!(
        found(i128::from(i32::MAX) - 1),
        ["1: signed overflow: `x * 2` does not fit `int`"]
    );
    assert_eq!(found(5), [""; 0]);
}

/// What C does not evaluate is not undefined.
#[test]
fn operands_that_are_skipped_do_not_count() {
    let text = "int in(void);
        int main(void) {
            int x = in(), y = in();
            int a = x < 10 && x * 1000 > 0;
            int b = y < 100 || 2147483647 - y + x;
            return x > 0 ? x - 1 : sizeof(x - 1) + (y ? -y : 0);
        }";
    let found = |x: i32, y: i32| -> Vec<String> {
        violations(&woven(text), &[x.into(), y.into()])
            .into_iter()
            .collect()
    };
    assert_eq!(found(i32::MAX, 0), [""; 0]);
    assert_eq!(
        found(i32::MIN, 0),
        ["4: signed overflow: `x * 1000` does not fit `int`"]
    );
    assert_eq!(
        found(i32::MAX, 100),
        ["5: signed overflow: `2147483647 - y + x` does not fit `int`"]
    );
    assert_eq!(
        found(0, i32::MIN),
        ["6: signed overflow: `-y` does not fit `int`"]
    );
}

/// Shifts to the left: undefined where the value is negative, overflow where it is too large.
#[test]
fn a_shift_to_the_left_overflows_where_the_product_would() {
    let text = "int in(void); int main(void) { int x = in(), n = in(); return x << n; }";
    let woven = woven(text);
    for value in [-3, 0, 1, 2, 3, 5, 1 << 20, i32::MAX] {
        for amount in -1..=33 {
            let found = violations(&woven, &[value.into(), amount.into()]);
            let expected = if !(0..32).contains(&amount) {
                "1: the amount of the shift `x << n` is not in 0 to 31"
            } else if value < 0 {
                "1: a negative value is shifted left: `x << n`"
            } else if i64::from(value) << amount > i64::from(i32::MAX) {
                "1: signed overflow: `x << n` does not fit `int`"
            } else {
                ""
            };
            let found: String = found.into_iter().collect();
            assert_eq!(found, expected, "{value} << {amount}");
        }
    }
}

/// Random expressions over values of several types, with values near the bounds of these.
#[test]
fn the_interpreter_notices_the_same() {
    let mut random = Random(7);
    let (mut undefined, mut defined) = (0, 0);
    for _ in 0..400 {
        let expression = random.expression(4);
        let text = format!(
            "int in(void);
             int main(void) {{
                 int i = in(); long l = in(); short h = in(); unsigned u = in(); signed char c = in(); int j = in();
                 long result = {expression};
                 return result > 3;
             }}"
        );
        let original = program(&text);
        let woven = woven(&text);
        for _ in 0..20 {
            let values: Vec<i128> = (0..6).map(|_| random.value()).collect();
            let seen = noticed(&original, &values);
            let found: String = violations(&woven, &values).into_iter().collect();
            let kind = match found.as_str() {
                "" => None,
                text if text.contains("signed overflow") => Some(Undefined::Overflow),
                text if text.contains("division by zero") => Some(Undefined::DivisionByZero),
                _ => Some(Undefined::Shift),
            };
            assert_eq!(kind, seen, "{expression} with {values:?}: {found}");
            *(if seen.is_some() {
                &mut undefined
            } else {
                &mut defined
            }) += 1;
        }
    }
    assert!(
        undefined > 500 && defined > 500,
        "{undefined} undefined, {defined} defined"
    );
}

/// The undefined behaviour at which a run of the program ends.
fn noticed(program: &program::Program, values: &[i128]) -> Option<Undefined> {
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
        End::Undefined(undefined) => Some(match undefined.kind {
            UndefinedKind::SignedOverflow | UndefinedKind::DivisionOverflow => Undefined::Overflow,
            UndefinedKind::DivisionByZero => Undefined::DivisionByZero,
            UndefinedKind::ShiftOutOfRange => Undefined::Shift,
            other => panic!("{other:?}"),
        }),
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

    fn value(&mut self) -> i128 {
        let near = [0, i32::MAX.into(), i32::MIN.into(), 32, 127, -128, 46340];
        let offset = i128::from(self.below(5)) - 2;
        near[self.below(7) as usize] + offset
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(8) == 0 {
            let leaves = [
                "i",
                "l",
                "h",
                "u",
                "c",
                "j",
                "1",
                "(-2)",
                "31",
                "2147483647",
                "3L",
                "7u",
            ];
            return leaves[self.below(12) as usize].to_owned();
        }
        let mut operand = || self.expression(depth - 1);
        let (a, b, c) = (operand(), operand(), operand());
        match self.below(15) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 | 6 => format!("({a} * {b})"),
            7 => format!("({a} / {b})"),
            8 => format!("({a} % {b})"),
            9 => format!("((unsigned){a} << ({b} & 35))"),
            10 => format!("({a} >> {b})"),
            11 => format!("(- {a})"),
            12 => format!("({a} && {b} ? {c} : {b})"),
            13 => format!("({a} < {b} || {c})"),
            _ => format!("(int)({a})"),
        }
    }
}
