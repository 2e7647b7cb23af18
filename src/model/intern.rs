//! Each distinct string and each distinct uuid is kept once; rows hold 4-byte handles.
//!
//! There are 2^31 - 1 handles of each sort. What comes after them is as good as absent: its handle is `NONE`.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Handle of a string in a [`Strings`]. [`Sym::NONE`] stands for "absent", which is not the empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(u32);

impl Sym {
    pub const NONE: Self = Self(u32::MAX);

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    #[must_use]
    pub const fn is_some(self) -> bool {
        !self.is_none()
    }
}

/// Interned strings. Handles count up from 0 in order of first appearance.
#[derive(Debug, Default, Clone)]
pub struct Strings {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Strings {
    /// Number of distinct strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The handle of `s`, new if it was never seen; [`Sym::NONE`] where all are taken.
    pub fn intern(&mut self, s: &str) -> Sym {
        let hash = hash(s.as_bytes());
        let (text, ends) = (&self.text, &self.ends);
        if let Some(&row) = self.table.find(hash, |&row| slice(text, ends, row) == s) {
            return Sym(row);
        }
        let Some(row) = new_row(self.ends.len()) else { return Sym::NONE };
        self.text.push_str(s);
        self.ends.push(self.text.len());
        let (text, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, row, |&row| hash_of(text, ends, row));
        Sym(row)
    }

    /// The handle of `s` if it was seen, without adding it.
    #[must_use]
    pub fn find(&self, s: &str) -> Sym {
        let (text, ends) = (&self.text, &self.ends);
        self.table
            .find(hash(s.as_bytes()), |&row| slice(text, ends, row) == s)
            .map_or(Sym::NONE, |&row| Sym(row))
    }

    /// The text behind a handle; `None` for [`Sym::NONE`].
    #[must_use]
    pub fn get(&self, sym: Sym) -> Option<&str> {
        if sym.is_none() { None } else { Some(slice(&self.text, &self.ends, sym.0)) }
    }

    /// The text behind a handle, empty for [`Sym::NONE`].
    #[must_use]
    pub fn text(&self, sym: Sym) -> &str {
        self.get(sym).unwrap_or_default()
    }

    /// All strings in order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut start, end)..end])
    }

    /// Gives back the memory that only growing and finding need. From here on these are only read and absorbed.
    pub fn freeze(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.table = HashTable::new();
    }

    /// Interns all of `other` here; the result maps its handles to ours.
    pub fn absorb(&mut self, other: &Self) -> SymMap {
        SymMap(other.iter().map(|s| self.intern(s)).collect())
    }
}

/// Handles of one [`Strings`] in terms of another.
#[derive(Debug)]
pub struct SymMap(Vec<Sym>);

impl SymMap {
    #[must_use]
    pub fn map(&self, sym: Sym) -> Sym {
        if sym.is_none() { sym } else { self.0[sym.0 as usize] }
    }
}

/// Handle of an entry id in a [`Nodes`]. [`NodeId::NONE`] stands for "absent" or `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// Ids that are no uuids are rare; they are kept as strings and their handles carry this bit.
const ODD: u32 = 1 << 31;

impl Default for NodeId {
    fn default() -> Self {
        Self::NONE
    }
}

impl NodeId {
    pub const NONE: Self = Self(u32::MAX);

    /// The handle of an id that is kept as a string.
    const fn odd(id: Sym) -> Self {
        // The bit changes nothing about a handle that stands for "absent".
        Self(id.0 | ODD)
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    #[must_use]
    pub const fn is_some(self) -> bool {
        !self.is_none()
    }

    /// A number that no other id of the tree has; the order of files and entries alone decides it.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// Interned entry ids: uuids in 16 bytes, anything else as text.
#[derive(Debug, Default, Clone)]
pub struct Nodes {
    uuids: Vec<u128>,
    table: HashTable<u32>,
    odd: Strings,
}

impl Nodes {
    /// Number of distinct ids.
    #[must_use]
    pub fn len(&self) -> usize {
        self.uuids.len() + self.odd.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The handle of an id, new if it was never seen; [`NodeId::NONE`] where all of its sort are taken.
    pub fn intern(&mut self, id: &str) -> NodeId {
        match parse_uuid(id.as_bytes()) {
            Some(uuid) => self.intern_uuid(uuid),
            None => NodeId::odd(self.odd.intern(id)),
        }
    }

    /// The handle of an id if it was seen, without adding it.
    #[must_use]
    pub fn find(&self, id: &str) -> NodeId {
        let Some(uuid) = parse_uuid(id.as_bytes()) else {
            return NodeId::odd(self.odd.find(id));
        };
        let found = self.table.find(hash(&uuid.to_le_bytes()), |&row| self.uuids[row as usize] == uuid);
        found.map_or(NodeId::NONE, |&row| NodeId(row))
    }

    fn intern_uuid(&mut self, uuid: u128) -> NodeId {
        let hash = hash(&uuid.to_le_bytes());
        let uuids = &self.uuids;
        if let Some(&row) = self.table.find(hash, |&row| uuids[row as usize] == uuid) {
            return NodeId(row);
        }
        let Some(row) = new_row(self.uuids.len()) else { return NodeId::NONE };
        self.uuids.push(uuid);
        let uuids = &self.uuids;
        self.table.insert_unique(hash, row, |&row| self::hash(&uuids[row as usize].to_le_bytes()));
        NodeId(row)
    }

    /// The id as text; empty for [`NodeId::NONE`].
    #[must_use]
    pub fn text(&self, id: NodeId) -> String {
        if id.is_none() {
            String::new()
        } else if id.0 & ODD != 0 {
            self.odd.text(Sym(id.0 & !ODD)).to_owned()
        } else {
            format_uuid(self.uuids[id.0 as usize])
        }
    }

    /// Gives back the memory that only growing and finding need. From here on these are only read and absorbed.
    pub fn freeze(&mut self) {
        self.uuids.shrink_to_fit();
        self.odd.freeze();
        self.table = HashTable::new();
    }

    /// Interns all of `other` here; the result maps its handles to ours.
    pub fn absorb(&mut self, other: &Self) -> NodeMap {
        NodeMap {
            uuids: other.uuids.iter().map(|&uuid| self.intern_uuid(uuid)).collect(),
            odd: other.odd.iter().map(|id| NodeId::odd(self.odd.intern(id))).collect(),
        }
    }
}

/// Handles of one [`Nodes`] in terms of another.
#[derive(Debug)]
pub struct NodeMap {
    uuids: Vec<NodeId>,
    odd: Vec<NodeId>,
}

impl NodeMap {
    #[must_use]
    pub fn map(&self, id: NodeId) -> NodeId {
        if id.is_none() {
            id
        } else if id.0 & ODD != 0 {
            self.odd[(id.0 & !ODD) as usize]
        } else {
            self.uuids[id.0 as usize]
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    FixedState::default().hash_one(bytes)
}

fn hash_of(text: &str, ends: &[usize], row: u32) -> u64 {
    hash(slice(text, ends, row).as_bytes())
}

fn slice<'a>(text: &'a str, ends: &[usize], row: u32) -> &'a str {
    let row = row as usize;
    let start = if row == 0 { 0 } else { ends[row - 1] };
    &text[start..ends[row]]
}

/// The handle of what comes after `n` others, if there is one left. Rows of odd ids carry a bit more and must not
/// come out as `NONE` either.
fn new_row(n: usize) -> Option<u32> {
    u32::try_from(n).ok().filter(|&row| row | ODD != u32::MAX && row < ODD)
}

/// The 36-character lower-case form only: other spellings are kept as they are, so that nothing is merged
/// that the client would keep apart.
fn parse_uuid(id: &[u8]) -> Option<u128> {
    let id: &[u8; 36] = id.try_into().ok()?;
    if [id[8], id[13], id[18], id[23]] != [b'-'; 4] {
        return None;
    }
    let mut value = 0u128;
    let mut wrong = 0;
    for part in [0..8, 9..13, 14..18, 19..23, 24..36] {
        let mut digits = 0u64;
        for &byte in &id[part.clone()] {
            let digit = DIGITS[byte as usize];
            wrong |= digit;
            digits = digits << 4 | u64::from(digit);
        }
        value = value << (4 * part.len()) | u128::from(digits);
    }
    (wrong < 16).then_some(value)
}

/// The value of each lower-case hexadecimal digit; 0xF0 for any other byte.
const DIGITS: [u8; 256] = {
    let mut digits = [0xF0; 256];
    let mut digit = 0;
    while digit < 16 {
        digits[b"0123456789abcdef"[digit as usize] as usize] = digit;
        digit += 1;
    }
    digits
};

fn format_uuid(uuid: u128) -> String {
    let hex = format!("{uuid:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_kept_once_and_absent_is_not_empty() {
        let mut strings = Strings::default();
        let (a, empty, again) = (strings.intern("a"), strings.intern(""), strings.intern("a"));
        assert_eq!(a, again);
        assert_eq!(strings.get(empty), Some(""));
        assert_eq!(strings.get(Sym::NONE), None);
        assert_eq!(strings.find("b"), Sym::NONE);
        assert_eq!(strings.len(), 2);
    }

    #[test]
    fn ids_keep_their_spelling() {
        let mut nodes = Nodes::default();
        let lower = nodes.intern("00413035-0000-4000-8000-000000000999");
        let upper = nodes.intern("00413035-0000-4000-8000-000000000ABC");
        let odd = nodes.intern("big-u1");
        assert_eq!(nodes.text(lower), "00413035-0000-4000-8000-000000000999");
        assert_eq!(nodes.text(upper), "00413035-0000-4000-8000-000000000ABC");
        assert_eq!(nodes.text(odd), "big-u1");
        assert_eq!(nodes.len(), 3);
        assert_eq!(nodes.find("00413035-0000-4000-8000-000000000999"), lower);
        assert_eq!(nodes.find("big-u1"), odd);
        assert!(nodes.find("").is_none() && nodes.find("00413035-0000-4000-8000-000000000998").is_none());

        let mut all = Nodes::default();
        all.intern("first");
        let map = all.absorb(&nodes);
        assert_eq!(all.text(map.map(odd)), "big-u1");
        assert_eq!(all.text(map.map(lower)), nodes.text(lower));
        assert!(map.map(NodeId::NONE).is_none());
    }

    #[test]
    fn no_row_is_taken_for_another_or_for_absent() {
        let last = ODD - 2;
        assert_eq!(new_row(0), Some(0));
        assert_eq!(new_row(last as usize), Some(last));
        for n in [last as usize + 1, ODD as usize, u32::MAX as usize, usize::MAX] {
            assert_eq!(new_row(n), None, "{n}");
        }
        assert!(NodeId::odd(Sym(last)).is_some());
        assert!(NodeId::odd(Sym::NONE).is_none());
    }

    #[test]
    fn all_strings_in_order_the_empty_one_too() {
        let mut strings = Strings::default();
        let texts = ["b", "", "long enough to be seen", "é"];
        let syms = texts.map(|text| strings.intern(text));
        assert!(strings.iter().eq(texts));
        assert_eq!(syms.map(|sym| strings.text(sym)), texts);
        // Offsets of the text have no limit of their own.
        let ends: Vec<usize> = strings.ends;
        assert_eq!(ends.last(), Some(&strings.text.len()));
    }
}
