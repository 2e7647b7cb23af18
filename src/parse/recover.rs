//! Lines that are not exactly one JSON value: which whole records lie in them, and what is lost.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::{Reader, is_space, repair};
use crate::model::IssueKind;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads a line piece by piece. Every byte goes into an entry, an issue or the count of blanks.
pub(super) fn line(reader: &mut Reader, line: &[u8], offset: u64, terminated: bool) {
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let nuls = rest.iter().take_while(|byte| **byte == 0).count();
        if nuls > 0 {
            reader.part.issue(IssueKind::NulRun, offset + at as u64, nuls as u64, 1);
            at += nuls;
            continue;
        }
        let len = memchr::memchr(0, rest).unwrap_or(rest.len());
        let open_end = !terminated && at + len == line.len();
        stretch(reader, &rest[..len], offset + at as u64, open_end);
        at += len;
    }
}

/// A stretch without NULs.
fn stretch(reader: &mut Reader, mut bytes: &[u8], mut offset: u64, open_end: bool) {
    if let Some(rest) = bytes.strip_prefix(BOM) {
        reader.part.issue(IssueKind::ByteOrderMark, offset, BOM.len() as u64, 1);
        offset += BOM.len() as u64;
        bytes = rest;
    }
    let mut at = 0;
    let mut pieces = 0;
    while at < bytes.len() {
        if is_space(bytes[at]) {
            reader.part.rows.blank_bytes += 1;
            at += 1;
            continue;
        }
        let (start, here) = (at, offset + at as u64);
        if let Some(len) =
            whole_value(&bytes[at..]).filter(|&len| bytes[at] == b'{' || at + len == bytes.len())
            && piece(reader, &bytes[at..at + len], here)
        {
            if pieces > 0 {
                reader.part.issue(IssueKind::Spliced, here, len as u64, 1);
            }
            at += len;
        } else {
            at = next_record(bytes, at + 1).unwrap_or(bytes.len());
            let end =
                bytes[..at].iter().rposition(|byte| !is_space(*byte)).map_or(start + 1, |last| last + 1);
            let torn = open_end && at == bytes.len();
            let kind = if torn { IssueKind::TornTail } else { IssueKind::Damaged };
            reader.part.issue(kind, here, (end - start) as u64, 1);
            reader.part.rows.blank_bytes += (at - end) as u64;
        }
        pieces += 1;
    }
}

/// Reads one JSON value with whatever repairs it needs; false where it cannot be read after all.
fn piece(reader: &mut Reader, bytes: &[u8], offset: u64) -> bool {
    let mut repaired = repair::value(bytes);
    if reader.repaired(&mut repaired.bytes, offset, bytes.len()).is_err() {
        return false;
    }
    for (kind, count) in
        [(IssueKind::InvalidUtf8, repaired.ill_formed), (IssueKind::LoneSurrogate, repaired.surrogates)]
    {
        if count > 0 {
            reader.part.issue(kind, offset, bytes.len() as u64, count);
        }
    }
    true
}

/// Length of the JSON value at the start of `bytes`. Does not recurse and does not judge UTF-8.
fn whole_value(bytes: &[u8]) -> Option<usize> {
    let mut values = Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Some(values.byte_offset()),
        _ => None,
    }
}

/// Where the next whole record starts, from `from` on.
///
/// A brace inside a cut record may open one of its own parts rather than the next record. So a candidate has
/// to look like a record, and one that stands where a value may stand has to carry the whole envelope.
fn next_record(bytes: &[u8], from: usize) -> Option<usize> {
    let last = |key: &[u8]| memchr::memmem::rfind(bytes, key).unwrap_or(0);
    let (kind, session, uuid) = (last(b"\"type\""), last(b"\"sessionId\""), last(b"\"uuid\""));
    let any_id =
        [session, uuid, last(b"\"leafUuid\""), last(b"\"messageId\"")].into_iter().max().unwrap_or(0);
    // Each attempt costs at most the rest of the line; together they may cost a few times the line.
    let mut budget = bytes.len().saturating_mul(8).saturating_add(1 << 16);
    for at in memchr::memmem::find_iter(&bytes[from..], b"{\"").map(|found| from + found) {
        let rest = &bytes[at..];
        let before = bytes[..at].iter().rfind(|byte| !is_space(**byte));
        let may_be_part = matches!(before, Some(b':' | b',' | b'['));
        let has_envelope = at < kind && at < session && at < uuid && rest.starts_with(b"{\"parentUuid\":");
        if !has_envelope && (may_be_part || at >= kind || at >= any_id) {
            continue;
        }
        budget = budget.checked_sub(rest.len())?;
        if whole_value(rest).is_some() {
            return Some(at);
        }
    }
    None
}
