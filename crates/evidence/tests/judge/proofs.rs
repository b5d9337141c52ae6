//! Proofs that hold, and every single change of them.

mod calls;
mod loops;
mod memory;
mod words;

use crate::asked::Asked;
use crate::stated::Stated;

/// The proof holds; no change of it does, and each is noticed where it is.
fn proof(text: &str) {
    let asked = Asked::new(text);
    check(&asked, text);
}

fn check(asked: &Asked, text: &str) {
    let mut stated = Stated::new(asked, text);
    let claimed = stated.invariants.clone();
    assert_eq!(stated.judged(claimed), "safe", "{text}");
    let changes = stated.changes();
    assert!(!changes.is_empty(), "there is nothing to change: {text}");
    let mut wrong = Vec::new();
    for (what, invariants, places) in changes {
        let said = stated.judged(invariants);
        let mut expected: Vec<String> = places
            .iter()
            .flat_map(|place| {
                [
                    format!("internal: the proof does not hold: an invariant is not kept at {place}"),
                    format!("internal: the proof does not hold: the error at {place} is not excluded"),
                    format!(
                        "unsupported: a call through a pointer that may lead to a function that is not known at {place}"
                    ),
                ]
            })
            .collect();
        if places.contains("the start") {
            expected.push(
                "internal: the proof does not hold: the first invariant does not hold at the start"
                    .to_owned(),
            );
        }
        if places.is_empty() {
            expected.push("internal: the proof speaks of more than the program's state".to_owned());
        }
        if !expected.contains(&said) {
            wrong.push(format!("{what}: {said}, expected at {places:?}"));
        }
    }
    assert!(wrong.is_empty(), "{text}\n{}", wrong.join("\n"));
}
