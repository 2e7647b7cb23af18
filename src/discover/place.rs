//! What a path says about a file.

use std::path::Path;

use crate::model::FileKind;

/// What a path says about a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) kind: FileKind,
    pub(super) store: Option<String>,
    pub(super) session: Option<String>,
}

/// What of a folder's path decides whether the kinds of files in it and below it are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bearing {
    Root,
    Leftovers,
    AgentMemory,
    Projects,
    SideOfProjects,
    Memory,
    ToolResults,
    Subagents,
    Nothing,
}

impl Bearing {
    pub(super) fn of(folder: &str) -> Self {
        let (first, below) = folder.split_once('/').unwrap_or((folder, ""));
        // A store may be called anything.
        let has = |names: &[&str]| below.split('/').skip(1).any(|part| names.contains(&part));
        match first {
            "" => Self::Root,
            "projects" if has(&["subagents"]) => Self::Subagents,
            "projects" if has(&["tool-results"]) => Self::ToolResults,
            "projects" if has(&["memory", "logs"]) => Self::Memory,
            "projects" if has(&["workflows", "remote-agents"]) => Self::SideOfProjects,
            "projects" => Self::Projects,
            "agent-memory" => Self::AgentMemory,
            "rules" | "file-history" => Self::Leftovers,
            _ if LEFTOVERS.contains(&first) => Self::Leftovers,
            _ => Self::Nothing,
        }
    }
}

/// Classifies a path relative to the root of a tree.
pub(super) fn classify(path: &str) -> Place {
    let parts: Vec<&str> = path.split('/').collect();
    let (Some(&name), folders) = (parts.last(), &parts[..parts.len() - 1]) else {
        return Place { kind: FileKind::Unknown, store: None, session: None };
    };
    if folders.first() == Some(&"projects") {
        return in_projects(name, &folders[1..]);
    }
    let kind = match (folders.first().copied().unwrap_or_default(), name) {
        ("", "history.jsonl") => FileKind::History,
        ("", "settings.json" | "settings.local.json") => FileKind::Settings,
        ("" | "..", ".claude.json") => FileKind::ClientState,
        ("", "CLAUDE.md") | ("rules", _) => FileKind::Instructions,
        ("file-history", _) => FileKind::FileHistory,
        ("agent-memory", "MEMORY.md") => FileKind::Index,
        ("agent-memory", _) if is_markdown(name) => FileKind::Memory,
        ("", "stats-cache.json" | ".last-cleanup") => FileKind::Leftover,
        (folder, _) if LEFTOVERS.contains(&folder) => FileKind::Leftover,
        _ => FileKind::Unknown,
    };
    Place { kind, store: None, session: None }
}

/// Folders of a tree whose files carry no conversation.
const LEFTOVERS: [&str; 17] = [
    "backups",
    "cache",
    "debug",
    "ide",
    "image-cache",
    "jobs",
    "logs",
    "paste-cache",
    "plans",
    "plugins",
    "session-env",
    "sessions",
    "shell-snapshots",
    "statsig",
    "tasks",
    "todos",
    "usage-data",
];

/// `folders` are those below `projects/`.
fn in_projects(name: &str, folders: &[&str]) -> Place {
    let store = Some(folders.first().map_or_else(String::new, |slug| (*slug).to_owned()));
    // A store may be called anything, so its own name says nothing.
    let below = |folder| folders.iter().skip(1).position(|part| *part == folder).map(|at| at + 1);
    let side_folder =
        |at: usize| at.checked_sub(1).filter(|&owner| owner > 0).map(|owner| folders[owner].to_owned());
    let place = |kind, session| Place { kind, store: store.clone(), session };
    if let Some(at) = below("subagents") {
        let kind = match name {
            "journal.jsonl" => FileKind::Journal,
            _ if name.ends_with(".meta.json") => FileKind::AgentMeta,
            _ if is_set_aside(name) => FileKind::SetAside,
            _ if !name.ends_with(".jsonl") => FileKind::Unknown,
            _ if name.starts_with("agent-acompact-") => FileKind::Acompact,
            _ if below("workflows").is_some() => FileKind::Workflow,
            _ => FileKind::Agent,
        };
        return place(kind, side_folder(at));
    }
    if let Some(at) = below("tool-results") {
        return place(FileKind::ToolResult, side_folder(at));
    }
    if below("memory").is_some() || below("logs").is_some() {
        let kind = match name {
            _ if !is_markdown(name) => FileKind::Unknown,
            _ if below("logs").is_some() => FileKind::MemoryLog,
            "MEMORY.md" => FileKind::Index,
            _ => FileKind::Memory,
        };
        return place(kind, None);
    }
    match name {
        "sessions-index.json" => place(FileKind::SessionsIndex, None),
        _ if is_set_aside(name) => place(FileKind::SetAside, None),
        "custom-title.json" => place(FileKind::Leftover, side_folder(folders.len())),
        _ if below("workflows").is_some() || below("remote-agents").is_some() => {
            place(FileKind::Leftover, None)
        }
        _ => match name.strip_suffix(".jsonl") {
            Some(stem) if stem.starts_with("agent-acompact-") => place(FileKind::Acompact, None),
            Some(stem) if stem.starts_with("agent-") => place(FileKind::Agent, None),
            Some(stem) => place(FileKind::Main, Some(stem.to_owned())),
            None => place(FileKind::Unknown, None),
        },
    }
}

fn is_set_aside(name: &str) -> bool {
    name.contains(".orphaned") || name.contains(".superseded")
}

fn is_markdown(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_kind_by_its_place() {
        let cases = [
            ("projects/-a/1.jsonl", FileKind::Main, Some("1")),
            ("projects/-a/-a/1.jsonl", FileKind::Main, Some("1")),
            ("projects/-/1.jsonl", FileKind::Main, Some("1")),
            ("projects/memory/1.jsonl", FileKind::Main, Some("1")),
            ("projects/logs/1.jsonl", FileKind::Main, Some("1")),
            ("projects/workflows/1.jsonl", FileKind::Main, Some("1")),
            ("projects/tool-results/1.jsonl", FileKind::Main, Some("1")),
            ("projects/subagents/1.jsonl", FileKind::Main, Some("1")),
            ("projects/memory/memory/MEMORY.md", FileKind::Index, None),
            ("projects/memory/1/subagents/agent-x.jsonl", FileKind::Agent, Some("1")),
            ("projects/-a/agent-0a1b2c3.jsonl", FileKind::Agent, None),
            ("projects/-a/1/subagents/agent-x.jsonl", FileKind::Agent, Some("1")),
            ("projects/-a/1/subagents/agent-x.meta.json", FileKind::AgentMeta, Some("1")),
            ("projects/-a/1/subagents/agent-acompact-f.jsonl", FileKind::Acompact, Some("1")),
            ("projects/-a/1/subagents/workflows/wf_1/agent-x.jsonl", FileKind::Workflow, Some("1")),
            ("projects/-a/1/subagents/workflows/wf_1/journal.jsonl", FileKind::Journal, Some("1")),
            ("projects/-a/1/tool-results/t.txt", FileKind::ToolResult, Some("1")),
            ("projects/-a/1/custom-title.json", FileKind::Leftover, Some("1")),
            ("projects/-a/1.jsonl.orphaned-1", FileKind::SetAside, None),
            ("projects/-a/sessions-index.json", FileKind::SessionsIndex, None),
            ("projects/-a/memory/MEMORY.md", FileKind::Index, None),
            ("projects/-a/memory/team/x.md", FileKind::Memory, None),
            ("projects/-a/memory/logs/2026/08/2026-08-01.md", FileKind::MemoryLog, None),
            ("projects/-a/memory/x.txt", FileKind::Unknown, None),
            ("history.jsonl", FileKind::History, None),
            ("settings.json", FileKind::Settings, None),
            (".claude.json", FileKind::ClientState, None),
            ("../.claude.json", FileKind::ClientState, None),
            ("CLAUDE.md", FileKind::Instructions, None),
            ("todos/x.json", FileKind::Leftover, None),
            ("file-history/1/f@v1", FileKind::FileHistory, None),
            ("agent-memory/reviewer/MEMORY.md", FileKind::Index, None),
            ("notes.txt", FileKind::Unknown, None),
        ];
        for (path, kind, session) in cases {
            let place = classify(path);
            assert_eq!((place.kind, place.session.as_deref()), (kind, session), "{path}");
        }
    }

    #[test]
    fn the_bearing_of_a_folder_decides_what_is_known_in_it() {
        let parts =
            ["projects", "agent-memory", "rules", "todos", "other", "x", "memory", "logs", "subagents"];
        let more = ["tool-results", "workflows", "remote-agents", "file-history"];
        let parts: Vec<&str> = parts.into_iter().chain(more).collect();
        let mut folders = vec![String::new()];
        for _ in 0..3 {
            let longer: Vec<String> = folders
                .iter()
                .flat_map(|folder| parts.iter().map(move |part| format!("{folder}/{part}")))
                .collect();
            folders.extend(longer.into_iter().map(|folder| folder.trim_start_matches('/').to_owned()));
        }
        let names = ["a.jsonl", "a.md", "a.txt", "a.meta.json", "journal.jsonl", "custom-title.json"];
        let mut known = BTreeMap::new();
        for folder in folders {
            let path = |name: &&str| format!("{folder}/{name}").trim_start_matches('/').to_owned();
            let kinds = names.each_ref().map(|name| classify(&path(name)).kind == FileKind::Unknown);
            assert_eq!(*known.entry(Bearing::of(&folder)).or_insert(kinds), kinds, "{folder}");
        }
        assert_eq!(known.len(), 9);
    }
}
