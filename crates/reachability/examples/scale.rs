//! How the engine grows with the program: families of programs, the time and the nodes each takes, and the exponent of
//! growth between neighbours (1 is linear).
//!
//! `cargo run --release -p reachability --example scale [FAMILY…]`

#![allow(clippy::print_stdout)]

use boolean_program::random::Random;
use boolean_program::{Expr, ProcId, Program, Statement, StatementKind, VarId, check};
use budget::Budget;
use reachability::{Outcome, Query, Statistics, Target, check as reach};

struct Family {
    name: &'static str,
    about: &'static str,
    sizes: &'static [usize],
    make: fn(usize) -> Program,
    reachable: bool,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "tree",
        about: "n procedures, each calls the next one twice: 2^n paths",
        sizes: &[125, 250, 500, 1000],
        make: tree,
        reachable: false,
    },
    Family {
        name: "tree-bug",
        about: "the same with a failing assertion behind all calls",
        sizes: &[125, 250, 500, 1000],
        make: tree_bug,
        reachable: true,
    },
    Family {
        name: "globals",
        about: "one procedure that shifts values through g globals, in a loop",
        sizes: &[50, 100, 200, 400],
        make: globals,
        reachable: false,
    },
    Family {
        name: "counter",
        about: "a loop that counts to n in log n globals",
        sizes: &[64, 256, 1024, 4096],
        make: counter,
        reachable: true,
    },
    Family {
        name: "recursion",
        about: "a procedure that calls itself down through n states and back",
        sizes: &[25, 50, 100, 200],
        make: recursion,
        reachable: false,
    },
    Family {
        name: "large",
        about: "n statements in n/200 procedures, 500 variables for n = 10,000, at most 20 in scope",
        sizes: &[600, 1250, 2500, 5000, 10_000],
        make: large,
        reachable: false,
    },
];

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    for family in FAMILIES
        .iter()
        .filter(|family| chosen.is_empty() || chosen.iter().any(|it| it == family.name))
    {
        println!("{}: {}", family.name, family.about);
        println!(
            "{:>8} {:>10} {:>9} {:>12} {:>9} {:>12} {:>10}",
            "n", "seconds", "exponent", "peak nodes", "exponent", "path edges", "summaries"
        );
        let mut previous: Option<(usize, Statistics)> = None;
        for &size in family.sizes {
            let statistics = measure(family, size);
            let exponent = |now: f64, before: f64, smaller: usize| {
                format!("{:.2}", (now / before).ln() / (size as f64 / smaller as f64).ln())
            };
            let (time, nodes) = match &previous {
                Some((smaller, before)) => (
                    exponent(statistics.time.as_secs_f64(), before.time.as_secs_f64(), *smaller),
                    exponent(statistics.peak_nodes as f64, before.peak_nodes as f64, *smaller),
                ),
                None => (String::new(), String::new()),
            };
            println!(
                "{size:>8} {:>10.4} {time:>9} {:>12} {nodes:>9} {:>12} {:>10}",
                statistics.time.as_secs_f64(),
                statistics.peak_nodes,
                statistics.path_edges,
                statistics.summary_edges
            );
            previous = Some((size, statistics));
        }
    }
}

fn measure(family: &Family, size: usize) -> Statistics {
    let program = (family.make)(size);
    check(&program).expect("the families make well-formed programs");
    let entry = program.find_procedure("main").expect("every family has a main");
    let query = Query::new(entry, vec![Target::Assertions]);
    let outcome = reach(&program, &query, &Budget::unlimited()).expect("the families are sequential");
    match outcome {
        Outcome::Reachable(counterexample) if family.reachable => *counterexample.statistics(),
        Outcome::Unreachable(proof) if !family.reachable => *proof.statistics(),
        _ => panic!("{} {size}: wrong verdict", family.name),
    }
}

fn statement(kind: StatementKind) -> Statement {
    Statement::new(kind)
}

fn assign(targets: &[VarId], values: Vec<Expr>) -> Statement {
    statement(StatementKind::Assign {
        targets: targets.to_vec(),
        values,
        constrain: None,
    })
}

fn call(procedure: ProcId, arguments: Vec<Expr>, results: Vec<Option<VarId>>) -> Statement {
    statement(StatementKind::Call {
        procedure,
        arguments,
        results,
    })
}

fn tree_with(size: usize, end: StatementKind) -> Program {
    let mut program = Program::default();
    let toggle = program.add_global("toggle");
    let main = program.add_procedure("main", 0);
    let start = program.add_local(main, "start");
    let levels: Vec<ProcId> = (0..size)
        .map(|level| program.add_procedure(format!("level{level}"), 1))
        .collect();
    program.procedures[main.index()].body = vec![
        assign(&[start], vec![Expr::Var(toggle)]),
        call(levels[0], vec![Expr::Nondet], vec![None]),
        // Every level toggles twice or, at the bottom, not at all: the value is as before.
        statement(StatementKind::Assume(Expr::binary(
            boolean_program::BinaryOp::Eq,
            Expr::Var(start),
            Expr::Var(toggle),
        ))),
        statement(end),
    ];
    for (level, &procedure) in levels.iter().enumerate() {
        let which = program.add_formal(procedure, "which");
        let (first, second) = (
            program.add_local(procedure, "first"),
            program.add_local(procedure, "second"),
        );
        let flip = || assign(&[toggle], vec![Expr::negated(Expr::Var(toggle))]);
        program.procedures[procedure.index()].body = match levels.get(level + 1) {
            Some(&next) => vec![
                call(next, vec![Expr::Var(which)], vec![Some(first)]),
                flip(),
                call(next, vec![Expr::negated(Expr::Var(which))], vec![Some(second)]),
                flip(),
                statement(StatementKind::If {
                    branches: vec![(
                        Expr::Var(which),
                        vec![statement(StatementKind::Return(vec![Expr::Var(first)]))],
                    )],
                    otherwise: Vec::new(),
                }),
                statement(StatementKind::Return(vec![Expr::negated(Expr::Var(second))])),
            ],
            None => vec![statement(StatementKind::Return(vec![Expr::Var(which)]))],
        };
    }
    program
}

fn tree(size: usize) -> Program {
    let mut program = tree_with(size, StatementKind::Skip);
    let main = program.find_procedure("main").expect("made above");
    let (start, toggle) = (program.procedure(main).locals[0], program.globals[0]);
    let kept = Expr::binary(boolean_program::BinaryOp::Eq, Expr::Var(start), Expr::Var(toggle));
    let body = &mut program.procedures[main.index()].body;
    body[2] = statement(StatementKind::Assert(kept));
    program
}

fn tree_bug(size: usize) -> Program {
    tree_with(size, StatementKind::Assert(Expr::FALSE))
}

fn globals(size: usize) -> Program {
    let mut program = Program::default();
    let all: Vec<VarId> = (0..size)
        .map(|index| program.add_global(format!("g{index}")))
        .collect();
    let main = program.add_procedure("main", 0);
    // All equal at first; the shift keeps neighbours in step.
    let mut body: Vec<Statement> = all
        .windows(2)
        .map(|pair| assign(&[pair[1]], vec![Expr::Var(pair[0])]))
        .collect();
    let rotated = all
        .iter()
        .cycle()
        .skip(1)
        .take(size)
        .map(|&var| Expr::Var(var))
        .collect();
    body.push(statement(StatementKind::While {
        condition: Expr::Nondet,
        body: vec![
            assign(&all, rotated),
            statement(StatementKind::Assert(Expr::binary(
                boolean_program::BinaryOp::Eq,
                Expr::Var(all[0]),
                Expr::Var(all[size - 1]),
            ))),
        ],
    }));
    program.procedures[main.index()].body = body;
    program
}

/// `bits := bits + 1`.
fn increment(bits: &[VarId]) -> Statement {
    let values = (0..bits.len()).map(|index| {
        let carry = Expr::all(bits[..index].iter().map(|&bit| Expr::Var(bit)));
        Expr::binary(boolean_program::BinaryOp::Ne, Expr::Var(bits[index]), carry)
    });
    assign(bits, values.collect())
}

fn counter(size: usize) -> Program {
    let size = size.ilog2() as usize;
    let mut program = Program::default();
    let bits: Vec<VarId> = (0..size)
        .map(|index| program.add_global(format!("bit{index}")))
        .collect();
    let main = program.add_procedure("main", 0);
    let full = Expr::all(bits.iter().map(|&bit| Expr::Var(bit)));
    program.procedures[main.index()].body = vec![
        assign(&bits, vec![Expr::FALSE; size]),
        statement(StatementKind::While {
            condition: Expr::negated(full),
            body: vec![increment(&bits)],
        }),
        statement(StatementKind::Assert(Expr::FALSE)),
    ];
    program
}

/// A one-hot state moves down by one in each recursive call and back up after it.
fn recursion(size: usize) -> Program {
    let mut program = Program::default();
    let states: Vec<VarId> = (0..size)
        .map(|index| program.add_global(format!("state{index}")))
        .collect();
    let main = program.add_procedure("main", 0);
    let down = program.add_procedure("down", 0);
    let shifted = |up: bool| {
        let mut values: Vec<Expr> = states.iter().map(|&state| Expr::Var(state)).collect();
        if up {
            values.rotate_left(1);
        } else {
            values.rotate_right(1);
        }
        assign(&states, values)
    };
    let mut first = vec![Expr::FALSE; size];
    first[0] = Expr::TRUE;
    program.procedures[main.index()].body = vec![
        assign(&states, first),
        call(down, Vec::new(), Vec::new()),
        statement(StatementKind::Assert(Expr::Var(states[0]))),
    ];
    program.procedures[down.index()].body = vec![statement(StatementKind::If {
        branches: vec![(
            Expr::negated(Expr::Var(states[size - 1])),
            vec![shifted(false), call(down, Vec::new(), Vec::new()), shifted(true)],
        )],
        otherwise: Vec::new(),
    })];
    program
}

/// What a predicate abstraction of a large program looks like: many procedures over few predicates each.
fn large(size: usize) -> Program {
    let mut random = Random::new(size as u64);
    let mut program = Program::default();
    let globals: Vec<VarId> = (0..10)
        .map(|index| program.add_global(format!("g{index}")))
        .collect();
    let main = program.add_procedure("main", 0);
    let count = (size / 200).max(2);
    let procedures: Vec<ProcId> = (1..count)
        .map(|index| program.add_procedure(format!("p{index}"), 1))
        .collect();
    // The two that must stay in step whatever happens.
    let (one, other) = (globals[0], globals[1]);
    let mut all = vec![main];
    all.extend(&procedures);
    for (index, &procedure) in all.iter().enumerate() {
        let formal = (index > 0).then(|| program.add_formal(procedure, "f"));
        let locals: Vec<VarId> = (0..if index > 0 { 9 } else { 10 })
            .map(|local| program.add_local(procedure, format!("l{local}")))
            .collect();
        let mut scope: Vec<VarId> = globals[2..].to_vec();
        scope.extend(formal);
        scope.extend(&locals);
        let mut body = Vec::new();
        if index == 0 {
            body.push(assign(&[one, other], vec![Expr::FALSE, Expr::FALSE]));
        }
        while body.len() < 200 - 1 {
            body.push(large_statement(
                &mut random,
                &scope,
                (one, other),
                all.get(index + 1..).unwrap_or(&[]),
            ));
        }
        if index > 0 {
            body.push(statement(StatementKind::Return(vec![Expr::Var(
                random.pick(&scope),
            )])));
        }
        program.procedures[procedure.index()].body = body;
    }
    program
}

fn large_statement(
    random: &mut Random,
    scope: &[VarId],
    (one, other): (VarId, VarId),
    callees: &[ProcId],
) -> Statement {
    let literal = |random: &mut Random| Expr::literal(random.pick(scope), random.percent(50));
    match random.below(100) {
        0..=49 => {
            let (positive, negative) = (literal(random), literal(random));
            assign(&[random.pick(scope)], vec![Expr::choose(positive, negative)])
        }
        50..=69 => {
            let condition = Expr::any([literal(random), literal(random)]);
            let target = random.pick(scope);
            let value = literal(random);
            statement(StatementKind::If {
                branches: vec![(condition, vec![assign(&[target], vec![value])])],
                otherwise: Vec::new(),
            })
        }
        70..=74 => {
            let tested = random.pick(scope);
            let condition = Expr::literal(tested, random.percent(50));
            statement(StatementKind::While {
                condition,
                body: vec![assign(&[tested], vec![Expr::Nondet])],
            })
        }
        75..=79 => {
            let value = literal(random);
            assign(&[one, other], vec![value.clone(), value])
        }
        80..=84 => statement(StatementKind::Assert(Expr::binary(
            boolean_program::BinaryOp::Eq,
            Expr::Var(one),
            Expr::Var(other),
        ))),
        85..=86 if !callees.is_empty() => {
            // A near one, so that the calls go deep.
            let callee = callees[random.below(callees.len().min(3))];
            let argument = literal(random);
            call(callee, vec![argument], vec![Some(random.pick(scope))])
        }
        _ => statement(StatementKind::Skip),
    }
}
