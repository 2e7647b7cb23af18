//! Facts about paths on the disk, collected before any analysis, so that an analysis never looks by itself.
//!
//! `--fs-root DIR` says where the disk of the machine that a tree was copied from is mounted.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Folder,
    File,
    /// Nothing is there.
    Missing,
    /// The system does not let us look, or the path is none of this kind of machine.
    Unknown,
}

/// Facts about paths that were asked for.
pub trait World {
    /// What lies at a path that was collected; [`Presence::Unknown`] for any other.
    fn presence(&self, path: &str) -> Presence;
}

/// Facts collected once.
#[derive(Debug, Default)]
pub struct Facts(BTreeMap<String, Presence>);

impl Facts {
    /// Looks at each path, below `fs_root` where one is given.
    #[must_use]
    pub fn collect<'a>(fs_root: Option<&Path>, paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self(paths.into_iter().map(|path| (path.to_owned(), look(&place(fs_root, path), path))).collect())
    }
}

impl World for Facts {
    fn presence(&self, path: &str) -> Presence {
        self.0.get(path).copied().unwrap_or(Presence::Unknown)
    }
}

/// Where a path of the audited machine is found on this one.
#[must_use]
pub fn place(fs_root: Option<&Path>, path: &str) -> PathBuf {
    let Some(root) = fs_root else { return PathBuf::from(path) };
    // Only plain names are followed: a path of a tree must not lead out of the mounted disk.
    let names = Path::new(path).components().filter(|part| matches!(part, Component::Normal(_)));
    root.join(names.collect::<PathBuf>())
}

fn look(place: &Path, path: &str) -> Presence {
    if !path.starts_with('/') {
        return Presence::Unknown;
    }
    match std::fs::metadata(place) {
        Ok(found) if found.is_dir() => Presence::Folder,
        Ok(_) => Presence::File,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Presence::Missing,
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Presence::Missing,
        Err(_) => Presence::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mounted_disk_is_not_left() {
        let root = Path::new("/mnt/disk");
        assert_eq!(place(Some(root), "/home/dev/../../../etc"), Path::new("/mnt/disk/home/dev/etc"));
        assert_eq!(place(None, "/home/dev"), Path::new("/home/dev"));
    }

    #[test]
    fn what_was_not_collected_is_unknown() {
        let disk = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(disk.path().join("home/dev")).unwrap();
        let facts = Facts::collect(Some(disk.path()), ["/home/dev", "/home/gone", "C:\\x"]);
        assert_eq!(facts.presence("/home/dev"), Presence::Folder);
        assert_eq!(facts.presence("/home/gone"), Presence::Missing);
        assert_eq!(facts.presence("C:\\x"), Presence::Unknown);
        assert_eq!(facts.presence("/home"), Presence::Unknown);
    }
}
