//! Sessions and entries by their ids, of which a start is enough.

use anyhow::{Result, bail};

use super::SessionArg;
use crate::analysis::dag::Graph;
use crate::model::{Corpus, FileId};

/// A session with a transcript of its own.
pub(super) struct Found {
    /// Row in [`Corpus::sessions`].
    pub(super) row: usize,
    pub(super) main: FileId,
}

impl SessionArg {
    /// The session that was asked for, and its graph.
    pub(super) fn find(&self, corpus: &Corpus) -> Result<(Found, Graph)> {
        let ids: Vec<&str> = corpus.sessions.iter().map(|session| session.id.as_str()).collect();
        let row = one(["session", "sessions"], &self.session, &ids, "ccaudit dag --limit 0 lists them")?;
        let Some(main) = corpus.sessions[row].main else {
            bail!(
                "session {} has no transcript of its own, only agents: choose one that ccaudit dag lists",
                self.session
            );
        };
        Ok((Found { row, main }, Graph::of(corpus, row)))
    }
}

/// The node of the entry with this `uuid`.
pub(super) fn entry(corpus: &Corpus, graph: &Graph, id: &str) -> Result<u32> {
    let ids: Vec<String> = graph.nodes.iter().map(|node| corpus.nodes.text(node.id)).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let row = one(
        ["entry of the session", "entries of the session"],
        id,
        &ids,
        "ccaudit dag show SESSION --format json lists them",
    )?;
    // A graph counts its nodes in 32 bits.
    Ok(u32::try_from(row).unwrap_or(u32::MAX))
}

/// Ids suggested where none is meant, and shown where several are.
const SUGGESTED: usize = 3;

/// The place of an id: the whole one, else the only one that starts so.
fn one([what, several]: [&str; 2], id: &str, ids: &[&str], listed: &str) -> Result<usize> {
    let rows = |keep: &dyn Fn(&str) -> bool| -> Vec<usize> {
        ids.iter().enumerate().filter(|(_, other)| keep(other)).map(|(row, _)| row).collect()
    };
    let mut found = rows(&|other| other == id);
    if found.is_empty() {
        found = rows(&|other| other.starts_with(id));
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let mut near: Vec<(f64, &str)> =
                ids.iter().map(|other| (strsim::jaro_winkler(id, other), *other)).collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
            let near: Vec<&str> = near.into_iter().take(SUGGESTED).map(|(_, id)| id).collect();
            let hint =
                if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
            bail!("no {what} is called {id}{hint} ({listed})")
        }
        found => {
            let shown: Vec<&str> = found.iter().take(SUGGESTED).map(|&row| ids[row]).collect();
            let more = if found.len() > shown.len() { ", …" } else { "" };
            bail!(
                "{} {several} start with {id}: {}{more}; give more of the id ({listed})",
                found.len(),
                shown.join(", ")
            )
        }
    }
}
