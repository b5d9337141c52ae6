//! What is known at a location: words by themselves, and affine relations between some of them.
//!
//! A slot is the term of a piece of storage that holds a word: a symbol, or a cell of memory at an address that does not
//! change (`select(memory, &x + 4)`). A slot without a word can have any value.
//!
//! Most steps change little of what is known, so states share what they agree about: a copy costs nothing until it is changed,
//! and what is shared need not be compared.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Linear, Signedness, Term, Terms};

use crate::affine::{Affine, Vector};
use crate::word::{Thresholds, Word, mask, signed_range};

/// Affine relations between slots of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relations {
    pub width: u32,
    pub columns: Rc<[Term]>,
    pub affine: Affine,
}

impl Relations {
    pub fn any(width: u32, columns: Rc<[Term]>) -> Relations {
        let affine = Affine::any(width, columns.len());
        Relations {
            width,
            columns,
            affine,
        }
    }

    /// A linear term as a function of the columns; `None` if it speaks of something else.
    pub fn vector(&self, linear: &Linear) -> Option<Vector> {
        if linear.width != self.width {
            return None;
        }
        let mut vector = vec![0; self.columns.len() + 1];
        vector[0] = u64::try_from(linear.constant).ok()?;
        for &(term, coefficient) in &linear.monomials {
            let column = self.columns.iter().position(|&column| column == term)?;
            vector[column + 1] = u64::try_from(coefficient).ok()?;
        }
        Some(vector)
    }

    fn equations(&self, terms: &mut Terms) -> Vec<Term> {
        let equations = self.affine.equations();
        let zero = terms.word(self.width, 0);
        let formulas = equations.into_iter().map(|equation| {
            let mut sum = Linear::constant(self.width, u128::from(equation[0]));
            for (&column, &coefficient) in self.columns.iter().zip(&equation[1..]) {
                if coefficient != 0 {
                    let mut summand = terms.linear(column);
                    summand.scale(u128::from(coefficient));
                    sum.add_scaled(&summand, 1);
                }
            }
            let sum = terms.from_linear(&sum);
            terms.eq(sum, zero)
        });
        formulas.collect()
    }
}

/// What is known where at least one state is possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    words: Rc<BTreeMap<Term, Word>>,
    /// At most one for each width.
    pub relations: Vec<Relations>,
}

impl State {
    /// Nothing is known, between slots that may be related.
    pub fn any(relations: Vec<Relations>) -> State {
        State {
            words: Rc::default(),
            relations,
        }
    }

    /// What is known of single words, by slot.
    pub fn words(&self) -> &BTreeMap<Term, Word> {
        &self.words
    }

    pub fn set(&mut self, slot: Term, word: Word) {
        let word = Some(word).filter(|word| !word.is_any());
        if self.words.get(&slot) != word.as_ref() {
            let words = Rc::make_mut(&mut self.words);
            match word {
                Some(word) => words.insert(slot, word),
                None => words.remove(&slot),
            };
        }
    }

    /// Forgets all words but those of some slots.
    pub fn keep(&mut self, mut is_kept: impl FnMut(Term) -> bool) {
        let others: Vec<Term> = self
            .words
            .keys()
            .copied()
            .filter(|&slot| !is_kept(slot))
            .collect();
        if !others.is_empty() {
            let words = Rc::make_mut(&mut self.words);
            for slot in others {
                words.remove(&slot);
            }
        }
    }

    /// The number that a linear term always is, as the relations say.
    pub fn constant(&self, linear: &Linear) -> Option<u128> {
        let constants = self.relations.iter().filter_map(|relations| {
            let vector = relations.vector(linear)?;
            relations.affine.constant(&vector)
        });
        constants.map(u128::from).next()
    }

    /// Only what is also the case in the other is kept; whether something was given up.
    pub fn join(&mut self, other: &State) -> bool {
        self.join_by(other, |_, joined| joined)
    }

    /// Joins with another; bounds that grow go on to the next threshold. Whether something was given up.
    pub fn widen(&mut self, other: &State, thresholds: &Thresholds) -> bool {
        self.join_by(other, |before, joined| before.widen(&joined, thresholds))
    }

    /// Joins with another; a word that grows is what `grow` makes of what it was and what it is joined.
    fn join_by(&mut self, other: &State, grow: impl Fn(&Word, Word) -> Word) -> bool {
        let mut grown = false;
        if !Rc::ptr_eq(&self.words, &other.words) {
            let new = grown_words(&self.words, &other.words, grow);
            grown = !new.is_empty();
            for (slot, word) in new {
                self.set(slot, word);
            }
        }
        for (mine, theirs) in self.relations.iter_mut().zip(&other.relations) {
            debug_assert!(mine.columns == theirs.columns, "relations of one function");
            grown |= mine.affine.join(&theirs.affine);
        }
        grown
    }

    /// Everything that is known, as formulas.
    pub fn formulas(&self, terms: &mut Terms) -> Vec<Term> {
        let mut formulas = Vec::new();
        for (&slot, word) in &*self.words {
            word_formulas(terms, slot, word, &mut formulas);
        }
        for relations in &self.relations {
            formulas.extend(relations.equations(terms));
        }
        formulas
    }
}

/// The words of `mine` that grow when they are joined with those of `theirs`.
fn grown_words(
    mine: &BTreeMap<Term, Word>,
    theirs: &BTreeMap<Term, Word>,
    grow: impl Fn(&Word, Word) -> Word,
) -> Vec<(Term, Word)> {
    let mut new = Vec::new();
    let mut others = theirs.iter().peekable();
    for (&slot, word) in mine {
        while others.next_if(|(other, _)| **other < slot).is_some() {}
        match others.next_if(|(other, _)| **other == slot) {
            Some((_, other)) if word == other => {}
            Some((_, other)) => {
                let joined = word.join(other);
                if joined != *word {
                    new.push((slot, grow(word, joined)));
                }
            }
            None => new.push((slot, Word::any(word.width))),
        }
    }
    new
}

/// What is known of one word.
pub fn word_formulas(terms: &mut Terms, slot: Term, word: &Word, formulas: &mut Vec<Term>) {
    let width = word.width;
    if let Some(values) = &word.values {
        let cases: Vec<Term> = values
            .iter()
            .map(|&value| {
                let value = terms.word(width, value);
                terms.eq(slot, value)
            })
            .collect();
        formulas.push(terms.any(&cases));
        return;
    }
    let (min, max) = signed_range(width);
    let (low, high) = word.signed;
    let one_sign = low >= 0 || high < 0;
    let is_unsigned = terms
        .as_symbol(slot)
        .is_some_and(|symbol| terms.symbol_info(symbol).signedness != Signedness::Signed);
    // Where the sign is known, one reading says what the other does.
    let (say_signed, say_unsigned) = match one_sign {
        true => (!is_unsigned, is_unsigned),
        false => (true, true),
    };
    if say_signed {
        if low > min {
            let low = terms.int(width, low);
            formulas.push(terms.sle(low, slot));
        }
        if high < max {
            let high = terms.int(width, high);
            formulas.push(terms.sle(slot, high));
        }
    }
    if say_unsigned {
        let (low, high) = word.unsigned;
        if low > 0 {
            let low = terms.word(width, low);
            formulas.push(terms.ule(low, slot));
        }
        if high < mask(width) {
            let high = terms.word(width, high);
            formulas.push(terms.ule(slot, high));
        }
    }
}
