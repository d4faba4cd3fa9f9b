//! The threads that share the work.

use std::{num::NonZero, sync::mpsc::channel, thread};

/// Starts as many threads as there are processors (or as `RAYON_NUM_THREADS` says), or as many as the system allows: containers limit their number.
pub(super) fn start() {
    let wanted = thread::available_parallelism().map_or(1, NonZero::get);
    let possible = possible(wanted);
    let pool = rayon::ThreadPoolBuilder::new();
    // The pool can be created only once, and fails as a whole if one thread can't be started.
    let pool = match possible {
        0 => pool.num_threads(1).use_current_thread(),
        number if number < wanted => pool.num_threads(number),
        _ => pool,
    };
    // It fails only if there is a pool already.
    let _ = pool.build_global();
}

/// How many threads can be started at the same time, up to `wanted`.
fn possible(wanted: usize) -> usize {
    let mut senders = Vec::new();
    let mut threads = Vec::new();
    for _ in 0..wanted {
        let (sender, receiver) = channel::<()>();
        let Ok(thread) = thread::Builder::new().spawn(move || receiver.recv().is_ok()) else { break };
        senders.push(sender);
        threads.push(thread);
    }
    drop(senders);
    threads.into_iter().filter_map(|thread| thread.join().ok()).count()
}
