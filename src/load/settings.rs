//! Reads the settings files of a tree for what explains missing data.

use serde_json::Value;

use crate::constants::RETENTION_DEFAULT_DAYS;
use crate::model::{FileKind, Retention, Settings, SourceFile, Switch, SwitchedOff};
use crate::read;

/// Environment variables that switch something off when a settings file sets them.
const VARIABLES: [(&str, Switch); 9] = [
    ("DISABLE_PROMPT_CACHING", Switch::PromptCaching),
    ("DISABLE_PROMPT_CACHING_FABLE", Switch::PromptCaching),
    ("DISABLE_PROMPT_CACHING_HAIKU", Switch::PromptCaching),
    ("DISABLE_PROMPT_CACHING_OPUS", Switch::PromptCaching),
    ("DISABLE_PROMPT_CACHING_SONNET", Switch::PromptCaching),
    ("CLAUDE_CODE_SKIP_PROMPT_HISTORY", Switch::Persistence),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", Switch::AutoMemory),
    ("CLAUDE_CODE_SIMPLE", Switch::Instructions),
    ("CLAUDE_CODE_DISABLE_CLAUDE_MDS", Switch::Instructions),
];

/// Settings larger than this are not read.
const LARGEST: u64 = 4 << 20;

/// The settings of one root. A later file wins where they disagree: `settings.local.json` over `settings.json`.
pub(super) fn of_root(files: &[SourceFile], root: usize) -> Settings {
    let retention = Retention { days: RETENTION_DEFAULT_DAYS, file: None };
    let mut settings = Settings { retention, off: Vec::new(), unreadable: Vec::new() };
    let mut named: Vec<&SourceFile> =
        files.iter().filter(|file| file.root == root && file.kind == FileKind::Settings).collect();
    named.sort_by_key(|file| file.path.contains("local"));
    for file in named {
        match object(file) {
            Some(value) => add(&value, &file.path, &mut settings),
            None => settings.unreadable.push(file.path.clone()),
        }
    }
    settings.off.sort();
    settings
}

fn object(file: &SourceFile) -> Option<Value> {
    let len = usize::try_from(file.len.min(LARGEST)).ok()?;
    let bytes = read::bytes(&file.disk, 0, len).ok()?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice::<Value>(text).ok().filter(Value::is_object)
}

fn add(value: &Value, file: &str, settings: &mut Settings) {
    if let Some(days) = value.get("cleanupPeriodDays").and_then(Value::as_i64) {
        settings.retention = Retention { days, file: Some(file.to_owned()) };
    }
    let mut off = |switch, setting: &str| {
        settings.off.push(SwitchedOff { switch, setting: setting.to_owned(), file: file.to_owned() });
    };
    if value.get("autoMemoryEnabled") == Some(&Value::Bool(false)) {
        off(Switch::AutoMemory, "autoMemoryEnabled");
    }
    for (name, switch) in VARIABLES {
        if value.get("env").and_then(|env| env.get(name)).is_some_and(is_on) {
            off(switch, name);
        }
    }
}

/// What the client takes for "yes" in an environment variable.
fn is_on(value: &Value) -> bool {
    let text = match value {
        Value::String(text) => text.to_lowercase(),
        Value::Bool(true) => return true,
        Value::Number(number) => return number.as_i64() == Some(1),
        _ => return false,
    };
    matches!(text.trim(), "1" | "true" | "yes" | "on")
}
