//! What a step does to what is known.

use std::rc::Rc;

use logic::{Op, Substitution, Symbol, Term};
use program::{EdgeId, FuncId};
use semantics::{Call, Effect, Role, Semantics, Storage};

use crate::affine::{New, Vector};
use crate::analysis::Analysis;
use crate::evaluate;
use crate::frame::Frame;
use crate::refine;
use crate::state::{Relations, State};

impl Analysis<'_, '_> {
    /// The state after an effect of the function; `None` if there is none.
    pub(crate) fn step(&mut self, function: FuncId, state: &State, effect: &Effect) -> Option<State> {
        let mut pointers = pointers(self.semantics, state);
        let terms = &mut self.semantics.terms;
        let (guard, updates) = match &mut pointers {
            Some(pointers) => {
                let updates = effect.updates.iter();
                let updates: Vec<(Symbol, Term)> = updates
                    .map(|&(symbol, value)| (symbol, pointers.apply(terms, value)))
                    .collect();
                (pointers.apply(terms, effect.guard), updates)
            }
            None => (effect.guard, effect.updates.clone()),
        };
        let refined = refine::assume(self.semantics, state, guard, true)?;
        let frame = &self.frames[&function];
        let mut after = updated(self.semantics, frame, &refined, &updates);
        after.keep(|slot| frame.slots.contains(&slot));
        Some(after)
    }

    /// What a call tells its callee; `None` if the call does not happen.
    pub(crate) fn entered(&mut self, state: &State, edge: EdgeId, callee: FuncId) -> Option<State> {
        let call = Call::new(self.semantics, edge, callee).ok()?;
        let refined = refine::assume(self.semantics, state, call.enter.guard, true)?;
        let frame = &self.frames[&callee];
        let mut entered = frame.any();
        let mut substitution =
            Substitution::of_symbols(&self.semantics.terms, call.enter.updates.iter().copied());
        let mut at_entry = |semantics: &mut Semantics<'_>, slot: Term| -> Option<Term> {
            let symbol = first_symbol(semantics, slot);
            match symbol.map(|symbol| semantics.role(callee, symbol)) {
                Some(Role::Own(_)) => {
                    let symbol = symbol.expect("it has a role");
                    let given = call.enter.updates.iter().find(|(set, _)| *set == symbol);
                    given.map(|&(_, value)| value)
                }
                Some(Role::Outer | Role::Constant) => {
                    let after = substitution.apply(&mut semantics.terms, slot);
                    Some(evaluate::resolved(semantics, &refined, after))
                }
                _ => None,
            }
        };
        for &slot in &frame.slots {
            if let Some(term) = at_entry(self.semantics, slot) {
                entered.set(slot, evaluate::word(self.semantics, &refined, term));
            }
        }
        for relations in &mut entered.relations {
            let Some(before) = of_width(&refined, relations.width) else {
                continue;
            };
            let columns: Vec<New> = relations
                .columns
                .iter()
                .map(|&column| match at_entry(self.semantics, column) {
                    Some(term) => new_column(self.semantics, before, term),
                    None => New::Anything,
                })
                .collect();
            relations.affine = before.affine.map(&columns);
        }
        Some(entered)
    }

    /// The state after a call whose callee may return.
    pub(crate) fn returned(
        &mut self,
        function: FuncId,
        state: &State,
        edge: EdgeId,
        callee: FuncId,
        exit: &State,
    ) -> Option<State> {
        let call = Call::new(self.semantics, edge, callee).ok()?;
        let refined = refine::assume(self.semantics, state, call.enter.guard, true)?;
        let mut after = refined.clone();
        let is_changed = |semantics: &Semantics<'_>, slot: Term| {
            let symbol = first_symbol(semantics, slot);
            // A result so far is not the result of the call.
            symbol.is_some_and(|symbol| {
                self.changes[callee].contains(&symbol) || semantics.role(callee, symbol) == Role::Result
            })
        };
        after.keep(|slot| !is_changed(self.semantics, slot));
        let outlives = |semantics: &Semantics<'_>, slot: Term| {
            first_symbol(semantics, slot)
                .is_some_and(|symbol| matches!(semantics.role(callee, symbol), Role::Result | Role::Outer))
        };
        for (&slot, word) in exit.words() {
            if outlives(self.semantics, slot) {
                let known = after.words().get(&slot).cloned();
                let word = match known {
                    Some(known) => known.meet(word)?,
                    None => word.clone(),
                };
                after.set(slot, word);
            }
        }
        let frame = &self.frames[&function];
        for relations in &mut after.relations {
            let Some(theirs) = of_width(exit, relations.width) else {
                let columns: Vec<New> = (0..relations.columns.len())
                    .map(
                        |index| match is_changed(self.semantics, relations.columns[index]) {
                            true => New::Anything,
                            false => New::Linear(unit(relations, index)),
                        },
                    )
                    .collect();
                relations.affine = relations.affine.map(&columns);
                continue;
            };
            let before = relations.clone();
            let mut columns: Vec<Term> = before.columns.to_vec();
            let mut new: Vec<New> = (0..columns.len())
                .map(|index| match is_changed(self.semantics, columns[index]) {
                    true => New::Anything,
                    false => New::Linear(unit(&before, index)),
                })
                .collect();
            // Beside the caller's own columns: the result, and parameters that still are what was given.
            for &column in theirs.columns.iter() {
                if columns.contains(&column) {
                    continue;
                }
                let Some(symbol) = first_symbol(self.semantics, column) else {
                    continue;
                };
                match self.semantics.role(callee, symbol) {
                    Role::Result => new.push(New::Anything),
                    Role::Own(_) if function != callee && self.semantics.lasts(callee, symbol) => {
                        let given = call.enter.updates.iter().find(|(set, _)| *set == symbol);
                        let Some(&(_, given)) = given else {
                            continue;
                        };
                        new.push(new_column(self.semantics, &before, given));
                    }
                    _ => continue,
                }
                columns.push(column);
            }
            let mut met = Relations {
                width: before.width,
                affine: before.affine.map(&new),
                columns: columns.into(),
            };
            // What the callee says of its own variables means nothing to the caller.
            let kept: Vec<usize> = (0..theirs.columns.len())
                .filter(|&index| {
                    let column = theirs.columns[index];
                    let is_own = first_symbol(self.semantics, column)
                        .is_some_and(|symbol| matches!(self.semantics.role(callee, symbol), Role::Own(_)));
                    met.columns.contains(&column) && !(is_own && function == callee)
                })
                .collect();
            let projection: Vec<New> = kept
                .iter()
                .map(|&index| New::Linear(unit(theirs, index)))
                .collect();
            for equation in theirs.affine.map(&projection).equations() {
                let mut vector = vec![0; met.columns.len() + 1];
                vector[0] = equation[0];
                for (&index, &coefficient) in kept.iter().zip(&equation[1..]) {
                    let position = met
                        .columns
                        .iter()
                        .position(|&column| column == theirs.columns[index]);
                    vector[position.expect("it was kept") + 1] = coefficient;
                }
                met.affine = met.affine.meet(&vector)?;
            }
            *relations = met;
        }
        let mut after = updated(self.semantics, frame, &after, &call.leave.updates);
        for relations in &mut after.relations {
            project(relations, &frame.columns[&relations.width]);
        }
        if function == callee {
            forget_result(self.semantics, function, &mut after);
        }
        after.keep(|slot| frame.slots.contains(&slot));
        Some(after)
    }
}

/// In a function that calls itself, what the call returned is not what the function returns.
fn forget_result(semantics: &Semantics<'_>, function: FuncId, state: &mut State) {
    let is_result = |slot: Term| {
        let symbol = semantics.terms.as_symbol(slot);
        symbol.is_some_and(|symbol| semantics.role(function, symbol) == Role::Result)
    };
    state.keep(|slot| !is_result(slot));
    for relations in &mut state.relations {
        let columns: Vec<New> = relations
            .columns
            .iter()
            .enumerate()
            .map(|(index, &column)| match is_result(column) {
                true => New::Anything,
                false => New::Linear(unit(relations, index)),
            })
            .collect();
        relations.affine = relations.affine.map(&columns);
    }
}

fn of_width(state: &State, width: u32) -> Option<&Relations> {
    state.relations.iter().find(|relations| relations.width == width)
}

/// Pointers that are known to lead so many bytes into a variable, by where that is: what they lead to are cells.
fn pointers(semantics: &mut Semantics<'_>, state: &State) -> Option<Substitution> {
    let relations = of_width(state, semantics.pointer_bits())?;
    let is_address = |semantics: &Semantics<'_>, column: Term| {
        let symbol = semantics.terms.as_symbol(column);
        let storage = symbol.and_then(|symbol| semantics.storage_of(symbol));
        matches!(storage, Some(Storage::Address(_)))
    };
    let (addresses, others): (Vec<usize>, Vec<usize>) =
        (0..relations.columns.len()).partition(|&index| is_address(semantics, relations.columns[index]));
    let mut known = Vec::new();
    for &pointer in &others {
        for &address in &addresses {
            let mut difference = unit(relations, pointer);
            difference[address + 1] = u64::MAX >> (64 - relations.width);
            if let Some(offset) = relations.affine.constant(&difference) {
                let offset = semantics.terms.word(relations.width, u128::from(offset));
                let place = semantics.terms.add(relations.columns[address], offset);
                known.push((relations.columns[pointer], place));
                break;
            }
        }
    }
    (!known.is_empty()).then(|| Substitution::new(&semantics.terms, known))
}

/// The symbol whose storage a slot is, or is in.
pub(crate) fn first_symbol(semantics: &Semantics<'_>, slot: Term) -> Option<Symbol> {
    match semantics.terms.op(slot) {
        Op::Symbol(symbol) => Some(symbol),
        Op::Select => semantics.terms.as_symbol(semantics.terms.args(slot)[0]),
        _ => None,
    }
}

/// The function that is one column.
fn unit(relations: &Relations, index: usize) -> Vector {
    let mut vector = vec![0; relations.columns.len() + 1];
    vector[index + 1] = 1;
    vector
}

fn new_column(semantics: &Semantics<'_>, relations: &Relations, term: Term) -> New {
    match relations.vector(&semantics.terms.linear(term)) {
        Some(vector) => New::Linear(vector),
        None => New::Anything,
    }
}

/// Only these columns, which are among those there.
fn project(relations: &mut Relations, columns: &Rc<[Term]>) {
    if relations.columns == *columns {
        return;
    }
    let kept: Vec<New> = columns
        .iter()
        .map(|column| {
            let position = relations.columns.iter().position(|other| other == column);
            New::Linear(unit(relations, position.expect("a function keeps its columns")))
        })
        .collect();
    relations.affine = relations.affine.map(&kept);
    relations.columns = Rc::clone(columns);
}

/// The state after updates.
pub(crate) fn updated(
    semantics: &mut Semantics<'_>,
    frame: &Frame,
    state: &State,
    updates: &[(Symbol, Term)],
) -> State {
    // What each slot that changes is now, in terms of what was before.
    let mut changed: Vec<(Term, Term)> = Vec::new();
    for &(symbol, value) in updates {
        let target = semantics.terms.symbol_term(symbol);
        if semantics.terms.sort(target).width().is_some() {
            changed.push((target, value));
            continue;
        }
        for &cell in frame.cells.get(&symbol).into_iter().flatten() {
            let address = semantics.terms.args(cell)[1];
            let read = semantics.terms.select(value, address);
            let read = evaluate::resolved(semantics, state, read);
            if read != cell {
                changed.push((cell, read));
            }
        }
    }
    if changed.is_empty() {
        return state.clone();
    }
    let mut after = state.clone();
    for &(slot, value) in &changed {
        let word = match frame.slots.contains(&slot) {
            true => evaluate::word(semantics, state, value),
            false => crate::word::Word::any(evaluate::width(&semantics.terms, slot)),
        };
        after.set(slot, word);
    }
    for relations in &mut after.relations {
        let is_changed = |column: &Term| changed.iter().find(|(slot, _)| slot == column);
        if !relations
            .columns
            .iter()
            .any(|column| is_changed(column).is_some())
        {
            continue;
        }
        let columns: Vec<New> = relations
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| match is_changed(column) {
                None => New::Linear(unit(relations, index)),
                Some(&(_, value)) => match new_column(semantics, relations, value) {
                    New::Anything => match evaluate::word(semantics, state, value).as_constant() {
                        Some(constant) => {
                            let mut vector = vec![0; relations.columns.len() + 1];
                            vector[0] = constant as u64;
                            New::Linear(vector)
                        }
                        None => New::Anything,
                    },
                    linear => linear,
                },
            })
            .collect();
        relations.affine = relations.affine.map(&columns);
    }
    after
}

impl Analysis<'_, '_> {
    /// Whether a condition is known not to hold.
    pub(crate) fn excludes(&mut self, state: &State, condition: Term) -> bool {
        refine::assume(self.semantics, state, condition, true).is_none()
    }
}
