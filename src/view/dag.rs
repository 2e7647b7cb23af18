//! `ccaudit dag` for people.

use std::collections::BTreeMap;

use super::{Block, Cell, Class, Column, Fact, Names, Note, Table, View};
use crate::analysis::dag::resume::{End, MadeUp, Reason, Resume, Why};
use crate::analysis::dag::{DagReport, Verdict};
use crate::model::{Corpus, EntryRef};

/// What the list of sessions counts.
#[must_use]
pub fn note() -> Note {
    "reachable: nodes on the chain of the entry that the newest client of the session goes on from · a compaction \
     ends the chain by design · next: ccaudit dag resume SESSION"
        .into()
}

/// All sessions, `limit` of them; 0 shows all.
#[must_use]
pub fn list(reports: &[DagReport], corpus: &Corpus, limit: usize, names: &Names) -> View {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let columns = vec![
        Column::left("session", "session", 0),
        Column::right("entries", "entries", 2),
        Column::right("nodes", "nodes", 1),
        Column::right("reachable", "reachable", 1),
        Column::right("branches", "branches", 3),
        Column::right("abandoned_nodes", "left behind", 4),
        Column::right("dangling", "dangling", 1),
        Column::right("dangling_logical", "logical", 5),
        Column::right("cycles", "cycles", 6),
        Column::right("copies", "copies", 6),
        Column::right("unmatched_calls", "open calls", 5),
        Column::right("boundaries", "compactions", 4),
        Column::right("jumps", "jumps", 6),
        Column::left("verdict", "verdict", 0),
    ];
    let row = |report: &DagReport| {
        let count = |n: usize| Cell::Count(n as u128);
        let real = report.branches.iter().filter(|branch| branch.class.is_real()).count();
        vec![
            session_cell(&corpus.sessions[report.session].id, names),
            Cell::Count(u128::from(report.entries)),
            Cell::Count(u128::from(report.nodes)),
            Cell::Share { num: report.active_chain.len() as u128, den: u128::from(report.nodes) },
            count(real),
            Cell::Count(u128::from(report.abandoned.nodes)),
            count(report.dangling.len()),
            count(report.logical.iter().filter(|logical| logical.is_dangling()).count()),
            count(report.cycles.len()),
            Cell::Count(u128::from(report.copies)),
            count(report.unmatched.overall.len()),
            count(report.boundaries.len()),
            count(report.jumps.len()),
            Cell::text(verdict(report.verdict())),
        ]
    };
    let rows: Vec<Vec<Cell>> = reports.iter().take(limit).map(row).collect();
    let hidden_rows = reports.len() - rows.len();
    let mut verdicts: BTreeMap<Verdict, u128> = BTreeMap::new();
    for report in reports {
        *verdicts.entry(report.verdict()).or_default() += 1;
    }
    let mut summary = Vec::new();
    for (at, (found, sessions)) in verdicts.into_iter().rev().enumerate() {
        let gap = if at == 0 { "" } else { " · " };
        summary.extend([Cell::text(gap), Cell::Count(sessions), Cell::text(format!(" {}", verdict(found)))]);
    }
    let mut blocks = Vec::new();
    if reports.is_empty() {
        blocks.push(Block::Note("no session has entries".into()));
    } else {
        blocks.push(Block::Lead(Note(summary)));
        blocks.push(Block::Table(Table { key: "sessions", columns, rows, hidden_rows, ..Table::default() }));
    }
    View { blocks }
}

/// A verdict in words.
#[must_use]
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Sound => "sound",
        Verdict::Incomplete => "a parent is missing",
        Verdict::Cycle => "links in a circle",
        Verdict::HistoryLost => "history is lost on resume",
    }
}

/// What a resume would load; `limit` entries of it, 0 shows all.
#[must_use]
pub fn resume(
    resume: &Resume,
    others: &[Resume],
    session: usize,
    corpus: &Corpus,
    limit: usize,
    names: &Names,
) -> View {
    let mut blocks = vec![Block::Facts(facts(resume, session, corpus, names))];
    for other in others {
        blocks.push(Block::Note(differs(other)));
    }
    if !resume.entries.is_empty() {
        blocks.push(Block::Heading("In the order sent".into()));
        blocks.push(Block::Table(entry_table(resume, corpus, limit)));
    }
    if !resume.dropped.is_empty() {
        blocks.push(Block::Heading("Left out".into()));
        blocks.push(Block::Table(dropped_table(resume, corpus)));
    }
    View { blocks }
}

fn facts(resume: &Resume, session: usize, corpus: &Corpus, names: &Names) -> Vec<Fact> {
    let fact = |key, label: &str, value: Cell, remark: &str| Fact {
        key,
        label: label.to_owned(),
        value,
        remark: remark.into(),
    };
    let assumed = if resume.choice.assumed { "assumed: this version itself was not seen" } else { "" };
    let (bytes, tokens) = size(resume.entries.iter().map(|(at, _)| *at), corpus);
    let all = corpus.sessions[session].main.map_or(0, |file| corpus.transcript(file).bytes);
    let id = names.name(Class::Session, &corpus.sessions[session].id);
    let leaf =
        resume.leaf.map_or(Cell::text("none: the client finds no conversation"), |at| uuid(at, corpus));
    let mut facts = vec![
        fact("session", "Session", Cell::code(id), ""),
        fact("client", "Rules of client", Cell::text(resume.choice.generation.seen), assumed),
        fact("leaf", "Goes on from", leaf, end(resume.end)),
        fact("sent_entries", "Entries sent", Cell::Count(resume.entries.len() as u128), ""),
        fact("sent_bytes", "Size of these", Cell::Bytes(bytes), &format!("of {all} bytes of the transcript")),
        fact(
            "estimate",
            "Tokens, estimated",
            Cell::Tokens(tokens),
            "of their text; ccaudit explain token-estimate",
        ),
        fact("dropped_entries", "Entries left out", Cell::Count(resume.dropped.len() as u128), ""),
    ];
    for made_up in &resume.synthesised {
        let what = match made_up.what {
            MadeUp::Result(_) => "a result for a call that was interrupted",
            MadeUp::Continue => "a prompt to continue",
            MadeUp::NoResponse => "an answer that says nothing",
        };
        let after = format!("after {}", corpus.nodes.text(corpus.entry(made_up.after).node));
        // Only the first of several keeps the key, so that keys stay unique.
        if facts.iter().all(|fact| fact.key != "made_up") {
            facts.push(fact("made_up", "Made up", Cell::text(what), &after));
        }
    }
    facts
}

fn differs(other: &Resume) -> Note {
    Note(vec![
        Cell::text(format!("client {} would send another conversation: ", other.choice.generation.seen)),
        Cell::Count(other.entries.len() as u128),
        Cell::text(" entries (--client shows it)"),
    ])
}

fn entry_table(resume: &Resume, corpus: &Corpus, limit: usize) -> Table {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let columns = vec![
        Column::right("number", "no.", 0),
        Column::left("uuid", "entry", 0),
        Column::left("type", "type", 0),
        Column::right("bytes", "size", 1),
        Column::right("estimate", "tokens, est.", 1),
        Column::left("why", "because", 0),
    ];
    let row = |(number, (at, why)): (usize, &(EntryRef, Why))| {
        let entry = corpus.entry(*at);
        vec![
            Cell::Count(number as u128 + 1),
            uuid(*at, corpus),
            Cell::text(entry.kind.name().unwrap_or("other")),
            Cell::Bytes(u64::from(entry.len)),
            Cell::Tokens(u128::from(entry.estimate)),
            Cell::text(because(*why)),
        ]
    };
    let rows: Vec<Vec<Cell>> = resume.entries.iter().enumerate().take(limit).map(row).collect();
    let hidden_rows = resume.entries.len() - rows.len();
    Table { key: "entries", columns, rows, hidden_rows, ..Table::default() }
}

fn dropped_table(resume: &Resume, corpus: &Corpus) -> Table {
    let columns = vec![
        Column::left("reason", "because", 0),
        Column::right("entries", "entries", 0),
        Column::right("bytes", "size", 1),
        Column::right("estimate", "tokens, est.", 1),
        Column::left("first", "the first", 2),
    ];
    let mut reasons: BTreeMap<Reason, Vec<EntryRef>> = BTreeMap::new();
    for (at, reason) in &resume.dropped {
        reasons.entry(*reason).or_default().push(*at);
    }
    let row = |(reason, entries): (Reason, Vec<EntryRef>)| {
        let (bytes, tokens) = size(entries.iter().copied(), corpus);
        vec![
            Cell::text(left_out(reason)),
            Cell::Count(entries.len() as u128),
            Cell::Bytes(bytes),
            Cell::Tokens(tokens),
            uuid(entries[0], corpus),
        ]
    };
    let rows = reasons.into_iter().map(row).collect();
    Table { key: "dropped", columns, rows, ..Table::default() }
}

fn size(entries: impl Iterator<Item = EntryRef>, corpus: &Corpus) -> (u64, u128) {
    entries.fold((0, 0), |(bytes, tokens), at| {
        let entry = corpus.entry(at);
        (bytes + u64::from(entry.len), tokens + u128::from(entry.estimate))
    })
}

fn session_cell(id: &str, names: &Names) -> Cell {
    Cell::Id { full: names.name(Class::Session, id), short: names.short(Class::Session, id) }
}

/// An entry by its uuid; people get by with the first characters.
fn uuid(at: EntryRef, corpus: &Corpus) -> Cell {
    let full = corpus.nodes.text(corpus.entry(at).node);
    Cell::Id { short: full.chars().take(SHORT_UUID).collect(), full }
}

/// Characters of a uuid that tell the entries of a session apart.
const SHORT_UUID: usize = 8;

const fn end(end: End) -> &'static str {
    match end {
        End::Top => "and back to an entry without a parent",
        End::Boundary => "and back to the last compaction",
        End::Broken => "and back to a link that leads nowhere",
    }
}

/// Why an entry is sent, in words.
#[must_use]
pub const fn because(why: Why) -> &'static str {
    match why {
        Why::Chain => "on the chain",
        Why::Repaired => "on the chain, link repaired",
        Why::Kept => "kept by the compaction",
        Why::Sibling => "part of an answer on the chain",
    }
}

/// Why an entry is not sent, in words.
#[must_use]
pub const fn left_out(reason: Reason) -> &'static str {
    match reason {
        Reason::Compacted => "before the compaction",
        Reason::Sidechain => "work of an agent",
        Reason::OtherBranch => "on another branch",
        Reason::QueuedPrompt => "a queued prompt that does not come back",
        Reason::Lost => "beyond a broken link",
        Reason::Unconnected => "connected with nothing",
        Reason::Bookkeeping => "a record of the client",
        Reason::NotRendered => "an attachment without recorded text",
        Reason::ApiError => "an error of the API",
        Reason::Unanswered => "a call without a result",
        Reason::NoContent => "nothing but thinking or white space",
    }
}
