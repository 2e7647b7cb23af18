//! The source files on the sample's disk; tools that read them in a transcript show the same text.

use super::gen_ids::Rng;

pub(crate) const SHOP: [&str; 17] = [
    "src/cart/totals.ts",
    "src/cart/rounding.ts",
    "src/cart/discounts.ts",
    "src/checkout/steps.ts",
    "src/checkout/address-form.tsx",
    "src/checkout/payment-panel.tsx",
    "src/orders/history.ts",
    "src/orders/refunds.ts",
    "src/catalog/search.ts",
    "src/catalog/price-label.tsx",
    "src/shared/money.ts",
    "src/shared/dates.ts",
    "src/shared/feature-flags.ts",
    "tests/cart/totals.test.ts",
    "tests/checkout/steps.test.ts",
    "tests/orders/refunds.test.ts",
    "fixtures/catalog-dump.json",
];

pub(crate) const GATEWAY: [&str; 7] = [
    "cmd/gateway/main.go",
    "internal/route/table.go",
    "internal/route/match.go",
    "internal/limit/bucket.go",
    "internal/limit/window.go",
    "internal/health/probe.go",
    "loadtest/scenario.yaml",
];

const VERBS: [&str; 8] = ["collect", "normalise", "merge", "format", "resolve", "validate", "split", "apply"];
const NOUNS: [&str; 8] = ["Lines", "Amounts", "Coupons", "Steps", "Entries", "Labels", "Windows", "Rates"];

/// The text of one file, the same for the same name.
pub(crate) fn body(name: &str) -> String {
    let mut rng = Rng::named(name);
    let stem = name.rsplit('/').next().unwrap_or(name);
    let (verb, noun) = (*rng.pick(&VERBS), *rng.pick(&NOUNS));
    match stem.rsplit('.').next() {
        Some("go") => format!(
            "package {}\n\n// {verb}{noun} keeps the order in which the entries came in.\nfunc {verb}{noun}(in []Entry) []Entry {{\n\tout := make([]Entry, 0, len(in))\n\tfor _, e := range in {{\n\t\tif e.Active {{\n\t\t\tout = append(out, e)\n\t\t}}\n\t}}\n\treturn out\n}}\n",
            name.rsplit('/').nth(1).unwrap_or("main")
        ),
        Some("yaml") => "name: steady-ramp\nstages:\n  - users: 20\n    minutes: 5\n  - users: 80\n    minutes: 10\ntargets:\n  - /v1/catalog\n  - /v1/cart\n".to_owned(),
        Some("json") => "{\n  \"note\": \"shortened export of the catalogue\",\n  \"items\": [\n    { \"sku\": \"TEA-0017\", \"price\": 1250 },\n    { \"sku\": \"MUG-0204\", \"price\": 890 }\n  ]\n}\n".to_owned(),
        _ if stem.contains(".test.") => format!(
            "import {{ {verb}{noun} }} from '../../src/{}';\n\ndescribe('{verb}{noun}', () => {{\n  it('keeps an empty list empty', () => {{\n    expect({verb}{noun}([])).toEqual([]);\n  }});\n\n  it('adds line amounts in cents', () => {{\n    expect({verb}{noun}([1999, 501])).toEqual([1999, 501]);\n  }});\n}});\n",
            name.trim_start_matches("tests/").replace(".test.ts", "")
        ),
        _ => format!(
            "import {{ Cents }} from '../shared/money';\n\n/** Amounts are whole cents; nothing in this file rounds. */\nexport function {verb}{noun}(input: Cents[]): Cents[] {{\n  if (input.length === 0) {{\n    return [];\n  }}\n  const kept = input.filter((value) => value >= 0);\n  return kept.map((value) => Math.trunc(value));\n}}\n\nexport const {}Limit = {};\n",
            stem.split(['.', '-']).next().unwrap_or("file"),
            rng.range(10, 400)
        ),
    }
}

/// The text as the Read tool shows it.
pub(crate) fn numbered(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').enumerate().map(|(i, l)| format!("{}\t{l}", i + 1)).collect();
    lines.join("\n")
}
