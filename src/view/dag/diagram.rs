//! `ccaudit dag show` as a diagram.

use super::money;
use super::show::{Shown, agent_words, part_name, strand_name};
use crate::analysis::dag::show::{Part, PartKind, State};
use crate::view::cache::counted;
use crate::view::{Arrow, Cell, Class, Diagram, DiagramBox, Look, Note};

/// The conversation to be drawn: one box for each part and each agent.
#[must_use]
pub fn diagram(shown: &Shown<'_>) -> Diagram {
    let Shown { corpus, outline, names, .. } = shown;
    let title = names.name(Class::Session, &corpus.sessions[shown.session].id);
    let mut diagram = Diagram { title: format!("session {title}"), ..Diagram::default() };
    // The last box of each strand so far, and that of each part.
    let mut ends: Vec<Option<usize>> = vec![None; outline.strands.len()];
    let mut boxes = Vec::with_capacity(outline.parts.len());
    for (at, part) in outline.parts.iter().enumerate() {
        let number = diagram.boxes.len();
        boxes.push(number);
        diagram.boxes.push(part_box(shown, at, part));
        let strand = &outline.strands[part.strand];
        let (from, label) = match ends[part.strand].replace(number) {
            Some(before) => (Some(before), String::new()),
            None => {
                let above = strand.at.and_then(|node| outline.part_of(node)).and_then(|part| boxes.get(part));
                (above.copied(), strand_name(strand, part.strand))
            }
        };
        diagram.arrows.extend(from.map(|from| Arrow { from, to: number, label, dashed: false }));
        for facts in &shown.facts[at].agents {
            let to = diagram.boxes.len();
            let lines = vec![agent_words(facts.agent, shown).into()];
            diagram.boxes.push(DiagramBox { lines, look: Look::Round });
            diagram.arrows.push(Arrow { from: number, to, label: String::new(), dashed: true });
        }
    }
    diagram
}

fn part_box(shown: &Shown<'_>, at: usize, part: &Part) -> DiagramBox {
    let facts = &shown.facts[at];
    let mut lines: Vec<Note> = vec![format!("{} {}", part.number, part_name(part.kind)).into()];
    let text = shown.text.map(|text| text(part.lead(shown.corpus, shown.graph)));
    lines.extend(text.filter(|text| !text.is_empty()).map(Note::from));
    let [entries, entries_are] = counted(part.rows.len() as u64, "entry", "entries");
    let [responses, responses_are] = counted(facts.responses, "response", "responses");
    lines.push(Note(vec![entries, entries_are, Cell::text(" · "), responses, responses_are]));
    if let Some(prompt) = facts.prompt {
        lines.push(Note(vec![
            Cell::text("prompt "),
            Cell::Tokens(prompt),
            Cell::text(" · "),
            money(&facts.spend),
        ]));
    }
    let look = match (part.kind, shown.outline.state(at)) {
        (PartKind::Compaction, _) => Look::Strong,
        (_, State::LeftBehind | State::Unconnected) => Look::Faded,
        _ => Look::Plain,
    };
    DiagramBox { lines, look }
}
