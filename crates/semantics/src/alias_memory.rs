//! Memory divided by what pointers may point to: one array for each alias class.
//!
//! The cells of a class are whole scalars where every access of the program reads or writes one scalar of one width and
//! no two overlap in part, and bytes otherwise.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use points_to::{ObjectKind, PointsTo, Spot};
use program::{
    AddressTaken, CallGraph, Callee, EdgeId, EdgeKind, ExprId, ExprKind, FloatKind, FuncId, Id, Initial,
    Node, PlaceId, PlaceKind, Program, RecordKind, Type, TypeId, VarId, VarKind, Walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::{Cell, ClassId, MemoryModel};

/// The memory model of a points-to analysis.
pub struct AliasMemory<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    taken: AddressTaken,
    calls: CallGraph,
    cells: Vec<Cell>,
    owners: Vec<Option<VarId>>,
    known: RefCell<FxHashMap<(PlaceId, u64, u64), Option<ClassId>>>,
    /// Found when it is asked for.
    disguised: OnceCell<BTreeSet<FuncId>>,
}

/// As what the accesses of a class read its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Integer,
    Float(FloatKind),
    /// Several scalars at once.
    Bytes,
}

impl<'p> AliasMemory<'p> {
    pub fn new(program: &'p Program, points_to: &'p PointsTo) -> AliasMemory<'p> {
        let mut memory = AliasMemory {
            program,
            points_to,
            taken: AddressTaken::new(program),
            calls: CallGraph::new(program, points_to),
            cells: Vec::new(),
            owners: Vec::new(),
            known: RefCell::default(),
            disguised: OnceCell::new(),
        };
        let kinds = memory.kinds();
        for (id, class) in points_to.classes() {
            let whole_scalars = |width: u64| {
                !class.regions.is_empty()
                    && class
                        .regions
                        .iter()
                        .all(|region| region.end - region.start == width)
            };
            let cell = match class.widths.iter().copied().collect::<Vec<u64>>()[..] {
                [width] if whole_scalars(width) => cell_of(width, &kinds[id.index()]),
                _ => Cell::Byte,
            };
            memory.cells.push(cell);
            let owner = class
                .regions
                .first()
                .and_then(|region| match points_to.object(region.object) {
                    ObjectKind::Var(var) => Some(var),
                    _ => None,
                });
            let alone = class
                .regions
                .iter()
                .all(|region| Some(region.object) == class.regions.first().map(|first| first.object));
            let owner = owner.filter(|&var| {
                let function = match program.vars[var].kind {
                    VarKind::Global(_) => None,
                    _ => program.vars[var].function,
                };
                alone && !function.is_some_and(|function| memory.calls.is_recursive(function))
            });
            memory.owners.push(owner);
        }
        memory
    }

    /// As what each class is read and written.
    fn kinds(&self) -> Vec<BTreeSet<Kind>> {
        let mut kinds = vec![BTreeSet::new(); self.points_to.classes().count()];
        let program = self.program;
        let mut walk = Walk::new();
        walk.add_program(program);
        let mut places: Vec<PlaceId> = Vec::new();
        while let Some(node) = walk.next(program) {
            if let Node::Expr(expr) = node
                && let ExprKind::Read(place) = program.expr(expr).kind
            {
                places.push(place);
            }
        }
        for edge in program.edges.values() {
            match edge.kind {
                EdgeKind::Assign { place, .. }
                | EdgeKind::Havoc { place, .. }
                | EdgeKind::Call {
                    result: Some(place), ..
                } => places.push(place),
                _ => {}
            }
        }
        for var in program.vars.values() {
            if let VarKind::Global(Initial::Values(values)) = &var.kind {
                places.extend(values.iter().map(|&(place, _)| place));
            }
        }
        for function in program.functions.values() {
            for &param in &function.params {
                let ty = program.vars[param].ty;
                places.extend(program.exprs.find_place(program::PlaceKind::Var(param), ty));
            }
        }
        places.sort_unstable();
        places.dedup();
        for place in places {
            self.add_kinds(&mut kinds, place, 0, program.place(place).ty);
        }
        kinds
    }

    fn add_kinds(&self, kinds: &mut [BTreeSet<Kind>], place: PlaceId, offset: u64, ty: TypeId) {
        let types = &self.program.types;
        let mut add = |kind: Kind, width: u64| {
            if let Some(spot) = self.points_to.class_at(self.program, place, offset, width) {
                kinds[spot.class.index()].insert(kind);
            }
        };
        match *types.get(ty) {
            // All elements of an array are in the classes of its first.
            Type::Array(element, _) => self.add_kinds(kinds, place, offset, element),
            Type::Record(record) => {
                let record = types.record(record);
                if record.kind == program::RecordKind::Union {
                    add(Kind::Bytes, record.size.max(1));
                    return;
                }
                for field in &record.fields {
                    match field.bits {
                        Some(bits) if bits.width == 0 => {}
                        Some(_) => {
                            for byte in 0..types.size(field.ty) {
                                let spot = self.points_to.class_at(
                                    self.program,
                                    place,
                                    offset + field.offset + byte,
                                    1,
                                );
                                if let Some(spot) = spot {
                                    kinds[spot.class.index()].insert(Kind::Integer);
                                }
                            }
                        }
                        None => self.add_kinds(kinds, place, offset + field.offset, field.ty),
                    }
                }
            }
            Type::Float(kind) => add(Kind::Float(kind), types.size(ty)),
            Type::Void | Type::Function(_) => {}
            _ => match self.program.bit_field(place) {
                Some(bits) => add(Kind::Integer, u64::from(bits.start + bits.width).div_ceil(8)),
                None => add(Kind::Integer, types.size(ty)),
            },
        }
    }

    fn class_id(&self, spot: Option<Spot>) -> Option<ClassId> {
        let spot = spot?;
        let class = spot.class.index();
        let whole = self.cells[class] == Cell::Byte || spot.at_start;
        whole.then_some(ClassId(class as u32))
    }
}

fn cell_of(width: u64, kinds: &BTreeSet<Kind>) -> Cell {
    let mut kinds = kinds.iter();
    match (kinds.next(), kinds.next()) {
        (Some(&Kind::Float(kind)), None) => Cell::Float(kind),
        (Some(Kind::Float(_) | Kind::Bytes), _) | (_, Some(Kind::Bytes)) => Cell::Byte,
        // An x87 number has bytes that are no part of its value.
        (_, Some(Kind::Float(FloatKind::Extended))) => Cell::Byte,
        _ if matches!(width, 1 | 2 | 4 | 8 | 16) => Cell::Word(width as u32),
        _ => Cell::Byte,
    }
}

impl MemoryModel for AliasMemory<'_> {
    fn is_plain(&self, var: VarId) -> bool {
        !self.taken.contains(var)
    }

    fn class(&self, place: PlaceId, offset: u64, size: u64) -> Option<ClassId> {
        let key = (place, offset, size);
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let class = self.class_id(self.points_to.class_at(self.program, place, offset, size));
        self.known.borrow_mut().insert(key, class);
        class
    }

    fn class_behind(&self, pointer: ExprId, offset: u64, size: u64) -> Option<ClassId> {
        self.class_id(self.points_to.class_behind(self.program, pointer, offset, size))
    }

    fn classes_written(&self, call: EdgeId, function: FuncId) -> Vec<ClassId> {
        let touched = self.points_to.touched(self.program, call, function);
        touched
            .writes
            .into_iter()
            .map(|class| ClassId(class.index() as u32))
            .collect()
    }

    fn cells_allocated(&self, call: EdgeId, bytes: u64) -> Vec<(ClassId, u64)> {
        let pointer_bits = self.program.types.model().pointer_bits();
        let mut cells = Vec::new();
        for object in self.points_to.allocated(self.program, call) {
            let mut offset = 0;
            while offset < bytes {
                let spot = self.points_to.class_in(self.program, object, offset, 1);
                let class = self
                    .class_id(spot)
                    .filter(|&class| class.0 as usize != self.points_to.nowhere().index());
                cells.extend(class.map(|class| (class, offset)));
                offset += class.map_or(1, |class| self.cell(class).size(pointer_bits));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn cell(&self, class: ClassId) -> Cell {
        self.cells[class.0 as usize]
    }

    fn may_recur(&self, function: FuncId) -> bool {
        self.calls.is_recursive(function)
    }

    fn call_targets(&self, call: EdgeId) -> Vec<FuncId> {
        let caller = self.program.locs[self.program.edges[call].from].function;
        let mut sites = self.calls.sites_in(caller).iter();
        let site = sites.find(|site| site.edge == call);
        site.map(|site| site.targets.clone()).unwrap_or_default()
    }

    fn has_all_targets(&self, call: EdgeId) -> bool {
        let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = self.program.edges[call].kind
        else {
            return true;
        };
        let targets = self.call_targets(call);
        let pointees = self.points_to.pointees(self.program, pointer);
        let mut missing = pointees
            .iter()
            .filter_map(|pointee| match self.points_to.object(pointee.object) {
                ObjectKind::Function(function) if !targets.contains(&function) => Some(function),
                _ => None,
            })
            .peekable();
        if missing.peek().is_none() {
            return true;
        }
        let types = &self.program.types;
        let says_its_parameters = types
            .pointee(self.program.expr(pointer).ty)
            .is_some_and(|ty| matches!(types.get(ty), Type::Function(ty) if !ty.variadic));
        let disguised = self
            .disguised
            .get_or_init(|| disguised(self.program, self.points_to));
        says_its_parameters && missing.all(|function| !disguised.contains(&function))
    }

    fn sole_owner(&self, class: ClassId) -> Option<VarId> {
        self.owners[class.0 as usize]
    }
}

/// The functions whose addresses are ever converted between a type of functions and another type, so that a pointer may lead to them
/// that says otherwise; numbers that are only compared do not count. Any other function is only called through pointers that say what
/// it is: what a pointer of another type holds is none of them, though their addresses may lie in the same memory as far as is known.
fn disguised(program: &Program, points_to: &PointsTo) -> BTreeSet<FuncId> {
    let types = &program.types;
    let function_type = |expr: ExprId| {
        let pointee = types.pointee(program.expr(expr).ty)?;
        match types.get(pointee) {
            Type::Function(function) => Some(function),
            _ => None,
        }
    };
    let mut walk = Walk::new();
    walk.add_program(program);
    // What is more than compared.
    let mut used: FxHashSet<Node> = walk.pending().collect();
    let mut casts: Vec<(ExprId, ExprId)> = Vec::new();
    let mut reads: Vec<ExprId> = Vec::new();
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node {
            match program.expr(expr).kind {
                ExprKind::Binary(op, ..) if op.is_comparison() => continue,
                ExprKind::Cast { operand, .. } => casts.push((expr, operand)),
                ExprKind::Read(_) => reads.push(expr),
                _ => {}
            }
        }
        used.extend(node.parts(program).into_iter().flatten());
    }
    let mut found = BTreeSet::new();
    let mut add = |pointers: &[ExprId]| {
        let pointees = pointers
            .iter()
            .map(|&pointer| points_to.pointees(program, pointer));
        found.extend(
            pointees
                .flatten()
                .filter_map(|pointee| match points_to.object(pointee.object) {
                    ObjectKind::Function(function) => Some(function),
                    _ => None,
                }),
        );
    };
    // What stands in a union may be read as another member of it.
    for &read in reads.iter().filter(|&&read| function_type(read).is_some()) {
        if let ExprKind::Read(place) = program.expr(read).kind
            && is_in_union(program, place)
        {
            add(&[read]);
        }
    }
    for (cast, operand) in casts {
        let is_kept = match (function_type(operand), function_type(cast)) {
            (None, None) => true,
            (Some(_), None) => !used.contains(&Node::Expr(cast)),
            (Some(from), Some(to)) => from.params.len() == to.params.len() && from.variadic == to.variadic,
            (None, Some(_)) => false,
        };
        if !is_kept {
            add(&[operand, cast]);
        }
    }
    found
}

fn is_in_union(program: &Program, mut place: PlaceId) -> bool {
    loop {
        place = match program.place(place).kind {
            PlaceKind::Var(_) | PlaceKind::Deref(_) => return false,
            PlaceKind::Index(array, _) => array,
            PlaceKind::Field(record, _) => {
                if let Type::Record(ty) = *program.types.get(program.place(record).ty)
                    && program.types.record(ty).kind == RecordKind::Union
                {
                    return true;
                }
                record
            }
        };
    }
}
