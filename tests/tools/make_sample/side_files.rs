//! Files beside the transcripts, and the disk that the paths in the tree point to.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::files;
use super::gen_ids::{Rng, at, iso};
use super::instructions;
use super::session::Session;
use super::story::{GATEWAY, SHOP, SHOP_WEB};

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Both ways to say that the window is 200,000 tokens, so that every client of the sample compacts at 167,000.
pub(crate) fn settings() -> String {
    pretty(&json!({
        "model": "opus",
        "autoCompactWindow": 200_000,
        "cleanupPeriodDays": 180,
        "env": { "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000" },
        "permissions": { "allow": ["Bash(npm test:*)", "Bash(npm run typecheck)", "Bash(git status:*)"] }
    }))
}

/// `.claude.json`: the figures of the last closed session of each project.
pub(crate) fn global(last: &[Session]) -> String {
    let mut projects = Map::new();
    for s in last {
        let (cost, models) = s.cost();
        let sum = |f: fn(&super::lane::Usage) -> u64| s.billed.iter().map(|(_, u)| f(u)).sum::<u64>();
        projects.insert(
            s.place.cwd.into(),
            json!({ "hasTrustDialogAccepted": true, "lastGracefulShutdown": true, "lastVersionBase": "2.1.332", "lastCost": cost, "lastStartTime": s.started,
                "lastTotalInputTokens": sum(|u| u.input), "lastTotalOutputTokens": sum(|u| u.output), "lastTotalCacheCreationInputTokens": sum(|u| u.write()),
                "lastTotalCacheReadInputTokens": sum(|u| u.read), "lastTotalWebSearchRequests": 0, "lastModelUsage": models, "lastSessionId": s.id }),
        );
    }
    projects.insert(
        SHOP.cwd.into(),
        json!({ "hasTrustDialogAccepted": true, "lastSessionId": Rng::named("partner feed").uuid() }),
    );
    pretty(
        &json!({ "numStartups": 61, "firstStartTime": "2026-06-03T08:50:12.004Z", "hasCompletedOnboarding": true, "lastOnboardingVersion": "2.1.332", "projects": projects }),
    )
}

/// An index that nobody has kept up: one session in it is gone, one has grown, most are missing.
pub(crate) fn sessions_index(newest: &Session) -> String {
    let entry = |id: String, prompt: &str, count: usize, created: i64, modified: i64| {
        let path = format!("/Users/dev/.claude/projects/-Users-dev-projects-shop-web/{id}.jsonl");
        json!({ "sessionId": id, "fullPath": path, "fileMtime": modified, "firstPrompt": prompt, "summary": prompt, "messageCount": count, "created": iso(created), "modified": iso(modified), "gitBranch": "main", "projectPath": SHOP_WEB.cwd, "isSidechain": false })
    };
    let grown = newest.prompts.first().map_or("", |(_, text)| text.as_str());
    pretty(&json!({
        "version": 1,
        "originalPath": SHOP_WEB.cwd,
        "entries": [
            entry(Rng::named("removed session").uuid(), "Try the new bundler on a branch.", 58, at(7, 30, 9, 2), at(7, 30, 11, 47)),
            entry(newest.id.clone(), grown, 9, newest.started, newest.started + 95_000),
        ]
    }))
}

/// The side folder of a session whose transcript is gone.
pub(crate) fn left_behind(tree: &mut BTreeMap<String, Vec<u8>>) {
    let mut rng = Rng::named("removed session");
    let folder = format!("projects/-Users-dev-projects-shop-web/{}", rng.uuid());
    let text: String =
        (1..=160).map(|n| format!("chunk-{n:03}.js  {:>7.1} kB\n", f64::from(n * 53 % 400) / 3.0)).collect();
    tree.insert(format!("{folder}/tool-results/{}.txt", rng.lower(9)), text.into_bytes());
}

/// The projects as they lie on the machine's disk; `/Users/dev/projects/shop` is not there any more.
pub(crate) fn disk() -> BTreeMap<String, Vec<u8>> {
    let mut disk = BTreeMap::new();
    for place in [SHOP_WEB, GATEWAY] {
        let root = place.cwd.trim_start_matches('/');
        for name in place.files {
            disk.insert(format!("{root}/{name}"), files::body(name).into_bytes());
        }
    }
    let web = SHOP_WEB.cwd.trim_start_matches('/');
    disk.insert(format!("{web}/CLAUDE.md"), instructions::project().into_bytes());
    disk.insert(
        format!("{web}/package.json"),
        b"{\n  \"name\": \"shop-web\",\n  \"version\": \"4.12.0\",\n  \"private\": true\n}\n".to_vec(),
    );
    let gateway = GATEWAY.cwd.trim_start_matches('/');
    disk.insert(
        format!("{gateway}/README.md"),
        b"# api-gateway\n\nRoutes, limits and health probes in front of the shop's services.\n".to_vec(),
    );
    disk
}
