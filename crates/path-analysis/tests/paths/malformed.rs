//! What is no path is refused with the reason.

use budget::Budget;
use path_analysis::analyse;
use points_to::PointsTo;
use semantics::{AliasMemory, Path, Semantics, Step};
use solver::Z3Solver;

use crate::common::load;

const TEXT: &str = "
    int twice(int x) { return x + x; }
    void main(int a) {
        int b = twice(a);
        if (b > 0) return;
    }";

fn refusal(change: impl FnOnce(&mut Vec<Step>)) -> String {
    let program = load(TEXT);
    let main = program.function_named("main").expect("there is a main");
    let points_to = PointsTo::new(&program, &[main]);
    let memory = AliasMemory::new(&program, &points_to);
    let mut semantics = Semantics::new(&program, &memory);
    let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
    let mut path = Path::follow(&program, main, &[1]).expect("the outcomes name a path");
    change(&mut path.steps);
    let asked = path_analysis::Options::default();
    match analyse(&mut semantics, &mut solver, &path, &asked, &Budget::unlimited()) {
        Err(malformed) => malformed.to_string(),
        Ok(other) => panic!("the path is refused, not {other:?}"),
    }
}

fn position_of(steps: &[Step], is: impl Fn(&Step) -> bool) -> usize {
    steps.iter().position(is).expect("the path has such a step")
}

#[test]
fn steps_that_do_not_meet() {
    let reason = refusal(|steps| {
        let enter = position_of(steps, |step| matches!(step, Step::Enter { .. }));
        steps.remove(enter + 1);
    });
    assert!(reason.ends_with("the callee has not returned"), "{reason}");
    let reason = refusal(|steps| {
        let last = steps.pop().expect("the path has steps");
        steps.insert(0, last);
    });
    assert_eq!(reason, "step 0 of the path: the edge starts elsewhere");
}

#[test]
fn calls_that_are_not_entered() {
    let reason = refusal(|steps| {
        let enter = position_of(steps, |step| matches!(step, Step::Enter { .. }));
        let call = steps[enter].edge();
        steps.truncate(enter);
        steps.push(Step::Edge(call));
    });
    assert!(
        reason.ends_with("a call of a function with a body is entered and left"),
        "{reason}"
    );
    let reason = refusal(|steps| {
        let leave = position_of(steps, |step| matches!(step, Step::Leave { .. }));
        let step = steps[leave];
        steps.insert(leave, step);
    });
    assert!(
        reason.ends_with("another call is left than was entered"),
        "{reason}"
    );
}
