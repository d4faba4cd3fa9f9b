//! What a rule means, for the terminal. The text is that of the rule's page in the knowledge base.

use crate::diagnostic::Rule;

/// The page of a rule, without front matter.
#[must_use]
pub fn explain(rule: Rule) -> String {
    format!("{} ({})\n\n{}\n", rule.name(), rule.severity().name(), rule.summary())
}
