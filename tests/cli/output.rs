//! `--output`: what is replaced, what is written through, and what is refused.

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::{copy_tree, run, run_in, sample_tree};

fn written(folder: &Path, target: &str) -> assert_cmd::assert::Assert {
    run().current_dir(folder).args(["explain", "torn-tail", "-o", target]).assert()
}

fn page() -> Vec<u8> {
    run().args(["explain", "torn-tail"]).output().unwrap().stdout
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn standard_output_has_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let out = written(folder.path(), name).success();
        assert_eq!(out.get_output().stdout, page(), "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A pipe of its own stands for every device: no test touches those of the machine.
#[test]
fn a_pipe_is_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("pipe", folder.path().join("link")).unwrap();
    for name in ["pipe", "link"] {
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                let mut text = Vec::new();
                fs::File::open(pipe).unwrap().read_to_end(&mut text).unwrap();
                text
            })
        };
        let out = written(folder.path(), name).success();
        // A reader of a pipe that is gone would wait for ever.
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        assert!(out.get_output().stdout.is_empty());
        assert_eq!(reader.join().unwrap(), page(), "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn links_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    fs::create_dir_all(&a).unwrap();
    fs::create_dir_all(&b).unwrap();
    symlink("../b/report", a.join("link")).unwrap();
    symlink("link", a.join("link-to-link")).unwrap();
    for (name, old) in [("a/link", false), ("a/link-to-link", true)] {
        assert_eq!(b.join("report").exists(), old);
        written(folder.path(), name).success();
        assert_eq!(fs::read(b.join("report")).unwrap(), page());
        assert!(fs::symlink_metadata(a.join(name.trim_start_matches("a/"))).unwrap().is_symlink());
        fs::write(b.join("report"), "old").unwrap();
    }
    assert_eq!((fs::read_dir(&a).unwrap().count(), fs::read_dir(&b).unwrap().count()), (2, 1));
    symlink("round", folder.path().join("round")).unwrap();
    written(folder.path(), "round").code(2);
}

#[test]
fn permissions_are_usual_or_kept() {
    let folder = tempfile::tempdir().unwrap();
    // What any program gets here, whatever the umask is.
    let usual = folder.path().join("usual");
    fs::write(&usual, "").unwrap();
    written(folder.path(), "new").success();
    assert_eq!(mode(&folder.path().join("new")), mode(&usual));
    for kept in [0o600, 0o644, 0o755] {
        fs::set_permissions(&usual, Permissions::from_mode(kept)).unwrap();
        written(folder.path(), "usual").success();
        assert_eq!(mode(&usual), kept);
        assert_eq!(fs::read(&usual).unwrap(), page());
    }
}

#[test]
fn nothing_below_a_root_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    copy_tree(&sample_tree(), &tree).unwrap();
    symlink("tree", folder.path().join("same")).unwrap();
    symlink("tree/projects", folder.path().join("inside")).unwrap();
    symlink("tree/new", folder.path().join("dangling")).unwrap();
    let before = walkdir::WalkDir::new(&tree).into_iter().count();
    for (root, target) in [
        ("tree", "tree/report"),
        ("tree", "tree/settings.json"),
        ("tree", "tree/projects/../report"),
        ("tree", "inside/report"),
        ("tree", "dangling"),
        ("same", "tree/report"),
        ("tree", "same/projects/report"),
    ] {
        for command in ["fsck", "rules"] {
            let mut run = run_in(Path::new(root));
            let out = run.current_dir(folder.path()).args([command, "-o", target]).assert().code(2);
            let message = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
            assert!(message.contains("below") && message.lines().count() == 1, "{target}: {message}");
        }
    }
    assert_eq!(walkdir::WalkDir::new(&tree).into_iter().count(), before);
    let mut run = run_in(Path::new("tree"));
    run.current_dir(folder.path()).args(["fsck", "-o", "tree-report"]).assert().success();
}

/// A disk without room takes nothing, and that is said, whatever was to be printed.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["cache", "--help"],
        &["help"],
        &["completions", "bash"],
        &["rules"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_ccaudit")).args(args).stdout(full).output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("ccaudit: cannot write to standard output, "), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
