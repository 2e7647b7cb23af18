//! Trees → [`Corpus`]. The one place that works in parallel; everything is merged in path order, then byte
//! order, so that the result does not depend on the number of threads.

mod assemble;
mod merge;
mod owner;
mod responses;
mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::discover;
use crate::error::{Error, Result};
use crate::model::{Corpus, SourceFile, TreeIssue, TreeIssueKind};
use crate::parse::{Part, Reader};
use crate::read::{self, Line};

/// Told how far the reading is.
pub trait Progress: Sync {
    /// Bytes that will be read in all.
    fn start(&self, _bytes: u64) {}
    /// Bytes read since the last call.
    fn advance(&self, _bytes: u64) {}
    fn finish(&self) {}
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {}

/// How a tree is read. The result is the same whatever these are.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub threads: usize,
    /// Files are handed out in stretches of about this many bytes.
    pub split: u64,
    /// Bytes read at a time.
    pub block: usize,
}

impl Options {
    /// Sizes that were found fastest: larger stretches leave threads idle at the end, smaller ones cost rows.
    #[must_use]
    pub const fn with_threads(threads: usize) -> Self {
        Self { threads, split: 16 << 20, block: 256 << 10 }
    }
}

/// Reads one or more trees as one corpus with one set of responses.
///
/// # Errors
/// Where a root or its `projects` cannot be read at all; damage inside a tree is an issue of the corpus instead.
pub fn corpus(roots: &[PathBuf], options: &Options, progress: &dyn Progress) -> Result<Corpus> {
    let mut seen = BTreeSet::new();
    // A root that is named twice, by whatever path, is read once.
    let roots: Vec<&PathBuf> = roots
        .iter()
        .filter(|root| seen.insert(root.canonicalize().unwrap_or_else(|_| (*root).clone())))
        .collect();
    let discover::Found { files, mut issues } = discover::trees(&roots)?;
    let read = transcripts(&files, options, progress)?;
    issues.extend(read.issues);
    issues.sort();
    let mut corpus = merge::files(files, read.parts);
    corpus.roots = roots.iter().map(|root| discover::shown(root.as_os_str())).collect();
    corpus.tree_issues = issues;
    corpus.settings = (0..roots.len()).map(|root| settings::of_root(&corpus.files, root)).collect();
    assemble::sessions(&mut corpus);
    responses::fold(&mut corpus);
    Ok(corpus)
}

/// A stretch of a file.
struct Task {
    file: usize,
    start: u64,
    end: u64,
}

/// What was read of each stretch, with the row of its file, in the order of files and bytes.
struct Read {
    parts: Vec<(usize, Part)>,
    issues: Vec<TreeIssue>,
}

/// The number of a task, and what came of it.
type Done = (usize, std::io::Result<Part>);

fn transcripts(files: &[SourceFile], options: &Options, progress: &dyn Progress) -> Result<Read> {
    let mut tasks = tasks(files, options.split);
    progress.start(tasks.iter().map(|task| task.end - task.start).sum());
    // Largest first, so that no thread is left alone with a large one at the end.
    tasks.sort_by_key(|task| (std::cmp::Reverse(task.end - task.start), task.file, task.start));
    let threads = options.threads.clamp(1, tasks.len().max(1));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::<Done>::with_capacity(tasks.len()));
    pool.broadcast(|_| {
        let mut worker = Worker { reader: Reader::default(), buffer: Vec::new(), block: options.block };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(number) else { break };
            let part = worker.read(&files[task.file].disk, task);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, part));
            progress.advance(task.end - task.start);
        }
    });
    progress.finish();
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| (tasks[*number].file, tasks[*number].start));
    let mut issues = Vec::new();
    // In place: of many small files the parts alone are most of the memory.
    let parts = done.into_iter().filter_map(|(number, part)| {
        let file = tasks[number].file;
        let part = part.map_err(|error| {
            issues.push(TreeIssue {
                root: files[file].root,
                path: files[file].path.clone(),
                kind: TreeIssueKind::Unreadable,
                detail: error.to_string(),
            });
        });
        Some((file, part.ok()?))
    });
    let parts = parts.collect();
    issues.dedup();
    Ok(Read { parts, issues })
}

struct Worker {
    reader: Reader,
    buffer: Vec<u8>,
    block: usize,
}

impl Worker {
    fn read(&mut self, path: &Path, task: &Task) -> std::io::Result<Part> {
        let reader = &mut self.reader;
        let bytes = read::lines(path, task.start, task.end, self.block, &mut self.buffer, |line| {
            let terminated = match line {
                Line::Whole { bytes, offset, terminated } => {
                    reader.line(bytes, offset, terminated);
                    terminated
                }
                Line::Oversized { offset, len, terminated } => {
                    reader.oversized(offset, len);
                    terminated
                }
            };
            if terminated {
                reader.newline();
            }
        });
        let mut part = self.reader.take();
        part.rows.bytes = bytes?;
        Ok(part)
    }
}

/// Splits transcripts into stretches of about `split` bytes.
fn tasks(files: &[SourceFile], split: u64) -> Vec<Task> {
    let mut tasks = Vec::new();
    for (file, source) in files.iter().enumerate() {
        if !source.kind.is_transcript() {
            continue;
        }
        let pieces = (source.len / split.max(1)).max(1);
        for piece in 0..pieces {
            let start = piece * (source.len / pieces);
            // A file that grew after it was listed is read as far as it was then known.
            let end = if piece + 1 == pieces { source.len } else { (piece + 1) * (source.len / pieces) };
            tasks.push(Task { file, start, end });
        }
    }
    tasks
}
