//! Keeping the node table small: garbage collection between steps, and sifting of the variable order when the live
//! nodes explode.

use budget::Budget;

use crate::Statistics;
use crate::bdd::{BddVar, Bdds, Reordering, Stop};

/// Three variables a slot: they move together.
const BLOCK: usize = 3;

/// Reordering makes nodes on its way: the table must have room for this many times the live ones.
const ROOM: usize = 8;

/// When to collect garbage and when to reorder.
pub(crate) struct Housekeeping {
    /// Nodes at which the next collection is due.
    collect_at: usize,
    /// Live nodes at which the next reordering is due.
    reorder_at: usize,
    /// The largest table allowed: here, running out cannot be helped by a larger one.
    last_resort: bool,
}

impl Housekeeping {
    pub fn new(capacity: usize, reorder_at: usize, last_resort: bool) -> Housekeeping {
        Housekeeping {
            collect_at: capacity / 2,
            reorder_at,
            last_resort,
        }
    }

    /// To be called where no operation is under way.
    pub fn after_step(
        &mut self,
        bdds: &Bdds,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Result<(), Stop> {
        let nodes = bdds.nodes();
        statistics.peak_nodes = statistics.peak_nodes.max(nodes);
        if nodes < self.collect_at.min(self.reorder_at) {
            return Ok(());
        }
        bdds.collect_garbage();
        statistics.collections += 1;
        let mut live = bdds.nodes();
        if live >= self.reorder_at && live <= bdds.capacity() / ROOM {
            let order = bdds.order();
            bdds.reorder(|orders| sift(orders, &order, budget))?;
            statistics.reorderings += 1;
            let before = live;
            live = bdds.nodes();
            // Not again before the diagrams have doubled; later, if it was of no use.
            let worthwhile = live * 5 < before * 4;
            self.reorder_at = self.reorder_at.max(if worthwhile { 2 } else { 8 } * live);
        } else if nodes >= self.reorder_at {
            // It was garbage: the next reordering waits for as many live nodes, the next look for some growth.
            self.reorder_at = self.reorder_at.max(nodes + nodes / 2);
        }
        self.collect_at = bdds.capacity() / 2;
        if live >= self.collect_at {
            if !self.last_resort {
                return Err(Stop::Nodes);
            }
            self.collect_at = live + (bdds.capacity() - live) / 2;
        }
        Ok(())
    }
}

/// Moves each block of variables to the place where the table is smallest, by hill climbing from where it is: first
/// one way, then the other, as long as the table does not grow much. The blocks with the most nodes come first.
fn sift(orders: &mut dyn Reordering, order: &[BddVar], budget: &Budget) -> Result<(), Stop> {
    /// Blocks beyond these are small if there are so many.
    const MOST_BLOCKS: usize = 200;
    let mut blocks: Vec<Vec<BddVar>> = order.chunks(BLOCK).map(<[BddVar]>::to_vec).collect();
    let sizes: Vec<usize> = orders
        .level_sizes()
        .chunks(BLOCK)
        .map(|sizes| sizes.iter().sum())
        .collect();
    let mut largest: Vec<usize> = (0..blocks.len()).collect();
    largest.sort_by_key(|&block| std::cmp::Reverse(sizes[block]));
    let candidates: Vec<Vec<BddVar>> = largest
        .into_iter()
        .take(MOST_BLOCKS)
        .map(|block| blocks[block].clone())
        .collect();
    let before = orders.nodes();
    for block in candidates {
        sift_block(orders, &mut blocks, &block, budget)?;
        if orders.nodes() * 4 < before {
            // Good enough; the explosion is over.
            break;
        }
    }
    Ok(())
}

fn sift_block(
    orders: &mut dyn Reordering,
    blocks: &mut Vec<Vec<BddVar>>,
    block: &[BddVar],
    budget: &Budget,
) -> Result<(), Stop> {
    /// How far a block moves without improvement.
    const PATIENCE: usize = 4;
    let home = blocks
        .iter()
        .position(|it| it == block)
        .expect("blocks are only moved");
    let mut best = (orders.nodes(), home);
    for downwards in [true, false] {
        let mut place = home;
        let mut fruitless = 0;
        loop {
            let next = if downwards {
                place + 1
            } else {
                place.wrapping_sub(1)
            };
            if next >= blocks.len() || fruitless >= PATIENCE {
                break;
            }
            budget.check()?;
            blocks.swap(place, next);
            place = next;
            orders.set_order(&blocks.concat());
            let nodes = orders.nodes();
            if nodes < best.0 {
                best = (nodes, place);
                fruitless = 0;
            } else {
                fruitless += 1;
            }
            if nodes > best.0 + best.0 / 5 {
                break;
            }
        }
        move_block(orders, blocks, place, home);
    }
    move_block(orders, blocks, home, best.1);
    Ok(())
}

fn move_block(orders: &mut dyn Reordering, blocks: &mut Vec<Vec<BddVar>>, from: usize, to: usize) {
    if from != to {
        let moved = blocks.remove(from);
        blocks.insert(to, moved);
        orders.set_order(&blocks.concat());
    }
}
