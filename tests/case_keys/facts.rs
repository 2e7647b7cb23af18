//! What the library reports about a tree, under the names that cases use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ccaudit::analysis::cache::{self, By, CacheOptions, CacheReport, Group};
use ccaudit::analysis::counting;
use ccaudit::analysis::fsck::{self, FsckReport};
use ccaudit::error::Error;
use ccaudit::load::{self, Options, Silent};
use ccaudit::model::{
    Boundary, Corpus, Entry, FileId, FileKind, Flags, Issue, IssueKind, Kind, Response, Retention, Sym,
    Totals, Transcript, TreeIssueKind, UsageRow,
};
use ccaudit::prices::PriceTable;
use ccaudit::registry;
use ccaudit::scope::Scope;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::dag::Graphs;
use super::{Case, Ours, Probe};

/// A tree as the library sees it.
pub(crate) struct Facts {
    corpus: Corpus,
    prices: PriceTable,
    zone: TimeZone,
    totals: CacheReport,
    fsck: FsckReport,
    pub(super) graphs: Graphs,
    probe: Option<Probe>,
}

impl Facts {
    pub(crate) fn of(case: &Case) -> Self {
        // First, so that a tree on which reading never ends is named.
        let probe = case.probe();
        let corpus = load(&case.tree());
        let zone = case
            .expected
            .get("timezone")
            .map_or(TimeZone::UTC, |zone| TimeZone::get(zone.as_str().unwrap()).unwrap());
        let mut prices = PriceTable::builtin();
        if let Some(rows) = case.expected.get("prices_per_mtok") {
            prices.override_with(&price_file(rows), &case.id).unwrap();
        }
        let scope = Scope::all(zone.clone());
        let totals = cache::analyze(&corpus, &CacheOptions { scope: &scope, prices: &prices, by: &[] });
        let fsck = fsck::analyze(&corpus, now(&case.expected));
        let graphs = Graphs::of(&corpus);
        Self { corpus, prices, zone, totals, fsck, graphs, probe }
    }

    /// What we have for a key; `None` where no comparison knows it.
    pub(crate) fn value(&self, key: &str, expected: &Value) -> Option<Ours> {
        let number = |n: usize| Some(Ours::Is(n.into()));
        let is = |n: u64| Some(Ours::Is(n.into()));
        match key {
            // Usage.
            "usage_total" => Some(Ours::Fields(self.usage_total())),
            "main" => Some(Ours::Fields(usage(&self.sum(|agent| agent == "main")))),
            "subagents" => Some(Ours::Fields(usage(&self.sum(|agent| agent != "main")))),
            "by_session" => {
                Some(Ours::Map(map(self.groups(By::Session, &self.zone), |group| group_fields(&group))))
            }
            "by_day" => Some(Ours::Map(map(self.groups(By::Day, &self.zone), |group| group_fields(&group)))),
            "output_by_day" => Some(Ours::Map(self.output_by_day(&self.zone))),
            "output_by_day_utc" => Some(Ours::Map(self.output_by_day(&TimeZone::UTC))),
            "hit_ratio" => Some(Ours::Is(hit_ratio(&self.totals.totals.tokens))),
            "computed_cost_usd" => Some(Ours::Pico(self.totals.totals.cost.total())),
            "recorded_cost_usd" => Some(self.totals.recorded_cost.map_or(Ours::Is(Value::Null), Ours::Pico)),
            // Responses and the entries they were folded from.
            "responses" | "responses_with_usage" => number(self.responses().count()),
            "usage_rows" => number(self.responses().map(|response| response.entries as usize).sum()),
            "output_lower_bound_responses" => number(self.flagged(|response| response.flags.lower_bound)),
            "conflicting_usage" => number(self.flagged(|response| response.flags.conflicting)),
            "ttl_split_mismatches" => number(self.flagged(|response| response.flags.split_mismatch)),
            "synthetic_rows" => number(self.corpus.synthetic.len()),
            "assistant_rows_without_usage" => number(self.corpus.without_usage.len()),
            "models" => Some(Ours::Is(json!(self.names(|response| response.model)))),
            "speed" => self.only(|row| row.speed),
            "inference_geo" => self.only(|row| row.geo),
            "api_error_messages" => number(self.count(|_, _, entry| entry.flags.has(Flags::API_ERROR))),
            "api_error_system_rows" => number(self.count(|corpus, rows, entry| {
                entry.kind == Kind::System
                    && rows.side(entry).is_some_and(|side| corpus.strings.get(side.name) == Some("api_error"))
            })),
            "copied_rows" => number(self.copied()),
            // Files.
            "sessions" if expected.is_number() => number(self.corpus.sessions.len()),
            "transcript_files" => number(self.corpus.transcript_files().count()),
            "other_files" => number(self.corpus.files.len() - self.corpus.transcript_files().count()),
            "symlink_loops" => number(self.tree_issues(TreeIssueKind::SymlinkLoop)),
            "broken_symlinks" => number(self.tree_issues(TreeIssueKind::BrokenSymlink)),
            "empty_transcripts" => is(self.fsck.totals.empty_files),
            "must_terminate_seconds" => self.probe.as_ref().map(|probe| Ours::AtMost(probe.seconds)),
            "max_memory_mb" => self.probe.as_ref()?.megabytes.map(Ours::AtMost),
            // Records.
            "rows" | "dag.rows" => is(self.fsck.totals.entries),
            "dag.duplicate_uuids" => is(self.fsck.files.iter().map(|check| check.duplicates).sum()),
            "records_without_uuid" => number(self.count(|_, _, entry| entry.node.is_none())),
            "last_prompt_leaf" => self.last_prompt_leaf(),
            "types" => Some(Ours::Map(self.types())),
            "longest_line_min_bytes" => Some(Ours::AtLeast(self.longest())),
            "compaction_count" | "compactions" => number(self.boundaries().count()),
            // Bytes.
            "bad_lines" | "parse_errors" => is(self.fsck.totals.losses),
            "damaged_records" => number(self.of_kind(IssueKind::Damaged).count()),
            "recovered_rows" => number(self.of_kind(IssueKind::Spliced).count()),
            "lone_surrogates" => {
                number(self.of_kind(IssueKind::LoneSurrogate).map(|issue| issue.count as usize).sum())
            }
            "lines_with_invalid_utf8" => number(self.of_kind(IssueKind::InvalidUtf8).count()),
            "non_record_lines" => number(self.of_kind(IssueKind::NoRecord).count()),
            "incomplete_tail_bytes" => self.tail(|tail| tail.len),
            "tail_offset" => self.tail(|tail| tail.offset),
            "findings" => self.findings(expected),
            "findings_count" => number(self.all_findings().count()),
            // Settings.
            "retention_days" | "cleanup_setting" => self.retention(|retention| retention.days.into()),
            "retention_source" => self.retention(|retention| match retention.file.as_deref() {
                None => "default".into(),
                Some("settings.json") => "user settings".into(),
                Some(other) => other.into(),
            }),
            "project_cwd" => self.only_project(),
            "memory_files" => {
                number(self.corpus.files.iter().filter(|file| file.kind == FileKind::Memory).count())
            }
            _ => self.graphs.value(&self.corpus, key),
        }
    }

    /// The things of a list whose items have keys of their own.
    pub(crate) fn items(&self, key: &str) -> Option<Vec<Value>> {
        (key == "compactions").then(|| self.boundaries().map(compaction).collect())
    }

    pub(crate) fn usage_total(&self) -> Value {
        usage(&self.totals.totals.tokens)
    }

    /// See [`common::unaccounted_bytes`](crate::common::unaccounted_bytes).
    pub(crate) fn unaccounted_bytes(&self) -> Vec<String> {
        crate::common::unaccounted_bytes(&self.corpus)
    }

    fn responses(&self) -> impl Iterator<Item = &Response> {
        self.corpus.responses.iter().filter(|response| !response.flags.advisor)
    }

    fn flagged(&self, flag: impl Fn(&Response) -> bool) -> usize {
        self.responses().filter(|response| flag(response)).count()
    }

    fn names(&self, name: impl Fn(&Response) -> Sym) -> BTreeSet<&str> {
        self.responses().map(|response| self.corpus.strings.text(name(response))).collect()
    }

    /// The one value of the counted entries; nothing is known where it is empty or `not_available`.
    fn only(&self, field: impl Fn(&UsageRow) -> Sym) -> Option<Ours> {
        let value = |response: &Response| {
            let rows = self.corpus.transcript(response.counted.file);
            rows.usage(self.corpus.entry(response.counted))
                .map_or("", |row| self.corpus.strings.text(field(row)))
        };
        let values: BTreeSet<&str> = self.responses().map(value).collect();
        let value = (values.len() == 1).then(|| values.first().copied()).flatten()?;
        Some(Ours::Is(if matches!(value, "" | "not_available") { Value::Null } else { value.into() }))
    }

    fn groups(&self, by: By, zone: &TimeZone) -> Vec<Group> {
        let scope = Scope::all(zone.clone());
        cache::analyze(&self.corpus, &CacheOptions { scope: &scope, prices: &self.prices, by: &[by] }).groups
    }

    fn sum(&self, agent: impl Fn(&str) -> bool) -> Totals {
        let mut sum = Totals::default();
        for group in self.groups(By::Agent, &self.zone).iter().filter(|group| agent(&group.keys[0].text)) {
            sum += &group.tokens;
        }
        sum
    }

    fn output_by_day(&self, zone: &TimeZone) -> Value {
        map(self.groups(By::Day, zone), |group| json!(n(group.tokens.output)))
    }

    fn transcripts(&self) -> impl Iterator<Item = &Transcript> {
        self.corpus.transcript_files().map(|file| self.corpus.transcript(file))
    }

    fn count(&self, is: impl Fn(&Corpus, &Transcript, &Entry) -> bool) -> usize {
        let of =
            |rows: &Transcript| rows.entries.iter().filter(|entry| is(&self.corpus, rows, entry)).count();
        self.transcripts().map(of).sum()
    }

    /// Entries that say of themselves that they come from another session, or tell of a response that another
    /// session owns.
    fn copied(&self) -> usize {
        let corpus = &self.corpus;
        let owners: BTreeMap<Sym, FileId> =
            self.responses().map(|response| (response.id, response.owner)).collect();
        let copied = |file: FileId, entry: &Entry| {
            let rows = corpus.transcript(file);
            let home = corpus.session_of[file.0 as usize];
            let named = corpus.strings.get(rows.envelope(entry).session);
            let elsewhere =
                named.is_some_and(|named| home.is_none_or(|row| corpus.sessions[row].id != named));
            let owner = rows.answer(entry).and_then(|answer| owners.get(&answer.message));
            let inherited = owner.is_some_and(|owner| corpus.session_of[owner.0 as usize] != home);
            elsewhere || entry.flags.has(Flags::FORKED) || inherited
        };
        let in_file =
            |file: FileId| corpus.transcript(file).entries.iter().filter(|entry| copied(file, entry)).count();
        corpus.transcript_files().map(in_file).sum()
    }

    fn tree_issues(&self, kind: TreeIssueKind) -> usize {
        self.corpus.tree_issues.iter().filter(|issue| issue.kind == kind).count()
    }

    fn issues(&self, is: impl Fn(IssueKind) -> bool) -> impl Iterator<Item = &Issue> {
        self.transcripts().flat_map(|rows| &rows.issues).filter(move |issue| is(issue.kind))
    }

    fn of_kind(&self, kind: IssueKind) -> impl Iterator<Item = &Issue> {
        self.issues(move |is| is == kind)
    }

    /// A figure of the torn tail, where the tree has exactly one.
    fn tail(&self, figure: impl Fn(&Issue) -> u64) -> Option<Ours> {
        let tails: Vec<u64> = self.of_kind(IssueKind::TornTail).map(figure).collect();
        Some(Ours::Is(match tails[..] {
            [tail] => tail.into(),
            _ => json!(tails),
        }))
    }

    fn all_findings(&self) -> impl Iterator<Item = &'static str> {
        let counting = counting::findings(&self.corpus, &self.prices);
        let fsck: Vec<_> = self.fsck.findings.iter().map(|finding| finding.rule.id).collect();
        fsck.into_iter().chain(counting.into_iter().map(|finding| finding.rule.id))
    }

    /// The rules that found something; `None` where the case names one that we do not have.
    fn findings(&self, expected: &Value) -> Option<Ours> {
        let names = expected.as_array()?.iter().map(|name| name.as_str().unwrap_or_default());
        let wanted = names.map(rule).collect::<Option<BTreeSet<_>>>()?;
        let ours: BTreeSet<_> = self.all_findings().collect();
        Some(Ours::Is(if wanted == ours { expected.clone() } else { json!(ours) }))
    }

    fn types(&self) -> Value {
        self.fsck.types.iter().map(|row| (row.name.clone(), row.entries.into())).collect::<Map<_, _>>().into()
    }

    fn retention(&self, figure: impl Fn(&Retention) -> Value) -> Option<Ours> {
        match &self.corpus.settings[..] {
            [settings] => Some(Ours::Is(figure(&settings.retention))),
            _ => None,
        }
    }

    /// What the one store is called.
    fn only_project(&self) -> Option<Ours> {
        (self.corpus.stores.len() == 1).then(|| Ours::Is(self.corpus.project(0).into()))
    }

    fn last_prompt_leaf(&self) -> Option<Ours> {
        let prompts = self.transcripts().flat_map(|rows| {
            let prompts = rows.entries.iter().filter(|entry| entry.kind == Kind::LastPrompt);
            prompts.filter_map(|entry| rows.side(entry))
        });
        prompts.last().map(|side| Ours::Is(self.corpus.nodes.text(side.target).into()))
    }

    fn longest(&self) -> f64 {
        let lens = self.transcripts().flat_map(|rows| &rows.entries).map(|entry| entry.len);
        f64::from(lens.max().unwrap_or(0))
    }

    fn boundaries(&self) -> impl Iterator<Item = &Boundary> {
        let main =
            self.corpus.transcript_files().filter(|file| self.corpus.file(*file).kind == FileKind::Main);
        main.flat_map(|file| {
            let rows = self.corpus.transcript(file);
            rows.entries.iter().filter_map(move |entry| rows.boundary(entry))
        })
    }
}

pub(crate) fn load(tree: &Path) -> Corpus {
    match load::corpus(&[tree.to_owned()], &Options::with_threads(2), &Silent) {
        // Some cases ask about paths only.
        Err(Error::NothingToRead(_)) => Corpus::default(),
        read => read.unwrap(),
    }
}

/// The id of the rule that a case means by a name.
fn rule(name: &str) -> Option<&'static str> {
    let id = match name {
        "not_jsonl" => "not-json-lines".to_owned(),
        other => other.replace('_', "-"),
    };
    registry::find(&id).map(|rule| rule.id)
}

/// The clock of a case, in milliseconds; a fixed day where it needs none.
fn now(expected: &Value) -> i64 {
    let now = expected.get("now").map_or("2026-12-01T00:00:00Z", |now| now.as_str().unwrap());
    now.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

fn n(tokens: u128) -> u64 {
    u64::try_from(tokens).unwrap()
}

fn usage(tokens: &Totals) -> Value {
    json!({
        "input": n(tokens.input),
        "output": n(tokens.output),
        "cache_creation": n(tokens.written()),
        "cache_read": n(tokens.read),
        "cache_5m": n(tokens.write_5m),
        "cache_1h": n(tokens.write_1h),
        "cache_unattributed": n(tokens.write_unsplit),
    })
}

fn group_fields(group: &Group) -> Value {
    let mut fields = usage(&group.tokens);
    fields["responses"] = group.responses.into();
    fields["5m"] = n(group.tokens.write_5m).into();
    fields["1h"] = n(group.tokens.write_1h).into();
    fields
}

/// Groups by their key; the unknown one is called so.
fn map(groups: Vec<Group>, value: impl Fn(Group) -> Value) -> Value {
    let name = |group: &Group| {
        let key = &group.keys[0];
        if key.unknown { "unknown".to_owned() } else { key.text.clone() }
    };
    groups.into_iter().map(|group| (name(&group), value(group))).collect::<Map<_, _>>().into()
}

/// To 6 places; `null` without a prompt.
fn hit_ratio(tokens: &Totals) -> Value {
    let prompt = tokens.prompt();
    if prompt == 0 {
        return Value::Null;
    }
    let millionths = u32::try_from((tokens.read * 2_000_000 + prompt) / (prompt * 2)).unwrap();
    (f64::from(millionths) / 1e6).into()
}

/// What a boundary says; absent fields are left out, for the case may work them out from others.
fn compaction(boundary: &Boundary) -> Value {
    let mut fields = Map::new();
    if let Some(manual) = boundary.manual {
        fields.insert("trigger".to_owned(), if manual { "manual" } else { "auto" }.into());
    }
    let counts = [
        ("pre_tokens", boundary.pre_tokens),
        ("post_tokens", boundary.post_tokens),
        ("dropped", boundary.dropped_tokens),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            fields.insert(name.to_owned(), count.into());
        }
    }
    fields.into()
}

/// The prices of a case as a file for `--prices`.
fn price_file(models: &Value) -> String {
    let mut file = String::new();
    for (model, rates) in models.as_object().unwrap() {
        file += &format!("[[row]]\nmodels = [{}]\n", json!(model));
        for (rate, usd) in rates.as_object().unwrap() {
            let name = match rate.as_str() {
                "cache_write_5m" => "write_5m",
                "cache_write_1h" => "write_1h",
                "cache_read" => "read",
                other => other,
            };
            file += &format!("{name} = \"{usd}\"\n");
        }
    }
    file
}
