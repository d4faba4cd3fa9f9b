//! Access to the fields of an object that can be missing or have another type.

use std::collections::BTreeMap;

use serde_json::Value;

/// The largest number of Pods, containers or restarts that counts.
const MAX_COUNT: f64 = 999_999.0;

/// A value, or nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(Option<&'a Value>);

impl<'a> Fields<'a> {
    pub(super) const fn new(value: &'a Value) -> Self {
        Self(Some(value))
    }

    /// The field of a map.
    pub(super) fn get(self, key: &str) -> Self {
        Self(self.0.and_then(|value| value.get(key)))
    }

    /// Whether there is a value other than null.
    pub(super) fn exists(self) -> bool {
        self.0.is_some_and(|value| !value.is_null())
    }

    /// Whether it is a map with at least one entry.
    pub(super) fn has_entries(self) -> bool {
        self.0.and_then(Value::as_object).is_some_and(|map| !map.is_empty())
    }

    pub(super) fn text(self) -> Option<&'a str> {
        self.0.and_then(Value::as_str)
    }

    pub(super) fn is_true(self) -> bool {
        self.0.and_then(Value::as_bool) == Some(true)
    }

    /// The items of a list; none if it isn't one.
    pub(super) fn list(self) -> Vec<Self> {
        self.0.and_then(Value::as_array).into_iter().flatten().map(|item| Self(Some(item))).collect()
    }

    /// The texts of a map, by their keys.
    pub(super) fn texts(self) -> BTreeMap<String, String> {
        let entries = self.0.and_then(Value::as_object).into_iter().flatten();
        entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
    }

    /// A whole number up to [`MAX_COUNT`].
    pub(super) fn count(self) -> Option<u32> {
        let number = self.0.and_then(Value::as_f64).filter(|number| (0.0..=MAX_COUNT).contains(number) && number.fract() == 0.0)?;
        // Checked above.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers from 0 to 999,999")]
        Some(number as u32)
    }

    /// A number with a sign, such as an exit code.
    pub(super) fn number(self) -> Option<f64> {
        self.0.and_then(Value::as_f64)
    }

    /// A quantity: a text such as `100m`, or a number.
    pub(super) fn quantity(self, read: fn(&str) -> Option<u64>) -> Option<u64> {
        match self.0? {
            Value::String(text) => read(text),
            Value::Number(number) => read(&number.to_string()),
            _ => None,
        }
    }
}
