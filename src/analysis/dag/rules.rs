//! Rules about the graph of a session. What would be lost is a warning or an error, what only hangs loose a note.

use crate::rule::{Level, Rule, Status, Tier};

pub static DANGLING_PARENT: Rule = Rule {
    id: "dangling-parent",
    summary: "entries name a parent that is nowhere in the session",
    doc: include_str!("../../rule/docs/dangling-parent.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static DANGLING_LOGICAL_PARENT: Rule = Rule {
    id: "dangling-logical-parent",
    summary: "a compaction names an entry before it that is nowhere in the session",
    doc: include_str!("../../rule/docs/dangling-logical-parent.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static PARENT_CYCLE: Rule = Rule {
    id: "parent-cycle",
    summary: "parents lead round in a circle",
    doc: include_str!("../../rule/docs/parent-cycle.md"),
    level: Level::Error,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static CONFLICTING_COPY: Rule = Rule {
    id: "conflicting-copy",
    summary: "entries of a session have one uuid and say different things",
    doc: include_str!("../../rule/docs/conflicting-copy.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static LOST_BRANCH: Rule = Rule {
    id: "lost-branch",
    summary: "a branch with prompts and answers was left behind, and not by a rewind",
    doc: include_str!("../../rule/docs/lost-branch.md"),
    level: Level::Warning,
    tier: Tier::B,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static JUMP_OVER_BOUNDARY: Rule = Rule {
    id: "jump-over-boundary",
    summary: "an entry after a compaction hangs on one from before it",
    doc: include_str!("../../rule/docs/jump-over-boundary.md"),
    level: Level::Warning,
    tier: Tier::B,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static UNANSWERED_TOOL_CALL: Rule = Rule {
    id: "unanswered-tool-call",
    summary: "a tool call has no result although the conversation went on",
    doc: include_str!("../../rule/docs/unanswered-tool-call.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static THINKING_ONLY_ORPHAN: Rule = Rule {
    id: "thinking-only-orphan",
    summary: "an answer holds nothing but thinking, so it does not come back on resume",
    doc: include_str!("../../rule/docs/thinking-only-orphan.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static LOST_ON_RESUME: Rule = Rule {
    id: "lost-on-resume",
    summary: "a prompt that was sent does not come back when the session is resumed",
    doc: include_str!("../../rule/docs/lost-on-resume.md"),
    level: Level::Warning,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static VERSION_DEPENDENT_LEAF: Rule = Rule {
    id: "version-dependent-leaf",
    summary: "client versions would resume the session at different places",
    doc: include_str!("../../rule/docs/version-dependent-leaf.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};

pub static AGENT_WITHOUT_PARENT: Rule = Rule {
    id: "agent-without-parent",
    summary: "no tool call that started an agent is found",
    doc: include_str!("../../rule/docs/agent-without-parent.md"),
    level: Level::Note,
    tier: Tier::A,
    status: Status::Stable { since: "0.1.0" },
    constants: &[],
};
