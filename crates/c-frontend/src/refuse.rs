//! Names whose address or storage has no meaning here: what mentions them is unsupported, at its place.

use program::{
    EdgeId, EdgeKind, ExprKind, FuncId, Initial, LocId, Node, Note, PlaceKind, Program, VarId, VarKind, Walk,
};

/// What may not be mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The address of a function; calls of it by its name are all right.
    AddressOf(FuncId),
    /// The address of an object; to read or write it by its name is all right.
    AddressOfObject(VarId),
    Object(VarId),
}

/// Puts an unsupported edge before all that mentions one of these.
pub(crate) fn refuse(program: &mut Program, refused: &[(Refused, String)]) {
    for (what, description) in refused {
        let holders: Vec<VarId> = program
            .vars
            .iter()
            .filter(|(_, var)| match &var.kind {
                VarKind::Global(Initial::Values(values)) => {
                    let mut walk = Walk::new();
                    for &(_, value) in values {
                        walk.add_expr(value);
                    }
                    mentions(program, walk, &[*what])
                }
                _ => false,
            })
            .map(|(id, _)| id)
            .collect();
        let mut all = vec![*what];
        all.extend(holders.into_iter().map(Refused::Object));
        let edges: Vec<EdgeId> = program
            .edges
            .iter()
            .filter(|(_, edge)| {
                let mut walk = Walk::new();
                walk.add_edge(&edge.kind);
                mentions(program, walk, &all)
            })
            .map(|(id, _)| id)
            .collect();
        if let Some(&first) = edges.first() {
            program.notes.push(Note {
                message: format!("unsupported: {description}"),
                span: program.edges[first].span,
            });
        }
        let mut locs: Vec<(LocId, EdgeId)> = edges
            .iter()
            .map(|&edge| (program.edges[edge].from, edge))
            .collect();
        locs.sort_unstable();
        locs.dedup_by_key(|&mut (loc, _)| loc);
        for (loc, edge) in locs {
            let span = program.edges[edge].span;
            let function = program.locs[loc].function;
            let after = program.add_loc(function);
            let outgoing = std::mem::take(&mut program.locs[loc].outgoing);
            for &edge in &outgoing {
                program.edges[edge].from = after;
            }
            program.locs[after].outgoing = outgoing;
            let kind = EdgeKind::Unsupported {
                what: description.clone(),
            };
            program.add_edge(loc, after, kind, span);
            let body = program.functions[function].body.as_mut();
            body.expect("locations belong to bodies").locs.push(after);
        }
    }
}

fn mentions(program: &Program, mut walk: Walk, refused: &[Refused]) -> bool {
    while let Some(node) = walk.next(program) {
        let found = match node {
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::Function(function) => Refused::AddressOf(function),
                ExprKind::AddressOf(place) => match program::base_variable(program, place) {
                    Some(var) => Refused::AddressOfObject(var),
                    None => continue,
                },
                _ => continue,
            },
            Node::Place(place) => match program.place(place).kind {
                PlaceKind::Var(var) => Refused::Object(var),
                _ => continue,
            },
        };
        if refused.contains(&found) {
            return true;
        }
    }
    false
}
