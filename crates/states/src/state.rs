//! A state: the open activations, and what is known of the values that they and the program have.

use std::hash::{DefaultHasher, Hash, Hasher};

use std::rc::Rc;

use program::{EdgeId, FuncId, LocId};

use crate::code::Known;
use crate::machine::{Action, Machine, Mask, Slot};

#[derive(Clone, Debug)]
pub(crate) struct State {
    mask: Rc<Mask>,
    pub lasting: Vec<Known>,
    /// The innermost last; there is at least one.
    pub activations: Vec<Activation>,
}

#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub function: FuncId,
    /// The edge that called it.
    pub call: Option<EdgeId>,
    pub own: Vec<Known>,
}

impl State {
    pub fn first(machine: &Machine, mask: &Rc<Mask>, entry: FuncId, room: &mut Vec<Known>) -> State {
        let mut state = State {
            mask: Rc::clone(mask),
            lasting: vec![None; machine.lasting_count()],
            activations: vec![Activation::new(machine, entry, None)],
        };
        let values: Vec<(Slot, Known)> = machine
            .initial()
            .iter()
            .map(|(slot, code)| (*slot, code.value(|_| None, room)))
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

    pub fn read(&self, slot: Slot) -> Known {
        match slot {
            Slot::Lasting(at) => self.lasting[at as usize],
            Slot::Own(at) => self.innermost().own[at as usize],
        }
    }

    fn set(&mut self, slot: Slot, value: Known) {
        if !self.mask.keeps(self.innermost().function, slot) {
            return;
        }
        match slot {
            Slot::Lasting(at) => self.lasting[at as usize] = value,
            Slot::Own(at) => self.innermost_mut().own[at as usize] = value,
        }
    }

    /// What the guard of a step says of the state in which it is taken.
    pub fn learn(&mut self, action: &Action) {
        for &(slot, value) in &action.learned {
            self.set(slot, Some(value));
        }
    }

    /// Takes a step of the innermost activation.
    pub fn update(&mut self, action: &Action, room: &mut Vec<Known>) {
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

    fn values(&self, action: &Action, room: &mut Vec<Known>) -> Vec<(Slot, Known)> {
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
        room: &mut Vec<Known>,
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
    pub fn leave(&mut self, machine: &Machine, action: &Action, room: &mut Vec<Known>) {
        self.activations.pop();
        self.update(action, room);
        for at in machine.results() {
            self.lasting[at] = None;
        }
    }

    /// Forgets what does not matter from a location on.
    pub fn forget(&mut self, machine: &Machine, loc: LocId) {
        let live = machine.live(loc);
        self.innermost_mut().keep(&live);
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
            own: vec![None; machine.own_count(function)],
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
                _ => *value = None,
            }
        }
    }
}
