//! Templates, compiled once.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use tera::{Context, ErrorKind, Tera, Value};

use crate::{
    diagnostic::{Diagnostic, Place, Rule},
    text::Span,
    theme::Theme,
};

/// The compiled templates of a site.
pub(super) struct Templates {
    tera: Tera,
    theme: Arc<Theme>,
    /// The words of the user interface by language, as templates read them: they are the same on every page.
    words: BTreeMap<String, Value>,
}

impl Templates {
    /// Compiles every template of the theme; all at once, because they refer to each other.
    pub(super) fn compile(theme: &Arc<Theme>) -> Result<Self, Vec<Diagnostic>> {
        let mut tera = Tera::default();
        let texts = theme.templates.iter().map(|(name, template)| (name.as_str(), &*template.text));
        let Err(error) = tera.add_raw_templates(texts) else {
            let words = theme.strings.iter().map(|(lang, strings)| (lang.to_string(), Value::from_serializable(strings))).collect();
            return Ok(Self { tera, theme: theme.clone(), words });
        };
        // Syntax errors are found one template at a time, so ask each of the site's own.
        let mut found: Vec<Diagnostic> = theme
            .templates
            .iter()
            .filter_map(|(name, template)| {
                let error = Tera::default().add_raw_template(name, &template.text).err()?;
                matches!(error.kind(), ErrorKind::SyntaxError(_)).then(|| diagnostic(theme, &error))
            })
            .collect();
        if found.is_empty() {
            found.push(diagnostic(theme, &error));
        }
        Err(found)
    }

    /// Renders a view with nothing beside it. The words of its language are `page.t`.
    pub(super) fn render(&self, name: &str, view: &impl Serialize) -> Result<String, Box<Diagnostic>> {
        self.render_beside(name, view, &no_sidebar())
    }

    /// Renders a view with this as `page.sidebar`. It comes as a value because a large part of it is the same for many pages.
    pub(super) fn render_beside(&self, name: &str, view: &impl Serialize, sidebar: &Value) -> Result<String, Box<Diagnostic>> {
        let mut context = Context::from_serialize(view).map_err(|error| Box::new(diagnostic(&self.theme, &error)))?;
        if let Some(mut page) = context.remove("page").and_then(Value::into_map) {
            let words = page.get(&"lang".into()).and_then(Value::as_str).and_then(|lang| self.words.get(lang)).cloned();
            page.extend(words.map(|words| ("t".into(), words)));
            page.insert("sidebar".into(), sidebar.clone());
            context.insert_value("page", Value::from(page));
        }
        self.tera.render(name, &context).map_err(|error| Box::new(diagnostic(&self.theme, &error)))
    }
}

/// The sidebar of a page without one.
pub(super) fn no_sidebar() -> Value {
    Value::from(Vec::<Value>::new())
}

fn diagnostic(theme: &Theme, error: &tera::Error) -> Diagnostic {
    let (message, place) = match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            let file = theme.templates.get(report.filename()).map(|template| template.file.clone());
            let span = Span::from(report.span().range.clone());
            (report.message().to_owned(), file.map(|file| Place::new(file, span)))
        }
        _ => (error.to_string(), None),
    };
    let found = match place {
        Some(place) => Diagnostic::new(Rule::TemplateError, place, message),
        None => Diagnostic::nowhere(Rule::TemplateError, message),
    };
    found.help("templates are written in the language of Tera 2; remove the file to use the built-in one")
}
