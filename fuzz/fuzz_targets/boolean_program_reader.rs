//! Any text either is refused with located problems or gives a program that survives the way through text.
//!
//! `cargo +nightly fuzz run boolean_program_reader fuzz/corpus/boolean_program_reader fuzz/seeds/boolean_program_reader`

#![no_main]

use boolean_program::{Dialect, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let dialects = [None, Some(Dialect::Bebop), Some(Dialect::Satabs), Some(Dialect::Getafix)];
    for dialect in dialects {
        match read(text, dialect) {
            Err(problems) => assert!(problems.iter().all(|problem| problem.position.is_some())),
            Ok(mut reading) => {
                let written = write(&reading.program, Dialect::Bebop);
                let mut again = read(&written, Some(Dialect::Bebop)).expect("what is written can be read");
                reading.program.forget_places();
                again.program.forget_places();
                assert_eq!(reading.program, again.program);
            }
        }
    }
});
