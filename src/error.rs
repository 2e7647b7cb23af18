//! Errors that mean "could not look". Bad data is never an error: it is an issue of the tree.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("nothing to read in {}: it holds no transcript, memory or history", .0.display())]
    NothingToRead(PathBuf),
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: String },
}

pub type Result<T> = std::result::Result<T, Error>;
