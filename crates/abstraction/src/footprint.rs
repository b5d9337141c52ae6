//! Which formulas have to do with each other: those that depend on the same storage.
//!
//! Storage that only says where a cell of memory lies connects nothing by itself: whatever pointer `p` is, the cells
//! `p->a` and `p->b` can hold any values. It does where a formula is about the pointer's own value, or where two cells
//! may be one.

use std::collections::BTreeSet;
use std::rc::Rc;

use logic::{Op, Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a formula depends on.
#[derive(Debug, Default)]
struct Footprint {
    /// Storage whose values matter: symbols and cells.
    values: FxHashSet<Term>,
    /// Storage that says where cells are, and the memories they are in.
    addresses: FxHashSet<Term>,
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    memory: Term,
    /// Its address without the constant part.
    base: Option<Term>,
    /// What its address depends on.
    symbols: BTreeSet<Symbol>,
}

/// How a part of a formula is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    Value,
    Address,
}

impl Footprint {
    fn new(terms: &mut Terms, formula: Term) -> Footprint {
        let mut footprint = Footprint::default();
        let mut seen: FxHashSet<(Term, Use)> = FxHashSet::default();
        let mut open = vec![(formula, Use::Value)];
        while let Some((term, part)) = open.pop() {
            if !seen.insert((term, part)) {
                continue;
            }
            match terms.op(term) {
                Op::Symbol(_) => footprint.add(term, part),
                Op::Select => footprint.add_read(terms, term, part, &mut open),
                _ => open.extend(terms.args(term).iter().map(|&argument| (argument, part))),
            }
        }
        footprint
    }

    fn add(&mut self, storage: Term, part: Use) {
        match part {
            Use::Value => self.values.insert(storage),
            Use::Address => self.addresses.insert(storage),
        };
    }

    fn add_read(&mut self, terms: &mut Terms, read: Term, part: Use, open: &mut Vec<(Term, Use)>) {
        let &[mut array, at] = terms.args(read) else {
            unreachable!("a read has two arguments")
        };
        // What was stored elsewhere in between matters, and whether it was elsewhere.
        let mut address = Use::Address;
        while terms.op(array) == Op::Store {
            let &[below, other, stored] = terms.args(array) else {
                unreachable!("a store has three arguments")
            };
            open.extend([(other, Use::Value), (stored, part)]);
            address = Use::Value;
            array = below;
        }
        if terms.as_symbol(array).is_none() {
            open.extend([(array, Use::Value), (at, Use::Value)]);
            return;
        }
        let cell = terms.select(array, at);
        self.add(cell, part);
        self.add(array, Use::Address);
        open.push((at, address));
        self.cells.push(Cell {
            memory: array,
            base: base(terms, at),
            symbols: terms.free_symbols(&[at]),
        });
    }

    fn is_linked(&self, other: &Footprint) -> bool {
        !self.values.is_disjoint(&other.values)
            || !self.values.is_disjoint(&other.addresses)
            || !self.addresses.is_disjoint(&other.values)
            || self
                .cells
                .iter()
                .any(|cell| other.cells.iter().any(|other| cell.may_be(other)))
    }
}

impl Cell {
    /// Whether two cells with different names may be one because of what their addresses have in common.
    fn may_be(&self, other: &Cell) -> bool {
        self.memory == other.memory && self.base != other.base && !self.symbols.is_disjoint(&other.symbols)
    }
}

/// An address without its constant part; `None` if there is nothing else.
fn base(terms: &mut Terms, address: Term) -> Option<Term> {
    if terms.as_word(address).is_some() {
        return None;
    }
    if terms.op(address) != Op::Add {
        return Some(address);
    }
    let arguments = terms.args(address).to_vec();
    arguments
        .into_iter()
        .filter(|&argument| terms.as_word(argument).is_none())
        .collect::<Vec<Term>>()
        .into_iter()
        .reduce(|one, other| terms.add(one, other))
}

/// The links between formulas, found once.
#[derive(Default)]
pub(crate) struct Footprints {
    of: FxHashMap<Term, Rc<Footprint>>,
    linked: FxHashMap<(Term, Term), bool>,
}

impl Footprints {
    fn of(&mut self, terms: &mut Terms, formula: Term) -> Rc<Footprint> {
        Rc::clone(
            self.of
                .entry(formula)
                .or_insert_with(|| Rc::new(Footprint::new(terms, formula))),
        )
    }

    pub fn are_linked(&mut self, terms: &mut Terms, one: Term, other: Term) -> bool {
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.linked.get(&key) {
            return known;
        }
        let linked = self.of(terms, one).is_linked(&self.of(terms, other));
        self.linked.insert(key, linked);
        linked
    }

    /// The literals that can bear on the formula: those linked to it, directly or through others.
    pub fn cone(&mut self, terms: &mut Terms, literals: &[Term], formula: Term) -> Vec<usize> {
        let mut rest: Vec<usize> = (0..literals.len()).collect();
        let mut open = vec![formula];
        let mut chosen = Vec::new();
        while let Some(next) = open.pop() {
            rest.retain(|&position| {
                let linked = self.are_linked(terms, next, literals[position]);
                if linked {
                    open.push(literals[position]);
                    chosen.push(position);
                }
                !linked
            });
        }
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use logic::random::Random;
    use logic::{ElementSort, Sort, SymbolInfo, Term, Terms};
    use solver::{Options, Solver, Want, Z3Solver};

    use super::Footprints;

    /// Formulas over pointers, an index and two memories.
    #[derive(Default)]
    struct Setting {
        terms: Terms,
        footprints: Footprints,
    }

    impl Setting {
        fn variable(&mut self, name: &str) -> Term {
            self.terms.var(name, Sort::BitVec(16), SymbolInfo::default())
        }

        fn plus(&mut self, term: Term, offset: u128) -> Term {
            let offset = self.terms.word(16, offset);
            self.terms.add(term, offset)
        }

        fn cell(&mut self, memory: &str, at: Term) -> Term {
            let element = ElementSort::BitVec(16);
            let sort = Sort::Array { index: 16, element };
            let memory = self.terms.var(memory, sort, SymbolInfo::default());
            self.terms.select(memory, at)
        }

        fn field(&mut self, memory: &str, pointer: &str, offset: u128) -> Term {
            let pointer = self.variable(pointer);
            let at = self.plus(pointer, offset);
            self.cell(memory, at)
        }

        fn is(&mut self, term: Term, value: u128) -> Term {
            let value = self.terms.word(16, value);
            self.terms.eq(term, value)
        }

        fn are_linked(&mut self, one: Term, other: Term) -> bool {
            self.footprints.are_linked(&mut self.terms, one, other)
        }
    }

    #[test]
    fn fields_of_one_object_are_apart() {
        let mut setting = Setting::default();
        let (state, mode, other) = (
            setting.field("m", "p", 4),
            setting.field("m", "p", 8),
            setting.field("n", "p", 4),
        );
        let (state, mode, other) = (setting.is(state, 1), setting.is(mode, 2), setting.is(other, 3));
        assert!(setting.are_linked(state, state));
        assert!(!setting.are_linked(state, mode));
        assert!(!setting.are_linked(state, other));
    }

    #[test]
    fn what_is_said_of_a_pointer_bears_on_what_it_points_to() {
        let mut setting = Setting::default();
        let state = setting.field("m", "p", 4);
        let state = setting.is(state, 1);
        let pointer = setting.variable("p");
        let null = setting.is(pointer, 0);
        assert!(setting.are_linked(state, null));
    }

    #[test]
    fn elements_that_may_be_one_are_linked() {
        let mut setting = Setting::default();
        let (p, i) = (setting.variable("p"), setting.variable("i"));
        let at = setting.terms.add(p, i);
        let element = setting.cell("m", at);
        let (element, field) = (setting.is(element, 1), setting.field("m", "p", 4));
        let field = setting.is(field, 2);
        assert!(setting.are_linked(element, field));
    }

    /// Formulas that are not linked can hold together if each can.
    #[test]
    fn what_is_not_linked_is_independent() {
        let mut setting = Setting::default();
        let mut solver = Z3Solver::new(&Options::default()).expect("Z3 starts");
        let mut random = Random::new(7);
        let mut apart = 0;
        for _ in 0..400 {
            let count = 2 + random.below(3);
            let formulas: Vec<Term> = (0..count).map(|_| formula(&mut setting, &mut random)).collect();
            let mut rest: Vec<usize> = (0..formulas.len()).collect();
            let mut groups: Vec<Vec<Term>> = Vec::new();
            while let Some(first) = rest.first().copied() {
                let left: Vec<Term> = rest.iter().map(|&index| formulas[index]).collect();
                let group = setting
                    .footprints
                    .cone(&mut setting.terms, &left, formulas[first]);
                let group: Vec<usize> = group.into_iter().map(|position| rest[position]).collect();
                rest.retain(|index| *index != first && !group.contains(index));
                let mut group: Vec<Term> = group.into_iter().map(|index| formulas[index]).collect();
                group.push(formulas[first]);
                groups.push(group);
            }
            apart += usize::from(groups.len() > 1);
            let mut is_sat =
                |formulas: &[Term]| solver.check(&mut setting.terms, formulas, Want::Verdict).is_sat();
            let each = groups.iter().all(|group| is_sat(group));
            let together = is_sat(&formulas);
            let text = || -> Vec<String> { formulas.iter().map(|&f| setting.terms.to_c(f)).collect() };
            assert_eq!(each, together, "{:?}", text());
        }
        assert!(apart > 100, "{apart}");
    }

    fn formula(setting: &mut Setting, random: &mut Random) -> Term {
        let pointers = ["p", "q", "i"];
        let pick = |random: &mut Random| pointers[random.below(pointers.len())];
        let cell = |setting: &mut Setting, random: &mut Random| {
            let memory = ["m", "n"][random.below(2)];
            let pointer = setting.variable(pick(random));
            let at = match random.below(3) {
                0 => {
                    let other = setting.variable(pick(random));
                    setting.terms.add(pointer, other)
                }
                1 => setting.cell("n", pointer),
                _ => pointer,
            };
            let offset = 4 * random.below(2) as u128;
            let at = setting.plus(at, offset);
            setting.cell(memory, at)
        };
        let equal = match random.below(5) {
            0 => {
                let (one, other) = (setting.variable(pick(random)), setting.variable(pick(random)));
                setting.terms.eq(one, other)
            }
            1 => {
                let one = setting.variable(pick(random));
                setting.is(one, 4 * random.below(2) as u128)
            }
            2 => {
                let (one, other) = (cell(setting, random), cell(setting, random));
                setting.terms.eq(one, other)
            }
            _ => {
                let one = cell(setting, random);
                setting.is(one, random.below(2) as u128)
            }
        };
        if random.below(2) == 0 {
            equal
        } else {
            setting.terms.not(equal)
        }
    }
}
