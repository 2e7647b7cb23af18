//! Settings that explain why data is missing.

/// How long transcripts are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    pub days: i64,
    /// The settings file that says so; `None` for the default.
    pub file: Option<String>,
}

/// What a setting switches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// No cache fields: 0 % is then configuration and no fault.
    PromptCaching,
    /// No transcripts and no history.
    Persistence,
    AutoMemory,
    /// Neither CLAUDE.md nor auto memory in context.
    Instructions,
}

/// A setting that switches something off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchedOff {
    pub switch: Switch,
    /// The name of the setting or of the environment variable that it sets.
    pub setting: String,
    /// The settings file, relative to its root.
    pub file: String,
}

/// What the settings of a tree say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub retention: Retention,
    /// Sorted.
    pub off: Vec<SwitchedOff>,
    /// Settings files that say nothing.
    pub ignored: Vec<IgnoredSettings>,
}

/// A settings file that says nothing, relative to its root, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredSettings {
    pub file: String,
    /// What the system said; `None` where the file could be read and is no JSON object.
    pub unreadable: Option<String>,
}
