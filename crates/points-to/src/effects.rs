//! What each function may read and write, itself and through the functions it calls: sets of alias classes. The
//! functions of a recursion share one set.

use program::{AddressTaken, CallGraph, CallSite, FuncId, Id, PlaceId, Program, VarKind};
use rustc_hash::FxHashMap;

use crate::classes::{Class, ClassId, Classes, accesses, touched_places};
use crate::library::Library;
use crate::object::ObjectKind;
use crate::solution::Solution;

/// A set of classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSet {
    words: Vec<u64>,
}

impl ClassSet {
    pub fn insert(&mut self, class: ClassId) {
        let word = class.index() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (class.index() % 64);
    }

    pub fn contains(&self, class: ClassId) -> bool {
        self.words
            .get(class.index() / 64)
            .is_some_and(|word| word >> (class.index() % 64) & 1 == 1)
    }

    pub fn extend(&mut self, other: &ClassSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| ClassId::from_index(at * 64 + bit))
        })
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

/// What a call of a function may read and write that outlives the call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: ClassSet,
    pub writes: ClassSet,
}

impl Effects {
    fn extend(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }
}

/// The effects of all functions.
pub(crate) fn effects(
    program: &Program,
    solution: &Solution,
    classes: &Classes,
    graph: &CallGraph,
    reached: &[bool],
    taken: &AddressTaken,
) -> Vec<Effects> {
    let private: Vec<bool> = classes
        .classes
        .iter()
        .map(|class| is_private(program, solution, class, taken))
        .collect();
    let mut all: Vec<Effects> = vec![Effects::default(); program.functions.len()];
    let mut of_place = PlaceClasses {
        program,
        solution,
        classes,
        private,
        known: FxHashMap::default(),
    };
    let library = Library {
        program,
        solution,
        classes,
    };
    for component in graph.components() {
        let mut shared = Effects::default();
        for &function in component.iter().filter(|f| reached[f.index()]) {
            own_effects(function, &mut of_place, &mut shared);
            library_effects(program, &library, graph.sites_in(function), &mut shared);
            for callee in graph.callees(function) {
                shared.extend(&all[callee.index()]);
            }
        }
        for &function in component {
            all[function.index()] = shared.clone();
        }
    }
    all
}

/// Whether the class is nothing but locals that only their own function can name.
fn is_private(program: &Program, solution: &Solution, class: &Class, taken: &AddressTaken) -> bool {
    class
        .regions
        .iter()
        .all(|region| match solution.object(region.object).kind {
            ObjectKind::Var(var) => {
                !matches!(program.vars[var].kind, VarKind::Global(_)) && !taken.contains(var)
            }
            _ => false,
        })
}

/// The classes of each place, computed once, without those that only their own function can name.
struct PlaceClasses<'a> {
    program: &'a Program,
    solution: &'a Solution,
    classes: &'a Classes,
    private: Vec<bool>,
    known: FxHashMap<PlaceId, Vec<ClassId>>,
}

impl PlaceClasses<'_> {
    fn add(&mut self, place: PlaceId, into: &mut ClassSet) {
        let classes = self.known.entry(place).or_insert_with(|| {
            accesses(self.program, self.solution, place)
                .iter()
                .flat_map(|access| self.classes.of_regions(&access.regions))
                .filter(|class| !self.private[class.index()])
                .collect()
        });
        for &class in classes.iter() {
            into.insert(class);
        }
    }
}

fn own_effects(function: FuncId, of_place: &mut PlaceClasses<'_>, into: &mut Effects) {
    let program = of_place.program;
    let body = program.functions[function].body.as_ref();
    let locs = body.map_or(&[][..], |body| &body.locs);
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        let (reads, write) = touched_places(program, &program.edges[edge].kind);
        for place in reads {
            of_place.add(place, &mut into.reads);
        }
        if let Some(place) = write {
            of_place.add(place, &mut into.writes);
        }
    }
}

/// What the library functions that are called read and write.
fn library_effects(program: &Program, library: &Library<'_>, sites: &[CallSite], into: &mut Effects) {
    for site in sites {
        let undefined = site
            .targets
            .iter()
            .filter(|f| program.functions[**f].body.is_none());
        for &function in undefined {
            let touched = library.touched(site.edge, function);
            touched
                .reads
                .into_iter()
                .for_each(|class| into.reads.insert(class));
            touched
                .writes
                .into_iter()
                .for_each(|class| into.writes.insert(class));
        }
    }
}
