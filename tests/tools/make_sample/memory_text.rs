//! What the sample's memories say.

/// One topic: `name | type | month-day | title | hook | description`, then the fact, the why, the how, and the places
/// where it was seen.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    /// Month, day and hour it was written.
    pub(crate) when: (i64, i64, i64),
    pub(crate) title: &'static str,
    pub(crate) hook: &'static str,
    pub(crate) about: &'static str,
    pub(crate) fact: &'static str,
    pub(crate) why: &'static str,
    pub(crate) how: &'static str,
    pub(crate) seen: [&'static str; 3],
}

macro_rules! topic {
    ($name:literal, $kind:literal, $when:expr, $title:literal, $hook:literal, $about:literal, $fact:literal, $why:literal, $how:literal, $seen:expr) => {
        Topic {
            name: $name,
            kind: $kind,
            when: $when,
            title: $title,
            hook: $hook,
            about: $about,
            fact: $fact,
            why: $why,
            how: $how,
            seen: $seen,
        }
    };
}

/// The 19 memories of `shop-web`.
pub(crate) const SHOP_WEB: [Topic; 19] = [
    topic!(
        "answers-result-first",
        "feedback",
        (6, 20, 9),
        "Result first",
        "start an answer with the outcome in one sentence and put the way there below it; no recap at the end of the answer",
        "Answers start with the outcome and end without a recap",
        "The person wants the outcome in the first sentence and reads the rest only when it surprises. A closing summary is skipped anyway.",
        "Long introductions hid a failing test twice, and the failure was found only after the release.",
        "First sentence: what is true now. Then what was changed. No closing paragraph that repeats it.",
        ["a review of the basket", "a report on slow tests", "a question about flags"]
    ),
    topic!(
        "asks-before-dependencies",
        "feedback",
        (6, 24, 14),
        "Dependencies",
        "propose a new package with its size, its licence and what we would write instead, then wait for a yes before it is installed",
        "A new package is proposed with its cost before it is installed",
        "A package must be proposed with its size, its licence and the code we would write instead, and installed only after a yes.",
        "An added date package doubled the bundle in spring and took a week to remove.",
        "Offer the small copied helper first. If a package is still better, say by how much.",
        ["the date picker", "the chart on the account page", "a parser for address lines"]
    ),
    topic!(
        "warehouse-day-ends-late",
        "project",
        (7, 3, 10),
        "Warehouse day",
        "the shop's day ends at 02:00 in the warehouse's zone since July 2026, reports by day follow it, invoices keep the calendar day",
        "The business day ends at 02:00 warehouse time since July 2026",
        "Since 2026-07-01 the business day ends at 02:00 in the warehouse's zone. Invoices still use the calendar day.",
        "The night shift finishes orders after midnight, and split days made the morning report useless.",
        "Group by the business day in reports and by the calendar day on documents. Name the zone in both.",
        ["the daily order report", "the delivery estimate", "the refund deadline"]
    ),
    topic!(
        "refund-limits",
        "project",
        (7, 9, 11),
        "Refund limits",
        "support may refund up to 150.00 without a second person, above that two names are needed and both stay in the order log for the audit",
        "Refunds above 150.00 need two people, both named in the log",
        "Support refunds up to 150.00 alone. Above that a second person confirms, and both names stay in the order's log.",
        "The finance team audits this every quarter and reads only the log, not the tickets.",
        "Keep both names when the flow changes. A refund without them counts as a finding in the audit.",
        ["the refund form", "the export for finance", "the order page of support"]
    ),
    topic!(
        "two-coupons-one-cent",
        "project",
        (7, 14, 9),
        "Two coupons",
        "baskets with two percentage coupons were one cent too high until each line was rounded only once, after both discounts had been taken",
        "Two percentage coupons must be applied before the one rounding step",
        "Two percentage coupons on one line are applied to the exact value, then rounded once. Rounding in between gave one cent too much.",
        "Customers compare the total with their own calculation and write to support about a single cent.",
        "When the discount order is touched, compare the last hundred real baskets with the new totals before release.",
        ["a basket with 17 lines", "a gift order", "the sale in the second week of July 2026"]
    ),
    topic!(
        "support-table-wording",
        "reference",
        (7, 16, 15),
        "Support wording",
        "the help centre quotes four checkout messages word for word, ask the support lead before one of these four texts is changed, even by a single comma",
        "Four checkout messages are quoted in the help centre, word for word",
        "The help centre quotes four checkout messages exactly. The list lives in the support handbook under the heading Quoted messages.",
        "A changed word makes the search in the help centre miss the article.",
        "Look the message up in the handbook first; change both on the same day or neither.",
        ["the payment error", "the address check", "the coupon refusal"]
    ),
    topic!(
        "staging-data-reset",
        "project",
        (7, 21, 8),
        "Staging reset",
        "staging data is reset every Monday at 05:00 UTC, so test accounts, coupons and orders that were made by hand during a week do not survive it",
        "Staging loses all test accounts and coupons every Monday at 05:00 UTC",
        "Staging is reset every Monday at 05:00 UTC. Accounts, coupons and orders made by hand are gone afterwards.",
        "Old test data had made two load tests look better than production.",
        "Create what a test needs inside the test. Do not note staging ids anywhere.",
        ["a broken link in a ticket", "a coupon that was not found", "an account without orders"]
    ),
    topic!(
        "prefers-small-commits",
        "user",
        (6, 18, 9),
        "Small commits",
        "reads changes commit by commit on the train, so each one must stand alone and moves are kept strictly apart from edits",
        "Reads changes commit by commit and wants moves kept apart from edits",
        "The person reads changes commit by commit, often on a phone. Each commit must make sense alone, and moved code is never edited in the same commit.",
        "A mixed commit cannot be read on a small screen and is approved unread.",
        "Split before offering the change. Say in the subject when a commit only moves code.",
        ["the form split", "the date helper", "the refund change"]
    ),
    topic!(
        "knows-sql-new-to-react",
        "user",
        (6, 18, 10),
        "Background",
        "ten years of SQL and reports, new to React: explain components by the data they show and skip the database basics",
        "Long experience with SQL and reporting, new to React components",
        "The person has worked on reports and databases for ten years and began with React in spring 2026.",
        "Explanations of joins waste time, explanations of rendering do not.",
        "Explain components by which data they show and when they show it again. Use a table where one fits.",
        ["a talk about state", "a slow list", "the first hook"]
    ),
    topic!(
        "gateway-error-shapes",
        "reference",
        (7, 28, 13),
        "Gateway errors",
        "the gateway team keeps the list of error kinds in its own handbook, our table only mirrors it and is sometimes a week behind",
        "The binding list of gateway error kinds is in the gateway handbook",
        "The binding list of error kinds is kept by the gateway team in its handbook, chapter Errors. Our table is a copy.",
        "Twice a kind was added there and shown here as unknown for a week.",
        "When an unknown kind turns up, look in the handbook before adding a branch.",
        ["a retry that never ended", "an unknown kind in the log", "the timeout page"]
    ),
    topic!(
        "no-mocks-in-page-tests",
        "feedback",
        (7, 30, 16),
        "Fakes, not mocks",
        "page tests run against the fake gateway; mocked modules once passed for two weeks while the real page was broken",
        "Page tests use the fake gateway, mocked modules are not wanted",
        "Page tests run against the fake gateway and never mock a module.",
        "In May 2026 a mocked client stayed green for two weeks while the page failed for every customer with a saved address.",
        "If the fake lacks a route, add the route to the fake. Do not mock around it.",
        ["the address form test", "the history test", "the search test"]
    ),
    topic!(
        "tax-rate-gaps",
        "project",
        (8, 3, 9),
        "Missing tax rates",
        "three countries have no rate for digital goods until the tax office answers; the shop refuses such orders there with a clear message",
        "Three countries have no tax rate for digital goods, a message is shown",
        "Three countries have no rate for digital goods yet. The shop refuses the order with a message instead of assuming zero.",
        "An assumed zero was corrected by hand for eleven orders in June 2026.",
        "Keep the refusal until the rate is confirmed in writing. The list of countries is in the settings.",
        ["a gift card order", "a test with a foreign address", "a question from finance"]
    ),
    topic!(
        "slow-suite-is-fixtures",
        "project",
        (8, 5, 12),
        "Slow suite",
        "two thirds of the time of the test suite go into building the catalogue fixture, sharing it between files was agreed in August 2026 and is half done",
        "Most of the time of the test suite is spent on the catalogue fixture",
        "Two thirds of the suite's time are spent on building the catalogue fixture. Sharing it between files was agreed on 2026-08-04.",
        "The suite takes ninety seconds, and people stop running it.",
        "Use the shared fixture in every file that is touched for another reason. Do not start a big change for it.",
        ["the cart folder", "the search folder", "a cold run on the build machine"]
    ),
    topic!(
        "release-days",
        "project",
        (8, 6, 9),
        "Release days",
        "releases leave on Tuesday and Thursday before noon, but in the sale weeks of November 2026 only on Tuesday, see the plan of the warehouse",
        "Releases leave on Tuesday and Thursday, in November 2026 on Tuesday only",
        "Releases leave on Tuesday and Thursday before noon. From 2026-11-09 to 2026-11-30 only Tuesday is a release day.",
        "The warehouse plans extra people around these days.",
        "Plan a change that needs two steps so that both fit before November, or wait for December.",
        ["the address change", "the new confirmation page", "the refund flow"]
    ),
    topic!(
        "search-accents",
        "project",
        (8, 11, 10),
        "Accents in search",
        "queries and index fold accents the same way since August 2026, brand names are the one exception and stay exactly as written",
        "Search folds accents on both sides, brand names are the exception",
        "Since 2026-08-10 accents are folded in the query and in the index. Brand names are kept as written in both.",
        "Customers type without accents on phones, but brand owners insist on the exact spelling.",
        "New fields are folded unless they hold a brand. The index must be rebuilt after a change, about twenty minutes.",
        ["a search for a tea", "a brand page", "the suggestions box"]
    ),
    topic!(
        "money-is-cents",
        "feedback",
        (8, 13, 14),
        "Cents",
        "amounts in examples and tests are whole cents too, in comments as well, even where a decimal would be shorter to read in the code",
        "Amounts are written as whole cents in examples and tests too",
        "Amounts are whole cents everywhere, also in examples, tests and comments.",
        "A decimal in a comment was copied into code and reached production as a price of 12 cents.",
        "Write 1250 and name the unit. Show a decimal only in texts for customers.",
        ["a comment in the totals", "a fixture for the sale", "an example in the release note"]
    ),
    topic!(
        "order-history-page-size",
        "project",
        (8, 21, 10),
        "History page size",
        "twenty orders per page was measured, not guessed: larger pages made old phones stutter and smaller ones doubled the requests",
        "The order history loads twenty orders per page, chosen by measurement",
        "The order history loads twenty orders at a time. Ten, twenty and fifty were measured on 2026-08-20 with three phones.",
        "Fifty made older phones stutter, ten doubled the number of requests for the usual visit.",
        "Measure again before changing the number. The three phones are in the drawer of the test desk.",
        ["an old phone", "the account page", "a customer with 900 orders"]
    ),
    topic!(
        "staging-basket-resets",
        "project",
        (8, 12, 15),
        "Staging baskets",
        "baskets on staging are emptied each night",
        "Baskets on staging are emptied each night at 03:00 UTC",
        "Baskets on staging are emptied each night at 03:00 UTC, apart from the Monday reset of everything else.",
        "Stale baskets with old prices had caused false reports about totals.",
        "A report about a wrong total on staging needs the time of the basket. Ignore baskets older than a night.",
        ["a wrong total in a ticket", "a basket with an old price", "a demo for the sales team"]
    ),
    topic!(
        "label-printer-offline",
        "reference",
        (6, 26, 11),
        "Label printer",
        "who to call when the warehouse printer is silent",
        "The warehouse desk answers for the label printer, extension in the handbook",
        "The label printer is run by the warehouse desk. The extension is in the warehouse handbook on the first page.",
        "The shop shows the order as sent when the label is printed, so a silent printer looks like our fault.",
        "Ask the desk first when orders stop changing to sent. Look at the shop only when the printer works.",
        ["a Friday afternoon", "a power cut", "a change of the paper roll"]
    ),
];

/// The 7 memories left in the store of `shop`, the name of the project before it was renamed.
pub(crate) const SHOP: [Topic; 7] = [
    topic!(
        "invoice-numbers-have-gaps",
        "project",
        (6, 5, 10),
        "Invoice gaps",
        "gaps in invoice numbers are allowed, doubles are not",
        "Gaps in invoice numbers are allowed, double numbers are not",
        "Invoice numbers may have gaps but must never be given twice. The tax adviser confirmed it on 2026-05-28.",
        "An attempt to close the gaps had blocked the checkout for an hour.",
        "Take the next number early and let it lapse when the order fails.",
        ["a cancelled order", "the export", "a retry"]
    ),
    topic!(
        "payment-provider-hours",
        "reference",
        (6, 8, 9),
        "Payment provider",
        "second level support answers from 07:00 to 19:00 UTC",
        "The payment provider's second level answers from 07:00 to 19:00 UTC",
        "The provider's second level support answers from 07:00 to 19:00 UTC. The contact form is in the finance handbook.",
        "First level cannot see declined payments and only passes tickets on.",
        "Write the payment reference into the first line, without it the ticket waits a day.",
        ["a declined card", "a late refund", "a double payment"]
    ),
    topic!(
        "prefers-tables",
        "user",
        (6, 4, 11),
        "Tables",
        "compare things in a table with at most four columns",
        "Prefers comparisons as a table with at most four columns",
        "The person prefers a comparison as a table with at most four columns over a list of points.",
        "Four columns fit on the phone that the answers are often read on.",
        "Offer a table as soon as two things are compared by two properties.",
        ["a choice of helpers", "a list of flags", "test times"]
    ),
    topic!(
        "gift-orders-hide-prices",
        "project",
        (6, 12, 14),
        "Gift orders",
        "the paper in a gift parcel carries no prices",
        "The delivery note of a gift order never shows prices",
        "A gift order's delivery note carries no prices, not even shipping. The invoice goes to the buyer only.",
        "A customer complained in public about a price inside a birthday parcel.",
        "Check both documents when the templates change.",
        ["the delivery note", "the mail to the buyer", "the return form"]
    ),
    topic!(
        "quiet-hours-for-mails",
        "feedback",
        (6, 17, 15),
        "Quiet hours",
        "no customer mail between 21:00 and 07:00 local time",
        "Customer mails are held between 21:00 and 07:00 local time",
        "Mails to customers are held between 21:00 and 07:00 in the customer's zone, except for password links.",
        "A reminder at night led to forty cancelled accounts in one week of April 2026.",
        "New mails go through the holding queue. An exception needs a yes from the shop lead.",
        ["the basket reminder", "the review request", "the delivery notice"]
    ),
    topic!(
        "old-api-ends-in-october",
        "project",
        (6, 25, 10),
        "Old API",
        "the first version of the catalogue API is switched off on 2026-10-01",
        "The first catalogue API is switched off on 2026-10-01",
        "The first version of the catalogue API is switched off on 2026-10-01. The price labels still use it in one place.",
        "The gateway team drops the servers that day and will not extend it.",
        "Move the price labels before 2026-09-15 so that one release is left for surprises.",
        ["the price label", "the sitemap job", "a partner feed"]
    ),
    topic!(
        "accessibility-review-partner",
        "reference",
        (7, 2, 13),
        "Accessibility review",
        "an outside partner reviews each new page type before release",
        "An outside partner reviews each new page type for accessibility",
        "Each new page type is reviewed by the outside partner before release. Booking takes about eight working days.",
        "The public contract names the review, and a page without it must be taken down.",
        "Book the review when the design is agreed, not when the code is done.",
        ["the confirmation page", "the gift page", "the new history"]
    ),
];

/// Sentences that fill a memory with what was seen where.
pub(crate) const SIGHTINGS: [&str; 12] = [
    "came up again with PLACE and was decided the same way.",
    "with PLACE somebody new to the team had not known it, which is why it is written down here.",
    "checked against PLACE; still true, nothing had to be changed.",
    "PLACE was the first case; the person confirmed the rule and asked to keep to it.",
    "a suggestion for PLACE ignored this and was turned down, with the reason above.",
    "with PLACE the exception was discussed and refused, because the reason still holds.",
    "the numbers for PLACE agreed with this within the usual spread.",
    "asked again because of PLACE, and the answer was the same as before.",
    "PLACE took half an hour longer than planned because this was looked up too late.",
    "confirmed for PLACE by the person who decides about it.",
    "PLACE would have been simpler without this, and it was kept on purpose.",
    "PLACE showed that the short version of this rule is easy to misread; the wording above is the exact one.",
];
