//! A flowchart under construction.

use std::{collections::BTreeMap, ops::Range};

use super::{
    super::{
        chart::{Chart, ChartEdge, ChartEnd, ChartGroup, ChartNode, Direction, MOST_EDGES, MOST_NODES},
        drawing::{DrawError, NodeLink},
        label::label_lines,
        shape::NodeShapeKind,
    },
    arrow::FlowArrow,
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The widths at which labels are broken into lines.
const NODE_ROOM: f64 = 220.0;
const ROUND_ROOM: f64 = 140.0;
const EDGE_ROOM: f64 = 180.0;
const TITLE_ROOM: f64 = 320.0;

#[derive(Debug, Default)]
pub(super) struct ChartBuilder {
    pub(super) direction: Direction,
    pub(super) links: Vec<NodeLink>,
    names: BTreeMap<String, usize>,
    nodes: Vec<DraftNode>,
    edges: Vec<ChartEdge>,
    groups: Vec<DraftGroup>,
    /// The names of arrows, whose properties are not properties of nodes.
    arrows: Vec<String>,
    /// The groups that are open here, from the outside to the inside.
    open: Vec<usize>,
}

#[derive(Debug)]
struct DraftNode {
    name: String,
    text: Option<String>,
    shape: Option<NodeShapeKind>,
    group: Option<usize>,
}

#[derive(Debug)]
struct DraftGroup {
    name: String,
    title: String,
    parent: Option<usize>,
    direction: Option<Direction>,
    /// The nodes that are mentioned in it.
    mentioned: Vec<usize>,
    keyword: Range<usize>,
}

impl ChartBuilder {
    /// Opens a group, and returns the number of open ones.
    pub(super) fn open(&mut self, name: String, title: String, keyword: Range<usize>) -> usize {
        let parent = self.open.last().copied();
        self.open.push(self.groups.len());
        self.groups.push(DraftGroup { name, title, parent, direction: None, mentioned: Vec::new(), keyword });
        self.open.len()
    }

    /// Closes the innermost group. Its members are the nodes that are mentioned in it and are not yet in a closed group. `false` if none is open.
    pub(super) fn close(&mut self) -> bool {
        let Some(group) = self.open.pop() else { return false };
        for index in 0..self.groups[group].mentioned.len() {
            let node = self.groups[group].mentioned[index];
            self.nodes[node].group.get_or_insert(group);
        }
        true
    }

    /// The keyword of a group that is not closed.
    pub(super) fn unclosed(&self) -> Option<Range<usize>> {
        self.open.last().map(|&group| self.groups[group].keyword.clone())
    }

    /// Sets the direction of the innermost group. As in Mermaid, the direction of the diagram is only in its first line.
    pub(super) fn set_direction(&mut self, direction: Direction) {
        if let Some(&group) = self.open.last() {
            self.groups[group].direction = Some(direction);
        }
    }

    /// The node with a name.
    pub(super) fn node(&mut self, name: &str, span: &Range<usize>) -> Result<usize, DrawError> {
        let node = match self.names.get(name) {
            Some(&node) => node,
            None if self.nodes.len() == MOST_NODES => {
                let message = format!("this diagram is too large to be drawn: it has more than {MOST_NODES} nodes");
                return Err(DrawError::new(span.clone(), message, "divide it into several diagrams"));
            }
            None => {
                self.names.insert(name.to_owned(), self.nodes.len());
                self.nodes.push(DraftNode { name: name.to_owned(), text: None, shape: None, group: None });
                self.nodes.len() - 1
            }
        };
        if let Some(&group) = self.open.last() {
            self.groups[group].mentioned.push(node);
        }
        Ok(node)
    }

    pub(super) fn set_text(&mut self, node: usize, text: String) {
        self.nodes[node].text = Some(text);
    }

    pub(super) fn set_shape(&mut self, node: usize, shape: NodeShapeKind) {
        self.nodes[node].shape = Some(shape);
    }

    pub(super) fn is_arrow(&self, name: &str) -> bool {
        self.arrows.iter().any(|arrow| arrow == name)
    }

    /// Adds an arrow from each of the first nodes to each of the others.
    pub(super) fn connect(&mut self, from: &[usize], to: &[usize], arrow: &FlowArrow, span: Range<usize>) -> Result<(), DrawError> {
        self.arrows.extend(arrow.name.clone());
        if self.edges.len() + from.len() * to.len() > MOST_EDGES {
            let message = format!("this diagram is too large to be drawn: it has more than {MOST_EDGES} arrows");
            return Err(DrawError::new(span, message, "divide it into several diagrams"));
        }
        let label = label_lines(&arrow.text, SMALL_SIZE, EDGE_ROOM);
        for &from in from {
            for &to in to {
                self.edges.push(ChartEdge {
                    from: ChartEnd::Node(from),
                    to: ChartEnd::Node(to),
                    label: label.clone(),
                    line: arrow.line,
                    heads: arrow.heads,
                    rows: arrow.rows,
                    span: span.clone(),
                });
            }
        }
        Ok(())
    }

    /// The flowchart, in which names of groups are no nodes.
    pub(super) fn finish(self) -> Chart {
        let mut group_by_name: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, group) in self.groups.iter().enumerate().filter(|(_, group)| !group.name.is_empty()) {
            group_by_name.entry(&group.name).or_insert(index);
        }
        let group_of_node: Vec<Option<usize>> = self.nodes.iter().map(|node| group_by_name.get(node.name.as_str()).copied()).collect();
        let mut groups: Vec<ChartGroup> = self
            .groups
            .iter()
            .map(|group| ChartGroup {
                name: group.name.clone(),
                title: label_lines(&group.title, SMALL_SIZE, TITLE_ROOM),
                parent: group.parent,
                direction: group.direction,
                is_region: false,
            })
            .collect();
        // The name of a group within another one puts it there.
        for (node, group) in group_of_node.iter().enumerate() {
            if let (Some(group), Some(parent)) = (*group, self.nodes[node].group) {
                adopt(&mut groups, parent, group);
            }
        }
        let mut nodes = Vec::new();
        let mut ends: Vec<ChartEnd> = Vec::new();
        for (node, group) in self.nodes.iter().zip(&group_of_node) {
            ends.push(group.map_or(ChartEnd::Node(nodes.len()), ChartEnd::Group));
            if group.is_none() {
                nodes.push(chart_node(node));
            }
        }
        let resolved = |end: ChartEnd| if let ChartEnd::Node(node) = end { ends[node] } else { end };
        let mut edges = self.edges;
        for edge in &mut edges {
            (edge.from, edge.to) = (resolved(edge.from), resolved(edge.to));
        }
        let mut chart = Chart { direction: self.direction, nodes, edges, groups, links: self.links, ..Chart::default() };
        chart.replace_empty_groups();
        chart
    }
}

/// Puts a group into another one, unless it has a place already or contains the other one.
fn adopt(groups: &mut [ChartGroup], parent: usize, group: usize) {
    let contains = std::iter::successors(Some(parent), |&outer| groups[outer].parent).any(|outer| outer == group);
    if groups[group].parent.is_none() && !contains {
        groups[group].parent = Some(parent);
    }
}

fn chart_node(node: &DraftNode) -> ChartNode {
    let shape = node.shape.unwrap_or_default();
    let room = match shape {
        NodeShapeKind::Circle | NodeShapeKind::DoubleCircle | NodeShapeKind::Diamond | NodeShapeKind::Triangle => ROUND_ROOM,
        _ => NODE_ROOM,
    };
    let label = label_lines(node.text.as_deref().unwrap_or(&node.name), LABEL_SIZE, room);
    ChartNode { name: node.name.clone(), shape, label, group: node.group, ..ChartNode::default() }
}
