//! A progress bar on standard error, for work that lasts.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::load::Progress;

/// Fewer bytes are read before anybody could look at a bar.
const WORTH_A_BAR: u64 = 200 << 20;

/// Shows how far the reading is.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new() -> Self {
        Self(ProgressBar::hidden())
    }
}

impl Progress for Bar {
    fn start(&self, bytes: u64) {
        if bytes < WORTH_A_BAR {
            return;
        }
        self.0.set_length(bytes);
        if let Ok(style) = ProgressStyle::with_template("reading {bytes} of {total_bytes} {wide_bar} {eta}") {
            self.0.set_style(style);
        }
        self.0.set_draw_target(ProgressDrawTarget::stderr());
        self.0.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}
