//! Makes any string harmless to look at: control, bidi and invisible characters become visible `\u{…}`.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::view::mask;

/// `text` as it may be shown: one line, nothing that moves the cursor, reorders or hides, no e-mail address or account number.
#[must_use]
pub fn text(text: &str) -> Cow<'_, str> {
    match mask(text) {
        Cow::Borrowed(text) => visible(text),
        Cow::Owned(text) => Cow::Owned(visible(&text).into_owned()),
    }
}

fn visible(text: &str) -> Cow<'_, str> {
    let suspicious = |c: char| is_hostile(c) || c == ZWJ;
    let starts_bare = text.chars().next().is_some_and(|c| c.width() == Some(0));
    if !starts_bare && !text.contains(suspicious) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (index, cluster) in text.graphemes(true).enumerate() {
        let mut chars = cluster.chars().peekable();
        let mut first = index == 0;
        while let Some(c) = chars.next() {
            // A joiner is part of an emoji or a script only between two characters that are seen.
            let joins = !first && chars.peek().is_some_and(|next| next.width() > Some(0));
            // A mark without a letter would sit on whatever the tool printed before it.
            let bare = first && c.width() == Some(0);
            if is_hostile(c) || bare || (c == ZWJ && !joins) {
                escape(c, &mut out)
            } else {
                out.push(c)
            }
            first = false;
        }
    }
    Cow::Owned(out)
}

const ZWJ: char = '\u{200d}';

fn escape(c: char, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
}

/// Characters that act on a terminal or cannot be seen. [`visible`] alone judges the zero-width joiner.
#[must_use]
pub(super) fn is_hostile(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' // C0, DEL, C1
        | '\u{ad}' | '\u{34f}' | '\u{180e}' // soft hyphen, grapheme joiner, vowel separator
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // fillers
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // bidi
        | '\u{200b}' | '\u{200c}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' // zero width
        | '\u{2028}' | '\u{2029}' // separators
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' // annotations, musical controls
        | '\u{e0000}'..='\u{e0fff}' // tags, which can carry text that nobody sees
    )
}

/// Columns that `text` takes on a terminal.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// At most `max` columns of `text`, the middle replaced by `mark`; never half a character.
#[must_use]
pub fn shorten<'a>(text: &'a str, max: usize, mark: &str) -> Cow<'a, str> {
    cut(text, max, mark, 0)
}

/// At most `max` columns of a path. Its leading folders go first, because the end tells files apart, and only
/// then the middle of the name.
#[must_use]
pub(super) fn shorten_path<'a>(path: &'a str, max: usize, mark: &str) -> Cow<'a, str> {
    if width(path) <= max {
        return Cow::Borrowed(path);
    }
    let inner = path.trim_end_matches(SEPARATORS);
    for (at, _) in inner.match_indices(SEPARATORS).filter(|(at, _)| *at > 0) {
        let short = format!("{mark}{}", &path[at..]);
        if width(&short) <= max {
            return Cow::Owned(short);
        }
    }
    let Some(last) = inner.rfind(SEPARATORS) else { return shorten(path, max, mark) };
    let folders = format!("{mark}{}", &path[last..=last]);
    let (name, room) = (&path[last + 1..], max.saturating_sub(width(&folders)));
    if room < 2 * NAME_HEAD {
        return cut(name, max, mark, NAME_HEAD);
    }
    Cow::Owned(folders + &cut(name, room, mark, NAME_HEAD))
}

const SEPARATORS: [char; 2] = ['/', '\\'];
/// Columns of a file's name that stay, as people know ids by them.
const NAME_HEAD: usize = 8;

/// `text` without its middle, with at least `least` columns of its start where they fit.
fn cut<'a>(text: &'a str, max: usize, mark: &str, least: usize) -> Cow<'a, str> {
    if width(text) <= max {
        return Cow::Borrowed(text);
    }
    let mark = if width(mark) < max { mark } else { "" };
    let room = max - width(mark);
    let start = room.div_ceil(2).max(least.min(room));
    let clusters: Vec<&str> = text.graphemes(true).collect();
    let mut head = take(clusters.iter(), start);
    let mut tail = take(clusters.iter().rev(), room - start);
    loop {
        let end = clusters.len() - tail.min(clusters.len() - head);
        let short = clusters[..head].concat() + mark + &clusters[end..].concat();
        // Parts of a whole do not always add up: some scripts join across the cut.
        if width(&short) <= max || head + tail == 0 {
            return Cow::Owned(short);
        }
        if tail > 0 { tail -= 1 } else { head -= 1 }
    }
}

/// How many of the clusters fit into `room` columns.
pub(super) fn take<'a>(clusters: impl Iterator<Item = &'a &'a str>, room: usize) -> usize {
    let mut used = 0;
    clusters.take_while(|cluster| (used += width(cluster), used <= room).1).count()
}
