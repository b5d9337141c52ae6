//! A Boolean program as explicit control flow: nodes are places in procedures, edges do one thing each.
//!
//! A step of an execution is one edge, and each executed statement is one edge: a `goto`, a test of an `if`, `elsif` or
//! `while`, a `return`, a call. Falling off the end of a block or a procedure is no step.

mod build;

use boolean_program::{Expr, Position, ProcId, Statement, StatementId, VarId};

pub(crate) use build::build;

/// A place for a value: the variables of the program by their number, then the results of the procedures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(pub u32);

impl From<VarId> for Slot {
    fn from(var: VarId) -> Slot {
        Slot(var.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EdgeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub procedures: Vec<Procedure>,
    /// By `StatementId`.
    pub statements: Vec<StatementInfo>,
    /// Number of slots.
    pub slots: usize,
    pub globals: Vec<Slot>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub procedure: ProcId,
    pub kind: NodeKind,
    /// Whether what its procedure enforces holds here.
    pub enforced: bool,
    pub out: Vec<EdgeId>,
    /// Edges that end here; calls that enter here are in `Procedure::callers`.
    pub into: Vec<EdgeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Before a statement, or before one of its further tests.
    Before(StatementId),
    /// After the assertion has failed.
    Failure(StatementId),
    Exit,
}

#[derive(Debug)]
pub(crate) struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Skip,
    /// Passes where the condition can have the value.
    Test {
        condition: Expr,
        value: bool,
    },
    Assign {
        targets: Vec<VarId>,
        values: Vec<Expr>,
        constrain: Option<Expr>,
    },
    Havoc(Vec<VarId>),
    Call {
        callee: ProcId,
        arguments: Vec<Expr>,
        results: Vec<Option<VarId>>,
    },
    Return(Vec<Expr>),
}

#[derive(Debug)]
pub(crate) struct Procedure {
    pub entry: NodeId,
    pub exit: NodeId,
    pub formals: Vec<Slot>,
    pub locals: Vec<Slot>,
    pub results: Vec<Slot>,
    pub enforce: Option<Expr>,
    /// The call edges that enter it.
    pub callers: Vec<EdgeId>,
    /// Globals that it or what it calls may change.
    pub modified_globals: Vec<Slot>,
    /// Formals that it may change.
    pub modified_formals: Vec<Slot>,
    /// Its nodes, in reverse postorder; unreachable ones are left out.
    pub order: Vec<NodeId>,
}

/// What a trace tells about a statement.
#[derive(Clone, Debug)]
pub(crate) struct StatementInfo {
    pub procedure: ProcId,
    pub node: NodeId,
    pub labels: Vec<String>,
    pub position: Option<Position>,
}

impl StatementInfo {
    fn new(procedure: ProcId, node: NodeId, statement: &Statement) -> StatementInfo {
        StatementInfo {
            procedure,
            node,
            labels: statement.labels.clone(),
            position: statement.position,
        }
    }
}

impl Graph {
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    pub fn procedure(&self, procedure: ProcId) -> &Procedure {
        &self.procedures[procedure.index()]
    }

    pub fn procedure_of(&self, node: NodeId) -> &Procedure {
        self.procedure(self.node(node).procedure)
    }

    /// The slots that have a value at a node of `procedure`.
    pub fn scope(&self, procedure: ProcId) -> impl Iterator<Item = Slot> + '_ {
        let procedure = self.procedure(procedure);
        self.globals
            .iter()
            .chain(&procedure.formals)
            .chain(&procedure.locals)
            .copied()
    }
}
