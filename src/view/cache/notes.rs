//! The sentences under reports on cache and cost.

use super::{Method, counted};
use crate::analysis::cache::CacheReport;
use crate::view::{Cell, Class, Names, Note};
use crate::words;

/// Models without a price that are named under a report, unless all are asked for.
pub const FEW: usize = 10;

/// A sentence for each of the `most` models without a price that have most tokens, and one for all others.
fn unpriced(report: &CacheReport, most: usize, names: &Names) -> Vec<Note> {
    let mut models: Vec<(&String, u64, u128)> = report
        .unpriced
        .iter()
        .map(|(model, (n, tokens))| (model, *n, tokens.prompt() + tokens.output))
        .collect();
    models.sort_by_key(|(_, _, tokens)| std::cmp::Reverse(*tokens));
    let sentence = |model: String, responses: u64, tokens: u128, where_from: &str| {
        let [n, responses] = counted(responses, "response", "responses");
        let tokens_are = if tokens == 1 { "token" } else { "tokens" };
        Note(vec![
            Cell::text(format!("unpriced: {model}, ")),
            n,
            responses,
            Cell::text(" with "),
            Cell::Tokens(tokens),
            Cell::text(format!(" {tokens_are}, in no cost figure ({where_from})")),
        ])
    };
    let (named, others) = models.split_at(most.min(models.len()));
    let mut notes: Vec<Note> = named
        .iter()
        .map(|(model, responses, tokens)| {
            let without = model.is_empty().then(|| "without a model".to_owned());
            let model = without.unwrap_or_else(|| names.name(Class::Model, model));
            sentence(model, *responses, *tokens, "--prices FILE")
        })
        .collect();
    if !others.is_empty() {
        let (responses, tokens) =
            others.iter().fold((0, 0), |(n, sum), (_, responses, tokens)| (n + responses, sum + tokens));
        let all = "ccaudit cache --by model --limit 0 names all";
        notes.push(sentence(
            words::counted(others.len() as u128, "more model", "more models"),
            responses,
            tokens,
            all,
        ));
    }
    notes
}

/// The sentences under a report: how each number was made, and what is not in it. Of the models without a price `most`
/// are named.
#[must_use]
pub fn notes(report: &CacheReport, method: &Method, most: usize, names: &Names) -> Vec<Note> {
    let group = &report.totals;
    let mut notes = Vec::new();
    let bound = &group.lower_bound;
    if bound.responses > 0 {
        let [n, responses] = counted(bound.responses, "response", "responses");
        notes.push(Note(vec![
            Cell::text("the output of "),
            n,
            responses,
            Cell::text(" is a lower bound: "),
            Cell::Tokens(bound.output),
            Cell::text(if bound.output == 1 { " token recorded" } else { " tokens recorded" }),
            Cell::text(", by the length of the text about "),
            Cell::Tokens(bound.estimate),
            Cell::text(" (ccaudit explain lower-bound-output)"),
        ]));
    }
    notes.extend(unpriced(report, most, names));
    if report.losses > 0 {
        let [n, stretches] = counted(report.losses, "stretch", "stretches");
        notes.push(Note(vec![n, stretches, Cell::text(" of the transcripts gave no entry (ccaudit fsck)")]));
    }
    if report.unreadable > 0 {
        let [n, paths] = counted(report.unreadable, "path", "paths");
        notes.push(Note(vec![n, paths, Cell::text(" could not be read (ccaudit fsck)")]));
    }
    if report.without_time > 0 {
        notes.push(without_time(report.without_time));
    }
    notes.extend(method.nothing_matches(group.responses));
    if let Some(recorded) = report.recorded_cost {
        notes.push(Note(vec![
            Cell::text("the client itself recorded "),
            Cell::Money(recorded),
            Cell::text(" (costUSD) for these; it is not added"),
        ]));
    }
    let scope = if method.scope.is_empty() { String::new() } else { format!(" · {}", method.scope) };
    let [entries, entries_are] = counted(group.entries, "entry", "entries");
    let [responses, responses_are] = counted(group.responses, "response", "responses");
    notes.push(Note(vec![
        entries,
        entries_are,
        Cell::text(" → "),
        responses,
        responses_are,
        Cell::text(", "),
        Cell::Count(u128::from(group.copied_entries)),
        Cell::text(format!(
            " of the entries copies · list-price equivalents, no bill · prices of {} · days in {}{scope} · meaning of a formula: ccaudit explain ID",
            method.prices, method.zone
        )),
    ]));
    notes
}

/// Says how many responses a time range cannot place.
pub(in crate::view) fn without_time(responses: u64) -> Note {
    let (one, many) = ("response has no usable time and is", "responses have no usable time and are");
    let [n, responses] = counted(responses, one, many);
    Note(vec![n, responses, Cell::text(" left out of the range")])
}
