//! A demonstration engine: it runs the program on one input and claims what it saw. Where it saw an error, it is right; where it
//! saw none, it claims that there is none, which is more than it knows.

use std::ops::ControlFlow;

use evidence::{Answer, Judge, decide};
use interpreter::{Captured, ListedInputs, Observer, View};
use program::EdgeId;
use semantics::{Path, Step};
use verdict::{Counterexample, Engine, Given, InputValue, Invariants, Needed, Task, Tools, Verdict};

use crate::asked::Asked;

/// Takes one number for all inputs, runs for a while, and claims what it saw for another number.
pub struct OneRun {
    pub input: i128,
    pub claimed: i128,
}

struct Taken(Vec<EdgeId>);

impl Observer for Taken {
    fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
        self.0.push(edge);
    }
}

impl Engine for OneRun {
    fn name(&self) -> &'static str {
        "one run"
    }

    fn run(&self, task: &Task<'_>, tools: &mut Tools<'_, '_>) -> Verdict {
        let Task { program, entry, .. } = *task;
        let mut taken = Taken(Vec::new());
        let (mut inputs, mut output) = (ListedInputs::new([self.input; 8]), Captured::default());
        let options = interpreter::Options {
            step_limit: Some(100),
            ..Default::default()
        };
        let outcome = interpreter::run(program, entry, &options, &mut inputs, &mut output, &mut taken);
        let Some(end) = taken.0.iter().position(|edge| task.errors.contains(edge)) else {
            let always = tools.semantics.terms.bool(true);
            let mut seen = Invariants::default();
            for edge in taken.0.iter().map(|&edge| &program.edges[edge]) {
                seen.at.extend([(edge.from, always), (edge.to, always)]);
            }
            return Verdict::Safe(Box::new(Some(seen)));
        };
        let mut given = Given::default();
        for edge in outcome.inputs.iter().filter_map(|input| input.request.edge) {
            let (needed, value) = (Needed::At(edge), self.claimed);
            given.values.push(InputValue { needed, value });
        }
        let steps = taken.0[..end].iter().copied().map(Step::Edge).collect();
        Verdict::Unsafe(Box::new(Counterexample {
            path: Path { entry, steps },
            error: taken.0[end],
            given,
            defined: true,
            doubt: None,
            abstract_trace: None,
        }))
    }
}

const NOT_FIVE: &str = "
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 5) reach_error();
    return 0;
}";

const LONG: &str = "
int main(void) {
    int i = 0;
    while (i < 1000) i++;
    reach_error();
}";

const HARMLESS: &str = "
int main(void) {
    int i = 0;
    return i;
}";

fn decided(text: &str, engine: &OneRun) -> (String, Answer) {
    let asked = Asked::new(text);
    let budget = budget::Budget::unlimited();
    let mut told = Vec::new();
    let answer = decide(engine, &asked.task(), &Judge::default(), &budget, &mut |event| {
        if let verdict::Event::Judging(what) = event {
            told.push(what);
        }
        ControlFlow::Continue(())
    });
    let expected = match &answer {
        Answer::Safe(_) => vec!["checking the proof"],
        Answer::Violated(_) => vec!["replaying the counterexample"],
        Answer::Unknown(_) => told.clone(),
    };
    assert_eq!(told, expected);
    (asked.said(&answer), answer)
}

fn honest(input: i128) -> OneRun {
    OneRun {
        input,
        claimed: input,
    }
}

#[test]
fn what_it_saw_is_so() {
    let (said, answer) = decided(NOT_FIVE, &honest(5));
    assert_eq!(said, "violated at t.c:4");
    let Answer::Violated(violation) = answer else {
        panic!("{said}")
    };
    assert_eq!(violation.engine, "one run");
    let inputs: Vec<i128> = violation.inputs().iter().map(|input| input.value).collect();
    assert_eq!(inputs, [5]);
    assert_eq!(decided(HARMLESS, &honest(0)).0, "safe");
}

#[test]
fn what_it_did_not_see_may_be() {
    let (said, _) = decided(NOT_FIVE, &honest(4));
    assert_eq!(
        said,
        "internal: the proof does not hold: an invariant is not kept at t.c:4"
    );
}

#[test]
fn what_it_did_not_finish_is_not_over() {
    let (said, _) = decided(LONG, &honest(0));
    assert_eq!(
        said,
        "internal: the proof does not hold: an invariant is not kept at t.c:4"
    );
}

#[test]
fn what_it_says_of_another_input_is_not_so() {
    let (said, answer) = decided(NOT_FIVE, &OneRun { input: 5, claimed: 6 });
    assert_eq!(
        said,
        "internal: the counterexample does not replay: the program ends with status 0"
    );
    let Answer::Unknown(unknown) = answer else {
        panic!("{said}")
    };
    assert!(unknown.possible.is_some(), "the way that was found is shown");
}
