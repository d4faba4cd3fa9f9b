//! Constants with texts in a file of Go.

use std::collections::BTreeMap;

use super::statement::SourceFile;

/// The text of a constant, and its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoConstant<'t> {
    /// The text without quotes.
    pub(super) text: &'t str,
    /// The line in the file, from 1.
    pub(super) line: usize,
}

/// The constants of a file whose value is one text, by name: `DefaultEtcdVersion = "v3.5.2"`.
pub(super) fn go_constants(file: SourceFile<'_>) -> BTreeMap<&str, GoConstant<'_>> {
    let constant = |(line, text)| {
        let (name, value) = assignment(text)?;
        Some((name, GoConstant { text: value, line }))
    };
    file.lines().filter_map(constant).collect()
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let name = name.strip_prefix("const ").unwrap_or(name).trim_start();
    let (value, after) = value.trim_start().strip_prefix('"')?.split_once('"')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_whole = after.trim_start().is_empty() || after.trim_start().starts_with("//");
    (is_name && is_whole).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_constants_with_one_text_are_read() {
        let text =
            "const A = \"1\"\nconst (\n\t// B = \"0\"\n\tB   = \"2\" // b\n\tC = B + \"3\"\n\tD = \"x\" + B\n\tE, F = \"1\", \"2\"\n)\n";
        let constants = go_constants(SourceFile { path: "a.go", text });
        let constants: Vec<_> = constants.iter().map(|(name, constant)| (*name, constant.text, constant.line)).collect();
        assert_eq!(constants, [("A", "1", 1), ("B", "2", 4)]);
    }
}
