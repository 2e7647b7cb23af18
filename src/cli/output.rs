//! Where `--output` writes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Links in a row, as far as systems follow them.
const LINKS: usize = 40;

/// Names of standard output, which is written as it is without `--output`.
pub(super) fn is_standard(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].into_iter().any(|name| path == Path::new(name))
}

/// Whether writing to `path` would write below `root`.
pub(super) fn lies_below(path: &Path, root: &Path) -> bool {
    let target = behind_links(path);
    let place = target.canonicalize().or_else(|_| folder_of(&target).canonicalize());
    matches!((place, root.canonicalize()), (Ok(place), Ok(root)) if place.starts_with(&root))
}

/// A file appears whole or not at all, in the place of the old one; anything else, such as a device or a pipe, is
/// written through.
pub(super) fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = behind_links(path);
    let old = match fs::metadata(&target) {
        Ok(old) if old.is_dir() => return Err(io::Error::other("it is a folder")),
        Ok(old) if !old.is_file() || is_descriptor(&target) => {
            return buffered(&mut OpenOptions::new().append(true).open(&target)?, write);
        }
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut file = temporary(folder_of(&target))?;
    buffered(file.as_file_mut(), write)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(&target)?;
    Ok(())
}

fn buffered(file: &mut File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

/// What a chain of links ends in, there or not.
fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        if is_descriptor(&target) {
            break;
        }
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder_of(&target).join(next);
    }
    target
}

/// Open files of a process have a name there; to replace one would not reach it.
fn is_descriptor(path: &Path) -> bool {
    ["/dev", "/proc"].into_iter().any(|folder| path.starts_with(folder))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// With the permissions that every new file gets, not those of a secret.
#[cfg(unix)]
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

#[cfg(not(unix))]
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}
