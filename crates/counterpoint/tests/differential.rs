//! No answer that a run contradicts: random programs with few runs, all of which gcc's binary has made, by every engine.
//! `bench/differential` does this for many more.

mod support;

use std::path::Path;

use differential_bench::{BATCH, Judgement, Limit, batch};

/// Many are decided in a fraction of this; the others are *unknown*, which is no fault.
const LIMIT: Limit = Limit::wall_only("2s");

fn check(batches: std::ops::Range<u64>) {
    let folder = support::folder(&format!("batches_{}", batches.start), &[]);
    let counterpoint = Path::new(env!("CARGO_BIN_EXE_counterpoint"));
    let (mut right, mut asked) = (0, 0);
    for number in batches {
        let seeds: Vec<u64> = (number * BATCH..(number + 1) * BATCH).collect();
        for program in batch(counterpoint, &folder, &seeds, LIMIT).expect("gcc compiles the programs") {
            asked += 1;
            match program.judgement {
                Some(Judgement::Right) => right += 1,
                Some(Judgement::Fault(what)) => {
                    panic!(
                        "program {}: {what}\ncounterpoint {}\n{}",
                        program.seed, program.call, program.text
                    )
                }
                _ => {}
            }
        }
    }
    // How many are decided in time depends on the machine; that hardly any is would mean that nothing is tested.
    assert!(right * 6 >= asked, "{right} of {asked} programs are decided");
}

#[test]
fn batches_0_to_3() {
    check(0..4);
}

#[test]
fn batches_4_to_7() {
    check(4..8);
}

#[test]
fn batches_8_to_11() {
    check(8..12);
}
