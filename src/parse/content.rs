//! The content of a message → how long it is, which kinds of blocks it has, and its tool calls and results.

use super::fields::{is_true, keys, string, text};
use super::part::Part;
use super::tape::{Node, Text, Value};
use super::text;
use crate::model::{Flags, ToolCall, ToolResult};

keys!(Block {
    kind "type", text "text", thinking "thinking", id "id", name "name", input "input",
    call "tool_use_id", content "content", is_error "is_error",
});

/// What the content of a message amounts to. Text is measured and forgotten.
pub(super) struct Content<'i> {
    ascii: u64,
    wide: u64,
    images: u64,
    /// Characters of text, thinking and tool input.
    pub(super) answer_characters: u64,
    /// Which kinds of blocks there are.
    pub(super) flags: Flags,
    pub(super) first_text: Text<'i>,
}

impl<'i> Content<'i> {
    pub(super) const fn new() -> Self {
        let first_text = Text::EMPTY;
        Self { ascii: 0, wide: 0, images: 0, answer_characters: 0, flags: Flags(0), first_text }
    }

    pub(super) fn read(&mut self, content: Value<'_, 'i>, part: &mut Part) {
        if let Some(text) = content.text() {
            self.first_text = text;
            self.message_text(text);
        }
        for item in content.items() {
            let block = Block::of(item);
            match string(block.kind).as_deref() {
                Some("text") => {
                    let text = text(block.text);
                    if self.first_text.raw.is_empty() {
                        self.first_text = text;
                    }
                    self.message_text(text);
                }
                Some("thinking") => {
                    self.flags.set(Flags::THINKING);
                    self.text(text(block.thinking));
                }
                Some("redacted_thinking") => self.flags.set(Flags::THINKING),
                Some(name @ ("tool_use" | "server_tool_use")) => {
                    self.flags.set(if name == "tool_use" { Flags::CALL } else { Flags::OTHER_BLOCK });
                    self.call(&block, part);
                }
                Some("tool_result") => self.result(&block, part),
                Some("image" | "document") => {
                    self.flags.set(Flags::OTHER_BLOCK);
                    self.images += 1;
                }
                _ => self.flags.set(Flags::OTHER_BLOCK),
            }
        }
    }

    /// Text of a message, as opposed to thinking.
    fn message_text(&mut self, text: Text<'_>) {
        if !text::is_blank(text) {
            self.flags.set(Flags::TEXT);
        }
        self.text(text);
    }

    /// Text that the model wrote, or was given as a message.
    fn text(&mut self, text: Text<'_>) {
        self.answer_characters += self.other_text(text);
    }

    /// Text that is no part of an answer; returns its characters.
    fn other_text(&mut self, text: Text<'_>) -> u64 {
        let (ascii, wide) = text.characters();
        self.ascii += ascii;
        self.wide += wide;
        ascii + wide
    }

    fn call(&mut self, block: &Block<'_, 'i>, part: &mut Part) {
        let call = ToolCall {
            entry: part.next_row(),
            id: part.sym(string(block.id).as_deref()),
            name: part.sym(string(block.name).as_deref()),
        };
        part.rows.calls.push(call);
        if let Some(input) = block.input {
            let (ascii, wide) = text::json_characters(input);
            self.ascii += ascii;
            self.wide += wide;
            self.answer_characters += ascii + wide;
        }
    }

    fn result(&mut self, block: &Block<'_, 'i>, part: &mut Part) {
        self.flags.set(Flags::RESULT);
        let result = ToolResult {
            entry: part.next_row(),
            call: part.sym(string(block.call).as_deref()),
            is_error: is_true(block.is_error),
        };
        part.rows.results.push(result);
        let Some(content) = block.content else { return };
        if let Some(text) = content.text() {
            self.other_text(text);
        }
        for item in content.items() {
            if matches!(string(item.get("type")).as_deref(), Some("image" | "document")) {
                self.images += 1;
            } else {
                self.other_text(text(item.get("text")));
            }
        }
    }

    /// The text that was sent, where the client recorded it, else the strings of the attachment.
    pub(super) fn read_attachment(
        &mut self,
        rendered: Option<Value<'_, 'i>>,
        attachment: Option<Value<'_, 'i>>,
    ) {
        let rendered = rendered.filter(|rendered| rendered.items().next().is_some());
        if let Some(sent) = rendered.or(attachment) {
            sent.walk(|node, is_key| {
                if let (Node::Str(text), false) = (node, is_key) {
                    self.other_text(text);
                }
            });
        }
    }

    pub(super) const fn tokens(&self) -> u64 {
        crate::model::estimate::tokens(self.ascii, self.wide, self.images)
    }
}
