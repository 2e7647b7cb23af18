//! The corpus as columns.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;
use polars::prelude::{
    BooleanChunked, ChunkTake, Column, DataFrame, IdxCa, IdxSize, Int64Chunked, IntoColumn, IntoSeries,
    NewChunkedArray, PlSmallStr, PolarsResult, StringChunked,
};

use super::schema::{self, RESPONSES, Type};
use super::sql::QueryError;
use crate::model::{Corpus, FileId, Response, Sym};
use crate::prices::PriceTable;
use crate::prices::Pricer;
use crate::scope::{Kept, Scope};

/// Which column a name of the tree is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOf {
    Response,
    Model,
    Version,
    Session,
    Project,
    Store,
    File,
    Agent,
}

/// What goes into the tables, and how.
pub struct BuildOptions<'a> {
    pub scope: &'a Scope,
    pub prices: &'a PriceTable,
    /// How names of the tree are written. SQL can cut and join words at will, so whatever must not be printed must
    /// not be in the tables.
    pub name: &'a dyn Fn(NameOf, &str) -> String,
}

/// The tables of a corpus.
pub struct Tables {
    pub(super) responses: DataFrame,
    /// Rows of `responses`, and the entries folded into them.
    pub counted: u64,
    pub entries: u64,
    /// Responses left out because a time range was asked for and they have no usable time.
    pub without_time: u64,
    /// Counts left out, as null, because the sum of their column would not fit 64 bits.
    pub too_large: u64,
}

/// Builds the tables from the responses in scope.
///
/// # Errors
/// What the engine says, should it refuse a table.
pub fn build(corpus: &Corpus, options: &BuildOptions<'_>) -> Result<Tables, QueryError> {
    let pricer = Pricer::new(corpus, options.prices);
    let mut builder = Builder::new();
    let (mut counted, mut entries, mut without_time) = (0, 0, 0);
    for response in &corpus.responses {
        match options.scope.keeps(corpus, response) {
            Kept::Yes => {
                builder.push(row(corpus, options, &pricer, response), options.name);
                counted += 1;
                entries += u64::from(response.entries);
            }
            Kept::NoTime => without_time += 1,
            Kept::No => {}
        }
    }
    let (responses, too_large) = builder.finish()?;
    Ok(Tables { responses, counted, entries, without_time, too_large })
}

/// One value on its way into a column.
enum Field<'a> {
    Null,
    Text(Cow<'a, str>),
    Name(NameOf, &'a str),
    Count(u128),
    Time(i64),
    Flag(bool),
}

/// A response in the order of [`RESPONSES`].
fn row<'a>(
    corpus: &'a Corpus,
    options: &BuildOptions<'_>,
    pricer: &Pricer<'_>,
    response: &Response,
) -> [Field<'a>; RESPONSES.len()] {
    let owner = Owner::of(corpus, response.owner);
    let (usage, flags) = (&response.usage, &response.flags);
    let cost = pricer.price(response).map(|priced| priced.cost.total());
    let string = |sym: Sym| corpus.strings.get(sym);
    let time = |ms: Option<i64>| ms.map_or(Field::Null, Field::Time);
    let count = |n: u64| Field::Count(n.into());
    let day = options.scope.civil(response.start).map(|day| day.strftime("%Y-%m-%d").to_string());
    [
        name(NameOf::Response, string(response.id)),
        name(NameOf::Session, owner.session),
        name(NameOf::Project, owner.project),
        name(NameOf::Store, owner.store),
        name(NameOf::File, Some(&corpus.file(response.owner).path)),
        name(NameOf::Agent, owner.agent),
        name(NameOf::Model, string(response.model)),
        name(NameOf::Version, string(response.version)),
        time(response.start.ms()),
        time(response.end.ms()),
        day.map_or(Field::Null, |day| Field::Text(day.into())),
        count(usage.input),
        count(usage.write_5m),
        count(usage.write_1h),
        count(usage.write_unsplit),
        count(usage.read),
        count(usage.output),
        count(usage.searches),
        count(response.entries.into()),
        count(response.inherited.into()),
        Field::Flag(flags.lower_bound),
        Field::Flag(flags.conflicting),
        Field::Flag(flags.split_mismatch),
        Field::Flag(flags.advisor),
        Field::Flag(cost.is_some()),
        cost.map_or(Field::Null, Field::Count),
    ]
}

fn name(of: NameOf, name: Option<&str>) -> Field<'_> {
    name.map_or(Field::Null, |name| Field::Name(of, name))
}

/// What a response takes from the file that owns it.
#[derive(Default)]
struct Owner<'a> {
    session: Option<&'a str>,
    project: Option<&'a str>,
    store: Option<&'a str>,
    agent: Option<&'a str>,
}

impl<'a> Owner<'a> {
    fn of(corpus: &'a Corpus, file: FileId) -> Self {
        let agent = corpus.agent_of[file.0 as usize].map(|row| corpus.agents[row].id.as_str());
        let Some(session) = corpus.session(file) else { return Self { agent, ..Self::default() } };
        Self {
            session: Some(&session.id),
            project: Some(corpus.project(session.store)),
            store: Some(&corpus.stores[session.store].slug),
            agent,
        }
    }
}

/// Columns under construction.
struct Builder {
    columns: Vec<Buffer>,
    rows: usize,
    too_large: u64,
}

enum Buffer {
    Text(Words),
    Integer { values: Vec<Option<i64>>, sum: i64 },
    Flag(Vec<bool>),
}

impl Builder {
    fn new() -> Self {
        let columns = RESPONSES.iter().map(|column| match column.ty {
            Type::Integer => Buffer::Integer { values: Vec::new(), sum: 0 },
            Type::Boolean => Buffer::Flag(Vec::new()),
            _ => Buffer::Text(Words::default()),
        });
        Self { columns: columns.collect(), rows: 0, too_large: 0 }
    }

    fn push(&mut self, row: [Field<'_>; RESPONSES.len()], name_of: &dyn Fn(NameOf, &str) -> String) {
        self.rows += 1;
        for (buffer, field) in self.columns.iter_mut().zip(row) {
            match (buffer, field) {
                (Buffer::Text(words), Field::Text(text)) => words.push(&text, str::to_owned),
                (Buffer::Text(words), Field::Name(of, name)) => words.push(name, |name| name_of(of, name)),
                (Buffer::Text(words), _) => words.rows.push(None),
                (Buffer::Integer { values, sum }, Field::Count(count)) => {
                    // A null is seen and told; a sum that wraps round would be believed.
                    let next = i64::try_from(count).ok().and_then(|n| Some((n, sum.checked_add(n)?)));
                    *sum = next.map_or(*sum, |(_, sum)| sum);
                    self.too_large += u64::from(next.is_none());
                    values.push(next.map(|(n, _)| n));
                }
                (Buffer::Integer { values, .. }, Field::Time(ms)) => values.push(Some(ms)),
                (Buffer::Integer { values, .. }, _) => values.push(None),
                (Buffer::Flag(flags), field) => flags.push(matches!(field, Field::Flag(true))),
            }
        }
    }

    fn finish(self) -> Result<(DataFrame, u64), QueryError> {
        let columns = RESPONSES.iter().zip(self.columns).map(|(column, buffer)| buffer.finish(column));
        let columns: PolarsResult<Vec<Column>> = columns.collect();
        let responses = columns.and_then(|columns| DataFrame::new(self.rows, columns));
        Ok((responses.map_err(|error| QueryError::of(&error))?, self.too_large))
    }
}

impl Buffer {
    fn finish(self, column: &schema::Column) -> PolarsResult<Column> {
        let name = PlSmallStr::from_static(column.name);
        Ok(match self {
            Self::Text(words) => words.finish(name)?,
            Self::Integer { values, .. } => {
                Int64Chunked::from_iter_options(name, values.into_iter()).into_column()
            }
            Self::Flag(flags) => BooleanChunked::from_slice(name, &flags).into_column(),
        })
    }
}

/// A text column in which most values repeat: each is kept once, and the rows point to it.
#[derive(Default)]
struct Words {
    known: HashMap<String, IdxSize, FixedState>,
    values: Vec<String>,
    rows: Vec<Option<IdxSize>>,
}

impl Words {
    fn push(&mut self, raw: &str, written: impl FnOnce(&str) -> String) {
        let row = match self.known.get(raw) {
            Some(&row) => Some(row),
            None => IdxSize::try_from(self.values.len()).ok().inspect(|&row| {
                self.known.insert(raw.to_owned(), row);
                self.values.push(written(raw));
            }),
        };
        self.rows.push(row);
    }

    fn finish(self, name: PlSmallStr) -> PolarsResult<Column> {
        let values = StringChunked::from_slice(name, &self.values);
        let rows = IdxCa::from_iter_options(PlSmallStr::EMPTY, self.rows.into_iter());
        values.take(&rows).map(|column| column.into_series().into_column())
    }
}
