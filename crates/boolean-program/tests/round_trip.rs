//! What is written can be read, and gives the same tree.

use boolean_program::random::{Shape, program};
use boolean_program::{Dialect, Program, check, read, write};

const DIALECTS: [Dialect; 2] = [Dialect::Bebop, Dialect::Satabs];

fn assert_round_trip(program: &Program, dialect: Dialect, seed: u64) {
    assert_eq!(check(program), Ok(()), "seed {seed}");
    let text = write(program, dialect);
    // Read in every dialect: what is written does not depend on precedence.
    for reader in DIALECTS {
        let mut reading =
            read(&text, Some(reader)).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
        reading.program.forget_places();
        assert_eq!(&reading.program, program, "seed {seed} in {reader:?}\n{text}");
    }
    let guessed = read(&text, None).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
    let ambiguous = guessed
        .warnings
        .iter()
        .find(|warning| warning.message.contains("dialects"));
    assert_eq!(ambiguous, None, "seed {seed}\n{text}");
}

#[test]
fn random_programs_survive_the_way_through_text() {
    for seed in 0..3_000 {
        let dialect = DIALECTS[seed as usize % 2];
        assert_round_trip(&program(seed, &Shape::VARIED), dialect, seed);
        assert_round_trip(&program(seed, &Shape::SMALL), dialect, seed);
    }
}

#[test]
fn getafix_gets_a_choice_it_can_read() {
    let reading = read("decl x; void main() begin x := *; end", None).unwrap();
    assert!(write(&reading.program, Dialect::Getafix).contains("x := schoose[F, F];"));
}
