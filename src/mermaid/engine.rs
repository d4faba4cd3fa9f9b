//! The call of merman, with its parse errors as [`DrawError`].

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, LazyLock},
};

use merman::{
    Engine, MermaidConfig, OperationControl, ParseDiagnosticSpanKind, ParseOptions, RenderError, RenderOutput, RenderRequest, Renderer,
    SvgEnvironment, SvgRequest, TerminalDiagnostic,
    svg::{MeasurementProfileId, RenderResourcePolicy, TextMeasurementPolicy, TextMeasurementProfile, TextMeasurementProfileIdentity},
};
use serde_json::json;

use super::{
    drawing::DrawError,
    measurer::Measurer,
    source::{DiagramKind, DiagramSource, lines, trimmed},
};
use crate::diagram::measure::LABEL_SIZE;

/// The limit for the work of a layout, in merman's units: about a second. A diagram of 50 nodes takes a few thousand.
const WORK: usize = 2_000_000;
/// The limit for the items of a diagram.
const ITEMS: usize = 2_000;
/// The number of lines that are tried, one after another, to find the one that causes an error without a position.
const LINES_TRIED: usize = 200;

/// Renders merman's SVG, which is not safe to write into a page.
pub(super) fn render(source: &str, diagram: &DiagramSource) -> Result<String, DrawError> {
    let run = || {
        let request = RenderRequest::svg(&diagram.text, OperationControl::new(), REQUEST.clone());
        RENDERER.render(request)
    };
    // A panic of merman must not end a build.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(RenderOutput::Svg(Some(svg)))) => Ok(svg.into_parts().0),
        Ok(Err(RenderError::Parse(found))) => Err(problem(&found, source, diagram)),
        Ok(Err(RenderError::ResourceLimitExceeded(_))) => {
            Err(DrawError::new(diagram.first_line.clone(), "this diagram is too large to be drawn", "divide it into several diagrams"))
        }
        Ok(_) | Err(_) => Err(DrawError::new(diagram.first_line.clone(), "this diagram cannot be drawn", help(diagram.kind, ""))),
    }
}

static RENDERER: LazyLock<Renderer> = LazyLock::new(|| {
    let engine = Engine::new().with_site_config(MermaidConfig::from_value(configuration()));
    Renderer::new().with_engine(engine).with_parse_options(ParseOptions::strict())
});

/// Sizes and distances. Colours are defined in the style sheet.
fn configuration() -> serde_json::Value {
    json!({
        "htmlLabels": false,
        "look": "classic",
        "layout": "dagre",
        "theme": "base",
        "fontFamily": "sans-serif",
        "fontSize": LABEL_SIZE,
        "themeVariables": {"fontSize": format!("{LABEL_SIZE}px")},
        "flowchart": {
            "htmlLabels": false, "wrappingWidth": 240, "minNodeWidth": 0, "padding": 9, "nodeSpacing": 36, "rankSpacing": 40,
            "subGraphTitleMargin": {"top": 0, "bottom": 6},
        },
        "state": {"minNodeWidth": 0, "padding": 9, "nodeSpacing": 36, "rankSpacing": 36},
        "sequence": {
            "mirrorActors": false, "width": 110, "height": 34, "actorMargin": 40, "boxMargin": 8, "noteMargin": 8, "messageMargin": 26,
            "bottomMarginAdj": 2, "actorFontSize": LABEL_SIZE, "messageFontSize": LABEL_SIZE, "noteFontSize": LABEL_SIZE,
        },
    })
}

static REQUEST: LazyLock<SvgRequest> = LazyLock::new(|| {
    let mut environment = SvgEnvironment::deterministic().with_resource_policy(limits());
    let identity = MeasurementProfileId::new("ksys-docs").and_then(|id| TextMeasurementProfileIdentity::new(id, "1"));
    if let Ok(identity) = identity {
        let profile = TextMeasurementProfile::new(identity, Arc::new(Measurer));
        environment = environment.with_text_measurement_policy(TextMeasurementPolicy::uniform(profile));
    }
    SvgRequest { environment, ..SvgRequest::default() }
});

fn limits() -> RenderResourcePolicy {
    let mut policy = RenderResourcePolicy::constrained();
    for (name, value) in [("max_layout_work_units", WORK), ("max_model_items", ITEMS)] {
        let with = policy.with_override(name, value);
        debug_assert!(with.is_ok(), "{name}");
        policy = with.unwrap_or(policy);
    }
    policy
}

fn problem(found: &TerminalDiagnostic, source: &str, diagram: &DiagramSource) -> DrawError {
    let details = found.terminal_diagnostic_details();
    let complaint = found.terminal_safe_message();
    let exact = details.span.filter(|_| details.span_kind != Some(ParseDiagnosticSpanKind::Fallback));
    let span = match exact {
        Some(span) => span.start..span.end,
        None => failing_line(diagram, &complaint).unwrap_or_else(|| diagram.first_line.clone()),
    };
    DrawError::new(visible(source, span, diagram), message(&complaint), help(diagram.kind, &complaint))
}

/// A span of visible text: at the end of the source it is the last line that is not blank.
fn visible(source: &str, span: Range<usize>, diagram: &DiagramSource) -> Range<usize> {
    let start = source.floor_char_boundary(span.start.min(source.len()));
    let end = source.floor_char_boundary(span.end.min(source.len())).max(start);
    if source[start..].trim().is_empty() {
        let last = lines(source).filter(|(_, line)| !line.trim().is_empty()).last();
        return last.map_or_else(|| diagram.first_line.clone(), |(at, line)| trimmed(at, line));
    }
    // At least one character, and never only a line break.
    let end =
        if source[start..end].trim().is_empty() { source[start..].find('\n').map_or(source.len(), |at| start + at).max(end) } else { end };
    let shown = source[start..end].lines().next().map_or(0, str::len);
    if shown == 0 { start..end } else { start..start + shown }
}

/// The first line up to which the source causes the same error, for an error without a position.
fn failing_line(diagram: &DiagramSource, complaint: &str) -> Option<Range<usize>> {
    let candidates = lines(&diagram.text).filter(|(at, line)| *at >= diagram.first_line.start && !line.trim().is_empty());
    candidates.take(LINES_TRIED).find_map(|(at, line)| {
        let head = &diagram.text[..at + line.len()];
        let run = || RENDERER.prepare_semantic(head, OperationControl::new());
        let Ok(Err(RenderError::Parse(found))) = catch_unwind(AssertUnwindSafe(run)) else { return None };
        (found.terminal_safe_message() == complaint).then(|| trimmed(at, line))
    })
}

/// Merman's message, in the style of a diagnostic.
fn message(complaint: &str) -> String {
    let text = complaint.strip_prefix("Diagram parse error (").and_then(|text| text.split_once("): ")).map_or(complaint, |(_, text)| text);
    // The list of expected tokens contains names of merman's grammar, and the diagnostic has the position.
    let text = text.split([';', '\n']).next().unwrap_or_default();
    let text = text.split(" at ").next().unwrap_or_default().trim().trim_end_matches('.');
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    format!("the diagram cannot be read: {first}{}", letters.as_str())
}

fn help(kind: DiagramKind, complaint: &str) -> &'static str {
    if complaint.contains("label") || complaint.contains("structural") {
        return "put text with brackets or other marks in quotes: `A[\"words (more)\"]`";
    }
    if complaint.contains("end of input") || complaint.contains("nterminated") {
        return "close what is open: `subgraph`, `loop`, `alt` with `end`, `{` with `}`, `[` with `]`";
    }
    match kind {
        DiagramKind::Flowchart => "write a box as `A[words]`, an arrow as `A --> B` or `A -->|words| B`, each on a separate line",
        DiagramKind::Sequence => "write a message as `A->>B: words`, a note as `Note over A,B: words`, each on a separate line",
        DiagramKind::State => "write a transition as `A --> B : words`, begin and end as `[*]`, each on a separate line",
    }
}
