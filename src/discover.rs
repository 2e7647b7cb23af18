//! Which files a tree holds, and what each of them is. Opens none of them.

mod place;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::UNIX_EPOCH;

use self::place::{Bearing, classify};
use crate::error::{Error, Result};
use crate::model::{FileKind, SourceFile, TreeIssue, TreeIssueKind};

/// What was found below the roots: files by root and path.
pub struct Found {
    pub files: Vec<SourceFile>,
    pub issues: Vec<TreeIssue>,
}

/// Lists trees. A folder is entered once, however many links and roots lead to it; a file that can be reached by
/// several paths is listed under the one that says most about it, of several roots under the first.
///
/// # Errors
/// Where a root or its `projects` is no readable folder, or there is nothing to report: no file of what the client
/// keeps of its work ([`FileKind::is_kept_work`]) and nothing that could not be looked at.
pub fn trees<P: AsRef<Path>>(roots: &[P]) -> Result<Found> {
    let mut walk = Walk {
        number: 0,
        root: Path::new(""),
        files: BTreeMap::new(),
        issues: Vec::new(),
        next: BTreeMap::new(),
        entered: BTreeMap::new(),
        fruitful: false,
    };
    for (number, root) in roots.iter().enumerate() {
        walk.tree(number, root.as_ref())?;
    }
    let mut files: Vec<SourceFile> = walk.files.into_values().map(|seen| seen.file).collect();
    files.sort_by(|a, b| (a.root, &a.path).cmp(&(b.root, &b.path)));
    walk.issues.sort();
    Ok(Found { files, issues: walk.issues })
}

struct Seen {
    file: SourceFile,
    by_link: bool,
}

impl Seen {
    /// The least one is listed.
    fn rank(&self) -> (bool, usize, bool, &str) {
        let SourceFile { root, kind, path, .. } = &self.file;
        (*kind == FileKind::Unknown, *root, self.by_link, path)
    }
}

/// A folder that is seen at `at` and really lies at `real`.
struct Folder {
    at: PathBuf,
    real: PathBuf,
    /// The links that lead to it, the last one first.
    links: Option<Rc<Link>>,
}

/// Where a link really lies, and the links that led there.
struct Link {
    real: PathBuf,
    before: Option<Rc<Self>>,
}

impl Link {
    /// True where `folder` lies above this link or one of those before.
    fn is_below(&self, folder: &Path) -> bool {
        std::iter::successors(Some(self), |link| link.before.as_deref())
            .any(|link| link.real.starts_with(folder))
    }
}

struct Walk<'a> {
    /// The root at hand.
    number: usize,
    root: &'a Path,
    /// By real path, so that no file is listed twice. Settings hold for every root that leads to them.
    files: BTreeMap<(PathBuf, Option<usize>), Seen>,
    issues: Vec<TreeIssue>,
    /// Folders to enter, those without links first, then by path: so the first path to a folder is the best one,
    /// whatever order the system lists folders in.
    next: BTreeMap<(bool, String, PathBuf), Folder>,
    /// Folders that were entered, by real path, and from which root. One whose path says other things about its files
    /// is entered again.
    entered: BTreeMap<(PathBuf, Bearing), usize>,
    /// The root at hand leads to something to report, be it that another root led there first.
    fruitful: bool,
}

impl<'a> Walk<'a> {
    fn tree(&mut self, number: usize, root: &'a Path) -> Result<()> {
        let io = |source| Error::Io { path: root.to_owned(), source };
        let root_is = fs::metadata(root).map_err(io)?;
        if !root_is.is_dir() {
            return Err(Error::NotAFolder(root.to_owned()));
        }
        let canonical = root.canonicalize().map_err(io)?;
        fs::read_dir(root).map_err(io)?;
        // Without it a tree would look empty, so a file or a broken link in its place is no projects folder either.
        let projects = root.join("projects");
        if projects.symlink_metadata().is_ok() {
            fs::read_dir(&projects).map_err(|source| Error::Io { path: projects, source })?;
        }
        (self.number, self.root, self.fruitful) = (number, root, false);
        self.all(Folder { at: root.to_owned(), real: canonical.clone(), links: None });
        if canonical.file_name().is_some_and(|name| name == ".claude") {
            self.beside(root);
        }
        // Where something is in the way, that is what there is to report.
        if self.fruitful { Ok(()) } else { Err(Error::NothingToRead(root.to_owned())) }
    }

    fn all(&mut self, root: Folder) {
        self.later(root);
        while let Some((_, folder)) = self.next.pop_first() {
            let bearing = Bearing::of(&self.relative(&folder.at));
            match self.entered.get(&(folder.real.clone(), bearing)) {
                Some(root) => self.fruitful |= *root != self.number,
                None => {
                    self.entered.insert((folder.real.clone(), bearing), self.number);
                    self.enter(&folder);
                }
            }
        }
    }

    fn later(&mut self, folder: Folder) {
        // With the slash folders have the order of the files in them.
        let path = self.relative(&folder.at) + "/";
        self.next.insert((folder.links.is_some(), path, folder.real.clone()), folder);
    }

    fn enter(&mut self, folder: &Folder) {
        // The system follows only so many links in one path.
        let items = fs::read_dir(if folder.links.is_some() { &folder.real } else { &folder.at });
        let items = match items {
            Ok(items) => items,
            Err(error) => return self.issue(&folder.at, TreeIssueKind::Unreadable, error.to_string()),
        };
        for item in items {
            let item = match item {
                Ok(item) => item,
                Err(error) => {
                    self.issue(&folder.at, TreeIssueKind::Unreadable, error.to_string());
                    continue;
                }
            };
            let (at, real) = (folder.at.join(item.file_name()), folder.real.join(item.file_name()));
            match item.metadata() {
                Ok(metadata) if metadata.is_symlink() => self.link(at, real, folder.links.clone()),
                Ok(metadata) => {
                    self.item(&at, real.clone(), &metadata, folder.links.is_some());
                    if metadata.is_dir() {
                        self.later(Folder { at, real, links: folder.links.clone() });
                    }
                }
                Err(error) => self.issue(&at, TreeIssueKind::Unreadable, error.to_string()),
            }
        }
    }

    /// What a link at `at` that really lies at `link` leads to.
    fn link(&mut self, at: PathBuf, link: PathBuf, before: Option<Rc<Link>>) {
        let (real, metadata) =
            match link.canonicalize().and_then(|real| fs::metadata(&real).map(|is| (real, is))) {
                Ok(found) => found,
                Err(_) if never_arrives(&link) => {
                    return self.issue(&at, TreeIssueKind::SymlinkLoop, String::new());
                }
                Err(error) => return self.issue(&at, TreeIssueKind::BrokenSymlink, error.to_string()),
            };
        if !metadata.is_dir() {
            return self.item(&at, real, &metadata, true);
        }
        let link = Link { real: link, before };
        if link.is_below(&real) {
            return self.issue(&at, TreeIssueKind::SymlinkLoop, String::new());
        }
        self.later(Folder { at, real, links: Some(Rc::new(link)) });
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
            disk: if by_link { real.clone() } else { at.to_owned() },
            kind: place.kind,
            len: metadata.len(),
            modified,
            store: place.store,
            session: place.session,
        };
        self.fruitful |= file.kind.is_kept_work();
        let new = Seen { file, by_link };
        let key = (real, (place.kind == FileKind::Settings).then_some(self.number));
        if self.files.get(&key).is_none_or(|old| new.rank() < old.rank()) {
            self.files.insert(key, new);
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
        self.fruitful = true;
        self.issues.push(TreeIssue { root: self.number, path: self.relative(at), kind, detail });
    }

    fn relative(&self, at: &Path) -> String {
        let below = at.strip_prefix(self.root).unwrap_or(at);
        below.components().map(|part| shown(part.as_os_str())).collect::<Vec<_>>().join("/")
    }
}

/// A name as text. Bytes that are no UTF-8 become `\xFF`, so that two names that differ there stay apart.
#[must_use]
pub fn shown(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// True for a link that leads to itself in the end. The system gives up on those as it does on long chains, and
/// each system says so in its own way.
fn never_arrives(link: &Path) -> bool {
    let mut seen = BTreeSet::new();
    let mut at = link.to_owned();
    while let Ok(target) = fs::read_link(&at) {
        let next = at.parent().unwrap_or(&at).join(target);
        if !seen.insert(at) {
            return true;
        }
        // The first part that is in the way of the rest may be a link itself.
        let known = next.ancestors().find_map(|part| {
            let folder = part.parent()?.canonicalize().ok()?;
            Some(folder.join(part.file_name()?))
        });
        let Some(known) = known else { return false };
        at = known;
    }
    false
}
