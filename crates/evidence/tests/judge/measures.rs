//! Measures of loops: what has a value in every state is one, and nothing else is.

use evidence::{Argument, Obligation, Unmet};
use program::{BinaryOp, EdgeKind, ExprId, ExprKind, IntKind, PlaceKind, Program, UnaryOp};

use crate::ending::{calls, load, only_loop, part, variable};

/// A program whose loop assigns the expression to `m`, a `long long`.
fn text(expr: &str) -> String {
    format!(
        "extern int nondet(void); int x, y; long long w; double d; int *p, *q;\n\
         int a[4], b[2][3]; struct pair {{ int one; int two[2]; }} s, *t;\n\
         static int other(int given) {{ return given; }}\n\
         int main(void) {{ int i = other(nondet()); long long m = 0;\n\
           while (nondet()) {{ m = {expr}; }} return i + (int)m; }}"
    )
}

/// What is assigned to `m` in the loop.
fn assigned(program: &Program) -> ExprId {
    let m = variable(program, "m");
    let mut found = program.edges.values().filter_map(|edge| match edge.kind {
        EdgeKind::Assign { place, value } if program.place(place).kind == PlaceKind::Var(m) => Some(value),
        _ => None,
    });
    found.next_back().expect("it is assigned")
}

/// Whether the expression is a measure of the loop of `main`.
fn is_measure(program: &Program, expr: ExprId) -> bool {
    let entry = program.function_named("main").expect("there is one");
    let calls = calls(program, entry);
    let head = only_loop(program, &calls, entry);
    match Obligation::new(program, &calls, None, &[Argument::Loop(head, vec![expr])]) {
        Ok(_) => true,
        Err(why) => {
            assert_eq!(why, Unmet::NotAMeasure(expr));
            false
        }
    }
}

fn is_measured(expr: &str) -> bool {
    let (program, _) = load(&text(expr));
    is_measure(&program, assigned(&program))
}

#[test]
fn what_has_a_value_in_every_state() {
    let measures = [
        "5",
        "w",
        "i",
        "x",
        "-w",
        "~w",
        "!x",
        "x + i",
        "x - i",
        "x * i",
        "x & i",
        "x | i",
        "x ^ i",
        "x < i",
        "x == i",
        "w > 3 ? w : x",
        "a[0]",
        "a[3]",
        "b[1][2]",
        "s.one",
        "s.two[1]",
        "(long long)p",
    ];
    for expr in measures {
        assert!(is_measured(expr), "{expr}");
    }
}

#[test]
fn what_may_have_none() {
    let others = [
        "x / i",
        "x % i",
        "x << i",
        "x >> i",
        "*p",
        "p[0]",
        "t->one",
        "a[i]",
        "a[4]",
        "a[-1]",
        "b[0][3]",
        "b[2][0]",
        "s.two[2]",
        "(long long)d",
        "d < 1.0",
        "-(x / i)",
        "1 + x / i",
        "x / i + 1",
        // Where objects lie is left to chance.
        "p < q",
        "p == 0",
        "1 + (q >= p)",
        "p - q",
    ];
    for expr in others {
        assert!(!is_measured(expr), "{expr}");
    }
}

#[test]
fn every_part_of_a_choice_counts() {
    for at in 0..3 {
        let (mut program, _) = load(&text("x / i"));
        let quotient = assigned(&program);
        let choice = conditional(&mut program, quotient, at);
        assert!(!is_measure(&program, choice), "{at}");
    }
}

#[test]
fn variables_of_other_functions() {
    let (mut program, _) = load(&text("i"));
    let given = part(&mut program, "given");
    assert!(!is_measure(&program, given));
}

#[test]
fn only_long_longs() {
    let (mut program, _) = load(&text("i"));
    let i = variable(&program, "i");
    let int = program.read_var(i);
    assert!(!is_measure(&program, int));
}

#[test]
fn measures_are_looked_at_in_a_certain_depth_only() {
    type Deeper = fn(&mut Program, ExprId) -> ExprId;
    let deeper: [Deeper; 6] = [
        |program, expr| {
            let long = program.types.int(IntKind::LongLong);
            program.unary(UnaryOp::Negate, expr, long)
        },
        |program, expr| {
            let long = program.types.int(IntKind::LongLong);
            let one = program.int(1, long);
            program.binary(BinaryOp::Add, expr, one, long)
        },
        |program, expr| {
            let long = program.types.int(IntKind::LongLong);
            let one = program.int(1, long);
            program.binary(BinaryOp::Add, one, expr, long)
        },
        |program, expr| conditional(program, expr, 0),
        |program, expr| conditional(program, expr, 1),
        |program, expr| conditional(program, expr, 2),
    ];
    for (number, deeper) in deeper.iter().enumerate() {
        for depth in [1, 63, 64, 65, 66, 100] {
            let (mut program, _) = load(&text("i"));
            let mut expr = part(&mut program, "w");
            for _ in 0..depth {
                expr = deeper(&mut program, expr);
            }
            assert_eq!(is_measure(&program, expr), depth <= 64, "{number}, {depth} deep");
        }
    }
}

/// The condition, or what is chosen by one, is the expression; the other parts are numbers.
fn conditional(program: &mut Program, expr: ExprId, at: usize) -> ExprId {
    let long = program.types.int(IntKind::LongLong);
    let mut numbers = [0, 1, 2].map(|value| program.int(value, long));
    numbers[at] = expr;
    let [condition, then, otherwise] = numbers;
    let kind = ExprKind::Conditional {
        condition,
        then,
        otherwise,
    };
    program.exprs.add(kind, long)
}
