//! The program dependence graph over source lines: which lines compute what others read, and which lines decide about others,
//! across calls. It is what a report of fault lines is scored on.
//!
//! What a line reads and writes is what its effects as terms mention. Variables of a function are followed along its graph;
//! globals and memory, which any function may write, by name alone.

use std::collections::{BTreeMap, BTreeSet};

use logic::Symbol;
use program::{EdgeId, FuncId, LocId, Program};
use semantics::{Semantics, Step, Storage, owner};

/// A line: its file's name and its number.
pub type SourceLine = (String, u32);

#[derive(Clone, Debug, Default)]
pub struct DependenceGraph {
    pub lines: Vec<SourceLine>,
    neighbours: Vec<BTreeSet<usize>>,
}

/// What an edge reads and writes, and the line that it stands in.
struct Uses {
    line: usize,
    reads: BTreeSet<Symbol>,
    writes: BTreeSet<Symbol>,
    from: LocId,
    to: LocId,
}

impl DependenceGraph {
    /// Of the functions that are called from others of `functions`, and these.
    pub fn new(semantics: &mut Semantics<'_>, functions: &[FuncId]) -> DependenceGraph {
        let mut graph = DependenceGraph::default();
        let mut numbers: BTreeMap<SourceLine, usize> = BTreeMap::new();
        let program = semantics.program;
        let mut outer: BTreeMap<Symbol, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        let mut callers: BTreeMap<FuncId, BTreeSet<usize>> = BTreeMap::new();
        let mut all: BTreeMap<FuncId, Vec<Uses>> = BTreeMap::new();
        let mut given: BTreeMap<Symbol, BTreeSet<usize>> = BTreeMap::new();
        for &function in functions {
            let Some(body) = &program.functions[function].body else {
                continue;
            };
            for &loc in &body.locs {
                for &edge in &program.locs[loc].outgoing {
                    let Some(line) = graph.line(&mut numbers, program, edge) else {
                        continue;
                    };
                    let uses = uses(semantics, edge, line, &mut callers, &mut given);
                    for &symbol in &uses.reads {
                        if owner(semantics, symbol) != Some(function) {
                            outer.entry(symbol).or_default().1.push(line);
                        }
                    }
                    for &symbol in &uses.writes {
                        // What a function returns is read by others.
                        let is_result = matches!(semantics.storage_of(symbol), Some(Storage::Result(..)));
                        if is_result || owner(semantics, symbol) != Some(function) {
                            outer.entry(symbol).or_default().0.push(line);
                        }
                    }
                    all.entry(function).or_default().push(uses);
                }
            }
        }
        for (writes, reads) in outer.values() {
            for &write in writes {
                for &read in reads {
                    graph.connect(write, read);
                }
            }
        }
        for (&function, uses) in &all {
            graph.along(semantics, function, uses, &given);
            graph.control(program, function, &numbers, callers.get(&function));
        }
        graph
    }

    fn line(
        &mut self,
        numbers: &mut BTreeMap<SourceLine, usize>,
        program: &Program,
        edge: EdgeId,
    ) -> Option<usize> {
        let line = source_line(program, edge)?;
        Some(*numbers.entry(line.clone()).or_insert_with(|| {
            self.lines.push(line);
            self.neighbours.push(BTreeSet::new());
            self.lines.len() - 1
        }))
    }

    fn connect(&mut self, a: usize, b: usize) {
        if a != b {
            self.neighbours[a].insert(b);
            self.neighbours[b].insert(a);
        }
    }

    /// Data dependence of a function's own variables, by the definitions that reach each location.
    fn along(
        &mut self,
        semantics: &Semantics<'_>,
        function: FuncId,
        uses: &[Uses],
        given: &BTreeMap<Symbol, BTreeSet<usize>>,
    ) {
        let is_own = |symbol: &Symbol| owner(semantics, *symbol) == Some(function);
        let mut reaching: BTreeMap<LocId, BTreeSet<(Symbol, usize)>> = BTreeMap::new();
        let body = semantics.program.functions[function].body.as_ref();
        let entry = body.expect("it has edges").entry;
        let first = given
            .iter()
            .filter(|(symbol, _)| is_own(symbol))
            .flat_map(|(&symbol, lines)| lines.iter().map(move |&line| (symbol, line)));
        reaching.insert(entry, first.collect());
        let mut of_loc: BTreeMap<LocId, Vec<&Uses>> = BTreeMap::new();
        for uses in uses {
            of_loc.entry(uses.from).or_default().push(uses);
        }
        let mut pending = vec![entry];
        while let Some(loc) = pending.pop() {
            let here = reaching.get(&loc).cloned().unwrap_or_default();
            for uses in of_loc.get(&loc).into_iter().flatten() {
                let mut after: BTreeSet<(Symbol, usize)> = here
                    .iter()
                    .filter(|(symbol, _)| !uses.writes.contains(symbol))
                    .copied()
                    .collect();
                let own = uses.writes.iter().filter(|symbol| is_own(symbol));
                after.extend(own.map(|&symbol| (symbol, uses.line)));
                let is_new = !reaching.contains_key(&uses.to);
                let there = reaching.entry(uses.to).or_default();
                let before = there.len();
                there.extend(after);
                if is_new || there.len() > before {
                    pending.push(uses.to);
                }
            }
        }
        for uses in uses {
            let Some(here) = reaching.get(&uses.from) else {
                continue;
            };
            for &(symbol, line) in here {
                if uses.reads.contains(&symbol) {
                    self.connect(line, uses.line);
                }
            }
        }
    }

    /// Control dependence (Ferrante, Ottenstein and Warren): an edge decides about what comes on every way from it but not on
    /// every way from where it starts. What nothing in the function decides about, its calls do.
    fn control(
        &mut self,
        program: &Program,
        function: FuncId,
        numbers: &BTreeMap<SourceLine, usize>,
        callers: Option<&BTreeSet<usize>>,
    ) {
        let Some(body) = &program.functions[function].body else {
            return;
        };
        let after = PostDominators::new(program, &body.locs);
        let mut decided: BTreeSet<LocId> = BTreeSet::new();
        let number = |edge: EdgeId| source_line(program, edge).and_then(|line| numbers.get(&line).copied());
        for &loc in &body.locs {
            if program.locs[loc].outgoing.len() < 2 {
                continue;
            }
            for &edge in &program.locs[loc].outgoing {
                let to = program.edges[edge].to;
                for &below in &body.locs {
                    // A condition of a loop decides about itself.
                    let is_decided = after.always(to, below) && (below == loc || !after.always(loc, below));
                    if !is_decided {
                        continue;
                    }
                    decided.insert(below);
                    for &inner in &program.locs[below].outgoing {
                        if let (Some(a), Some(b)) = (number(edge), number(inner)) {
                            self.connect(a, b);
                        }
                    }
                }
            }
        }
        for &loc in body.locs.iter().filter(|loc| !decided.contains(loc)) {
            for &edge in &program.locs[loc].outgoing {
                if let Some(line) = number(edge) {
                    for &caller in callers.into_iter().flatten() {
                        self.connect(caller, line);
                    }
                }
            }
        }
    }

    /// The score of Renieris and Reiss: what part of the program need not be read by somebody who starts at the reported lines,
    /// goes along dependences, all at once, and knows a faulty line when it is seen.
    pub fn score(&self, reported: &[SourceLine], faulty: &[SourceLine]) -> Option<f64> {
        let number = |line: &SourceLine| self.lines.iter().position(|known| known == line);
        let faulty: BTreeSet<usize> = faulty.iter().filter_map(number).collect();
        let mut read: BTreeSet<usize> = reported.iter().filter_map(number).collect();
        if faulty.is_empty() {
            return None;
        }
        if read.is_empty() {
            return Some(0.0);
        }
        while read.is_disjoint(&faulty) {
            let next = read.iter().flat_map(|&line| &self.neighbours[line]);
            let next: BTreeSet<usize> = next.copied().collect();
            let before = read.len();
            read.extend(next);
            if read.len() == before {
                return Some(0.0);
            }
        }
        Some(1.0 - read.len() as f64 / self.lines.len() as f64)
    }
}

/// The line that an edge stands in.
pub fn source_line(program: &Program, edge: EdgeId) -> Option<SourceLine> {
    let (file, line) = program.edges[edge].span?.presumed();
    Some((program.sources.file(file).name.clone(), line))
}

fn uses(
    semantics: &mut Semantics<'_>,
    edge: EdgeId,
    line: usize,
    callers: &mut BTreeMap<FuncId, BTreeSet<usize>>,
    given: &mut BTreeMap<Symbol, BTreeSet<usize>>,
) -> Uses {
    let data = &semantics.program.edges[edge];
    let mut uses = Uses {
        line,
        reads: BTreeSet::new(),
        writes: BTreeSet::new(),
        from: data.from,
        to: data.to,
    };
    for way in semantics.ways(edge) {
        if let Step::Enter { callee, .. } = way {
            callers.entry(callee).or_default().insert(line);
        }
        for step in [Some(way), way.leave()].into_iter().flatten() {
            let Ok(effect) = semantics.effect(step) else {
                continue;
            };
            let mut roots = effect.defined.clone();
            roots.push(effect.guard);
            roots.extend(effect.updates.iter().map(|&(_, value)| value));
            let read = semantics.terms.free_symbols(&roots);
            let stored = |symbol: &Symbol| semantics.storage_of(*symbol).is_some();
            uses.reads.extend(read.into_iter().filter(stored));
            let written = effect.updates.iter().map(|&(symbol, _)| symbol);
            match step {
                // The callee's parameters.
                Step::Enter { .. } => {
                    for symbol in written {
                        given.entry(symbol).or_default().insert(line);
                    }
                }
                _ => uses.writes.extend(written),
            }
        }
    }
    uses
}

/// For each location of a function those that every way from it to an end comes through, itself among them.
struct PostDominators {
    index: BTreeMap<LocId, usize>,
    after: Vec<Vec<u64>>,
}

impl PostDominators {
    fn new(program: &Program, locs: &[LocId]) -> PostDominators {
        let index: BTreeMap<LocId, usize> = locs.iter().enumerate().map(|(at, &loc)| (loc, at)).collect();
        let words = locs.len().div_ceil(64);
        let mut after = vec![vec![u64::MAX; words]; locs.len()];
        let alone = |at: usize| {
            let mut set = vec![0; words];
            set[at / 64] |= 1 << (at % 64);
            set
        };
        for (at, &loc) in locs.iter().enumerate() {
            if program.locs[loc].outgoing.is_empty() {
                after[at] = alone(at);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (at, &loc) in locs.iter().enumerate().rev() {
                let outgoing = &program.locs[loc].outgoing;
                if outgoing.is_empty() {
                    continue;
                }
                let mut common = vec![u64::MAX; words];
                for &edge in outgoing {
                    let other = &after[index[&program.edges[edge].to]];
                    for (word, theirs) in common.iter_mut().zip(other) {
                        *word &= theirs;
                    }
                }
                common[at / 64] |= 1 << (at % 64);
                if common != after[at] {
                    after[at] = common;
                    changed = true;
                }
            }
        }
        PostDominators { index, after }
    }

    /// Whether every way from `above` comes through `below`.
    fn always(&self, above: LocId, below: LocId) -> bool {
        let at = self.index[&below];
        self.after[self.index[&above]][at / 64] >> (at % 64) & 1 == 1
    }
}
