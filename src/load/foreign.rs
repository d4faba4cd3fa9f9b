//! Syntax of other generators, which would be shown as text: each kind is reported once in a file.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    directive,
    markdown::{MathSyntax, TextPassage},
};

/// A kind of syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Syntax {
    /// `{{#embed …}}` of a preprocessor of mdBook.
    Directive,
    /// `{{< … >}}`, `{{% … %}}` of Hugo.
    Shortcode,
    /// `{% … %}` of Jekyll and GitBook.
    TemplateTag,
    /// `:::note` of Docusaurus, VitePress and Pandoc.
    Container,
    /// `$$ … $$`, `$x^2$`
    Formula,
    /// `{: .class}` of Kramdown.
    AttributeList,
    /// `:icon-name:`
    Icon,
    /// `[TOC]`
    Contents,
    /// `import X from "…"` of MDX.
    Import,
}

impl Syntax {
    const fn description(self) -> &'static str {
        match self {
            Self::Directive => "a directive of an mdBook preprocessor",
            Self::Shortcode => "a shortcode of Hugo",
            Self::TemplateTag => "a tag of Jekyll or GitBook",
            Self::Container => "a container of Docusaurus or VitePress",
            Self::Formula => "a formula",
            Self::AttributeList => "an attribute list of Kramdown",
            Self::Icon => "a shortcode for an icon or an emoji",
            Self::Contents => "a placeholder for a table of contents",
            Self::Import => "an import of MDX",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Directive => "write the text here instead, and code in a code fence",
            Self::Shortcode | Self::TemplateTag => "write it in Markdown: a note begins with `> [!NOTE]`",
            Self::Container => "write a note as `> [!NOTE]`, and tabs as `=== \"Title\"`",
            Self::Formula => "add `math = true` to `[output.html]` of book.toml; write `\\$` for a dollar sign",
            Self::AttributeList => "remove it; a heading gets an id with `{#id}`",
            Self::Icon => "write the emoji itself, or remove the icon",
            Self::Contents => "remove it: every page has a table of contents",
            Self::Import => "remove it, and write in Markdown what it imports",
        }
    }
}

/// Finds syntax of other generators in the passages of a page.
pub(super) struct ForeignSyntax<'a> {
    file: &'a Arc<str>,
    /// The offset of the page's text in its file.
    body_at: usize,
    math: MathSyntax,
    seen: BTreeSet<Syntax>,
    found: Diagnostics,
}

impl<'a> ForeignSyntax<'a> {
    /// `None` if a text certainly has none. Cost: some searches for single characters.
    pub(super) fn new(file: &'a Arc<str>, body_at: usize, body: &str, math: MathSyntax) -> Option<Self> {
        let has_some = ["{{", "{%", ":::", "$", "{:", "[TOC]", "import "].iter().any(|start| body.contains(start)) || icon(body).is_some();
        has_some.then(|| Self { file, body_at, math, seen: BTreeSet::new(), found: Diagnostics::new() })
    }

    /// Checks a passage of the page.
    pub(super) fn visit(&mut self, passage: &TextPassage<'_>) {
        for (syntax, start, length) in find(passage.text()) {
            let is_read = syntax == Syntax::Formula && self.math != MathSyntax::Off;
            if !is_read && self.seen.insert(syntax) {
                let place = Place::new(self.file.clone(), passage.span(start..start + length).shifted(self.body_at));
                let message = format!("{} is shown as text", syntax.description());
                self.found.report(Rule::ForeignSyntax, place, message, syntax.help());
            }
        }
    }

    /// The findings.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.found.all_sorted()
    }
}

/// The syntaxes in a text, each with the offset and the length of its first sign.
fn find(text: &str) -> Vec<(Syntax, usize, usize)> {
    let mut found = Vec::new();
    let mut first = |syntax, sign: &str, fits: &dyn Fn(&str) -> bool| {
        let at = text.match_indices(sign).map(|(at, _)| at).find(|at| fits(&text[at + sign.len()..]));
        found.extend(at.map(|at| (syntax, at, sign.len())));
    };
    first(Syntax::Directive, "{{#", &|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()) && !directive::is_known(rest));
    for sign in ["{{<", "{{%"] {
        first(Syntax::Shortcode, sign, &|rest| rest.contains("}}"));
    }
    first(Syntax::TemplateTag, "{%", &|rest| rest.contains("%}") && !rest.contains("%}}"));
    for sign in ["{: ", "{:.", "{:#"] {
        first(Syntax::AttributeList, sign, &|rest| rest.contains('}'));
    }
    first(Syntax::Formula, "$$", &|rest| rest.contains("$$"));
    if text.trim() == "[TOC]" {
        found.push((Syntax::Contents, text.len() - text.trim_start().len(), "[TOC]".len()));
    }
    found.extend(formula(text).map(|at| (Syntax::Formula, at, 1)));
    found.extend(icon(text).map(|(at, length)| (Syntax::Icon, at, length)));
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        // After a paragraph, the first colon begins a definition.
        if line.starts_with("::") {
            found.push((Syntax::Container, at, 2));
        }
        if line.starts_with("import ") && line.contains(" from ") && line.contains(['"', '\'', '“', '‘']) {
            found.push((Syntax::Import, at, "import".len()));
        }
        at += line.len();
    }
    found
}

/// The offset of `$…$` with a sign that only formulas have: `\`, `^`, `_` or a brace.
fn formula(text: &str) -> Option<usize> {
    text.match_indices('$').map(|(at, _)| at).find(|at| {
        let rest = &text[at + 1..];
        let Some(end) = rest.find('$') else { return false };
        let inner = &rest[..end];
        let is_tight = !inner.is_empty() && !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
        is_tight && !inner.contains('\n') && inner.contains(['\\', '^', '_', '{'])
    })
}

/// The offset and the length of the first `:name:` between white space.
fn icon(text: &str) -> Option<(usize, usize)> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '+');
    text.match_indices(':').map(|(at, _)| at).find_map(|at| {
        let rest = &text[at + 1..];
        let name = &rest[..rest.find(|c: char| !is_name(c))?];
        let after = rest[name.len()..].strip_prefix(':')?;
        let begins = text[..at].chars().next_back().is_none_or(char::is_whitespace);
        let ends = after.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '.' | ',' | ')'));
        (begins && ends && name.len() > 1 && name.starts_with(|c: char| c.is_ascii_lowercase())).then_some((at, name.len() + 2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_other_generators() {
        for (text, expected) in [
            ("{{#embed ../x.rs:3:5}}", Some(Syntax::Directive)),
            ("{{#include ../x.rs:3:5}}", None),
            ("{{< alert >}}x{{< /alert >}}", Some(Syntax::Shortcode)),
            ("{{% notice tip %}}", Some(Syntax::Shortcode)),
            ("{% hint style=\"info\" %}", Some(Syntax::TemplateTag)),
            (":::note Title\ntext\n:::", Some(Syntax::Container)),
            ("The sum $$x$$ of", Some(Syntax::Formula)),
            ("where $x^2$ is", Some(Syntax::Formula)),
            ("text {: .lead}", Some(Syntax::AttributeList)),
            (":material-check: done", Some(Syntax::Icon)),
            ("[TOC]", Some(Syntax::Contents)),
            ("import Tabs from '@theme/Tabs'", Some(Syntax::Import)),
            ("{{ .Values.image }} in a chart", None),
            ("It costs $5, or $6 with {x}", None),
            ("$HOME and $PATH", None),
            ("at 10:30:15 or kube-system:default:x", None),
            ("import images from a registry", None),
            ("a: b: c", None),
        ] {
            assert_eq!(find(text).first().map(|(syntax, ..)| *syntax), expected, "{text}");
        }
    }
}
