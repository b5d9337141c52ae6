//! A counterexample as C: a file that, compiled and linked with the program, makes it take the same way to the error.
//!
//! It defines what the program leaves undefined: each function without a body returns the values it returned in the
//! counterexample, in order, then 0; undefined globals have the bytes they had. Error functions say that they were reached
//! and end the program with [`REACHED`].

use std::fmt::Write as _;

use indexmap::IndexMap;
use interpreter::{Consumed, Source, Written};
use library::{Extent, Meaning, Passed, Returns};
use program::{EdgeKind, ExprKind, FuncId, Initial, Node, PlaceKind, Program, Type, VarId, VarKind, Walk};
use rustc_hash::FxHashSet;

use super::literal::{literal, scalar_type};

/// The exit status of a program that reached the error.
pub const REACHED: i32 = 107;
/// The exit status of a program whose assumptions are not met.
pub const NOT_MET: i32 = 108;
/// The exit status of a program that has more objects than a rule can follow.
pub const TOO_MANY: i32 = 109;
/// The exit status of a program that an error function ends which the property is not about.
const ENDED: i32 = 110;
/// What a program prints that reached the error.
pub const MESSAGE: &str = "counterpoint: error reached";
/// The function that an error label or an error function with a body has to call.
pub const REACHED_FUNCTION: &str = "counterpoint_error_reached";

pub struct Harness {
    pub text: String,
    /// Functions of the C library that it calls itself: their calls in the program lead to it.
    pub wrapped: Vec<String>,
    /// What it cannot provide.
    pub missing: Vec<String>,
}

/// `error_functions` are those whose call is the error; of those that are `observed` the linker leads calls elsewhere already.
pub fn write(
    program: &Program,
    entry: FuncId,
    error_functions: &[String],
    inputs: &[Consumed],
    written: &[Written],
    observed: &[String],
) -> Harness {
    let mut harness = Harness {
        text: String::new(),
        wrapped: Vec::new(),
        missing: Vec::new(),
    };
    let out = &mut harness.text;
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "\n#include <sys/syscall.h>\nextern long syscall(long, ...);\nextern void _Exit(int);\n\n\
         // The functions that write may be among those whose results are given below.\n\
         void {REACHED_FUNCTION}(void) {{\n    static char const message[] = \"{MESSAGE}\\n\";\n    \
         syscall(SYS_write, 1, message, sizeof message - 1);\n    _Exit({REACHED});\n}}\n"
    );
    let mut results: IndexMap<FuncId, Vec<Consumed>> = IndexMap::new();
    let mut bytes: IndexMap<VarId, Vec<Consumed>> = IndexMap::new();
    let mut arguments: Vec<Consumed> = Vec::new();
    for &consumed in inputs {
        match consumed.request.source {
            Source::Nondet(function)
            | Source::External(function)
            | Source::Environment(function)
            | Source::Memory(function) => results.entry(function).or_default().push(consumed),
            Source::Global(var) => bytes.entry(var).or_default().push(consumed),
            Source::Parameter(_) => arguments.push(consumed),
            Source::Uninitialised(var) => {
                let name = &program.vars[var].name;
                let missing = format!("`{name}` is read before it has a value");
                if !name.starts_with('$') && !harness.missing.contains(&missing) {
                    harness.missing.push(missing);
                }
            }
            Source::Assembly(_) | Source::Hardware(_) => {
                let missing = match consumed.request.source {
                    Source::Assembly(_) => "inline assembly computes a value".to_owned(),
                    _ => "a device is read".to_owned(),
                };
                if !harness.missing.contains(&missing) {
                    harness.missing.push(missing);
                }
            }
        }
    }
    let (functions, globals) = mentioned(program);
    let is_error = |name: &str| error_functions.iter().any(|error| error == name);
    let ends = |name: &str| match is_error(name) {
        true => format!("{REACHED_FUNCTION}()"),
        false => format!("_Exit({ENDED})"),
    };
    for (id, function) in program.functions.iter() {
        if function.body.is_some() {
            continue;
        }
        let name = function.name.as_str();
        if let Some(text) = assertion(program, id, ends("__assert_fail")) {
            harness.text.push_str(&text);
            continue;
        }
        if !(functions.contains(&id) || results.contains_key(&id)) {
            continue;
        }
        let given = results.get(&id).map_or(&[][..], Vec::as_slice);
        let row = library::of(name).function;
        if is_error(name) || property::ERROR_FUNCTIONS.contains(&name) {
            let _ = writeln!(harness.text, "\nvoid {name}() {{ {}; }}", ends(name));
        } else if row.meaning == Some(Meaning::Assume) {
            let _ = writeln!(
                harness.text,
                "\nvoid {name}(int condition) {{ if (!condition) _Exit({NOT_MET}); }}"
            );
        } else if row.name == "__VERIFIER_nondet_memory" {
            memory(&mut harness.text, given);
        } else if name.starts_with("__VERIFIER_atomic_") {
            let _ = writeln!(harness.text, "\nvoid {name}() {{}}");
        } else if let (Returns::New { size, .. }, false) = (row.returns, row.hosted) {
            allocation(&mut harness.text, name, size, given);
        } else if row.hosted
            && matches!(row.returns, Returns::New { .. } | Returns::Resized { .. })
            && !given.is_empty()
        {
            let symbol = name.strip_prefix("__builtin_").unwrap_or(name);
            failing(&mut harness, symbol, given, observed);
        } else if row.is_unknown()
            || !row.hosted
            || !given.is_empty()
            || written.iter().any(|written| written.function == id)
        {
            let writes: Vec<&Written> = written.iter().filter(|written| written.function == id).collect();
            let calls = program.function_named(&format!("{name}{}", property::CALLS));
            match calls {
                Some(_) => calls_back(program, &mut harness, id, given, &writes),
                None => define(program, &mut harness, id, name, given, &writes),
            }
        }
    }
    for (id, var) in program.vars.iter() {
        // Names with a dollar sign are a rule's own.
        let is_external = matches!(var.kind, VarKind::Global(Initial::External));
        if is_external
            && !var.name.contains('$')
            && !STREAMS.contains(&var.name.as_str())
            && globals.contains(&id)
        {
            let given = bytes.get(&id).map_or(&[][..], Vec::as_slice);
            global(program, &mut harness.text, id, given);
        }
    }
    let name = &program.functions[entry].name;
    if name != "main" && program.function_named("main").is_none() {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|consumed| {
                format!(
                    "({}){}",
                    scalar_type(program, consumed.request.ty),
                    literal(program, consumed)
                )
            })
            .collect();
        let _ = write!(
            harness.text,
            "\nextern int {name}();\nint main(void) {{\n    {name}({});\n    return 0;\n}}\n",
            arguments.join(", ")
        );
    }
    harness
}

/// The definition of a function that asserts, or that failed assertions call, where the program has none: in the program as it is
/// checked their calls are those of `__assert_fail`, which does as `fails` says.
fn assertion(program: &Program, function: FuncId, fails: String) -> Option<String> {
    let function = &program.functions[function];
    let parameters = match program.types.get(function.ty) {
        Type::Function(ty) => ty.params.len(),
        _ => 0,
    };
    let name = &function.name;
    match (name.as_str(), parameters) {
        ("assert" | "__CPROVER_assert" | "__ESBMC_assert" | "__VERIFIER_assert", _) | ("__assert", 1) => {
            Some(format!(
                "\nvoid {name}(long condition) {{ if (!condition) {fails}; }}\n"
            ))
        }
        ("__assert" | "__assert_rtn" | "__assert_func" | "__assert_perror_fail", _) => {
            Some(format!("\nvoid {name}() {{ {fails}; }}\n"))
        }
        _ => None,
    }
}

/// Globals that the C library has.
const STREAMS: [&str; 4] = ["stdin", "stdout", "stderr", "environ"];

/// The functions and globals that the program's code mentions.
fn mentioned(program: &Program) -> (FxHashSet<FuncId>, FxHashSet<VarId>) {
    let (mut functions, mut globals) = (FxHashSet::default(), FxHashSet::default());
    for edge in program.edges.values() {
        if let EdgeKind::Call {
            callee: program::Callee::Direct(function),
            ..
        } = edge.kind
        {
            functions.insert(function);
        }
    }
    let mut walk = Walk::new();
    walk.add_program(program);
    while let Some(node) = walk.next(program) {
        match node {
            Node::Expr(expr) => {
                if let ExprKind::Function(function) = program.expr(expr).kind {
                    functions.insert(function);
                }
            }
            Node::Place(place) => {
                if let PlaceKind::Var(var) = program.place(place).kind {
                    globals.insert(var);
                }
            }
        }
    }
    (functions, globals)
}

/// A function that writes what it wrote, and returns the values in order.
fn define(
    program: &Program,
    harness: &mut Harness,
    function: FuncId,
    symbol: &str,
    given: &[Consumed],
    written: &[&Written],
) {
    let name = &program.functions[function].name;
    let result = program.result_type(function);
    let row = library::of(name).function;
    let returned = match row.returns {
        Returns::Pointer {
            from: Passed::Argument(at),
            ..
        } => Some(at),
        _ => None,
    };
    if !program.types.is_scalar(result) && !matches!(program.types.get(result), Type::Void) {
        let what = format!("`{name}` returns a record");
        let _ = writeln!(harness.text, "\n// {what}: to be provided.");
        harness.missing.push(what);
        return;
    }
    let needed = written
        .iter()
        .map(|written| written.argument)
        .chain(returned)
        .max();
    let words = needed.map(|last| words(program, function, last));
    if words == Some(false) {
        harness.missing.push(format!("what `{name}` writes"));
    }
    let parameters: Vec<String> = match (needed, words) {
        (Some(last), Some(true)) => (0..=last).map(|at| format!("unsigned long a{at}")).collect(),
        _ => Vec::new(),
    };
    let is_led = program.types.is_pointer(result) && given.iter().any(|consumed| consumed.value != 0);
    if is_led && (returned.is_none() || parameters.is_empty()) {
        let missing = format!("where the pointers that `{name}` returns lead");
        harness.missing.push(missing);
    }
    let out = &mut harness.text;
    let ty = match program.types.get(result) {
        Type::Void => "void",
        _ => scalar_type(program, result),
    };
    let writes = match parameters.is_empty() {
        true => String::new(),
        false => writes(written),
    };
    let parameters = parameters.join(", ");
    let values: Vec<String> = given.iter().map(|consumed| literal(program, consumed)).collect();
    let returns = match (given.is_empty(), returned.filter(|_| !parameters.is_empty())) {
        _ if ty == "void" => String::new(),
        (true, _) => "    return 0;\n".to_owned(),
        (false, returned) => {
            let value = match returned {
                Some(at) => format!("values[next++] ? ({ty})a{at} : 0"),
                None => "values[next++]".to_owned(),
            };
            format!(
                "    static {ty} const values[] = {{{}}};\n    static unsigned next;\n    \
                 return next < {} ? {value} : 0;\n",
                wrapped(&values),
                values.len()
            )
        }
    };
    let _ = write!(out, "\n{ty} {symbol}({parameters}) {{\n{writes}{returns}}}\n");
    // The C library's headers give calls of these other names.
    if matches!(name.as_str(), "scanf" | "fscanf") {
        for edition in ["__isoc99_", "__isoc23_"] {
            let _ = writeln!(
                out,
                "extern __typeof__({name}) {edition}{name} __attribute__((alias(\"{name}\")));"
            );
        }
    }
}

/// A function that besides calls the functions that it is given, as often as it did.
fn calls_back(
    program: &Program,
    harness: &mut Harness,
    function: FuncId,
    given: &[Consumed],
    written: &[&Written],
) {
    let name = &program.functions[function].name;
    let does = format!("{name}$does");
    define(program, harness, function, &does, given, written);
    let Type::Function(ty) = program.types.get(program.functions[function].ty) else {
        unreachable!("a function has the type of one")
    };
    if ty.variadic || ty.params.is_empty() || !words(program, function, ty.params.len() - 1) {
        harness.missing.push(format!("what `{name}` calls"));
        return;
    }
    let type_of = |ty| match program.types.get(ty) {
        Type::Void => "void",
        _ => scalar_type(program, ty),
    };
    let names: Vec<String> = (0..ty.params.len()).map(|at| format!("a{at}")).collect();
    let parameters: Vec<String> = names.iter().map(|name| format!("unsigned long {name}")).collect();
    let arguments = names.join(", ");
    let (mut declared, mut cases) = (String::new(), String::new());
    let functions = ty.params.iter().enumerate().filter_map(|(at, &ty)| {
        let pointee = program.types.pointee(ty)?;
        match program.types.get(pointee) {
            Type::Function(ty) => Some((at, ty)),
            _ => None,
        }
    });
    for (at, called) in functions {
        let (mut types, mut passed) = (Vec::new(), Vec::new());
        for (parameter, &ty) in called.params.iter().enumerate() {
            let passes = format!("{name}{}_{at}_{parameter}", property::PASSES);
            let _ = writeln!(declared, "extern {} {passes}();", type_of(ty));
            types.push(type_of(ty));
            passed.push(format!("{passes}()"));
        }
        let _ = writeln!(
            cases,
            "        case {}:\n            ((void (*)()){does})({arguments});\n            ((void (*)({}))a{at})({});\n            continue;",
            at + 1,
            if types.is_empty() {
                "void".to_owned()
            } else {
                types.join(", ")
            },
            passed.join(", ")
        );
    }
    let result = type_of(ty.result);
    let _ = write!(
        harness.text,
        "\nextern int {name}{calls}();\n{declared}{result} {name}({}) {{\n    for (;;) {{\n        \
         switch ({name}{calls}()) {{\n{cases}        }}\n        break;\n    }}\n    \
         return (({result} (*)()){does})({arguments});\n}}\n",
        parameters.join(", "),
        calls = property::CALLS,
    );
}

/// Whether a function takes its arguments, up to this one, as words of the machine.
fn words(program: &Program, function: FuncId, last: usize) -> bool {
    let Type::Function(ty) = program.types.get(program.functions[function].ty) else {
        return false;
    };
    let word = u64::from(program.types.model().pointer_bits() / 8);
    let mut parameters = ty.params.iter().take(last + 1);
    // What is not declared is promoted: a pointer is a word.
    parameters.all(|&ty| program.types.int_shape(ty).is_some() && program.types.size(ty) <= word)
}

/// Statements that write what each call wrote.
fn writes(written: &[&Written]) -> String {
    if written.is_empty() {
        return String::new();
    }
    let mut text = "    static unsigned calls;\n    switch (calls++) {\n".to_owned();
    let mut last = None;
    for written in written {
        if last != Some(written.call) {
            if last.is_some() {
                text.push_str("        break;\n");
            }
            let _ = writeln!(text, "    case {}:", written.call);
            last = Some(written.call);
        }
        let bytes: Vec<String> = written.bytes.iter().map(u8::to_string).collect();
        let _ = write!(
            text,
            "        {{\n            static unsigned char const bytes[] = {{{}}};\n            \
             for (unsigned i = 0; i < sizeof bytes; i++)\n                \
             ((unsigned char *)a{})[{} + (long)i] = bytes[i];\n        }}\n",
            wrapped(&bytes),
            written.argument,
            written.offset
        );
    }
    text.push_str("    }\n");
    text
}

/// A function that allocates and that the system does not have: it fails where the run had it fail.
fn allocation(out: &mut String, name: &str, size: Extent, given: &[Consumed]) {
    let size = match size {
        Extent::Argument(at) => format!("sizes[{at}]"),
        Extent::Product(a, b) => format!("sizes[{a}] * sizes[{b}]"),
        _ => UNKNOWN_SIZE.to_string(),
    };
    let _ = write!(
        out,
        "\nextern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n\
         void *{name}(unsigned long a, unsigned long b, unsigned long c) {{\n    \
         unsigned long const sizes[] = {{a, b, c}};\n{}    return calloc(1, {size});\n}}\n",
        fails(given)
    );
}

/// A function of the C library that allocates, and that fails where the run had it fail.
fn failing(harness: &mut Harness, name: &str, given: &[Consumed], observed: &[String]) {
    // Where a rule observes it, the rule's function calls this one; else the program does.
    let is_observed = observed.iter().any(|other| other == name);
    let symbol = match is_observed {
        true => format!("counterpoint_given_{name}"),
        false => format!("__wrap_{name}"),
    };
    let _ = write!(
        harness.text,
        "\nextern void *counterpoint_c_{name}(unsigned long, unsigned long, unsigned long) \
         __asm__(\"__real_{name}\");\n\
         void *counterpoint_fails_{name}(unsigned long, unsigned long, unsigned long) __asm__(\"{symbol}\");\n\
         void *counterpoint_fails_{name}(unsigned long a, unsigned long b, unsigned long c) {{\n{}    \
         return counterpoint_c_{name}(a, b, c);\n}}\n",
        fails(given)
    );
    match is_observed {
        true => {
            let _ = writeln!(harness.text, "#define __real_{name} {symbol}");
        }
        false => harness.wrapped.push(name.to_owned()),
    }
}

/// Returns a null pointer where the run had one.
fn fails(given: &[Consumed]) -> String {
    let succeeds: Vec<String> = given
        .iter()
        .map(|consumed| u8::from(consumed.value != 0).to_string())
        .collect();
    if succeeds.is_empty() {
        return String::new();
    }
    format!(
        "    static unsigned char const succeeds[] = {{{}}};\n    static unsigned next;\n    \
         if (next < sizeof succeeds && !succeeds[next++])\n        return 0;\n",
        wrapped(&succeeds)
    )
}

/// `__VERIFIER_nondet_memory`, which takes a value for each byte.
fn memory(out: &mut String, given: &[Consumed]) {
    let values: Vec<String> = given
        .iter()
        .map(|consumed| (consumed.value & 0xff).to_string())
        .collect();
    let values = if values.is_empty() {
        vec!["0".to_owned()]
    } else {
        values
    };
    let _ = write!(
        out,
        "\nvoid __VERIFIER_nondet_memory(void *memory, unsigned long size) {{\n    \
         static unsigned char const values[] = {{{}}};\n    static unsigned next;\n    \
         for (unsigned long i = 0; i < size; i++)\n        \
         ((unsigned char *)memory)[i] = next < sizeof values ? values[next++] : 0;\n}}\n",
        wrapped(&values)
    );
}

/// How many bytes an object of unknown size gets.
const UNKNOWN_SIZE: u64 = 4096;

/// An undefined global as the bytes it has.
fn global(program: &Program, out: &mut String, var: VarId, given: &[Consumed]) {
    let ty = program.vars[var].ty;
    let size = match program.types.size(ty) {
        0 => UNKNOWN_SIZE,
        size => size,
    };
    let mut bytes = vec![0u8; size as usize];
    for consumed in given {
        let value = (consumed.value as u128).to_le_bytes();
        let width = (program.types.size(consumed.request.ty) as usize).min(value.len());
        let at = consumed.request.offset as usize;
        if let Some(target) = bytes.get_mut(at..at + width) {
            target.copy_from_slice(&value[..width]);
        }
    }
    while bytes.len() > 1 && bytes.last() == Some(&0) {
        bytes.pop();
    }
    let values: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let align = program.types.align(ty).max(program.vars[var].align).max(1);
    let _ = writeln!(
        out,
        "\nunsigned char {}[{size}] __attribute__((aligned({align}))) = {{{}}};",
        program.vars[var].name,
        wrapped(&values)
    );
}

/// A list over several lines if it is long.
fn wrapped(values: &[String]) -> String {
    let lines: Vec<String> = values.chunks(12).map(|chunk| chunk.join(", ")).collect();
    match lines.len() {
        0 | 1 => lines.concat(),
        _ => format!("\n        {}", lines.join(",\n        ")),
    }
}
