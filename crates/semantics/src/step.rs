//! Steps: what a path is made of, and the one place that gives each of them its effect.
//!
//! An edge is one step, but for calls. A call of a function with a body is entered and left, with the callee's own steps
//! between; a call through a pointer goes to one of the functions that it is known to lead to, or elsewhere.
//! [`Semantics::ways`] lists the steps that begin at an edge, and [`Semantics::effect`] says what a step does.

use std::rc::Rc;

use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId};
use rustc_hash::FxHashMap;

use crate::effect::Effect;
use crate::error::Unsupported;
use crate::evaluate::Known;
use crate::storage::Semantics;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An edge as a whole: any but a call through a pointer or of a function with a body.
    Edge(EdgeId),
    /// A call edge up to the callee's entry.
    Enter { call: EdgeId, callee: FuncId },
    /// From the callee's exit to the end of the call edge.
    Leave { call: EdgeId, callee: FuncId },
    /// A call of a function without a body through a pointer.
    Outside { call: EdgeId, callee: FuncId },
    /// A call through a pointer that leads to none of the functions that it is known to lead to: nothing is known of what
    /// it does, but when it happens.
    Elsewhere(EdgeId),
}

impl Step {
    /// The edge that the step takes, or a part of it.
    pub fn edge(self) -> EdgeId {
        match self {
            Step::Edge(edge) | Step::Elsewhere(edge) => edge,
            Step::Enter { call, .. } | Step::Leave { call, .. } | Step::Outside { call, .. } => call,
        }
    }

    /// The step that ends the call that this one begins.
    pub fn leave(self) -> Option<Step> {
        match self {
            Step::Enter { call, callee } => Some(Step::Leave { call, callee }),
            _ => None,
        }
    }
}

/// The effects of steps, by edge: what is assumed of an edge changes those of all its steps.
pub(crate) type Effects = FxHashMap<EdgeId, Vec<(Step, Result<Rc<Effect>, Unsupported>)>>;

impl Semantics<'_> {
    /// The ways in which an edge can be taken, each by the step that begins it: of a call through a pointer one for each
    /// function that it is known to lead to, in a stable order, and last that it leads elsewhere; of all others one.
    pub fn ways(&self, edge: EdgeId) -> Vec<Step> {
        let program = self.program;
        let has_body = |function: FuncId| program.functions[function].body.is_some();
        match program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Indirect(_),
                ..
            } => {
                let targets = self.memory.call_targets(edge).into_iter();
                let known = targets.map(|callee| match has_body(callee) {
                    true => Step::Enter { call: edge, callee },
                    false => Step::Outside { call: edge, callee },
                });
                let otherwise = match self.stranger_at(edge) {
                    Some(callee) => Step::Outside { call: edge, callee },
                    None => Step::Elsewhere(edge),
                };
                known.chain([otherwise]).collect()
            }
            EdgeKind::Call {
                callee: Callee::Direct(callee),
                ..
            } if has_body(callee) => vec![Step::Enter { call: edge, callee }],
            _ => vec![Step::Edge(edge)],
        }
    }

    /// The function that stands for all that a call through a pointer may lead to and nobody knows, if that can be taken to do nothing
    /// but return.
    fn stranger_at(&self, call: EdgeId) -> Option<FuncId> {
        self.program
            .stranger
            .filter(|_| self.memory.has_all_targets(call))
    }

    /// What a step does. It is worked out once: its unknowns are the same symbols whenever the step is asked for, so this
    /// is for questions about one step. Where a step may occur with itself, on a path or beside formulas that were made by
    /// somebody else, [`Semantics::effect_anew`] keeps the unknowns apart.
    pub fn effect(&mut self, step: Step) -> Result<Rc<Effect>, Unsupported> {
        if let Some(known) = self.known_effect(step) {
            return known;
        }
        let effect = self.worked_out(step).map(Rc::new);
        self.remember(step, effect.clone());
        effect
    }

    /// What a step does this time: the symbols of its unknowns occur nowhere else. An effect without unknowns is the same
    /// every time.
    pub fn effect_anew(&mut self, step: Step) -> Result<Rc<Effect>, Unsupported> {
        let lasts = |effect: &Result<Rc<Effect>, Unsupported>| {
            effect.as_ref().map_or(true, |effect| effect.fresh.is_empty())
        };
        let known = self.known_effect(step);
        let is_new = known.is_none();
        if let Some(known) = known.filter(lasts) {
            return known;
        }
        let effect = self.worked_out(step).map(Rc::new);
        if is_new && lasts(&effect) {
            self.remember(step, effect.clone());
        }
        effect
    }

    fn known_effect(&self, step: Step) -> Option<Result<Rc<Effect>, Unsupported>> {
        let of_edge = self.effects.get(&step.edge())?;
        let (_, effect) = of_edge.iter().find(|(known, _)| *known == step)?;
        Some(effect.clone())
    }

    fn remember(&mut self, step: Step, effect: Result<Rc<Effect>, Unsupported>) {
        self.effects.entry(step.edge()).or_default().push((step, effect));
    }

    fn worked_out(&mut self, step: Step) -> Result<Effect, Unsupported> {
        self.begin();
        let effect = match step {
            Step::Edge(edge) => self.plain_effect(edge),
            Step::Enter { call, callee } => self.enter(call, callee),
            // What a call returns is stored without a condition.
            Step::Leave { call, callee } => return self.leave(call, callee),
            Step::Outside { call, callee } => self.outside(call, callee),
            Step::Elsewhere(call) => self.elsewhere(call),
        }?;
        Ok(match self.assumed_defined.contains(&step.edge()) {
            true => effect.where_defined(&mut self.terms),
            false => effect,
        })
    }

    /// From now on the edge's effect is that of the runs in which it is defined, which are all that there are: where
    /// behaviour is undefined, a run ends. Whether that was not so before.
    ///
    /// Any edge could be treated so; most proofs do not need it, and conditions cost time.
    pub fn assume_defined(&mut self, edge: EdgeId) -> bool {
        let new = self.assumed_defined.insert(edge);
        if new {
            self.effects.remove(&edge);
        }
        new
    }

    /// From now on the branch may be taken whatever its condition says, and the call may lead to any of the functions that it is
    /// known to lead to, or elsewhere: C does not determine how that comes out.
    pub fn leave_open(&mut self, edge: EdgeId) {
        if self.left_open.insert(edge) {
            self.effects.remove(&edge);
        }
    }

    /// From now on the comparison may have either outcome wherever it is made.
    pub fn leave_comparison_open(&mut self, comparison: ExprId) {
        if self.open_comparisons.insert(comparison) {
            self.known = Known::default();
            self.effects = Effects::default();
        }
    }

    /// From now on the value may be zero or not wherever that is asked, whatever it is.
    pub fn leave_choice_open(&mut self, condition: ExprId) {
        if self.open_choices.insert(condition) {
            self.known = Known::default();
            self.effects = Effects::default();
        }
    }

    /// The edges that are assumed to be defined, in order.
    pub fn assumed_defined(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.assumed_defined.iter().copied()
    }
}
