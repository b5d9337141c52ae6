//! Words read as mathematical integers: a guess that finds good formulas, never a judgement.
//!
//! Sums, constant factors and comparisons become integer ones as if nothing ever wrapped; every other word is an
//! unknown integer. What comes back is written in machine words again, once in the words' own width and once wide
//! enough that nothing wraps; the caller verifies which of them holds.

use std::collections::BTreeMap;

use logic::{Op, Signedness, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::decode::decode_with;
use crate::z3::{Ast, Context, Result};

/// `constant + Σ coefficient · word` over the integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub constant: i128,
    pub coefficients: BTreeMap<Term, i128>,
}

impl Sum {
    pub fn add_scaled(&mut self, other: &Sum, factor: i128) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (term, coefficient) in &other.coefficients {
            let entry = self.coefficients.entry(*term).or_default();
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.coefficients.retain(|_, c| *c != 0);
        Some(())
    }
}

fn signed(bits: u128, width: u32) -> i128 {
    ((bits << (128 - width)) as i128) >> (128 - width)
}

/// A literal as `sum <= 0` or `sum == 0`.
pub struct Constraint {
    pub sum: Sum,
    pub equality: bool,
}

/// The integer reading of a comparison or equation of words.
pub fn constraint(terms: &Terms, literal: Term) -> Option<Constraint> {
    let (op, args) = (terms.op(literal), terms.args(literal));
    let &[a, b] = args else { return None };
    terms.sort(a).width()?;
    let unsigned = matches!(op, Op::Ult | Op::Ule);
    let mut sum = word_sum(terms, a, unsigned)?;
    sum.add_scaled(&word_sum(terms, b, unsigned)?, -1)?;
    match op {
        Op::Eq => return Some(Constraint { sum, equality: true }),
        Op::Slt | Op::Ult => sum.constant = sum.constant.checked_add(1)?,
        Op::Sle | Op::Ule => {}
        _ => return None,
    }
    Some(Constraint { sum, equality: false })
}

fn word_sum(terms: &Terms, term: Term, unsigned: bool) -> Option<Sum> {
    let linear = terms.linear(term);
    let mut sum = Sum {
        constant: signed(linear.constant, linear.width),
        coefficients: BTreeMap::new(),
    };
    if unsigned && linear.monomials.is_empty() {
        sum.constant = i128::try_from(linear.constant).ok()?;
    }
    for (word, coefficient) in linear.monomials {
        let mut part = Sum::default();
        match (terms.op(word), terms.args(word)) {
            (Op::SignExtend, &[inner]) => part = word_sum(terms, inner, false)?,
            _ => {
                part.coefficients.insert(word, 1);
            }
        }
        sum.add_scaled(&part, signed(coefficient, linear.width))?;
    }
    Some(sum)
}

/// Formulas over words as formulas over integers; the words that are not taken apart are the leaves.
pub struct Integers<'a> {
    context: &'a Context,
    pub leaves: Vec<(Term, Ast)>,
    done: FxHashMap<Term, Ast>,
}

impl<'a> Integers<'a> {
    pub fn new(context: &'a Context) -> Integers<'a> {
        Integers {
            context,
            leaves: Vec::new(),
            done: FxHashMap::default(),
        }
    }

    pub fn encode(&mut self, terms: &Terms, formula: Term) -> Result<Ast> {
        let mut stack = vec![formula];
        while let Some(&next) = stack.last() {
            if self.done.contains_key(&next) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if is_transparent(terms, next) {
                stack.extend(terms.args(next).iter().filter(|a| !self.done.contains_key(*a)));
            }
            if stack.len() == before {
                stack.pop();
                let ast = self.node(terms, next)?;
                self.done.insert(next, ast);
            }
        }
        Ok(self.done[&formula].clone())
    }

    fn node(&mut self, terms: &Terms, term: Term) -> Result<Ast> {
        let c = self.context;
        let args = terms.args(term);
        if !is_transparent(terms, term) {
            let sort = if terms.sort(term).is_bool() {
                c.bool_sort()?
            } else {
                c.int_sort()?
            };
            let leaf = c.constant(&format!("leaf!{}", term.index()), &sort)?;
            self.leaves.push((term, leaf.clone()));
            return Ok(leaf);
        }
        let asts: Vec<Ast> = args.iter().map(|a| self.done[a].clone()).collect();
        let relation = |function: crate::z3::Binary, unsigned: bool| {
            c.binary(
                function,
                &self.side(terms, args[0], unsigned)?,
                &self.side(terms, args[1], unsigned)?,
            )
        };
        match terms.op(term) {
            Op::True | Op::False => c.truth(terms.op(term) == Op::True),
            Op::Word(bits) => {
                let width = terms.sort(term).width().unwrap_or(128);
                c.numeral(&signed(bits, width).to_string(), &c.int_sort()?)
            }
            Op::Not => c.unary(Z3_mk_not, &asts[0]),
            Op::And => c.and(&asts),
            Op::Or => c.nary(Z3_mk_or, &asts),
            Op::Eq => c.binary(Z3_mk_eq, &asts[0], &asts[1]),
            Op::Ite => c.ternary(Z3_mk_ite, &asts[0], &asts[1], &asts[2]),
            Op::Add => c.nary(Z3_mk_add, &asts),
            Op::Mul => c.nary(Z3_mk_mul, &asts),
            Op::SignExtend => Ok(asts[0].clone()),
            Op::Slt => relation(Z3_mk_lt, false),
            Op::Sle => relation(Z3_mk_le, false),
            Op::Ult => relation(Z3_mk_lt, true),
            _ => relation(Z3_mk_le, true),
        }
    }

    /// A constant compared as unsigned is the unsigned number.
    fn side(&self, terms: &Terms, term: Term, unsigned: bool) -> Result<Ast> {
        match terms.as_word(term) {
            Some(bits) if unsigned => self.context.numeral(&bits.to_string(), &self.context.int_sort()?),
            _ => Ok(self.done[&term].clone()),
        }
    }

    /// The machine-word formula of an integer one over the leaves; see [`Width`]. `None` if it cannot be written.
    pub fn decode(&self, terms: &mut Terms, formula: &Ast, width: Width) -> Option<Term> {
        let leaves: FxHashMap<u32, Term> = self.leaves.iter().map(|(t, a)| (a.id(), *t)).collect();
        let mut sums: Vec<Sum> = Vec::new();
        let item = decode_with(formula, &mut |ast, args: &[Item]| {
            if let Some(&leaf) = leaves.get(&ast.id()) {
                if terms.sort(leaf).is_bool() {
                    return Some(Item::Formula(leaf));
                }
                sums.push(Sum {
                    constant: 0,
                    coefficients: BTreeMap::from([(leaf, 1)]),
                });
                return Some(Item::Sum(sums.len() - 1));
            }
            back(terms, &mut sums, ast, args, width)
        })?;
        match item {
            Item::Formula(term) => Some(term),
            Item::Sum(_) => None,
        }
    }
}

/// How wide the words of a formula that came from integers are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// As wide as the words in it.
    Own,
    /// So wide that small sums do not wrap.
    Wide,
}

#[derive(Clone, Copy)]
enum Item {
    Formula(Term),
    Sum(usize),
}

fn is_transparent(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term);
    match terms.op(term) {
        Op::True | Op::False | Op::Word(_) | Op::Not | Op::And | Op::Or | Op::Add | Op::SignExtend => true,
        Op::Slt | Op::Sle | Op::Ult | Op::Ule => true,
        Op::Eq => matches!(terms.sort(args[0]), Sort::Bool | Sort::BitVec(_)),
        Op::Ite => matches!(terms.sort(term), Sort::Bool | Sort::BitVec(_)),
        Op::Mul => args.len() == 2 && terms.as_word(args[0]).is_some(),
        _ => false,
    }
}

fn back(terms: &mut Terms, sums: &mut Vec<Sum>, ast: &Ast, args: &[Item], width: Width) -> Option<Item> {
    let sum_of = |sums: &[Sum], item: &Item| match item {
        Item::Sum(index) => Some(sums[*index].clone()),
        Item::Formula(_) => None,
    };
    let formulas: Option<Vec<Term>> = args
        .iter()
        .map(|item| match item {
            Item::Formula(term) => Some(*term),
            Item::Sum(_) => None,
        })
        .collect();
    let kind = ast.kind()?;
    let formula = match kind {
        DeclKind::True => terms.bool(true),
        DeclKind::False => terms.bool(false),
        DeclKind::Not => terms.not(*formulas?.first()?),
        DeclKind::And => terms.all(&formulas?),
        DeclKind::Or => terms.any(&formulas?),
        DeclKind::Implies => terms.implies(formulas.as_ref()?[0], formulas.as_ref()?[1]),
        DeclKind::Eq | DeclKind::Iff if formulas.is_some() => {
            terms.iff(formulas.as_ref()?[0], formulas.as_ref()?[1])
        }
        DeclKind::Le | DeclKind::Ge | DeclKind::Lt | DeclKind::Gt | DeclKind::Eq => {
            let (mut a, mut b) = (sum_of(sums, args.first()?)?, sum_of(sums, args.get(1)?)?);
            if matches!(kind, DeclKind::Ge | DeclKind::Gt) {
                std::mem::swap(&mut a, &mut b);
            }
            a.add_scaled(&b, -1)?;
            if matches!(kind, DeclKind::Lt | DeclKind::Gt) {
                a.constant = a.constant.checked_add(1)?;
            }
            let equality = kind == DeclKind::Eq;
            to_words(terms, &Constraint { sum: a, equality }, width)?
        }
        DeclKind::Anum => {
            sums.push(Sum {
                constant: ast.number()?.parse().ok()?,
                coefficients: BTreeMap::new(),
            });
            return Some(Item::Sum(sums.len() - 1));
        }
        DeclKind::Add | DeclKind::Sub | DeclKind::Uminus => {
            let negate = kind == DeclKind::Uminus;
            let mut total = Sum::default();
            for (position, item) in args.iter().enumerate() {
                let factor = if negate || (kind == DeclKind::Sub && position > 0) {
                    -1
                } else {
                    1
                };
                total.add_scaled(&sum_of(sums, item)?, factor)?;
            }
            sums.push(total);
            return Some(Item::Sum(sums.len() - 1));
        }
        DeclKind::Mul => {
            let (a, b) = (sum_of(sums, args.first()?)?, sum_of(sums, args.get(1)?)?);
            if args.len() != 2 {
                return None;
            }
            let (scalar, other) = if a.coefficients.is_empty() { (a, b) } else { (b, a) };
            if !scalar.coefficients.is_empty() {
                return None;
            }
            let mut product = Sum::default();
            product.add_scaled(&other, scalar.constant)?;
            sums.push(product);
            return Some(Item::Sum(sums.len() - 1));
        }
        _ => return None,
    };
    Some(Item::Formula(formula))
}

/// The constraint in machine words: positive coefficients on one side, negative ones on the other.
pub fn to_words(terms: &mut Terms, constraint: &Constraint, width: Width) -> Option<Term> {
    let Constraint { sum, equality } = constraint;
    let divisor = sum.coefficients.values().fold(0, |a, b| gcd(a, b.unsigned_abs()));
    if divisor == 0 {
        let holds = if *equality {
            sum.constant == 0
        } else {
            sum.constant <= 0
        };
        return Some(terms.bool(holds));
    }
    let divisor = i128::try_from(divisor).ok()?;
    if *equality && sum.constant % divisor != 0 {
        return Some(terms.bool(false));
    }
    // `sum <= 0` is `Σ c·x <= -k`, and that bound rounds down.
    let bound = sum.constant.checked_neg()?.div_euclid(divisor);
    let widest = sum
        .coefficients
        .keys()
        .filter_map(|t| terms.sort(*t).width())
        .max()?;
    let unsigned_word = |terms: &Terms, t: Term| {
        terms
            .as_symbol(t)
            .is_some_and(|s| terms.symbol_info(s).signedness != Signedness::Signed)
    };
    let all_unsigned = width == Width::Own && sum.coefficients.keys().all(|t| unsigned_word(terms, *t));
    let bits = if width == Width::Own {
        widest
    } else {
        (widest + 32).min(Sort::MAX_WIDTH)
    };
    let fits = |value: i128| {
        let half = 1i128
            .checked_shl(bits - 1)
            .filter(|h| *h > 0)
            .unwrap_or(i128::MAX);
        if all_unsigned {
            value >= 0 && value < half.saturating_mul(2)
        } else {
            value >= -half && value < half
        }
    };
    let mut sides = [terms.word(bits, 0), terms.word(bits, 0)];
    for (term, coefficient) in &sum.coefficients {
        let coefficient = coefficient / divisor;
        let word = terms.resize(bits, *term, !unsigned_word(terms, *term));
        let factor = terms.int(bits, coefficient.checked_abs()?);
        let product = terms.mul(factor, word);
        let side = usize::from(coefficient < 0);
        sides[side] = terms.add(sides[side], product);
    }
    // The bound goes where it is positive, unless that side is empty anyway.
    let right_is_empty = terms.as_word(sides[1]).is_some();
    let to_left = bound < 0 && !right_is_empty;
    let constant = if to_left { bound.checked_neg()? } else { bound };
    if !fits(constant) {
        return None;
    }
    let constant = terms.int(bits, constant);
    let side = usize::from(!to_left);
    sides[side] = terms.add(sides[side], constant);
    let [left, right] = sides;
    Some(match (equality, all_unsigned) {
        (true, _) => terms.eq(left, right),
        (false, true) => terms.ule(left, right),
        (false, false) => terms.sle(left, right),
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
