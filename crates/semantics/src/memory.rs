//! How memory is divided: which accesses can touch the same bytes, and what the cells of such a class are.

use program::{CallGraph, EdgeId, ExprId, FloatKind, FuncId, PlaceId, Program, TypeResolver, VarId};

/// A class of memory accesses; accesses of different classes never touch the same byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// What an address of a class holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// One byte: the class is accessed at several widths.
    Byte,
    /// A word of that many bytes: all accesses of the class have this width and none overlaps another in part.
    Word(u32),
    /// A float: all accesses of the class read or write this format.
    Float(FloatKind),
}

impl Cell {
    /// How many bytes it takes.
    pub fn size(self, pointer_bits: u32) -> u64 {
        match self {
            Cell::Byte => 1,
            Cell::Word(bytes) => u64::from(bytes),
            Cell::Float(FloatKind::Single) => 4,
            Cell::Float(FloatKind::Double) => 8,
            Cell::Float(FloatKind::Extended) if pointer_bits == 32 => 12,
            Cell::Float(FloatKind::Extended | FloatKind::Quad) => 16,
        }
    }
}

pub trait MemoryModel {
    /// Whether the variable's address is never taken, so that only its name reaches it.
    fn is_plain(&self, var: VarId) -> bool;

    /// The class of an access of `size` bytes that starts `offset` bytes into a place. `None` if no one class has them
    /// all, or if the access cuts cells in two: no access of the program does.
    fn class(&self, place: PlaceId, offset: u64, size: u64) -> Option<ClassId>;

    /// The class of an access of `size` bytes that starts `offset` bytes behind where a pointer points: what a library
    /// function does with it.
    fn class_behind(&self, pointer: ExprId, offset: u64, size: u64) -> Option<ClassId>;

    /// All classes of the memory that a call of a function without a body may write.
    fn classes_written(&self, call: EdgeId, function: FuncId) -> Vec<ClassId>;

    /// The cells among the first bytes of the memory that a call edge allocates, with their offsets. Where the memory may
    /// be one of several kinds of objects, those of all of them: only the cells of one kind are ever accessed.
    fn cells_allocated(&self, call: EdgeId, bytes: u64) -> Vec<(ClassId, u64)>;

    fn cell(&self, class: ClassId) -> Cell;

    /// Whether the function may be called again before it returns, so that its variables have several instances.
    fn may_recur(&self, function: FuncId) -> bool;

    /// The functions that a call edge may lead to.
    fn call_targets(&self, call: EdgeId) -> Vec<FuncId>;

    /// Whether it leads to no other function of the program.
    fn has_all_targets(&self, call: EdgeId) -> bool;

    /// The one variable that the class's memory belongs to, if it is only one and has only one instance at a time.
    fn sole_owner(&self, class: ClassId) -> Option<VarId>;
}

/// The coarsest model: every object is in one memory of bytes. Right for every program, and slow.
pub struct SingleMemory {
    plain: Vec<bool>,
    /// Which functions may write where the library's table says so.
    writers: Vec<bool>,
    calls: CallGraph,
}

impl SingleMemory {
    pub fn new(program: &Program) -> SingleMemory {
        let taken = program::AddressTaken::new(program);
        SingleMemory {
            plain: program.vars.ids().map(|var| !taken.contains(var)).collect(),
            writers: program
                .functions
                .values()
                .map(|function| !library::of(&function.name).function.only_returns())
                .collect(),
            calls: CallGraph::new(program, &TypeResolver::new(program)),
        }
    }
}

impl MemoryModel for SingleMemory {
    fn is_plain(&self, var: VarId) -> bool {
        self.plain[program::Id::index(var)]
    }

    fn class(&self, _place: PlaceId, _offset: u64, _size: u64) -> Option<ClassId> {
        Some(ClassId(0))
    }

    fn class_behind(&self, _pointer: ExprId, _offset: u64, _size: u64) -> Option<ClassId> {
        Some(ClassId(0))
    }

    fn classes_written(&self, _call: EdgeId, function: FuncId) -> Vec<ClassId> {
        match self.writers[program::Id::index(function)] {
            true => vec![ClassId(0)],
            false => Vec::new(),
        }
    }

    fn cells_allocated(&self, _call: EdgeId, bytes: u64) -> Vec<(ClassId, u64)> {
        (0..bytes).map(|offset| (ClassId(0), offset)).collect()
    }

    fn cell(&self, _class: ClassId) -> Cell {
        Cell::Byte
    }

    fn may_recur(&self, function: FuncId) -> bool {
        self.calls.is_recursive(function)
    }

    fn call_targets(&self, call: EdgeId) -> Vec<FuncId> {
        self.calls.targets(call).to_vec()
    }

    fn has_all_targets(&self, _call: EdgeId) -> bool {
        false
    }

    fn sole_owner(&self, _class: ClassId) -> Option<VarId> {
        None
    }
}
