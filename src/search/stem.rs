//! The stemmer, which maps the inflections of an English word to one stem: `restores`, `restored` and `restoring` are `restor`.
//!
//! It is shorter than well-known stemmers, because the same rules are in `web/search/words.js`: plurals, `-ing`, `-ed` and `-ion`. A stem doesn't have to be a
//! word; it only has to be the same for common inflections.

use std::borrow::Cow;

/// The shortest word that is stemmed.
const MIN: usize = 4;

/// The stem of a lower-case word. A word with letters other than a to z is its own stem.
#[must_use]
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < MIN || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    let mut stem = plural(word);
    let base = stem.strip_suffix("ing").or_else(|| stem.strip_suffix("ed")).filter(|_| !stem.ends_with("eed"));
    if let Some(base) = base.filter(|base| base.len() >= 3 && base.contains(['a', 'e', 'i', 'o', 'u', 'y'])) {
        stem = Cow::Owned(undoubled(base));
    }
    if (stem.ends_with("tion") || stem.ends_with("sion")) && stem.len() >= 7 {
        shorten(&mut stem, 3);
    }
    if stem.ends_with('e') && stem.len() >= MIN {
        shorten(&mut stem, 1);
    }
    if stem.ends_with("at") && stem.len() >= 7 {
        shorten(&mut stem, 2);
    }
    if stem.ends_with('i') && stem.len() >= MIN {
        shorten(&mut stem, 1);
        stem.to_mut().push('y');
    }
    stem
}

fn shorten(word: &mut Cow<'_, str>, count: usize) {
    let length = word.len() - count;
    word.to_mut().truncate(length);
}

fn plural(word: &str) -> Cow<'_, str> {
    let without = |count: usize| Cow::Borrowed(&word[..word.len() - count]);
    if word.ends_with("ies") && word.len() > MIN {
        Cow::Owned(format!("{}y", &word[..word.len() - 3]))
    } else if ["sses", "xes", "ches", "shes", "zes"].iter().any(|ending| word.ends_with(ending)) {
        without(2)
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        without(1)
    } else {
        Cow::Borrowed(word)
    }
}

/// Reduces a double consonant: `running` is `run`, but `pulling` is `pull`.
fn undoubled(word: &str) -> String {
    let bytes = word.as_bytes();
    let doubled = matches!(bytes, [.., a, b] if a == b && !b"aeioulsz".contains(b));
    word[..word.len() - usize::from(doubled)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn inflections_meet() {
        for forms in [
            &["restore", "restores", "restored", "restoring"][..],
            &["policy", "policies"],
            &["address", "addresses"],
            &["stop", "stops", "stopped", "stopping"],
            &["delete", "deletes", "deleted", "deleting", "deletion"],
            &["install", "installs", "installed", "installing", "installation"],
            &["configure", "configured", "configuring", "configuration"],
            &["terminate", "terminated", "terminating", "termination"],
            &["node", "nodes"],
            &["patch", "patches"],
            &["scale", "scaled", "scaling", "scales"],
            &["copy", "copies", "copied", "copying"],
            &["pull", "pulled", "pulling"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|one| *one == stems[0]), "{stems:?}");
        }
        for word in ["dns", "status", "ingress", "string", "ping", "need", "k8s", "v1.2", "etcd", "日本"] {
            assert_eq!(stem(word), word);
        }
    }
}
