//! Where objects lie on a path: variables where [`Semantics::address_value`] says, each nested activation of a function in a
//! region of its own, allocations one after the other above them all.

use logic::{Substitution, Term};
use program::{FuncId, Id, VarId, VarKind};
use semantics::{Semantics, Storage};

/// An activation of a function on a path. Positions lie between steps: position `i` is before step `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    pub function: FuncId,
    /// The position of its entry.
    pub entry: usize,
    /// The step that entered it; `None` for the first.
    pub enter: Option<usize>,
    pub parent: Option<usize>,
    /// How many activations of the same function it lies in.
    pub depth: u64,
}

/// Memory that a step of the path allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub step: usize,
    pub address: u64,
    pub size: u64,
}

impl Allocation {
    /// Where the next begins: never right behind.
    pub(crate) fn end(&self) -> u64 {
        self.address + (self.size + 16).next_multiple_of(16)
    }
}

/// The room given to an allocation whose size is not known.
pub(crate) const UNKNOWN_SIZE: u64 = 1 << 20;

/// New memory lies above the variables of so many nested activations of a function.
const NESTED: u64 = 128;

/// Where the first allocation lies.
pub(crate) fn heap_start(semantics: &Semantics<'_>) -> u64 {
    region_size(semantics) * NESTED
}

/// The function whose activations a variable lives in.
pub fn frame_of(semantics: &Semantics<'_>, var: VarId) -> Option<FuncId> {
    let data = &semantics.program.vars[var];
    match data.kind {
        VarKind::Global(_) => None,
        _ => data.function,
    }
}

/// Replaces the addresses of variables by the values they have in an activation: every activation of a recursive
/// function has its variables in a region of its own.
pub fn place_addresses(semantics: &mut Semantics<'_>, activation: &Activation, term: Term) -> Term {
    let mut pairs = Vec::new();
    for symbol in semantics.terms.free_symbols(&[term]) {
        if let Some(Storage::Address(var)) = semantics.storage_of(symbol) {
            pairs.push((symbol, address_in(semantics, activation, var)));
        }
    }
    if pairs.is_empty() {
        return term;
    }
    Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, term)
}

/// The address of a variable as an activation knows it.
pub(crate) fn address_in(semantics: &mut Semantics<'_>, activation: &Activation, var: VarId) -> Term {
    let own = frame_of(semantics, var) == Some(activation.function);
    let region = match own && activation.depth > 0 {
        true => activation.depth * region_size(semantics),
        false => 0,
    };
    let (bits, address) = (semantics.pointer_bits(), semantics.address_value(var) + region);
    semantics.terms.word(bits, u128::from(address))
}

/// More than all variables of the program take.
pub(crate) fn region_size(semantics: &Semantics<'_>) -> u64 {
    let program = semantics.program;
    let Some(last) = program.vars.len().checked_sub(1).map(VarId::from_index) else {
        return 1 << 16;
    };
    let end = semantics.address_value(last) + program.types.size(program.vars[last].ty);
    (end + 1).next_power_of_two()
}
