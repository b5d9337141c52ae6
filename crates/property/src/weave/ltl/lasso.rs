//! Runs that satisfy a formula: the program carries the automaton of the formula itself, and notices when the run is back in a state
//! that it was in before. If the automaton came to an accepting state on the way round, the run can go on so for ever and
//! satisfies the formula; it ends there. If it did not, that is an error edge.
//!
//! An input says at the head of which loop, and when, the state is remembered. The automaton and what is remembered are followed by
//! assignments without branches: whoever compares runs sees the program's own branches, and the last one, which says whether the
//! automaton accepts.
//!
//! What is compared is all that can change: globals that are written, and the local variables of the loop's function that are read
//! again before they are written. A function that is entered anew forgets what was remembered in it, so the calls around are the
//! same. Where pointers or functions without a body change memory, there is nothing to compare.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    AddressTaken, BinaryOp, CallGraph, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, Initial, IntKind, LocId,
    Loops, Node, PlaceId, PlaceKind, Program, Type, TypeId, TypeResolver, Var, VarId, VarKind, Walk,
    base_variable, written_variable,
};
use temporal::Buchi;

use super::super::edit::Code;
use super::super::{ErrorKind, Unseen, Weaver, Woven};
use super::{Automaton, Weaving, calls_into, global, has_choice};
use crate::Property;
use crate::ltl::Ltl;

/// A program in which runs end where they satisfy a formula, and fail where they are back and do not.
#[derive(Clone, Debug)]
pub struct Lassos {
    pub woven: Woven,
    /// Calls whose results choose the automaton's way.
    pub choices: BTreeSet<EdgeId>,
    /// Calls whose results say that the round begins there.
    pub begins: BTreeSet<EdgeId>,
    /// The variable that is 0 until the round begins, and something else in it.
    pub in_round: VarId,
}

/// More parts of variables than this are not remembered.
const MOST: usize = 256;

/// The variables that tell when a run is back.
pub(super) struct Closing {
    /// The number of the place at which the round began, or 0.
    began: VarId,
    /// Whether the automaton accepted since then.
    accepted: VarId,
    /// Whether the round is to begin here.
    begin: VarId,
    end: FuncId,
    /// How many places there are.
    places: usize,
}

/// Where a run may come back to, and what of the state there can be another.
pub(super) struct Head {
    at: LocId,
    function: FuncId,
    cells: Vec<PlaceId>,
}

/// Puts the automaton of the formula into the program; otherwise why its lassos are not known.
pub fn weave_lassos(
    program: Program,
    property: &Property,
    ltl: &Ltl,
    expressions: &[ExprId],
) -> Result<Lassos, &'static str> {
    const NO_PROGRAM: &str = "the formula does not fit the program";
    let entry = program.function_named(&property.entry).ok_or(NO_PROGRAM)?;
    let automaton =
        temporal::buchi(&ltl.property.formula).map_err(|_| "the automaton of the formula is too large")?;
    let mut program = program;
    super::super::show_calls(&mut program);
    let (edges, vars) = (program.edges.len(), program.vars.len());
    let weaver = Weaver::new(program, entry, &[]);
    let mut weaving =
        Weaving::new(weaver, ltl, Automaton::Formula(automaton), expressions).map_err(|_| NO_PROGRAM)?;
    if weaving.changes_memory() {
        return Err("the program changes memory through pointers, or by functions without a body");
    }
    weaving.closing = Some(Closing::new(&mut weaving.weaver));
    weaving.steps().map_err(|_| NO_PROGRAM)?;
    let Weaving {
        weaver,
        choice,
        closing,
        ..
    } = weaving;
    let mut woven = weaver.finish();
    woven.unseen = Unseen::since(edges, vars, &woven.program);
    let Closing { begin, began, .. } = closing.ok_or(NO_PROGRAM)?;
    Ok(Lassos {
        in_round: began,
        choices: calls_into(&woven.program, choice),
        begins: calls_into(&woven.program, begin),
        woven,
    })
}

impl Closing {
    fn new(weaver: &mut Weaver) -> Closing {
        Closing {
            began: global(weaver, "ltl$began", 0),
            accepted: global(weaver, "ltl$accepted", 0),
            begin: global(weaver, "ltl$begin", 0),
            end: exit(weaver),
            places: 0,
        }
    }
}

impl Weaving<'_> {
    /// Whether something changes that is no variable's by name.
    fn changes_memory(&self) -> bool {
        let program = &self.weaver.program;
        let through_pointer = |place: PlaceId| base_variable(program, place).is_none();
        program.edges.values().any(|edge| match &edge.kind {
            EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => through_pointer(*place),
            EdgeKind::Call { result, .. } => result.is_some_and(through_pointer),
            _ => false,
        }) || self.weaver.sites.iter().any(|site| {
            let outside: Vec<FuncId> = site
                .targets
                .iter()
                .copied()
                .filter(|&target| {
                    let data = &program.functions[target];
                    data.body.is_none() && !super::never_returns(data)
                })
                .collect();
            !self.writes_nothing(Some(&outside))
        })
    }

    /// The heads of loops at which the state can be remembered.
    pub(super) fn heads(&mut self) -> Vec<Head> {
        if self.closing.is_none() {
            return Vec::new();
        }
        let program = &self.weaver.program;
        let calls = CallGraph::new(program, &TypeResolver::new(program));
        let written = written(program);
        let is_global = |var: &VarId| matches!(program.vars[*var].kind, VarKind::Global(_));
        let globals: Vec<VarId> = written.into_iter().filter(is_global).collect();
        let mut found = Vec::new();
        for (function, data) in program.functions.iter() {
            if data.body.is_none() || calls.is_recursive(function) {
                continue;
            }
            let live = live(program, function);
            for (_, one) in Loops::new(program, function).iter() {
                let locals = live.get(&one.head).into_iter().flatten();
                let vars: Vec<VarId> = globals.iter().chain(locals).copied().collect();
                found.push((one.head, function, vars));
            }
        }
        let mut heads = Vec::new();
        for (at, function, vars) in found {
            let mut cells = vec![self.weaver.program.var_place(self.state)];
            let all = vars.into_iter().all(|var| {
                let place = self.weaver.program.var_place(var);
                add_cells(&mut self.weaver.program, place, &mut cells)
            });
            if all {
                heads.push(Head { at, function, cells });
            }
        }
        heads
    }

    /// Sees at these places whether the run is back.
    pub(super) fn close_at(&mut self, heads: Vec<Head>) {
        let mut of_function: BTreeMap<FuncId, Vec<usize>> = BTreeMap::new();
        for head in heads {
            let code = self.closed(&head.cells);
            let Some(closing) = &self.closing else { return };
            of_function.entry(head.function).or_default().push(closing.places);
            let span = self.weaver.program.locs[head.at].loops.first().copied();
            let after = self.weaver.move_outgoing(head.at);
            self.weaver.lay(&code, head.at, after, span);
        }
        let Some(began) = self.closing.as_ref().map(|closing| closing.began) else {
            return;
        };
        for (function, places) in of_function {
            if function == self.weaver.entry {
                continue;
            }
            let here: Vec<ExprId> = places
                .into_iter()
                .map(|place| self.is(began, place as i128))
                .collect();
            let here = self.fold(BinaryOp::LogicalOr, &here).expect("it has a loop");
            let int = self.weaver.program.types.int(IntKind::Int);
            let (nowhere, place) = (
                self.weaver.program.int(0, int),
                self.weaver.program.var_place(began),
            );
            let forget = self.assign_if(here, place, nowhere);
            self.weaver.insert_at_entry(function, &[forget]);
        }
    }

    /// If the run is back, it ends; if not, the state is remembered where an input says so.
    pub(super) fn closed(&mut self, cells: &[PlaceId]) -> Vec<Code> {
        let Some(closing) = &mut self.closing else {
            return Vec::new();
        };
        closing.places += 1;
        let Closing {
            began,
            accepted,
            begin,
            end,
            places: number,
        } = *closing;
        let int = self.weaver.program.types.int(IntKind::Int);
        let mut is_back = vec![self.is(began, number as i128)];
        let mut copies = Vec::new();
        for (at, &cell) in cells.iter().enumerate() {
            let ty = self.weaver.program.place(cell).ty;
            let copy = copy(&mut self.weaver.program, format!("ltl$was{number}${at}"), ty);
            let (now, was) = (self.weaver.program.read(cell), self.weaver.program.read(copy));
            is_back.push(self.weaver.program.binary(BinaryOp::Eq, now, was, int));
            copies.push((copy, now));
        }
        let is_back = self
            .fold(BinaryOp::LogicalAnd, &is_back)
            .expect("there is a place");
        let outcome = Code::If {
            condition: self.weaver.program.read_var(accepted),
            then: vec![Code::End(end)],
            otherwise: vec![Code::Error {
                kind: ErrorKind::Temporal,
                property: self.ltl.name.clone(),
                message: format!("the run violates {}", self.ltl.text.trim()),
            }],
        };
        let mut code = vec![
            Code::If {
                condition: is_back,
                then: vec![outcome],
                otherwise: Vec::new(),
            },
            Code::Call {
                result: Some(self.weaver.program.var_place(begin)),
                function: self.any,
                arguments: Vec::new(),
            },
        ];
        let (asked, nowhere) = (self.weaver.program.read_var(begin), self.is(began, 0));
        let begins = self
            .weaver
            .program
            .binary(BinaryOp::LogicalAnd, asked, nowhere, int);
        for (copy, now) in copies {
            code.push(self.assign_if(begins, copy, now));
        }
        let (none, here) = (
            self.weaver.program.int(0, int),
            self.weaver.program.int(number as i128, int),
        );
        let accepted = self.weaver.program.var_place(accepted);
        code.push(self.assign_if(begins, accepted, none));
        let began = self.weaver.program.var_place(began);
        code.push(self.assign_if(begins, began, here));
        code
    }

    /// A step of the automaton, without branches. Where it has no way it goes to a state of its own and stays there.
    pub(super) fn follow(&mut self, automaton: &Buchi, events: &BTreeSet<usize>) -> Vec<Code> {
        let mut code = Vec::new();
        if automaton.states.iter().any(has_choice) {
            code.push(Code::Call {
                result: Some(self.weaver.program.var_place(self.choice)),
                function: self.any,
                arguments: Vec::new(),
            });
        }
        let int = self.weaver.program.types.int(IntKind::Int);
        let stuck = self.weaver.program.int(automaton.states.len() as i128, int);
        let mut next = stuck;
        for (number, state) in automaton.states.iter().enumerate().rev() {
            let mut to = stuck;
            for (way, edge) in state.edges.iter().enumerate().rev() {
                let Some(mut conditions) = self.conditions(edge.label, events) else {
                    continue;
                };
                if has_choice(state) {
                    conditions.push(self.is(self.choice, way as i128));
                }
                let there = self.weaver.program.int(edge.to as i128, int);
                to = match self.all(&conditions) {
                    Some(condition) => self.either(condition, there, to),
                    None => there,
                };
            }
            let is_here = self.is(self.state, number as i128);
            next = self.either(is_here, to, next);
        }
        code.push(Code::Assign {
            place: self.weaver.program.var_place(self.state),
            value: next,
        });
        if let Some(accepted) = self.closing.as_ref().map(|closing| closing.accepted) {
            let states = automaton.states.iter().enumerate();
            let accepting: Vec<usize> = states
                .filter(|(_, state)| state.accepting)
                .map(|(number, _)| number)
                .collect();
            let mut accepts = vec![self.weaver.program.read_var(accepted)];
            for number in accepting {
                accepts.push(self.is(self.state, number as i128));
            }
            let accepts = self.fold(BinaryOp::LogicalOr, &accepts).expect("there is one");
            code.push(Code::Assign {
                place: self.weaver.program.var_place(accepted),
                value: accepts,
            });
        }
        code
    }

    fn assign_if(&mut self, condition: ExprId, place: PlaceId, value: ExprId) -> Code {
        let now = self.weaver.program.read(place);
        Code::Assign {
            place,
            value: self.either(condition, value, now),
        }
    }

    fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let ty = self.weaver.program.expr(then).ty;
        let kind = ExprKind::Conditional {
            condition,
            then,
            otherwise,
        };
        self.weaver.program.exprs.add(kind, ty)
    }

    fn fold(&mut self, op: BinaryOp, operands: &[ExprId]) -> Option<ExprId> {
        let int = self.weaver.program.types.int(IntKind::Int);
        let mut operands = operands.iter().copied();
        let first = operands.next()?;
        Some(operands.fold(first, |all, next| self.weaver.program.binary(op, all, next, int)))
    }
}

/// The variables that something is stored in; nothing is stored through pointers.
fn written(program: &Program) -> BTreeSet<VarId> {
    let edges = program.edges.ids();
    edges.filter_map(|edge| written_variable(program, edge)).collect()
}

/// The scalars that a place is made of; whether all can be compared.
fn add_cells(program: &mut Program, place: PlaceId, cells: &mut Vec<PlaceId>) -> bool {
    let ty = program.place(place).ty;
    match *program.types.get(ty) {
        Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => {
            cells.push(place);
            cells.len() <= MOST
        }
        Type::Array(_, Some(length)) if length <= MOST as u64 => {
            let int = program.types.int(IntKind::Int);
            (0..length).all(|at| {
                let at = program.int(i128::from(at), int);
                let element = program.index(place, at);
                add_cells(program, element, cells)
            })
        }
        Type::Record(record) => {
            let record = program.types.record(record);
            let is_plain = record.kind == program::RecordKind::Struct;
            let fields = record.fields.len() as u32;
            is_plain
                && (0..fields).all(|field| {
                    let field = program.field(place, field);
                    add_cells(program, field, cells)
                })
        }
        // Floats that are equal are not always the same.
        Type::Float(_) | Type::Array(..) | Type::Void | Type::Function(_) => false,
    }
}

/// For each location of a function its local variables that are read before they are written anew.
fn live(program: &Program, function: FuncId) -> BTreeMap<LocId, BTreeSet<VarId>> {
    let taken = AddressTaken::new(program);
    let is_local =
        |var: &VarId| program.vars[*var].function == Some(function) && !super::is_static(program, *var);
    let locs: Vec<LocId> = program
        .locs
        .iter()
        .filter(|(_, data)| data.function == function)
        .map(|(loc, _)| loc)
        .collect();
    // What a pointer may lead to can be read anywhere.
    let always: BTreeSet<VarId> = program
        .vars
        .ids()
        .filter(|var| is_local(var) && taken.contains(*var))
        .collect();
    let mut live: BTreeMap<LocId, BTreeSet<VarId>> = locs.iter().map(|&loc| (loc, always.clone())).collect();
    loop {
        let mut is_stable = true;
        for &loc in locs.iter().rev() {
            let mut here = live[&loc].clone();
            for &edge in &program.locs[loc].outgoing {
                let data = &program.edges[edge];
                let written = whole(program, &data.kind).filter(|var| !always.contains(var));
                let after = live[&data.to].iter().copied();
                here.extend(after.filter(|var| Some(*var) != written));
                here.extend(read(program, &data.kind).into_iter().filter(|var| is_local(var)));
            }
            if here.len() > live[&loc].len() {
                live.insert(loc, here);
                is_stable = false;
            }
        }
        if is_stable {
            return live;
        }
    }
}

/// The variable that an edge gives a new value as a whole.
fn whole(program: &Program, kind: &EdgeKind) -> Option<VarId> {
    let place = match kind {
        EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => Some(*place),
        EdgeKind::Call { result, .. } => *result,
        EdgeKind::Assume { .. } | EdgeKind::Return { .. } | EdgeKind::Unsupported { .. } => None,
    };
    match program.place(place?).kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

/// The variables that an edge reads.
fn read(program: &Program, kind: &EdgeKind) -> BTreeSet<VarId> {
    let mut walk = Walk::new();
    walk.add_edge(kind);
    let mut found = BTreeSet::new();
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Read(place) = program.expr(expr).kind
            && let Some(var) = base_variable(program, place)
        {
            found.insert(var);
        }
    }
    found
}

fn copy(program: &mut Program, name: String, ty: TypeId) -> PlaceId {
    let var = program.vars.push(Var {
        name,
        ty,
        kind: VarKind::Global(Initial::Values(Vec::new())),
        function: None,
        span: None,
        is_const: false,
        align: 0,
    });
    program.var_place(var)
}

/// A function that ends the run: the program's own, or a new one.
fn exit(weaver: &mut Weaver) -> FuncId {
    const EXIT: &str = "exit";
    let program = &mut weaver.program;
    if let Some(function) = program.function_named(EXIT)
        && program.functions[function].body.is_none()
    {
        return function;
    }
    let (result, int) = (program.types.intern(Type::Void), program.types.int(IntKind::Int));
    let function = program.declare(EXIT.to_owned(), result, vec![int]);
    program.functions[function].noreturn = true;
    function
}
