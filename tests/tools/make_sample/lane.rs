//! Token counts of one cache lane. Every read is what the response before it left in the cache, except where the story
//! breaks it: a pause longer than the time to live, another model, another set of tools.

/// Counts of one response, as its `usage` says them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) read: u64,
    pub(crate) write_5m: u64,
    pub(crate) write_1h: u64,
    pub(crate) output: u64,
    pub(crate) thinking: u64,
    /// Through a gateway that knows no prompt caching: zeros, and no split.
    pub(crate) uncached: bool,
    /// A request that no row shows, only the client's own bill.
    pub(crate) hidden: bool,
    /// What the server says it missed because the tools changed.
    pub(crate) missed: Option<u64>,
}

impl Usage {
    pub(crate) fn write(&self) -> u64 {
        self.write_5m + self.write_1h
    }

    pub(crate) fn prompt(&self) -> u64 {
        self.input + self.read + self.write()
    }
}

/// What is in the cache and since when.
#[derive(Clone)]
pub(crate) struct Lane {
    /// Tokens that the next request finds, if nothing breaks; none before the first response.
    cached: Option<u64>,
    /// After a compaction only the system prompt and the tools are still cached.
    base: Option<u64>,
    last_use: i64,
    model: &'static str,
    pub(crate) one_hour: bool,
    /// The next request comes with other tools and finds only this much.
    pub(crate) tools_changed: Option<u64>,
}

impl Lane {
    pub(crate) fn new(model: &'static str) -> Self {
        Self { cached: None, base: None, last_use: 0, model, one_hour: false, tools_changed: None }
    }

    pub(crate) fn cached(&self) -> u64 {
        self.cached.unwrap_or(0)
    }

    /// Only the first `tokens` are still the same: after a compaction.
    pub(crate) fn reset_to(&mut self, tokens: u64) {
        self.base = Some(tokens);
    }

    /// The conversation goes on from an older response, whose prefix is still cached.
    pub(crate) fn rewind_to(&mut self, cached: u64) {
        self.cached = Some(cached);
    }

    pub(crate) fn used(&mut self, at: i64) {
        self.last_use = at;
    }

    /// The request that begins at `start` and adds `new` tokens to the conversation.
    pub(crate) fn next(&mut self, start: i64, new: u64, model: &'static str) -> Usage {
        let live = if self.one_hour { 3_600_000 } else { 300_000 };
        let expected = self.cached.unwrap_or(0);
        let cold = start - self.last_use > live || model != self.model;
        let mut usage = Usage { input: 3, ..Usage::default() };
        let (read, write) = match (self.base.take(), self.tools_changed.take()) {
            (Some(base), _) => (base, new),
            (None, Some(kept)) if !cold => {
                usage.missed = Some(expected - kept);
                (kept, expected - kept + new)
            }
            _ if cold => (0, expected + new),
            _ => (expected, new),
        };
        usage.read = read;
        if self.one_hour {
            usage.write_1h = write;
        } else {
            usage.write_5m = write;
        }
        self.model = model;
        self.cached = Some(read + write);
        usage
    }
}
