//! The constants of a program: branches compare with them, so they and their neighbours are worth trying.

use std::collections::BTreeSet;

use program::{ExprKind, FloatBits, FloatKind, Node, Program, Walk};

/// More constants than this are not tried one by one.
const MOST: usize = 120;

/// What inputs are made of.
pub struct Constants {
    /// The constants, then their neighbours; each once, the small ones first.
    pub(crate) integers: Vec<i128>,
    pub(crate) floats: Vec<f64>,
}

impl Constants {
    pub fn new(program: &Program) -> Constants {
        let mut walk = Walk::new();
        for edge in program.edges.values() {
            walk.add_edge(&edge.kind);
        }
        let mut integers = BTreeSet::new();
        let mut floats = Vec::new();
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            match program.expr(expr).kind {
                ExprKind::Int(value) if !program.types.is_pointer(program.expr(expr).ty) => {
                    integers.insert(value);
                }
                ExprKind::Float(float) => floats.extend(as_f64(float)),
                _ => {}
            }
        }
        // Both signs, as `-1.0` is `1.0` with an operator.
        let negative: Vec<f64> = floats.iter().map(|float| -float).collect();
        floats.extend(negative);
        floats.sort_unstable_by(f64::total_cmp);
        floats.dedup();
        let mut all: Vec<i128> = Vec::new();
        let neighbours = |distance: i128| integers.iter().map(move |value| value.saturating_add(distance));
        for distance in [0, 1, -1] {
            let mut next: Vec<i128> = neighbours(distance)
                .filter(|value| !all.contains(value))
                .collect();
            next.sort_by_key(|value| value.unsigned_abs());
            next.dedup();
            next.truncate(MOST);
            all.extend(next);
        }
        Constants {
            integers: all,
            floats,
        }
    }
}

/// Other formats are rare, and their constants are those of these two in all but digits.
fn as_f64(float: FloatBits) -> Option<f64> {
    match float.kind {
        FloatKind::Single => Some(f64::from(f32::from_bits(float.bits as u32))),
        FloatKind::Double => Some(f64::from_bits(float.bits as u64)),
        FloatKind::Extended | FloatKind::Quad => None,
    }
}
