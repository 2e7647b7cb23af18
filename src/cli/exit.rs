//! How a run ends.

use std::process::ExitCode;

/// Exit status. The output format never changes it, and a closed pipe is [`Exit::Done`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: the job is done.
    Done,
    /// 1: findings at or above the level of `--fail-on`.
    Findings,
    /// 2: the job could not be done: bad usage, nothing to read.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::Findings => Self::from(1),
            Exit::Failed => Self::from(2),
        }
    }
}
