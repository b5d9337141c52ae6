//! All kinds of misuse together, in random programs: what is woven in sees what the interpreter notices, in the same line, and formulas
//! answer the questions about blocks as the interpreter does. `bench/semantics` makes many more runs.

use semantics_bench::{Agreement, compare_misuse};

/// Programs from here on: another range than that of the benchmark, which starts at 0.
const FIRST: u64 = 1 << 41;

#[test]
fn checks_agree_with_the_interpreter_on_random_programs() {
    let mut agreement = Agreement::default();
    for seed in FIRST..FIRST + 120 {
        compare_misuse(seed, 4, &mut agreement);
    }
    let first = agreement.different.first();
    assert!(agreement.different.is_empty(), "{first:?}\n{agreement}");
    assert!(agreement.cases() >= 350, "most runs can be compared: {agreement}");
    assert!(
        agreement.followed >= 200,
        "formulas follow most paths: {agreement}"
    );
    let kinds = [
        "nothing",
        "no-division-by-zero",
        "no-index-out-of-bounds",
        "no-undefined-shift",
        "no-uninitialised-read",
        "valid-deref",
        "valid-free",
    ];
    for kind in kinds {
        let is_seen = agreement.same.keys().any(|what| what.starts_with(kind));
        assert!(is_seen, "some run shows {kind}: {agreement}");
    }
}
