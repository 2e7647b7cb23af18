//! Parts of files → one corpus with one set of handles.

use crate::model::{Corpus, Issue, IssueKind, SourceFile, Transcript};
use crate::parse::{Part, Whole, remap};

/// Joins the parts of each file and gives all files the same handles, in path order. Each part comes with the row of
/// its file, in the order of files and bytes; what it held is given up as soon as it is joined.
pub(super) fn files(files: Vec<SourceFile>, parts: Vec<(usize, Part)>) -> Corpus {
    let mut corpus = Corpus::default();
    corpus.transcripts.reserve_exact(files.len());
    let mut parts = parts.into_iter().peekable();
    for (row, file) in files.iter().enumerate() {
        let mut whole = Whole::default();
        while let Some((_, Part { mut rows, strings, nodes, .. })) = parts.next_if(|(of, _)| *of == row) {
            let (strings, nodes) = (corpus.strings.absorb(&strings), corpus.nodes.absorb(&nodes));
            remap(&mut rows, &|sym| strings.map(sym), &|node| nodes.map(node));
            whole.append(rows);
        }
        let mut rows = whole.into_rows();
        judge(file, &mut rows);
        rows.shrink();
        corpus.transcripts.push(rows);
    }
    corpus.files = files;
    corpus
}

/// A file without entries of which most lines could not be read is something else than JSON Lines: one issue instead of one a line.
fn judge(file: &SourceFile, rows: &mut Transcript) {
    rows.issues.sort();
    // Between two lines lies a newline. NULs alone say nothing about what stood in their place.
    let lines = rows.issues.chunk_by(|issue, next| issue.offset + issue.len == next.offset);
    let is_lost = |issue: &Issue| issue.kind.is_loss() && issue.kind != IssueKind::NulRun;
    let lost = lines.filter(|line| line.iter().any(is_lost)).count();
    // In an indented document the last value of an array stands alone on its line.
    let values = rows.issues.iter().filter(|issue| issue.kind == IssueKind::NoRecord).count();
    let foreign = lost > values.max(1) || (lost == 1 && values == 0 && is_foreign(file));
    if rows.entries.is_empty() && foreign {
        rows.issues = vec![Issue { offset: 0, len: rows.bytes, kind: IssueKind::NotJsonLines, count: 1 }];
        rows.blank_bytes = 0;
    }
}

/// True where the first bytes are those of a compressed file, an archive or a database.
fn is_foreign(file: &SourceFile) -> bool {
    const MAGIC: [&[u8]; 6] =
        [b"\x1F\x8B", b"\x28\xB5\x2F\xFD", b"PK\x03\x04", b"BZh", b"\xFD7zXZ", b"SQLite format 3"];
    let len = usize::try_from(file.len).unwrap_or(16).min(16);
    crate::read::bytes(&file.disk, 0, len)
        .is_ok_and(|first| MAGIC.iter().any(|magic| first.starts_with(magic)))
}
