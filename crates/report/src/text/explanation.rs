//! An explanation on one screen: the lines to look at, then the story in order. Both runs side by side on request.

use std::fmt::Write as _;

use crate::explanation::{Alone, Change, Different, Explanation, Found, Line, Turn};

/// Of more suspicious lines than this, the rest is left out.
const SUSPICIOUS: usize = 5;
/// Of more lines of one detour than this, the middle is left out.
const DETOUR: usize = 6;
/// Of more changes than this, the rest is left out.
const CHANGES: usize = 6;

/// What of an explanation is to be shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplanationOptions {
    /// All differences, also those that the outcome does not depend on.
    pub all: bool,
    pub side_by_side: bool,
}

impl Explanation {
    pub fn text(&self, options: ExplanationOptions) -> String {
        let mut text = String::new();
        match self {
            Explanation::None { unexplained } => {
                let _ = writeln!(text, "not explained: {unexplained}");
            }
            Explanation::Found(found) => found.tell(&mut text, options),
        }
        text
    }
}

impl Found {
    fn tell(&self, text: &mut String, options: ExplanationOptions) {
        text.push_str("why: compared with the closest run that does not fail\n");
        for (number, suspicious) in self.suspicious.iter().take(SUSPICIOUS).enumerate() {
            let _ = writeln!(
                text,
                "  look at {}. {}   ({})",
                number + 1,
                place(&suspicious.line),
                suspicious.why
            );
        }
        let shown: Vec<&Change> = self
            .changes
            .iter()
            .filter(|change| options.all || change.causal)
            .collect();
        let most = if options.all { shown.len() } else { CHANGES };
        for change in shown.iter().take(most) {
            tell(text, &change.what, options.all);
        }
        let left = self.changes.len() - shown.len().min(most);
        if left > 0 {
            let s = if left == 1 { "" } else { "s" };
            let _ = writeln!(text, "  … {left} difference{s} more (all with --all)");
        }
        let inputs: Vec<&str> = self.inputs.iter().map(|input| input.value.as_str()).collect();
        let ending = match self.ends {
            true => "ends without failing",
            false => "does not fail for as long",
        };
        let _ = match inputs.is_empty() {
            true => writeln!(text, "  the other run {ending}"),
            false => writeln!(text, "  the other run {ending}, on inputs {}", shortened(&inputs)),
        };
        if options.side_by_side {
            self.side_by_side(text);
        }
    }

    fn side_by_side(&self, text: &mut String) {
        const WIDTH: usize = 56;
        let cell = |line: &Option<Line>| {
            let line = line.as_ref().map(brief).unwrap_or_default();
            let mut cut: String = line.chars().take(WIDTH - 1).collect();
            if cut.chars().count() < line.chars().count() {
                cut.pop();
                cut.push('…');
            }
            cut
        };
        let _ = writeln!(text, "  {:<WIDTH$}   the other run", "the failing run");
        for row in &self.rows {
            let sign = match (&row.failing, &row.other) {
                (Some(a), Some(b)) if a == b => ' ',
                (Some(_), Some(_)) => '|',
                (Some(_), None) => '<',
                _ => '>',
            };
            let _ = writeln!(
                text,
                "  {:<WIDTH$} {sign} {}",
                cell(&row.failing),
                cell(&row.other)
            );
            for (was, now) in &row.differing {
                let (was, now) = (format!("    {was}"), format!("    {now}"));
                let _ = writeln!(text, "  {was:<WIDTH$} ~ {now}");
            }
        }
    }
}

fn shortened(inputs: &[&str]) -> String {
    const MOST: usize = 12;
    match inputs.len() > MOST {
        true => format!("{}, … ({} in all)", inputs[..MOST].join(", "), inputs.len()),
        false => inputs.join(", "),
    }
}

fn tell(text: &mut String, what: &Different, all: bool) {
    match what {
        Different::Detour {
            turn,
            deleted,
            inserted,
        } => {
            lines(text, '-', deleted, all);
            lines(text, '+', inserted, all);
            if let Some(turn) = turn {
                let _ = writeln!(text, "      at {}", turned(turn));
            }
        }
        Different::Predicate {
            first,
            last,
            was,
            now,
        } => {
            let _ = writeln!(text, "  ~ {}", range(first, last));
            let _ = writeln!(text, "      was: {was}");
            let _ = writeln!(text, "      now: {now}");
        }
        Different::Outcome { turn } => {
            let _ = writeln!(text, "  = {}", turned(turn));
        }
    }
}

fn turned(turn: &Turn) -> String {
    match turn.was.contains('$') || turn.now.contains('$') {
        true => format!("{}   another way", place(&turn.line)),
        false => format!("{}   was: {}   now: {}", place(&turn.line), turn.was, turn.now),
    }
}

fn lines(text: &mut String, sign: char, lines: &[Alone], all: bool) {
    let lines: Vec<&Line> = lines
        .iter()
        .filter(|alone| all || alone.causal)
        .map(|alone| &alone.line)
        .collect();
    let hidden = match all {
        true => 0,
        false => lines.len().saturating_sub(DETOUR),
    };
    for (number, line) in lines.iter().enumerate() {
        if hidden > 0 && number == DETOUR / 2 {
            let _ = writeln!(text, "  {sign}   … {hidden} lines more");
        }
        if hidden > 0 && (DETOUR / 2..DETOUR / 2 + hidden).contains(&number) {
            continue;
        }
        let _ = writeln!(text, "  {sign} {}", place(line));
    }
}

fn place(line: &Line) -> String {
    match &line.location {
        Some(location) => format!("{}: {}", location.line_text(), line.source),
        None => format!("{}: {}", line.function, line.source),
    }
}

fn brief(line: &Line) -> String {
    match &line.location {
        Some(location) => format!("{}: {}", location.line, line.source),
        None => line.source.clone(),
    }
}

fn range(first: &Line, last: &Line) -> String {
    match (&first.location, &last.location) {
        (Some(a), Some(b)) if a.line_text() == b.line_text() => format!("before {}", place(first)),
        (Some(a), Some(b)) if a.file == b.file => format!("{}:{} to {}", a.file, a.line, b.line),
        _ => format!("before {}", place(first)),
    }
}
