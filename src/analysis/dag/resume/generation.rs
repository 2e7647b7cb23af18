//! How clients differ when they load a transcript, as data. Each row was seen on a real client.

/// Which entry a client goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafRule {
    /// The user or assistant entry of the main thread with the latest time, whether it has children or not.
    Newest,
    /// The last leaf in file order, unless the last `last-prompt` record points elsewhere.
    LastInFile,
}

/// What becomes of a tool call without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Its entry is not sent.
    Drop,
    /// A result is made up that says the call was interrupted.
    Answer,
}

/// The rules of one generation of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// The client version on which they were seen.
    pub seen: &'static str,
    pub(super) number: [u64; 3],
    pub leaf: LeafRule,
    /// A link to an entry that is not there is replaced by one to the latest entry before it, and what a compaction kept
    /// is put back.
    pub repairs: bool,
    pub unanswered: Unanswered,
    /// Answers with nothing but thinking are not sent.
    pub drops_lone_thinking: bool,
    /// Attachments carry the text that is sent for them; one without it is not sent.
    pub sends_recorded_text: bool,
    /// A turn that was interrupted is followed by `Continue from where you left off.`.
    pub continues_turns: bool,
    /// So is a prompt that was never answered.
    pub continues_prompts: bool,
    /// An error of the API ends a turn like an answer, although it is not sent.
    pub takes_errors_for_answers: bool,
}

/// Oldest first.
pub const GENERATIONS: [Generation; 4] = [
    Generation {
        seen: "1.0.128",
        number: [1, 0, 128],
        leaf: LeafRule::Newest,
        repairs: false,
        unanswered: Unanswered::Drop,
        drops_lone_thinking: false,
        sends_recorded_text: false,
        continues_turns: false,
        continues_prompts: false,
        takes_errors_for_answers: true,
    },
    Generation {
        seen: "2.1.87",
        number: [2, 1, 87],
        leaf: LeafRule::Newest,
        repairs: false,
        unanswered: Unanswered::Drop,
        drops_lone_thinking: true,
        sends_recorded_text: false,
        continues_turns: true,
        continues_prompts: false,
        takes_errors_for_answers: true,
    },
    Generation {
        seen: "2.1.247",
        number: [2, 1, 247],
        leaf: LeafRule::LastInFile,
        repairs: true,
        unanswered: Unanswered::Drop,
        drops_lone_thinking: true,
        sends_recorded_text: false,
        continues_turns: true,
        continues_prompts: true,
        takes_errors_for_answers: false,
    },
    Generation {
        seen: "2.1.332",
        number: [2, 1, 332],
        leaf: LeafRule::LastInFile,
        repairs: true,
        unanswered: Unanswered::Answer,
        drops_lone_thinking: true,
        sends_recorded_text: true,
        continues_turns: false,
        continues_prompts: false,
        takes_errors_for_answers: false,
    },
];

/// A generation for a client version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub generation: &'static Generation,
    /// The version itself was never seen; it takes the rules of the newest seen one that is not above it, or of the oldest.
    pub assumed: bool,
    /// The next newer generation, where the version lies between two: it may already have those rules.
    pub next: Option<&'static Generation>,
}

/// The generation of a client version; of text that is no version, the newest.
#[must_use]
pub fn choose(version: &str) -> Choice {
    let newest = GENERATIONS.len() - 1;
    let Some(number) = parse(version) else {
        return Choice { generation: &GENERATIONS[newest], assumed: true, next: None };
    };
    let at = GENERATIONS.iter().rposition(|generation| generation.number <= number).unwrap_or(0);
    let assumed = GENERATIONS[at].number != number;
    let next = if assumed && number > GENERATIONS[at].number { GENERATIONS.get(at + 1) } else { None };
    Choice { generation: &GENERATIONS[at], assumed, next }
}

/// Three numbers of a version; what follows them (`-beta`) does not matter.
#[must_use]
pub fn parse(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.splitn(3, '.');
    let mut next = || {
        let part = parts.next()?;
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        part[..digits].parse().ok()
    };
    Some([next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_takes_the_rules_of_the_newest_seen_one_not_above_it() {
        let seen = |version: &str| {
            let choice = choose(version);
            (choice.generation.seen, choice.assumed, choice.next.map(|next| next.seen))
        };
        assert_eq!(seen("2.1.87"), ("2.1.87", false, None));
        assert_eq!(seen("2.1.88"), ("2.1.87", true, Some("2.1.247")));
        assert_eq!(seen("2.0.0"), ("1.0.128", true, Some("2.1.87")));
        assert_eq!(seen("0.2.9"), ("1.0.128", true, None));
        assert_eq!(seen("2.1.400-beta.1"), ("2.1.332", true, None));
        assert_eq!(seen("local"), ("2.1.332", true, None));
    }
}
