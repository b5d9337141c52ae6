//! What the analysis found, without the machinery that found it: it can be asked about any expression or place, also
//! about ones that were made after the analysis from parts of the program.

use program::{ExprId, ExprKind, Id, PlaceId, PlaceKind, Program, VarId};
use rustc_hash::FxHashMap;

use crate::layout::{self, Layout, Offset, Range, Shift};
use crate::object::{ObjectId, ObjectKind};
use crate::solve::NodeId;
use crate::values::{self, Values};

/// Where a pointer may lead: an object, and how far into it.
pub(crate) type Lead = (ObjectId, Offset);

#[derive(Clone, Debug)]
pub(crate) struct SolvedObject {
    pub kind: ObjectKind,
    pub layout: Layout,
    /// Whether pointers from outside may lead to it.
    pub escaped: bool,
    /// What pointers are stored where, in order; the second number is a set.
    cells: Vec<(Range, usize)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    pub objects: Vec<SolvedObject>,
    by_var: FxHashMap<VarId, ObjectId>,
    sets: Vec<Vec<Lead>>,
    values: FxHashMap<ExprId, Option<usize>>,
    /// What memory of the library's own is, by its name; asked by name only.
    own: FxHashMap<&'static str, usize>,
    /// What pointers that are made of numbers may lead to besides what the numbers were made of.
    exposed: Option<usize>,
}

impl Solution {
    pub fn new(values: Values<'_>, own: &FxHashMap<&'static str, NodeId>) -> Solution {
        let Values {
            solver,
            memo,
            exposed,
            ..
        } = values;
        let mut sets = Vec::new();
        let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut number = |node: NodeId| {
            *numbers.entry(solver.root(node)).or_insert_with(|| {
                let mut targets: Vec<Lead> = solver
                    .targets_of(node)
                    .into_iter()
                    .map(|target| solver.target_at(target))
                    .collect();
                targets.sort_unstable();
                sets.push(targets);
                sets.len() - 1
            })
        };
        let objects: Vec<SolvedObject> = solver
            .objects()
            .iter()
            .map(|object| SolvedObject {
                kind: object.kind,
                layout: object.layout,
                escaped: object.escaped,
                cells: object
                    .cells
                    .iter()
                    .map(|(&start, &(end, node))| (Range { start, end }, number(node)))
                    .collect(),
            })
            .collect();
        let values = memo
            .into_values()
            .into_iter()
            .map(|(expr, node)| (expr, node.map(&mut number)))
            .collect();
        let own = own.iter().map(|(&name, &node)| (name, number(node))).collect();
        let exposed = exposed.map(&mut number);
        let by_var = objects
            .iter()
            .enumerate()
            .filter_map(|(at, object)| match object.kind {
                ObjectKind::Var(var) => Some((var, ObjectId::from_index(at))),
                _ => None,
            })
            .collect();
        Solution {
            objects,
            by_var,
            sets,
            values,
            own,
            exposed,
        }
    }

    pub fn object(&self, id: ObjectId) -> &SolvedObject {
        &self.objects[id.index()]
    }

    pub fn var_object(&self, var: VarId) -> ObjectId {
        self.by_var[&var]
    }

    /// What the library has under a name.
    pub fn own(&self, memory: &str) -> &[Lead] {
        self.own.get(memory).map_or(&[], |&set| &self.sets[set])
    }

    /// All objects that left the program.
    pub fn escaped(&self) -> Vec<Lead> {
        let objects = self.objects.iter().enumerate();
        objects
            .filter(|(_, object)| object.escaped)
            .map(|(at, _)| (ObjectId::from_index(at), Offset::At(0)))
            .collect()
    }

    /// What pointers lead to that are stored where these point or further on.
    pub fn stored(&self, program: &Program, targets: &[Lead]) -> Vec<Lead> {
        let mut found: Vec<Lead> = Vec::new();
        for (object, range) in self.regions(program, targets, crate::library::BLOCK) {
            let cells = &self.object(object).cells;
            let first = cells.partition_point(|(r, _)| r.end <= range.start);
            let touched = cells[first..].iter().take_while(|(r, _)| r.start < range.end);
            found.extend(touched.flat_map(|&(_, set)| self.sets[set].iter().copied()));
        }
        tidy(&mut found);
        found
    }

    /// Where the value of an expression may point.
    pub fn targets(&self, program: &Program, expr: ExprId) -> Vec<Lead> {
        let known = |expr: ExprId| self.values.get(&expr);
        if let Some(set) = known(expr) {
            return set.map_or(Vec::new(), |set| self.sets[set].clone());
        }
        // An expression that the analysis did not see: put together from those it is made of.
        let mut found: FxHashMap<ExprId, Vec<Lead>> = FxHashMap::default();
        let mut pending = vec![expr];
        while let Some(&at) = pending.last() {
            if found.contains_key(&at) {
                pending.pop();
                continue;
            }
            if let Some(set) = known(at) {
                found.insert(at, set.map_or(Vec::new(), |set| self.sets[set].clone()));
                continue;
            }
            let sources = values::sources(program, at);
            let missing: Vec<ExprId> = sources
                .iter()
                .copied()
                .filter(|s| !found.contains_key(s))
                .collect();
            if missing.is_empty() {
                let targets = self.compute(program, at, &sources, &found);
                found.insert(at, targets);
            } else {
                pending.extend(missing);
            }
        }
        found
            .remove(&expr)
            .expect("the last expression taken off the stack")
    }

    /// Where the pointers in the value of an expression of record type may lead.
    pub(crate) fn held(&self, program: &Program, expr: ExprId) -> Vec<Lead> {
        let mut found = Vec::new();
        let mut pending = vec![expr];
        while let Some(at) = pending.pop() {
            match program.expr(at).kind {
                ExprKind::Read(place) => {
                    found.extend(self.stored(program, &self.addresses(program, place)));
                }
                ExprKind::Conditional { then, otherwise, .. } => pending.extend([then, otherwise]),
                ExprKind::Cast { operand, .. } => pending.push(operand),
                _ => {}
            }
        }
        tidy(&mut found);
        found
    }

    /// Where what a function is given may lead: a pointer, or those in a record.
    pub(crate) fn given(&self, program: &Program, argument: ExprId) -> Vec<Lead> {
        match program.types.is_aggregate(program.expr(argument).ty) {
            true => self.held(program, argument),
            false => self.targets(program, argument),
        }
    }

    fn compute(
        &self,
        program: &Program,
        expr: ExprId,
        sources: &[ExprId],
        found: &FxHashMap<ExprId, Vec<Lead>>,
    ) -> Vec<Lead> {
        let followed = || sources.first().map_or(&[][..], |pointer| &found[pointer]);
        match program.expr(expr).kind {
            ExprKind::AddressOf(place) => self.addresses_from(program, place, followed()),
            ExprKind::Read(place) if program.types.is_scalar(program.expr(expr).ty) => {
                let addresses = self.addresses_from(program, place, followed());
                let width = values::width(program, place);
                let mut targets: Vec<Lead> = addresses
                    .iter()
                    .flat_map(|&(object, offset)| {
                        let range = self.footprint(program, object, offset, width);
                        let cells = &self.object(object).cells;
                        let first = cells.partition_point(|(r, _)| r.end <= range.start);
                        cells[first..]
                            .iter()
                            .take_while(move |(r, _)| r.start < range.end)
                    })
                    .flat_map(|&(_, set)| self.sets[set].iter().copied())
                    .collect();
                tidy(&mut targets);
                targets
            }
            ExprKind::Function(function) => self.whole(ObjectKind::Function(function)),
            _ if values::is_numeric_address(program, expr) => self.whole(ObjectKind::Absolute),
            // There is such an object only if numbers may be addresses.
            ExprKind::Int(_) if values::may_be_address(program, expr) => self.whole(ObjectKind::Absolute),
            ExprKind::Read(_) | ExprKind::Int(_) => Vec::new(),
            _ => {
                let mut targets: Vec<Lead> = sources
                    .iter()
                    .flat_map(|source| found[source].iter().copied())
                    .collect();
                if let Some(shift) = values::shift_of(program, expr) {
                    targets = self.shifted(program, &targets, shift);
                }
                if values::is_made_pointer(program, expr)
                    && let Some(set) = self.exposed
                {
                    targets.extend(self.shifted(program, &self.sets[set], Shift::Anywhere));
                }
                tidy(&mut targets);
                targets
            }
        }
    }

    fn whole(&self, kind: ObjectKind) -> Vec<Lead> {
        let found = self.objects.iter().position(|object| object.kind == kind);
        found
            .map(|at| (ObjectId::from_index(at), Offset::At(0)))
            .into_iter()
            .collect()
    }

    pub fn shifted(&self, program: &Program, targets: &[Lead], shift: Shift) -> Vec<Lead> {
        let mut moved: Vec<Lead> = targets
            .iter()
            .flat_map(|&(object, offset)| {
                let data = self.object(object);
                let offsets = match data.kind {
                    ObjectKind::Function(_) => vec![offset],
                    _ => layout::shift(&program.types, data.layout, offset, shift),
                };
                offsets.into_iter().map(move |offset| (object, offset))
            })
            .collect();
        tidy(&mut moved);
        moved
    }

    /// Where a place may be.
    pub fn addresses(&self, program: &Program, place: PlaceId) -> Vec<Lead> {
        match values::followed_pointer(program, place) {
            Some(pointer) => self.addresses_from(program, place, &self.targets(program, pointer)),
            None => self.addresses_from(program, place, &[]),
        }
    }

    fn addresses_from(&self, program: &Program, place: PlaceId, followed: &[Lead]) -> Vec<Lead> {
        let (base, steps) = values::path(program, place);
        let (mut addresses, object) = match program.place(base).kind {
            PlaceKind::Var(var) => {
                let object = self.var_object(var);
                (vec![(object, Offset::At(0))], Some(object))
            }
            _ => (followed.to_vec(), None),
        };
        for step in steps {
            addresses = self.shifted(program, &addresses, step);
            if let Some(object) = object
                && addresses.len() != 1
            {
                // Outside of what the type describes, or in several places: anywhere in the object.
                addresses = vec![(object, Offset::Any)];
            }
        }
        addresses
    }

    pub fn footprint(&self, program: &Program, object: ObjectId, offset: Offset, width: u64) -> Range {
        layout::footprint(&program.types, self.object(object).layout, offset, width)
    }

    /// The bytes of memory that an access at one of the addresses may touch.
    pub fn regions(&self, program: &Program, addresses: &[Lead], width: u64) -> Vec<(ObjectId, Range)> {
        let mut found: Vec<(ObjectId, Range)> = addresses
            .iter()
            .filter(|(object, _)| !matches!(self.object(*object).kind, ObjectKind::Function(_)))
            .map(|&(object, offset)| (object, self.footprint(program, object, offset, width)))
            .collect();
        tidy(&mut found);
        found
    }
}

fn tidy<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}
