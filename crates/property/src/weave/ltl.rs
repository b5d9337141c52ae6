//! Temporal formulas. The program carries an automaton along: a global says which state it is in, others whether each atom holds, and
//! at every step of the run code moves the automaton.
//!
//! A *step* is a statement that may change an atom, a call that an atom is about, and its return; the first is the start of the entry
//! function. Each round of a loop and each call of a function that calls itself has a step, too, so that runs without
//! end have steps without end. Where the program calls `__VERIFIER_ltl_step`, these calls are the steps, and no other. A run that is over
//! repeats its last state for ever: the function `main` does not return but goes on with steps, and so does a call that ends the
//! program. A run that ends at an assumption is none.
//!
//! The automaton of a safety formula notices the violation, and that is an error edge. That of another formula's negation chooses
//! its way by inputs and stops the run where it has none. Runs that bring it to an accepting state again and again violate the
//! formula; the edges on which it comes to one are the *fair* edges.
//!
//! For runs that satisfy the formula, `lasso.rs` has the program carry the automaton of the formula itself.

mod events;
mod lasso;

use std::collections::{BTreeMap, BTreeSet};

use program::{
    AddressTaken, BinaryOp, CallGraph, CallSite, Callee, EdgeId, EdgeKind, ExprId, ExprKind, External,
    FuncId, Function, HavocCause, Initial, IntKind, Loops, Node, PlaceId, PlaceKind, Program, Type,
    TypeResolver, UnaryOp, Var, VarId, VarKind, Walk, base_variable,
};
use temporal::{Atom, AtomId, Buchi, Cube, Decision, Monitor, NoMonitor};

use super::edit::Code;
use super::{ErrorKind, Unseen, WeaveError, Weaver, Woven};
use crate::Property;
use crate::ltl::Ltl;
use events::Around;
use lasso::Closing;

pub use lasso::{Lassos, weave_lassos};

/// What a program calls where a step is.
const STEP: &str = "__VERIFIER_ltl_step";
/// A function that returns any number.
const ANY: &str = "__VERIFIER_nondet_int";

/// A program with the automaton of a formula.
#[derive(Clone, Debug)]
pub struct Product {
    /// A safety formula has its error edges here.
    pub woven: Woven,
    /// Edges that only runs that violate the formula take again and again; none for a safety formula.
    pub fair: Option<BTreeSet<EdgeId>>,
    /// Calls whose results choose the automaton's way.
    pub choices: BTreeSet<EdgeId>,
}

/// Puts the automaton into the program. The expressions are what the formula's atoms are that are expressions, in order, each an `int`
/// over globals and variables of the entry function.
pub fn weave_ltl(
    program: Program,
    property: &Property,
    ltl: &Ltl,
    expressions: &[ExprId],
) -> Result<Product, WeaveError> {
    let entry = program
        .function_named(&property.entry)
        .filter(|&function| program.functions[function].body.is_some())
        .ok_or_else(|| WeaveError::NoEntry {
            name: property.entry.clone(),
        })?;
    let formula = &ltl.property.formula;
    let automaton = match temporal::monitor(formula) {
        Ok(monitor) => Automaton::Safety(monitor),
        Err(NoMonitor::NotSafety) => {
            let negation = temporal::buchi(&formula.clone().negated());
            Automaton::Negation(negation.map_err(|_| too_large(ltl))?)
        }
        Err(NoMonitor::TooLarge) => return Err(too_large(ltl)),
    };
    let mut program = program;
    super::show_calls(&mut program);
    let (edges, vars) = (program.edges.len(), program.vars.len());
    let weaver = Weaver::new(program, entry, &[]);
    let mut weaving = Weaving::new(weaver, ltl, automaton, expressions)?;
    weaving.steps()?;
    let Weaving {
        weaver,
        is_safety,
        fair,
        choice,
        ..
    } = weaving;
    let mut woven = weaver.finish();
    woven.unseen = Unseen::since(edges, vars, &woven.program);
    Ok(Product {
        choices: calls_into(&woven.program, choice),
        fair: (!is_safety).then_some(fair),
        woven,
    })
}

fn too_large(ltl: &Ltl) -> WeaveError {
    ltl.error("the automaton of the formula is too large").into()
}

/// The calls whose result a variable gets.
fn calls_into(program: &Program, var: VarId) -> BTreeSet<EdgeId> {
    let place = program
        .exprs
        .find_place(PlaceKind::Var(var), program.vars[var].ty);
    let is_such = |&edge: &EdgeId| match &program.edges[edge].kind {
        EdgeKind::Call { result, .. } => result.is_some() && *result == place,
        _ => false,
    };
    program.edges.ids().filter(is_such).collect()
}

enum Automaton {
    Safety(Monitor),
    Negation(Buchi),
    /// Of the formula itself.
    Formula(Buchi),
}

struct Weaving<'a> {
    weaver: Weaver,
    ltl: &'a Ltl,
    automaton: Automaton,
    is_safety: bool,
    state: VarId,
    choice: VarId,
    /// Of each atom: the expression, what remembers whether it holds, and the variables that it reads.
    expressions: Vec<Option<Expression>>,
    /// Of each atom that is an event as rules write it: whether it happens.
    flags: Vec<Option<VarId>>,
    any: FuncId,
    fair: BTreeSet<EdgeId>,
    /// How it is seen that a run is back, where that is of interest.
    closing: Option<Closing>,
}

#[derive(Clone)]
struct Expression {
    value: ExprId,
    holds: VarId,
    variables: BTreeSet<VarId>,
    /// Whether it reads what a pointer leads to, or a variable that one may lead to.
    in_memory: bool,
    /// Whether it mentions variables of the entry function.
    is_local: bool,
}

impl<'a> Weaving<'a> {
    fn new(
        mut weaver: Weaver,
        ltl: &'a Ltl,
        automaton: Automaton,
        given: &[ExprId],
    ) -> Result<Weaving<'a>, WeaveError> {
        let initial = match &automaton {
            Automaton::Safety(_) => 0,
            Automaton::Negation(automaton) | Automaton::Formula(automaton) => automaton.initial,
        };
        let state = global(&mut weaver, "ltl$state", initial as i128);
        let choice = global(&mut weaver, "ltl$choice", 0);
        let taken = AddressTaken::new(&weaver.program);
        let mut given = given.iter();
        let mut expressions = Vec::new();
        for (number, atom) in ltl.property.atoms.iter().enumerate() {
            expressions.push(match atom {
                Atom::Expression(_) => {
                    let value = *given.next().expect("every expression is given");
                    let holds = global(&mut weaver, &format!("ltl$atom{number}"), 0);
                    if !is_total(&weaver.program, value) {
                        let message = "this may be undefined where it is evaluated, at every step: no pointers, divisions, shifts and \
                                       elements at places that change";
                        return Err(ltl.error_at(number, message).into());
                    }
                    let expression = expression(&weaver, &taken, value, holds);
                    if expression.is_local && expression.in_memory {
                        return Err(ltl
                            .error_at(number, "a local variable whose address is taken cannot be watched")
                            .into());
                    }
                    Some(expression)
                }
                Atom::Call(_) | Atom::Return(_) | Atom::Event(_) | Atom::End => None,
            });
        }
        let any = any(&mut weaver);
        Ok(Weaving {
            is_safety: matches!(automaton, Automaton::Safety(_)),
            weaver,
            ltl,
            automaton,
            state,
            choice,
            flags: vec![None; expressions.len()],
            expressions,
            any,
            fair: BTreeSet::new(),
            closing: None,
        })
    }

    fn steps(&mut self) -> Result<(), WeaveError> {
        let heads = self.heads();
        let ends = self.ends();
        self.check_ends()?;
        let program = &self.weaver.program;
        let marked = program.function_named(STEP);
        if self.ltl.property.formula.has_next() && marked.is_none() {
            return Err(self
                .ltl
                .error("`X` speaks of the next step, and no call of `__VERIFIER_ltl_step` says what that is")
                .into());
        }
        for (number, atom) in self.ltl.property.atoms.iter().enumerate() {
            if let Atom::Call(name) | Atom::Return(name) = atom
                && program.function_named(name).is_none()
            {
                let message = format!("the program has no function `{name}`");
                return Err(self.ltl.error_at(number, &message).into());
            }
        }
        let calls: Vec<(EdgeId, Vec<FuncId>)> = self
            .weaver
            .sites
            .iter()
            .map(|site| (site.edge, site.targets.clone()))
            .collect();
        let edges: Vec<EdgeId> = program.edges.ids().collect();
        let (rounds, deeper) = goes_on(program);
        match marked {
            Some(step) => {
                let sites = calls.iter().filter(|(_, targets)| targets.contains(&step));
                for &(edge, _) in sites {
                    if self
                        .ltl
                        .property
                        .atoms
                        .iter()
                        .any(|atom| matches!(atom, Atom::Call(_) | Atom::Return(_) | Atom::Event(_)))
                    {
                        return Err(self.ltl.error("between marked steps calls are not seen").into());
                    }
                    if !self.is_in_entry(edge) && self.expressions.iter().flatten().any(|one| one.is_local) {
                        return Err(self
                            .ltl
                            .error("a step is marked where a local variable is not known")
                            .into());
                    }
                    let mut code = self.refresh(|_| true);
                    code.extend(self.step(&BTreeSet::new()));
                    self.weaver.insert_after(edge, &code);
                }
            }
            None => {
                for edge in edges {
                    let changed = self.changed(edge, &calls);
                    if changed.iter().any(|&changed| changed) {
                        let mut code = self.refresh(|at| changed[at]);
                        code.extend(self.step(&BTreeSet::new()));
                        self.weaver.insert_after(edge, &code);
                    }
                }
                let mut around: BTreeMap<EdgeId, Around> = self.events()?.into_iter().collect();
                for (edge, targets) in &calls {
                    let named = |atom: &Atom, is_return: bool| {
                        let name = match (atom, is_return) {
                            (Atom::Call(name), false) | (Atom::Return(name), true) => name,
                            _ => return false,
                        };
                        let function = self.weaver.program.function_named(name);
                        function.is_some_and(|function| targets.contains(&function))
                    };
                    let atoms = |is_return: bool| -> BTreeSet<usize> {
                        let atoms = self.ltl.property.atoms.iter().enumerate();
                        atoms
                            .filter(|&(at, atom)| self.flags[at].is_none() && named(atom, is_return))
                            .map(|(at, _)| at)
                            .collect()
                    };
                    let (mut called, mut returned) = (atoms(false), atoms(true));
                    let mut around = around.remove(edge).unwrap_or_default();
                    called.append(&mut around.entries);
                    returned.append(&mut around.exits);
                    if !called.is_empty() {
                        around.before.extend(self.step_of(&called));
                    }
                    if !returned.is_empty() {
                        around.after.extend(self.step_of(&returned));
                    }
                    self.weaver.insert_before(*edge, &around.before);
                    self.weaver.insert_after(*edge, &around.after);
                }
                // What a run does for ever has steps, whether they change anything or not.
                if !self.is_safety {
                    for edge in rounds {
                        let code = self.step(&BTreeSet::new());
                        self.weaver.insert_after(edge, &code);
                    }
                    for function in deeper {
                        let code = self.step(&BTreeSet::new());
                        self.weaver.insert_at_entry(function, &code);
                    }
                }
                let mut code = self.refresh_globals();
                code.extend(self.step(&BTreeSet::new()));
                let entry = self.weaver.entry;
                self.weaver.insert_at_entry(entry, &code);
            }
        }
        self.close_at(heads);
        for edge in ends {
            self.stutter(edge);
        }
        let marks = std::mem::take(&mut self.weaver.marked);
        self.fair.extend(marks);
        Ok(())
    }

    /// The edges by which the run ends.
    fn ends(&self) -> Vec<EdgeId> {
        let program = &self.weaver.program;
        let is_end = |&edge: &EdgeId| match &program.edges[edge].kind {
            EdgeKind::Return { .. } => self.is_in_entry(edge),
            EdgeKind::Call {
                callee: Callee::Direct(function),
                ..
            } => {
                let data = &program.functions[*function];
                never_returns(data)
            }
            _ => false,
        };
        program.edges.ids().filter(is_end).collect()
    }

    /// Refuses programs whose ends are not seen.
    fn check_ends(&self) -> Result<(), WeaveError> {
        let program = &self.weaver.program;
        let calls = CallGraph::new(program, &TypeResolver::new(program));
        if calls.is_recursive(self.weaver.entry) {
            return Err(self
                .ltl
                .error("the function that the program starts at calls itself")
                .into());
        }
        let may_end = |site: &CallSite| {
            matches!(site.callee, Callee::Indirect(_))
                && site
                    .targets
                    .iter()
                    .any(|&target| never_returns(&program.functions[target]))
        };
        match calls.sites().iter().any(may_end) {
            true => Err(self
                .ltl
                .error("a call through a pointer may end the program")
                .into()),
            false => Ok(()),
        }
    }

    fn is_in_entry(&self, edge: EdgeId) -> bool {
        let program = &self.weaver.program;
        program.locs[program.edges[edge].from].function == self.weaver.entry
    }

    /// Instead of the edge, steps for ever; where a safety formula can be violated no more, no more of them.
    fn stutter(&mut self, edge: EdgeId) {
        let atoms = self.ltl.property.atoms.iter().enumerate();
        let end: BTreeSet<usize> = atoms
            .filter(|(_, atom)| **atom == Atom::End)
            .map(|(at, _)| at)
            .collect();
        if let Automaton::Safety(monitor) = &self.automaton {
            // Without `X`, a letter that is repeated says nothing new.
            let times = match self.ltl.property.formula.has_next() {
                true => monitor.states.len() + 1,
                false => 1,
            };
            for _ in 0..times {
                let code = self.step(&end);
                self.weaver.insert_before(edge, &code);
            }
            return;
        }
        // All that changes any more is the automaton.
        let state = self.weaver.program.var_place(self.state);
        let mut code = self.closed(&[state]);
        code.extend(self.step(&end));
        self.weaver.repeat_instead(edge, &code);
    }

    /// Which atoms an edge may change.
    fn changed(&self, edge: EdgeId, calls: &[(EdgeId, Vec<FuncId>)]) -> Vec<bool> {
        let program = &self.weaver.program;
        let (place, may_write_memory) = match &program.edges[edge].kind {
            EdgeKind::Assign { place, .. } => (Some(*place), false),
            // What comes to life has no value that an atom could have.
            EdgeKind::Havoc {
                cause: HavocCause::Uninitialised,
                ..
            } => (None, false),
            EdgeKind::Havoc { place, .. } => (Some(*place), false),
            EdgeKind::Call { result, .. } => {
                let targets = calls.iter().find(|(call, _)| *call == edge);
                let outside = targets.is_none_or(|(_, targets)| {
                    targets
                        .iter()
                        .any(|&target| program.functions[target].body.is_none())
                });
                let is_silent = outside && self.writes_nothing(targets.map(|(_, targets)| &targets[..]));
                (*result, outside && !is_silent)
            }
            EdgeKind::Assume { .. } | EdgeKind::Return { .. } | EdgeKind::Unsupported { .. } => (None, false),
        };
        let written = place.and_then(|place| base_variable(program, place));
        let through_pointer = place.is_some() && written.is_none();
        let each = self.expressions.iter().map(|expression| {
            let Some(expression) = expression else {
                return false;
            };
            if expression.is_local && !self.is_in_entry(edge) {
                return false;
            }
            written.is_some_and(|var| expression.variables.contains(&var))
                || expression.in_memory && (through_pointer || may_write_memory)
                || may_write_memory && program.assumptions.external == External::Everything
        });
        each.collect()
    }

    /// Whether functions without a body write nothing that the program sees.
    fn writes_nothing(&self, targets: Option<&[FuncId]>) -> bool {
        let program = &self.weaver.program;
        targets.is_some_and(|targets| {
            targets.iter().all(|&target| {
                let data = &program.functions[target];
                let row = library::of(&data.name).function;
                data.body.is_some()
                    || program.assumptions.external == External::Pure && row.is_unknown()
                    || data.name.starts_with("__VERIFIER_nondet")
            })
        })
    }

    /// Finds out again whether atoms hold.
    fn refresh(&mut self, which: impl Fn(usize) -> bool) -> Vec<Code> {
        let mut code = Vec::new();
        for (at, expression) in self.expressions.iter().enumerate() {
            if let Some(expression) = expression.as_ref().filter(|_| which(at)) {
                code.push(Code::Assign {
                    place: self.weaver.program.var_place(expression.holds),
                    value: expression.value,
                });
            }
        }
        code
    }

    fn refresh_globals(&mut self) -> Vec<Code> {
        let is_local: Vec<bool> = self
            .expressions
            .iter()
            .map(|one| one.as_ref().is_some_and(|one| one.is_local))
            .collect();
        self.refresh(|at| !is_local[at])
    }

    /// Moves the automaton, where these atoms that are events hold.
    fn step(&mut self, events: &BTreeSet<usize>) -> Vec<Code> {
        match &self.automaton {
            Automaton::Safety(monitor) => {
                let monitor = monitor.clone();
                let states: Vec<Vec<Code>> = monitor
                    .states
                    .iter()
                    .map(|decision| self.decide(decision, events))
                    .collect();
                self.by_state(states)
            }
            Automaton::Negation(automaton) => {
                let automaton = automaton.clone();
                let mut code = Vec::new();
                if automaton.states.iter().any(has_choice) {
                    code.push(Code::Call {
                        result: Some(self.weaver.program.var_place(self.choice)),
                        function: self.any,
                        arguments: Vec::new(),
                    });
                }
                let states: Vec<Vec<Code>> = automaton
                    .states
                    .iter()
                    .map(|state| self.choose(&automaton, state, events))
                    .collect();
                code.extend(self.by_state(states));
                code
            }
            Automaton::Formula(automaton) => {
                let automaton = automaton.clone();
                self.follow(&automaton, events)
            }
        }
    }

    /// What happens in each state.
    fn by_state(&mut self, states: Vec<Vec<Code>>) -> Vec<Code> {
        let mut rest: Vec<Code> = Vec::new();
        for (number, code) in states.into_iter().enumerate().rev() {
            if rest.is_empty() && number > 0 {
                // The automaton is in one of its states.
                rest = code;
                continue;
            }
            let condition = self.is(self.state, number as i128);
            rest = vec![Code::If {
                condition,
                then: code,
                otherwise: rest,
            }];
        }
        rest
    }

    fn decide(&mut self, decision: &Decision, events: &BTreeSet<usize>) -> Vec<Code> {
        match decision {
            Decision::Next(Some(next)) => vec![self.go(*next)],
            Decision::Next(None) => vec![Code::Error {
                kind: ErrorKind::Temporal,
                property: self.ltl.name.clone(),
                message: format!("the run violates {}", self.ltl.text.trim()),
            }],
            Decision::Ask { atom, holds, fails } => {
                let (then, otherwise) = (self.decide(holds, events), self.decide(fails, events));
                match self.literal(*atom, events) {
                    Truth::Known(true) => then,
                    Truth::Known(false) => otherwise,
                    Truth::If(condition) => vec![Code::If {
                        condition,
                        then,
                        otherwise,
                    }],
                }
            }
        }
    }

    fn choose(&mut self, automaton: &Buchi, state: &temporal::State, events: &BTreeSet<usize>) -> Vec<Code> {
        let chooses = has_choice(state);
        let mut rest = vec![Code::Halt];
        for (number, edge) in state.edges.iter().enumerate().rev() {
            let Some(mut conditions) = self.conditions(edge.label, events) else {
                continue;
            };
            if chooses {
                conditions.push(self.is(self.choice, number as i128));
            }
            let mut then = vec![self.go(edge.to)];
            if automaton.states[edge.to].accepting {
                then.push(Code::Mark);
            }
            rest = match self.all(&conditions) {
                Some(condition) => vec![Code::If {
                    condition,
                    then,
                    otherwise: rest,
                }],
                None => then,
            };
        }
        rest
    }

    /// What has to hold for a letter to have the label; `None` if it cannot.
    fn conditions(&mut self, label: Cube, events: &BTreeSet<usize>) -> Option<Vec<ExprId>> {
        let int = self.weaver.program.types.int(IntKind::Int);
        let mut conditions = Vec::new();
        for at in 0..self.expressions.len() {
            let atom = AtomId(u8::try_from(at).expect("atoms are few"));
            let bit = 1_u64 << at;
            for (mask, wanted) in [(label.positive, true), (label.negative, false)] {
                if mask & bit == 0 {
                    continue;
                }
                match self.literal(atom, events) {
                    Truth::Known(holds) if holds == wanted => {}
                    Truth::Known(_) => return None,
                    Truth::If(condition) if wanted => conditions.push(condition),
                    Truth::If(condition) => {
                        conditions.push(self.weaver.program.unary(UnaryOp::Not, condition, int));
                    }
                }
            }
        }
        Some(conditions)
    }

    fn literal(&mut self, atom: AtomId, events: &BTreeSet<usize>) -> Truth {
        match &self.expressions[atom.index()] {
            Some(expression) => Truth::If(self.weaver.program.read_var(expression.holds)),
            None if !events.contains(&atom.index()) => Truth::Known(false),
            None => match self.flags[atom.index()] {
                Some(flag) => Truth::If(self.weaver.program.read_var(flag)),
                None => Truth::Known(true),
            },
        }
    }

    fn all(&mut self, conditions: &[ExprId]) -> Option<ExprId> {
        let int = self.weaver.program.types.int(IntKind::Int);
        let mut conditions = conditions.iter().copied();
        let first = conditions.next()?;
        Some(conditions.fold(first, |all, next| {
            self.weaver.program.binary(BinaryOp::LogicalAnd, all, next, int)
        }))
    }

    fn is(&mut self, var: VarId, value: i128) -> ExprId {
        let int = self.weaver.program.types.int(IntKind::Int);
        let (read, value) = (
            self.weaver.program.read_var(var),
            self.weaver.program.int(value, int),
        );
        self.weaver.program.binary(BinaryOp::Eq, read, value, int)
    }

    fn go(&mut self, to: usize) -> Code {
        let int = self.weaver.program.types.int(IntKind::Int);
        Code::Assign {
            place: self.weaver.program.var_place(self.state),
            value: self.weaver.program.int(to as i128, int),
        }
    }
}

/// The edges that begin another round of a loop, and the functions that may be called from themselves.
fn goes_on(program: &Program) -> (Vec<EdgeId>, Vec<FuncId>) {
    let calls = CallGraph::new(program, &TypeResolver::new(program));
    let functions = program.functions.iter();
    let defined: Vec<FuncId> = functions
        .filter(|(_, data)| data.body.is_some())
        .map(|(function, _)| function)
        .collect();
    let mut rounds = Vec::new();
    for &function in &defined {
        let loops = Loops::new(program, function);
        rounds.extend(loops.iter().flat_map(|(_, one)| one.back_edges.clone()));
    }
    let deeper = defined
        .into_iter()
        .filter(|&function| calls.is_recursive(function));
    (rounds, deeper.collect())
}

enum Truth {
    Known(bool),
    If(ExprId),
}

/// Whether a letter allows several edges.
fn has_choice(state: &temporal::State) -> bool {
    let edges = &state.edges;
    let pairs = edges.iter().enumerate();
    pairs.into_iter().any(|(at, edge)| {
        edges[at + 1..]
            .iter()
            .any(|other| edge.label.and(other.label).is_some())
    })
}

fn global(weaver: &mut Weaver, name: &str, initial: i128) -> VarId {
    let ty = weaver.program.types.int(IntKind::Int);
    let var = weaver.program.vars.push(Var {
        name: name.to_owned(),
        ty,
        kind: VarKind::Global(Initial::Values(Vec::new())),
        function: None,
        span: None,
        is_const: false,
        align: 0,
    });
    let place: PlaceId = weaver.program.var_place(var);
    let value = weaver.program.int(initial, ty);
    weaver.program.vars[var].kind = VarKind::Global(Initial::Values(vec![(place, value)]));
    var
}

/// A function that returns any number: the program's own, or a new one.
fn any(weaver: &mut Weaver) -> FuncId {
    let program = &mut weaver.program;
    if let Some(function) = program.function_named(ANY)
        && program.functions[function].body.is_none()
    {
        return function;
    }
    let result = program.types.int(IntKind::Int);
    program.declare(ANY.to_owned(), result, Vec::new())
}

fn expression(weaver: &Weaver, taken: &AddressTaken, value: ExprId, holds: VarId) -> Expression {
    let program = &weaver.program;
    let mut walk = Walk::new();
    walk.add_expr(value);
    let mut variables = BTreeSet::new();
    let mut in_memory = false;
    while let Some(node) = walk.next(program) {
        let Node::Place(place) = node else { continue };
        match program.place(place).kind {
            PlaceKind::Var(var) => {
                variables.insert(var);
            }
            PlaceKind::Deref(_) => in_memory = true,
            PlaceKind::Field(..) | PlaceKind::Index(..) => {}
        }
    }
    in_memory |= variables.iter().any(|&var| taken.contains(var));
    let is_local =
        |&var: &VarId| program.vars[var].function == Some(weaver.entry) && !is_static(program, var);
    Expression {
        value,
        holds,
        is_local: variables.iter().any(is_local),
        variables,
        in_memory,
    }
}

/// Whether a function without a body ends the run.
fn never_returns(function: &Function) -> bool {
    function.body.is_none() && (function.noreturn || library::of(&function.name).function.never_returns())
}

/// Whether an expression has a value in every state.
fn is_total(program: &Program, value: ExprId) -> bool {
    let mut walk = Walk::new();
    walk.add_expr(value);
    while let Some(node) = walk.next(program) {
        let is_defined = match node {
            Node::Expr(expr) => match program.expr(expr).kind {
                ExprKind::Binary(op, ..) => !matches!(
                    op,
                    BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::PointerDiff
                ),
                _ => true,
            },
            Node::Place(place) => match program.place(place).kind {
                PlaceKind::Var(_) | PlaceKind::Field(..) => true,
                PlaceKind::Deref(_) => false,
                PlaceKind::Index(base, index) => {
                    let length = match *program.types.get(program.place(base).ty) {
                        Type::Array(_, length) => length.unwrap_or(0),
                        _ => 0,
                    };
                    match program.expr(index).kind {
                        ExprKind::Int(at) => (0..i128::from(length)).contains(&at),
                        _ => false,
                    }
                }
            },
        };
        if !is_defined {
            return false;
        }
    }
    true
}

fn is_static(program: &Program, var: VarId) -> bool {
    matches!(program.vars[var].kind, VarKind::Global(_))
}
