//! The graph that `parentUuid` makes of a session, whether it is whole, and what a client would load of it.

mod branches;
mod copies;
mod fill;
mod findings;
mod forest;
mod graph;
mod lanes;
mod logical;
mod record;
mod report;
pub mod resume;
pub mod rules;
pub mod show;
mod spend;
mod titles;
pub mod window;

pub use branches::{Arm, Branch, Class, branches};
pub use copies::{Difference, differing};
pub use fill::{Fill, FillSource, current_context};
pub use findings::{findings, of_session};
pub use graph::{Graph, Node, Parent};
pub use lanes::{Lane, LaneKind, Step, lanes};
pub use logical::{Logical, Stitch, logical_chain, logical_parents};
pub use record::{excerpt, record};
pub use report::{Abandoned, DagReport, Listed, Unmatched, Verdict, list, report};
pub use spend::Spend;
pub use titles::{TitleLink, title_links};
