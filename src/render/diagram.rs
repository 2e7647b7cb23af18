//! Diagrams as text that Graphviz (`dot`) and Mermaid draw. Every string is data: none of it acts as markup.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::cells::sentence;
use super::clean;
use crate::view::{Diagram, DiagramBox, Look};

/// Writes a diagram in the language of Graphviz.
pub(super) fn dot(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph ccaudit {{")?;
    writeln!(out, "  label=\"{}\";", dot_text(&diagram.title))?;
    writeln!(out, "  node [shape=box, fontname=\"sans-serif\"];")?;
    for (number, item) in diagram.boxes.iter().enumerate() {
        let look = match item.look {
            Look::Plain => "",
            Look::Faded => ", style=dashed, color=gray, fontcolor=gray",
            Look::Strong => ", style=bold",
            Look::Round => ", style=rounded",
        };
        writeln!(out, "  n{number} [label=\"{}\"{look}];", lines(item, dot_text, "\\n"))?;
    }
    for arrow in &diagram.arrows {
        let mut looks = Vec::new();
        if !arrow.label.is_empty() {
            looks.push(format!("label=\"{}\"", dot_text(&arrow.label)));
        }
        if arrow.dashed {
            looks.push("style=dashed".to_owned());
        }
        let looks = if looks.is_empty() { String::new() } else { format!(" [{}]", looks.join(", ")) };
        writeln!(out, "  n{} -> n{}{looks};", arrow.from, arrow.to)?;
    }
    writeln!(out, "}}")
}

/// Writes a diagram in the language of Mermaid.
pub(super) fn mermaid(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "flowchart TD")?;
    writeln!(out, "  %% {}", mermaid_text(&diagram.title))?;
    for (number, item) in diagram.boxes.iter().enumerate() {
        let (open, close) = if item.look == Look::Round { ("(", ")") } else { ("[", "]") };
        writeln!(out, "  n{number}{open}\"{}\"{close}", lines(item, mermaid_text, "<br>"))?;
    }
    for arrow in &diagram.arrows {
        let line = if arrow.dashed { "-.->" } else { "-->" };
        let label = mermaid_text(&arrow.label);
        let label = if label.is_empty() { label } else { format!("|\"{label}\"|") };
        writeln!(out, "  n{} {line}{label} n{}", arrow.from, arrow.to)?;
    }
    for (look, style) in [(Look::Faded, "stroke-dasharray: 4,color:gray"), (Look::Strong, "stroke-width:3px")]
    {
        let boxes = diagram.boxes.iter().enumerate().filter(|(_, item)| item.look == look);
        let names: Vec<String> = boxes.map(|(number, _)| format!("n{number}")).collect();
        // A list of names is taken by `class` alone.
        if !names.is_empty() {
            let class = format!("{look:?}").to_lowercase();
            writeln!(out, "  classDef {class} {style}")?;
            writeln!(out, "  class {} {class}", names.join(","))?;
        }
    }
    Ok(())
}

fn lines(item: &DiagramBox, escape: fn(&str) -> String, gap: &str) -> String {
    let lines = item.lines.iter().map(|line| escape(&sentence(line, true)));
    lines.collect::<Vec<_>>().join(gap)
}

/// Inside a quoted string of DOT a backslash begins an escape, and a quote ends it.
fn dot_text(text: &str) -> String {
    clean::text(text).replace('\\', "\\\\").replace('"', "\\\"")
}

/// Mermaid takes HTML and Markdown in a label; characters that could be either are written as their numbers.
fn mermaid_text(text: &str) -> String {
    let text = clean::text(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || " .,:/+-$()·…≥→%".contains(c) {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Arrow;

    fn drawn(write: fn(&Diagram, &mut dyn Write) -> io::Result<()>, text: &str) -> String {
        let item = |look| DiagramBox { lines: vec![text.into(), "2".into()], look };
        let diagram = Diagram {
            title: text.to_owned(),
            boxes: vec![item(Look::Plain), item(Look::Faded), item(Look::Round), item(Look::Faded)],
            arrows: vec![
                Arrow { from: 0, to: 1, label: text.to_owned(), dashed: false },
                Arrow { from: 0, to: 2, label: String::new(), dashed: true },
            ],
        };
        let mut out = Vec::new();
        write(&diagram, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn graphviz() {
        let wanted = "digraph ccaudit {\n  label=\"a\";\n  node [shape=box, fontname=\"sans-serif\"];\n  \
                      n0 [label=\"a\\n2\"];\n  n1 [label=\"a\\n2\", style=dashed, color=gray, fontcolor=gray];\n  \
                      n2 [label=\"a\\n2\", style=rounded];\n  \
                      n3 [label=\"a\\n2\", style=dashed, color=gray, fontcolor=gray];\n  n0 -> n1 [label=\"a\"];\n  n0 -> n2 [style=dashed];\n}\n";
        assert_eq!(drawn(dot, "a"), wanted);
    }

    #[test]
    fn mermaid_flowchart() {
        let wanted = "flowchart TD\n  %% a\n  n0[\"a<br>2\"]\n  n1[\"a<br>2\"]\n  n2(\"a<br>2\")\n  n3[\"a<br>2\"]\n  \
                      n0 -->|\"a\"| n1\n  n0 -.-> n2\n  classDef faded stroke-dasharray: 4,color:gray\n  class n1,n3 faded\n";
        assert_eq!(drawn(mermaid, "a"), wanted);
    }

    /// Whatever a tree says stays inside its quotes.
    #[test]
    fn text_is_no_markup() {
        let hostile = "\"]; evil -> x [label=\"\\N\n%% click n0 href <b>#quot;`";
        let text = drawn(dot, hostile);
        assert_eq!(text.lines().count(), drawn(dot, "a").lines().count());
        for line in text.lines() {
            let bare = line.replace("\\\\", "").replace("\\\"", "");
            let outside: String = bare.split('"').step_by(2).collect();
            assert!(bare.matches('"').count().is_multiple_of(2) && !outside.contains("evil"), "{line}");
            assert!(!bare.contains("\\N"), "{line}");
        }
        let text = drawn(mermaid, hostile);
        assert_eq!(text.lines().count(), drawn(mermaid, "a").lines().count());
        for line in text.lines() {
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
            assert!(!line.contains("<b>") && !line.contains('`') && !line.contains("#quot;"), "{line}");
        }
    }
}
