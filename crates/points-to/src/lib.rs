//! Which memory accesses may touch the same byte, what calls through pointers may reach, and what functions read and
//! write. One analysis of the whole program gives all of it: inclusion-based (after Andersen), insensitive to the
//! order of statements and to calling contexts, sensitive to the fields of objects as far as their types allow.
//!
//! Start at [`PointsTo::new`]. What the answers rest on:
//!
//! - Pointer arithmetic stays inside the object, and arithmetic by whole elements inside the array it starts in;
//!   to leave it is undefined. Arithmetic on byte pointers goes anywhere in the object, and so does stepping back from
//!   a member to the struct around it.
//! - All elements of an array are one. Members of a union that holds arrays are one; members of other unions are told
//!   apart by their bytes.
//! - Integers carry the pointers that were cast to them, in every integer type; arithmetic in types that have no room
//!   for an address loses them. An integer that came from no pointer is no address, except that constants are
//!   addresses of memory that is no object of the program's.
//! - A function without a body that is not known by its name reads and writes nothing and calls nothing. A pointer it
//!   returns leads to memory of its own, separate from what the program makes and from what other calls return; values
//!   of different types behind it are separate, and what lies behind pointers in it is shared by all such memory. The same holds for what undefined global variables hold and for the
//!   arguments of the function that the program starts with.
//! - Each call of an allocation function, or of a function that merely returns fresh memory, is one object, however
//!   often it runs.

mod classes;
mod copies;
mod effects;
mod fresh;
mod generate;
mod layout;
mod library;
mod object;
mod solution;
mod solve;
mod values;

use program::{
    AddressTaken, CallGraph, CallResolver, Callee, EdgeId, EdgeKind, ExprId, FuncId, Id, PlaceId, Printer,
    Program, VarId,
};
use rustc_hash::FxHashMap;

pub use classes::{Class, ClassId, Region, Spot, touched_places};
pub use effects::{ClassSet, Effects};
pub use library::Touched;
pub use object::{Input, ObjectId, ObjectKind};

use classes::Classes;
use layout::{Layout, Offset};
use solution::Solution;

/// A place that a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointee {
    pub object: ObjectId,
    /// In folded bytes; `None` is anywhere in the object.
    pub offset: Option<u64>,
}

/// What a call through a pointer may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTargets {
    pub functions: Vec<FuncId>,
    /// Whether the pointer may be something other than the address of one of the functions: an input, or undefined.
    pub other: bool,
}

/// The result of the analysis. It answers for the program it was made from and for expressions and places added to
/// that program later.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solution: Solution,
    classes: Classes,
    effects: Vec<Effects>,
    reached: Vec<bool>,
    calls: FxHashMap<EdgeId, Vec<FuncId>>,
}

impl PointsTo {
    /// Analyses all that may run when one of the entries is called.
    pub fn new(program: &Program, entries: &[FuncId]) -> PointsTo {
        let mut generator = generate::Generator::new(program);
        generator.run(entries);
        let calls = generator.calls();
        let generate::Generator {
            values, reached, own, ..
        } = generator;
        let solution = Solution::new(values, &own);
        let taken = AddressTaken::new(program);
        let graph = CallGraph::new(program, &Calls(&calls));
        let classes = Classes::new(program, &solution, &reached, &taken, &graph);
        let effects = effects::effects(program, &solution, &classes, &graph, &reached, &taken);
        PointsTo {
            solution,
            classes,
            effects,
            reached,
            calls,
        }
    }

    /// Whether a function may run. Nothing is known of the inside of others.
    pub fn is_reached(&self, function: FuncId) -> bool {
        self.reached[function.index()]
    }

    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, ObjectKind)> + '_ {
        let kinds = self.solution.objects.iter().map(|object| object.kind);
        kinds
            .enumerate()
            .map(|(at, kind)| (ObjectId::from_index(at), kind))
    }

    pub fn object(&self, object: ObjectId) -> ObjectKind {
        self.solution.object(object).kind
    }

    /// Whether what is outside of the program may have a pointer to the object.
    pub fn has_escaped(&self, object: ObjectId) -> bool {
        self.solution.object(object).escaped
    }

    /// Whether the bytes of an object are told apart.
    pub fn is_structured(&self, object: ObjectId) -> bool {
        self.solution.object(object).layout != Layout::Blurred
    }

    /// Where the value of an expression may point, functions included.
    pub fn pointees(&self, program: &Program, pointer: ExprId) -> Vec<Pointee> {
        public(self.solution.targets(program, pointer))
    }

    /// Where a place may be.
    pub fn addresses(&self, program: &Program, place: PlaceId) -> Vec<Pointee> {
        public(self.solution.addresses(program, place))
    }

    /// All classes; the first is that of the accesses that touch no memory.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        let classes = self.classes.classes.iter().enumerate();
        classes.map(|(at, class)| (ClassId::from_index(at), class))
    }

    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes.classes[class.index()]
    }

    /// The class of accesses that no run makes without undefined behaviour.
    pub fn nowhere(&self) -> ClassId {
        self.classes.nowhere
    }

    /// All classes of reading or writing a place of any type.
    pub fn classes_of(&self, program: &Program, place: PlaceId) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = classes::accesses(program, &self.solution, place)
            .iter()
            .flat_map(|access| self.classes.of_regions(&access.regions))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The classes of the memory that a call of a function without a body touches.
    pub fn touched(&self, program: &Program, call: EdgeId, function: FuncId) -> Touched {
        let library = library::Library {
            program,
            solution: &self.solution,
            classes: &self.classes,
        };
        library.touched(call, function)
    }

    /// The class of an access of `width` bytes that starts `offset` bytes into a place; see [`Spot`].
    pub fn class_at(&self, program: &Program, place: PlaceId, offset: u64, width: u64) -> Option<Spot> {
        self.spot(program, &self.solution.addresses(program, place), offset, width)
    }

    /// The class of such an access behind where a pointer points.
    pub fn class_behind(&self, program: &Program, pointer: ExprId, offset: u64, width: u64) -> Option<Spot> {
        self.spot(program, &self.solution.targets(program, pointer), offset, width)
    }

    /// The objects that a call allocates: its own, and those of the calls of the functions that merely return it.
    pub fn allocated(&self, program: &Program, call: EdgeId) -> Vec<ObjectId> {
        let heap: Vec<(ObjectId, EdgeId)> = self
            .objects()
            .filter_map(|(object, kind)| match kind {
                ObjectKind::Heap(edge) => Some((object, edge)),
                _ => None,
            })
            .collect();
        let mut calls = vec![call];
        let mut next = 0;
        while next < calls.len() {
            let allocator = program.locs[program.edges[calls[next]].from].function;
            next += 1;
            for &(_, edge) in &heap {
                if let EdgeKind::Call {
                    callee: Callee::Direct(callee),
                    ..
                } = program.edges[edge].kind
                    && callee == allocator
                    && !calls.contains(&edge)
                {
                    calls.push(edge);
                }
            }
        }
        let found = heap.into_iter().filter(|(_, edge)| calls.contains(edge));
        found.map(|(object, _)| object).collect()
    }

    /// The class of an access of `width` bytes that starts `offset` bytes into an object; see [`Spot`].
    pub fn class_in(&self, program: &Program, object: ObjectId, offset: u64, width: u64) -> Option<Spot> {
        self.spot(program, &[(object, Offset::At(0))], offset, width)
    }

    fn spot(
        &self,
        program: &Program,
        targets: &[(ObjectId, Offset)],
        offset: u64,
        width: u64,
    ) -> Option<Spot> {
        let mut found: Option<Spot> = None;
        for &(object, start) in targets {
            let data = self.solution.object(object);
            if matches!(data.kind, ObjectKind::Function(_)) {
                continue;
            }
            let at = match start {
                Offset::Any => Offset::Any,
                Offset::At(start) => {
                    let bytes = i128::from(start) + i128::from(offset);
                    match layout::fold(&program.types, data.layout, bytes) {
                        Some(at) => Offset::At(at),
                        // Outside the object: no run gets there.
                        None => continue,
                    }
                }
            };
            let range = self.solution.footprint(program, object, at, width);
            let spot = self.classes.at(object, range)?;
            match &mut found {
                None => found = Some(spot),
                Some(other) if other.class != spot.class => return None,
                Some(other) => other.at_start &= spot.at_start,
            }
        }
        Some(found.unwrap_or(Spot {
            class: self.classes.nowhere,
            at_start: true,
        }))
    }

    /// Whether the two places may share a byte.
    pub fn may_alias(&self, program: &Program, a: PlaceId, b: PlaceId) -> bool {
        let accesses = |place| classes::accesses(program, &self.solution, place);
        let (a, b) = (accesses(a), accesses(b));
        let b: Vec<_> = b.iter().flat_map(|access| &access.regions).collect();
        a.iter()
            .flat_map(|access| &access.regions)
            .any(|(object, range)| b.iter().any(|(other, r)| other == object && r.overlaps(*range)))
    }

    /// Whether an access of the place may touch that byte of that object: what a run does can be held against this.
    pub fn allows(&self, program: &Program, place: PlaceId, object: ObjectKind, byte: u64) -> bool {
        classes::accesses(program, &self.solution, place)
            .iter()
            .flat_map(|access| &access.regions)
            .any(|&(id, range)| {
                let data = self.solution.object(id);
                let folded = layout::fold(&program.types, data.layout, i128::from(byte));
                data.kind == object && folded.is_some_and(|byte| (range.start..range.end).contains(&byte))
            })
    }

    /// What a call edge may call, itself.
    pub fn call_targets(&self, program: &Program, edge: EdgeId) -> CallTargets {
        let functions = self.calls.get(&edge).cloned().unwrap_or_default();
        let other = match program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Indirect(pointer),
                ..
            } => {
                let targets = self.solution.targets(program, pointer);
                let is_function =
                    |object: ObjectId| matches!(self.solution.object(object).kind, ObjectKind::Function(_));
                targets.is_empty() || targets.iter().any(|&(object, _)| !is_function(object))
            }
            _ => false,
        };
        CallTargets { functions, other }
    }

    /// What a call of the function may read and write, itself or through others, that outlives the call.
    pub fn effects(&self, function: FuncId) -> &Effects {
        &self.effects[function.index()]
    }

    /// An object as a user knows it.
    pub fn describe_object(&self, program: &Program, object: ObjectId) -> String {
        let at = |edge: EdgeId| match &program.edges[edge].span {
            Some(span) => program.sources.describe_line(span),
            None => edge.to_string(),
        };
        let name = |var: VarId| program.vars[var].name.as_str();
        match self.object(object) {
            ObjectKind::Var(var) => match program.vars[var].function {
                Some(function) => format!("{} of {}", name(var), program.functions[function].name),
                None => name(var).to_owned(),
            },
            ObjectKind::Heap(edge) => format!("memory allocated at {}", at(edge)),
            ObjectKind::Function(function) => format!("function {}", program.functions[function].name),
            ObjectKind::Result(function) => format!("result of {}", program.functions[function].name),
            ObjectKind::Input(input, ty) => {
                let what = match ty {
                    Some(ty) => Printer::new(program).ty(ty),
                    None => "memory".to_owned(),
                };
                let from = match input {
                    Input::Call(edge) => format!("the call at {}", at(edge)),
                    Input::Global(var) | Input::Param(var) => name(var).to_owned(),
                    Input::Assembly(edge) => format!("the assembly at {}", at(edge)),
                    Input::Library(memory) => format!("the C library ({memory})"),
                    Input::Deeper => "further behind inputs".to_owned(),
                };
                format!("{what} from {from}")
            }
            ObjectKind::Absolute => "memory at a fixed address".to_owned(),
        }
    }

    /// A class in one line: what it covers, at which widths.
    pub fn describe_class(&self, program: &Program, class: ClassId) -> String {
        let data = self.class(class);
        let regions: Vec<String> = data
            .regions
            .iter()
            .map(|region| {
                let object = self.describe_object(program, region.object);
                match region.end {
                    u64::MAX => object,
                    end => format!("{object} [{}..{end}]", region.start),
                }
            })
            .collect();
        let widths: Vec<String> = data.widths.iter().map(u64::to_string).collect();
        format!("{} by {}", regions.join(", "), widths.join("/"))
    }
}

impl CallResolver for PointsTo {
    fn targets(&self, program: &Program, edge: EdgeId, pointer: ExprId) -> Vec<FuncId> {
        Calls(&self.calls).targets(program, edge, pointer)
    }

    fn callbacks(&self, program: &Program, edge: EdgeId) -> Vec<FuncId> {
        Calls(&self.calls).callbacks(program, edge)
    }
}

/// What was found out about calls.
struct Calls<'a>(&'a FxHashMap<EdgeId, Vec<FuncId>>);

impl CallResolver for Calls<'_> {
    fn targets(&self, _program: &Program, edge: EdgeId, _pointer: ExprId) -> Vec<FuncId> {
        self.0.get(&edge).cloned().unwrap_or_default()
    }

    fn callbacks(&self, _program: &Program, edge: EdgeId) -> Vec<FuncId> {
        self.0.get(&edge).cloned().unwrap_or_default()
    }
}

fn public(targets: Vec<(ObjectId, Offset)>) -> Vec<Pointee> {
    targets
        .into_iter()
        .map(|(object, offset)| Pointee {
            object,
            offset: match offset {
                Offset::At(offset) => Some(offset),
                Offset::Any => None,
            },
        })
        .collect()
}
