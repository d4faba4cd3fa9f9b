//! Explanations of rules for the terminal, from the rules' pages in the knowledge base.

use rust_embed::RustEmbed;

use crate::{
    decode::decode,
    diagnostic::{Diagnostics, Rule},
    directive::unescaped,
    facts::FrontMatter,
    id::Lang,
    text::is_wide,
    yaml,
};

#[derive(RustEmbed)]
#[folder = "content/rules"]
struct RulePages;

/// The longest line of prose, in characters.
const WIDTH: usize = 90;

/// The explanation of a rule, with an example and its fix; `None` if it has no page in this language.
#[must_use]
pub fn explain(rule: Rule, lang: &Lang) -> Option<String> {
    let (summary, body) = page(rule, lang)?;
    let body = for_terminal(&body);
    Some(format!("# {} ({})\n\n{}\n\n{body}", rule.name(), rule.severity().name(), summary))
}

/// The one-line summary of a rule; `None` if it has no page in this language.
#[must_use]
pub fn summary(rule: Rule, lang: &Lang) -> Option<String> {
    Some(page(rule, lang)?.0)
}

/// The languages of the explanations, sorted.
#[must_use]
pub fn languages() -> Vec<String> {
    // Every language has an index page.
    let mut languages: Vec<String> = RulePages::iter().filter_map(|file| Some(file.strip_suffix(".md")?.to_owned())).collect();
    languages.retain(|name| !name.contains('/'));
    languages.sort();
    languages
}

/// The summary and the body of the page of a rule.
fn page(rule: Rule, lang: &Lang) -> Option<(String, String)> {
    let file = format!("{}/{lang}.md", rule.name());
    let text = String::from_utf8(RulePages::get(&file)?.data.into_owned()).ok()?.replace("\r\n", "\n");
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    // Errors in these pages are found when the knowledge base is checked.
    let mut ignored = Diagnostics::new();
    let (file, front) = (file.into(), format!("{front}\n"));
    let front: FrontMatter = yaml::parse(&file, &front, 0, &mut ignored).and_then(|node| decode(&file, &node, &mut ignored))?;
    Some((front.summary?, unescaped(body.trim_start())))
}

/// Markdown for a terminal: code indented instead of fenced, headings without ids, paragraphs filled.
fn for_terminal(markdown: &str) -> String {
    let mut out = String::new();
    let mut paragraph = String::new();
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        if let Some(open) = fence {
            if line == open {
                fence = None;
            } else {
                out.extend([format!("    {line}").trim_end(), "\n"]);
            }
        } else if ticks.len() >= 3 {
            flush(&mut paragraph, &mut out);
            fence = Some(ticks);
        } else if line.starts_with('#') {
            flush(&mut paragraph, &mut out);
            let words = line.rsplit_once(" {#").map_or(line, |(words, _)| words);
            out.extend([words, "\n"]);
        } else if line.is_empty() || line.starts_with('|') {
            flush(&mut paragraph, &mut out);
            out.extend([line, "\n"]);
        } else {
            if line.starts_with("- ") {
                flush(&mut paragraph, &mut out);
            }
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        }
    }
    flush(&mut paragraph, &mut out);
    out
}

/// Moves a paragraph to `out`, in lines of at most [`WIDTH`]. Text in scripts without spaces is not filled: the terminal can break it anywhere.
fn flush(paragraph: &mut String, out: &mut String) {
    let text = std::mem::take(paragraph);
    if text.is_empty() {
        return;
    }
    if text.contains(is_wide) {
        out.extend([&text, "\n"]);
        return;
    }
    let options = textwrap::Options::new(WIDTH)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    let words: Vec<&str> = text.split_whitespace().collect();
    out.extend([&*textwrap::fill(&words.join(" "), options), "\n"]);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_rule_is_explained_in_every_language() {
        assert_eq!(languages(), ["en", "ja"]);
        for lang in languages() {
            let lang = Lang::new(&lang).unwrap();
            for rule in Rule::ALL {
                let text = explain(*rule, &lang).unwrap();
                assert!(text.starts_with(&format!("# {} (", rule.name())), "{text}");
                assert!(text.contains("\n    ") && !text.contains("\n```"), "{text}");
            }
        }
        assert_eq!(explain(Rule::DeadLink, &Lang::new("fr").unwrap()), None);
    }

    #[test]
    fn pages_become_readable_in_a_terminal() {
        let long = "word ".repeat(30);
        let shown = for_terminal(&format!("## Fix {{#fix}}\n\n````fixture\n//- a\n\n```yaml\n````\n{long}\n"));
        let mut lines = shown.lines();
        assert_eq!(lines.by_ref().take(5).collect::<Vec<_>>(), ["## Fix", "", "    //- a", "", "    ```yaml"]);
        assert_eq!(lines.map(str::len).collect::<Vec<_>>(), [89, 59]);
        assert_eq!(for_terminal("| a | b |\n| - | - |\nx\n- one\n  more\n- two\n"), "| a | b |\n| - | - |\nx\n- one more\n- two\n");
    }

    #[test]
    fn summaries_are_those_of_the_pages() {
        let english = Lang::new("en").unwrap();
        for rule in Rule::ALL {
            assert_eq!(summary(*rule, &english).unwrap(), rule.summary());
        }
    }
}
