//! Blocks `facts`: a part of the facts inside a text, such as the components of one area. What they show is known when the page is assembled.

use std::{ops::Range, sync::Arc};

use serde::Deserialize;

use super::{
    facts_query::{FactsBlock, FactsFilter, FactsQuery, FilterKey, ListedKind},
    output::PageOutput,
    parsed::{LocatedEvent, parsed_range},
};
use crate::{
    decode::{Ordered, Spanned, decode},
    diagnostic::{Diagnostics, Rule},
    text::Span,
    yaml,
};

/// A block as written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WrittenBlock {
    comparison: Option<Spanned<String>>,
    relations: Option<Spanned<String>>,
    list: Option<Spanned<ListedKind>>,
    #[serde(default)]
    providers: Vec<Spanned<String>>,
    area: Option<Spanned<String>>,
    role: Option<Spanned<String>>,
    provider: Option<Spanned<String>>,
    state: Option<Spanned<String>>,
    verdict: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    #[serde(default)]
    fields: Ordered<Spanned<String>, Spanned<String>>,
}

/// Reads the block whose text is in `content`; reports mistakes. `block` is its range, `opening` the opening line of its fence.
pub(super) fn read(
    text: &str,
    content: &[LocatedEvent<'_>],
    block: &Range<usize>,
    opening: &Range<usize>,
    out: &mut PageOutput<'_>,
) -> Option<FactsBlock> {
    let file: Arc<str> = "".into();
    let mut found = Diagnostics::new();
    let node = yaml::parse(&file, text, 0, &mut found);
    let written: Option<WrittenBlock> = node.and_then(|node| decode(&file, &node, &mut found));
    let place = |span: Span| parsed_range(content, &span.range()).unwrap_or_else(|| opening.clone());
    for diagnostic in found.all_sorted() {
        let range = diagnostic.place.as_ref().map_or_else(|| opening.clone(), |found| place(found.span));
        out.report(diagnostic.rule, range, diagnostic.message, diagnostic.help.unwrap_or_default());
    }
    let WrittenBlock { comparison, relations, list, providers, area, role, provider, state, verdict, kind, fields } = written?;
    let spanned = |value: Spanned<String>| Spanned::new(value.value, out.page.source.span(place(value.span)));
    let conditions = [
        (FilterKey::Area, area),
        (FilterKey::Role, role),
        (FilterKey::Provider, provider),
        (FilterKey::State, state),
        (FilterKey::Verdict, verdict),
        (FilterKey::Kind, kind),
    ];
    let conditions = conditions.into_iter().filter_map(|(key, value)| Some(FactsFilter { key, value: spanned(value?) }));
    let own = fields.0.into_iter().map(|(key, value)| FactsFilter { key: FilterKey::Field(spanned(key)), value: spanned(value) });
    let filters: Vec<FactsFilter> = conditions.chain(own).collect();
    let providers: Vec<Spanned<String>> = providers.into_iter().map(spanned).collect();
    let query = match (comparison, relations, list) {
        (Some(role), None, None) if filters.is_empty() => FactsQuery::Comparison { role: spanned(role), providers },
        (None, Some(of), None) if filters.is_empty() && providers.is_empty() => FactsQuery::Relations(spanned(of)),
        (None, None, Some(kind)) if providers.is_empty() => FactsQuery::List { kind: kind.value, filters },
        _ => {
            let help = "write one of `comparison: ROLE` with `providers: […]`, `relations: ID`, and `list: components` with conditions such as `area: …`";
            out.report(Rule::InvalidValue, opening.clone(), "this block doesn't state one thing to show", help);
            return None;
        }
    };
    Some(FactsBlock { query, span: out.page.source.span(block.clone()) })
}
