//! The texts in merman's drawing.

use roxmltree::Node;

use super::pen::{Row, Run};

/// The rows of a `<text>` element: its children of the class `row`, or all of it.
pub(super) fn rows(text: Node<'_, '_>) -> Vec<Row> {
    let has_rows = text.children().any(|child| has_class(child, "row"));
    if has_rows { text.children().filter(|child| has_class(*child, "row")).map(row).collect() } else { vec![row(text)] }
}

fn row(element: Node<'_, '_>) -> Row {
    let mut runs: Row = Vec::new();
    for leaf in element.descendants().filter(Node::is_text) {
        let holder = leaf.parent();
        let is = |name: &str, value: &str| holder.and_then(|holder| holder.attribute(name)) == Some(value);
        let run =
            Run { text: leaf.text().unwrap_or_default().to_owned(), bold: is("font-weight", "bold"), italic: is("font-style", "italic") };
        match runs.last_mut().filter(|last| (last.bold, last.italic) == (run.bold, run.italic)) {
            Some(last) => last.text.push_str(&run.text),
            None => runs.push(run),
        }
    }
    runs
}

/// Whether an element has a class.
pub(super) fn has_class(node: Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|classes| classes.split_ascii_whitespace().any(|one| one == class))
}
