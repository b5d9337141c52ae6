//! Limits as people write them: `60s`, `5min`, `2GiB`.

use std::time::Duration;

/// A number with a unit of time; without one, seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: use ms, s, min or h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|error| error.to_string())
}

/// A number with a unit of memory; without one, bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit {
        "" | "B" => 1.0,
        "KiB" | "K" => 1024.0,
        "MiB" | "M" => 1024.0 * 1024.0,
        "GiB" | "G" => 1024.0 * 1024.0 * 1024.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        _ => return Err(format!("`{unit}` is no unit of memory: use KiB, MiB or GiB")),
    };
    Ok((number * factor) as u64)
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number
        .parse()
        .map_err(|_| format!("`{text}` does not start with a number"))?;
    Ok((number, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("60"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("s").is_err());
        assert!(duration("3 days").is_err());
    }

    #[test]
    fn memory() {
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("1 MB"), Ok(1_000_000));
        assert_eq!(bytes("77"), Ok(77));
        assert!(bytes("2 apples").is_err());
    }
}
