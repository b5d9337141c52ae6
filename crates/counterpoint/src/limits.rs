//! Limits on the command line: `60s`, `5min`, `2GiB`.

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

/// No single question to the solver may hold up an engine for longer.
const QUERY_LIMIT: Duration = Duration::from_secs(5);

/// The limits of an engine's solver when the whole process may use so many bytes.
pub fn solver_options(memory_limit: Option<u64>) -> solver::Options {
    solver::Options {
        time_limit: Some(QUERY_LIMIT),
        memory_limit: memory_limit.and_then(|bytes| u32::try_from(bytes >> 20).ok()),
    }
}
