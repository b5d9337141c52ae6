//! Places of a file in text that was printed: `FILE:LINE`.

/// The lines of `file` that a text names.
pub fn lines_named(text: &str, file: &str) -> Vec<usize> {
    let before = |at: usize| text[..at].chars().next_back();
    text.match_indices(file)
        .filter(|&(at, _)| before(at).is_none_or(|c| !c.is_alphanumeric() && !"-_./".contains(c)))
        .filter_map(|(at, _)| number(text[at + file.len()..].strip_prefix(':')?))
        .collect()
}

/// `FILE:LINE: REST` for this file.
pub fn placed<'a>(text: &'a str, file: &str) -> Option<(usize, &'a str)> {
    let rest = text.strip_prefix(file)?.strip_prefix(':')?;
    let (line, rest) = rest.split_once(':')?;
    Some((line.parse().ok()?, rest.trim()))
}

/// `FILE:LINE: REST` for any file.
pub fn is_placed(text: &str) -> bool {
    let mut parts = text.splitn(3, ':');
    let (Some(file), Some(line), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    !file.contains(' ') && !line.is_empty() && line.chars().all(|c| c.is_ascii_digit())
}

fn number(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}
