//! What a C program means, without C's syntax: typed expressions without side effects, places, and control-flow
//! graphs whose edges assign, assume, call, return or havoc. Everything that reasons about programs reads this.
//!
//! Start at [`Program`]; a function's graph is [`Function::body`], its edges are [`Edge`].

mod assumptions;
mod call_graph;
mod dot;
mod expr;
mod flow;
mod index;
mod loop_bounds;
mod loops;
mod padding;
mod print;
mod rewrite;
mod room;
mod scc;
mod source;
mod text;
mod types;
mod walk;
mod writes;

pub use assumptions::{Assumptions, External};
pub use call_graph::{CallGraph, CallResolver, CallSite, TypeResolver, address_taken_functions, is_callable};
pub use dot::{function_dot, program_dot};
pub use expr::{
    BinaryOp, Expr, ExprId, ExprKind, Exprs, FloatBits, Place, PlaceId, PlaceKind, StandsFor, Stated, UnaryOp,
};
pub use flow::{Flow, idle_locations, list_locations};
pub use index::{Arena, Id};
pub use loop_bounds::iteration_bound;
pub use loops::{IrreducibleRegion, Loop, LoopId, Loops};
pub use padding::padding;
pub use print::Printer;
pub use rewrite::Rewriting;
pub use room::object_size;
pub use scc::components as strongly_connected_components;
pub use source::{FileId, SourceFile, SourceMap, Span};
pub use text::{LocNames, TextOptions, function_text, program_text};
pub use types::{
    BitRange, DataModel, EnumId, Enumeration, Field, FloatKind, FunctionType, IntKind, IntShape, Record,
    RecordId, RecordKind, Type, TypeId, Types,
};
pub use walk::{Node, Walk};
pub use writes::{
    AddressTaken, base_variable, bytes_with_padding, copied_byte, unassigned_parameters, written_variable,
};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use index::index_type;

index_type!(
    /// A variable of a program: global, parameter, local or temporary.
    VarId,
    "v"
);
index_type!(
    /// A function of a program, defined or only declared.
    FuncId,
    "f"
);
index_type!(
    /// A control location, unique in the whole program.
    LocId,
    "L"
);
index_type!(
    /// A control-flow edge, unique in the whole program.
    EdgeId,
    "E"
);

/// A whole program: all its files, linked.
#[derive(Clone, Debug)]
pub struct Program {
    pub types: Types,
    pub exprs: Exprs,
    pub vars: Arena<VarId, Var>,
    pub functions: Arena<FuncId, Function>,
    pub locs: Arena<LocId, Loc>,
    pub edges: Arena<EdgeId, Edge>,
    pub sources: SourceMap,
    /// What the user should be told once: assumptions made, constructs passed over.
    pub notes: Vec<Note>,
    /// What the user should be warned of.
    pub warnings: Vec<Note>,
    pub dead: DeadCode,
    /// Of local variables that live no longer than a block within their function, the blocks around, from the outermost on.
    pub scopes: BTreeMap<VarId, Vec<u32>>,
    /// What is taken for granted about everything outside.
    pub assumptions: Assumptions,
    /// Where C leaves open which operand is evaluated first, and one calls a function: the edges have them in the order of the text.
    pub unordered: Vec<Unordered>,
    /// Edges that access `volatile` storage through a pointer: all that they do is to read it into a temporary, or to store a value.
    pub volatile: BTreeSet<EdgeId>,
    /// Addresses at which there is hardware, ascending: what is read there comes from outside, what is written there goes outside.
    pub hardware: Vec<RangeInclusive<u64>>,
    /// Edges that read from there, write to there, or ask whether an address is there.
    pub devices: BTreeSet<EdgeId>,
    /// The function without a body that stands for all that calls through pointers may lead to and nobody knows, where these are taken to
    /// do nothing but return.
    pub stranger: Option<FuncId>,
}

/// Operands of one expression that may be evaluated in any order, in the order that the edges have.
#[derive(Clone, Debug)]
pub struct Unordered {
    pub operands: Vec<Operand>,
    pub span: Option<Span>,
}

/// How an operand is evaluated.
#[derive(Clone, Debug)]
pub struct Operand {
    pub edges: Vec<EdgeId>,
    /// What is read where its value is used.
    pub values: Vec<ExprId>,
}

/// What stands in the source where no control flow leads, as after a `return`. It is no part of any body.
#[derive(Clone, Debug, Default)]
pub struct DeadCode {
    pub labels: Vec<String>,
    pub calls: Vec<DeadCall>,
}

#[derive(Clone, Debug)]
pub struct DeadCall {
    /// The function it stands in.
    pub caller: FuncId,
    pub function: FuncId,
    pub arguments: Vec<ExprId>,
    pub span: Option<Span>,
}

/// Something said once to the user about the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Var {
    /// As written; temporaries get names that C does not allow (`$1`), string literals are `"…"`.
    pub name: String,
    pub ty: TypeId,
    pub kind: VarKind,
    /// The function that owns it; for a `static` local the function it is written in.
    pub function: Option<FuncId>,
    pub span: Option<Span>,
    pub is_const: bool,
    /// Requested alignment beyond the type's.
    pub align: u64,
}

impl Var {
    pub fn is_literal(&self) -> bool {
        self.name.starts_with('"')
    }

    /// Whether it is a string literal or a static object of this program that is declared `const`.
    pub fn is_read_only(&self) -> bool {
        let is_static = matches!(&self.kind, VarKind::Global(initial) if *initial != Initial::External);
        is_static && (self.is_const || self.is_literal())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// Static storage: file scope, `static` locals, string literals, file-scope compound literals.
    Global(Initial),
    Param,
    Local,
    /// A value the lowering had to name.
    Temporary,
}

/// The value of a static object before the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// All bytes zero, then these assignments in order; the values are constants and addresses.
    Values(Vec<(PlaceId, ExprId)>),
    /// The bytes of a string literal (with its terminator).
    Bytes(Vec<u8>),
    /// Declared but nowhere defined: anything, an input.
    External,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// The function type.
    pub ty: TypeId,
    pub params: Vec<VarId>,
    /// Locals and temporaries, without the parameters.
    pub locals: Vec<VarId>,
    pub body: Option<Body>,
    pub noreturn: bool,
    /// `static`: its name belongs to its file.
    pub is_static: bool,
    /// The positions of parameters that are declared as pointers to something `const`.
    pub const_params: Vec<usize>,
    pub span: Option<Span>,
}

/// A function's control-flow graph. `Return` edges, and nothing else, lead to `exit`.
#[derive(Clone, Debug)]
pub struct Body {
    pub entry: LocId,
    pub exit: LocId,
    /// All locations of the function in a stable order, `entry` first.
    pub locs: Vec<LocId>,
}

#[derive(Clone, Debug)]
pub struct Loc {
    pub function: FuncId,
    pub outgoing: Vec<EdgeId>,
    pub incoming: Vec<EdgeId>,
    /// Labels that name this location.
    pub labels: Vec<Label>,
    /// The loop statements that start each of their rounds here.
    pub loops: Vec<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    /// The label with all that it labels.
    pub span: Option<Span>,
    /// What stands behind its colon. None for another label, such as `case 1:`.
    pub statement: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: LocId,
    pub to: LocId,
    pub kind: EdgeKind,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Stores a scalar, or copies a whole record or array. A partial overlap of the two sides is undefined.
    Assign { place: PlaceId, value: ExprId },
    /// Passes only where the scalar `condition` is nonzero (`holds`) or zero (not `holds`). `Assume` of a constant
    /// that always passes is how an edge does nothing.
    Assume { condition: ExprId, holds: bool },
    /// Arguments are evaluated, then the callee runs, then its result is stored.
    Call {
        result: Option<PlaceId>,
        callee: Callee,
        arguments: Vec<ExprId>,
    },
    /// Leaves the function; a missing value in a function that has one leaves the result undefined.
    Return { value: Option<ExprId> },
    /// The place takes any value of its type.
    Havoc { place: PlaceId, cause: HavocCause },
    /// A construct without a meaning here. Whoever reaches this edge must answer *unknown* and say `what`.
    Unsupported { what: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    Direct(FuncId),
    Indirect(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HavocCause {
    /// A local variable comes to life without a value; to read it before a store is undefined.
    Uninitialised,
    /// Inline assembly writes it.
    Assembly,
    /// It is read from a device.
    Hardware,
}

impl Program {
    pub fn new(model: DataModel) -> Program {
        Program {
            types: Types::new(model),
            exprs: Exprs::default(),
            vars: Arena::new(),
            functions: Arena::new(),
            locs: Arena::new(),
            edges: Arena::new(),
            sources: SourceMap::default(),
            notes: Vec::new(),
            warnings: Vec::new(),
            dead: DeadCode::default(),
            scopes: BTreeMap::new(),
            assumptions: Assumptions {
                undefined_ends: true,
                ..Assumptions::COMPETITION
            },
            unordered: Vec::new(),
            volatile: BTreeSet::new(),
            hardware: Vec::new(),
            devices: BTreeSet::new(),
            stranger: None,
        }
    }

    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs.expr(id)
    }

    pub fn place(&self, id: PlaceId) -> Place {
        self.exprs.place(id)
    }

    /// The function of that name; a defined one wins over a declaration, a global one over a `static` one.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let rank = |f: &Function| (f.body.is_some(), !f.is_static);
        self.functions
            .iter()
            .filter(|(_, f)| f.name == name)
            .fold(None, |best: Option<(FuncId, &Function)>, (id, f)| match best {
                Some((_, other)) if rank(other) >= rank(f) => best,
                _ => Some((id, f)),
            })
            .map(|(id, _)| id)
    }

    /// Adds a function without a body.
    pub fn declare(&mut self, name: String, result: TypeId, params: Vec<TypeId>) -> FuncId {
        let ty = self.types.intern(Type::Function(FunctionType {
            result,
            params,
            variadic: false,
        }));
        self.functions.push(Function {
            name,
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            body: None,
            noreturn: false,
            is_static: false,
            const_params: Vec::new(),
            span: None,
        })
    }

    /// The type of a function's result.
    pub fn result_type(&self, function: FuncId) -> TypeId {
        match self.types.get(self.functions[function].ty) {
            Type::Function(ty) => ty.result,
            other => unreachable!("a function has a function type, not {other:?}"),
        }
    }

    pub fn add_loc(&mut self, function: FuncId) -> LocId {
        self.locs.push(Loc {
            function,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            labels: Vec::new(),
            loops: Vec::new(),
        })
    }

    pub fn add_edge(&mut self, from: LocId, to: LocId, kind: EdgeKind, span: Option<Span>) -> EdgeId {
        let id = self.edges.push(Edge { from, to, kind, span });
        self.locs[from].outgoing.push(id);
        self.locs[to].incoming.push(id);
        id
    }

    pub fn var_place(&mut self, var: VarId) -> PlaceId {
        let ty = self.vars[var].ty;
        self.exprs.add_place(PlaceKind::Var(var), ty)
    }

    pub fn deref(&mut self, pointer: ExprId) -> PlaceId {
        let ty = self
            .types
            .pointee(self.expr(pointer).ty)
            .expect("only pointers are dereferenced");
        self.exprs.add_place(PlaceKind::Deref(pointer), ty)
    }

    pub fn field(&mut self, base: PlaceId, field: u32) -> PlaceId {
        let Type::Record(record) = *self.types.get(self.place(base).ty) else {
            unreachable!("only records have fields")
        };
        let ty = self.types.record(record).fields[field as usize].ty;
        self.exprs.add_place(PlaceKind::Field(base, field), ty)
    }

    pub fn index(&mut self, base: PlaceId, index: ExprId) -> PlaceId {
        let ty = self
            .types
            .element(self.place(base).ty)
            .expect("only arrays have elements");
        self.exprs.add_place(PlaceKind::Index(base, index), ty)
    }

    pub fn read(&mut self, place: PlaceId) -> ExprId {
        let ty = self.place(place).ty;
        self.exprs.add(ExprKind::Read(place), ty)
    }

    pub fn read_var(&mut self, var: VarId) -> ExprId {
        let place = self.var_place(var);
        self.read(place)
    }

    /// An integer constant, wrapped to the shape of its type.
    pub fn int(&mut self, value: i128, ty: TypeId) -> ExprId {
        let shape = self
            .types
            .int_shape(ty)
            .expect("an integer constant has an integer-like type");
        self.exprs.add(ExprKind::Int(shape.wrap(value)), ty)
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> ExprId {
        self.exprs.add(ExprKind::Unary(op, operand), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> ExprId {
        self.exprs.add(ExprKind::Binary(op, left, right), ty)
    }

    /// Converts implicitly; the same expression when the type is the same.
    pub fn convert(&mut self, operand: ExprId, ty: TypeId) -> ExprId {
        if self.expr(operand).ty == ty {
            return operand;
        }
        self.exprs.add(
            ExprKind::Cast {
                operand,
                implicit: true,
            },
            ty,
        )
    }

    /// The pointer that a place is found by, if it is not a part of a variable.
    pub fn pointer_behind(&self, mut place: PlaceId) -> Option<ExprId> {
        loop {
            place = match self.place(place).kind {
                PlaceKind::Var(_) => return None,
                PlaceKind::Deref(pointer) => return Some(pointer),
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => base,
            }
        }
    }

    /// Whether there is hardware at an address.
    pub fn is_hardware(&self, address: u64) -> bool {
        self.hardware.iter().any(|range| range.contains(&address))
    }

    /// There is hardware at these addresses.
    pub fn add_hardware(&mut self, range: RangeInclusive<u64>) {
        let (mut start, mut end) = range.into_inner();
        self.hardware.retain(|other| {
            let meets = *other.start() <= end.saturating_add(1) && start <= other.end().saturating_add(1);
            if meets {
                start = start.min(*other.start());
                end = end.max(*other.end());
            }
            !meets
        });
        self.hardware.push(start..=end);
        self.hardware.sort_by_key(|range| *range.start());
    }

    /// The bit-field that a place is, if it is one.
    pub fn bit_field(&self, place: PlaceId) -> Option<BitRange> {
        let PlaceKind::Field(base, field) = self.place(place).kind else {
            return None;
        };
        let Type::Record(record) = *self.types.get(self.place(base).ty) else {
            return None;
        };
        self.types.record(record).fields[field as usize].bits
    }
}
