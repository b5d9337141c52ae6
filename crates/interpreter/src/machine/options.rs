//! The settings of a run.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What a run may use and when it stops.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// End at any undefined behaviour, not only where the run cannot go on.
    pub stop_at_undefined: bool,
    /// Go on after library functions that nothing computes: what they return is an input, and what they write nobody knows. To
    /// read that is an error of its own then.
    pub forget_unknown_writes: bool,
    /// Functions whose call is an error, with or without a body.
    pub error_functions: Vec<String>,
    /// Arguments of `main`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    pub step_limit: Option<u64>,
    /// How many calls may be open at once.
    pub frame_limit: usize,
    /// Bytes of all objects together; allocation fails beyond.
    pub memory_limit: u64,
    /// Objects lie the other way round, at odd addresses where that is allowed: C says nothing of where they are.
    pub turned: bool,
    pub deadline: Option<Instant>,
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            stop_at_undefined: false,
            forget_unknown_writes: false,
            error_functions: library::ERROR_FUNCTIONS.map(str::to_owned).to_vec(),
            arguments: vec![b"program".to_vec()],
            step_limit: None,
            frame_limit: 100_000,
            memory_limit: 1 << 30,
            turned: false,
            deadline: None,
            cancel: None,
        }
    }
}
