//! What cannot be expressed. An engine that meets it answers *unknown* and says this.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub what: String,
}

impl Unsupported {
    pub fn new(what: impl Into<String>) -> Unsupported {
        Unsupported { what: what.into() }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unsupported {}
