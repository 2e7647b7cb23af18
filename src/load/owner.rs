//! Which transcript owns a response that several record.
//!
//! Forks copy entries into a new session, some clients with the session id rewritten; compaction of some
//! clients copies a conversation into a side transcript. The copies stay visible as inherited, and are never
//! counted twice.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::model::{Corpus, EntryRef, FileId, FileKind, Flags, NodeId, Sym, Time};

/// Decides owners; remembers what it found out about sets of files.
pub(super) struct Owners {
    /// The id of the session of each file.
    session: Vec<Sym>,
    /// For a set of files: the earliest time of the entries that only one of them holds.
    own: RefCell<BTreeMap<Vec<FileId>, Vec<Time>>>,
}

impl Owners {
    pub(super) fn new(corpus: &Corpus) -> Self {
        let session =
            |row: &Option<usize>| row.map_or(Sym::NONE, |row| corpus.strings.find(&corpus.sessions[row].id));
        Self { session: corpus.session_of.iter().map(session).collect(), own: RefCell::default() }
    }

    /// The owner of a response with these entries.
    pub(super) fn of(&self, corpus: &Corpus, members: &[EntryRef]) -> FileId {
        let first = members[0].file;
        if members.iter().all(|member| member.file == first) {
            return first;
        }
        // What each file's copies say, in path order.
        let mut copies: BTreeMap<FileId, Copies> = BTreeMap::new();
        for &at in members {
            let rows = corpus.transcript(at.file);
            let entry = corpus.entry(at);
            let copy = copies.entry(at.file).or_default();
            let session = rows.envelope(entry).session;
            copy.at_home |= session.is_some() && session == self.session[at.file.0 as usize];
            copy.original |= !entry.flags.has(Flags::FORKED);
            copy.has_request |= rows.answer(entry).is_some_and(|answer| answer.request.is_some());
        }
        let rank = |(&file, copy): (&FileId, &Copies)| {
            // A main transcript before the side transcripts of its own session.
            (!copy.at_home, !copy.original, !copy.has_request, corpus.file(file).kind != FileKind::Main)
        };
        let Some(best) = copies.iter().map(rank).min() else { return first };
        let tied = |copy: &(&FileId, &Copies)| rank(*copy) == best;
        let mut owners = copies.iter().filter(tied).map(|(file, _)| *file);
        let owner = owners.next().unwrap_or(first);
        if owners.next().is_none() {
            return owner;
        }
        let files: Vec<FileId> = copies.keys().copied().collect();
        let own = self.earliest_own(corpus, &files);
        let tied = copies.iter().zip(own).filter(|(copy, _)| tied(copy));
        tied.map(|((file, _), time)| (time, *file)).min().map_or(owner, |(_, file)| file)
    }

    /// The earliest time of the entries of each file that none of the others holds. [`Time::NONE`], which
    /// sorts first, where there is none.
    fn earliest_own(&self, corpus: &Corpus, files: &[FileId]) -> Vec<Time> {
        if let Some(known) = self.own.borrow().get(files) {
            return known.clone();
        }
        let entries = |file: FileId| &corpus.transcript(file).entries;
        let mut shared = Shared::default();
        for (number, &file) in files.iter().enumerate() {
            for entry in entries(file) {
                shared.add(number, entry.node);
            }
        }
        let earliest = |file: FileId| {
            let own = entries(file).iter().filter(|entry| !shared.holds(entry.node));
            own.fold(Time::NONE, |earliest, entry| earliest.earlier(entry.time))
        };
        let times: Vec<Time> = files.iter().map(|&file| earliest(file)).collect();
        self.own.borrow_mut().insert(files.to_vec(), times.clone());
        times
    }
}

/// Which ids stand in more than one file of a set.
#[derive(Default)]
struct Shared {
    /// The number of the only file that an id stands in; `None` where there are several.
    only: HashMap<NodeId, Option<usize>, FixedState>,
}

impl Shared {
    fn add(&mut self, file: usize, node: NodeId) {
        if node.is_some() {
            let only = self.only.entry(node).or_insert(Some(file));
            *only = only.filter(|other| *other == file);
        }
    }

    fn holds(&self, node: NodeId) -> bool {
        self.only.get(&node).is_some_and(Option::is_none)
    }
}

/// What the copies of a response in one file say.
#[derive(Default)]
struct Copies {
    /// One names the session of this very file.
    at_home: bool,
    /// One does not say that it was copied.
    original: bool,
    has_request: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Nodes;

    #[test]
    fn what_several_files_hold_is_shared() {
        let mut nodes = Nodes::default();
        let [a, b, c] = ["a", "b", "c"].map(|id| nodes.intern(id));
        let mut shared = Shared::default();
        for (file, node) in
            [(0, a), (0, a), (0, NodeId::NONE), (1, b), (1, NodeId::NONE), (2, b), (2, c), (3, b)]
        {
            shared.add(file, node);
        }
        assert_eq!([a, b, c, NodeId::NONE].map(|node| shared.holds(node)), [false, true, false, false]);
    }
}
