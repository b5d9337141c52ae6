//! Where the program's output goes.

use std::io;

/// A standard stream of the running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Input,
    Output,
    Error,
}

/// Takes what the program writes.
pub trait Output {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()>;
}

/// Keeps the output in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    pub output: Vec<u8>,
    pub error: Vec<u8>,
}

impl Output for Captured {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Error => self.error.extend_from_slice(bytes),
            Stream::Input | Stream::Output => self.output.extend_from_slice(bytes),
        }
        Ok(())
    }
}
