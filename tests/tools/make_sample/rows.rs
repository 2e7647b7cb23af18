//! JSON of single parts: usage, messages, attachments, tool results.

use serde_json::{Value, json};

use super::files;
use super::lane::Usage;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    V87,
    V247,
    V332,
}

impl Client {
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::V87 => "2.1.87",
            Self::V247 => "2.1.247",
            Self::V332 => "2.1.332",
        }
    }
}

/// One tool call with its result.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) input: Value,
    pub(crate) result: Value,
    pub(crate) detail: Value,
    /// The call's id, where the story needs to know it beforehand.
    pub(crate) id: Option<String>,
}

impl Tool {
    pub(crate) fn read(path: &str, content: &str, note: &str) -> Self {
        let lines = content.split('\n').count();
        Self {
            name: "Read",
            input: json!({ "file_path": path }),
            result: json!(format!("{note}{}", files::numbered(content))),
            detail: json!({ "type": "text", "file": { "filePath": path, "content": content, "numLines": lines, "startLine": 1, "totalLines": lines } }),
            id: None,
        }
    }

    pub(crate) fn bash(command: &str, description: &str, output: &str) -> Self {
        Self {
            name: "Bash",
            input: json!({ "command": command, "description": description }),
            result: json!(output),
            detail: json!({ "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false }),
            id: None,
        }
    }

    pub(crate) fn edit(path: &str, whole: &str, old: &str, new: &str) -> Self {
        let before = whole.split(old).next().unwrap_or("");
        let line = before.matches('\n').count() + 1;
        Self {
            name: "Edit",
            input: json!({ "replace_all": false, "file_path": path, "old_string": old, "new_string": new }),
            result: json!(format!("The file {path} has been updated successfully.")),
            detail: json!({ "filePath": path, "oldString": old, "newString": new, "originalFile": whole,
                "structuredPatch": [{ "oldStart": line, "oldLines": 1, "newStart": line, "newLines": new.matches('\n').count() + 1, "lines": [format!("-{old}"), format!("+{new}")] }],
                "userModified": false, "replaceAll": false }),
            id: None,
        }
    }

    pub(crate) fn write(path: &str, given: &str, stored: &str) -> Self {
        Self {
            name: "Write",
            input: json!({ "file_path": path, "content": given }),
            result: json!(format!("File created successfully at: {path}")),
            detail: json!({ "type": "create", "filePath": path, "content": stored, "structuredPatch": [], "originalFile": null, "userModified": false, "memdirStamped": true }),
            id: None,
        }
    }
}

/// The note that the client puts before an old memory.
pub(crate) fn stale_note(days: i64) -> String {
    if days < 2 {
        return String::new();
    }
    format!(
        "<system-reminder>This memory is {days} days old. Memories are point-in-time observations, not live state — claims about code behavior or file:line citations may be outdated. Verify against current code before asserting as fact.</system-reminder>\n"
    )
}

pub(crate) fn usage(u: &Usage, client: Client) -> Value {
    if u.uncached {
        return json!({ "input_tokens": u.input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": u.output, "service_tier": "standard" });
    }
    let split = json!({ "ephemeral_1h_input_tokens": u.write_1h, "ephemeral_5m_input_tokens": u.write_5m });
    let searches = json!({ "web_search_requests": 0, "web_fetch_requests": 0 });
    let mut out = json!({ "input_tokens": u.input, "cache_creation_input_tokens": u.write(), "cache_read_input_tokens": u.read, "output_tokens": u.output });
    if client != Client::V87 {
        out["output_tokens_details"] = json!({ "thinking_tokens": u.thinking });
    }
    out["server_tool_use"] = searches;
    out["service_tier"] = json!("standard");
    out["cache_creation"] = split;
    out["inference_geo"] = json!("");
    out["iterations"] = json!([]);
    out["speed"] = json!("standard");
    if client == Client::V332 {
        out["fallback_credit"] = Value::Null;
    }
    out
}

/// The usage that a client which writes while streaming has for all but the last block.
pub(crate) fn usage_at_start(u: &Usage) -> Value {
    json!({ "input_tokens": u.input, "cache_creation_input_tokens": u.write(), "cache_read_input_tokens": u.read,
        "cache_creation": { "ephemeral_5m_input_tokens": u.write_5m, "ephemeral_1h_input_tokens": u.write_1h },
        "output_tokens": 1, "service_tier": "standard" })
}

pub(crate) fn environment(cwd: &str) -> Value {
    json!({ "type": "environment", "snapshot": { "workingDirectory": cwd, "isWorktree": false, "isGitRepo": true,
        "additionalWorkingDirectories": [], "platform": "darwin", "shell": "zsh", "osVersion": "Darwin 25.6.0" } })
}

pub(crate) fn model(id: &str, name: &str) -> Value {
    json!({ "type": "model", "identity": { "modelId": id, "marketingName": name }, "text": format!("You are powered by the model named {name}. The exact model ID is {id}.") })
}

pub(crate) fn instructions(files: &[(String, &str, String)]) -> (Value, String) {
    let list: Vec<Value> = files
        .iter()
        .map(|(path, kind, content)| json!({ "path": path, "type": kind, "content": content }))
        .collect();
    let mut text = String::from(
        "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n",
    );
    for (path, kind, content) in files {
        let label = match *kind {
            "User" => "user's private global instructions for all projects",
            "AutoMem" => "user's auto-memory, persists across conversations",
            _ => "project instructions, checked into the codebase",
        };
        text.push_str(&format!("\nContents of {path} ({label}):\n\n{content}\n"));
    }
    text.push_str("</system-reminder>");
    (json!({ "type": "instructions", "files": list }), text)
}
