//! Limits on the command line: `60s`, `5min`, `2GiB`.

use std::ops::RangeInclusive;
use std::time::Duration;

pub use budget::text::{bytes, duration};

/// The longest cube that predicate abstraction tries.
#[derive(Clone, Copy, Debug)]
pub struct CubeLength(pub Option<usize>);

pub fn cube_length(text: &str) -> Result<CubeLength, String> {
    match text {
        "none" => Ok(CubeLength(None)),
        _ => text
            .parse()
            .map(|length| CubeLength(Some(length)))
            .map_err(|_| "a number or `none` is expected".to_owned()),
    }
}

/// Addresses from the first to the last, such as `0x40000000-0x5fffffff`, or one.
pub fn addresses(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| {
        let text = text.trim();
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        }
        .map_err(|_| format!("`{text}` is no address"))
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    match first <= last {
        true => Ok(first..=last),
        false => Err("the first address is above the last".to_owned()),
    }
}

/// No single question to the solver may hold up an engine for longer.
const QUERY_LIMIT: Duration = Duration::from_secs(5);

/// The limits of an engine's solver when the whole process may use so many bytes.
pub fn solver_options(memory_limit: Option<u64>) -> solver::Options {
    solver::Options {
        time_limit: Some(QUERY_LIMIT),
        memory_limit: memory_limit.and_then(|bytes| u32::try_from(bytes >> 20).ok()),
        prover: solver::Prover::default(),
    }
}
