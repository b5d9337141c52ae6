//! A program as text for people and for snapshots: globals with their initial values, functions with their locations
//! and edges. Locations are numbered anew in each function and files lose their folders, so the text of a function
//! changes only when the function does.

use std::collections::HashMap;
use std::fmt::Write;

use crate::{FuncId, Initial, LocId, Printer, Program, Span, VarId, VarKind};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Say at each edge where in the source it comes from.
    pub spans: bool,
}

/// The whole program. Functions without a body are listed by their declarations.
pub fn program_text(program: &Program, options: TextOptions) -> String {
    let printer = Printer::disambiguating(program);
    let mut out = String::new();
    for (id, var) in program.vars.iter() {
        if let VarKind::Global(initial) = &var.kind {
            write_global(program, &printer, id, initial, &mut out);
        }
    }
    for id in program.functions.ids() {
        if !out.is_empty() {
            out.push('\n');
        }
        write_function(program, &printer, id, options, &mut out);
    }
    out
}

/// One function.
pub fn function_text(program: &Program, function: FuncId, options: TextOptions) -> String {
    let printer = Printer::disambiguating(program);
    let mut out = String::new();
    write_function(program, &printer, function, options, &mut out);
    out
}

/// The names `L0`, `L1`, … of a function's locations, in the function's stable order, and `exit`.
pub struct LocNames {
    names: HashMap<LocId, usize>,
    exit: Option<LocId>,
}

impl LocNames {
    pub fn new(program: &Program, function: FuncId) -> LocNames {
        let body = program.functions[function].body.as_ref();
        let locs = body.map_or(&[][..], |body| &body.locs);
        let exit = body.map(|body| body.exit);
        let names = locs
            .iter()
            .filter(|&&loc| Some(loc) != exit)
            .enumerate()
            .map(|(number, &loc)| (loc, number))
            .collect();
        LocNames { names, exit }
    }

    pub fn name(&self, loc: LocId) -> String {
        match self.names.get(&loc) {
            _ if Some(loc) == self.exit => "exit".to_owned(),
            Some(number) => format!("L{number}"),
            // A location the function does not list: said as such, for a dump must show broken graphs too.
            None => format!("?{loc}"),
        }
    }
}

fn write_global(program: &Program, printer: &Printer<'_>, id: VarId, initial: &Initial, out: &mut String) {
    let var = &program.vars[id];
    let storage = match initial {
        Initial::External => "extern ",
        _ if var.is_const => "const ",
        _ => "",
    };
    let declaration = printer.declaration(var.ty, printer.var_name(id));
    let mut line = format!("{storage}{declaration}");
    match initial {
        Initial::Values(values) => {
            let whole = |place| printer.place(place) == printer.var_name(id);
            match values.as_slice() {
                [(place, value)] if whole(*place) => {
                    write!(line, " = {}", printer.converted(*value, var.ty)).expect("strings take all text");
                }
                values => {
                    for &(place, value) in values {
                        let value = printer.converted(value, program.place(place).ty);
                        write!(line, "\n  {} = {value}", printer.place(place))
                            .expect("strings take all text");
                    }
                }
            }
        }
        Initial::Bytes(bytes) => {
            line.push_str(" = bytes ");
            line.push_str(&quoted(bytes));
        }
        Initial::External => {}
    }
    out.push_str(&line);
    out.push('\n');
}

/// Bytes as a C string literal, the terminator included.
fn quoted(bytes: &[u8]) -> String {
    let escaped: String = bytes
        .iter()
        .map(|&byte| match byte {
            b'"' => "\\\"".to_owned(),
            b'\\' => "\\\\".to_owned(),
            b'\n' => "\\n".to_owned(),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\{byte:03o}"),
        })
        .collect();
    format!("\"{escaped}\"")
}

fn write_function(
    program: &Program,
    printer: &Printer<'_>,
    id: FuncId,
    options: TextOptions,
    out: &mut String,
) {
    let function = &program.functions[id];
    let header = function_header(program, printer, id);
    let Some(body) = &function.body else {
        out.push_str(&format!("{header};\n"));
        return;
    };
    out.push_str(&format!("{header} {{\n"));
    for &var in &function.locals {
        let declaration = printer.declaration(program.vars[var].ty, printer.var_name(var));
        out.push_str(&format!("  {declaration};\n"));
    }
    let names = LocNames::new(program, id);
    for &loc in body.locs.iter().filter(|&&loc| loc != body.exit) {
        out.push_str(&names.name(loc));
        for label in &program.locs[loc].labels {
            out.push_str(&format!(" {}", label.name));
        }
        out.push_str(":\n");
        for &edge in &program.locs[loc].outgoing {
            let edge = &program.edges[edge];
            let text = printer.edge(&edge.kind, id);
            let place = match edge.span.filter(|_| options.spans) {
                Some(span) => format!("  // {}", short_place(program, &span)),
                None => String::new(),
            };
            out.push_str(&format!("  {text} -> {}{place}\n", names.name(edge.to)));
        }
    }
    out.push_str("}\n");
}

/// `static int f(int x, ...)`.
pub(crate) fn function_header(program: &Program, printer: &Printer<'_>, id: FuncId) -> String {
    let function = &program.functions[id];
    let name = printer.function_name(id);
    let declarator = match function.params.is_empty() {
        true => return attributes(function) + &printer.declaration(function.ty, name),
        false => {
            let mut params: Vec<String> = function
                .params
                .iter()
                .map(|&var| printer.declaration(program.vars[var].ty, printer.var_name(var)))
                .collect();
            if let crate::Type::Function(ty) = program.types.get(function.ty)
                && ty.variadic
            {
                params.push("...".to_owned());
            }
            format!("{name}({})", params.join(", "))
        }
    };
    attributes(function) + &printer.declaration(program.result_type(id), &declarator)
}

fn attributes(function: &crate::Function) -> String {
    let mut text = String::new();
    if function.is_static {
        text.push_str("static ");
    }
    if function.noreturn {
        text.push_str("_Noreturn ");
    }
    text
}

/// `file.c:3:5`, without the folders.
fn short_place(program: &Program, span: &Span) -> String {
    let (file, line) = span.presumed();
    let name = &program.sources.file(file).name;
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    format!("{name}:{line}:{}", span.column)
}
