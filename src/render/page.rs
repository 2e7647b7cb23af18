//! A page of our own Markdown for a terminal: paragraphs in its width, headings bold, examples as they stand.

use std::io::{self, Write};

use super::TextStyle;
use super::text::{Ink, Page};

/// Writes `markdown`, which is documentation and nothing from a tree.
pub(super) fn write(markdown: &str, style: TextStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(style);
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in markdown.lines() {
        let is_fence = line.starts_with("```");
        let item = line.starts_with("- ");
        let ends = in_code || is_fence || item || line.is_empty() || line.starts_with(['#', '|']);
        if ends && !paragraph.is_empty() {
            page.wrapped(&std::mem::take(&mut paragraph), 0, Ink::Plain);
        }
        if is_fence {
            in_code = !in_code;
        } else if in_code {
            page.push(&format!("    {line}"), Ink::Plain);
        } else if let Some(heading) = line.strip_prefix("## ") {
            page.push(heading, Ink::Bold);
        } else if line.is_empty() || line.starts_with('|') {
            page.push(line, Ink::Plain);
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        }
    }
    if !paragraph.is_empty() {
        page.wrapped(&paragraph, 0, Ink::Plain);
    }
    page.print(out)
}
