//! The corpus as tables, and SQL over them. No type of the SQL engine leaves this module.
//!
//! ```text
//! Corpus, prices, scope ─ build ─▶ Tables ─ sql ─▶ QueryResult
//! ```

mod build;
mod named;
mod order;
mod result;
pub mod schema;
mod sql;

pub use build::{BuildOptions, NameOf, Tables, build};
pub use named::{Header, NAMED, NamedQuery, find};
pub use result::{QueryResult, Value};
pub use sql::{QueryError, run};
