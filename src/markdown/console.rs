//! Terminal sessions: commands and their output.

use std::collections::BTreeMap;

use crate::text::escape;

/// Whether the language of a code block is that of a terminal session.
pub(super) fn is_session(language: &str) -> bool {
    matches!(language.to_ascii_lowercase().as_str(), "console" | "shell-session" | "shellsession" | "session" | "terminal")
}

/// The HTML of each line: prompts and output are in elements, so that only commands are copied. `highlight` returns the HTML of each line of a command. `None`
/// if there is no command, so that the whole text is copied.
pub(super) fn lines(text: &str, highlight: impl Fn(&str) -> Vec<String>) -> Option<Vec<String>> {
    let source: Vec<&str> = text.lines().collect();
    let strong = source.iter().any(|line| prompt(line, false).is_some());
    // Next to other prompts `# ` begins a comment; without them it is root's prompt.
    let prompt = |line: &str| prompt(line, !strong);
    let words = line_words(&source);
    let mut out = Vec::with_capacity(source.len());
    let mut commands = 0;
    let mut index = 0;
    while let Some(line) = source.get(index) {
        let Some(length) = prompt(line) else {
            out.push(output(line));
            index += 1;
            continue;
        };
        commands += 1;
        let end = command_end(&source, &words, index, length);
        write_command(source.get(index..end).unwrap_or_default(), length, &highlight, &mut out);
        index = end;
    }
    (commands > 0).then_some(out)
}

/// The length of the prompt at the beginning of a line. `root` is whether `# ` is one.
pub(super) fn prompt(line: &str, root: bool) -> Option<usize> {
    if let Some(prompt) = ["$ ", "❯ ", "➜ ", "% "].into_iter().find(|prompt| line.starts_with(prompt)) {
        return Some(prompt.len());
    }
    if matches!(line, "$" | "❯") {
        return Some(line.len());
    }
    if line.starts_with("PS ") {
        return line.find("> ").map(|at| at + 2);
    }
    let word = line.split(' ').next().unwrap_or_default();
    if word.contains('@') && word.ends_with(['$', '#']) && line.len() > word.len() {
        return Some(word.len() + 1);
    }
    (root && line.starts_with("# ")).then_some(2)
}

/// The lines that may end a here-document, by their only word. Searching all lines for each document would take quadratic time.
fn line_words<'t>(lines: &[&'t str]) -> BTreeMap<&'t str, Vec<usize>> {
    let mut words: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        let word = line.trim_start_matches('\t');
        if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            words.entry(word).or_default().push(index);
        }
    }
    words
}

/// One past the last line of the command that begins at `start`: it continues after `\` and inside here-documents.
fn command_end(lines: &[&str], words: &BTreeMap<&str, Vec<usize>>, start: usize, prompt: usize) -> usize {
    let mut index = start;
    while let Some(line) = lines.get(index) {
        let text = if index == start { line.get(prompt..).unwrap_or_default() } else { *line };
        // Without an end, it is not a here-document.
        let ends = here_document(text).and_then(|word| words.get(word)).map_or(&[][..], Vec::as_slice);
        if let Some(end) = ends.get(ends.partition_point(|line| *line <= index)) {
            return end + 1;
        }
        index += 1;
        if !text.trim_end().ends_with('\\') {
            break;
        }
    }
    index
}

/// The word that ends a here-document beginning in this line: `<<EOF`, `<<-'EOF'`.
fn here_document(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<<")?;
    let rest = rest.strip_prefix('-').unwrap_or(rest).trim_start().trim_start_matches(['\'', '"', '\\']);
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    rest.get(..length).filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}

fn write_command(lines: &[&str], prompt: usize, highlight: impl Fn(&str) -> Vec<String>, out: &mut Vec<String>) {
    // Shells print `> ` before the continuation lines of a command.
    let further = lines.iter().skip(1).map(|line| if line.starts_with("> ") { 2 } else { 0 });
    let prompts: Vec<usize> = std::iter::once(prompt).chain(further).collect();
    let command: Vec<&str> = lines.iter().zip(&prompts).map(|(line, prompt)| line.get(*prompt..).unwrap_or_default()).collect();
    let highlighted = highlight(&command.join("\n"));
    for (index, (line, prompt)) in lines.iter().zip(prompts).enumerate() {
        let text = highlighted.get(index).map_or("", String::as_str);
        out.push(match line.get(..prompt).unwrap_or_default() {
            "" => text.to_owned(),
            shown => format!("<span class=\"prompt\">{}</span>{text}", escape(shown)),
        });
    }
}

fn output(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("<span class=\"output\">{}</span>", escape(line)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `>` command, `.` output, by the number of characters of the prompt.
    fn shape(text: &str) -> Option<String> {
        let lines = lines(text, |command| command.lines().map(escape).collect())?;
        let sign = |line: &String| {
            if line.contains("class=\"prompt\"") {
                '$'
            } else if line.contains("class=\"output\"") {
                '.'
            } else {
                '+'
            }
        };
        Some(lines.iter().map(sign).collect())
    }

    #[test]
    fn distinguishes_commands_from_output() {
        for (text, expected) in [
            ("$ kubectl get pods\nNAME\nx", Some("$..")),
            ("# 説明\n$ a\n# b", Some(".$.")),
            ("# apt install\nok", Some("$.")),
            ("$ a \\\n    b \\\n> c\nout", Some("$+$.")),
            ("$ cat <<'EOF'\nx\n\nEOF\nout", Some("$+++.")),
            ("$ cat <<EOF\nno end", Some("$.")),
            ("PS C:\\> Get-Pod\nx", Some("$.")),
            ("root@node:~# ls\nx", Some("$.")),
            ("only\noutput", None),
            ("", None),
        ] {
            assert_eq!(shape(text).as_deref(), expected, "{text}");
        }
    }
}
