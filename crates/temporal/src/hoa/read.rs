//! Reads Büchi and generalised Büchi automata. Acceptance may stand at states or at edges, labels at states, at edges, or
//! nowhere (then a state has one edge a letter). What is well formed but no such automaton is refused.

use std::collections::BTreeMap;
use std::ops::Range;

use super::HoaError;
use super::words::{Word, words};
use crate::automaton::{Cube, Edge, Generalised};
use crate::formula::AtomId;

/// The automaton, and the names of its atoms.
pub fn read_hoa(text: &str) -> Result<(Generalised, Vec<String>), HoaError> {
    let words = words(text)?;
    let mut reader = Reader {
        words: &words,
        next: 0,
        end: text.trim_end().len(),
        atoms: Vec::new(),
        aliases: BTreeMap::new(),
        sets: 0,
    };
    let starts = reader.header()?;
    let states = reader.body()?;
    reader.automaton(starts, states)
}

/// No automaton that we or others write is larger; a text that only claims to be needs no memory.
const MOST_STATES: usize = 1 << 20;
/// Letters of an automaton without labels, and conjunctions of one label.
const MOST_CUBES: usize = 1 << 12;

struct Reader<'t> {
    words: &'t [(Word, Range<usize>)],
    next: usize,
    end: usize,
    atoms: Vec<String>,
    aliases: BTreeMap<String, Vec<Cube>>,
    sets: u32,
}

struct ReadState {
    number: usize,
    edges: Vec<Edge>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.next).map(|(word, _)| word)
    }

    fn at(&self) -> Range<usize> {
        let here = self.words.get(self.next).map(|(_, at)| at.clone());
        here.unwrap_or(self.end..self.end)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        Err(HoaError::new(self.at(), message))
    }

    fn accept(&mut self, word: &Word) -> bool {
        let found = self.peek() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn accept_symbol(&mut self, symbol: char) -> bool {
        self.accept(&Word::Symbol(symbol))
    }

    fn expect_symbol(&mut self, symbol: char) -> Result<(), HoaError> {
        match self.accept_symbol(symbol) {
            true => Ok(()),
            false => self.error(format!("expected `{symbol}`")),
        }
    }

    fn number(&mut self) -> Result<usize, HoaError> {
        match self.peek() {
            Some(&Word::Number(number)) => {
                self.next += 1;
                Ok(number)
            }
            _ => self.error("expected a number"),
        }
    }

    fn state_number(&mut self) -> Result<usize, HoaError> {
        let at = self.at();
        let number = self.number()?;
        match self.peek() {
            Some(Word::Symbol('&')) => self.error("alternating automata are not read here"),
            _ if number >= MOST_STATES => Err(HoaError::new(at, "the automaton is too large")),
            _ => Ok(number),
        }
    }

    /// The initial states.
    fn header(&mut self) -> Result<Vec<usize>, HoaError> {
        let version = [Word::Header("HOA".to_owned()), Word::Name("v1".to_owned())];
        if !version.iter().all(|word| self.accept(word)) {
            return self.error("expected `HOA: v1`");
        }
        let mut starts = Vec::new();
        let mut accepts = false;
        loop {
            match self.peek().cloned() {
                Some(Word::Mark(mark)) if mark == "BODY" => {
                    self.next += 1;
                    return match accepts {
                        true => Ok(starts),
                        false => self.error("there is no `Acceptance:` before the body"),
                    };
                }
                Some(Word::Header(header)) => {
                    let start = self.next;
                    self.next += 1;
                    match header.as_str() {
                        "Start" => starts.push(self.state_number()?),
                        "AP" => self.atom_names()?,
                        "Alias" => self.alias()?,
                        "Acceptance" => {
                            self.acceptance()?;
                            accepts = true;
                        }
                        "States" => {
                            self.number()?;
                        }
                        _ if header.starts_with(|first: char| first.is_ascii_uppercase()) => {
                            self.next = start;
                            return self.error(format!("`{header}:` has no meaning here"));
                        }
                        _ => self.skip_item(),
                    }
                }
                _ => return self.error("expected a header or `--BODY--`"),
            }
        }
    }

    fn skip_item(&mut self) {
        while !matches!(self.peek(), None | Some(Word::Header(_) | Word::Mark(_))) {
            self.next += 1;
        }
    }

    fn atom_names(&mut self) -> Result<(), HoaError> {
        let at = self.at();
        let count = self.number()?;
        if count > AtomId::LIMIT {
            return Err(HoaError::new(at, "there are too many atoms"));
        }
        for _ in 0..count {
            match self.peek().cloned() {
                Some(Word::Text(name)) => self.atoms.push(name),
                _ => return self.error("expected the name of an atom, in quotes"),
            }
            self.next += 1;
        }
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Some(Word::Alias(name)) = self.peek().cloned() else {
            return self.error("expected `@name`");
        };
        self.next += 1;
        let label = self.disjunction()?;
        self.aliases.insert(name, label);
        Ok(())
    }

    /// `0 t`, or the conjunction of `Inf` of all sets.
    fn acceptance(&mut self) -> Result<(), HoaError> {
        let at = self.at();
        let other = HoaError::new(at, "only Büchi and generalised Büchi acceptance is read here");
        let count = self.number()?;
        let mut seen = 0u64;
        if self.accept(&Word::Name("t".to_owned())) {
            return if count == 0 { Ok(()) } else { Err(other) };
        }
        loop {
            if !self.accept(&Word::Name("Inf".to_owned())) || !self.accept_symbol('(') {
                return Err(other);
            }
            match self.peek() {
                Some(&Word::Number(set)) if set < count && set < 64 => seen |= 1 << set,
                _ => return Err(other),
            }
            self.next += 1;
            self.expect_symbol(')')?;
            if !self.accept_symbol('&') {
                break;
            }
        }
        let all = u32::try_from(count).ok().filter(|&count| count <= 64);
        match all {
            Some(count) if seen == u64::MAX.checked_shr(64 - count).unwrap_or(0) => {
                self.sets = count;
                Ok(())
            }
            _ => Err(other),
        }
    }

    fn body(&mut self) -> Result<Vec<ReadState>, HoaError> {
        let mut states = Vec::new();
        loop {
            match self.peek().cloned() {
                Some(Word::Header(header)) if header == "State" => {
                    self.next += 1;
                    states.push(self.state()?);
                }
                Some(Word::Mark(mark)) if mark == "END" => {
                    self.next += 1;
                    return match self.peek() {
                        None => Ok(states),
                        Some(_) => self.error("unexpected text after the automaton"),
                    };
                }
                _ => return self.error("expected `State:` or `--END--`"),
            }
        }
    }

    fn state(&mut self) -> Result<ReadState, HoaError> {
        let own_label = self.label()?;
        let number = self.state_number()?;
        if matches!(self.peek(), Some(Word::Text(_))) {
            self.next += 1;
        }
        let own_marks = self.marks()?;
        let mut edges = Vec::new();
        let mut implicit = 0u64;
        while matches!(self.peek(), Some(Word::Symbol('[') | Word::Number(_))) {
            let at = self.at();
            let labels = match (self.label()?, &own_label) {
                (Some(labels), None) => labels,
                (None, Some(labels)) => labels.clone(),
                (Some(_), Some(_)) => return Err(HoaError::new(at, "the state has a label already")),
                (None, None) => {
                    implicit += 1;
                    vec![self.implicit_label(implicit - 1)?]
                }
            };
            let to = self.state_number()?;
            let marks = own_marks | self.marks()?;
            edges.extend(labels.iter().map(|&label| Edge { label, to, marks }));
        }
        if implicit > 0 && implicit != 1 << self.atoms.len() {
            return self.error("a state without labels has one edge for each letter");
        }
        Ok(ReadState { number, edges })
    }

    fn implicit_label(&self, letter: u64) -> Result<Cube, HoaError> {
        let letters = 1u64.checked_shl(u32::try_from(self.atoms.len()).unwrap_or(u32::MAX));
        match letters {
            Some(letters) if letter < letters && letters <= MOST_CUBES as u64 => Ok(Cube {
                positive: letter,
                negative: (letters - 1) & !letter,
            }),
            _ => self.error("a state without labels has one edge for each letter"),
        }
    }

    fn marks(&mut self) -> Result<u64, HoaError> {
        let mut marks = 0;
        if self.accept_symbol('{') {
            while !self.accept_symbol('}') {
                let at = self.at();
                let set = self.number()?;
                if set >= self.sets as usize {
                    return Err(HoaError::new(at, "there is no such acceptance set"));
                }
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }

    fn label(&mut self) -> Result<Option<Vec<Cube>>, HoaError> {
        if !self.accept_symbol('[') {
            return Ok(None);
        }
        let label = self.disjunction()?;
        self.expect_symbol(']')?;
        Ok(Some(label))
    }

    fn disjunction(&mut self) -> Result<Vec<Cube>, HoaError> {
        let mut cubes = self.conjunction()?;
        while self.accept_symbol('|') {
            cubes.extend(self.conjunction()?);
        }
        self.limited(cubes)
    }

    fn conjunction(&mut self) -> Result<Vec<Cube>, HoaError> {
        let mut cubes = self.literal(true)?;
        while self.accept_symbol('&') {
            let other = self.literal(true)?;
            cubes = self.limited(conjoined(&cubes, &other))?;
        }
        Ok(cubes)
    }

    /// An operand, or its negation.
    fn literal(&mut self, holds: bool) -> Result<Vec<Cube>, HoaError> {
        let constant = |value: bool| if value { vec![Cube::default()] } else { Vec::new() };
        let word = self.peek().cloned();
        let at = self.at();
        self.next += 1;
        let cubes = match word {
            Some(Word::Symbol('!')) => return self.literal(!holds),
            Some(Word::Name(name)) if name == "t" => return Ok(constant(holds)),
            Some(Word::Name(name)) if name == "f" => return Ok(constant(!holds)),
            Some(Word::Number(atom)) if atom < self.atoms.len() => {
                let (positive, negative) = if holds { (1 << atom, 0) } else { (0, 1 << atom) };
                return Ok(vec![Cube { positive, negative }]);
            }
            Some(Word::Number(_)) => return Err(HoaError::new(at, "there is no such atom")),
            Some(Word::Symbol('(')) => {
                let inner = self.disjunction()?;
                self.expect_symbol(')')?;
                inner
            }
            Some(Word::Alias(name)) => match self.aliases.get(&name) {
                Some(cubes) => cubes.clone(),
                None => return Err(HoaError::new(at, "there is no such alias")),
            },
            _ => return Err(HoaError::new(at, "expected a label")),
        };
        match holds {
            true => Ok(cubes),
            false => self.negated(&cubes),
        }
    }

    fn negated(&self, cubes: &[Cube]) -> Result<Vec<Cube>, HoaError> {
        let mut result = vec![Cube::default()];
        for cube in cubes {
            let flipped: Vec<Cube> = (0..64)
                .flat_map(|atom| {
                    let bit = 1u64 << atom;
                    let (positive, negative) = (cube.negative & bit, cube.positive & bit);
                    (positive | negative != 0).then_some(Cube { positive, negative })
                })
                .collect();
            result = self.limited(conjoined(&result, &flipped))?;
        }
        Ok(result)
    }

    fn limited(&self, cubes: Vec<Cube>) -> Result<Vec<Cube>, HoaError> {
        match cubes.len() > MOST_CUBES {
            true => self.error("the label is too large"),
            false => Ok(cubes),
        }
    }

    fn automaton(
        self,
        starts: Vec<usize>,
        read: Vec<ReadState>,
    ) -> Result<(Generalised, Vec<String>), HoaError> {
        let targets = read
            .iter()
            .flat_map(|state| state.edges.iter().map(|edge| edge.to));
        let numbers = read.iter().map(|state| state.number);
        let largest = targets.chain(numbers).chain(starts.iter().copied()).max();
        let mut states = vec![Vec::new(); largest.map_or(0, |largest| largest + 1)];
        for state in read {
            states[state.number].extend(state.edges);
        }
        let initial = match starts[..] {
            [start] => start,
            // One that does what any of them does, to which nothing leads back.
            _ => {
                let edges = starts.iter().flat_map(|&start| states[start].clone()).collect();
                states.push(edges);
                states.len() - 1
            }
        };
        let automaton = Generalised {
            initial,
            sets: self.sets,
            states,
        };
        Ok((automaton, self.atoms))
    }
}

fn conjoined(left: &[Cube], right: &[Cube]) -> Vec<Cube> {
    let pairs = left
        .iter()
        .flat_map(|cube| right.iter().map(|other| cube.and(*other)));
    let mut cubes: Vec<Cube> = pairs.flatten().collect();
    cubes.sort_unstable();
    cubes.dedup();
    cubes
}
