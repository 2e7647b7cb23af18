//! Reads the settings files of a tree for what explains missing data.

use serde_json::Value;

use crate::constants::RETENTION_DEFAULT_DAYS;
use crate::model::{FileKind, IgnoredSettings, Retention, Settings, SourceFile, Switch, SwitchedOff};
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
    let mut settings = Settings { retention, off: Vec::new(), ignored: Vec::new() };
    let mut named: Vec<&SourceFile> =
        files.iter().filter(|file| file.root == root && file.kind == FileKind::Settings).collect();
    named.sort_by_key(|file| file.path.contains("local"));
    for file in named {
        match object(file) {
            Ok(value) => add(&value, &file.path, &mut settings),
            Err(unreadable) => {
                settings.ignored.push(IgnoredSettings { file: file.path.clone(), unreadable });
            }
        }
    }
    settings.off.sort();
    settings
}

/// The object that a file holds, or what the system said where it could not be read.
fn object(file: &SourceFile) -> Result<Value, Option<String>> {
    let len = usize::try_from(file.len.min(LARGEST)).unwrap_or(usize::MAX);
    let bytes = read::bytes(&file.disk, 0, len).map_err(|error| Some(error.to_string()))?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice(text).ok().filter(Value::is_object).ok_or(None)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What the system does not let us read is not called something that it may not be.
    #[test]
    fn why_a_file_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: Option<&str>| {
            let disk = folder.path().join("settings.json");
            if let Some(text) = text {
                std::fs::write(&disk, text).unwrap();
            }
            let file = SourceFile {
                root: 0,
                path: "settings.json".to_owned(),
                disk,
                kind: FileKind::Settings,
                len: text.map_or(5, |text| text.len() as u64),
                modified: None,
                store: None,
                session: None,
            };
            of_root(&[file], 0)
                .ignored
                .into_iter()
                .map(|ignored| ignored.unreadable.is_some())
                .collect::<Vec<_>>()
        };
        // It went away after it was listed.
        assert_eq!(read(None), [true]);
        for text in ["", "[]", "{", "\u{feff}7"] {
            assert_eq!(read(Some(text)), [false], "{text}");
        }
        assert_eq!(read(Some("\u{feff}{}")), [false; 0]);
    }
}
