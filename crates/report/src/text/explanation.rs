//! An explanation on one screen: the lines to look at, then what differs, in order. Values and both runs side by side on request.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::Location;
use crate::explanation::{Alone, Change, Different, Explanation, Found, LEADS, Line, REPAIRS, Turn};

/// Of more suspicious lines than this, the rest is left out.
pub const SUSPICIOUS: usize = 4;
/// Of more lines of one detour than this, the middle is left out.
const DETOUR: usize = 6;
/// Of more changes than this, or of more lines about them, the rest is left out: with what stands around them it is a screen.
const CHANGES: usize = 6;
const LINES: usize = 15;
/// Of more values than this, the rest is left out.
const VALUES: usize = 12;

/// What of an explanation is to be shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplanationOptions {
    /// All differences, also those that the outcome does not depend on.
    pub all: bool,
    /// The values that differ.
    pub concrete: bool,
    pub side_by_side: bool,
}

impl Explanation {
    pub fn text(&self, options: ExplanationOptions) -> String {
        let mut text = String::new();
        match self {
            Explanation::None { unexplained } => {
                let _ = writeln!(text, "not explained: {unexplained}");
            }
            Explanation::Found(found) => Teller::new(found, options).tell(&mut text),
        }
        text
    }
}

struct Teller<'a> {
    found: &'a Found,
    options: ExplanationOptions,
    /// Whether lines are told without their files' names: there is only one.
    is_one_file: bool,
}

impl Teller<'_> {
    fn new(found: &Found, options: ExplanationOptions) -> Teller<'_> {
        let files = |line: &Line| line.location.as_ref().map(|location| location.file.clone());
        let rows = found.rows.iter().flat_map(|row| [&row.failing, &row.other]);
        let files: BTreeSet<String> = rows.flatten().filter_map(files).collect();
        Teller {
            found,
            options,
            is_one_file: files.len() == 1,
        }
    }

    fn tell(&self, text: &mut String) {
        let found = self.found;
        let _ = writeln!(text, "why: set against {}", self.other_run());
        let leads = found.suspicious.iter().all(|suspicious| suspicious.why == LEADS);
        let direct = found.suspicious.iter();
        let direct = direct.filter(|suspicious| leads || suspicious.why != LEADS);
        for (number, suspicious) in direct.take(SUSPICIOUS).enumerate() {
            let label = if number == 0 { "look at" } else { "       " };
            let number = number + 1;
            let (line, why) = (self.place(&suspicious.line), suspicious.why);
            let _ = writeln!(text, "  {label} {number}. {line}   ({why})");
        }
        if let Some(repairs) = &found.repairs {
            let (failing, passing) = (repairs.failing, repairs.passing);
            let right = match repairs.wrong {
                0 => "all".to_owned(),
                wrong => format!("all but {wrong}"),
            };
            let _ = writeln!(
                text,
                "          ({REPAIRS}: of {} runs on such inputs, {failing} of which fail, {right} would be right)",
                failing + passing
            );
        }
        let all = self.options.all;
        let shown: Vec<&Change> = found
            .changes
            .iter()
            .filter(|change| all || change.causal)
            .collect();
        let (mut told, mut lines, mut is_full) = (0, 0, false);
        for change in shown {
            let mut difference = String::new();
            self.difference(&mut difference, &change.what);
            lines += difference.lines().count();
            is_full |= told > 0 && (told >= CHANGES || lines > LINES);
            // How it ends is told in any case.
            if all || !is_full || matches!(change.what, Different::Outcome { .. }) {
                text.push_str(&difference);
                told += 1;
            }
        }
        let left = found.changes.len() - told;
        if left > 0 {
            let s = if left == 1 { "" } else { "s" };
            let _ = writeln!(text, "  … {left} difference{s} more (all with explain --all)");
        }
        if self.options.concrete {
            self.values(text);
        }
        if self.options.side_by_side {
            self.side_by_side(text);
        }
    }

    fn other_run(&self) -> String {
        let mut words = match self.found.closest {
            true => "the closest run that ",
            false => "a run (the closest was not found in time) that ",
        }
        .to_owned();
        words.push_str(match (self.found.passes, self.found.ends) {
            _ if self.found.formula => "satisfies the formula",
            (true, true) => "passes there and ends",
            (true, false) => "passes there and goes on",
            (false, true) => "does not come there",
            (false, false) => "does not come there for as long",
        });
        let inputs = self.found.inputs.iter().map(|input| input.value.as_str());
        let inputs: Vec<&str> = inputs.collect();
        if !inputs.is_empty() {
            let _ = write!(words, ", on input {}", shortened(&inputs));
        }
        words
    }

    fn difference(&self, text: &mut String, what: &Different) {
        match what {
            Different::Detour {
                turn,
                deleted,
                inserted,
            } => {
                let turn = turn.as_ref();
                let mut only_failing = self.told(turn, deleted, inserted);
                let mut only_other = self.told(turn, inserted, deleted);
                // The same lines in another number or order.
                if turn.is_none() && only_failing.is_empty() && only_other.is_empty() {
                    only_failing = self.told(turn, deleted, &[]);
                    only_other = self.told(turn, inserted, &[]);
                }
                self.lines(text, '-', &only_failing);
                self.lines(text, '+', &only_other);
                if let Some(turn) = turn {
                    let _ = writeln!(text, "      at {}", self.turned(turn));
                }
            }
            Different::Predicate {
                first,
                last,
                was,
                now,
            } => {
                let _ = writeln!(text, "  ~ {}", self.range(first, last));
                let _ = writeln!(text, "      was: {was}");
                let _ = writeln!(text, "      now: {now}");
            }
            Different::Outcome { turn } => {
                let _ = writeln!(text, "  = {}", self.turned(turn));
            }
        }
    }

    fn turned(&self, turn: &Turn) -> String {
        let place = self.place(&turn.line);
        match turn.was.contains('$') || turn.now.contains('$') {
            true => format!("{place}   goes another way"),
            false => format!("{place}   was: {}   now: {}", turn.was, turn.now),
        }
    }

    /// The lines that one of the runs comes to: each once, without the one at which the runs part, and without those that the other run
    /// comes to as well. A line with calls in it is left and come back to; that is nothing to tell.
    fn told<'l>(&self, turn: Option<&Turn>, lines: &'l [Alone], others: &[Alone]) -> Vec<&'l Line> {
        if self.options.all {
            return lines.iter().map(|alone| &alone.line).collect();
        }
        let same = |one: &Line, other: &Line| match (&one.location, &other.location) {
            (Some(one), Some(other)) => one.file == other.file && one.line == other.line,
            _ => false,
        };
        let mut told: Vec<&Line> = Vec::new();
        for line in lines.iter().filter(|alone| alone.causal).map(|alone| &alone.line) {
            let is_known = told.iter().any(|known| same(known, line))
                || turn.is_some_and(|turn| same(&turn.line, line))
                || others.iter().any(|other| other.causal && same(&other.line, line));
            if !is_known {
                told.push(line);
            }
        }
        told
    }

    fn lines(&self, text: &mut String, sign: char, lines: &[&Line]) {
        let all = self.options.all;
        let hidden = match all {
            true => 0,
            false => lines.len().saturating_sub(DETOUR),
        };
        for (number, line) in lines.iter().enumerate() {
            if hidden > 0 && number == DETOUR / 2 {
                let s = if hidden == 1 { "" } else { "s" };
                let _ = writeln!(text, "  {sign}   … {hidden} line{s} more");
            }
            if hidden > 0 && (DETOUR / 2..DETOUR / 2 + hidden).contains(&number) {
                continue;
            }
            let _ = writeln!(text, "  {sign} {}", self.place(line));
        }
    }

    fn values(&self, text: &mut String) {
        let values = &self.found.values;
        let most = if self.options.all { values.len() } else { VALUES };
        text.push_str("  values:\n");
        for valued in values.iter().take(most) {
            let place = self.place(&valued.line);
            let (name, was, now) = (&valued.name, &valued.was, &valued.now);
            let _ = writeln!(text, "    {place}   {name} was {was}, now {now}");
        }
        if values.len() > most {
            let _ = writeln!(
                text,
                "    … {} more (all with explain --all)",
                values.len() - most
            );
        }
    }

    fn side_by_side(&self, text: &mut String) {
        const WIDTH: usize = 56;
        let cell = |line: &Option<Line>| {
            let line = line.as_ref().map(|line| self.place(line)).unwrap_or_default();
            let mut cut: String = line.chars().take(WIDTH - 1).collect();
            if cut.chars().count() < line.chars().count() {
                cut.pop();
                cut.push('…');
            }
            cut
        };
        let _ = writeln!(text, "  {:<WIDTH$}   the other run", "the failing run");
        for row in &self.found.rows {
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

    fn number(&self, location: &Location) -> String {
        match self.is_one_file {
            true => location.line.to_string(),
            false => location.line_text(),
        }
    }

    fn place(&self, line: &Line) -> String {
        match &line.location {
            Some(location) => format!("{}: {}", self.number(location), line.source),
            None => format!("{}: {}", line.function, line.source),
        }
    }

    fn range(&self, first: &Line, last: &Line) -> String {
        match (&first.location, &last.location) {
            (Some(a), Some(b)) if a.line_text() != b.line_text() => {
                format!("from {} until {}", self.place(first), self.place(last))
            }
            _ => format!("before {}", self.place(first)),
        }
    }
}

fn shortened(inputs: &[&str]) -> String {
    const MOST: usize = 12;
    match inputs.len() > MOST {
        true => format!("{}, … ({} in all)", inputs[..MOST].join(","), inputs.len()),
        false => inputs.join(","),
    }
}
