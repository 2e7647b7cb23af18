//! Runs SQL over the tables.

use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use polars::prelude::{AnyValue, Column, DataFrame, DataType, IntoLazy, PolarsError, PolarsResult};
use polars::sql::SQLContext;

use super::schema::{TABLES, Type};
use super::{QueryResult, Tables, Value, order};

/// A query that was not run, or whose result cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What the engine says, one line.
    pub message: String,
    /// What to do about it, one sentence.
    pub hint: Option<String>,
}

/// Runs one statement.
///
/// # Errors
/// What the engine says about it.
pub fn run(tables: &Tables, sql: &str) -> Result<QueryResult, QueryError> {
    if let Some(word) = changes(sql) {
        let message = format!("{word} changes tables, and only queries are run");
        return Err(QueryError { message, hint: Some("start with SELECT or WITH".into()) });
    }
    // The engine meets some statements that it does not know with a panic.
    let result =
        quietly(|| catch_unwind(AssertUnwindSafe(|| collect(tables, sql).and_then(|frame| plain(&frame)))));
    match result {
        Ok(result) => result.map_err(|error| QueryError::of(&error)),
        Err(_) => Err(QueryError { message: "the SQL engine gave up on this statement".into(), hint: None }),
    }
}

/// Keeps a panic of the engine, on any of its threads, from being printed before it is told in words.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    /// The hook belongs to the process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = run();
    panic::set_hook(hook);
    drop(turn);
    result
}

fn collect(tables: &Tables, sql: &str) -> PolarsResult<DataFrame> {
    let mut context = SQLContext::new();
    context.register(TABLES[0].name, tables.responses.clone().lazy());
    let mut frame = context.execute(sql)?;
    order::keep(&mut frame.logical_plan);
    frame.collect()
}

fn plain(frame: &DataFrame) -> PolarsResult<QueryResult> {
    let mut columns = Vec::with_capacity(frame.width());
    let mut rows = vec![Vec::with_capacity(frame.width()); frame.height()];
    for column in frame.columns() {
        let (ty, values) = values(column)?;
        columns.push((column.name().to_string(), ty));
        for (row, value) in rows.iter_mut().zip(values) {
            row.push(value);
        }
    }
    Ok(QueryResult { columns, rows })
}

fn values(column: &Column) -> PolarsResult<(Type, Vec<Value>)> {
    let series = column.as_materialized_series();
    let ty = match series.dtype() {
        DataType::Boolean => Type::Boolean,
        DataType::Null => Type::Null,
        DataType::String => Type::Text,
        dtype if dtype.is_integer() => Type::Integer,
        dtype if dtype.is_float() => Type::Float,
        // Dates and the like.
        _ => return values(&series.cast(&DataType::String)?.into()),
    };
    let plain = |value: AnyValue<'_>| match value {
        AnyValue::Boolean(flag) => Value::Boolean(flag),
        AnyValue::String(text) => Value::Text(text.to_owned()),
        AnyValue::StringOwned(text) => Value::Text(text.to_string()),
        AnyValue::Null => Value::Null,
        value if ty == Type::Integer => value.extract::<i128>().map_or(Value::Null, Value::Integer),
        value => value.extract::<f64>().map_or(Value::Null, Value::Float),
    };
    Ok((ty, series.rechunk().iter().map(plain).collect()))
}

/// The first word of a statement that the engine would take and that is no query.
fn changes(sql: &str) -> Option<&'static str> {
    let mut lines =
        sql.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("--"));
    let word = lines.next()?.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    ["CREATE", "DROP", "DELETE", "TRUNCATE"].into_iter().find(|change| change.eq_ignore_ascii_case(word))
}

impl QueryError {
    pub(super) fn of(error: &PolarsError) -> Self {
        let text = error.to_string();
        // Further lines show plans and syntax trees.
        let line = text.lines().next().unwrap_or_default();
        let line = line.split_once("; valid columns:").map_or(line, |(said, _)| said);
        let message = line.strip_prefix("not found: ").unwrap_or(line).trim_end_matches([':', '.']);
        Self { message: message.to_owned(), hint: hint(message) }
    }
}

/// What to do about a name that the engine does not know.
fn hint(message: &str) -> Option<String> {
    let mut columns = TABLES.iter().flat_map(|table| table.columns).map(|column| column.name);
    let unknown = quoted(message)?;
    let near = if message.starts_with("relation") {
        nearest(unknown, TABLES.iter().map(|table| table.name))
    } else if message.starts_with("unable to find column") || message.starts_with("no column") {
        if columns.clone().any(|column| column == unknown) {
            return Some(format!(
                "{unknown} is out of reach here: beside GROUP BY, ORDER BY takes names of the select list, as in \
                 SUM({unknown}) AS n ... ORDER BY n"
            ));
        }
        nearest(unknown, &mut columns)
    } else {
        return None;
    };
    let list = "`ccaudit query --schema` lists tables and columns";
    Some(near.map_or_else(|| list.to_owned(), |near| format!("did you mean {near}? {list}")))
}

/// The first word in quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['\'', '"', '`'])?;
    let mark = &text[start..=start];
    text[start + 1..].split_once(mark).map(|(word, _)| word).filter(|word| !word.is_empty())
}

/// The name most like another, if any is like it.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ENOUGH: f64 = 0.75;
    let name = name.to_lowercase();
    names
        .map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= ENOUGH)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}
