//! Whether a program is evidently one whose runs all end. Where it is asked at the end what became of memory, invariants say nothing
//! about runs that never get there.

use library::{Block, Meaning};
use program::{AddressTaken, Loops, iteration_bound};
use verdict::Task;

/// Whether an answer is about ends of runs, and there may be runs without one.
pub(crate) fn misses_endless_runs(task: &Task<'_>) -> bool {
    let program = task.program;
    let mut functions = program.functions.values();
    let asks = functions.any(|function| {
        let meaning = &library::of(&function.name).function.meaning;
        function.body.is_none() && *meaning == Some(Meaning::Block(Block::Lost))
    });
    asks && may_run_forever(task)
}

fn may_run_forever(task: &Task<'_>) -> bool {
    let program = task.program;
    let taken = AddressTaken::new(program);
    let running = task.calls.reachable_from(task.entry);
    running.into_iter().any(|function| {
        if program.functions[function].body.is_none() {
            return false;
        }
        let loops = Loops::new(program, function);
        let endless = |id| iteration_bound(program, &loops, id, &taken).is_none();
        task.calls.is_recursive(function)
            || !loops.irreducible().is_empty()
            || loops.iter().any(|(id, _)| endless(id))
    })
}
