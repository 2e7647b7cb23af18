//! Everything that was read of one or more trees, in a fixed order.

use super::{
    Entry, EntryRef, NO_ROW, Nodes, Response, Settings, SourceFile, Strings, Sym, Transcript, TreeIssue,
    TreeIssueKind,
};

/// Row number of a file in [`Corpus::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A main transcript with its agents and side folder.
#[derive(Clone, Debug)]
pub struct Session {
    /// The stem of the main transcript, or the name of a side folder that has none.
    pub id: String,
    /// Row in [`Corpus::stores`].
    pub store: usize,
    pub main: Option<FileId>,
    /// Rows in [`Corpus::agents`].
    pub agents: Vec<usize>,
    /// The last title that a person gave it.
    pub title: Sym,
}

/// One agent transcript.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The part of the file name after `agent-`.
    pub id: String,
    pub file: FileId,
    /// Row in [`Corpus::sessions`].
    pub session: usize,
    /// From its meta file.
    pub meta: Option<AgentMeta>,
    /// The tool call that started it, and how that is known.
    pub call: Option<EntryRef>,
}

/// What `agent-<id>.meta.json` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentMeta {
    pub agent_type: Option<String>,
    pub tool_use: Option<String>,
}

/// A folder under `projects/`.
#[derive(Clone, Debug)]
pub struct Store {
    pub root: usize,
    /// Name of the folder: the slug of a path, never decoded.
    pub slug: String,
    /// The most frequent `cwd` of its entries; [`Sym::NONE`] where there are none.
    pub cwd: Sym,
    /// Rows in [`Corpus::sessions`].
    pub sessions: Vec<usize>,
}

/// The parsed trees. Files are sorted by root and path; every list follows from that order.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The roots as given.
    pub roots: Vec<String>,
    pub files: Vec<SourceFile>,
    /// What was read of each file; empty for files that are no transcripts.
    pub transcripts: Vec<Transcript>,
    pub tree_issues: Vec<TreeIssue>,
    /// Of each root.
    pub settings: Vec<Settings>,
    pub strings: Strings,
    pub nodes: Nodes,
    pub stores: Vec<Store>,
    pub sessions: Vec<Session>,
    pub agents: Vec<Agent>,
    /// Row in [`Corpus::sessions`] of each file.
    pub session_of: Vec<Option<usize>>,
    /// Row in [`Corpus::agents`] of each file.
    pub agent_of: Vec<Option<usize>>,
    pub responses: Vec<Response>,
    /// Entries of the model `<synthetic>`, in file order.
    pub synthetic: Vec<EntryRef>,
    /// Assistant entries of a real model without usage.
    pub without_usage: Vec<EntryRef>,
}

impl Corpus {
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    #[must_use]
    pub fn transcript(&self, id: FileId) -> &Transcript {
        &self.transcripts[id.0 as usize]
    }

    #[must_use]
    pub fn entry(&self, at: EntryRef) -> &Entry {
        &self.transcript(at.file).entries[at.row as usize]
    }

    /// The response that an entry tells of.
    #[must_use]
    pub fn response_of(&self, at: EntryRef) -> Option<usize> {
        let transcript = self.transcript(at.file);
        let answer = transcript.answer(transcript.entries.get(at.row as usize)?)?;
        (answer.response != NO_ROW).then_some(answer.response as usize)
    }

    /// Notes that an entry tells of a response.
    pub(crate) fn set_response(&mut self, at: EntryRef, response: usize) {
        let transcript = &mut self.transcripts[at.file.0 as usize];
        let detail = transcript.entries[at.row as usize].detail;
        if let Some(answer) = transcript.answers.get_mut(detail as usize) {
            answer.response = u32::try_from(response).unwrap_or(NO_ROW);
        }
    }

    /// Transcripts in path order.
    pub fn transcript_files(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.files.len()).filter(|&at| self.files[at].kind.is_transcript()).map(file_id)
    }

    /// Stretches of transcripts that gave no entry.
    #[must_use]
    pub fn losses(&self) -> u64 {
        let issues = self.transcript_files().flat_map(|file| &self.transcript(file).issues);
        issues.filter(|issue| issue.kind.is_loss()).count() as u64
    }

    /// Files and folders that the system did not let us read.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.tree_issues.iter().filter(|issue| issue.kind == TreeIssueKind::Unreadable).count() as u64
    }

    /// The session of a file.
    #[must_use]
    pub fn session(&self, file: FileId) -> Option<&Session> {
        self.session_of[file.0 as usize].map(|row| &self.sessions[row])
    }

    /// What a project is called: the most frequent working directory of its store, else the slug.
    #[must_use]
    pub fn project(&self, store: usize) -> &str {
        let store = &self.stores[store];
        self.strings.get(store.cwd).unwrap_or(&store.slug)
    }
}

/// Files are counted in 32 bits: discovery would run out of memory long before.
#[must_use]
pub(crate) fn file_id(row: usize) -> FileId {
    FileId(u32::try_from(row).unwrap_or(u32::MAX))
}
