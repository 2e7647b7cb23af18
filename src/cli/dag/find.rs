//! Sessions and entries by their ids, of which a start is enough.

use anyhow::{Result, bail};

use super::SessionArg;
use crate::analysis::dag::Graph;
use crate::cli::ctx::Ctx;
use crate::model::{Corpus, FileId};

/// A session with a transcript of its own.
pub(super) struct Found {
    /// Row in [`Corpus::sessions`].
    pub(super) row: usize,
    pub(super) main: FileId,
}

impl SessionArg {
    /// The session that was asked for, and its graph. Ids are suggested where `ctx` may show them.
    pub(super) fn find(&self, corpus: &Corpus, ctx: &Ctx) -> Result<(Found, Graph)> {
        let ids = session_ids(corpus);
        let row = match self.session.rsplit_once('@') {
            // Of the one store the start of an id is enough as well.
            Some((start, store)) => {
                let whole = format!("@{store}");
                let of_store: Vec<usize> = (0..ids.len()).filter(|&row| ids[row].ends_with(&whole)).collect();
                let known: Vec<String> = of_store.iter().map(|&row| ids[row].clone()).collect();
                match one(SESSION, start, &known, ctx) {
                    Ok(row) => of_store[row],
                    Err(_) => one(SESSION, &self.session, &ids, ctx)?,
                }
            }
            None => one(SESSION, &self.session, &ids, ctx)?,
        };
        let Some(main) = corpus.sessions[row].main else {
            bail!(
                "session {} has no transcript of its own, only agents: choose one that ccaudit dag lists",
                self.session
            );
        };
        Ok((Found { row, main }, Graph::of(corpus, row)))
    }
}

/// The ids of all sessions. Two stores may hold sessions of one id: `ID@STORE` tells them apart.
fn session_ids(corpus: &Corpus) -> Vec<String> {
    let mut ids: Vec<String> = corpus.sessions.iter().map(|session| session.id.clone()).collect();
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by(|&a, &b| ids[a].cmp(&ids[b]));
    let twins = order.chunk_by(|&a, &b| ids[a] == ids[b]).filter(|twins| twins.len() > 1);
    let twins: Vec<usize> = twins.flatten().copied().collect();
    for row in twins {
        let store = &corpus.stores[corpus.sessions[row].store].slug;
        ids[row] = format!("{}@{store}", ids[row]);
    }
    ids
}

/// The node of the entry with this `uuid`.
pub(super) fn entry(corpus: &Corpus, graph: &Graph, id: &str, ctx: &Ctx) -> Result<u32> {
    let ids: Vec<String> = graph.nodes.iter().map(|node| corpus.nodes.text(node.id)).collect();
    let row = one(ENTRY, id, &ids, ctx)?;
    Ok(graph.find(graph.nodes[row].id).unwrap_or_default())
}

/// What is looked for: one, several, and where all of them are listed.
struct What(&'static str, &'static str, &'static str);

const SESSION: What = What("session", "sessions", "ccaudit dag --limit 0 lists them");
const ENTRY: What = What(
    "entry of the session",
    "entries of the session",
    "ccaudit dag show SESSION --format json lists them",
);

/// Ids suggested where none is meant, and shown where several are.
const SUGGESTED: usize = 3;
/// Below this likeness a suggestion is noise; by trial.
const NEAR: f64 = 0.8;

/// The place of an id: the whole one, else the only one that starts so.
fn one(What(what, several, listed): What, id: &str, ids: &[String], ctx: &Ctx) -> Result<usize> {
    let rows = |keep: &dyn Fn(&str) -> bool| -> Vec<usize> {
        ids.iter().enumerate().filter(|(_, other)| keep(other)).map(|(row, _)| row).collect()
    };
    let mut found = rows(&|other| other == id);
    if found.is_empty() {
        found = rows(&|other| other.starts_with(id));
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] if ctx.common.share => bail!("no {what} has that id ({listed})"),
        found if ctx.common.share => {
            bail!("{} {several} start so; give more of the id ({listed})", found.len())
        }
        [] => {
            // A slip in the start of an id is one in its first characters.
            let like = |other: &str| {
                let start: String = other.chars().take(id.chars().count()).collect();
                strsim::jaro_winkler(id, &start)
            };
            let mut near: Vec<(f64, &str)> = ids.iter().map(|other| (like(other), other.as_str())).collect();
            near.retain(|(like, _)| *like >= NEAR);
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
            let near: Vec<&str> = near.into_iter().take(SUGGESTED).map(|(_, id)| id).collect();
            let hint =
                if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
            bail!("no {what} is called {id}{hint} ({listed})")
        }
        found => {
            let shown: Vec<&str> = found.iter().take(SUGGESTED).map(|&row| ids[row].as_str()).collect();
            let more = if found.len() > shown.len() { ", …" } else { "" };
            bail!(
                "{} {several} start with {id}: {}{more}; give more of the id ({listed})",
                found.len(),
                shown.join(", ")
            )
        }
    }
}
