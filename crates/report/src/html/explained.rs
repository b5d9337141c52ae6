//! Why a run fails, as lines about places: the lines to look at first, and what is different in the closest run that does not fail.

use super::Remark;
use crate::explanation::{Different, Explanation, Found, Line, Turn};

/// The differences that are shown.
const CHANGES: usize = 12;

pub fn remarks(explanation: &Explanation) -> Vec<Remark> {
    match explanation {
        Explanation::Found(found) => told(found),
        Explanation::None { unexplained } => vec![Remark {
            text: format!("not explained: {unexplained}"),
            location: None,
        }],
    }
}

fn told(found: &Found) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = Vec::new();
    for (number, suspicious) in found.suspicious.iter().enumerate() {
        let text = format!(
            "look here {}: {} ({})",
            number + 1,
            suspicious.line.source,
            suspicious.why
        );
        remarks.push(remark(&suspicious.line, text));
    }
    let changes = found.changes.iter().filter(|change| change.causal);
    for change in changes.take(CHANGES) {
        different(&mut remarks, &change.what);
    }
    let inputs: Vec<&str> = found.inputs.iter().map(|input| input.value.as_str()).collect();
    let ending = match found.ends {
        true => "ends without failing",
        false => "does not fail for as long",
    };
    remarks.push(Remark {
        text: match inputs.is_empty() {
            true => format!("the closest other run {ending}"),
            false => format!(
                "the closest other run {ending}, on the inputs {}",
                inputs.join(", ")
            ),
        },
        location: None,
    });
    remarks
}

fn different(remarks: &mut Vec<Remark>, what: &Different) {
    match what {
        Different::Detour {
            turn,
            deleted,
            inserted,
        } => {
            remarks.extend(turn.iter().map(turned));
            let sides = [
                (deleted, "only the failing run"),
                (inserted, "only the other run"),
            ];
            for (lines, whose) in sides {
                let lines = lines.iter().filter(|alone| alone.causal);
                remarks.extend(lines.map(|alone| {
                    let text = format!("{whose} comes here: {}", alone.line.source);
                    remark(&alone.line, text)
                }));
            }
        }
        Different::Predicate { first, was, now, .. } => {
            let text = format!("{}: in the failing run {was}, in the other {now}", first.source);
            remarks.push(remark(first, text));
        }
        Different::Outcome { turn } => remarks.push(turned(turn)),
    }
}

fn turned(turn: &Turn) -> Remark {
    let source = &turn.line.source;
    // Conditions of values without a name say nothing.
    let text = match turn.was.contains('$') || turn.now.contains('$') {
        true => format!("{source}: the other run goes another way"),
        false => format!(
            "{source}: in the failing run {}, in the other {}",
            turn.was, turn.now
        ),
    };
    remark(&turn.line, text)
}

fn remark(line: &Line, text: String) -> Remark {
    Remark {
        text,
        location: line.location.clone(),
    }
}
