//! The rules for calls: DecideC and LearnC.
//!
//! A call is explored for the exits that are not wanted yet. Such an exit is gone on from; when what comes after it turns out to
//! be blocked, by a label of the return site, that becomes a further post-condition in the callee's own words, which speak of
//! globals, the result and values at entry. When all exits are as wanted the call is blocked: by what the callee's label at its
//! entry says about the arguments, and by what lets the post-condition imply the labels of the return site.

use std::collections::BTreeSet;

use logic::{Substitution, Symbol, Term};
use program::{EdgeId, FuncId};
use semantics::{Call, Role, Step, Storage};
use solver::Interpolation;
use symbolic_execution::{Addresses, Execution};
use verdict::Reason;

use crate::annotation::{ContractId, Label, StepLabel, shorter};
use crate::query::Query;
use crate::rules::{Arrival, Decided, Frame, Search, Summed};

/// What the exits of a call have to satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// In the callee's words.
    pub post: Term,
    /// The labels of the return site that it stands for.
    pub returns: Vec<Label>,
}

impl Search<'_, '_> {
    /// Explores a call.
    pub fn decide_call(
        &mut self,
        contract: ContractId,
        frame: &mut Frame,
        index: usize,
    ) -> Result<Decided, Reason> {
        let way = frame.ways[index];
        let Step::Enter { call, callee } = way else {
            unreachable!("calls are entered")
        };
        let spends = self.task.calls.is_recursive(callee);
        if spends && frame.query.tau == 0 {
            self.out_of_time(contract, frame, index);
            return Ok(Decided::Learned);
        }
        self.counts.calls += 1;
        let mut inside = frame.query.clone();
        if !self.take(&mut inside, way)? {
            let guard = self.call(call, callee)?.enter.guard;
            let terms = &self.prover.semantics.terms;
            let never = terms.bool(false);
            let Some(formula) = self.interpolant(&mut frame.query, guard, never)? else {
                return Err(self.stuck(call));
            };
            let label = StepLabel {
                label: Label::of(formula),
                through: None,
                closed: false,
            };
            self.annotate(contract, frame, index, label);
            return Ok(Decided::Learned);
        }
        self.counts.go_forward();
        inside.tau -= u32::from(spends);
        let kept = self.entry_symbols(call, callee)?;
        inside.execution.remember_entry(self.prover.semantics, kept);
        self.want_nothing(contract, frame, index);
        loop {
            let wanted = frame.wanted[index].clone().unwrap_or_else(|| Wanted {
                post: self.prover.semantics.terms.bool(false),
                returns: Vec::new(),
            });
            let exit = self.exit_of(callee);
            let terms = &mut self.prover.semantics.terms;
            let inner = self.annotation.contract(terms, callee, exit, wanted.post);
            self.label_dead_ends(inner);
            match self.sum(inner, inside.clone())? {
                Summed::Goal(query) => return Ok(Decided::Goal(query)),
                Summed::Blocked(label) => {
                    self.counts.go_back();
                    self.learn_call(contract, frame, index, inner, label)?;
                    return Ok(Decided::Learned);
                }
                Summed::Exit(exit) => {
                    let mut next = (*exit).clone();
                    // The call itself may be what closes a loop.
                    let closes = self.cycles.spending.contains(&call);
                    if closes && frame.query.tau == 0 {
                        let late = Label {
                            formula: self.prover.semantics.terms.bool(true),
                            below: Some(0),
                        };
                        self.counts.go_back();
                        self.want(frame, index, &exit, late)?;
                        continue;
                    }
                    next.tau = frame.query.tau - u32::from(closes);
                    if !self.take(&mut next, Step::Leave { call, callee })? {
                        return Err(Reason::Internal(
                            "a call does not return from its exit".to_owned(),
                        ));
                    }
                    match self.blocked(contract, &mut next)? {
                        Some(label) => {
                            self.counts.go_back();
                            self.want(frame, index, &exit, label)?;
                        }
                        None => {
                            let arrived = Arrival {
                                way: index,
                                exit: Some(exit),
                            };
                            return Ok(Decided::Deeper(Box::new(self.frame(next, Some(arrived)))));
                        }
                    }
                }
            }
        }
    }

    /// Where no goal can be reached after the call anyway, any exit is wanted.
    fn want_nothing(&mut self, contract: ContractId, frame: &mut Frame, index: usize) {
        let to = self.prover.semantics.program.edges[frame.ways[index].edge()].to;
        let nothing = Label::of(self.prover.semantics.terms.bool(true));
        if frame.wanted[index].is_none() && self.annotation.get(contract).at(to).contains(&nothing) {
            frame.wanted[index] = Some(Wanted {
                post: nothing.formula,
                returns: vec![nothing],
            });
        }
    }

    /// What comes after the exit is blocked by a label of the return site: such exits are wanted.
    pub fn want(
        &mut self,
        frame: &mut Frame,
        index: usize,
        exit: &Query,
        label: Label,
    ) -> Result<(), Reason> {
        let Step::Enter { call, callee } = frame.ways[index] else {
            unreachable!("calls are entered")
        };
        let Some(post) = self.post(&mut frame.query, call, callee, exit, label.formula)? else {
            return Err(self.stuck(call));
        };
        let terms = &mut self.prover.semantics.terms;
        let wanted = frame.wanted[index].get_or_insert_with(|| Wanted {
            post: terms.bool(false),
            returns: Vec::new(),
        });
        let wider = terms.or(wanted.post, post);
        if wider == wanted.post {
            return Err(Reason::Internal(
                "an exit that is wanted was found to be not".to_owned(),
            ));
        }
        wanted.post = wider;
        if !wanted.returns.contains(&label) {
            wanted.returns.push(label);
        }
        Ok(())
    }

    /// All exits are as wanted, and the callee's entry is blocked by a label: labels the call.
    fn learn_call(
        &mut self,
        contract: ContractId,
        frame: &mut Frame,
        index: usize,
        inner: ContractId,
        first: Label,
    ) -> Result<(), Reason> {
        let Step::Enter { call, callee } = frame.ways[index] else {
            unreachable!("calls are entered")
        };
        let wanted = frame.wanted[index].clone();
        let returns = wanted.map_or(Vec::new(), |wanted| wanted.returns);
        let meaning = self.call(call, callee)?;
        let guard = meaning.enter.guard;
        let pre = meaning.at_entry(self.prover.semantics, first.formula);
        let post = self.annotation.get(inner).post;
        let formulas: Vec<Term> = returns.iter().map(|label| label.formula).collect();
        let after = self.prover.semantics.terms.any(&formulas);
        let (returned, after) = self.around(&meaning, post, after);
        let returned = self.prover.semantics.terms.and(guard, returned);
        let first_part = self.interpolant(&mut frame.query, guard, pre)?;
        let second_part = self.interpolant(&mut frame.query, returned, after)?;
        let (Some(first_part), Some(second_part)) = (first_part, second_part) else {
            return Err(self.stuck(call));
        };
        let spends = u32::from(self.task.calls.is_recursive(callee));
        let closes = u32::from(self.cycles.spending.contains(&call));
        let mut below = first.below.map(|below| below + spends);
        for label in returns {
            below = shorter(below, label.below.map(|below| below + closes));
        }
        let label = Label {
            formula: self.prover.semantics.terms.and(first_part, second_part),
            below,
        };
        let label = StepLabel {
            label,
            through: Some(inner),
            closed: false,
        };
        self.annotate(contract, frame, index, label);
        Ok(())
    }

    pub fn call(&mut self, edge: EdgeId, callee: FuncId) -> Result<Call, Reason> {
        Call::new(self.prover.semantics, edge, callee).map_err(|unsupported| Reason::Unsupported {
            what: unsupported.what,
            at: Some(edge),
        })
    }

    /// What a call's callee may know at its exit of its entry: its parameters, and what it may change.
    fn entry_symbols(&mut self, call: EdgeId, callee: FuncId) -> Result<BTreeSet<Symbol>, Reason> {
        let meaning = self.call(call, callee)?;
        let mut symbols = self.changed[callee].clone();
        for &(symbol, _) in &meaning.enter.updates {
            if let Role::Own(_) = self.prover.semantics.role(callee, symbol) {
                symbols.insert(symbol);
            }
        }
        Ok(symbols)
    }

    /// The callee's post-condition, with what always holds at its exit, and the caller's formula after the call, both in terms of the caller's state before it;
    /// what the call changes has a name of its own after it.
    pub fn around(&mut self, meaning: &Call, post: Term, after: Term) -> (Term, Term) {
        let callee = meaning.callee;
        let exit = self.exit_of(callee).map_or(Vec::new(), |exit| self.known(exit));
        let exit = self.prover.semantics.terms.all(&exit);
        let post = self.prover.semantics.terms.and(post, exit);
        let post = meaning.at_exit(self.prover.semantics, &self.changed[callee], post);
        let after = meaning.after(self.prover.semantics, after);
        let semantics = &mut *self.prover.semantics;
        let mut pairs = Vec::new();
        for symbol in semantics.terms.free_symbols(&[post, after]) {
            let changes = self.changed[callee].contains(&symbol)
                || (semantics.storage_of(symbol).is_some() && semantics.role(callee, symbol) == Role::Result);
            let name = semantics.terms.symbol_name(symbol).to_owned();
            if changes {
                let (sort, info) = (
                    semantics.terms.symbol_sort(symbol),
                    semantics.terms.symbol_info(symbol).clone(),
                );
                let exit = semantics.terms.var(&format!("{name}@exit"), sort, info);
                pairs.push((symbol, exit));
            } else if let Some(plain) = name.strip_suffix("@before")
                && let Some(storage) = semantics.terms.find_symbol(plain)
            {
                pairs.push((symbol, semantics.terms.symbol_term(storage)));
            }
        }
        let mut renamed = Substitution::of_symbols(&semantics.terms, pairs);
        (
            renamed.apply(&mut semantics.terms, post),
            renamed.apply(&mut semantics.terms, after),
        )
    }

    /// A formula in the callee's words that holds at the exit, and that with what the caller knows before the call implies the
    /// label after it.
    fn post(
        &mut self,
        before: &mut Query,
        call: EdgeId,
        callee: FuncId,
        exit: &Query,
        label: Term,
    ) -> Result<Option<Term>, Reason> {
        let meaning = self.call(call, callee)?;
        let mut exit = exit.clone();
        for id in self.annotation.of(callee).into_iter().rev() {
            let post = self.annotation.get(id).post;
            let terms = &self.prover.semantics.terms;
            if terms.as_bool(post) != Some(false)
                && self.prover.implies(&mut exit, post)?
                && self.suffices(before, &meaning, post, label)?
            {
                return Ok(Some(post));
            }
        }
        let nothing = self.prover.semantics.terms.bool(true);
        if self.suffices(before, &meaning, nothing, label)? {
            return Ok(Some(nothing));
        }
        let after = meaning.after(self.prover.semantics, label);
        if let Some(post) = self.in_callees_words(before, &meaning, after)
            && self.prover.implies(&mut exit, post)?
            && self.suffices(before, &meaning, post, label)?
        {
            return Ok(Some(post));
        }
        let Some(post) = self.between(before, &meaning, &exit, after)? else {
            return Ok(None);
        };
        let fits = self.prover.implies(&mut exit, post)? && self.suffices(before, &meaning, post, label)?;
        Ok(fits.then_some(post))
    }

    /// Whether the post-condition implies the label after the call in the states before it.
    fn suffices(
        &mut self,
        before: &mut Query,
        meaning: &Call,
        post: Term,
        label: Term,
    ) -> Result<bool, Reason> {
        let (post, after) = self.around(meaning, post, label);
        let mut before = before.clone();
        let semantics = &mut *self.prover.semantics;
        let wrong = semantics.terms.not(after);
        let wrong = semantics.terms.and(post, wrong);
        let wrong = before.execution.value(semantics, wrong);
        Ok(!self.prover.may_hold(&mut before, wrong)?)
    }

    /// The formula with everything of the caller's in terms of what the callee was given, where it was given that.
    fn in_callees_words(&mut self, before: &mut Query, meaning: &Call, after: Term) -> Option<Term> {
        let callee = meaning.callee;
        let mut given: Vec<(Term, Term)> = Vec::new();
        for &(symbol, argument) in &meaning.enter.updates {
            if let Role::Own(_) = self.prover.semantics.role(callee, symbol) {
                let entry = self.prover.semantics.current(Storage::AtEntry(callee, symbol));
                given.push((entry, argument));
            }
        }
        let changed: Vec<Symbol> = self.changed[callee].iter().copied().collect();
        for symbol in changed {
            let now = self.prover.semantics.terms.symbol_term(symbol);
            let entry = self.prover.semantics.current(Storage::AtEntry(callee, symbol));
            given.push((entry, now));
        }
        let mut pairs = Vec::new();
        for symbol in self.prover.semantics.terms.free_symbols(&[after]) {
            if !self.is_callers(callee, symbol) {
                continue;
            }
            pairs.push((symbol, self.given_as(before, &given, symbol)?));
        }
        let terms = &mut self.prover.semantics.terms;
        Some(Substitution::of_symbols(terms, pairs).apply(terms, after))
    }

    /// Whether a symbol of a formula after a call is nothing that the callee can speak of.
    fn is_callers(&self, callee: FuncId, symbol: Symbol) -> bool {
        let semantics = &self.prover.semantics;
        match semantics.role(callee, symbol) {
            Role::Own(_) | Role::AtEntry(_) | Role::Foreign => true,
            Role::Constant => semantics.storage_of(symbol).is_none(),
            Role::Result | Role::Outer => false,
        }
    }

    /// What the callee was given that is as much as what the symbol holds.
    fn given_as(&mut self, before: &mut Query, given: &[(Term, Term)], symbol: Symbol) -> Option<Term> {
        self.prover.semantics.storage_of(symbol)?;
        let term = self.prover.semantics.terms.symbol_term(symbol);
        let value = before.execution.value(self.prover.semantics, term);
        for &(entry, argument) in given {
            if argument == term || before.execution.value(self.prover.semantics, argument) == value {
                return Some(entry);
            }
            let terms = &mut self.prover.semantics.terms;
            if terms.sort(argument) != terms.sort(term) || terms.sort(term).width().is_none() {
                continue;
            }
            // The argument and the symbol differ by a number: in its own words, or in their values.
            let exact = before.execution.value(self.prover.semantics, argument);
            let terms = &mut self.prover.semantics.terms;
            for (given, wanted) in [(argument, term), (exact, value)] {
                let difference = terms.sub(wanted, given);
                if terms.is_constant(difference) {
                    return Some(terms.add(entry, difference));
                }
            }
        }
        self.prover.semantics.terms.is_constant(value).then_some(value)
    }

    /// An interpolant between what the callee did on its way to the exit, from whatever state, and what the caller knows.
    fn between(
        &mut self,
        before: &mut Query,
        meaning: &Call,
        exit: &Query,
        after: Term,
    ) -> Result<Option<Term>, Reason> {
        let callee = meaning.callee;
        let program = self.prover.semantics.program;
        let Some(body) = &program.functions[callee].body else {
            return Ok(None);
        };
        let mut generic = Execution::anywhere(self.prover.semantics, body.entry, Addresses::Symbolic);
        let enter = before.execution.steps().len();
        let steps: Vec<Step> = exit.execution.steps().iter().copied().skip(enter + 1).collect();
        let mut kept = self.changed[callee].clone();
        for &(symbol, _) in &meaning.enter.updates {
            if let Role::Own(_) = self.prover.semantics.role(callee, symbol) {
                kept.insert(symbol);
            }
        }
        generic.remember_entry(self.prover.semantics, kept.iter().copied());
        let mut read = BTreeSet::new();
        for step in steps {
            if generic.step(self.prover.semantics, step).is_err() {
                return Ok(None);
            }
            if let Ok(effect) = self.prover.semantics.effect(step) {
                let mut formulas = vec![effect.guard];
                formulas.extend(effect.updates.iter().map(|&(_, value)| value));
                read.extend(self.prover.semantics.terms.free_symbols(&formulas));
            }
        }
        // What the way depends on, and the caller knows.
        let semantics = &*self.prover.semantics;
        read.retain(|&symbol| {
            semantics.storage_of(symbol).is_some() && semantics.role(callee, symbol) == Role::Outer
        });
        let mut a: Vec<Term> = generic
            .conditions()
            .iter()
            .map(|condition| condition.exact)
            .collect();
        let mut b = Vec::new();
        let mut spoken: BTreeSet<Symbol> = self.prover.semantics.terms.free_symbols(&[after]);
        spoken.retain(|&symbol| !self.is_callers(callee, symbol));
        spoken.extend(read);
        for &symbol in &spoken {
            let semantics = &mut *self.prover.semantics;
            let term = semantics.terms.symbol_term(symbol);
            let value = generic.value(semantics, term);
            a.push(semantics.terms.eq(term, value));
            let stays =
                semantics.role(callee, symbol) == Role::Outer && !self.changed[callee].contains(&symbol);
            if stays {
                let value = before.execution.value(semantics, term);
                b.push(semantics.terms.eq(term, value));
            }
        }
        for &symbol in &kept {
            let semantics = &mut *self.prover.semantics;
            let entry = semantics.current(Storage::AtEntry(callee, symbol));
            let value = generic.value(semantics, entry);
            a.push(semantics.terms.eq(entry, value));
            let mut given = meaning.enter.updates.iter();
            let now = given
                .find(|(set, _)| *set == symbol)
                .map(|&(_, argument)| argument);
            let now = now.unwrap_or_else(|| semantics.terms.symbol_term(symbol));
            let value = before.execution.value(semantics, now);
            b.push(semantics.terms.eq(entry, value));
        }
        let mut pairs = Vec::new();
        for symbol in self.prover.semantics.terms.free_symbols(&[after]) {
            if self.is_callers(callee, symbol) {
                let semantics = &mut *self.prover.semantics;
                let term = semantics.terms.symbol_term(symbol);
                pairs.push((symbol, before.execution.value(semantics, term)));
            }
        }
        let terms = &mut self.prover.semantics.terms;
        let known = Substitution::of_symbols(terms, pairs).apply(terms, after);
        b.push(terms.not(known));
        b.extend(self.prover.relevant(before, &b.clone()));
        a.extend(self.prover.semantics.address_facts(&a));
        b.extend(self.prover.semantics.address_facts(&b));
        self.prover.budget.check()?;
        let found = self
            .prover
            .solver
            .interpolate(&mut self.prover.semantics.terms, &a, &b, &[]);
        self.prover.budget.check()?;
        self.counts.interpolants += 1;
        Ok(match found {
            Interpolation::Found(found) if self.prover.is_about_storage(found.term) => Some(found.term),
            _ => None,
        })
    }
}
