//! What may hold nothing, and where. A variable that is declared without a value holds nothing, as does new memory; what is copied
//! from there may, too. Of the parts of variables that are written by name it is known on which ways they surely were.

use std::collections::{BTreeMap, BTreeSet};

use library::{Extent, Meaning, Returns};
use program::{
    AddressTaken, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FloatKind, FuncId, HavocCause, LocId, Node,
    PlaceId, Program, RecordKind, Type, TypeId, VarId, VarKind, Walk, base_variable, copied_byte,
};

use super::chain::{Chain, Root};

/// Of variables up to so many bytes it is known of each byte whether it was written, of others only whether all were.
const MOST_BYTES: u64 = 256;

/// Variables of more parts than this are memory.
const MOST_PARTS: usize = 16;

/// A part of a variable, in bytes from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub offset: u64,
    pub size: u64,
}

/// How it is followed whether something was written to a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Part by part, each by a variable of its own.
    Parts(Vec<Part>),
    /// As memory.
    Memory,
}

/// What is known of a program.
#[derive(Debug, Default)]
pub struct Contents {
    /// The variables that may hold nothing.
    vars: BTreeMap<VarId, Followed>,
    /// Whether pointers may lead to what holds nothing.
    pub behind_pointers: bool,
    /// Whether what holds nothing may be copied through pointers, to whatever these lead to.
    pub spreads: bool,
    /// Functions that may return a record of which a part holds nothing.
    partial_results: BTreeSet<FuncId>,
    frames: BTreeMap<FuncId, Frame>,
    /// What was written whenever control is here.
    written: BTreeMap<LocId, Bits>,
}

/// The variables of a function, each with its bits.
#[derive(Debug, Default)]
struct Frame {
    bits: BTreeMap<VarId, (usize, u64)>,
    length: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(length: usize) -> Bits {
        Bits(vec![0; length.div_ceil(64)])
    }

    fn get(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, bit: usize, to: bool) {
        let mask = 1 << (bit % 64);
        match to {
            true => self.0[bit / 64] |= mask,
            false => self.0[bit / 64] &= !mask,
        }
    }

    /// Keeps what both have; whether that is less.
    fn meet(&mut self, other: &Bits) -> bool {
        let mut less = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            less |= *word & !other != 0;
            *word &= other;
        }
        less
    }
}

impl Frame {
    fn add(&mut self, program: &Program, var: VarId) {
        let size = program.types.size(program.vars[var].ty);
        self.bits.insert(var, (self.length, size));
        self.length += if size > MOST_BYTES { 1 } else { size as usize };
    }

    /// The bits that tell of a part, where the whole part is meant; none if they tell less.
    fn of(&self, var: VarId, part: Part) -> Option<std::ops::Range<usize>> {
        let &(start, size) = self.bits.get(&var)?;
        if size > MOST_BYTES {
            return (part.offset == 0 && part.size == size).then_some(start..start + 1);
        }
        let end = part.offset.checked_add(part.size).filter(|&end| end <= size)?;
        Some(start + part.offset as usize..start + end as usize)
    }

    fn all(&self, var: VarId) -> std::ops::Range<usize> {
        let (start, size) = self.bits[&var];
        start..start + if size > MOST_BYTES { 1 } else { size as usize }
    }
}

/// What is looked at: the edges of the functions that run, and whom calls lead to.
pub struct Code<'a> {
    pub program: &'a Program,
    pub taken: &'a AddressTaken,
    pub functions: Vec<(FuncId, LocId, Vec<LocId>)>,
    pub targets: BTreeMap<EdgeId, Vec<FuncId>>,
}

/// Where a value of more than one part comes from.
enum Source {
    /// All of it has a value.
    Whole,
    /// Some of it may hold nothing.
    Partial,
}

impl Contents {
    pub fn new(code: &Code<'_>) -> Contents {
        let mut contents = Contents::default();
        for (_, edge) in code.edges() {
            if let EdgeKind::Havoc {
                place,
                cause: HavocCause::Uninitialised,
            } = code.program.edges[edge].kind
                && let Some(var) = base_variable(code.program, place)
                && code.program.vars[var].kind != VarKind::Temporary
            {
                contents.vars.insert(var, Followed::Memory);
            }
        }
        loop {
            contents.follow_all(code);
            if !contents.grow(code) {
                break;
            }
        }
        contents.choose(code);
        contents
    }

    pub fn followed(&self, var: VarId) -> Option<&Followed> {
        self.vars.get(&var)
    }

    pub fn vars(&self) -> impl Iterator<Item = (VarId, &Followed)> {
        self.vars.iter().map(|(&var, followed)| (var, followed))
    }

    /// Whether memory is asked about at all.
    pub fn in_memory(&self) -> bool {
        self.behind_pointers || self.vars.values().any(|followed| *followed == Followed::Memory)
    }

    pub fn returns_parts(&self, function: FuncId) -> bool {
        self.partial_results.contains(&function)
    }

    /// Whether a place surely has a value in all of its parts where control is at the location.
    pub fn is_written(&self, program: &Program, taken: &AddressTaken, at: LocId, place: PlaceId) -> bool {
        let Some(written) = self.written.get(&at) else {
            // Control does not get there.
            return true;
        };
        self.is_whole(program, taken, program.locs[at].function, written, place)
    }

    fn is_whole(
        &self,
        program: &Program,
        taken: &AddressTaken,
        function: FuncId,
        written: &Bits,
        place: PlaceId,
    ) -> bool {
        let chain = Chain::of_place(program, place);
        let Root::Variable(var) = chain.root else {
            return !self.behind_pointers;
        };
        if self.spreads && taken.contains(var) {
            return false;
        }
        if !self.vars.contains_key(&var) {
            return true;
        }
        let Some(frame) = self
            .frames
            .get(&function)
            .filter(|frame| frame.bits.contains_key(&var))
        else {
            return false;
        };
        let (ty, offset) = match chain.indices.is_empty() && chain.constant >= 0 {
            true => (program.place(place).ty, chain.constant as u64),
            false => (program.vars[var].ty, 0),
        };
        let whole = Part {
            offset: 0,
            size: program.types.size(program.vars[var].ty),
        };
        if frame
            .of(var, whole)
            .is_some_and(|mut bits| bits.all(|bit| written.get(bit)))
        {
            return true;
        }
        let mut parts = match chain.indices.is_empty() {
            true => accessed(program, place)
                .map_or_else(|| parts(program, ty), |size| vec![Part { offset: 0, size }]),
            false => parts(program, ty),
        };
        for part in &mut parts {
            part.offset += offset;
        }
        parts.iter().all(|&part| {
            frame
                .of(var, part)
                .is_some_and(|mut bits| bits.all(|bit| written.get(bit)))
        })
    }

    /// Finds what is surely written, given what may hold nothing.
    fn follow_all(&mut self, code: &Code<'_>) {
        self.frames.clear();
        self.written.clear();
        for &var in self.vars.keys() {
            if let Some(function) = code.program.vars[var].function
                && !matches!(code.program.vars[var].kind, VarKind::Global(_))
            {
                self.frames.entry(function).or_default().add(code.program, var);
            }
        }
        for (function, entry, _) in &code.functions {
            self.follow(code, *function, *entry);
        }
    }

    fn follow(&mut self, code: &Code<'_>, function: FuncId, entry: LocId) {
        let length = self.frames.get(&function).map_or(0, |frame| frame.length);
        self.written.insert(entry, Bits::none(length));
        let mut pending = vec![entry];
        while let Some(loc) = pending.pop() {
            for &edge in &code.program.locs[loc].outgoing {
                let mut after = self.written[&loc].clone();
                self.step(code, function, edge, &mut after);
                let to = code.program.edges[edge].to;
                let changed = match self.written.get_mut(&to) {
                    Some(known) => known.meet(&after),
                    None => {
                        self.written.insert(to, after);
                        true
                    }
                };
                if changed {
                    pending.push(to);
                }
            }
        }
    }

    fn step(&self, code: &Code<'_>, function: FuncId, edge: EdgeId, written: &mut Bits) {
        let program = code.program;
        let (place, whole) = match &program.edges[edge].kind {
            EdgeKind::Havoc { place, cause } => (*place, *cause != HavocCause::Uninitialised),
            EdgeKind::Assign { place, value } => {
                let source = self.source(code, function, written, *place, *value);
                (*place, matches!(source, Source::Whole))
            }
            EdgeKind::Call {
                result: Some(place), ..
            } => (*place, !self.gives_parts(code, edge, *place)),
            _ => return,
        };
        let chain = Chain::of_place(program, place);
        let (Root::Variable(var), Some(frame)) = (chain.root, self.frames.get(&function)) else {
            return;
        };
        if !frame.bits.contains_key(&var) {
            return;
        }
        let size = accessed(program, place).unwrap_or(program.types.size(program.place(place).ty));
        let part = Part {
            offset: u64::try_from(chain.constant).unwrap_or(u64::MAX),
            size,
        };
        let known = chain.indices.is_empty().then(|| frame.of(var, part)).flatten();
        match (known, whole) {
            (Some(bits), _) => bits.for_each(|bit| written.set(bit, whole)),
            (None, true) => {}
            (None, false) => frame.all(var).for_each(|bit| written.set(bit, false)),
        }
    }

    /// Where an assigned value comes from. What is computed has a value.
    fn source(
        &self,
        code: &Code<'_>,
        function: FuncId,
        written: &Bits,
        place: PlaceId,
        value: ExprId,
    ) -> Source {
        let program = code.program;
        let from = match program.expr(value).kind {
            ExprKind::Read(from) if !program.types.is_scalar(program.place(from).ty) => Some(from),
            _ => copied_byte(program, place, value),
        };
        match from {
            Some(from) if !self.is_whole(program, code.taken, function, written, from) => Source::Partial,
            _ => Source::Whole,
        }
    }

    /// Whether a call may give a record of which a part holds nothing.
    fn gives_parts(&self, code: &Code<'_>, edge: EdgeId, place: PlaceId) -> bool {
        let targets = code.targets.get(&edge);
        !code.program.types.is_scalar(code.program.place(place).ty)
            && targets
                .is_none_or(|targets| targets.iter().any(|target| self.partial_results.contains(target)))
    }

    /// What may hold nothing, given what is surely written; whether that is more than was known.
    fn grow(&mut self, code: &Code<'_>) -> bool {
        let program = code.program;
        let before = (
            self.vars.len(),
            self.partial_results.len(),
            self.behind_pointers,
            self.spreads,
        );
        let (mut new, mut results) = (BTreeSet::new(), BTreeSet::new());
        let (mut behind, mut copies) = (self.behind_pointers, false);
        for (function, edge) in code.edges() {
            let Some(written) = self.written.get(&program.edges[edge].from) else {
                continue;
            };
            behind |= self.lets_out(code, function, edge, written);
            let is_partial = |value: ExprId| match program.expr(value).kind {
                ExprKind::Read(from) => {
                    !program.types.is_scalar(program.place(from).ty)
                        && !self.is_whole(program, code.taken, function, written, from)
                }
                _ => false,
            };
            let target = match &program.edges[edge].kind {
                EdgeKind::Assign { place, value } => {
                    match self.source(code, function, written, *place, *value) {
                        Source::Partial => Some(*place),
                        Source::Whole => None,
                    }
                }
                EdgeKind::Return { value: Some(value) } if is_partial(*value) => {
                    results.insert(function);
                    None
                }
                EdgeKind::Call { arguments, .. } => {
                    for &target in code.targets.get(&edge).into_iter().flatten() {
                        let params = program.functions[target].params.iter().copied();
                        let given = params
                            .zip(arguments)
                            .filter(|&(_, &argument)| is_partial(argument));
                        new.extend(given.map(|(param, _)| param));
                    }
                    copies |= code.moves_bytes(edge);
                    match program.edges[edge].kind {
                        EdgeKind::Call {
                            result: Some(place), ..
                        } if self.gives_parts(code, edge, place) => Some(place),
                        _ => None,
                    }
                }
                _ => None,
            };
            match target.map(|place| base_variable(program, place)) {
                Some(Some(var)) => {
                    new.insert(var);
                }
                Some(None) => copies = true,
                None => {}
            }
        }
        for var in new {
            self.vars.entry(var).or_insert(Followed::Memory);
        }
        self.partial_results.extend(results);
        self.behind_pointers = behind;
        self.spreads |= behind && copies;
        before
            != (
                self.vars.len(),
                self.partial_results.len(),
                self.behind_pointers,
                self.spreads,
            )
    }

    /// Whether pointers may lead to what holds nothing from this edge on.
    fn lets_out(&self, code: &Code<'_>, function: FuncId, edge: EdgeId, written: &Bits) -> bool {
        let program = code.program;
        if let EdgeKind::Call {
            callee: Callee::Direct(callee),
            ..
        } = program.edges[edge].kind
            && program.functions[callee].body.is_none()
        {
            let row = library::of(&program.functions[callee].name).function;
            let is_new = match row.returns {
                Returns::New { zeroed, .. } => !zeroed,
                Returns::Resized { .. } => true,
                _ => row.allocates() || row.meaning == Some(Meaning::StackMemory),
            };
            if is_new {
                return true;
            }
        }
        let mut walk = Walk::new();
        walk.add_edge(&program.edges[edge].kind);
        while let Some(node) = walk.next(program) {
            let Node::Expr(expr) = node else { continue };
            if let ExprKind::AddressOf(place) = program.expr(expr).kind
                && let Some(var) = base_variable(program, place)
                && self.vars.contains_key(&var)
            {
                let whole = program
                    .exprs
                    .find_place(program::PlaceKind::Var(var), program.vars[var].ty);
                let is_whole =
                    whole.is_some_and(|whole| self.is_whole(program, code.taken, function, written, whole));
                if !is_whole || code.is_declared_again(var) {
                    return true;
                }
            }
        }
        false
    }

    /// Chooses what is followed part by part: variables that no pointer leads to and that only get whole values.
    fn choose(&mut self, code: &Code<'_>) {
        let program = code.program;
        let mut memory = BTreeSet::new();
        for (function, edge) in code.edges() {
            let Some(written) = self.written.get(&program.edges[edge].from) else {
                continue;
            };
            let place = match &program.edges[edge].kind {
                EdgeKind::Assign { place, value }
                    if matches!(
                        self.source(code, function, written, *place, *value),
                        Source::Partial
                    ) =>
                {
                    *place
                }
                EdgeKind::Call {
                    result: Some(place), ..
                } if self.gives_parts(code, edge, *place) => *place,
                _ => continue,
            };
            memory.extend(base_variable(program, place));
        }
        for (&var, followed) in &mut self.vars {
            let data = &program.vars[var];
            let is_local = matches!(data.kind, VarKind::Local | VarKind::Temporary);
            if is_local
                && !code.taken.contains(var)
                && !memory.contains(&var)
                && let Some(parts) = plain_parts(program, data.ty)
            {
                *followed = Followed::Parts(parts);
            }
        }
    }
}

impl Code<'_> {
    fn edges(&self) -> impl Iterator<Item = (FuncId, EdgeId)> {
        self.functions.iter().flat_map(|(function, _, locs)| {
            let edges = locs.iter().flat_map(|&loc| &self.program.locs[loc].outgoing);
            edges.map(|&edge| (*function, edge))
        })
    }

    /// Whether a library function moves bytes without looking at them.
    fn moves_bytes(&self, edge: EdgeId) -> bool {
        let targets = self.targets.get(&edge).into_iter().flatten();
        let mut rows = targets
            .filter(|&&target| self.program.functions[target].body.is_none())
            .map(|&target| library::of(&self.program.functions[target].name).function);
        rows.any(|row| row.copies.is_some() || row.meaning == Some(Meaning::Copy))
    }

    /// Whether control can come to the declaration of a variable again: then pointers from before may lead to it.
    fn is_declared_again(&self, var: VarId) -> bool {
        let declares = |edge: EdgeId| {
            let kind = &self.program.edges[edge].kind;
            let place = match kind {
                EdgeKind::Havoc {
                    place,
                    cause: HavocCause::Uninitialised,
                } => *place,
                _ => return false,
            };
            base_variable(self.program, place) == Some(var)
        };
        let declarations = self.edges().map(|(_, edge)| edge).filter(|&edge| declares(edge));
        let mut declarations = declarations.map(|edge| &self.program.edges[edge]);
        declarations.any(|edge| {
            let mut seen = BTreeSet::from([edge.to]);
            let mut pending = vec![edge.to];
            while let Some(loc) = pending.pop() {
                if loc == edge.from {
                    return true;
                }
                let next = self.program.locs[loc].outgoing.iter();
                let next = next.map(|&edge| self.program.edges[edge].to);
                pending.extend(next.filter(|&to| seen.insert(to)));
            }
            false
        })
    }
}

/// How many bytes an access of a scalar is of; nothing of what has parts.
pub fn accessed(program: &Program, place: PlaceId) -> Option<u64> {
    if let Some(bits) = program.bit_field(place) {
        return Some(u64::from((bits.start + bits.width).div_ceil(8)));
    }
    let ty = program.place(place).ty;
    program.types.is_scalar(ty).then(|| scalar_bytes(program, ty))
}

fn scalar_bytes(program: &Program, ty: TypeId) -> u64 {
    match program.types.get(ty) {
        Type::Float(FloatKind::Extended) => 10,
        _ => program.types.size(ty),
    }
}

/// The scalars of a type, but for bit-fields, whose bytes count as one; what is between them never has a value.
fn parts(program: &Program, ty: TypeId) -> Vec<Part> {
    let mut found = Vec::new();
    let mut pending = vec![(ty, 0)];
    while let Some((ty, offset)) = pending.pop() {
        match *program.types.get(ty) {
            Type::Record(record) if program.types.record(record).kind == RecordKind::Struct => {
                for field in &program.types.record(record).fields {
                    match field.bits {
                        Some(bits) => found.push(Part {
                            offset: offset + field.offset,
                            size: u64::from((bits.start + bits.width).div_ceil(8)),
                        }),
                        None => pending.push((field.ty, offset + field.offset)),
                    }
                }
            }
            Type::Array(element, Some(length)) if length <= MOST_BYTES => {
                let size = program.types.size(element);
                pending.extend((0..length).map(|at| (element, offset + at * size)));
            }
            _ if program.types.is_scalar(ty) => found.push(Part {
                offset,
                size: scalar_bytes(program, ty),
            }),
            _ => found.push(Part {
                offset,
                size: program.types.size(ty),
            }),
        }
    }
    found.sort();
    found
}

/// The parts of a scalar, or of a record of few scalars.
fn plain_parts(program: &Program, ty: TypeId) -> Option<Vec<Part>> {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match *program.types.get(ty) {
            Type::Record(record) => {
                let record = program.types.record(record);
                let has_bits = record.fields.iter().any(|field| field.bits.is_some());
                if record.kind != RecordKind::Struct || has_bits || record.fields.is_empty() {
                    return None;
                }
                pending.extend(record.fields.iter().map(|field| field.ty));
            }
            _ if program.types.is_scalar(ty) => {}
            _ => return None,
        }
    }
    Some(parts(program, ty)).filter(|parts| parts.len() <= MOST_PARTS)
}

/// How many bytes a row speaks of, as an expression; nothing where it does not say.
pub fn extent(program: &mut Program, extent: Extent, arguments: &[ExprId], behind: ExprId) -> Option<ExprId> {
    let size_type = program.types.size_type();
    Some(match extent {
        Extent::Bytes(bytes) => program.int(i128::from(bytes), size_type),
        Extent::Argument(at) => {
            let argument = *arguments.get(at)?;
            program.convert(argument, size_type)
        }
        Extent::Product(left, right) => {
            let (left, right) = (*arguments.get(left)?, *arguments.get(right)?);
            let (left, right) = (
                program.convert(left, size_type),
                program.convert(right, size_type),
            );
            program.binary(program::BinaryOp::Mul, left, right, size_type)
        }
        Extent::Object => {
            let pointee = program.types.pointee(program.expr(behind).ty)?;
            let size = match program.types.get(pointee) {
                Type::Void | Type::Function(_) => return None,
                _ => program.types.size(pointee),
            };
            program.int(i128::from(size), size_type)
        }
        Extent::String | Extent::Unknown => return None,
    })
}
