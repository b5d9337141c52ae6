//! Errors whose conditions no run comes to: an assertion that holds because nobody asks is worth knowing of.

use std::collections::BTreeSet;

use program::{EdgeId, LocId, Program};

/// The errors of which it is known where they are decided, and that no run comes there; `may_reach` says of a location whether
/// one may. What an assertion is made of stands at one place of the source, whatever its macro does.
pub(crate) fn unasked(
    program: &Program,
    errors: &[EdgeId],
    may_reach: impl Fn(LocId) -> bool,
) -> BTreeSet<EdgeId> {
    let is_unasked = |&&error: &&EdgeId| {
        let deciding = deciding(program, error);
        !deciding.is_empty() && !deciding.into_iter().any(&may_reach)
    };
    errors.iter().filter(is_unasked).copied().collect()
}

/// The locations from which control leads to the error by edges that stand where the error stands.
fn deciding(program: &Program, error: EdgeId) -> BTreeSet<LocId> {
    let mut found = BTreeSet::new();
    let edge = &program.edges[error];
    if edge.span.is_none() {
        return found;
    }
    let mut open = vec![edge.from];
    while let Some(loc) = open.pop() {
        let incoming = program.locs[loc].incoming.iter();
        let here = incoming.filter(|&&before| program.edges[before].span == edge.span);
        for &before in here {
            let from = program.edges[before].from;
            if found.insert(from) {
                open.push(from);
            }
        }
    }
    found
}
