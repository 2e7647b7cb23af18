//! `ccaudit dag resume`

use std::collections::BTreeMap;

use super::uuid;
use crate::analysis::dag::resume::{End, MadeUp, Reason, Resume, Why};
use crate::model::{Corpus, EntryRef};
use crate::view::cache::counted;
use crate::view::{Block, Cell, Class, Column, Fact, Names, Note, Table, View};
use crate::words;

/// What a resume would load; `limit` entries of it.
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
        blocks.push(Block::Table(entry_table("entries", resume, corpus, limit, names)));
    }
    if let Some(next) = next(resume, others) {
        let seen = next.choice.generation.seen;
        blocks.push(Block::Heading(format!(
            "In the order sent by client {seen}, whose rules may hold already"
        )));
        blocks.push(Block::Table(entry_table("next_entries", next, corpus, limit, names)));
    }
    if !resume.dropped.is_empty() {
        blocks.push(Block::Heading("Left out".into()));
        blocks.push(Block::Table(dropped_table(resume, corpus, names)));
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
    let leaf = resume
        .leaf
        .map_or(Cell::text("none: the client finds no conversation"), |at| uuid(at, corpus, names));
    let mut facts = vec![
        fact("session", "Session", Cell::code(id), ""),
        fact("client", "Rules of client", Cell::text(resume.choice.generation.seen), assumed),
        fact("leaf", "Goes on from", leaf, if resume.leaf.is_some() { end(resume.end) } else { "" }),
        fact("sent_entries", "Entries sent", Cell::Count(resume.entries.len() as u128), ""),
        fact(
            "sent_bytes",
            "Size of these",
            Cell::Bytes(bytes),
            &format!("of {} of the transcript", words::counted(all, "byte", "bytes")),
        ),
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
        let after = format!("after {}", names.entry(&corpus.nodes, corpus.entry(made_up.after).node));
        // Only the first of several keeps the key, so that keys stay unique.
        if facts.iter().all(|fact| fact.key != "made_up") {
            facts.push(fact("made_up", "Made up", Cell::text(what), &after));
        }
    }
    facts
}

fn differs(other: &Resume) -> Note {
    let [entries, entries_are] = counted(other.entries.len() as u64, "entry", "entries");
    Note(vec![
        Cell::text(format!("client {} would send another conversation: ", other.choice.generation.seen)),
        entries,
        entries_are,
        Cell::text(" (--client shows it)"),
    ])
}

/// What the next seen client would load, where the version at hand was never seen and stands before it.
fn next<'r>(resume: &Resume, others: &'r [Resume]) -> Option<&'r Resume> {
    let next = resume.choice.next?;
    others.iter().find(|other| other.choice.generation.seen == next.seen)
}

fn entry_table(key: &'static str, resume: &Resume, corpus: &Corpus, limit: usize, names: &Names) -> Table {
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
            uuid(*at, corpus, names),
            Cell::text(entry.kind.name().unwrap_or("other")),
            Cell::Bytes(u64::from(entry.len)),
            Cell::Tokens(u128::from(entry.estimate)),
            Cell::text(because(*why)),
        ]
    };
    let rows: Vec<Vec<Cell>> = resume.entries.iter().enumerate().take(limit).map(row).collect();
    let hidden_rows = resume.entries.len() - rows.len();
    Table { key, columns, rows, hidden_rows, ..Table::default() }
}

fn dropped_table(resume: &Resume, corpus: &Corpus, names: &Names) -> Table {
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
            uuid(entries[0], corpus, names),
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
