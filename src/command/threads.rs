//! The thread pool.

use std::{num::NonZero, sync::mpsc::channel, thread};

/// Starts as many threads as there are processors, or as `RAYON_NUM_THREADS` specifies, or as the system allows: containers limit their number.
#[allow(clippy::disallowed_methods, reason = "the command reads the environment")]
pub(super) fn start() {
    let configured = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    let wanted = configured.or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1);
    // The pool can be created only once, and not at all if one of its threads can't be started. So the threads are started first, and wait for their work.
    let mut workers = Vec::new();
    for _ in 0..wanted {
        let (sender, receiver) = channel::<rayon::ThreadBuilder>();
        let work = move || receiver.recv().map(rayon::ThreadBuilder::run);
        let Ok(_) = thread::Builder::new().spawn(work) else { break };
        workers.push(sender);
    }
    let pool = rayon::ThreadPoolBuilder::new();
    // It fails only if the pool already exists.
    let _ = match workers.len() {
        0 => pool.num_threads(1).use_current_thread().build_global(),
        number => {
            let start =
                move |part| workers.pop().map_or(Ok(()), |worker| worker.send(part).map_err(|_| std::io::ErrorKind::BrokenPipe.into()));
            pool.num_threads(number).spawn_handler(start).build_global()
        }
    };
}

/// Whether the system currently allows this number of additional threads.
pub(super) fn can_start(number: usize) -> bool {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..number).map(|_| channel::<()>()).unzip();
    let started: Vec<_> = receivers.into_iter().map_while(|end| thread::Builder::new().spawn(move || end.recv().is_ok()).ok()).collect();
    drop(senders);
    started.into_iter().filter_map(|thread| thread.join().ok()).count() == number
}
