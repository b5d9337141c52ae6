//! The rules. A symbolic state goes forwards as long as it is not blocked; where it is, labels go backwards.
//!
//! | the paper | here |
//! |---|---|
//! | the queries Q | the frames of [`Search::sum`], which explores depth first |
//! | Decide | [`Search::decide`]: a step that no label blocks, nearest to a goal first |
//! | Conjoin | [`Search::conjoin`]: every step is blocked, so the location is |
//! | Learn | [`Search::learn`]: every state behind a step is blocked, so the step is, by an interpolant |
//! | Sum | [`Search::sum`]: a state at an exit that is not as wanted, or the label that excludes it |
//! | DecideC, LearnC | `calls.rs` |
//! | τ | [`Query::tau`], spent on retreating edges and recursive calls; a label's limit is `below` |

use std::collections::{BTreeMap, BTreeSet};

use logic::{Substitution, Symbol, Term};
use program::{Arena, EdgeId, FuncId, LocId};
use semantics::{FreshCause, Step};
use verdict::{Reason, Task};

use crate::annotation::{Annotation, ContractId, Label, StepLabel, shorter};
use crate::calls::Wanted;
use crate::clauses;
use crate::coverage::Tally;
use crate::graph::{Cycles, decides_about_goal};
use crate::query::{Prover, Query};
use crate::separate::{Aid, Reasons};

pub(crate) struct Search<'a, 'p> {
    pub prover: Prover<'a, 'p>,
    pub task: &'a Task<'a>,
    /// Locations that are still to be reached. None of them has a label.
    pub goals: BTreeSet<LocId>,
    pub annotation: Annotation,
    pub cycles: Cycles,
    pub distances: BTreeMap<LocId, u32>,
    /// Locations from which a goal may be reached, or one of the next.
    pub live: BTreeSet<LocId>,
    /// Locations with steps whose effect has no meaning here.
    pub odd: BTreeSet<LocId>,
    /// Who is told of states at goals; the search then goes on. Without it the search ends at a goal.
    pub tally: Option<Tally<'a>>,
    /// What calls of each function may change.
    pub changed: Arena<FuncId, BTreeSet<Symbol>>,
    /// Formulas that were of use, by function, the newest last.
    pub hints: BTreeMap<FuncId, Vec<Term>>,
    /// Why a step from a location led to nothing wrong: what was found before for the same condition and formula behind it.
    pub reasons: BTreeMap<(LocId, Term), Reasons>,
    /// What holds at each location whatever happens. Labels need to block no other states.
    pub facts: BTreeMap<LocId, Vec<Term>>,
    /// Of the branches asked about: whether their labels say on which side they matter.
    pub telling: BTreeMap<LocId, bool>,
    /// Functions whose predicates took more questions than so many.
    pub given_up: BTreeMap<FuncId, usize>,
    pub counts: Counts,
    /// Whether the annotation is checked to be justified after every rule: for tests.
    pub checks: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub decided: usize,
    pub backtracks: usize,
    pub interpolants: usize,
    pub calls: usize,
    /// Whether the last move was a step.
    forward: bool,
}

impl Counts {
    pub(crate) fn go_forward(&mut self) {
        self.forward = true;
    }

    /// Going back over several steps, with none taken in between, is going back once: each time one execution ended.
    pub fn go_back(&mut self) {
        self.backtracks += usize::from(self.forward);
        self.forward = false;
    }
}

/// A query on the way, and what is known of the steps from it.
pub(crate) struct Frame {
    pub query: Query,
    pub ways: Vec<Step>,
    /// The label by which each is blocked.
    pub labels: Vec<Option<StepLabel>>,
    /// Of each that is a call, what its exits have to satisfy.
    pub wanted: Vec<Option<Wanted>>,
    arrived: Option<Arrival>,
}

/// How a frame was come by from the one below it.
pub(crate) struct Arrival {
    pub way: usize,
    /// The state at the exit of the function that was called.
    pub exit: Option<Box<Query>>,
}

pub(crate) enum Summed {
    /// No goal can be reached, and no exit is other than wanted.
    Blocked(Label),
    /// A state at the exit that is not as wanted.
    Exit(Box<Query>),
    /// A state at a goal.
    Goal(Box<Query>),
}

pub(crate) enum Decided {
    Deeper(Box<Frame>),
    /// A step is blocked that was not before.
    Learned,
    Goal(Box<Query>),
    /// There is no step left that is not blocked.
    Nothing,
}

/// At a branch that is no loop, a label says on which side it matters, unless it would have more parts than this.
const MAX_DISJUNCTS: usize = 4;

/// So many labels are tried behind a step that cannot be taken.
const MAX_TARGETS: usize = 8;

/// More formulas of use than this are not remembered.
const MAX_HINTS: usize = 60;

impl Search<'_, '_> {
    /// From a state within a function: a goal, an exit that the contract does not want, or the label that excludes both.
    pub fn sum(&mut self, contract: ContractId, mut start: Query) -> Result<Summed, Reason> {
        let function = self.annotation.get(contract).function;
        let exit = self.exit_of(function);
        if let Some(label) = self.blocked(contract, &mut start)? {
            return Ok(Summed::Blocked(label));
        }
        let mut frames = vec![self.frame(start, None)];
        loop {
            self.prover.budget.check()?;
            let frame = frames.last_mut().expect("the loop ends with the last frame");
            let loc = frame.query.execution.location();
            if self.goals.contains(&loc) {
                let query = frame.query.clone();
                if !self.pass_goal(&query) {
                    return Ok(Summed::Goal(Box::new(query)));
                }
                continue;
            }
            if Some(loc) == exit {
                return Ok(Summed::Exit(Box::new(frame.query.clone())));
            }
            match self.decide(contract, frame)? {
                Decided::Deeper(next) => frames.push(*next),
                Decided::Learned => {}
                Decided::Goal(query) => return Ok(Summed::Goal(query)),
                Decided::Nothing => {
                    let label = self.conjoin(contract, frame);
                    let arrived = frames.pop().and_then(|frame| frame.arrived);
                    let (Some(parent), Some(arrived)) = (frames.last_mut(), arrived) else {
                        return Ok(Summed::Blocked(label));
                    };
                    self.counts.go_back();
                    match arrived.exit {
                        None => self.learn(contract, parent, arrived.way, Some(label))?,
                        Some(exit) => self.want(parent, arrived.way, &exit, label)?,
                    }
                }
            }
        }
    }

    pub fn frame(&mut self, query: Query, arrived: Option<Arrival>) -> Frame {
        let ways = self.ways(query.execution.location());
        Frame {
            query,
            labels: vec![None; ways.len()],
            wanted: vec![None; ways.len()],
            ways,
            arrived,
        }
    }

    /// The steps from a location, those first that lead nearest to a goal.
    pub fn ways(&self, loc: LocId) -> Vec<Step> {
        let program = self.prover.semantics.program;
        let outgoing = program.locs[loc].outgoing.iter();
        let mut ways: Vec<Step> = outgoing
            .flat_map(|&edge| self.prover.semantics.ways(edge))
            .collect();
        ways.sort_by_key(|&way| self.distance(way));
        ways
    }

    fn distance(&self, way: Step) -> u32 {
        let program = self.prover.semantics.program;
        let of = |loc: LocId| self.distances.get(&loc).copied().unwrap_or(u32::MAX);
        let over = of(program.edges[way.edge()].to);
        match way {
            Step::Enter { callee, .. } => {
                let body = program.functions[callee].body.as_ref();
                body.map_or(over, |body| over.min(of(body.entry)))
            }
            _ => over,
        }
    }

    pub fn exit_of(&self, function: FuncId) -> Option<LocId> {
        let body = self.prover.semantics.program.functions[function].body.as_ref();
        body.map(|body| body.exit)
    }

    /// The label of its location by which a query is blocked.
    pub fn blocked(&mut self, contract: ContractId, query: &mut Query) -> Result<Option<Label>, Reason> {
        let labels = self
            .annotation
            .get(contract)
            .at(query.execution.location())
            .to_vec();
        self.prover.blocked(query, &labels)
    }

    /// Takes a step that is not blocked.
    fn decide(&mut self, contract: ContractId, frame: &mut Frame) -> Result<Decided, Reason> {
        // Goals that were reached meanwhile are none any more.
        let mut open: Vec<usize> = (0..frame.ways.len())
            .filter(|&index| frame.labels[index].is_none())
            .collect();
        open.sort_by_key(|&index| self.distance(frame.ways[index]));
        for index in open {
            let way = frame.ways[index];
            if let Some(label) = self.step_blocked(contract, &mut frame.query, way)? {
                frame.labels[index] = Some(label);
                continue;
            }
            self.counts.decided += 1;
            if let Step::Enter { .. } = way {
                return self.decide_call(contract, frame, index);
            }
            let spends = self.cycles.spending.contains(&way.edge());
            if spends && frame.query.tau == 0 {
                self.out_of_time(contract, frame, index);
                return Ok(Decided::Learned);
            }
            let mut next = frame.query.clone();
            if !self.take(&mut next, way)? {
                self.learn(contract, frame, index, None)?;
                return Ok(Decided::Learned);
            }
            if let Step::Elsewhere(edge) = way {
                return Err(unknown_callee(edge));
            }
            self.counts.go_forward();
            next.tau -= u32::from(spends);
            return match self.blocked(contract, &mut next)? {
                Some(label) => {
                    self.counts.go_back();
                    self.learn(contract, frame, index, Some(label))?;
                    Ok(Decided::Learned)
                }
                None => {
                    let arrived = Arrival {
                        way: index,
                        exit: None,
                    };
                    Ok(Decided::Deeper(Box::new(self.frame(next, Some(arrived)))))
                }
            };
        }
        Ok(Decided::Nothing)
    }

    /// Executes a step; whether there is a state in which it can be taken.
    pub fn take(&mut self, query: &mut Query, step: Step) -> Result<bool, Reason> {
        let known = query.execution.unknowns().len();
        let taken = query.execution.step(self.prover.semantics, step);
        let taken = taken.map_err(|unsupported| Reason::Unsupported {
            what: unsupported.what,
            at: Some(step.edge()),
        })?;
        let mut conditions: Vec<Term> = taken.condition.into_iter().collect();
        for at in known..query.execution.unknowns().len() {
            let unknown = query.execution.unknowns()[at];
            if let symbolic_execution::Cause::Edge(FreshCause::Allocation { .. }) = unknown.cause {
                conditions.extend(self.prover.semantics.address_facts(&[unknown.exact]));
            }
        }
        let all = self.prover.semantics.terms.all(&conditions);
        self.prover.can_hold(query, all)
    }

    fn step_blocked(
        &mut self,
        contract: ContractId,
        query: &mut Query,
        way: Step,
    ) -> Result<Option<StepLabel>, Reason> {
        for label in self
            .annotation
            .get(contract)
            .of_step(way)
            .to_vec()
            .into_iter()
            .rev()
        {
            if self.prover.blocked(query, &[label.label])?.is_some() {
                return Ok(Some(label));
            }
        }
        Ok(None)
    }

    /// Beyond the time to live everything counts as blocked.
    pub fn out_of_time(&mut self, contract: ContractId, frame: &mut Frame, index: usize) {
        let label = Label {
            formula: self.prover.semantics.terms.bool(true),
            below: Some(1),
        };
        let label = StepLabel {
            label,
            through: None,
            closed: false,
        };
        self.annotate(contract, frame, index, label);
    }

    pub fn annotate(&mut self, contract: ContractId, frame: &mut Frame, index: usize, label: StepLabel) {
        let terms = &self.prover.semantics.terms;
        self.annotation
            .label_step(terms, contract, frame.ways[index], label);
        frame.labels[index] = Some(label);
    }

    /// All steps are blocked: so is the location, by what blocks them together.
    fn conjoin(&mut self, contract: ContractId, frame: &Frame) -> Label {
        let loc = frame.query.execution.location();
        let labels: Vec<Label> = frame.labels.iter().flatten().map(|step| step.label).collect();
        let below = labels
            .iter()
            .fold(None, |below, label| shorter(below, label.below));
        let formulas: Vec<Term> = labels.iter().map(|label| label.formula).collect();
        let branch = match frame.ways[..] {
            [way, _] => self.prover.semantics.effect(way).ok().map(|effect| effect.guard),
            _ => None,
        };
        let mut formula = clauses::conjoined(&mut self.prover.semantics.terms, &formulas, branch);
        if let Some(index) = frame
            .labels
            .iter()
            .position(|label| label.is_some_and(|label| label.closed))
            && self.tells_sides(loc)
        {
            // What blocks more than that the step cannot be taken, and fits best to what blocks the others.
            let mut best: Option<(usize, Term)> = None;
            for weaker in self.weaker(contract, frame.ways[index], below) {
                let mut formulas = formulas.clone();
                formulas[index] = weaker;
                let terms = &mut self.prover.semantics.terms;
                let together = clauses::conjoined(terms, &formulas, branch);
                let parts = terms.conjuncts(together).len();
                if best.is_none_or(|(least, _)| parts < least) {
                    best = Some((parts, together));
                }
            }
            formula = best.map_or(formula, |(_, together)| together);
        }
        let label = Label { formula, below };
        let terms = &self.prover.semantics.terms;
        self.annotation.label_location(terms, contract, loc, label);
        if self.checks {
            self.assert_justified();
        }
        label
    }

    /// The states behind a step are blocked by a label, or there are none: labels the step.
    fn learn(
        &mut self,
        contract: ContractId,
        frame: &mut Frame,
        index: usize,
        target: Option<Label>,
    ) -> Result<(), Reason> {
        let way = frame.ways[index];
        let effect = self.prover.semantics.effect(way);
        let effect = effect.map_err(|unsupported| Reason::Unsupported {
            what: unsupported.what,
            at: Some(way.edge()),
        })?;
        // What is behind a way that leads elsewhere is not known.
        let closed = target.is_none() && matches!(way, Step::Edge(_) | Step::Outside { .. });
        let tells_sides = self.tells_sides(frame.query.execution.location());
        let terms = &mut self.prover.semantics.terms;
        let target = target.unwrap_or_else(|| Label::of(terms.bool(false)));
        let after =
            Substitution::of_symbols(terms, effect.updates.iter().copied()).apply(terms, target.formula);
        let spends = u32::from(self.cycles.spending.contains(&way.edge()));
        let below = target.below.map(|below| below + spends);
        let (mut parts, mut open) = (Vec::new(), Vec::new());
        for part in terms.conjuncts(after) {
            let weakest = self.prover.semantics.terms.implies(effect.guard, part);
            let plain = self.prover.semantics.terms.as_bool(effect.guard) == Some(true);
            let short = tells_sides && self.prover.semantics.terms.disjuncts(part).len() < MAX_DISJUNCTS;
            match (plain || short) && self.prover.is_about_storage(weakest) {
                true => parts.push(weakest),
                false => open.push(part),
            }
        }
        if !open.is_empty() {
            let open = self.prover.semantics.terms.all(&open);
            match self.interpolant(&mut frame.query, effect.guard, open)? {
                Some(found) => parts.push(found),
                None => return Err(self.stuck(way.edge())),
            }
        }
        let formula = self.prover.semantics.terms.all(&parts);
        let label = StepLabel {
            label: Label { formula, below },
            through: None,
            closed,
        };
        self.annotate(contract, frame, index, label);
        Ok(())
    }

    /// Whether labels of a branch are to say on which side they matter: where it is decided whether a goal is near. Elsewhere what
    /// holds of a state without the branch's condition is the more general label.
    fn tells_sides(&mut self, loc: LocId) -> bool {
        if let Some(&known) = self.telling.get(&loc) {
            return known;
        }
        let tells = !self.cycles.heads.contains(&loc)
            && decides_about_goal(self.prover.semantics, &self.goals, &self.distances, loc);
        self.telling.insert(loc, tells);
        tells
    }

    /// What blocks a step, as the labels say that are known behind it and hold as long, the shortest first.
    fn weaker(&mut self, contract: ContractId, way: Step, below: Option<u32>) -> Vec<Term> {
        let program = self.prover.semantics.program;
        let labels = self.annotation.get(contract).at(program.edges[way.edge()].to);
        let spends = u32::from(self.cycles.spending.contains(&way.edge()));
        let lasts = |other: &&Label| {
            other.below.is_none()
                || below.is_some_and(|below| other.below.is_some_and(|own| own + spends >= below))
        };
        let Ok(effect) = self.prover.semantics.effect(way) else {
            return Vec::new();
        };
        let mut labels: Vec<Label> = labels.iter().rev().filter(lasts).copied().collect();
        labels.sort_by_key(|label| label.parts(&self.prover.semantics.terms));
        let mut found = Vec::new();
        for target in labels.into_iter().take(MAX_TARGETS) {
            let terms = &mut self.prover.semantics.terms;
            let updates = effect.updates.iter().copied();
            let after = Substitution::of_symbols(terms, updates).apply(terms, target.formula);
            let mut parts = Vec::new();
            for part in terms.conjuncts(after) {
                parts.push(terms.implies(effect.guard, part));
            }
            let formula = terms.all(&parts);
            if self.prover.is_about_storage(formula) {
                found.push(formula);
            }
        }
        found
    }

    /// A formula that the query implies and under which `guard` leads to `after` only; it is remembered.
    pub fn interpolant(
        &mut self,
        query: &mut Query,
        guard: Term,
        after: Term,
    ) -> Result<Option<Term>, Reason> {
        let program = self.prover.semantics.program;
        let loc = query.execution.location();
        let function = program.locs[loc].function;
        let hints: Vec<Term> = match self.hints.get(&function) {
            Some(hints) => hints.iter().rev().copied().collect(),
            None => Vec::new(),
        };
        let known = self.known(loc);
        let aid = Aid {
            known: &known,
            hints: &hints,
        };
        let reasons = self.reasons.entry((loc, guard)).or_default();
        let found = self.prover.separate(query, guard, after, aid, reasons)?;
        if let Some(found) = found {
            self.counts.interpolants += 1;
            let parts = self.prover.semantics.terms.conjuncts(found);
            let known = self.hints.entry(function).or_default();
            for part in parts {
                known.retain(|&other| other != part);
                known.push(part);
            }
            let many = known.len().saturating_sub(MAX_HINTS);
            known.drain(..many);
        }
        Ok(found)
    }

    /// What holds at a location whatever happens.
    pub fn known(&self, loc: LocId) -> Vec<Term> {
        self.facts.get(&loc).cloned().unwrap_or_default()
    }

    pub fn stuck(&self, edge: EdgeId) -> Reason {
        let program = self.prover.semantics.program;
        let place = program.edges[edge]
            .span
            .map_or_else(|| edge.to_string(), |span| program.sources.describe_line(&span));
        Reason::Stuck(format!(
            "no formula over the program's variables was found that says why nothing goes wrong at {place}"
        ))
    }
}

pub(crate) fn unknown_callee(call: EdgeId) -> Reason {
    Reason::Unsupported {
        what: "a call through a pointer that may lead to a function that is not known".to_owned(),
        at: Some(call),
    }
}
