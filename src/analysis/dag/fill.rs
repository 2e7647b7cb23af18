//! How full the window is at the end of a transcript.

use crate::model::{Corpus, Entry, FileId, Flags, Kind, Transcript};

/// Where the number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillSource {
    /// The prompt of the last answer.
    Usage,
    /// `postTokens` of a compaction after which there is no answer yet.
    PostTokens,
}

/// Prompt tokens at the end of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub tokens: u64,
    pub source: FillSource,
    /// The prompt of the last answer, which is out of date right after a compaction.
    pub last_usage: Option<u64>,
}

/// The window at the end of a main transcript; `None` where nothing tells.
#[must_use]
pub fn current_context(corpus: &Corpus, file: FileId) -> Option<Fill> {
    let rows = corpus.transcript(file);
    let mut last_usage = None;
    let mut context = None;
    for entry in &rows.entries {
        if let Some(tokens) = prompt(corpus, rows, entry) {
            last_usage = Some(tokens);
            context = Some((tokens, FillSource::Usage));
        } else if entry.kind == Kind::System
            && let Some(tokens) = rows.boundary(entry).and_then(|boundary| boundary.post_tokens)
        {
            context = Some((tokens, FillSource::PostTokens));
        }
    }
    context.map(|(tokens, source)| Fill { tokens, source, last_usage })
}

/// The prompt of an answer of the main thread, without its output.
fn prompt(corpus: &Corpus, rows: &Transcript, entry: &Entry) -> Option<u64> {
    let model = corpus.strings.get(rows.answer(entry)?.model);
    if model == Some("<synthetic>") || entry.flags.has_any(&[Flags::SIDECHAIN, Flags::API_ERROR]) {
        return None;
    }
    let usage = rows.usage(entry)?.tokens();
    u64::try_from(usage.prompt()).ok()
}
