//! Model names as they appear in transcripts, reduced to the name that a price row uses. No allocation.

/// The name without provider, region, snapshot date, version tag and context suffix: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`,
/// `anthropic/claude-sonnet-4-5`, `claude-sonnet-4-5@20250929` and `claude-sonnet-4-5[1m]` are all `claude-sonnet-4-5`.
pub(super) fn bare(name: &str) -> &str {
    let name = name.strip_suffix("[1m]").or_else(|| name.strip_suffix("[1M]")).unwrap_or(name);
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split_once("anthropic.").map_or(name, |(_, rest)| rest);
    let name = without_version_tag(name);
    let name = match name.split_once('@') {
        Some((model, "latest" | "default")) => model,
        Some((model, date)) if is_date(date) => model,
        _ => name,
    };
    let name = name.strip_suffix("-latest").unwrap_or(name);
    match name.rsplit_once('-') {
        Some((model, date)) if is_date(date) => model,
        _ => name,
    }
}

/// Are two names the same but for `4.6` written as `4-6`?
pub(super) fn same(left: &str, right: &str) -> bool {
    let dash = |byte: u8| if byte == b'.' { b'-' } else { byte };
    left.len() == right.len() && left.bytes().map(dash).eq(right.bytes().map(dash))
}

/// Cuts the `-v1`, `-v1:0` of Bedrock.
fn without_version_tag(name: &str) -> &str {
    let Some((model, tag)) = name.rsplit_once("-v") else { return name };
    let (major, minor) = tag.split_once(':').unwrap_or((tag, "0"));
    if is_number(major) && is_number(minor) { model } else { name }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `20250929` and the like.
fn is_date(text: &str) -> bool {
    text.len() == 8 && text.starts_with("20") && is_number(text)
}
