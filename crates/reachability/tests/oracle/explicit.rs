//! A reference that shares nothing with the engine: explicit states, one by one, straight from the syntax tree.
//!
//! A valuation is a bit mask over the program's variables, so only small programs can be handled. Procedures are
//! tabulated by explicit tuples (entry valuation, place, valuation).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use boolean_program::{Expr, Initial, ProcId, Program, Statement, StatementKind, VarId};

pub type Mask = u64;

/// A place in a procedure: before a statement (by its number) and the given one of its tests, failed, or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Before(u32, usize),
    Failed(u32),
    Left(ProcId),
}

/// A procedure, how it was entered, and where it is with which valuation.
type Tuple = (ProcId, Mask, Place, Mask);

/// A valuation when a procedure is left, and its results.
pub type Exit = (Mask, Vec<bool>);

pub struct Explicit<'p> {
    program: &'p Program,
    statements: Vec<(ProcId, &'p Statement)>,
    /// Where each statement leads when it is done.
    after: Vec<Place>,
    /// The first statement of each block of each statement.
    inside: Vec<Vec<Option<u32>>>,
    entry: Vec<Place>,
    labels: BTreeMap<(ProcId, &'p str), u32>,
    globals: Mask,
    /// For each procedure and entry valuation: the ways it can be left.
    summaries: BTreeMap<(ProcId, Mask), BTreeSet<Exit>>,
    /// Reachable valuations of each place.
    pub reachable: BTreeMap<Place, BTreeSet<Mask>>,
}

impl<'p> Explicit<'p> {
    pub fn new(program: &'p Program) -> Explicit<'p> {
        let statements = program.statements();
        let mut explicit = Explicit {
            program,
            after: vec![Place::Before(0, 0); statements.len()],
            inside: vec![Vec::new(); statements.len()],
            statements,
            entry: Vec::new(),
            labels: BTreeMap::new(),
            globals: mask(&program.globals),
            summaries: BTreeMap::new(),
            reachable: BTreeMap::new(),
        };
        let mut number = 0;
        for id in program.procedure_ids() {
            let first = number;
            explicit.block(&program.procedure(id).body, Place::Left(id), &mut number);
            explicit.entry.push(if number > first {
                Place::Before(first, 0)
            } else {
                Place::Left(id)
            });
        }
        for (number, (procedure, statement)) in explicit.statements.iter().enumerate() {
            for label in &statement.labels {
                explicit.labels.insert((*procedure, label), number as u32);
            }
        }
        explicit.tabulate();
        explicit
    }

    fn block(&mut self, statements: &'p [Statement], after: Place, number: &mut u32) {
        let mut previous: Option<u32> = None;
        for statement in statements {
            let own = *number;
            if let Some(previous) = previous {
                self.after[previous as usize] = Place::Before(own, 0);
            }
            previous = Some(own);
            *number += 1;
            for block in statement.blocks() {
                self.inside[own as usize].push((!block.is_empty()).then_some(*number));
                // The end of a loop body is the loop; of a branch, what follows: patched when that is known.
                self.block(block, Place::Before(own, usize::MAX), number);
            }
        }
        if let Some(previous) = previous {
            self.after[previous as usize] = after;
        }
    }

    /// Follows the ends of blocks to a real place.
    fn settle(&self, place: Place) -> Place {
        match place {
            Place::Before(number, usize::MAX) => match self.statements[number as usize].1.kind {
                StatementKind::While { .. } => Place::Before(number, 0),
                _ => self.settle(self.after[number as usize]),
            },
            place => place,
        }
    }

    pub fn main(&self) -> ProcId {
        self.program.find_procedure("main").unwrap()
    }

    pub fn entry(&self, procedure: ProcId) -> Place {
        self.entry[procedure.index()]
    }

    pub fn procedure_of(&self, place: Place) -> ProcId {
        match place {
            Place::Before(number, _) | Place::Failed(number) => self.statements[number as usize].0,
            Place::Left(procedure) => procedure,
        }
    }

    fn scope(&self, procedure: ProcId) -> Mask {
        mask(&self.program.scope(procedure).collect::<Vec<_>>())
    }

    fn enforced(&self, place: Place, state: Mask) -> bool {
        if let Place::Before(number, _) = place
            && self.statements[number as usize].1.unenforced
        {
            return true;
        }
        let enforce = &self.program.procedure(self.procedure_of(place)).enforce;
        enforce
            .as_ref()
            .is_none_or(|enforce| values(enforce, state, state).contains(&true))
    }

    /// All valuations of `variables`, with the other bits from `base`.
    fn all_values(&self, variables: Mask, base: Mask) -> Vec<Mask> {
        let mut all = vec![base & !variables];
        for bit in (0..64).map(|bit| 1 << bit).filter(|bit| variables & bit != 0) {
            all.extend(all.clone().into_iter().map(|state| state | bit));
        }
        all
    }

    /// Valuations with which the program may start.
    pub fn initial(&self) -> Vec<Mask> {
        let main = self.main();
        let fits = |state: &Mask| {
            self.program
                .globals
                .iter()
                .all(|&var| match self.program.variable(var).initial {
                    Some(Initial::False) => state & bit(var) == 0,
                    Some(Initial::True) => state & bit(var) != 0,
                    Some(Initial::Any) | None => true,
                })
        };
        let all = self.all_values(self.scope(main), 0);
        all.into_iter()
            .filter(fits)
            .filter(|&state| self.enforced(self.entry(main), state))
            .collect()
    }

    /// Valuations with which the callee may start when it is called with this statement from this valuation, by the
    /// values of globals and formals: the locals are still open.
    fn passed(&self, callee: ProcId, arguments: &[Expr], state: Mask) -> Vec<Mask> {
        let mut entries = vec![state & self.globals];
        for (&formal, argument) in self.program.procedure(callee).formals.iter().zip(arguments) {
            let values = values(argument, state, state);
            entries = entries
                .into_iter()
                .flat_map(|entry| {
                    values
                        .iter()
                        .map(move |&value| set(entry, formal, value))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        entries
    }

    /// The first valuations inside a procedure that was entered with these values of globals and formals.
    pub fn first_states(&self, callee: ProcId, entry: Mask) -> Vec<Mask> {
        let all = self.all_values(mask(&self.program.procedure(callee).locals), entry);
        all.into_iter()
            .filter(|&state| self.enforced(self.entry(callee), state))
            .collect()
    }

    /// The call at a place: callee and its possible entry values.
    pub fn entries(&self, place: Place, state: Mask) -> Option<(ProcId, Vec<Mask>)> {
        let Place::Before(number, _) = place else {
            return None;
        };
        match &self.statements[number as usize].1.kind {
            StatementKind::Call {
                procedure, arguments, ..
            } => Some((*procedure, self.passed(*procedure, arguments, state))),
            _ => None,
        }
    }

    /// The state of the caller after the callee was left.
    pub fn returned(&self, place: Place, before: Mask, exit: &Exit) -> Option<(Place, Mask)> {
        let Place::Before(number, _) = place else {
            return None;
        };
        let (_, statement) = self.statements[number as usize];
        let StatementKind::Call { results, .. } = &statement.kind else {
            return None;
        };
        let mut state = (before & !self.globals) | (exit.0 & self.globals);
        for (target, &value) in results.iter().zip(&exit.1) {
            if let Some(target) = target {
                state = set(state, *target, value);
            }
        }
        let to = self.settle(self.after[number as usize]);
        self.enforced(to, state).then_some((to, state))
    }

    /// Steps that are neither calls nor returns.
    pub fn steps(&self, place: Place, state: Mask) -> Vec<(Place, Mask)> {
        let Place::Before(number, test) = place else {
            return Vec::new();
        };
        let (procedure, statement) = self.statements[number as usize];
        let after = self.settle(self.after[number as usize]);
        let branch =
            |condition: &Expr, if_true: Option<Place>, if_false: Option<Place>| -> Vec<(Place, Mask)> {
                let values = values(condition, state, state);
                let reached = values
                    .iter()
                    .filter_map(|&value| if value { if_true } else { if_false });
                reached.map(|place| (place, state)).collect()
            };
        let block = |index: usize, otherwise: Place| match self.inside[number as usize][index] {
            Some(first) => Place::Before(first, 0),
            None => otherwise,
        };
        let mut steps = match &statement.kind {
            StatementKind::Skip | StatementKind::Print(_) => vec![(after, state)],
            StatementKind::Assign {
                targets,
                values,
                constrain,
            } => self
                .assign(targets, values, constrain.as_ref(), state)
                .into_iter()
                .map(|it| (after, it))
                .collect(),
            StatementKind::Goto(targets) => {
                let place = |label: &String| Place::Before(self.labels[&(procedure, label.as_str())], 0);
                targets.iter().map(|label| (place(label), state)).collect()
            }
            StatementKind::Assume(condition) => branch(condition, Some(after), None),
            StatementKind::AbortIf(condition) => branch(condition, None, Some(after)),
            StatementKind::Assert(condition) => branch(condition, Some(after), Some(Place::Failed(number))),
            StatementKind::If { branches, .. } => {
                let last = test + 1 == branches.len();
                let rest = if last {
                    block(branches.len(), after)
                } else {
                    Place::Before(number, test + 1)
                };
                branch(&branches[test].0, Some(block(test, after)), Some(rest))
            }
            StatementKind::While { condition, .. } => branch(condition, Some(block(0, place)), Some(after)),
            StatementKind::Dead(variables) => self
                .all_values(mask(variables), state)
                .into_iter()
                .map(|state| (after, state))
                .collect(),
            StatementKind::Call { .. } | StatementKind::Return(_) => Vec::new(),
            StatementKind::Thread(_) => panic!("no threads here"),
        };
        steps.retain(|&(place, state)| self.enforced(place, state));
        steps
    }

    fn assign(&self, targets: &[VarId], exprs: &[Expr], constrain: Option<&Expr>, state: Mask) -> Vec<Mask> {
        let mut after = vec![state];
        for (&target, expr) in targets.iter().zip(exprs) {
            let values = values(expr, state, state);
            after = after
                .into_iter()
                .flat_map(|it| {
                    values
                        .iter()
                        .map(move |&value| set(it, target, value))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        after.retain(|&new| constrain.is_none_or(|constrain| values(constrain, state, new).contains(&true)));
        after
    }

    /// How the procedure can be left from a place, without a further step (off its end) or by a `return`.
    pub fn exits(&self, place: Place, state: Mask) -> Vec<Exit> {
        let procedure = self.procedure_of(place);
        if !self.enforced(Place::Left(procedure), state) {
            return Vec::new();
        }
        let choices: Vec<BTreeSet<bool>> = match place {
            Place::Left(_) => vec![[false, true].into(); self.program.procedure(procedure).results],
            Place::Before(number, _) => match &self.statements[number as usize].1.kind {
                StatementKind::Return(exprs) => exprs.iter().map(|expr| values(expr, state, state)).collect(),
                _ => return Vec::new(),
            },
            Place::Failed(_) => return Vec::new(),
        };
        let mut exits: Vec<Vec<bool>> = vec![Vec::new()];
        for choice in choices {
            exits = exits
                .into_iter()
                .flat_map(|results| {
                    choice
                        .iter()
                        .map(move |&it| [results.clone(), vec![it]].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        exits
            .into_iter()
            .map(|results| (state & self.globals, results))
            .collect()
    }

    pub fn summary(&self, callee: ProcId, entry: Mask) -> Vec<Exit> {
        self.summaries
            .get(&(callee, entry))
            .map(|exits| exits.iter().cloned().collect())
            .unwrap_or_default()
    }

    /// Finds all reachable tuples, and with them summaries and reachable valuations.
    fn tabulate(&mut self) {
        let main = self.main();
        let mut seen: BTreeSet<Tuple> = BTreeSet::new();
        let mut open: VecDeque<Tuple> = VecDeque::new();
        let mut callers: BTreeMap<(ProcId, Mask), BTreeSet<Tuple>> = BTreeMap::new();
        let boundary = |procedure: ProcId| self.globals | mask(&self.program.procedure(procedure).formals);
        for state in self.initial() {
            let tuple = (main, state & boundary(main), self.entry(main), state);
            if seen.insert(tuple) {
                open.push_back(tuple);
            }
        }
        let mut summaries: BTreeMap<(ProcId, Mask), BTreeSet<Exit>> = BTreeMap::new();
        while let Some(tuple) = open.pop_front() {
            let (procedure, entry, place, state) = tuple;
            let mut found: Vec<Tuple> = Vec::new();
            found.extend(
                self.steps(place, state)
                    .into_iter()
                    .map(|(to, after)| (procedure, entry, to, after)),
            );
            if let Some((callee, entries)) = self.entries(place, state) {
                for passed in entries {
                    callers.entry((callee, passed)).or_default().insert(tuple);
                    let first = self.first_states(callee, passed);
                    found.extend(
                        first
                            .into_iter()
                            .map(|state| (callee, passed, self.entry(callee), state)),
                    );
                    for exit in summaries.get(&(callee, passed)).into_iter().flatten() {
                        let returned = self.returned(place, state, exit);
                        found.extend(returned.map(|(to, after)| (procedure, entry, to, after)));
                    }
                }
            }
            for exit in self.exits(place, state) {
                if summaries
                    .entry((procedure, entry))
                    .or_default()
                    .insert(exit.clone())
                {
                    for &(caller, outer, call, before) in
                        callers.get(&(procedure, entry)).into_iter().flatten()
                    {
                        let returned = self.returned(call, before, &exit);
                        found.extend(returned.map(|(to, after)| (caller, outer, to, after)));
                    }
                }
            }
            open.extend(found.into_iter().filter(|tuple| seen.insert(*tuple)));
        }
        for (_, _, place, state) in seen {
            self.reachable.entry(place).or_default().insert(state);
        }
        self.summaries = summaries;
    }

    /// The least number of steps to each reachable place, stepping over calls or into them.
    pub fn distances(&self) -> BTreeMap<Place, usize> {
        let main = self.main();
        let mut distances = BTreeMap::new();
        let mut seen: BTreeSet<(Place, Mask)> = BTreeSet::new();
        let mut ring: Vec<(Place, Mask)> = self
            .initial()
            .into_iter()
            .map(|state| (self.entry(main), state))
            .collect();
        let mut length = 0;
        while !ring.is_empty() {
            let mut next = Vec::new();
            for (place, state) in ring {
                if !seen.insert((place, state)) {
                    continue;
                }
                distances.entry(place).or_insert(length);
                next.extend(self.steps(place, state));
                if let Some((callee, entries)) = self.entries(place, state) {
                    for entry in entries {
                        let first = self.first_states(callee, entry);
                        next.extend(first.into_iter().map(|state| (self.entry(callee), state)));
                        for exit in self.summary(callee, entry) {
                            next.extend(self.returned(place, state, &exit));
                        }
                    }
                }
            }
            ring = next;
            length += 1;
        }
        distances
    }
}

pub fn bit(var: VarId) -> Mask {
    1 << var.0
}

fn mask(variables: &[VarId]) -> Mask {
    variables.iter().map(|&var| bit(var)).sum()
}

fn set(state: Mask, var: VarId, value: bool) -> Mask {
    if value {
        state | bit(var)
    } else {
        state & !bit(var)
    }
}

/// The values an expression may have.
fn values(expr: &Expr, state: Mask, next: Mask) -> BTreeSet<bool> {
    let both = |left: &Expr, right: &Expr, combine: &dyn Fn(bool, bool) -> Vec<bool>| -> BTreeSet<bool> {
        let (left, right) = (values(left, state, next), values(right, state, next));
        left.iter()
            .flat_map(|&a| right.iter().flat_map(move |&b| combine(a, b)))
            .collect()
    };
    let fold = |operands: &[Expr], start: bool, combine: fn(bool, bool) -> bool| -> BTreeSet<bool> {
        operands
            .iter()
            .fold([start].into(), |all: BTreeSet<bool>, operand| {
                let operand = values(operand, state, next);
                all.iter()
                    .flat_map(|&a| operand.iter().map(move |&b| combine(a, b)))
                    .collect()
            })
    };
    match expr {
        Expr::Const(value) => [*value].into(),
        Expr::Nondet => [false, true].into(),
        Expr::Var(var) => [state & bit(*var) != 0].into(),
        Expr::Next(var) => [next & bit(*var) != 0].into(),
        Expr::Not(operand) => values(operand, state, next)
            .into_iter()
            .map(|value| !value)
            .collect(),
        Expr::And(operands) => fold(operands, true, |a, b| a && b),
        Expr::Or(operands) => fold(operands, false, |a, b| a || b),
        Expr::Binary(op, left, right) => both(left, right, &|a, b| vec![op.apply(a, b)]),
        Expr::Choose(positive, negative) => both(positive, negative, &|p, n| match (p, n) {
            (true, _) => vec![true],
            (false, true) => vec![false],
            (false, false) => vec![false, true],
        }),
    }
}
