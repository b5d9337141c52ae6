//! Candidates about what memory holds. Of one byte it is known whether it was written ([`semantics::Semantics::said_of_contents`]);
//! around a loop that writes an array that is so once the loop is past it, or once it is not in the array at all.

use std::collections::{BTreeMap, BTreeSet};

use library::Block;
use logic::{Symbol, Term};
use program::{FuncId, VarKind};
use semantics::Storage;

use crate::Work;

/// The blocks and the writes of a function that are thought about.
const MAX_SAID: usize = 8;

/// What may hold of the watched byte at the loops of a function.
pub(crate) fn candidates(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<Term> {
    let (mut fresh, mut written) = (Vec::new(), Vec::new());
    let functions: Vec<FuncId> = work.functions.iter().map(|&(other, _)| other).collect();
    for other in functions {
        for (said, at, bytes) in said_in(work, other) {
            let is_own = other == function;
            match said {
                Block::Fresh if is_own || is_fixed(work, &[at, bytes]) => fresh.push((at, bytes)),
                Block::Write if is_own => written.push((at, bytes)),
                _ => {}
            }
        }
    }
    fresh.dedup();
    written.dedup();
    fresh.truncate(MAX_SAID);
    written.truncate(MAX_SAID);
    if fresh.is_empty() && written.is_empty() {
        return Vec::new();
    }
    let is_written = work.semantics.watched_is_written();
    let mut guessed = vec![is_written];
    // Written, or elsewhere, or not passed yet: how far it is from the start of its block tells.
    for (start, size) in fresh {
        let inside = work.semantics.is_watched_in(start, size);
        let elsewhere = work.semantics.terms.not(inside);
        let known = work.semantics.terms.or(is_written, elsewhere);
        guessed.push(known);
        let watched = work.semantics.watched_from(start);
        for &(at, bytes) in &written {
            let terms = &mut work.semantics.terms;
            let at = terms.sub(at, start);
            let end = terms.add(at, bytes);
            let (above, below) = (terms.ule(at, watched), terms.ult(watched, end));
            guessed.extend([terms.or(known, above), terms.or(known, below)]);
        }
    }
    // Of blocks that are not known by name here.
    for (at, bytes) in written {
        let end = work.semantics.terms.add(at, bytes);
        let zero = work.semantics.terms.sub(at, at);
        let watched = work.semantics.watched_from(zero);
        let terms = &mut work.semantics.terms;
        let (above, below) = (terms.ule(at, watched), terms.ult(watched, end));
        guessed.extend([terms.or(is_written, above), terms.or(is_written, below)]);
    }
    guessed
}

fn said_in(work: &mut Work<'_, '_, '_>, function: FuncId) -> Vec<(Block, Term, Term)> {
    let program = work.task.program;
    let body = program.functions[function].body.as_ref();
    let locs = body.map_or(&[][..], |body| &body.locs);
    let edges = locs.iter().flat_map(|&loc| &program.locs[loc].outgoing);
    let said: Vec<_> = edges
        .filter_map(|&edge| work.semantics.said_of_contents(edge))
        .collect();
    if said.is_empty() {
        return said;
    }
    let named: Vec<(Symbol, Term)> = temporaries(work, function).into_iter().collect();
    said.into_iter()
        .map(|(said, at, bytes)| {
            (
                said,
                in_other_words(work, &named, at),
                in_other_words(work, &named, bytes),
            )
        })
        .collect()
}

/// What temporaries that are assigned once stand for.
fn temporaries(work: &mut Work<'_, '_, '_>, function: FuncId) -> BTreeMap<Symbol, Term> {
    let program = work.task.program;
    let body = program.functions[function].body.as_ref();
    let locs = body.map_or(&[][..], |body| &body.locs);
    let (mut named, mut several) = (BTreeMap::new(), BTreeSet::new());
    for &edge in locs.iter().flat_map(|&loc| &program.locs[loc].outgoing) {
        let Some(var) = program::written_variable(program, edge) else {
            continue;
        };
        if program.vars[var].kind != VarKind::Temporary {
            continue;
        }
        for way in work.semantics.ways(edge) {
            for &(symbol, value) in work
                .semantics
                .effect(way)
                .iter()
                .flat_map(|effect| &effect.updates)
            {
                if work.semantics.storage_of(symbol) == Some(Storage::Variable(var, 0))
                    && named.insert(symbol, value).is_some()
                {
                    several.insert(symbol);
                }
            }
        }
    }
    named.retain(|symbol, _| !several.contains(symbol));
    named
}

/// A term about what is computed on the way, as it is at the start of a round: a guess.
fn in_other_words(work: &mut Work<'_, '_, '_>, named: &[(Symbol, Term)], mut term: Term) -> Term {
    for _ in 0..3 {
        term = work.semantics.terms.substitute(term, named);
    }
    term
}

/// Whether terms mean the same in all functions: addresses of variables do.
fn is_fixed(work: &Work<'_, '_, '_>, terms: &[Term]) -> bool {
    let symbols: BTreeSet<Symbol> = work.semantics.terms.free_symbols(terms).into_iter().collect();
    symbols
        .into_iter()
        .all(|symbol| matches!(work.semantics.storage_of(symbol), Some(Storage::Address(_))))
}
