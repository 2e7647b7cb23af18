//! Titles that old clients wrote into whatever file they had open: they belong to the session that holds their leaf.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::model::{Corpus, EntryRef, FileId, Kind, NodeId};

/// A `summary` record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TitleLink {
    pub at: EntryRef,
    /// `leafUuid`.
    pub leaf: NodeId,
    /// The main transcript that holds the leaf: of several the one that the record stands in, else the first.
    pub holder: Option<FileId>,
}

/// All `summary` records of main transcripts, in order.
#[must_use]
pub fn title_links(corpus: &Corpus) -> Vec<TitleLink> {
    let mut links = Vec::new();
    let mains = || corpus.sessions.iter().filter_map(|session| session.main);
    for file in mains() {
        let rows = corpus.transcript(file);
        for (row, entry) in (0u32..).zip(&rows.entries).filter(|(_, entry)| entry.kind == Kind::Summary) {
            let leaf = rows.side(entry).map_or(NodeId::NONE, |side| side.target);
            links.push(TitleLink { at: EntryRef { file, row }, leaf, holder: None });
        }
    }
    let wanted: HashSet<NodeId, FixedState> =
        links.iter().map(|link| link.leaf).filter(|leaf| leaf.is_some()).collect();
    if wanted.is_empty() {
        return links;
    }
    let mut holders: HashMap<NodeId, Vec<FileId>, FixedState> = HashMap::default();
    for file in mains() {
        for entry in corpus.transcript(file).entries.iter().filter(|entry| wanted.contains(&entry.node)) {
            let files = holders.entry(entry.node).or_default();
            if files.last() != Some(&file) {
                files.push(file);
            }
        }
    }
    for link in &mut links {
        let files = holders.get(&link.leaf).map_or(&[][..], Vec::as_slice);
        link.holder = files.iter().find(|file| **file == link.at.file).or(files.first()).copied();
    }
    links
}
