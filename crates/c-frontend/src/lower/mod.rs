//! A checked unit's declarations, statements and expressions as a [`Program`]'s functions and graphs.
//!
//! C's order of evaluation is made explicit here, left to right where C leaves it open: an operand whose value a later
//! operand's calls could change is saved in a temporary first. Side effects become edges in the order they happen, and
//! what remains of an expression is a tree without any.

mod assembly;
mod assign;
mod atomic;
mod builtin;
mod call;
mod complex;
mod condition;
mod declare;
mod device;
mod effects;
mod expr;
mod graph;
mod init;
mod names;
mod order;
mod place;
mod skipped;
mod spans;
mod stmt;
mod types;
mod vla;

pub(crate) use names::refuse_calls;

use program::{
    Callee, EdgeKind, ExprId, ExprKind, FuncId, Function, FunctionType, HavocCause, IntKind, LocId, Note,
    PlaceId, Program, Span, Type, TypeId, Var, VarId, VarKind,
};
use rucc_sema as sema;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::Linker;
use crate::unit::Unit;
use diagnostics::Diagnostic;
use graph::{Graph, Node};
use spans::SpanMap;
use types::TypeMap;

/// Lowers a unit into `program`, resolving its external names through `linker`.
pub(crate) fn lower_unit(
    unit: &Unit,
    program: &mut Program,
    linker: &mut Linker,
) -> Result<(), Vec<Diagnostic>> {
    let types = TypeMap::for_unit(program);
    let mut lowering = Lowering {
        unit,
        program,
        linker,
        types,
        spans: SpanMap::default(),
        entities: FxHashMap::default(),
        statics: FxHashMap::default(),
        strings: FxHashMap::default(),
        label_locs: FxHashMap::default(),
        symbols: names::symbols(unit),
        thunks: Vec::new(),
        shared: effects::shared_objects(unit),
        shared_vars: FxHashSet::default(),
        gotos: skipped::gotos(unit),
        body: BodyState::new(None, None),
        errors: Vec::new(),
        said: FxHashSet::default(),
    };
    for &decl in unit.tast.top_level() {
        lowering.top_level(decl);
    }
    lowering.finish_aliases();
    if let Some(asm) = unit.tast.file_asms().first() {
        let span = lowering.span(asm.span);
        lowering.note("file-scope assembly is passed over", span);
    }
    if lowering.errors.is_empty() {
        Ok(())
    } else {
        Err(lowering.errors)
    }
}

/// What a declared name stands for.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Var(VarId),
    Function(FuncId),
}

struct Lowering<'a> {
    unit: &'a Unit,
    program: &'a mut Program,
    linker: &'a mut Linker,
    types: TypeMap,
    spans: SpanMap,
    entities: FxHashMap<sema::DeclId, Entity>,
    /// File-scope names with internal linkage.
    statics: FxHashMap<String, Entity>,
    strings: FxHashMap<sema::StrId, VarId>,
    /// File-scope declarations by what the linker calls them.
    symbols: FxHashMap<String, sema::DeclId>,
    /// Aliases of functions, and what they call.
    thunks: Vec<(FuncId, FuncId)>,
    /// Locations of labels whose address is taken.
    label_locs: FxHashMap<sema::LabelId, LocId>,
    /// Objects that a called function may read or write: those whose address is taken.
    shared: FxHashSet<sema::DeclId>,
    /// The variables that `shared` objects have become.
    shared_vars: FxHashSet<VarId>,
    gotos: FxHashMap<sema::LabelId, usize>,
    body: BodyState,
    errors: Vec<Diagnostic>,
    said: FxHashSet<String>,
}

/// The function being lowered.
struct BodyState {
    function: Option<FuncId>,
    graph: Graph,
    /// Where the next edge starts.
    at: Node,
    /// The source of the edges being made.
    span: Option<Span>,
    result: Option<TypeId>,
    locals: Vec<VarId>,
    temporaries: u32,
    labels: FxHashMap<sema::LabelId, Node>,
    jumps: Vec<JumpTargets>,
    switches: Vec<stmt::SwitchTargets>,
    scopes: Vec<stmt::Scope>,
    /// How many scopes were opened so far.
    opened: u32,
    blocks: skipped::Blocks,
    /// How many clean-ups each open scope had at a label, for jumps back to it.
    label_cleanups: FxHashMap<sema::LabelId, Vec<usize>>,
    /// Array lengths evaluated where the array was declared.
    lengths: FxHashMap<sema::ExprId, ExprId>,
    /// Where each computed goto stands, where it leads, and the blocks that are open there.
    computed_gotos: Vec<(Node, ExprId, Option<Span>, Vec<sema::StmtId>)>,
}

/// Where `break` and `continue` go, and how many scopes are open there.
#[derive(Clone, Copy)]
struct JumpTargets {
    on_break: Node,
    on_continue: Option<Node>,
    scopes: usize,
}

impl BodyState {
    fn new(function: Option<FuncId>, result: Option<TypeId>) -> BodyState {
        let graph = Graph::new();
        BodyState {
            function,
            at: graph.entry,
            graph,
            span: None,
            result,
            locals: Vec::new(),
            temporaries: 0,
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            switches: Vec::new(),
            scopes: Vec::new(),
            opened: 0,
            blocks: skipped::Blocks::default(),
            label_cleanups: FxHashMap::default(),
            lengths: FxHashMap::default(),
            computed_gotos: Vec::new(),
        }
    }
}

impl Lowering<'_> {
    fn span(&mut self, span: rucc_diag::Span) -> Option<Span> {
        self.spans.lower(span, self.unit, &mut self.program.sources)
    }

    fn ty(&mut self, id: rucc_types::TypeId) -> TypeId {
        self.types.lower(id, self.unit, &mut self.program.types)
    }

    /// The lowered type of an expression of the tree.
    fn type_of(&mut self, expr: sema::ExprId) -> TypeId {
        self.ty(self.unit.tast[expr].ty)
    }

    fn int(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    /// The name of a symbol.
    fn name(&self, symbol: rucc_base::Symbol) -> String {
        self.unit.names.resolve(symbol).to_owned()
    }

    /// Says something to the user, once.
    fn note(&mut self, message: &str, span: Option<Span>) {
        if self.said.insert(message.to_owned()) {
            self.program.notes.push(Note {
                message: message.to_owned(),
                span,
            });
        }
    }

    // Edges.

    fn edge(&mut self, kind: EdgeKind) {
        let next = self.body.graph.node();
        self.body.graph.edge(self.body.at, next, kind, self.body.span);
        self.body.at = next;
    }

    /// An edge that accesses what may be a device.
    fn volatile_edge(&mut self, kind: EdgeKind) {
        self.body.graph.mark_volatile(self.body.at);
        self.edge(kind);
    }

    fn assign(&mut self, place: PlaceId, value: ExprId) {
        self.edge(EdgeKind::Assign { place, value });
    }

    fn havoc(&mut self, place: PlaceId, cause: HavocCause) {
        self.edge(EdgeKind::Havoc { place, cause });
    }

    fn call(&mut self, result: Option<PlaceId>, callee: FuncId, arguments: Vec<ExprId>) {
        self.edge(EdgeKind::Call {
            result,
            callee: Callee::Direct(callee),
            arguments,
        });
    }

    /// Control goes on at `to`; what is lowered next is reached only by a label.
    fn jump(&mut self, to: Node) {
        self.body.graph.jump(self.body.at, to);
        self.body.at = self.body.graph.node();
    }

    /// Control goes on at `to`, and so does the lowering.
    fn go_on_at(&mut self, to: Node) {
        self.body.graph.jump(self.body.at, to);
        self.body.at = to;
    }

    /// Control does not come here.
    fn dead_end(&mut self) {
        self.body.at = self.body.graph.node();
    }

    /// Marks the current place as one without a meaning.
    fn unsupported(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.note(&format!("unsupported: {what}"), self.body.span);
        self.edge(EdgeKind::Unsupported { what });
    }

    /// An unsupported edge and some value of the type, so that the lowering can go on.
    fn unsupported_value(&mut self, what: impl Into<String>, ty: TypeId) -> ExprId {
        self.unsupported(what);
        self.any_value(ty)
    }

    fn any_value(&mut self, ty: TypeId) -> ExprId {
        if matches!(self.program.types.get(ty), Type::Void | Type::Function(_)) {
            let int = self.int();
            return self.program.int(0, int);
        }
        let place = self.temporary(ty);
        self.havoc(place, HavocCause::Uninitialised);
        self.program.read(place)
    }

    // Temporaries.

    fn temporary(&mut self, ty: TypeId) -> PlaceId {
        self.body.temporaries += 1;
        let name = format!("${}", self.body.temporaries);
        let var = self.program.vars.push(Var {
            name,
            ty,
            kind: VarKind::Temporary,
            function: self.body.function,
            span: self.body.span,
            is_const: false,
            align: 1,
        });
        self.body.locals.push(var);
        self.note_scope(var);
        self.program.var_place(var)
    }

    /// The value, held in a temporary of its own.
    fn save(&mut self, value: ExprId) -> ExprId {
        let place = self.temporary(self.program.expr(value).ty);
        self.assign(place, value);
        self.program.read(place)
    }

    /// The value, held so that nothing that runs later can change it.
    fn save_if_changing(&mut self, value: ExprId) -> ExprId {
        if self.is_settled(value) {
            value
        } else {
            self.save(value)
        }
    }

    /// Whether the value is a constant, an address of a variable, or a temporary: the same whenever it is evaluated.
    fn is_settled(&self, value: ExprId) -> bool {
        match self.program.expr(value).kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Label(_) => true,
            ExprKind::Cast { operand, .. } => self.is_settled(operand),
            ExprKind::Read(place) => match self.program.place(place).kind {
                program::PlaceKind::Var(var) => self.program.vars[var].kind == VarKind::Temporary,
                _ => false,
            },
            ExprKind::AddressOf(place) => {
                matches!(self.program.place(place).kind, program::PlaceKind::Var(_))
            }
            _ => false,
        }
    }

    /// A function that the program does not declare, known to every engine by its name.
    fn intrinsic(&mut self, name: &str, result: TypeId, noreturn: bool) -> FuncId {
        if let Some(known) = self.linker.function(name) {
            return known;
        }
        let ty = self.program.types.intern(Type::Function(FunctionType {
            result,
            params: Vec::new(),
            variadic: true,
        }));
        let id = self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            body: None,
            noreturn,
            is_static: false,
            const_params: Vec::new(),
            span: None,
        });
        self.linker.add_function(name, id);
        id
    }
}
