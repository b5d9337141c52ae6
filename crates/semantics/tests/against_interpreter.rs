//! Random programs mean as terms what the interpreter does with them.

use semantics_bench::{Plan, Tally, compare_program};

/// Programs from here on: another range than that of the benchmark, which starts at 0.
const FIRST: u64 = 1 << 40;

#[test]
fn terms_agree_with_the_interpreter_on_random_programs() {
    let mut tally = Tally::default();
    for seed in FIRST..FIRST + 500 {
        let solved = if seed % 40 == 0 { 2 } else { 0 };
        compare_program(seed, Plan { runs: 6, solved }, &mut tally);
    }
    assert!(tally.different.is_empty(), "{}\n{tally}", tally.different[0].1);
    assert!(tally.cases >= 2_000, "most runs can be compared: {tally}");
    assert!(
        tally.solved >= 10,
        "the solver finds inputs for most paths: {tally}"
    );
    assert!(
        10 * (tally.skipped_count() + tally.unsupported_count()) < tally.cases,
        "few runs are undefined or unsupported: {tally}"
    );
}
