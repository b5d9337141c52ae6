//! Writing results to where the user wants them.

use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes to a file, or to standard output. A reader that stopped reading (`| head`) is no error.
pub fn write(path: Option<&Path>, text: &str) -> Result<(), String> {
    match path {
        Some(path) => std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display())),
        None => match std::io::stdout().lock().write_all(text.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
            _ => Ok(()),
        },
    }
}
