//! Which storage is followed in a function: the words that it or a function that it calls mentions, and among them the columns
//! of affine relations.
//!
//! Relations cost the cube of their columns at every step, so a function has few of them: those that take part in
//! linear assignments and equalities, in loops before others.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use logic::{Op, Sort, Symbol, Term};
use program::{CallGraph, EdgeId, FuncId, Loops};
use rustc_hash::FxHashSet;
use semantics::{Effect, Role, Semantics, Step, Storage};

use crate::state::{Relations, State};
use crate::word::{Thresholds, to_signed};

/// The most words that outlive a function's activations and are followed in it.
const MAX_OUTER: usize = 64;
const MAX_COLUMNS: usize = 16;
/// So many related words of a function are followed in its callees as well.
const MAX_PASSED_ON: usize = 8;
const MAX_THRESHOLDS: usize = 96;
/// How much more an assignment in a loop says than one outside.
const IN_LOOP: usize = 16;

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub slots: BTreeSet<Term>,
    /// The slots that are cells, by the memory that they are in.
    pub cells: BTreeMap<Symbol, Vec<Term>>,
    /// The columns of relations, by width.
    pub columns: BTreeMap<u32, Rc<[Term]>>,
    pub thresholds: Thresholds,
    /// The slots that outlive the function's activations.
    pub outer: BTreeSet<Term>,
    /// The memories that the function itself reads and writes.
    memories: BTreeSet<Symbol>,
    /// Where it reads and writes through its own pointers.
    accesses: Vec<Access>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    memory: Term,
    pointer: Term,
    offset: u128,
}

impl Frame {
    /// Nothing is known.
    pub fn any(&self) -> State {
        let relations = self.columns.iter();
        let relations = relations.map(|(&width, columns)| Relations::any(width, Rc::clone(columns)));
        State::any(relations.collect())
    }
}

/// All frames; a function without a body, or that is not reachable, has none.
pub fn frames(semantics: &mut Semantics<'_>, calls: &CallGraph, entry: FuncId) -> BTreeMap<FuncId, Frame> {
    let reachable: BTreeSet<FuncId> = calls.reachable_from(entry).into_iter().collect();
    let mut frames: BTreeMap<FuncId, Frame> = BTreeMap::new();
    let mut scores: BTreeMap<FuncId, BTreeMap<Term, usize>> = BTreeMap::new();
    let has_frame = |semantics: &Semantics<'_>, function: &FuncId| {
        reachable.contains(function) && semantics.program.functions[*function].body.is_some()
    };
    for &function in calls.components().iter().flatten() {
        if has_frame(semantics, &function) {
            let (frame, own) = own_frame(semantics, function);
            frames.insert(function, frame);
            scores.insert(function, own);
        }
    }
    for &function in calls.components().iter().rev().flatten() {
        if has_frame(semantics, &function) {
            give_addresses(semantics, function, &mut frames, &mut scores);
        }
    }
    share_cells(semantics, &mut frames, &mut scores);
    // Callees come first.
    for component in calls.components() {
        let members: Vec<FuncId> = component
            .iter()
            .copied()
            .filter(|function| has_frame(semantics, function))
            .collect();
        // Twice, for functions that call each other.
        for _ in 0..2 {
            for &function in &members {
                inherit(calls, function, &mut frames, &mut scores);
            }
        }
    }
    for &function in calls.components().iter().rev().flatten() {
        pass_on(calls, function, &mut frames, &mut scores);
    }
    for (function, frame) in &mut frames {
        frame.columns = columns(semantics, &scores[function]);
        for &slot in &frame.slots {
            if semantics.terms.op(slot) == Op::Select {
                let memory = semantics.terms.as_symbol(semantics.terms.args(slot)[0]);
                let memory = memory.expect("a cell is one of a memory");
                frame.cells.entry(memory).or_default().push(slot);
            }
        }
    }
    frames
}

/// A relation between what a callee changes and what it leaves alone is kept only where the callee follows both.
fn pass_on(
    calls: &CallGraph,
    function: FuncId,
    frames: &mut BTreeMap<FuncId, Frame>,
    scores: &mut BTreeMap<FuncId, BTreeMap<Term, usize>>,
) {
    let Some(frame) = frames.get(&function) else {
        return;
    };
    let own = &scores[&function];
    let related: Vec<Term> = frame
        .outer
        .iter()
        .copied()
        .filter(|slot| own.contains_key(slot))
        .collect();
    if related.len() > MAX_PASSED_ON {
        return;
    }
    for &callee in calls.callees(function) {
        let Some(theirs) = frames.get_mut(&callee).filter(|frame| !frame.outer.is_empty()) else {
            continue;
        };
        let their_scores = scores.entry(callee).or_default();
        for &slot in &related {
            if theirs.outer.len() < MAX_OUTER && theirs.outer.insert(slot) {
                theirs.slots.insert(slot);
                their_scores.insert(slot, 1);
            }
        }
    }
}

/// A function's callees follow the pointers that they are given, with the variables that these may lead into.
fn give_addresses(
    semantics: &mut Semantics<'_>,
    function: FuncId,
    frames: &mut BTreeMap<FuncId, Frame>,
    scores: &mut BTreeMap<FuncId, BTreeMap<Term, usize>>,
) {
    let program = semantics.program;
    let body = program.functions[function].body.as_ref();
    let locs = body.map_or(&[][..], |body| &body.locs);
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        for way in semantics.ways(edge) {
            let Step::Enter { callee, .. } = way else {
                continue;
            };
            let Ok(effect) = semantics.effect(way) else {
                continue;
            };
            for &(param, value) in &effect.updates {
                let param = semantics.terms.symbol_term(param);
                let is_pointer = semantics.terms.sort(value) == Sort::BitVec(semantics.pointer_bits());
                if !is_pointer
                    || !frames
                        .get(&callee)
                        .is_some_and(|frame| frame.slots.contains(&param))
                {
                    continue;
                }
                let linear = semantics.terms.linear(value);
                let own = &scores[&function];
                // The address itself, or those that a pointer of the caller may be.
                let addresses: Vec<Term> = match linear.monomials[..] {
                    [(base, 1)] if is_address(semantics, base) => vec![base],
                    [(base, 1)] if own.contains_key(&base) => {
                        let known = own.keys().copied();
                        known.filter(|&term| is_address(semantics, term)).collect()
                    }
                    _ => Vec::new(),
                };
                if addresses.is_empty() {
                    continue;
                }
                let theirs = scores.entry(callee).or_default();
                *theirs.entry(param).or_default() += IN_LOOP;
                let frame = frames.get_mut(&callee).expect("it was looked at");
                let accesses: Vec<_> = frame
                    .accesses
                    .iter()
                    .filter(|at| at.pointer == param)
                    .copied()
                    .collect();
                for address in addresses {
                    *theirs.entry(address).or_default() += 1;
                    for access in &accesses {
                        let offset = semantics.terms.word(semantics.pointer_bits(), access.offset);
                        let at = semantics.terms.add(address, offset);
                        let cell = semantics.terms.select(access.memory, at);
                        mention(semantics, callee, cell, frame);
                        theirs.entry(cell).or_insert(1);
                    }
                }
            }
        }
    }
}

/// Cells that one function knows by where they are another may reach through a pointer.
fn share_cells(
    semantics: &Semantics<'_>,
    frames: &mut BTreeMap<FuncId, Frame>,
    scores: &mut BTreeMap<FuncId, BTreeMap<Term, usize>>,
) {
    let mut cells: BTreeMap<Symbol, BTreeSet<Term>> = BTreeMap::new();
    for &slot in frames.values().flat_map(|frame| &frame.outer) {
        if semantics.terms.op(slot) == Op::Select
            && let Some(memory) = semantics.terms.as_symbol(semantics.terms.args(slot)[0])
        {
            cells.entry(memory).or_default().insert(slot);
        }
    }
    for (function, frame) in frames {
        let scores = scores.entry(*function).or_default();
        let memories = std::mem::take(&mut frame.memories);
        for &cell in memories.iter().filter_map(|memory| cells.get(memory)).flatten() {
            if frame.outer.len() < MAX_OUTER && frame.outer.insert(cell) {
                frame.slots.insert(cell);
                scores.entry(cell).or_insert(1);
            }
        }
    }
}

/// Takes over what callees follow of storage that outlives them.
fn inherit(
    calls: &CallGraph,
    function: FuncId,
    frames: &mut BTreeMap<FuncId, Frame>,
    scores: &mut BTreeMap<FuncId, BTreeMap<Term, usize>>,
) {
    for &callee in calls.callees(function) {
        let Some(theirs) = frames.get(&callee).map(|frame| frame.outer.clone()) else {
            continue;
        };
        let their_scores = scores.get(&callee).cloned().unwrap_or_default();
        let frame = frames.get_mut(&function).expect("the caller has a frame");
        let own_scores = scores.entry(function).or_default();
        for slot in theirs {
            if frame.outer.len() >= MAX_OUTER && !frame.outer.contains(&slot) {
                continue;
            }
            frame.outer.insert(slot);
            frame.slots.insert(slot);
            if their_scores.contains_key(&slot) {
                own_scores.entry(slot).or_insert(1);
            }
        }
    }
}

/// The effects of all steps that begin at an edge, or end there.
fn effects(semantics: &mut Semantics<'_>, edge: EdgeId) -> Vec<Rc<Effect>> {
    let mut effects = Vec::new();
    for way in semantics.ways(edge) {
        for step in [Some(way), way.leave()].into_iter().flatten() {
            effects.extend(semantics.effect(step));
        }
    }
    effects
}

fn own_frame(semantics: &mut Semantics<'_>, function: FuncId) -> (Frame, BTreeMap<Term, usize>) {
    let program = semantics.program;
    let body = program.functions[function].body.as_ref();
    let body = body.expect("only functions with a body have frames");
    let loops = Loops::new(program, function);
    let mut frame = Frame::default();
    let mut scores: BTreeMap<Term, usize> = BTreeMap::new();
    let mut numbers: BTreeSet<i128> = BTreeSet::from([-1, 0, 1]);
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    for &loc in &body.locs {
        let weight = if loops.innermost(loc).is_some() {
            IN_LOOP
        } else {
            1
        };
        for &edge in &program.locs[loc].outgoing {
            for effect in effects(semantics, edge) {
                let mut roots = vec![effect.guard];
                roots.extend(effect.updates.iter().map(|&(_, value)| value));
                for &(symbol, _) in &effect.updates {
                    let term = semantics.terms.symbol_term(symbol);
                    mention(semantics, function, term, &mut frame);
                }
                for term in semantics.terms.subterms(&roots) {
                    if seen.insert(term) {
                        mention(semantics, function, term, &mut frame);
                        thresholds(semantics, term, &mut numbers);
                    }
                }
                for slot in linear_parts(semantics, function, &effect) {
                    *scores.entry(slot).or_default() += weight;
                }
            }
        }
    }
    let numbers: Vec<i128> = numbers.into_iter().collect();
    let every = numbers.len().div_ceil(MAX_THRESHOLDS).max(1);
    frame.thresholds = Thresholds::new(numbers.into_iter().step_by(every).chain([0]));
    (frame, scores)
}

/// Numbers that a condition compares with, and their neighbours.
fn thresholds(semantics: &Semantics<'_>, term: Term, numbers: &mut BTreeSet<i128>) {
    let terms = &semantics.terms;
    if !matches!(terms.op(term), Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle) {
        return;
    }
    for &arg in terms.args(term) {
        if let (Some(bits), Some(width)) = (terms.as_word(arg), terms.sort(arg).width()) {
            let number = to_signed(bits, width);
            numbers.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
        }
    }
}

fn mention(semantics: &mut Semantics<'_>, function: FuncId, term: Term, frame: &mut Frame) {
    let terms = &semantics.terms;
    if terms.op(term) == Op::Select
        && let [memory, address] = *terms.args(term)
        && terms.as_symbol(memory).is_some()
        && matches!(terms.sort(term), Sort::BitVec(_))
    {
        let linear = terms.linear(address);
        if let [(pointer, 1)] = linear.monomials[..]
            && is_followed(semantics, function, pointer)
        {
            let access = Access {
                memory,
                pointer,
                offset: linear.constant,
            };
            if !frame.accesses.contains(&access) && frame.accesses.len() < MAX_OUTER {
                frame.accesses.push(access);
            }
        }
    }
    let terms = &semantics.terms;
    if !matches!(terms.sort(term), Sort::BitVec(_)) {
        if let Some(symbol) = terms.as_symbol(term)
            && matches!(semantics.storage_of(symbol), Some(Storage::Memory(_)))
        {
            frame.memories.insert(symbol);
        }
        // A store tells of a cell.
        if terms.op(term) == Op::Store {
            let args = terms.args(term).to_vec();
            let mut memory = args[0];
            while semantics.terms.op(memory) == Op::Store {
                memory = semantics.terms.args(memory)[0];
            }
            if semantics.terms.as_symbol(memory).is_some() {
                let cell = semantics.terms.select(memory, args[1]);
                if matches!(semantics.terms.sort(cell), Sort::BitVec(_)) {
                    mention(semantics, function, cell, frame);
                }
            }
        }
        return;
    }
    if !is_followed(semantics, function, term) {
        return;
    }
    if semantics.terms.op(term) == Op::Select || is_outer(semantics, function, term) {
        if frame.outer.len() >= MAX_OUTER && !frame.outer.contains(&term) {
            return;
        }
        frame.outer.insert(term);
    }
    frame.slots.insert(term);
}

fn is_outer(semantics: &Semantics<'_>, function: FuncId, term: Term) -> bool {
    let symbol = semantics.terms.as_symbol(term);
    symbol.is_some_and(|symbol| semantics.role(function, symbol) == Role::Outer)
}

/// Whether the term is a word of storage that a function's states may speak of.
fn is_followed(semantics: &Semantics<'_>, function: FuncId, term: Term) -> bool {
    let terms = &semantics.terms;
    match terms.op(term) {
        Op::Symbol(symbol) => matches!(
            semantics.role(function, symbol),
            Role::Own(_) | Role::Result | Role::Outer
        ),
        Op::Select => {
            let args = terms.args(term);
            let memory = terms
                .as_symbol(args[0])
                .and_then(|symbol| semantics.storage_of(symbol));
            matches!(memory, Some(Storage::Memory(_))) && is_fixed(semantics, args[1])
        }
        _ => false,
    }
}

/// Whether the term is a number, or so many bytes from a variable.
fn is_fixed(semantics: &Semantics<'_>, address: Term) -> bool {
    let linear = semantics.terms.linear(address);
    match linear.monomials[..] {
        [] => true,
        [(base, 1)] => is_address(semantics, base),
        _ => false,
    }
}

fn is_address(semantics: &Semantics<'_>, term: Term) -> bool {
    let symbol = semantics.terms.as_symbol(term);
    let storage = symbol.and_then(|symbol| semantics.storage_of(symbol));
    matches!(storage, Some(Storage::Address(_)))
}

/// The words that an effect relates linearly.
fn linear_parts(semantics: &mut Semantics<'_>, function: FuncId, effect: &Effect) -> Vec<Term> {
    let mut parts = Vec::new();
    for &(symbol, value) in &effect.updates {
        let target = semantics.terms.symbol_term(symbol);
        match semantics.terms.op(value) {
            Op::Store => {
                let args = semantics.terms.args(value).to_vec();
                let cell = semantics.terms.select(target, args[1]);
                if matches!(semantics.terms.sort(cell), Sort::BitVec(_)) {
                    add_linear(semantics, function, Some(cell), args[2], &mut parts);
                }
            }
            _ if matches!(semantics.terms.sort(value), Sort::BitVec(_)) => {
                add_linear(semantics, function, Some(target), value, &mut parts);
            }
            _ => {}
        }
    }
    for atom in semantics.terms.atoms(effect.guard) {
        if semantics.terms.op(atom) == Op::Eq {
            let args = semantics.terms.args(atom).to_vec();
            if matches!(semantics.terms.sort(args[0]), Sort::BitVec(_)) {
                let difference = semantics.terms.sub(args[0], args[1]);
                add_linear(semantics, function, None, difference, &mut parts);
            }
        }
    }
    parts
}

fn add_linear(
    semantics: &Semantics<'_>,
    function: FuncId,
    target: Option<Term>,
    value: Term,
    parts: &mut Vec<Term>,
) {
    let linear = semantics.terms.linear(value);
    if linear.width > 64 {
        return;
    }
    let may_be_column = |term: Term| is_followed(semantics, function, term) || is_address(semantics, term);
    // What a pointer leads to may turn out to be a cell.
    let may_be_cell = |term: Term| {
        semantics.terms.op(term) == Op::Select
            && semantics.terms.as_symbol(semantics.terms.args(term)[0]).is_some()
    };
    // What is assigned something else is not related to anything by it.
    let mut monomials = linear.monomials.iter();
    if !monomials.all(|&(term, _)| may_be_column(term) || may_be_cell(term)) {
        return;
    }
    parts.extend(target.filter(|&target| is_followed(semantics, function, target)));
    let monomials = linear.monomials.iter().map(|&(term, _)| term);
    parts.extend(monomials.filter(|&term| may_be_column(term)));
}

fn columns(semantics: &Semantics<'_>, scores: &BTreeMap<Term, usize>) -> BTreeMap<u32, Rc<[Term]>> {
    let mut by_width: BTreeMap<u32, Vec<(usize, Term)>> = BTreeMap::new();
    for (&slot, &score) in scores {
        if let Sort::BitVec(width) = semantics.terms.sort(slot) {
            by_width.entry(width).or_default().push((score, slot));
        }
    }
    let chosen = by_width.into_iter().map(|(width, mut slots)| {
        slots.sort_by_key(|&(score, slot)| (std::cmp::Reverse(score), slot));
        slots.truncate(MAX_COLUMNS);
        let mut columns: Vec<Term> = slots.into_iter().map(|(_, slot)| slot).collect();
        columns.sort_unstable();
        (width, columns.into())
    });
    chosen.collect()
}
