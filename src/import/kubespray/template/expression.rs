//! Expressions of Jinja: conditions, filters, and items of maps.

use super::{super::super::release::numbers, Evaluation, MAX_DEPTH, TemplateValue, tokens::ExpressionToken};

/// Evaluates an expression while it is parsed. All methods return `None` if it has another form.
pub(super) struct ExpressionParser<'a, 'n, 't> {
    evaluation: Evaluation<'a, 'n>,
    /// The tokens that are not parsed yet.
    tokens: &'t [ExpressionToken<'t>],
}

impl<'a, 'n, 't> ExpressionParser<'a, 'n, 't> {
    pub(super) const fn new(evaluation: Evaluation<'a, 'n>, tokens: &'t [ExpressionToken<'t>]) -> Self {
        Self { evaluation, tokens }
    }

    /// The value of all tokens.
    pub(super) fn whole(mut self) -> Option<TemplateValue<'n>> {
        let value = self.expression()?;
        self.tokens.is_empty().then_some(value)
    }

    /// `value if condition else value`
    fn expression(&mut self) -> Option<TemplateValue<'n>> {
        self.evaluation.depth += 1;
        if self.evaluation.depth > MAX_DEPTH {
            return None;
        }
        let mut value = self.alternatives()?;
        if self.take(ExpressionToken::Name("if")) {
            let condition = self.alternatives()?;
            let other = if self.take(ExpressionToken::Name("else")) { self.expression()? } else { TemplateValue::Text(String::new()) };
            value = match condition.is_true() {
                Some(true) => value,
                Some(false) => other,
                None => TemplateValue::Unknown,
            };
        }
        self.evaluation.depth -= 1;
        Some(value)
    }

    /// `condition or condition`
    fn alternatives(&mut self) -> Option<TemplateValue<'n>> {
        let mut value = self.comparison()?;
        while self.take(ExpressionToken::Name("or")) {
            let other = self.comparison()?;
            let either = match (value.is_true(), other.is_true()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            value = TemplateValue::of_condition(either);
        }
        Some(value)
    }

    /// `value is version('1.7', '>=')`, `value == value`
    fn comparison(&mut self) -> Option<TemplateValue<'n>> {
        let left = self.filtered()?;
        if self.take(ExpressionToken::Name("is")) {
            let is_version = self.take(ExpressionToken::Name("version"));
            let arguments = self.arguments().filter(|_| is_version)?;
            let [version, operator] = arguments.as_slice() else { return None };
            return Some(TemplateValue::of_condition(left.text().and_then(|left| compare(left, operator.text()?, version.text()?))));
        }
        for (operator, is_expected) in [("==", true), ("!=", false)] {
            if self.take(ExpressionToken::Symbol(operator)) {
                let right = self.filtered()?;
                let is_equal = left.text().zip(right.text()).map(|(left, right)| left == right);
                return Some(TemplateValue::of_condition(is_equal.map(|is_equal| is_equal == is_expected)));
            }
        }
        Some(left)
    }

    /// `value | filter('argument')`
    fn filtered(&mut self) -> Option<TemplateValue<'n>> {
        let mut value = self.member()?;
        while self.take(ExpressionToken::Symbol("|")) {
            let Some((ExpressionToken::Name(name), rest)) = self.tokens.split_first() else { return None };
            self.tokens = rest;
            let arguments = if self.tokens.first() == Some(&ExpressionToken::Symbol("(")) { self.arguments()? } else { Vec::new() };
            value = filter(value, name, &arguments);
        }
        Some(value)
    }

    /// `value[key]`, `value.key`
    fn member(&mut self) -> Option<TemplateValue<'n>> {
        let mut value = self.primary()?;
        loop {
            if self.take(ExpressionToken::Symbol("[")) {
                let key = self.expression()?;
                value = self.at(&value, key.text().unwrap_or_default());
                self.require("]")?;
            } else if self.take(ExpressionToken::Symbol(".")) {
                let Some((ExpressionToken::Name(name), rest)) = self.tokens.split_first() else { return None };
                self.tokens = rest;
                value = match (*name, value) {
                    ("keys", value) => {
                        self.arguments()?;
                        filter(value, "dict2items", &[])
                    }
                    // An item of `dict2items` is its key here.
                    ("key", value @ TemplateValue::Text(_)) => value,
                    _ => TemplateValue::Unknown,
                };
            } else {
                return Some(value);
            }
        }
    }

    fn primary(&mut self) -> Option<TemplateValue<'n>> {
        let (token, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        match token {
            ExpressionToken::Text(text) => Some(TemplateValue::Text((*text).to_owned())),
            // A function, such as `lookup`.
            ExpressionToken::Name(_) if self.tokens.first() == Some(&ExpressionToken::Symbol("(")) => None,
            ExpressionToken::Name(name) => Some(self.evaluation.variable(name)),
            ExpressionToken::Symbol("(") => {
                let value = self.expression()?;
                self.require(")")?;
                Some(value)
            }
            ExpressionToken::Symbol(_) => None,
        }
    }

    fn at(&self, value: &TemplateValue<'n>, key: &str) -> TemplateValue<'n> {
        let inner = Evaluation { depth: self.evaluation.depth + 1, ..self.evaluation };
        match value {
            TemplateValue::Map(entries) => {
                let entry = entries.iter().find(|entry| entry.key == key).filter(|_| inner.depth <= MAX_DEPTH);
                entry.map_or(TemplateValue::Unknown, |entry| inner.node(&entry.node))
            }
            TemplateValue::Keys(keys) => {
                let key = key.parse::<usize>().ok().and_then(|index| keys.get(index));
                key.map_or(TemplateValue::Unknown, |key| TemplateValue::Text((*key).to_owned()))
            }
            TemplateValue::Text(_) | TemplateValue::Unknown => TemplateValue::Unknown,
        }
    }

    fn arguments(&mut self) -> Option<Vec<TemplateValue<'n>>> {
        self.require("(")?;
        let mut arguments = Vec::new();
        while !self.take(ExpressionToken::Symbol(")")) {
            arguments.push(self.expression()?);
            if !self.take(ExpressionToken::Symbol(",")) {
                self.require(")")?;
                break;
            }
        }
        Some(arguments)
    }

    fn take(&mut self, token: ExpressionToken<'_>) -> bool {
        match self.tokens.split_first() {
            Some((first, rest)) if *first == token => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn require(&mut self, symbol: &str) -> Option<()> {
        self.take(ExpressionToken::Symbol(symbol)).then_some(())
    }
}

fn filter<'n>(value: TemplateValue<'n>, name: &str, arguments: &[TemplateValue<'n>]) -> TemplateValue<'n> {
    let argument = |index: usize| arguments.get(index).and_then(TemplateValue::text);
    match (name, value) {
        ("default", TemplateValue::Unknown) => arguments.first().cloned().unwrap_or(TemplateValue::Unknown),
        ("default", value) => value,
        ("bool", value) => TemplateValue::of_condition(value.is_true()),
        ("dict2items", TemplateValue::Map(entries)) => TemplateValue::Keys(entries.iter().map(|entry| entry.key.as_str()).collect()),
        ("select", TemplateValue::Keys(keys)) if argument(0) == Some("version") => {
            let (Some(version), Some(operator)) = (argument(1), argument(2)) else { return TemplateValue::Unknown };
            TemplateValue::Keys(keys.into_iter().filter(|key| compare(key, operator, version) == Some(true)).collect())
        }
        ("regex_replace", TemplateValue::Text(text)) if argument(0) == Some("^v") && argument(1) == Some("") => {
            TemplateValue::Text(text.strip_prefix('v').map_or(text.clone(), str::to_owned))
        }
        _ => TemplateValue::Unknown,
    }
}

/// Compares two versions by their numbers; `None` for an unknown operator.
fn compare(left: &str, operator: &str, right: &str) -> Option<bool> {
    let order = numbers(left).cmp(&numbers(right));
    match operator {
        "<" | "lt" => Some(order.is_lt()),
        "<=" | "le" => Some(order.is_le()),
        ">" | "gt" => Some(order.is_gt()),
        ">=" | "ge" => Some(order.is_ge()),
        "==" | "eq" => Some(order.is_eq()),
        _ => None,
    }
}
