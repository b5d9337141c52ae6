//! What the user can say about how files are to be read.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use program::DataModel;

use crate::Machine;

/// How to read the files of a program; the same for all of them unless a compilation database says otherwise.
#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// A dialect as in `-std=`, for example `gnu17`.
    pub standard: String,
    /// `NAME` or `NAME=VALUE`, in order.
    pub defines: Vec<String>,
    pub undefines: Vec<String>,
    /// `-I` folders, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem` folders, in order.
    pub system_dirs: Vec<PathBuf>,
    /// `-include` files, in order.
    pub preincludes: Vec<String>,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
    /// Whether enumerations are no larger than their values need.
    pub short_enums: bool,
    /// The machine that a compiler's name speaks of.
    pub machine: Option<Machine>,
    /// What the file holds, where it is not to be read.
    pub contents: Option<Arc<str>>,
    /// A file that others include, and what it holds instead of what is there.
    pub instead: Option<(PathBuf, Arc<[u8]>)>,
    /// Addresses at which there is hardware.
    pub mmio: Vec<RangeInclusive<u64>>,
    /// Options of a compiler that change what programs mean, and are not followed.
    pub not_followed: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: DataModel::Lp64,
            standard: "gnu17".to_owned(),
            defines: Vec::new(),
            undefines: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            preincludes: Vec::new(),
            char_signed: true,
            short_enums: false,
            machine: None,
            contents: None,
            instead: None,
            mmio: Vec::new(),
            not_followed: Vec::new(),
        }
    }
}
