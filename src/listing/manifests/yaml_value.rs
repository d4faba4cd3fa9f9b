//! The values of YAML, as JSON has them.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

/// The maximum nesting depth: that of the JSON parser.
const MAX_DEPTH: usize = 127;

/// A list or map that is not closed yet.
enum OpenValue {
    List(Vec<Value>),
    /// With the key whose value is next.
    Map(Map<String, Value>, Option<String>),
}

/// The first object of a document: the document itself, or the first item of a list. `None` if the text is not YAML, or nested too deeply.
pub(super) fn value(text: &str) -> Option<Value> {
    let mut open: Vec<OpenValue> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let done = match event.ok()?.0 {
            Event::Scalar(text, style, ..) => scalar(&text, style),
            Event::Alias(_) => Value::Null,
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == MAX_DEPTH => return None,
            Event::SequenceStart(..) => {
                open.push(OpenValue::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(OpenValue::Map(Map::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop()? {
                OpenValue::List(items) => Value::Array(items),
                OpenValue::Map(entries, _) => Value::Object(entries),
            },
            _ => continue,
        };
        match open.last_mut() {
            None => root = root.or(Some(done)),
            Some(OpenValue::List(items)) => items.push(done),
            Some(OpenValue::Map(entries, key)) => match key.take() {
                Some(key) => {
                    entries.insert(key, done);
                }
                None => *key = Some(key_text(&done)),
            },
        }
    }
    match root? {
        Value::Array(items) => items.into_iter().next(),
        value => Some(value),
    }
}

fn key_text(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

/// A scalar by the core schema of YAML 1.2. Quoted ones are texts.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) => number(text),
        _ => Value::String(text.to_owned()),
    }
}

fn number(text: &str) -> Value {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E'));
    let number = text.parse::<f64>().ok().filter(|_| is_number).and_then(Number::from_f64);
    number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
}
