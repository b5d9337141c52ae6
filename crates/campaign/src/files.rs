//! Files that are there whole or not at all, whoever is killed when.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::Failure;

/// Writes a file under another name, makes it durable, and gives it its name.
pub fn write_whole(path: &Path, text: &[u8]) -> Result<(), Failure> {
    write(path, text, false).map(|_| ())
}

/// The same, and the file is locked from the moment that it has its name, for as long as it is held.
pub fn write_locked(path: &Path, text: &[u8]) -> Result<File, Failure> {
    write(path, text, true)
}

fn write(path: &Path, text: &[u8], locked: bool) -> Result<File, Failure> {
    let fail = |error: std::io::Error| Failure::at(path, describe(&error));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(fail)?;
    file.write_all(text).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    if locked {
        file.as_file().lock().map_err(fail)?;
    }
    file.persist(path).map_err(|error| fail(error.error))
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::NotADirectory => {
            Failure::at(path, "there is a file of that name, and a folder is needed")
        }
        _ => Failure::at(path, describe(&error)),
    })
}

/// What went wrong, in words without the number of the error.
pub fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::StorageFull => "no space is left on the disk".to_owned(),
        std::io::ErrorKind::ReadOnlyFilesystem => {
            "cannot be written: the file system is read-only".to_owned()
        }
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}
