//! The prefix law: a request reads what the response before it in its lane read and wrote.
//!
//! Lanes are followed in file order here: one for the main thread of a transcript, one for its sidechain.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use crate::model::{Corpus, Entry, EntryRef, FileId, Flags, Kind, Response, Sym, Totals, Transcript};
use crate::scope::{Kept, Scope};

/// What a response shows of the law; sums of it over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Law {
    /// Responses with one before them to compare with.
    pub pairs: u64,
    /// Pairs in which exactly the expected tokens were read.
    pub exact: u64,
    /// Tokens expected to be read, over the pairs.
    pub expected: u128,
    /// Tokens of these that were read.
    pub expected_read: u128,
    /// Tokens that were new in the prompt.
    pub new_tokens: u128,
}

impl AddAssign<&Self> for Law {
    fn add_assign(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.exact += other.exact;
        self.expected += other.expected;
        self.expected_read += other.expected_read;
        self.new_tokens += other.new_tokens;
    }
}

/// What one walk over all transcripts gives.
pub(super) struct Walk {
    /// Per response, in the lane of its owner.
    pub(super) laws: Vec<Law>,
    /// Usage of every entry of the responses in scope, added up.
    pub(super) line_sums: Totals,
    /// Per session in scope, the responses that it shows and another session owns.
    pub(super) inherited: BTreeMap<usize, u64>,
}

/// Walks all transcripts once.
pub(super) fn walk(corpus: &Corpus, scope: &Scope, kept: &[Kept]) -> Walk {
    let mut walk = Walk {
        laws: vec![Law::default(); corpus.responses.len()],
        line_sums: Totals::default(),
        inherited: BTreeMap::new(),
    };
    for (row, response) in corpus.responses.iter().enumerate() {
        // Without anything before it, all that was not read is new.
        walk.laws[row].new_tokens = response.usage.prompt() - u128::from(response.usage.read);
    }
    let mut inherited: BTreeSet<(usize, usize)> = BTreeSet::new();
    for file in corpus.transcript_files() {
        let mut lanes = [Lane::default(), Lane::default()];
        let transcript = corpus.transcript(file);
        for (row, entry) in transcript.entries.iter().enumerate() {
            if is_reset(corpus, transcript, entry) {
                lanes = [Lane::default(), Lane::default()];
                continue;
            }
            let at = EntryRef { file, row: u32::try_from(row).unwrap_or(u32::MAX) };
            let Some(row) = corpus.response_of(at) else { continue };
            if kept[row] == Kept::Yes
                && let Some(usage) = transcript.usage(entry)
            {
                walk.line_sums += &usage.tokens();
            }
            let lane = &mut lanes[usize::from(entry.flags.has(Flags::SIDECHAIN))];
            if lane.last == Some(row) {
                continue;
            }
            let response = &corpus.responses[row];
            if response.owner == file {
                lane.judge(response, &mut walk.laws[row]);
            } else if let Some(session) = other_session(corpus, file, response)
                && scope.keeps_in(corpus, response, file) == Kept::Yes
            {
                inherited.insert((session, row));
            }
            lane.follow(row, response);
        }
    }
    for (session, _) in inherited {
        *walk.inherited.entry(session).or_default() += 1;
    }
    walk
}

fn other_session(corpus: &Corpus, file: FileId, response: &Response) -> Option<usize> {
    let session = corpus.session_of[file.0 as usize]?;
    (Some(session) != corpus.session_of[response.owner.0 as usize]).then_some(session)
}

/// A compaction or a microcompaction: what follows starts on a new prefix.
fn is_reset(corpus: &Corpus, transcript: &Transcript, entry: &Entry) -> bool {
    entry.kind == Kind::System
        && transcript.side(entry).is_some_and(|side| {
            matches!(corpus.strings.get(side.name), Some("compact_boundary" | "microcompact_boundary"))
        })
}

/// Where a lane stands.
#[derive(Default)]
struct Lane {
    last: Option<usize>,
    model: Option<Sym>,
    /// Read + written of the last response.
    expected: u128,
}

impl Lane {
    fn judge(&self, response: &Response, law: &mut Law) {
        if self.model != Some(response.model) {
            return;
        }
        let read = u128::from(response.usage.read);
        law.pairs = 1;
        law.exact = u64::from(read == self.expected);
        law.expected = self.expected;
        law.expected_read = read.min(self.expected);
        law.new_tokens = response.usage.prompt().saturating_sub(self.expected);
    }

    fn follow(&mut self, row: usize, response: &Response) {
        self.last = Some(row);
        self.model = Some(response.model);
        self.expected = u128::from(response.usage.read) + response.usage.written();
    }
}
