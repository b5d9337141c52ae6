//! The file system as the preprocessor sees it: real files, the compiler's own headers, and the one header that a
//! 32-bit reading of glibc's headers needs and a 64-bit installation lacks.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, SearchPath, runtime};

use crate::Options;
use program::DataModel;

/// Not a path: a folder of headers that exist only here.
const OWN_HEADERS: &str = "<counterpoint>";

#[derive(Debug)]
pub(crate) struct Files<'o>(pub &'o Options);

impl FileSystem for Files<'_> {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some((replaced, bytes)) = &self.0.instead
            && self.identity(replaced) == self.identity(path)
        {
            return Ok(SourceBytes::new(Arc::clone(bytes)));
        }
        if let Some(bytes) = runtime::read(path) {
            return Ok(bytes);
        }
        if path == Path::new(OWN_HEADERS).join("gnu/stubs-32.h") {
            return Ok(SourceBytes::new(""));
        }
        // A folder opens like a file and fails only when it is read, with a message about neither.
        if path.is_dir() || crate::unit::is_endless(path) {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "is a directory or a device",
            ));
        }
        std::fs::read(path).map(SourceBytes::new)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| rucc_session::path_key(path))
    }
}

pub(crate) fn search_path(options: &Options) -> SearchPath {
    let mut search = SearchPath::new();
    for dir in &options.include_dirs {
        search.push_bracket(dir);
    }
    for dir in &options.system_dirs {
        search.push_system(dir);
    }
    search.push_system(runtime::DIR);
    search.push_system("/usr/local/include");
    if options.model == DataModel::Ilp32 {
        search.push_system("/usr/include/i386-linux-gnu");
    }
    search.push_system("/usr/include/x86_64-linux-gnu");
    search.push_system("/usr/include");
    search.push_after(OWN_HEADERS);
    search
}
