//! Values for the unknowns of feasible paths.

use crate::common::with_analysis;
use path_analysis::{Analysis, Cause, Feasible, Options};
use semantics::FreshCause;

fn inputs(text: &str, outcomes: &[usize]) -> Feasible {
    with_analysis(
        text,
        outcomes,
        |_, _| Options::default(),
        |_, analysis| match analysis {
            Analysis::Feasible(feasible) => feasible,
            other => panic!("the path is feasible, not {other:?}"),
        },
    )
}

fn word(feasible: &Feasible, index: usize) -> i32 {
    feasible.inputs[index]
        .value
        .as_word()
        .expect("the input is a word") as u32 as i32
}

#[test]
fn every_unknown_has_a_value_in_the_order_met() {
    let text = "
        int nondet(void);
        void main(int a) {
            int x = nondet(), y = nondet();
            if (x > 10) {
                if (a == x + y) {
                    if (y == 7) return;
                }
            }
        }";
    let feasible = inputs(text, &[1, 1, 1]);
    let causes: Vec<Cause> = feasible.inputs.iter().map(|input| input.cause).collect();
    assert!(matches!(
        causes[..],
        [
            Cause::Edge(FreshCause::External(_)),
            Cause::Edge(FreshCause::External(_)),
            Cause::Parameter(..)
        ]
    ));
    let (x, y, a) = (word(&feasible, 0), word(&feasible, 1), word(&feasible, 2));
    assert!(
        x > 10 && y == 7 && a == x.wrapping_add(y),
        "x = {x}, y = {y}, a = {a}"
    );
}

#[test]
fn inputs_avoid_undefined_behaviour_where_they_can() {
    let text = "
        void main(int a, int b) {
            if (10 / a != 3) {
                if (b == 1) return;
            }
        }";
    let feasible = inputs(text, &[1, 1]);
    assert!(feasible.defined);
    assert_ne!(word(&feasible, 0), 0);
    let only_undefined = "
        void main(int a) {
            if (a == 0) {
                if (10 / a) return;
            }
        }";
    assert!(!inputs(only_undefined, &[1, 1]).defined);
}
