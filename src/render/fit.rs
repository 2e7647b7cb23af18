//! Making things fit a width: which columns of a table stay and how wide they are, and wrapping of sentences.

use unicode_segmentation::UnicodeSegmentation;

use super::clean::{take, width};

/// Spaces between two columns of a table.
pub(super) const GAP: usize = 2;
/// Columns of a name that still tell what it is; a name is cut below that only where nothing is left to drop.
const READABLE: usize = 20;
/// The least of a name that is worth a column: two letters, the mark and two letters.
const LEAST: usize = 5;
/// The same of a column whose cells wrap.
const WRAPPED: usize = 10;

/// What the fitter knows of a column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Demand {
    /// Widest cell or label.
    pub natural: usize,
    /// Widest cell that must stay whole.
    pub rigid: usize,
    pub label: usize,
    pub priority: u8,
    /// Its cells go on in further lines where it is narrower than they are.
    pub wraps: bool,
}

impl Demand {
    /// Width before another column is dropped for the sake of this one.
    fn readable(&self) -> usize {
        self.natural.min(self.rigid.max(self.label).max(READABLE))
    }

    fn least(&self) -> usize {
        self.natural.min(self.rigid.max(if self.wraps { WRAPPED } else { LEAST }))
    }
}

/// The columns that stay, in order, and their widths.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub shown: Vec<usize>,
    /// As long as `shown`; `None` where even the narrowest table is too wide, so that rows become lists.
    pub widths: Option<Vec<usize>>,
}

/// Drops columns by priority, then narrows what wraps and loses nothing by it, then names, widest first.
pub(super) fn columns(demands: &[Demand], room: usize) -> Fit {
    let mut shown: Vec<usize> = (0..demands.len()).collect();
    let total = |shown: &[usize], width: &dyn Fn(&Demand) -> usize| {
        shown.iter().map(|&index| width(&demands[index])).sum::<usize>() + GAP * shown.len().saturating_sub(1)
    };
    while total(&shown, &Demand::readable) > room {
        // Of equal priorities the rightmost goes.
        let Some(last) = (0..shown.len()).max_by_key(|&at| demands[shown[at]].priority) else { break };
        if demands[shown[last]].priority == 0 {
            break;
        }
        shown.remove(last);
    }
    let wrapped =
        |demand: &Demand| if demand.wraps { demand.least().max(demand.label) } else { demand.natural };
    let narrowest = total(&shown, &wrapped);
    if narrowest <= room {
        let mut free = room - narrowest;
        let mut width = |demand: &Demand| {
            let more = free.min(demand.natural - wrapped(demand));
            free -= more;
            wrapped(demand) + more
        };
        let widths = shown.iter().map(|&index| width(&demands[index])).collect();
        return Fit { shown, widths: Some(widths) };
    }
    let capped = |cap: usize| move |demand: &Demand| demand.natural.min(cap).max(demand.least());
    let widest = demands.iter().map(|demand| demand.natural).max().unwrap_or(0).min(room);
    let cap = (0..=widest).rev().find(|&cap| total(&shown, &capped(cap)) <= room);
    let widths = cap.map(|cap| shown.iter().map(|&index| capped(cap)(&demands[index])).collect());
    Fit { shown, widths }
}

/// `text` in lines of at most `room` columns, broken at spaces, and inside a word only if it is longer than a
/// line. A number stays with its unit, and no line starts with a separator.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for chunk in chunks(text) {
        let word = chunk.trim_end();
        if !line.is_empty() && width(&line) + width(word) > room {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        if width(word) > room {
            // Either one long word or words kept together: break wherever the line is full.
            let clusters: Vec<&str> = word.graphemes(true).collect();
            let mut rest = clusters.as_slice();
            loop {
                let (head, tail) = rest.split_at(take(rest.iter(), room).clamp(1, rest.len()));
                if tail.is_empty() {
                    break;
                }
                lines.push(head.concat().trim_end().to_owned());
                rest = tail;
            }
            line.push_str(&rest.concat());
            line.push_str(&chunk[word.len()..]);
        } else {
            line.push_str(chunk);
        }
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Words with the spaces behind them, and with the following words that may not start a line.
fn chunks(text: &str) -> Vec<&str> {
    let mut chunks: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end();
        let stays =
            word.is_empty() || matches!(word, "·" | "=" | "%" | "k" | "M" | "B" | "T" | "kB" | "MB" | "GB");
        if at > start && !stays {
            chunks.push(&text[start..at]);
            start = at;
        }
        at += piece.len();
    }
    chunks.push(&text[start..]);
    chunks
}
