//! Ctrl-C. A thread of its own waits for the signal, which all others block: a library that puts a handler of its own in
//! place while it works, as solvers do, would swallow it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SigSet, Signal};

/// The exit status of a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// From now on the first Ctrl-C sets the flag; another one, or one when the flag is set, ends the program. To be called
/// before other threads are started.
pub fn set_on_interrupt(flag: &Arc<AtomicBool>) {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    if signals.thread_block().is_err() {
        // Without it Ctrl-C ends the program as usual.
        return;
    }
    // A shell may have started the program with the signal ignored: then it would not even wait to be taken.
    let _ = ctrlc::set_handler(|| {});
    let flag = Arc::clone(flag);
    let waiting = std::thread::Builder::new().name("interrupt".to_owned());
    let started = waiting.spawn(move || {
        while signals.wait().is_ok() {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        }
    });
    if started.is_err() {
        // Nobody would take the signal.
        let _ = signals.thread_unblock();
    }
}
