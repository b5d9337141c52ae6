//! Symbolic states and what is asked about them: can there be such a state, does it imply a formula.
//!
//! Every state that is kept can be, and has values of its unknowns that show it. A condition that these values satisfy needs no
//! solver, and a formula that they do not satisfy is not implied: most questions end there.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use budget::Budget;
use logic::{Assignment, Sort, Symbol, Term, Value};
use rustc_hash::FxHashMap;
use semantics::{Semantics, Storage};
use solver::{Answer, Solver, Want, minimise};
use symbolic_execution::Execution;
use verdict::Reason;

use crate::annotation::{Label, shorter};
use crate::units::propagated;

/// A symbolic state with its location, and the time to live that is left. There are such states: `model` is one.
#[derive(Clone)]
pub struct Query {
    pub execution: Execution,
    /// What is assumed of the first state, in terms of unknowns.
    pub assumed: Rc<[Term]>,
    pub model: Rc<Assignment>,
    pub tau: u32,
}

impl Query {
    pub fn new(execution: Execution, assumed: Vec<Term>, tau: u32) -> Query {
        let mut model = Assignment::default();
        model.complete_with_zero = true;
        Query {
            execution,
            assumed: assumed.into(),
            model: Rc::new(model),
            tau,
        }
    }
}

/// The time that one question may take.
pub const QUESTION: Duration = Duration::from_secs(5);

/// The time that the solver of many small questions may take for one: after it, that of large formulas is asked.
const SMALL_QUESTION: Duration = Duration::from_secs(2);

/// The time for a question that may as well be left open.
const GLANCE: Duration = Duration::from_millis(100);

/// Formulas with more parts than this are large.
const SMALL: usize = 500;

/// Answers questions about queries, and counts.
pub struct Prover<'a, 'p> {
    pub semantics: &'a mut Semantics<'p>,
    pub solver: &'a mut dyn Solver,
    pub budget: &'a Budget,
    symbols: FxHashMap<Term, Rc<[Symbol]>>,
    /// The parts of labels.
    parts: FxHashMap<Term, Rc<[Term]>>,
    pub asked: usize,
}

impl<'a, 'p> Prover<'a, 'p> {
    pub fn new(
        semantics: &'a mut Semantics<'p>,
        solver: &'a mut dyn Solver,
        budget: &'a Budget,
    ) -> Prover<'a, 'p> {
        Prover {
            semantics,
            solver,
            budget,
            symbols: FxHashMap::default(),
            parts: FxHashMap::default(),
            asked: 0,
        }
    }

    /// Asks the solver, with what is known of addresses.
    pub fn check(&mut self, formulas: &[Term], want: Want) -> Result<Answer, Reason> {
        self.budget.check()?;
        let needs_core = !matches!(want, Want::Verdict | Want::Model);
        let Some(all) = self.prepared(formulas, needs_core) else {
            return Ok(Answer::Unsat(Vec::new()));
        };
        self.asked += 1;
        let parts = self.semantics.terms.subterms(&all);
        let is_small = parts.len() <= SMALL;
        // Where memory is spoken of, cells as variables are quicker than the theory of arrays, even from the start.
        let of_memory = self.is_of_memory(&parts);
        let in_session = needs_core || (is_small && !of_memory);
        if in_session {
            let limit = if needs_core { QUESTION } else { SMALL_QUESTION };
            self.limit(limit);
            let answer = self.solver.check(&mut self.semantics.terms, &all, want);
            self.budget.check()?;
            if needs_core || !matches!(answer, Answer::Unknown(_)) {
                return Ok(answer);
            }
        }
        let formula = self.semantics.terms.all(&all);
        self.limit(QUESTION);
        let answer = self.solver.check_once(&mut self.semantics.terms, formula, want);
        self.budget.check()?;
        if !in_session && matches!(answer, Answer::Unknown(_)) {
            let answer = self.solver.check(&mut self.semantics.terms, &all, want);
            self.budget.check()?;
            return Ok(answer);
        }
        Ok(answer)
    }

    /// The same for a moment only: for questions whose answers nothing depends on.
    pub fn glance(&mut self, formulas: &[Term], want: Want) -> Result<Answer, Reason> {
        self.budget.check()?;
        let Some(all) = self.prepared(formulas, false) else {
            return Ok(Answer::Unsat(Vec::new()));
        };
        self.asked += 1;
        self.limit(GLANCE);
        let parts = self.semantics.terms.subterms(&all);
        let answer = if self.is_of_memory(&parts) {
            let formula = self.semantics.terms.all(&all);
            self.solver.check_once(&mut self.semantics.terms, formula, want)
        } else {
            self.solver.check(&mut self.semantics.terms, &all, want)
        };
        self.budget.check()?;
        Ok(answer)
    }

    /// What the solver is asked: the formulas, simplified by each other unless a core of them is wanted, and what is known of addresses.
    /// `None` if they contradict each other by their words.
    fn prepared(&mut self, formulas: &[Term], in_their_words: bool) -> Option<Vec<Term>> {
        let mut open = formulas.to_vec();
        if !in_their_words {
            open = propagated(&mut self.semantics.terms, formulas);
            let terms = &self.semantics.terms;
            if open.iter().any(|&part| terms.as_bool(part) == Some(false)) {
                return None;
            }
        }
        let mut all = self.semantics.address_facts(&open);
        all.extend_from_slice(&open);
        Some(all)
    }

    fn is_of_memory(&self, parts: &[Term]) -> bool {
        let terms = &self.semantics.terms;
        parts
            .iter()
            .any(|&part| matches!(terms.sort(part), Sort::Array { .. }))
    }

    /// A smallest part of the candidates that contradicts the rest; `None` if they do not, as far as the solver can tell.
    pub fn smallest(&mut self, candidates: &[Term], rest: &[Term]) -> Result<Option<Vec<Term>>, Reason> {
        let mut all = candidates.to_vec();
        all.extend_from_slice(rest);
        let parts = self.semantics.terms.subterms(&all);
        if !self.is_of_memory(&parts) {
            let Answer::Unsat(core) = self.check(&all, Want::MinimalCore)? else {
                return Ok(None);
            };
            let needed = candidates.iter().copied().filter(|part| core.contains(part));
            return Ok(Some(needed.collect()));
        }
        if !self.contradict(&all)? {
            return Ok(None);
        }
        let mut needed = minimise(candidates.to_vec(), |others| {
            let mut fewer = others.to_vec();
            fewer.extend_from_slice(rest);
            Ok::<_, Reason>(self.contradict(&fewer)?.then(|| others.to_vec()))
        })?;
        needed.reverse();
        Ok(Some(needed))
    }

    fn limit(&mut self, limit: Duration) {
        let left = self.budget.remaining_time();
        self.solver
            .set_time_limit(Some(left.map_or(limit, |left| left.min(limit))));
    }

    /// Whether the formulas contradict each other, as far as the solver can tell.
    pub fn contradict(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        if formulas
            .iter()
            .any(|&formula| self.semantics.terms.as_bool(formula) == Some(false))
        {
            return Ok(true);
        }
        Ok(self.check(formulas, Want::Verdict)?.is_unsat())
    }

    /// The value of a formula under the query's model.
    pub fn holds_in_model(&mut self, query: &mut Query, value: Term) -> Option<bool> {
        for &symbol in self.symbols_of(value).iter() {
            if let Some(Storage::Address(var)) = self.semantics.storage_of(symbol)
                && query.model.get(symbol).is_none()
            {
                let address = u128::from(self.semantics.address_value(var));
                let value = Value::word(self.semantics.pointer_bits(), address);
                Rc::make_mut(&mut query.model).set(symbol, value);
            }
        }
        let value = self.semantics.terms.eval(value, &query.model).ok()?;
        value.as_bool()
    }

    fn symbols_of(&mut self, term: Term) -> Rc<[Symbol]> {
        let terms = &self.semantics.terms;
        let known = self.symbols.entry(term);
        Rc::clone(known.or_insert_with(|| terms.free_symbols(&[term]).into_iter().collect()))
    }

    /// The conditions of the path that have to do with these formulas, directly or through others.
    pub fn relevant(&mut self, query: &Query, formulas: &[Term]) -> Vec<Term> {
        let exact = query
            .execution
            .conditions()
            .iter()
            .map(|condition| condition.exact);
        let mut open: Vec<Term> = query.assumed.iter().copied().chain(exact).collect();
        open.retain(|&term| self.semantics.terms.as_bool(term).is_none());
        let mut reached: BTreeSet<Symbol> = BTreeSet::new();
        for &formula in formulas {
            let symbols = self.symbols_of(formula);
            reached.extend(symbols.iter().copied().filter(|&symbol| self.connects(symbol)));
        }
        let mut found = Vec::new();
        loop {
            let before = found.len();
            let mut rest = Vec::new();
            for condition in open {
                let symbols = self.symbols_of(condition);
                let meets = symbols.iter().any(|symbol| reached.contains(symbol));
                if meets {
                    found.push(condition);
                    reached.extend(symbols.iter().copied().filter(|&symbol| self.connects(symbol)));
                } else {
                    rest.push(condition);
                }
            }
            open = rest;
            if found.len() == before {
                found.sort_unstable();
                found.dedup();
                return found;
            }
        }
    }

    /// Addresses are known: that two formulas speak of one does not make them depend on each other.
    fn connects(&self, symbol: Symbol) -> bool {
        !matches!(self.semantics.storage_of(symbol), Some(Storage::Address(_)))
    }

    /// Whether some states of the query satisfy the formula over unknowns; the model becomes one of them.
    pub fn can_hold(&mut self, query: &mut Query, formula: Term) -> Result<bool, Reason> {
        match self.semantics.terms.as_bool(formula) {
            Some(known) => return Ok(known),
            None if self.holds_in_model(query, formula) == Some(true) => return Ok(true),
            None => {}
        }
        let mut all = self.relevant(query, &[formula]);
        all.extend(self.semantics.terms.conjuncts(formula));
        match self.check(&all, Want::Model)? {
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(Reason::Solver(reason.to_string())),
            Answer::Sat(model) => {
                let model = model.unwrap_or_default();
                self.adopt(query, &all, &model);
                Ok(true)
            }
        }
    }

    /// The same, where a solver without an answer means that some may.
    pub fn may_hold(&mut self, query: &mut Query, formula: Term) -> Result<bool, Reason> {
        match self.can_hold(query, formula) {
            Err(Reason::Solver(_)) => Ok(true),
            answer => answer,
        }
    }

    /// The part of the state that the formulas speak of becomes that of the model.
    fn adopt(&mut self, query: &mut Query, formulas: &[Term], model: &Assignment) {
        let own = Rc::make_mut(&mut query.model);
        for symbol in self.semantics.terms.free_symbols(formulas) {
            let sort = self.semantics.terms.symbol_sort(symbol);
            let value = model.get(symbol).cloned();
            own.set(symbol, value.unwrap_or_else(|| Value::zero(sort)));
        }
    }

    /// Whether all states of the query satisfy the formula, which is over the program's storage.
    pub fn implies(&mut self, query: &mut Query, formula: Term) -> Result<bool, Reason> {
        let value = query.execution.value(self.semantics, formula);
        let negated = self.semantics.terms.not(value);
        Ok(!self.may_hold(query, negated)?)
    }

    /// Which of the formulas over the program's storage all states of the query satisfy. They are asked about together: a state in
    /// which some fail says so of all that fail there, and one answer is enough for those that are left.
    pub fn implied(&mut self, query: &mut Query, formulas: &[Term]) -> Result<Vec<bool>, Reason> {
        let mut implied = vec![false; formulas.len()];
        let mut open: Vec<(usize, Term)> = Vec::new();
        for (index, &formula) in formulas.iter().enumerate() {
            let value = query.execution.value(self.semantics, formula);
            match self.semantics.terms.as_bool(value) {
                Some(known) => implied[index] = known,
                None => open.push((index, value)),
            }
        }
        loop {
            open.retain(|&(_, value)| self.holds_in_model(query, value) != Some(false));
            let values: Vec<Term> = open.iter().map(|&(_, value)| value).collect();
            let large = self.semantics.terms.subterms(&values).len() > SMALL;
            if open.len() < 2 || large {
                break;
            }
            let all = self.semantics.terms.all(&values);
            let negated = self.semantics.terms.not(all);
            let mut asked = self.relevant(query, &[negated]);
            asked.extend(self.semantics.terms.conjuncts(negated));
            // What is hard about all together may be easy about each.
            match self.glance(&asked, Want::Model)? {
                Answer::Unsat(_) => {
                    open.drain(..).for_each(|(index, _)| implied[index] = true);
                    return Ok(implied);
                }
                Answer::Sat(model) => {
                    self.adopt(query, &asked, &model.unwrap_or_default());
                    let before = open.len();
                    open.retain(|&(_, value)| self.holds_in_model(query, value) == Some(true));
                    if open.len() == before {
                        break;
                    }
                }
                Answer::Unknown(_) => break,
            }
        }
        for (index, value) in open {
            if self.holds_in_model(query, value) != Some(false) {
                let negated = self.semantics.terms.not(value);
                implied[index] = !self.may_hold(query, negated)?;
            }
        }
        Ok(implied)
    }

    /// What a label says of the query, unless that is false. Labels of one location have many parts in common, and of most one part is false.
    fn value_of_label(
        &mut self,
        query: &mut Query,
        label: Label,
        values: &mut FxHashMap<Term, Term>,
    ) -> Option<Term> {
        let parts = self.parts_of(label.formula);
        let mut found = Vec::with_capacity(parts.len());
        for &part in parts.iter() {
            let value = match values.get(&part) {
                Some(&value) => value,
                None => {
                    let value = query.execution.value(self.semantics, part);
                    values.insert(part, value);
                    value
                }
            };
            if self.semantics.terms.as_bool(value) == Some(false) {
                return None;
            }
            found.push(value);
        }
        let all = self.semantics.terms.all(&found);
        (self.semantics.terms.as_bool(all) != Some(false)).then_some(all)
    }

    fn parts_of(&mut self, formula: Term) -> Rc<[Term]> {
        let terms = &mut self.semantics.terms;
        let known = self.parts.entry(formula);
        Rc::clone(known.or_insert_with(|| terms.conjuncts(formula).into()))
    }

    /// The label by which the query is blocked: one of them, or where none does it alone, several as one.
    pub fn blocked(&mut self, query: &mut Query, labels: &[Label]) -> Result<Option<Label>, Reason> {
        let mut open: Vec<(Label, Term)> = Vec::new();
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let tau = query.tau;
        for &label in labels.iter().rev().filter(|label| label.applies(tau)) {
            match self.value_of_label(query, label, &mut values) {
                Some(value) if self.semantics.terms.as_bool(value) == Some(true) => return Ok(Some(label)),
                Some(value) => open.push((label, value)),
                None => {}
            }
        }
        open.sort_by_key(|(label, _)| (label.below.is_some(), label.parts(&self.semantics.terms)));
        let candidates = open.clone();
        open.retain(|&(_, value)| self.holds_in_model(query, value) == Some(true));
        let mut most = open.clone();
        while let Some(&(label, value)) = open.first() {
            let negated = self.semantics.terms.not(value);
            if !self.may_hold(query, negated)? {
                return Ok(Some(label));
            }
            open.remove(0);
            open.retain(|&(_, value)| self.holds_in_model(query, value) == Some(true));
        }
        if most.len() > 1 || (most.len() == 1 && candidates.len() > 1) {
            most = candidates;
            let mut negated = Vec::new();
            for &(_, value) in &most {
                negated.push(self.semantics.terms.not(value));
            }
            let none = self.semantics.terms.all(&negated);
            if !self.may_hold(query, none)? {
                let formulas: Vec<Term> = most.iter().map(|(label, _)| label.formula).collect();
                return Ok(Some(Label {
                    formula: self.semantics.terms.any(&formulas),
                    below: most
                        .iter()
                        .map(|(label, _)| label.below)
                        .reduce(shorter)
                        .flatten(),
                }));
            }
        }
        Ok(None)
    }
}
