//! Storage that only ever holds one of some constants, or what such storage holds: the states of a machine, a choice among
//! commands.
//!
//! A predicate `state == 4368` is hardly ever alone: round after round the loop would learn another constant of the same
//! storage. Storage that is copied from one to the other is a class; the constants that any of it is given or compared with are
//! those of the class. When one of them matters, all do. What is computed in any other way, as a counter is, has no constants.
//!
//! This is a guess about which predicates will be needed, so it goes by the text of the program: aliases are passed over.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use logic::{Op, Sort, Term};
use program::EdgeId;
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Effect, Semantics, Step, Storage};
use verdict::Task;

/// Of storage with more constants, each is learned by itself.
const MOST: usize = 64;

/// Which constants storage takes part with.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    /// Each storage, with another one of its class that is nearer to the class's first, and itself if it is the first.
    nearer: IndexMap<Term, usize, FxBuildHasher>,
    /// Of the first of each class.
    classes: Vec<Class>,
}

#[derive(Clone, Debug, Default)]
struct Class {
    constants: BTreeSet<Term>,
    is_computed: bool,
}

impl Constants {
    pub fn new(semantics: &mut Semantics<'_>, task: &Task<'_>) -> Constants {
        let mut constants = Constants::default();
        let program = semantics.program;
        for function in task.calls.reachable_from(task.entry) {
            let body = program.functions[function].body.as_ref();
            let locs = body.map_or(&[][..], |body| &body.locs);
            for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
                constants.add_edge(semantics, edge);
            }
        }
        constants
    }

    /// The predicates that go with one: that its storage is another constant of its class.
    pub fn others(&mut self, semantics: &mut Semantics<'_>, predicate: Term) -> Vec<Term> {
        let Some((storage, _)) = comparison(semantics, predicate) else {
            return Vec::new();
        };
        let Some(class) = self.class_of(storage) else {
            return Vec::new();
        };
        let constants: Vec<Term> = class.constants.iter().copied().collect();
        let others = constants
            .into_iter()
            .map(|constant| semantics.terms.eq(storage, constant));
        others.filter(|&other| other != predicate).collect()
    }

    /// All storage that has constants.
    pub fn storage(&mut self) -> FxHashSet<Term> {
        let all: Vec<Term> = self.nearer.keys().copied().collect();
        all.into_iter()
            .filter(|&storage| self.class_of(storage).is_some())
            .collect()
    }

    fn class_of(&mut self, storage: Term) -> Option<&Class> {
        let at = self.nearer.get_index_of(&storage)?;
        let first = self.first(at);
        let class = &self.classes[first];
        let is_told = !class.is_computed && (2..=MOST).contains(&class.constants.len());
        is_told.then_some(class)
    }

    fn add_edge(&mut self, semantics: &mut Semantics<'_>, edge: EdgeId) {
        for step in semantics.ways(edge) {
            for step in [Some(step), step.leave()].into_iter().flatten() {
                if matches!(step, Step::Elsewhere(_)) {
                    continue;
                }
                // What has no meaning gives no constants.
                if let Ok(effect) = semantics.effect(step) {
                    self.add_effect(semantics, &effect);
                }
            }
        }
    }

    fn add_effect(&mut self, semantics: &mut Semantics<'_>, effect: &Effect) {
        for atom in semantics.terms.atoms(effect.guard) {
            if let Some((storage, constant)) = comparison(semantics, atom) {
                let class = self.at(storage);
                self.classes[class].constants.insert(constant);
            }
        }
        for &(symbol, value) in &effect.updates {
            if !matches!(semantics.storage_of(symbol), Some(Storage::Memory(_))) {
                let storage = semantics.terms.symbol_term(symbol);
                self.add_values(semantics, storage, value);
                continue;
            }
            let memory = semantics.terms.symbol_term(symbol);
            let mut after = value;
            while let (Op::Store, &[below, at, stored]) =
                (semantics.terms.op(after), semantics.terms.args(after))
            {
                let cell = semantics.terms.select(memory, at);
                self.add_values(semantics, cell, stored);
                after = below;
            }
        }
    }

    /// What may be stored: one of several values, each a constant, a copy, or computed.
    fn add_values(&mut self, semantics: &mut Semantics<'_>, storage: Term, value: Term) {
        if !matches!(semantics.terms.sort(storage), Sort::BitVec(_)) {
            return;
        }
        let class = self.at(storage);
        let mut open = vec![value];
        while let Some(next) = open.pop() {
            match (semantics.terms.op(next), semantics.terms.args(next)) {
                (Op::Ite, &[_, yes, no]) => open.extend([yes, no]),
                (Op::Word(_), _) => {
                    self.classes[class].constants.insert(next);
                }
                _ if is_storage(semantics, next) => {
                    let other = self.at(next);
                    self.join(class, other);
                }
                // What comes from outside is compared with constants where it matters.
                (Op::Symbol(_), _) => {}
                _ => {
                    let first = self.first(class);
                    self.classes[first].is_computed = true;
                }
            }
        }
    }

    /// The class of a storage, made where there is none.
    fn at(&mut self, storage: Term) -> usize {
        let next = self.nearer.len();
        let at = *self.nearer.entry(storage).or_insert(next);
        if self.classes.len() < self.nearer.len() {
            self.classes.push(Class::default());
        }
        self.first(at)
    }

    fn first(&mut self, mut at: usize) -> usize {
        while self.nearer[at] != at {
            let beyond = self.nearer[self.nearer[at]];
            self.nearer[at] = beyond;
            at = beyond;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        let (one, other) = (one.min(other), one.max(other));
        if one != other {
            let joined = std::mem::take(&mut self.classes[other]);
            self.nearer[other] = one;
            self.classes[one].constants.extend(joined.constants);
            self.classes[one].is_computed |= joined.is_computed;
        }
    }
}

/// The storage and the constant that a formula says are equal.
pub(crate) fn comparison(semantics: &Semantics<'_>, formula: Term) -> Option<(Term, Term)> {
    let terms = &semantics.terms;
    let (Op::Eq, &[one, other]) = (terms.op(formula), terms.args(formula)) else {
        return None;
    };
    let is_word = |term| matches!(terms.op(term), Op::Word(_));
    match (is_word(one), is_word(other)) {
        (false, true) if is_storage(semantics, one) => Some((one, other)),
        (true, false) if is_storage(semantics, other) => Some((other, one)),
        _ => None,
    }
}

/// Whether a term is what storage holds: a variable, or a cell of memory.
fn is_storage(semantics: &Semantics<'_>, term: Term) -> bool {
    let terms = &semantics.terms;
    let symbol = match (terms.op(term), terms.args(term)) {
        (Op::Symbol(symbol), _) => symbol,
        (Op::Select, &[memory, _]) => match terms.as_symbol(memory) {
            Some(symbol) => symbol,
            None => return false,
        },
        _ => return false,
    };
    matches!(
        semantics.storage_of(symbol),
        Some(Storage::Variable(..) | Storage::Memory(_) | Storage::Result(..))
    )
}

#[cfg(test)]
mod tests {
    use points_to::PointsTo;
    use program::CallGraph;
    use semantics::AliasMemory;

    use super::*;

    /// The predicates that go with `name == number`, for a global variable.
    fn others(text: &str, name: &str, number: u128) -> Vec<String> {
        let program = c_frontend::load_text("test.c", text, &c_frontend::Options::default())
            .expect("the test's program is right")
            .program;
        let entry = program.function_named("main").expect("there is a main");
        let points_to = PointsTo::new(&program, &[entry]);
        let memory = AliasMemory::new(&program, &points_to);
        let mut semantics = Semantics::new(&program, &memory);
        let calls = CallGraph::new(&program, &points_to);
        let task = Task {
            program: &program,
            calls: &calls,
            entry,
            errors: &[],
            followed: &[],
        };
        let mut constants = Constants::new(&mut semantics, &task);
        let mut vars = program.vars.iter();
        let (var, _) = vars
            .find(|(_, var)| var.name == name)
            .expect("the program has the variable");
        let value = semantics.current(Storage::Variable(var, 0));
        let number = semantics.terms.word(32, number);
        let predicate = semantics.terms.eq(value, number);
        let mut others: Vec<String> = constants
            .others(&mut semantics, predicate)
            .into_iter()
            .map(|other| semantics.to_c(other))
            .collect();
        others.sort();
        others
    }

    #[test]
    fn copies_share_their_constants() {
        let text = "int state = 3, next, seen; int input(void);
            void step(int to) { if (to == 7) next = 9; else next = to; }
            int main(void) { state = 5; step(4); state = next; if (seen == 11) seen = input(); }";
        let expected = ["state == 4", "state == 7", "state == 9"];
        assert_eq!(others(text, "state", 5), expected);
        assert_eq!(others(text, "next", 5).len(), 3);
    }

    #[test]
    fn counters_have_none() {
        let text = "int n; int main(void) { n = 0; while (n != 10) n = n + 1; if (n == 3) n = 4; }";
        assert_eq!(others(text, "n", 3), [""; 0]);
    }

    #[test]
    fn what_is_read_from_outside_has_those_it_is_compared_with() {
        let text = "int c; int input(void);
            int main(void) { c = input(); if (c == 1) return 1; if (c == 2) return 2; return 0; }";
        assert_eq!(others(text, "c", 2), ["c == 1"]);
    }
}
