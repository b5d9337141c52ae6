//! Control-flow graphs in the language of Graphviz: one cluster a function, error-prone edges in colour.

use crate::text::{LocNames, function_header};
use crate::{EdgeKind, FuncId, Id, Label, Printer, Program};

/// All functions that have a body.
pub fn program_dot(program: &Program) -> String {
    graph(program, program.functions.ids())
}

/// One function.
pub fn function_dot(program: &Program, function: FuncId) -> String {
    graph(program, std::iter::once(function))
}

fn graph(program: &Program, functions: impl Iterator<Item = FuncId>) -> String {
    let printer = Printer::disambiguating(program);
    let mut out = String::from(
        "digraph program {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for function in functions {
        write_cluster(program, &printer, function, &mut out);
    }
    out.push_str("}\n");
    out
}

fn write_cluster(program: &Program, printer: &Printer<'_>, id: FuncId, out: &mut String) {
    let Some(body) = &program.functions[id].body else {
        return;
    };
    let names = LocNames::new(program, id);
    // The function's number keeps the nodes of two functions of one name apart.
    let node = |loc| quoted(&format!("{}.{}", id.index(), names.name(loc)));
    let title = quoted(&function_header(program, printer, id));
    out.push_str(&format!(
        "  subgraph {} {{\n    label={title};\n",
        quoted(&format!("cluster_{}", id.index()))
    ));
    for &loc in &body.locs {
        let mut label = names.name(loc);
        for Label { name, .. } in &program.locs[loc].labels {
            label.push_str(&format!("\n{name}:"));
        }
        let style = match loc {
            _ if loc == body.entry => ", style=bold",
            _ if loc == body.exit => ", peripheries=2",
            _ => "",
        };
        out.push_str(&format!("    {} [label={}{style}];\n", node(loc), quoted(&label)));
    }
    for &loc in &body.locs {
        for &edge in &program.locs[loc].outgoing {
            let edge = &program.edges[edge];
            let style = match edge.kind {
                EdgeKind::Unsupported { .. } => ", color=red, fontcolor=red",
                EdgeKind::Call { .. } => ", color=blue",
                EdgeKind::Havoc { .. } => ", color=gray40, style=dashed",
                _ => "",
            };
            let label = quoted(&printer.edge(&edge.kind, id));
            out.push_str(&format!(
                "    {} -> {} [label={label}{style}];\n",
                node(edge.from),
                node(edge.to)
            ));
        }
    }
    out.push_str("  }\n");
}

/// A quoted identifier or label: quotes, backslashes and line ends escaped, other control characters shown as such.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
