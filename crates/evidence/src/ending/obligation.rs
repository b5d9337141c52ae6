//! What has to be shown for cycles to be cut: the program with error edges that are taken where a measure does not get smaller.
//!
//! At a loop's head the measure is remembered in variables of the activation; on every edge from inside the loop to its head it is
//! compared with what is remembered. A function that calls itself again remembers the measure that it was entered with, and compares
//! that of the function that it is about to call, of the arguments, before it does.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    BinaryOp, CallGraph, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Initial, IntKind, LocId, Loops, PlaceId,
    PlaceKind, Program, Span, TypeId, Var, VarId, VarKind, list_locations,
};

use super::cycles::Cycle;
use super::total::is_measure;

/// Why a cycle is cut. The parts of a measure are `long long`, the first counts most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The loop with this head has this measure.
    Loop(LocId, Vec<ExprId>),
    /// The functions that call each other have these, which speak of their parameters and of globals.
    Recursion(BTreeMap<FuncId, Vec<ExprId>>),
    /// Nothing is known, but that there are not too many rounds to be counted.
    Counted(Cycle),
}

impl Argument {
    /// What it is about.
    pub fn cycle(&self) -> Cycle {
        match self {
            Argument::Loop(head, _) => Cycle::Loop(*head),
            Argument::Recursion(measures) => Cycle::Recursion(measures.keys().copied().collect()),
            Argument::Counted(cycle) => cycle.clone(),
        }
    }
}

/// Why there is nothing to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// There is no such cycle.
    NoCycle,
    /// The measure could not be computed in every state, or not all measures have the same parts.
    NotAMeasure(ExprId),
    /// The functions call each other in a way that arguments cannot be compared in.
    Calls(EdgeId),
}

/// A program whose error edges are taken where cycles are not cut.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub program: Program,
    /// The error edges, with the cycle that each is about.
    pub errors: Vec<(EdgeId, Cycle)>,
}

impl Obligation {
    /// What is to be shown of a program for the arguments to hold. Only runs that take edges of `fair` again and again count, if that
    /// is given.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        fair: Option<&BTreeSet<EdgeId>>,
        arguments: &[Argument],
    ) -> Result<Obligation, Unmet> {
        let mut cutter = Cutter::new(program.clone());
        // What new locations do to loops must not matter, nor in which order they are cut.
        let mut cuts = Vec::new();
        for argument in arguments {
            let (Argument::Loop(head, _) | Argument::Counted(Cycle::Loop(head))) = argument else {
                continue;
            };
            let function = program.locs[*head].function;
            let loops = Loops::new(program, function);
            let id = loops.headed_by(*head).ok_or(Unmet::NoCycle)?;
            cuts.push((argument, loops.get(id).back_edges.clone()));
        }
        for (argument, back_edges) in cuts {
            let flag = match (argument, fair) {
                (Argument::Loop(head, _), Some(fair)) => {
                    cutter.fair_flag(program.locs[*head].function, calls, fair)
                }
                _ => None,
            };
            match argument {
                Argument::Loop(head, measure) => cutter.cut_loop(*head, &back_edges, measure, flag)?,
                Argument::Counted(Cycle::Loop(head)) => cutter.count_rounds(*head, &back_edges),
                Argument::Counted(Cycle::Recursion(_)) | Argument::Recursion(_) => {}
            }
        }
        for argument in arguments {
            match argument {
                Argument::Recursion(measures) => cutter.cut_recursion(calls, measures)?,
                Argument::Counted(Cycle::Recursion(component)) => cutter.count_calls(calls, component),
                Argument::Loop(..) | Argument::Counted(Cycle::Loop(_)) => {}
            }
        }
        Ok(cutter.finish())
    }
}

/// A program while cycles are cut.
struct Cutter {
    program: Program,
    long: TypeId,
    new_locs: BTreeMap<FuncId, Vec<LocId>>,
    ends: BTreeMap<FuncId, LocId>,
    errors: Vec<(EdgeId, Cycle)>,
    /// How many variables were made.
    made: usize,
}

/// A measure, and where its parts are remembered.
struct Remembered {
    parts: Vec<(ExprId, VarId)>,
}

impl Cutter {
    fn new(mut program: Program) -> Cutter {
        Cutter {
            long: program.types.int(IntKind::LongLong),
            program,
            new_locs: BTreeMap::new(),
            ends: BTreeMap::new(),
            errors: Vec::new(),
            made: 0,
        }
    }

    fn finish(mut self) -> Obligation {
        for (&function, new) in &self.new_locs {
            list_locations(&mut self.program, function, new);
        }
        Obligation {
            program: self.program,
            errors: self.errors,
        }
    }

    fn cut_loop(
        &mut self,
        head: LocId,
        back_edges: &[EdgeId],
        measure: &[ExprId],
        flag: Option<VarId>,
    ) -> Result<(), Unmet> {
        let function = self.program.locs[head].function;
        if let Some(&expr) = measure
            .iter()
            .find(|&&expr| !is_measure(&self.program, function, expr))
        {
            return Err(Unmet::NotAMeasure(expr));
        }
        let parts = measure.iter().map(|&expr| (expr, self.local(function))).collect();
        let remembered = Remembered { parts };
        let span = self.span_at(head);
        let after = self.move_outgoing(head);
        let mut code: Vec<(PlaceId, ExprId)> = Vec::new();
        if let Some(flag) = flag {
            let zero = self.program.int(0, self.long);
            code.push((self.program.var_place(flag), zero));
        }
        for &(expr, var) in &remembered.parts {
            code.push((self.program.var_place(var), expr));
        }
        self.assign_all(head, after, &code, span);
        for &edge in back_edges {
            let test = self.detour(edge);
            let cycle = Cycle::Loop(head);
            match flag {
                None => self.lay_comparison(test, head, &remembered, false, &cycle, span),
                Some(flag) => {
                    let (fair, unfair) = (self.new_loc(function), self.new_loc(function));
                    let is_set = self.program.read_var(flag);
                    self.branch(test, is_set, fair, unfair, span);
                    self.lay_comparison(fair, head, &remembered, false, &cycle, span);
                    self.lay_comparison(unfair, head, &remembered, true, &cycle, span);
                }
            }
        }
        Ok(())
    }

    /// Counts the rounds of the loop down, from when it is entered on.
    fn count_rounds(&mut self, head: LocId, back_edges: &[EdgeId]) {
        let function = self.program.locs[head].function;
        let span = self.span_at(head);
        let left = self.local(function);
        let place = self.program.var_place(left);
        let read = self.program.read(place);
        let entering: Vec<EdgeId> = self.program.locs[head].incoming.clone();
        for edge in entering {
            let test = self.detour(edge);
            if back_edges.contains(&edge) {
                self.lay_countdown(test, head, left, &Cycle::Loop(head), span);
            } else {
                let most = self.program.int(i128::from(i64::MAX), self.long);
                self.assign_all(test, head, &[(place, most)], span);
            }
        }
        let body = self.program.functions[function].body.as_ref();
        if body.is_some_and(|body| body.entry == head) {
            let entry = self.new_entry(function);
            let most = self.program.int(i128::from(i64::MAX), self.long);
            self.assign_all(entry, head, &[(place, most)], span);
        }
        debug_assert_eq!(self.program.expr(read).ty, self.long);
    }

    fn cut_recursion(
        &mut self,
        calls: &CallGraph,
        measures: &BTreeMap<FuncId, Vec<ExprId>>,
    ) -> Result<(), Unmet> {
        let Some((&first, length)) = measures.iter().map(|(f, parts)| (f, parts.len())).next() else {
            return Err(Unmet::NoCycle);
        };
        let component = calls.components()[calls.component_of(first)].clone();
        if !component.iter().eq(measures.keys()) {
            return Err(Unmet::NoCycle);
        }
        for (&function, parts) in measures {
            let is_of_it = |expr: &&ExprId| {
                !is_measure(&self.program, function, **expr) || !self.only_parameters(function, **expr)
            };
            if let Some(&wrong) = parts.iter().find(is_of_it) {
                return Err(Unmet::NotAMeasure(wrong));
            }
            if parts.len() != length {
                return Err(Unmet::NoCycle);
            }
        }
        let cycle = Cycle::Recursion(component.clone());
        let mut remembered: BTreeMap<FuncId, Vec<VarId>> = BTreeMap::new();
        for (&function, parts) in measures {
            let vars: Vec<VarId> = parts.iter().map(|_| self.local(function)).collect();
            let code: Vec<(PlaceId, ExprId)> = vars
                .iter()
                .zip(parts)
                .map(|(&var, &expr)| (self.program.var_place(var), expr))
                .collect();
            let body = self.program.functions[function].body.as_ref();
            let Some(old) = body.map(|body| body.entry) else {
                return Err(Unmet::NoCycle);
            };
            let span = self.program.functions[function].span;
            let entry = self.new_entry(function);
            self.assign_all(entry, old, &code, span);
            remembered.insert(function, vars);
        }
        for &function in &component {
            for site in calls.sites_in(function) {
                let again: Vec<FuncId> = site
                    .targets
                    .iter()
                    .copied()
                    .filter(|f| component.contains(f))
                    .collect();
                for callee in again {
                    let EdgeKind::Call { arguments, .. } = self.program.edges[site.edge].kind.clone() else {
                        unreachable!("a call site is a call edge")
                    };
                    let mut parts = Vec::new();
                    for (&expr, &var) in measures[&callee].iter().zip(&remembered[&function]) {
                        let passed = self.passed(callee, &arguments, expr);
                        parts.push((passed.ok_or(Unmet::Calls(site.edge))?, var));
                    }
                    let span = self.program.edges[site.edge].span;
                    let (test, call) = self.before(site.edge);
                    self.lay_comparison(test, call, &Remembered { parts }, false, &cycle, span);
                }
            }
        }
        Ok(())
    }

    /// Counts how deep the functions call each other.
    fn count_calls(&mut self, calls: &CallGraph, component: &[FuncId]) {
        let left = self.global(i128::from(i64::MAX));
        let left_place = self.program.var_place(left);
        let left_value = self.program.read(left_place);
        let cycle = Cycle::Recursion(component.to_vec());
        let mut remembered = BTreeMap::new();
        for &function in component {
            let Some(old) = self.program.functions[function]
                .body
                .as_ref()
                .map(|body| body.entry)
            else {
                continue;
            };
            let var = self.local(function);
            let place = self.program.var_place(var);
            let span = self.program.functions[function].span;
            let entry = self.new_entry(function);
            self.assign_all(entry, old, &[(place, left_value)], span);
            remembered.insert(function, var);
        }
        for (&function, &var) in &remembered {
            for site in calls.sites_in(function) {
                if !site.targets.iter().any(|target| component.contains(target)) {
                    continue;
                }
                let span = self.program.edges[site.edge].span;
                let (test, call) = self.before(site.edge);
                let after = self.new_loc(function);
                self.lay_countdown(test, after, var, &cycle, span);
                let value = self.program.read_var(var);
                self.assign_all(after, call, &[(left_place, value)], span);
            }
        }
    }

    /// From `at`: an error if the variable is 0, else it is one less at `to`.
    fn lay_countdown(&mut self, at: LocId, to: LocId, var: VarId, cycle: &Cycle, span: Option<Span>) {
        let function = self.program.locs[at].function;
        let place = self.program.var_place(var);
        let value = self.program.read(place);
        let (some, none) = (self.new_loc(function), self.new_loc(function));
        self.branch(at, value, some, none, span);
        self.error(none, cycle, span);
        let one = self.program.int(1, self.long);
        let less = self.program.binary(BinaryOp::Sub, value, one, self.long);
        self.assign_all(some, to, &[(place, less)], span);
    }

    /// From `at` to `to` if the measure is smaller than remembered, or, if that is enough, the same; else an error.
    fn lay_comparison(
        &mut self,
        at: LocId,
        to: LocId,
        remembered: &Remembered,
        same_is_enough: bool,
        cycle: &Cycle,
        span: Option<Span>,
    ) {
        let int = self.program.types.int(IntKind::Int);
        let function = self.program.locs[at].function;
        let mut here = at;
        for &(expr, var) in &remembered.parts {
            let old = self.program.read_var(var);
            let (differs, next) = (self.new_loc(function), self.new_loc(function));
            let smaller = self.program.binary(BinaryOp::Lt, expr, old, int);
            self.branch(here, smaller, to, differs, span);
            let larger = self.new_loc(function);
            let same = self.program.binary(BinaryOp::Eq, expr, old, int);
            self.branch(differs, same, next, larger, span);
            self.error(larger, cycle, span);
            here = next;
        }
        match same_is_enough {
            true => {
                self.pass(here, to, span);
            }
            false => self.error(here, cycle, span),
        }
    }

    /// The variable that says whether a fair edge was taken since it was set to 0; none where all rounds are taken for fair.
    fn fair_flag(&mut self, function: FuncId, calls: &CallGraph, fair: &BTreeSet<EdgeId>) -> Option<VarId> {
        // An activation in between would set the variable of this one to 0.
        if calls.is_recursive(function) {
            return None;
        }
        let flag = self.global(0);
        let place = self.program.var_place(flag);
        let one = self.program.int(1, self.long);
        for &edge in fair {
            let span = self.program.edges[edge].span;
            let (test, after) = self.before(edge);
            self.assign_all(test, after, &[(place, one)], span);
        }
        Some(flag)
    }

    /// What a measure of the callee is for these arguments, in terms of the caller; `None` if they do not fit.
    fn passed(&mut self, callee: FuncId, arguments: &[ExprId], expr: ExprId) -> Option<ExprId> {
        let Some(at) = self.parameter(callee, expr) else {
            let node = self.program.expr(expr);
            let kind = match node.kind {
                ExprKind::Unary(op, operand) => ExprKind::Unary(op, self.passed(callee, arguments, operand)?),
                ExprKind::Binary(op, left, right) => ExprKind::Binary(
                    op,
                    self.passed(callee, arguments, left)?,
                    self.passed(callee, arguments, right)?,
                ),
                ExprKind::Cast { operand, implicit } => ExprKind::Cast {
                    operand: self.passed(callee, arguments, operand)?,
                    implicit,
                },
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise,
                } => ExprKind::Conditional {
                    condition: self.passed(callee, arguments, condition)?,
                    then: self.passed(callee, arguments, then)?,
                    otherwise: self.passed(callee, arguments, otherwise)?,
                },
                other => other,
            };
            return Some(self.program.exprs.add(kind, node.ty));
        };
        let ty = self.program.expr(expr).ty;
        let argument = *arguments.get(at)?;
        (self
            .program
            .types
            .int_shape(self.program.expr(argument).ty)
            .is_some()
            && !self.program.types.is_pointer(ty))
        .then(|| self.program.convert(argument, ty))
    }

    /// The position of the parameter that an expression reads.
    fn parameter(&self, function: FuncId, expr: ExprId) -> Option<usize> {
        let ExprKind::Read(place) = self.program.expr(expr).kind else {
            return None;
        };
        let PlaceKind::Var(var) = self.program.place(place).kind else {
            return None;
        };
        let mut params = self.program.functions[function].params.iter();
        params.position(|&param| param == var)
    }

    /// Whether an expression speaks of no variables of the function but parameters.
    fn only_parameters(&self, function: FuncId, expr: ExprId) -> bool {
        let mut walk = program::Walk::new();
        walk.add_expr(expr);
        while let Some(node) = walk.next(&self.program) {
            let program::Node::Place(place) = node else {
                continue;
            };
            let PlaceKind::Var(var) = self.program.place(place).kind else {
                return false;
            };
            let is_global = matches!(self.program.vars[var].kind, VarKind::Global(_));
            if !is_global && !self.program.functions[function].params.contains(&var) {
                return false;
            }
        }
        true
    }

    fn local(&mut self, function: FuncId) -> VarId {
        let var = self.variable(VarKind::Temporary, Some(function));
        self.program.functions[function].locals.push(var);
        var
    }

    fn global(&mut self, initial: i128) -> VarId {
        let var = self.variable(VarKind::Global(Initial::Values(Vec::new())), None);
        let place = self.program.var_place(var);
        let value = self.program.int(initial, self.long);
        self.program.vars[var].kind = VarKind::Global(Initial::Values(vec![(place, value)]));
        var
    }

    fn variable(&mut self, kind: VarKind, function: Option<FuncId>) -> VarId {
        self.made += 1;
        self.program.vars.push(Var {
            name: format!("measure${}", self.made),
            ty: self.long,
            kind,
            function,
            span: None,
            is_const: false,
            align: 0,
        })
    }

    fn span_at(&self, loc: LocId) -> Option<Span> {
        let data = &self.program.locs[loc];
        let leaving = data
            .outgoing
            .iter()
            .find_map(|&edge| self.program.edges[edge].span);
        data.loops.first().copied().or(leaving)
    }

    fn new_loc(&mut self, function: FuncId) -> LocId {
        let loc = self.program.add_loc(function);
        self.new_locs.entry(function).or_default().push(loc);
        loc
    }

    fn new_entry(&mut self, function: FuncId) -> LocId {
        let entry = self.new_loc(function);
        let body = self.program.functions[function].body.as_mut();
        body.expect("only functions with a body are cut").entry = entry;
        entry
    }

    /// The new location that the location's edges leave from now on.
    fn move_outgoing(&mut self, loc: LocId) -> LocId {
        let moved = self.new_loc(self.program.locs[loc].function);
        let edges = std::mem::take(&mut self.program.locs[loc].outgoing);
        for &edge in &edges {
            self.program.edges[edge].from = moved;
        }
        self.program.locs[moved].outgoing = edges;
        moved
    }

    /// The new location that the edge leads to from now on.
    fn detour(&mut self, edge: EdgeId) -> LocId {
        let to = self.program.edges[edge].to;
        let new = self.new_loc(self.program.locs[to].function);
        self.program.locs[to].incoming.retain(|&other| other != edge);
        self.program.locs[new].incoming.push(edge);
        self.program.edges[edge].to = new;
        new
    }

    /// Where the edge started, and where it starts from now on.
    fn before(&mut self, edge: EdgeId) -> (LocId, LocId) {
        let from = self.program.edges[edge].from;
        let moved = self.new_loc(self.program.locs[from].function);
        let between = self.new_loc(self.program.locs[from].function);
        // Other edges from there are taken as before.
        let kind = self.program.edges[edge].kind.clone();
        self.program.locs[from].outgoing.retain(|&other| other != edge);
        self.program.locs[moved].outgoing.push(edge);
        self.program.edges[edge].from = moved;
        match kind {
            // What is assumed decides whether the edge is taken at all.
            EdgeKind::Assume { .. } => {
                let span = self.program.edges[edge].span;
                self.program.add_edge(from, between, kind, span);
            }
            _ => {
                self.pass(from, between, None);
            }
        }
        (between, moved)
    }

    fn assign_all(&mut self, from: LocId, to: LocId, code: &[(PlaceId, ExprId)], span: Option<Span>) {
        let function = self.program.locs[from].function;
        let Some((&(last, last_value), before)) = code.split_last() else {
            self.pass(from, to, span);
            return;
        };
        let mut here = from;
        for &(place, value) in before {
            let next = self.new_loc(function);
            self.program
                .add_edge(here, next, EdgeKind::Assign { place, value }, span);
            here = next;
        }
        let kind = EdgeKind::Assign {
            place: last,
            value: last_value,
        };
        self.program.add_edge(here, to, kind, span);
    }

    fn branch(
        &mut self,
        from: LocId,
        condition: ExprId,
        if_true: LocId,
        if_false: LocId,
        span: Option<Span>,
    ) {
        for (to, holds) in [(if_true, true), (if_false, false)] {
            self.program
                .add_edge(from, to, EdgeKind::Assume { condition, holds }, span);
        }
    }

    /// An edge that does nothing.
    fn pass(&mut self, from: LocId, to: LocId, span: Option<Span>) -> EdgeId {
        let int = self.program.types.int(IntKind::Int);
        let condition = self.program.int(1, int);
        let kind = EdgeKind::Assume {
            condition,
            holds: true,
        };
        self.program.add_edge(from, to, kind, span)
    }

    fn error(&mut self, at: LocId, cycle: &Cycle, span: Option<Span>) {
        let function = self.program.locs[at].function;
        let end = match self.ends.get(&function) {
            Some(&end) => end,
            None => {
                let end = self.new_loc(function);
                self.ends.insert(function, end);
                end
            }
        };
        let edge = self.pass(at, end, span);
        self.errors.push((edge, cycle.clone()));
    }
}
