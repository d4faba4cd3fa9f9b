//! A page without its words: what a build remembers of each, so that the next one need not read those that did not change.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{PageDraft, SectionHash};
use crate::markdown::{Heading, Link, ListingBlock, Prose};

/// What a text is without its words: enough for everything but to show or search it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sketch {
    title: Option<Heading>,
    headings: Vec<Heading>,
    anchors: Vec<String>,
    links: Vec<Link>,
    listings: Vec<ListingBlock>,
    hashes: Vec<SectionHash>,
}

impl Sketch {
    /// That of a page; `None` if something is wrong with its file, which each build has to say.
    #[must_use]
    pub fn of(page: &PageDraft) -> Option<Self> {
        let Prose { title, html: _, headings, anchors, links, listings, codes: _, sections: _, problems: _ } = &page.prose;
        (!page.has_findings).then(|| Self {
            title: title.clone(),
            headings: headings.clone(),
            anchors: anchors.clone(),
            links: links.clone(),
            listings: listings.clone(),
            hashes: page.hashes.clone(),
        })
    }

    /// The text again, without its words, and the hashes of its sections.
    pub(super) fn into_prose(self) -> (Prose, Vec<SectionHash>) {
        let Self { title, headings, anchors, links, listings, hashes } = self;
        (Prose { title, headings, anchors, links, listings, ..Prose::default() }, hashes)
    }
}

/// Sketches of pages that did not change, by their files, as JSON.
pub type Sketches = BTreeMap<Arc<str>, Arc<str>>;
