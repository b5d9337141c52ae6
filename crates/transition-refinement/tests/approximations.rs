//! Programs that the Cartesian approximation cannot prove with the predicates given, and that constraints can.

use abstraction::{Abstraction, Constraints, Input, Memo, Name, Predicates, abstract_program};
use budget::Budget;
use logic::Term;
use points_to::PointsTo;
use program::{CallGraph, Callee, EdgeId, EdgeKind, Program};
use reachability::{Destination, Outcome, Query};
use semantics::{AliasMemory, Semantics, State, Storage};
use solver::Z3Solver;
use transition_refinement::{Trace, spurious};

/// What refinement did.
struct Refined {
    /// Whether the error was unreachable at once.
    proved_at_once: bool,
    proved: bool,
    constraints: usize,
    enforced: usize,
    /// All constraints, one a line: `!(before && after')`.
    text: String,
}

/// Abstracts the program over fixed predicates and refines transitions until nothing is left to refine.
fn refine(text: &str, predicates: impl FnOnce(&mut Semantics<'_>) -> Vec<Term>) -> Refined {
    refine_from(&abstraction::Options::default(), text, predicates)
}

fn refine_from(
    options: &abstraction::Options,
    text: &str,
    predicates: impl FnOnce(&mut Semantics<'_>) -> Vec<Term>,
) -> Refined {
    let program = c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the test's program is right")
        .program;
    let entry = program.function_named("main").expect("there is a main");
    let points_to = PointsTo::new(&program, &[entry]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let calls = CallGraph::new(&program, &points_to);
    let errors = error_edges(&program);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let budget = Budget::unlimited();
    let mut known = Predicates::default();
    for term in predicates(&mut semantics) {
        known.add(&mut semantics, term);
    }
    let mut initial = State::new();
    let start = semantics.initial().expect("the test has simple globals");
    initial.step(&mut semantics, &start);
    let mut memo = Memo::new(options);
    let mut constraints = Constraints::default();
    for round in 0.. {
        let input = Input {
            task: &verdict::Task {
                program: &program,
                calls: &calls,
                entry,
                errors: &errors,
                followed: &[],
            },
            predicates: &known,
            constraints: &constraints,
            initial: &initial,
        };
        let model = abstract_program(&mut semantics, &mut solver, &mut memo, &input, &budget)
            .expect("there is no limit");
        let targets = model.targets();
        let targets = targets.map(|(statement, _)| Destination::Statement(statement));
        let query = Query::new(model.entry, targets.collect());
        let outcome = reachability::check(&model.program, &query, &budget).expect("the program is right");
        let proved = matches!(outcome, Outcome::Unreachable(_));
        let found = match outcome {
            Outcome::Reachable(mut counterexample) => {
                let end = counterexample.trace().end.clone();
                let (steps, _) = counterexample.flatten(10_000, &budget);
                let trace = Trace {
                    steps: &steps,
                    end: &end.values,
                };
                pass(&mut semantics, &mut solver, &model, &trace, &mut constraints)
            }
            _ => false,
        };
        if !found {
            return Refined {
                proved_at_once: proved && round == 0,
                proved,
                constraints: constraints.len(),
                enforced: constraints.enforced(),
                text: describe(&semantics, &known, &constraints),
            };
        }
    }
    unreachable!("the loop ends by returning")
}

fn pass(
    semantics: &mut Semantics<'_>,
    solver: &mut Z3Solver,
    model: &Abstraction,
    trace: &Trace<'_>,
    constraints: &mut Constraints,
) -> bool {
    let found = spurious(
        semantics,
        solver,
        model,
        trace,
        5,
        constraints,
        &Budget::unlimited(),
    );
    !found.expect("there is no limit").is_empty()
}

fn error_edges(program: &Program) -> Vec<EdgeId> {
    program
        .edges
        .iter()
        .filter(|(_, edge)| match edge.kind {
            EdgeKind::Call {
                callee: Callee::Direct(function),
                ..
            } => program.functions[function].name == "__VERIFIER_error",
            _ => false,
        })
        .map(|(id, _)| id)
        .collect()
}

fn describe(semantics: &Semantics<'_>, predicates: &Predicates, constraints: &Constraints) -> String {
    let literal = |(name, value): &(Name, bool), prime: &str| {
        let (Name::Predicate(id) | Name::Returned(id)) = name;
        let text = semantics.terms.to_c(predicates.get(*id).term);
        let sign = if *value { "" } else { "!" };
        format!("{sign}({text}){prime}")
    };
    let mut text = String::new();
    for (_, constraint) in constraints.transitions() {
        let before = constraint.before.iter().map(|it| literal(it, ""));
        let after = constraint.after.iter().map(|it| literal(it, "'"));
        text += &format!("!({})\n", before.chain(after).collect::<Vec<_>>().join(" && "));
    }
    for combination in constraints.states() {
        let all = combination
            .iter()
            .map(|&(id, value)| literal(&(Name::Predicate(id), value), ""));
        text += &format!("enforce !({})\n", all.collect::<Vec<_>>().join(" && "));
    }
    text
}

/// The current value of a variable.
fn variable(semantics: &mut Semantics<'_>, function: &str, name: &str) -> Term {
    let program = semantics.program;
    let function = program.function_named(function).expect("the function is there");
    let (var, _) = program
        .vars
        .iter()
        .find(|(_, data)| data.function == Some(function) && data.name == name)
        .expect("the variable is there");
    semantics.current(Storage::Variable(var, 0))
}

fn global(semantics: &mut Semantics<'_>, name: &str) -> Term {
    let mut vars = semantics.program.vars.iter();
    let found = vars.find(|(_, data)| data.function.is_none() && data.name == name);
    let (var, _) = found.expect("the variable is there");
    semantics.current(Storage::Variable(var, 0))
}

#[test]
fn transitivity_lost_by_the_cartesian_approximation() {
    let refined = refine(
        "extern int any(void); extern void __VERIFIER_error(void);
         int main(void) {
             int x = any(), y = any(), z = any();
             if (x < y) if (y < z) if (!(x < z)) __VERIFIER_error();
             return 0;
         }",
        |semantics| {
            let [x, y, z] = ["x", "y", "z"].map(|name| variable(semantics, "main", name));
            let terms = &mut semantics.terms;
            vec![terms.slt(x, y), terms.slt(y, z), terms.slt(x, z)]
        },
    );
    assert!(!refined.proved_at_once);
    assert!(refined.proved);
    assert_eq!((refined.constraints, refined.enforced), (0, 1));
    assert_eq!(
        refined.text,
        "enforce !((main::x < main::y) && (main::y < main::z) && !(main::x < main::z))\n"
    );
}

#[test]
fn what_a_procedure_returns_is_combined_with_what_its_caller_knew() {
    let refined = refine(
        "extern int any(void); extern void __VERIFIER_error(void); extern void exit(int);
         int above(int a) { int b = any(); if (a < b) return b; exit(1); }
         int main(void) {
             int x = any(), y = any(), z = any();
             if (x < y) { z = above(y); if (!(x < z)) __VERIFIER_error(); }
             return 0;
         }",
        |semantics| {
            let [x, y, z] = ["x", "y", "z"].map(|name| variable(semantics, "main", name));
            let [a, b] = ["a", "b"].map(|name| variable(semantics, "above", name));
            let above = semantics.program.function_named("above").expect("it is there");
            let result = semantics.current(Storage::Result(above, 0));
            let terms = &mut semantics.terms;
            vec![
                terms.slt(x, y),
                terms.slt(y, z),
                terms.slt(x, z),
                terms.slt(a, b),
                terms.slt(a, result),
            ]
        },
    );
    assert!(refined.proved, "{}", refined.text);
}

#[test]
fn what_excludes_one_function_behind_a_pointer_does_not_exclude_the_others() {
    let refined = refine_from(
        &abstraction::Options {
            cube_length: Some(1),
            ..abstraction::Options::default()
        },
        "extern void __VERIFIER_error(void);
         int x, steps;
         void wrong(void) { __VERIFIER_error(); }
         void right(void) { steps++; steps++; __VERIFIER_error(); }
         void (*f)(void) = wrong;
         int main(void) { x = 1; f = right; f(); return 0; }",
        |semantics| {
            let f = global(semantics, "f");
            let [is_wrong, is_right] = ["wrong", "right"].map(|name| {
                let function = semantics.program.function_named(name).expect("it is there");
                let address = u128::from(semantics.function_address(function));
                let address = semantics.terms.word(semantics.pointer_bits(), address);
                semantics.terms.eq(f, address)
            });
            let x = global(semantics, "x");
            let terms = &mut semantics.terms;
            let nothing = terms.word(32, 0);
            let x_is_0 = terms.eq(x, nothing);
            // Only two predicates together say that it is not `wrong`.
            vec![terms.or(is_wrong, is_right), terms.or(is_right, x_is_0), x_is_0]
        },
    );
    assert_eq!(
        (refined.constraints, refined.enforced),
        (1, 0),
        "{}",
        refined.text
    );
    assert!(!refined.proved, "the error is reached through `right`");
}
