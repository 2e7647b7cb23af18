//! Which files a tree holds, and what each of them is. Opens none of them.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use walkdir::WalkDir;

use crate::error::{Error, Result};
use crate::model::{FileKind, SourceFile, TreeIssue, TreeIssueKind};

/// What was found below one root, sorted by path.
pub struct Found {
    pub files: Vec<SourceFile>,
    pub issues: Vec<TreeIssue>,
}

/// Lists a tree. Links are followed once: a file that can be reached by several paths is listed under the
/// one that says most about it.
///
/// # Errors
/// Where the root is no readable folder, or holds nothing of a tree.
pub fn tree(number: usize, root: &Path) -> Result<Found> {
    let io = |source| Error::Io { path: root.to_owned(), source };
    let root_is = fs::metadata(root).map_err(io)?;
    if !root_is.is_dir() {
        return Err(Error::NotAFolder(root.to_owned()));
    }
    let canonical = root.canonicalize().map_err(io)?;
    fs::read_dir(root).map_err(io)?;
    let mut walk = Walk { number, root, files: BTreeMap::new(), issues: Vec::new() };
    walk.folder(root, &canonical, &mut vec![canonical.clone()]);
    if canonical.file_name().is_some_and(|name| name == ".claude") {
        walk.beside(root);
    }
    let mut files: Vec<SourceFile> = walk.files.into_values().map(|seen| seen.file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    walk.issues.sort();
    if files.iter().all(|file| file.kind == FileKind::Unknown) && !root.join("projects").is_dir() {
        return Err(Error::NothingToRead(root.to_owned()));
    }
    Ok(Found { files, issues: walk.issues })
}

struct Seen {
    file: SourceFile,
    by_link: bool,
}

struct Walk<'a> {
    number: usize,
    root: &'a Path,
    /// By real path, so that no file is listed twice.
    files: BTreeMap<PathBuf, Seen>,
    issues: Vec<TreeIssue>,
}

impl Walk<'_> {
    /// Lists a folder that is seen at `at` and really lies at `real`. `above` are the real paths of the
    /// folders that links have led through.
    fn folder(&mut self, at: &Path, real: &Path, above: &mut Vec<PathBuf>) {
        for item in WalkDir::new(at).min_depth(1).sort_by_file_name() {
            let item = match item {
                Ok(item) => item,
                Err(error) => {
                    let path = error.path().unwrap_or(at).to_owned();
                    let detail = error.io_error().map(ToString::to_string).unwrap_or_default();
                    self.issue(&path, TreeIssueKind::Unreadable, detail);
                    continue;
                }
            };
            let real = real.join(item.path().strip_prefix(at).unwrap_or(item.path()));
            if item.path_is_symlink() {
                self.link(item.path(), &real, above);
            } else {
                match item.metadata() {
                    Ok(metadata) => self.item(item.path(), real, &metadata, above.len() > 1),
                    Err(error) => self.issue(item.path(), TreeIssueKind::Unreadable, error.to_string()),
                }
            }
        }
    }

    fn link(&mut self, at: &Path, link: &Path, above: &mut Vec<PathBuf>) {
        let (real, metadata) =
            match at.canonicalize().and_then(|real| fs::metadata(&real).map(|is| (real, is))) {
                Ok(found) => found,
                Err(error) if error.raw_os_error() == Some(ELOOP) => {
                    return self.issue(at, TreeIssueKind::SymlinkLoop, String::new());
                }
                Err(error) => return self.issue(at, TreeIssueKind::BrokenSymlink, error.to_string()),
            };
        if !metadata.is_dir() {
            return self.item(at, real, &metadata, true);
        }
        if above.contains(&real) || link.starts_with(&real) {
            return self.issue(at, TreeIssueKind::SymlinkLoop, String::new());
        }
        above.push(real.clone());
        self.folder(at, &real, above);
        above.pop();
    }

    fn item(&mut self, at: &Path, real: PathBuf, metadata: &Metadata, by_link: bool) {
        let path = self.relative(at);
        let place = classify(&path);
        if !metadata.is_file() {
            if at.extension().is_some_and(|extension| extension == "jsonl") && path.starts_with("projects/") {
                let what = if metadata.is_dir() { "a folder" } else { "a device" };
                self.issue(at, TreeIssueKind::NotAFile, what.to_owned());
            }
            return;
        }
        let modified = metadata.modified().ok().and_then(|time| {
            let (after, sign) = match time.duration_since(UNIX_EPOCH) {
                Ok(after) => (after, 1),
                Err(before) => (before.duration(), -1),
            };
            i64::try_from(after.as_millis()).ok().map(|ms| ms * sign)
        });
        let file = SourceFile {
            root: self.number,
            path,
            disk: at.to_owned(),
            kind: place.kind,
            len: metadata.len(),
            modified,
            store: place.store,
            session: place.session,
        };
        let better = |old: &Seen| {
            let rank = |kind, by_link, path| (kind == FileKind::Unknown, by_link, path);
            rank(file.kind, by_link, &file.path) < rank(old.file.kind, old.by_link, &old.file.path)
        };
        if self.files.get(&real).is_none_or(better) {
            self.files.insert(real, Seen { file, by_link });
        }
    }

    /// `.claude.json` lies beside a default tree rather than in it.
    fn beside(&mut self, root: &Path) {
        let path = root.join("../.claude.json");
        if let (Ok(real), Ok(metadata)) = (path.canonicalize(), fs::metadata(&path)) {
            self.item(&path, real, &metadata, false);
        }
    }

    fn issue(&mut self, at: &Path, kind: TreeIssueKind, detail: String) {
        self.issues.push(TreeIssue { root: self.number, path: self.relative(at), kind, detail });
    }

    fn relative(&self, at: &Path) -> String {
        let below = at.strip_prefix(self.root).unwrap_or(at);
        below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

/// "Too many levels of symbolic links"; the same number on Linux; other systems report a broken link instead.
const ELOOP: i32 = 40;

/// What a path says about a file.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    kind: FileKind,
    store: Option<String>,
    session: Option<String>,
}

/// Classifies a path relative to the root of a tree.
fn classify(path: &str) -> Place {
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
    let below = |folder| folders.iter().position(|part| *part == folder);
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
            _ if folders.contains(&"workflows") => FileKind::Workflow,
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
    use super::*;

    #[test]
    fn every_kind_by_its_place() {
        let cases = [
            ("projects/-a/1.jsonl", FileKind::Main, Some("1")),
            ("projects/-a/-a/1.jsonl", FileKind::Main, Some("1")),
            ("projects/-/1.jsonl", FileKind::Main, Some("1")),
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
}
