//! Nothing here talks to a network: not our code, not what is built into it, not a run of any command.
#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but does not see that these helpers are tests"
)]

mod common;

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use common::sample_tree;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn our_code_names_no_socket() {
    let forbidden = [
        "std::net",
        "net::Tcp",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "UnixStream",
        "UnixListener",
        "UnixDatagram",
        "ToSocketAddrs",
        "std::os::unix::net",
        "libc::socket",
    ];
    for item in walkdir::WalkDir::new(Path::new(ROOT).join("src")) {
        let item = item.unwrap();
        if item.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(item.path()).unwrap();
        for word in forbidden {
            assert!(!text.contains(word), "{}: {word}", item.path().display());
        }
    }
}

/// Crates that open connections or speak a protocol over them.
const NETWORK: &[&str] = &[
    "reqwest",
    "hyper",
    "hyper-util",
    "h2",
    "h3",
    "rustls",
    "native-tls",
    "openssl",
    "openssl-sys",
    "curl",
    "curl-sys",
    "ureq",
    "isahc",
    "attohttpc",
    "minreq",
    "object_store",
    "quinn",
    "tungstenite",
    "socket2",
    "mio",
    "async-std",
    "hickory-resolver",
    "aws-lc-sys",
    "schannel",
    "security-framework",
];

/// Crates of `NETWORK` that cannot be avoided with the feature `tables`, and the one crate that may pull each in:
/// polars plans queries with tokio, whose event loop rests on these two. They speak no protocol, and the traced runs
/// below show that no socket is opened.
const ONLY_THROUGH: &[(&str, &str)] = &[("mio", "tokio"), ("socket2", "tokio")];

fn cargo_tree(args: &[&str]) -> Result<String, String> {
    let out = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "-e", "normal,build"])
        .args(args)
        .current_dir(ROOT)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if out.status.success() { Ok(text(out.stdout)) } else { Err(text(out.stderr)) }
}

/// What is really built, for any system. `Cargo.lock` also lists what never is.
#[test]
fn nothing_built_talks_to_a_network() {
    let target: &[&str] = match cargo_tree(&["--target", "all"]) {
        Ok(_) => &["--target", "all"],
        Err(problem) => {
            writeln!(io::stderr(), "for this system only, the packages of others are not at hand: {problem}")
                .unwrap();
            &[]
        }
    };
    let tree = |args: &[&str]| cargo_tree(&[target, args].concat()).unwrap();
    for features in [&["--no-default-features"][..], &[]] {
        let all = tree(&[&["--prefix", "none"], features].concat());
        let built: Vec<&str> = all.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(built.contains(&"clap"), "cargo tree has another form:\n{all}");
        for name in NETWORK.iter().filter(|name| built.contains(name)) {
            let parents = tree(&["-i", name, "--depth", "1", "--prefix", "none"]);
            let mut parents = parents.lines().skip(1).filter_map(|line| line.split(' ').next());
            let through =
                ONLY_THROUGH.iter().find(|(crate_name, _)| crate_name == name).map(|(_, parent)| *parent);
            let allowed = features.is_empty() && parents.all(|parent| Some(parent) == through);
            assert!(
                allowed,
                "{name} is built in with {features:?}; it comes through\n{}",
                tree(&["-i", name])
            );
        }
    }
}

#[test]
fn no_command_opens_a_socket() {
    if Command::new("strace").arg("--version").output().is_err() {
        writeln!(io::stderr(), "skipped: strace is not installed").unwrap();
        return;
    }
    let root = sample_tree();
    let root = root.to_str().unwrap();
    let commands: &[&[&str]] = &[
        &[],
        &["overview", "--share"],
        &["cache", "--by", "day"],
        &["fsck", "--format", "json"],
        &["rules"],
        &["explain", "prompt-share"],
        &["completions", "bash"],
        &["--help"],
    ];
    for command in commands {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("trace");
        let out = Command::new("strace")
            .args(["-f", "-e", "trace=network", "-o"])
            .arg(&trace)
            .arg(env!("CARGO_BIN_EXE_ccaudit"))
            .args(["--root", root])
            .args(*command)
            .env("HOME", folder.path())
            .output()
            .unwrap();
        let problem = String::from_utf8_lossy(&out.stderr);
        if problem.contains("ptrace") {
            writeln!(io::stderr(), "skipped: strace may not trace here: {problem}").unwrap();
            return;
        }
        assert!(out.status.success(), "{command:?}: {problem}");
        let trace = fs::read_to_string(trace).unwrap();
        assert!(trace.contains("exited with 0"), "{command:?}: nothing was traced\n{trace}");
        let calls = ["socket(", "connect(", "bind(", "sendto(", "socketpair("];
        let found: Vec<&str> =
            trace.lines().filter(|line| calls.iter().any(|call| line.contains(call))).collect();
        assert!(found.is_empty(), "{command:?}:\n{}", found.join("\n"));
    }
}
