//! Products, quotients and remainders of words in as few bits as their arguments need. A circuit for them grows with the square
//! of the width, and C computes in wide words what is small: `int`s that were `short`, sums of a few bytes in an `unsigned long`.
//! How large a term can be follows from its form, and from comparisons that hold wherever the formula does, which stay: where
//! they hold, what is narrowed equals what it was. Comparisons and remainders of which that decides the result are gone.

use logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The formula with narrower arithmetic.
pub(crate) fn narrow(terms: &mut Terms, formula: Term) -> Term {
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    let mut sizes: FxHashMap<Term, Size> = FxHashMap::default();
    let bounds = Bounds::of(terms, formula);
    for term in terms.subterms(&[formula]) {
        let op = terms.op(term);
        let old: Vec<Term> = terms.args(term).to_vec();
        let args: Vec<Term> = old.iter().map(|arg| new[arg]).collect();
        let sort = terms.sort(term);
        let arg_sizes: Vec<Size> = old.iter().map(|arg| sizes[arg]).collect();
        let narrowed = match (op, sort) {
            // What it compares may have become narrower by conditions on parts of it, which do not rest on this one.
            _ if bounds.said_by.contains(&term) => None,
            (Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem, Sort::BitVec(width)) => {
                arithmetic(terms, op, width, &args, &arg_sizes)
            }
            (Op::Ult | Op::Ule, _) => comparison(terms, op, &old, &arg_sizes),
            _ => None,
        };
        let result = match narrowed {
            Some(narrowed) => narrowed,
            None if args == old => term,
            None => terms.rebuild(op, sort, &args),
        };
        let size = bounds.within(term, size_of(terms, term, &old, &arg_sizes));
        new.insert(term, result);
        sizes.insert(term, size);
    }
    new[&formula]
}

/// How large a word can be.
#[derive(Clone, Copy)]
struct Size {
    /// It is no larger, read without a sign.
    most: u128,
    /// Its lowest so many bits, read with a sign, are it.
    signed: u32,
}

/// Conditions that hold wherever the formula does.
#[derive(Default)]
struct Bounds {
    /// What a term is at most, read without a sign.
    most: FxHashMap<Term, u128>,
    /// The comparisons that say so.
    said_by: FxHashSet<Term>,
}

impl Bounds {
    fn of(terms: &mut Terms, formula: Term) -> Bounds {
        let mut bounds = Bounds::default();
        // Of numbers with a sign both bounds are needed.
        let (mut below, mut not_negative) = (Vec::new(), FxHashMap::default());
        for condition in terms.conjuncts(formula) {
            let (atom, holds) = match terms.op(condition) {
                Op::Not => (terms.args(condition)[0], false),
                _ => (condition, true),
            };
            let &[a, b] = terms.args(atom) else {
                continue;
            };
            // As `low < high` or `low <= high`.
            let (low, high, is_strict, is_signed) = match (terms.op(atom), holds) {
                (Op::Ult, true) => (a, b, true, false),
                (Op::Ule, true) => (a, b, false, false),
                (Op::Ult, false) => (b, a, false, false),
                (Op::Ule, false) => (b, a, true, false),
                (Op::Slt, true) => (a, b, true, true),
                (Op::Sle, true) => (a, b, false, true),
                (Op::Slt, false) => (b, a, false, true),
                (Op::Sle, false) => (b, a, true, true),
                _ => continue,
            };
            let is_negative = |word: u128| word >> (terms.sort(a).width().unwrap_or(1) - 1) & 1 == 1;
            match (terms.as_word(low), terms.as_word(high)) {
                (None, Some(most)) if !is_signed => {
                    let most = if is_strict { most.saturating_sub(1) } else { most };
                    bounds.state(low, most, &[atom]);
                }
                (None, Some(most)) if !is_negative(most) => {
                    let most = if is_strict { most.saturating_sub(1) } else { most };
                    below.push((low, most, atom));
                }
                (Some(least), None) if is_signed && !is_negative(least) => {
                    not_negative.entry(high).or_insert(atom);
                }
                _ => {}
            }
        }
        for (term, most, atom) in below {
            if let Some(&other) = not_negative.get(&term) {
                bounds.state(term, most, &[atom, other]);
            }
        }
        bounds
    }

    fn state(&mut self, term: Term, most: u128, because: &[Term]) {
        let known = self.most.entry(term).or_insert(most);
        *known = most.min(*known);
        self.said_by.extend(because);
    }

    fn within(&self, term: Term, size: Size) -> Size {
        match self.most.get(&term) {
            Some(&most) if most < size.most => Size {
                most,
                signed: size.signed.min(bits(most) + 1),
            },
            _ => size,
        }
    }
}

/// A comparison with a number that the other side cannot exceed, or cannot reach.
fn comparison(terms: &mut Terms, op: Op, args: &[Term], sizes: &[Size]) -> Option<Term> {
    let (&[a, b], &[first, second]) = (args, sizes) else {
        return None;
    };
    if let Some(number) = terms.as_word(b) {
        let holds = match op {
            Op::Ult => first.most < number,
            _ => first.most <= number,
        };
        return holds.then(|| terms.bool(true));
    }
    let number = terms.as_word(a)?;
    let fails = match op {
        Op::Ult => second.most <= number,
        _ => second.most < number,
    };
    fails.then(|| terms.bool(false))
}

fn arithmetic(terms: &mut Terms, op: Op, width: u32, args: &[Term], sizes: &[Size]) -> Option<Term> {
    let (&[a, b], &[first, second]) = (args, sizes) else {
        return None;
    };
    // Multiples stay as they are: sums of them are simplified together.
    if op == Op::Mul && args.iter().any(|&arg| terms.is_constant(arg)) {
        return None;
    }
    match (op, terms.as_word(b)) {
        (Op::Urem, Some(by)) if first.most < by => return Some(a),
        (Op::Udiv, Some(by)) if first.most < by => return Some(terms.word(width, 0)),
        _ => {}
    }
    let unsigned = match op {
        Op::Mul => bits(first.most) + bits(second.most),
        Op::Udiv | Op::Urem => bits(first.most.max(second.most)),
        _ => width,
    };
    let signed = match op {
        Op::Mul => first.signed + second.signed,
        // The quotient of the least number by -1 needs one bit more.
        Op::Sdiv | Op::Srem => first.signed.max(second.signed) + 1,
        _ => width,
    };
    let (bits, is_signed) = match unsigned <= signed {
        true => (unsigned.max(1), false),
        false => (signed, true),
    };
    if bits >= width {
        return None;
    }
    let (low_a, low_b) = (terms.extract(bits - 1, 0, a), terms.extract(bits - 1, 0, b));
    let small = terms.rebuild(op, Sort::BitVec(bits), &[low_a, low_b]);
    let wide = terms.resize(width, small, is_signed);
    if op != Op::Udiv {
        return Some(wide);
    }
    // A quotient by zero has all bits set, in every width.
    let (zero, ones) = (terms.word(width, 0), terms.int(width, -1));
    let by_zero = terms.eq(b, zero);
    Some(terms.ite(by_zero, ones, wide))
}

fn size_of(terms: &Terms, term: Term, args: &[Term], sizes: &[Size]) -> Size {
    let Sort::BitVec(width) = terms.sort(term) else {
        return Size { most: 1, signed: 2 };
    };
    let all = mask(width);
    let width_of = |at: usize| {
        terms
            .sort(args[at])
            .width()
            .expect("words are computed from words")
    };
    let fits = |most: Option<u128>| most.filter(|&most| most <= all).unwrap_or(all);
    let number = |at: usize| terms.as_word(args[at]);
    let (most, signed) = match terms.op(term) {
        Op::Word(bits) => (bits, signed_bits(bits, width)),
        Op::Ite => (
            sizes[1].most.max(sizes[2].most),
            sizes[1].signed.max(sizes[2].signed),
        ),
        Op::Add => {
            let most = sizes
                .iter()
                .try_fold(0_u128, |sum, size| sum.checked_add(size.most));
            let widest = sizes.iter().map(|size| size.signed).max().unwrap_or(width);
            (fits(most), widest + bits(sizes.len() as u128 - 1))
        }
        Op::Mul => {
            let most = sizes
                .iter()
                .try_fold(1_u128, |product, size| product.checked_mul(size.most));
            (fits(most), sizes.iter().map(|size| size.signed).sum())
        }
        Op::Udiv => match number(1) {
            Some(by) if by != 0 => (sizes[0].most / by, width),
            _ => (all, width),
        },
        Op::Urem => match number(1) {
            Some(by) if by != 0 => (sizes[0].most.min(by - 1), width),
            _ => (sizes[0].most, width),
        },
        Op::Sdiv => (all, sizes[0].signed + 1),
        // The remainder by zero is the dividend.
        Op::Srem => (all, sizes[0].signed),
        Op::BitAnd => (sizes.iter().map(|size| size.most).min().unwrap_or(all), width),
        Op::BitOr | Op::BitXor => {
            let widest = sizes.iter().map(|size| size.most).max().unwrap_or(all);
            let signed = sizes.iter().map(|size| size.signed).max().unwrap_or(width);
            (mask(bits(widest)), signed)
        }
        Op::Lshr => match number(1) {
            Some(by) if by < u128::from(width) => (sizes[0].most >> by, width),
            _ => (sizes[0].most, width),
        },
        Op::Shl => match number(1) {
            Some(by) if by < u128::from(width) => (fits(sizes[0].most.checked_mul(1 << by)), width),
            _ => (all, width),
        },
        Op::Ashr => (all, sizes[0].signed),
        Op::ZeroExtend => (sizes[0].most, width),
        Op::SignExtend => {
            let nonnegative = sizes[0].most <= mask(width_of(0) - 1);
            (if nonnegative { sizes[0].most } else { all }, sizes[0].signed)
        }
        Op::Concat => {
            let low = width_of(1);
            (sizes[0].most << low | mask(low), sizes[0].signed + low)
        }
        Op::Extract { low, .. } => {
            let signed = if low == 0 { sizes[0].signed } else { width };
            (fits(Some(sizes[0].most >> low)), signed)
        }
        _ => (all, width),
    };
    Size {
        most,
        signed: signed.min(bits(most) + 1).min(width),
    }
}

/// Bits of a number without a sign.
fn bits(number: u128) -> u32 {
    u128::BITS - number.leading_zeros()
}

fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        _ => u128::MAX >> (u128::BITS - width),
    }
}

/// Bits of a word's number with its sign.
fn signed_bits(word: u128, width: u32) -> u32 {
    let is_negative = word >> (width - 1) & 1 == 1;
    let magnitude = if is_negative { !word & mask(width) } else { word };
    bits(magnitude) + 1
}

#[cfg(test)]
mod tests {
    use logic::SymbolInfo;
    use logic::random::{Generator, Random, Shape};

    use super::*;

    /// What is narrowed has the value that it had, for random terms and values.
    #[test]
    fn values_stay() {
        let shape = Shape {
            widths: vec![3, 8, 16],
            floats: vec![],
            arrays: true,
            division: true,
            symbols: 2,
        };
        let mut random = Random::new(61);
        let mut narrowed = 0;
        for case in 0..4_000 {
            let mut terms = Terms::new();
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            // Extended arguments are what is narrowed, and what random terms seldom have.
            let small = [0, 1].map(|_| generator.term(&mut terms, Sort::BitVec(3), 2));
            let signed = case % 2 == 0;
            let [a, b] = small.map(|term| terms.resize(16, term, signed));
            let op = generator
                .random
                .pick(&[Op::Mul, Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem]);
            let computed = terms.raw(op, Sort::BitVec(16), &[a, b]);
            let mut generator = Generator {
                random: &mut random,
                shape: &shape,
            };
            let other = generator.term(&mut terms, Sort::BitVec(16), 4);
            let mut formula = terms.raw(Op::Ule, Sort::Bool, &[computed, other]);
            // Sometimes under a condition that bounds a word in it.
            if case % 3 == 0 {
                let words: Vec<Term> = terms
                    .subterms(&[formula])
                    .into_iter()
                    .filter(|&term| terms.sort(term) == Sort::BitVec(16) && !terms.is_constant(term))
                    .collect();
                let bounded = random.pick(&words);
                let limit = terms.word(16, random.below(300) as u128);
                let condition = terms.raw(Op::Ult, Sort::Bool, &[bounded, limit]);
                let not = terms.raw(Op::Not, Sort::Bool, &[formula]);
                formula = terms.raw(Op::And, Sort::Bool, &[condition, not]);
            }
            let new = narrow(&mut terms, formula);
            narrowed += usize::from(new != formula);
            let symbols = terms.free_symbols(&[formula]);
            for _ in 0..8 {
                let mut generator = Generator {
                    random: &mut random,
                    shape: &shape,
                };
                let mut values = generator.assignment(&terms, symbols.iter().copied());
                values.complete_with_zero = true;
                let (old, new) = (terms.eval(formula, &values), terms.eval(new, &values));
                assert_eq!(old, new, "case {case}: {}", terms.to_c(formula));
            }
        }
        assert!(narrowed > 2_000, "only {narrowed} were narrowed");
    }

    #[test]
    fn conditions_tell_how_large_words_are() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(32), SymbolInfo::unsigned()));
        let (zero, few, many) = (terms.word(32, 0), terms.word(32, 9), terms.word(32, 100));
        let bounds = [terms.ult(x, few), terms.sle(zero, y), terms.sle(y, few)];
        let sum = terms.add(x, y);
        let rest = terms.urem(sum, many);
        let told = [terms.ult(rest, many), terms.ule(rest, sum), terms.ule(sum, few)];
        let claim = terms.all(&told);
        let failed = terms.not(claim);
        let formula = terms.all(&[&bounds[..], &[failed]].concat());
        let narrowed = narrow(&mut terms, formula);
        let failed = terms.not(told[2]);
        let expected = terms.all(&[&bounds[..], &[failed]].concat());
        assert_eq!(terms.to_c(narrowed), terms.to_c(expected));
        // What says a bound is not what it says it about.
        assert_eq!(narrow(&mut terms, bounds[0]), bounds[0]);
    }

    #[test]
    fn sums_of_bytes_are_divided_in_few_bits() {
        let mut terms = Terms::new();
        let bytes = ["a", "b"].map(|name| terms.var(name, Sort::BitVec(8), SymbolInfo::unsigned()));
        let [a, b] = bytes.map(|byte| terms.zero_extend(64, byte));
        let sum = terms.add(a, b);
        let by = terms.word(64, 200);
        let rest = terms.urem(sum, by);
        let limit = terms.word(64, 100);
        let formula = terms.ult(rest, limit);
        let narrowed = narrow(&mut terms, formula);
        let widths = terms.subterms(&[narrowed]).into_iter();
        let mut divisions = widths.filter(|&term| terms.op(term) == Op::Urem);
        assert_eq!(
            divisions.next().map(|term| terms.sort(term)),
            Some(Sort::BitVec(9))
        );
    }
}
