//! The interface of a page: the part that other pages can depend on. An edit that leaves it unchanged affects only the page itself.

use super::draft::{Extent, PageDraft};
use crate::{
    facts::FrontMatter,
    id::Lang,
    markdown::{Heading, Prose},
};

/// The parts of a page's text that other pages can depend on. Every field of the text is either part of it or named in [`Self::of`] as private to the page, so
/// that a new field does not compile until that is decided.
///
/// Targets of links are not part of it: the links of an edited page are always resolved again, which also updates the lists of pages that mention others.
#[derive(Debug, PartialEq, Eq)]
pub struct PageInterface<'a> {
    /// Decides whether the page exists, in which languages, and under which addresses.
    pub identity: PageIdentity<'a>,
    /// Decides the position of the page among its neighbors, and its name in menus.
    pub rank: PageRank<'a>,
    /// The fragments that links can refer to, and whether the author chose them.
    pub anchors: Vec<(&'a str, bool)>,
    /// The keys of the evidence that the text cites: evidence that is never cited is reported at the facts.
    pub citations: Vec<&'a str>,
}

/// See [`PageInterface::identity`].
#[derive(Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is compared on its own")]
pub struct PageIdentity<'a> {
    path: &'a str,
    lang: &'a Lang,
    extent: Extent,
    has_title: bool,
    has_summary: bool,
    is_draft: bool,
    is_hidden: bool,
    tags: Vec<&'a str>,
    aliases: Vec<&'a str>,
}

/// See [`PageInterface::rank`].
#[derive(Debug, PartialEq, Eq)]
pub struct PageRank<'a> {
    title: Option<&'a str>,
    first_heading: Option<&'a str>,
    order: Option<i64>,
}

impl<'a> PageInterface<'a> {
    /// The interface of a text. Cost: proportional to its headings and links.
    #[must_use]
    pub fn of(text: &'a PageDraft) -> Self {
        // There is no `..` in these patterns, so that each new field requires a decision.
        let PageDraft {
            path,
            lang,
            file: _,
            extent,
            front,
            source: _,
            body_at: _,
            prose,
            body: _,
            hashes: _,
            origins: _,
            included: _,
            is_preprocessed: _,
        } = text;
        let FrontMatter { title, summary, aka: _, keywords: _, tags, order, draft, hidden, aliases, translates: _ } = front;
        let Prose {
            title: first_heading,
            html: _,
            headings,
            anchors,
            links: _,
            listings: _,
            facts: _,
            codes: _,
            sections: _,
            problems: _,
            symptoms: _,
        } = prose;
        let is_filled = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let of_headings = first_heading
            .iter()
            .chain(headings)
            .map(|Heading { id, explicit, level: _, html: _, text: _, span: _ }| (id.as_str(), *explicit));
        Self {
            identity: PageIdentity {
                path,
                lang,
                extent: *extent,
                has_title: is_filled(title) || prose.first_heading().is_some(),
                has_summary: is_filled(summary),
                is_draft: *draft,
                is_hidden: *hidden,
                tags: tags.iter().map(|tag| tag.value.0.as_str()).collect(),
                aliases: aliases.iter().map(|alias| alias.as_str()).collect(),
            },
            rank: PageRank {
                title: title.as_deref(),
                first_heading: prose.first_heading().map(|heading| heading.text.as_str()),
                order: *order,
            },
            anchors: of_headings.chain(anchors.iter().map(|anchor| (anchor.as_str(), false))).collect(),
            citations: prose.citations().collect(),
        }
    }

    /// Whether everything of the page could be read. Otherwise, findings of other pages may be suppressed because of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.identity.extent == Extent::Whole
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{diagnostic::Diagnostics, load::load, read::Sources};

    #[test]
    fn an_edit_changes_the_part_that_others_depend_on() {
        const PAGE: &str = "---\nsummary: About it.\norder: 1\n---\n# It\n\nText. [[^key]]\n\n## One {#one}\n";
        let draft = |page: &str| {
            let book = "[book]\ntitle = \"T\"\n";
            let draft = load(&Sources::from_texts([("book.toml", book), ("content/guide.md", page)]), &mut Diagnostics::new());
            draft.pages[0].clone()
        };
        let before = draft(PAGE);
        let before = PageInterface::of(&before);
        for (from, to, expected) in [
            ("Text.", "Other text, [[etcd]].", ""),
            ("About it.", "About something else.", ""),
            ("summary: About it.\n", "", "identity"),
            ("order: 1", "order: 1\naliases: [/old/]", "identity"),
            ("order: 1", "order: 2", "rank"),
            ("# It", "# That", "rank anchors"),
            ("{#one}", "{#two}", "anchors"),
            ("## One {#one}", "## Two {#one}", ""),
            ("[[^key]]", "[[^other]]", "citations"),
        ] {
            let after = draft(&PAGE.replacen(from, to, 1));
            let after = PageInterface::of(&after);
            let parts = [
                ("identity", before.identity != after.identity),
                ("rank", before.rank != after.rank),
                ("anchors", before.anchors != after.anchors),
                ("citations", before.citations != after.citations),
            ];
            let changed: Vec<&str> = parts.into_iter().filter(|(_, changed)| *changed).map(|(part, _)| part).collect();
            assert_eq!(changed.join(" "), expected, "{from} -> {to}");
        }
    }
}
