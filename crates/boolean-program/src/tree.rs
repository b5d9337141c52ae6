//! The syntax tree, made to be built statement by statement as well as read from text.
//!
//! Names are resolved: a variable is an index into the program's variables whoever owns it, a procedure is an index
//! into its procedures. Labels stay names, because each procedure has its own.

use std::fmt;

use crate::expr::Expr;

/// A variable of the program, global or owned by a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A procedure of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcId(pub u32);

/// A statement of the program: its number in the order of the text, a statement before the ones inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

impl StatementId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ProcId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in the text, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// All variables; `globals` and the procedures say who owns which.
    pub variables: Vec<Variable>,
    pub globals: Vec<VarId>,
    pub procedures: Vec<Procedure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// The predicate it stands for, written as a comment.
    pub note: Option<String>,
    /// The value a global starts with. Without one it starts with either; so do all others.
    pub initial: Option<Initial>,
    /// Each thread has its own copy.
    pub thread_local: bool,
    pub position: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    False,
    True,
    /// `*`, which says what is the case without it.
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    pub name: String,
    pub formals: Vec<VarId>,
    pub locals: Vec<VarId>,
    /// How many values it returns.
    pub results: usize,
    /// Holds at every location: states that violate it are cut at entry and after each step.
    pub enforce: Option<Expr>,
    /// `dfs`: a hint about search order that some dialects carry. It has no meaning here.
    pub dfs: bool,
    pub body: Vec<Statement>,
    pub position: Option<Position>,
    /// Where the closing `end` is.
    pub end: Option<Position>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub labels: Vec<String>,
    pub kind: StatementKind,
    /// What the procedure enforces need not hold before it: it is one of several that make one change together.
    pub unenforced: bool,
    /// What it was made from.
    pub origin: Option<Origin>,
    pub position: Option<Position>,
}

/// What a statement stands for in the program that was abstracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Meaningful to the maker of the program only.
    pub id: u32,
    /// For people: file and line, or nothing.
    pub place: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    Skip,
    /// Parallel: all values and the constraint read the old state, except for next values in the constraint.
    Assign {
        targets: Vec<VarId>,
        values: Vec<Expr>,
        constrain: Option<Expr>,
    },
    Call {
        procedure: ProcId,
        arguments: Vec<Expr>,
        /// One for each result, `None` discards it; empty discards all.
        results: Vec<Option<VarId>>,
    },
    Goto(Vec<String>),
    Return(Vec<Expr>),
    Assume(Expr),
    Assert(Expr),
    /// Cuts the path where the condition holds.
    AbortIf(Expr),
    If {
        /// `if` and its `elsif`s: conditions and bodies, at least one.
        branches: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    /// The values of these variables are not used any more: they become unknown.
    Dead(Vec<VarId>),
    /// No effect.
    Print(Vec<Expr>),
    Thread(ThreadStatement),
}

/// Statements about threads. They are read and written; reachability refuses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadStatement {
    StartCall { procedure: ProcId, arguments: Vec<Expr> },
    StartGoto(String),
    End,
    AtomicBegin,
    AtomicEnd,
    Sync(String),
    Wait(String),
    Broadcast(String),
}

impl Statement {
    pub fn new(kind: StatementKind) -> Statement {
        Statement {
            labels: Vec::new(),
            kind,
            unenforced: false,
            origin: None,
            position: None,
        }
    }

    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Statement {
        self.labels.push(label.into());
        self
    }

    #[must_use]
    pub fn unenforced(mut self) -> Statement {
        self.unenforced = true;
        self
    }

    /// The blocks inside this statement, in order.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::If { branches, otherwise } => branches
                .iter()
                .map(|(_, body)| body.as_slice())
                .chain([otherwise.as_slice()])
                .collect(),
            StatementKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Program {
    pub fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.index()]
    }

    pub fn procedure(&self, procedure: ProcId) -> &Procedure {
        &self.procedures[procedure.index()]
    }

    pub fn procedure_ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procedures.len() as u32).map(ProcId)
    }

    pub fn find_procedure(&self, name: &str) -> Option<ProcId> {
        self.procedure_ids().find(|&id| self.procedure(id).name == name)
    }

    /// The variables a statement of `procedure` may name: globals, formals, locals, in order of declaration.
    pub fn scope(&self, procedure: ProcId) -> impl Iterator<Item = VarId> + '_ {
        let procedure = self.procedure(procedure);
        self.globals
            .iter()
            .chain(&procedure.formals)
            .chain(&procedure.locals)
            .copied()
    }

    /// All statements with the procedure they belong to, indexed by [`StatementId`].
    pub fn statements(&self) -> Vec<(ProcId, &Statement)> {
        let mut all = Vec::new();
        for procedure in self.procedure_ids() {
            let mut open: Vec<&Statement> = self.procedure(procedure).body.iter().rev().collect();
            while let Some(statement) = open.pop() {
                all.push((procedure, statement));
                open.extend(
                    statement
                        .blocks()
                        .into_iter()
                        .rev()
                        .flat_map(|block| block.iter().rev()),
                );
            }
        }
        all
    }

    pub fn add_global(&mut self, name: impl Into<String>) -> VarId {
        let var = self.add_variable(name.into());
        self.globals.push(var);
        var
    }

    /// A procedure without variables and statements, to be filled. Procedures are added before the calls to them.
    pub fn add_procedure(&mut self, name: impl Into<String>, results: usize) -> ProcId {
        let id = ProcId(self.procedures.len() as u32);
        self.procedures.push(Procedure {
            name: name.into(),
            formals: Vec::new(),
            locals: Vec::new(),
            results,
            enforce: None,
            dfs: false,
            body: Vec::new(),
            position: None,
            end: None,
        });
        id
    }

    pub fn add_formal(&mut self, procedure: ProcId, name: impl Into<String>) -> VarId {
        let var = self.add_variable(name.into());
        self.procedures[procedure.index()].formals.push(var);
        var
    }

    pub fn add_local(&mut self, procedure: ProcId, name: impl Into<String>) -> VarId {
        let var = self.add_variable(name.into());
        self.procedures[procedure.index()].locals.push(var);
        var
    }

    /// Says which predicate a variable stands for.
    pub fn set_note(&mut self, var: VarId, note: impl Into<String>) {
        self.variables[var.index()].note = Some(note.into());
    }

    fn add_variable(&mut self, name: String) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable {
            name,
            note: None,
            initial: None,
            thread_local: false,
            position: None,
        });
        id
    }

    /// Drops what does not survive a way through text (positions and statement origins), so that two programs can be
    /// compared.
    pub fn forget_places(&mut self) {
        for variable in &mut self.variables {
            variable.position = None;
        }
        for procedure in &mut self.procedures {
            procedure.position = None;
            procedure.end = None;
            let mut open: Vec<&mut Statement> = procedure.body.iter_mut().collect();
            while let Some(statement) = open.pop() {
                statement.position = None;
                statement.origin = None;
                match &mut statement.kind {
                    StatementKind::If { branches, otherwise } => {
                        open.extend(branches.iter_mut().flat_map(|(_, body)| body).chain(otherwise));
                    }
                    StatementKind::While { body, .. } => open.extend(body),
                    _ => {}
                }
            }
        }
    }
}
