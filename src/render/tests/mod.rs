//! One view through every renderer, numbers against hand-made values, hostile strings.

mod hostile;
mod layout;
mod numbers;

use super::{Format, TextStyle, view};
use crate::view::{Block, Cell, Column, Fact, Level, Problem, Role, Table, View};

fn render(data: &View, format: Format, style: TextStyle) -> String {
    let mut out = Vec::new();
    view(data, format, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn text(data: &View, width: usize) -> String {
    render(data, Format::Text, TextStyle { width, ..TextStyle::default() })
}

fn fact(key: &'static str, label: &str, value: Cell, remark: &str) -> Fact {
    Fact { key, label: label.into(), value, remark: remark.into() }
}

fn problem(level: Level, rule: &'static str, text: &str, command: &str) -> Problem {
    Problem { level, rule, text: text.into(), place: String::new(), command: command.into(), more: 0 }
}

/// A start screen with everything that a view can hold; its commands are made up.
fn overview() -> View {
    let share = |num, den| Cell::Share { num, den };
    View {
        blocks: vec![
            Block::Note("~/.claude   63 sessions in 9 stores · 112 agents · 184,210 entries · 1.02 GB · 2026-08-01 to \
                2026-08-27 · clients 2.1.87 to 2.1.332"
            .into()),
            Block::Facts(vec![
                fact("spent_pico_usd", "Spent (list price)", Cell::Money(1_284_100_000_000_000), ""),
                fact("prompt_share", "Prompt share from cache", share(776, 1_000), "(read-input 89.4 %)"),
                fact("responses", "Responses", Cell::Count(7_600), ""),
                fact("share_5m", "Written 5m", share(994, 1_000), ""),
                fact("sent", "Each token was sent", Cell::Times { num: 45, den: 10 }, ""),
                fact("breaks", "Cache breaks", Cell::Count(41), "$31.70 rewritten"),
                fact("ttl", "TTL of nothing", share(0, 0), ""),
            ]),
            Block::Heading("Needs a look".into()),
            Block::Problems(vec![
                problem(
                    Level::Error,
                    "orphaned-store",
                    "1 store is orphaned with 7 memories (3.1 k tokens nobody can read)",
                    "ccaudit orphans",
                ),
                problem(
                    Level::Warning,
                    "index-cut",
                    "index is cut: 4 entries after line 200 are invisible",
                    "ccaudit memory",
                ),
                problem(
                    Level::Note,
                    "",
                    "23 transcripts expire within 7 days (cleanupPeriodDays 30)",
                    "ccaudit orphans --all",
                ),
            ]),
            Block::Note(
                "by prompt-share = read / (read + written + input) · 21,397 entries folded into 7,600 responses · \
                 prices of 2026-11-01 · Europe/Berlin"
                    .into(),
            ),
        ],
    }
}

fn day(day: &str, responses: u128, tokens: [u128; 4], pico: u128) -> Vec<Cell> {
    let [written, hour, read, output] = tokens;
    vec![
        Cell::code(day),
        Cell::Count(responses),
        Cell::Tokens(written),
        Cell::Tokens(hour),
        Cell::Tokens(read),
        Cell::AtLeastTokens(output),
        Cell::Share { num: read, den: read + written + hour },
        Cell::Money(pico),
        Cell::Spark(vec![pico]),
    ]
}

/// The table of `cache --by day`.
fn days() -> View {
    let table = Table {
        key: "days",
        columns: vec![
            Column::left("day", "day", 0),
            Column::right("responses", "responses", 3),
            Column::right("written_5m", "written 5m", 2),
            Column::right("written_1h", "1h", 4),
            Column::right("read", "read", 1),
            Column::right("output", "output", 5),
            Column::right("share", "share", 0),
            Column::right("cost_pico_usd", "cost", 0),
            Column::left("trend_pico_usd", "", 6).role(Role::Chart),
        ],
        rows: vec![
            day("2026-08-21", 412, [2_900_000, 0, 88_100_000, 612_000], 41_200_000_000_000),
            day("2026-08-22", 1_080, [7_700_000, 210_000, 231_400_000, 1_900_000], 118_750_000_000_000),
            day("2026-08-23", 0, [0, 0, 0, 0], 0),
            day("2026-08-24", 3, [9_999, 0, 12, 1], 12_600_000_000),
        ],
        total: Some({
            let mut row =
                day("total", 1_495, [10_609_999, 210_000, 319_500_012, 2_512_001], 159_962_600_000_000);
            row[8] = Cell::Empty;
            row
        }),
        hidden_rows: 21,
        ..Table::default()
    };
    let note = "cost: read 62 % · written 5m 29 % · output 8 % · input 1 % · without caching it would be $2,410 (3.0x)";
    View { blocks: vec![Block::Table(table), Block::Note(note.into())] }
}

/// The table of `orphans`: several columns of long names.
fn stores() -> View {
    let row = |store: &str, verdict: &str, path: &str, bytes, evidence: &str| {
        vec![
            Cell::code(store),
            Cell::text(verdict),
            Cell::code(path),
            Cell::Bytes(bytes),
            Cell::text(evidence),
        ]
    };
    let table = Table {
        key: "stores",
        columns: vec![
            Column::left("store", "store", 0),
            Column::left("verdict", "verdict", 0),
            Column::left("path", "path", 2),
            Column::right("bytes", "size", 1),
            Column::left("evidence", "evidence", 3),
        ],
        rows: vec![
            row(
                "-Users-dev-projects-shop",
                "moved",
                "/Users/dev/projects/shop",
                41_000_000,
                "-> /Users/dev/projects/shop-web (0.92: 34 of 36 files, same branch)",
            ),
            row("-Users-dev-old-api", "deleted", "/Users/dev/old-api", 120, "parent exists, no successor"),
            row("-Volumes-T7-film", "unreachable", "/Volumes/T7/film", 9_990_000, "mount point absent"),
        ],
        ..Table::default()
    };
    View { blocks: vec![Block::Table(table), Block::Note("next: ccaudit plan orphans -o plan.json".into())] }
}
