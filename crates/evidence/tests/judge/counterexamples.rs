//! Counterexamples that hold, and every single change of them. What changes of inputs, steps and memory lead to is said case by
//! case, where it matters.

mod arguments;
mod calls;
mod given;
mod inputs;
mod memory;
mod pointers;
mod rules;

use evidence::Answer;
use expect_test::Expect;
use interpreter::Consumed;
use verdict::Verdict;

use crate::asked::Asked;
use crate::claimed::Claimed;

/// Which changes there are besides those of steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinds {
    /// Another value of the input would do as well.
    Without,
    Inputs,
    Memory,
    All,
}

fn counterexample(asked: &Asked, kinds: Kinds, expected: Expect) {
    let claimed = Claimed::new(asked);
    recorded(asked, &claimed);
    let mut lines = vec![claimed.judged(claimed.counterexample.clone())];
    assert!(lines[0].starts_with("violated"), "{}", lines[0]);
    let mut changes = Vec::new();
    match kinds {
        Kinds::Without => changes.extend(claimed.inputs().into_iter().step_by(2)),
        Kinds::Inputs => changes.extend(claimed.inputs()),
        Kinds::Memory => changes.extend(claimed.memory()),
        Kinds::All => {
            changes.extend(claimed.inputs());
            changes.extend(claimed.memory());
        }
    }
    changes.extend(claimed.layout());
    for (what, changed) in changes {
        let said = claimed.judged(changed);
        // What the way does not depend on may be anything.
        if !said.starts_with("violated") {
            lines.push(format!("{what}: {said}"));
        }
    }
    assert!(lines.len() > 1, "nothing that could be changed matters");
    expected.assert_eq(&(lines.join("\n") + "\n"));
    // A run that was given another object to follow need not go the same way.
    let steps = match asked.task().followed {
        [] => claimed.steps(),
        _ => Vec::new(),
    };
    for (what, changed) in steps {
        let said = claimed.judged(changed);
        let reason =
            "internal: the counterexample does not replay: the run does not take the way that is claimed";
        assert!(said.starts_with(reason), "{what}: {said}");
    }
}

/// The run is also recorded: once more, with what its steps depend on.
fn recorded(asked: &Asked, claimed: &Claimed<'_>) {
    let verdict = Verdict::Unsafe(Box::new(claimed.counterexample.clone()));
    let Answer::Violated(violation) = asked.judged(&mut asked.semantics(), verdict) else {
        panic!("it is violated");
    };
    let recording = violation.recording.as_ref().expect("the run is short");
    let given: Vec<Consumed> = recording.inputs.iter().map(|&(_, input)| input).collect();
    assert!(violation.replayed.inputs.starts_with(&given), "{given:?}");
    assert_eq!(violation.inputs(), given);
    let asks = |input: &Consumed| input.request.edge.is_some();
    let steps = recording
        .inputs
        .iter()
        .map(|(step, input)| (step.is_some(), asks(input)));
    assert!(
        steps.into_iter().all(|(step, edge)| step == edge),
        "{:?}",
        recording.inputs
    );
}
