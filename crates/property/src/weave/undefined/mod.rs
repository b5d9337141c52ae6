//! Undefined behaviour of operators and accesses: before each edge, the conditions under which what it computes is undefined.
//!
//! An edge evaluates expressions; an operator in one of them is evaluated only where the operands of `&&`, `||` and `?:`
//! around it let it be. The conditions stand in the order of evaluation, so each may take for granted that the operands
//! of its operator are defined.

mod alignment;
mod arguments;
mod bounds;
mod chain;
mod constants;
mod contents;
mod holders;
mod leaks;
mod lifetimes;
mod operators;
mod pointers;
mod questions;
mod ranges;
mod results;
mod texts;
mod unwritten;

pub(super) use questions::Questions;

use std::collections::BTreeSet;

use library::Meaning;
use program::{
    AddressTaken, BinaryOp, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, LocId, PlaceId, PlaceKind,
    Printer, Span, UnaryOp, copied_byte,
};
use rustc_hash::FxHashSet;

use self::bounds::Use;
use self::holders::Holders;
use self::operators::{Condition, Conditions};
use self::ranges::Ranges;
use super::edit::Code;
use super::{ErrorKind, Weaver};
use crate::Undefined;

/// What an edge evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Expr(ExprId),
    /// Where a place is.
    Place(PlaceId),
    /// A place that is read.
    Access(PlaceId),
    /// A place that is written.
    Write(PlaceId),
    /// The absolute value of an expression, as library functions compute it.
    Absolute(ExprId),
    /// The length of an array that is declared with it.
    Length(ExprId),
}

/// Where an operand of `&&`, `||` or `?:` is evaluated: under a condition, within the one around it.
#[derive(Clone, Copy, Debug)]
struct Guard {
    outer: Option<usize>,
    condition: ExprId,
    holds: bool,
}

enum Task {
    Enter(Node, Option<usize>),
    /// The operands were entered before.
    Leave(Node, Option<usize>),
}

/// What is to happen before an evaluation, where the guards hold.
struct Found {
    code: Vec<Code>,
    guard: Option<usize>,
}

impl Weaver {
    /// No operator is undefined in one of these ways.
    pub fn undefined(&mut self, kinds: &BTreeSet<Undefined>, around: Option<&str>) {
        let follows_pointers = kinds.contains(&Undefined::Deref);
        let follows_contents = kinds.contains(&Undefined::Uninitialised);
        if follows_pointers {
            self.questions.holders = Holders::new(&self.program, &self.taken);
            self.look_for_constants();
        }
        if follows_pointers || follows_contents {
            self.results_first();
            self.follows_blocks = follows_pointers;
            if self.may_replace_calls {
                self.write_out_texts();
            }
            // The variables that results go to first are asked about, too.
            self.taken = AddressTaken::new(&self.program);
        }
        if follows_contents {
            self.look_for_contents();
        }
        if kinds.contains(&Undefined::Alignment) {
            self.look_for_alignments();
        }
        let runs = |function: &FuncId| self.reach.runs(*function);
        let functions: Vec<FuncId> = self.program.functions.ids().filter(runs).collect();
        for function in functions {
            let Some(body) = &self.program.functions[function].body else {
                continue;
            };
            let new = self.new_locs.get(&function).into_iter().flatten();
            let locs: Vec<LocId> = body.locs.iter().chain(new).copied().collect();
            for loc in locs {
                self.undefined_at(loc, kinds);
            }
        }
        if follows_contents {
            self.weave_contents();
        }
        if follows_pointers {
            self.lifetimes();
        }
        self.leaks(kinds, around);
    }

    /// Edges that leave a location together evaluate one condition; it is looked at once, before any of them.
    fn undefined_at(&mut self, loc: LocId, kinds: &BTreeSet<Undefined>) {
        let edges = self.program.locs[loc].outgoing.clone();
        let Some(&first) = edges.first() else { return };
        let span = self.program.edges[first].span;
        let mut evaluation = Evaluation::new(self, kinds, loc);
        for edge in edges {
            evaluation.edge(edge);
        }
        let Evaluation {
            found,
            guards,
            discharged,
            ..
        } = evaluation;
        self.discharged += discharged;
        let code: Vec<Code> = found
            .into_iter()
            .flat_map(|found| guarded(found, &guards))
            .collect();
        self.insert_at(loc, &code, span);
    }

    /// Lets `code` happen before control goes on from the location.
    fn insert_at(&mut self, loc: LocId, code: &[Code], span: Option<Span>) {
        if code.is_empty() {
            return;
        }
        let moved = self.move_outgoing(loc);
        self.lay(code, loc, moved, span);
    }
}

/// The error where the operator is undefined.
fn violation(condition: Condition) -> Code {
    let Condition { kind, all, message } = condition;
    let mut code = match message {
        Ok(message) => error(kind, message),
        Err(unsupported) => Code::Unsupported(unsupported),
    };
    for &condition in all.iter().rev() {
        code = only_if(condition, true, vec![code]);
    }
    code
}

fn error(kind: Undefined, message: String) -> Code {
    Code::Error {
        kind: ErrorKind::Undefined(kind),
        property: kind.name().to_owned(),
        message,
    }
}

/// What is found, where its guards hold.
fn guarded(found: Found, guards: &[Guard]) -> Vec<Code> {
    let Found { mut code, mut guard } = found;
    while let Some(number) = guard {
        let Guard {
            outer,
            condition,
            holds,
        } = guards[number];
        code = vec![only_if(condition, holds, code)];
        guard = outer;
    }
    code
}

fn only_if(condition: ExprId, holds: bool, code: Vec<Code>) -> Code {
    let (then, otherwise) = if holds {
        (code, Vec::new())
    } else {
        (Vec::new(), code)
    };
    Code::If {
        condition,
        then,
        otherwise,
    }
}

/// Goes through what is evaluated before control leaves a location, operands before operators.
struct Evaluation<'a> {
    weaver: &'a mut Weaver,
    kinds: &'a BTreeSet<Undefined>,
    function: FuncId,
    /// Where control is.
    at: LocId,
    /// What is looked at.
    edge: Option<EdgeId>,
    /// Where a byte is moved from as it is, which is no use of it.
    moved_byte: Option<PlaceId>,
    ranges: Ranges,
    guards: Vec<Guard>,
    seen: FxHashSet<(Node, Option<usize>)>,
    pending: Vec<Task>,
    found: Vec<Found>,
    /// Operators that the ranges of their operands show to be defined.
    discharged: usize,
}

impl<'a> Evaluation<'a> {
    fn new(weaver: &'a mut Weaver, kinds: &'a BTreeSet<Undefined>, at: LocId) -> Evaluation<'a> {
        Evaluation {
            function: weaver.program.locs[at].function,
            weaver,
            kinds,
            at,
            edge: None,
            moved_byte: None,
            ranges: Ranges::default(),
            guards: Vec::new(),
            seen: FxHashSet::default(),
            pending: Vec::new(),
            found: Vec::new(),
            discharged: 0,
        }
    }

    fn edge(&mut self, edge: EdgeId) {
        self.edge = Some(edge);
        if let EdgeKind::Assign { place, value } = self.weaver.program.edges[edge].kind {
            self.moved_byte = copied_byte(&self.weaver.program, place, value);
        }
        let nodes = match &self.weaver.program.edges[edge].kind {
            EdgeKind::Assign { place, value } => vec![Node::Write(*place), Node::Expr(*value)],
            EdgeKind::Assume { condition, .. } => vec![Node::Expr(*condition)],
            EdgeKind::Call {
                result,
                callee,
                arguments,
            } => {
                let mut nodes: Vec<Node> = result.iter().map(|&place| Node::Write(place)).collect();
                nodes.extend(arguments.iter().map(|&argument| Node::Expr(argument)));
                match *callee {
                    Callee::Indirect(pointer) => nodes.push(Node::Expr(pointer)),
                    Callee::Direct(function) if self.is_absolute(function) => {
                        nodes.extend(arguments.iter().map(|&argument| Node::Absolute(argument)));
                    }
                    // Behind the size of an array of variable length stand its lengths.
                    Callee::Direct(function) if self.is_frame_memory(function) => {
                        nodes.extend(arguments.iter().skip(1).map(|&length| Node::Length(length)));
                    }
                    Callee::Direct(_) => {}
                }
                nodes
            }
            EdgeKind::Return { value } => value.iter().map(|&value| Node::Expr(value)).collect(),
            EdgeKind::Havoc { place, .. } => vec![Node::Write(*place)],
            EdgeKind::Unsupported { .. } => Vec::new(),
        };
        for node in nodes {
            self.pending.push(Task::Enter(node, None));
            self.run();
        }
        self.handed_on(edge);
        if let EdgeKind::Call { .. } = self.weaver.program.edges[edge].kind {
            self.call(edge);
        }
        self.contents_written(edge);
    }

    /// Whether the function is `abs` or one like it.
    fn is_absolute(&self, function: FuncId) -> bool {
        let function = &self.weaver.program.functions[function];
        let meaning = &library::of(&function.name).function.meaning;
        function.body.is_none() && matches!(meaning, Some(Meaning::Operator(UnaryOp::Abs)))
    }

    /// Whether the function is the one that arrays of variable length get their memory from.
    fn is_frame_memory(&self, function: FuncId) -> bool {
        let function = &self.weaver.program.functions[function];
        function.body.is_none() && library::of(&function.name).function.name == "alloca"
    }

    fn run(&mut self) {
        while let Some(task) = self.pending.pop() {
            match task {
                Task::Enter(node, guard) if self.seen.insert((node, guard)) => {
                    self.pending.push(Task::Leave(node, guard));
                    self.enter(node, guard);
                }
                Task::Enter(..) => {}
                Task::Leave(node, guard) => self.leave(node, guard),
            }
        }
    }

    /// The operands, the first of them on top.
    fn enter(&mut self, node: Node, guard: Option<usize>) {
        let program = &self.weaver.program;
        let operands = match node {
            Node::Absolute(operand) | Node::Length(operand) => vec![(Node::Expr(operand), guard)],
            Node::Access(place) | Node::Write(place) => vec![(Node::Place(place), guard)],
            Node::Place(place) => match program.place(place).kind {
                PlaceKind::Var(_) => Vec::new(),
                PlaceKind::Deref(pointer) => vec![(Node::Expr(pointer), guard)],
                PlaceKind::Field(base, _) => vec![(Node::Place(base), guard)],
                PlaceKind::Index(base, index) => vec![(Node::Place(base), guard), (Node::Expr(index), guard)],
            },
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Zero
                | ExprKind::Function(_)
                | ExprKind::Label(_) => Vec::new(),
                ExprKind::Read(place) => vec![(Node::Access(place), guard)],
                ExprKind::AddressOf(place) => vec![(Node::Place(place), guard)],
                ExprKind::Unary(_, operand) | ExprKind::Cast { operand, .. } => {
                    vec![(Node::Expr(operand), guard)]
                }
                ExprKind::Binary(op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right) => {
                    let within = self.guard(guard, left, op == BinaryOp::LogicalAnd);
                    vec![(Node::Expr(left), guard), (Node::Expr(right), within)]
                }
                ExprKind::Binary(BinaryOp::PointerAdd, left, right) => {
                    // `p - i` is `p + -i`; nobody negates `i`.
                    let moved = match program.expr(right).kind {
                        ExprKind::Unary(UnaryOp::Negate, subtracted) => subtracted,
                        _ => right,
                    };
                    vec![(Node::Expr(left), guard), (Node::Expr(moved), guard)]
                }
                ExprKind::Binary(_, left, right) => {
                    vec![(Node::Expr(left), guard), (Node::Expr(right), guard)]
                }
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise,
                } => {
                    let (yes, no) = (
                        self.guard(guard, condition, true),
                        self.guard(guard, condition, false),
                    );
                    vec![
                        (Node::Expr(condition), guard),
                        (Node::Expr(then), yes),
                        (Node::Expr(otherwise), no),
                    ]
                }
            },
        };
        let operands = operands.into_iter().rev();
        self.pending
            .extend(operands.map(|(node, guard)| Task::Enter(node, guard)));
    }

    fn guard(&mut self, outer: Option<usize>, condition: ExprId, holds: bool) -> Option<usize> {
        self.guards.push(Guard {
            outer,
            condition,
            holds,
        });
        Some(self.guards.len() - 1)
    }

    fn leave(&mut self, node: Node, guard: Option<usize>) {
        let program = &mut self.weaver.program;
        let ranges = &mut self.ranges;
        let (found, defined): Conditions = match node {
            Node::Place(_) => return,
            Node::Access(place) | Node::Write(place) => {
                bounds::conditions(program, ranges, place, Use::Access)
            }
            Node::Absolute(operand) => {
                let shown = format!("the absolute value of `{}`", Printer::new(program).expr(operand));
                operators::smallest(program, ranges, operand, shown)
            }
            Node::Length(length) => bounds::length(program, ranges, length),
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::AddressOf(place) => bounds::conditions(program, ranges, place, Use::Address),
                _ => {
                    let conditions = operators::conditions(program, ranges, expr);
                    ranges.add(program, expr);
                    conditions
                }
            },
        };
        let asked = |kind: &Undefined| self.kinds.contains(kind);
        self.discharged += defined.iter().filter(|&kind| asked(kind)).count();
        let found = found.into_iter().filter(|condition| asked(&condition.kind));
        self.found.extend(found.map(|condition| Found {
            code: vec![violation(condition)],
            guard,
        }));
        match node {
            Node::Access(place) => {
                self.access(place, guard);
                self.aligned(place, guard);
            }
            Node::Write(place) => {
                self.access(place, guard);
                self.changed(place, guard);
                self.aligned(place, guard);
            }
            Node::Expr(expr) => {
                if let ExprKind::Read(place) = self.weaver.program.expr(expr).kind {
                    self.contents_read(place, guard);
                }
                self.taken_for_number(expr, guard);
            }
            Node::Place(_) | Node::Absolute(_) | Node::Length(_) => {}
        }
    }
}
