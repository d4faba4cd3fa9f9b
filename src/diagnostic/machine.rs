//! Machine-readable reports: JSON, GitHub annotations and SARIF.

use std::fmt::Write as _;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Diagnostic, Place, Rule, SourceText, line_indexes::LineIndexes};
use crate::{
    text::{LineColumn, printable_lines},
    url::encode_path,
};

/// A part of a file. Lines and columns count from 1, columns in Unicode scalar values.
#[derive(Serialize, JsonSchema)]
struct Region {
    /// The path, from the folder with `book.toml`.
    file: String,
    /// The first line.
    line: usize,
    /// The first column.
    column: usize,
    /// The last line.
    end_line: usize,
    /// The column after the last character.
    end_column: usize,
}

impl Region {
    fn of(place: &Place, indexes: &LineIndexes<'_>) -> Self {
        let at = |offset| indexes.get(&place.file).map_or(LineColumn { line: 1, column: 1 }, |index| index.line_column(offset));
        let (start, end) = (at(place.span.start), at(place.span.end));
        Self { file: place.file.to_string(), line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

/// All findings, and the coverage.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CheckReport")]
struct JsonReport<'a, C> {
    /// The version of this format.
    schema_version: u32,
    /// The findings by file and line; the first 100 per rule and file, and one that counts the others.
    diagnostics: Vec<JsonDiagnostic<'a>>,
    /// The number of errors.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The coverage of evidence and translations; null if errors prevent counting.
    coverage: Option<&'a C>,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Diagnostic")]
struct JsonDiagnostic<'a> {
    /// The rule; `ksys-docs rule NAME` explains it.
    rule: &'static str,
    /// The severity.
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// The message, in one line.
    message: &'a str,
    /// The place; null if it isn't about a file.
    place: Option<Region>,
    /// How to fix it.
    help: Option<&'a str>,
    /// Related places.
    related: Vec<JsonRelated<'a>>,
    /// The number of findings: 1, or the number of those that aren't listed, after the first 100 of a rule in a file.
    count: usize,
}

/// A place that is related to a finding.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RelatedPlace")]
struct JsonRelated<'a> {
    /// The place.
    place: Region,
    /// A description of the place.
    message: &'a str,
}

/// The JSON report: one object with every diagnostic, and the coverage if errors didn't prevent computing it.
#[must_use]
pub fn json<C: Serialize>(diagnostics: &[Diagnostic], texts: &impl SourceText, coverage: Option<&C>) -> String {
    let (errors, warnings) = super::count(diagnostics);
    let indexes = LineIndexes::of(diagnostics, texts);
    let report = JsonReport {
        schema_version: 1,
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| JsonDiagnostic {
                rule: diagnostic.rule.name(),
                severity: diagnostic.severity.name(),
                message: &diagnostic.message,
                place: diagnostic.place.as_ref().map(|place| Region::of(place, &indexes)),
                help: diagnostic.help.as_deref(),
                related: diagnostic
                    .related
                    .iter()
                    .map(|(place, message)| JsonRelated { place: Region::of(place, &indexes), message })
                    .collect(),
                count: diagnostic.count,
            })
            .collect(),
        errors,
        warnings,
        coverage,
    };
    to_json(&report)
}

/// The schema of [`json`] (JSON Schema, draft 2020-12), including the schema of the coverage.
#[must_use]
pub fn json_schema<C: Serialize + JsonSchema>() -> schemars::Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<JsonReport<'_, C>>()
}

/// Workflow commands, which GitHub shows as annotations on the lines of a pull request.
#[must_use]
pub fn github(diagnostics: &[Diagnostic], texts: &impl SourceText) -> String {
    let indexes = LineIndexes::of(diagnostics, texts);
    let mut report = String::new();
    for diagnostic in diagnostics {
        let _ = write!(report, "::{} ", diagnostic.severity.name());
        if let Some(place) = &diagnostic.place {
            let region = Region::of(place, &indexes);
            let _ = write!(report, "file={},line={},", escape_property(&region.file), region.line);
            // GitHub rejects columns if an annotation spans lines.
            if region.line == region.end_line {
                let _ = write!(report, "col={},endColumn={},", region.column, region.end_column);
            } else {
                let _ = write!(report, "endLine={},", region.end_line);
            }
        }
        let (title, message) = (escape_property(diagnostic.rule.name()), escape_data(&message_with_help(diagnostic)));
        let _ = writeln!(report, "title={title}::{message}");
    }
    report
}

/// Escapes the message of a workflow command, as `@actions/core` does. Runners also print it in a log, so other control characters are made visible.
fn escape_data(text: &str) -> String {
    printable_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command, as `@actions/core` does.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A SARIF 2.1.0 log, for code scanning services.
#[must_use]
pub fn sarif(diagnostics: &[Diagnostic], texts: &impl SourceText) -> String {
    to_json(&sarif_log(diagnostics, texts))
}

fn sarif_log(diagnostics: &[Diagnostic], texts: &impl SourceText) -> Value {
    let indexes = LineIndexes::of(diagnostics, texts);
    let location = |place: &Place| {
        let region = Region::of(place, &indexes);
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": encode_path(&region.file), "uriBaseId": "%SRCROOT%" },
                "region": {
                    "startLine": region.line,
                    "startColumn": region.column,
                    "endLine": region.end_line,
                    "endColumn": region.end_column,
                },
            },
        })
    };
    let result = |diagnostic: &Diagnostic| {
        let mut result = json!({
            "ruleId": diagnostic.rule.name(),
            "ruleIndex": diagnostic.rule as usize,
            "level": diagnostic.severity.name(),
            "message": { "text": message_with_help(diagnostic) },
        });
        if let Some(place) = &diagnostic.place {
            result["locations"] = json!([location(place)]);
        }
        if !diagnostic.related.is_empty() {
            let related = diagnostic.related.iter().map(|(place, message)| {
                let mut location = location(place);
                location["message"] = json!({ "text": message });
                location
            });
            result["relatedLocations"] = related.collect();
        }
        result
    };
    let rule = |rule: &Rule| {
        json!({
            "id": rule.name(),
            "shortDescription": { "text": rule.summary() },
            "defaultConfiguration": { "level": rule.severity().name() },
        })
    };
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "ksys-docs",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": Rule::ALL.iter().map(rule).collect::<Value>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.iter().map(result).collect::<Value>(),
        }],
    })
}

fn message_with_help(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}\n{help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

fn to_json(value: &impl Serialize) -> String {
    // Reports contain only strings, numbers, lists and objects with string keys, which always serialize.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
