//! Findings as sentences, shared by all reports.

use super::{Class, Names, Problem, level};
use crate::finding::{Finding, Fix, Subject};
use crate::words::counted;

/// What a finding says, its subject first.
#[must_use]
pub fn message(finding: &Finding, names: &Names) -> String {
    let mut message = names.text(&finding.message);
    if finding.more > 0 {
        let more = counted(finding.more, "more like it is", "more like it are");
        message += &format!("; {more} not listed");
    }
    match &finding.subject {
        None => message,
        Some(Subject::Response(_)) if names.share() => format!("a response: {message}"),
        Some(Subject::Response(id)) if id.is_empty() => format!("a response without an id: {message}"),
        Some(Subject::Response(id)) => format!("response {}: {message}", names.name(Class::Other, id)),
        Some(Subject::Model(model)) if model.is_empty() => format!("no model named: {message}"),
        Some(Subject::Model(model)) => format!("model {}: {message}", names.name(Class::Model, model)),
        Some(Subject::Type { name, version }) => {
            let client = match version.as_str() {
                "" => "an unknown client version".to_owned(),
                version => format!("client {}", names.name(Class::Version, version)),
            };
            format!("entries of type {} from {client}: {message}", names.name(Class::Type, name))
        }
    }
}

/// What to do about a finding.
#[must_use]
pub fn fix(finding: &Finding, names: &Names) -> Option<String> {
    finding.fix.as_ref().map(|fix| match fix {
        Fix::Sentence(text) | Fix::Command(text) => names.text(text),
    })
}

/// A finding as a line.
#[must_use]
pub fn problem(finding: &Finding, names: &Names) -> Problem {
    let place = finding.location.as_ref().map_or_else(String::new, |location| {
        let path = names.path(&location.path);
        match location.offset {
            Some(offset) => format!("{path} at byte {offset}"),
            None => path,
        }
    });
    let text = message(finding, names);
    let command = fix(finding, names).unwrap_or_default();
    Problem { level: level(finding.level), rule: finding.rule.id, text, place, command, more: 0 }
}
