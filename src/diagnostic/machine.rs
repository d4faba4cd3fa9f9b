//! The reports for programs: JSON, GitHub's annotations, SARIF.

use std::fmt::Write as _;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;

use super::{Diagnostic, Place, Rule, Severity, SourceText};
use crate::text::{LineColumn, line_column};

/// A part of a file. Lines and columns count from 1, columns in Unicode scalar values.
#[derive(Serialize, JsonSchema)]
struct Region {
    /// The path, from the folder with `book.toml`.
    file: String,
    /// The line where it begins.
    line: usize,
    /// The column where it begins.
    column: usize,
    /// The line where it ends.
    end_line: usize,
    /// The column behind its end.
    end_column: usize,
}

impl Region {
    fn of(place: &Place, texts: &impl SourceText) -> Self {
        let at = |offset| texts.text(&place.file).map_or(LineColumn { line: 1, column: 1 }, |text| line_column(text, offset));
        let (start, end) = (at(place.span.start), at(place.span.end));
        Self { file: place.file.to_string(), line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

/// Every finding, and how much is known.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CheckReport")]
struct JsonReport<'a, C> {
    /// The version of this format.
    schema_version: u32,
    /// What was found, by file and line.
    diagnostics: Vec<JsonDiagnostic<'a>>,
    /// How many of them are errors.
    errors: usize,
    /// How many of them are warnings.
    warnings: usize,
    /// How much is proven, translated and known; null where errors stand in the way of counting.
    coverage: Option<&'a C>,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Diagnostic")]
struct JsonDiagnostic<'a> {
    /// The name of its rule; `ksys-docs rule NAME` explains it.
    rule: &'static str,
    /// How bad it is.
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// What is wrong, in one line.
    message: &'a str,
    /// Where; null if it is about no file.
    place: Option<Region>,
    /// What to do about it.
    help: Option<&'a str>,
    /// Other places that have to do with it.
    related: Vec<JsonRelated<'a>>,
}

/// Another place that has to do with a finding.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RelatedPlace")]
struct JsonRelated<'a> {
    /// Where.
    place: Region,
    /// What is there.
    message: &'a str,
}

/// One JSON object with every finding, and with what is known of the whole where that could be counted. Lines and columns count from 1; columns are Unicode scalar values.
#[must_use]
pub fn json<C: Serialize>(diagnostics: &[Diagnostic], texts: &impl SourceText, coverage: Option<&C>) -> String {
    let (errors, warnings) = super::count(diagnostics);
    let report = JsonReport {
        schema_version: 1,
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| JsonDiagnostic {
                rule: diagnostic.rule.name(),
                severity: diagnostic.severity().name(),
                message: &diagnostic.message,
                place: diagnostic.place.as_ref().map(|place| Region::of(place, texts)),
                help: diagnostic.help.as_deref(),
                related: diagnostic
                    .related
                    .iter()
                    .map(|(place, message)| JsonRelated { place: Region::of(place, texts), message })
                    .collect(),
            })
            .collect(),
        errors,
        warnings,
        coverage,
    };
    to_json(&report)
}

/// The schema of what [`json`] gives (JSON Schema, draft 2020-12), with that of the coverage.
#[must_use]
pub fn json_schema<C: Serialize + JsonSchema>() -> schemars::Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<JsonReport<'_, C>>()
}

/// Workflow commands that GitHub turns into annotations on the lines of a pull request.
#[must_use]
pub fn github(diagnostics: &[Diagnostic], texts: &impl SourceText) -> String {
    let mut report = String::new();
    for diagnostic in diagnostics {
        let _ = write!(report, "::{} ", diagnostic.severity().name());
        if let Some(place) = &diagnostic.place {
            let region = Region::of(place, texts);
            let _ = write!(report, "file={},line={},", escape_property(&region.file), region.line);
            // GitHub refuses columns when an annotation spans lines.
            if region.line == region.end_line {
                let _ = write!(report, "col={},endColumn={},", region.column, region.end_column);
            } else {
                let _ = write!(report, "endLine={},", region.end_line);
            }
        }
        let message = match &diagnostic.help {
            Some(help) => format!("{}\n{help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let _ = writeln!(report, "title={}::{}", escape_property(diagnostic.rule.name()), escape_data(&message));
    }
    report
}

/// Escapes the text of a workflow command, as GitHub's own toolkit does.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A SARIF 2.1.0 log, for code scanning services.
#[must_use]
pub fn sarif(diagnostics: &[Diagnostic], texts: &impl SourceText) -> String {
    to_json(&sarif_log(diagnostics, texts))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLog<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'a> {
    tool: SarifTool,
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct SarifTool {
    driver: SarifDriver,
}

#[derive(Serialize)]
struct SarifDriver {
    name: &'static str,
    version: &'static str,
    rules: Vec<SarifRule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: &'static str,
    short_description: SarifText<'static>,
    default_configuration: SarifConfiguration,
}

#[derive(Serialize)]
struct SarifConfiguration {
    level: &'static str,
}

#[derive(Serialize)]
struct SarifText<'a> {
    text: std::borrow::Cow<'a, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: SarifText<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<SarifLocation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'a> {
    physical_location: SarifPhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<SarifText<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifPhysicalLocation {
    artifact_location: SarifArtifactLocation,
    region: SarifRegion,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

fn sarif_log<'a>(diagnostics: &'a [Diagnostic], texts: &impl SourceText) -> SarifLog<'a> {
    let location = |place: &Place, message| {
        let region = Region::of(place, texts);
        SarifLocation {
            physical_location: SarifPhysicalLocation {
                artifact_location: SarifArtifactLocation { uri: crate::url::encode_path(&region.file), uri_base_id: "%SRCROOT%" },
                region: SarifRegion {
                    start_line: region.line,
                    start_column: region.column,
                    end_line: region.end_line,
                    end_column: region.end_column,
                },
            },
            message,
        }
    };
    let results = diagnostics
        .iter()
        .map(|diagnostic| SarifResult {
            rule_id: diagnostic.rule.name(),
            rule_index: diagnostic.rule as usize,
            level: diagnostic.severity().name(),
            message: SarifText {
                text: match &diagnostic.help {
                    Some(help) => format!("{}\n{help}", diagnostic.message).into(),
                    None => diagnostic.message.as_str().into(),
                },
            },
            locations: diagnostic.place.iter().map(|place| location(place, None)).collect(),
            related_locations: diagnostic
                .related
                .iter()
                .map(|(place, words)| location(place, Some(SarifText { text: words.as_str().into() })))
                .collect(),
        })
        .collect();
    let rules = Rule::ALL
        .iter()
        .map(|rule| SarifRule {
            id: rule.name(),
            short_description: SarifText { text: rule.summary().into() },
            default_configuration: SarifConfiguration {
                level: match rule.severity() {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
            },
        })
        .collect();
    SarifLog {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [SarifRun {
            tool: SarifTool { driver: SarifDriver { name: "ksys-docs", version: env!("CARGO_PKG_VERSION"), rules } },
            column_kind: "unicodeCodePoints",
            results,
        }],
    }
}

fn to_json(value: &impl Serialize) -> String {
    // These types hold only strings, numbers and lists, which always serialise.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
