//! What a program does not determine by itself. Every such value is asked for through [`Inputs`], one scalar at a
//! time and in the order of execution, so that a recorded list of answers replays a run exactly.

use program::{EdgeId, FuncId, TypeId, VarId};

/// Where an undetermined value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The result of a `__VERIFIER_nondet_*` function.
    Nondet(FuncId),
    /// The result of a function without body or model.
    External(FuncId),
    /// What the surroundings decide: `rand`, `time`, `getchar`, …
    Environment(FuncId),
    /// The first value of a global that is nowhere defined.
    Global(VarId),
    /// A parameter of the entry function.
    Parameter(VarId),
    /// A local that comes to life without a value.
    Uninitialised(VarId),
    /// A local that inline assembly writes; no variable if it writes through a pointer.
    Assembly(Option<VarId>),
    /// What was read from a device, into a variable that nobody else uses.
    Hardware(VarId),
    /// Memory filled by `__VERIFIER_nondet_memory`.
    Memory(FuncId),
}

/// A request for one scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub source: Source,
    /// The type of the scalar asked for.
    pub ty: TypeId,
    /// Where the scalar lies in the object that is undetermined; 0 if that is the scalar itself.
    pub offset: u64,
    /// The edge that needs it; none before the program starts.
    pub edge: Option<EdgeId>,
}

/// A request and the value that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consumed {
    pub request: Request,
    /// An integer's value, or a float's bits.
    pub value: i128,
}

/// Bytes that a function without a body wrote where an argument points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub edge: EdgeId,
    pub function: FuncId,
    /// How many calls of the function came before.
    pub call: usize,
    pub argument: usize,
    /// Where, counted from there.
    pub offset: i64,
    pub bytes: Vec<u8>,
}

/// An object that comes to life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewObject {
    pub kind: ObjectKind,
    pub address: u64,
    pub size: u64,
    /// The edge that is being taken; none before the program starts.
    pub edge: Option<EdgeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A variable that lives in memory: a static one, or a local one as its function is entered.
    Variable(VarId),
    /// A local record or array as its declaration is met.
    Declared(VarId),
    /// Allocated memory.
    Allocated,
    /// A piece of memory that is none of the program's ([`Inputs::has_environment`]).
    Environment,
}

/// No program is given more arguments than this.
pub const MOST_ARGUMENTS: i128 = 1 << 16;

/// Gives a run its undetermined values.
pub trait Inputs {
    /// The value asked for: an integer (wrapped to its type by the machine), or the bits of a float. With `None` the
    /// machine takes 0, and leaves an uninitialised local without a value.
    fn value(&mut self, request: &Request) -> Option<i128>;

    /// How many arguments `main` is given, the program's name among them and at most [`MOST_ARGUMENTS`]; `None` for those of the
    /// options. What they say is not asked for.
    fn argument_count(&mut self, _parameter: VarId) -> Option<i128> {
        None
    }

    /// Whether [`Inputs::value`] is to be asked for every scalar of a record or array local that comes to life
    /// without a value. Most callers leave such locals uninitialised.
    fn fills_aggregates(&mut self, _var: VarId, _edge: Option<EdgeId>) -> bool {
        false
    }

    /// Whether there is memory at an address where the program has no object: pointers from outside may point there.
    /// Elsewhere, and close to the program's objects and to null, an access ends the run.
    fn has_environment(&mut self, _address: u64) -> bool {
        false
    }

    /// What a new object holds where nothing writes it: bytes at offsets. To read them is undefined all the same. The
    /// first contents of static objects are not asked for here.
    fn contents(&mut self, _object: &NewObject) -> Vec<(u64, Vec<u8>)> {
        Vec::new()
    }

    /// What the call that an edge makes writes, as far as it matters: bytes at addresses. Asked for once a call.
    fn written(&mut self, _edge: EdgeId) -> Vec<(u64, Vec<u8>)> {
        Vec::new()
    }
}

/// No inputs: every undetermined value is 0, uninitialised locals stay so.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInputs;

impl Inputs for NoInputs {
    fn value(&mut self, _request: &Request) -> Option<i128> {
        None
    }
}

/// Answers from a list, in order; nothing once it is used up. Uninitialised locals take none.
#[derive(Clone, Debug, Default)]
pub struct ListedInputs {
    values: std::collections::VecDeque<i128>,
}

impl ListedInputs {
    pub fn new(values: impl IntoIterator<Item = i128>) -> ListedInputs {
        ListedInputs {
            values: values.into_iter().collect(),
        }
    }
}

impl Inputs for ListedInputs {
    fn value(&mut self, request: &Request) -> Option<i128> {
        match request.source {
            Source::Uninitialised(_) => None,
            _ => self.values.pop_front(),
        }
    }
}
