//! Work that may not listen: it runs on a thread of its own, so that a limit or Ctrl-C is obeyed within a second whatever it
//! is at.

mod interrupt;
mod parent;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use budget::{Budget, Exhausted};
use verdict::Reason;

pub use interrupt::set_on_interrupt;
pub use parent::end_with_parent;

/// How long the work may take to notice that it is to stop; after that it is left alone.
const GRACE: Duration = Duration::from_millis(700);
/// Terms and programs are deep; recursion over them needs room.
const STACK_SIZE: usize = 1 << 30;

/// How the work ended.
pub enum Ended<T> {
    /// It is done.
    Done(T),
    /// A limit was reached, or someone asked to stop; with what the work had to say when it was told so, if it listened.
    Exhausted(Exhausted, Option<T>),
    /// It could not be done.
    Failed(Reason),
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Option<Duration>,
    /// In bytes.
    pub memory: Option<u64>,
}

/// Does the work within the limits. Ctrl-C sets `cancelled`; `meanwhile` is called many times a second.
pub fn supervise<T: Send + 'static>(
    limits: Limits,
    cancelled: &Arc<AtomicBool>,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
    mut meanwhile: impl FnMut(),
) -> Ended<T> {
    interrupt::set_on_interrupt(cancelled);
    let budget = Budget::new(limits.time, limits.memory, Arc::clone(cancelled));
    let (sender, receiver) = channel();
    let own = budget.clone();
    let worker = std::thread::Builder::new()
        .name("engine".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || {
            // The receiver may have given up already.
            let _ = sender.send(work(&own));
        });
    if let Err(error) = worker {
        return Ended::Failed(Reason::Stuck(format!("no thread can be started: {error}")));
    }
    loop {
        meanwhile();
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(result) => return Ended::Done(result),
            Err(RecvTimeoutError::Disconnected) => {
                return Ended::Failed(Reason::Internal("the engine crashed".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(exhausted) = budget.check() {
            budget.cancel();
            return Ended::Exhausted(exhausted, receiver.recv_timeout(GRACE).ok());
        }
    }
}
