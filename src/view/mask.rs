//! What never shows of any text of a tree, with or without `--share`: e-mail addresses and account numbers.

use std::borrow::Cow;

/// `text` without e-mail addresses and account numbers.
#[must_use]
pub fn mask(text: &str) -> Cow<'_, str> {
    match accounts(text) {
        Cow::Borrowed(text) => emails(text),
        Cow::Owned(text) => Cow::Owned(emails(&text).into_owned()),
    }
}

/// Digits of an account number.
const ACCOUNT: usize = 12;

/// `text` with `<account>` for the owner in every name of a cloud resource: the fifth part of
/// `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`.
fn accounts(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(['a', 'A']) {
        if !text[at..].get(..4).is_some_and(|start| start.eq_ignore_ascii_case("arn:")) {
            continue;
        }
        let mut parts = text[at..].split(':');
        let start = at + parts.by_ref().take(4).map(|part| part.len() + 1).sum::<usize>();
        let Some(account) = parts.next() else { break };
        let digits = account.bytes().take_while(u8::is_ascii_digit).count();
        if digits == ACCOUNT && start >= done {
            out.push_str(&text[done..start]);
            out.push_str("<account>");
            done = start + digits;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// `text` with every e-mail address replaced by `<e-mail>`. `user@host` without a dot stays: it is no address
/// on the internet, and package versions such as `left-pad@1.3.0` look like it.
fn emails(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices('@') {
        if at < done {
            continue;
        }
        let before = &text[done..at];
        let local = before.len() - before.trim_end_matches(is_local).len();
        let after = &text[at + 1..];
        let domain = domain_len(after);
        if local > 0 && domain > 0 {
            out.push_str(&text[done..at - local]);
            out.push_str("<e-mail>");
            done = at + 1 + domain;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || ".+-_%".contains(c)
}

/// Bytes of the domain at the start of `text`, or 0 where none of its labels could be a top level.
fn domain_len(text: &str) -> usize {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')).unwrap_or(text.len());
    let domain = text[..end].trim_end_matches(['.', '-']);
    let top = |label: &str| label.chars().take_while(|c| c.is_alphabetic()).count() >= 2;
    if domain.split('.').skip(1).any(top) { domain.len() } else { 0 }
}
