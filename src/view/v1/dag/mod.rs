//! What `ccaudit dag` and its commands write.

mod context;
mod lanes;
mod list;
mod resume;
mod show;

pub use context::{DagContext, dag_context};
pub use lanes::{DagLanes, dag_lanes};
pub use list::{Dag, dag};
pub use resume::{DagResume, dag_resume};
pub use show::{DagShow, dag_show};
