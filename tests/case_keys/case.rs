//! Cases on the disk: where they are, a copy with its setup run, and measurements in a process of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A case in a copy that tests may change.
pub(crate) struct Case {
    /// Name of its folder.
    pub(crate) id: String,
    pub(crate) expected: Value,
    copy: TempDir,
}

/// The folder with the cases that come with the source.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The cases that the index of `tests/cases` names.
pub(crate) fn listed() -> Vec<String> {
    let index = fs::read_to_string(own().join("CASES.md")).unwrap();
    let rows = index.lines().filter_map(|line| line.strip_prefix("| "));
    let ids = rows.filter_map(|row| row.split(' ').next());
    ids.filter(|id| id.as_bytes().get(3) == Some(&b'-')).map(ToOwned::to_owned).collect()
}

/// The folders of all cases: those that come with the source, then those that `more` names, a list of cases and
/// of folders of cases.
pub(crate) fn handed(more: Option<std::ffi::OsString>) -> Vec<PathBuf> {
    let mut folders = below(&own());
    for path in more.iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty()) {
        assert!(path.is_dir(), "CCAUDIT_CASES names {}, which is no folder", path.display());
        let found = if path.join("expected.json").exists() { vec![path.clone()] } else { below(&path) };
        assert!(!found.is_empty(), "CCAUDIT_CASES names {}, which holds no case", path.display());
        folders.extend(found);
    }
    folders
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.join("expected.json").exists()).collect();
    cases.sort();
    cases
}

impl Case {
    /// A copy of a case after its `setup.sh`. `None` where this machine cannot make it.
    pub(crate) fn prepare(folder: &Path) -> Option<Self> {
        let id = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expected: Value =
            serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
        let copy = tempfile::tempdir().unwrap();
        crate::common::copy_tree(folder, copy.path()).unwrap();
        real_names(copy.path());
        if copy.path().join("setup.sh").exists() {
            if cfg!(not(unix)) {
                return None;
            }
            let mut setup = Command::new("sh");
            setup.arg("setup.sh").current_dir(copy.path());
            let repeats = expected["expect"].as_object().unwrap().keys();
            if let Some(repeat) = repeats.filter_map(|key| key.strip_prefix("after_setup_repeat_")).next() {
                setup.env("REPEAT", repeat);
            }
            let status = setup.status().unwrap();
            assert!(status.success(), "{id}/setup.sh: {status}");
        }
        Some(Self { id, expected, copy })
    }

    /// The folder that stands for `~/.claude`.
    pub(crate) fn tree(&self) -> PathBuf {
        self.copy.path().join("dot-claude")
    }

    /// Reads the tree once in another process, where the case limits time or memory.
    pub(crate) fn probe(&self) -> Option<Probe> {
        let expect = self.expected["expect"].as_object().unwrap();
        let limits = ["max_memory_mb", "must_terminate_seconds"];
        limits.iter().any(|key| expect.contains_key(*key)).then(|| Probe::run(&self.tree()))
    }
}

/// A repository inside a case is kept under another name, or it would be one.
fn real_names(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let mut path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == "dot-git") {
            let real = path.with_file_name(".git");
            fs::rename(&path, &real).unwrap();
            path = real;
        }
        if path.is_dir() && !path.is_symlink() {
            real_names(&path);
        }
    }
}

/// What reading a tree took.
pub(crate) struct Probe {
    pub(crate) seconds: f64,
    /// Largest size in memory; `None` where the system does not say.
    pub(crate) megabytes: Option<f64>,
}

/// The test that reads the tree in this variable and prints what it took; without it, it does nothing.
pub(crate) const PROBE: &str = "probe";
pub(crate) const PROBE_TREE: &str = "CCAUDIT_PROBE_TREE";

impl Probe {
    /// Longer than any case allows: a process that takes so long never ends.
    const LONGEST: Duration = Duration::from_secs(120);

    fn run(tree: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([PROBE, "--exact", "--nocapture"])
            .env(PROBE_TREE, tree)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Self::LONGEST {
                child.kill().unwrap();
                panic!("reading {} does not end", tree.display());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "reading {} in a process of its own: {said}", tree.display());
        let field = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().parse::<f64>().ok()
        };
        Self { seconds: field("seconds").unwrap(), megabytes: field("megabytes") }
    }

    /// Largest size in memory of this process so far.
    pub(crate) fn peak_megabytes() -> Option<f64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}
