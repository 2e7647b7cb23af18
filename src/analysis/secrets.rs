//! Words of a text that look like credentials, so that they are never shown.
//!
//! Only shapes that issuers document are known, and values that stand behind a name such as `password`. That a text
//! holds none of them does not make it free of secrets.

use std::borrow::Cow;

use crate::constants::{
    SECRET_NAMES, SECRET_PREFIXES, SECRET_SCHEME_SHORTEST, SECRET_SCHEMES, SECRET_SHORTEST,
};

/// What stands in place of a secret.
const MASK: &str = "<secret>";

/// `text` with everything that looks like a credential replaced.
#[must_use]
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut at, mut done) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let word = rest.len() - rest.trim_start_matches(is_word).len();
        let whole = key_block(rest).or_else(|| credential(rest)).map(|len| (0, len));
        let secret =
            whole.or_else(|| scheme(rest)).or_else(|| user(rest)).or_else(|| flag(rest)).or_else(|| {
                let name = name(rest);
                let (gap, len) = value(name, &rest[name.len()..])?;
                Some((name.len() + gap, len))
            });
        match secret {
            Some((start, len)) => {
                out.push_str(&text[done..at + start]);
                out.push_str(MASK);
                at += start + len;
                done = at;
            }
            // A credential may begin after any character that is no part of a word.
            None => at += if word > 0 { word } else { rest.chars().next().map_or(1, char::len_utf8) },
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// The name at the start of a text: hyphens are part of it, as in `x-api-key`.
fn name(text: &str) -> &str {
    let len = text.len() - text.trim_start_matches(|c| is_word(c) || c == '-').len();
    if text.starts_with('-') { "" } else { &text[..len] }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    SECRET_NAMES.iter().any(|secret| name.ends_with(secret))
}

/// Where the value of `--password value` stands, and how long it is.
fn flag(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix("--")?;
    let name = name(rest);
    let value = rest[name.len()..].strip_prefix(' ')?;
    let len = value.find(char::is_whitespace).unwrap_or(value.len());
    (is_secret(name) && len > 0 && !value.starts_with('-')).then_some((2 + name.len() + 1, len))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Bytes of a credential of a known shape at the start of a text.
fn credential(text: &str) -> Option<usize> {
    let prefix = SECRET_PREFIXES.iter().find(|prefix| text.starts_with(**prefix))?;
    let rest = &text[prefix.len()..];
    let len = rest.len() - rest.trim_start_matches(|c| is_word(c) || "-.".contains(c)).len();
    (len >= SECRET_SHORTEST).then_some(prefix.len() + len)
}

/// Where the credential of a header stands behind its scheme, and how long it is.
fn scheme(text: &str) -> Option<(usize, usize)> {
    let is_here =
        |scheme: &&&str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let scheme = SECRET_SCHEMES.iter().find(is_here)?;
    let rest = &text[scheme.len()..];
    let quote = usize::from(rest.starts_with(['"', '\'']));
    let rest = &rest[quote..];
    let len = rest.len() - rest.trim_start_matches(|c| is_word(c) || "-._~+/=".contains(c)).len();
    (len >= SECRET_SCHEME_SHORTEST).then_some((scheme.len() + quote, len))
}

/// Where user and password of `://user:password@host` stand, and how long they are: either may be the credential.
fn user(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix("://")?;
    let host = rest.find(|c: char| c.is_whitespace() || "/\"'`<>".contains(c)).unwrap_or(rest.len());
    let (user, _) = rest[..host].rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    (!password.is_empty()).then_some((3, name.len() + 1 + password.len()))
}

/// Where the value of a secret name stands behind it, and how long it is: up to its closing quote, or to white space
/// and whatever separates one value from the next.
fn value(name: &str, rest: &str) -> Option<(usize, usize)> {
    if !is_secret(name) {
        return None;
    }
    let skip = |text: &str, signs: &[char]| text.len() - text.trim_start_matches(signs).len();
    let before = skip(rest, &['"', '\'', '\\', ' ']);
    let sign = rest[before..].strip_prefix([':', '='])?;
    let gap = before + 1 + skip(sign, &[' ', '\\']);
    let tail = &rest[gap..];
    let (open, ends): (usize, &[char]) = match tail.chars().next() {
        Some('"') => (1, &['"']),
        Some('\'') => (1, &['\'']),
        Some('`') => (1, &['`']),
        Some(quote @ '“') => (quote.len_utf8(), &['”']),
        // A header holds a scheme as well.
        _ if name.eq_ignore_ascii_case("authorization") => (0, &['\n', '\r', '"', '\'', '`']),
        _ => (0, &[' ', '\t', '\n', '\r', '"', '\'', '`', ',', ';', '&']),
    };
    let body = &tail[open..];
    // An escaped quote is part of a quoted value.
    let is_end =
        |(at, _): &(usize, &str)| open == 0 || !body[..*at].ends_with('\\') || body[..*at].ends_with("\\\\");
    let len = body.match_indices(ends).find(is_end).map_or(body.len(), |(at, _)| at);
    (len > 0).then_some((gap + open, len))
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
            ("ghp_0123456789abcdef0123456789abcdef0123!", "<secret>!"),
            ("key=AKIAIOSFODNN7EXAMPLE", "key=<secret>"),
            ("Authorization: Bearer abcdef0123456789", "Authorization: <secret>"),
            ("-H 'authorization: token abc' x", "-H 'authorization: <secret>' x"),
            ("BEARER abcdef0123456789, x", "BEARER <secret>, x"),
            ("Bearer \"abcdef0123456789\"", "Bearer \"<secret>\""),
            ("x-api-key: abc d", "x-api-key: <secret> d"),
            ("SharedAccessKey=abc;", "SharedAccessKey=<secret>;"),
            ("pwd=a passphrase: b", "pwd=<secret> passphrase: <secret>"),
            ("mysql --password hunter2 --host x", "mysql --password <secret> --host x"),
            ("\"password\": \"ab\\\"cdef\" x", "\"password\": \"<secret>\" x"),
            ("password: “correct horse” x", "password: “<secret>” x"),
            ("postgres://admin:s3cr3tpw@db/x", "postgres://<secret>@db/x"),
            ("AccountKey=Zm9vYmFy==;b", "AccountKey=<secret>;b"),
            ("PASSWORD=\"correct horse battery\" x", "PASSWORD=\"<secret>\" x"),
            ("?a=1&t=ghp_0123456789abcdef", "?a=1&t=<secret>"),
            ("https://ghp_0123456789abcdef:x@host", "https://<secret>@host"),
            ("https://ghp_0123456789abcdef@host", "https://<secret>@host"),
            ("a/ghp_0123456789abcdef", "a/<secret>"),
            ("-ghp_0123456789abcdef", "-<secret>"),
            ("DB_PASSWORD=hunter2 next", "DB_PASSWORD=<secret> next"),
            ("password=P@ssw0rd!, next", "password=<secret>, next"),
            ("password='a b' c", "password='<secret>' c"),
            ("{\"api_key\": \"a,b\", \"n\": 1}", "{\"api_key\": \"<secret>\", \"n\": 1}"),
            ("{\\\"token\\\":\\\"abc\\\"}", "{\\\"token\\\":\\\"<secret>"),
            ("--github-token: abc", "--github-token: <secret>"),
            ("password: hunter2, user: me", "password: <secret>, user: me"),
            ("token=sk-ant-api03-abcdefghijklmnop", "token=<secret>"),
            ("a -----BEGIN RSA PRIVATE KEY----- MII -----END RSA PRIVATE KEY----- b", "a <secret> b"),
            ("\\n-----BEGIN PRIVATE KEY-----\\nMII", "\\n<secret>"),
            ("n-----BEGIN PRIVATE KEY----- MII", "n<secret>"),
        ] {
            assert_eq!(mask(text), masked, "{text}");
        }
    }

    #[test]
    fn ordinary_words_stay() {
        for text in [
            "",
            "the token was renewed",
            "sk-learn",
            "a password is needed",
            "eyJ",
            "naïve = 3",
            "x==y",
            "http://host:80/a@b",
            "the bearer of news",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
