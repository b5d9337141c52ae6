//! The cheapest way to satisfy clauses: some literals cost their weight where they are false, and the sum is to be the least.
//!
//! Core-guided search, OLL (Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, 2012): all literals
//! are assumed. Where they contradict the clauses, one of a few of them has to be paid for, whatever happens; from then on it is
//! only assumed that no second one of these is false, which `count.rs` has a literal for. When nothing is contradicted, what was paid
//! is the least. Heavy literals come first, and a literal that weighs as much as could still be saved becomes a clause.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::count::Count;
use super::{Limit, Sat};

/// Cores that are larger are not made smaller one literal after the other, and so much work is one literal worth.
const MINIMISED: usize = 40;
const EFFORT: i32 = 100;

pub(crate) enum Found {
    /// The value of each variable from 1 on, and whether none is cheaper: otherwise the limit was reached.
    Values(Vec<bool>, bool),
    Unsatisfiable,
    Stopped,
}

struct Search<'a> {
    sat: &'a mut Sat,
    limit: &'a Limit,
    /// Variables from here on are free.
    next: i32,
    /// What is assumed, and what it costs to give it up.
    weights: BTreeMap<i32, u64>,
    /// The same, from cores that were found since the clauses could last be satisfied.
    delayed: Vec<(i32, u64)>,
    /// What has to be paid whatever happens.
    paid: u64,
    counts: Vec<Count>,
    /// Which count a literal bounds: that no more than so many are false.
    bounds: FxHashMap<i32, (usize, usize)>,
    preferred: &'a [(i32, u64)],
    variables: i32,
    best: Option<(u64, Vec<bool>)>,
}

/// Finds values for the clauses in a solver, whose variables go up to `variables`.
pub(crate) fn cheapest(sat: &mut Sat, variables: i32, preferred: &[(i32, u64)], limit: &Limit) -> Found {
    let mut search = Search {
        sat,
        limit,
        next: variables + 1,
        weights: BTreeMap::new(),
        delayed: Vec::new(),
        paid: 0,
        counts: Vec::new(),
        bounds: FxHashMap::default(),
        preferred,
        variables,
        best: None,
    };
    for &(literal, weight) in preferred {
        search.prefer(literal, weight);
    }
    match search.sat.0.solve() {
        None => return Found::Stopped,
        Some(false) => return Found::Unsatisfiable,
        Some(true) => search.note(),
    }
    let is_least = search.run();
    let (_, values) = search.best.expect("the clauses can be satisfied");
    Found::Values(values, is_least)
}

impl Search<'_> {
    /// Whether the best that is known is the cheapest; otherwise the limit was reached.
    fn run(&mut self) -> bool {
        let mut stratum = self.heaviest_below(u64::MAX);
        loop {
            if self.harden() == 0 {
                return true;
            }
            let least = stratum.unwrap_or(0);
            let heavy = self.weights.iter().filter(|(_, weight)| **weight >= least);
            let assumed: Vec<i32> = heavy.map(|(&literal, _)| literal).collect();
            match self.sat.0.solve_with(assumed.iter().copied()) {
                None => return false,
                Some(true) => {
                    self.note();
                    if !self.delayed.is_empty() {
                        for (literal, weight) in std::mem::take(&mut self.delayed) {
                            self.prefer(literal, weight);
                        }
                        continue;
                    }
                    stratum = self.heaviest_below(least);
                    if stratum.is_none() {
                        return true;
                    }
                }
                Some(false) => {
                    let core = self.failed(&assumed);
                    // The clauses themselves exclude everything cheaper than the best.
                    if core.is_empty() {
                        return true;
                    }
                    let core = self.smaller(core);
                    if self.limit.is_reached() {
                        return false;
                    }
                    self.pay(&core);
                }
            }
        }
    }

    fn heaviest_below(&self, weight: u64) -> Option<u64> {
        self.weights
            .values()
            .copied()
            .filter(|&other| other < weight)
            .max()
    }

    /// That a literal is to be true. Of two opposite ones, one has to be paid.
    fn prefer(&mut self, literal: i32, weight: u64) {
        let against = self.weights.remove(&-literal).unwrap_or(0);
        let common = against.min(weight);
        self.paid += common;
        if against > common {
            self.weights.insert(-literal, against - common);
        }
        if weight > common {
            *self.weights.entry(literal).or_default() += weight - common;
        }
    }

    /// Remembers what was found if it is cheaper.
    fn note(&mut self) {
        let is_paid = |literal: i32| self.sat.0.value(literal) != Some(true);
        let paid = self.preferred.iter().filter(|(literal, _)| is_paid(*literal));
        let cost = paid.map(|(_, weight)| weight).sum();
        if self.best.as_ref().is_none_or(|(known, _)| cost < *known) {
            let values = (1..=self.variables).map(|variable| self.sat.0.value(variable) == Some(true));
            self.best = Some((cost, values.collect()));
        }
    }

    /// What weighs as much as could be saved cannot be given up. How much that is.
    fn harden(&mut self) -> u64 {
        let best = self.best.as_ref().map_or(u64::MAX, |(cost, _)| *cost);
        let gap = best.saturating_sub(self.paid);
        let sat = &mut self.sat.0;
        if gap > 0 {
            self.weights.retain(|&literal, weight| {
                let is_kept = *weight < gap;
                if !is_kept {
                    sat.add_clause([literal]);
                }
                is_kept
            });
        }
        gap
    }

    fn failed(&self, assumed: &[i32]) -> Vec<i32> {
        let failed = assumed.iter().filter(|literal| self.sat.0.failed(**literal));
        failed.copied().collect()
    }

    /// A part of a core that is one as well: fewer literals, and those the heavy ones where there is a choice.
    fn smaller(&mut self, mut core: Vec<i32>) -> Vec<i32> {
        loop {
            let before = core.len();
            if before == 1 || self.sat.0.solve_with(core.iter().copied()) != Some(false) {
                break;
            }
            core = self.failed(&core);
            if core.len() == before {
                break;
            }
        }
        if core.len() > MINIMISED {
            return core;
        }
        core.sort_by_key(|literal| self.weights[literal]);
        let mut at = 0;
        while at < core.len() && core.len() > 1 && !self.limit.is_reached() {
            let mut without = core.clone();
            without.remove(at);
            let limited = self.sat.0.set_limit("conflicts", EFFORT);
            limited.expect("CaDiCaL counts conflicts");
            match self.sat.0.solve_with(without.iter().copied()) {
                Some(false) => core = self.failed(&without),
                Some(true) => {
                    self.note();
                    at += 1;
                }
                None => at += 1,
            }
        }
        core
    }

    /// One of a core has to be paid for.
    fn pay(&mut self, core: &[i32]) {
        let weights = core.iter().map(|literal| self.weights[literal]);
        let least = weights.min().expect("a core is not empty");
        self.paid += least;
        for &literal in core {
            let left = self.weights[&literal] - least;
            match left {
                0 => self.weights.remove(&literal),
                _ => self.weights.insert(literal, left),
            };
            if let Some(&(count, most)) = self.bounds.get(&literal) {
                self.bound(count, most + 1, least);
            }
        }
        self.sat.0.add_clause(core.iter().map(|literal| -literal));
        if core.len() > 1 {
            self.counts.push(Count::new(core.iter().map(|literal| -literal)));
            self.bound(self.counts.len() - 1, 1, least);
        }
    }

    /// From now on it is assumed that of a count no more than so many are true.
    fn bound(&mut self, count: usize, most: usize, weight: u64) {
        let next = &mut self.next;
        let fresh = || {
            *next += 1;
            *next - 1
        };
        if let Some(more) = self.counts[count].more_than(most, self.sat, fresh) {
            self.bounds.insert(-more, (count, most));
            self.delayed.push((-more, weight));
        }
    }
}
