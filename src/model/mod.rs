//! Plain data: what a tree holds, as numbers and interned names.

mod location;
mod usage;

pub use location::Location;
pub use usage::{Totals, Usage};
