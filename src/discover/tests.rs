//! Trees with links and odd names.

use std::os::unix::fs::symlink;

use super::*;

fn folder(root: &Path, path: &str) -> PathBuf {
    let folder = root.join(path);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn paths(root: &Path) -> Vec<(String, FileKind)> {
    trees(&[root]).unwrap().files.into_iter().map(|file| (file.path, file.kind)).collect()
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
        let found = trees(&[dir.path().join("root")]).unwrap();
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
    let found = trees(&[dir.path()]).unwrap().files;
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
    let found = trees(&[root]).unwrap();
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
    let found = trees(&[dir.path().join("root")]).unwrap();
    assert_eq!(found.files.len(), 100);
    for file in found.files {
        assert_eq!((file.kind, fs::read(file.disk).unwrap()), (FileKind::Main, b"{}".to_vec()));
    }
    assert!(found.issues.iter().all(|issue| issue.kind == TreeIssueKind::BrokenSymlink));
}

/// Each of these roots leads to some of what the others lead to.
#[test]
fn what_several_roots_lead_to_is_listed_once() {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    for store in ["a/projects/-s", "a/projects/-t", "b", "c/projects", "d/projects/-s", "e"] {
        folder(dir.path(), store);
    }
    for file in ["a/projects/-s/1.jsonl", "a/projects/-t/2.jsonl", "d/projects/-s/3.jsonl", "a/settings.json"]
    {
        fs::write(at(file), "").unwrap();
    }
    for (target, link) in [
        ("a/projects", "b/projects"),
        ("a/settings.json", "b/settings.json"),
        ("a/projects/-t", "c/projects/-u"),
        ("a/projects/-s/1.jsonl", "d/projects/-s/1.jsonl"),
    ] {
        symlink(at(target), at(link)).unwrap();
    }
    let listed = |roots: &[&str]| -> Vec<(usize, String)> {
        let roots: Vec<PathBuf> = roots.iter().map(|root| at(root)).collect();
        trees(&roots).unwrap().files.into_iter().map(|file| (file.root, file.path)).collect()
    };
    let expect = |roots: &[&str], expected: &[(usize, &str)]| {
        let expected: Vec<_> = expected.iter().map(|(root, path)| (*root, (*path).to_owned())).collect();
        assert_eq!(listed(roots), expected, "{roots:?}");
    };
    let (one, two, three) = ("projects/-s/1.jsonl", "projects/-t/2.jsonl", "projects/-s/3.jsonl");
    // The first keeps what it leads to; settings hold for both.
    let settings = "settings.json";
    expect(&["a", "b"], &[(0, one), (0, two), (0, settings), (1, settings)]);
    expect(&["b", "a"], &[(0, one), (0, two), (0, settings), (1, settings)]);
    expect(&["c", "a"], &[(0, "projects/-u/2.jsonl"), (1, one), (1, settings)]);
    expect(&["d", "a"], &[(0, one), (0, three), (1, two), (1, settings)]);
    expect(&["a", "c", "d"], &[(0, one), (0, two), (0, settings), (2, three)]);
    // A folder above is a tree as well if it holds some work; what lies deeper means nothing to it.
    fs::write(at("history.jsonl"), "").unwrap();
    let history = "history.jsonl";
    let above = listed(&[".", "a"]);
    assert!(
        above.ends_with(&[(1, one.to_owned()), (1, two.to_owned()), (1, settings.to_owned())]),
        "{above:?}"
    );
    assert!(above.contains(&(0, history.to_owned())) && above.contains(&(0, format!("d/{three}"))));
    assert_eq!(above.iter().filter(|(_, path)| path.ends_with(one)).count(), 1);
    assert!(trees(&[at("a"), at("e")]).is_err(), "nothing lies there");
}
