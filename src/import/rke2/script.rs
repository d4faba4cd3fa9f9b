//! The part of a shell script that decides which lines it writes to which file: variables, conditions that compare texts, and here-documents.
//!
//! The script is not run. What needs anything else, such as the output of a program, is unknown: a line with an unknown variable is left out, and an unknown
//! condition is true.

use std::collections::BTreeMap;

/// The maximum length of a value in bytes. A script can double a value in each line.
const MAX_VALUE: usize = 16 << 10;

/// A line that a script writes to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenLine {
    /// The name of the file, without folders.
    pub(super) file: String,
    /// The line, with the values of variables.
    pub(super) text: String,
    /// The line of the script in which it is, from 1.
    pub(super) number: usize,
}

/// The state of a script.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// The lines of each variable with a known value, with their numbers.
    variables: BTreeMap<String, Vec<(usize, String)>>,
}

impl Script {
    /// Follows a script with the variables of those before it. Returns the lines that it writes.
    pub(super) fn run(&mut self, text: &str) -> Vec<WrittenLine> {
        let mut written = Vec::new();
        // Whether the current branch of each open condition is taken.
        let mut branches: Vec<bool> = Vec::new();
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let line = line.trim();
            let is_taken = branches.iter().all(|taken| *taken);
            if let Some(condition) = line.strip_prefix("if ") {
                branches.push(self.condition(condition).unwrap_or(true));
            } else if line == "else" || line.starts_with("elif ") {
                // Of several alternatives, the first is taken if its condition is unknown.
                if let Some(branch) = branches.last_mut() {
                    *branch = !*branch && line == "else";
                }
            } else if line == "fi" {
                branches.pop();
            } else if let Some((end, file)) = here_document(line) {
                let body = lines.by_ref().take_while(|(_, line)| line.trim() != end).filter(|_| is_taken);
                let texts = body.flat_map(|(number, line)| self.lines_of(number, line));
                written.extend(texts.map(|(number, text)| WrittenLine { file: file.to_owned(), text, number }));
            } else if let Some((name, value)) = assignment(line) {
                // Quotes can contain several lines.
                let mut value = vec![(number, value)];
                if value[0].1.starts_with('"') && value[0].1.matches('"').count() % 2 == 1 {
                    for (number, line) in lines.by_ref() {
                        value.push((number, line.trim()));
                        if line.contains('"') {
                            break;
                        }
                    }
                }
                if is_taken {
                    self.assign(name, &value);
                }
            }
        }
        written
    }

    fn assign(&mut self, name: &str, value: &[(usize, &str)]) {
        let lines = value.iter().flat_map(|(number, text)| self.lines_of(*number, text.trim_matches('"')));
        let lines: Vec<(usize, String)> = lines.filter(|(_, text)| !text.is_empty()).collect();
        let length: usize = lines.iter().map(|(_, text)| text.len()).sum();
        if lines.is_empty() || length > MAX_VALUE {
            self.variables.remove(name);
        } else {
            self.variables.insert(name.to_owned(), lines);
        }
    }

    /// The lines that a line becomes: those of a variable that is alone in it, or one with the values of its variables; none if a variable is unknown.
    fn lines_of(&self, number: usize, line: &str) -> Vec<(usize, String)> {
        let line = line.trim();
        let alone = line.strip_prefix("${").and_then(|line| line.strip_suffix('}')).and_then(|name| self.variables.get(name));
        alone.cloned().unwrap_or_else(|| self.expand(line).map(|text| (number, text)).into_iter().collect())
    }

    /// Replaces `${NAME}` and `${NAME:-default}`; `None` if anything else begins with `$`, or a variable is unknown.
    fn expand(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            let (expression, after) = after.strip_prefix('{')?.split_once('}')?;
            let (name, default) = expression.split_once(":-").map_or((expression, None), |(name, default)| (name, Some(default)));
            out.push_str(before);
            match (self.variables.get(name).map(Vec::as_slice), default) {
                (Some([(_, value)]), _) => out.push_str(value),
                (None, Some(default)) if !default.contains('$') => out.push_str(default),
                _ => return None,
            }
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    }

    /// The value of `[ "${NAME}" != "text" ]; then`; `None` if it is unknown.
    fn condition(&self, condition: &str) -> Option<bool> {
        let comparison = condition.strip_prefix('[')?.strip_suffix("; then")?.trim_end().strip_suffix(']')?;
        let mut words = comparison.split_whitespace();
        let (left, operator, right) = (words.next()?, words.next()?, words.next()?);
        let value = |text: &str| self.expand(text.trim_matches('"'));
        let is_equal = value(left)? == value(right)?;
        match operator {
            _ if words.next().is_some() => None,
            "!=" => Some(!is_equal),
            "=" | "==" => Some(is_equal),
            _ => None,
        }
    }
}

/// The end of the here-document that begins in a line, and the name of the file that it is written to: `xargs pull << EOF >> build/images.txt`.
fn here_document(line: &str) -> Option<(&str, &str)> {
    let (_, after) = line.split_once("<< ")?;
    let (end, target) = after.split_once(' ')?;
    let path = target.trim_start_matches('>').trim();
    Some((end, path.rsplit('/').next().unwrap_or(path)))
}

/// Splits `NAME=value`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        let lines = Script::default().run(text).into_iter();
        lines.map(|line| format!("{} {} :{}", line.file, line.text, line.number)).collect()
    }

    #[test]
    fn variables_have_their_defaults() {
        let text = "A=${A:-x}\nB=\"${A}-1\"\nC=$(uname)\nD=\"${C}\"\ncat << EOF > out/f\n ${A}:${B}\n ${C}\n ${D}\n $A\n ${A/x/y}\nEOF\n";
        assert_eq!(written(text), ["f x:x-1 :6"]);
    }

    #[test]
    fn a_value_that_becomes_unknown_is_forgotten() {
        assert_eq!(written("A=1\nA=$(date)\ncat << EOF > f\n${A}\nEOF\n"), Vec::<String>::new());
    }

    #[test]
    fn only_branches_that_are_taken_write() {
        let branch = |condition: &str| format!("R=a\nif {condition}; then\n  cat << EOF > f\n1\nEOF\nelse\n  cat << EOF > f\n2\nEOF\nfi\n");
        for (condition, expected) in [
            ("[ \"${R}\" = \"a\" ]", "f 1 :4"),
            ("[ \"${R}\" != \"a\" ]", "f 2 :8"),
            ("[ \"${UNKNOWN}\" != \"a\" ]", "f 1 :4"),
            ("[ \"${R}\" != \"a\" ] && [ -n \"$X\" ]", "f 1 :4"),
        ] {
            assert_eq!(written(&branch(condition)), [expected], "{condition}");
        }
    }

    #[test]
    fn a_value_that_grows_too_long_is_unknown() {
        let text = format!("A=\"1\nxx\"\nB=x\n{}cat << EOF > f\n${{A}}\n${{B}}\nEOF\n", "A=\"${A}\n${A}\"\nB=${B}${B}\n".repeat(60));
        assert_eq!(written(&text), Vec::<String>::new());
    }

    #[test]
    fn a_script_that_ends_in_the_middle_is_no_problem() {
        for text in ["if [", "if [ a = b ]; then", "A=\"", "cat << EOF > f\n1", "fi\nelse\n", "A=${", "cat << EOF > f\n${\n$\nEOF", "<< "] {
            let _ = written(text);
        }
        assert_eq!(written("cat << EOF > f\n1"), ["f 1 :2"]);
    }
}
