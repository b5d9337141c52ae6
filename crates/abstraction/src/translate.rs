//! The Boolean program: control flow edge by edge, each edge over the predicates in scope.

use std::collections::BTreeSet;

use boolean_program as bp;
use boolean_program::{Expr, ProcId, Statement, StatementId, StatementKind, VarId};
use budget::{Budget, Exhausted};
use logic::{Substitution, Symbol, Term};
use program::{EdgeId, FuncId, LocId};
use rustc_hash::FxHashMap;
use semantics::{Effect, Semantics, State, Step};
use solver::Solver;
use verdict::{Goal, Task};

use crate::constraints::{self, Constraints, EdgePart, Literal, Name, Part, Transition};
use crate::cubes::Cube;
use crate::memo::Memo;
use crate::origin::{Origin, Origins};
use crate::predicates::{PredId, Predicates};

#[derive(Clone, Debug)]
pub struct Options {
    /// The longest cube tried; `None` for no limit.
    pub cube_length: Option<usize>,
    /// A search that has asked so often gives what it has found: where two groups of many predicates meet, nearly all cubes are
    /// worth asking and hardly one implies anything. `None` for no limit.
    pub cube_queries: Option<usize>,
    pub changes: Changes,
}

/// What is known of predicates that one statement changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// Of each by itself (the Cartesian abstraction).
    #[default]
    Apart,
    /// Of all of them together (the Boolean abstraction).
    Together,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cube_length: Some(3),
            cube_queries: Some(300),
            changes: Changes::default(),
        }
    }
}

/// What is to be abstracted.
pub struct Input<'a> {
    pub task: &'a Task<'a>,
    pub predicates: &'a Predicates,
    pub constraints: &'a Constraints,
    /// The values of globals before the program starts.
    pub initial: &'a State,
}

/// Why there is no Boolean program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Exhausted(Exhausted),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

/// A Boolean program and what its parts stand for.
pub struct Abstraction {
    pub program: bp::Program,
    pub entry: ProcId,
    /// What each statement was made from, if it stands for something.
    pub origins: Vec<Option<Origin>>,
    /// The variable of each predicate.
    pub variables: Vec<VarId>,
    /// The function of each procedure; the first procedure only starts the program.
    pub functions: Vec<Option<FuncId>>,
    /// The statements that stand for parts of edges, as relations between predicates.
    pub transitions: FxHashMap<StatementId, Transition>,
}

impl Abstraction {
    /// What a statement was made from, if it stands for something.
    pub fn origin(&self, statement: StatementId) -> Option<&Origin> {
        self.origins[statement.index()].as_ref()
    }

    /// The statements to reach, with what each means.
    pub fn targets(&self) -> impl Iterator<Item = (StatementId, &Goal)> {
        let numbered = self.origins.iter().enumerate();
        numbered.filter_map(|(number, origin)| match origin {
            Some(Origin::Target(target)) => Some((StatementId(number as u32), target)),
            _ => None,
        })
    }
}

/// The label of a control location in its procedure.
pub(crate) fn loc_label(loc: LocId) -> String {
    loc.to_string()
}

pub fn abstract_program(
    semantics: &mut Semantics<'_>,
    solver: &mut dyn Solver,
    memo: &mut Memo,
    input: &Input<'_>,
    budget: &Budget,
) -> Result<Abstraction, Stop> {
    let mut translator = Translator {
        semantics,
        solver,
        memo,
        input,
        budget,
        program: bp::Program::default(),
        variables: Vec::new(),
        procedures: FxHashMap::default(),
        functions: Vec::new(),
        targets: 0,
        origins: Origins::default(),
    };
    translator.declare();
    let entry = translator.start()?;
    for function in input.task.calls.reachable_from(input.task.entry) {
        if translator.procedures.contains_key(&function) {
            translator.procedure(function)?;
        }
    }
    let (origins, transitions) = translator.origins.numbered(&translator.program);
    Ok(Abstraction {
        program: translator.program,
        entry,
        origins,
        variables: translator.variables,
        functions: translator.functions,
        transitions,
    })
}

/// A function's procedure.
pub(crate) struct Signature {
    pub id: ProcId,
    /// Predicates over parameters and globals, whose values the caller computes.
    pub formals: Vec<PredId>,
    /// Predicates whose values the procedure returns.
    pub returned: Vec<PredId>,
}

pub(crate) struct Translator<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub solver: &'a mut dyn Solver,
    pub memo: &'a mut Memo,
    pub input: &'a Input<'a>,
    pub budget: &'a Budget,
    pub program: bp::Program,
    pub variables: Vec<VarId>,
    pub procedures: FxHashMap<FuncId, Signature>,
    functions: Vec<Option<FuncId>>,
    /// How many targets there are so far.
    targets: usize,
    pub origins: Origins,
}

impl Translator<'_, '_> {
    /// Makes the procedures and the variables of all predicates.
    fn declare(&mut self) {
        let input = self.input;
        let start = self.program.add_procedure("$start", 0);
        debug_assert_eq!(start, ProcId(0), "the program starts with the first procedure");
        self.functions.push(None);
        let mut by_function: FxHashMap<FuncId, (Vec<PredId>, Vec<PredId>)> = FxHashMap::default();
        for function in input.task.calls.reachable_from(input.task.entry) {
            let data = &self.semantics.program.functions[function];
            if data.body.is_none() {
                continue;
            }
            let formals = self.formal_predicates(function);
            let returned = self.returned_predicates(function);
            let id = self.program.add_procedure(data.name.clone(), returned.len());
            self.functions.push(Some(function));
            by_function.insert(function, (formals.clone(), returned.clone()));
            self.procedures.insert(
                function,
                Signature {
                    id,
                    formals,
                    returned,
                },
            );
        }
        for (id, predicate) in input.predicates.iter() {
            let name = format!("b{}", id.0);
            let var = match predicate
                .scope
                .and_then(|function| self.procedures.get(&function))
            {
                None => self.program.add_global(name),
                Some(signature) if signature.formals.contains(&id) => {
                    self.program.add_formal(signature.id, name)
                }
                Some(signature) => self.program.add_local(signature.id, name),
            };
            let note = self.semantics.terms.to_c(predicate.term);
            self.program.set_note(var, note);
            self.variables.push(var);
        }
    }

    /// The procedure that sets the predicates over globals to their first values and calls the entry function.
    fn start(&mut self) -> Result<ProcId, Stop> {
        let input = self.input;
        let mut targets = Vec::new();
        let mut values = Vec::new();
        for id in input.predicates.with_scope(None) {
            let term = input.predicates.get(id).term;
            let first = input.initial.evaluate(self.semantics, term);
            targets.push(Literal {
                name: Name::Predicate(id),
                value: self.variables[id.index()],
                term: first,
            });
            values.push(self.decided(first));
        }
        let mut body = Vec::new();
        if !targets.is_empty() {
            let always = self.semantics.terms.bool(true);
            let constrain = self.together(always, &[], &targets)?;
            body.push(Statement::new(StatementKind::Assign {
                targets: targets.iter().map(|literal| literal.value).collect(),
                values,
                constrain,
            }));
        }
        let signature = &self.procedures[&input.task.entry];
        let (procedure, formals) = (signature.id, signature.formals.clone());
        let mut arguments = Vec::new();
        for id in formals {
            let term = input.predicates.get(id).term;
            let entered = self.semantics.entry_values(input.task.entry, &[term], &[]);
            let mut entered = Substitution::of_symbols(&self.semantics.terms, entered);
            let term = entered.apply(&mut self.semantics.terms, term);
            let first = input.initial.evaluate(self.semantics, term);
            arguments.push(self.decided(first));
        }
        body.push(Statement::new(StatementKind::Call {
            procedure,
            arguments,
            results: Vec::new(),
        }));
        body.push(Statement::new(StatementKind::Return(Vec::new())));
        self.program.procedures[0].body = body;
        Ok(ProcId(0))
    }

    /// A formula's truth as far as it is the same in all states.
    fn decided(&mut self, formula: Term) -> Expr {
        let facts = self.semantics.address_facts(&[formula]);
        let negated = self.semantics.terms.not(formula);
        for (assumed, answer) in [(negated, true), (formula, false)] {
            let mut assumptions = facts.clone();
            assumptions.push(assumed);
            if self
                .solver
                .check(&mut self.semantics.terms, &assumptions, solver::Want::Verdict)
                .is_unsat()
            {
                return Expr::Const(answer);
            }
        }
        Expr::Nondet
    }

    fn procedure(&mut self, function: FuncId) -> Result<(), Stop> {
        let program = self.semantics.program;
        let body = program.functions[function]
            .body
            .as_ref()
            .expect("only functions with a body are translated");
        let mut statements = vec![Statement::new(StatementKind::Goto(vec![loc_label(body.entry)]))];
        for &loc in &body.locs {
            self.budget.check()?;
            if loc == body.exit {
                let signature = &self.procedures[&function];
                let values = signature
                    .returned
                    .iter()
                    .map(|id| Expr::Var(self.variables[id.index()]))
                    .collect();
                statements.push(self.at(loc, StatementKind::Return(values)));
                continue;
            }
            let edges = &program.locs[loc].outgoing;
            if edges.is_empty() {
                // Control ends here without returning.
                statements.push(self.at(loc, StatementKind::Assume(Expr::FALSE)));
                continue;
            }
            let labels = edges.iter().map(|edge| edge.to_string()).collect();
            statements.push(self.at(loc, StatementKind::Goto(labels)));
            for &edge in edges {
                let mut block = self.edge(function, edge)?;
                if let Some(first) = block.first_mut() {
                    first.labels.insert(0, edge.to_string());
                }
                statements.append(&mut block);
                statements.push(Statement::new(StatementKind::Goto(vec![loc_label(
                    program.edges[edge].to,
                )])));
            }
        }
        let enforce = self.enforced(function)?;
        let id = self.procedures[&function].id;
        let procedure = &mut self.program.procedures[id.index()];
        procedure.body = statements;
        procedure.enforce = enforce;
        Ok(())
    }

    /// The statement that control is at when it is at a location.
    fn at(&mut self, loc: LocId, kind: StatementKind) -> Statement {
        let mut statement = Statement::new(kind).labelled(loc_label(loc));
        let origin = Origin::Location(loc);
        self.origins.set(&mut statement, origin, String::new());
        statement
    }

    /// What no state of the function violates: predicates that exclude or imply each other.
    fn enforced(&mut self, function: FuncId) -> Result<Option<Expr>, Stop> {
        const LENGTH: usize = 2;
        let scope = self.scope_literals(function);
        let terms: Vec<Term> = scope.iter().map(|literal| literal.term).collect();
        let cubes =
            self.memo
                .cubes
                .contradictions(self.semantics, self.solver, &terms, LENGTH, self.budget)?;
        let mut excluded: Vec<Expr> = cubes
            .into_iter()
            .map(|cube| Expr::negated(conjunction(&scope, cube)))
            .collect();
        let input = self.input;
        for literals in input.constraints.impossible(input.predicates, function) {
            let all = literals
                .iter()
                .map(|&(id, value)| Expr::literal(self.variables[id.index()], value));
            excluded.push(Expr::negated(Expr::all(all)));
        }
        Ok((!excluded.is_empty()).then(|| Expr::all(excluded)))
    }

    /// The statements of an edge, at least one; exactly one of them carries the edge as its origin.
    fn edge(&mut self, function: FuncId, edge: EdgeId) -> Result<Vec<Statement>, Stop> {
        if self.input.task.errors.contains(&edge) {
            return Ok(vec![self.target(edge, Goal::Error(edge))]);
        }
        let ways = self.semantics.ways(edge);
        match ways[..] {
            [step @ Step::Edge(_)] => self.plain(function, step),
            [Step::Enter { callee, .. }] => self.call(function, edge, callee),
            _ => self.call_through_pointer(function, edge, &ways),
        }
    }

    /// A step that leads from one location of a function to another.
    pub(crate) fn plain(&mut self, function: FuncId, step: Step) -> Result<Vec<Statement>, Stop> {
        let edge = step.edge();
        match self.semantics.effect(step) {
            Err(unsupported) => Ok(vec![self.target(edge, Goal::Unsupported(edge, unsupported.what))]),
            Ok(effect) => {
                let scope = self.scope_literals(function);
                let mut block = self.effect_statements(step, &scope, &effect)?;
                self.mark(&mut block[0], edge, Origin::Step(step));
                Ok(block)
            }
        }
    }

    pub(crate) fn target(&mut self, edge: EdgeId, target: Goal) -> Statement {
        let label = format!("TARGET{}", self.targets);
        self.targets += 1;
        let mut statement = Statement::new(StatementKind::Skip).labelled(label);
        self.mark(&mut statement, edge, Origin::Target(target));
        statement
    }

    /// Says what a statement stands for, which is at the place of an edge.
    pub(crate) fn mark(&mut self, statement: &mut Statement, edge: EdgeId, origin: Origin) {
        let program = self.semantics.program;
        let place = program.edges[edge]
            .span
            .map(|span| program.sources.describe_line(&span))
            .unwrap_or_default();
        self.origins.set(statement, origin, place);
    }

    /// The predicates that code of a function can name, as literals.
    pub(crate) fn scope_literals(&self, function: FuncId) -> Vec<Literal> {
        let predicates = self.input.predicates;
        predicates
            .iter()
            .filter(|(_, predicate)| predicate.scope.is_none_or(|scope| scope == function))
            .map(|(id, predicate)| Literal {
                name: Name::Predicate(id),
                term: predicate.term,
                value: self.variables[id.index()],
            })
            .collect()
    }

    /// An effect on literals: an assumption if it has a guard, then a parallel assignment of what it may change.
    pub(crate) fn effect_statements(
        &mut self,
        step: Step,
        scope: &[Literal],
        effect: &Effect,
    ) -> Result<Vec<Statement>, Stop> {
        let edge = step.edge();
        let callee = match step {
            Step::Outside { callee, .. } => Some(callee),
            _ => None,
        };
        let mut block = Vec::new();
        if self.semantics.terms.as_bool(effect.guard) != Some(true) {
            let part = callee.map_or(Part::Condition, Part::Chosen);
            block.push(self.condition(EdgePart { edge, part }, scope, effect.guard)?);
        }
        let (after, values) = self.updates(scope, effect)?;
        if !after.is_empty() {
            let place = EdgePart {
                edge,
                part: callee.map_or(Part::Change, Part::Outside),
            };
            let guard = effect.guard;
            let statement = self.assignment(place, guard, scope, after, values)?;
            block.push(statement);
        }
        if block.is_empty() {
            block.push(Statement::new(StatementKind::Skip));
        }
        Ok(block)
    }

    /// The assumption of a condition.
    pub(crate) fn condition(
        &mut self,
        place: EdgePart,
        scope: &[Literal],
        guard: Term,
    ) -> Result<Statement, Stop> {
        let mut condition = self.weakest_condition(scope, guard)?;
        if let Some(more) = constraints::as_expr(self.input.constraints.at(place), scope, &[]) {
            condition = Expr::all([condition, more]);
        }
        let transition = Transition {
            place,
            guard,
            before: scope.to_vec(),
            after: Vec::new(),
        };
        let mut statement = Statement::new(StatementKind::Assume(condition));
        self.origins.relate(&mut statement, transition);
        Ok(statement)
    }

    /// A parallel assignment.
    pub(crate) fn assignment(
        &mut self,
        place: EdgePart,
        guard: Term,
        before: &[Literal],
        after: Vec<Literal>,
        values: Vec<Expr>,
    ) -> Result<Statement, Stop> {
        let together = self.together(guard, before, &after)?;
        let learned = constraints::as_expr(self.input.constraints.at(place), before, &after);
        let parts: Vec<Expr> = together.into_iter().chain(learned).collect();
        let kind = StatementKind::Assign {
            targets: after.iter().map(|literal| literal.value).collect(),
            values,
            constrain: (!parts.is_empty()).then(|| Expr::all(parts)),
        };
        let transition = Transition {
            place,
            guard,
            before: before.to_vec(),
            after,
        };
        let mut statement = Statement::new(kind);
        self.origins.relate(&mut statement, transition);
        Ok(statement)
    }

    /// The strongest condition over the literals that the formula implies: no cube that excludes it holds.
    pub(crate) fn weakest_condition(&mut self, scope: &[Literal], formula: Term) -> Result<Expr, Stop> {
        let negated = self.semantics.terms.not(formula);
        let excluding = self.implying(scope, negated)?;
        Ok(match excluding {
            Expr::Const(value) => Expr::Const(!value),
            other => Expr::negated(other),
        })
    }

    /// What an effect changes: what each literal says afterwards in terms of the state before, and its new value.
    pub(crate) fn updates(
        &mut self,
        scope: &[Literal],
        effect: &Effect,
    ) -> Result<(Vec<Literal>, Vec<Expr>), Stop> {
        let changed: BTreeSet<Symbol> = effect.updates.iter().map(|&(symbol, _)| symbol).collect();
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        let unguarded = Effect {
            guard: self.semantics.terms.bool(true),
            ..effect.clone()
        };
        for literal in scope {
            if self
                .semantics
                .terms
                .free_symbols(&[literal.term])
                .is_disjoint(&changed)
            {
                continue;
            }
            let after = self.semantics.weakest_precondition(&unguarded, literal.term);
            if after == literal.term {
                continue;
            }
            targets.push(Literal {
                term: after,
                ..*literal
            });
            values.push(self.choice_where(effect.guard, scope, after)?);
        }
        Ok((targets, values))
    }

    /// The value of a formula over the literals, as far as they determine it.
    pub(crate) fn choice(&mut self, scope: &[Literal], formula: Term) -> Result<Expr, Stop> {
        let always = self.semantics.terms.bool(true);
        self.choice_where(always, scope, formula)
    }

    /// The same in states where a condition holds; in others, any value.
    fn choice_where(&mut self, guard: Term, scope: &[Literal], formula: Term) -> Result<Expr, Stop> {
        let holds = self.semantics.terms.implies(guard, formula);
        let positive = self.implying(scope, holds)?;
        if positive == Expr::TRUE {
            return Ok(positive);
        }
        let negated = self.semantics.terms.not(formula);
        let fails = self.semantics.terms.implies(guard, negated);
        let negative = self.implying(scope, fails)?;
        Ok(match (&positive, &negative) {
            (_, Expr::Const(true)) => Expr::FALSE,
            (Expr::Const(false), Expr::Const(false)) => Expr::Nondet,
            // One literal that decides both ways.
            (Expr::Var(var), Expr::Not(inner)) if **inner == Expr::Var(*var) => positive,
            (Expr::Not(inner), Expr::Var(var)) if **inner == Expr::Var(*var) => positive,
            _ => Expr::choose(positive, negative),
        })
    }

    /// `F(formula)`: the disjunction of the prime cubes that imply it.
    pub(crate) fn implying(&mut self, scope: &[Literal], formula: Term) -> Result<Expr, Stop> {
        let terms: Vec<Term> = scope.iter().map(|literal| literal.term).collect();
        let cubes = self
            .memo
            .cubes
            .implying(self.semantics, self.solver, &terms, formula, self.budget)?;
        Ok(Expr::any(cubes.into_iter().map(|cube| conjunction(scope, cube))))
    }
}

pub(crate) fn conjunction(scope: &[Literal], cube: Cube) -> Expr {
    Expr::all(
        cube.into_iter()
            .map(|(position, value)| Expr::literal(scope[position].value, value)),
    )
}
