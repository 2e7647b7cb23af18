//! A record's tape → rows: the one place that knows the field names of every client version.
//!
//! Where a key repeats the last one counts, as in JavaScript; so each object is first looked through for
//! where its known keys last stand, and only then read.

use std::borrow::Cow;

use super::content::Content;
use super::part::{Part, row};
use super::tape::{Count, Text, Value};
use super::{text, time};
use crate::model::{
    Advisor, Answer, Boundary, CostState, Entry, Envelope, Flags, Kind, Message, NO_ROW, NodeId, Preserved,
    Segment, Side, Sym, Time, Usage, UsageRow,
};

/// Declares a struct that holds where each known key of an object last stands.
macro_rules! keys {
    ($name:ident { $($field:ident $key:literal),* $(,)? }) => {
        struct $name<'t, 'i> { $($field: Option<Value<'t, 'i>>),* }

        impl<'t, 'i> $name<'t, 'i> {
            fn of(object: Value<'t, 'i>) -> Self {
                let mut found = Self { $($field: None),* };
                for (key, value) in object.pairs() {
                    match key { $($key => found.$field = Some(value),)* _ => {} }
                }
                found
            }
        }
    };
}

pub(super) use keys;

keys!(Top {
    kind "type", subtype "subtype", uuid "uuid", parent "parentUuid", logical_parent "logicalParentUuid",
    session "sessionId", time "timestamp", version "version", cwd "cwd", branch "gitBranch", agent "agentId",
    user_type "userType", entrypoint "entrypoint", slug "slug", session_kind "sessionKind",
    sidechain "isSidechain", meta "isMeta", compact_summary "isCompactSummary", api_error "isApiErrorMessage",
    forked_from "forkedFrom", request "requestId", message "message", cost "costUSD", origin "origin",
    source "sourceToolAssistantUUID", prompt "promptId", result "toolUseResult", leaf "leafUuid",
    attachment "attachment", rendered "rendered", compact "compactMetadata", custom_title "customTitle",
    agent_name "agentName", total_cost "totalCostUSD", explicit "explicit", rendered_role "renderedRole",
});

keys!(Body { id "id", model "model", stop_reason "stop_reason", usage "usage", content "content" });

keys!(UsageKeys {
    input "input_tokens", output "output_tokens", write "cache_creation_input_tokens",
    read "cache_read_input_tokens", split "cache_creation", tools "server_tool_use", speed "speed",
    geo "inference_geo", tier "service_tier", iterations "iterations",
});

/// What became of a JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Entry,
    NoRecord,
}

/// Adds the record at the root of a tape to `part`.
pub(super) fn record(root: Value<'_, '_>, offset: u64, len: u32, repaired: bool, part: &mut Part) -> Outcome {
    let top = Top::of(root);
    let Some(name) = string(top.kind) else { return Outcome::NoRecord };
    let kind = Kind::from_name(&name);
    let mut flags = top.flags(kind);
    if repaired {
        flags.set(Flags::REPAIRED);
    }
    let time = match top.time {
        Some(value) if !value.is_null() => {
            value.str().and_then(|text| time::parse(&text)).unwrap_or_else(|| {
                flags.set(Flags::BAD_TIME);
                Time::NONE
            })
        }
        _ => Time::NONE,
    };
    part.rows.envelope_bytes += top.envelope_bytes();
    let body = top.message.map(Body::of);
    let mut content = Content::new();
    if let Some(value) = body.as_ref().and_then(|body| body.content) {
        content.read(value, part);
    }
    let detail = match kind {
        Kind::Assistant => {
            let characters = u32::try_from(content.answer_characters).unwrap_or(u32::MAX);
            answer(&top, body.as_ref(), characters, &mut flags, part)
        }
        Kind::User => {
            if top.is_human(flags, &content) {
                flags.set(Flags::HUMAN);
            }
            message(&top, part)
        }
        _ => side(&top, kind, &name, &mut content, part),
    };
    flags.0 |= content.flags.0;
    let node = part.node(string(top.uuid).as_deref());
    let parent = part.node(string(top.parent).as_deref());
    let envelope = top.envelope(part);
    let estimate = u32::try_from(content.tokens()).unwrap_or(u32::MAX);
    part.push(Entry { offset, time, len, node, parent, envelope, detail, estimate, kind, flags });
    Outcome::Entry
}

pub(super) fn string<'i>(value: Option<Value<'_, 'i>>) -> Option<Cow<'i, str>> {
    value.and_then(Value::str)
}

/// The string of a value, empty where it is none.
pub(super) fn text<'i>(value: Option<Value<'_, 'i>>) -> Text<'i> {
    value.and_then(Value::text).unwrap_or(Text::EMPTY)
}

pub(super) fn is_true(value: Option<Value<'_, '_>>) -> bool {
    value.is_some_and(Value::is_true)
}

impl<'i> Top<'_, 'i> {
    fn flags(&self, kind: Kind) -> Flags {
        let mut flags = Flags::default();
        let facts = [
            (is_true(self.sidechain), Flags::SIDECHAIN),
            (is_true(self.meta), Flags::META),
            (is_true(self.compact_summary), Flags::SUMMARY),
            (is_true(self.api_error) && kind == Kind::Assistant, Flags::API_ERROR),
            (self.forked_from.is_some_and(Value::is_object), Flags::FORKED),
            (is_true(self.explicit) && kind == Kind::LastPrompt, Flags::EXPLICIT),
            (self.is_rendered() && kind == Kind::Attachment, Flags::RENDERED),
            (self.is_rendered_as_system() && kind == Kind::Attachment, Flags::AS_SYSTEM),
        ];
        for (holds, flag) in facts {
            if holds {
                flags.set(flag);
            }
        }
        flags
    }

    /// The client recorded the text that it sent for an attachment.
    fn is_rendered(&self) -> bool {
        self.rendered.is_some_and(|rendered| rendered.items().next().is_some())
    }

    fn is_rendered_as_system(&self) -> bool {
        string(self.rendered_role).is_some_and(|role| role == "system")
    }

    fn envelope(&self, part: &mut Part) -> u32 {
        let envelope = Envelope {
            session: part.sym(string(self.session).as_deref()),
            version: part.sym(string(self.version).as_deref()),
            cwd: part.sym(string(self.cwd).as_deref()),
            branch: part.sym(string(self.branch).as_deref()),
            agent: part.sym(string(self.agent).as_deref()),
        };
        if envelope == Envelope::NONE { NO_ROW } else { part.envelope(envelope) }
    }

    /// Bytes of `"key":"value",` of the fields that hardly ever change inside a session.
    fn envelope_bytes(&self) -> u64 {
        let fields: [(&str, Option<Value<'_, 'i>>); 8] = [
            ("sessionId", self.session),
            ("version", self.version),
            ("cwd", self.cwd),
            ("gitBranch", self.branch),
            ("userType", self.user_type),
            ("entrypoint", self.entrypoint),
            ("slug", self.slug),
            ("sessionKind", self.session_kind),
        ];
        fields.iter().filter_map(|(key, value)| Some(key.len() + string(*value)?.len() + 6)).sum::<usize>()
            as u64
    }

    /// A prompt that a person gave: not a sidechain, not put in by the client, not a summary, no tool result,
    /// of human or unstated origin, and not one of the texts that the client writes in the user's name.
    fn is_human(&self, flags: Flags, content: &Content<'_>) -> bool {
        let machine = [Flags::SIDECHAIN, Flags::META, Flags::SUMMARY].iter().any(|&flag| flags.has(flag));
        let origin = self.origin.and_then(|origin| string(origin.get("kind")));
        !machine
            && !content.flags.has(Flags::RESULT)
            && origin.is_none_or(|kind| kind == "human")
            && self.message.is_some_and(|message| !message.is_null())
            && !text::is_written_by_client(&content.first_text.value())
    }
}

fn answer(
    top: &Top<'_, '_>,
    body: Option<&Body<'_, '_>>,
    characters: u32,
    flags: &mut Flags,
    part: &mut Part,
) -> u32 {
    let usage = body
        .and_then(|body| body.usage)
        .filter(|usage| usage.is_object())
        .map_or(NO_ROW, |value| usage(value, flags, part));
    let answer = Answer {
        message: part.sym(body.and_then(|body| string(body.id)).as_deref()),
        request: part.sym(string(top.request).as_deref()),
        model: part.sym(body.and_then(|body| string(body.model)).as_deref()),
        stop_reason: part.sym(body.and_then(|body| string(body.stop_reason)).as_deref()),
        usage,
        response: NO_ROW,
        characters,
        recorded_cost: top.cost.and_then(Value::number).map_or(u64::MAX, pico_dollars),
    };
    part.rows.answers.push(answer);
    row(part.rows.answers.len() - 1)
}

fn usage(value: Value<'_, '_>, flags: &mut Flags, part: &mut Part) -> u32 {
    let keys = UsageKeys::of(value);
    let counts = Counts::of(&keys, flags);
    let usage = UsageRow {
        input: counts.input,
        output: counts.output,
        flat_write: counts.flat_write.unwrap_or(0),
        write_5m: counts.write_5m,
        write_1h: counts.write_1h,
        read: counts.read,
        searches: counts.searches,
        speed: part.sym(string(keys.speed).as_deref()),
        geo: part.sym(string(keys.geo).as_deref()),
        tier: part.sym(string(keys.tier).as_deref()),
        advisors: advisors(keys.iterations, flags, part),
        has_flat: counts.flat_write.is_some(),
        has_split: counts.has_split,
    };
    part.usage(usage)
}

/// The token counts of a usage object; absent ones are 0.
struct Counts {
    input: u64,
    output: u64,
    flat_write: Option<u64>,
    write_5m: u64,
    write_1h: u64,
    read: u64,
    searches: u64,
    has_split: bool,
}

impl Counts {
    fn of(keys: &UsageKeys<'_, '_>, flags: &mut Flags) -> Self {
        let mut count = |value: Option<Value<'_, '_>>| match value.map_or(Count::Absent, Value::count) {
            Count::Absent => None,
            Count::Of(n) => Some(n),
            Count::Implausible => {
                flags.set(Flags::IMPLAUSIBLE);
                None
            }
        };
        let split = keys.split.filter(|split| split.is_object());
        Self {
            input: count(keys.input).unwrap_or(0),
            output: count(keys.output).unwrap_or(0),
            flat_write: count(keys.write),
            write_5m: count(split.and_then(|split| split.get("ephemeral_5m_input_tokens"))).unwrap_or(0),
            write_1h: count(split.and_then(|split| split.get("ephemeral_1h_input_tokens"))).unwrap_or(0),
            read: count(keys.read).unwrap_or(0),
            searches: count(keys.tools.and_then(|tools| tools.get("web_search_requests"))).unwrap_or(0),
            has_split: split.is_some(),
        }
    }
}

/// Advisor calls are billed beside the outer usage; iterations of any other kind mirror it and add nothing.
fn advisors(iterations: Option<Value<'_, '_>>, flags: &mut Flags, part: &mut Part) -> (u32, u32) {
    let start = row(part.rows.advisors.len());
    for item in iterations.into_iter().flat_map(Value::items) {
        if !string(item.get("type")).is_some_and(|kind| kind.starts_with("advisor")) {
            continue;
        }
        let counts = Counts::of(&UsageKeys::of(item), flags);
        let usage = Usage {
            input: counts.input,
            output: counts.output,
            read: counts.read,
            searches: counts.searches,
            ..Usage::with_writes(counts.flat_write.unwrap_or(0), counts.write_5m, counts.write_1h)
        };
        let model = part.sym(string(item.get("model")).as_deref());
        part.rows.advisors.push(Advisor { model, usage });
    }
    (start, row(part.rows.advisors.len()) - start)
}

fn message(top: &Top<'_, '_>, part: &mut Part) -> u32 {
    let agent = top.result.and_then(|result| string(result.get("agentId")));
    let message = Message {
        source: part.node(string(top.source).as_deref()),
        prompt: part.sym(string(top.prompt).as_deref()),
        agent: part.sym(agent.as_deref()),
    };
    part.rows.messages.push(message);
    row(part.rows.messages.len() - 1)
}

fn side<'i>(top: &Top<'_, 'i>, kind: Kind, name: &str, content: &mut Content<'i>, part: &mut Part) -> u32 {
    let mut side = Side {
        name: Sym::NONE,
        target: NodeId::NONE,
        title: Sym::NONE,
        row: NO_ROW,
        is_cost: kind == Kind::CostState,
    };
    match kind {
        Kind::Other => side.name = part.sym(Some(name)),
        Kind::System => {
            side.name = part.sym(string(top.subtype).as_deref());
            side.target = part.node(string(top.logical_parent).as_deref());
            if string(top.subtype).is_some_and(|subtype| subtype == "compact_boundary") {
                let boundary = top.compact.map(|meta| boundary(meta, part)).unwrap_or_default();
                part.rows.boundaries.push(boundary);
                side.row = row(part.rows.boundaries.len() - 1);
            }
        }
        Kind::Attachment => {
            side.name =
                part.sym(top.attachment.and_then(|attachment| string(attachment.get("type"))).as_deref());
            content.read_attachment(top.rendered, top.attachment);
        }
        Kind::CustomTitle => side.title = part.sym(string(top.custom_title).as_deref()),
        Kind::AgentName => side.title = part.sym(string(top.agent_name).as_deref()),
        Kind::LastPrompt | Kind::Summary => side.target = part.node(string(top.leaf).as_deref()),
        Kind::CostState => {
            let total = top.total_cost.and_then(Value::number).map_or(u64::MAX, pico_dollars);
            part.rows.costs.push(CostState { total });
            side.row = row(part.rows.costs.len() - 1);
        }
        _ => {}
    }
    part.rows.sides.push(side);
    row(part.rows.sides.len() - 1)
}

fn boundary(meta: Value<'_, '_>, part: &mut Part) -> Boundary {
    let tokens = |key| match meta.get(key).map_or(Count::Absent, Value::count) {
        Count::Of(n) => Some(n),
        _ => None,
    };
    Boundary {
        manual: string(meta.get("trigger")).map(|trigger| trigger == "manual"),
        pre_tokens: tokens("preTokens"),
        post_tokens: tokens("postTokens"),
        dropped_tokens: tokens("cumulativeDroppedTokens"),
        segment: meta.get("preservedSegment").filter(|value| value.is_object()).map(|value| Segment {
            head: part.node(string(value.get("headUuid")).as_deref()),
            anchor: part.node(string(value.get("anchorUuid")).as_deref()),
            tail: part.node(string(value.get("tailUuid")).as_deref()),
        }),
        preserved: meta.get("preservedMessages").filter(|value| value.is_object()).map(|value| Preserved {
            anchor: part.node(string(value.get("anchorUuid")).as_deref()),
            entries: nodes(value.get("uuids"), part),
            all: nodes(value.get("allUuids"), part),
        }),
    }
}

/// The ids of a list; items that are no strings are left out.
fn nodes(list: Option<Value<'_, '_>>, part: &mut Part) -> Box<[NodeId]> {
    let items = list.into_iter().flat_map(Value::items);
    items.filter_map(|item| item.str().map(|id| part.node(Some(&id)))).collect()
}

/// Dollars in pico-dollars; [`u64::MAX`] where that is no amount of money.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range by the test before")]
fn pico_dollars(dollars: f64) -> u64 {
    let pico = (dollars * 1e12).round();
    if (0.0..1e19).contains(&pico) { pico as u64 } else { u64::MAX }
}
