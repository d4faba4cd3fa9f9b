//! The templates that are being rendered. A template can contain an endless loop, which only the command can interrupt.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

static ACTIVE: Mutex<BTreeMap<u64, String>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A template that is being rendered, until it is dropped.
pub(super) struct ActiveRender(u64);

impl ActiveRender {
    pub(super) fn start(template: &str) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        ACTIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(number, template.to_owned());
        Self(number)
    }
}

impl Drop for ActiveRender {
    fn drop(&mut self) {
        ACTIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// The names of the templates that are being rendered in this process, by unique numbers.
#[must_use]
pub fn active_renders() -> BTreeMap<u64, String> {
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
