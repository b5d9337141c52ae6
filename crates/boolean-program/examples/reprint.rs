//! Reads each file named on the command line, writes it, reads what was written, and compares the trees.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use boolean_program::{Dialect, read, write};

fn main() -> ExitCode {
    let (mut equal, mut failed) = (0, 0);
    for path in std::env::args().skip(1) {
        match reprint(&path) {
            Ok(()) => equal += 1,
            Err(reason) => {
                println!("{path}: {reason}");
                failed += 1;
            }
        }
    }
    println!("{equal} files read, written and read to an equal tree, {failed} not");
    ExitCode::from(u8::from(failed > 0))
}

fn reprint(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut first = read(&text, None).map_err(|problems| problems[0].to_string())?;
    first.program.forget_places();
    for dialect in [Dialect::Bebop, Dialect::Satabs] {
        let written = write(&first.program, dialect);
        let mut second =
            read(&written, None).map_err(|problems| format!("after writing: {}", problems[0]))?;
        second.program.forget_places();
        if first.program != second.program {
            return Err("another tree after writing".to_owned());
        }
    }
    Ok(())
}
