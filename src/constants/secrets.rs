//! What credentials look like.

/// How credentials of well-known issuers begin: Anthropic and OpenAI, Stripe, GitHub, GitLab, Slack, AWS, Google, npm, PyPI,
/// Hugging Face, and JSON web tokens. From the issuers' own documentation of their formats, 2026-11-30.
pub const SECRET_PREFIXES: [&str; 25] = [
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
    "xoxe",
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
/// Characters behind such a beginning from which on a word is taken for a credential. Choice of this tool: the shortest,
/// AWS access keys, have 16.
pub const SECRET_SHORTEST: usize = 16;
/// Names whose value is taken for a secret, where `=` or `:` stands between them; longer names may end in them. Choice of
/// this tool.
pub const SECRET_NAMES: [&str; 13] = [
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "accountkey",
    "accesskey",
    "pwd",
    "passphrase",
    "authorization",
];
/// Words before a credential in a header, with the space between them.
pub const SECRET_SCHEMES: [&str; 2] = ["bearer ", "basic "];
/// Characters from which on a word behind one of them is taken for a credential. Choice of this tool.
pub const SECRET_SCHEME_SHORTEST: usize = 8;
