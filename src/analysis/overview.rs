//! One screen: what a tree holds and what in it needs a look.

use std::collections::BTreeSet;

use super::cache::{self, CacheOptions, CacheReport};
use super::retention::{self, Expiry};
use super::{counting, dag, fsck};
use crate::finding::{self, Finding};
use crate::model::{Corpus, FileKind, Flags, version_order};
use crate::prices::PriceTable;
use crate::scope::Scope;
use crate::source::Source;
use crate::world::{Presence, World};

/// What `overview` shows.
#[derive(Debug)]
pub struct OverviewReport {
    pub stores: u64,
    pub sessions: u64,
    pub agents: u64,
    pub memories: u64,
    /// Prompts that a person gave, over the main transcripts.
    pub prompts: u64,
    pub entries: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Files by kind, in the order of the kinds.
    pub files: Vec<(FileKind, u64, u64)>,
    /// Client versions, oldest first.
    pub versions: Vec<String>,
    /// Days of the first and the last entry with a time.
    pub days: Option<(String, String)>,
    pub cache: CacheReport,
    pub losses: u64,
    /// Per root, in the order given.
    pub expiry: Vec<Expiry>,
    /// Projects by what lies at their path now: there, missing, unknown.
    pub projects: (u64, u64, u64),
    /// All findings, in output order.
    pub findings: Vec<Finding>,
}

/// Looks at everything. `now` in milliseconds since 1970.
#[must_use]
pub fn analyze(
    corpus: &Corpus,
    scope: &Scope,
    prices: &PriceTable,
    world: &dyn World,
    source: &dyn Source,
    now: i64,
) -> OverviewReport {
    let cache = cache::analyze(corpus, &CacheOptions { scope, prices, by: &[] });
    let fsck = fsck::analyze(corpus, now);
    let mut findings = fsck.findings;
    findings.extend(dag::findings(corpus, source));
    findings.extend(counting::findings(corpus, prices));
    let expiry = retention::expiry(corpus, now);
    findings.extend(retention::findings(&expiry));
    finding::sort(&mut findings);
    let count = |kind: FileKind| corpus.files.iter().filter(|file| file.kind == kind).count() as u64;
    OverviewReport {
        stores: corpus.stores.len() as u64,
        sessions: corpus.sessions.iter().filter(|session| session.main.is_some()).count() as u64,
        agents: corpus.agents.len() as u64,
        memories: count(FileKind::Memory),
        prompts: prompts(corpus),
        entries: fsck.totals.entries,
        bytes: corpus.files.iter().map(|file| file.len).sum(),
        files: by_kind(corpus),
        versions: versions(corpus),
        days: days(corpus, scope),
        losses: fsck.totals.losses,
        expiry,
        projects: projects(corpus, world),
        cache,
        findings,
    }
}

/// Paths whose presence [`analyze`] asks for.
#[must_use]
pub fn paths(corpus: &Corpus) -> Vec<&str> {
    corpus.stores.iter().filter_map(|store| corpus.strings.get(store.cwd)).collect()
}

fn prompts(corpus: &Corpus) -> u64 {
    let mains = corpus.sessions.iter().filter_map(|session| session.main);
    mains
        .flat_map(|file| &corpus.transcript(file).entries)
        .filter(|entry| entry.flags.has(Flags::HUMAN))
        .count() as u64
}

fn by_kind(corpus: &Corpus) -> Vec<(FileKind, u64, u64)> {
    let mut kinds = std::collections::BTreeMap::new();
    for file in &corpus.files {
        let kind: &mut (u64, u64) = kinds.entry(file.kind).or_default();
        kind.0 += 1;
        kind.1 += file.len;
    }
    kinds.into_iter().map(|(kind, (files, bytes))| (kind, files, bytes)).collect()
}

fn versions(corpus: &Corpus) -> Vec<String> {
    let envelopes = corpus.transcripts.iter().flat_map(|rows| &rows.envelopes);
    let names: BTreeSet<&str> =
        envelopes.filter_map(|envelope| corpus.strings.get(envelope.version)).collect();
    let mut versions: Vec<&str> = names.into_iter().collect();
    versions.sort_by_cached_key(|version| version_order(version));
    versions.into_iter().map(ToOwned::to_owned).collect()
}

fn days(corpus: &Corpus, scope: &Scope) -> Option<(String, String)> {
    let times = || {
        corpus
            .transcripts
            .iter()
            .flat_map(|rows| &rows.entries)
            .map(|entry| entry.time)
            .filter(|time| !time.is_none())
    };
    let day = |time| scope.civil(time).map(|time| time.strftime("%Y-%m-%d").to_string());
    Some((day(times().min()?)?, day(times().max()?)?))
}

fn projects(corpus: &Corpus, world: &dyn World) -> (u64, u64, u64) {
    let mut found = (0, 0, 0);
    for path in paths(corpus) {
        match world.presence(path) {
            Presence::Folder | Presence::File => found.0 += 1,
            Presence::Missing => found.1 += 1,
            Presence::Unknown => found.2 += 1,
        }
    }
    found
}
