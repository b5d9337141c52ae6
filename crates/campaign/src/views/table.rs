//! The table for a terminal: programs × checks, then how many of each verdict, then what is violated and why there is no answer.

use std::collections::BTreeMap;

use crate::{Answer, Results, Verdict};

/// Wider tables have numbers for columns, and a list of what they stand for.
const WIDTH: usize = 110;

/// The word in a cell.
fn word(answer: Option<&Answer>) -> &'static str {
    match answer.map(|answer| answer.verdict) {
        Some(Verdict::True) => "true",
        Some(Verdict::False) => "FALSE",
        Some(Verdict::Unknown) => "unknown",
        Some(Verdict::Inapplicable) => "-",
        Some(Verdict::Error) => "error",
        None => "...",
    }
}

pub fn table(results: &Results<'_>) -> String {
    let matrix = results.matrix;
    let titles: Vec<String> = matrix.columns.iter().map(|column| column.title()).collect();
    let first = matrix
        .rows
        .iter()
        .map(|row| row.chars().count())
        .max()
        .unwrap_or(0);
    let first = first.max("program".len());
    let widest = |titles: &[String]| -> Vec<usize> {
        let all = titles.iter().enumerate();
        all.map(|(column, title)| {
            let words = (0..matrix.rows.len())
                .filter_map(|row| matrix.cell(row, column))
                .map(|cell| word(results.answer(cell)).len());
            words.max().unwrap_or(0).max(title.chars().count())
        })
        .collect()
    };
    let mut text = String::new();
    let mut heads = titles.clone();
    let mut widths = widest(&heads);
    if first + widths.iter().map(|width| width + 2).sum::<usize>() > WIDTH {
        heads = (1..=titles.len()).map(|number| number.to_string()).collect();
        widths = widest(&heads);
        for (head, title) in heads.iter().zip(&titles) {
            text += &format!("{head:>3}  {title}\n");
        }
        text += "\n";
    }
    let mut line = |name: &str, words: &mut dyn Iterator<Item = String>| {
        let mut line = format!("{name:first$}");
        for (word, width) in words.zip(&widths) {
            line += &format!("  {word:width$}");
        }
        text += line.trim_end();
        text += "\n";
    };
    line("program", &mut heads.iter().cloned());
    for (row, name) in matrix.rows.iter().enumerate() {
        let mut words = (0..titles.len()).map(|column| match matrix.cell(row, column) {
            Some(cell) => word(results.answer(cell)).to_owned(),
            None => String::new(),
        });
        line(name, &mut words);
    }
    text + "\n" + &totals(results) + &remarks(results)
}

/// `65 checks: 40 true, 1 false, 2 unknown, 22 with nothing to check`
fn totals(results: &Results<'_>) -> String {
    let mut parts = Vec::new();
    for verdict in Verdict::ALL {
        let count = results.count(verdict);
        match (verdict, count) {
            (_, 0) => {}
            (Verdict::Inapplicable, count) => parts.push(format!("{count} with nothing to check")),
            (Verdict::Error, count) => parts.push(format!("{count} that cannot be checked")),
            (verdict, count) => parts.push(format!("{count} {}", verdict.name())),
        }
    }
    let missing = results.cells().filter(|(_, answer)| answer.is_none()).count();
    if missing > 0 {
        parts.push(format!("{missing} without an answer yet"));
    }
    format!("{} checks: {}\n", results.matrix.cells.len(), parts.join(", "))
}

fn remarks(results: &Results<'_>) -> String {
    let mut text = String::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (cell, answer) in results.cells() {
        let Some(answer) = answer else { continue };
        let name = results.matrix.name(cell);
        let wrong = match (answer.verdict, cell.expected) {
            (Verdict::True, Some(false)) => " (expected: false)",
            (Verdict::False, Some(true)) => " (expected: true)",
            _ => "",
        };
        match answer.verdict {
            Verdict::False => {
                text += &format!("violated: {name}: {}: {}{wrong}\n", answer.place, answer.reason);
            }
            Verdict::True if !wrong.is_empty() => text += &format!("proved: {name}{wrong}\n"),
            Verdict::Error => text += &format!("error: {name}: {}\n", answer.reason),
            Verdict::Unknown => *reasons.entry(answer.kind.as_str()).or_default() += 1,
            Verdict::True | Verdict::Inapplicable => {}
        }
    }
    if !reasons.is_empty() {
        let parts: Vec<String> = reasons
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        text += &format!("unknown because of: {}\n", parts.join(", "));
    }
    text
}
