//! Which steps of a run to an error matter: those that decided that it was reached, and those whose values reached them.
//!
//! While the program runs, each step is recorded with the step that decided about it (the innermost branch or call it stands
//! behind) and the steps that wrote what it reads; from the error, both are followed backwards. Variables in registers are
//! told apart by call, memory by its bytes. What library functions read and write is what the library's table says; of strings
//! some bytes from their start.

use std::cell::Cell as Shared;
use std::rc::Rc;

use interpreter::{Observer, Pointee, Scalar, View};
use library::Extent;
use program::{
    Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, HavocCause, Id, Node, PlaceId, PlaceKind, Program,
    Type, TypeId, VarId, VarKind, Walk,
};
use rustc_hash::FxHashMap;

use crate::control::{AllMeets, Deciding};

/// What happened at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The edge took effect; a call was made.
    Edge(EdgeId),
    /// The call that is this step gave the parameter its value.
    Argument { call: u32, parameter: VarId },
    /// The edge's call returned, and its result was stored.
    Result(EdgeId),
}

/// A scalar that a step read or wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Nothing for the value that a function returns.
    pub place: Option<PlaceId>,
    pub ty: TypeId,
    /// An integer, or the bits of a float.
    pub value: i128,
    pub scalar: Scalar,
    /// Of a pointer, where it leads.
    pub leads_to: Option<LeadsTo>,
}

/// Where a pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadsTo {
    Function(FuncId),
    Variable {
        var: VarId,
        offset: u64,
    },
    /// Memory that a call allocated.
    Block {
        by: EdgeId,
        offset: u64,
        is_freed: bool,
    },
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct RunStep {
    pub kind: StepKind,
    /// How many calls are open, the entry function's included.
    pub depth: u32,
    /// What a branch looked at, what an assignment stored, what a call passed or returned.
    pub values: Vec<Known>,
    /// The step that decided that this one happens.
    decided_by: Option<u32>,
    reads: Box<[u32]>,
}

/// The steps of a run up to an error, in order.
#[derive(Clone, Debug, Default)]
pub struct RunSteps {
    pub steps: Vec<RunStep>,
}

impl RunSteps {
    /// For each step whether the last one depends on it, or one of `more`.
    pub fn mattering(&self, more: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut matters = vec![false; self.steps.len()];
        let mut pending: Vec<u32> = more.into_iter().collect();
        // What is asked for beyond the error brings the calls it is made in, not what it reads.
        while let Some(at) = pending.pop() {
            matters[at as usize] = true;
            pending.extend(self.call_around(at).filter(|&call| !matters[call as usize]));
        }
        let mut pending: Vec<u32> = self
            .steps
            .len()
            .checked_sub(1)
            .map(|last| last as u32)
            .into_iter()
            .collect();
        let mut followed = vec![false; self.steps.len()];
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut followed[at as usize], true) {
                continue;
            }
            matters[at as usize] = true;
            let step = &self.steps[at as usize];
            pending.extend(step.decided_by);
            pending.extend(step.reads.iter().copied());
            // A result is nothing without its call.
            if let StepKind::Argument { call, .. } = step.kind {
                pending.push(call);
            }
        }
        matters
    }

    /// The call that a step is inside of.
    fn call_around(&self, at: u32) -> Option<u32> {
        let depth = self.steps[at as usize].depth;
        let mut step = self.steps[at as usize].decided_by;
        while let Some(other) = step.filter(|&other| self.steps[other as usize].depth >= depth) {
            step = self.steps[other as usize].decided_by;
        }
        step
    }
}

/// An edge's reads, found once.
struct Uses {
    /// Of a call: those of its arguments are in `arguments` instead.
    reads: Vec<PlaceId>,
    arguments: Vec<Vec<PlaceId>>,
}

/// What one open call needs.
struct Frame {
    serial: u32,
    call: Option<u32>,
    deciding: Deciding,
}

/// Where a value lies.
#[derive(Clone, Copy)]
enum Cell {
    Register(u32, VarId),
    Memory { address: u64, size: u64 },
}

/// A call whose callee has not done anything yet.
struct Pending {
    step: u32,
    arguments: Vec<Vec<u32>>,
}

/// Larger objects than this are not followed byte by byte.
const FOLLOWED: u64 = 1 << 16;

/// So many bytes of a string are taken to be read or written.
const UNKNOWN_EXTENT: u64 = 256;

/// Records the steps of a run; ends at the first error.
pub(crate) struct Recorder<'p> {
    program: &'p Program,
    errors: &'p [EdgeId],
    limit: usize,
    /// The address of each variable that lies in memory.
    addresses: &'p FxHashMap<VarId, ExprId>,
    meets: AllMeets<'p>,
    uses: FxHashMap<EdgeId, Rc<Uses>>,
    frames: Vec<Frame>,
    serials: u32,
    registers: FxHashMap<(u32, VarId), u32>,
    memory: FxHashMap<u64, u32>,
    /// The calls that allocated blocks, by the blocks' addresses.
    allocated: FxHashMap<u64, EdgeId>,
    pending: Option<Pending>,
    returned: Option<u32>,
    pub steps: RunSteps,
    /// The number of the last step, for others to see.
    current: Rc<Shared<u32>>,
    pub hit: bool,
    /// More steps than the limit were taken.
    pub overflow: bool,
}

/// A copy of the program that also has an expression for the address of each variable that lies in memory.
pub(crate) fn with_addresses(program: &Program) -> (Program, FxHashMap<VarId, ExprId>) {
    let mut program = program.clone();
    let mut in_memory: Vec<VarId> = Vec::new();
    for index in 0..program.exprs.expr_count() {
        if let ExprKind::AddressOf(place) = program.expr(ExprId::from_index(index)).kind
            && let PlaceKind::Var(var) = program.place(place).kind
        {
            in_memory.push(var);
        }
    }
    for index in 0..program.exprs.place_count() {
        if let PlaceKind::Var(var) = program.place(PlaceId::from_index(index)).kind
            && !program.types.is_scalar(program.vars[var].ty)
        {
            in_memory.push(var);
        }
    }
    let addresses = in_memory
        .into_iter()
        .map(|var| {
            let place = program.var_place(var);
            let ty = program.types.pointer(program.vars[var].ty);
            (var, program.exprs.add(ExprKind::AddressOf(place), ty))
        })
        .collect();
    (program, addresses)
}

impl<'p> Recorder<'p> {
    pub fn new(
        program: &'p Program,
        errors: &'p [EdgeId],
        addresses: &'p FxHashMap<VarId, ExprId>,
        limit: usize,
        current: Rc<Shared<u32>>,
    ) -> Recorder<'p> {
        Recorder {
            program,
            errors,
            limit,
            addresses,
            meets: AllMeets::new(program, errors),
            uses: FxHashMap::default(),
            frames: Vec::new(),
            serials: 0,
            registers: FxHashMap::default(),
            memory: FxHashMap::default(),
            allocated: FxHashMap::default(),
            pending: None,
            returned: None,
            steps: RunSteps::default(),
            current,
            hit: false,
            overflow: false,
        }
    }

    fn uses(&mut self, edge: EdgeId) -> Rc<Uses> {
        let program = self.program;
        let made = self.uses.entry(edge).or_insert_with(|| {
            let kind = &program.edges[edge].kind;
            let mut walk = Walk::new();
            let mut arguments = Vec::new();
            match kind {
                EdgeKind::Call {
                    callee,
                    arguments: given,
                    result,
                } => {
                    if let Callee::Indirect(pointer) = *callee {
                        walk.add_expr(pointer);
                    }
                    if let Some(place) = *result {
                        walk.add_place(place);
                    }
                    for &argument in given {
                        let mut walk = Walk::new();
                        walk.add_expr(argument);
                        arguments.push(reads(program, walk));
                    }
                }
                other => walk.add_edge(other),
            }
            Rc::new(Uses {
                reads: reads(program, walk),
                arguments,
            })
        });
        Rc::clone(made)
    }

    /// Opens and closes frames as calls were made and returned.
    fn follow_calls(&mut self, view: &mut View<'_, '_>) {
        let depth = view.depth();
        self.frames.truncate(depth);
        while self.frames.len() < depth {
            self.serials += 1;
            let serial = self.serials;
            let pending = self.pending.take();
            self.frames.push(Frame {
                serial,
                call: pending.as_ref().map(|pending| pending.step),
                deciding: Deciding::default(),
            });
            let (Some(pending), Some(function)) = (pending, view.function()) else {
                continue;
            };
            self.bind(function, pending, view);
        }
    }

    /// The parameters of a call that just started get their values.
    fn bind(&mut self, function: FuncId, pending: Pending, view: &mut View<'_, '_>) {
        let parameters = &self.program.functions[function].params;
        for (&parameter, reads) in parameters.iter().zip(pending.arguments) {
            let step = self.push(
                StepKind::Argument {
                    call: pending.step,
                    parameter,
                },
                Some(pending.step),
                reads,
            );
            if let Some(cell) = self.variable(parameter, view) {
                self.write(cell, step);
            }
            let program = self.program;
            let place = program
                .exprs
                .find_place(PlaceKind::Var(parameter), program.vars[parameter].ty);
            self.note(step, place.as_slice(), view);
        }
    }

    fn push(&mut self, kind: StepKind, decided_by: Option<u32>, mut reads: Vec<u32>) -> u32 {
        reads.sort_unstable();
        reads.dedup();
        let depth = match kind {
            // An argument belongs to the caller's line.
            StepKind::Argument { .. } => self.frames.len().saturating_sub(1),
            StepKind::Edge(_) | StepKind::Result(_) => self.frames.len(),
        };
        self.steps.steps.push(RunStep {
            kind,
            depth: depth as u32,
            values: Vec::new(),
            decided_by,
            reads: reads.into_boxed_slice(),
        });
        let number = self.steps.steps.len() as u32 - 1;
        self.current.set(number);
        number
    }

    fn leads_to(&self, ty: TypeId, value: i128, view: &mut View<'_, '_>) -> Option<LeadsTo> {
        if !self.program.types.is_pointer(ty) || value == 0 {
            return None;
        }
        match view.leads_to(value as u64)? {
            Pointee::Function(function) => Some(LeadsTo::Function(function)),
            Pointee::Variable { var, offset } => Some(LeadsTo::Variable { var, offset }),
            Pointee::Block {
                base,
                offset,
                is_freed,
            } => Some(LeadsTo::Block {
                by: *self.allocated.get(&base)?,
                offset,
                is_freed,
            }),
        }
    }

    /// Notes the scalars that the places hold now.
    fn note(&mut self, step: u32, places: &[PlaceId], view: &mut View<'_, '_>) {
        for &place in places {
            if let Some((value, scalar)) = view.read(place) {
                let ty = self.program.place(place).ty;
                let leads_to = self.leads_to(ty, value, view);
                self.steps.steps[step as usize].values.push(Known {
                    place: Some(place),
                    ty,
                    value,
                    scalar,
                    leads_to,
                });
            }
        }
    }

    fn variable(&self, var: VarId, view: &mut View<'_, '_>) -> Option<Cell> {
        if let Some(&address) = self.addresses.get(&var) {
            let (address, _) = view.eval(address)?;
            let size = self.program.types.size(self.program.vars[var].ty);
            return Some(Cell::Memory {
                address: address as u64,
                size,
            });
        }
        let serial = match self.program.vars[var].kind {
            VarKind::Global(_) => 0,
            VarKind::Param | VarKind::Local | VarKind::Temporary => self.frames.last()?.serial,
        };
        Some(Cell::Register(serial, var))
    }

    fn cell(&self, place: PlaceId, view: &mut View<'_, '_>) -> Option<Cell> {
        let program = self.program;
        let size = program.types.size(program.place(place).ty).min(FOLLOWED);
        let mut offset: u64 = 0;
        let mut at = place;
        let base = loop {
            match program.place(at).kind {
                PlaceKind::Var(var) => match self.variable(var, view)? {
                    Cell::Memory { address, .. } => break address,
                    register @ Cell::Register(..) => return Some(register),
                },
                PlaceKind::Deref(pointer) => break view.eval(pointer)?.0 as u64,
                PlaceKind::Field(base, field) => {
                    let Type::Record(record) = *program.types.get(program.place(base).ty) else {
                        return None;
                    };
                    offset = offset.wrapping_add(program.types.record(record).fields[field as usize].offset);
                    at = base;
                }
                PlaceKind::Index(base, index) => {
                    let element = program.types.element(program.place(base).ty)?;
                    let index = view.eval(index)?.0 as u64;
                    offset = offset.wrapping_add(index.wrapping_mul(program.types.size(element)));
                    at = base;
                }
            }
        };
        Some(Cell::Memory {
            address: base.wrapping_add(offset),
            size,
        })
    }

    fn write(&mut self, cell: Cell, step: u32) {
        match cell {
            Cell::Register(serial, var) => {
                self.registers.insert((serial, var), step);
            }
            Cell::Memory { address, size } => {
                for byte in 0..size.min(FOLLOWED) {
                    self.memory.insert(address.wrapping_add(byte), step);
                }
            }
        }
    }

    fn writers(&self, cell: Cell, to: &mut Vec<u32>) {
        match cell {
            Cell::Register(serial, var) => to.extend(self.registers.get(&(serial, var))),
            Cell::Memory { address, size } => {
                for byte in 0..size.min(FOLLOWED) {
                    if let Some(&step) = self.memory.get(&address.wrapping_add(byte))
                        && to.last() != Some(&step)
                    {
                        to.push(step);
                    }
                }
            }
        }
    }

    fn read(&self, places: &[PlaceId], view: &mut View<'_, '_>) -> Vec<u32> {
        let mut writers = Vec::new();
        for &place in places {
            if let Some(cell) = self.cell(place, view) {
                self.writers(cell, &mut writers);
            }
        }
        writers
    }

    fn call(&mut self, edge: EdgeId, decided_by: Option<u32>, uses: &Uses, view: &mut View<'_, '_>) {
        let EdgeKind::Call {
            callee, arguments, ..
        } = &self.program.edges[edge].kind
        else {
            unreachable!("only calls are passed here")
        };
        let mut reads = self.read(&uses.reads, view);
        let given: Vec<Vec<u32>> = uses
            .arguments
            .iter()
            .map(|places| self.read(places, view))
            .collect();
        let library = match *callee {
            Callee::Direct(function) if self.program.functions[function].body.is_none() => Some(function),
            Callee::Direct(_) | Callee::Indirect(_) => None,
        };
        let Some(function) = library else {
            let step = self.push(StepKind::Edge(edge), decided_by, reads);
            self.pending = Some(Pending {
                step,
                arguments: given,
            });
            return;
        };
        reads.extend(given.into_iter().flatten());
        let (from, to) = self.touched(function, arguments, view);
        for cell in from {
            self.writers(cell, &mut reads);
        }
        let step = self.push(StepKind::Edge(edge), decided_by, reads);
        for cell in to {
            self.write(cell, step);
        }
    }

    /// The memory that a library function reads, and that it writes.
    fn touched(
        &self,
        function: FuncId,
        arguments: &[ExprId],
        view: &mut View<'_, '_>,
    ) -> (Vec<Cell>, Vec<Cell>) {
        let known = library::of(&self.program.functions[function].name);
        let arguments = known.arguments(arguments);
        let mut value = |at: usize| {
            let (value, _) = view.eval(*arguments.get(at)?)?;
            Some(value as u64)
        };
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for (at, &argument) in arguments.iter().enumerate() {
            let parameter = known.function.parameter(at);
            for (extent, cells) in [(parameter.reads, &mut reads), (parameter.writes, &mut writes)] {
                let Some(extent) = extent else { continue };
                let size = match extent {
                    Extent::Bytes(size) => Some(size),
                    Extent::Argument(size) => value(size),
                    Extent::Product(a, b) => value(a).zip(value(b)).map(|(a, b)| a.saturating_mul(b)),
                    Extent::Object => {
                        let pointee = self.program.types.pointee(self.program.expr(argument).ty);
                        pointee.map(|ty| self.program.types.size(ty))
                    }
                    Extent::String | Extent::Unknown => Some(UNKNOWN_EXTENT),
                };
                let address = value(at).filter(|&address| address != 0);
                if let (Some(address), Some(size)) = (address, size) {
                    cells.push(Cell::Memory { address, size });
                }
            }
        }
        (reads, writes)
    }
}

/// The places whose values are read.
fn reads(program: &Program, mut walk: Walk) -> Vec<PlaceId> {
    let mut places = Vec::new();
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Read(place) = program.expr(expr).kind
        {
            places.push(place);
        }
    }
    places
}

impl Observer for Recorder<'_> {
    fn before(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.hit || self.overflow {
            return;
        }
        self.overflow = self.steps.steps.len() >= self.limit;
        self.follow_calls(view);
        let program = self.program;
        let from = program.edges[edge].from;
        let frame = self.frames.last_mut().expect("whatever runs is in a call");
        let decided_by = frame.deciding.at(from).or(frame.call);
        let uses = self.uses(edge);
        let kind = &program.edges[edge].kind;
        if self.errors.contains(&edge) {
            self.hit = true;
            let mut reads = self.read(&uses.reads, view);
            for places in &uses.arguments {
                reads.extend(self.read(places, view));
            }
            self.push(StepKind::Edge(edge), decided_by, reads);
            return;
        }
        if let EdgeKind::Call { .. } = kind {
            return self.call(edge, decided_by, &uses, view);
        }
        let reads = self.read(&uses.reads, view);
        let step = self.push(StepKind::Edge(edge), decided_by, reads);
        match kind {
            EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => {
                if let Some(cell) = self.cell(*place, view) {
                    self.write(cell, step);
                }
            }
            EdgeKind::Assume { .. } => {
                self.note(step, &uses.reads, view);
                if program.locs[from].outgoing.len() > 1 {
                    let meets = self.meets.after(from);
                    let frame = self.frames.last_mut().expect("whatever runs is in a call");
                    frame.deciding.decide(step, meets);
                }
            }
            EdgeKind::Return { value } => {
                self.returned = Some(step);
                if let Some(value) = *value
                    && let Some((known, scalar)) = view.eval(value)
                {
                    let ty = program.expr(value).ty;
                    let leads_to = self.leads_to(ty, known, view);
                    self.steps.steps[step as usize].values.push(Known {
                        place: None,
                        ty,
                        value: known,
                        scalar,
                        leads_to,
                    });
                }
            }
            EdgeKind::Call { .. } | EdgeKind::Unsupported { .. } => {}
        }
    }

    fn after(&mut self, edge: EdgeId, view: &mut View<'_, '_>) {
        if self.hit || self.overflow {
            return;
        }
        let (result, callee) = match &self.program.edges[edge].kind {
            EdgeKind::Call { result, callee, .. } => (result, callee),
            EdgeKind::Assign { place, .. }
            | EdgeKind::Havoc {
                place,
                cause: HavocCause::Hardware,
            } => {
                let step = self.current.get();
                return self.note(step, &[*place], view);
            }
            _ => return,
        };
        self.follow_calls(view);
        let (pending, returned) = (self.pending.take(), self.returned.take());
        let Some(place) = *result else { return };
        let is_library = match *callee {
            Callee::Direct(function) => self.program.functions[function].body.is_none(),
            // Nothing ran in between.
            Callee::Indirect(_) => pending.is_some(),
        };
        let source = match (is_library, pending, returned) {
            (false, _, Some(returned)) => vec![returned],
            (_, Some(pending), _) => {
                let arguments = pending.arguments.into_iter().flatten();
                arguments.chain([pending.step]).collect()
            }
            // A library function is the last step, unless it called back.
            (true, None, _) => self.last_call(edge).into_iter().collect(),
            (false, None, None) => Vec::new(),
        };
        let frame = self.frames.last_mut().expect("whatever runs is in a call");
        let decided_by = frame.deciding.at(self.program.edges[edge].from).or(frame.call);
        let step = self.push(StepKind::Result(edge), decided_by, source);
        if let Some(cell) = self.cell(place, view) {
            self.write(cell, step);
        }
        if let Callee::Direct(function) = *callee
            && library::of(&self.program.functions[function].name)
                .function
                .allocates()
            && let Some((block, _)) = view.read(place)
        {
            self.allocated.insert(block as u64, edge);
        }
        self.note(step, &[place], view);
    }
}

impl Recorder<'_> {
    fn last_call(&self, edge: EdgeId) -> Option<u32> {
        let mut steps = self.steps.steps.iter();
        steps
            .rposition(|step| step.kind == StepKind::Edge(edge))
            .map(|at| at as u32)
    }
}
