//! Ending with the process that started this one. A campaign that is killed has no time to end its checks, and nobody would
//! wait for their answers.

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::getppid;

/// The exit status of a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// If a campaign started this process, it is killed when the campaign ends. To be called first of all.
pub fn end_with_parent() {
    let Ok(parent) = std::env::var(campaign::PARENT) else {
        return;
    };
    // Only the one that set it: what this process starts itself is no check of a campaign.
    if getppid().to_string() == parent {
        // Without it the check goes on for nobody until its time limit.
        let _ = set_pdeathsig(Signal::SIGKILL);
    }
    // The campaign may have ended before the kernel was told, and somebody else be the parent now.
    if getppid().to_string() != parent && std::env::args().nth(1).as_deref() == Some("check") {
        std::process::exit(INTERRUPTED);
    }
}
