//! Ordinary work: a prompt, some steps with tools, a closing answer.

use super::compact;
use super::content::{COMMANDS, ENDINGS, PROMPTS, STEPS};
use super::files;
use super::gen_ids::{MINUTE, SECOND};
use super::rows::{Client, Tool};
use super::session::{Reply, Session};

/// One random tool call on the files of the session's project.
fn tool(s: &mut Session) -> Tool {
    let name = *s.rng.pick(s.place.files);
    let path = format!("{}/{name}", s.place.cwd);
    let body = files::body(name);
    match s.rng.range(0, 9) {
        0..=4 => Tool::read(&path, &body, ""),
        5 | 6 if body.contains("return out") || body.contains("kept.map") => {
            let (old, new) = match body.contains("return out") {
                true => ("\treturn out", "\treturn out[:len(out):len(out)]"),
                false => (
                    "  return kept.map((value) => Math.trunc(value));",
                    "  return kept.map((value) => Math.trunc(value) || 0);",
                ),
            };
            Tool::edit(&path, &body, old, new)
        }
        _ => {
            let (command, description, output) = *s.rng.pick(&COMMANDS);
            Tool::bash(command, description, output)
        }
    }
}

/// A step in the middle of a turn.
pub(crate) fn step(s: &mut Session, grow: u64) {
    let count = *s.rng.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 3]);
    let tools: Vec<Tool> = (0..count).map(|_| tool(s)).collect();
    let text = s.rng.chance(45).then(|| (*s.rng.pick(&STEPS)).to_owned());
    let (thinking, output) = (s.rng.chance(22), s.rng.range(130, 620));
    let unfinished = s.client == Client::V87 && s.rng.chance(30);
    s.reply(Reply { thinking, text, tools, grow, output, unfinished, ..Reply::default() });
}

pub(crate) fn ending(s: &mut Session, grow: u64) {
    let text = Some((*s.rng.pick(&ENDINGS)).to_owned());
    let (thinking, output) = (s.rng.chance(18), s.rng.range(210, 890));
    s.reply(Reply { thinking, text, grow, output, ..Reply::default() });
}

pub(crate) fn growth(s: &mut Session) -> u64 {
    s.rng.range(700, 2_500)
}

/// A whole turn of `count` responses after a pause. The first response adds `first` tokens, if that is given.
pub(crate) fn turn(s: &mut Session, pause: i64, count: u64, first: Option<u64>) {
    let text = *s.rng.pick(&PROMPTS);
    turn_with(s, text, pause, count, first);
}

pub(crate) fn turn_with(s: &mut Session, text: &str, pause: i64, count: u64, first: Option<u64>) {
    s.prompt(text, pause);
    for at in 0..count {
        if at > 0 {
            compact::if_full(s);
        }
        let grow = match (at, first) {
            (0, Some(first)) => first,
            _ => growth(s),
        };
        if at + 1 < count { step(s, grow) } else { ending(s, grow) }
    }
    s.end_turn();
}

/// A pause within the time to live of the cache.
pub(crate) fn short_pause(s: &mut Session) -> i64 {
    s.rng.range(35, 210) as i64 * SECOND
}

/// A pause just beyond it: the cache is gone and the next request writes everything again.
pub(crate) fn long_pause(s: &mut Session) -> i64 {
    s.rng.range(6, 9) as i64 * MINUTE + s.rng.range(0, 59) as i64 * SECOND
}

/// Turns of five to nine responses until the session has about `responses`; a long pause before `percent` of them.
pub(crate) fn stretch(s: &mut Session, responses: u64, percent: u64) {
    let mut left = responses;
    while left > 0 {
        let count = s.rng.range(4, 9).min(left);
        let pause = if s.rng.chance(percent) { long_pause(s) } else { short_pause(s) };
        turn(s, pause, count, None);
        left -= count;
    }
}
