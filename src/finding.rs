//! One rule broken at one place. Uses `rule` and `model`.
//!
//! A finding begins with [`Rule::at`], so there is none without a rule. What the message says is for people and may
//! change; what a baseline keeps is the [`Finding::fingerprint`].

mod bounded;

use std::cmp::Ordering;
use std::fmt;

use crate::model::Location;
use crate::rule::{Confidence, Level, Rule};

pub use bounded::{Bounded, LISTED};

/// One rule broken at one place, with what speaks for it and what can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    /// The rule's level unless the place called for another one.
    pub level: Level,
    pub confidence: Confidence,
    /// One sentence for people, without message text of a transcript and without the subject's name.
    pub message: String,
    /// What the sentence is about, where the location does not say it.
    pub subject: Option<Subject>,
    pub location: Option<Location>,
    /// Named facts in the order they were given.
    pub evidence: Vec<(&'static str, String)>,
    pub fix: Option<Fix>,
    /// Places of the rule in the same file that stand behind this one and are not listed.
    pub more: u64,
    // Private: keeps `Rule::at` the only way to make a finding.
    key: String,
}

/// A name of the tree that a finding is about. Apart from the message, so that it can be left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Id of a response.
    Response(String),
    /// Name of a model, empty where responses name none.
    Model(String),
    /// Type of entries, and the version of the client that wrote them, empty where they name none.
    Type { name: String, version: String },
}

/// What to do about a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fix {
    /// Advice in words.
    Sentence(String),
    /// A command line to run as it stands.
    Command(String),
}

impl Rule {
    /// Starts a finding of this rule, at its default level and with high confidence.
    #[must_use]
    pub fn at(&'static self, location: impl Into<Option<Location>>, message: impl Into<String>) -> Finding {
        Finding {
            rule: self,
            level: self.level,
            confidence: Confidence::High,
            message: message.into(),
            subject: None,
            location: location.into(),
            evidence: Vec::new(),
            fix: None,
            more: 0,
            key: String::new(),
        }
    }
}

impl Finding {
    /// Another level than the rule's, because the place at hand is better or worse than the usual one.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    #[must_use]
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence;
        self
    }

    /// Names what the message is about.
    #[must_use]
    pub fn about(mut self, subject: Subject) -> Self {
        self.subject = Some(subject);
        self
    }

    /// Adds a named fact.
    #[must_use]
    pub fn evidence(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.evidence.push((name, value.to_string()));
        self
    }

    /// Says in words what to do.
    #[must_use]
    pub fn fix_sentence(mut self, sentence: impl Into<String>) -> Self {
        self.fix = Some(Fix::Sentence(sentence.into()));
        self
    }

    /// Gives a command line that helps.
    #[must_use]
    pub fn fix_command(mut self, command: impl Into<String>) -> Self {
        self.fix = Some(Fix::Command(command.into()));
        self
    }

    /// Tells findings of one rule in one file apart: a uuid, a message id, a [`digest`] of the bytes concerned.
    /// Never an offset or a line number, which change whenever something is written above.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// 16 hex digits that stay the same when lines are inserted above, the tree is moved or the wording changes.
    ///
    /// Findings without a key of their own share the fingerprint of their rule and file, and so do two equal places
    /// of one file: who compares runs must count, not only look up.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let path = self.location.as_ref().map_or("", |location| location.path.as_str());
        let mut hash = Fnv::default();
        for part in [self.rule.id, path, self.key.as_str()] {
            hash.write(part.as_bytes());
            // No byte of UTF-8 text is 0xFF, so parts cannot run into each other.
            hash.write(&[0xFF]);
        }
        hash.hex()
    }

    /// Order of output: worst level first, then rule, place and wording. Total: equal means equal in every field.
    #[must_use]
    pub fn output_order(&self, other: &Self) -> Ordering {
        other
            .level
            .cmp(&self.level)
            .then_with(|| self.rule.id.cmp(other.rule.id))
            .then_with(|| self.location.cmp(&other.location))
            .then_with(|| self.subject.cmp(&other.subject))
            .then_with(|| self.message.cmp(&other.message))
            .then_with(|| self.key.cmp(&other.key))
            .then_with(|| self.evidence.cmp(&other.evidence))
            .then_with(|| other.confidence.cmp(&self.confidence))
            .then_with(|| self.fix.cmp(&other.fix))
            .then_with(|| self.more.cmp(&other.more))
    }
}

/// How many places findings tell of, listed or not.
#[must_use]
pub fn places<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> u64 {
    findings.into_iter().map(|finding| 1 + finding.more).sum()
}

/// Brings findings into the order of output, whatever order the analyses and threads made them in.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_unstable_by(Finding::output_order);
}

/// 16 hex digits for some bytes: a key for places that have no name of their own, such as a damaged stretch.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let mut hash = Fnv::default();
    hash.write(bytes);
    hash.hex()
}

/// FNV-1a, 64 bits. Written out because baselines outlive versions, and no hasher of std or of a crate promises to
/// give the same number next year.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Status, Tier};

    static ODD: Rule = Rule {
        id: "odd-thing",
        summary: "something is odd",
        doc: "",
        level: Level::Note,
        tier: Tier::A,
        status: Status::Stable { since: "0.1.0" },
        constants: &[],
    };
    static LOST: Rule = Rule {
        id: "lost-thing",
        summary: "something is lost",
        doc: "",
        level: Level::Error,
        tier: Tier::A,
        status: Status::Stable { since: "0.1.0" },
        constants: &[],
    };

    fn place(offset: u64) -> Location {
        Location::bytes("projects/-home-dev-alpha/a.jsonl", offset, 3)
    }

    #[test]
    fn hash_matches_the_published_vectors() {
        assert_eq!(digest(b""), "cbf29ce484222325");
        assert_eq!(digest(b"a"), "af63dc4c8601ec8c");
        assert_eq!(digest(b"foobar"), "85944171f73967e8");
    }

    #[test]
    fn fingerprint_ignores_offset_wording_level_and_evidence() {
        let early = ODD.at(place(10), "odd").key("u1");
        let late = ODD.at(place(900), "very odd").key("u1").level(Level::Error).evidence("bytes", 3);
        assert_eq!(early.fingerprint(), late.fingerprint());
        assert_eq!(early.fingerprint(), "de55e81b9fbe589e");
    }

    #[test]
    fn fingerprint_sees_rule_path_and_key() {
        let one = ODD.at(place(10), "odd").key("u1");
        assert_ne!(one.fingerprint(), LOST.at(place(10), "odd").key("u1").fingerprint());
        assert_ne!(one.fingerprint(), ODD.at(place(10), "odd").key("u2").fingerprint());
        assert_ne!(one.fingerprint(), ODD.at(Location::file("b"), "odd").key("u1").fingerprint());
        let (left, right) = (Location::file("ab"), Location::file("a"));
        assert_ne!(ODD.at(left, "x").key("c").fingerprint(), ODD.at(right, "x").key("bc").fingerprint());
    }

    #[test]
    fn output_is_ordered_worst_first_then_by_rule_and_place() {
        let mut findings = vec![
            ODD.at(place(5), "b"),
            ODD.at(place(5), "a"),
            ODD.at(place(1), "z"),
            ODD.at(None, "about the whole tree"),
            LOST.at(place(7), "gone"),
            ODD.at(Location::file("projects/-a/a.jsonl"), "odd").level(Level::Warning),
        ];
        sort(&mut findings);
        let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["gone", "odd", "about the whole tree", "z", "a", "b"]);
    }

    #[test]
    fn builder_keeps_what_it_is_given() {
        let finding = LOST
            .at(place(7), "gone")
            .confidence(Confidence::Certain)
            .evidence("bytes", 120)
            .evidence("recovered", "yes")
            .fix_command("ccaudit fsck --all");
        assert_eq!(finding.level, Level::Error);
        assert_eq!(finding.confidence, Confidence::Certain);
        assert_eq!(finding.evidence, [("bytes", "120".to_owned()), ("recovered", "yes".to_owned())]);
        assert_eq!(finding.fix, Some(Fix::Command("ccaudit fsck --all".to_owned())));
    }
}
