//! The site's own fields: further facts that its vocabulary declares.

use super::Text;
use crate::{facts::Day, id::Id, layout::EntityKind};

/// A further fact about entities: its name, and where it is used.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate setting")]
pub struct Field {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
    /// The type of its values.
    pub kind: FieldKind,
    /// The kinds of entities that can have it.
    pub of: Vec<EntityKind>,
    /// Whether the fact box of pages shows it.
    pub on_page: bool,
    /// Whether lists show it.
    pub in_list: bool,
    /// Whether lists can be filtered by it.
    pub filters: bool,
    /// Whether each entity has to state it.
    pub required: bool,
}

/// The type of the values of a field.
#[derive(Clone, Debug)]
pub enum FieldKind {
    /// One text.
    Text,
    /// An address.
    Url,
    /// Several texts.
    List,
    /// One of these values.
    Enum(Vec<FieldTerm>),
    /// A person or a team.
    Person,
    /// A day.
    Date,
}

/// A value of an enumeration.
#[derive(Clone, Debug)]
pub struct FieldTerm {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
}

impl FieldKind {
    /// The name of a value of an enumeration; `None` if there is no such value.
    #[must_use]
    pub fn label_of(&self, id: &Id) -> Option<&Text> {
        let Self::Enum(terms) = self else { return None };
        terms.iter().find(|term| term.id == *id).map(|term| &term.label)
    }

    /// The value as in `vocabulary.yaml`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Url => "url",
            Self::List => "list",
            Self::Enum(_) => "enum",
            Self::Person => "person",
            Self::Date => "date",
        }
    }
}

/// What an entity states for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldEntry {
    /// The id of the field.
    pub field: Id,
    /// Its values; at least one.
    pub values: Vec<FieldValue>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A text by language.
    Local(Text),
    /// A text that is the same in every language.
    Plain(String),
    /// A link. The label of an address is the address.
    Link {
        /// The shown text.
        label: String,
        /// The address.
        url: String,
    },
    /// A value of an enumeration.
    Term(Id),
    /// A day.
    Day(Day),
}
