//! Operands that C leaves in any order. The program has them in one; an answer holds for all orders where no operand writes what
//! another reads or writes, and none ends a run that another takes to an error.
//!
//! What a call writes to memory that it has allocated itself does not count: another operand finds such memory only by a pointer that the
//! call has stored elsewhere, and that store counts.

mod fresh;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use points_to::{ClassId, ClassSet, Effects, ObjectKind, PointsTo, touched_places};
use program::{
    AddressTaken, CallGraph, CallResolver, Callee, EdgeId, EdgeKind, ExprKind, FuncId, Node, Operand,
    PlaceId, Program, Span, VarKind, Walk,
};
use verdict::{Reason, Task};

use fresh::Fresh;

/// Where the order of operands may matter.
pub(crate) struct Orders {
    /// The edges that evaluate the operands, and where they stand.
    found: Vec<(BTreeSet<EdgeId>, Option<Span>)>,
}

impl Orders {
    /// Looks at what may run.
    pub fn new(task: &Task<'_>, points_to: &PointsTo, runs: &BTreeSet<FuncId>) -> Orders {
        let program = task.program;
        let mut found = Vec::new();
        let mut looked_at = None;
        for unordered in &program.unordered {
            let mut edges = unordered.operands.iter().flat_map(|operand| &operand.edges);
            let may_run = |edge: &EdgeId| runs.contains(&program.locs[program.edges[*edge].from].function);
            if !edges.any(may_run) {
                continue;
            }
            let look = looked_at.get_or_insert_with(|| Look::new(task, points_to, runs));
            if look.matters(&unordered.operands) {
                let edges = unordered.operands.iter().flat_map(|operand| &operand.edges);
                found.push((edges.copied().collect(), unordered.span));
            }
        }
        Orders { found }
    }

    /// Why nothing can be said for all orders.
    pub fn first(&self, program: &Program) -> Option<Reason> {
        let (_, span) = self.found.first()?;
        Some(depends(program, *span))
    }

    /// Why a run that takes these edges may be one of several.
    pub fn first_of(&self, program: &Program, edges: &[EdgeId]) -> Option<Reason> {
        let taken: BTreeSet<EdgeId> = match self.found.is_empty() {
            true => return None,
            false => edges.iter().copied().collect(),
        };
        let (_, span) = self
            .found
            .iter()
            .find(|(operands, _)| !operands.is_disjoint(&taken))?;
        Some(depends(program, *span))
    }
}

fn depends(program: &Program, span: Option<Span>) -> Reason {
    let place = span.map_or(String::new(), |span| {
        format!(", at {}", program.sources.describe_line(&span))
    });
    Reason::NotConfirmed(format!(
        "the answer may depend on the order in which operands are evaluated, which C does not say{place}"
    ))
}

/// What an operand does.
#[derive(Default)]
struct Deeds {
    effects: Effects,
    ends: bool,
    errs: bool,
}

struct Look<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    calls: CallGraph,
    errors: BTreeSet<EdgeId>,
    /// Memory that a run may hang on.
    matters: ClassSet,
    fresh: Fresh,
    taken: AddressTaken,
    /// What functions do themselves.
    own: RefCell<BTreeMap<FuncId, Rc<Deeds>>>,
}

impl<'a> Look<'a> {
    fn new(task: &Task<'a>, points_to: &'a PointsTo, runs: &BTreeSet<FuncId>) -> Look<'a> {
        let mut look = Look {
            program: task.program,
            points_to,
            calls: CallGraph::new(task.program, points_to),
            errors: task.errors.iter().copied().collect(),
            matters: ClassSet::default(),
            fresh: Fresh::new(task.program),
            taken: AddressTaken::new(task.program),
            own: RefCell::default(),
        };
        look.matters = what_matters(&look, runs);
        look
    }

    fn matters(&self, operands: &[Operand]) -> bool {
        let deeds: Vec<Deeds> = operands.iter().map(|operand| self.deeds(operand)).collect();
        let mut pairs = deeds.iter().enumerate().flat_map(|(at, one)| {
            let others = deeds.iter().enumerate();
            others
                .filter(move |&(other, _)| other != at)
                .map(move |(_, other)| (one, other))
        });
        pairs.any(|(one, other)| {
            let Effects { reads, writes } = &other.effects;
            let touches = |class: &ClassId| reads.contains(*class) || writes.contains(*class);
            let mut shared = one.effects.writes.iter().filter(touches);
            shared.any(|class| self.matters.contains(class)) || one.ends && other.errs
        })
    }

    fn deeds(&self, operand: &Operand) -> Deeds {
        let mut deeds = Deeds::default();
        for &edge in &operand.edges {
            // What the last call returns is stored when all operands have their values.
            let is_last = operand.edges.last() == Some(&edge);
            let is_later = is_last && matches!(self.program.edges[edge].kind, EdgeKind::Call { .. });
            self.add_edge(edge, !is_later, &mut deeds);
            self.add_called(edge, &mut deeds);
        }
        let mut walk = Walk::new();
        for &value in &operand.values {
            walk.add_expr(value);
        }
        while let Some(node) = walk.next(self.program) {
            if let Node::Expr(expr) = node
                && let ExprKind::Read(place) = self.program.expr(expr).kind
            {
                self.add(place, &mut deeds.effects.reads);
            }
        }
        deeds
    }

    /// What an edge does, but for what functions with a body do that it calls.
    fn add_edge(&self, edge: EdgeId, stores: bool, deeds: &mut Deeds) {
        let kind = &self.program.edges[edge].kind;
        let (reads, write) = match kind {
            EdgeKind::Call {
                callee, arguments, ..
            } if !stores => {
                let result = None;
                let (callee, arguments) = (*callee, arguments.clone());
                touched_places(
                    self.program,
                    &EdgeKind::Call {
                        result,
                        callee,
                        arguments,
                    },
                )
            }
            kind => touched_places(self.program, kind),
        };
        for place in reads {
            self.add(place, &mut deeds.effects.reads);
        }
        if let Some(place) = write
            && !self.fresh.holds(self.program, place)
        {
            self.add(place, &mut deeds.effects.writes);
        }
        deeds.errs |= self.errors.contains(&edge);
        deeds.ends |= matches!(kind, EdgeKind::Unsupported { .. });
        let EdgeKind::Call {
            callee, arguments, ..
        } = kind
        else {
            return;
        };
        for function in self.called(edge, *callee) {
            let data = &self.program.functions[function];
            if data.body.is_some() {
                continue;
            }
            let row = &library::of(&data.name).function;
            deeds.ends |= data.noreturn
                || row.never_returns()
                || row.may_end
                || row.meaning == Some(library::Meaning::Assume);
            let touched = self.points_to.touched(self.program, edge, function);
            let reads = touched.reads.into_iter();
            reads.for_each(|class| deeds.effects.reads.insert(class));
            let touches_arguments = row.keeps_no_pointer()
                && row.own.is_empty()
                && row.globals.is_empty()
                && !row.is_unknown()
                && !row.sets_errno;
            let fills_new = touches_arguments && self.fresh.are(self.program, arguments);
            if !fills_new {
                let writes = touched.writes.into_iter();
                writes.for_each(|class| deeds.effects.writes.insert(class));
            }
        }
    }

    /// What the functions with a body do that an edge calls, and those that these call.
    fn add_called(&self, edge: EdgeId, deeds: &mut Deeds) {
        let EdgeKind::Call { callee, .. } = self.program.edges[edge].kind else {
            return;
        };
        for function in self.called(edge, callee) {
            for called in self.calls.reachable_from(function) {
                let own = self.own(called);
                deeds.effects.reads.extend(&own.effects.reads);
                deeds.effects.writes.extend(&own.effects.writes);
                deeds.ends |= own.ends;
                deeds.errs |= own.errs;
            }
        }
    }

    fn own(&self, function: FuncId) -> Rc<Deeds> {
        if let Some(known) = self.own.borrow().get(&function) {
            return known.clone();
        }
        let mut deeds = Deeds::default();
        if let Some(body) = &self.program.functions[function].body {
            for &edge in body.locs.iter().flat_map(|&loc| &self.program.locs[loc].outgoing) {
                self.add_edge(edge, true, &mut deeds);
            }
        }
        for classes in [&mut deeds.effects.reads, &mut deeds.effects.writes] {
            let mut outlives = ClassSet::default();
            let shared = classes.iter().filter(|&class| !self.is_private(class));
            shared.for_each(|class| outlives.insert(class));
            *classes = outlives;
        }
        let deeds = Rc::new(deeds);
        self.own.borrow_mut().insert(function, deeds.clone());
        deeds
    }

    /// Whether the class is nothing but locals that only their own activation can name.
    fn is_private(&self, class: ClassId) -> bool {
        let mut regions = self.points_to.class(class).regions.iter();
        regions.all(|region| match self.points_to.object(region.object) {
            ObjectKind::Var(var) => {
                !matches!(self.program.vars[var].kind, VarKind::Global(_)) && !self.taken.contains(var)
            }
            _ => false,
        })
    }

    fn add(&self, place: PlaceId, into: &mut ClassSet) {
        for class in self.points_to.classes_of(self.program, place) {
            into.insert(class);
        }
    }

    /// What a call may call, itself or through the library.
    fn called(&self, edge: EdgeId, callee: Callee) -> Vec<FuncId> {
        let mut called = match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(_) => self.calls.targets(edge).to_vec(),
        };
        called.extend(self.points_to.callbacks(self.program, edge));
        called
    }
}

/// The memory that conditions, addresses, calls and returns read, and what is copied there. A counter that nothing but its own next value
/// is made of is not among it.
fn what_matters(look: &Look<'_>, runs: &BTreeSet<FuncId>) -> ClassSet {
    let (program, points_to) = (look.program, look.points_to);
    let mut matters = ClassSet::default();
    let mut copies: Vec<(Vec<ClassId>, Vec<ClassId>)> = Vec::new();
    let classes = |expr: Node| {
        let mut walk = Walk::new();
        match expr {
            Node::Expr(expr) => walk.add_expr(expr),
            Node::Place(place) => walk.add_place(place),
        }
        let mut found = Vec::new();
        while let Some(node) = walk.next(program) {
            if let Node::Expr(expr) = node
                && let ExprKind::Read(place) = program.expr(expr).kind
            {
                found.extend(points_to.classes_of(program, place));
            }
        }
        found
    };
    let functions = runs
        .iter()
        .filter_map(|&function| program.functions[function].body.as_ref());
    let locs = functions.flat_map(|body| &body.locs);
    for &edge in locs.flat_map(|&loc| &program.locs[loc].outgoing) {
        let mut read = Vec::new();
        match &program.edges[edge].kind {
            EdgeKind::Assign { place, value } => {
                read.extend(classes(Node::Place(*place)));
                copies.push((points_to.classes_of(program, *place), classes(Node::Expr(*value))));
            }
            kind => {
                let (places, _) = touched_places(program, kind);
                read.extend(
                    places
                        .iter()
                        .flat_map(|&place| points_to.classes_of(program, place)),
                );
                if let EdgeKind::Call { callee, .. } = kind {
                    for function in look.called(edge, *callee) {
                        if program.functions[function].body.is_none() {
                            read.extend(points_to.touched(program, edge, function).reads);
                        }
                    }
                }
            }
        }
        read.into_iter().for_each(|class| matters.insert(class));
    }
    loop {
        let before = matters.clone();
        for (to, from) in &copies {
            if to.iter().any(|&class| matters.contains(class)) {
                from.iter().for_each(|&class| matters.insert(class));
            }
        }
        if matters == before {
            return matters;
        }
    }
}
