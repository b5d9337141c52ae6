//! Automata and direct evaluation agree on random formulas and words: 100,000 pairs, for every stage of the translation.

use temporal::{
    AtomId, BinaryOp, Formula, Generalised, NoMonitor, UnaryOp, Word, buchi, degeneralise, generalised,
    monitor, read_hoa, reduce, write_hoa,
};

/// Numbers that look random and are the same every time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn formula(&mut self, operators: u64) -> Formula {
        if operators == 0 {
            return match self.below(12) {
                0 => Formula::Constant(self.below(2) == 0),
                _ => Formula::Atom(AtomId(self.below(ATOMS) as u8)),
            };
        }
        match self.below(11) {
            kind @ 0..=3 => {
                let ops = [UnaryOp::Not, UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally];
                Formula::unary(ops[kind as usize], self.formula(operators - 1))
            }
            kind => {
                let ops = [
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Implies,
                    BinaryOp::Iff,
                    BinaryOp::Until,
                    BinaryOp::Release,
                    BinaryOp::WeakUntil,
                ];
                let left = self.below(operators);
                let (left, right) = (self.formula(left), self.formula(operators - 1 - left));
                Formula::binary(ops[kind as usize - 4], left, right)
            }
        }
    }

    fn word(&mut self) -> Word {
        let (stem, cycle) = (self.below(5), 1 + self.below(4));
        let mut letters = |count: u64| (0..count).map(|_| self.below(1 << ATOMS)).collect();
        Word {
            stem: letters(stem),
            cycle: letters(cycle),
        }
    }
}

const ATOMS: u64 = 3;
const FORMULAS: u64 = 5_000;
const WORDS: u64 = 20;

#[test]
fn automata_accept_the_words_that_satisfy_their_formulas() {
    let mut random = Random(1);
    let (mut pairs, mut satisfied) = (0, 0);
    for number in 0..FORMULAS {
        let operators = number % 8;
        let formula = random.formula(operators);
        let tableau = generalised(&formula).expect("the formula is small");
        let plain = degeneralise(&tableau);
        let reduced = reduce(plain.clone());
        assert!(reduced.states.len() <= plain.states.len());
        let names: Vec<String> = (0..ATOMS).map(|atom| format!("p{atom}")).collect();
        let (read, atoms) = read_hoa(&write_hoa(&reduced, "random", &names)).expect("our own text is read");
        assert_eq!(atoms, names);
        assert_eq!(read, Generalised::from(&reduced));
        let negation = buchi(&formula.clone().negated()).expect("the formula is small");
        for _ in 0..WORDS {
            let word = random.word();
            let expected = word.satisfies(&formula);
            assert_eq!(word.is_accepted_by(&tableau), expected, "{formula:?} on {word:?}");
            assert_eq!(word.is_accepted(&plain), expected, "{formula:?} on {word:?}");
            assert_eq!(word.is_accepted(&reduced), expected, "{formula:?} on {word:?}");
            assert_eq!(word.is_accepted(&negation), !expected, "{formula:?} on {word:?}");
            pairs += 1;
            satisfied += u64::from(expected);
        }
    }
    assert_eq!(pairs, 100_000);
    // Neither answer is the rule.
    assert!((20_000..80_000).contains(&satisfied), "{satisfied}");
}

#[test]
fn monitors_notice_exactly_the_violations_of_safety_formulas() {
    let mut random = Random(2);
    let (mut safety, mut others, mut noticed) = (0, 0, 0);
    for number in 0..2_000 {
        let formula = random.formula(number % 7);
        let monitor = match monitor(&formula) {
            Ok(monitor) => monitor,
            Err(NoMonitor::NotSafety) => {
                others += 1;
                continue;
            }
            Err(NoMonitor::TooLarge) => panic!("{formula:?} is small"),
        };
        safety += 1;
        for _ in 0..WORDS {
            let word = random.word();
            // A state comes back at the same position of the cycle after so many letters, if it does not fail before.
            let length = word.stem.len() + word.cycle.len() * (monitor.states.len() + 1);
            let mut state = Some(0);
            for at in 0..length {
                state = state.and_then(|state| monitor.next(state, word.letter(at)));
            }
            assert_eq!(
                state.is_some(),
                word.satisfies(&formula),
                "{formula:?} on {word:?}"
            );
            noticed += u64::from(state.is_none());
        }
    }
    assert!(
        safety > 300 && others > 300 && noticed > 1000,
        "{safety} {others} {noticed}"
    );
}

#[test]
fn what_is_no_safety_formula_has_violations_that_no_prefix_shows() {
    // The other side of the test above: a formula that is refused has a word that violates it although every prefix of it can
    // still be made good, or else the refusal is a mistake. Such a word is found among small ones.
    let mut random = Random(3);
    let mut shown = 0;
    for number in 0..300 {
        let formula = random.formula(number % 5);
        if monitor(&formula) != Err(NoMonitor::NotSafety) {
            continue;
        }
        let found = (0..400).any(|_| {
            let word = random.word();
            !word.satisfies(&formula) && extensions(&word).all(|prefix| can_be_made_good(&formula, &prefix))
        });
        shown += u64::from(found);
        assert!(found, "{formula:?}");
    }
    assert!(shown > 30, "{shown}");
}

/// Prefixes of the word that are long for a small formula.
fn extensions(word: &Word) -> impl Iterator<Item = Vec<u64>> {
    let longest = word.stem.len() + 4 * word.cycle.len();
    std::iter::once((0..longest).map(|at| word.letter(at)).collect())
}

/// Whether one of the short cycles after the prefix satisfies the formula.
fn can_be_made_good(formula: &Formula, prefix: &[u64]) -> bool {
    let letters = 0..1u64 << ATOMS;
    let mut cycles = letters
        .clone()
        .flat_map(|first| letters.clone().map(move |second| vec![first, second]));
    cycles.any(|cycle| {
        let stem = prefix.to_vec();
        Word { stem, cycle }.satisfies(formula)
    })
}
