//! Which functions a compiled program has to be observed at, and what happens there.

use program::{
    CallGraph, CallSite, EdgeKind, FloatKind, FuncId, Program, Type, TypeId, TypeResolver,
    address_taken_functions,
};

use super::Observed;
use crate::rule::{EventKind, Handler, Pattern, Rule};
use crate::weave::{Woven, check_arity, ends_regularly, known_as, mentions_result};

/// A function of the program, and the rule's events there.
pub struct Function<'r> {
    pub observed: Observed,
    /// C types of the arguments, as calls pass them.
    pub arguments: Vec<Passed>,
    /// Whether all calls pass just these.
    pub has_prototype: bool,
    pub result: &'static str,
    pub before: Vec<Occasion<'r>>,
    pub after: Vec<Occasion<'r>>,
    /// What happens when the outermost call of it returns; only where the program starts.
    pub at_end: Vec<Occasion<'r>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    pub ty: &'static str,
    /// What a pointer leads to, where that is a number or a pointer.
    pub behind: Option<&'static str>,
    /// Calls differ in the type: the value can be passed on, and nothing else.
    pub is_vague: bool,
}

/// A handler of an event of one function.
pub struct Occasion<'r> {
    pub handler: &'r Handler,
    pub pattern: Option<&'r Pattern>,
    /// Whether no call of the function looks at the result.
    pub is_unused: bool,
}

/// The functions that the rule's events happen at, in the order of the program.
pub fn observed<'r>(woven: &Woven, rule: &'r Rule) -> Result<Vec<Function<'r>>, String> {
    let program = &woven.program;
    let graph = CallGraph::new(program, &TypeResolver::new(program));
    let sites = graph.sites();
    refuse_one_operation(program, sites, rule)?;
    let address_taken = address_taken_functions(program);
    let mut functions: Vec<Function<'r>> = Vec::new();
    for (id, info) in program.functions.iter() {
        let is_entry = id == woven.entry;
        let called: Vec<&CallSite> = sites.iter().filter(|site| site.targets.contains(&id)).collect();
        if called.is_empty() && !is_entry && !address_taken.contains(&id) {
            continue;
        }
        let (mut before, mut after, mut at_end) = (Vec::new(), Vec::new(), Vec::new());
        for handler in &rule.handlers {
            let occasion = |pattern| Occasion {
                handler,
                pattern,
                is_unused: false,
            };
            if handler.event == EventKind::End {
                if is_entry {
                    at_end.push(occasion(None));
                } else if info.body.is_none() && ends_regularly(&info.name) {
                    before.push(occasion(None));
                }
                continue;
            }
            let name = if is_entry {
                &info.name
            } else {
                known_as(handler, info)
            };
            for pattern in handler.patterns.iter().filter(|pattern| pattern.function == name) {
                let is_namesake = info.is_static
                    && info.body.is_some()
                    && check_arity(rule, pattern, info.params.len()).is_err();
                if is_namesake && !is_entry {
                    continue;
                }
                let occasion = Occasion {
                    is_unused: handler.or_unused && is_unused(program, rule, &called, &info.name)?,
                    ..occasion(Some(pattern))
                };
                match handler.event {
                    EventKind::Entry => before.push(occasion),
                    _ => after.push(occasion),
                }
            }
        }
        if before.is_empty() && after.is_empty() && at_end.is_empty() {
            continue;
        }
        let observed = Observed {
            function: symbol(&info.name, info.body.is_some()).to_owned(),
            // What calls the entry function from outside never defines it.
            is_linked: info.body.is_none() || (is_entry && called.is_empty() && !address_taken.contains(&id)),
        };
        if let Some(other) = functions
            .iter()
            .find(|other| other.observed.function == observed.function)
        {
            let counts = |before: &[Occasion<'_>], after: &[Occasion<'_>]| (before.len(), after.len());
            // The compiler's own spelling of a library function is no other function.
            if info.body.is_none() && counts(&before, &after) == counts(&other.before, &other.after) {
                continue;
            }
            return Err(format!("there are several functions `{}`", observed.function));
        }
        let (arguments, has_prototype) = passed(program, id, &called)?;
        functions.push(Function {
            observed,
            arguments,
            has_prototype,
            result: c_type(program, program.result_type(id), &info.name)?,
            before,
            after,
            at_end,
        });
    }
    Ok(functions)
}

/// The name in the object file: the compiler's own spelling of a library function is that function.
fn symbol(name: &str, has_body: bool) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(plain) if !has_body => plain,
        _ => name,
    }
}

/// Names of one operation that call each other are one event, which only the caller's text tells.
fn refuse_one_operation(program: &Program, sites: &[CallSite], rule: &Rule) -> Result<(), String> {
    for site in sites {
        let caller = &program.functions[site.caller];
        for &target in &site.targets {
            let callee = &program.functions[target];
            let is_one = |handler: &Handler| {
                let has = |name: &str| handler.patterns.iter().any(|pattern| pattern.function == name);
                caller.name != callee.name && has(&caller.name) && has(known_as(handler, callee))
            };
            if rule.handlers.iter().any(is_one) {
                return Err(format!(
                    "`{}` calls `{}`, which the rule takes for the same operation",
                    caller.name, callee.name
                ));
            }
        }
    }
    Ok(())
}

/// Whether calls do not look at the result; an error if some do and some do not.
fn is_unused(program: &Program, rule: &Rule, called: &[&CallSite], name: &str) -> Result<bool, String> {
    let is_about = |handler: &&Handler| handler.patterns.iter().any(|pattern| pattern.function == name);
    let wants =
        |handler: &Handler| (handler.result.is_some() && !handler.or_unused) || mentions_result(handler);
    let unused = called
        .iter()
        .filter(|site| matches!(program.edges[site.edge].kind, EdgeKind::Call { result: None, .. }))
        .count();
    // Where another handler wants the result, the weaver made all calls give one.
    if rule.handlers.iter().filter(is_about).any(wants) || (unused != 0 && unused != called.len()) {
        return Err(format!("which calls of `{name}` ignore its result is not seen"));
    }
    Ok(unused > 0)
}

/// What calls pass, and whether the function's type says so.
fn passed(program: &Program, function: FuncId, called: &[&CallSite]) -> Result<(Vec<Passed>, bool), String> {
    let info = &program.functions[function];
    let Type::Function(ty) = program.types.get(info.ty) else {
        return Err(format!("`{}` has no function's type", info.name));
    };
    let types: Vec<TypeId> = match &info.body {
        Some(_) => info.params.iter().map(|&param| program.vars[param].ty).collect(),
        None => ty.params.clone(),
    };
    let mut arguments = Vec::new();
    for &ty in &types {
        arguments.push(one_passed(program, ty, &info.name)?);
    }
    if !ty.variadic {
        return Ok((arguments, true));
    }
    if types
        .iter()
        .any(|&ty| program.types.float_kind(ty) == Some(FloatKind::Single))
    {
        return Err(format!("calls pass more than `{}` takes", info.name));
    }
    for site in called {
        let EdgeKind::Call { arguments: given, .. } = &program.edges[site.edge].kind else {
            unreachable!("a call site is a call edge")
        };
        for (position, &argument) in given.iter().enumerate().skip(types.len()) {
            let here = one_passed(program, program.expr(argument).ty, &info.name)?;
            match arguments.get_mut(position) {
                None => arguments.push(here),
                Some(known) if *known == here => {}
                Some(known) if is_word(known.ty) && is_word(here.ty) => {
                    *known = Passed {
                        ty: WORD,
                        behind: None,
                        is_vague: true,
                    }
                }
                Some(_) => {
                    return Err(format!(
                        "calls pass arguments of different types to `{}`",
                        info.name
                    ));
                }
            }
        }
    }
    Ok((arguments, false))
}

/// The type of addresses as numbers.
const WORD: &str = "__UINTPTR_TYPE__";

/// Whether a value of the type is passed like an address.
fn is_word(ty: &str) -> bool {
    [WORD, "int", "unsigned int", "long", "unsigned long"].contains(&ty)
}

fn one_passed(program: &Program, ty: TypeId, function: &str) -> Result<Passed, String> {
    let behind = program.types.pointee(ty);
    let behind = behind.filter(|&behind| program.types.int_shape(behind).is_some());
    Ok(Passed {
        ty: c_type(program, ty, function)?,
        behind: behind
            .map(|behind| c_type(program, behind, function))
            .transpose()?,
        is_vague: false,
    })
}

/// A type that is passed like the type and needs no declaration. Pointers are numbers.
fn c_type(program: &Program, ty: TypeId, function: &str) -> Result<&'static str, String> {
    match program.types.get(ty) {
        Type::Void => Ok("void"),
        Type::Bool => Ok("_Bool"),
        Type::Int(kind) => Ok(kind.c_name()),
        Type::Float(kind) => Ok(kind.c_name()),
        Type::Enum(id) => c_type(program, program.types.enumeration(*id).underlying, function),
        Type::Pointer(_) => Ok(WORD),
        _ => Err(format!("`{function}` takes or returns a record")),
    }
}
