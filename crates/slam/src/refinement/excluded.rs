//! A check of the loop by itself, for tests that ask for it: what NEWTON calls a sufficient explanation has to exclude its
//! path from the next abstraction. If it does not, the two disagree about what a step or a call means.
//!
//! The next abstraction is cut down to the path: one procedure for each activation, with the statements that the path takes. If its
//! end is reachable, that may be due to what C2BP leaves out on purpose and NEWTON does not: that cubes have a largest length and
//! their searches an end, and that predicates change independently of each other. CONSTRAIN takes all of these back: as long as it
//! finds a step that no execution takes, its constraints are added (to a copy of what was learned) and the abstraction is made again.
//!
//! Nothing is claimed where a question was too hard for the solver; of long paths; where cubes have no length at all, as with eager
//! constraints; of values of globals before the program starts, which
//! are decided one by one; and of memory where functions recur, which may be variables of theirs: NEWTON knows which activation a cell belongs
//! to, and the caller's predicate does not after the call.

use abstraction::{Abstraction, Constraints, Input, abstract_program};
use boolean_program::{Expr, ProcId, Program, Statement, StatementId, StatementKind, VarId};
use program::FuncId;
use reachability::{Destination, Outcome, Query};
use rustc_hash::FxHashMap;
use semantics::{Path, Step, Storage};
use solver::Kind;
use transition_refinement::spurious;
use verdict::Reason;

use super::{AbstractTrace, Refinement};

/// Paths with more steps are not checked.
const LONGEST: usize = 300;

/// So often the abstraction is made again before nothing is claimed.
const ROUNDS: usize = 50;

impl Refinement<'_, '_, '_> {
    /// That a path that was explained is not in an abstraction.
    pub(super) fn assert_excluded(&mut self, model: &Abstraction, path: &Path) -> Result<(), Reason> {
        if path.steps.len() > LONGEST || self.speaks_of_frames() {
            return Ok(());
        }
        let unanswered = self.tools.solver.statistics().of(Kind::Check).unknown;
        let mut constraints: Constraints = self.learned.constraints.clone();
        let mut finer = None;
        for _ in 0..ROUNDS {
            let along = Unrolled::new(finer.as_ref().unwrap_or(model), path);
            let Some((cut, trace)) = self.way_along(along)? else {
                return Ok(());
            };
            let trace = transition_refinement::Trace {
                steps: &trace.steps,
                end: &trace.end.values,
            };
            let found = spurious(
                self.tools.semantics,
                self.tools.solver,
                &cut,
                &trace,
                usize::MAX,
                &mut constraints,
                self.tools.budget,
            )?;
            if found.is_empty() {
                let is_answered = self.tools.solver.statistics().of(Kind::Check).unknown == unanswered;
                return match is_answered {
                    true => Err(Reason::Internal(
                        "a sufficient explanation does not exclude its path".to_owned(),
                    )),
                    false => Ok(()),
                };
            }
            let input = Input {
                task: self.task,
                predicates: &self.learned.predicates,
                constraints: &constraints,
                initial: &self.initial,
            };
            let again = abstract_program(
                self.tools.semantics,
                self.tools.solver,
                &mut self.memo,
                &input,
                self.tools.budget,
            );
            let Ok(again) = again else {
                return Ok(());
            };
            finer = Some(again);
        }
        Ok(())
    }

    /// Whether a predicate may speak of a variable that each activation of a recursive function has in memory: of its address, or of
    /// memory where any function recurs.
    fn speaks_of_frames(&self) -> bool {
        let semantics = &*self.tools.semantics;
        let mut functions = semantics.program.functions.ids();
        let recurs = functions.any(|function| self.task.calls.is_recursive(function));
        let terms: Vec<_> = self
            .learned
            .predicates
            .iter()
            .map(|(_, predicate)| predicate.term)
            .collect();
        let mut symbols = semantics.terms.free_symbols(&terms).into_iter();
        symbols.any(|symbol| match semantics.storage_of(symbol) {
            Some(Storage::Address(var)) => {
                let function = semantics.program.vars[var].function;
                function.is_some_and(|function| self.task.calls.is_recursive(function))
            }
            Some(Storage::Memory(_)) => recurs,
            _ => false,
        })
    }

    /// A trace to the end of an abstraction that is cut down to a path, if there is one.
    fn way_along(&self, along: Unrolled<'_>) -> Result<Option<(Abstraction, AbstractTrace)>, Reason> {
        let (cut, end) = along.finished();
        let query = Query::new(cut.entry, vec![Destination::Statement(end)]);
        match reachability::check(&cut.program, &query, self.tools.budget) {
            Ok(Outcome::Reachable(counterexample)) => {
                let trace = AbstractTrace::new(query, counterexample, self.tools.budget);
                Ok(trace.map(|trace| (cut, trace)))
            }
            Ok(Outcome::Unreachable(_) | Outcome::Unknown { .. }) => Ok(None),
            Err(refusal) => Err(Reason::Internal(format!(
                "the abstraction of a path was refused: {refusal:?}"
            ))),
        }
    }
}

/// A function that the path is in, or was.
struct Activation {
    function: FuncId,
    /// The copies of the procedure's variables.
    variables: FxHashMap<VarId, VarId>,
    /// The statements that were taken, with those that they are copies of.
    body: Vec<(Statement, Option<StatementId>)>,
}

/// An abstraction, cut down to a path: one procedure for each activation.
struct Unrolled<'a> {
    model: &'a Abstraction,
    procedures: FxHashMap<FuncId, ProcId>,
    /// The number of each procedure's first statement: an abstraction has no statements inside of others.
    first: Vec<usize>,
    program: Program,
    activations: Vec<Activation>,
    /// The activations that are open, with the statements that follow the call inside each.
    open: Vec<(usize, std::ops::Range<usize>)>,
}

impl<'a> Unrolled<'a> {
    fn new(model: &'a Abstraction, path: &Path) -> Unrolled<'a> {
        let functions = model.functions.iter().zip(model.program.procedure_ids());
        let mut first = Vec::new();
        let mut next = 0;
        for procedure in &model.program.procedures {
            first.push(next);
            next += procedure.body.len();
        }
        let mut program = Program {
            procedures: vec![model.program.procedures[0].clone()],
            ..model.program.clone()
        };
        for statement in &mut program.procedures[0].body {
            if let StatementKind::Call { procedure, .. } = &mut statement.kind {
                *procedure = ProcId(1);
            }
        }
        let mut unrolled = Unrolled {
            model,
            procedures: functions
                .filter_map(|(function, id)| Some(((*function)?, id)))
                .collect(),
            first,
            program,
            activations: Vec::new(),
            open: Vec::new(),
        };
        unrolled.enter(path.entry);
        for &step in &path.steps {
            unrolled.take(step);
        }
        unrolled
    }

    fn enter(&mut self, function: FuncId) {
        let original = self.model.program.procedure(self.procedures[&function]);
        let id = self.program.add_procedure(
            format!("{}_{}", original.name, self.activations.len()),
            original.results,
        );
        let mut variables = FxHashMap::default();
        for &var in &original.formals {
            let name = self.model.program.variable(var).name.clone();
            variables.insert(var, self.program.add_formal(id, name));
        }
        for &var in &original.locals {
            let name = self.model.program.variable(var).name.clone();
            variables.insert(var, self.program.add_local(id, name));
        }
        let enforce = original.enforce.as_ref();
        self.program.procedures[id.index()].enforce = enforce.map(|it| it.renamed(&renaming(&variables)));
        self.open.push((self.activations.len(), 0..0));
        self.activations.push(Activation {
            function,
            variables,
            body: Vec::new(),
        });
    }

    fn take(&mut self, step: Step) {
        let &(at, _) = self.open.last().expect("a path leaves what it entered");
        let procedure = self.procedures[&self.activations[at].function];
        let body = &self.model.program.procedure(procedure).body;
        let place = |label: &str| body.iter().position(|it| it.labels.iter().any(|it| it == label));
        match step {
            Step::Leave { .. } => {
                let values = body.iter().find_map(|statement| match &statement.kind {
                    StatementKind::Return(values) => Some(values.clone()),
                    _ => None,
                });
                let values = values.expect("a function that is left returns");
                self.copy(at, &Statement::new(StatementKind::Return(values)), None);
                self.open.pop();
                let (caller, rest) = self.open.last().expect("a path leaves what it entered").clone();
                self.copy_all(caller, rest);
            }
            Step::Edge(edge)
            | Step::Outside { call: edge, .. }
            | Step::Elsewhere(edge)
            | Step::Enter { call: edge, .. } => {
                let way = match step {
                    Step::Enter { callee, .. } | Step::Outside { callee, .. } => format!("{edge}_{callee}"),
                    _ => format!("{edge}_elsewhere"),
                };
                // One of several ways, or the only one.
                let begin = place(&way).or_else(|| place(&edge.to_string()));
                let begin = begin.expect("an edge has statements");
                let is_end = |statement: &Statement| matches!(statement.kind, StatementKind::Goto(_));
                let length = body[begin..].iter().position(is_end);
                let end = length.map_or(body.len(), |length| begin + length);
                let Step::Enter { callee, .. } = step else {
                    self.copy_all(at, begin..end);
                    return;
                };
                let is_call = |statement: &Statement| matches!(statement.kind, StatementKind::Call { .. });
                let call = begin
                    + body[begin..end]
                        .iter()
                        .position(is_call)
                        .unwrap_or(end - begin - 1);
                self.copy_all(at, begin..call + 1);
                self.open.last_mut().expect("it is open").1 = call + 1..end;
                let next = ProcId(self.program.procedures.len() as u32);
                if let Some((statement, _)) = self.activations[at].body.last_mut()
                    && let StatementKind::Call { procedure, .. } = &mut statement.kind
                {
                    *procedure = next;
                }
                self.enter(callee);
            }
        }
    }

    fn copy_all(&mut self, to: usize, places: std::ops::Range<usize>) {
        let procedure = self.procedures[&self.activations[to].function];
        let first = self.first[procedure.index()];
        for place in places {
            let statement = &self.model.program.procedure(procedure).body[place];
            let id = StatementId((first + place) as u32);
            self.copy(to, statement, Some(id));
        }
    }

    fn copy(&mut self, to: usize, statement: &Statement, from: Option<StatementId>) {
        let activation = &mut self.activations[to];
        let mut copy = Statement {
            kind: renamed(&statement.kind, &renaming(&activation.variables)),
            ..statement.clone()
        };
        copy.labels.clear();
        activation.body.push((copy, from));
    }

    /// The program, and the statement at the end of the path.
    fn finished(mut self) -> (Abstraction, StatementId) {
        let &(last, _) = self.open.last().expect("the entry function is never left");
        self.activations[last]
            .body
            .push((Statement::new(StatementKind::Skip), None));
        let mut next = self.program.procedures[0].body.len();
        let mut end = StatementId(0);
        let mut transitions = FxHashMap::default();
        for (index, activation) in self.activations.iter_mut().enumerate() {
            let rename = renaming(&activation.variables);
            let mut body = Vec::new();
            for (statement, from) in activation.body.drain(..) {
                let id = StatementId(next as u32);
                next += 1;
                if let Some(transition) = from.and_then(|from| self.model.transitions.get(&from)) {
                    let mut copy = transition.clone();
                    for literal in copy.before.iter_mut().chain(&mut copy.after) {
                        literal.value = rename(literal.value);
                    }
                    transitions.insert(id, copy);
                }
                if index == last {
                    end = id;
                }
                body.push(statement);
            }
            // What is not left goes no further.
            next += 1;
            body.push(Statement::new(StatementKind::Assume(Expr::FALSE)));
            self.program.procedures[index + 1].body = body;
        }
        let cut = Abstraction {
            origins: vec![None; next],
            functions: vec![None; self.program.procedures.len()],
            program: self.program,
            entry: self.model.entry,
            variables: self.model.variables.clone(),
            transitions,
        };
        (cut, end)
    }
}

fn renaming(variables: &FxHashMap<VarId, VarId>) -> impl Fn(VarId) -> VarId + '_ {
    |var| variables.get(&var).copied().unwrap_or(var)
}

fn renamed(kind: &StatementKind, rename: &impl Fn(VarId) -> VarId) -> StatementKind {
    let all = |exprs: &[Expr]| exprs.iter().map(|expr| expr.renamed(rename)).collect();
    match kind {
        StatementKind::Assign {
            targets,
            values,
            constrain,
        } => StatementKind::Assign {
            targets: targets.iter().map(|&var| rename(var)).collect(),
            values: all(values),
            constrain: constrain.as_ref().map(|it| it.renamed(rename)),
        },
        StatementKind::Call {
            procedure,
            arguments,
            results,
        } => StatementKind::Call {
            procedure: *procedure,
            arguments: all(arguments),
            results: results.iter().map(|result| result.map(rename)).collect(),
        },
        StatementKind::Return(values) => StatementKind::Return(all(values)),
        StatementKind::Assume(condition) => StatementKind::Assume(condition.renamed(rename)),
        StatementKind::Dead(vars) => StatementKind::Dead(vars.iter().map(|&var| rename(var)).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use budget::Budget;
    use points_to::PointsTo;
    use program::{CallGraph, Callee, EdgeKind};
    use semantics::{AliasMemory, Semantics};
    use solver::Z3Solver;
    use verdict::{Event, Task, Tools};

    use super::super::Checked;
    use super::*;
    use crate::{Iteration, Learned, Options, trace};

    #[test]
    fn a_path_is_excluded_by_what_explains_it_and_not_by_nothing() {
        let text = "int x, y; void error(void);
            int pick(int a) { if (a > 3) return 1; return 0; }
            int main(void) { x = 5; y = pick(x); if (y != 1) error(); return 0; }";
        let program = c_frontend::load_text("test.c", text, &c_frontend::Options::default())
            .expect("the test's program is right")
            .program;
        let entry = program.function_named("main").expect("there is a main");
        let error = program.function_named("error").expect("there is an error");
        let is_error = |kind: &EdgeKind| matches!(kind, EdgeKind::Call { callee: Callee::Direct(callee), .. } if *callee == error);
        let errors = program.edges.iter().filter(|(_, edge)| is_error(&edge.kind));
        let errors: Vec<_> = errors.map(|(id, _)| id).collect();
        let points_to = PointsTo::new(&program, &[entry]);
        let memory = AliasMemory::new(&program, &points_to);
        let mut semantics = Semantics::new(&program, &memory);
        let calls = CallGraph::new(&program, &points_to);
        let task = Task {
            program: &program,
            calls: &calls,
            entry,
            errors: &errors,
            followed: &[],
        };
        let mut solver = Z3Solver::new(&solver::Options::default()).expect("Z3 starts");
        let budget = Budget::unlimited();
        let mut watch = |_: Event<'_>| ControlFlow::Continue(());
        let mut tools = Tools {
            semantics: &mut semantics,
            solver: &mut solver,
            budget: &budget,
            watch: &mut watch,
        };
        let (options, mut learned) = (Options::default(), Learned::default());
        let mut refinement = Refinement::new(&task, &mut tools, &options, &mut learned)
            .expect("the initial values are simple");
        let mut round = Iteration::default();
        let before = refinement.abstraction(&mut round).expect("there is no limit");
        let Ok(Checked::Reachable(found)) = refinement.check(&before, &mut round) else {
            panic!("without predicates the error is reachable");
        };
        let path = trace::path(&task, &before, &found.steps, &found.end)
            .expect("a trace is a path")
            .path;
        assert!(matches!(
            refinement.assert_excluded(&before, &path),
            Err(Reason::Internal(_))
        ));
        let verdict = refinement.learn(&before, &found, &mut round);
        assert!(
            matches!(verdict, Ok(None)),
            "the path cannot be taken, and something explains it"
        );
        let after = refinement.abstraction(&mut round).expect("there is no limit");
        assert_eq!(refinement.assert_excluded(&after, &path), Ok(()));
    }
}
