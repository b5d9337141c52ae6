//! Small changes of texts: characters and words left out, doubled, swapped, replaced by others of the same language, parts of one
//! text in the middle of another.

use logic::random::Random;

const ODD: [&str; 22] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "\"",
    "'",
    "\\",
    "/*",
    "\n#",
    "0x",
    "1e999",
    "-1",
    "99999999999999999999",
    "\u{e9}",
    "\t",
    "::",
];

/// One of the texts with one to five changes.
pub(crate) fn mutant(texts: &[String], random: &mut Random) -> String {
    let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
    for _ in 0..1 + random.below(5) {
        change(&mut text, texts, random);
    }
    text.into_iter().collect()
}

fn change(text: &mut Vec<char>, texts: &[String], random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(7) {
        0 => drop(text.drain(at..(at + 1 + random.below(3)).min(text.len()))),
        1 => drop(text.drain(word(text, at))),
        2 => {
            let copied: Vec<char> = text[word(text, at)].to_vec();
            text.splice(at..at, copied);
        }
        3 => drop(text.splice(at..at, random.pick(&ODD).chars())),
        4 => {
            let other: Vec<char> = texts[random.below(texts.len())].chars().collect();
            let from = word(&other, random.below(other.len() + 1));
            text.splice(word(text, at), other[from].iter().copied());
        }
        5 => {
            let to = random.below(text.len() + 1);
            let (from, to) = (at.min(to), at.max(to).min(at.min(to) + 80));
            let moved: Vec<char> = text.drain(from..to).collect();
            let at = random.below(text.len() + 1);
            text.splice(at..at, moved);
        }
        _ => text.truncate(at),
    }
}

/// The word around a place, or what stands there.
fn word(text: &[char], at: usize) -> std::ops::Range<usize> {
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    let start = text[..at].iter().rev().take_while(|c| is_part(c)).count();
    let end = text[at..].iter().take_while(|c| is_part(c)).count();
    match start + end {
        0 => at..(at + 1).min(text.len()),
        _ => at - start..at + end,
    }
}
