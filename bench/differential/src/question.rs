//! Questions whose answers the runs have given: is a value that was seen, or one close to it that was not, possible?

use logic::random::Random;

use crate::generate::Program;
use crate::truth::{How, Truth};

#[derive(Clone, Debug)]
pub struct Question {
    pub probe: usize,
    /// What is compared with the probe's value, as `== 3`.
    pub comparison: String,
    /// Whether a run fails; `None` if none was seen to and not all were seen.
    pub violated: Option<bool>,
}

/// A question about a program, by a number; none where runs are undefined. With `conventions`, pointers from outside lead to memory of
/// their own.
pub fn question(program: &Program, truth: &Truth, number: u64, conventions: bool) -> Option<Question> {
    if matches!(truth.how, How::Undefined | How::Endless) {
        return None;
    }
    let mut random = Random::new(number ^ 0x7155);
    // A question at a place that no run reaches is a question too, but seldom.
    let seen: Vec<usize> = (0..program.probes)
        .filter(|&probe| !truth.probes[probe].values.is_empty())
        .collect();
    let probe = match seen.is_empty() || random.chance(3) {
        true => random.below(program.probes.max(1)),
        false => random.pick(&seen),
    };
    let seen = &truth.probes[probe];
    let near = match seen.values.is_empty() {
        true => 0,
        false => random.pick(&seen.values),
    };
    let largest = seen.values.iter().copied().max().unwrap_or(0);
    let smallest = seen.values.iter().copied().min().unwrap_or(0);
    let (operator, value) = match random.below(8) {
        0 | 1 => ("==", near),
        2 => ("==", near.wrapping_add(1)),
        3 => ("==", near.wrapping_sub(1)),
        4 => (">", largest),
        5 => ("<", smallest),
        6 => (">=", largest),
        _ => ("!=", near),
    };
    let hit = seen.values.iter().any(|&found| match operator {
        "==" => found == value,
        "!=" => found != value,
        ">" => found > value,
        "<" => found < value,
        _ => found >= value,
    });
    // An entry function may be given pointers to the file's own objects; no run is.
    let open = program.open || program.entry.is_some() && !conventions;
    let complete = truth.how == How::All && seen.all && !open;
    Some(Question {
        probe,
        comparison: format!("{operator} {}", written(value)),
        violated: (hit || complete).then_some(hit),
    })
}

/// A `long` as C writes it: the smallest one has no literal.
fn written(value: i64) -> String {
    match value == i64::MIN {
        true => "(-9223372036854775807L - 1)".to_owned(),
        false => format!("{value}L"),
    }
}
