//! Settings that explain why data is missing.

use super::{Names, Note};
use crate::constants::RETENTION_MIN_DAYS;
use crate::model::{Settings, Switch};

/// Settings that explain why something is missing head the report: it is then no fault.
#[must_use]
pub fn notes(settings: &[Settings], names: &Names) -> Vec<Note> {
    let words = |switch| match switch {
        Switch::PromptCaching => "prompt caching is switched off, so cache figures of 0 are no fault",
        Switch::Persistence => "transcripts are switched off, so sessions are missing",
        Switch::AutoMemory => "auto memory is switched off",
        Switch::Instructions => "CLAUDE.md and auto memory are switched off",
    };
    let mut notes = Vec::new();
    for settings in settings {
        for off in &settings.off {
            notes
                .push(format!("{} ({} in {})", words(off.switch), off.setting, names.path(&off.file)).into());
        }
        for ignored in &settings.ignored {
            let file = names.path(&ignored.file);
            notes.push(
                match &ignored.unreadable {
                    Some(reason) => {
                        format!("{file} could not be read and was not taken into account: {reason}")
                    }
                    None => format!("{file} is no JSON object and was not taken into account"),
                }
                .into(),
            );
        }
        if settings.retention.days < RETENTION_MIN_DAYS {
            let file = settings.retention.file.as_deref().unwrap_or_default();
            notes.push(format!("cleanupPeriodDays is {} in {}: clients before 2.1.89 write no transcripts then, later ones refuse it", settings.retention.days, names.path(file)).into());
        }
    }
    notes
}
