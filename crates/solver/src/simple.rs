//! Conjunctions that need no solver: comparisons of symbols and constants for equality, and of symbols with constants by
//! size. Predicate abstraction asks for little else, thousands of times.
//!
//! Symbols that are equal form classes; a class has a range and values that it must not have. A cell of an array counts as
//! a symbol where no other cell of the same array is spoken of. Where that does not decide, nothing is said.

use logic::{ArrayValue, Op, Sort, Symbol, Term, Terms, Value};

use crate::answer::Model;

pub enum Decided {
    Sat(Model),
    /// With a core, and whether nothing of it can be left out.
    Unsat(Vec<Term>, bool),
}

/// Words shorter than this could run out of values.
const MIN_WIDTH: u32 = 8;

/// What one formula says.
#[derive(Clone, Copy)]
enum Fact {
    /// A symbol of truth values.
    Truth(Symbol, bool),
    Equal(Term, Term, bool),
    /// The word is at most, or at least, the number, as a signed or an unsigned one.
    Bound {
        word: Term,
        signed: bool,
        at_most: Option<i128>,
        at_least: Option<i128>,
    },
    Nothing,
    Contradiction,
}

/// Decides a conjunction, if it is simple.
pub fn decide(terms: &Terms, formulas: &[Term]) -> Option<Decided> {
    let facts: Vec<Fact> = formulas
        .iter()
        .map(|&formula| fact(terms, formula))
        .collect::<Option<_>>()?;
    match solve(terms, &facts)? {
        Some(model) => Some(Decided::Sat(model)),
        None => {
            let mut needed: Vec<usize> = (0..facts.len()).collect();
            let mut minimal = true;
            for index in (0..facts.len()).rev() {
                let without: Vec<Fact> = needed
                    .iter()
                    .filter(|&&other| other != index)
                    .map(|&other| facts[other])
                    .collect();
                match solve(terms, &without) {
                    Some(None) => needed.retain(|&other| other != index),
                    Some(Some(_)) => {}
                    None => minimal = false,
                }
            }
            let core = needed.into_iter().map(|index| formulas[index]).collect();
            Some(Decided::Unsat(core, minimal))
        }
    }
}

fn fact(terms: &Terms, formula: Term) -> Option<Fact> {
    let (atom, positive) = match terms.op(formula) {
        Op::Not => (terms.args(formula)[0], false),
        _ => (formula, true),
    };
    match terms.op(atom) {
        Op::True if positive => Some(Fact::Nothing),
        Op::True => Some(Fact::Contradiction),
        Op::False if positive => Some(Fact::Contradiction),
        Op::False => Some(Fact::Nothing),
        Op::Symbol(symbol) => Some(Fact::Truth(symbol, positive)),
        Op::Eq => {
            let &[a, b] = terms.args(atom) else { return None };
            (is_plain(terms, a) && is_plain(terms, b)).then_some(Fact::Equal(a, b, positive))
        }
        op @ (Op::Slt | Op::Sle | Op::Ult | Op::Ule) => {
            let &[a, b] = terms.args(atom) else { return None };
            bound(terms, op, a, b, positive)
        }
        _ => None,
    }
}

/// A symbol, a cell of an array or a constant, of a sort with enough values.
fn is_plain(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::BitVec(width) if width >= MIN_WIDTH)
        && match terms.op(term) {
            Op::Symbol(_) | Op::Word(_) => true,
            Op::Select => terms.as_symbol(terms.args(term)[0]).is_some(),
            _ => false,
        }
}

fn bound(terms: &Terms, op: Op, a: Term, b: Term, positive: bool) -> Option<Fact> {
    if !is_plain(terms, a) || !is_plain(terms, b) {
        return None;
    }
    let signed = matches!(op, Op::Slt | Op::Sle);
    let strict = matches!(op, Op::Slt | Op::Ult);
    // a < b, or the negation: b <= a.
    let (low, high, strict) = if positive { (a, b, strict) } else { (b, a, !strict) };
    let gap = i128::from(strict);
    match (number(terms, low, signed), number(terms, high, signed)) {
        (None, Some(high)) => Some(Fact::Bound {
            word: low,
            signed,
            at_most: Some(high - gap),
            at_least: None,
        }),
        (Some(low), None) => Some(Fact::Bound {
            word: high,
            signed,
            at_most: None,
            at_least: Some(low + gap),
        }),
        (Some(low), Some(high)) if low + gap <= high => Some(Fact::Nothing),
        (Some(_), Some(_)) => Some(Fact::Contradiction),
        (None, None) => None,
    }
}

fn width(terms: &Terms, term: Term) -> u32 {
    terms.sort(term).width().expect("only words are compared")
}

fn number(terms: &Terms, term: Term, signed: bool) -> Option<i128> {
    match terms.op(term) {
        Op::Word(bits) => Some(as_number(bits, width(terms, term), signed)),
        _ => None,
    }
}

fn as_number(bits: u128, width: u32, signed: bool) -> i128 {
    if signed && width < 128 && bits >> (width - 1) == 1 {
        bits as i128 - (1i128 << width)
    } else {
        bits as i128
    }
}

/// Symbols and constants that are equal.
struct Class {
    width: u32,
    value: Option<u128>,
    /// Whether the range is one of signed numbers; none as long as nothing was said.
    signed: Option<bool>,
    range: (i128, i128),
}

struct Classes<'a> {
    terms: &'a Terms,
    members: Vec<Term>,
    parent: Vec<usize>,
}

impl Classes<'_> {
    fn node(&mut self, term: Term) -> usize {
        match self.members.iter().position(|&member| member == term) {
            Some(node) => node,
            None => {
                self.members.push(term);
                self.parent.push(self.members.len() - 1);
                self.members.len() - 1
            }
        }
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn width(&self, node: usize) -> u32 {
        width(self.terms, self.members[node])
    }
}

/// A model, or `Some(None)` if there is none; `None` if this cannot tell.
fn solve(terms: &Terms, facts: &[Fact]) -> Option<Option<Model>> {
    let mut model = Model::new();
    model.complete_with_zero = true;
    let mut classes = Classes {
        terms,
        members: Vec::new(),
        parent: Vec::new(),
    };
    let mut truths: Vec<(Symbol, bool)> = Vec::new();
    let mut different: Vec<(usize, usize)> = Vec::new();
    for fact in facts {
        match *fact {
            Fact::Nothing => {}
            Fact::Contradiction => return Some(None),
            Fact::Truth(symbol, value) => {
                if truths.contains(&(symbol, !value)) {
                    return Some(None);
                }
                truths.push((symbol, value));
            }
            Fact::Equal(a, b, true) => {
                let (a, b) = (classes.node(a), classes.node(b));
                let (a, b) = (classes.root(a), classes.root(b));
                classes.parent[a] = b;
            }
            Fact::Equal(a, b, false) => {
                let pair = (classes.node(a), classes.node(b));
                different.push(pair);
            }
            Fact::Bound { word, .. } => {
                classes.node(word);
            }
        }
    }
    let count = classes.members.len();
    let mut data: Vec<Class> = (0..count)
        .map(|node| Class {
            width: classes.width(node),
            value: None,
            signed: None,
            range: (0, 0),
        })
        .collect();
    for node in 0..count {
        if let Op::Word(bits) = terms.op(classes.members[node]) {
            let class = &mut data[classes.root(node)];
            if class.value.is_some_and(|value| value != bits) {
                return Some(None);
            }
            class.value = Some(bits);
        }
    }
    for fact in facts {
        if let Fact::Bound {
            word,
            signed,
            at_most,
            at_least,
        } = *fact
        {
            let node = classes.node(word);
            let class = &mut data[classes.root(node)];
            if class.width >= 127 || class.signed.is_some_and(|known| known != signed) {
                return None;
            }
            if class.signed.is_none() {
                class.signed = Some(signed);
                class.range = whole(class.width, signed);
            }
            class.range.0 = class.range.0.max(at_least.unwrap_or(i128::MIN));
            class.range.1 = class.range.1.min(at_most.unwrap_or(i128::MAX));
            if class.range.0 > class.range.1 {
                return Some(None);
            }
        }
    }
    for class in &data {
        if let (Some(value), Some(signed)) = (class.value, class.signed) {
            let value = as_number(value, class.width, signed);
            if value < class.range.0 || value > class.range.1 {
                return Some(None);
            }
        }
    }
    let mut others: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (a, b) in different {
        let (a, b) = (classes.root(a), classes.root(b));
        if a == b {
            return Some(None);
        }
        others[a].push(b);
        others[b].push(a);
    }
    // Values that nothing was said about are unlike all constants, unlike each other, and small: people read them.
    let mut spare: u128 = 0;
    for node in 0..count {
        if classes.root(node) != node || data[node].value.is_some() {
            continue;
        }
        let taken =
            |data: &[Class], bits: u128| others[node].iter().any(|&other| data[other].value == Some(bits));
        let is_known = |data: &[Class], bits: u128| data.iter().any(|class| class.value == Some(bits));
        let class = &data[node];
        let chosen = match class.signed {
            None => {
                let mask = (!0u128) >> (128 - class.width);
                loop {
                    spare += 1;
                    // Among 256 values, fewer classes than that find one.
                    if spare > 4096 {
                        return None;
                    }
                    if !is_known(&data, spare & mask) {
                        break spare & mask;
                    }
                }
            }
            Some(_) => {
                let (low, high) = class.range;
                let tries = others[node].len() as i128 + 1;
                let candidates = (0..tries).map(|step| low + step).filter(|&value| value <= high);
                let mask = (!0u128) >> (128 - class.width);
                match candidates
                    .map(|value| value as u128 & mask)
                    .find(|&bits| !taken(&data, bits))
                {
                    Some(bits) => bits,
                    // All of a small range is excluded: by constants for certain, by choices perhaps not.
                    None => {
                        let constants = others[node].iter().all(|&other| {
                            (0..count).any(|member| {
                                classes.root(member) == other
                                    && matches!(terms.op(classes.members[member]), Op::Word(_))
                            })
                        });
                        return if constants { Some(None) } else { None };
                    }
                }
            }
        };
        data[node].value = Some(chosen);
    }
    let mut arrays: Vec<Symbol> = Vec::new();
    for node in 0..count {
        let class = &data[classes.root(node)];
        let value = Value::Word {
            width: class.width,
            bits: class.value.expect("every class has a value by now"),
        };
        let member = classes.members[node];
        match terms.op(member) {
            Op::Symbol(symbol) => model.set(symbol, value),
            Op::Select => {
                let array = terms.args(member)[0];
                let symbol = terms.as_symbol(array).expect("only cells of symbols are plain");
                let Sort::Array { index, .. } = terms.sort(array) else {
                    return None;
                };
                // Two cells of one array may be the same cell.
                if arrays.contains(&symbol) {
                    return None;
                }
                arrays.push(symbol);
                model.set(symbol, Value::Array(ArrayValue::constant(index, value)));
            }
            _ => {}
        }
    }
    for (symbol, value) in truths {
        model.set(symbol, Value::Bool(value));
    }
    Some(Some(model))
}

fn whole(width: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    }
}
