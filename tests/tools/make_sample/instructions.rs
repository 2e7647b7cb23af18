//! The two instruction files: the user's short one and the project's long one.

/// `~/.claude/CLAUDE.md`.
pub(crate) const USER: &str = "# Working style\n\n- Answer in English, short, the result first.\n- Ask before adding a dependency or a new top-level folder.\n- Run the tests of the folder you changed before you say that it is done.\n- Never push and never rewrite published history.\n- Prefer a small change that is finished to a large one that is begun.\n- When two ways are equal, take the one that is easier to take back.\n";

struct Part {
    folder: &'static str,
    what: &'static str,
    owns: [&'static str; 3],
    never: &'static str,
}

const PARTS: [Part; 12] = [
    Part {
        folder: "src/cart",
        what: "the basket, its lines and its totals",
        owns: ["line amounts", "discount order", "the rounding step"],
        never: "keep a total in component state",
    },
    Part {
        folder: "src/checkout",
        what: "the way from the basket to a paid order",
        owns: ["the current step", "address data", "the chosen payment method"],
        never: "move to another step from inside a form",
    },
    Part {
        folder: "src/orders",
        what: "orders after payment: history, refunds, invoices",
        owns: ["refund limits", "the page size of the history", "invoice numbers"],
        never: "change an order that is already invoiced",
    },
    Part {
        folder: "src/catalog",
        what: "product pages, lists and search",
        owns: ["price labels", "accent folding", "the sort order of lists"],
        never: "call the search service from a component",
    },
    Part {
        folder: "src/account",
        what: "sign-in state, profile and saved addresses",
        owns: ["the session timer", "saved addresses", "consent flags"],
        never: "log anything that a person typed",
    },
    Part {
        folder: "src/shared",
        what: "helpers that every other folder may use",
        owns: ["money", "dates", "feature flags"],
        never: "import from a feature folder",
    },
    Part {
        folder: "src/api",
        what: "the typed client of the gateway",
        owns: ["retry rules", "error shapes", "request ids"],
        never: "return a raw response to a caller",
    },
    Part {
        folder: "src/layout",
        what: "header, footer, navigation and page frames",
        owns: ["focus order", "breakpoints", "the skip link"],
        never: "fetch data",
    },
    Part {
        folder: "src/content",
        what: "static pages and the help centre",
        owns: ["page slugs", "the table of contents", "quoted messages"],
        never: "inline a price or a date",
    },
    Part {
        folder: "tests",
        what: "unit and page tests, next to the structure of src",
        owns: ["fixtures", "the fake clock", "the fake gateway"],
        never: "wait for a fixed time",
    },
    Part {
        folder: "scripts",
        what: "build steps and small maintenance commands",
        owns: ["the asset manifest", "the flag report", "the bundle budget"],
        never: "need a network connection",
    },
    Part {
        folder: "fixtures",
        what: "data for tests and local runs",
        owns: ["the catalogue export", "sample orders", "sample people"],
        never: "hold data of a real person",
    },
];

const RULES: [&str; 14] = [
    "Everything about WHAT is decided in FOLDER; other folders ask it through the functions that its index file exports, and add one there when something is missing.",
    "FOLDER alone changes FIRST. A second writer has cost us two evenings of searching, so a pull request that adds one is sent back even if it works.",
    "Code in FOLDER must never NEVER. If that seems necessary, the boundary is in the wrong place; say so in the pull request instead of working around it.",
    "Tests for FOLDER cover the empty case, one ordinary case and the largest case we have seen in production, in that order, and name the rule they protect.",
    "When SECOND changes, update the table in docs for FOLDER in the same commit. The table is what support reads while they talk to a customer.",
    "Errors that leave FOLDER are values with a kind and a message for people. Throwing is for programming mistakes, and those are not caught on the way.",
    "THIRD has one reader and one writer in FOLDER, both named after it. A third function that touches it is a sign that the first two do too little.",
    "Names in FOLDER say the unit: cents, minutes, pixels. A plain number in a signature is a review comment, also when the type would allow it.",
    "Do not mock modules inside FOLDER. Use the fakes from the test folder; they fail loudly when the real interface has moved on.",
    "A change in FOLDER that is visible to customers needs an entry in the change log, one sentence, written for somebody who has never seen the code.",
    "The index file of FOLDER is its public face: at most twelve exports, sorted by name, each with one line that says when to use it and when not to.",
    "Before you rename something in FOLDER, search the message files and the help centre for the old name; people quote it more often than the code does.",
    "If FIRST and THIRD seem to disagree, believe the first one, write a failing test and ask. Do not repair the second one quietly.",
    "Performance budget for FOLDER: no render above eight milliseconds on the reference laptop and no new dependency above ten kilobytes compressed.",
];

const COMMON: [(&str, &str); 16] = [
    (
        "Amounts",
        "Amounts are whole cents in a branded number type. They become text in exactly one function, at the moment they are shown, with the locale of the page and not of the browser.",
    ),
    (
        "Dates",
        "Dates travel as ISO strings with a zone and are compared as numbers. The shop's day ends at midnight in the warehouse's zone, which is a setting and not a constant.",
    ),
    (
        "Flags",
        "A feature flag has an owner and an end date in the flag file. The flag report fails the build one week after the end date, and extending it needs a reason in the commit.",
    ),
    (
        "Reviews",
        "One reviewer for a change inside a folder, two for a change across a boundary. Reviews look at names and tests first, style is left to the formatter.",
    ),
    (
        "Commits",
        "One idea per commit, a subject of at most sixty characters, a body when the reason is not obvious. A commit that only moves code says so and changes nothing else.",
    ),
    (
        "Accessibility",
        "Every control can be reached and named by keyboard and screen reader. Colour is never the only carrier of a meaning, and motion stops when the system asks for it.",
    ),
    (
        "Logging",
        "Logs carry a request id, a kind and numbers. They never carry what a person typed, not even shortened, and not at debug level either.",
    ),
    (
        "Releases",
        "Releases leave on Tuesday and Thursday before noon. A release that needs a data change is announced one day before and can be rolled back without undoing the data.",
    ),
    (
        "Local setup",
        "The dev server starts with npm run dev and needs the fake gateway only. Two servers on one machine share the port file, so stop the first before you start the second.",
    ),
    (
        "Dependencies",
        "A new dependency needs a note with its size, its licence and what we would write ourselves instead. Small helpers are copied with their tests rather than added.",
    ),
    (
        "Errors",
        "An error page tells what happened, what was not lost and what to do next. The request id is shown in small print and can be copied with one click.",
    ),
    (
        "Images",
        "Images have a width and a height in markup, are served in two sizes and are described by what they show. Decorative ones have an empty description.",
    ),
    (
        "Text",
        "Texts for customers live in the message files and are written as whole sentences. Never build a sentence from parts, three of our languages order them differently.",
    ),
    (
        "Names",
        "A name says what a thing is for and not how it is built. Short names are for short scopes, and an abbreviation must be in the glossary.",
    ),
    (
        "Old browsers",
        "We support the last two years of each large browser. A polyfill is loaded only where it is needed and is removed in January.",
    ),
    (
        "Security",
        "Input is checked at the border and trusted inside. Tokens stay in cookies that scripts cannot read, and nothing that identifies a person goes into a URL.",
    ),
];

/// The project's `CLAUDE.md`, about 31 KB.
pub(crate) fn project() -> String {
    let mut out = String::from(
        "# shop-web\n\nThe web shop: TypeScript, one page application, talks to the gateway only. This file is read at the start of every session; keep it true. What belongs to one folder stands in the section of that folder.\n\n## Commands\n\n- `npm run dev` starts the shop with the fake gateway on port 5173.\n- `npm test -- FOLDER` runs the tests of one folder, `npm test` all of them (about ninety seconds).\n- `npm run typecheck`, `npm run lint` and `npm run build` must be clean before a pull request.\n- `npm run flags` prints the flag report, `npm run budget` the bundle sizes.\n\n## Rules for everything\n\n",
    );
    for (name, text) in COMMON {
        out.push_str(&format!("- **{name}.** {text}\n"));
    }
    for part in &PARTS {
        out.push_str(&format!(
            "\n## {}\n\nHolds {}. It owns {}, {} and {}.\n\n",
            part.folder, part.what, part.owns[0], part.owns[1], part.owns[2]
        ));
        for rule in RULES {
            let line = rule
                .replace("FOLDER", part.folder)
                .replace("WHAT", part.what)
                .replace("FIRST", part.owns[0])
                .replace("SECOND", part.owns[1])
                .replace("THIRD", &capital(part.owns[2]))
                .replace("NEVER", part.never);
            out.push_str(&format!("- {line}\n"));
        }
    }
    out.push_str("\n## When something is unclear\n\nAsk in the pull request, not in the code. A question that comes up twice gets a line in this file.\n");
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
