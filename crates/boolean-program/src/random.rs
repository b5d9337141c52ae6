//! Random programs, the same for the same seed: for round trips through text and for comparing engines.

use crate::expr::{BinaryOp, Expr};
use crate::tree::{Initial, ProcId, Program, Statement, StatementKind, ThreadStatement, VarId};

/// How large and how varied a program is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub globals: usize,
    pub procedures: usize,
    /// Upper bounds for each procedure.
    pub formals: usize,
    pub locals: usize,
    pub results: usize,
    pub statements: usize,
    /// Nesting of blocks and of expressions.
    pub depth: usize,
    /// How many of a hundred statements are calls beyond the usual number.
    pub calls: usize,
    /// How many of a hundred statements are `unenforced`.
    pub unenforced: usize,
    /// Also what no analysis gives a meaning to: threads, notes, `print`, `dfs`.
    pub decorated: bool,
}

impl Shape {
    /// Small enough for an explicit enumeration of all states.
    pub const SMALL: Shape = Shape {
        globals: 2,
        procedures: 3,
        formals: 2,
        locals: 2,
        results: 2,
        statements: 6,
        depth: 2,
        calls: 0,
        unenforced: 15,
        decorated: false,
    };

    /// Every kind of statement and declaration.
    pub const VARIED: Shape = Shape {
        globals: 4,
        procedures: 4,
        formals: 3,
        locals: 3,
        results: 3,
        statements: 8,
        depth: 3,
        calls: 0,
        unenforced: 15,
        decorated: true,
    };
}

/// A stream of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A program that passes `check`. Its first procedure is `main`; variables are numbered in the order of the text.
pub fn program(seed: u64, shape: &Shape) -> Program {
    let mut maker = Maker {
        random: Random::new(seed),
        unenforced: Random::new(!seed),
        shape,
        program: Program::default(),
        labels: 0,
        scope: Vec::new(),
        procedure: ProcId(0),
    };
    maker.declare();
    for procedure in maker.program.procedure_ids() {
        maker.fill(procedure);
    }
    maker.program
}

struct Maker<'s> {
    random: Random,
    /// A stream of its own: other programs of the same seed differ in nothing else.
    unenforced: Random,
    shape: &'s Shape,
    program: Program,
    /// Labels of the procedure being filled.
    labels: usize,
    scope: Vec<VarId>,
    procedure: ProcId,
}

impl Maker<'_> {
    fn declare(&mut self) {
        let globals = self.random.below(self.shape.globals + 1);
        for index in 0..globals {
            let var = self.program.add_global(format!("g{index}"));
            if self.random.percent(25) {
                self.program.variables[var.index()].initial =
                    Some(self.random.pick(&[Initial::False, Initial::True, Initial::Any]));
            }
            self.decorate_variable(var, true);
        }
        let procedures = 1 + self.random.below(self.shape.procedures);
        for index in 0..procedures {
            let results = self.random.below(self.shape.results + 1);
            let name = if index == 0 {
                "main".to_owned()
            } else {
                format!("p{index}")
            };
            let procedure = self.program.add_procedure(name, results);
            self.program.procedures[index].dfs = self.shape.decorated && self.random.percent(10);
            for formal in 0..self.random.below(self.shape.formals + 1) {
                let var = self.program.add_formal(procedure, format!("f{formal}"));
                self.decorate_variable(var, false);
            }
            for local in 0..self.random.below(self.shape.locals + 1) {
                let name = if self.shape.decorated {
                    format!("{{x{local}>0}}")
                } else {
                    format!("l{local}")
                };
                let var = self.program.add_local(procedure, name);
                self.decorate_variable(var, false);
            }
        }
    }

    fn decorate_variable(&mut self, var: VarId, global: bool) {
        if self.shape.decorated && self.random.percent(30) {
            self.program.set_note(var, format!("x == {}", var.0));
        }
        self.program.variables[var.index()].thread_local =
            global && self.shape.decorated && self.random.percent(10);
    }

    fn fill(&mut self, procedure: ProcId) {
        self.labels = 0;
        self.procedure = procedure;
        self.scope = self.program.scope(procedure).collect();
        let count = 1 + self.random.below(self.shape.statements);
        let mut body = self.block(procedure, count, self.shape.depth);
        let labels = self.labels;
        resolve_gotos(&mut body, labels);
        let enforce = self
            .random
            .percent(25)
            .then(|| self.expr(self.shape.depth, false));
        let slot = &mut self.program.procedures[procedure.index()];
        slot.enforce = enforce;
        slot.body = body;
    }

    fn block(&mut self, procedure: ProcId, count: usize, depth: usize) -> Vec<Statement> {
        (0..count).map(|_| self.statement(procedure, depth)).collect()
    }

    fn statement(&mut self, procedure: ProcId, depth: usize) -> Statement {
        let mut labels = Vec::new();
        if self.random.percent(30) {
            labels.push(format!("L{}", self.labels));
            self.labels += 1;
        }
        let kind = self.kind(procedure, depth);
        Statement {
            labels,
            unenforced: self.unenforced.percent(self.shape.unenforced),
            ..Statement::new(kind)
        }
    }

    fn kind(&mut self, procedure: ProcId, depth: usize) -> StatementKind {
        let last = procedure.index() + 1 == self.program.procedures.len();
        if !last && self.random.percent(self.shape.calls) {
            return self.call();
        }
        match self.random.below(100) {
            0..=39 => self.assignment(),
            40..=49 => self.call(),
            50..=57 => {
                // Numbers for now: which labels there are is known when the body is complete.
                let count = 1 + self.random.below(3);
                StatementKind::Goto((0..count).map(|_| self.random.below(1000).to_string()).collect())
            }
            58..=61 => StatementKind::Assume(self.expr(2, false)),
            62..=70 => StatementKind::Assert(self.expr(2, false)),
            71..=73 => {
                let count = self.program.procedure(procedure).results;
                StatementKind::Return((0..count).map(|_| self.expr(2, false)).collect())
            }
            74..=83 if depth > 0 => {
                let branches = (0..1 + self.random.below(2)).map(|_| {
                    let count = self.random.below(3);
                    (self.expr(2, false), self.block(procedure, count, depth - 1))
                });
                let branches = branches.collect();
                let count = self.random.below(2);
                StatementKind::If {
                    branches,
                    otherwise: self.block(procedure, count, depth - 1),
                }
            }
            84..=90 if depth > 0 => {
                let count = self.random.below(3);
                StatementKind::While {
                    condition: self.expr(2, false),
                    body: self.block(procedure, count, depth - 1),
                }
            }
            91 => StatementKind::AbortIf(self.expr(2, false)),
            92..=95 if !self.scope.is_empty() => StatementKind::Dead(self.targets(2)),
            96..=99 if self.shape.decorated => self.decoration(),
            _ => StatementKind::Skip,
        }
    }

    fn decoration(&mut self) -> StatementKind {
        match self.random.below(8) {
            0 => StatementKind::Print(vec![self.expr(2, false)]),
            1 => StatementKind::Thread(ThreadStatement::AtomicBegin),
            2 => StatementKind::Thread(ThreadStatement::AtomicEnd),
            3 => StatementKind::Thread(ThreadStatement::End),
            4 => StatementKind::Thread(ThreadStatement::Sync("event".to_owned())),
            5 => StatementKind::Thread(ThreadStatement::Wait("event".to_owned())),
            6 => StatementKind::Thread(ThreadStatement::Broadcast("event".to_owned())),
            _ => {
                let (procedure, arguments) = self.callee();
                StatementKind::Thread(ThreadStatement::StartCall { procedure, arguments })
            }
        }
    }

    fn assignment(&mut self) -> StatementKind {
        if self.scope.is_empty() {
            return StatementKind::Skip;
        }
        let targets = self.targets(3);
        let values = targets.iter().map(|_| self.expr(2, false)).collect();
        let constrain = self.random.percent(25).then(|| self.expr(2, true));
        StatementKind::Assign {
            targets,
            values,
            constrain,
        }
    }

    /// Distinct variables in scope, at least one.
    fn targets(&mut self, most: usize) -> Vec<VarId> {
        let mut targets = Vec::new();
        for _ in 0..1 + self.random.below(most) {
            let var = self.random.pick(&self.scope);
            if !targets.contains(&var) {
                targets.push(var);
            }
        }
        targets
    }

    /// Mostly a later procedure: a program that calls in circles seldom gets anywhere.
    fn callee(&mut self) -> (ProcId, Vec<Expr>) {
        let (own, count) = (self.procedure.index(), self.program.procedures.len());
        let first = if own + 1 < count && self.random.percent(90) {
            own + 1
        } else {
            0
        };
        let procedure = ProcId((first + self.random.below(count - first)) as u32);
        let count = self.program.procedure(procedure).formals.len();
        (procedure, (0..count).map(|_| self.expr(2, false)).collect())
    }

    fn call(&mut self) -> StatementKind {
        let (procedure, arguments) = self.callee();
        let mut results: Vec<Option<VarId>> = Vec::new();
        if !self.random.percent(15) {
            for _ in 0..self.program.procedure(procedure).results {
                let var = if self.scope.is_empty() {
                    None
                } else {
                    Some(self.random.pick(&self.scope))
                };
                results.push(var.filter(|var| !results.contains(&Some(*var))));
            }
        }
        StatementKind::Call {
            procedure,
            arguments,
            results,
        }
    }

    fn expr(&mut self, depth: usize, next: bool) -> Expr {
        if depth == 0 || self.random.percent(30) {
            return self.leaf(next);
        }
        let inner = depth - 1;
        match self.random.below(8) {
            0 | 1 => Expr::negated(self.expr(inner, next)),
            2 | 3 => {
                let count = 2 + self.random.below(2);
                Expr::And((0..count).map(|_| self.expr(inner, next)).collect())
            }
            4 | 5 => {
                let count = 2 + self.random.below(2);
                Expr::Or((0..count).map(|_| self.expr(inner, next)).collect())
            }
            6 => {
                let op = self
                    .random
                    .pick(&[BinaryOp::Xor, BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Implies]);
                let left = self.expr(inner, next);
                Expr::binary(op, left, self.expr(inner, next))
            }
            _ => {
                let positive = self.expr(inner, next);
                Expr::choose(positive, self.expr(inner, next))
            }
        }
    }

    fn leaf(&mut self, next: bool) -> Expr {
        if self.scope.is_empty() || self.random.percent(15) {
            return if self.random.percent(50) {
                Expr::Nondet
            } else {
                Expr::Const(self.random.percent(50))
            };
        }
        let var = self.random.pick(&self.scope);
        if next && self.random.percent(50) {
            Expr::Next(var)
        } else {
            Expr::Var(var)
        }
    }
}

/// Turns the numbers in `goto`s into labels that exist.
fn resolve_gotos(statements: &mut [Statement], labels: usize) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Goto(_) if labels == 0 => statement.kind = StatementKind::Skip,
            StatementKind::Goto(targets) => {
                for target in targets {
                    let number: usize = target.parse().unwrap_or(0);
                    *target = format!("L{}", number % labels);
                }
            }
            StatementKind::If { branches, otherwise } => {
                for (_, body) in branches {
                    resolve_gotos(body, labels);
                }
                resolve_gotos(otherwise, labels);
            }
            StatementKind::While { body, .. } => resolve_gotos(body, labels),
            _ => {}
        }
    }
}
