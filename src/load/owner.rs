//! Which transcript owns a response that several record.
//!
//! Forks copy entries into a new session, some clients with the session id rewritten; compaction of some
//! clients copies a conversation into a side transcript. The copies stay visible as inherited, and are never
//! counted twice.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::model::{Corpus, EntryRef, FileId, FileKind, Flags, NodeId, Sym, Time};

/// Decides owners; remembers what it found out about sets of files.
pub(super) struct Owners {
    /// The id of the session of each file.
    session: Vec<Sym>,
    /// For a set of files: the earliest time of the entries that only one of them holds.
    own: RefCell<BTreeMap<Vec<FileId>, Vec<Time>>>,
    nodes: RefCell<HashMap<FileId, HashSet<NodeId, FixedState>>>,
}

impl Owners {
    pub(super) fn new(corpus: &Corpus) -> Self {
        let session =
            |row: &Option<usize>| row.map_or(Sym::NONE, |row| corpus.strings.find(&corpus.sessions[row].id));
        Self {
            session: corpus.session_of.iter().map(session).collect(),
            own: RefCell::default(),
            nodes: RefCell::default(),
        }
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
        let files: Vec<FileId> = copies.keys().copied().collect();
        let own = self.earliest_own(corpus, &files);
        let rank = |file: FileId| {
            let copy = &copies[&file];
            let time = own[files.iter().position(|other| *other == file).unwrap_or_default()];
            // A main transcript before the side transcripts of its own session.
            (
                !copy.at_home,
                !copy.original,
                !copy.has_request,
                corpus.file(file).kind != FileKind::Main,
                time,
                file,
            )
        };
        files.iter().copied().min_by_key(|&file| rank(file)).unwrap_or(first)
    }

    /// The earliest time of the entries of each file that none of the others holds. [`Time::NONE`], which
    /// sorts first, where there is none.
    fn earliest_own(&self, corpus: &Corpus, files: &[FileId]) -> Vec<Time> {
        if let Some(known) = self.own.borrow().get(files) {
            return known.clone();
        }
        let mut nodes = self.nodes.borrow_mut();
        for &file in files {
            nodes
                .entry(file)
                .or_insert_with(|| corpus.transcript(file).entries.iter().map(|entry| entry.node).collect());
        }
        let earliest = |file: FileId| {
            let entries = &corpus.transcript(file).entries;
            let others = || files.iter().filter(|other| **other != file);
            let own = entries.iter().filter(|entry| {
                entry.node.is_none() || !others().any(|other| nodes[other].contains(&entry.node))
            });
            own.fold(Time::NONE, |earliest, entry| earliest.earlier(entry.time))
        };
        let times: Vec<Time> = files.iter().map(|&file| earliest(file)).collect();
        drop(nodes);
        self.own.borrow_mut().insert(files.to_vec(), times.clone());
        times
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
