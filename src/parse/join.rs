//! Parts of a file → its rows, with handles that hold for all files.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::part::row;
use crate::model::{Envelope, NO_ROW, NodeId, Sym, Transcript};

/// The rows of a file, joined part by part.
#[derive(Default)]
pub struct Whole {
    rows: Transcript,
    /// The row of each envelope; filled when a second part comes.
    envelopes: HashMap<Envelope, u32, FixedState>,
}

impl Whole {
    /// Appends the rows of the stretch that follows. Their handles are those of the rows before.
    pub fn append(&mut self, mut rows: Transcript) {
        if self.rows.bytes == 0 {
            self.rows = rows;
            return;
        }
        if self.envelopes.is_empty() {
            self.envelopes = self.rows.envelopes.iter().copied().zip(0..).collect();
        }
        let envelopes: Vec<u32> =
            rows.envelopes.iter().map(|&envelope| self.envelope_row(envelope)).collect();
        shift(&mut rows, &self.rows, &envelopes);
        self.join_usages(&mut rows);
        let to = &mut self.rows;
        to.entries.append(&mut rows.entries);
        to.answers.append(&mut rows.answers);
        to.usages.append(&mut rows.usages);
        to.advisors.append(&mut rows.advisors);
        to.messages.append(&mut rows.messages);
        to.sides.append(&mut rows.sides);
        to.boundaries.append(&mut rows.boundaries);
        to.costs.append(&mut rows.costs);
        to.calls.append(&mut rows.calls);
        to.results.append(&mut rows.results);
        to.issues.append(&mut rows.issues);
        to.blank_bytes += rows.blank_bytes;
        to.envelope_bytes += rows.envelope_bytes;
        to.bytes += rows.bytes;
        to.slow_lines += rows.slow_lines;
    }

    /// The rows of the whole file.
    #[must_use]
    pub fn into_rows(self) -> Transcript {
        self.rows
    }

    /// Shares the usage row of an answer whose blocks lie on both sides of the seam, as the entries of one part do.
    fn join_usages(&self, next: &mut Transcript) {
        if self.rows.usages.is_empty() || self.rows.usages.last() != next.usages.first() {
            return;
        }
        next.usages.remove(0);
        for answer in next.answers.iter_mut().filter(|answer| answer.usage != NO_ROW) {
            answer.usage -= 1;
        }
    }

    fn envelope_row(&mut self, envelope: Envelope) -> u32 {
        let rows = &mut self.rows.envelopes;
        *self.envelopes.entry(envelope).or_insert_with(|| {
            rows.push(envelope);
            row(rows.len() - 1)
        })
    }
}

/// Replaces every handle of a transcript by what `sym` and `node` make of it.
pub fn remap(rows: &mut Transcript, sym: &impl Fn(Sym) -> Sym, node: &impl Fn(NodeId) -> NodeId) {
    for entry in &mut rows.entries {
        entry.node = node(entry.node);
        entry.parent = node(entry.parent);
    }
    for envelope in &mut rows.envelopes {
        let Envelope { session, version, cwd, branch, agent } = envelope;
        for handle in [session, version, cwd, branch, agent] {
            *handle = sym(*handle);
        }
    }
    for answer in &mut rows.answers {
        for handle in [&mut answer.message, &mut answer.request, &mut answer.model, &mut answer.stop_reason] {
            *handle = sym(*handle);
        }
    }
    for usage in &mut rows.usages {
        for handle in [&mut usage.speed, &mut usage.geo, &mut usage.tier] {
            *handle = sym(*handle);
        }
    }
    for advisor in &mut rows.advisors {
        advisor.model = sym(advisor.model);
    }
    for message in &mut rows.messages {
        message.source = node(message.source);
        message.prompt = sym(message.prompt);
        message.agent = sym(message.agent);
    }
    for side in &mut rows.sides {
        side.name = sym(side.name);
        side.target = node(side.target);
        side.title = sym(side.title);
    }
    for boundary in &mut rows.boundaries {
        if let Some(segment) = &mut boundary.segment {
            for handle in [&mut segment.head, &mut segment.anchor, &mut segment.tail] {
                *handle = node(*handle);
            }
        }
        if let Some(preserved) = &mut boundary.preserved {
            preserved.anchor = node(preserved.anchor);
            for handle in preserved.entries.iter_mut().chain(&mut preserved.all) {
                *handle = node(*handle);
            }
        }
    }
    for call in &mut rows.calls {
        call.id = sym(call.id);
        call.name = sym(call.name);
    }
    for result in &mut rows.results {
        result.call = sym(result.call);
    }
}

/// Moves the row numbers of `rows` so that they hold after `before`.
fn shift(rows: &mut Transcript, before: &Transcript, envelopes: &[u32]) {
    use crate::model::{Kind, NO_ROW};
    let add = |number: &mut u32, by: usize| {
        if *number != NO_ROW {
            *number += row(by);
        }
    };
    for entry in &mut rows.entries {
        entry.envelope = envelopes.get(entry.envelope as usize).copied().unwrap_or(NO_ROW);
        let by = match entry.kind {
            Kind::Assistant => before.answers.len(),
            Kind::User => before.messages.len(),
            _ => before.sides.len(),
        };
        add(&mut entry.detail, by);
    }
    for answer in &mut rows.answers {
        add(&mut answer.usage, before.usages.len());
    }
    for usage in &mut rows.usages {
        usage.advisors.0 += row(before.advisors.len());
    }
    for side in &mut rows.sides {
        // A row number of a side entry belongs to the table of its kind; both tables only ever grow.
        add(&mut side.row, if side.is_cost { before.costs.len() } else { before.boundaries.len() });
    }
    for call in &mut rows.calls {
        call.entry += row(before.entries.len());
    }
    for result in &mut rows.results {
        result.entry += row(before.entries.len());
    }
}
