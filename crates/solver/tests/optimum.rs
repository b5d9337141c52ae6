//! The cost of an optimum is that of the best of all assignments, on formulas small enough to try them all.

use logic::random::Random;
use logic::{Assignment, ElementSort, Sort, Symbol, SymbolInfo, Term, Terms, Value};
use solver::{Options, Solver, Z3Solver};

const SYMBOLS: usize = 8;

fn clause(terms: &mut Terms, random: &mut Random, symbols: &[Symbol]) -> Term {
    let literals: Vec<Term> = (0..1 + random.below(3))
        .map(|_| {
            let term = terms.symbol_term(random.pick(symbols));
            match random.chance(50) {
                true => terms.not(term),
                false => term,
            }
        })
        .collect();
    terms.any(&literals)
}

/// The least cost of an assignment that satisfies all of `hard`.
fn exhaustive(terms: &Terms, symbols: &[Symbol], hard: &[Term], soft: &[(Term, u64)]) -> Option<u64> {
    let assignments = (0..1_usize << symbols.len()).map(|bits| {
        let mut assignment = Assignment::new();
        for (index, &symbol) in symbols.iter().enumerate() {
            assignment.set(symbol, Value::Bool(bits >> index & 1 == 1));
        }
        assignment
    });
    let holds = |term: Term, assignment: &Assignment| {
        terms.eval(term, assignment).expect("all have values").as_bool() == Some(true)
    };
    assignments
        .filter(|assignment| hard.iter().all(|&term| holds(term, assignment)))
        .map(|assignment| {
            let paid = soft.iter().filter(|(term, _)| !holds(*term, &assignment));
            paid.map(|(_, weight)| weight).sum()
        })
        .min()
}

#[test]
fn an_optimum_costs_what_the_best_assignment_costs() {
    let mut random = Random::new(17);
    let mut terms = Terms::new();
    let symbols: Vec<Symbol> = (0..SYMBOLS)
        .map(|index| terms.symbol(&format!("p{index}"), Sort::Bool, SymbolInfo::unsigned()))
        .collect();
    let mut solver = Z3Solver::new(&Options::default()).expect("a solver starts");
    let mut without = 0;
    for _ in 0..300 {
        let hard: Vec<Term> = (0..random.below(10))
            .map(|_| clause(&mut terms, &mut random, &symbols))
            .collect();
        // Few different weights make cores that meet again, many make ones that are paid in parts.
        let heaviest = [1, 3, 9][random.below(3)];
        let soft: Vec<(Term, u64)> = (0..1 + random.below(30))
            .map(|_| {
                let weight = 1 + random.below(heaviest) as u64;
                (clause(&mut terms, &mut random, &symbols), weight)
            })
            .collect();
        let best = exhaustive(&terms, &symbols, &hard, &soft);
        let found = solver
            .optimise(&mut terms, &hard, &soft)
            .expect("small formulas are decided");
        without += usize::from(best.is_none());
        assert_eq!(found.map(|optimum| optimum.cost), best);
    }
    assert!(
        (1..300).contains(&without),
        "both kinds occur: {without} without any"
    );
}

/// Words and what arrays hold: the sum of entries is to be large, and each entry has a price.
#[test]
fn an_optimum_of_words_in_an_array() {
    let mut terms = Terms::new();
    let mut solver = Z3Solver::new(&Options::default()).expect("a solver starts");
    let sort = Sort::Array {
        index: 8,
        element: ElementSort::BitVec(8),
    };
    let array = terms.var("memory", sort, SymbolInfo::unsigned());
    let entries: Vec<Term> = (0..4)
        .map(|address| {
            let address = terms.word(8, address);
            terms.select(array, address)
        })
        .collect();
    let mut sum = terms.word(8, 0);
    for &entry in &entries {
        sum = terms.add(sum, entry);
    }
    let wanted = terms.word(8, 21);
    let hard = vec![terms.eq(sum, wanted)];
    let mut soft = Vec::new();
    for (&entry, weight) in entries.iter().zip([5, 3, 4, 1]) {
        for most in [2, 8] {
            let most = terms.word(8, most);
            soft.push((terms.ule(entry, most), weight));
        }
    }
    let found = solver
        .optimise(&mut terms, &hard, &soft)
        .expect("small formulas are decided")
        .expect("there are such entries");
    // The cheap entry alone can be large.
    assert_eq!(found.cost, 2);
}
