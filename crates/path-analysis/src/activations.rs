//! The activations of functions along a path. Positions lie between steps: position `i` is before step `i`.

use std::collections::BTreeSet;

use logic::Symbol;
use program::FuncId;
use semantics::{Semantics, Step, Storage, owner};
use symbolic_execution::{Activation, Execution, frame_of};

#[derive(Clone, Debug)]
pub(crate) struct Activations {
    pub all: Vec<Activation>,
    /// The activation at each position.
    pub at: Vec<usize>,
    /// For each step that leaves a call, the step that entered it.
    pub entered_by: Vec<Option<usize>>,
    /// Functions with activations inside each other: the addresses of their variables differ from one to the next.
    nested: BTreeSet<FuncId>,
}

impl Activations {
    pub fn new(execution: &Execution) -> Activations {
        let all: Vec<Activation> = execution.activations().iter().copied().collect();
        let at: Vec<usize> = execution.activation_at().iter().copied().collect();
        let steps = execution.steps().iter().zip(&at);
        let entered_by = steps.map(|(step, &activation)| match step {
            Step::Leave { .. } => all[activation].enter,
            _ => None,
        });
        let entered_by = entered_by.collect();
        let nested = all.iter().filter(|activation| activation.depth > 0);
        let nested = nested.map(|activation| activation.function).collect();
        Activations {
            all,
            at,
            entered_by,
            nested,
        }
    }

    /// The function in whose activations alone a symbol has a meaning. An address means the same everywhere where no
    /// two activations of its function exist at a time.
    pub fn scope_of(&self, semantics: &Semantics<'_>, symbol: Symbol) -> Option<FuncId> {
        match semantics.storage_of(symbol) {
            Some(Storage::Address(var)) => {
                frame_of(semantics, var).filter(|function| self.nested.contains(function))
            }
            _ => owner(semantics, symbol),
        }
    }
}
