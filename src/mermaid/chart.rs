//! What a flowchart or a state diagram consists of, as its parser reads it.

use std::ops::Range;

use super::{drawing::NodeLink, label::LabelLine, shape::NodeShapeKind, svg_writer::Arrowhead};

/// The limits for the parts of a diagram.
pub(super) const MOST_NODES: usize = 400;
pub(super) const MOST_EDGES: usize = 500;
pub(super) const DEEPEST_GROUP: usize = 12;

/// The direction of arrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Direction {
    #[default]
    Down,
    Up,
    Right,
    Left,
}

impl Direction {
    /// A direction as in the source.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "TB" | "TD" | "v" => Self::Down,
            "BT" | "^" => Self::Up,
            "LR" | ">" => Self::Right,
            "RL" | "<" => Self::Left,
            _ => return None,
        })
    }

    pub(super) const fn is_horizontal(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }
}

/// The line of an arrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ArrowLine {
    #[default]
    Solid,
    Dashed,
    Thick,
    /// Only keeps its ends in their order.
    Invisible,
}

/// What an arrow begins or ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChartEnd {
    Node(usize),
    Group(usize),
}

#[derive(Clone, Debug, Default)]
pub(super) struct ChartNode {
    pub(super) name: String,
    pub(super) shape: NodeShapeKind,
    pub(super) label: Vec<LabelLine>,
    /// The description of a state, below its label.
    pub(super) body: Vec<LabelLine>,
    pub(super) group: Option<usize>,
    pub(super) notes: Vec<ChartNote>,
}

/// A note at a state.
#[derive(Clone, Debug)]
pub(super) struct ChartNote {
    pub(super) is_left: bool,
    pub(super) text: Vec<LabelLine>,
}

#[derive(Clone, Debug)]
pub(super) struct ChartEdge {
    pub(super) from: ChartEnd,
    pub(super) to: ChartEnd,
    pub(super) label: Vec<LabelLine>,
    pub(super) line: ArrowLine,
    /// The heads at its start and its end.
    pub(super) heads: [Option<Arrowhead>; 2],
    /// The number of rows between its ends, at least 1.
    pub(super) rows: usize,
    /// Its bytes in the source.
    pub(super) span: Range<usize>,
}

/// A subgraph, a composite state or one of the concurrent regions of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct ChartGroup {
    pub(super) name: String,
    pub(super) title: Vec<LabelLine>,
    pub(super) parent: Option<usize>,
    pub(super) direction: Option<Direction>,
    pub(super) is_region: bool,
}

/// A flowchart or a state diagram.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) direction: Direction,
    pub(super) nodes: Vec<ChartNode>,
    pub(super) edges: Vec<ChartEdge>,
    pub(super) groups: Vec<ChartGroup>,
    pub(super) links: Vec<NodeLink>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
}

impl Chart {
    /// A group and all groups that contain it, from the inside to the outside.
    pub(super) fn ancestors(&self, group: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(group, |&group| self.groups[group].parent)
    }

    /// The group that an end is in; a group is not in itself.
    pub(super) fn group_of(&self, end: ChartEnd) -> Option<usize> {
        match end {
            ChartEnd::Node(node) => self.nodes[node].group,
            ChartEnd::Group(group) => self.groups[group].parent,
        }
    }

    /// Makes nodes of groups without members, from the inside to the outside.
    pub(super) fn replace_empty_groups(&mut self) {
        let mut is_empty = vec![true; self.groups.len()];
        for group in self.nodes.iter().flat_map(|node| self.ancestors(node.group)) {
            is_empty[group] = false;
        }
        // An empty group in an empty group is left out with it, unless an arrow ends there.
        let is_end: Vec<bool> = (0..self.groups.len())
            .map(|group| self.edges.iter().any(|edge| edge.from == ChartEnd::Group(group) || edge.to == ChartEnd::Group(group)))
            .collect();
        let mut place: Vec<ChartEnd> = (0..self.groups.len()).map(ChartEnd::Group).collect();
        for group in 0..self.groups.len() {
            let has_empty_parent = self.groups[group].parent.is_some_and(|parent| is_empty[parent]);
            if !is_empty[group] || (has_empty_parent && !is_end[group]) {
                continue;
            }
            let outer = self.ancestors(self.groups[group].parent).find(|&outer| !is_empty[outer]);
            place[group] = ChartEnd::Node(self.nodes.len());
            let ChartGroup { name, title, .. } = self.groups[group].clone();
            self.nodes.push(ChartNode { name, shape: NodeShapeKind::EmptyGroup, label: title, group: outer, ..ChartNode::default() });
        }
        for edge in &mut self.edges {
            for end in [&mut edge.from, &mut edge.to] {
                if let ChartEnd::Group(group) = *end {
                    *end = place[group];
                }
            }
        }
        self.remove_groups(&is_empty);
    }

    fn remove_groups(&mut self, removed: &[bool]) {
        let mut number = 0;
        let renumbered: Vec<usize> = removed
            .iter()
            .map(|removed| {
                number += usize::from(!removed);
                number.saturating_sub(1)
            })
            .collect();
        for node in &mut self.nodes {
            node.group = node.group.map(|group| renumbered[group]);
        }
        for edge in &mut self.edges {
            for end in [&mut edge.from, &mut edge.to] {
                if let ChartEnd::Group(group) = end {
                    *group = renumbered[*group];
                }
            }
        }
        let mut removed = removed.iter();
        self.groups.retain(|_| removed.next() == Some(&false));
        for group in &mut self.groups {
            group.parent = group.parent.map(|parent| renumbered[parent]);
        }
    }
}
