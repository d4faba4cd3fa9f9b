//! The space that nodes and groups need: labels, notes, arrows to themselves.

use super::{
    chart::{ChartEdge, ChartGroup, ChartNode},
    label::{BOLD, label_size},
    layered::LayeredNode,
    path::Point,
    shape::NodeShapeKind,
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The distance of a note from its state.
pub(super) const NOTE_GAP: f64 = 22.0;
/// The space around the text of a note.
const NOTE_PADDING: Point = (9.0, 7.0);
/// The space around the label and around the body of a state.
pub(super) const BODY_PADDING: f64 = 6.0;
/// How far an arrow from a node to itself extends, and half of the distance between its ends.
pub(super) const LOOP: Point = (26.0, 8.0);
/// The distance of its label.
pub(super) const LOOP_LABEL: f64 = 6.0;
/// The space between the border of a group and its content.
const GROUP_PADDING: f64 = 14.0;

/// The size of a node with what is attached to it.
#[derive(Clone, Debug)]
pub(super) struct NodeSpace {
    pub(super) shape: NodeShapeKind,
    /// The size of the shape.
    pub(super) size: Point,
    /// What is attached at its upper or left side, and at its lower or right side, in the direction of rows.
    before: f64,
    after: f64,
    /// The size of what is attached, in the direction of arrows.
    attached: f64,
}

/// The size of a group's frame without its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupFrame {
    pub(super) padding: f64,
    /// The additional space above the content.
    pub(super) title: f64,
    pub(super) min_width: f64,
}

/// The size of the shape of a node.
pub(super) fn node_size(node: &ChartNode, is_horizontal: bool) -> Point {
    let label = label_size(&node.label, LABEL_SIZE);
    if node.body.is_empty() {
        return node.shape.size(label, is_horizontal);
    }
    let body = label_size(&node.body, LABEL_SIZE);
    (label.0.max(body.0) + 24.0, 4.0f64.mul_add(BODY_PADDING, label.1 + body.1))
}

/// The size of a note.
pub(super) fn note_size(note: &super::chart::ChartNote) -> Point {
    let (wide, high) = label_size(&note.text, LABEL_SIZE);
    (2.0f64.mul_add(NOTE_PADDING.0, wide), 2.0f64.mul_add(NOTE_PADDING.1, high))
}

/// The size of a node with its notes and its arrows to itself. In the direction of rows, notes are next to the node, in a stack.
pub(super) fn node_space(node: &ChartNode, loops: &[&ChartEdge], is_horizontal: bool) -> NodeSpace {
    let turn = |(wide, high): Point| if is_horizontal { (high, wide) } else { (wide, high) };
    let size = node_size(node, is_horizontal);
    let mut sides = [0.0_f64; 2];
    let mut attached = 0.0_f64;
    for (index, is_left) in [true, false].into_iter().enumerate() {
        let notes = node.notes.iter().filter(|note| note.is_left == is_left).map(|note| turn(note_size(note)));
        let (mut across, mut along) = (0.0_f64, 0.0_f64);
        for note in notes {
            across = across.max(note.0);
            along += note.1 + if along > 0.0 { NOTE_PADDING.1 } else { 0.0 };
        }
        sides[index] += if across > 0.0 { across + NOTE_GAP } else { 0.0 };
        attached = attached.max(along);
    }
    let (across, along) = loops_size(loops, is_horizontal);
    sides[loop_side(node)] += across;
    attached = attached.max(along);
    NodeSpace { shape: node.shape, size, before: sides[0], after: sides[1], attached }
}

/// The size of arrows from a box to itself, in the direction of rows and of arrows.
fn loops_size(loops: &[&ChartEdge], is_horizontal: bool) -> (f64, f64) {
    let mut size = (0.0, 0.0);
    for edge in loops {
        let (wide, high) = label_size(&edge.label, SMALL_SIZE);
        let (across, along) = if is_horizontal { (high, wide) } else { (wide, high) };
        size.0 += LOOP.0 + if edge.label.is_empty() { 0.0 } else { across + LOOP_LABEL };
        size.1 = f64::max(size.1, along).max(4.0 * LOOP.1);
    }
    size
}

/// The side of arrows from a node to itself: 0 for the upper or left one, 1 for the other one. It has no notes if the other one has some.
pub(super) fn loop_side(node: &ChartNode) -> usize {
    usize::from(node.notes.is_empty() || node.notes.iter().all(|note| note.is_left))
}

pub(super) fn group_frame(group: &ChartGroup) -> GroupFrame {
    let (wide, high) = label_size(&group.title, SMALL_SIZE);
    let title = if group.title.is_empty() { 0.0 } else { high + 4.0 };
    GroupFrame { padding: GROUP_PADDING, title, min_width: BOLD.mul_add(wide, 24.0) }
}

impl NodeSpace {
    /// A frame with its arrows to itself.
    pub(super) fn of_frame(size: Point, loops: &[&ChartEdge], is_horizontal: bool) -> Self {
        let (after, attached) = loops_size(loops, is_horizontal);
        Self { shape: NodeShapeKind::Rectangle, size, before: 0.0, after, attached }
    }

    /// The box for the layout of rows.
    pub(super) fn layered(&self, is_horizontal: bool) -> LayeredNode {
        let (along, across) = if is_horizontal { self.size } else { (self.size.1, self.size.0) };
        LayeredNode {
            start: across / 2.0 + self.before,
            end: across / 2.0 + self.after,
            along: along.max(self.attached),
            port_room: self.shape.port_room(self.size, is_horizontal),
            group: None,
        }
    }

    /// The point of the outline from which an arrow leads straight to `near`.
    pub(super) fn outline(&self, middle: Point, near: Point, is_horizontal: bool) -> Point {
        let (offset, towards) = if is_horizontal { (near.1 - middle.1, near.0 - middle.0) } else { (near.0 - middle.0, near.1 - middle.1) };
        let sign = if towards < 0.0 { -1.0 } else { 1.0 };
        let reach = sign * self.shape.reach(self.size, is_horizontal, offset, sign);
        if is_horizontal { (middle.0 + reach, near.1) } else { (near.0, middle.1 + reach) }
    }
}
