//! What equations with constants say about other formulas, by substitution alone: where a variable has one value, most of what labels
//! say about others of its values is decided by that.

use logic::{Op, Substitution, Symbol, Term, Terms};

/// A conjunction of the same meaning, where constants stand for the symbols that equations give them. A contradiction found on the way is all
/// that is left.
pub fn propagated(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut equations: Vec<Term> = Vec::new();
    let mut rest: Vec<Term> = Vec::new();
    for &formula in formulas {
        rest.extend(terms.conjuncts(formula));
    }
    loop {
        let mut pairs: Vec<(Symbol, Term)> = Vec::new();
        rest.retain(|&part| match equation(terms, part) {
            // A second value of the same symbol is left to be contradicted by the first.
            Some((symbol, value)) if pairs.iter().all(|&(other, _)| other != symbol) => {
                pairs.push((symbol, value));
                equations.push(part);
                false
            }
            _ => true,
        });
        if pairs.is_empty() {
            equations.append(&mut rest);
            return equations;
        }
        let mut values = Substitution::of_symbols(terms, pairs);
        let mut open = Vec::new();
        for part in rest {
            let part = values.apply(terms, part);
            match terms.as_bool(part) {
                Some(true) => {}
                Some(false) => return vec![part],
                None => open.extend(terms.conjuncts(part)),
            }
        }
        rest = open;
    }
}

/// The parts of a conjunction without those that its equations with constants imply.
pub fn without_decided(terms: &mut Terms, parts: &mut Vec<Term>) {
    let mut pairs: Vec<(Symbol, Term)> = Vec::new();
    for &part in parts.iter() {
        pairs.extend(equation(terms, part));
    }
    if pairs.is_empty() {
        return;
    }
    let mut values = Substitution::of_symbols(terms, pairs);
    parts.retain(|&part| {
        let said = values.apply(terms, part);
        equation(terms, part).is_some() || terms.as_bool(said) != Some(true)
    });
}

/// The symbol and its value, if that is what the formula says.
fn equation(terms: &Terms, formula: Term) -> Option<(Symbol, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(formula), terms.args(formula)) else {
        return None;
    };
    let (word, value) = if terms.is_constant(a) { (b, a) } else { (a, b) };
    let symbol = terms.as_symbol(word)?;
    terms.is_constant(value).then_some((symbol, value))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use logic::{Sort, SymbolInfo};

    use super::*;

    /// `x` is `value`, or is not, for each symbol and value.
    fn atoms(terms: &mut Terms, said: &[(&str, &str, u128)]) -> Vec<Term> {
        let mut atoms = Vec::new();
        for &(name, comparison, value) in said {
            let symbol = terms.var(name, Sort::BitVec(32), SymbolInfo::signed());
            let value = terms.word(32, value);
            let equal = terms.eq(symbol, value);
            atoms.push(match comparison {
                "==" => equal,
                "!=" => terms.not(equal),
                _ => terms.sle(symbol, value),
            });
        }
        atoms
    }

    fn show(terms: &Terms, parts: &[Term], expected: &Expect) {
        let parts: Vec<String> = parts.iter().map(|&part| terms.to_c(part)).collect();
        expected.assert_eq(&parts.join(", "));
    }

    #[test]
    fn other_values_are_decided() {
        let mut terms = Terms::new();
        let mut parts = atoms(
            &mut terms,
            &[("s", "!=", 3), ("s", "==", 4), ("t", "!=", 4), ("s", "<=", 9)],
        );
        without_decided(&mut terms, &mut parts);
        show(&terms, &parts, &expect!["s == 4, t != 4"]);
    }

    #[test]
    fn two_values_contradict_each_other() {
        let mut terms = Terms::new();
        let parts = atoms(&mut terms, &[("s", "==", 3), ("t", "<=", 1), ("s", "==", 4)]);
        let found = propagated(&mut terms, &parts);
        show(&terms, &found, &expect!["0"]);
        let mut kept = parts.clone();
        without_decided(&mut terms, &mut kept);
        assert_eq!(kept, parts);
    }

    #[test]
    fn a_choice_is_narrowed() {
        let mut terms = Terms::new();
        let parts = atoms(
            &mut terms,
            &[("s", "==", 3), ("s", "!=", 3), ("t", "==", 1), ("u", "<=", 1)],
        );
        let choice = terms.any(&parts[1..3]);
        let found = propagated(&mut terms, &[parts[0], choice, parts[3]]);
        show(&terms, &found, &expect!["s == 3, t == 1, u < 2"]);
    }
}
