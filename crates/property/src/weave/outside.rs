//! Calls from outside. A function without a body may call the functions that it is given, as often as it likes, with any
//! arguments, and do between these calls whatever it does:
//!
//! ```text
//! while (which = f$calls()) { f(…); its which-th argument(f$passes_0_0(), …); }
//! result = f(…);
//! ```
//!
//! `f$calls` and its kin have no body either: what they return are inputs like any other.

use library::of as library_function;
use program::{
    BinaryOp, CallGraph, Callee, EdgeId, EdgeKind, ExprId, ExprKind, External, FuncId, Function,
    FunctionType, IntKind, LocId, PlaceKind, Program, Span, Type, TypeId, TypeResolver, Var, VarId, VarKind,
    list_locations,
};

/// What a function is called that decides which function is called from outside next, and whether any.
pub const CALLS: &str = "$calls";
/// What functions are called whose results are passed to functions that are called from outside.
pub const PASSES: &str = "$passes";
/// What a function is called that a pointer leads to and nobody knows.
pub const STRANGER: &str = "$stranger";

/// Puts the calls that functions without a body may make into the program.
pub fn show_calls(program: &mut Program) {
    if program.assumptions.external == External::Pure {
        add_stranger(program);
        return;
    }
    let graph = CallGraph::new(program, &TypeResolver::new(program));
    for site in graph.sites() {
        let EdgeKind::Call {
            arguments, callee, ..
        } = &program.edges[site.edge].kind
        else {
            unreachable!("a call site is a call edge")
        };
        let is_outside = |&&target: &&FuncId| {
            let function = &program.functions[target];
            function.body.is_none() && library_function(&function.name).function.is_unknown()
        };
        let Some(&outside) = site.targets.iter().find(is_outside) else {
            continue;
        };
        let given: Vec<usize> = (0..arguments.len())
            .filter(|&at| is_function(program, arguments[at]))
            .collect();
        if given.is_empty() {
            continue;
        }
        let is_direct = matches!(callee, Callee::Direct(_));
        let mut shower = Shower::new(program, site.edge, outside);
        let returns = !shower.program.functions[outside].noreturn;
        match is_direct && returns && given.iter().all(|&at| shower.can_be_called(at)) {
            true => shower.show(&given),
            false => shower.refuse(),
        }
        let Shower { caller, new, .. } = shower;
        list_locations(program, caller, &new);
    }
}

/// Adds the function that calls through pointers lead to where they lead to none that is known.
fn add_stranger(program: &mut Program) {
    let is_through_pointer = |kind: &EdgeKind| {
        matches!(
            kind,
            EdgeKind::Call {
                callee: Callee::Indirect(_),
                ..
            }
        )
    };
    if program.edges.values().any(|edge| is_through_pointer(&edge.kind)) {
        let result = program.types.void();
        program.stranger = Some(add_function(program, STRANGER.to_owned(), result));
    }
}

/// Whether the argument is a pointer to a function, and not just null or another number.
fn is_function(program: &Program, argument: ExprId) -> bool {
    let pointee = program.types.pointee(program.expr(argument).ty);
    pointee.is_some_and(|ty| matches!(program.types.get(ty), Type::Function(_)))
        && !matches!(program.expr(uncast(program, argument)).kind, ExprKind::Int(_))
}

fn uncast(program: &Program, mut expr: ExprId) -> ExprId {
    while let ExprKind::Cast { operand, .. } = program.expr(expr).kind {
        expr = operand;
    }
    expr
}

/// One call of a function without a body, to which more is added.
struct Shower<'p> {
    program: &'p mut Program,
    edge: EdgeId,
    caller: FuncId,
    name: String,
    span: Option<Span>,
    new: Vec<LocId>,
}

impl<'p> Shower<'p> {
    fn new(program: &'p mut Program, edge: EdgeId, outside: FuncId) -> Shower<'p> {
        Shower {
            caller: program.locs[program.edges[edge].from].function,
            name: program.functions[outside].name.clone(),
            span: program.edges[edge].span,
            new: Vec::new(),
            program,
            edge,
        }
    }

    fn arguments(&self) -> &[ExprId] {
        match &self.program.edges[self.edge].kind {
            EdgeKind::Call { arguments, .. } => arguments,
            _ => unreachable!("a call is a call edge"),
        }
    }

    fn type_behind(&self, pointer: ExprId) -> &FunctionType {
        let pointee = self.program.types.pointee(self.program.expr(pointer).ty);
        match pointee.map(|ty| self.program.types.get(ty)) {
            Some(Type::Function(ty)) => ty,
            _ => unreachable!("a pointer to a function was looked for"),
        }
    }

    /// Whether it is known what the function takes, and all of that can be an input.
    fn can_be_called(&self, at: usize) -> bool {
        let ty = self.type_behind(self.arguments()[at]);
        let is_scalar = |&ty: &TypeId| self.program.types.is_scalar(ty);
        let takes = ty.params.iter().all(is_scalar);
        let given = self.arguments().iter();
        let given = given.map(|&argument| self.program.expr(argument).ty);
        takes && !ty.variadic && given.into_iter().all(|ty| is_scalar(&ty))
    }

    fn refuse(&mut self) {
        let (before, at) = self.moved();
        let what = format!("a function that `{}`, which has no body, may call", self.name);
        self.add(before, at, EdgeKind::Unsupported { what });
    }

    fn show(&mut self, given: &[usize]) {
        let (start, call) = self.moved();
        let head = self.loc();
        let mut here = start;
        // Each argument is evaluated once.
        let mut arguments = self.arguments().to_vec();
        for argument in &mut arguments {
            if !self.is_constant(*argument) {
                let var = self.temporary(self.program.expr(*argument).ty);
                let place = self.program.var_place(var);
                let next = self.loc();
                let value = std::mem::replace(argument, self.program.read(place));
                self.add(here, next, EdgeKind::Assign { place, value });
                here = next;
            }
        }
        if let EdgeKind::Call { arguments: own, .. } = &mut self.program.edges[self.edge].kind {
            own.clone_from(&arguments);
        }
        self.pass(here, head);
        let int = self.program.types.int(IntKind::Int);
        let decides = self.function(CALLS, int);
        let which = self.temporary(int);
        let place = self.program.var_place(which);
        let mut undecided = self.loc();
        let call_of = |function, result, arguments| EdgeKind::Call {
            result,
            callee: Callee::Direct(function),
            arguments,
        };
        self.add(head, undecided, call_of(decides, Some(place), Vec::new()));
        let EdgeKind::Call { callee, .. } = self.program.edges[self.edge].kind else {
            unreachable!("a call is a call edge")
        };
        for &at in given {
            let is_last = given.last() == Some(&at);
            let (taken, otherwise) = (self.loc(), if is_last { call } else { self.loc() });
            let number = self.program.int(at as i128 + 1, int);
            let which = self.program.read(place);
            let condition = self.program.binary(BinaryOp::Eq, which, number, int);
            for (to, holds) in [(taken, true), (otherwise, false)] {
                self.add(undecided, to, EdgeKind::Assume { condition, holds });
            }
            undecided = otherwise;
            let mut here = self.loc();
            let does = EdgeKind::Call {
                result: None,
                callee,
                arguments: arguments.clone(),
            };
            self.add(taken, here, does);
            let mut passed = Vec::new();
            let taken = self.type_behind(arguments[at]).params.clone();
            for (parameter, ty) in taken.into_iter().enumerate() {
                let function = self.function(&format!("{PASSES}_{at}_{parameter}"), ty);
                let var = self.temporary(ty);
                let next = self.loc();
                let result = self.program.var_place(var);
                self.add(here, next, call_of(function, Some(result), Vec::new()));
                passed.push(self.program.read(result));
                here = next;
            }
            let callee = match self.program.expr(uncast(self.program, arguments[at])).kind {
                ExprKind::Function(function) => Callee::Direct(function),
                _ => Callee::Indirect(arguments[at]),
            };
            let called = EdgeKind::Call {
                result: None,
                callee,
                arguments: passed,
            };
            self.add(here, head, called);
        }
    }

    /// Where the call started before, and where it starts now.
    fn moved(&mut self) -> (LocId, LocId) {
        let from = self.program.edges[self.edge].from;
        let moved = self.loc();
        let edge = self.edge;
        self.program.locs[from].outgoing.retain(|&other| other != edge);
        self.program.locs[moved].outgoing.push(edge);
        self.program.edges[edge].from = moved;
        (from, moved)
    }

    fn loc(&mut self) -> LocId {
        let loc = self.program.add_loc(self.caller);
        self.new.push(loc);
        loc
    }

    fn add(&mut self, from: LocId, to: LocId, kind: EdgeKind) {
        self.program.add_edge(from, to, kind, self.span);
    }

    fn pass(&mut self, from: LocId, to: LocId) {
        let int = self.program.types.int(IntKind::Int);
        let condition = self.program.int(1, int);
        self.add(
            from,
            to,
            EdgeKind::Assume {
                condition,
                holds: true,
            },
        );
    }

    /// Whether the expression means the same whatever happens.
    fn is_constant(&self, argument: ExprId) -> bool {
        match self.program.expr(uncast(self.program, argument)).kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            ExprKind::AddressOf(place) => matches!(self.program.place(place).kind, PlaceKind::Var(_)),
            _ => false,
        }
    }

    /// The function without a body that stands for what this one decides.
    fn function(&mut self, what: &str, result: TypeId) -> FuncId {
        add_function(self.program, format!("{}{what}", self.name), result)
    }

    fn temporary(&mut self, ty: TypeId) -> VarId {
        let var = self.program.vars.push(Var {
            name: format!("{}$value", self.name),
            ty,
            kind: VarKind::Temporary,
            function: Some(self.caller),
            span: None,
            is_const: false,
            align: 0,
        });
        self.program.functions[self.caller].locals.push(var);
        var
    }
}

/// A function without a body and parameters, which is added if there is none.
fn add_function(program: &mut Program, name: String, result: TypeId) -> FuncId {
    let same = |function: &Function| {
        let ty = program.types.get(function.ty);
        function.name == name
            && matches!(ty, Type::Function(ty) if ty.result == result && ty.params.is_empty() && !ty.variadic)
    };
    let known = program.functions.iter().find(|(_, function)| same(function));
    match known.map(|(known, _)| known) {
        Some(known) => known,
        None => program.declare(name, result, Vec::new()),
    }
}
