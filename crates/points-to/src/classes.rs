//! Alias classes: a partition of all memory accesses of the program such that two accesses that may touch the same
//! byte are in the same class. Memory can be one array per class.

use std::collections::BTreeSet;

use program::{
    AddressTaken, CallGraph, Callee, EdgeKind, ExprId, ExprKind, Id, Initial, Node, PlaceId, Program, TypeId,
    VarId, VarKind, Walk,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::copies::{Kind, kind, leaves};
use crate::layout::{self, Offset, Range, Shift};
use crate::object::{ObjectId, ObjectKind};
use crate::solution::{Lead, Solution};
use crate::values::width;

/// With more arrays than this that a pointer may lead into, it is not followed what is copied from there.
const MAX_SOURCES: usize = 16;

/// A class of accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u32);

impl Id for ClassId {
    fn from_index(index: usize) -> ClassId {
        ClassId(u32::try_from(index).expect("fewer than 2^32 classes"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    pub object: ObjectId,
    /// Folded bytes: of the elements of an array those of the first. Up to `u64::MAX` where the bytes of the object
    /// are not told apart.
    pub start: u64,
    pub end: u64,
}

/// What the accesses of a class may touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Empty for accesses that no run can make without undefined behaviour.
    pub regions: Vec<Region>,
    /// How many bytes the accesses have.
    pub widths: BTreeSet<u64>,
    /// The variable, of scalar type and with an address that nobody takes, that the class is.
    pub variable: Option<VarId>,
    /// Whether all accesses touch the same bytes of a variable that exists at most once at a time, or of the instance of
    /// it that the running function owns: the class is as good as a variable.
    pub is_single: bool,
}

/// Where an access lies that the program need not have. There is none if the access would touch bytes of several
/// classes, or bytes of one and bytes that nothing else touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub class: ClassId,
    /// Whether it starts where a region of the class does.
    pub at_start: bool,
}

/// One access before it has a class.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub regions: Vec<(ObjectId, Range)>,
    pub width: u64,
    pub kind: Kind,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    pub classes: Vec<Class>,
    /// Of each object, its regions in order and their classes.
    by_object: Vec<Vec<(Range, ClassId)>>,
    /// The class of accesses that touch nothing.
    pub nowhere: ClassId,
}

impl Classes {
    pub fn new(
        program: &Program,
        solution: &Solution,
        reached: &[bool],
        taken: &AddressTaken,
        graph: &CallGraph,
    ) -> Classes {
        let accesses = all_accesses(program, solution, reached);
        let mut merged: Vec<Vec<Range>> = vec![Vec::new(); solution.objects.len()];
        for access in &accesses {
            for &(object, range) in &access.regions {
                merged[object.index()].push(range);
            }
        }
        for ranges in &mut merged {
            merge(ranges);
        }
        // Every merged range of every object is a member of the partition; accesses unite what they touch.
        let starts: Vec<usize> = merged
            .iter()
            .scan(1, |next, ranges| {
                let start = *next;
                *next += ranges.len();
                Some(start)
            })
            .collect();
        let total = 1 + merged.iter().map(Vec::len).sum::<usize>();
        let mut sets = Sets::new(total);
        let member = |object: ObjectId, range: Range| {
            let ranges = &merged[object.index()];
            let at = ranges.partition_point(|r| r.end <= range.start);
            starts[object.index()] + at
        };
        let mut widths: FxHashMap<usize, BTreeSet<u64>> = FxHashMap::default();
        let mut exact: FxHashMap<usize, bool> = FxHashMap::default();
        for access in &accesses {
            let mut members = access
                .regions
                .iter()
                .map(|&(object, range)| member(object, range));
            // Member 0 is nowhere.
            let first = members.next().unwrap_or(0);
            for other in members {
                sets.unite(first, other);
            }
        }
        unite_outside(solution, &accesses, |a, b| {
            sets.unite(member(a.0, a.1), member(b.0, b.1));
        });
        for access in &accesses {
            let first = access
                .regions
                .first()
                .map_or(0, |&(object, range)| member(object, range));
            let root = sets.find(first);
            widths.entry(root).or_default().insert(access.width);
            let fits = access.regions.iter().all(|&(object, range)| {
                let at = member(object, range) - starts[object.index()];
                merged[object.index()][at] == range
            });
            *exact.entry(root).or_insert(true) &= fits;
        }
        let mut numbers: FxHashMap<usize, ClassId> = FxHashMap::default();
        let mut classes = vec![Class::default()];
        let nowhere = sets.find(0);
        numbers.insert(nowhere, ClassId(0));
        let mut roots = vec![nowhere];
        let mut by_object = Vec::with_capacity(merged.len());
        for (index, ranges) in merged.iter().enumerate() {
            let object = ObjectId::from_index(index);
            let mut list = Vec::with_capacity(ranges.len());
            for (at, &range) in ranges.iter().enumerate() {
                let root = sets.find(starts[index] + at);
                let class = *numbers.entry(root).or_insert_with(|| {
                    classes.push(Class::default());
                    roots.push(root);
                    ClassId::from_index(classes.len() - 1)
                });
                classes[class.index()].regions.push(Region {
                    object,
                    start: range.start,
                    end: range.end,
                });
                list.push((range, class));
            }
            by_object.push(list);
        }
        for (data, root) in classes.iter_mut().zip(roots) {
            data.widths = widths.remove(&root).unwrap_or_default();
            let exact = exact.get(&root).copied().unwrap_or(true);
            describe(program, solution, data, exact, taken, graph);
        }
        Classes {
            classes,
            by_object,
            nowhere: ClassId(0),
        }
    }

    /// The class that all bytes of a range are in. Bytes that nothing touches are nowhere.
    pub fn at(&self, object: ObjectId, range: Range) -> Option<Spot> {
        let list = &self.by_object[object.index()];
        let first = list.partition_point(|(r, _)| r.end <= range.start);
        match list.get(first) {
            Some(&(region, class)) if region.start < range.end => {
                let inside = region.start <= range.start && range.end <= region.end;
                inside.then_some(Spot {
                    class,
                    at_start: region.start == range.start,
                })
            }
            _ => Some(Spot {
                class: self.nowhere,
                at_start: true,
            }),
        }
    }

    /// The classes of the regions; several only where no access of the program is that wide.
    pub fn of_regions(&self, regions: &[(ObjectId, Range)]) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = regions
            .iter()
            .flat_map(|&(object, range)| {
                let list = &self.by_object[object.index()];
                let first = list.partition_point(|(r, _)| r.end <= range.start);
                list[first..]
                    .iter()
                    .take_while(move |(r, _)| r.start < range.end)
                    .map(|&(_, class)| class)
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Pointers from outside may lead to the same memory, and to all that left the program, as far as C's types allow: what is
/// accessed as scalars of one width, and everything by its bytes.
fn unite_outside(
    solution: &Solution,
    accesses: &[Access],
    mut unite: impl FnMut((ObjectId, Range), (ObjectId, Range)),
) {
    let outside = |access: &Access| {
        let mut regions = access.regions.iter();
        regions
            .find(|(object, _)| solution.object(*object).escaped)
            .copied()
    };
    let any_bytes = accesses
        .iter()
        .any(|access| access.kind == Kind::Bytes && outside(access).is_some());
    let mut first: FxHashMap<(Kind, u64), (ObjectId, Range)> = FxHashMap::default();
    for access in accesses {
        let Some(region) = outside(access) else { continue };
        let key = match any_bytes {
            true => (Kind::Bytes, 0),
            false => (access.kind, access.width),
        };
        let known = *first.entry(key).or_insert(region);
        unite(known, region);
    }
}

fn describe(
    program: &Program,
    solution: &Solution,
    class: &mut Class,
    exact: bool,
    taken: &AddressTaken,
    graph: &CallGraph,
) {
    let [region] = class.regions[..] else { return };
    let object = solution.object(region.object);
    let ObjectKind::Var(var) = object.kind else {
        return;
    };
    let data = &program.vars[var];
    if program.types.is_scalar(data.ty) && !taken.contains(var) {
        class.variable = Some(var);
    }
    // A local whose address is taken may be met in several frames of a recursion.
    let recursive = data.function.is_some_and(|function| graph.is_recursive(function));
    let one_instance = matches!(data.kind, VarKind::Global(_)) || !taken.contains(var) || !recursive;
    let in_array = layout::is_repeated(&program.types, object.layout, region.start);
    class.is_single = one_instance && exact && class.widths.len() == 1 && !in_array;
}

/// Sorts ranges and joins those that overlap.
fn merge(ranges: &mut Vec<Range>) {
    ranges.sort_unstable();
    let mut merged: Vec<Range> = Vec::new();
    for &range in ranges.iter() {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    *ranges = merged;
}

/// Each place that is read or written in what is reached, once; records by their scalars.
fn all_accesses(program: &Program, solution: &Solution, reached: &[bool]) -> Vec<Access> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |place: PlaceId, found: &mut Vec<Access>| {
        if seen.insert(place) {
            found.extend(accesses(program, solution, place));
        }
    };
    for (id, function) in program.functions.iter() {
        let Some(body) = function.body.as_ref().filter(|_| reached[id.index()]) else {
            continue;
        };
        for &edge in body.locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
            let (reads, write) = touched_places(program, &program.edges[edge].kind);
            for place in reads.into_iter().chain(write) {
                add(place, &mut found);
            }
            found.extend(outside_accesses(program, solution, &program.edges[edge].kind));
            found.extend(moved_bytes(program, solution, &program.edges[edge].kind));
        }
        for &param in &function.params {
            let start = [(solution.var_object(param), Offset::At(0))];
            found.extend(accesses_at(program, solution, &start, program.vars[param].ty));
        }
    }
    for var in program.vars.values() {
        if let VarKind::Global(Initial::Values(initial)) = &var.kind {
            for &(place, _) in initial {
                add(place, &mut found);
            }
        }
    }
    found
}

/// What a library function copies between arrays of characters, if it is not known how much: a pointer that may lead into several of
/// them is read as if the program did so itself, and they are one class then. The first element stands for all.
fn moved_bytes(program: &Program, solution: &Solution, edge: &EdgeKind) -> Vec<Access> {
    let EdgeKind::Call {
        callee: Callee::Direct(function),
        arguments,
        ..
    } = edge
    else {
        return Vec::new();
    };
    let data = &program.functions[*function];
    let row = &library::of(&data.name).function;
    let Some(copies) = row.copies.filter(|_| data.body.is_none()) else {
        return Vec::new();
    };
    let size = match row.parameter(copies.to).writes {
        Some(library::Extent::Argument(size)) => arguments.get(size),
        _ => None,
    };
    let is_number = |&size: &ExprId| matches!(program.expr(size).kind, ExprKind::Int(_));
    if size.is_none_or(is_number) {
        return Vec::new();
    }
    let moved = [copies.to, copies.from].into_iter().filter_map(|at| {
        let mut pointer = *arguments.get(at)?;
        while let ExprKind::Cast { operand, .. } = program.expr(pointer).kind {
            pointer = operand;
        }
        let ty = program.types.pointee(program.expr(pointer).ty)?;
        let targets = solution.targets(program, pointer);
        let is_byte = program.types.is_scalar(ty) && program.types.size(ty) == 1;
        (is_byte && (2..=MAX_SOURCES).contains(&targets.len())).then(|| Access {
            regions: solution.regions(program, &targets, 1),
            width: 1,
            kind: kind(&program.types, ty),
        })
    });
    moved.collect()
}

/// What a call of a function without a body may access of the memory that left the program: other pointers may lead there.
/// A function of the library looks at bytes; another one at what its argument points to, which may be anything unless it is a
/// number.
fn outside_accesses(program: &Program, solution: &Solution, edge: &EdgeKind) -> Vec<Access> {
    let EdgeKind::Call {
        callee, arguments, ..
    } = edge
    else {
        return Vec::new();
    };
    let is_known = match *callee {
        Callee::Direct(function) if program.functions[function].body.is_some() => return Vec::new(),
        Callee::Direct(function) => !library::of(&program.functions[function].name)
            .function
            .is_unknown(),
        Callee::Indirect(_) => true,
    };
    let types = &program.types;
    let accesses = arguments.iter().filter_map(|&argument| {
        let mut targets = solution.given(program, argument);
        targets.retain(|&(object, _)| solution.object(object).escaped);
        if targets.is_empty() {
            return None;
        }
        let pointee = types.pointee(program.expr(argument).ty);
        let number = pointee.filter(|&ty| !is_known && types.is_scalar(ty) && !types.is_pointer(ty));
        let (width, kind) = number.map_or((1, Kind::Bytes), |ty| (types.size(ty), kind(types, ty)));
        Some(Access {
            regions: solution.regions(program, &targets, width),
            width,
            kind,
        })
    });
    accesses.collect()
}

/// The accesses that reading or writing a place is made of: one for a scalar, one for each scalar of a record.
pub(crate) fn accesses(program: &Program, solution: &Solution, place: PlaceId) -> Vec<Access> {
    let addresses = solution.addresses(program, place);
    let ty = program.place(place).ty;
    if program.types.is_aggregate(ty) {
        return accesses_at(program, solution, &addresses, ty);
    }
    let width = width(program, place);
    let kind = match program.bit_field(place) {
        Some(_) => Kind::Bytes,
        None => kind(&program.types, ty),
    };
    vec![Access {
        regions: solution.regions(program, &addresses, width),
        width,
        kind,
    }]
}

fn accesses_at(program: &Program, solution: &Solution, addresses: &[Lead], ty: TypeId) -> Vec<Access> {
    leaves(&program.types, ty)
        .into_iter()
        .map(|leaf| {
            let mut at = addresses.to_vec();
            if leaf.offset > 0 {
                at = solution.shifted(program, &at, Shift::Member(leaf.offset));
            }
            if let Some(element) = leaf.element {
                at = solution.shifted(program, &at, Shift::Index(element));
            }
            Access {
                regions: solution.regions(program, &at, leaf.width),
                width: leaf.width,
                kind: leaf.kind,
            }
        })
        .collect()
}

/// All places that an edge reads as a whole, and the one it writes.
pub fn touched_places(program: &Program, edge: &EdgeKind) -> (Vec<PlaceId>, Option<PlaceId>) {
    let write = match edge {
        EdgeKind::Assign { place, .. } | EdgeKind::Havoc { place, .. } => Some(*place),
        EdgeKind::Call { result, .. } => *result,
        EdgeKind::Assume { .. } | EdgeKind::Return { .. } | EdgeKind::Unsupported { .. } => None,
    };
    let mut reads = Vec::new();
    let mut walk = Walk::new();
    walk.add_edge(edge);
    while let Some(node) = walk.next(program) {
        if let Node::Expr(expr) = node
            && let ExprKind::Read(place) = program.expr(expr).kind
        {
            reads.push(place);
        }
    }
    (reads, write)
}

/// Disjoint sets.
struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    fn new(count: usize) -> Sets {
        let count = u32::try_from(count).expect("fewer than 2^32 regions");
        Sets {
            parents: (0..count).collect(),
        }
    }

    fn find(&mut self, at: usize) -> usize {
        let mut root = at as u32;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        let mut at = at as u32;
        while self.parents[at as usize] != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        root as usize
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number stays the root: results do not depend on the order of the accesses.
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.parents[high] = low as u32;
    }
}
