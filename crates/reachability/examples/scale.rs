//! How the engine grows with the program: families of programs, the processor time and the nodes each takes, and the exponent of
//! growth between neighbours (1 is linear).
//!
//! `cargo run --release -p reachability --example scale [FAMILY…]`

#![allow(clippy::print_stdout)]

use std::time::Instant;

use boolean_program::random::Random;
use boolean_program::{Expr, ProcId, Program, Statement, StatementKind, VarId, check};
use budget::Budget;
use reachability::{Destination, Outcome, Query, Statistics, check as reach};

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
        sizes: &[1250, 2500, 5000, 10_000],
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
            "{:>8} {:>10} {:>9} {:>12} {:>9} {:>12} {:>10} {:>10}",
            "n", "seconds", "exponent", "peak nodes", "exponent", "path edges", "summaries", "reordered"
        );
        let mut previous: Option<(usize, f64, f64)> = None;
        for &size in family.sizes {
            let (statistics, seconds) = measure(family, size);
            let nodes = statistics.peak_nodes as f64;
            let exponents = previous.map(|(smaller, seconds_before, nodes_before)| {
                let growth = (size as f64 / smaller as f64).ln();
                (
                    (seconds / seconds_before).ln() / growth,
                    (nodes / nodes_before).ln() / growth,
                )
            });
            let show =
                |exponent: Option<f64>| exponent.map_or(String::new(), |exponent| format!("{exponent:.2}"));
            println!(
                "{size:>8} {seconds:>10.4} {:>9} {:>12} {:>9} {:>12} {:>10} {:>10}",
                show(exponents.map(|it| it.0)),
                statistics.peak_nodes,
                show(exponents.map(|it| it.1)),
                statistics.path_edges,
                statistics.summary_edges,
                statistics.reorderings,
            );
            previous = Some((size, seconds, nodes));
        }
    }
}

/// Processor time of this thread where the system tells it, so that other work on the machine does not count; else the
/// time on the clock.
fn seconds(start: Instant) -> f64 {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    on_processor.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn measure(family: &Family, size: usize) -> (Statistics, f64) {
    let program = (family.make)(size);
    check(&program).expect("the families make well-formed programs");
    let entry = program.find_procedure("main").expect("every family has a main");
    let query = Query::new(entry, vec![Destination::Assertions]);
    let clock = Instant::now();
    let before = seconds(clock);
    let outcome = reach(&program, &query, &Budget::unlimited()).expect("the families are sequential");
    let taken = seconds(clock) - before;
    match outcome {
        Outcome::Reachable(counterexample) if family.reachable => (*counterexample.statistics(), taken),
        Outcome::Unreachable(proof) if !family.reachable => (*proof.statistics(), taken),
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

/// What a predicate abstraction of a large program looks like: many procedures, each over its own predicates and a few
/// of the global ones, which the procedures it calls share.
fn large(size: usize) -> Program {
    let mut random = Random::new(size as u64);
    let mut program = Program::default();
    let globals: Vec<VarId> = (0..10)
        .map(|index| program.add_global(format!("g{index}")))
        .collect();
    let count = (size / 200).max(2);
    let all: Vec<ProcId> = (0..count)
        .map(|index| match index {
            0 => program.add_procedure("main", 0),
            _ => program.add_procedure(format!("p{index}"), 1),
        })
        .collect();
    for (index, &procedure) in all.iter().enumerate() {
        let formal = (index > 0).then(|| program.add_formal(procedure, "f"));
        let locals: Vec<VarId> = (0..if index > 0 { 9 } else { 10 })
            .map(|local| program.add_local(procedure, format!("l{local}")))
            .collect();
        let mut scope: Vec<VarId> = locals;
        scope.extend(formal);
        // Neighbours share globals; two of them must stay in step whatever happens.
        scope.extend((0..3).map(|offset| globals[2 + (index + offset) % (globals.len() - 2)]));
        let (one, other) = (globals[0], globals[1]);
        let mut body = Vec::new();
        if index == 0 {
            body.push(assign(&[one, other], vec![Expr::FALSE, Expr::FALSE]));
        }
        let mut statements = body.len();
        while statements < 199 {
            let callees = all.get(index + 1..).unwrap_or(&[]);
            let next = large_statement(&mut random, &scope, (one, other), callees);
            statements += 1 + next.blocks().iter().map(|block| block.len()).sum::<usize>();
            body.push(next);
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
        0..=19 => {
            let value = random.pick(&[0, 1, 2]);
            let value = if value == 2 {
                Expr::Nondet
            } else {
                Expr::Const(value == 1)
            };
            assign(&[random.pick(scope)], vec![value])
        }
        20..=34 => {
            let value = literal(random);
            assign(&[random.pick(scope)], vec![value])
        }
        35..=44 => {
            let (positive, negative) = (literal(random), literal(random));
            assign(&[random.pick(scope)], vec![Expr::choose(positive, negative)])
        }
        45..=64 => {
            let condition = Expr::any([literal(random), literal(random)]);
            let target = random.pick(scope);
            let value = literal(random);
            statement(StatementKind::If {
                branches: vec![(condition, vec![assign(&[target], vec![value])])],
                otherwise: Vec::new(),
            })
        }
        65..=69 => {
            let tested = random.pick(scope);
            let condition = Expr::literal(tested, random.percent(50));
            statement(StatementKind::While {
                condition,
                body: vec![assign(&[tested], vec![Expr::Nondet])],
            })
        }
        70..=74 => {
            let value = literal(random);
            assign(&[one, other], vec![value.clone(), value])
        }
        75..=79 => statement(StatementKind::Assert(Expr::binary(
            boolean_program::BinaryOp::Eq,
            Expr::Var(one),
            Expr::Var(other),
        ))),
        80..=81 if !callees.is_empty() => {
            // A near one, so that the calls go deep.
            let callee = callees[random.below(callees.len().min(3))];
            let argument = literal(random);
            call(callee, vec![argument], vec![Some(random.pick(scope))])
        }
        _ => statement(StatementKind::Skip),
    }
}
