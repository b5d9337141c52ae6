//! The activations of functions along a path. Positions lie between steps: position `i` is before step `i`.

use std::collections::BTreeSet;

use logic::{Substitution, Symbol, Term};
use program::{FuncId, Id, VarKind};
use semantics::{Path, Semantics, Step, Storage};

#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub function: FuncId,
    /// The position of its entry.
    pub entry: usize,
    /// The step that entered it; `None` for the first.
    pub enter: Option<usize>,
    pub parent: Option<usize>,
    /// How many activations of the same function it lies in.
    pub depth: u64,
}

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
    pub fn new(path: &Path) -> Activations {
        let mut all = vec![Activation {
            function: path.entry,
            entry: 0,
            enter: None,
            parent: None,
            depth: 0,
        }];
        let mut at = vec![0];
        let mut entered_by = Vec::with_capacity(path.steps.len());
        let mut current = 0;
        for (index, &step) in path.steps.iter().enumerate() {
            let mut entered = None;
            match step {
                Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => {}
                Step::Enter { callee, .. } => {
                    let depth = same_function(&all, current, callee);
                    all.push(Activation {
                        function: callee,
                        entry: index + 1,
                        enter: Some(index),
                        parent: Some(current),
                        depth,
                    });
                    current = all.len() - 1;
                }
                Step::Leave { .. } => {
                    entered = all[current].enter;
                    current = all[current]
                        .parent
                        .expect("a well-formed path leaves what it entered");
                }
            }
            entered_by.push(entered);
            at.push(current);
        }
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
        let function = owner(semantics, symbol)?;
        let is_address = matches!(semantics.storage_of(symbol), Some(Storage::Address(_)));
        (!is_address || self.nested.contains(&function)).then_some(function)
    }

    /// The activation in which a step's expressions are evaluated: for calls, the caller's.
    pub fn of_step(&self, step: usize) -> usize {
        match self.entered_by[step] {
            Some(_) => self.at[step + 1],
            None => self.at[step],
        }
    }
}

fn same_function(all: &[Activation], from: usize, function: FuncId) -> u64 {
    let mut count = 0;
    let mut next = Some(from);
    while let Some(index) = next {
        count += u64::from(all[index].function == function);
        next = all[index].parent;
    }
    count
}

/// The function whose activation a symbol's storage lives in; `None` for what outlives activations.
pub(crate) fn owner(semantics: &Semantics<'_>, symbol: Symbol) -> Option<FuncId> {
    match semantics.storage_of(symbol)? {
        Storage::Variable(var, _) | Storage::Address(var) => match semantics.program.vars[var].kind {
            VarKind::Global(_) => None,
            _ => semantics.program.vars[var].function,
        },
        Storage::AtEntry(function, _) | Storage::Result(function, _) => Some(function),
        Storage::Memory(_) | Storage::Allocated => None,
    }
}

/// Replaces the addresses of variables by the values they have in an activation: every activation of a recursive
/// function has its variables in a region of its own.
pub(crate) fn place_addresses(semantics: &mut Semantics<'_>, activation: &Activation, term: Term) -> Term {
    let mut pairs = Vec::new();
    for symbol in semantics.terms.free_symbols(&[term]) {
        if let Some(Storage::Address(var)) = semantics.storage_of(symbol) {
            let bits = semantics.pointer_bits();
            let own = owner(semantics, symbol) == Some(activation.function);
            let region = if own {
                activation.depth * region_size(semantics)
            } else {
                0
            };
            let value = semantics.address_value(var) + region;
            pairs.push((symbol, semantics.terms.word(bits, u128::from(value))));
        }
    }
    if pairs.is_empty() {
        return term;
    }
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, term)
}

/// More than all variables of the program take.
pub(crate) fn region_size(semantics: &Semantics<'_>) -> u64 {
    let program = semantics.program;
    let Some(last) = program.vars.ids().last() else {
        return 1 << 16;
    };
    debug_assert_eq!(last.index() + 1, program.vars.len(), "ids are in order");
    let end = semantics.address_value(last) + program.types.size(program.vars[last].ty);
    (end + 1).next_power_of_two()
}
