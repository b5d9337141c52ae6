//! What a process uses, by the kernel's own account in `/proc`.

use std::time::Duration;

use nix::unistd::Pid;

/// The unit of times in `/proc`, which Linux shows to all programs alike.
const TICKS_PER_SECOND: u64 = 100;
const UNIT: &str = "kB";

/// Processor time so far; also of a process that has ended and is waited for.
pub fn cpu(pid: Pid) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program comes first, in brackets, and may have anything in it.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis((user + system) * 1000 / TICKS_PER_SECOND))
}

/// Bytes that are resident now.
pub fn memory(pid: Pid) -> u64 {
    status(pid, "VmRSS:")
}

/// The most bytes that were resident.
pub fn most_memory(pid: Pid) -> u64 {
    status(pid, "VmHWM:")
}

fn status(pid: Pid, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|value| value.trim().strip_suffix(UNIT)?.trim().parse().ok());
    number.unwrap_or(0) * 1024
}
