//! A state: the open activations, and what is known of the values that they and the program have.

use std::hash::{DefaultHasher, Hash, Hasher};

use std::rc::Rc;

use program::{EdgeId, FuncId, LocId, VarId};

use crate::machine::{Action, Level, Machine, Mask, Slot};
use crate::range::Range;

#[derive(Clone, Debug)]
pub(crate) struct State {
    mask: Rc<Mask>,
    pub lasting: Vec<Range>,
    /// The innermost last; there is at least one.
    pub activations: Vec<Activation>,
}

#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub function: FuncId,
    /// The edge that called it.
    pub call: Option<EdgeId>,
    pub own: Vec<Range>,
}

/// Where a state keeps a value: of which activation, if of one, and which of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    of: Option<usize>,
    at: usize,
}

impl State {
    pub fn first(machine: &Machine, mask: &Rc<Mask>, entry: FuncId, room: &mut Vec<Range>) -> State {
        let mut state = State {
            mask: Rc::clone(mask),
            lasting: vec![Range::ANY; machine.lasting_count()],
            activations: vec![Activation::new(machine, entry, None)],
        };
        let values: Vec<(Slot, Range)> = machine
            .initial()
            .iter()
            .map(|(slot, code)| (*slot, code.value(|_| Range::ANY, room)))
            .collect();
        for (slot, value) in values {
            state.set(slot, value);
        }
        state
    }

    pub fn innermost(&self) -> &Activation {
        self.activations.last().expect("an activation is open")
    }

    fn innermost_mut(&mut self) -> &mut Activation {
        self.activations.last_mut().expect("an activation is open")
    }

    pub fn read(&self, slot: Slot) -> Range {
        match slot {
            Slot::Lasting(at) => self.lasting[at as usize],
            Slot::Own(at) => self.innermost().own[at as usize],
        }
    }

    fn set(&mut self, slot: Slot, value: Range) {
        if self.mask.of(self.innermost().function, slot).level == Level::Nothing {
            return;
        }
        match slot {
            Slot::Lasting(at) => self.lasting[at as usize] = value,
            Slot::Own(at) => self.innermost_mut().own[at as usize] = value,
        }
    }

    /// What the guard of a step says of the state in which it is taken.
    pub fn learn(&mut self, action: &Action) {
        for learned in &action.learned {
            let known = self.read(learned.slot);
            let more = match learned.holds {
                true => known.both(learned.range),
                false => known.without(learned.range, learned.width),
            };
            self.set(learned.slot, more);
        }
    }

    /// Takes a step of the innermost activation.
    pub fn update(&mut self, action: &Action, room: &mut Vec<Range>) {
        match &action.updates[..] {
            [] => {}
            [(slot, code)] => {
                let value = code.value(|slot| self.read(slot), room);
                self.set(*slot, value);
            }
            _ => {
                for (slot, value) in self.values(action, room) {
                    self.set(slot, value);
                }
            }
        }
    }

    fn values(&self, action: &Action, room: &mut Vec<Range>) -> Vec<(Slot, Range)> {
        let updates = action.updates.iter();
        updates
            .map(|(slot, code)| (*slot, code.value(|slot| self.read(slot), room)))
            .collect()
    }

    /// Begins a call: what the caller does not need any more is forgotten.
    pub fn enter(
        &mut self,
        machine: &Machine,
        action: &Action,
        call: EdgeId,
        callee: FuncId,
        room: &mut Vec<Range>,
    ) {
        let values = self.values(action, room);
        let live = machine.live_after(call);
        self.innermost_mut().keep(&live);
        self.activations
            .push(Activation::new(machine, callee, Some(call)));
        for (slot, value) in values {
            self.set(slot, value);
        }
    }

    /// Ends the innermost activation, which is not the first.
    pub fn leave(&mut self, machine: &Machine, action: &Action, room: &mut Vec<Range>) {
        self.activations.pop();
        self.update(action, room);
        for at in machine.results() {
            self.lasting[at] = Range::ANY;
        }
    }

    /// Forgets what does not matter from a location on.
    pub fn forget(&mut self, machine: &Machine, loc: LocId) {
        let live = machine.live(loc);
        self.innermost_mut().keep(&live);
    }

    /// All that is kept.
    pub fn places(&self) -> Vec<Place> {
        let lasting = (0..self.lasting.len()).map(|at| Place { of: None, at });
        let own =
            self.activations.iter().enumerate().flat_map(|(of, activation)| {
                (0..activation.own.len()).map(move |at| Place { of: Some(of), at })
            });
        lasting.chain(own).collect()
    }

    pub fn value(&self, place: Place) -> Range {
        match place.of {
            None => self.lasting[place.at],
            Some(of) => self.activations[of].own[place.at],
        }
    }

    pub fn put(&mut self, place: Place, value: Range) {
        match place.of {
            None => self.lasting[place.at] = value,
            Some(of) => self.activations[of].own[place.at] = value,
        }
    }

    /// The variable that is kept at a place.
    pub fn variable(&self, machine: &Machine, place: Place) -> Option<VarId> {
        let at = place.at as u32;
        match place.of {
            None => machine.variable(Slot::Lasting(at), None),
            Some(of) => machine.variable(Slot::Own(at), Some(self.activations[of].function)),
        }
    }

    /// What is remembered at the head of a loop of what is kept at a place.
    pub fn rounded(&self, place: Place) -> Range {
        let value = self.value(place);
        let kept = match place.of {
            None => &self.mask.lasting[place.at],
            Some(of) => &self.mask.own[&self.activations[of].function][place.at],
        };
        match kept.level == Level::Exact && value.as_value().is_some() {
            true => value,
            false => value.rounded(&kept.starts),
        }
    }

    /// Forgets what is not to be remembered at the head of a loop.
    pub fn round(&mut self) {
        for place in self.places() {
            self.put(place, self.rounded(place));
        }
    }

    /// A number for the state at a location: two states that differ have the same with a probability that does not matter.
    pub fn digest(&self, loc: LocId) -> u128 {
        let half = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            loc.hash(&mut hasher);
            self.lasting.hash(&mut hasher);
            for activation in &self.activations {
                activation.call.hash(&mut hasher);
                activation.function.hash(&mut hasher);
                activation.own.hash(&mut hasher);
            }
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }
}

impl Activation {
    fn new(machine: &Machine, function: FuncId, call: Option<EdgeId>) -> Activation {
        Activation {
            function,
            call,
            own: vec![Range::ANY; machine.own_count(function)],
        }
    }

    /// Keeps what these slots hold, which are in ascending order, and nothing else.
    fn keep(&mut self, slots: &[u32]) {
        let mut kept = slots.iter().copied().peekable();
        for (at, value) in self.own.iter_mut().enumerate() {
            match kept.peek() {
                Some(&slot) if slot as usize == at => {
                    kept.next();
                }
                _ => *value = Range::ANY,
            }
        }
    }
}
