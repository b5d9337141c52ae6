//! From the syntax tree to the graph.

use std::collections::{BTreeSet, HashMap};

use boolean_program::{Problem, ProcId, Program, Statement, StatementId, StatementKind, VarId};

use super::{Action, Edge, EdgeId, Graph, Node, NodeId, NodeKind, Procedure, Slot, StatementInfo};

/// Builds the graph of a program that has passed `check`; refuses what has no sequential meaning.
pub(crate) fn build(program: &Program) -> Result<Graph, Problem> {
    let mut builder = Builder::new(program);
    for procedure in program.procedure_ids() {
        builder.procedure(procedure)?;
    }
    let mut graph = builder.graph;
    find_modified(&mut graph);
    for procedure in 0..graph.procedures.len() {
        let order = reverse_postorder(&graph, graph.procedures[procedure].entry);
        graph.procedures[procedure].order = order;
    }
    Ok(graph)
}

struct Builder<'p> {
    program: &'p Program,
    graph: Graph,
    /// The number of the next statement.
    next_statement: u32,
    labels: HashMap<&'p str, NodeId>,
    procedure: ProcId,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program) -> Builder<'p> {
        let graph = Graph {
            nodes: Vec::new(),
            edges: Vec::new(),
            procedures: Vec::new(),
            statements: Vec::new(),
            slots: program.variables.len(),
            globals: slots(&program.globals),
        };
        let mut builder = Builder {
            program,
            graph,
            next_statement: 0,
            labels: HashMap::new(),
            procedure: ProcId(0),
        };
        for id in program.procedure_ids() {
            builder.declare(id);
        }
        builder
    }

    /// The nodes of all statements come first, so that a `goto` may go forward and a call may precede the procedure.
    fn declare(&mut self, id: ProcId) {
        self.procedure = id;
        let procedure = self.program.procedure(id);
        let exit = self.node(NodeKind::Exit);
        let mut entry = exit;
        let mut open: Vec<&Statement> = procedure.body.iter().rev().collect();
        while let Some(statement) = open.pop() {
            let number = StatementId(self.graph.statements.len() as u32);
            let node = self.node(NodeKind::Before(number));
            self.graph.nodes[node.index()].enforced = !statement.unenforced;
            self.graph
                .statements
                .push(StatementInfo::new(id, node, statement));
            if entry == exit {
                entry = node;
            }
            open.extend(
                statement
                    .blocks()
                    .into_iter()
                    .rev()
                    .flat_map(|block| block.iter().rev()),
            );
        }
        let first = self.graph.slots as u32;
        self.graph.slots += procedure.results;
        self.graph.procedures.push(Procedure {
            entry,
            exit,
            formals: slots(&procedure.formals),
            locals: slots(&procedure.locals),
            results: (first..first + procedure.results as u32).map(Slot).collect(),
            enforce: procedure.enforce.clone(),
            callers: Vec::new(),
            modified_globals: Vec::new(),
            modified_formals: Vec::new(),
            order: Vec::new(),
        });
    }

    fn procedure(&mut self, id: ProcId) -> Result<(), Problem> {
        self.procedure = id;
        self.labels = HashMap::new();
        let program = self.program;
        let first = self.next_statement as usize;
        let mut open: Vec<&'p Statement> = program.procedure(id).body.iter().rev().collect();
        let mut number = first;
        while let Some(statement) = open.pop() {
            let node = self.graph.statements[number].node;
            number += 1;
            self.labels
                .extend(statement.labels.iter().map(|label| (label.as_str(), node)));
            open.extend(
                statement
                    .blocks()
                    .into_iter()
                    .rev()
                    .flat_map(|block| block.iter().rev()),
            );
        }
        let exit = self.graph.procedure(id).exit;
        self.block(&program.procedure(id).body, exit)?;
        Ok(())
    }

    fn node(&mut self, kind: NodeKind) -> NodeId {
        let id = NodeId(self.graph.nodes.len() as u32);
        self.graph.nodes.push(Node {
            procedure: self.procedure,
            kind,
            enforced: true,
            out: Vec::new(),
            into: Vec::new(),
        });
        id
    }

    fn edge(&mut self, from: NodeId, to: NodeId, action: Action) {
        let id = EdgeId(self.graph.edges.len() as u32);
        if let Action::Call { callee, .. } = &action {
            self.graph.procedures[callee.index()].callers.push(id);
        }
        self.graph.edges.push(Edge { from, to, action });
        self.graph.nodes[from.index()].out.push(id);
        self.graph.nodes[to.index()].into.push(id);
    }

    /// Adds the edges of the statements, which are left to `after`; returns where they start.
    fn block(&mut self, statements: &'p [Statement], after: NodeId) -> Result<NodeId, Problem> {
        let start = if statements.is_empty() {
            after
        } else {
            self.current()
        };
        for (index, statement) in statements.iter().enumerate() {
            let follows = match statements.get(index + 1) {
                Some(_) => {
                    let inside = count(statement);
                    self.graph.statements[self.next_statement as usize + inside].node
                }
                None => after,
            };
            self.statement(statement, follows)?;
        }
        Ok(start)
    }

    /// The node of the statement whose number is next.
    fn current(&self) -> NodeId {
        self.graph.statements[self.next_statement as usize].node
    }

    fn statement(&mut self, statement: &'p Statement, after: NodeId) -> Result<(), Problem> {
        let number = StatementId(self.next_statement);
        let node = self.current();
        self.next_statement += 1;
        let test = |condition: &boolean_program::Expr, value| Action::Test {
            condition: condition.clone(),
            value,
        };
        match &statement.kind {
            StatementKind::Skip | StatementKind::Print(_) => self.edge(node, after, Action::Skip),
            StatementKind::Assign {
                targets,
                values,
                constrain,
            } => {
                let action = Action::Assign {
                    targets: targets.clone(),
                    values: values.clone(),
                    constrain: constrain.clone(),
                };
                self.edge(node, after, action);
            }
            StatementKind::Call {
                procedure,
                arguments,
                results,
            } => {
                if let Some(label) = statement.labels.iter().find(|label| label.starts_with("ASYNC_")) {
                    return Err(refuse(
                        statement,
                        &format!("the label `{label}` makes this call start a thread"),
                    ));
                }
                let action = Action::Call {
                    callee: *procedure,
                    arguments: arguments.clone(),
                    results: results.clone(),
                };
                self.edge(node, after, action);
            }
            StatementKind::Goto(targets) => {
                let mut seen = BTreeSet::new();
                for target in targets {
                    let target = self.labels[target.as_str()];
                    if seen.insert(target) {
                        self.edge(node, target, Action::Skip);
                    }
                }
            }
            StatementKind::Return(values) => {
                let exit = self.graph.procedure(self.procedure).exit;
                self.edge(node, exit, Action::Return(values.clone()));
            }
            StatementKind::Assume(condition) => self.edge(node, after, test(condition, true)),
            StatementKind::AbortIf(condition) => self.edge(node, after, test(condition, false)),
            StatementKind::Assert(condition) => {
                let failure = self.node(NodeKind::Failure(number));
                self.edge(node, after, test(condition, true));
                self.edge(node, failure, test(condition, false));
            }
            StatementKind::If { branches, otherwise } => {
                let mut tested = node;
                for (index, (condition, body)) in branches.iter().enumerate() {
                    let inside = self.block(body, after)?;
                    self.edge(tested, inside, test(condition, true));
                    let rest = if index + 1 < branches.len() {
                        let next = self.node(NodeKind::Before(number));
                        self.graph.nodes[next.index()].enforced = !statement.unenforced;
                        next
                    } else {
                        self.block(otherwise, after)?
                    };
                    self.edge(tested, rest, test(condition, false));
                    tested = rest;
                }
            }
            StatementKind::While { condition, body } => {
                let inside = self.block(body, node)?;
                self.edge(node, inside, test(condition, true));
                self.edge(node, after, test(condition, false));
            }
            StatementKind::Dead(variables) => self.edge(node, after, Action::Havoc(variables.clone())),
            StatementKind::Thread(_) => {
                return Err(refuse(statement, "this statement is about threads"));
            }
        }
        Ok(())
    }
}

fn refuse(statement: &Statement, reason: &str) -> Problem {
    Problem::at(
        statement.position,
        format!("{reason}, and threads are not supported"),
    )
}

/// The number of a statement and all statements inside it.
fn count(statement: &Statement) -> usize {
    let mut number = 0;
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        number += 1;
        open.extend(statement.blocks().into_iter().flatten());
    }
    number
}

fn slots(variables: &[VarId]) -> Vec<Slot> {
    variables.iter().map(|&var| var.into()).collect()
}

/// Which globals and formals each procedure may change, through the procedures it calls as well.
fn find_modified(graph: &mut Graph) {
    let mut modified: Vec<BTreeSet<Slot>> = vec![BTreeSet::new(); graph.procedures.len()];
    for edge in &graph.edges {
        let own = &mut modified[graph.node(edge.from).procedure.index()];
        match &edge.action {
            Action::Assign { targets, .. } | Action::Havoc(targets) => own.extend(slots(targets)),
            Action::Call { results, .. } => own.extend(results.iter().flatten().map(|&var| Slot::from(var))),
            Action::Skip | Action::Test { .. } | Action::Return(_) => {}
        }
    }
    let globals: BTreeSet<Slot> = graph.globals.iter().copied().collect();
    let mut open: Vec<usize> = (0..modified.len()).collect();
    while let Some(callee) = open.pop() {
        let changed: BTreeSet<Slot> = modified[callee].intersection(&globals).copied().collect();
        for &call in &graph.procedures[callee].callers {
            let caller = graph.node(graph.edge(call).from).procedure.index();
            let before = modified[caller].len();
            modified[caller].extend(&changed);
            if modified[caller].len() > before {
                open.push(caller);
            }
        }
    }
    for (procedure, modified) in graph.procedures.iter_mut().zip(modified) {
        procedure.modified_globals = modified.intersection(&globals).copied().collect();
        procedure.modified_formals = procedure
            .formals
            .iter()
            .filter(|slot| modified.contains(slot))
            .copied()
            .collect();
    }
}

fn reverse_postorder(graph: &Graph, entry: NodeId) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::from([entry]);
    let mut open = vec![(entry, 0)];
    while let Some((node, next)) = open.last_mut() {
        let out = &graph.node(*node).out;
        match out.get(*next) {
            Some(&edge) => {
                *next += 1;
                let to = graph.edge(edge).to;
                if seen.insert(to) {
                    open.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
