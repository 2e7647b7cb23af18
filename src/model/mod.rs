//! Plain data: what a tree holds, as numbers and interned names. No input or output here.
//!
//! A *tree* holds *stores*, a store holds *sessions*, a session is a main *transcript* with its agent
//! transcripts, a transcript is a sequence of *entries*; all entries with one `message.id` are one *response*.

mod corpus;
mod entry;
pub mod estimate;
mod file;
mod intern;
mod issue;
mod location;
mod response;
mod settings;
mod usage;
mod version;

pub use corpus::{Agent, AgentMeta, Corpus, FileId, Session, Store};
pub use entry::{
    Advisor, Answer, Boundary, CostState, Entry, Envelope, Flags, Kind, Message, NO_ROW, Preserved, Segment,
    Side, Time, ToolCall, ToolResult, UsageRow,
};
pub use file::{FileKind, SourceFile, Transcript, TreeIssue, TreeIssueKind};
pub use intern::{NodeId, NodeMap, Nodes, Strings, Sym, SymMap};
pub use issue::{Issue, IssueKind};
pub use location::Location;
pub use response::{EntryRef, Response, ResponseFlags};
pub use settings::{IgnoredSettings, Retention, Settings, Switch, SwitchedOff};
pub use usage::{Totals, Usage};
pub use version::version_order;
