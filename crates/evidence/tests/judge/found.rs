//! Proofs that an engine found, for what a program's text cannot say: which state a rule is in, which blocks are allocated.
//! The interpreter says which locations can be reached; nothing may be missing, or denied, at one of those.

use std::collections::BTreeSet;

use interpreter::{Captured, ListedInputs, Observer, View};
use program::{EdgeId, LocId, Program};
use verdict::{Invariants, Statement, Verdict};

use crate::asked::Asked;

/// The locations that a run comes to.
struct Visited<'a> {
    program: &'a Program,
    locs: BTreeSet<LocId>,
}

impl Observer for Visited<'_> {
    fn before(&mut self, edge: EdgeId, _: &mut View<'_, '_>) {
        self.locs.insert(self.program.edges[edge].from);
    }
}

/// The engine's proof holds; without what it says about a location that runs come to, or with the contrary, it does not.
fn found(asked: &Asked, inputs: &[i128]) {
    let budget = budget::Budget::unlimited();
    let mut semantics = asked.semantics();
    let Verdict::Safe(mut proof) = asked.found(&mut semantics) else {
        panic!("the engine finds a proof");
    };
    let mut claimed = None;
    while claimed.is_none() {
        let statement = proof
            .statement(&mut semantics, &budget)
            .expect("one of them holds");
        let Statement::Invariants(statement) = statement.expect("there are no limits") else {
            panic!("the refinement loop states invariants");
        };
        let verdict = Verdict::Safe(Box::new(Some(statement.clone())));
        let answer = asked.judged(&mut semantics, verdict);
        claimed = Some(statement).filter(|_| asked.said(&answer) == "safe");
    }
    let claimed = claimed.expect("the loop ends with one");
    let mut visited = Visited {
        program: asked.program(),
        locs: BTreeSet::new(),
    };
    interpreter::run(
        asked.program(),
        asked.woven.entry,
        &interpreter::Options::default(),
        &mut ListedInputs::new(inputs.iter().copied()),
        &mut Captured::default(),
        &mut visited,
    );
    assert!(!visited.locs.is_empty());
    let mut judged = |invariants: Invariants| {
        let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(Some(invariants))));
        asked.said(&answer)
    };
    for loc in visited.locs {
        let mut without = claimed.clone();
        assert!(
            without.at.remove(&loc).is_some(),
            "{loc} is reached, but has no invariant"
        );
        let said = judged(without);
        let allowed = comes_to(asked, loc);
        assert!(
            allowed.contains(&said),
            "without {loc}: {said}, expected {allowed:?}"
        );
    }
    for edge in asked.task().errors {
        // Where an error is, whatever holds must be impossible.
        let mut weaker = claimed.clone();
        let from = asked.program().edges[*edge].from;
        weaker.at.insert(from, semantics.terms.bool(true));
        let answer = asked.judged(&mut semantics, Verdict::Safe(Box::new(Some(weaker))));
        let expected = format!(
            "internal: the proof does not hold: the error at {} is not excluded",
            asked.line(*edge)
        );
        assert_eq!(asked.said(&answer), expected);
    }
}

/// What can be said where nothing may come to a location.
fn comes_to(asked: &Asked, loc: LocId) -> Vec<String> {
    let program = asked.program();
    let function = program.locs[loc].function;
    let body = program.functions[function]
        .body
        .as_ref()
        .expect("locations are in bodies");
    let mut edges: Vec<EdgeId> = program.locs[loc].incoming.clone();
    if loc == body.entry {
        let sites = asked.task().calls.sites().iter();
        edges.extend(
            sites
                .filter(|site| site.targets.contains(&function))
                .map(|site| site.edge),
        );
    }
    let mut said: Vec<String> = edges
        .into_iter()
        .map(|edge| {
            format!(
                "internal: the proof does not hold: an invariant is not kept at {}",
                asked.line(edge)
            )
        })
        .collect();
    if loc == body.entry && function == asked.woven.entry {
        said.push(
            "internal: the proof does not hold: the first invariant does not hold at the start".to_owned(),
        );
    }
    said
}

const LOCKS: &str = "
typedef struct { int locked; } lock_t;
extern void spin_lock(lock_t *);
extern void spin_unlock(lock_t *);
lock_t lock;
";

#[test]
fn a_rule_that_is_kept() {
    let text = format!(
        "{LOCKS}
int main(void) {{
    int n = __VERIFIER_nondet_int();
    if (n > 0) spin_lock(&lock);
    n = n > 0 ? 2 : 0;
    if (n > 1) spin_unlock(&lock);
}}"
    );
    found(&Asked::with_rule(&text, "spin-lock"), &[5]);
}

#[test]
fn a_rule_that_is_kept_in_a_loop() {
    let text = format!(
        "{LOCKS}
int main(void) {{
    int again = 1;
    while (again) {{
        spin_lock(&lock);
        again = __VERIFIER_nondet_int();
        spin_unlock(&lock);
    }}
}}"
    );
    found(&Asked::with_rule(&text, "spin-lock"), &[1, 0]);
}

#[test]
fn allocated_blocks_are_apart() {
    let text = "
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    *p = 1;
    *q = 2;
    if (*p != 1) reach_error();
}";
    found(&Asked::new(text), &[]);
}

#[test]
fn on_32_bits() {
    let text = "
int main(void) {
    int n = sizeof(long);
    if (n != 4) reach_error();
}";
    found(&Asked::on_32_bits(text), &[]);
}
