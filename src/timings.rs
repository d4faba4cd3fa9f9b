//! Measures the stages of a build and the slowest pages, for `--timings`. The output of a build does not depend on it.
#![allow(clippy::disallowed_methods, reason = "this module is the clock")]

use std::{
    fmt::Write as _,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::text::printable;

/// The number of slowest pages that are listed.
const SLOWEST: usize = 10;

/// A collection of measurements; empty unless it is [on](Self::on).
#[derive(Debug, Default)]
pub struct Timings(Option<Mutex<Times>>);

#[derive(Debug, Default)]
struct Times {
    stages: Vec<StageTime>,
    pages: Vec<(String, Duration)>,
}

#[derive(Debug)]
struct StageTime {
    name: &'static str,
    wall: Duration,
    /// The CPU time of all threads.
    processor: Duration,
}

impl Timings {
    /// Creates a collection that ignores all measurements.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Creates a collection that records measurements.
    #[must_use]
    pub fn on() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Runs `work`, and records its duration as a stage. Stages must not be nested; the durations of stages with the same name are added.
    pub fn stage<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let Some(times) = &self.0 else { return work() };
        let (started, before) = (Instant::now(), processor_time());
        let result = work();
        let (wall, processor) = (started.elapsed(), processor_time().saturating_sub(before));
        let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
        match times.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => (stage.wall, stage.processor) = (stage.wall + wall, stage.processor + processor),
            None => times.stages.push(StageTime { name, wall, processor }),
        }
        drop(times);
        result
    }

    /// Runs `work` for a page, on any thread, and records its duration.
    pub fn page<T>(&self, name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
        let Some(times) = &self.0 else { return work() };
        let started = Instant::now();
        let result = work();
        let took = started.elapsed();
        times.lock().unwrap_or_else(PoisonError::into_inner).pages.push((name(), took));
        result
    }

    /// A table of the stages with their shares, and the slowest pages. Empty if nothing was collected.
    #[must_use]
    pub fn report(&self) -> String {
        let Some(times) = &self.0 else { return String::new() };
        let times = times.lock().unwrap_or_else(PoisonError::into_inner);
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
        let whole: f64 = times.stages.iter().map(|stage| milliseconds(stage.wall)).sum();
        let mut text = format!("{:<24} {:>10} {:>6} {:>10}\n", "stage", "ms", "share", "CPU ms");
        for stage in &times.stages {
            let share = if whole > 0.0 { milliseconds(stage.wall) / whole * 100.0 } else { 0.0 };
            let _ = writeln!(
                text,
                "{:<24} {:>10.1} {share:>5.0}% {:>10.1}",
                stage.name,
                milliseconds(stage.wall),
                milliseconds(stage.processor)
            );
        }
        let processor: f64 = times.stages.iter().map(|stage| milliseconds(stage.processor)).sum();
        let _ = writeln!(text, "{:<24} {whole:>10.1} {:>6} {processor:>10.1}", "all", "");
        let mut pages: Vec<&(String, Duration)> = times.pages.iter().collect();
        pages.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if !pages.is_empty() {
            text.push_str("\nslowest files\n");
        }
        for (name, took) in pages.into_iter().take(SLOWEST) {
            let _ = writeln!(text, "{:>10.1} ms  {}", milliseconds(*took), printable(name));
        }
        text
    }
}

/// The CPU time of this process.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_in_their_order_and_pages_by_their_time() {
        let timings = Timings::on();
        assert_eq!(timings.stage("first", || 1), 1);
        timings.stage("second", || {
            timings.page(|| "slow".to_owned(), || std::thread::sleep(Duration::from_millis(20)));
            timings.page(|| "fast".to_owned(), || ());
        });
        let report = timings.report();
        let places: Vec<Option<usize>> = ["first", "second", "all ", "slow\n", "fast\n"].map(|word| report.find(word)).to_vec();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{report}");
        let off = Timings::off();
        assert_eq!((off.stage("x", || 2), off.report()), (2, String::new()));
    }
}
