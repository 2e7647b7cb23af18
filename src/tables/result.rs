//! What a query gives, as plain data.

use super::schema::Type;

/// One value of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text(String),
}

/// Rows of a query, each as long as `columns`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryResult {
    /// Names, which are unique, and types.
    pub columns: Vec<(String, Type)>,
    pub rows: Vec<Vec<Value>>,
}

impl QueryResult {
    /// The values of a column; `None` where there is none of that name.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &Value>> {
        let at = self.columns.iter().position(|(column, _)| column == name)?;
        Some(self.rows.iter().map(move |row| &row[at]))
    }
}
