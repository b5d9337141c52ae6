//! The widest ranges with which a way cannot be taken: interpolants that are intervals.
//!
//! The way is gone from head to head of its loops. At each, what is known is widened to the ranges that there are, value by value. Where
//! the rest of the way could then be taken, the value is widened only so far that it cannot: how far is found by bisection, to the one
//! side and to the other. There new ranges start.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::{Id, VarId};
use semantics::Step;

use crate::machine::Precision;
use crate::range::Range;
use crate::refine::{Gone, Refinement};
use crate::state::{Place, State};

impl Refinement<'_> {
    /// Where ranges have to start so that the way cannot be taken; without rounding it cannot.
    pub fn ranges(&mut self, precision: &Precision, way: &[Step]) -> BTreeMap<VarId, BTreeSet<i64>> {
        let mut starts = precision.starts.clone();
        let mask = Rc::new(self.machine.mask(precision));
        let mut state = State::first(self.machine, &mask, self.entry, &mut self.room);
        for (at, &step) in way.iter().enumerate() {
            let Gone::To(to) = self.go(&mut state, step) else {
                break;
            };
            if self.is_cut[to.index()] {
                self.widen(&mut state, &way[at + 1..], &mut starts);
            }
        }
        starts
    }

    /// Widens what is known at a head as far as the rest of the way still cannot be taken.
    fn widen(&mut self, state: &mut State, rest: &[Step], starts: &mut BTreeMap<VarId, BTreeSet<i64>>) {
        let mut all = state.clone();
        all.round();
        if self.ends(&all, rest) {
            *state = all;
            return;
        }
        for place in state.places() {
            let (known, cell) = (state.value(place), state.rounded(place));
            if known == cell || self.widened(state, place, cell, rest) {
                continue;
            }
            let Some(var) = state.variable(self.machine, place) else {
                continue;
            };
            let low = self.bisect(known.low, cell.low, |this, low| {
                this.widened(state, place, Range { low, ..known }, rest)
            });
            let known = state.value(place);
            let high = self.bisect(known.high, cell.high, |this, high| {
                this.widened(state, place, Range { high, ..known }, rest)
            });
            let starts = starts.entry(var).or_default();
            if low > cell.low {
                starts.insert(low);
            }
            if high < cell.high {
                starts.insert(high + 1);
            }
        }
    }

    /// Puts the value where it belongs if the rest of the way cannot be taken then either.
    fn widened(&mut self, state: &mut State, place: Place, value: Range, rest: &[Step]) -> bool {
        let before = state.value(place);
        state.put(place, value);
        let ends = self.ends(state, rest);
        if !ends {
            state.put(place, before);
        }
        ends
    }

    /// Whether the way cannot be taken, with all that is known.
    fn ends(&mut self, state: &State, way: &[Step]) -> bool {
        let mut state = state.clone();
        let mut steps = way.iter();
        self.is_exhausted() || steps.any(|&step| matches!(self.go(&mut state, step), Gone::Nowhere))
    }

    /// The number nearest to `far` that is accepted, where `near` is, and all between it and one that is accepted are.
    fn bisect(&mut self, near: i64, far: i64, mut accepts: impl FnMut(&mut Self, i64) -> bool) -> i64 {
        let (mut good, mut bad) = (i128::from(near), i128::from(far));
        while (bad - good).abs() > 1 {
            let middle = (good + bad).div_euclid(2);
            match accepts(self, middle as i64) {
                true => good = middle,
                false => bad = middle,
            }
        }
        // The far end itself may do: only both ends together did not.
        match good != bad && accepts(self, bad as i64) {
            true => bad as i64,
            false => good as i64,
        }
    }
}
