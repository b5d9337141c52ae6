//! When a run is the only one that a program has.

use interpreter::{End, Outcome, Source};
use program::PlaceKind;

use crate::{Task, is_harmless};

/// The edges that the run took, if it was without an error and there is no other: the program asked for nothing, called
/// nothing that is unknown, read nothing that was never written and did nothing that is undefined, and it ended.
///
/// An uninitialised local that nobody reads is asked for as it comes to life; that does not count.
pub(crate) fn decides(task: &Task<'_>, outcome: &Outcome) -> Option<u64> {
    let ended = matches!(
        outcome.end,
        End::Exit { .. } | End::Abort { .. } | End::AssumptionNotMet { .. }
    );
    let asked = |source: Source| !matches!(source, Source::Uninitialised(_));
    let asks = outcome
        .inputs
        .iter()
        .any(|consumed| asked(consumed.request.source));
    let undefined = outcome
        .undefined
        .iter()
        .any(|undefined| !is_harmless(undefined.kind));
    // What is said about a run is about what is unknown in it.
    let is_determined = outcome.notes.is_empty() && !outcome.left_open;
    let is_only = ended && !asks && !undefined && is_determined && !has_arguments(task);
    is_only.then_some(outcome.edges)
}

/// Whether the entry function mentions parameters: they can be anything.
fn has_arguments(task: &Task<'_>) -> bool {
    let program = task.program;
    let params = &program.functions[task.entry].params;
    params.iter().any(|&param| {
        let place = program
            .exprs
            .find_place(PlaceKind::Var(param), program.vars[param].ty);
        place.is_some()
    })
}
