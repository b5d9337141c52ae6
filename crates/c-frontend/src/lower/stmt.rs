//! Statements as control flow.

use program::{BinaryOp, EdgeKind, ExprId, ExprKind, FuncId, Label, LocId, PlaceId, Type};
use rucc_sema as sema;
use rustc_hash::FxHashMap;
use sema::Stmt;

use super::graph::Node;
use super::skipped::Landing;
use super::{JumpTargets, Lowering};

/// An open block, and what must run when control leaves it.
pub(super) struct Scope {
    pub block: sema::StmtId,
    /// Among those of the function.
    pub number: u32,
    pub cleanups: Vec<(PlaceId, FuncId)>,
}

pub(super) struct SwitchTargets {
    cases: FxHashMap<sema::CaseId, Node>,
    default: Node,
}

impl Lowering<'_> {
    pub(super) fn function_body(&mut self, body: sema::StmtId, name: &str) {
        self.survey_blocks(body);
        self.statement(body);
        // Falling off the end: `main` gives 0, any other function nothing.
        let result = self.body.result;
        let value = match result {
            Some(ty) if name == "main" && self.program.types.int_shape(ty).is_some() => {
                Some(self.program.int(0, ty))
            }
            _ => None,
        };
        self.body.span = self.end_of(body).or(self.body.span);
        self.return_edge(value);
        self.finish_computed_gotos();
    }

    /// The closing brace of a block.
    fn end_of(&mut self, body: sema::StmtId) -> Option<program::Span> {
        let span = self.unit.tast.stmt_span(body);
        if span.is_dummy() || span.is_empty() {
            return None;
        }
        self.span(rucc_diag::Span::new(span.hi - 1, span.hi))
    }

    pub(super) fn statement(&mut self, id: sema::StmtId) {
        let stmt = self.unit.tast[id];
        if !matches!(stmt, Stmt::Block(_) | Stmt::Decls(_)) {
            self.body.span = self.span(self.unit.tast.stmt_span(id));
        }
        match stmt {
            Stmt::Error => self.unsupported("a statement the parser rejected"),
            Stmt::Empty => {}
            Stmt::Expr(expr) => self.discard(expr),
            Stmt::Block(stmts) => self.block(id, stmts),
            Stmt::Decls(decls) => {
                for &decl in &self.unit.tast[decls] {
                    self.local_declaration(decl);
                }
            }
            Stmt::If {
                cond,
                then,
                otherwise,
            } => self.if_statement(cond, then, otherwise),
            Stmt::While { cond, body } => {
                let (head, inside, after) = self.three_nodes();
                self.head(id, head);
                self.go_on_at(head);
                self.branch(cond, inside, after);
                self.loop_body(inside, body, after, head);
                self.jump(head);
                self.body.at = after;
            }
            Stmt::DoWhile { body, cond } => {
                let (inside, test, after) = self.three_nodes();
                self.head(id, inside);
                self.go_on_at(inside);
                self.loop_body(inside, body, after, test);
                self.go_on_at(test);
                self.branch(cond, inside, after);
                self.body.at = after;
            }
            Stmt::For {
                init,
                cond,
                step,
                body,
            } => self.for_statement(id, init, cond, step, body),
            Stmt::Switch {
                cond,
                body,
                cases,
                default,
            } => self.switch(cond, body, cases, default),
            Stmt::Case { case, body } => {
                if let Some(&node) = self.body.switches.last().and_then(|s| s.cases.get(&case)) {
                    self.go_on_at(node);
                }
                self.statement(body);
            }
            Stmt::Default { body } => {
                if let Some(node) = self.body.switches.last().map(|s| s.default) {
                    self.go_on_at(node);
                }
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                let node = self.label_node(label);
                self.place_label(id, label, body, node);
                self.go_on_at(node);
                let counts = self
                    .body
                    .scopes
                    .iter()
                    .map(|scope| scope.cleanups.len())
                    .collect();
                self.body.label_cleanups.insert(label, counts);
                self.statement(body);
            }
            Stmt::Goto(label) => self.go_to(label),
            Stmt::IndirectGoto(target) => {
                let target = self.rvalue(target);
                let target = self.save_if_changing(target);
                let span = self.body.span;
                let open = self.body.scopes.iter().map(|scope| scope.block).collect();
                self.body.computed_gotos.push((self.body.at, target, span, open));
                self.dead_end();
            }
            Stmt::Asm(asm) => self.assembly(asm),
            Stmt::Break => self.leave(|targets| Some(targets.on_break)),
            Stmt::Continue => self.leave(|targets| targets.on_continue),
            Stmt::Return(value) => self.return_statement(value),
        }
    }

    fn three_nodes(&mut self) -> (Node, Node, Node) {
        (
            self.body.graph.node(),
            self.body.graph.node(),
            self.body.graph.node(),
        )
    }

    fn block(&mut self, id: sema::StmtId, stmts: sema::StmtList) {
        self.open_scope(id);
        for &stmt in &self.unit.tast[stmts] {
            self.statement(stmt);
        }
        self.close_scope();
    }

    fn if_statement(&mut self, cond: sema::ExprId, then: sema::StmtId, otherwise: Option<sema::StmtId>) {
        let (yes, no, join) = self.three_nodes();
        self.branch(cond, yes, no);
        self.body.at = yes;
        self.statement(then);
        self.jump(join);
        self.body.at = no;
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.go_on_at(join);
    }

    fn for_statement(
        &mut self,
        id: sema::StmtId,
        init: Option<sema::StmtId>,
        cond: Option<sema::ExprId>,
        step: Option<sema::ExprId>,
        body: sema::StmtId,
    ) {
        self.open_scope(id);
        if let Some(init) = init {
            self.statement(init);
        }
        let (head, inside, after) = self.three_nodes();
        self.head(id, head);
        let next = self.body.graph.node();
        self.go_on_at(head);
        match cond {
            Some(cond) => self.branch(cond, inside, after),
            None => self.jump(inside),
        }
        self.loop_body(inside, body, after, next);
        self.go_on_at(next);
        if let Some(step) = step {
            self.body.span = self.span(self.unit.tast.expr_span(step));
            self.discard(step);
        }
        self.jump(head);
        self.body.at = after;
        self.close_scope();
    }

    /// Each round of the loop statement starts at the node.
    fn head(&mut self, id: sema::StmtId, node: Node) {
        let span = self.span(self.unit.tast.stmt_span(id));
        self.body.graph.head(node, span);
    }

    /// Lowers a loop's body at `inside`; the lowering goes on at its end.
    fn loop_body(&mut self, inside: Node, body: sema::StmtId, on_break: Node, on_continue: Node) {
        self.body.at = inside;
        let scopes = self.body.scopes.len();
        self.body.jumps.push(JumpTargets {
            on_break,
            on_continue: Some(on_continue),
            scopes,
        });
        self.statement(body);
        self.body.jumps.pop();
    }

    fn switch(
        &mut self,
        cond: sema::ExprId,
        body: sema::StmtId,
        cases: sema::CaseList,
        otherwise: Option<sema::StmtId>,
    ) {
        let value = self.rvalue(cond);
        let ty = self.program.expr(value).ty;
        if self.program.types.int_shape(ty).is_none() {
            self.unsupported("a switch over a type that is not an integer");
            return;
        }
        let value = if self.is_plain_read(value) {
            value
        } else {
            self.save_if_changing(value)
        };
        let after = self.body.graph.node();
        let default = match otherwise {
            Some(_) => self.body.graph.node(),
            None => after,
        };
        let mut nodes = FxHashMap::default();
        for case in cases.iter() {
            let (low, high) = (self.unit.tast[case].low, self.unit.tast[case].high);
            let node = self.body.graph.node();
            nodes.insert(case, node);
            let condition = self.in_range(value, low, high);
            let next = self.body.graph.node();
            self.branch_into(condition, Landing::Case(case), node, next);
            self.body.at = next;
        }
        if let Some(body) = otherwise {
            self.enter_blocks_around(Landing::Default(body));
        }
        self.jump(default);
        self.body.switches.push(SwitchTargets {
            cases: nodes,
            default,
        });
        let scopes = self.body.scopes.len();
        let on_continue = self
            .body
            .jumps
            .iter()
            .rev()
            .find_map(|t| t.on_continue.map(|node| (node, t.scopes)));
        // `continue` inside a switch belongs to the loop around it.
        self.body.jumps.push(JumpTargets {
            on_break: after,
            on_continue: None,
            scopes,
        });
        debug_assert!(on_continue.is_none() || self.body.jumps.len() > 1);
        self.statement(body);
        self.body.jumps.pop();
        self.body.switches.pop();
        self.go_on_at(after);
    }

    /// A branch whose one way is a jump into blocks.
    fn branch_into(&mut self, condition: ExprId, target: Landing, node: Node, otherwise: Node) {
        let open: Vec<sema::StmtId> = self.body.scopes.iter().map(|scope| scope.block).collect();
        self.branch_from(&open, condition, target, node, otherwise);
    }

    /// The same, from where these blocks are open.
    fn branch_from(
        &mut self,
        open: &[sema::StmtId],
        condition: ExprId,
        target: Landing,
        node: Node,
        otherwise: Node,
    ) {
        if !self.enters_with_skipped(open, target) {
            return self.branch_on(condition, node, otherwise);
        }
        let way = self.body.graph.node();
        self.branch_on(condition, way, otherwise);
        self.body.at = way;
        self.enter_blocks_from(open, target);
        self.jump(node);
    }

    /// Whether the value is just a local variable, which nothing changes while the cases are told apart.
    fn is_plain_read(&self, value: ExprId) -> bool {
        match self.program.expr(value).kind {
            ExprKind::Read(place) => matches!(self.program.place(place).kind, program::PlaceKind::Var(_)),
            ExprKind::Cast { operand, .. } => self.is_plain_read(operand),
            _ => self.is_settled(value),
        }
    }

    fn in_range(&mut self, value: ExprId, low: i128, high: i128) -> ExprId {
        let ty = self.program.expr(value).ty;
        let int = self.int();
        let low_value = self.program.int(low, ty);
        if low == high {
            return self.program.binary(BinaryOp::Eq, value, low_value, int);
        }
        let high_value = self.program.int(high, ty);
        let above = self.program.binary(BinaryOp::Ge, value, low_value, int);
        let below = self.program.binary(BinaryOp::Le, value, high_value, int);
        self.program.binary(BinaryOp::LogicalAnd, above, below, int)
    }

    /// `break` or `continue`: to the innermost target of its kind, cleaning up the scopes in between.
    fn leave(&mut self, target: impl Fn(&JumpTargets) -> Option<Node>) {
        let found = self
            .body
            .jumps
            .iter()
            .rev()
            .find_map(|t| target(t).map(|node| (node, t.scopes)));
        if let Some((node, scopes)) = found {
            self.run_cleanups(scopes);
            self.jump(node);
        }
    }

    fn return_statement(&mut self, value: Option<sema::ExprId>) {
        let returns = self
            .body
            .result
            .filter(|&ty| !matches!(self.program.types.get(ty), Type::Void));
        let value = match (value, returns) {
            (None, _) => None,
            (Some(value), None) => {
                self.discard(value);
                None
            }
            (Some(value), Some(ty)) => {
                let value = self.rvalue(value);
                let value = if self.program.types.is_scalar(ty) {
                    self.cast_value(value, ty, true)
                } else {
                    value
                };
                let cleans = self.body.scopes.iter().any(|scope| !scope.cleanups.is_empty());
                Some(if cleans {
                    self.save_if_changing(value)
                } else {
                    value
                })
            }
        };
        self.run_cleanups(0);
        self.return_edge(value);
    }

    fn return_edge(&mut self, value: Option<ExprId>) {
        let (at, exit, span) = (self.body.at, self.body.graph.exit, self.body.span);
        self.body.graph.edge(at, exit, EdgeKind::Return { value }, span);
        self.dead_end();
    }

    /// `({ … })`: the value is that of its last statement, if that is an expression.
    pub(super) fn statement_expression(&mut self, id: sema::StmtId, whole: sema::ExprId) -> ExprId {
        let ty = self.type_of(whole);
        let Stmt::Block(stmts) = self.unit.tast[id] else {
            self.statement(id);
            return self.any_value(ty);
        };
        let stmts = self.unit.tast[stmts].to_vec();
        let wants_value = !matches!(self.program.types.get(ty), Type::Void);
        let outer = self.body.span;
        self.survey_blocks(id);
        self.open_scope(id);
        let mut value = None;
        for (index, &stmt) in stmts.iter().enumerate() {
            let last = index + 1 == stmts.len();
            match self.last_expression(stmt).filter(|_| last && wants_value) {
                Some(expr) => {
                    let result = self.rvalue(expr);
                    // Its variables may be initialised again before the value is used.
                    value = Some(self.save_if_changing(result));
                }
                None => self.statement(stmt),
            }
        }
        self.close_scope();
        self.body.span = outer;
        value.unwrap_or_else(|| self.any_value(ty))
    }

    /// The expression that a statement is, below any labels on it (which are lowered here).
    fn last_expression(&mut self, id: sema::StmtId) -> Option<sema::ExprId> {
        match self.unit.tast[id] {
            Stmt::Expr(expr) => Some(expr),
            Stmt::Label { label, body } if matches!(self.unit.tast[body], Stmt::Expr(_)) => {
                let node = self.label_node(label);
                self.place_label(id, label, body, node);
                self.go_on_at(node);
                self.last_expression(body)
            }
            _ => None,
        }
    }

    // Labels.

    /// `id` is the statement with its label, `body` the one without.
    fn place_label(&mut self, id: sema::StmtId, label: sema::LabelId, body: sema::StmtId, node: Node) {
        let name = self.name(self.unit.tast[label].name);
        let span = self.span(self.unit.tast.stmt_span(id));
        let statement = match self.unit.tast[body] {
            Stmt::Label { .. } | Stmt::Case { .. } | Stmt::Default { .. } => None,
            _ => self.span(self.unit.tast.stmt_span(body)),
        };
        let label = Label {
            name,
            span,
            statement,
        };
        self.body.graph.label(node, label);
    }

    pub(super) fn go_to(&mut self, label: sema::LabelId) {
        if self.unit.tast[label].stmt.is_none() {
            self.unsupported("a goto to a label that is not defined");
            return;
        }
        self.clean_up_for_goto(label);
        self.enter_blocks_around(Landing::Label(label));
        let node = self.label_node(label);
        self.jump(node);
    }

    fn label_node(&mut self, label: sema::LabelId) -> Node {
        if let Some(&node) = self.body.labels.get(&label) {
            return node;
        }
        let node = self.body.graph.node();
        self.body.labels.insert(label, node);
        if let Some(&loc) = self.label_locs.get(&label) {
            self.body.graph.fix(node, loc);
        }
        node
    }

    /// The location that stands for a label's address.
    pub(super) fn label_loc(&mut self, label: sema::LabelId) -> LocId {
        if let Some(&loc) = self.label_locs.get(&label) {
            return loc;
        }
        let function = self
            .body
            .function
            .expect("a label's address is taken inside its function");
        let loc = self.program.add_loc(function);
        self.label_locs.insert(label, loc);
        let node = self.label_node(label);
        self.body.graph.fix(node, loc);
        loc
    }

    /// Each computed goto becomes a chain of tests for the labels whose address this function takes.
    fn finish_computed_gotos(&mut self) {
        let mut labels: Vec<(LocId, Node, sema::LabelId)> = self
            .body
            .labels
            .iter()
            .filter_map(|(&label, &node)| self.label_locs.get(&label).map(|&loc| (loc, node, label)))
            .collect();
        labels.sort_by_key(|&(loc, node, _)| (loc, node));
        for (at, target, span, open) in std::mem::take(&mut self.body.computed_gotos) {
            self.body.at = at;
            self.body.span = span;
            let ty = self.program.expr(target).ty;
            let int = self.int();
            for &(loc, node, label) in &labels {
                let address = self.program.exprs.add(ExprKind::Label(loc), ty);
                let condition = self.program.binary(BinaryOp::Eq, target, address, int);
                let next = self.body.graph.node();
                self.branch_from(&open, condition, Landing::Label(label), node, next);
                self.body.at = next;
            }
            // To jump anywhere else is undefined.
            self.intrinsic_end("__builtin_unreachable");
        }
    }

    // Scopes and what runs when they are left.

    fn open_scope(&mut self, block: sema::StmtId) {
        self.body.opened += 1;
        self.body.scopes.push(Scope {
            block,
            number: self.body.opened,
            cleanups: Vec::new(),
        });
        self.enter_block(block);
    }

    fn close_scope(&mut self) {
        let depth = self.body.scopes.len() - 1;
        self.run_cleanups(depth);
        self.body.scopes.pop();
    }

    /// Runs the clean-ups of all scopes deeper than `depth`, innermost and last first.
    fn run_cleanups(&mut self, depth: usize) {
        let due: Vec<(PlaceId, FuncId)> = self.body.scopes[depth..]
            .iter()
            .rev()
            .flat_map(|scope| scope.cleanups.iter().rev().copied())
            .collect();
        self.call_cleanups(due);
    }

    fn call_cleanups(&mut self, due: Vec<(PlaceId, FuncId)>) {
        for (place, handler) in due {
            let ty = self.program.place(place).ty;
            let pointer = self.program.types.pointer(ty);
            let address = self.address_of(place, pointer);
            self.call(None, handler, vec![address]);
        }
    }

    fn clean_up_for_goto(&mut self, label: sema::LabelId) {
        let Some(target) = self.body.blocks.around(Landing::Label(label)) else {
            return;
        };
        let shared = self
            .body
            .scopes
            .iter()
            .zip(target)
            .take_while(|(scope, block)| scope.block == **block)
            .count();
        self.run_cleanups(shared);
        // A jump back ends the lives of what was declared after the label in the scopes that both are in.
        let Some(counts) = self.body.label_cleanups.get(&label) else {
            return;
        };
        let due: Vec<(PlaceId, FuncId)> = self.body.scopes[..shared]
            .iter()
            .zip(counts)
            .rev()
            .flat_map(|(scope, &kept)| scope.cleanups.iter().skip(kept).rev().copied())
            .collect();
        self.call_cleanups(due);
    }

    /// The statements directly inside a statement, in the order they are lowered.
    pub(super) fn children(&self, id: sema::StmtId) -> Vec<sema::StmtId> {
        match self.unit.tast[id] {
            Stmt::Block(stmts) => self.unit.tast[stmts].to_vec(),
            Stmt::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
            Stmt::While { body, .. }
            | Stmt::DoWhile { body, .. }
            | Stmt::Switch { body, .. }
            | Stmt::Case { body, .. }
            | Stmt::Default { body }
            | Stmt::Label { body, .. } => vec![body],
            Stmt::For { init, body, .. } => init.into_iter().chain([body]).collect(),
            _ => Vec::new(),
        }
    }
}
