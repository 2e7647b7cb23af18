//! `ccaudit.overview/v1`

use schemars::JsonSchema;
use serde::Serialize;

use super::cache::numbers;
use super::{FindingV1, Numbers, Prices, findings};
use crate::analysis::overview::OverviewReport;
use crate::model::{Corpus, Switch};
use crate::prices::PriceTable;
use crate::view::{Class, Names};

/// What a tree holds and what needs a look.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Overview {
    pub stores: u64,
    pub sessions: u64,
    pub agents: u64,
    pub memories: u64,
    /// Prompts that a person gave.
    pub prompts: u64,
    pub entries: u64,
    pub bytes: u64,
    pub first_day: Option<String>,
    pub last_day: Option<String>,
    /// Oldest first.
    pub client_versions: Vec<String>,
    pub files: Vec<KindV1>,
    pub prices: Prices,
    pub totals: Numbers,
    /// Stretches of transcripts that gave no entry.
    pub losses: u64,
    pub retention: Vec<RetentionV1>,
    pub switched_off: Vec<SwitchV1>,
    pub projects: ProjectsV1,
    pub findings: Vec<FindingV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct KindV1 {
    pub kind: &'static str,
    pub files: u64,
    pub bytes: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RetentionV1 {
    /// `cleanupPeriodDays`.
    pub days: i64,
    /// Settings file, or `null` for the default.
    pub file: Option<String>,
    /// Sessions past it.
    pub due: u64,
    /// Sessions that pass it within 7 days.
    pub within_week: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SwitchV1 {
    /// `prompt-caching`, `persistence`, `auto-memory` or `instructions`.
    pub what: &'static str,
    pub setting: String,
    pub file: String,
}

/// Projects by what lies at their path now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProjectsV1 {
    pub present: u64,
    pub missing: u64,
    pub unknown: u64,
}

/// The report as data.
#[must_use]
pub fn overview(report: &OverviewReport, corpus: &Corpus, prices: &PriceTable, names: &Names) -> Overview {
    let (present, missing, unknown) = report.projects;
    Overview {
        stores: report.stores,
        sessions: report.sessions,
        agents: report.agents,
        memories: report.memories,
        prompts: report.prompts,
        entries: report.entries,
        bytes: report.bytes,
        first_day: report.days.as_ref().map(|days| days.0.clone()),
        last_day: report.days.as_ref().map(|days| days.1.clone()),
        client_versions: report.versions.iter().map(|version| names.name(Class::Version, version)).collect(),
        files: report
            .files
            .iter()
            .map(|&(kind, files, bytes)| KindV1 { kind: kind.name(), files, bytes })
            .collect(),
        prices: prices.into(),
        totals: numbers(&report.cache.totals),
        losses: report.losses,
        retention: report
            .expiry
            .iter()
            .map(|expiry| RetentionV1 {
                days: expiry.days,
                file: expiry.file.as_ref().map(|file| names.path(file)),
                due: expiry.due,
                within_week: expiry.within_week,
            })
            .collect(),
        switched_off: corpus
            .settings
            .iter()
            .flat_map(|settings| &settings.off)
            .map(|off| SwitchV1 {
                what: switch(off.switch),
                setting: off.setting.clone(),
                file: names.path(&off.file),
            })
            .collect(),
        projects: ProjectsV1 { present, missing, unknown },
        findings: findings(&report.findings, names),
    }
}

const fn switch(switch: Switch) -> &'static str {
    match switch {
        Switch::PromptCaching => "prompt-caching",
        Switch::Persistence => "persistence",
        Switch::AutoMemory => "auto-memory",
        Switch::Instructions => "instructions",
    }
}
