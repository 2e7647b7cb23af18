//! The graph that `parentUuid` makes of a session, whether it is whole, and what a client would load of it.

mod branches;
mod context;
mod findings;
mod forest;
mod graph;
mod logical;
mod report;
pub mod resume;
pub mod rules;
mod titles;

pub use branches::{Arm, Branch, Class, branches};
pub use context::{Context, Source, current_context};
pub use findings::{findings, of_session};
pub use graph::{Graph, Node, Parent};
pub use logical::{Logical, Stitch, logical_chain, logical_parents};
pub use report::{Abandoned, DagReport, Unmatched, Verdict, report, reports};
pub use titles::{TitleLink, title_links};
