//! Who calls whom. Calls through pointers are resolved by a [`CallResolver`]; the one given here knows only types
//! and allows every function whose address is taken, so it is safe to use where nothing better is known.

use crate::walk::{Node, Walk};
use crate::{
    Arena, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, FunctionType, Id, Program, Type, TypeId,
};

/// Tells which functions a call through a pointer may reach.
pub trait CallResolver {
    /// All functions that the call edge, whose callee is `pointer`, may call; in a stable order.
    fn targets(&self, program: &Program, edge: EdgeId, pointer: ExprId) -> Vec<FuncId>;

    /// The functions that a library function, called directly by the edge, may call back.
    fn callbacks(&self, _program: &Program, _edge: EdgeId) -> Vec<FuncId> {
        Vec::new()
    }
}

/// Allows each function whose address the program takes and that can be called with the arguments given.
#[derive(Clone, Debug)]
pub struct TypeResolver {
    address_taken: Vec<FuncId>,
}

impl TypeResolver {
    pub fn new(program: &Program) -> TypeResolver {
        TypeResolver {
            address_taken: address_taken_functions(program),
        }
    }
}

impl CallResolver for TypeResolver {
    fn targets(&self, program: &Program, edge: EdgeId, _pointer: ExprId) -> Vec<FuncId> {
        let EdgeKind::Call {
            result, arguments, ..
        } = &program.edges[edge].kind
        else {
            unreachable!("only calls have callees")
        };
        let arguments: Vec<TypeId> = arguments
            .iter()
            .map(|&argument| program.expr(argument).ty)
            .collect();
        let result = result.map(|place| program.place(place).ty);
        self.address_taken
            .iter()
            .copied()
            .filter(|&function| is_callable(program, function, &arguments, result))
            .collect()
    }
}

/// The functions that are mentioned other than to call them directly, in program order.
pub fn address_taken_functions(program: &Program) -> Vec<FuncId> {
    let mut taken = vec![false; program.functions.len()];
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Function(function) = program.expr(expr).kind
        {
            taken[function.index()] = true;
        }
    }
    program.functions.ids().filter(|f| taken[f.index()]).collect()
}

/// Whether a function can be called with arguments of these types and its result be stored as that type. Pointers
/// stand for each other, and so do integers of one size: programs cast function pointers that way and compilers let
/// them.
pub fn is_callable(
    program: &Program,
    function: FuncId,
    arguments: &[TypeId],
    result: Option<TypeId>,
) -> bool {
    let Type::Function(FunctionType {
        result: own_result,
        params,
        variadic,
    }) = program.types.get(program.functions[function].ty)
    else {
        unreachable!("a function has a function type")
    };
    let arity = match variadic {
        true => arguments.len() >= params.len(),
        false => arguments.len() == params.len(),
    };
    let result_fits = match result {
        Some(result) => {
            is_passed_alike(program, *own_result, result) || is_scalar_pair(program, *own_result, result)
        }
        None => true,
    };
    arity
        && result_fits
        && params
            .iter()
            .zip(arguments)
            .all(|(&param, &argument)| is_passed_alike(program, param, argument))
}

/// A result may be converted on its way into the place that takes it.
fn is_scalar_pair(program: &Program, from: TypeId, to: TypeId) -> bool {
    program.types.is_scalar(from) && program.types.is_scalar(to)
}

fn is_passed_alike(program: &Program, param: TypeId, argument: TypeId) -> bool {
    let types = &program.types;
    if param == argument {
        return true;
    }
    match (types.int_shape(param), types.int_shape(argument)) {
        (Some(param), Some(argument)) => param.bits == argument.bits,
        (None, None) => {
            matches!(
                (types.get(param), types.get(argument)),
                (Type::Record(_), Type::Record(_))
            ) && types.size(param) == types.size(argument)
        }
        _ => false,
    }
}

/// A call edge and what it may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    pub edge: EdgeId,
    pub caller: FuncId,
    pub callee: Callee,
    /// One function for a direct call.
    pub targets: Vec<FuncId>,
    /// What a library function calls in turn, such as the comparison that `qsort` is given.
    pub callbacks: Vec<FuncId>,
}

#[derive(Clone, Debug)]
pub struct CallGraph {
    sites: Vec<CallSite>,
    /// Of each function, the range of `sites` that are in its body.
    ranges: Arena<FuncId, std::ops::Range<usize>>,
    callees: Arena<FuncId, Vec<FuncId>>,
    callers: Arena<FuncId, Vec<FuncId>>,
    components: Vec<Vec<FuncId>>,
    component_of: Arena<FuncId, usize>,
}

impl CallGraph {
    pub fn new(program: &Program, resolver: &dyn CallResolver) -> CallGraph {
        let mut sites = Vec::new();
        let mut ranges = Arena::new();
        let mut callees: Arena<FuncId, Vec<FuncId>> = Arena::new();
        let mut callers: Arena<FuncId, Vec<FuncId>> = Arena::new();
        for _ in program.functions.ids() {
            callers.push(Vec::new());
        }
        for (caller, function) in program.functions.iter() {
            let start = sites.len();
            let locs = function.body.as_ref().map_or(&[][..], |body| &body.locs);
            for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
                let EdgeKind::Call { callee, .. } = program.edges[edge].kind else {
                    continue;
                };
                let (targets, callbacks) = match callee {
                    Callee::Direct(function) => (vec![function], resolver.callbacks(program, edge)),
                    Callee::Indirect(pointer) => (resolver.targets(program, edge, pointer), Vec::new()),
                };
                sites.push(CallSite {
                    edge,
                    caller,
                    callee,
                    targets,
                    callbacks,
                });
            }
            let mut targets: Vec<FuncId> = sites[start..]
                .iter()
                .flat_map(|site| site.targets.iter().chain(&site.callbacks).copied())
                .collect();
            targets.sort_unstable();
            targets.dedup();
            for &target in &targets {
                callers[target].push(caller);
            }
            ranges.push(start..sites.len());
            callees.push(targets);
        }
        let components = components(&callees);
        let mut component_of = Arena::new();
        for _ in program.functions.ids() {
            component_of.push(0);
        }
        for (number, component) in components.iter().enumerate() {
            for &function in component {
                component_of[function] = number;
            }
        }
        CallGraph {
            sites,
            ranges,
            callees,
            callers,
            components,
            component_of,
        }
    }

    /// All call sites, function by function.
    pub fn sites(&self) -> &[CallSite] {
        &self.sites
    }

    pub fn sites_in(&self, function: FuncId) -> &[CallSite] {
        &self.sites[self.ranges[function].clone()]
    }

    /// The functions that a call edge may call.
    pub fn targets(&self, edge: EdgeId) -> &[FuncId] {
        let site = self.sites.iter().find(|site| site.edge == edge);
        site.map_or(&[], |site| &site.targets)
    }

    /// Functions that `function` may call itself, each once, in program order.
    pub fn callees(&self, function: FuncId) -> &[FuncId] {
        &self.callees[function]
    }

    pub fn callers(&self, function: FuncId) -> &[FuncId] {
        &self.callers[function]
    }

    /// Strongly connected components, callees before callers.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// The position of a function's component in [`CallGraph::components`].
    pub fn component_of(&self, function: FuncId) -> usize {
        self.component_of[function]
    }

    /// Whether a call of the function may lead to another call of it before it returns.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.components[self.component_of[function]].len() > 1 || self.callees[function].contains(&function)
    }

    /// Functions that may run when `entry` is called, `entry` included, in program order.
    pub fn reachable_from(&self, entry: FuncId) -> Vec<FuncId> {
        let mut seen = vec![false; self.callees.len()];
        seen[entry.index()] = true;
        let mut pending = vec![entry];
        while let Some(function) = pending.pop() {
            for &callee in &self.callees[function] {
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    pending.push(callee);
                }
            }
        }
        self.callees.ids().filter(|f| seen[f.index()]).collect()
    }
}

fn components(callees: &Arena<FuncId, Vec<FuncId>>) -> Vec<Vec<FuncId>> {
    let successors = |node: usize| {
        callees[FuncId::from_index(node)]
            .iter()
            .map(|f| f.index())
            .collect()
    };
    crate::scc::components(callees.len(), successors)
        .into_iter()
        .map(|component| {
            let mut functions: Vec<FuncId> = component.into_iter().map(FuncId::from_index).collect();
            functions.sort_unstable();
            functions
        })
        .collect()
}
