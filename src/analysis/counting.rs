//! Findings about counts, prices and times.

use crate::words::counted;
use std::collections::BTreeMap;

use super::counting_rules::{
    CONFLICTING_USAGE, IMPLAUSIBLE_COUNT, LOWER_BOUND_OUTPUT, MISSING_TIME, SPLIT_MISMATCH, UNPRICED_MODEL,
};
use crate::finding::{Bounded, Finding, Subject};
use crate::model::{Corpus, FileId, Location, Response};
use crate::prices::PriceTable;
use crate::prices::Pricer;
use crate::rule::Confidence;

/// Looks through all responses.
#[must_use]
pub fn findings(corpus: &Corpus, prices: &PriceTable) -> Vec<Finding> {
    let mut findings = Bounded::default();
    let pricer = Pricer::new(corpus, prices);
    let mut unpriced: BTreeMap<&str, (u64, u128)> = BTreeMap::new();
    let mut files: BTreeMap<FileId, PerFile> = BTreeMap::new();
    for response in &corpus.responses {
        single(corpus, response, &mut findings);
        if pricer.price(response).is_none() {
            let model = unpriced.entry(corpus.strings.text(response.model)).or_default();
            model.0 += 1;
            model.1 += tokens(response);
        }
        files.entry(response.owner).or_default().add(corpus, response);
    }
    for (model, (responses, tokens)) in unpriced {
        findings.add(
            UNPRICED_MODEL
                .at(None, format!("{} in no cost figure", counted(responses, "response is", "responses are")))
                .about(Subject::Model(model.to_owned()))
                .confidence(Confidence::Certain)
                .evidence("responses", responses)
                .evidence("tokens", tokens)
                .key(model)
                .fix_sentence(
                    "give its rates in a file: --prices FILE (ccaudit explain unpriced-model shows the form)",
                ),
        );
    }
    for (file, counts) in files {
        counts.report(&corpus.file(file).path, &mut findings);
    }
    findings.into_vec()
}

fn tokens(response: &Response) -> u128 {
    response.usage.prompt() + u128::from(response.usage.output)
}

/// What is reported once for each response.
fn single(corpus: &Corpus, response: &Response, findings: &mut Bounded) {
    let entry = corpus.entry(response.counted);
    let location = || {
        Location::bytes(corpus.file(response.counted.file).path.as_str(), entry.offset, u64::from(entry.len))
    };
    let id = corpus.strings.text(response.id);
    if response.flags.conflicting {
        findings.add(
            CONFLICTING_USAGE
                .at(location(), format!("its {} about the prompt", counted(response.entries, "entry disagrees", "entries disagree")))
                .about(Subject::Response(id.to_owned()))
                .confidence(Confidence::Certain)
                .key(id)
                .fix_sentence("the whole entry with the highest output counts; look at the others with the offset given"),
        );
    }
    if response.flags.implausible {
        findings.add(
            IMPLAUSIBLE_COUNT
                .at(location(), "a token count of it is no whole number from 0 up; it was read as absent")
                .about(Subject::Response(id.to_owned()))
                .confidence(Confidence::Certain)
                .key(id)
                .fix_sentence("look at the usage object at the offset given; a gateway may have written it"),
        );
    }
}

/// What is reported once for each transcript.
#[derive(Default)]
struct PerFile {
    lower_bounds: u64,
    /// Recorded output of these.
    output: u128,
    mismatches: u64,
    /// Tokens by which the two counts of these differ.
    in_doubt: u128,
    without_time: u64,
    /// Tokens of these.
    tokens: u128,
}

impl PerFile {
    fn add(&mut self, corpus: &Corpus, response: &Response) {
        if response.flags.lower_bound {
            self.lower_bounds += 1;
            self.output += u128::from(response.usage.output);
        }
        if response.flags.split_mismatch {
            self.mismatches += 1;
            let row = corpus.transcript(response.counted.file).usage(corpus.entry(response.counted));
            self.in_doubt += row.map_or(0, |row| {
                u128::from(row.flat_write).abs_diff(u128::from(row.write_5m) + u128::from(row.write_1h))
            });
        }
        if response.start.is_none() {
            self.without_time += 1;
            self.tokens += tokens(response);
        }
    }

    fn report(&self, path: &str, findings: &mut Bounded) {
        let mut add = |finding: Finding, count: u64| {
            if count > 0 {
                findings.add(finding.evidence("responses", count));
            }
        };
        let at = || Location::file(path);
        let responses = |n| counted(n, "response", "responses");
        let n = self.lower_bounds;
        add(
            LOWER_BOUND_OUTPUT
                .at(at(), format!("the output of {} is at least what is recorded", responses(n)))
                .confidence(Confidence::High)
                .evidence("output", self.output)
                .fix_sentence("nothing to do: the client never wrote the final count; newer clients do"),
            n,
        );
        let n = self.mismatches;
        add(
            SPLIT_MISMATCH
                .at(at(), format!("5m + 1h writes differ from the write count in {}", responses(n)))
                .confidence(Confidence::Certain)
                .evidence("tokens", self.in_doubt)
                .fix_sentence("tokens without a lifetime are priced at the 5m rate and shown as unsplit"),
            n,
        );
        let n = self.without_time;
        add(
            MISSING_TIME
                .at(at(), format!("{} no usable time", counted(n, "response has", "responses have")))
                .confidence(Confidence::Certain)
                .evidence("tokens", self.tokens)
                .fix_sentence(
                    "such responses count under the day `unknown` and are left out by --since and --until",
                ),
            n,
        );
    }
}
