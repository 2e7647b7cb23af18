//! `ccaudit dag` and its commands for people.

mod context;
mod diagram;
mod head;
mod lanes;
mod list;
mod resume;
mod show;

pub use context::{context, context_note, part_label};
pub use diagram::diagram;
pub use head::mode_name;
pub use lanes::{lane_kind, lanes, lanes_note, largest_prompt};
use list::class_words;
pub use list::{list, note};
pub use resume::{because, left_out, resume};
pub use show::{Shown, show, show_note};

use super::{Cell, Class, Names};
use crate::analysis::dag::Spend;
use crate::model::{Corpus, EntryRef};

pub(super) fn session_cell(id: &str, names: &Names) -> Cell {
    Cell::Id { full: names.name(Class::Session, id), short: names.short(Class::Session, id) }
}

pub(super) fn agent_cell(agent: usize, corpus: &Corpus, names: &Names) -> Cell {
    let id = &corpus.agents[agent].id;
    Cell::Id { full: names.name(Class::Agent, id), short: names.short(Class::Agent, id) }
}

/// The type of an agent, where its meta file names one.
#[must_use]
pub fn agent_type(agent: usize, corpus: &Corpus, names: &Names) -> Option<String> {
    let kind = corpus.agents[agent].meta.as_ref()?.agent_type.as_deref()?;
    Some(names.name(Class::Other, kind))
}

/// `system compact_boundary`: the type of an entry, and what a record beside the conversation is called.
#[must_use]
pub fn entry_type(at: EntryRef, corpus: &Corpus, names: &Names) -> String {
    let entry = corpus.entry(at);
    let side = corpus.transcript(at.file).side(entry);
    let name = side.and_then(|side| corpus.strings.get(side.name)).map(|name| names.name(Class::Type, name));
    match (entry.kind.name(), name) {
        (Some(kind), Some(name)) => format!("{kind} {name}"),
        (Some(kind), None) => kind.to_owned(),
        (None, name) => name.unwrap_or_default(),
    }
}

/// An entry by its uuid; people get by with the first characters.
pub(super) fn uuid(at: EntryRef, corpus: &Corpus, names: &Names) -> Cell {
    let id = corpus.entry(at).node;
    if id.is_none() {
        return Cell::Empty;
    }
    Cell::Id { full: names.entry(&corpus.nodes, id), short: names.short_entry(&corpus.nodes, id) }
}

/// What was billed; at least that, where a model has no price.
pub(super) const fn money(spend: &Spend) -> Cell {
    match (spend.unpriced, spend.responses) {
        (0, _) => Cell::Money(spend.cost),
        (unpriced, responses) if unpriced == responses => Cell::Unknown,
        _ => Cell::AtLeastMoney(spend.cost),
    }
}
