//! A state diagram under construction.

use std::{collections::BTreeMap, ops::Range};

use super::super::{
    chart::{ArrowLine, Chart, ChartEdge, ChartEnd, ChartGroup, ChartNode, ChartNote, Direction, MOST_EDGES, MOST_NODES},
    drawing::{DrawError, NodeLink},
    label::label_lines,
    shape::NodeShapeKind,
    svg_writer::Arrowhead,
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The widths at which labels are broken into lines.
const STATE_ROOM: f64 = 220.0;
const NOTE_ROOM: f64 = 180.0;
const EDGE_ROOM: f64 = 180.0;

#[derive(Debug, Default)]
pub(super) struct StateBuilder {
    direction: Direction,
    links: Vec<NodeLink>,
    names: BTreeMap<String, usize>,
    states: Vec<DraftState>,
    edges: Vec<ChartEdge>,
    groups: Vec<DraftScope>,
    /// The groups that are open here: composite states, each followed by the current region if it is divided.
    open: Vec<usize>,
    /// The start and the end of each scope.
    terminals: BTreeMap<(Option<usize>, bool), usize>,
}

#[derive(Debug, Default)]
struct DraftState {
    name: String,
    descriptions: Vec<String>,
    shape: NodeShapeKind,
    scope: Option<usize>,
    notes: Vec<(bool, String)>,
    /// The group that it is, if it is composite.
    group: Option<usize>,
}

#[derive(Debug)]
struct DraftScope {
    /// The state of which it is the inside or a region.
    state: Option<usize>,
    parent: Option<usize>,
    direction: Option<Direction>,
    opening: Range<usize>,
}

impl StateBuilder {
    fn scope(&self) -> Option<usize> {
        self.open.last().copied()
    }

    fn add(&mut self, state: DraftState, span: &Range<usize>) -> Result<usize, DrawError> {
        if self.states.len() == MOST_NODES {
            let message = format!("this diagram is too large to be drawn: it has more than {MOST_NODES} states");
            return Err(DrawError::new(span.clone(), message, "divide it into several diagrams"));
        }
        self.states.push(state);
        Ok(self.states.len() - 1)
    }

    /// The state with a name. The first composite state that mentions it contains it.
    pub(super) fn state(&mut self, name: &str, span: &Range<usize>) -> Result<usize, DrawError> {
        let scope = self.scope();
        if let Some(&state) = self.names.get(name) {
            let is_free = self.states[state].scope.is_none() && !self.is_within(scope, state);
            if is_free {
                self.states[state].scope = scope;
                if let Some(group) = self.states[state].group {
                    self.groups[group].parent = scope;
                }
            }
            return Ok(state);
        }
        let state = self.add(DraftState { name: name.to_owned(), shape: NodeShapeKind::Rounded, scope, ..DraftState::default() }, span)?;
        self.names.insert(name.to_owned(), state);
        Ok(state)
    }

    /// Whether a scope is inside of a composite state.
    fn is_within(&self, scope: Option<usize>, state: usize) -> bool {
        std::iter::successors(scope, |&scope| self.groups[scope].parent).any(|scope| self.groups[scope].state == Some(state))
    }

    /// The start or the end of this scope.
    pub(super) fn terminal(&mut self, shape: NodeShapeKind, span: &Range<usize>) -> Result<usize, DrawError> {
        let key = (self.scope(), shape == NodeShapeKind::Start);
        if let Some(&state) = self.terminals.get(&key) {
            return Ok(state);
        }
        let state = self.add(DraftState { shape, scope: key.0, ..DraftState::default() }, span)?;
        self.terminals.insert(key, state);
        Ok(state)
    }

    pub(super) fn set_shape(&mut self, state: usize, shape: NodeShapeKind) {
        self.states[state].shape = shape;
    }

    pub(super) fn describe(&mut self, state: usize, text: String) {
        if !text.is_empty() {
            self.states[state].descriptions.push(text);
        }
    }

    pub(super) fn note(&mut self, name: &str, is_left: bool, text: String, span: &Range<usize>) -> Result<(), DrawError> {
        let state = self.state(name, span)?;
        self.states[state].notes.push((is_left, text));
        Ok(())
    }

    /// Adds a note that is not at a state.
    pub(super) fn free_note(&mut self, name: &str, text: String, span: &Range<usize>) -> Result<(), DrawError> {
        let state = self.state(name, span)?;
        self.states[state].shape = NodeShapeKind::Note;
        self.describe(state, text);
        Ok(())
    }

    pub(super) fn link(&mut self, link: NodeLink) {
        self.links.push(link);
    }

    pub(super) fn set_direction(&mut self, direction: Direction) {
        match self.scope() {
            Some(scope) => self.groups[scope].direction = Some(direction),
            None => self.direction = direction,
        }
    }

    /// Opens a composite state, and returns the number of open groups.
    pub(super) fn open(&mut self, state: usize, opening: Range<usize>) -> usize {
        let (scope, next) = (self.states[state].scope, self.groups.len());
        let group = *self.states[state].group.get_or_insert(next);
        if group == next {
            self.groups.push(DraftScope { state: Some(state), parent: scope, direction: None, opening });
        }
        self.open.push(group);
        self.open.len()
    }

    fn is_region(&self, group: usize) -> bool {
        self.groups[group].state.is_none()
    }

    /// Closes the innermost composite state. `false` if none is open.
    pub(super) fn close(&mut self) -> bool {
        while let Some(group) = self.open.pop() {
            if !self.is_region(group) {
                return true;
            }
        }
        false
    }

    /// Begins the next region of the innermost composite state. `false` if none is open.
    pub(super) fn divide(&mut self) -> bool {
        let Some(scope) = self.scope() else { return false };
        let outer = if self.is_region(scope) {
            self.open.pop();
            self.groups[scope].parent
        } else {
            // What came before is the first region.
            let first = self.region(scope);
            for state in self.states.iter_mut().filter(|state| state.scope == Some(scope)) {
                state.scope = Some(first);
            }
            for group in 0..first {
                if self.groups[group].parent == Some(scope) {
                    self.groups[group].parent = Some(first);
                }
            }
            self.terminals.retain(|(owner, _), _| *owner != Some(scope));
            Some(scope)
        };
        let next = self.region(outer.unwrap_or(scope));
        self.open.push(next);
        true
    }

    fn region(&mut self, parent: usize) -> usize {
        let DraftScope { direction, ref opening, .. } = self.groups[parent];
        let opening = opening.clone();
        self.groups.push(DraftScope { state: None, parent: Some(parent), direction, opening });
        self.groups.len() - 1
    }

    /// The opening of a composite state that is not closed.
    pub(super) fn unclosed(&self) -> Option<Range<usize>> {
        self.open.last().map(|&group| self.groups[group].opening.clone())
    }

    pub(super) fn connect(&mut self, from: usize, to: usize, text: &str, span: Range<usize>) -> Result<(), DrawError> {
        if self.edges.len() == MOST_EDGES {
            let message = format!("this diagram is too large to be drawn: it has more than {MOST_EDGES} transitions");
            return Err(DrawError::new(span, message, "divide it into several diagrams"));
        }
        self.edges.push(ChartEdge {
            from: ChartEnd::Node(from),
            to: ChartEnd::Node(to),
            label: label_lines(text, SMALL_SIZE, EDGE_ROOM),
            line: ArrowLine::Solid,
            heads: [None, Some(Arrowhead::Filled)],
            rows: 1,
            span,
        });
        Ok(())
    }

    /// The diagram as a chart, in which composite states are groups.
    pub(super) fn finish(self) -> Chart {
        let mut chart = Chart { direction: self.direction, links: self.links, ..Chart::default() };
        for scope in &self.groups {
            let state = scope.state.map(|state| &self.states[state]);
            let title = state.map(|state| state.descriptions.join("\n")).filter(|title| !title.is_empty());
            chart.groups.push(ChartGroup {
                name: state.map(|state| state.name.clone()).unwrap_or_default(),
                title: label_lines(&title.or_else(|| state.map(|state| state.name.clone())).unwrap_or_default(), SMALL_SIZE, STATE_ROOM),
                parent: scope.parent,
                direction: scope.direction,
                is_region: state.is_none(),
            });
        }
        let mut ends = Vec::new();
        let mut notes = Vec::new();
        for state in &self.states {
            if let Some(group) = state.group {
                ends.push(ChartEnd::Group(group));
                notes.extend(state.notes.iter().map(|(_, text)| (group, state.scope, text)));
            } else {
                ends.push(ChartEnd::Node(chart.nodes.len()));
                chart.nodes.push(chart_node(state));
            }
        }
        chart.edges = self.edges;
        for edge in &mut chart.edges {
            for end in [&mut edge.from, &mut edge.to] {
                if let ChartEnd::Node(state) = *end {
                    *end = ends[state];
                }
            }
        }
        // A note at a composite state is a box that is connected with it.
        for (group, scope, text) in notes {
            let label = label_lines(text, LABEL_SIZE, NOTE_ROOM);
            let to = ChartEnd::Node(chart.nodes.len());
            chart.nodes.push(ChartNode { shape: NodeShapeKind::Note, label, group: scope, ..ChartNode::default() });
            let (from, line) = (ChartEnd::Group(group), ArrowLine::Dashed);
            chart.edges.push(ChartEdge { from, to, label: Vec::new(), line, heads: [None, None], rows: 1, span: 0..0 });
        }
        chart.replace_empty_groups();
        chart
    }
}

fn chart_node(state: &DraftState) -> ChartNode {
    let lines = |text: &str| label_lines(text, LABEL_SIZE, STATE_ROOM);
    let (label, body) = match state.descriptions.split_first() {
        None => (lines(&state.name), Vec::new()),
        Some((label, body)) => (lines(label), body.iter().flat_map(|text| lines(text)).collect()),
    };
    let is_plain = matches!(state.shape, NodeShapeKind::Rounded | NodeShapeKind::Note);
    ChartNode {
        name: state.name.clone(),
        shape: state.shape,
        label: if is_plain { label } else { Vec::new() },
        body: if is_plain { body } else { Vec::new() },
        group: state.scope,
        notes: state
            .notes
            .iter()
            .map(|(is_left, text)| ChartNote { is_left: *is_left, text: label_lines(text, LABEL_SIZE, NOTE_ROOM) })
            .collect(),
    }
}
