//! Entries → responses: each API answer once, over all files.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::owner;
use crate::constants::{LOWER_BOUND_CHARACTERS, LOWER_BOUND_TOKENS};
use crate::model::{
    Answer, Corpus, Entry, EntryRef, FileId, Flags, Kind, NodeId, Response, ResponseFlags, Sym, Time, Usage,
    UsageRow, version_order,
};
use crate::parse;
use crate::source::{Disk, Source};

/// The model name of entries that the client made up: events, not responses.
const SYNTHETIC: &str = "<synthetic>";

/// Fills in responses, synthetic entries and entries without usage.
pub(super) fn fold(corpus: &mut Corpus) {
    let groups = group(corpus);
    let owners = owner::Owners::new(corpus);
    let mut responses = Vec::with_capacity(groups.members.len());
    for (group, members) in groups.members.iter().enumerate() {
        let owner = owners.of(corpus, members);
        fold_one(corpus, members, owner, |response| responses.push((response, group)));
    }
    responses.sort_by_key(|(response, _)| (response.owner, response.counted, response.flags.advisor));
    for (row, (response, group)) in responses.iter().enumerate() {
        if !response.flags.advisor {
            for at in &groups.members[*group] {
                corpus.set_response(*at, row);
            }
        }
    }
    corpus.responses = responses.into_iter().map(|(response, _)| response).collect();
    corpus.synthetic = groups.synthetic;
    corpus.without_usage = groups.without_usage;
}

/// What tells responses apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Message(Sym),
    Request(Sym),
    Node(NodeId),
    /// None of these: the entry is a response by itself.
    Place(EntryRef),
}

#[derive(Default)]
struct Groups {
    /// The entries of each response, in file and byte order.
    members: Vec<Vec<EntryRef>>,
    synthetic: Vec<EntryRef>,
    without_usage: Vec<EntryRef>,
}

fn group(corpus: &Corpus) -> Groups {
    let mut groups = Groups::default();
    let mut rows: HashMap<Key, usize, FixedState> = HashMap::default();
    let synthetic = corpus.strings.find(SYNTHETIC);
    let empty = corpus.strings.find("");
    let present = |sym: Sym| sym.is_some() && sym != empty;
    let no_node = corpus.nodes.find("");
    for file in corpus.transcript_files() {
        let transcript = corpus.transcript(file);
        for (row, entry) in transcript.entries.iter().enumerate() {
            let Some(answer) = transcript.answer(entry) else { continue };
            let at = EntryRef { file, row: u32::try_from(row).unwrap_or(u32::MAX) };
            if answer.model.is_some() && answer.model == synthetic {
                groups.synthetic.push(at);
            } else if transcript.usage(entry).is_none() {
                groups.without_usage.push(at);
            } else {
                let key = match (
                    present(answer.message),
                    present(answer.request),
                    entry.node.is_some() && entry.node != no_node,
                ) {
                    (true, _, _) => Key::Message(answer.message),
                    (false, true, _) => Key::Request(answer.request),
                    (false, false, true) => Key::Node(entry.node),
                    _ => Key::Place(at),
                };
                let group = *rows.entry(key).or_insert_with(|| {
                    groups.members.push(Vec::with_capacity(2));
                    groups.members.len() - 1
                });
                groups.members[group].push(at);
            }
        }
    }
    groups
}

/// One entry of a response, looked up.
struct Member<'a> {
    at: EntryRef,
    time: Time,
    node: NodeId,
    estimate: u32,
    flags: Flags,
    answer: &'a Answer,
    row: &'a UsageRow,
    usage: Usage,
}

impl<'a> Member<'a> {
    fn of(corpus: &'a Corpus, at: EntryRef) -> Option<Self> {
        let transcript = corpus.transcript(at.file);
        let entry = transcript.entries.get(at.row as usize)?;
        debug_assert!(entry.kind == Kind::Assistant);
        let (answer, row) = (transcript.answer(entry)?, transcript.usage(entry)?);
        let Entry { time, node, estimate, flags, .. } = *entry;
        Some(Self { at, time, node, estimate, flags, answer, row, usage: row.tokens() })
    }

    /// The prompt-side fields, which all entries of a response should share.
    const fn prompt_side(&self) -> [u64; 5] {
        let Usage { input, read, write_5m, write_1h, write_unsplit, .. } = self.usage;
        [input, read, write_5m, write_1h, write_unsplit]
    }
}

fn fold_one(corpus: &Corpus, members: &[EntryRef], owner: FileId, mut add: impl FnMut(Response)) {
    let members: Vec<Member<'_>> = members.iter().filter_map(|&at| Member::of(corpus, at)).collect();
    let Some(counted) = counted(corpus, &members, owner) else { return };
    let (mut start, mut end) = (Time::NONE, Time::NONE);
    for member in &members {
        // Of all files: a transcript cut in two must not move the answer to another day or price.
        start = start.earlier(member.time);
        if member.at.file == owner {
            end = end.max(member.time);
        }
    }
    let (characters, estimate) = text(&members, owner);
    let stopped = members.iter().any(|member| member.answer.stop_reason.is_some());
    let placeholder = characters > LOWER_BOUND_CHARACTERS && counted.usage.output <= LOWER_BOUND_TOKENS;
    let is = |sym: Sym, name: &str| corpus.strings.get(sym) == Some(name);
    let flags = ResponseFlags {
        lower_bound: !stopped || placeholder,
        conflicting: members.iter().any(|member| member.prompt_side() != counted.prompt_side()),
        split_mismatch: is_mismatch(counted.row),
        implausible: members.iter().any(|member| member.flags.has(Flags::IMPLAUSIBLE)),
        fast: is(counted.row.speed, "fast"),
        us_only: is(counted.row.geo, "us"),
        batch: is(counted.row.tier, "batch"),
        advisor: false,
    };
    let transcript = corpus.transcript(counted.at.file);
    let id = [counted.answer.message, counted.answer.request]
        .into_iter()
        .find(|sym| corpus.strings.get(*sym).is_some_and(|id| !id.is_empty()));
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let response = Response {
        id: id.unwrap_or(Sym::NONE),
        counted: counted.at,
        owner,
        model: counted.answer.model,
        version: version_of(corpus, counted.at),
        usage: counted.usage,
        start,
        end,
        entries: count(members.len()),
        inherited: count(members.iter().filter(|member| member.at.file != owner).count()),
        estimate,
        flags,
    };
    add(response);
    let (first, number) = counted.row.advisors;
    for advisor in transcript.advisors.iter().skip(first as usize).take(number as usize) {
        let flags = ResponseFlags { advisor: true, ..ResponseFlags::default() };
        let (model, usage) = (advisor.model, advisor.usage);
        add(Response { model, usage, entries: 0, inherited: 0, estimate: 0, flags, ..response });
    }
}

/// Characters of the answer's text, and the estimated tokens of what of it stands in the owner. An entry that
/// stands twice, in one file or in several, is one block of the answer.
fn text(members: &[Member<'_>], owner: FileId) -> (u64, u32) {
    let mut blocks: Vec<&Member<'_>> = members.iter().collect();
    blocks.sort_by_key(|member| (member.node, member.at.file != owner, member.at));
    let (mut characters, mut estimate) = (0, 0u32);
    let mut last = None;
    for member in blocks {
        let owned = member.at.file == owner;
        let is_new = if member.node.is_none() { owned } else { last != Some(member.node) };
        last = Some(member.node);
        if is_new {
            characters += u64::from(member.answer.characters);
            estimate = estimate.saturating_add(if owned { member.estimate } else { 0 });
        }
    }
    (characters, estimate)
}

/// A split that does not add up to the flat count, where the record has both.
fn is_mismatch(row: &UsageRow) -> bool {
    row.has_flat
        && row.has_split
        && u128::from(row.flat_write) != u128::from(row.write_5m) + u128::from(row.write_1h)
}

/// Which entry of a response counts: the one with the highest output, then one with a stop reason, then the
/// one with the larger prompt, then the one with the greatest canonical usage. What is left makes no difference
/// to any sum and is settled by time, model, the owner and client version. Place is left to those that are alike.
fn counted<'m, 'c>(corpus: &Corpus, members: &'m [Member<'c>], owner: FileId) -> Option<&'m Member<'c>> {
    let key = |member: &Member<'_>| {
        (member.usage.output, member.answer.stop_reason.is_some(), member.usage.prompt())
    };
    let highest = members.iter().map(key).max()?;
    let mut best: Vec<&Member<'_>> = members.iter().filter(|member| key(member) == highest).collect();
    // The files are asked only where it could make a difference.
    // Rows name their advisors by place in the file.
    if best.iter().any(|member| member.row != best[0].row || (member.row.advisors.1 > 0 && best.len() > 1)) {
        let canonical = |member: &Member<'_>| (canonical_usage(corpus, member.at), columns(member.row));
        let mut keyed: Vec<_> = best.iter().map(|&member| (canonical(member), member)).collect();
        let greatest = keyed.iter().map(|(key, _)| key).max()?.clone();
        keyed.retain(|(key, _)| *key == greatest);
        best = keyed.into_iter().map(|(_, member)| member).collect();
    }
    best.into_iter().max_by_key(|member| {
        let model = corpus.strings.text(member.answer.model);
        let version = corpus.strings.text(version_of(corpus, member.at));
        (member.time, model, member.at.file == owner, version_order(version), version, member.at)
    })
}

fn version_of(corpus: &Corpus, at: EntryRef) -> Sym {
    corpus.transcript(at.file).envelope(corpus.entry(at)).version
}

/// Stands in for the canonical usage where a file has changed since it was read.
const fn columns(row: &UsageRow) -> [u64; 7] {
    [row.input, row.read, row.flat_write, row.write_5m, row.write_1h, row.output, row.searches]
}

/// The `usage` object as JSON with sorted keys and no spaces.
fn canonical_usage(corpus: &Corpus, at: EntryRef) -> Option<String> {
    parse::canonical_usage(&Disk.entry(corpus, at).ok()?)
}
