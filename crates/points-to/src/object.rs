//! Abstract objects: what a pointer may point to. Each stands for all the storage that one variable, allocation or
//! input has in any run.

use std::collections::BTreeMap;

use program::{EdgeId, FuncId, TypeId, VarId};

use crate::layout::Layout;

/// An object of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub(crate) u32);

/// Where memory that the program did not make comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// The result of a call of an undefined function.
    Call(EdgeId),
    /// The contents of a variable that is declared but nowhere defined.
    Global(VarId),
    /// An argument of the function where the program starts.
    Param(VarId),
    /// What inline assembly wrote.
    Assembly(EdgeId),
    /// Memory of the C library's own, by what it is for.
    Library(&'static str),
    /// What pointers in the memory of other inputs lead to.
    Deeper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectKind {
    Var(VarId),
    /// Memory allocated by a call.
    Heap(EdgeId),
    Function(FuncId),
    /// Where a function leaves a result of record type.
    Result(FuncId),
    /// Memory that an input leads to: the values of one type, or all that no type is known of. It is separate from
    /// all memory that the program makes, from that which other inputs lead to directly, and from values of other
    /// types; what lies further behind is shared by all inputs.
    Input(Input, Option<TypeId>),
    /// Memory at addresses that the program spells out as numbers.
    Absolute,
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub kind: ObjectKind,
    pub layout: Layout,
    /// The bytes that pointers were found stored in: start, end and the node that holds what is stored. Disjoint.
    pub cells: BTreeMap<u64, (u64, crate::solve::NodeId)>,
    /// The input that its bytes come from before the program writes them.
    pub input: Option<Input>,
}
