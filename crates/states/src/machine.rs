//! The program as a machine over values that are known: what every step asks for and changes, and which values matter later.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use logic::{Op, Sort, Symbol, Term, Terms};
use program::{EdgeId, EdgeKind, FuncId, LocId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Effect, Semantics, Step, Storage, owner};
use verdict::Task;

use crate::code::{Code, followed_width};
use crate::range::{Range, bounds, mask, signed};

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    /// Outlives activations.
    Lasting(u32),
    /// Of the innermost activation.
    Own(u32),
}

/// What a step does.
#[derive(Debug)]
pub(crate) struct Action {
    pub step: Step,
    /// Why nothing is known of what it does.
    pub unsupported: Option<String>,
    pub guard: Code,
    /// Where one of these fails, a run ends: its behaviour is undefined.
    pub defined: Vec<Code>,
    /// In terms of the state before; the slots of [`Step::Enter`] are the callee's where they are its own.
    pub updates: Vec<(Slot, Code)>,
    /// What the guard says of what slots hold.
    pub learned: Vec<Learned>,
}

/// That a slot's value lies in a range, or, if not `holds`, outside of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learned {
    pub slot: Slot,
    pub range: Range,
    pub holds: bool,
    pub width: u32,
}

/// What is kept of an activation.
#[derive(Debug, Default)]
struct Layout {
    slots: FxHashMap<Symbol, u32>,
    vars: Vec<VarId>,
    /// Of each slot the numbers at which a condition changes, in ascending order.
    starts: Vec<Vec<i64>>,
}

/// What is remembered of variables at heads of loops; of the others nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Precision {
    pub followed: BTreeSet<VarId>,
    /// Of these of the followed the value, if it is known; of the others, and where a value is known only to lie in a range, the
    /// range from one start to another.
    pub exact: BTreeSet<VarId>,
    /// Where ranges start besides the numbers at which a condition changes.
    pub starts: BTreeMap<VarId, BTreeSet<i64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Nothing,
    Ranges,
    Exact,
}

/// What is remembered of a slot.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub level: Level,
    /// Where its ranges start, in ascending order.
    pub starts: Vec<i64>,
}

/// The precision of slots.
#[derive(Clone, Debug)]
pub(crate) struct Mask {
    pub lasting: Vec<Kept>,
    pub own: FxHashMap<FuncId, Vec<Kept>>,
}

impl Mask {
    pub fn of(&self, function: FuncId, slot: Slot) -> &Kept {
        match slot {
            Slot::Lasting(at) => &self.lasting[at as usize],
            Slot::Own(at) => &self.own[&function][at as usize],
        }
    }
}

pub(crate) struct Machine {
    /// Where edges belong.
    functions: FxHashMap<EdgeId, FuncId>,
    lasting: FxHashMap<Symbol, u32>,
    /// By position among the lasting: the variable; none for what a function returned.
    lasting_vars: Vec<Option<VarId>>,
    /// As in [`Layout`].
    lasting_starts: Vec<Vec<i64>>,
    layouts: FxHashMap<FuncId, Layout>,
    actions: FxHashMap<EdgeId, Rc<[Action]>>,
    leaving: FxHashMap<(EdgeId, FuncId), Rc<Action>>,
    initial: Vec<(Slot, Code)>,
    /// Own slots whose values matter at a location, and after a call.
    live: FxHashMap<LocId, Rc<[u32]>>,
    live_after: FxHashMap<EdgeId, Rc<[u32]>>,
}

/// Which storage a step reads and changes, of the activation that its edge belongs to.
#[derive(Default)]
struct Touched {
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
}

impl Machine {
    /// The machine of all that the task's entry can call.
    pub fn new(semantics: &mut Semantics<'_>, task: &Task<'_>) -> Machine {
        let mut machine = Machine {
            functions: FxHashMap::default(),
            lasting: FxHashMap::default(),
            lasting_vars: Vec::new(),
            lasting_starts: Vec::new(),
            layouts: FxHashMap::default(),
            actions: FxHashMap::default(),
            leaving: FxHashMap::default(),
            initial: Vec::new(),
            live: FxHashMap::default(),
            live_after: FxHashMap::default(),
        };
        let program = semantics.program;
        // What the initial values are is not known where they cannot be expressed.
        if let Ok(initial) = semantics.initial() {
            machine.initial = machine.updates(semantics, &initial.updates);
        }
        let functions: Vec<FuncId> = task.calls.reachable_from(task.entry).into_iter().collect();
        for &function in &functions {
            let body = program.functions[function].body.as_ref();
            for &loc in body.map_or(&[][..], |body| &body.locs) {
                for &edge in &program.locs[loc].outgoing {
                    machine.functions.insert(edge, function);
                    machine.add(semantics, edge);
                }
            }
        }
        for &function in &functions {
            machine.find_live(program, function);
        }
        machine.find_starts();
        machine
    }

    /// The steps that begin at an edge.
    pub fn actions(&self, edge: EdgeId) -> Rc<[Action]> {
        Rc::clone(&self.actions[&edge])
    }

    /// The step that ends a call.
    pub fn leaving(&self, call: EdgeId, callee: FuncId) -> Rc<Action> {
        Rc::clone(&self.leaving[&(call, callee)])
    }

    pub fn initial(&self) -> &[(Slot, Code)] {
        &self.initial
    }

    pub fn lasting_count(&self) -> usize {
        self.lasting_vars.len()
    }

    /// How many values an activation of a function has.
    pub fn own_count(&self, function: FuncId) -> usize {
        self.layouts.get(&function).map_or(0, |layout| layout.vars.len())
    }

    /// Own slots whose values matter at a location.
    pub fn live(&self, loc: LocId) -> Rc<[u32]> {
        self.live.get(&loc).cloned().unwrap_or_default()
    }

    /// Own slots of the caller whose values matter after a call.
    pub fn live_after(&self, call: EdgeId) -> Rc<[u32]> {
        self.live_after.get(&call).cloned().unwrap_or_default()
    }

    /// The results that functions hand on, among the lasting slots.
    pub fn results(&self) -> impl Iterator<Item = usize> + '_ {
        let vars = self.lasting_vars.iter().enumerate();
        vars.filter(|(_, var)| var.is_none()).map(|(at, _)| at)
    }

    /// All variables that have slots.
    pub fn variables(&self) -> BTreeSet<VarId> {
        let own = self
            .layouts
            .values()
            .flat_map(|layout| layout.vars.iter().copied());
        self.lasting_vars.iter().copied().flatten().chain(own).collect()
    }

    /// The variables that are given something else than a constant or the value of another variable: there is no telling how many
    /// values they have.
    pub fn computed(&self) -> BTreeSet<VarId> {
        let mut computed = BTreeSet::new();
        let leaving = self
            .leaving
            .values()
            .map(|action| (action.step.edge(), &**action));
        let actions = self.actions.iter();
        let actions = actions.flat_map(|(&edge, actions)| actions.iter().map(move |action| (edge, action)));
        for (edge, action) in actions.chain(leaving) {
            let function = match action.step {
                Step::Enter { callee, .. } => Some(callee),
                _ => self.functions.get(&edge).copied(),
            };
            for (slot, code) in &action.updates {
                if matches!(code, Code::Steps(_)) {
                    computed.extend(self.variable(*slot, function));
                }
            }
        }
        computed
    }

    /// The variables that an action's guard makes known.
    pub fn learned_by(&self, action: &Action) -> impl Iterator<Item = VarId> {
        let function = self.functions.get(&action.step.edge()).copied();
        let learned = action.learned.iter();
        let learned = learned.filter(|learned| learned.holds && learned.range.as_value().is_some());
        learned.filter_map(move |learned| self.variable(learned.slot, function))
    }

    pub fn variable(&self, slot: Slot, function: Option<FuncId>) -> Option<VarId> {
        match slot {
            Slot::Lasting(at) => self.lasting_vars[at as usize],
            Slot::Own(at) => Some(self.layouts.get(&function?)?.vars[at as usize]),
        }
    }

    /// The precision of slots.
    pub fn mask(&self, precision: &Precision) -> Mask {
        let kept = |(var, starts): (Option<VarId>, &Vec<i64>)| {
            let level = match var {
                None => Level::Exact,
                Some(var) if !precision.followed.contains(&var) => Level::Nothing,
                Some(var) if precision.exact.contains(&var) => Level::Exact,
                Some(_) => Level::Ranges,
            };
            let more = var.and_then(|var| precision.starts.get(&var));
            let starts: BTreeSet<i64> = starts.iter().chain(more.into_iter().flatten()).copied().collect();
            Kept {
                level,
                starts: starts.into_iter().collect(),
            }
        };
        let own = self.layouts.iter().map(|(&function, layout)| {
            let vars = layout.vars.iter().copied().map(Some);
            (function, vars.zip(&layout.starts).map(kept).collect())
        });
        let lasting = self.lasting_vars.iter().copied();
        Mask {
            lasting: lasting.zip(&self.lasting_starts).map(kept).collect(),
            own: own.collect(),
        }
    }

    /// The numbers at which conditions on variables change.
    pub fn starts(&self) -> BTreeMap<VarId, BTreeSet<i64>> {
        let mut all: BTreeMap<VarId, BTreeSet<i64>> = BTreeMap::new();
        let lasting = self.lasting_vars.iter().zip(&self.lasting_starts);
        let lasting = lasting.filter_map(|(var, starts)| Some(((*var)?, starts)));
        let layouts = self.layouts.values();
        let own = layouts.flat_map(|layout| layout.vars.iter().copied().zip(&layout.starts));
        for (var, starts) in lasting.chain(own) {
            all.entry(var).or_default().extend(starts);
        }
        all
    }

    fn find_starts(&mut self) {
        let lasting = vec![BTreeSet::new(); self.lasting_vars.len()];
        let mut found: FxHashMap<Option<FuncId>, Vec<BTreeSet<i64>>> = self
            .layouts
            .iter()
            .map(|(&function, layout)| (Some(function), vec![BTreeSet::new(); layout.vars.len()]))
            .chain([(None, lasting)])
            .collect();
        let all = self.actions.iter().flat_map(|(edge, actions)| {
            let learned = actions.iter().flat_map(|action| &action.learned);
            learned.map(|learned| (self.functions[edge], learned))
        });
        all.for_each(|(function, learned)| {
            let (owner, at) = match learned.slot {
                Slot::Lasting(at) => (None, at),
                Slot::Own(at) => (Some(function), at),
            };
            let starts = &mut found.get_mut(&owner).expect("it has slots")[at as usize];
            let (least, most) = bounds(learned.width);
            if learned.range.low > least {
                starts.insert(learned.range.low);
            }
            if learned.range.high < most {
                starts.insert(learned.range.high + 1);
            }
        });
        let mut starts = |owner: Option<FuncId>| -> Vec<Vec<i64>> {
            let found = found.remove(&owner).unwrap_or_default();
            let sorted = found.into_iter().map(|starts| starts.into_iter().collect());
            sorted.collect()
        };
        self.lasting_starts = starts(None);
        self.layouts
            .iter_mut()
            .for_each(|(&function, layout)| layout.starts = starts(Some(function)));
    }

    /// The variables of own slots.
    pub fn variables_of(&self, function: FuncId, slots: &[u32]) -> BTreeSet<VarId> {
        let vars = self.layouts.get(&function).map_or(&[][..], |layout| &layout.vars);
        slots.iter().map(|&slot| vars[slot as usize]).collect()
    }

    /// Where a symbol's value is kept, if it is one that is followed.
    fn slot(&mut self, semantics: &Semantics<'_>, symbol: Symbol) -> Option<Slot> {
        followed_width(semantics.terms.symbol_sort(symbol))?;
        let lasting_var = match semantics.storage_of(symbol)? {
            Storage::Variable(var, _) => match owner(semantics, symbol) {
                Some(function) => {
                    let layout = self.layouts.entry(function).or_default();
                    let next = layout.vars.len() as u32;
                    let slot = *layout.slots.entry(symbol).or_insert(next);
                    if slot == next {
                        layout.vars.push(var);
                    }
                    return Some(Slot::Own(slot));
                }
                None => Some(var),
            },
            Storage::Result(..) => None,
            _ => return None,
        };
        let next = self.lasting_vars.len() as u32;
        let slot = *self.lasting.entry(symbol).or_insert(next);
        if slot == next {
            self.lasting_vars.push(lasting_var);
        }
        Some(Slot::Lasting(slot))
    }

    fn code(&mut self, semantics: &Semantics<'_>, term: Term) -> Code {
        let symbols = semantics.terms.free_symbols(&[term]);
        let slots: FxHashMap<Symbol, Option<Slot>> = symbols
            .into_iter()
            .map(|symbol| (symbol, self.slot(semantics, symbol)))
            .collect();
        Code::new(&semantics.terms, term, &|symbol| {
            slots.get(&symbol).copied().flatten()
        })
    }

    fn updates(&mut self, semantics: &Semantics<'_>, updates: &[(Symbol, Term)]) -> Vec<(Slot, Code)> {
        let followed = updates.iter().filter_map(|&(symbol, value)| {
            let slot = self.slot(semantics, symbol)?;
            Some((slot, self.code(semantics, value)))
        });
        followed.collect()
    }

    fn action(&mut self, semantics: &mut Semantics<'_>, step: Step) -> Action {
        let effect = semantics.effect(step);
        let mut action = Action {
            step,
            unsupported: None,
            guard: Code::Value(Range::ANY),
            defined: Vec::new(),
            updates: Vec::new(),
            learned: Vec::new(),
        };
        match effect {
            Err(unsupported) => action.unsupported = Some(unsupported.what),
            Ok(effect) => {
                action.guard = self.code(semantics, effect.guard);
                action.defined = effect
                    .defined
                    .iter()
                    .map(|&condition| self.code(semantics, condition))
                    .collect();
                action.updates = self.updates(semantics, &effect.updates);
                action.learned = self.learned(semantics, &effect);
                if matches!(step, Step::Elsewhere(_)) {
                    let what = "a call through a pointer that may lead to a function that is not known";
                    action.unsupported = Some(what.to_owned());
                }
            }
        }
        action
    }

    /// What the comparisons of a guard with constants say.
    fn learned(&mut self, semantics: &mut Semantics<'_>, effect: &Effect) -> Vec<Learned> {
        let conjuncts = semantics.terms.conjuncts(effect.guard);
        let comparisons = conjuncts.into_iter().filter_map(|conjunct| {
            let (symbol, width, range, holds) = comparison(&semantics.terms, conjunct)?;
            Some(Learned {
                slot: self.slot(semantics, symbol)?,
                range,
                holds,
                width,
            })
        });
        comparisons.collect()
    }

    fn add(&mut self, semantics: &mut Semantics<'_>, edge: EdgeId) {
        let ways = semantics.ways(edge);
        let mut actions = Vec::with_capacity(ways.len());
        for way in ways {
            actions.push(self.action(semantics, way));
            if let (Step::Enter { call, callee }, Some(leave)) = (way, way.leave()) {
                let action = self.action(semantics, leave);
                self.leaving.insert((call, callee), Rc::new(action));
            }
        }
        self.actions.insert(edge, actions.into());
    }

    /// What matters where in a function, from its end backwards.
    fn find_live(&mut self, program: &Program, function: FuncId) {
        let Some(body) = &program.functions[function].body else {
            return;
        };
        let touched: FxHashMap<EdgeId, (Touched, Touched)> = body
            .locs
            .iter()
            .flat_map(|&loc| &program.locs[loc].outgoing)
            .map(|&edge| (edge, self.touched(edge)))
            .collect();
        let mut live: FxHashMap<LocId, BTreeSet<u32>> = FxHashMap::default();
        let mut open: Vec<LocId> = body.locs.clone();
        let mut waits: FxHashSet<LocId> = open.iter().copied().collect();
        while let Some(loc) = open.pop() {
            waits.remove(&loc);
            let mut here = BTreeSet::new();
            for &edge in &program.locs[loc].outgoing {
                let (before, after) = &touched[&edge];
                let there = live.get(&program.edges[edge].to);
                let kept = there
                    .into_iter()
                    .flatten()
                    .filter(|slot| !after.writes.contains(slot));
                let behind: BTreeSet<u32> = kept.chain(&after.reads).copied().collect();
                here.extend(behind.iter().filter(|slot| !before.writes.contains(slot)));
                here.extend(&before.reads);
                if matches!(program.edges[edge].kind, EdgeKind::Call { .. }) {
                    self.live_after.insert(edge, behind.into_iter().collect());
                }
            }
            if live.get(&loc) != Some(&here) {
                live.insert(loc, here);
                for &edge in &program.locs[loc].incoming {
                    let from = program.edges[edge].from;
                    if waits.insert(from) {
                        open.push(from);
                    }
                }
            }
        }
        let live = live.into_iter();
        self.live
            .extend(live.map(|(loc, slots)| (loc, slots.into_iter().collect())));
    }

    /// What an edge's steps touch of the activation that the edge belongs to: as it is begun, and as a call is left.
    fn touched(&self, edge: EdgeId) -> (Touched, Touched) {
        let (mut before, mut after) = (Touched::default(), Touched::default());
        let mut all_write: Option<BTreeSet<u32>> = None;
        for action in self.actions[&edge].iter() {
            action.read_by(&mut before.reads);
            let writes = match action.step {
                Step::Enter { call, callee } => {
                    let leave = &self.leaving[&(call, callee)];
                    leave.read_by(&mut after.reads);
                    leave.written()
                }
                _ => action.written(),
            };
            // What is not written on every way may be needed.
            all_write = Some(match all_write {
                None => writes,
                Some(all) => all.intersection(&writes).copied().collect(),
            });
        }
        let writes = all_write.unwrap_or_default();
        let is_entered = |action: &Action| matches!(action.step, Step::Enter { .. });
        match self.actions[&edge].iter().any(is_entered) {
            true => after.writes = writes,
            false => before.writes = writes,
        }
        (before, after)
    }
}

impl Action {
    fn read_by(&self, reads: &mut BTreeSet<u32>) {
        let mut read = |slot: Slot| {
            if let Slot::Own(slot) = slot {
                reads.insert(slot);
            }
        };
        self.guard.each_slot(&mut read);
        for code in self
            .defined
            .iter()
            .chain(self.updates.iter().map(|(_, code)| code))
        {
            code.each_slot(&mut read);
        }
    }

    fn written(&self) -> BTreeSet<u32> {
        let slots = self.updates.iter().filter_map(|&(slot, _)| match slot {
            Slot::Own(slot) => Some(slot),
            Slot::Lasting(_) => None,
        });
        slots.collect()
    }

    /// Whether the step can be taken in a state, as far as is known.
    pub fn can_be_taken(&self, read: impl Fn(Slot) -> Range + Copy, room: &mut Vec<Range>) -> bool {
        !self.guard.value(read, room).is_false()
    }

    /// Whether the step's behaviour is known to be undefined.
    pub fn is_undefined(&self, read: impl Fn(Slot) -> Range + Copy, room: &mut Vec<Range>) -> bool {
        self.defined.iter().any(|code| code.value(read, room).is_false())
    }
}

/// The comparison of a symbol with a constant that a term is: the symbol's width, and a range that its value lies in, or outside of.
fn comparison(terms: &Terms, term: Term) -> Option<(Symbol, u32, Range, bool)> {
    let (atom, holds) = match terms.op(term) {
        Op::Not => (terms.args(term)[0], false),
        _ => (term, true),
    };
    let op = terms.op(atom);
    let is_comparison = matches!(op, Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule);
    let &[left, right] = terms.args(atom) else {
        return None;
    };
    let width =
        followed_width(terms.sort(left)).filter(|_| is_comparison && terms.sort(left) != Sort::Bool)?;
    let (least, most) = bounds(width);
    let symbol_first = terms.as_symbol(left).zip(terms.as_word(right));
    let symbol_last = || terms.as_symbol(right).zip(terms.as_word(left));
    let (symbol, bits, is_first) = match (symbol_first, symbol_last()) {
        (Some((symbol, bits)), _) => (symbol, bits as u64, true),
        (None, Some((symbol, bits))) => (symbol, bits as u64, false),
        (None, None) => return None,
    };
    let value = signed(bits, width);
    let (low, high, holds) = match (op, is_first) {
        (Op::Eq, _) => (value, value, holds),
        (Op::Slt, true) => (least, value.checked_sub(1)?, holds),
        (Op::Sle, true) => (least, value, holds),
        (Op::Slt, false) => (value.checked_add(1)?, most, holds),
        (Op::Sle, false) => (value, most, holds),
        // At most, or more than, a number without a sign.
        (Op::Ult, true) => at_most(bits.checked_sub(1)?, width, holds),
        (Op::Ule, true) => at_most(bits, width, holds),
        (Op::Ult, false) => at_most(bits, width, !holds),
        _ => at_most(bits.checked_sub(1)?, width, !holds),
    };
    (least <= low && low <= high && high <= most).then_some((symbol, width, Range { low, high }, holds))
}

/// The words up to one, read without signs: a range, or what is outside of one.
fn at_most(last: u64, width: u32, holds: bool) -> (i64, i64, bool) {
    match signed(last, width) {
        last @ 0.. => (0, last, holds),
        // The others are those from the next on; if there is no other, the range is empty.
        _ => (signed((last + 1) & mask(width), width), -1, !holds),
    }
}
