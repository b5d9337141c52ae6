//! What a counterexample gives to its run: values for inputs, and contents of memory that the program never writes.
//!
//! Pointers among them are addresses in the layout that the counterexample was found with; a run has its own.

use program::{EdgeId, FuncId, VarId};

/// A value for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputValue {
    pub needed: Needed,
    /// An integer, or the bits of a float.
    pub value: i128,
}

/// Where a run needs a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// When it takes this edge; values for edges are listed in the order in which the run takes them.
    At(EdgeId),
    /// Before it starts, for the scalar at an offset of an undefined global or of a parameter of the entry function.
    Before(VarId, u64),
}

/// What a run is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    pub values: Vec<InputValue>,
    /// Globals whose values are addresses of the run, not of the layout.
    pub placed: Vec<VarId>,
    pub memory: GivenMemory,
}

/// What memory holds that the program does not write before it reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenMemory {
    /// Allocations, and local records and arrays, in the order in which the run brings them to life.
    pub born: Vec<Born>,
    /// Variables in memory: undefined globals, and locals as their functions are entered.
    pub variables: Vec<(VarId, Vec<Content>)>,
    /// Where there is memory that is none of the program's: pointers from outside point there.
    pub environment: Vec<std::ops::Range<u64>>,
    /// What it holds, by ascending address.
    pub environment_contents: Vec<Content>,
    /// What functions that have no body write, in the order in which the run calls them; contents are at addresses.
    pub written: Vec<Written>,
    /// Where the objects lie that pointers may point to, by ascending address.
    pub layout: Vec<Placed>,
}

/// An object that comes to life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Born {
    pub edge: EdgeId,
    pub contents: Vec<Content>,
}

/// What the call that an edge makes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub edge: EdgeId,
    pub contents: Vec<Content>,
}

/// Bytes at an offset of an object, or at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub at: u64,
    pub bytes: Vec<u8>,
}

/// An object in the layout that pointers are given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub object: Object,
    pub address: u64,
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    Variable(VarId),
    /// By its position in [`GivenMemory::born`].
    Born(usize),
    Function(FuncId),
}
