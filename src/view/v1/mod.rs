//! Machine formats, frozen: version 1 of the JSON that each command writes.
//!
//! Fields are added, never renamed or given another meaning. Tokens are integers, money is an integer number of
//! pico-dollars (1 USD = 10^12), times are RFC 3339 in UTC, days are `YYYY-MM-DD` in the zone that `filters` names.
//! Nothing here derives from an internal type.

mod cache;
mod dag;
mod fsck;
mod overview;
#[cfg(feature = "tables")]
mod query;
mod rules;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

pub use cache::{Cache, Numbers, Prices, Ratio, cache, ratios};
pub use dag::{
    Dag, DagContext, DagLanes, DagResume, DagShow, dag, dag_context, dag_lanes, dag_resume, dag_show,
};
pub use fsck::{Fsck, fsck};
pub use overview::{Overview, overview};
#[cfg(feature = "tables")]
pub use query::{Query, QueryPage, TablePage, queries, query, tables};
pub use rules::{ConstantPage, Explainable, FormulaPage, RulePage, constant, explainable, formula, rule};

use super::{Names, fix, message};
use crate::finding::Finding;
use crate::model::Corpus;

/// The tree or trees that were read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tree {
    /// The folders given.
    pub roots: Vec<String>,
    pub files: u64,
    pub transcripts: u64,
    /// Bytes of the transcripts.
    pub bytes: u64,
    pub entries: u64,
}

impl Tree {
    #[must_use]
    pub fn of(corpus: &Corpus, names: &Names) -> Self {
        let read = || corpus.transcript_files().map(|file| corpus.transcript(file));
        Self {
            roots: corpus.roots.iter().map(|root| names.path(root)).collect(),
            files: corpus.files.len() as u64,
            transcripts: read().count() as u64,
            bytes: read().map(|rows| rows.bytes).sum(),
            entries: read().map(|rows| rows.entries.len() as u64).sum(),
        }
    }

    /// For commands that read no tree.
    #[must_use]
    pub const fn none() -> Self {
        Self { roots: Vec::new(), files: 0, transcripts: 0, bytes: 0, entries: 0 }
    }
}

/// What shaped the numbers beside the tree itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Filters {
    /// Time zone in which days are cut.
    pub timezone: String,
    /// Clock of the report.
    pub now: String,
    /// `--since` and `--until` as given.
    pub since: Option<String>,
    pub until: Option<String>,
    /// Patterns as given; how many there are under `--share` is all that is shown.
    pub projects: Vec<String>,
    pub sessions: Vec<String>,
    pub models: Vec<String>,
}

/// One rule broken at one place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FindingV1 {
    pub rule: &'static str,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// `certain`, `high`, `medium` or `low`.
    pub confidence: &'static str,
    pub message: String,
    /// Path below its root.
    pub path: Option<String>,
    pub offset: Option<u64>,
    pub len: Option<u64>,
    pub evidence: Vec<Evidence>,
    /// What to do, in words or as a command.
    pub fix: Option<String>,
    /// Places of the rule in the same file that stand behind this one and are not listed: of one rule, level and file
    /// the first 1,000 are.
    pub more: u64,
    /// The same for the same problem in later runs; `null` under `--share`.
    pub fingerprint: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Evidence {
    pub name: &'static str,
    pub value: String,
}

/// Findings as they are printed.
#[must_use]
pub fn findings(findings: &[Finding], names: &Names) -> Vec<FindingV1> {
    let one = |finding: &Finding| FindingV1 {
        rule: finding.rule.id,
        level: finding.level.as_str(),
        confidence: finding.confidence.as_str(),
        message: message(finding, names),
        path: finding.location.as_ref().map(|location| names.path(&location.path)),
        offset: finding.location.as_ref().and_then(|location| location.offset),
        len: finding.location.as_ref().and_then(|location| location.len),
        evidence: finding
            .evidence
            .iter()
            .map(|(name, value)| Evidence { name, value: names.text(value) })
            .collect(),
        fix: fix(finding, names),
        more: finding.more,
        // Who guesses a path could check the guess against it.
        fingerprint: (!names.share()).then(|| finding.fingerprint()),
    };
    findings.iter().map(one).collect()
}

/// Name of each JSON document's shape and the schema of its `data`.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("ccaudit.cache/v1", schemars::schema_for!(Document<Cache>)),
        ("ccaudit.dag/v1", schemars::schema_for!(Document<Dag>)),
        ("ccaudit.dag-resume/v1", schemars::schema_for!(Document<DagResume>)),
        ("ccaudit.dag-show/v1", schemars::schema_for!(Document<DagShow>)),
        ("ccaudit.dag-context/v1", schemars::schema_for!(Document<DagContext>)),
        ("ccaudit.dag-lanes/v1", schemars::schema_for!(Document<DagLanes>)),
        ("ccaudit.fsck/v1", schemars::schema_for!(Document<Fsck>)),
        ("ccaudit.overview/v1", schemars::schema_for!(Document<Overview>)),
        #[cfg(feature = "tables")]
        ("ccaudit.query/v1", schemars::schema_for!(Document<Query>)),
        #[cfg(feature = "tables")]
        ("ccaudit.query-list/v1", schemars::schema_for!(Document<Vec<QueryPage>>)),
        #[cfg(feature = "tables")]
        ("ccaudit.query-schema/v1", schemars::schema_for!(Document<Vec<TablePage>>)),
        ("ccaudit.rules/v1", schemars::schema_for!(Document<Vec<RulePage>>)),
        ("ccaudit.explain-list/v1", schemars::schema_for!(Document<Vec<Explainable>>)),
        ("ccaudit.explain-rule/v1", schemars::schema_for!(Document<RulePage>)),
        ("ccaudit.explain-formula/v1", schemars::schema_for!(Document<FormulaPage>)),
        ("ccaudit.explain-constant/v1", schemars::schema_for!(Document<ConstantPage>)),
    ]
}

/// The envelope around every document, for its schema only; `render` writes it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Document<T> {
    tool: String,
    /// Version of the tool.
    version: String,
    /// Name and version of the shape of `data`.
    schema: String,
    tree: Tree,
    filters: Filters,
    /// Sentences that qualify the numbers.
    notes: Vec<String>,
    data: T,
}
