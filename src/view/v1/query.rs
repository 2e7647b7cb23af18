//! `ccaudit.query/v1`, `ccaudit.query-list/v1` and `ccaudit.query-schema/v1`

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::tables::schema::Table;
use crate::tables::{NamedQuery, QueryResult, Value};

/// Rows of a query.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Query {
    /// Name of the query; `null` for SQL that was given.
    pub query: Option<&'static str>,
    /// Columns in order.
    pub columns: Vec<ResultColumn>,
    /// Objects with the columns as keys.
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResultColumn {
    pub name: String,
    /// `text`, `integer`, `float`, `boolean` or `null`.
    #[serde(rename = "type")]
    pub ty: &'static str,
}

/// One row, its values under the names of the columns, in their order.
#[derive(Debug, JsonSchema)]
pub struct Row(#[schemars(with = "BTreeMap<String, ValueV1>")] Vec<(String, ValueV1)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Written as it is; a float that is no number is `null`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum ValueV1 {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(String),
}

/// A query that comes with the tool.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QueryPage {
    pub name: &'static str,
    /// What it answers.
    pub question: &'static str,
    pub columns: Vec<Meaning>,
    pub example: &'static str,
    pub sql: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Meaning {
    pub name: &'static str,
    pub meaning: &'static str,
}

/// A table that SQL can be asked of.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TablePage {
    pub name: &'static str,
    pub meaning: &'static str,
    pub columns: Vec<TableColumn>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TableColumn {
    pub name: &'static str,
    /// `text`, `integer`, `float` or `boolean`.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// What one means; empty for words, flags and plain counts.
    pub unit: &'static str,
    pub meaning: &'static str,
}

/// A result as data; `query` is its name, if it has one.
#[must_use]
pub fn query(result: &QueryResult, query: Option<&'static str>) -> Query {
    let columns = result.columns.iter();
    let columns = columns.map(|(name, ty)| ResultColumn { name: name.clone(), ty: ty.name() }).collect();
    let row = |row: &Vec<Value>| {
        let names = result.columns.iter().map(|(name, _)| name.clone());
        Row(names.zip(row.iter().map(value)).collect())
    };
    Query { query, columns, rows: result.rows.iter().map(row).collect() }
}

fn value(value: &Value) -> ValueV1 {
    match value {
        Value::Float(number) if number.is_finite() => ValueV1::Float(*number),
        Value::Null | Value::Float(_) => ValueV1::Null,
        Value::Boolean(flag) => ValueV1::Boolean(*flag),
        Value::Integer(n) => ValueV1::Integer(*n),
        Value::Text(text) => ValueV1::Text(text.clone()),
    }
}

/// The queries that have a name, as data.
#[must_use]
pub fn queries(queries: &[NamedQuery]) -> Vec<QueryPage> {
    let page = |query: &NamedQuery| {
        let header = query.header();
        let columns = header.columns.into_iter().map(|(name, meaning)| Meaning { name, meaning });
        QueryPage {
            name: query.name,
            question: header.question,
            columns: columns.collect(),
            example: header.example,
            sql: query.sql,
        }
    };
    queries.iter().map(page).collect()
}

/// Tables and their columns, as data.
#[must_use]
pub fn tables(tables: &[Table]) -> Vec<TablePage> {
    let page = |table: &Table| {
        let columns = table.columns.iter().map(|column| TableColumn {
            name: column.name,
            ty: column.ty.name(),
            unit: column.unit,
            meaning: column.meaning,
        });
        TablePage { name: table.name, meaning: table.meaning, columns: columns.collect() }
    };
    tables.iter().map(page).collect()
}
