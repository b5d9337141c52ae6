//! Formulas without arrays. Every read of an array becomes what its stores say by comparing addresses, and what a read finds in
//! an array of which nothing is known becomes a symbol of its own; such reads of one array at equal addresses are equal. What is
//! left are words, whose bits a SAT solver can have: on questions of bounded search that is many times quicker than
//! the theory of arrays, which finds out about each pair of addresses by itself.
//!
//! Stores at addresses that are numbers are a table, and a table that lies in one piece is read by the bits of the
//! address: a tree with as many leaves as the table has entries, and no comparison but one.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{ArrayValue, EvalError, Op, Sort, Symbol, SymbolInfo, Term, Terms, Value};
use rustc_hash::FxHashMap;

use crate::answer::Model;

/// Reads, of any array at any address, before a formula is left as it is.
const MAX_READS: usize = 500_000;
/// Pairs of addresses that are compared because nothing is known of an array, likewise.
const MAX_PAIRS: usize = 200_000;
/// Shorter pieces of a table are compared entry by entry.
const MIN_PIECE: usize = 4;

/// A formula that can be true if and only if the one that it was made from can.
pub(crate) struct Flat {
    pub formula: Term,
    /// What is read from arrays of which nothing is known: where, and what is there.
    reads: BTreeMap<Symbol, Vec<(Term, Symbol)>>,
}

/// The formula without arrays; `None` where arrays are compared, or where it would become too large.
pub(crate) fn flatten(terms: &mut Terms, formula: Term) -> Option<Flat> {
    let mut flattening = Flattening::default();
    for term in terms.subterms(&[formula]) {
        if matches!(terms.sort(term), Sort::Array { .. }) {
            continue;
        }
        let args: Vec<Term> = terms.args(term).to_vec();
        let flat = match terms.op(term) {
            Op::Select => {
                let index = flattening.scalars[&args[1]];
                flattening.read(terms, args[0], index)?
            }
            _ if args
                .iter()
                .any(|&arg| matches!(terms.sort(arg), Sort::Array { .. })) =>
            {
                return None;
            }
            op => {
                let new: Vec<Term> = args.iter().map(|arg| flattening.scalars[arg]).collect();
                match new == args {
                    true => term,
                    false => terms.rebuild(op, terms.sort(term), &new),
                }
            }
        };
        flattening.scalars.insert(term, flat);
    }
    let mut all = vec![flattening.scalars[&formula]];
    all.extend(consistent(terms, &flattening.unknown)?);
    Some(Flat {
        formula: terms.all(&all),
        reads: flattening.unknown,
    })
}

impl Flat {
    /// A model of the formula that this was made from: the arrays hold what was read.
    pub fn lift(&self, terms: &Terms, mut model: Model) -> Result<Model, EvalError> {
        for (&array, reads) in &self.reads {
            let Sort::Array { index, element } = terms.symbol_sort(array) else {
                unreachable!("only arrays are read")
            };
            let mut entries: BTreeMap<u128, Value> = BTreeMap::new();
            for &(address, value) in reads {
                let address = terms.eval(address, &model)?;
                let value = terms.eval(terms.symbol_term(value), &model)?;
                entries.insert(address.as_word().expect("addresses are words"), value);
            }
            let value = ArrayValue::from_entries(index, Value::zero(element.into()), entries);
            model.set(array, Value::Array(value));
        }
        Ok(model)
    }
}

/// Reads of one array at equal addresses find the same.
fn consistent(terms: &mut Terms, unknown: &BTreeMap<Symbol, Vec<(Term, Symbol)>>) -> Option<Vec<Term>> {
    let mut all = Vec::new();
    let mut pairs = 0;
    for reads in unknown.values() {
        // Addresses that are different numbers need no comparison.
        let (fixed, open): (Vec<_>, Vec<_>) = reads
            .iter()
            .partition(|(address, _)| terms.as_word(*address).is_some());
        pairs += open.len() * (open.len() + fixed.len());
        if pairs > MAX_PAIRS {
            return None;
        }
        for (position, &(address, value)) in open.iter().enumerate() {
            for &(other, found) in fixed.iter().chain(&open[..position]) {
                let same = terms.eq(address, other);
                let (value, found) = (terms.symbol_term(value), terms.symbol_term(found));
                let agree = terms.eq(value, found);
                all.push(terms.implies(same, agree));
            }
        }
    }
    Some(all)
}

#[derive(Default)]
struct Flattening {
    scalars: FxHashMap<Term, Term>,
    peeled: FxHashMap<Term, Rc<Peeled>>,
    done: FxHashMap<(Term, Term), Term>,
    unknown: BTreeMap<Symbol, Vec<(Term, Symbol)>>,
}

/// An array as what was stored last, and what that was stored into.
struct Peeled {
    /// Later stores first.
    layers: Vec<Layer>,
    base: Base,
}

enum Layer {
    /// Stores at numbers.
    Table(BTreeMap<u128, Term>),
    One(Term, Term),
}

#[derive(Clone, Copy)]
enum Base {
    Unknown(Symbol),
    Everywhere(Term),
    Choice(Term, Term, Term),
    /// An array that was peeled by itself.
    Another(Term),
}

impl Flattening {
    /// What the array has at the address, which is a term without arrays.
    fn read(&mut self, terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
        let mut pending = vec![array];
        while let Some(&next) = pending.last() {
            if self.done.contains_key(&(next, index)) {
                pending.pop();
                continue;
            }
            if self.done.len() > MAX_READS {
                return None;
            }
            let peeled = self.peel(terms, next);
            let (above, found) = look_through(terms, &peeled.layers, index);
            let found = match (found, peeled.base) {
                (Some(found), _) => found,
                (None, Base::Everywhere(value)) => value,
                (None, Base::Unknown(symbol)) => self.unknown(terms, symbol, index),
                (None, Base::Another(array)) => match self.done.get(&(array, index)) {
                    Some(&found) => found,
                    None => {
                        pending.push(array);
                        continue;
                    }
                },
                (None, Base::Choice(condition, yes, no)) => {
                    let (first, second) = (self.done.get(&(yes, index)), self.done.get(&(no, index)));
                    match (first, second) {
                        (Some(&first), Some(&second)) => terms.ite(condition, first, second),
                        (first, second) => {
                            let missing = [(first, yes), (second, no)];
                            let missing = missing.into_iter().filter(|(known, _)| known.is_none());
                            pending.extend(missing.map(|(_, array)| array));
                            continue;
                        }
                    }
                }
            };
            let value = above
                .into_iter()
                .rev()
                .fold(found, |below, layer| overlay(terms, layer, index, below));
            self.done.insert((next, index), value);
            pending.pop();
        }
        Some(self.done[&(array, index)])
    }

    fn unknown(&mut self, terms: &mut Terms, array: Symbol, index: Term) -> Term {
        let Sort::Array { element, .. } = terms.symbol_sort(array) else {
            unreachable!("only arrays are read")
        };
        let symbol = terms.fresh_symbol("read", element.into(), SymbolInfo::unsigned());
        self.unknown.entry(array).or_default().push((index, symbol));
        terms.symbol_term(symbol)
    }

    fn peel(&mut self, terms: &Terms, array: Term) -> Rc<Peeled> {
        if let Some(known) = self.peeled.get(&array) {
            return Rc::clone(known);
        }
        let mut layers: Vec<Layer> = Vec::new();
        let mut here = array;
        let base = loop {
            if here != array && self.peeled.contains_key(&here) {
                break Base::Another(here);
            }
            match (terms.op(here), terms.args(here)) {
                (Op::Store, &[inner, at, value]) => {
                    let (at, value) = (self.scalars[&at], self.scalars[&value]);
                    match (terms.as_word(at), layers.last_mut()) {
                        (Some(at), Some(Layer::Table(table))) => {
                            table.entry(at).or_insert(value);
                        }
                        (Some(at), _) => layers.push(Layer::Table(BTreeMap::from([(at, value)]))),
                        (None, _) => layers.push(Layer::One(at, value)),
                    }
                    here = inner;
                }
                (Op::Ite, &[condition, yes, no]) => break Base::Choice(self.scalars[&condition], yes, no),
                (Op::ConstArray, &[value]) => break Base::Everywhere(self.scalars[&value]),
                (Op::Symbol(symbol), _) => break Base::Unknown(symbol),
                (op, _) => unreachable!("no array is made by {op:?}"),
            }
        };
        let peeled = Rc::new(Peeled { layers, base });
        self.peeled.insert(array, Rc::clone(&peeled));
        peeled
    }
}

/// The layers that may have something at the address, and what is there below them if one of the others surely has it.
fn look_through<'a>(terms: &mut Terms, layers: &'a [Layer], index: Term) -> (Vec<&'a Layer>, Option<Term>) {
    let mut above = Vec::new();
    for layer in layers {
        match (layer, terms.as_word(index)) {
            (Layer::Table(table), Some(number)) => {
                if let Some(&value) = table.get(&number) {
                    return (above, Some(value));
                }
            }
            (Layer::Table(_), None) => above.push(layer),
            (Layer::One(at, value), _) => {
                let same = terms.eq(*at, index);
                match terms.as_bool(same) {
                    Some(true) => return (above, Some(*value)),
                    Some(false) => {}
                    None => above.push(layer),
                }
            }
        }
    }
    (above, None)
}

fn overlay(terms: &mut Terms, layer: &Layer, index: Term, below: Term) -> Term {
    match layer {
        Layer::One(at, value) => {
            let here = terms.eq(*at, index);
            terms.ite(here, *value, below)
        }
        Layer::Table(table) => {
            let entries: Vec<Entry> = table.iter().map(|(&at, &value)| (at, value)).collect();
            let mut result = below;
            for (stride, piece) in pieces(&entries) {
                result = match stride {
                    Some(stride) => read_piece(terms, piece, stride, index, result),
                    None => piece.iter().fold(result, |below, &(at, value)| {
                        let at = terms.word(terms.sort(index).width().expect("addresses are words"), at);
                        let here = terms.eq(at, index);
                        terms.ite(here, value, below)
                    }),
                };
            }
            result
        }
    }
}

/// Where something is in a table, and what.
type Entry = (u128, Term);

/// Entries cut into pieces of equal distances that are powers of two; single entries have none.
fn pieces(entries: &[Entry]) -> Vec<(Option<u128>, &[Entry])> {
    let mut all = Vec::new();
    let mut start = 0;
    while start < entries.len() {
        let distance = |at: usize| Some(entries.get(at + 1)?.0 - entries[at].0);
        let stride = distance(start).filter(|stride| stride.is_power_of_two());
        let mut end = start + 1;
        while stride.is_some() && distance(end - 1) == stride {
            end += 1;
        }
        let stride = stride.filter(|_| end - start >= MIN_PIECE);
        if stride.is_none() {
            end = start + 1;
        }
        all.push((stride, &entries[start..end]));
        start = end;
    }
    all
}

/// What a piece of a table has at the address, by the address's bits.
fn read_piece(terms: &mut Terms, piece: &[Entry], stride: u128, index: Term, below: Term) -> Term {
    let width = terms.sort(index).width().expect("addresses are words");
    let first = terms.word(width, piece[0].0);
    let offset = terms.sub(index, first);
    let span = stride * piece.len() as u128;
    let everywhere = 1_u128.checked_shl(width).is_some_and(|all| span >= all);
    let mut inside = match everywhere {
        true => terms.bool(true),
        false => {
            let span = terms.word(width, span);
            terms.ult(offset, span)
        }
    };
    let shift = stride.trailing_zeros();
    if shift > 0 {
        let rest = terms.extract(shift - 1, 0, offset);
        let zero = terms.word(shift, 0);
        let aligned = terms.eq(rest, zero);
        inside = terms.and(inside, aligned);
    }
    let mut level: Vec<Term> = piece.iter().map(|&(_, value)| value).collect();
    let mut bit = shift;
    while level.len() > 1 {
        let digit = terms.extract(bit, bit, offset);
        let one = terms.word(1, 1);
        let odd = terms.eq(digit, one);
        level = level
            .chunks(2)
            .map(|pair| match *pair {
                [even, other] => terms.ite(odd, other, even),
                _ => pair[0],
            })
            .collect();
        bit += 1;
    }
    terms.ite(inside, level[0], below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads of tables find what is in them: pieces of all strides, gaps, and tables that have something everywhere.
    #[test]
    fn tables_are_read_by_bits() {
        let width = 5;
        let tables: [Vec<u128>; 6] = [
            (0..32).collect(),
            (3..20).collect(),
            (0..8).map(|entry| 4 * entry).collect(),
            (1..7).map(|entry| 4 * entry + 1).collect(),
            vec![0, 1, 2, 3, 4, 9, 11, 13, 15, 17, 30, 31],
            vec![2, 5, 8, 11, 14],
        ];
        for table in tables {
            let mut terms = Terms::new();
            let nothing = terms.word(8, 0xff);
            let mut array = terms.const_array(width, nothing);
            for &at in &table {
                let (at, value) = (terms.word(width, at), terms.word(8, 7 * at + 1));
                array = terms.store(array, at, value);
            }
            let index = terms.var("i", Sort::BitVec(width), SymbolInfo::unsigned());
            let found = terms.select(array, index);
            let expected = terms.var("x", Sort::BitVec(8), SymbolInfo::unsigned());
            let formula = terms.eq(found, expected);
            let flat = flatten(&mut terms, formula).expect("nothing is compared but words");
            assert!(!crate::once::has_arrays(&terms, flat.formula));
            let (index, expected) = (terms.as_symbol(index), terms.as_symbol(expected));
            for at in 0..32 {
                for (value, holds) in [(0xff, !table.contains(&at)), (7 * at + 1, table.contains(&at))] {
                    let mut model = Model::new();
                    model.set(index.expect("a symbol"), Value::word(width, at));
                    model.set(expected.expect("a symbol"), Value::word(8, value));
                    let truth = terms.eval(flat.formula, &model).expect("all symbols have values");
                    assert_eq!(truth.as_bool(), Some(holds), "{table:?} at {at}");
                }
            }
        }
    }
}
