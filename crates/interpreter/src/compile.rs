//! From a function's control-flow graph to [`Code`]. Expressions become trees of specialised operators, with parts
//! that are too deep for recursive evaluation split off.

mod expr;
mod hoist;
mod place;

use program::{
    Callee as CalleeExpr, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, LocId, PlaceId, PlaceKind, Program,
    Type, VarKind,
};
use rustc_hash::FxHashMap;

use crate::code::*;
use crate::layout::Layout;
use crate::models;
use crate::scalar::Scalar;

pub(crate) struct Compiler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    register_vars: Vec<Option<program::VarId>>,
    /// Expressions that were computed into a hidden register, for the location at hand.
    hoisted: FxHashMap<ExprId, u32>,
    /// Functions that end the run even where they have a body.
    error_functions: &'a [String],
    /// Whether an operator of the location at hand has an operand that is no scalar. Programs have such operators only
    /// behind edges that are unsupported.
    malformed: bool,
}

/// Compiles a function that has a body.
pub(crate) fn function(
    program: &Program,
    layout: &Layout,
    error_functions: &[String],
    id: FuncId,
) -> Option<Code> {
    let function = &program.functions[id];
    let body = function.body.as_ref()?;
    let mut compiler = Compiler::new(program, layout, error_functions, Some(id));
    let objects = compiler.frame_objects(id);
    let index: FxHashMap<LocId, u32> = body
        .locs
        .iter()
        .enumerate()
        .map(|(index, &loc)| (loc, index as u32))
        .collect();
    let locs = body
        .locs
        .iter()
        .map(|&loc| compiler.location(loc, &index))
        .collect();
    let params = function
        .params
        .iter()
        .map(|&var| Param {
            home: layout.home(var),
            scalar: Scalar::of(&program.types, program.vars[var].ty),
        })
        .collect();
    Some(Code {
        function: id,
        registers: compiler.register_vars.len() as u32,
        register_vars: compiler.register_vars,
        objects,
        params,
        variadic: is_variadic(program, id),
        entry: index[&body.entry],
        locs,
    })
}

/// Compiles one expression to be evaluated in a frame of a function.
pub(crate) fn expression(program: &Program, layout: &Layout, function: FuncId, expr: ExprId) -> Operand {
    Compiler::new(program, layout, &[], Some(function)).operand(expr)
}

/// Compiles the read of a scalar place in a frame of a function.
pub(crate) fn place(program: &Program, layout: &Layout, function: FuncId, place: PlaceId) -> Option<Operand> {
    let scalar = Scalar::of(&program.types, program.place(place).ty)?;
    Some(Compiler::new(program, layout, &[], Some(function)).read_operand(place, scalar))
}

/// Compiles one step of a static object's initialisation.
pub(crate) fn initial(
    program: &Program,
    layout: &Layout,
    place: PlaceId,
    value: ExprId,
) -> (Destination, Operand) {
    let mut compiler = Compiler::new(program, layout, &[], None);
    (compiler.destination(place), compiler.operand(value))
}

fn is_variadic(program: &Program, function: FuncId) -> bool {
    match program.types.get(program.functions[function].ty) {
        Type::Function(ty) => ty.variadic,
        _ => false,
    }
}

impl<'a> Compiler<'a> {
    fn new(
        program: &'a Program,
        layout: &'a Layout,
        error_functions: &'a [String],
        function: Option<FuncId>,
    ) -> Compiler<'a> {
        let mut register_vars = Vec::new();
        let function = function.map(|function| &program.functions[function]);
        for &var in function.iter().flat_map(|f| f.params.iter().chain(&f.locals)) {
            if let Home::Register(at) = layout.home(var)
                && !matches!(program.vars[var].kind, VarKind::Global(_))
            {
                register_vars.resize((at as usize).max(register_vars.len()), None);
                register_vars.push(Some(var));
                if Scalar::of(&program.types, program.vars[var].ty).is_some_and(|s| !s.is_narrow()) {
                    register_vars.push(None);
                }
            }
        }
        Compiler {
            program,
            layout,
            register_vars,
            hoisted: FxHashMap::default(),
            error_functions,
            malformed: false,
        }
    }

    fn frame_objects(&self, id: FuncId) -> Vec<FrameObject> {
        let function = &self.program.functions[id];
        let vars = function.params.iter().chain(&function.locals);
        vars.filter(|&&var| matches!(self.layout.home(var), Home::FrameObject(_)))
            .map(|&var| {
                let info = &self.program.vars[var];
                FrameObject {
                    var,
                    size: self.program.types.size(info.ty),
                    align: self.program.types.align(info.ty).max(info.align),
                }
            })
            .collect()
    }

    fn location(&mut self, loc: LocId, index: &FxHashMap<LocId, u32>) -> Location {
        let outgoing = &self.program.locs[loc].outgoing;
        let hoisted = self.hoist(outgoing);
        let exits = match outgoing[..] {
            [] => Exits::None,
            [edge] => Exits::One(self.edge(edge, index)),
            [first, second] => match self.branch(first, second, index) {
                Some(branch) => branch,
                None => Exits::Many(vec![self.edge(first, index), self.edge(second, index)]),
            },
            _ => Exits::Many(outgoing.iter().map(|&edge| self.edge(edge, index)).collect()),
        };
        self.hoisted.clear();
        if std::mem::take(&mut self.malformed)
            && let Some(&edge) = outgoing.first()
        {
            let to = index[&self.program.edges[edge].to];
            let what = "an operation on operands that are not scalar".to_owned();
            return Location {
                hoisted: Vec::new(),
                exits: Exits::One(EdgeCode {
                    jump: Jump { edge, to },
                    action: Action::Unsupported(what),
                }),
            };
        }
        Location { hoisted, exits }
    }

    /// Two edges that assume a condition and its opposite.
    fn branch(&mut self, first: EdgeId, second: EdgeId, index: &FxHashMap<LocId, u32>) -> Option<Exits> {
        let (a, b) = (&self.program.edges[first], &self.program.edges[second]);
        let EdgeKind::Assume { condition, holds } = a.kind else {
            return None;
        };
        let EdgeKind::Assume {
            condition: other,
            holds: opposite,
        } = b.kind
        else {
            return None;
        };
        if condition != other || holds == opposite {
            return None;
        }
        let first = Jump {
            edge: first,
            to: index[&a.to],
        };
        let second = Jump {
            edge: second,
            to: index[&b.to],
        };
        let (if_true, if_false) = if holds { (first, second) } else { (second, first) };
        Some(Exits::Branch {
            condition: self.truth(condition),
            if_true,
            if_false,
        })
    }

    fn edge(&mut self, id: EdgeId, index: &FxHashMap<LocId, u32>) -> EdgeCode {
        let edge = &self.program.edges[id];
        let jump = Jump {
            edge: id,
            to: index[&edge.to],
        };
        EdgeCode {
            jump,
            action: self.action(&edge.kind),
        }
    }

    fn action(&mut self, kind: &EdgeKind) -> Action {
        match kind {
            EdgeKind::Assume { condition, holds } => Action::Assume {
                condition: self.truth(*condition),
                holds: *holds,
            },
            EdgeKind::Assign { place, value } => self.assign(*place, *value),
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => Action::Call(Box::new(Call {
                callee: self.callee(*callee),
                arguments: arguments.iter().map(|&argument| self.operand(argument)).collect(),
                result: result.map(|place| self.destination(place)),
                result_type: result.map(|place| self.program.place(place).ty),
            })),
            EdgeKind::Return { value } => Action::Return(value.map(|value| Box::new(self.operand(value)))),
            EdgeKind::Havoc { place, cause } => Action::Havoc(Box::new(Havoc {
                destination: self.destination(*place),
                ty: self.program.place(*place).ty,
                var: match self.program.place(*place).kind {
                    PlaceKind::Var(var) => Some(var),
                    _ => None,
                },
                cause: *cause,
            })),
            EdgeKind::Unsupported { what } => Action::Unsupported(what.clone()),
        }
    }

    fn assign(&mut self, place: PlaceId, value: ExprId) -> Action {
        if let Some(from) = program::copied_byte(self.program, place, value) {
            let (to, from) = (self.path(place), self.path(from));
            return Action::CopyByte(Box::new((to, from)));
        }
        let destination = self.destination(place);
        let operand = self.operand(value);
        match (destination, operand) {
            (Destination::Register(_, at), Operand::Narrow(_, node)) => Action::SetRegister(at, node),
            (Destination::GlobalRegister(_, at), Operand::Narrow(_, node)) => Action::SetGlobal(at, node),
            (Destination::Memory(access), Operand::Narrow(_, node)) => {
                Action::Store(Box::new((access, node)))
            }
            other => Action::Assign(Box::new(other)),
        }
    }

    fn callee(&mut self, callee: CalleeExpr) -> Callee {
        let direct = match callee {
            CalleeExpr::Direct(function) => Some(function),
            CalleeExpr::Indirect(expr) => match self.program.expr(expr).kind {
                ExprKind::Function(function) => Some(function),
                _ => return Callee::Pointer(self.node(expr)),
            },
        };
        let function = direct.expect("indirect calls were answered above");
        callee_of(self.program, self.error_functions, function)
    }
}

/// How a function is called: its body, or the model of what has none.
pub(crate) fn callee_of(program: &Program, error_functions: &[String], function: FuncId) -> Callee {
    let info = &program.functions[function];
    if error_functions.contains(&info.name) {
        return Callee::Model(function, models::error_function(), library::of(&info.name));
    }
    if info.body.is_some() {
        return Callee::Function(function);
    }
    Callee::Model(function, models::of(&info.name), library::of(&info.name))
}
