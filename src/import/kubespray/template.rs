//! The part of Jinja with which Kubespray derives versions from each other. Everything else is unknown, and what depends on it is left out.

use std::{cell::Cell, collections::BTreeMap};

use crate::node::{MapEntry, Node, NodeValue};

mod expression;
mod tokens;

use expression::ExpressionParser;
use tokens::tokens;

/// The variable with the version of Kubernetes.
pub(super) const KUBERNETES: &str = "kube_version";

/// The variable with the minor version of Kubernetes. Kubespray derives it in a different way in each release, so that it is derived here.
const KUBERNETES_MINOR: &str = "kube_major_version";

/// The maximum length of a text with its variables in bytes.
const MAX_TEXT: usize = 4096;

/// The maximum number of variables and expressions inside each other.
const MAX_DEPTH: usize = 40;

/// The maximum number of variables that a text can use, also indirectly: a variable can double the number in each level.
const MAX_USES: usize = 1000;

/// The variables of a release.
pub(super) struct DefaultVariables<'n> {
    nodes: BTreeMap<&'n str, &'n Node>,
}

impl<'n> From<BTreeMap<&'n str, &'n Node>> for DefaultVariables<'n> {
    fn from(nodes: BTreeMap<&'n str, &'n Node>) -> Self {
        Self { nodes }
    }
}

impl DefaultVariables<'_> {
    /// The text of a variable with the values of those that it uses; `None` if one is unknown.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match (Evaluation { variables: self, depth: 0, uses: &Cell::new(0) }).variable(name) {
            TemplateValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A value while a template is evaluated.
#[derive(Clone, Debug)]
enum TemplateValue<'n> {
    Text(String),
    /// The keys of a map, or some of them.
    Keys(Vec<&'n str>),
    Map(&'n [MapEntry]),
    Unknown,
}

impl TemplateValue<'_> {
    fn of_condition(condition: Option<bool>) -> Self {
        condition.map_or(Self::Unknown, |is_true| Self::Text(if is_true { "True" } else { "False" }.to_owned()))
    }

    fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn is_true(&self) -> Option<bool> {
        self.text().map(|text| !["", "False", "false", "no"].contains(&text))
    }
}

/// The evaluation of a text.
#[derive(Clone, Copy)]
struct Evaluation<'a, 'n> {
    variables: &'a DefaultVariables<'n>,
    depth: usize,
    uses: &'a Cell<usize>,
}

impl<'n> Evaluation<'_, 'n> {
    fn variable(self, name: &str) -> TemplateValue<'n> {
        self.uses.set(self.uses.get() + 1);
        if self.depth > MAX_DEPTH || self.uses.get() > MAX_USES {
            return TemplateValue::Unknown;
        }
        let inner = Self { depth: self.depth + 1, ..self };
        if name == KUBERNETES_MINOR {
            let version = inner.variable(KUBERNETES);
            let minor = version.text().and_then(|version| version.rsplit_once('.'));
            return minor.map_or(TemplateValue::Unknown, |(minor, _)| TemplateValue::Text(minor.to_owned()));
        }
        self.variables.nodes.get(name).map_or(TemplateValue::Unknown, |node| inner.node(node))
    }

    fn node(self, node: &'n Node) -> TemplateValue<'n> {
        match &node.value {
            NodeValue::Scalar(scalar) => self.template(&scalar.text).map_or(TemplateValue::Unknown, TemplateValue::Text),
            NodeValue::Map(entries) => TemplateValue::Map(entries),
            NodeValue::List(_) => TemplateValue::Unknown,
        }
    }

    /// Replaces `{{ expression }}` and `{% if condition %}text{% endif %}`.
    fn template(self, text: &str) -> Option<String> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix("{{") {
                let (expression, after) = after.split_once("}}")?;
                out.push_str(self.expression(expression)?.text()?);
                rest = after;
            } else if let Some(after) = rest.strip_prefix("{%") {
                let (statement, after) = after.split_once("%}")?;
                let condition = statement.trim_matches(['-', ' ']).strip_prefix("if ")?;
                let (body, after) = after.split_once("{%")?;
                let (end, after) = after.split_once("%}")?;
                if end.trim_matches(['-', ' ']) != "endif" {
                    return None;
                }
                if self.expression(condition)?.is_true()? {
                    out.push_str(&Self { depth: self.depth + 1, ..self }.template(body)?);
                }
                rest = after;
            } else {
                let (brace, after) = rest.split_at(1);
                out.push_str(brace);
                rest = after;
            }
            if out.len() > MAX_TEXT {
                return None;
            }
        }
        out.push_str(rest);
        Some(out).filter(|out| out.len() <= MAX_TEXT)
    }

    /// The value of an expression; `None` if it has another form.
    fn expression(self, text: &str) -> Option<TemplateValue<'n>> {
        let tokens = tokens(text).filter(|_| text.len() <= MAX_TEXT)?;
        ExpressionParser::new(self, &tokens).whole()
    }
}

#[cfg(test)]
mod tests;
