//! Loops in a trace: of a sequence of lines that repeats, the first and the last time are shown.

use program::EdgeId;

use super::lines::Line;

/// What is printed: a line, or that the lines before it come again.
#[derive(Clone, Debug)]
pub enum Shown {
    Line(Line),
    /// The `lines` lines before come so many times more before those that follow.
    Repeated {
        times: usize,
        lines: usize,
    },
}

impl Shown {
    pub fn line(&self) -> Option<&Line> {
        match self {
            Shown::Line(line) => Some(line),
            Shown::Repeated { .. } => None,
        }
    }

    /// Equal for what differs in values only.
    fn key(&self) -> Option<&[EdgeId]> {
        self.line().map(|line| line.edges.as_slice())
    }
}

/// Fewer repetitions than this are shown in full.
const REPEATED: usize = 4;
/// Longer sequences than this are not looked for.
const LONGEST: usize = 64;

/// Folds inner loops first, then what repeats around them.
pub fn fold(lines: Vec<Line>) -> Vec<Shown> {
    let mut shown: Vec<Shown> = lines.into_iter().map(Shown::Line).collect();
    loop {
        let before = shown.len();
        shown = fold_once(&shown);
        if shown.len() == before {
            return shown;
        }
    }
}

fn fold_once(shown: &[Shown]) -> Vec<Shown> {
    let mut folded = Vec::new();
    let mut at = 0;
    while at < shown.len() {
        let found = (1..=LONGEST.min((shown.len() - at) / REPEATED))
            .map(|period| (period, repetitions(&shown[at..], period)))
            .find(|&(_, times)| times >= REPEATED);
        let Some((period, times)) = found else {
            folded.push(shown[at].clone());
            at += 1;
            continue;
        };
        folded.extend_from_slice(&shown[at..at + period]);
        folded.push(Shown::Repeated {
            times: times - 2,
            lines: period,
        });
        at += times * period;
        folded.extend_from_slice(&shown[at - period..at]);
    }
    folded
}

/// How often the first `period` items come in a row.
fn repetitions(shown: &[Shown], period: usize) -> usize {
    // A marker alone is nothing that repeats.
    if shown[..period].iter().all(|item| item.key().is_none()) {
        return 1;
    }
    let mut times = 1;
    while let Some(next) = shown.get(times * period..(times + 1) * period) {
        if !next.iter().zip(shown).all(|(a, b)| a.key() == b.key()) {
            break;
        }
        times += 1;
    }
    times
}
