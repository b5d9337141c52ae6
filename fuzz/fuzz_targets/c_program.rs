//! Any text either is refused with a message or gives a program that can be shown and run.
//!
//! `cargo +nightly fuzz run c_program fuzz/corpus/c_program fuzz/seeds/c_program -- -only_ascii=1 -timeout=20`

#![no_main]

use interpreter::{Captured, NoInputs, NoObserver};
use libfuzzer_sys::fuzz_target;
use program::DataModel;

/// Enough to come through every statement, and no loop without an end.
const STEPS: u64 = 20_000;
const MEMORY: u64 = 1 << 24;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A header could be any file of the machine, and the next run would be of another program.
    if text.contains("include") || text.contains("import") || text.contains("embed") {
        return;
    }
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let options = c_frontend::Options {
            model,
            ..Default::default()
        };
        match c_frontend::load_text("input.c", text, &options) {
            Err(messages) => assert!(messages.iter().any(|message| message.is_error())),
            Ok(loaded) => show_and_run(&loaded.program),
        }
    }
});

fn show_and_run(program: &program::Program) {
    program::program_text(program, program::TextOptions::default());
    program::program_dot(program);
    let Some(entry) = program.function_named("main") else { return };
    if program.functions[entry].body.is_none() {
        return;
    }
    let options = interpreter::Options {
        step_limit: Some(STEPS),
        memory_limit: MEMORY,
        ..Default::default()
    };
    interpreter::run(program, entry, &options, &mut NoInputs, &mut Captured::default(), &mut NoObserver);
}
