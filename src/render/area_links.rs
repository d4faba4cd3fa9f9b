//! Links to the components of an area.

use super::{
    reader::Reader,
    routes::{area_path, has_area_pages},
};
use crate::{id::Id, layout::COMPONENTS};

/// A link to the components of an area: its page, or its section in the list of all components.
pub(super) fn area_href(reader: &Reader<'_>, id: &Id) -> String {
    if has_area_pages(reader.kb()) { reader.href(&area_path(id)) } else { reader.href_section(COMPONENTS, &area_anchor(id)) }
}

/// The anchor of an area in the list of all components.
pub(super) fn area_anchor(id: &Id) -> String {
    format!("area-{id}")
}
