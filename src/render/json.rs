//! The JSON envelope around every machine-readable report, and the escaping that keeps it safe to print.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter};

use super::clean::is_hostile;
use crate::view::mask;

/// What a report is about and what it says. Written with `tool` and `version` in front.
#[derive(Clone, Debug)]
pub struct Envelope<'a, R, F, T> {
    /// Name and version of the shape of `data`, such as `ccaudit.cache/v1`.
    pub schema: &'a str,
    /// The tree or trees that were read.
    pub tree: R,
    /// What was asked for: everything that narrows or shapes the data.
    pub filters: F,
    /// Sentences that qualify the numbers; empty is written as an empty list.
    pub notes: Vec<String>,
    pub data: T,
}

/// The same with its keys in the order in which they are written.
#[derive(Serialize)]
struct Written<'a, R, F, T> {
    tool: &'static str,
    version: &'static str,
    schema: &'a str,
    tree: &'a R,
    filters: &'a F,
    notes: &'a [String],
    data: &'a T,
}

/// Writes one envelope, two spaces to a level, with a line feed at the end. A closed pipe keeps its error kind.
pub fn envelope<R, F, T>(out: &mut dyn Write, envelope: &Envelope<'_, R, F, T>) -> io::Result<()>
where
    R: Serialize,
    F: Serialize,
    T: Serialize,
{
    let written = Written {
        tool: "ccaudit",
        version: env!("CARGO_PKG_VERSION"),
        schema: envelope.schema,
        tree: &envelope.tree,
        filters: &envelope.filters,
        notes: &envelope.notes,
        data: &envelope.data,
    };
    let mut serializer = Serializer::with_formatter(&mut *out, Safe(PrettyFormatter::new()));
    written.serialize(&mut serializer).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Pretty JSON whose strings hold no e-mail address, no account number and no raw character that acts on a terminal. The
/// escapes are JSON's own, so a parser gets back the very string.
struct Safe<'a>(PrettyFormatter<'a>);

impl Formatter for Safe<'_> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let fragment = mask(fragment);
        let mut rest: &str = &fragment;
        while let Some(at) = rest.find(|c| is_hostile(c) || c == '\u{200d}') {
            writer.write_all(&rest.as_bytes()[..at])?;
            let c = rest[at..].chars().next().unwrap_or_default();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.0.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
