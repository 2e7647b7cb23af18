//! The graph that `parentUuid` makes of a session, whether it is whole, and what a client would load of it.

mod forest;
mod graph;
mod logical;
pub mod resume;

pub use graph::{Graph, Node, Parent};
pub use logical::{Logical, Stitch, logical_parents};
