//! A limit on how many findings one broken file can give.

use std::collections::BTreeMap;

use super::Finding;
use crate::rule::Level;

/// Findings of one rule and level that are listed for one file; more are counted.
pub const LISTED: u64 = 1_000;

/// Collects findings. A file may be broken in millions of places, and each finding takes hundreds of bytes of memory,
/// so behind [`LISTED`] of a kind the last one tells how many more there are.
#[derive(Debug, Default)]
pub struct Bounded {
    findings: Vec<Finding>,
    /// By path, empty for findings without a place.
    files: BTreeMap<String, Vec<Kind>>,
}

/// Findings of one rule and level in one file.
#[derive(Debug)]
struct Kind {
    rule: &'static str,
    level: Level,
    listed: u64,
    /// The row of the last one.
    last: usize,
}

impl Bounded {
    /// Adds a finding, or counts it.
    pub fn add(&mut self, finding: Finding) {
        let path = finding.location.as_ref().map_or("", |location| location.path.as_str());
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), Vec::new());
        }
        let Some(kinds) = self.files.get_mut(path) else { return };
        let (rule, level, last) = (finding.rule.id, finding.level, self.findings.len());
        match kinds.iter_mut().find(|kind| kind.rule == rule && kind.level == level) {
            Some(kind) if kind.listed == LISTED => {
                self.findings[kind.last].more += 1;
                return;
            }
            Some(kind) => (kind.listed, kind.last) = (kind.listed + 1, last),
            None => kinds.push(Kind { rule, level, listed: 1, last }),
        }
        self.findings.push(finding);
    }

    /// What is listed, in the order in which it was added.
    #[must_use]
    pub fn into_vec(self) -> Vec<Finding> {
        self.findings
    }
}

impl Extend<Finding> for Bounded {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }
}
