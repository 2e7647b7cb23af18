//! Files of a tree, and what was read of each transcript.

use super::{
    Advisor, Answer, Boundary, CostState, Entry, Envelope, Issue, Message, Side, Sym, ToolCall, ToolResult,
    UsageRow,
};

/// What a file of a tree is, by its place and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// `projects/<slug>/<session>.jsonl`
    Main,
    /// `…/subagents/agent-<id>.jsonl`, or the flat `agent-<id>.jsonl` of old clients
    Agent,
    /// `agent-acompact-<id>.jsonl`: the transcript of a summary request
    Acompact,
    /// An agent below `subagents/workflows/<run>/`
    Workflow,
    /// `journal.jsonl` of a workflow run
    Journal,
    /// `agent-<id>.meta.json`
    AgentMeta,
    /// A topic file of a memory folder
    Memory,
    /// `MEMORY.md` of a memory folder
    Index,
    /// A day log below a `logs` folder
    MemoryLog,
    SessionsIndex,
    History,
    ToolResult,
    FileHistory,
    Settings,
    /// `.claude.json`, inside the tree or beside it
    ClientState,
    /// `CLAUDE.md` and rules of the user
    Instructions,
    /// A transcript that was put aside: `*.orphaned*`, `*.superseded*`
    SetAside,
    /// Known leftovers: todos, tasks, plans, debug logs, snapshots and the like
    Leftover,
    Unknown,
}

impl FileKind {
    /// Stable name for machine formats.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Agent => "agent",
            Self::Acompact => "acompact",
            Self::Workflow => "workflow",
            Self::Journal => "journal",
            Self::AgentMeta => "agent-meta",
            Self::Memory => "memory",
            Self::Index => "index",
            Self::MemoryLog => "memory-log",
            Self::SessionsIndex => "sessions-index",
            Self::History => "history",
            Self::ToolResult => "tool-result",
            Self::FileHistory => "file-history",
            Self::Settings => "settings",
            Self::ClientState => "client-state",
            Self::Instructions => "instructions",
            Self::SetAside => "set-aside",
            Self::Leftover => "leftover",
            Self::Unknown => "unknown",
        }
    }

    /// True for what a report can be about: what was said, run, remembered or put aside. Configuration and leftovers
    /// alone make no tree.
    #[must_use]
    pub const fn is_kept_work(self) -> bool {
        !matches!(
            self,
            Self::Settings | Self::ClientState | Self::Instructions | Self::Leftover | Self::Unknown
        )
    }

    /// True for the files whose lines are entries of a conversation.
    #[must_use]
    pub const fn is_transcript(self) -> bool {
        matches!(self, Self::Main | Self::Agent | Self::Acompact | Self::Workflow)
    }
}

/// A file as it lies on the disk.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Which of the roots given holds it.
    pub root: usize,
    /// Path below that root, with `/` between the parts.
    pub path: String,
    /// Where it is opened.
    pub disk: std::path::PathBuf,
    pub kind: FileKind,
    /// Bytes when it was listed.
    pub len: u64,
    /// Last change in milliseconds since 1970 UTC; `None` where the system does not say.
    pub modified: Option<i64>,
    /// Name of the folder under `projects/` that holds it.
    pub store: Option<String>,
    /// The session it belongs to: the stem of a main transcript or the name of the side folder.
    pub session: Option<String>,
}

/// Something about the tree itself that stood in the way of reading it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeIssue {
    pub root: usize,
    pub path: String,
    pub kind: TreeIssueKind,
    /// What the system said, where that helps.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeIssueKind {
    SymlinkLoop,
    BrokenSymlink,
    Unreadable,
    /// A `.jsonl` that is a folder or a device.
    NotAFile,
}

/// What was read of one transcript. Rows refer to each other by their number in the same file.
#[derive(Debug, Default)]
pub struct Transcript {
    pub entries: Vec<Entry>,
    pub envelopes: Vec<Envelope>,
    pub answers: Vec<Answer>,
    pub usages: Vec<UsageRow>,
    pub advisors: Vec<Advisor>,
    pub messages: Vec<Message>,
    pub sides: Vec<Side>,
    pub boundaries: Vec<Boundary>,
    pub costs: Vec<CostState>,
    pub calls: Vec<ToolCall>,
    pub results: Vec<ToolResult>,
    /// Sorted by offset.
    pub issues: Vec<Issue>,
    /// Bytes of white space and newlines between records.
    pub blank_bytes: u64,
    /// Bytes of the fields that are the same on almost every entry.
    pub envelope_bytes: u64,
    /// Bytes read; equals entries + issues that own bytes + blanks.
    pub bytes: u64,
    /// Lines that the fast reader was not trusted with, or refused.
    pub slow_lines: u64,
}

impl Transcript {
    /// Gives back the memory that growing has left over.
    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.envelopes.shrink_to_fit();
        self.answers.shrink_to_fit();
        self.usages.shrink_to_fit();
        self.messages.shrink_to_fit();
        self.sides.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.results.shrink_to_fit();
    }

    /// The envelope of an entry.
    #[must_use]
    pub fn envelope(&self, entry: &Entry) -> Envelope {
        self.envelopes.get(entry.envelope as usize).copied().unwrap_or(Envelope::NONE)
    }

    /// The answer row of an assistant entry.
    #[must_use]
    pub fn answer(&self, entry: &Entry) -> Option<&Answer> {
        if entry.kind == super::Kind::Assistant { self.answers.get(entry.detail as usize) } else { None }
    }

    /// The usage of an assistant entry.
    #[must_use]
    pub fn usage(&self, entry: &Entry) -> Option<&UsageRow> {
        self.answer(entry).and_then(|answer| self.usages.get(answer.usage as usize))
    }

    /// The side row of an entry that is neither user nor assistant.
    #[must_use]
    pub fn side(&self, entry: &Entry) -> Option<&Side> {
        if matches!(entry.kind, super::Kind::Assistant | super::Kind::User) {
            None
        } else {
            self.sides.get(entry.detail as usize)
        }
    }

    /// The message row of a user entry.
    #[must_use]
    pub fn message(&self, entry: &Entry) -> Option<&Message> {
        if entry.kind == super::Kind::User { self.messages.get(entry.detail as usize) } else { None }
    }

    /// The boundary row of a compact boundary.
    #[must_use]
    pub fn boundary(&self, entry: &Entry) -> Option<&Boundary> {
        if entry.kind == super::Kind::System {
            self.side(entry).and_then(|side| self.boundaries.get(side.row as usize))
        } else {
            None
        }
    }
}

impl Envelope {
    pub const NONE: Self =
        Self { session: Sym::NONE, version: Sym::NONE, cwd: Sym::NONE, branch: Sym::NONE, agent: Sym::NONE };
}
