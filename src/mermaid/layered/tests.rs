#![allow(clippy::unwrap_used)]

use super::{LayeredEdge, LayeredEnd, LayeredGraph, LayeredGroup, LayeredNode, LayoutError, layout};

fn graph(nodes: &[Option<usize>], groups: &[Option<usize>], edges: &[(LayeredEnd, LayeredEnd)]) -> LayeredGraph {
    LayeredGraph {
        nodes: nodes.iter().map(|&group| LayeredNode { start: 30.0, end: 30.0, along: 30.0, port_room: 20.0, group }).collect(),
        groups: groups
            .iter()
            .map(|&parent| LayeredGroup { parent, start: 10.0, end: 10.0, before: 10.0, after: 10.0, ..LayeredGroup::default() })
            .collect(),
        edges: edges.iter().map(|&(from, to)| LayeredEdge { from, to, rows: 1, label: None }).collect(),
    }
}

fn node(from: usize, to: usize) -> (LayeredEnd, LayeredEnd) {
    (LayeredEnd::Node(from), LayeredEnd::Node(to))
}

#[test]
fn a_chain_is_straight() {
    let layout = layout(&graph(&[None; 3], &[], &[node(0, 1), node(1, 2)])).unwrap();
    assert!(layout.nodes.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() < 0.1 && pair[0].1 < pair[1].1), "{layout:?}");
    assert!(layout.routes.iter().all(|route| route.points.iter().all(|point| (point.0 - 30.0).abs() < 0.1)), "{layout:?}");
}

#[test]
fn a_node_is_above_the_middle_of_its_targets() {
    let layout = layout(&graph(&[None; 4], &[], &[node(3, 0), node(0, 1), node(0, 2)])).unwrap();
    let middle = f64::midpoint(layout.nodes[1].0, layout.nodes[2].0);
    assert!((layout.nodes[0].0 - middle).abs() < 1.0 && (layout.nodes[3].0 - middle).abs() < 1.0, "{layout:?}");
}

#[test]
fn the_last_arrow_of_a_cycle_leads_back() {
    let layout = layout(&graph(&[None; 3], &[], &[node(0, 1), node(1, 2), node(2, 0)])).unwrap();
    assert!(layout.nodes[0].1 < layout.nodes[1].1 && layout.nodes[1].1 < layout.nodes[2].1, "{layout:?}");
    let back = &layout.routes[2].points;
    assert!(back.first().unwrap().1 > back.last().unwrap().1, "{layout:?}");
}

#[test]
fn arrows_end_at_the_borders_of_groups() {
    let edges = [(LayeredEnd::Node(0), LayeredEnd::Group(0)), (LayeredEnd::Group(0), LayeredEnd::Group(1)), node(1, 3)];
    let layout = layout(&graph(&[None, Some(0), Some(1), None], &[None, None], &edges)).unwrap();
    assert!((layout.routes[0].points.last().unwrap().1 - layout.groups[0].before).abs() < 0.1, "{layout:?}");
    assert!((layout.routes[1].points.first().unwrap().1 - layout.groups[0].after).abs() < 0.1, "{layout:?}");
    assert!(layout.groups[0].after < layout.groups[1].before, "{layout:?}");
}

#[test]
fn an_arrow_that_contradicts_its_group_is_found() {
    let edges = [node(1, 0), node(0, 2), (LayeredEnd::Node(0), LayeredEnd::Group(0))];
    assert_eq!(layout(&graph(&[None, Some(0), Some(0)], &[None], &edges)).unwrap_err(), LayoutError::Edge(2));
}
