//! The one place that reads the environment, the clock and the terminal.

use std::ffi::OsString;
use std::path::PathBuf;

use console::Term;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// What the process finds around it.
pub(super) struct Env {
    pub(super) home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub(super) config_dir: Option<PathBuf>,
    pub(super) now: Timestamp,
    pub(super) zone: TimeZone,
    /// `TZ`, where it names no time zone; the zone is UTC then.
    pub(super) unknown_zone: Option<String>,
    /// `NO_COLOR` is set to something.
    pub(super) no_color: bool,
    /// Columns of the terminal; `None` where standard output is none.
    pub(super) width: Option<usize>,
    /// Standard error is a terminal.
    pub(super) shows_progress: bool,
    /// The locale writes UTF-8.
    pub(super) unicode: bool,
    pub(super) cores: usize,
}

impl Env {
    #[expect(clippy::disallowed_methods, reason = "this is where they are allowed")]
    pub(super) fn read() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let stdout = Term::stdout();
        let columns = variable("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        let width = stdout.is_term().then(|| columns.unwrap_or_else(|| usize::from(stdout.size().1)));
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
        let dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let zone = TimeZone::try_system();
        let unknown_zone = variable("TZ").filter(|_| zone.is_err());
        Self {
            home: variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from),
            config_dir: variable("CLAUDE_CONFIG_DIR").map(PathBuf::from),
            now: Timestamp::now(),
            zone: zone.unwrap_or(TimeZone::UTC),
            unknown_zone: unknown_zone.map(|name| name.to_string_lossy().into_owned()),
            no_color: variable("NO_COLOR").is_some() || dumb,
            width,
            shows_progress: Term::stderr().is_term() && !dumb,
            // Without a terminal the text is for a file or a pager, where UTF-8 is the rule.
            unicode: width.is_none() || locale.is_some_and(|locale| is_utf8(&locale)),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn is_utf8(locale: &OsString) -> bool {
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
