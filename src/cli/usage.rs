//! What clap refuses, in one sentence like every other refusal: what is wrong, and what to do.

use std::error::Error as _;
use std::num::ParseIntError;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The sentence for a command line that clap does not take.
pub(super) fn sentence(error: &Error) -> String {
    let problem = problem(error);
    match (hint(error), help(error)) {
        (Some(hint), Some(help)) => format!("{problem}: {hint} see `{help}`"),
        (Some(hint), None) => format!("{problem}: {hint}"),
        (None, help) => format!("{problem}; see `{}`", help.as_deref().unwrap_or("ccaudit --help")),
    }
}

fn problem(error: &Error) -> String {
    let flag = flag(&text(error, ContextKind::InvalidArg));
    let value = text(error, ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument if flag.starts_with('-') => format!("unknown flag {flag}"),
        ErrorKind::UnknownArgument => format!("unexpected word {flag}"),
        ErrorKind::InvalidSubcommand => {
            format!("unknown command {}", text(error, ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{flag} needs a value"),
        ErrorKind::InvalidValue => format!("{flag} does not take {value}"),
        ErrorKind::ValueValidation => format!("{flag} {value}"),
        ErrorKind::TooManyValues => format!("{flag} takes no value, {value} was given"),
        ErrorKind::MissingRequiredArgument => format!("{flag} is missing"),
        ErrorKind::MissingSubcommand => "a command is missing".to_owned(),
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> =
                texts(error, ContextKind::PriorArg).iter().map(|other| self::flag(other)).collect();
            match list(&others).filter(|others| *others != flag) {
                Some(others) => format!("{flag} does not go with {others}"),
                None => format!("{flag} is given twice, give it once"),
            }
        }
        ErrorKind::InvalidUtf8 => "an argument is no UTF-8".to_owned(),
        kind => kind.as_str().unwrap_or("the arguments are not understood").to_owned(),
    }
}

/// What to do, as far as it is known.
fn hint(error: &Error) -> Option<String> {
    if let Some(source) = error.source() {
        let is_number = source.is::<ParseIntError>();
        return Some(if is_number { "give a whole number".to_owned() } else { source.to_string() });
    }
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .into_iter()
        .find_map(|kind| texts(error, kind).first().map(|near| format!("did you mean {}?", flag(near))));
    // Ids of sessions are typed where a command about them belongs.
    if error.kind() == ErrorKind::InvalidSubcommand
        && near.is_none()
        && help(error).is_some_and(|help| help == "ccaudit dag --help")
    {
        let word = text(error, ContextKind::InvalidSubcommand);
        return Some(format!("for a session give `ccaudit dag show {word}`;"));
    }
    let known = list(&texts(error, ContextKind::ValidValue));
    // A flag of another command.
    let elsewhere = || texts(error, ContextKind::Suggested).into_iter().find(|tip| tip.ends_with("exists"));
    match (near, known) {
        (Some(near), Some(known)) => Some(format!("{near} it takes {known}")),
        (Some(near), None) => Some(near),
        (None, Some(known)) => Some(format!("give {known}")),
        (None, None) => elsewhere().map(|tip| format!("{tip};")),
    }
}

/// How to ask for the flags of the command that was meant.
fn help(error: &Error) -> Option<String> {
    let usage = texts(error, ContextKind::Usage).pop()?;
    let words = usage.split_whitespace().skip_while(|word| *word != "ccaudit");
    let command: Vec<&str> = words.take_while(|word| !word.starts_with(['[', '<', '-'])).collect();
    (!command.is_empty()).then(|| format!("{} --help", command.join(" ")))
}

/// A flag without the name of its value.
fn flag(shown: &str) -> String {
    let is_flag = shown.starts_with('-');
    let bare = if is_flag { shown.split([' ', '=', '[']).next().unwrap_or(shown) } else { shown };
    bare.to_owned()
}

fn text(error: &Error, kind: ContextKind) -> String {
    texts(error, kind).join(", ")
}

fn texts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// `a, b or c`.
fn list(words: &[String]) -> Option<String> {
    let (last, rest) = words.split_last()?;
    Some(if rest.is_empty() { last.clone() } else { format!("{} or {last}", rest.join(", ")) })
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, ArgGroup, Command};

    use super::*;

    /// What no command of ours that is always there can show.
    #[test]
    fn groups() {
        let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let command = || {
            Command::new("ccaudit").subcommand(
                Command::new("query")
                    .arg(Arg::new("NAME"))
                    .args([flag("list"), flag("schema")])
                    .group(ArgGroup::new("what").required(true).args(["NAME", "list", "schema"])),
            )
        };
        for (args, said) in [
            (&[][..], "<NAME|--list|--schema> is missing; see `ccaudit query --help`"),
            (&["x", "--list"], "[NAME] does not go with --list; see `ccaudit query --help`"),
            (&["--list", "--schema"], "--list does not go with --schema; see `ccaudit query --help`"),
        ] {
            let args = [&["ccaudit", "query"], args].concat();
            assert_eq!(sentence(&command().try_get_matches_from(args).unwrap_err()), said);
        }
    }
}
