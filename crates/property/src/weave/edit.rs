//! Putting code before or after an edge, or at the start of a function. Code is laid from its end to its start, so that
//! every piece knows where control goes on and no edge is spent on joining pieces.

use program::{Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, IntKind, LocId, PlaceId, Span, UnaryOp};

use super::{ErrorKind, ErrorSite, Weaver};

/// What is to happen, with all names resolved.
#[derive(Clone, Debug)]
pub enum Code {
    Assign {
        place: PlaceId,
        value: ExprId,
    },
    Assume(ExprId),
    /// A function without a body is called.
    Call {
        result: Option<PlaceId>,
        function: FuncId,
        arguments: Vec<ExprId>,
    },
    If {
        condition: ExprId,
        then: Vec<Code>,
        otherwise: Vec<Code>,
    },
    While {
        condition: ExprId,
        body: Vec<Code>,
    },
    /// The body happens once at least.
    DoWhile {
        body: Vec<Code>,
        condition: ExprId,
    },
    /// If the value is the object that the rule watches.
    IfWatched {
        condition: ExprId,
        value: ExprId,
        /// Which of the weaver's watched objects.
        watched: usize,
        then: Vec<Code>,
    },
    /// The property is violated.
    Error {
        kind: ErrorKind,
        property: String,
        message: String,
    },
    /// Nothing happens, but whoever wove this in wants to know when.
    Mark,
    /// The run is of no interest from here on.
    Halt,
    /// The run ends as it should, by a call of this function that does not return.
    End(FuncId),
    Unsupported(String),
}

impl Weaver {
    /// Lets `code` happen before the edge is taken, after all that was put there earlier.
    pub fn insert_before(&mut self, edge: EdgeId, code: &[Code]) {
        if code.is_empty() {
            return;
        }
        let from = self.program.edges[edge].from;
        let span = self.program.edges[edge].span;
        let moved = self.new_loc(self.program.locs[from].function);
        self.program.locs[from].outgoing.retain(|&other| other != edge);
        self.program.locs[moved].outgoing.push(edge);
        self.program.edges[edge].from = moved;
        self.lay(code, from, moved, span);
    }

    /// Lets `code` happen after the edge was taken, before all that was put there earlier.
    pub fn insert_after(&mut self, edge: EdgeId, code: &[Code]) {
        if code.is_empty() {
            return;
        }
        let to = self.program.edges[edge].to;
        let span = self.program.edges[edge].span;
        let moved = self.new_loc(self.program.locs[to].function);
        self.program.locs[to].incoming.retain(|&other| other != edge);
        self.program.locs[moved].incoming.push(edge);
        self.program.edges[edge].to = moved;
        self.lay(code, moved, to, span);
    }

    /// Lets `code` happen again and again where the edge would be taken.
    pub fn repeat_instead(&mut self, edge: EdgeId, code: &[Code]) {
        let from = self.program.edges[edge].from;
        let span = self.program.edges[edge].span;
        let function = self.program.locs[from].function;
        let (never, round) = (self.new_loc(function), self.new_loc(function));
        self.program.locs[from].outgoing.retain(|&other| other != edge);
        self.program.locs[never].outgoing.push(edge);
        self.program.edges[edge].from = never;
        self.pass(from, round, span);
        self.lay(code, round, round, span);
    }

    /// Lets `code` happen each time the function is entered.
    pub fn insert_at_entry(&mut self, function: FuncId, code: &[Code]) {
        if code.is_empty() {
            return;
        }
        let body = self.program.functions[function].body.as_ref();
        let old = body.expect("only functions with a body are woven into").entry;
        let entry = self.new_loc(function);
        let span = self.program.functions[function].span;
        self.lay(code, entry, old, span);
        let body = self.program.functions[function].body.as_mut();
        body.expect("looked at above").entry = entry;
    }

    /// Makes control that reaches the location pass an error edge of its own before it goes on.
    pub fn error_at(
        &mut self,
        loc: LocId,
        kind: ErrorKind,
        property: &str,
        message: String,
        span: Option<Span>,
    ) {
        let moved = self.move_outgoing(loc);
        let edge = self.pass(loc, moved, span);
        self.add_error(edge, kind, property, message);
    }

    /// The new location that the location's edges leave from now on; nothing leads to it yet.
    pub fn move_outgoing(&mut self, loc: LocId) -> LocId {
        let moved = self.new_loc(self.program.locs[loc].function);
        let edges = std::mem::take(&mut self.program.locs[loc].outgoing);
        for &edge in &edges {
            self.program.edges[edge].from = moved;
        }
        self.program.locs[moved].outgoing = edges;
        moved
    }

    pub fn add_error(&mut self, edge: EdgeId, kind: ErrorKind, property: &str, message: String) {
        self.errors.push(ErrorSite {
            edge,
            kind,
            property: property.to_owned(),
            message,
            span: self.program.edges[edge].span,
        });
    }

    /// Code that starts at the free location `head` and ends at `to`; there is some.
    pub fn lay(&mut self, code: &[Code], head: LocId, to: LocId, span: Option<Span>) {
        let (first, rest) = code.split_first().expect("no code is no change");
        let next = match first {
            // Nothing comes after these.
            Code::Error { .. } | Code::Halt | Code::End(_) => to,
            _ => self.start_of(rest, to, span),
        };
        let function = self.program.locs[head].function;
        match first {
            Code::Assign { place, value } => {
                let kind = EdgeKind::Assign {
                    place: *place,
                    value: *value,
                };
                self.program.add_edge(head, next, kind, span);
            }
            Code::Call {
                result,
                function,
                arguments,
            } => {
                let kind = EdgeKind::Call {
                    result: *result,
                    callee: Callee::Direct(*function),
                    arguments: arguments.clone(),
                };
                self.program.add_edge(head, next, kind, span);
            }
            Code::Assume(condition) => {
                self.assume(head, next, *condition, true, span);
            }
            Code::If {
                condition,
                then,
                otherwise,
            } => {
                let then = self.start_of(then, next, span);
                let otherwise = self.start_of(otherwise, next, span);
                self.assume(head, then, *condition, true, span);
                self.assume(head, otherwise, *condition, false, span);
            }
            Code::While { condition, body } => {
                let body = self.start_of(body, head, span);
                self.assume(head, body, *condition, true, span);
                self.assume(head, next, *condition, false, span);
            }
            Code::DoWhile { body, condition } => {
                let test = self.new_loc(function);
                self.lay(body, head, test, span);
                self.assume(test, head, *condition, true, span);
                self.assume(test, next, *condition, false, span);
            }
            Code::IfWatched {
                condition,
                value,
                watched,
                then,
            } => {
                let then = self.start_of(then, next, span);
                let same = self.assume(head, then, *condition, true, span);
                let other = self.assume(head, next, *condition, false, span);
                let comparisons = &mut self.watched[*watched].comparisons;
                comparisons.extend([(same, *value), (other, *value)]);
            }
            Code::Error {
                kind,
                property,
                message,
            } => {
                let end = self.end_of(function);
                let edge = self.pass(head, end, span);
                self.add_error(edge, kind.clone(), property, message.clone());
            }
            Code::Mark => {
                let edge = self.pass(head, next, span);
                self.marked.push(edge);
            }
            Code::Halt => {
                let end = self.end_of(function);
                let int = self.program.types.int(IntKind::Int);
                let never = self.program.int(0, int);
                self.assume(head, end, never, true, span);
            }
            Code::End(callee) => {
                let end = self.new_loc(function);
                let int = self.program.types.int(IntKind::Int);
                let kind = EdgeKind::Call {
                    result: None,
                    callee: Callee::Direct(*callee),
                    arguments: vec![self.program.int(0, int)],
                };
                self.program.add_edge(head, end, kind, span);
            }
            Code::Unsupported(what) => {
                let kind = EdgeKind::Unsupported { what: what.clone() };
                self.program.add_edge(head, next, kind, span);
            }
        }
    }

    /// Where control must go for `code` to happen and then `to` to be reached.
    fn start_of(&mut self, code: &[Code], to: LocId, span: Option<Span>) -> LocId {
        if code.is_empty() {
            return to;
        }
        let head = self.new_loc(self.program.locs[to].function);
        self.lay(code, head, to, span);
        head
    }

    /// A test for the negation of something is a test for its contrary.
    fn assume(
        &mut self,
        from: LocId,
        to: LocId,
        mut condition: ExprId,
        mut holds: bool,
        span: Option<Span>,
    ) -> EdgeId {
        while let ExprKind::Unary(UnaryOp::Not, negated) = self.program.expr(condition).kind {
            condition = negated;
            holds = !holds;
        }
        let kind = EdgeKind::Assume { condition, holds };
        self.program.add_edge(from, to, kind, span)
    }

    /// An edge that does nothing.
    fn pass(&mut self, from: LocId, to: LocId, span: Option<Span>) -> EdgeId {
        let int = self.program.types.int(IntKind::Int);
        let always = self.program.int(1, int);
        self.assume(from, to, always, true, span)
    }

    fn new_loc(&mut self, function: FuncId) -> LocId {
        let loc = self.program.add_loc(function);
        self.new_locs.entry(function).or_default().push(loc);
        loc
    }

    /// The function's location that nothing leads out of.
    fn end_of(&mut self, function: FuncId) -> LocId {
        if let Some(&end) = self.ends.get(&function) {
            return end;
        }
        let end = self.new_loc(function);
        self.ends.insert(function, end);
        end
    }
}
