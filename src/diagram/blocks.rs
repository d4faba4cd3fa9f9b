//! Nodes that share their arrows as blocks, and the arrows between blocks.

use std::collections::BTreeMap;

use super::{
    Graph, Node, Verb,
    measure::{LABEL_SIZE, width},
    order::Item,
};

/// The height of a box.
pub(super) const BOX: f64 = 28.0;
/// Between boxes of a block.
pub(super) const INNER_GAP: f64 = 6.0;
/// Between the frame of a block and its boxes.
pub(super) const FRAME: f64 = 8.0;
/// The height of an arrow that leaves a box beside others, with what is written above it.
const LANE: f64 = 19.0;
/// What it needs more if something is written below it, too.
const LANE_BELOW: f64 = 13.0;
/// Where the arrow runs in its lane.
pub(super) const LANE_LINE: f64 = 15.0;
/// What a box has beside its label: room on both sides, and its mark.
const BOX_PADDING: f64 = 10.0;
const MARK: f64 = 20.0;
/// More boxes than this in a block stand in several columns.
const TALLEST: usize = 22;

/// Nodes of one band that have the same arrows.
pub(super) struct Block {
    pub(super) members: Vec<usize>,
    pub(super) band: usize,
    /// Columns of boxes within it.
    pub(super) columns: usize,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An arrow between blocks, from left to right.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether the arrow leads from `to` to `from`.
    pub(super) turned: bool,
    /// What it stands for.
    pub(super) verbs: Vec<Verb>,
    /// What its opposite stands for, which is drawn as a second head.
    pub(super) back: Vec<Verb>,
    /// The places where it passes columns.
    pub(super) stops: Vec<usize>,
    /// Where its words stand.
    pub(super) word: Word,
}

/// Where an arrow's words stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// Nothing is written.
    None,
    /// At its left end, the only arrow there.
    Left,
    /// At its left end, in a lane of its own.
    Lane,
    /// At its right end.
    Right,
}

/// What is written above and below an arrow. The arrows before and after say which way is meant where there are two heads.
pub(super) fn words(link: &Link) -> [String; 2] {
    let join = |verbs: &[Verb]| verbs.iter().map(|verb| verb.label.as_str()).collect::<Vec<_>>().join(", ");
    let (forth, back) = (join(&link.verbs), join(&link.back));
    if back.is_empty() {
        return [forth, String::new()];
    }
    if link.turned { [format!("{back} →"), format!("← {forth}")] } else { [format!("{forth} →"), format!("← {back}")] }
}

/// The height of a lane with these words.
pub(super) const fn lane_height(words: &[String; 2]) -> f64 {
    if words[1].is_empty() { LANE } else { LANE + LANE_BELOW }
}

/// One pair of opposite edges, or one edge.
struct Merged {
    from: usize,
    to: usize,
    verbs: Vec<Verb>,
    back: Vec<Verb>,
}

/// One edge for each pair of nodes, whatever its direction. Edges from a node to itself are left out.
fn merged_edges(graph: &Graph) -> Vec<Merged> {
    let mut merged: Vec<Merged> = Vec::new();
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to && edge.from.max(edge.to) < graph.nodes.len()) {
        if let Some(&index) = known.get(&(edge.from, edge.to)) {
            add(&mut merged[index].verbs, &edge.verbs);
        } else if let Some(&index) = known.get(&(edge.to, edge.from)) {
            add(&mut merged[index].back, &edge.verbs);
        } else {
            known.insert((edge.from, edge.to), merged.len());
            merged.push(Merged { from: edge.from, to: edge.to, verbs: edge.verbs.clone(), back: Vec::new() });
        }
    }
    merged
}

fn add(known: &mut Vec<Verb>, more: &[Verb]) {
    for verb in more {
        if !known.contains(verb) {
            known.push(verb.clone());
        }
    }
}

/// The blocks of a graph.
pub(super) struct Blocks {
    pub(super) all: Vec<Block>,
    /// Nodes without arrows, by band.
    pub(super) loose: Vec<Vec<usize>>,
    pub(super) links: Vec<Link>,
}

/// Finds which nodes have the same arrows. `band_of` is the band of each node.
pub(super) fn blocks(graph: &Graph, band_of: &[usize], bands: usize) -> Blocks {
    /// The other end, whether the arrow leaves, what it stands for in both directions.
    type Signature<'a> = Vec<(usize, bool, Vec<&'a str>, Vec<&'a str>)>;
    let merged = merged_edges(graph);
    // What is written must hold for each member; without words, what the arrow stands for.
    let said = |verbs: &[Verb]| -> Vec<String> {
        let mut said: Vec<String> = verbs.iter().map(|verb| if graph.words { &verb.label } else { &verb.id }).cloned().collect();
        said.sort_unstable();
        said
    };
    let said: Vec<[Vec<String>; 2]> = merged.iter().map(|edge| [said(&edge.verbs), said(&edge.back)]).collect();
    let mut signatures: Vec<Signature<'_>> = vec![Vec::new(); graph.nodes.len()];
    for (edge, [forth, back]) in merged.iter().zip(&said) {
        let (forth, back): (Vec<&str>, Vec<&str>) = (forth.iter().map(String::as_str).collect(), back.iter().map(String::as_str).collect());
        signatures[edge.from].push((edge.to, true, forth.clone(), back.clone()));
        signatures[edge.to].push((edge.from, false, forth, back));
    }
    for signature in &mut signatures {
        signature.sort_unstable();
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut loose = vec![Vec::new(); bands];
    let mut block_of = vec![None; graph.nodes.len()];
    let mut known: BTreeMap<(usize, &Signature<'_>), usize> = BTreeMap::new();
    for (index, signature) in signatures.iter().enumerate() {
        let band = band_of[index];
        if signature.is_empty() {
            loose[band].push(index);
            continue;
        }
        let block = *known.entry((band, signature)).or_insert_with(|| {
            blocks.push(Block { members: Vec::new(), band, columns: 1, width: 0.0, height: 0.0 });
            blocks.len() - 1
        });
        blocks[block].members.push(index);
        block_of[index] = Some(block);
    }
    for block in &mut blocks {
        let count = block.members.len();
        block.columns = count.div_ceil(TALLEST);
        let frame = if count > 1 { 2.0 * FRAME } else { 0.0 };
        block.width = frame + stacked(block.columns, widest(graph, &block.members));
        block.height = frame + stacked(count.div_ceil(block.columns), BOX);
    }
    let links = links(&merged, &block_of);
    Blocks { all: blocks, loose, links }
}

/// The length of so many things of one size with gaps between.
#[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
pub(super) fn stacked(count: usize, size: f64) -> f64 {
    (count as f64) * (size + INNER_GAP) - INNER_GAP
}

/// The width of the widest box.
pub(super) fn widest(graph: &Graph, members: &[usize]) -> f64 {
    members.iter().map(|&member| box_width(&graph.nodes[member])).fold(0.0, f64::max)
}

/// The width of a box.
pub(super) fn box_width(node: &Node) -> f64 {
    let mark = if node.mark.is_empty() { 0.0 } else { MARK };
    (width(&node.label, LABEL_SIZE) + mark + 2.0 * BOX_PADDING).ceil()
}

/// Arrows between blocks: those that members share are one.
fn links(merged: &[Merged], block_of: &[Option<usize>]) -> Vec<Link> {
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut links: Vec<Link> = Vec::new();
    for edge in merged {
        let (Some(from), Some(to)) = (block_of[edge.from], block_of[edge.to]) else { continue };
        if let Some(&index) = known.get(&(from, to)) {
            add(&mut links[index].verbs, &edge.verbs);
            add(&mut links[index].back, &edge.back);
            continue;
        }
        known.insert((from, to), links.len());
        let (verbs, back) = (edge.verbs.clone(), edge.back.clone());
        links.push(Link { from, to, turned: false, verbs, back, stops: Vec::new(), word: Word::None });
    }
    links
}

/// Finds for the words of each arrow an end where no other arrow runs, or a lane of their own; makes room for lanes.
pub(super) fn place_words(links: &mut [Link], blocks: &mut [Block]) {
    let (leaving, entering) = degrees(links, blocks.len());
    for link in links.iter_mut() {
        link.word = match (leaving[link.from], entering[link.to]) {
            (1, _) => Word::Left,
            (_, 1) => Word::Right,
            _ => Word::Lane,
        };
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        let mut lanes: Vec<[String; 2]> = links.iter().filter(|link| link.from == index && link.word == Word::Lane).map(words).collect();
        lanes.sort_unstable();
        lanes.dedup();
        // Arrows whose words stand elsewhere leave through one more.
        let others = links.iter().any(|link| link.from == index && link.word == Word::Right);
        if others && !lanes.is_empty() {
            lanes.push(Default::default());
        }
        block.height = block.height.max(lanes.iter().map(lane_height).sum::<f64>() + 8.0);
    }
}

/// How many arrows leave and enter each block.
fn degrees(links: &[Link], blocks: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut leaving, mut entering) = (vec![0usize; blocks], vec![0usize; blocks]);
    for link in links {
        leaving[link.from] += 1;
        entering[link.to] += 1;
    }
    (leaving, entering)
}

/// Where an arrow joins others on its way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Join {
    At(usize),
    From(usize),
}

/// Adds a place for each arrow in each column that it passes, and returns the steps between neighbouring columns.
pub(super) fn add_stops(links: &mut [Link], items: &mut Vec<Item>, blocks: usize) -> Vec<(usize, usize)> {
    let (leaving, entering) = degrees(links, blocks);
    let mut known: BTreeMap<(Join, usize, bool, bool), usize> = BTreeMap::new();
    let mut steps = Vec::new();
    for link in links.iter_mut() {
        let (first, last) = (items[link.from].column, items[link.to].column);
        let join = if entering[link.to] >= leaving[link.from] { Join::At(link.to) } else { Join::From(link.from) };
        let band = match join {
            Join::At(block) | Join::From(block) => items[block].band,
        };
        let mut previous = link.from;
        for column in first + 1..last {
            let stop = *known.entry((join, column, link.turned, link.back.is_empty())).or_insert_with(|| {
                items.push(Item { column, band });
                items.len() - 1
            });
            link.stops.push(stop);
            steps.push((previous, stop));
            previous = stop;
        }
        steps.push((previous, link.to));
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}
