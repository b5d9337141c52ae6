//! Where a change of one line alone would do. A second means beside the closest run, for programs that compute long from inputs which
//! never change: there the runs part where the fault shows, which may be some calls away from where it is.
//!
//! Runs on inputs like those of the failing run are made, some of which fail and some do not. A line is repaired by giving what it
//! computes other values: an assigned or returned number, or the way of a branch. Like any expression that could stand there, a repair has
//! to compute the same from the same operands. So it is a table from what the line reads to what it should have computed, filled until the
//! failing runs pass; what it breaks of the others speaks against the line. Lines behind the fault see too little to be
//! repaired so: what they read is the same in runs that want different results of them.
//!
//! Nothing is proved by this: it orders lines.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use budget::Budget;
use evidence::Violation;
use interpreter::{Captured, End, Inputs, ListedInputs, Observer, Options, Request, Source, View};
use program::{
    Callee, EdgeId, EdgeKind, ExprId, ExprKind, FileId, FuncId, Id, Initial, LocId, Node, PlaceKind, Program,
    Type, TypeId, Var, VarId, VarKind, Walk, list_locations,
};
use verdict::Task;

/// Lines that can be repaired, and the runs that say so.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// An edge of each line, the best first, and how many of the runs a repair there leaves or makes wrong.
    pub lines: Vec<(EdgeId, usize)>,
    /// Failing runs that pass then, and runs that pass as before.
    pub failing: usize,
    pub passing: usize,
}

/// So many runs are made on other inputs, and so many of them are kept that fail and that do not.
const RUNS: usize = 4_000;
const FAILING: usize = 30;
const PASSING: usize = 400;
/// Values that are tried for one expression.
const VALUES: usize = 120;
/// Of runs that go the same way, so many are kept that fail, and that do not.
const ALIKE: (usize, usize) = (4, 16);
/// More variables than this are not looked at, and no more conditions.
const LOOKED_AT: usize = 40;
/// More lines that are equally good are not told.
const FEW: usize = 3;
/// A line that leaves so many more runs wrong than the best is not told.
const MORE: usize = 6;
/// So many values that make a run pass are compared by what else they do.
const COMPARED: usize = 10;
/// All this takes no longer.
const TIME: Duration = Duration::from_secs(20);

/// Looks for lines of the failing run at which a repair would do.
pub fn repairs(
    task: &Task<'_>,
    violation: &Violation,
    trusted: &[FuncId],
    budget: &Budget,
) -> Option<Repairs> {
    let time = budget
        .remaining_time()
        .map_or(TIME, |left| left.mul_f64(0.6).min(TIME));
    let deadline = Instant::now() + time;
    let given: Vec<i128> = violation
        .inputs()
        .iter()
        .filter(|input| !matches!(input.request.source, Source::Uninitialised(_)))
        .map(|input| input.value)
        .collect();
    let steps = violation.replayed.edges.len() as u64 * 8 + 2_000;
    let taken = violation.replayed.edges.iter().rev();
    let check = taken
        .map(|&edge| &task.program.edges[edge])
        .find(|edge| matches!(edge.kind, EdgeKind::Assume { .. }) && is_branch(task.program, edge.from))?
        .from;
    let bench = Bench {
        check,
        entry: task.entry,
        errors: task.errors.iter().copied().collect(),
        steps,
        deadline,
    };
    let constants = constants(task.program);
    let tests = bench.tests(task.program, &given, &constants)?;
    let mut lines: BTreeMap<(FileId, u32), Vec<EdgeId>> = BTreeMap::new();
    for &edge in &violation.replayed.edges {
        let data = &task.program.edges[edge];
        if data.from == check {
            continue;
        }
        let function = task.program.locs[data.from].function;
        if let Some(span) = data.span.filter(|_| !trusted.contains(&function)) {
            let of_line = lines.entry((span.file, span.line)).or_default();
            if !of_line.contains(&edge) {
                of_line.push(edge);
            }
        }
    }
    // What else stands in these lines: behind a branch that goes another way there may be one more of the same condition.
    for (edge, data) in task.program.edges.iter().filter(|(_, data)| data.from != check) {
        let line = data.span.map(|span| (span.file, span.line));
        if let Some(of_line) = line.and_then(|line| lines.get_mut(&line))
            && !of_line.contains(&edge)
        {
            of_line.push(edge);
        }
    }
    let mut found: Vec<(usize, usize, usize, EdgeId)> = Vec::new();
    for edges in lines.values() {
        // What was not looked at could be better.
        if Instant::now() > deadline {
            return None;
        }
        let Some(line) = Line::new(task.program, edges) else {
            continue;
        };
        let Some((wrong, more, size)) = bench.repair(&line, &tests, &constants) else {
            continue;
        };
        // A variable that is missing where it should be looked at could be looked at everywhere behind.
        let first = violation.replayed.edges.iter().position(|edge| *edge == edges[0]);
        let order = if more == 0 { size } else { first.unwrap_or(0) };
        found.push((wrong, more, order, edges[0]));
    }
    found.sort_unstable();
    let (least, more, ..) = *found.first()?;
    // What breaks as much as it mends is none, and where many lines would do, that says little.
    let best = found
        .iter()
        .filter(|found| (found.0, found.1) == (least, more))
        .count();
    if 2 * least >= tests.failing.len() || (more == 0 && best > FEW) {
        return None;
    }
    let most = if more == 0 { found.len() } else { FEW };
    let told = found
        .iter()
        .filter(|(wrong, ..)| *wrong <= least + MORE)
        .take(most);
    Some(Repairs {
        lines: told.map(|&(wrong, .., edge)| (edge, wrong)).collect(),
        failing: tests.failing.len(),
        passing: tests.passing.len(),
    })
}

/// Inputs of runs that fail, that of the given run first, and of runs that do not.
struct Tests {
    failing: Vec<Vec<i128>>,
    passing: Vec<Vec<i128>>,
    /// Whether each of these comes to where the given run fails.
    passing_comes: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Result {
    Fails,
    /// It does not fail; whether it comes to where the given run fails.
    Passes(bool),
    /// It is no run that the program has to get right, or it is too long.
    Other,
}

/// How runs are made.
struct Bench {
    entry: FuncId,
    /// Where the given run fails.
    check: LocId,
    errors: BTreeSet<EdgeId>,
    steps: u64,
    deadline: Instant,
}

impl Bench {
    fn tests(&self, program: &Program, given: &[i128], constants: &[i128]) -> Option<Tests> {
        let plain = |inputs: &[i128]| self.run(program, inputs, &[], &Table::new());
        if given.is_empty() || plain(given).result != Result::Fails {
            return None;
        }
        let mut tests = Tests {
            failing: vec![given.to_vec()],
            passing: Vec::new(),
            passing_comes: Vec::new(),
        };
        let mut values: Vec<i128> = constants.to_vec();
        values.extend(given.iter().flat_map(|&value| [value, value - 1, value + 1]));
        values.sort_unstable();
        values.dedup();
        let mut known: BTreeSet<Vec<i128>> = BTreeSet::from([given.to_vec()]);
        let mut ways: BTreeMap<(bool, u64), usize> = BTreeMap::new();
        let mut random = Random(0x5eed);
        let started = Instant::now();
        let time = (self.deadline - started) / 4;
        for number in 0..RUNS {
            let is_enough = tests.failing.len() >= FAILING && tests.passing.len() >= PASSING;
            if is_enough || started.elapsed() > time {
                break;
            }
            // A run that is known, with another input or two; mostly one that fails.
            let from = match number % 4 {
                3 if !tests.passing.is_empty() => &tests.passing[random.below(tests.passing.len())],
                _ => &tests.failing[random.below(tests.failing.len())],
            };
            let mut inputs = from.clone();
            for _ in 0..[1, 2, 1, 3][number / 4 % 4] {
                let at = random.below(inputs.len());
                inputs[at] = values[random.below(values.len())];
            }
            if !known.insert(inputs.clone()) {
                continue;
            }
            let made = plain(&inputs);
            let alike = ways.entry((made.result == Result::Fails, made.way)).or_default();
            *alike += 1;
            match made.result {
                Result::Fails if tests.failing.len() < FAILING && *alike <= ALIKE.0 => {
                    tests.failing.push(inputs);
                }
                Result::Passes(comes) if tests.passing.len() < PASSING && *alike <= ALIKE.1 => {
                    tests.passing.push(inputs);
                    tests.passing_comes.push(comes);
                }
                _ => {}
            }
        }
        (!tests.passing.is_empty()).then_some(tests)
    }

    /// How many runs a repair of the line leaves wrong, whether it looks at one more variable, and how large its table is; nothing if it does not even mend the failing run.
    fn repair(&self, line: &Line, tests: &Tests, constants: &[i128]) -> Option<(usize, usize, usize)> {
        let mut table = Table::new();
        for (number, test) in tests.failing.iter().enumerate() {
            if !self.mend(line, test, tests, constants, &mut table, 2) && number == 0 {
                return None;
            }
        }
        let all = tests.failing.len() + tests.passing.len();
        let wrong = all - self.right(line, tests, &table, usize::MAX);
        let plain = (wrong, 0, table.len());
        let separated = (wrong > 0).then(|| (self.separated(line, tests, &table), 1, table.len()));
        Some(separated.map_or(plain, |separated| separated.min(plain)))
    }

    /// How many runs are wrong if the line looked at one thing more, the best one: the table is used only where that has a value that
    /// it has in the failing runs.
    fn separated(&self, line: &Line, tests: &Tests, table: &Table) -> usize {
        let made = |test: &Vec<i128>| self.run_with(&line.program, test, &line.spots, table, &line.beyond);
        let mut unmended = 0;
        let mut wanted: BTreeSet<(&Key, usize, i128)> = BTreeSet::new();
        let mut hits = Vec::new();
        for test in &tests.failing {
            let Made { result, replaced, .. } = made(test);
            match result {
                Result::Passes(true) => hits.extend(replaced),
                _ => unmended += 1,
            }
        }
        for (key, beyond) in &hits {
            wanted.extend(beyond.iter().enumerate().map(|(at, &value)| (key, at, value)));
        }
        let mut broken = vec![0; line.beyond.len()];
        for (test, comes) in tests.passing.iter().zip(&tests.passing_comes) {
            let Made { result, replaced, .. } = made(test);
            if result == Result::Passes(*comes) {
                continue;
            }
            let Some((key, beyond)) = replaced.first() else {
                unmended += 1;
                continue;
            };
            for (at, &value) in beyond.iter().enumerate() {
                broken[at] += usize::from(wanted.contains(&(key, at, value)));
            }
        }
        unmended + broken.into_iter().min().unwrap_or(tests.passing.len())
    }

    /// Adds to the table what makes the run pass: one entry, or several one after the other.
    fn mend(
        &self,
        line: &Line,
        test: &[i128],
        tests: &Tests,
        constants: &[i128],
        table: &mut Table,
        entries: usize,
    ) -> bool {
        let Made { result, seen, .. } = self.run(&line.program, test, &line.spots, table);
        if result == Result::Passes(true) {
            return true;
        }
        if entries == 0 || Instant::now() > self.deadline {
            return false;
        }
        let mut keys: Vec<(Key, i128)> = Vec::new();
        for (key, value) in seen {
            if !table.contains_key(&key) && !keys.iter().any(|(known, _)| *known == key) {
                keys.push((key, value));
            }
        }
        let mut best: Option<(usize, Key, i128)> = None;
        for (key, value) in &keys {
            let mut compared = 0;
            for other in line.alternatives(key, *value, constants) {
                table.insert(key.clone(), other);
                let passes = self.run(&line.program, test, &line.spots, table).result == Result::Passes(true);
                if passes && compared < COMPARED {
                    compared += 1;
                    let right = self.right(line, tests, table, 60);
                    if best.as_ref().is_none_or(|(known, ..)| right > *known) {
                        best = Some((right, key.clone(), other));
                    }
                }
                table.remove(key);
            }
        }
        if let Some((_, key, value)) = best {
            table.insert(key, value);
            return true;
        }
        // A branch that goes the other way may come to another of the line.
        for (key, value) in keys.iter().filter(|(key, _)| line.spots[key.0].is_branch) {
            table.insert(key.clone(), i128::from(*value == 0));
            if self.mend(line, test, tests, constants, table, entries - 1) {
                return true;
            }
            table.remove(key);
        }
        false
    }

    /// How many of the failing runs pass, and how many of so many others do what they did.
    fn right(&self, line: &Line, tests: &Tests, table: &Table, others: usize) -> usize {
        let result = |test: &Vec<i128>| self.run(&line.program, test, &line.spots, table).result;
        let mended = tests.failing.iter();
        let mended = mended.filter(|test| result(test) == Result::Passes(true)).count();
        let kept = tests.passing.iter().zip(&tests.passing_comes).take(others);
        let kept = kept.filter(|(test, comes)| result(test) == Result::Passes(**comes));
        mended + kept.count()
    }

    /// Makes a run.
    fn run(&self, program: &Program, inputs: &[i128], spots: &[Spot], table: &Table) -> Made {
        self.run_with(program, inputs, spots, table, &[])
    }

    /// The same; where the table is used, it is noted what some expressions are.
    fn run_with(
        &self,
        program: &Program,
        inputs: &[i128],
        spots: &[Spot],
        table: &Table,
        noted: &[ExprId],
    ) -> Made {
        let options = Options {
            step_limit: Some(self.steps),
            error_functions: Vec::new(),
            deadline: Some(self.deadline + Duration::from_secs(1)),
            ..Options::default()
        };
        let computed = Rc::new(RefCell::new(Computed::default()));
        let mut watch = Watch {
            errors: &self.errors,
            spots,
            table,
            fails: false,
            check: (program, self.check),
            comes: false,
            way: 0,
            noted,
            replaced: Vec::new(),
            computed: Rc::clone(&computed),
        };
        let mut inputs = Replacing {
            listed: ListedInputs::new(inputs.iter().copied()),
            spots,
            computed: Rc::clone(&computed),
        };
        let outcome = interpreter::run(
            program,
            self.entry,
            &options,
            &mut inputs,
            &mut Captured::default(),
            &mut watch,
        );
        let result = match outcome.end {
            _ if watch.fails => Result::Fails,
            End::Exit { .. } if outcome.undefined.is_empty() => Result::Passes(watch.comes),
            _ => Result::Other,
        };
        let seen = std::mem::take(&mut computed.borrow_mut().seen);
        Made {
            result,
            way: watch.way,
            seen,
            replaced: watch.replaced,
        }
    }
}

/// A run that was made.
struct Made {
    result: Result,
    /// A number that stands for the way it took.
    way: u64,
    /// What the line's expressions were computed from, and what from it.
    seen: Vec<(Key, i128)>,
    /// Where the table was used, and what was to be noted.
    replaced: Vec<(Key, Vec<i128>)>,
}

/// An expression of a line, by its number, and what it reads.
type Key = (usize, Vec<i128>);
type Table = BTreeMap<Key, i128>;

/// A line whose expressions ask for their values.
struct Line {
    program: Program,
    spots: Vec<Spot>,
    /// What the line could look at as well: numbers among the program's globals, and conditions about them that the program has
    /// somewhere. What was forgotten in one place is often remembered in another.
    beyond: Vec<ExprId>,
}

/// An expression that is computed in a line.
struct Spot {
    /// The edge that asks.
    edge: EdgeId,
    value: ExprId,
    /// What it reads.
    operands: Vec<ExprId>,
    is_branch: bool,
}

impl Line {
    fn new(program: &Program, edges: &[EdgeId]) -> Option<Line> {
        let mut line = Line {
            program: program.clone(),
            spots: Vec::new(),
            beyond: Vec::new(),
        };
        for (var, _) in program.vars.iter().filter(|(var, _)| is_number(program, *var)) {
            if line.beyond.len() < LOOKED_AT {
                line.beyond.push(line.program.read_var(var));
            }
        }
        line.beyond.extend(conditions(program));
        let mut branches: BTreeSet<LocId> = BTreeSet::new();
        for &edge in edges {
            let from = program.edges[edge].from;
            match program.edges[edge].kind {
                EdgeKind::Assign { place, value } if line.is_number(value) => {
                    let asks = line.asks(program.place(place).ty);
                    line.program.edges[edge].kind = EdgeKind::Call {
                        result: Some(place),
                        callee: Callee::Direct(asks),
                        arguments: Vec::new(),
                    };
                    line.add(edge, value, false);
                }
                EdgeKind::Return { value: Some(value) } if line.is_number(value) => {
                    let (asked, read) = line.ask_before(edge, from, value);
                    line.program.edges[edge].kind = EdgeKind::Return { value: Some(read) };
                    line.add(asked, value, false);
                }
                EdgeKind::Assume { condition, .. } if branches.insert(from) && is_branch(program, from) => {
                    let (asked, read) = line.ask_before(edge, from, condition);
                    for &other in &program.locs[from].outgoing {
                        if let EdgeKind::Assume { holds, .. } = program.edges[other].kind {
                            line.program.edges[other].kind = EdgeKind::Assume {
                                condition: read,
                                holds,
                            };
                        }
                    }
                    line.add(asked, condition, true);
                }
                _ => {}
            }
        }
        line.share_operands();
        (!line.spots.is_empty()).then_some(line)
    }

    /// What one expression of the line reads, the others could read as well: `a && b` is two of them, but one to whoever wrote it.
    fn share_operands(&mut self) {
        let operands = self.spots.iter().flat_map(|spot| spot.operands.iter().copied());
        let named: BTreeSet<ExprId> = operands
            .filter(|&operand| is_named(&self.program, operand))
            .collect();
        for spot in &mut self.spots {
            let others = named.iter().filter(|operand| !spot.operands.contains(operand));
            let others: Vec<ExprId> = others.copied().collect();
            spot.operands.extend(others);
        }
    }

    fn is_number(&self, value: ExprId) -> bool {
        let ty = self.program.expr(value).ty;
        matches!(
            self.program.types.get(ty),
            Type::Int(_) | Type::Bool | Type::Enum(_)
        )
    }

    fn add(&mut self, edge: EdgeId, value: ExprId, is_branch: bool) {
        let mut walk = Walk::new();
        walk.add_expr(value);
        let mut operands = Vec::new();
        while let Some(node) = walk.next(&self.program) {
            if let Node::Expr(expr) = node
                && matches!(self.program.expr(expr).kind, ExprKind::Read(_))
                && self.program.types.is_scalar(self.program.expr(expr).ty)
                && !operands.contains(&expr)
            {
                operands.push(expr);
            }
        }
        self.spots.push(Spot {
            edge,
            value,
            operands,
            is_branch,
        });
    }

    /// Where the edges leave from, a variable is given a value first.
    fn ask_before(&mut self, edge: EdgeId, from: LocId, value: ExprId) -> (EdgeId, ExprId) {
        let ty = self.program.expr(value).ty;
        let var = self.program.vars.push(Var {
            name: "repair$value".to_owned(),
            ty,
            kind: VarKind::Global(Initial::Values(Vec::new())),
            function: None,
            span: None,
            is_const: false,
            align: 0,
        });
        let asks = self.asks(ty);
        let function = self.program.locs[from].function;
        let after = self.program.add_loc(function);
        let edges = std::mem::take(&mut self.program.locs[from].outgoing);
        for &edge in &edges {
            self.program.edges[edge].from = after;
        }
        self.program.locs[after].outgoing = edges;
        let place = self.program.var_place(var);
        let kind = EdgeKind::Call {
            result: Some(place),
            callee: Callee::Direct(asks),
            arguments: Vec::new(),
        };
        let span = self.program.edges[edge].span;
        let asked = self.program.add_edge(from, after, kind, span);
        list_locations(&mut self.program, function, &[after]);
        (asked, self.program.read(place))
    }

    /// A function that returns any value of a type.
    fn asks(&mut self, ty: TypeId) -> FuncId {
        self.program.declare("repair$".to_owned(), ty, Vec::new())
    }

    /// Other values than the one that was computed.
    fn alternatives(&self, (spot, operands): &Key, value: i128, constants: &[i128]) -> Vec<i128> {
        if self.spots[*spot].is_branch {
            return vec![i128::from(value == 0)];
        }
        let near = operands
            .iter()
            .chain([&value])
            .flat_map(|&one| [one, one - 1, one + 1]);
        let mut values: Vec<i128> = [0, 1].into_iter().chain(near).collect();
        for &constant in constants {
            values.extend([constant, value - constant, value + constant]);
        }
        let mut known = BTreeSet::from([value]);
        values.retain(|&one| known.insert(one));
        values.truncate(VALUES);
        values
    }
}

/// Whether a variable is a number that every function can look at.
fn is_number(program: &Program, var: VarId) -> bool {
    let data = &program.vars[var];
    let is_number = matches!(
        program.types.get(data.ty),
        Type::Int(_) | Type::Bool | Type::Enum(_)
    );
    is_number && matches!(data.kind, VarKind::Global(_)) && !data.is_const
}

/// The variable that an expression reads, if it is nothing else.
fn read_variable(program: &Program, expr: ExprId) -> Option<VarId> {
    let ExprKind::Read(place) = program.expr(expr).kind else {
        return None;
    };
    match program.place(place).kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

/// Whether an expression is a variable of the source.
fn is_named(program: &Program, expr: ExprId) -> bool {
    let var = read_variable(program, expr);
    var.is_some_and(|var| program.vars[var].kind != VarKind::Temporary)
}

/// Comparisons of the program that are about several globals: those about one are about its value.
fn conditions(program: &Program) -> Vec<ExprId> {
    let mut walk = Walk::new();
    for edge in program.edges.values() {
        walk.add_edge(&edge.kind);
    }
    let mut found = Vec::new();
    while let Some(node) = walk.next(program) {
        let Node::Expr(expr) = node else { continue };
        let ExprKind::Binary(op, ..) = program.expr(expr).kind else {
            continue;
        };
        if !op.is_comparison() {
            continue;
        }
        let mut inside = Walk::new();
        inside.add_expr(expr);
        let mut read: BTreeSet<VarId> = BTreeSet::new();
        let mut is_of_globals = true;
        while let Some(node) = inside.next(program) {
            if let Node::Expr(part) = node
                && matches!(program.expr(part).kind, ExprKind::Read(_))
            {
                let var = read_variable(program, part).filter(|&var| is_number(program, var));
                is_of_globals &= var.is_some();
                read.extend(var);
            }
        }
        if is_of_globals && read.len() > 1 && found.len() < LOOKED_AT {
            found.push(expr);
        }
    }
    found
}

/// Whether one of two edges is taken by a condition.
fn is_branch(program: &Program, loc: LocId) -> bool {
    let outgoing = &program.locs[loc].outgoing;
    let mut conditions = outgoing.iter().map(|&edge| match program.edges[edge].kind {
        EdgeKind::Assume { condition, .. } => Some(condition),
        _ => None,
    });
    let first = conditions.next().flatten();
    outgoing.len() == 2 && first.is_some() && conditions.all(|condition| condition == first)
}

/// What the expressions of the line computed.
#[derive(Default)]
struct Computed {
    /// What the one computes that is asked for next.
    next: Option<i128>,
    seen: Vec<(Key, i128)>,
}

struct Watch<'a> {
    errors: &'a BTreeSet<EdgeId>,
    spots: &'a [Spot],
    table: &'a Table,
    fails: bool,
    /// Where the given run fails, and whether this one comes there.
    check: (&'a Program, LocId),
    comes: bool,
    way: u64,
    noted: &'a [ExprId],
    replaced: Vec<(Key, Vec<i128>)>,
    computed: Rc<RefCell<Computed>>,
}

impl Observer for Watch<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        self.fails |= self.errors.contains(&edge);
        let number = edge.index() as u64 + 1;
        self.way = self
            .way
            .rotate_left(5)
            .wrapping_add(number)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.comes |= self.check.0.edges[edge].from == self.check.1;
        let Some(number) = self.spots.iter().position(|spot| spot.edge == edge) else {
            return;
        };
        let spot = &self.spots[number];
        let mut value = |expr| view.eval(expr).map(|(value, _)| value);
        let computed = value(spot.value);
        let operands: Vec<i128> = spot
            .operands
            .iter()
            .map(|&operand| value(operand).unwrap_or(0))
            .collect();
        let key = (number, operands);
        if !self.noted.is_empty() && self.table.contains_key(&key) {
            let noted = self.noted.iter().map(|&expr| value(expr).unwrap_or(0)).collect();
            self.replaced.push((key.clone(), noted));
        }
        let mut shared = self.computed.borrow_mut();
        shared.next = self.table.get(&key).copied().or(computed);
        shared.seen.push((key, computed.unwrap_or(0)));
    }
}

struct Replacing<'a> {
    listed: ListedInputs,
    spots: &'a [Spot],
    computed: Rc<RefCell<Computed>>,
}

impl Inputs for Replacing<'_> {
    fn value(&mut self, request: &Request) -> Option<i128> {
        let is_spot = request
            .edge
            .is_some_and(|edge| self.spots.iter().any(|spot| spot.edge == edge));
        match is_spot {
            true => self.computed.borrow_mut().next.take(),
            false => self.listed.value(request),
        }
    }
}

/// The numbers that a program mentions, small ones first.
fn constants(program: &Program) -> Vec<i128> {
    let mut walk = Walk::new();
    for edge in program.edges.values() {
        walk.add_edge(&edge.kind);
    }
    for var in program.vars.values() {
        if let VarKind::Global(Initial::Values(values)) = &var.kind {
            for &(_, value) in values {
                walk.add_expr(value);
            }
        }
    }
    let mut found = BTreeSet::from([0, 1]);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Int(value) = program.expr(expr).kind
            && !program.types.is_pointer(program.expr(expr).ty)
        {
            found.extend([value, value + 1]);
        }
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|value| value.unsigned_abs());
    found.truncate(MOST);
    found
}

/// More constants are not tried.
const MOST: usize = 60;

/// SplitMix64: the same runs every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }
}
