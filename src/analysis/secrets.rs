//! Words of a text that look like credentials, so that they are never shown.
//!
//! Only shapes that issuers document are known, and values that stand behind a name such as `password`. That a text
//! holds none of them does not make it free of secrets.

use std::borrow::Cow;

/// What stands in place of a secret.
const MASK: &str = "<secret>";

/// How credentials of well-known issuers begin. Each is followed by at least [`SHORTEST`] further characters.
const PREFIXES: [&str; 24] = [
    "sk-",
    "rk_live_",
    "sk_live_",
    "sk_test_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "npm_",
    "pypi-",
    "hf_",
    "eyJ",
];

/// Characters behind a prefix from which on a word is taken for a credential.
const SHORTEST: usize = 16;

/// Names whose value is secret, where `=` or `:` stands between them.
const NAMES: [&str; 8] =
    ["password", "passwd", "secret", "token", "api_key", "apikey", "access_key", "private_key"];

/// `text` with every word that looks like a credential replaced.
#[must_use]
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut named = false;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(len) = key_block(rest) {
            out.push_str(&text[done..at]);
            out.push_str(MASK);
            at += len;
            done = at;
            continue;
        }
        let word = rest.len() - rest.trim_start_matches(is_part).len();
        if word == 0 {
            let c = rest.chars().next().map_or(1, char::len_utf8);
            // A name reaches over its sign, quotes and blanks, and no further.
            named &= matches!(&rest[..c], "=" | ":" | "\"" | "'" | " " | "\\");
            at += c;
            continue;
        }
        let word = &rest[..word];
        if named || is_credential(word) {
            out.push_str(&text[done..at]);
            out.push_str(MASK);
            done = at + word.len();
        }
        at += word.len();
        let sign = text[at..].trim_start_matches(['"', '\'', '\\', ' ']);
        named = is_name(word) && sign.starts_with([':', '=']);
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+/.".contains(c)
}

fn is_credential(word: &str) -> bool {
    PREFIXES.iter().any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| rest.len() >= SHORTEST))
}

/// `DB_PASSWORD` and `github-token` end in one of the names.
fn is_name(word: &str) -> bool {
    let word = word.trim_start_matches('-').to_ascii_lowercase().replace('-', "_");
    NAMES.iter().any(|name| word.ends_with(name))
}

/// Bytes of a private key in PEM at the start of a text, whether its end is there or not.
fn key_block(text: &str) -> Option<usize> {
    let body = text.strip_prefix("-----BEGIN ")?;
    let head = body.find("-----")?;
    if !body[..head].ends_with("PRIVATE KEY") {
        return None;
    }
    let end = text.find("-----END ").map_or(text.len(), |end| {
        let tail = &text[end + 9..];
        end + 9 + tail.find("-----").map_or(tail.len(), |close| close + 5)
    });
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn credentials_are_masked() {
        for (text, masked) in [
            ("use sk-ant-api03-abcdefghijklmnop now", "use <secret> now"),
            ("ghp_0123456789abcdef0123456789abcdef0123.", "<secret>"),
            ("key=AKIAIOSFODNN7EXAMPLE", "key=<secret>"),
            ("?a=1&t=ghp_0123456789abcdef", "?a=1&t=<secret>"),
            ("AKIAIOSFODNN7EXAMPLE", "<secret>"),
            ("DB_PASSWORD=hunter2 next", "DB_PASSWORD=<secret> next"),
            ("{\"api_key\": \"abc\", \"n\": 1}", "{\"api_key\": \"<secret>\", \"n\": 1}"),
            ("password: hunter2, user: me", "password: <secret>, user: me"),
            ("a -----BEGIN RSA PRIVATE KEY----- MII -----END RSA PRIVATE KEY----- b", "a <secret> b"),
            ("-----BEGIN PRIVATE KEY----- MII", "<secret>"),
        ] {
            assert_eq!(mask(text), masked, "{text}");
        }
    }

    #[test]
    fn ordinary_words_stay() {
        for text in
            ["", "the token was renewed", "sk-learn", "a password is needed", "eyJ", "naïve = 3", "x==y"]
        {
            assert_eq!(mask(text), text);
        }
    }
}
