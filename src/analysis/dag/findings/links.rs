//! Links that lead nowhere or in a circle, and copies that disagree.

use super::super::copies::{self, Difference};
use super::super::graph::Graph;
use super::super::logical::Stitch;
use super::super::report::DagReport;
use super::super::rules::{CONFLICTING_COPY, DANGLING_LOGICAL_PARENT, DANGLING_PARENT, PARENT_CYCLE};
use super::at;
use crate::finding::Finding;
use crate::model::Corpus;
use crate::rule::Level;
use crate::source::Source;
use crate::words;

pub(super) fn dangling_parents(corpus: &Corpus, graph: &Graph, report: &DagReport) -> Option<Finding> {
    let first = *report.dangling.first()?;
    let count = report.dangling.len();
    let what = match report.broken {
        Some(_) if report.is_repaired => "clients put in a link to the entry before in time",
        Some(_) => "the conversation that goes on from the last prompt breaks here",
        None => "the conversation that goes on from the last prompt is whole",
    };
    let place = graph.node(report.broken.unwrap_or(first)).at;
    let finding = at(
        &DANGLING_PARENT,
        corpus,
        place,
        format!("parents that are not there: {}; {what}", words::count(count as u64)),
    )
    .evidence("entries", count)
    .evidence("chain", report.active_chain.len());
    Some(match report.broken {
        Some(_) if report.is_repaired => finding.fix_sentence(
            "look whether the conversation goes on at the right place: `ccaudit dag resume` shows what is loaded",
        ),
        Some(_) => finding.level(Level::Error).fix_sentence(
            "resume with client 2.1.247 or newer, which goes on at the entry before in time; older ones load nothing from before this place",
        ),
        None => finding.fix_sentence("nothing to do: what hangs here is not loaded on resume"),
    })
}

pub(super) fn dangling_logical_parents(
    corpus: &Corpus,
    graph: &Graph,
    report: &DagReport,
) -> Option<Finding> {
    // Where the last entry kept is there, it is known what stands before.
    let dangling = report
        .logical
        .iter()
        .filter(|logical| logical.is_dangling() && !matches!(logical.stitch, Stitch::Segment(_)));
    let kept = |row: u32, named| {
        let place = graph.node(row).at;
        let boundary = corpus.transcript(place.file).boundary(corpus.entry(place));
        boundary.is_some_and(|boundary| {
            boundary.segment.is_some_and(|segment| named == segment.head || named == segment.tail)
                || boundary.preserved.as_ref().is_some_and(|kept| kept.entries.contains(&named))
        })
    };
    let (mut count, mut first, mut first_kept, mut kept_count) = (0u64, None, None, 0u64);
    for logical in dangling {
        count += 1;
        first = first.or(Some(logical.row));
        if kept(logical.row, logical.named) {
            kept_count += 1;
            first_kept = first_kept.or(Some(logical.row));
        }
    }
    let what = if kept_count > 0 { "; it was to be kept" } else { "" };
    let finding = at(
        &DANGLING_LOGICAL_PARENT,
        corpus,
        graph.node(first_kept.or(first)?).at,
        format!("compactions whose entry before them is not there: {}{what}", words::count(count)),
    )
    .evidence("boundaries", count)
    .evidence("kept", kept_count);
    Some(if kept_count > 0 {
        finding.level(Level::Warning).fix_sentence(
            "what the compaction meant to keep is lost to the model; repeat it in a prompt if it matters",
        )
    } else {
        finding
            .fix_sentence("nothing to do: no client follows this link; only the order before it is a guess")
    })
}

pub(super) fn cycles(corpus: &Corpus, graph: &Graph) -> Option<Finding> {
    let first = *graph.cycles.first()?;
    let count = graph.cycles.len();
    let message =
        format!("circles of parents: {}; each is cut at its first entry", words::count(count as u64));
    Some(at(&PARENT_CYCLE, corpus, graph.node(first).at, message).evidence("cycles", count).fix_sentence(
        "no client writes these: look for a program that edits transcripts; clients before 2.1.247 load nothing from above the circle",
    ))
}

pub(super) fn conflicting_copies(corpus: &Corpus, graph: &Graph, source: &dyn Source) -> Option<Finding> {
    let copies = copies::differing(corpus, graph, source);
    // `duplicate-entry` tells of other parents.
    let mut copies = copies.iter().filter(|(_, difference)| *difference == Difference::Said);
    let first = copies.next()?.0;
    let count = copies.count() + 1;
    let message =
        format!("copies of entries that say something else than the first: {}", words::count(count as u64));
    Some(at(&CONFLICTING_COPY, corpus, first, message).evidence("copies", count).fix_sentence(
        "compare both entries before you trust this part; ccaudit takes the first, that of the main transcript before others",
    ))
}
