//! One row per JSON record of a transcript, and the side rows that only some kinds need.

use super::{NodeId, Sym};

/// Declares the entry types that are known by name; everything else is [`Kind::Other`].
macro_rules! kinds {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The `type` of an entry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $($variant,)* Other }

        impl Kind {
            /// The kind with this `type` string.
            #[must_use]
            pub fn from_name(name: &str) -> Self {
                match name { $($name => Self::$variant,)* _ => Self::Other }
            }

            /// The `type` string; `None` for [`Kind::Other`], whose name stands in its side row.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self { $(Self::$variant => Some($name),)* Self::Other => None }
            }
        }
    };
}

kinds! {
    User "user", Assistant "assistant", System "system", Attachment "attachment", Progress "progress",
    Summary "summary", CustomTitle "custom-title", AiTitle "ai-title", LastPrompt "last-prompt",
    TaskSummary "task-summary", Tag "tag", AgentName "agent-name", AgentColor "agent-color",
    AgentSetting "agent-setting", PrLink "pr-link", Mode "mode", PermissionMode "permission-mode",
    QueueOperation "queue-operation", WorktreeState "worktree-state", ContentReplacement "content-replacement",
    FileHistorySnapshot "file-history-snapshot", FileHistoryDelta "file-history-delta",
    AttributionSnapshot "attribution-snapshot", SpeculationAccept "speculation-accept",
    CollapseCommit "marble-origami-commit", CollapseSnapshot "marble-origami-snapshot",
    CostState "cost-state", AtisLatch "atis-latch", BridgeSession "bridge-session", FrameLink "frame-link",
    ForkContextRef "fork-context-ref", AutoreactLedger "artifact-autoreact-ledger",
    CommentMonitor "artifact-comment-monitor", ContinuedIn "continued-in", EndedByModel "ended-by-model",
    Relocated "relocated", HistorySuppression "history-suppression", ApiRequest "api-request",
    ApiRequestBlob "api-request-blob", ApiRequestShape "api-request-shape",
    ApiRequestResumed "api-request-resumed", ToolsUsed "tools-used",
}

/// Yes-or-no facts of an entry, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    /// `isSidechain`.
    pub const SIDECHAIN: Self = Self(1);
    /// `isMeta`: put in by the client, not typed.
    pub const META: Self = Self(1 << 1);
    /// `isCompactSummary`.
    pub const SUMMARY: Self = Self(1 << 2);
    /// `isApiErrorMessage`.
    pub const API_ERROR: Self = Self(1 << 3);
    /// Carries `forkedFrom`.
    pub const FORKED: Self = Self(1 << 4);
    /// A prompt that a person gave; the rule stands with the field reader.
    pub const HUMAN: Self = Self(1 << 5);
    /// Bytes had to be repaired or pieced together before the entry could be read.
    pub const REPAIRED: Self = Self(1 << 6);
    /// A token count was negative, fractional or no number and was read as absent.
    pub const IMPLAUSIBLE: Self = Self(1 << 7);
    /// Has a `timestamp` that is not a time.
    pub const BAD_TIME: Self = Self(1 << 8);
    /// Holds text that is not only white space.
    pub const TEXT: Self = Self(1 << 9);
    /// Holds a block of thinking, readable or not.
    pub const THINKING: Self = Self(1 << 10);
    /// Holds a `tool_use` block.
    pub const CALL: Self = Self(1 << 11);
    /// Holds a `tool_result` block.
    pub const RESULT: Self = Self(1 << 12);
    /// Holds a block of any other type.
    pub const OTHER_BLOCK: Self = Self(1 << 13);
    /// `explicit` of a last-prompt record: the person chose that leaf.
    pub const EXPLICIT: Self = Self(1 << 14);
    /// An attachment with the text that was sent for it.
    pub const RENDERED: Self = Self(1 << 15);
    /// `renderedRole` is `system`.
    pub const AS_SYSTEM: Self = Self(1 << 16);

    /// Everything in a message but thinking and white space.
    pub const CONTENT: [Self; 4] = [Self::TEXT, Self::CALL, Self::RESULT, Self::OTHER_BLOCK];

    #[must_use]
    pub const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    /// At least one of the flags of `any`.
    #[must_use]
    pub const fn has_any(self, any: &[Self]) -> bool {
        let mut at = 0;
        while at < any.len() {
            if self.has(any[at]) {
                return true;
            }
            at += 1;
        }
        false
    }

    pub const fn set(&mut self, flag: Self) {
        self.0 |= flag.0;
    }
}

/// Milliseconds since 1970 UTC, or nothing. Kept in 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    pub const NONE: Self = Self(i64::MIN);

    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    #[must_use]
    pub const fn ms(self) -> Option<i64> {
        if self.0 == i64::MIN { None } else { Some(self.0) }
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == i64::MIN
    }

    /// The earlier of two times; an absent one never wins.
    #[must_use]
    pub fn earlier(self, other: Self) -> Self {
        match (self.ms(), other.ms()) {
            (Some(a), Some(b)) => Self(a.min(b)),
            (Some(_), None) => self,
            _ => other,
        }
    }
}

/// Row number that stands for "no row".
pub const NO_ROW: u32 = u32::MAX;

/// One JSON record of a transcript. Its file is known from where the row is kept.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Byte offset of the record in its file.
    pub offset: u64,
    /// `timestamp`.
    pub time: Time,
    /// Bytes of the record, without the newline.
    pub len: u32,
    /// `uuid`.
    pub node: NodeId,
    /// `parentUuid`.
    pub parent: NodeId,
    /// Row of [`Envelope`], or [`NO_ROW`].
    pub envelope: u32,
    /// Row of the side table of its kind: [`Answer`] for assistant, [`Message`] for user, [`Side`] for the rest.
    pub detail: u32,
    /// Estimated tokens of the text that the model gets from this entry; see `model::estimate`.
    pub estimate: u32,
    pub kind: Kind,
    pub flags: Flags,
}

/// The fields that a client repeats on every entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Envelope {
    pub session: Sym,
    pub version: Sym,
    pub cwd: Sym,
    pub branch: Sym,
    pub agent: Sym,
}

/// What an assistant entry says beyond [`Entry`].
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// `message.id`.
    pub message: Sym,
    /// `requestId`.
    pub request: Sym,
    pub model: Sym,
    pub stop_reason: Sym,
    /// Row of [`UsageRow`], or [`NO_ROW`] where the entry has no usage.
    pub usage: u32,
    /// Row in the corpus's responses, or [`NO_ROW`] where the entry tells of none.
    pub response: u32,
    /// Characters of text, thinking and tool input.
    pub characters: u32,
    /// `costUSD` of old clients in pico-dollars; [`u64::MAX`] where absent.
    pub recorded_cost: u64,
}

/// The `usage` object as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UsageRow {
    pub input: u64,
    pub output: u64,
    /// `cache_creation_input_tokens`.
    pub flat_write: u64,
    pub write_5m: u64,
    pub write_1h: u64,
    pub read: u64,
    pub searches: u64,
    /// `speed`.
    pub speed: Sym,
    /// `inference_geo`.
    pub geo: Sym,
    /// `service_tier`.
    pub tier: Sym,
    /// First row and number of the advisor calls in `iterations`.
    pub advisors: (u32, u32),
    /// The flat write count stood in the record (it may be absent beside a split).
    pub has_flat: bool,
    /// A split object stood in the record.
    pub has_split: bool,
}

impl UsageRow {
    /// The counts, each token in one field only.
    #[must_use]
    pub fn tokens(&self) -> super::Usage {
        super::Usage {
            input: self.input,
            output: self.output,
            read: self.read,
            searches: self.searches,
            ..super::Usage::with_writes(self.flat_write, self.write_5m, self.write_1h)
        }
    }
}

/// An extra billed call inside a response: `usage.iterations[]` of kind advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Advisor {
    pub model: Sym,
    pub usage: super::Usage,
}

/// What a user entry says beyond [`Entry`].
#[derive(Clone, Copy, Debug)]
pub struct Message {
    /// `sourceToolAssistantUUID`.
    pub source: NodeId,
    /// `promptId`.
    pub prompt: Sym,
    /// `toolUseResult.agentId`: the agent whose work this result is.
    pub agent: Sym,
}

/// What any other entry says beyond [`Entry`].
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// `subtype` of a system entry, `attachment.type`, or the `type` of an unknown kind.
    pub name: Sym,
    /// `leafUuid` or `logicalParentUuid`.
    pub target: NodeId,
    /// `customTitle` or `agentName`: names that a person gave.
    pub title: Sym,
    /// Row of [`Boundary`], or of [`CostState`] where `is_cost`, or [`NO_ROW`].
    pub row: u32,
    pub is_cost: bool,
}

/// `compactMetadata` of a boundary. Token counts are the client's own.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    pub manual: Option<bool>,
    pub pre_tokens: Option<u64>,
    pub post_tokens: Option<u64>,
    pub dropped_tokens: Option<u64>,
    /// `preservedSegment`.
    pub segment: Option<Segment>,
    /// `preservedMessages`.
    pub preserved: Option<Preserved>,
}

/// A stretch of the chain that a compaction kept word for word, by its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub head: NodeId,
    /// The entry that it follows from now on.
    pub anchor: NodeId,
    pub tail: NodeId,
}

/// The entries that a compaction kept word for word, one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preserved {
    pub anchor: NodeId,
    /// In the order of the conversation.
    pub entries: Box<[NodeId]>,
    /// These and what hangs on them.
    pub all: Box<[NodeId]>,
}

/// The client's running total.
#[derive(Clone, Copy, Debug)]
pub struct CostState {
    /// `totalCostUSD` in pico-dollars; [`u64::MAX`] where it is no number.
    pub total: u64,
}

/// A `tool_use` block.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall {
    /// Row of the entry in the same file.
    pub entry: u32,
    pub id: Sym,
    pub name: Sym,
}

/// A `tool_result` block.
#[derive(Clone, Copy, Debug)]
pub struct ToolResult {
    /// Row of the entry in the same file.
    pub entry: u32,
    /// `tool_use_id`.
    pub call: Sym,
    pub is_error: bool,
}
