//! Files → stores, sessions and agents, by where they lie and what they say.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::model::{Agent, AgentMeta, Corpus, EntryRef, FileId, FileKind, Kind, Session, Store, Sym};

/// Fills in stores, sessions and agents.
pub(super) fn sessions(corpus: &mut Corpus) {
    corpus.session_of = vec![None; corpus.files.len()];
    corpus.agent_of = vec![None; corpus.files.len()];
    let mut table = Table::default();
    for (row, file) in corpus.files.iter().enumerate() {
        let Some(slug) = &file.store else { continue };
        let store = table.store(file.root, slug);
        if !file.kind.is_transcript() {
            continue;
        }
        // A flat agent file of an old client says in its entries whose it is.
        let id = file.session.clone().or_else(|| most_frequent_session(corpus, row)).unwrap_or_default();
        let session = table.session(store, &id, file.kind == FileKind::Main);
        corpus.session_of[row] = Some(session);
        let id = FileId(u32::try_from(row).unwrap_or(u32::MAX));
        if file.kind == FileKind::Main {
            table.sessions[session].main = Some(id);
        } else {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            let name = name.strip_suffix(".jsonl").unwrap_or(name);
            corpus.agent_of[row] = Some(table.agents.len());
            table.sessions[session].agents.push(table.agents.len());
            let id_text = name.strip_prefix("agent-").unwrap_or(name).to_owned();
            table.agents.push(Agent { id: id_text, file: id, session, meta: None, call: None });
        }
    }
    for session in &mut table.sessions {
        session.title = session.main.map_or(Sym::NONE, |file| last_title(corpus, file));
    }
    for store in &mut table.stores {
        store.cwd = most_frequent_cwd(corpus, &table.sessions, &store.sessions);
    }
    corpus.stores = table.stores;
    corpus.sessions = table.sessions;
    corpus.agents = table.agents;
    link_agents(corpus);
}

#[derive(Default)]
struct Table {
    stores: Vec<Store>,
    sessions: Vec<Session>,
    agents: Vec<Agent>,
    store_rows: BTreeMap<(usize, String), usize>,
    session_rows: BTreeMap<(usize, String), usize>,
}

impl Table {
    fn store(&mut self, root: usize, slug: &str) -> usize {
        let stores = &mut self.stores;
        *self.store_rows.entry((root, slug.to_owned())).or_insert_with(|| {
            stores.push(Store { root, slug: slug.to_owned(), cwd: Sym::NONE, sessions: Vec::new() });
            stores.len() - 1
        })
    }

    /// The session of that id in a store. A second main transcript of the same name (in a folder below the
    /// store) is a session of its own.
    fn session(&mut self, store: usize, id: &str, is_main: bool) -> usize {
        if let Some(&row) = self.session_rows.get(&(store, id.to_owned()))
            && !(is_main && self.sessions[row].main.is_some())
        {
            return row;
        }
        let row = self.sessions.len();
        self.sessions.push(Session {
            id: id.to_owned(),
            store,
            main: None,
            agents: Vec::new(),
            title: Sym::NONE,
        });
        self.stores[store].sessions.push(row);
        self.session_rows.insert((store, id.to_owned()), row);
        row
    }
}

fn most_frequent_session(corpus: &Corpus, file: usize) -> Option<String> {
    let rows = &corpus.transcripts[file];
    let counts = count(rows.entries.iter().map(|entry| rows.envelope(entry).session));
    let session = most_frequent(&counts, |sym| corpus.strings.text(sym));
    corpus.strings.get(session).map(ToOwned::to_owned)
}

fn most_frequent_cwd(corpus: &Corpus, sessions: &[Session], rows: &[usize]) -> Sym {
    let mut counts = HashMap::with_hasher(FixedState::default());
    for session in rows.iter().filter_map(|&row| sessions[row].main) {
        let rows = corpus.transcript(session);
        #[expect(clippy::iter_over_hash_type, reason = "a sum, whatever the order")]
        for (cwd, n) in count(rows.entries.iter().map(|entry| rows.envelope(entry).cwd)) {
            *counts.entry(cwd).or_insert(0) += n;
        }
    }
    most_frequent(&counts, |sym| corpus.strings.text(sym))
}

type Counts = HashMap<Sym, u64, FixedState>;

fn count(values: impl Iterator<Item = Sym>) -> Counts {
    let mut counts = Counts::default();
    for value in values.filter(|value| value.is_some()) {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts
}

/// The value counted most often; of several the first in alphabetical order.
fn most_frequent<'a>(counts: &Counts, text: impl Fn(Sym) -> &'a str) -> Sym {
    let best = counts.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| text(*b.0).cmp(text(*a.0))));
    best.map_or(Sym::NONE, |(sym, _)| *sym)
}

fn last_title(corpus: &Corpus, file: FileId) -> Sym {
    let rows = corpus.transcript(file);
    let titles =
        rows.entries.iter().rev().filter(|entry| matches!(entry.kind, Kind::CustomTitle | Kind::AgentName));
    titles
        .filter_map(|entry| rows.side(entry))
        .map(|side| side.title)
        .find(|title| title.is_some())
        .unwrap_or(Sym::NONE)
}

/// Finds the tool call that started each agent: by its meta file, else by the result that names the agent.
fn link_agents(corpus: &mut Corpus) {
    let metas: HashMap<(usize, &str), usize> = corpus
        .files
        .iter()
        .enumerate()
        .filter(|(_, file)| file.kind == FileKind::AgentMeta)
        .map(|(row, file)| ((file.root, file.path.as_str()), row))
        .collect();
    let mut links = vec![(None, None); corpus.agents.len()];
    for session in corpus.sessions.iter().filter(|session| !session.agents.is_empty()) {
        let calls = Calls::of(corpus, session);
        for &row in &session.agents {
            let agent = &corpus.agents[row];
            let file = corpus.file(agent.file);
            let stem = file.path.strip_suffix(".jsonl").unwrap_or(&file.path);
            let meta = metas
                .get(&(file.root, format!("{stem}.meta.json").as_str()))
                .and_then(|&row| read_meta(corpus, row));
            let named =
                meta.as_ref().and_then(|meta| meta.tool_use.as_deref()).map(|id| corpus.strings.find(id));
            let by_result = calls.by_agent.get(&corpus.strings.find(&agent.id)).copied();
            let call = named.into_iter().chain(by_result).find_map(|id| calls.entries.get(&id).copied());
            links[row] = (meta, call);
        }
    }
    for (agent, (meta, call)) in corpus.agents.iter_mut().zip(links) {
        agent.meta = meta;
        agent.call = call;
    }
}

/// The tool calls of a session.
struct Calls {
    /// The entry of each call, by the call's id.
    entries: HashMap<Sym, EntryRef, FixedState>,
    /// The id of the call whose result names an agent.
    by_agent: HashMap<Sym, Sym, FixedState>,
}

impl Calls {
    fn of(corpus: &Corpus, session: &Session) -> Self {
        let agents = session.agents.iter().map(|&row| corpus.agents[row].file);
        let mut calls = Self { entries: HashMap::default(), by_agent: HashMap::default() };
        for file in session.main.into_iter().chain(agents) {
            let rows = corpus.transcript(file);
            for call in &rows.calls {
                calls.entries.entry(call.id).or_insert(EntryRef { file, row: call.entry });
            }
            for result in &rows.results {
                let message = rows.entries.get(result.entry as usize).and_then(|entry| rows.message(entry));
                if let Some(message) = message.filter(|message| message.agent.is_some()) {
                    calls.by_agent.entry(message.agent).or_insert(result.call);
                }
            }
        }
        calls.entries.remove(&Sym::NONE);
        calls
    }
}

fn read_meta(corpus: &Corpus, row: usize) -> Option<AgentMeta> {
    const LARGEST: u64 = 1 << 20;
    let file = &corpus.files[row];
    let len = usize::try_from(file.len.min(LARGEST)).ok()?;
    let bytes = crate::read::bytes(&file.disk, 0, len).ok()?;
    let value: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let text = |key| value.get(key).and_then(|value| value.as_str()).map(ToOwned::to_owned);
    Some(AgentMeta { agent_type: text("agentType"), tool_use: text("toolUseId") })
}
