//! What is no path is refused with the reason.

use budget::Budget;
use path_analysis::analyse;
use points_to::PointsTo;
use program::{Callee, EdgeKind, FuncId, Program};
use semantics::{AliasMemory, Path, Semantics, Step};
use solver::Z3Solver;

use crate::common::load;

const TEXT: &str = "
    extern int other(int);
    int twice(int x) { return x + x; }
    int through(int (*p)(int)) { return p ? p(1) : other(0); }
    void main(int a) {
        int b = twice(a);
        if (b > 0) return;
    }";

fn refusal(change: impl FnOnce(&mut Vec<Step>)) -> String {
    let program = load(TEXT);
    let main = function(&program, "main");
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

fn function(program: &Program, name: &str) -> FuncId {
    program.function_named(name).expect("there is such a function")
}

#[test]
fn calls_that_lead_to_another_function() {
    let program = load(TEXT);
    let (other, through) = (function(&program, "other"), function(&program, "through"));
    let reason = refusal(|steps| {
        let enter = position_of(steps, |step| matches!(step, Step::Enter { .. }));
        let call = steps[enter].edge();
        steps.truncate(enter);
        steps.push(Step::Enter {
            call,
            callee: through,
        });
    });
    assert!(reason.ends_with("the call leads to another function"), "{reason}");
    let reason = refusal(|steps| {
        let enter = position_of(steps, |step| matches!(step, Step::Enter { .. }));
        let call = steps[enter].edge();
        steps.truncate(enter);
        steps.push(Step::Outside { call, callee: other });
    });
    assert!(
        reason.ends_with("no call through a pointer starts here"),
        "{reason}"
    );
}

#[test]
fn calls_through_pointers_that_lead_nowhere() {
    let program = load(TEXT);
    let [other, twice, through] = ["other", "twice", "through"].map(|name| function(&program, name));
    let call = program.edges.iter().find_map(|(edge, data)| match data.kind {
        EdgeKind::Call {
            callee: Callee::Indirect(_),
            ..
        } => Some(edge),
        _ => None,
    });
    let call = call.expect("there is a call through a pointer");
    // From the function's entry to the call.
    let mut path = Path::follow(&program, through, &[]).expect("there is a way");
    let condition = path.locations(&program).expect("it is a path");
    let here = *condition.last().expect("it has a start");
    let to_call = program.locs[here].outgoing.iter().copied();
    let to_call = to_call.filter(|&edge| program.edges[edge].to == program.edges[call].from);
    path.steps.extend(to_call.map(Step::Edge));
    let with = |step: Step| {
        let mut path = path.clone();
        path.steps.push(step);
        let locations = path.locations(&program);
        locations.map_err(|malformed| malformed.reason)
    };
    let refused = with(Step::Edge(call));
    assert_eq!(
        refused,
        Err("a call through a pointer leads to a function or elsewhere".to_owned())
    );
    let refused = with(Step::Outside { call, callee: twice });
    assert_eq!(refused, Err("the callee has a body".to_owned()));
    let right = [
        Step::Outside { call, callee: other },
        Step::Enter { call, callee: twice },
        Step::Elsewhere(call),
    ];
    for step in right {
        with(step).expect("the path goes on");
    }
}
