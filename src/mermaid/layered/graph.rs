//! The input and the result of a layout.

/// A box.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::mermaid) struct LayeredNode {
    /// How far it extends from its middle to the start of its row.
    pub(in crate::mermaid) start: f64,
    /// How far it extends to the end of its row. It differs from `start` if something is attached to one side.
    pub(in crate::mermaid) end: f64,
    /// Its size along the arrows.
    pub(in crate::mermaid) along: f64,
    /// The greatest distance of an arrow's end from its middle.
    pub(in crate::mermaid) port_room: f64,
    /// The innermost group that contains it.
    pub(in crate::mermaid) group: Option<usize>,
}

/// A group of nodes and other groups, which has at least one node.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::mermaid) struct LayeredGroup {
    pub(in crate::mermaid) parent: Option<usize>,
    /// The space between its border and its content: at the start and end of a row, before the first and after the last row.
    pub(in crate::mermaid) start: f64,
    pub(in crate::mermaid) end: f64,
    pub(in crate::mermaid) before: f64,
    pub(in crate::mermaid) after: f64,
    /// The least size.
    pub(in crate::mermaid) min_across: f64,
    pub(in crate::mermaid) min_along: f64,
}

/// What an arrow begins or ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::mermaid) enum LayeredEnd {
    Node(usize),
    Group(usize),
}

/// An arrow.
#[derive(Clone, Copy, Debug)]
pub(in crate::mermaid) struct LayeredEdge {
    pub(in crate::mermaid) from: LayeredEnd,
    pub(in crate::mermaid) to: LayeredEnd,
    /// The number of rows between its ends, at least 1.
    pub(in crate::mermaid) rows: usize,
    /// The size of its label, across and along.
    pub(in crate::mermaid) label: Option<(f64, f64)>,
}

/// A graph.
#[derive(Clone, Debug, Default)]
pub(in crate::mermaid) struct LayeredGraph {
    pub(in crate::mermaid) nodes: Vec<LayeredNode>,
    pub(in crate::mermaid) groups: Vec<LayeredGroup>,
    pub(in crate::mermaid) edges: Vec<LayeredEdge>,
}

/// The area of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::mermaid) struct GroupExtent {
    pub(in crate::mermaid) start: f64,
    pub(in crate::mermaid) end: f64,
    pub(in crate::mermaid) before: f64,
    pub(in crate::mermaid) after: f64,
}

/// The course of an arrow, from its start to its end. Points are across and along.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::mermaid) struct Route {
    /// An even number of points, at least two. Between the first and the second point, the third and the fourth …, the arrow may change its place in the row;
    /// between the others it is straight. The first and the last are at the borders of the rows of its ends, or at the border of a group.
    pub(in crate::mermaid) points: Vec<(f64, f64)>,
    /// The middle of its label.
    pub(in crate::mermaid) label: Option<(f64, f64)>,
}

/// A layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::mermaid) struct LayeredLayout {
    /// The middle of each node.
    pub(in crate::mermaid) nodes: Vec<(f64, f64)>,
    pub(in crate::mermaid) groups: Vec<GroupExtent>,
    pub(in crate::mermaid) routes: Vec<Route>,
    /// The size of the whole.
    pub(in crate::mermaid) across: f64,
    pub(in crate::mermaid) along: f64,
}

impl LayeredGraph {
    /// The group and all groups that contain it, from the inside to the outside.
    pub(super) fn ancestors(&self, group: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(group, |&group| self.groups[group].parent)
    }

    /// The number of groups around the members of a group, itself included.
    pub(super) fn depth(&self, group: Option<usize>) -> usize {
        self.ancestors(group).count()
    }

    /// The outermost group that contains the first place and not the second one.
    pub(super) fn outermost_apart(&self, inside: Option<usize>, outside: Option<usize>) -> Option<usize> {
        let others: Vec<usize> = self.ancestors(outside).collect();
        self.ancestors(inside).take_while(|group| !others.contains(group)).last()
    }
}
