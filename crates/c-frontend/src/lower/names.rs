//! Which entity a name stands for when it is not the one that it spells: assembler names, aliases, functions that are
//! chosen when the program is loaded.
//!
//! A name with a symbol of its own (`int f(void) __asm__("g")`) is that symbol, for all files. An alias of an object is the
//! object. An alias of a function keeps its name, because properties know functions by their names: it is a function that
//! calls the other; its address is the other's.

use program::{
    Body, Callee, EdgeKind, FuncId, Function, LocId, PlaceId, Program, Type, TypeId, Var, VarId, VarKind,
};
use rucc_sema as sema;
use rustc_hash::FxHashMap;
use sema::{DeclFlags, DeclKind, Linkage};

use super::{Entity, Lowering};
use crate::link::Strength;
use crate::refuse::Refused;
use crate::unit::Unit;

/// The names of a unit that aliases may lead to: its symbols at file scope.
pub(super) fn symbols(unit: &Unit) -> FxHashMap<String, sema::DeclId> {
    let mut symbols = FxHashMap::default();
    for &id in unit.tast.top_level() {
        if unit.tast[id].kind != DeclKind::Type {
            symbols.insert(symbol(unit, id), id);
        }
    }
    symbols
}

/// What the linker calls a declared entity.
pub(super) fn symbol(unit: &Unit, id: sema::DeclId) -> String {
    let decl = &unit.tast[id];
    match (decl.asm_label, decl.name) {
        (Some(label), _) => text(unit, label),
        (None, Some(name)) => unit.names.resolve(name).to_owned(),
        (None, None) => String::new(),
    }
}

fn text(unit: &Unit, string: sema::StrId) -> String {
    let elements = &unit.tast[string].elements;
    elements.iter().filter_map(|&c| char::from_u32(c)).collect()
}

/// The name that engines know a function by: its symbol, but for the C library's own redirections, whose symbols are
/// versions of the function that the program names.
pub(super) fn known_name(name: &str, symbol: &str) -> String {
    let versions = [
        format!("__isoc99_{name}"),
        format!("__isoc23_{name}"),
        format!("__xpg_{name}"),
        format!("__{name}_chk"),
        format!("{name}64"),
    ];
    match versions.iter().any(|version| version == symbol) {
        true => name.to_owned(),
        false => symbol.to_owned(),
    }
}

impl Lowering<'_> {
    /// The declaration of this unit that an alias leads to.
    pub(super) fn alias_target(&self, id: sema::DeclId) -> Option<sema::DeclId> {
        let mut at = id;
        // A chain of aliases has no more links than there are symbols.
        for _ in 0..=self.symbols.len() {
            match self.unit.tast[at].alias {
                Some(target) if !self.unit.tast.is_ifunc(at) => {
                    at = *self.symbols.get(&text(self.unit, target))?;
                }
                _ => return (at != id).then_some(at),
            }
        }
        None
    }

    /// The function whose address a function's name has.
    pub(super) fn addressed(&mut self, decl: sema::DeclId, function: FuncId) -> FuncId {
        match self.alias_target(decl).map(|target| self.entity(target)) {
            Some(Entity::Function(target)) => target,
            _ => function,
        }
    }

    /// An alias at file scope: for other files, a definition.
    pub(super) fn alias(&mut self, id: sema::DeclId) {
        let symbol = symbol(self.unit, id);
        let Some(target) = self.alias_target(id) else {
            let span = self.span(self.unit.tast.decl_span(id));
            self.note(
                &format!("`{symbol}` is an alias of nothing in its file: it is taken as undefined"),
                span,
            );
            return;
        };
        let is_external = self.unit.tast[id].linkage == Linkage::External;
        let strength = match self.unit.tast[id].flags.contains(DeclFlags::WEAK) {
            true => Strength::Weak,
            false => Strength::Strong,
        };
        match (self.entity(id), self.entity(target)) {
            (Entity::Function(alias), Entity::Function(target)) => {
                let stands = alias != target && (!is_external || self.claim(&symbol, strength, id));
                self.thunks.extend(stands.then_some((alias, target)));
            }
            (Entity::Var(_), Entity::Var(target)) if is_external => {
                match self.linker.global(&symbol) {
                    // Another file has used it already, as an object of its own.
                    Some(other) if other != target => self.linker.refuse(
                        Refused::Object(other),
                        format!("`{symbol}`, an alias of an object of another file"),
                    ),
                    Some(_) => {}
                    None => self.linker.add_global(&symbol, target),
                }
                self.claim(&symbol, strength, id);
            }
            _ => {}
        }
    }

    /// A function that a resolver chooses when the program is loaded.
    pub(super) fn ifunc(&mut self, id: sema::DeclId) {
        let Entity::Function(function) = self.entity(id) else {
            return;
        };
        let symbol = symbol(self.unit, id);
        if self.claim(&symbol, Strength::Strong, id) {
            refuse_calls(
                self.program,
                function,
                "a function that is chosen when the program is loaded (ifunc)",
            );
        }
    }

    /// Gives the aliases of functions their bodies, once those they lead to have theirs.
    pub(super) fn finish_aliases(&mut self) {
        for (alias, target) in std::mem::take(&mut self.thunks) {
            let variadic = match self.program.types.get(self.program.functions[target].ty) {
                Type::Function(ty) => ty.variadic && !ty.params.is_empty(),
                _ => false,
            };
            self.program.functions[alias].ty = self.program.functions[target].ty;
            self.program.functions[alias].noreturn |= self.program.functions[target].noreturn;
            if variadic {
                refuse_calls(
                    self.program,
                    alias,
                    "an alias of a function with variable arguments",
                );
            } else {
                call_other(self.program, alias, target);
            }
        }
    }
}

/// Gives a function a body that has no meaning.
pub(crate) fn refuse_calls(program: &mut Program, function: FuncId, what: &str) {
    let types = match program.types.get(program.functions[function].ty) {
        Type::Function(ty) => ty.params.clone(),
        _ => Vec::new(),
    };
    let params = types.into_iter().map(|ty| param(program, function, ty)).collect();
    let kind = EdgeKind::Unsupported {
        what: what.to_owned(),
    };
    install(program, function, params, kind, None);
}

/// Gives a function a body that calls another one with its own arguments.
fn call_other(program: &mut Program, function: FuncId, other: FuncId) {
    let types: Vec<TypeId> = program.functions[other]
        .params
        .iter()
        .map(|&var| program.vars[var].ty)
        .collect();
    let params: Vec<VarId> = types.into_iter().map(|ty| param(program, function, ty)).collect();
    let arguments = params.iter().map(|&var| program.read_var(var)).collect();
    let result_type = program.result_type(other);
    let result = match program.types.get(result_type) {
        Type::Void => None,
        _ => {
            let var = new_var(program, function, "$result", result_type, VarKind::Temporary);
            program.functions[function].locals.push(var);
            Some(program.var_place(var))
        }
    };
    let kind = EdgeKind::Call {
        result,
        callee: Callee::Direct(other),
        arguments,
    };
    install(program, function, params, kind, result);
}

/// A body that does one thing and returns what is found in `result`.
fn install(
    program: &mut Program,
    function: FuncId,
    params: Vec<VarId>,
    kind: EdgeKind,
    result: Option<PlaceId>,
) {
    let span = program.functions[function].span;
    let [entry, done, exit]: [LocId; 3] = std::array::from_fn(|_| program.add_loc(function));
    program.add_edge(entry, done, kind, span);
    let value = result.map(|place| program.read(place));
    if !program.functions[function].noreturn {
        program.add_edge(done, exit, EdgeKind::Return { value }, span);
    }
    let data: &mut Function = &mut program.functions[function];
    data.params = params;
    data.body = Some(Body {
        entry,
        exit,
        locs: vec![entry, done, exit],
    });
}

fn param(program: &mut Program, function: FuncId, ty: TypeId) -> VarId {
    new_var(program, function, "(argument)", ty, VarKind::Param)
}

fn new_var(program: &mut Program, function: FuncId, name: &str, ty: TypeId, kind: VarKind) -> VarId {
    program.vars.push(Var {
        name: name.to_owned(),
        ty,
        kind,
        function: Some(function),
        span: program.functions[function].span,
        is_const: false,
        align: 1,
    })
}
