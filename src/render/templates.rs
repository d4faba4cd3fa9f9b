//! Templates, which are compiled once.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use tera::{Context, ErrorKind, Kwargs, State, Tera, Value};

use super::{active::ActiveRender, inline_code};
use crate::{
    diagnostic::{Diagnostic, Place, Rule},
    id::Lang,
    text::Span,
    theme::Theme,
};

/// HTML, or the error in a template.
pub(super) type RenderResult = Result<String, Box<Diagnostic>>;

pub(super) struct Templates {
    tera: Tera,
    theme: Arc<Theme>,
    strings: BTreeMap<Lang, Value>,
}

impl Templates {
    /// Compiles the templates of the theme together, because they refer to each other.
    pub(super) fn compile(theme: &Arc<Theme>) -> Result<Self, Vec<Diagnostic>> {
        let mut tera = engine();
        let texts = theme.templates.iter().map(|(name, template)| (name.as_str(), &*template.text));
        let Err(error) = tera.add_raw_templates(texts) else {
            let strings = theme.strings.iter().map(|(lang, strings)| (lang.clone(), Value::from_serializable(strings))).collect();
            return Ok(Self { tera, theme: theme.clone(), strings });
        };
        // The engine reports one syntax error at a time, so each template of the site is compiled separately to find them all.
        let mut found: Vec<Diagnostic> = theme
            .templates
            .iter()
            .filter_map(|(name, template)| {
                let error = engine().add_raw_template(name, &template.text).err()?;
                matches!(error.kind(), ErrorKind::SyntaxError(_)).then(|| diagnostic(theme, &error))
            })
            .collect();
        if found.is_empty() {
            found.push(diagnostic(theme, &error));
        }
        Err(found)
    }

    /// The interface strings of a language as templates read them.
    pub(super) fn strings(&self, lang: &Lang) -> Value {
        self.strings.get(lang).cloned().unwrap_or_else(Value::none)
    }

    /// Renders a view, with its frame as `page` if it is a whole page.
    pub(super) fn render(&self, name: &str, view: &impl Serialize, page: Option<Value>) -> RenderResult {
        let error = |error| Box::new(diagnostic(&self.theme, &error));
        let mut context = Context::from_serialize(view).map_err(error)?;
        if let Some(page) = page {
            context.insert_value("page", page);
        }
        let _active = ActiveRender::start(name);
        self.tera.render(name, &context).map_err(error)
    }
}

/// Tera with the filter `inline_code`: the text of a fact as HTML, with the code between backticks as `<code>`.
fn engine() -> Tera {
    let mut tera = Tera::default();
    tera.register_filter("inline_code", |text: &str, _: Kwargs, _: &State<'_>| Value::safe_string(&inline_code::html(text)));
    tera
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
