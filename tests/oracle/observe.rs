//! What the crate has read, with every handle and row number replaced by what it stands for.

use std::fmt::Write;

use ccaudit::model::{Corpus, Entry, Kind, NodeId, Nodes, Response, Strings, Sym, Transcript};

use super::{Boundary, Cost, Detail, Row, Text, Usage};

/// The tables that rows of a transcript refer to.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub strings: &'a Strings,
    pub nodes: &'a Nodes,
}

impl Names<'_> {
    fn text(&self, sym: Sym) -> Text {
        self.strings.get(sym).map(str::to_owned)
    }

    fn node(&self, node: NodeId) -> Text {
        node.is_some().then(|| self.nodes.text(node))
    }
}

pub fn rows(transcript: &Transcript, names: Names<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = transcript.entries.iter().map(|entry| row(transcript, entry, names)).collect();
    for call in &transcript.calls {
        rows[call.entry as usize].calls.push((names.text(call.id), names.text(call.name)));
    }
    for result in &transcript.results {
        rows[result.entry as usize].results.push((names.text(result.call), result.is_error));
    }
    rows
}

fn row(transcript: &Transcript, entry: &Entry, names: Names<'_>) -> Row {
    let envelope = transcript.envelope(entry);
    let side_name = || transcript.side(entry).and_then(|side| names.text(side.name));
    Row {
        offset: entry.offset,
        len: u64::from(entry.len),
        kind: entry.kind.name().map(str::to_owned).or_else(side_name).unwrap(),
        flags: entry.flags.0,
        time: entry.time.ms(),
        node: names.node(entry.node),
        parent: names.node(entry.parent),
        envelope: [envelope.session, envelope.version, envelope.cwd, envelope.branch, envelope.agent]
            .map(|sym| names.text(sym)),
        estimate: u64::from(entry.estimate),
        detail: detail(transcript, entry, names),
        calls: Vec::new(),
        results: Vec::new(),
    }
}

fn detail(transcript: &Transcript, entry: &Entry, names: Names<'_>) -> Detail {
    if let Some(answer) = transcript.answer(entry) {
        return Detail::Answer {
            message: names.text(answer.message),
            request: names.text(answer.request),
            model: names.text(answer.model),
            stop: names.text(answer.stop_reason),
            usage: usage(transcript, entry, names),
            characters: u64::from(answer.characters),
            cost: Cost(answer.recorded_cost),
        };
    }
    if let Some(message) = transcript.message(entry) {
        return Detail::Message {
            source: names.node(message.source),
            prompt: names.text(message.prompt),
            agent: names.text(message.agent),
        };
    }
    let side = transcript.side(entry).unwrap();
    let boundary = transcript.boundary(entry).map(|boundary| Boundary {
        manual: boundary.manual,
        tokens: [boundary.pre_tokens, boundary.post_tokens, boundary.dropped_tokens],
        segment: boundary
            .segment
            .map(|segment| [segment.head, segment.anchor, segment.tail].map(|node| names.node(node))),
        preserved: boundary.preserved.as_ref().map(|kept| {
            let list = |ids: &[NodeId]| ids.iter().map(|id| names.node(*id)).collect();
            (names.node(kept.anchor), list(&kept.entries), list(&kept.all))
        }),
    });
    assert_eq!(side.is_cost, entry.kind == Kind::CostState);
    Detail::Side {
        name: names.text(side.name),
        target: names.node(side.target),
        title: names.text(side.title),
        boundary,
        cost: side.is_cost.then(|| Cost(transcript.costs[side.row as usize].total)),
    }
}

fn usage(transcript: &Transcript, entry: &Entry, names: Names<'_>) -> Option<Usage> {
    let row = transcript.usage(entry)?;
    let (first, number) = row.advisors;
    let advisors = transcript.advisors[first as usize..][..number as usize].iter().map(|advisor| {
        let usage = &advisor.usage;
        let counts = [
            usage.input,
            usage.output,
            usage.write_5m,
            usage.write_1h,
            usage.write_unsplit,
            usage.read,
            usage.searches,
        ];
        (names.text(advisor.model), counts)
    });
    Some(Usage {
        counts: [row.input, row.output, row.flat_write, row.write_5m, row.write_1h, row.read, row.searches],
        has_flat: row.has_flat,
        has_split: row.has_split,
        service: [row.speed, row.geo, row.tier].map(|sym| names.text(sym)),
        advisors: advisors.collect(),
    })
}

/// Everything in a corpus, as text; equal for equal corpora and for no others. Only the place of the tree
/// itself is left out.
pub fn everything(corpus: &Corpus) -> String {
    let names = Names { strings: &corpus.strings, nodes: &corpus.nodes };
    let mut all = String::new();
    for (file, transcript) in corpus.files.iter().zip(&corpus.transcripts) {
        let kind = file.kind;
        writeln!(all, "file {} {kind:?} {} {:?} {:?}", file.path, file.len, file.store, file.session)
            .unwrap();
        for row in rows(transcript, names) {
            writeln!(all, "{row:?}").unwrap();
        }
        let Transcript { issues, blank_bytes, envelope_bytes, bytes, slow_lines, .. } = transcript;
        writeln!(all, "{issues:?} {blank_bytes} {envelope_bytes} {bytes} {slow_lines}").unwrap();
        let rows = [
            transcript.envelopes.len(),
            transcript.usages.len(),
            transcript.advisors.len(),
            transcript.boundaries.len(),
            transcript.costs.len(),
        ];
        writeln!(all, "{rows:?}").unwrap();
    }
    let strings: Vec<&str> = corpus.strings.iter().collect();
    writeln!(all, "{:?} {strings:?} {}", corpus.tree_issues, corpus.nodes.len()).unwrap();
    for store in &corpus.stores {
        writeln!(all, "{} {:?} {:?}", store.slug, names.text(store.cwd), store.sessions).unwrap();
    }
    for session in &corpus.sessions {
        writeln!(all, "{session:?} {:?}", names.text(session.title)).unwrap();
    }
    writeln!(all, "{:?} {:?} {:?}", corpus.agents, corpus.session_of, corpus.agent_of).unwrap();
    for response in &corpus.responses {
        writeln!(all, "{}", self::response(corpus, response)).unwrap();
    }
    writeln!(all, "{:?} {:?}", corpus.synthetic, corpus.without_usage).unwrap();
    all
}

fn response(corpus: &Corpus, response: &Response) -> String {
    let names = [response.id, response.model, response.version].map(|sym| corpus.strings.get(sym));
    let Response { counted, owner, usage, start, end, entries, inherited, estimate, flags, .. } = response;
    format!(
        "{names:?} {counted:?} {owner:?} {usage:?} {start:?} {end:?} {entries} {inherited} {estimate} {flags:?}"
    )
}
