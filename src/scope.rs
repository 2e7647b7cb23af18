//! Which responses a report is about.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::{Corpus, Response, Time};

/// What narrows a report, resolved from the command line.
#[derive(Clone, Debug)]
pub struct Scope {
    /// First millisecond that counts.
    pub since: Option<i64>,
    /// First millisecond that does not count any more.
    pub until: Option<i64>,
    pub projects: Patterns,
    pub sessions: Patterns,
    pub models: Patterns,
    /// Where days are cut.
    pub zone: TimeZone,
}

/// Whether a response is in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Yes,
    No,
    /// Left out only because a time range was asked for and it has no usable time.
    NoTime,
}

impl Scope {
    /// Everything, with days cut in `zone`.
    #[must_use]
    pub fn all(zone: TimeZone) -> Self {
        let (projects, sessions, models) = (Patterns::default(), Patterns::default(), Patterns::default());
        Self { since: None, until: None, projects, sessions, models, zone }
    }

    /// Whether a response counts.
    #[must_use]
    pub fn keeps(&self, corpus: &Corpus, response: &Response) -> Kept {
        if !self.models.matches(corpus.strings.text(response.model)) {
            return Kept::No;
        }
        if let Some(session) = corpus.session(response.owner) {
            let store = &corpus.stores[session.store];
            let project =
                self.projects.matches(corpus.project(session.store)) || self.projects.matches(&store.slug);
            if !project || !self.sessions.matches(&session.id) {
                return Kept::No;
            }
        }
        match response.start.ms() {
            _ if self.since.is_none() && self.until.is_none() => Kept::Yes,
            None => Kept::NoTime,
            Some(ms) if self.since.is_some_and(|since| ms < since) => Kept::No,
            Some(ms) if self.until.is_some_and(|until| ms >= until) => Kept::No,
            Some(_) => Kept::Yes,
        }
    }

    /// A time on the clock of the scope's zone.
    #[must_use]
    pub fn civil(&self, time: Time) -> Option<jiff::ZonedDateTime> {
        let timestamp = Timestamp::from_millisecond(time.ms()?).ok()?;
        Some(timestamp.to_zoned_datetime(self.zone.clone()))
    }
}

/// Patterns of one flag; none of them matches everything.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Option<GlobSet>);

impl Patterns {
    /// A pattern with `*`, `?`, `[` or `{` is a glob over the whole name; one without matches any name that
    /// contains it.
    ///
    /// # Errors
    /// What is wrong with a glob.
    pub fn new(patterns: &[String]) -> Result<Self, globset::Error> {
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let glob =
                if pattern.contains(['*', '?', '[', '{']) { pattern.clone() } else { format!("*{pattern}*") };
            set.add(GlobBuilder::new(&glob).build()?);
        }
        Ok(Self(Some(set.build()?)))
    }

    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|set| set.is_match(name))
    }
}
