//! The BDD library behind a small interface: nothing else in the workspace knows which one it is.
//!
//! Every operation may run out of nodes; that is a value ([`Stop::Nodes`]) and not a panic.

use budget::Exhausted;
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::OutOfMemory;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, Manager, ManagerRef,
};
use oxidd_core::LevelView;

/// Why a computation ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The node table is full.
    Nodes,
    Budget(Exhausted),
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Nodes
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Budget(exhausted)
    }
}

impl From<Stop> for Exhausted {
    fn from(stop: Stop) -> Exhausted {
        match stop {
            Stop::Nodes => Exhausted::Memory,
            Stop::Budget(exhausted) => exhausted,
        }
    }
}

/// A variable of the diagrams; they are ordered by number until they are reordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BddVar(pub u32);

/// A Boolean function.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Bdd(BDDFunction);

/// The owner of all nodes.
pub(crate) struct Bdds {
    manager: BDDManagerRef,
    capacity: usize,
    top: Bdd,
    bottom: Bdd,
}

impl Bdds {
    /// A table for `variables` variables and `capacity` nodes. Memory is touched as nodes are made.
    pub fn new(variables: u32, capacity: usize) -> Bdds {
        let cache = (capacity / 4).clamp(1 << 12, 1 << 23);
        let manager = oxidd::bdd::new_manager(capacity, cache, 1);
        let (top, bottom) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            (Bdd(BDDFunction::t(manager)), Bdd(BDDFunction::f(manager)))
        });
        Bdds {
            manager,
            capacity,
            top,
            bottom,
        }
    }

    pub fn top(&self) -> Bdd {
        self.top.clone()
    }

    pub fn bottom(&self) -> Bdd {
        self.bottom.clone()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    pub fn literal(&self, var: BddVar, positive: bool) -> Result<Bdd, Stop> {
        self.manager.with_manager_shared(|manager| {
            let literal = if positive {
                BDDFunction::var(manager, var.0)
            } else {
                BDDFunction::not_var(manager, var.0)
            };
            Ok(Bdd(literal?))
        })
    }

    /// The conjunction of literals.
    pub fn cube(&self, literals: impl IntoIterator<Item = (BddVar, bool)>) -> Result<Bdd, Stop> {
        let mut literals: Vec<(u32, BddVar, bool)> = self.manager.with_manager_shared(|manager| {
            literals
                .into_iter()
                .map(|(var, positive)| (manager.var_to_level(var.0), var, positive))
                .collect()
        });
        // From the bottom of the diagram, so that each step adds one node on top.
        literals.sort_unstable();
        let mut cube = self.top();
        for (_, var, positive) in literals.into_iter().rev() {
            cube = self.literal(var, positive)?.and(&cube)?;
        }
        Ok(cube)
    }

    /// The set of variables to quantify over.
    pub fn set(&self, variables: impl IntoIterator<Item = BddVar>) -> Result<Bdd, Stop> {
        self.cube(variables.into_iter().map(|var| (var, true)))
    }

    /// `a ↔ b` for each pair.
    pub fn equalities(&self, pairs: impl IntoIterator<Item = (BddVar, BddVar)>) -> Result<Bdd, Stop> {
        let mut pairs: Vec<(u32, BddVar, BddVar)> = self.manager.with_manager_shared(|manager| {
            pairs
                .into_iter()
                .map(|(a, b)| (manager.var_to_level(a.0).min(manager.var_to_level(b.0)), a, b))
                .collect()
        });
        pairs.sort_unstable();
        let mut all = self.top();
        for (_, a, b) in pairs.into_iter().rev() {
            all = self.literal(a, true)?.iff(&self.literal(b, true)?)?.and(&all)?;
        }
        Ok(all)
    }

    /// Nodes in the table, garbage included: the library's counter, since the exact number takes a walk over all
    /// levels and this is asked at every step.
    pub fn nodes(&self) -> usize {
        self.manager
            .with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    /// Drops all nodes that no [`Bdd`] refers to.
    pub fn collect_garbage(&self) {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
        });
    }

    /// Collects garbage when the table is half full: for places that make many functions and drop most.
    pub fn collect_if_crowded(&self) {
        if self.nodes() > self.capacity / 2 {
            self.collect_garbage();
        }
    }

    /// The variables from the top of the diagrams to the bottom.
    pub fn order(&self) -> Vec<BddVar> {
        self.manager.with_manager_shared(|manager| {
            (0..manager.num_levels())
                .map(|level| BddVar(manager.level_to_var(level)))
                .collect()
        })
    }

    /// Lets `search` try orders of the variables; all functions keep their meaning. The library cannot run out of nodes
    /// gracefully here, so there must be plenty of them.
    pub fn reorder<T>(&self, search: impl FnOnce(&mut dyn Reordering) -> T) -> T {
        self.manager
            .with_manager_exclusive(|manager| manager.reorder(|manager| search(&mut Orders(manager))))
    }
}

/// A search for an order under way.
pub(crate) trait Reordering {
    /// Moves the variables to the given order, from top to bottom.
    fn set_order(&mut self, order: &[BddVar]);
    fn nodes(&self) -> usize;
    /// The number of nodes of each variable, from top to bottom.
    fn level_sizes(&self) -> Vec<usize>;
}

struct Orders<'m, M>(&'m mut M);

impl<M: Manager> Reordering for Orders<'_, M>
where
    M::InnerNode: HasLevel,
{
    fn set_order(&mut self, order: &[BddVar]) {
        let order: Vec<u32> = order.iter().map(|var| var.0).collect();
        oxidd_reorder::set_var_order_seq(self.0, &order);
    }

    fn nodes(&self) -> usize {
        self.0.num_inner_nodes()
    }

    fn level_sizes(&self) -> Vec<usize> {
        self.0.levels().map(|level| level.len()).collect()
    }
}

impl Bdd {
    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }

    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    pub fn not(&self) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.not()?))
    }

    pub fn and(&self, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.and(&other.0)?))
    }

    pub fn or(&self, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.or(&other.0)?))
    }

    pub fn iff(&self, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.equiv(&other.0)?))
    }

    /// What holds here and not there.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(other.0.imp_strict(&self.0)?))
    }

    pub fn exists(&self, variables: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.exists(&variables.0)?))
    }

    /// The relational product `∃ variables. self ∧ other`, in one pass.
    pub fn and_exists(&self, other: &Bdd, variables: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.apply_exists(
            BooleanOperator::And,
            &other.0,
            &variables.0,
        )?))
    }

    /// The function for fixed values of the variables in the cube `literals`.
    pub fn restrict(&self, literals: &Bdd) -> Result<Bdd, Stop> {
        Ok(Bdd(self.0.restrict(&literals.0)?))
    }

    /// The topmost variable with the functions for it true and false; `None` for a constant.
    pub fn branch(&self) -> Option<(BddVar, Bdd, Bdd)> {
        let var = self
            .0
            .with_manager_shared(|manager, edge| match manager.get_node(edge) {
                oxidd_core::Node::Inner(node) => Some(BddVar(manager.level_to_var(node.level()))),
                oxidd_core::Node::Terminal(_) => None,
            })?;
        let (high, low) = self.0.cofactors()?;
        Some((var, Bdd(high), Bdd(low)))
    }

    /// A number that no other function has as long as this one is kept.
    pub fn id(&self) -> usize {
        self.0.with_manager_shared(|_, edge| edge.node_id())
    }

    /// The level of the topmost variable; the largest number for a constant.
    pub fn level(&self) -> u32 {
        self.0
            .with_manager_shared(|manager, edge| manager.get_node(edge).level())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `v0 = v(n/2) & v1 = v(n/2+1) & …`: exponential in this order, linear when the partners are neighbours.
    fn far_pairs(bdds: &Bdds, count: u32) -> Result<Bdd, Stop> {
        bdds.equalities((0..count / 2).map(|index| (BddVar(index), BddVar(index + count / 2))))
    }

    #[test]
    fn running_out_of_nodes_is_a_value() {
        let bdds = Bdds::new(40, 1 << 10);
        assert!(matches!(far_pairs(&bdds, 40), Err(Stop::Nodes)));
        // What is small can still be made.
        bdds.collect_garbage();
        assert!(far_pairs(&bdds, 4).is_ok());
    }

    #[test]
    fn reordering_keeps_functions_and_saves_nodes() {
        let bdds = Bdds::new(16, 1 << 16);
        let Ok(pairs) = far_pairs(&bdds, 16) else {
            panic!("there are enough nodes")
        };
        bdds.collect_garbage();
        let before = bdds.nodes();
        let order: Vec<BddVar> = (0..8)
            .flat_map(|index| [BddVar(index), BddVar(index + 8)])
            .collect();
        let after = bdds.reorder(|orders| {
            orders.set_order(&order);
            orders.nodes()
        });
        assert!(after * 4 < before, "{before} {after}");
        assert_eq!(bdds.order(), order);
        let Ok(again) = far_pairs(&bdds, 16) else {
            panic!("there are enough nodes")
        };
        assert!(pairs == again);
    }
}
