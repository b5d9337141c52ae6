//! What `reach` prints about traces, invariants and effort.

use std::fmt::Write;

use boolean_program::{Expr, ProcId, Program, Statement, StatementId, StatementKind, VarId, write_expr};
use reachability::{End, Statistics, TraceEvent, TraceStep};

/// A program with its text, for messages about its statements.
pub struct Source<'p> {
    pub file: &'p str,
    pub program: &'p Program,
    pub statements: Vec<(ProcId, &'p Statement)>,
    pub lines: Vec<&'p str>,
}

impl<'p> Source<'p> {
    pub fn new(file: &'p str, text: &'p str, program: &'p Program) -> Source<'p> {
        Source {
            file,
            program,
            statements: program.statements(),
            lines: text.lines().collect(),
        }
    }

    pub fn statement(&self, id: StatementId) -> &'p Statement {
        self.statements[id.index()].1
    }

    /// `file:line`, as far as it is known.
    pub fn place(&self, id: StatementId) -> String {
        match self.statement(id).position {
            Some(position) => format!("{}:{}", self.file, position.line),
            None => self.file.to_owned(),
        }
    }

    /// The text of a statement, from where it starts to the end of its line.
    pub fn excerpt(&self, id: StatementId) -> String {
        let Some(position) = self.statement(id).position else {
            return String::new();
        };
        let line = self.lines.get(position.line as usize - 1).copied().unwrap_or("");
        let text: String = line.chars().skip(position.column as usize - 1).collect();
        text.split("//").next().unwrap_or("").trim().to_owned()
    }

    fn values(&self, procedure: ProcId, values: &[(VarId, bool)], qualified: bool) -> String {
        let mut text = String::new();
        for &(var, value) in values {
            if !text.is_empty() {
                text.push(' ');
            }
            if qualified && !self.program.globals.contains(&var) {
                let _ = write!(text, "{}::", self.program.procedure(procedure).name);
            }
            let _ = write!(text, "{}={}", self.program.variable(var).name, u8::from(value));
        }
        text
    }
}

/// The predicates the variables stand for, if any do.
pub fn legend(source: &Source) -> String {
    let mut text = String::new();
    for variable in &source.program.variables {
        if let Some(note) = &variable.note {
            let _ = writeln!(text, "  {} means {note}", variable.name);
        }
    }
    text
}

pub fn trace(source: &Source, steps: &[TraceStep], end: &End, all_expanded: bool) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let indent = "  ".repeat(step.depth);
        let remark = match &step.event {
            TraceEvent::Plain | TraceEvent::Return(_) => String::new(),
            TraceEvent::Test(value) => format!("   -- {}", if *value { "true" } else { "false" }),
            TraceEvent::Enter(callee) => format!("   -- enters {}", source.program.procedure(*callee).name),
            TraceEvent::Call(_, _) if all_expanded => String::new(),
            TraceEvent::Call(callee, _) => {
                format!("   -- steps over {}", source.program.procedure(*callee).name)
            }
        };
        let _ = writeln!(
            text,
            "{:>4}  {}  {indent}{}: {}{remark}\n      {indent}  {}",
            index + 1,
            source.place(step.statement),
            source.program.procedure(step.procedure).name,
            source.excerpt(step.statement),
            source.values(step.procedure, &step.values, false),
        );
    }
    let what = if end.failed_assertion {
        "the assertion fails"
    } else {
        "the target is reached"
    };
    let indent = "  ".repeat(end.depth);
    let _ = writeln!(
        text,
        "      {}  {indent}{what}\n      {indent}  {}",
        source.place(end.statement),
        source.values(end.procedure, &end.values, false)
    );
    text
}

/// One line a step, as boppo prints it: thread, labels, values, and whether a branch was taken.
pub fn compact_trace(source: &Source, steps: &[TraceStep], end: &End) -> String {
    let mut text = String::new();
    let mut line = |statement: StatementId, procedure, values: &[(VarId, bool)], taken: Option<bool>| {
        text.push_str("TRACE t=0");
        for (index, label) in source.statement(statement).labels.iter().enumerate() {
            let _ = write!(text, " {}{label}", if index == 0 { "PC=" } else { "" });
        }
        let values = source.values(procedure, values, true);
        let _ = write!(text, "{}{values}", if values.is_empty() { "" } else { " " });
        if let Some(taken) = taken {
            let _ = write!(text, " TAKEN={}", u8::from(taken));
        }
        text.push('\n');
    };
    for step in steps {
        let branches = matches!(
            source.statement(step.statement).kind,
            StatementKind::If { .. } | StatementKind::While { .. }
        );
        let taken = match step.event {
            TraceEvent::Test(value) if branches => Some(value),
            _ => None,
        };
        line(step.statement, step.procedure, &step.values, taken);
    }
    if !end.failed_assertion {
        line(end.statement, end.procedure, &end.values, None);
    }
    text
}

/// An invariant of a labelled statement.
pub struct Invariant {
    pub statement: StatementId,
    pub label: String,
    pub procedure: String,
    /// `None` if it is too large to be printed.
    pub formula: Option<Expr>,
}

pub fn formula(source: &Source, formula: Option<&Expr>) -> String {
    formula.map_or_else(
        || "(too large to be printed)".to_owned(),
        |formula| write_expr(source.program, formula),
    )
}

pub fn invariants(source: &Source, invariants: &[Invariant]) -> String {
    let mut text = String::new();
    for invariant in invariants {
        let states = formula(source, invariant.formula.as_ref());
        let place = source.place(invariant.statement);
        let _ = writeln!(
            text,
            "  {}::{} ({place}): {states}",
            invariant.procedure, invariant.label
        );
    }
    text
}

pub fn statistics(statistics: &Statistics) -> String {
    format!(
        "path edges {}, summary edges {}, peak nodes {}, garbage collections {}, reorderings {}, restarts {}, time {:.3}s",
        statistics.path_edges,
        statistics.summary_edges,
        statistics.peak_nodes,
        statistics.collections,
        statistics.reorderings,
        statistics.restarts,
        statistics.time.as_secs_f64()
    )
}
