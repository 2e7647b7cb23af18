//! What each printed ratio means. The arithmetic is done by the analyses; the words are here.

/// A ratio or amount that reports print under its id.
#[derive(Debug)]
pub struct Formula {
    /// Stable name, in kebab-case.
    pub id: &'static str,
    /// Title in sentence case.
    pub name: &'static str,
    /// In the vocabulary of the reports: input, written, read and output are tokens; prompt = input + written + read.
    pub expression: &'static str,
    /// What a reader may conclude.
    pub meaning: &'static str,
    pub source: &'static str,
    /// What a reader may not conclude.
    pub note: &'static str,
}

/// All formulas, the default ratio first.
pub static FORMULAS: &[&Formula] = &[
    &PROMPT_SHARE,
    &READ_INPUT,
    &REQUEST_SHARE,
    &EXPECTED_READ,
    &EXACT_LAW_RATE,
    &TTL_5M_SHARE,
    &NEW_TEXT_SHARE,
    &WRITE_AMPLIFICATION,
    &TIMES_SENT,
    &SAVINGS,
    &INPUT_OUTPUT,
    &COST,
    &TOKEN_ESTIMATE,
];

/// The formula of an id.
#[must_use]
pub fn find_formula(id: &str) -> Option<&'static Formula> {
    FORMULAS.iter().copied().find(|formula| formula.id == id)
}

// Sources that several formulas share.
const OWN: &str = "definition of this tool";

static PROMPT_SHARE: Formula = Formula {
    id: "prompt-share",
    name: "Prompt share from cache",
    expression: "read / (read + written + input)",
    meaning: "the part of all prompt tokens that came from the cache",
    source: OWN,
    note: "the default; a cold start lowers it although nothing was lost, see expected-read",
};

static READ_INPUT: Formula = Formula {
    id: "read-input",
    name: "Read against input",
    expression: "read / (read + input)",
    meaning: "the ratio that most articles call the hit rate",
    source: "widespread in articles and tools",
    note: "leaves out cache writes, so it can show 100 % while every prompt is written anew",
};

static REQUEST_SHARE: Formula = Formula {
    id: "request-share",
    name: "Responses that hit",
    expression: "responses with read >= 0.9 x prompt / responses",
    meaning: "how often a request found its prompt in the cache, whatever its size",
    source: OWN,
    note: "the limit is the constant request-hit-share",
};

static EXPECTED_READ: Formula = Formula {
    id: "expected-read",
    name: "Read against expected read",
    expression: "min(read, expected) / expected, over all pairs",
    meaning: "how much of what could be read was read, expected being read + written of the response before in the lane; 1 means that no cache was lost",
    source: "prefix law: 865 of 879 pairs in public transcripts of 2.1.38 and 2.1.39 are exact",
    note: "first responses of a lane have nothing to expect and do not count",
};

static EXACT_LAW_RATE: Formula = Formula {
    id: "exact-law-rate",
    name: "Pairs that follow the prefix law",
    expression: "pairs with read = expected / pairs",
    meaning: "how far the prefix law describes these transcripts: a response reads what the one before it in the lane read and wrote",
    source: "prefix law: 865 of 879 pairs in public transcripts of 2.1.38 and 2.1.39 are exact",
    note: "a low rate says that the other cache figures rest on thin ice, or that lanes were mixed",
};

static TTL_5M_SHARE: Formula = Formula {
    id: "ttl-5m-share",
    name: "Written for 5 minutes",
    expression: "written 5m / written",
    meaning: "the part of the cache writes that expires after 5 minutes of silence",
    source: OWN,
    note: "writes without a recorded time to live are in the denominator only",
};

static NEW_TEXT_SHARE: Formula = Formula {
    id: "new-text-share",
    name: "Prompt outside the cache",
    expression: "input / prompt",
    meaning: "the part of the prompts that was neither read from the cache nor written to it",
    source: "widespread in articles, as the share of new text",
    note: "not the share of new text: what is new is mostly written to the cache and counts there",
};

static WRITE_AMPLIFICATION: Formula = Formula {
    id: "write-amplification",
    name: "Write amplification",
    expression: "written / new tokens",
    meaning: "how often a new token was written to the cache, new being what a prompt has beyond read + written of the response before in the lane; 1 is ideal, from 2 on prefixes are written again",
    source: OWN,
    note: "the first response of a lane counts with its whole prompt less what it read",
};

static TIMES_SENT: Formula = Formula {
    id: "times-sent",
    name: "Times each token was sent",
    expression: "prompt / (written + input)",
    meaning: "how often a token stood in a prompt on average, counting each write as a new token",
    source: OWN,
    note: "the same as 1 / (1 - prompt-share); no activity outside the cache gives n/a",
};

static SAVINGS: Formula = Formula {
    id: "savings",
    name: "Saved by the cache",
    expression: "prompts at the input price / prompts as priced",
    meaning: "how many times dearer the same prompts would be without a cache",
    source: "list prices of the API",
    note: "output is left out of both; the tenfold of a cached token is the ceiling for a prompt that is all read, at a read rate of 0.1",
};

static INPUT_OUTPUT: Formula = Formula {
    id: "input-output",
    name: "Prompt tokens per output token",
    expression: "prompt / output",
    meaning: "how many tokens were read to write one",
    source: OWN,
    note: "too high where outputs are lower bounds",
};

static COST: Formula = Formula {
    id: "cost",
    name: "List-price equivalent",
    expression: "input x pi + written 5m x p5 + written 1h x p1 + unsplit x p5 + read x pr + output x po + searches x ps",
    meaning: "what the counted responses cost at the list prices of their day, band and multipliers included",
    source: "price table named beside the number",
    note: "not a bill: subscriptions, discounts and reseller prices are not in it; unknown models are listed as unpriced",
};

static TOKEN_ESTIMATE: Formula = Formula {
    id: "token-estimate",
    name: "Estimated tokens of a text",
    expression: "3/8 x ASCII characters + other characters + 2,000 x images, rounded up",
    meaning: "about how many tokens a text has that no usage figure covers",
    source: "constants estimate-ascii, estimate-wide and estimate-image",
    note: "never added to a measured count; a single text may be a third lower or a sixth higher, and more in some languages",
};
