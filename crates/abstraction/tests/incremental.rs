//! When a predicate is added, only what it has to do with is abstracted anew.

use abstraction::{Constraints, Input, Memo, Predicates, abstract_program};
use budget::Budget;
use logic::{Term, Terms};
use points_to::PointsTo;
use program::CallGraph;
use semantics::{AliasMemory, Semantics, State, Storage};
use solver::Z3Solver;

/// Searches that were not answered from earlier ones: for the first predicates, for the same predicates once more, and
/// after another one was added.
#[derive(Debug, PartialEq, Eq)]
struct Searched {
    first: u64,
    again: u64,
    added: u64,
}

/// A predicate over global variables.
type Predicate = (&'static [&'static str], fn(&mut Terms, &[Term]) -> Term);

const LATE: Predicate = (&["a"], |terms, values| constant(terms, values[0], 7));

fn constant(terms: &mut Terms, value: Term, number: u128) -> Term {
    let number = terms.word(32, number);
    terms.eq(value, number)
}

fn search(text: &str, predicates: &[Predicate]) -> Searched {
    let program = c_frontend::load_text("test.c", text, &c_frontend::Options::default())
        .expect("the test's program is right")
        .program;
    let entry = program.function_named("main").expect("there is a main");
    let points_to = PointsTo::new(&program, &[entry]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let calls = CallGraph::new(&program, &points_to);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let mut initial = State::new();
    let start = semantics.initial().expect("the test has simple globals");
    initial.step(&mut semantics, &start);
    let mut memo = Memo::new(&abstraction::Options::default());
    let mut known = Predicates::default();
    let mut searched = |semantics: &mut Semantics<'_>, more: &[Predicate]| {
        for (names, make) in more {
            let values: Vec<Term> = names.iter().map(|name| global(semantics, name)).collect();
            let term = make(&mut semantics.terms, &values);
            known.add(semantics, term);
        }
        let before = memo.cubes.statistics.anew;
        let input = Input {
            task: &verdict::Task {
                program: &program,
                calls: &calls,
                entry,
                errors: &[],
                followed: &[],
            },
            predicates: &known,
            constraints: &Constraints::default(),
            initial: &initial,
        };
        abstract_program(semantics, &mut solver, &mut memo, &input, &Budget::unlimited())
            .expect("there is no limit");
        memo.cubes.statistics.anew - before
    };
    Searched {
        first: searched(&mut semantics, predicates),
        again: searched(&mut semantics, &[]),
        added: searched(&mut semantics, &[LATE]),
    }
}

fn global(semantics: &mut Semantics<'_>, name: &str) -> Term {
    let mut vars = semantics.program.vars.iter();
    let found = vars.find(|(_, data)| data.function.is_none() && data.name == name);
    let (var, _) = found.expect("the variable is there");
    semantics.current(Storage::Variable(var, 0))
}

const ONE: &str = "static void one(void) { a = a + 1; if (a > 3) a = 0; }";
const TWO: &str =
    "static void two(void) { b = b + 2; if (b > c) b = c + b; c = c - b; if (c == b) c = b + 1; }";
const PREDICATES: [Predicate; 3] = [
    (&["a"], |terms, values| {
        let three = terms.word(32, 3);
        terms.slt(three, values[0])
    }),
    (&["b", "c"], |terms, values| terms.slt(values[1], values[0])),
    (&["b", "c"], |terms, values| terms.eq(values[0], values[1])),
];

#[test]
fn a_new_predicate_is_no_work_for_statements_that_it_is_not_about() {
    let both = format!("int a, b, c; {ONE} {TWO} int main(void) {{ one(); two(); return 0; }}");
    let alone = format!("int a, b, c; {ONE} int main(void) {{ one(); return 0; }}");
    let both = search(&both, &PREDICATES);
    let alone = search(&alone, &PREDICATES[..1]);
    assert_eq!((both.again, alone.again), (0, 0));
    assert!(both.first > alone.first && alone.first > 0, "{both:?} {alone:?}");
    assert!(alone.added > 0, "{alone:?}");
    assert_eq!(both.added, alone.added, "{both:?} {alone:?}");
}
