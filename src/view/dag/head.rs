//! The head of `ccaudit dag show`.

use super::money;
use super::show::Shown;
use crate::model::Sym;
use crate::view::cache::counted;
use crate::view::{Cell, Class, Fact, Names, Note};

pub(super) fn facts(shown: &Shown<'_>) -> Vec<Fact> {
    let Shown { corpus, head, names, .. } = shown;
    let fact =
        |key, label: &str, value: Cell, remark: Note| Fact { key, label: label.to_owned(), value, remark };
    let session = &corpus.sessions[shown.session];
    let mut facts = vec![fact(
        "session",
        "Session",
        Cell::code(names.name(Class::Session, &session.id)),
        Note::default(),
    )];
    let named = |text: &Option<String>| text.as_ref().map(|text| Cell::text(names.name(Class::Other, text)));
    for (key, label, value) in [
        ("title", "Title", named(&head.title)),
        ("generated_title", "Title by the client", named(&head.generated_title)),
        ("mode", "Mode", head.mode.as_deref().map(|mode| Cell::text(mode_name(mode, names)))),
        (
            "permission_mode",
            "Permission mode",
            head.permission_mode.as_deref().map(|mode| Cell::text(mode_name(mode, names))),
        ),
        ("worktree", "Work tree", head.worktree.as_ref().map(|path| Cell::code(names.path(path)))),
    ] {
        if let Some(value) = value {
            facts.push(fact(key, label, value, Note::default()));
        }
    }
    if let Some(goal) = &head.goal {
        let text = if shown.text.is_some() { goal.as_str() } else { "recorded (--text shows it)" };
        facts.push(fact("goal", "Goal", Cell::text(text), Note::default()));
    }
    let tokens = head.spend.tokens.prompt() + head.spend.tokens.output;
    let [responses, responses_are] = counted(head.spend.responses, "response", "responses");
    let own = Note(vec![
        Cell::Tokens(tokens),
        Cell::text(if tokens == 1 { " token in " } else { " tokens in " }),
        responses,
        responses_are,
        Cell::text(", agents included"),
    ]);
    facts.push(fact("cost_pico_usd", "Cost", money(&head.spend), own));
    if let Some(cost) = head.client_cost {
        let remark = "its own running total; ours leaves out what the transcript does not hold".into();
        facts.push(fact("client_cost_pico_usd", "Cost by the client", Cell::Money(cost), remark));
    }
    let path = |sym: &Sym| names.path(corpus.strings.text(*sym));
    let word = |sym: &Sym| names.name(Class::Other, corpus.strings.text(*sym));
    let version = |sym: &Sym| names.name(Class::Version, corpus.strings.text(*sym));
    for (key, label, values) in [
        ("folders", "Folder", head.folders.iter().map(path).collect::<Vec<_>>()),
        ("git_branches", "Git branch", head.branches.iter().map(word).collect()),
        ("versions", "Client", head.versions.iter().map(version).collect()),
    ] {
        if !values.is_empty() {
            facts.push(fact(key, label, Cell::text(changes(&values)), Note::default()));
        }
    }
    facts
}

/// Modes that clients are known to write; any other is somebody's own.
const MODES: [&str; 8] =
    ["normal", "coordinator", "default", "plan", "auto", "acceptEdits", "dontAsk", "bypassPermissions"];

/// A mode, or its pseudonym.
#[must_use]
pub fn mode_name(mode: &str, names: &Names) -> String {
    if MODES.contains(&mode) { mode.to_owned() } else { names.name(Class::Other, mode) }
}

/// Values that a head shows of something that kept changing.
const MOST_VALUES: usize = 4;

/// `main → feature → fix`, the middle of a long list left out.
fn changes(values: &[String]) -> String {
    if values.len() <= MOST_VALUES {
        return values.join(" → ");
    }
    let (head, tail) = (&values[..MOST_VALUES / 2], &values[values.len() - MOST_VALUES / 2..]);
    let hidden = values.len() - MOST_VALUES;
    format!("{} → ({hidden} more) → {}", head.join(" → "), tail.join(" → "))
}
