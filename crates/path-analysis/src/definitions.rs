//! What definitions of a simulated path were computed from.

use std::collections::BTreeSet;

use symbolic_execution::{DefId, Definition};

/// All definitions that the roots were computed from, themselves included.
pub(crate) fn closure(definitions: &[Definition], roots: impl IntoIterator<Item = DefId>) -> BTreeSet<DefId> {
    let mut found: BTreeSet<DefId> = BTreeSet::new();
    let mut stack: Vec<DefId> = roots.into_iter().collect();
    while let Some(next) = stack.pop() {
        if found.insert(next)
            && let Some(value) = &definitions[next].value
        {
            stack.extend(value.uses.iter().map(|&(_, used)| used));
        }
    }
    found
}
