//! Which names of a tree there are, for pseudonyms and for short ids.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Corpus, Kind};
use crate::prices::PriceTable;
use crate::view::{Class, Names};

/// How the names of a tree are printed.
pub(super) fn of(corpus: &Corpus, prices: &PriceTable, home: Option<String>, share: bool) -> Names {
    let mut known = vec![
        (Class::Session, corpus.sessions.iter().map(|session| session.id.clone()).collect()),
        (Class::Agent, corpus.agents.iter().map(|agent| agent.id.clone()).collect()),
    ];
    if !share {
        return Names::new(home, share, known);
    }
    let models = public_models(corpus, prices);
    known.extend(hidden(corpus, &models));
    Names::new(home, share, known).with_public(models)
}

/// Everything else that a shared report must not show.
fn hidden(corpus: &Corpus, public: &BTreeMap<String, String>) -> [(Class, Vec<String>); 7] {
    let text = |sym| corpus.strings.text(sym).to_owned();
    let envelopes = || corpus.transcripts.iter().flat_map(|rows| &rows.envelopes);
    let mut paths: Vec<String> = envelopes().map(|envelope| text(envelope.cwd)).collect();
    paths.extend(corpus.files.iter().map(|file| file.path.clone()));
    paths.extend(corpus.tree_issues.iter().map(|issue| issue.path.clone()));
    paths.extend(corpus.roots.iter().cloned());
    let mut words: Vec<String> = corpus.sessions.iter().map(|session| text(session.title)).collect();
    words.extend(corpus.agents.iter().filter_map(|agent| agent.meta.as_ref()?.agent_type.clone()));
    [
        (Class::Path, paths),
        (Class::Response, corpus.responses.iter().map(|response| text(response.id)).collect()),
        (Class::Store, corpus.stores.iter().map(|store| store.slug.clone()).collect()),
        (
            Class::Model,
            models(corpus).filter(|model| !public.contains_key(*model)).map(str::to_owned).collect(),
        ),
        (Class::Type, own_types(corpus)),
        (Class::Version, envelopes().map(|envelope| text(envelope.version)).collect()),
        (Class::Other, words),
    ]
}

/// Each model of the tree that public price lists name, with its name there.
fn public_models(corpus: &Corpus, prices: &PriceTable) -> BTreeMap<String, String> {
    let public = |model: &str| Some((model.to_owned(), prices.public_name(model)?.to_owned()));
    models(corpus).filter_map(public).collect()
}

fn models(corpus: &Corpus) -> impl Iterator<Item = &str> {
    let models: BTreeSet<&str> =
        corpus.responses.iter().map(|response| corpus.strings.text(response.model)).collect();
    models.into_iter().filter(|model| !model.is_empty())
}

/// Types of entries that no client is known to write.
fn own_types(corpus: &Corpus) -> Vec<String> {
    let mut types = BTreeSet::new();
    for rows in &corpus.transcripts {
        let own = rows.entries.iter().filter(|entry| entry.kind == Kind::Other);
        types.extend(own.filter_map(|entry| corpus.strings.get(rows.side(entry)?.name)));
    }
    types.into_iter().map(str::to_owned).collect()
}
