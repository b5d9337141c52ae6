//! Formulas taken apart into atoms that can be predicates: no stores, no choices, no connectives inside.
//!
//! What says of all bytes of a word in memory what they are is one atom: byte by byte it would be eight predicates, each of them
//! about any store near.
//!
//! A read after a store is the stored value where the addresses are equal and a read of what was there before where
//! they are not; both cases become atoms, and so does the equality of the addresses.

use logic::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// Formulas that need more atoms than this are not taken apart.
const MAX_ATOMS: usize = 48;

/// The atoms of a formula, each positive and once; `None` if there are too many.
pub(crate) fn atoms(terms: &mut Terms, formula: Term) -> Option<Vec<Term>> {
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(next) = stack.pop() {
        for atom in plain_atoms(terms, next).into_iter().rev() {
            if !seen.insert(atom) {
                continue;
            }
            if seen.len() > 4 * MAX_ATOMS {
                return None;
            }
            match split(terms, atom) {
                Some((condition, yes, no)) => stack.extend([no, yes, condition]),
                None => {
                    let (positive, _) = terms.literal(atom);
                    if !found.contains(&positive) {
                        found.push(positive);
                    }
                }
            }
        }
        if found.len() > MAX_ATOMS {
            return None;
        }
    }
    Some(found)
}

/// The atoms of a formula as they stand in it.
fn plain_atoms(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let mut words: Vec<Term> = Vec::new();
    let mut bytes: FxHashSet<Term> = FxHashSet::default();
    for part in terms.subterms(&[formula]) {
        if terms.op(part) == Op::And {
            for word in words_in_bytes(terms, part) {
                let whole = terms.all(&word);
                if split(terms, whole).is_none() {
                    bytes.extend(word);
                    words.push(whole);
                }
            }
        }
    }
    let mut atoms = terms.atoms(formula);
    atoms.retain(|atom| !bytes.contains(atom));
    atoms.extend(words);
    atoms
}

/// Of the parts of a conjunction, those that say of neighbouring bytes in one memory what each of them is.
fn words_in_bytes(terms: &mut Terms, conjunction: Term) -> Vec<Vec<Term>> {
    /// No word has more.
    const MOST_BYTES: u128 = 8;
    let mut words: Vec<(Term, Term, Vec<Term>)> = Vec::new();
    for part in terms.args(conjunction).to_vec() {
        let (Op::Eq, &[one, other]) = (terms.op(part), terms.args(part)) else {
            continue;
        };
        let Some(read) = [one, other]
            .into_iter()
            .find(|&side| terms.op(side) == Op::Select)
        else {
            continue;
        };
        let (memory, at) = (terms.args(read)[0], terms.args(read)[1]);
        let is_near = |terms: &mut Terms, first: Term| {
            let (ahead, behind) = (terms.sub(at, first), terms.sub(first, at));
            [ahead, behind]
                .into_iter()
                .any(|distance| terms.as_word(distance).is_some_and(|bytes| bytes < MOST_BYTES))
        };
        let word = words
            .iter()
            .position(|&(known, first, _)| known == memory && is_near(terms, first));
        match word {
            Some(word) => words[word].2.push(part),
            None => words.push((memory, at, vec![part])),
        }
    }
    words.retain(|(_, _, bytes)| bytes.len() > 1);
    words.into_iter().map(|(_, _, bytes)| bytes).collect()
}

/// The cases of an atom with a choice inside: its condition, and the atom in either case.
fn split(terms: &mut Terms, atom: Term) -> Option<(Term, Term, Term)> {
    for inner in terms.subterms(&[atom]) {
        let choice = match terms.op(inner) {
            Op::Ite if !terms.sort(inner).is_bool() => {
                let &[condition, yes, no] = terms.args(inner) else {
                    unreachable!("a choice has three arguments")
                };
                Some((condition, yes, no))
            }
            Op::Select => {
                let &[array, index] = terms.args(inner) else {
                    unreachable!("a read has two arguments")
                };
                match (terms.op(array), terms.args(array)) {
                    (Op::Store, &[below, at, value]) => {
                        let equal = terms.eq(at, index);
                        let before = terms.select(below, index);
                        Some((equal, value, before))
                    }
                    (Op::Ite, &[condition, yes, no]) => {
                        let yes = terms.select(yes, index);
                        let no = terms.select(no, index);
                        Some((condition, yes, no))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some((condition, yes, no)) = choice {
            let yes = replace(terms, atom, inner, yes);
            let no = replace(terms, atom, inner, no);
            return Some((condition, yes, no));
        }
    }
    None
}

fn replace(terms: &mut Terms, whole: Term, part: Term, by: Term) -> Term {
    logic::Substitution::new(terms, [(part, by)]).apply(terms, whole)
}

#[cfg(test)]
mod tests {
    use logic::{ElementSort, Sort, SymbolInfo};

    use super::*;

    #[test]
    fn the_bytes_of_a_word_are_one_atom() {
        let mut terms = Terms::new();
        let sort = Sort::Array {
            index: 32,
            element: ElementSort::BitVec(8),
        };
        let memory = terms.var("m", sort, SymbolInfo::default());
        let pointer = terms.var("p", Sort::BitVec(32), SymbolInfo::default());
        let other = terms.word(32, 0x0102_0304);
        let bytes: Vec<Term> = (0..4)
            .map(|offset| {
                let offset = terms.word(32, offset);
                let at = terms.add(pointer, offset);
                terms.select(memory, at)
            })
            .collect();
        let mut word = bytes[0];
        for &byte in &bytes[1..] {
            word = terms.concat(byte, word);
        }
        let equal = terms.eq(word, other);
        assert_eq!(
            terms.op(equal),
            Op::And,
            "an equality of parts is one of each part"
        );
        assert_eq!(atoms(&mut terms, equal), Some(vec![equal]));

        // Reads in two places are two atoms.
        let far = terms.word(32, 100);
        let far = terms.add(pointer, far);
        let far = terms.select(memory, far);
        let one = terms.word(8, 1);
        let (near, far) = (terms.eq(bytes[0], one), terms.eq(far, one));
        let both = terms.and(near, far);
        assert_eq!(atoms(&mut terms, both).map(|atoms| atoms.len()), Some(2));
    }
}
