//! What all tests of this crate need: reading C.

use program::Program;

/// The program that a C text is.
pub fn program(text: &str) -> Program {
    match c_frontend::load_text("test.c", text, &c_frontend::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<String>()),
    }
}
