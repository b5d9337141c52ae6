//! The compact form that functions are compiled into on their first call: locations and slots resolved to indices,
//! operators specialised by width and sign.

use program::{BinaryOp, BitRange, EdgeId, FuncId, HavocCause, TypeId, UnaryOp, VarId};

use crate::models::Model;
use crate::scalar::Scalar;

#[derive(Debug)]
pub(crate) struct Code {
    pub function: FuncId,
    /// How many registers a frame has; a wide one takes two.
    pub registers: u32,
    /// The variable that each register holds; none for hidden ones.
    pub register_vars: Vec<Option<VarId>>,
    /// The locals that live in memory.
    pub objects: Vec<FrameObject>,
    pub params: Vec<Param>,
    pub variadic: bool,
    pub entry: u32,
    pub locs: Vec<Location>,
}

#[derive(Debug)]
pub(crate) struct FrameObject {
    pub var: VarId,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub home: Home,
    /// `None` for records.
    pub scalar: Option<Scalar>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Register(u32),
    GlobalRegister(u32),
    FrameObject(u32),
    StaticObject(u32),
}

#[derive(Debug)]
pub(crate) struct Location {
    /// Parts of expressions too deep to evaluate recursively, computed on arrival.
    pub hoisted: Vec<Hoisted>,
    pub exits: Exits,
}

#[derive(Debug)]
pub(crate) enum Hoisted {
    Narrow(u32, Node),
    Wide(u32, Wide),
}

#[derive(Debug)]
pub(crate) enum Exits {
    One(EdgeCode),
    Branch {
        condition: Node,
        if_true: Jump,
        if_false: Jump,
    },
    /// The first that can be taken is.
    Many(Vec<EdgeCode>),
    None,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub edge: EdgeId,
    pub to: u32,
}

#[derive(Debug)]
pub(crate) struct EdgeCode {
    pub jump: Jump,
    pub action: Action,
}

#[derive(Debug)]
pub(crate) enum Action {
    Assume {
        condition: Node,
        holds: bool,
    },
    SetRegister(u32, Node),
    SetGlobal(u32, Node),
    Store(Box<(Access, Node)>),
    /// To the first path, from the second.
    CopyByte(Box<(Path, Path)>),
    Assign(Box<(Destination, Operand)>),
    Call(Box<Call>),
    Return(Option<Box<Operand>>),
    Havoc(Box<Havoc>),
    Unsupported(String),
}

#[derive(Debug)]
pub(crate) struct Call {
    pub callee: Callee,
    pub arguments: Vec<Operand>,
    pub result: Option<Destination>,
    pub result_type: Option<TypeId>,
}

/// What a call calls.
#[derive(Debug)]
pub(crate) enum Callee {
    Function(FuncId),
    /// What has no body, by its model and the spelling that it is called by.
    Model(FuncId, Model, library::Known),
    Pointer(Node),
}

#[derive(Debug)]
pub(crate) struct Havoc {
    pub destination: Destination,
    pub ty: TypeId,
    pub var: Option<VarId>,
    pub cause: HavocCause,
}

/// A value to be computed, of any type.
#[derive(Debug)]
pub(crate) enum Operand {
    Narrow(Scalar, Node),
    Wide(Scalar, Wide),
    /// A record or array that is read.
    Bytes {
        path: Path,
        size: u64,
    },
    /// A record or array of zeros.
    Zeros {
        size: u64,
    },
}

/// Where a value goes.
#[derive(Debug)]
pub(crate) enum Destination {
    Register(Scalar, u32),
    GlobalRegister(Scalar, u32),
    Memory(Access),
    /// A record or an array, with where in it no member is.
    Bytes {
        path: Path,
        size: u64,
        padding: Vec<std::ops::Range<u64>>,
    },
}

/// A scalar in memory.
#[derive(Debug)]
pub(crate) struct Access {
    pub path: Path,
    pub scalar: Scalar,
    pub bits: Option<BitRange>,
    /// How many bytes are touched.
    pub bytes: u32,
    /// How many have a value after a store: padding behind a member has one then.
    pub with_padding: u32,
}

/// The way to an address: a root, a constant offset, and scaled indices.
#[derive(Debug)]
pub(crate) struct Path {
    pub root: Root,
    pub offset: u64,
    pub steps: Vec<IndexStep>,
}

#[derive(Debug)]
pub(crate) enum Root {
    Static(u32),
    Frame(u32),
    Pointer(Box<Node>),
}

#[derive(Debug)]
pub(crate) struct IndexStep {
    pub index: Node,
    pub scale: u64,
    pub bound: Bound,
}

/// What an index has to be below: the declared length of the array, where it is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    None,
    /// An element is read or written.
    Access(u64),
    /// An address is computed.
    Address(u64),
}

/// An expression whose value fits a register.
#[derive(Debug)]
pub(crate) enum Node {
    Const(i64),
    Register(u32),
    Global(u32),
    Load(Box<Access>),
    Address(Box<Path>),
    Wrap(Wrap, Box<Node>),
    Int(IntOp, Box<[Node; 2]>),
    Double(FloatOp, Box<[Node; 2]>),
    /// Pointer plus scaled integer, cut to the pointer's width.
    PointerAdd(Box<[Node; 2]>, i64),
    PointerDiff(Box<[Node; 2]>, i64),
    /// 1 if the operand is 0.
    Not(Box<Node>),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    Choose(Box<[Node; 3]>),
    /// By the general arithmetic.
    General(Box<Wide>),
}

/// Conversions between integers in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Bool,
}

/// Operators on `int`, `unsigned`, `long` and `unsigned long` in registers. Bit operators and comparisons need no
/// width: registers hold extended values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntOp {
    AddI32,
    SubI32,
    MulI32,
    AddI64,
    SubI64,
    MulI64,
    AddU32,
    SubU32,
    MulU32,
    AddU64,
    SubU64,
    MulU64,
    And,
    Or,
    Xor,
    ShlI32,
    ShlU32,
    Shl64,
    ShrI32,
    ShrU32,
    ShrI64,
    ShrU64,
    DivI32,
    RemI32,
    DivI64,
    RemI64,
    /// Unsigned of any width.
    DivU,
    RemU,
    Eq,
    Ne,
    LtS,
    LeS,
    LtU,
    LeU,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Ne,
    Lt,
    Le,
}

/// An expression of any scalar kind, computed by the general arithmetic.
#[derive(Debug)]
pub(crate) enum Wide {
    Const(i128),
    Register(u32),
    Global(u32),
    Load(Box<Access>),
    Narrow(Scalar, Box<Node>),
    Unary(UnaryOp, Scalar, Box<Wide>),
    Binary(BinaryOp, Scalar, Box<[Wide; 2]>),
    Cast(Scalar, Scalar, Box<Wide>),
    Choose(Box<Node>, Box<[Wide; 2]>),
}
