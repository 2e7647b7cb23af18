//! What stands above a conversation: its names, modes and place, and what it cost.

use serde_json::Value;

use super::super::record::{cut, record};
use super::super::spend::Spend;
use crate::model::{Corpus, Entry, EntryRef, Kind, Sym};
use crate::prices::Pricer;
use crate::source::Source;

/// Facts about a session as a whole. Of records that are written again and again the last one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// A name that a person gave.
    pub title: Option<String>,
    /// A title that the client had made up.
    pub generated_title: Option<String>,
    pub mode: Option<String>,
    pub permission_mode: Option<String>,
    /// Path of the work tree that the session runs in.
    pub worktree: Option<String>,
    /// What the person told the session to reach: text of theirs.
    pub goal: Option<String>,
    /// The client's own running total in pico-dollars, inherited parts included.
    pub client_cost: Option<u128>,
    /// What the session owns, agents included.
    pub spend: Spend,
    /// Working directories, git branches and client versions, each time that they change.
    pub folders: Vec<Sym>,
    pub branches: Vec<Sym>,
    pub versions: Vec<Sym>,
}

/// The head of a session with a main transcript, by its row in [`Corpus::sessions`].
#[must_use]
pub fn head(corpus: &Corpus, source: &dyn Source, session: usize, pricer: &Pricer<'_>) -> Head {
    let session = &corpus.sessions[session];
    let Some(file) = session.main else { return Head::default() };
    let rows = corpus.transcript(file);
    let last = |is: &dyn Fn(&Entry) -> bool| {
        let row = rows.entries.iter().rposition(is)?;
        record(source, corpus, EntryRef { file, row: u32::try_from(row).ok()? })
    };
    let field = |kind: Kind, key: &str| {
        let text = cut(last(&|entry| entry.kind == kind)?.get(key)?.as_str()?);
        Some(text).filter(|text| !text.is_empty())
    };
    let goal = last(&|entry| {
        entry.kind == Kind::Attachment
            && rows.side(entry).is_some_and(|side| corpus.strings.get(side.name) == Some("goal_status"))
    });
    let worktree = last(&|entry| entry.kind == Kind::WorktreeState);
    let worktree = worktree
        .and_then(|record| Some(record.get("worktreeSession")?.get("worktreePath")?.as_str()?.to_owned()));
    let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
    let mut spend = Spend::default();
    for file in std::iter::once(file).chain(agents) {
        spend.add_file(corpus, file, pricer);
    }
    let client_cost = rows.costs.iter().map(|cost| cost.total).rfind(|total| *total != u64::MAX);
    let seen = |of: &dyn Fn(&Entry) -> Sym| changes(rows.entries.iter().map(of));
    Head {
        title: corpus.strings.get(session.title).map(cut),
        generated_title: field(Kind::AiTitle, "aiTitle"),
        mode: field(Kind::Mode, "mode"),
        permission_mode: field(Kind::PermissionMode, "permissionMode"),
        worktree,
        goal: goal.map(|record| strings(record.get("attachment"))),
        client_cost: client_cost.map(u128::from),
        spend,
        folders: seen(&|entry| rows.envelope(entry).cwd),
        branches: seen(&|entry| rows.envelope(entry).branch),
        versions: seen(&|entry| rows.envelope(entry).version),
    }
}

/// A value each time that it changes.
fn changes(values: impl Iterator<Item = Sym>) -> Vec<Sym> {
    let mut values: Vec<Sym> = values.filter(|value| value.is_some()).collect();
    values.dedup();
    values
}

/// What an attachment says, without its type.
fn strings(attachment: Option<&Value>) -> String {
    let fields = attachment.and_then(Value::as_object).into_iter().flatten();
    let texts = fields.filter(|(key, _)| *key != "type").filter_map(|(_, value)| value.as_str());
    cut(&texts.collect::<Vec<_>>().join(" "))
}
