//! An entry's bytes, read again. The model keeps no text, only where it stands.

use std::io;

use crate::model::{Corpus, EntryRef};
use crate::read;

/// Reads entries again by location.
pub trait Source {
    /// The bytes of an entry as they stand in the file.
    ///
    /// # Errors
    /// What the system says when they cannot be read, among others because the file has become shorter.
    fn entry(&self, corpus: &Corpus, at: EntryRef) -> io::Result<Vec<u8>>;
}

/// The files on the disk.
pub struct Disk;

impl Source for Disk {
    fn entry(&self, corpus: &Corpus, at: EntryRef) -> io::Result<Vec<u8>> {
        let entry = corpus.entry(at);
        read::bytes(&corpus.file(at.file).disk, entry.offset, entry.len as usize)
    }
}
