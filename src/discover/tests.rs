//! Trees with links and odd names.

use std::os::unix::fs::symlink;

use super::*;

fn folder(root: &Path, path: &str) -> PathBuf {
    let folder = root.join(path);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn paths(root: &Path) -> Vec<(String, FileKind)> {
    tree(0, root).unwrap().files.into_iter().map(|file| (file.path, file.kind)).collect()
}

/// Paths through these are as many as the orders of the stores, and far more than can be walked.
#[test]
fn stores_that_link_to_each_other() {
    const STORES: usize = 12;
    for place in ["root/projects", "kept"] {
        let dir = tempfile::tempdir().unwrap();
        let projects = folder(dir.path(), "root/projects");
        let stores: Vec<PathBuf> =
            (0..STORES).map(|n| folder(dir.path(), &format!("{place}/s{n:02}"))).collect();
        for (n, from) in stores.iter().enumerate() {
            fs::write(from.join(format!("{n:02}.jsonl")), "").unwrap();
            for to in &stores {
                symlink(to, from.join(format!("to-{}", to.file_name().unwrap().display()))).unwrap();
            }
        }
        if place == "kept" {
            symlink(&stores[3], projects.join("a")).unwrap();
        }
        let found = tree(0, &dir.path().join("root")).unwrap();
        let path = |n: usize| match place {
            // The first path to each in path order; there is a shorter one to most.
            "kept" if n == 3 => "projects/a/03.jsonl".to_owned(),
            "kept" => {
                let links = (0..=n).filter(|on| *on != 3).map(|on| format!("to-s{on:02}/"));
                format!("projects/a/{}{n:02}.jsonl", links.collect::<String>())
            }
            _ => format!("projects/s{n:02}/{n:02}.jsonl"),
        };
        let mut expected: Vec<String> = (0..STORES).map(path).collect();
        expected.sort();
        let files: Vec<String> = found.files.into_iter().map(|file| file.path).collect();
        assert_eq!(files, expected);
        assert!(found.issues.len() <= STORES * STORES);
        assert!(found.issues.iter().all(|issue| issue.kind == TreeIssueKind::SymlinkLoop));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_no_text_stay_apart() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    let projects = folder(dir.path(), "projects");
    let names: [&[u8]; 6] = [b"a\xFF", b"a\xFE", b"a\xFF\xFE", b"a\xE6\x97", b"a\xE6\x97\xA5", b"a"];
    for store in names {
        let store = projects.join(OsStr::from_bytes(store));
        fs::create_dir(&store).unwrap();
        for name in names {
            fs::write(store.join(OsStr::from_bytes(&[name, b".jsonl"].concat())), "").unwrap();
        }
    }
    let found = tree(0, dir.path()).unwrap().files;
    let stores: BTreeSet<_> = found.iter().map(|file| file.store.clone().unwrap()).collect();
    let expected = ["a", "a\\xE6\\x97", "a\\xFE", "a\\xFF", "a\\xFF\\xFE", "a日"];
    assert!(stores.iter().eq(expected), "{stores:?}");
    let sessions: BTreeSet<_> = found.iter().map(|file| (&file.store, &file.session)).collect();
    assert_eq!((found.len(), sessions.len()), (36, 36));
    assert!(found.iter().all(|file| fs::read(&file.disk).is_ok()));
}

#[test]
fn the_best_path_wins() {
    let dir = tempfile::tempdir().unwrap();
    let root = folder(dir.path(), "root");
    let kept = folder(dir.path(), "root/kept");
    fs::write(kept.join("n.md"), "").unwrap();
    fs::write(kept.join("s.jsonl"), "").unwrap();
    folder(&root, "projects/-b");
    for link in ["aaa", "projects/-a", "projects/-b/memory", "projects/-a-b"] {
        symlink(&kept, root.join(link)).unwrap();
    }
    let expected = [
        ("projects/-a-b/s.jsonl".to_owned(), FileKind::Main),
        ("projects/-b/memory/n.md".to_owned(), FileKind::Memory),
    ];
    assert_eq!(paths(&root), expected);
}

#[test]
fn chains() {
    let dir = tempfile::tempdir().unwrap();
    let root = folder(dir.path(), "root");
    let projects = folder(&root, "projects");
    for (link, target) in [
        ("self", "self"),
        ("into", "into/x"),
        ("one", "two"),
        ("two", "./one"),
        ("via", "self/y"),
        ("up", "../projects/self"),
        ("gone", "nothing/at/all"),
        ("late", "gone/../self"),
    ] {
        symlink(target, projects.join(link)).unwrap();
    }
    let found = tree(0, &root).unwrap();
    let of = |kind| {
        let paths = found.issues.iter().filter(|issue| issue.kind == kind);
        paths.map(|issue| issue.path.trim_start_matches("projects/")).collect::<Vec<_>>()
    };
    assert_eq!(of(TreeIssueKind::SymlinkLoop), ["into", "one", "self", "two", "up", "via"]);
    assert_eq!(of(TreeIssueKind::BrokenSymlink), ["gone", "late"]);
}

/// More links in one path, and one after the other, than a system follows.
#[test]
fn many_links_are_no_loop() {
    let dir = tempfile::tempdir().unwrap();
    let projects = folder(dir.path(), "root/projects");
    for n in 0..100 {
        let here = folder(dir.path(), &format!("kept/{n:03}"));
        fs::write(here.join(format!("{n:03}.jsonl")), "{}").unwrap();
        symlink(dir.path().join(format!("kept/{:03}", n + 1)), here.join("l")).unwrap();
        symlink(format!("../c{}", n + 1), projects.join(format!("c{n}"))).unwrap();
        symlink(format!("projects/c{}", n + 1), dir.path().join(format!("root/c{}", n + 1))).unwrap();
    }
    symlink("../../kept/000", projects.join("a")).unwrap();
    let found = tree(0, &dir.path().join("root")).unwrap();
    assert_eq!(found.files.len(), 100);
    for file in found.files {
        assert_eq!((file.kind, fs::read(file.disk).unwrap()), (FileKind::Main, b"{}".to_vec()));
    }
    assert!(found.issues.iter().all(|issue| issue.kind == TreeIssueKind::BrokenSymlink));
}
