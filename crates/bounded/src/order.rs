//! The order in which the locations of an unwound function are visited: Bourdoncle's weak topological order of its graph.
//!
//! Every cycle of the graph passes the head of a component that holds the whole cycle, and the locations of a component
//! follow each other. So a location in the n-th round of its loops has a number, the [`Counter`]s and positions in order of
//! nesting, and every edge leads to a larger number: what comes with the smallest number is complete. That is so for any
//! graph; a `goto` into a loop enters a component past its head.

use std::collections::BTreeSet;

use program::{FuncId, LocId, Program};
use rustc_hash::FxHashMap;

/// A function's locations in weak topological order.
pub(crate) struct Order {
    places: FxHashMap<LocId, InOrder>,
}

/// Where a location stands.
pub(crate) struct InOrder {
    pub position: u32,
    /// The positions of the heads of the components around it, the outermost first; a head is in its own component.
    pub heads: Vec<u32>,
}

impl Order {
    pub fn new(program: &Program, function: FuncId) -> Order {
        let body = program.functions[function]
            .body
            .as_ref()
            .expect("only functions with a body are unwound");
        let order = elements(program, body.entry, &body.locs);
        let mut places = FxHashMap::default();
        let mut open: Vec<u32> = Vec::new();
        let mut position = 0;
        for element in order {
            match element {
                Element::Open => open.push(position),
                Element::Close => {
                    open.pop();
                }
                Element::Loc(loc) => {
                    let place = InOrder {
                        position,
                        heads: open.clone(),
                    };
                    places.insert(loc, place);
                    position += 1;
                }
            }
        }
        Order { places }
    }

    /// Where a location stands that can be reached from the function's entry.
    pub fn of(&self, loc: LocId) -> &InOrder {
        self.places
            .get(&loc)
            .expect("what is reached from the entry is in the order")
    }

    /// The heads of the components around a location, in order.
    pub fn heads_around(&self, loc: LocId) -> BTreeSet<LocId> {
        let heads = &self.of(loc).heads;
        let all = self.places.iter();
        let heads = all.filter(|(_, place)| heads.contains(&place.position));
        heads.map(|(&head, _)| head).collect()
    }
}

impl InOrder {
    pub fn is_head(&self) -> bool {
        self.heads.last() == Some(&self.position)
    }

    /// Whether an edge from there to here begins a new round of this location's component.
    pub fn is_back_edge_from(&self, from: &InOrder) -> bool {
        self.is_head() && from.heads.starts_with(&self.heads)
    }
}

#[derive(Clone, Copy)]
enum Element {
    Open,
    Close,
    Loc(LocId),
}

/// The order, components in brackets: Bourdoncle's algorithm (*Efficient chaotic iteration strategies with widenings*, 1993,
/// figure 4) on a stack of its own. What it builds from the back is turned round at the end.
fn elements(program: &Program, entry: LocId, locs: &[LocId]) -> Vec<Element> {
    let mut search = Search {
        program,
        numbers: locs.iter().map(|&loc| (loc, 0)).collect(),
        stack: Vec::new(),
        next: 0,
        order: Vec::new(),
    };
    search.visit(entry);
    search.order.reverse();
    search.order
}

const DONE: u32 = u32::MAX;

struct Search<'p> {
    program: &'p Program,
    /// 0 for a location that was not visited yet.
    numbers: FxHashMap<LocId, u32>,
    stack: Vec<LocId>,
    next: u32,
    /// From the back.
    order: Vec<Element>,
}

/// A call of Bourdoncle's `visit`, or the part of it that goes through a component.
struct Visit {
    loc: LocId,
    successor: usize,
    head: u32,
    is_loop: bool,
    /// Whether the component of this head is being gone through.
    inside: bool,
}

impl Search<'_> {
    fn begin(&mut self, loc: LocId) -> Visit {
        self.stack.push(loc);
        self.next += 1;
        self.numbers.insert(loc, self.next);
        Visit {
            loc,
            successor: 0,
            head: self.next,
            is_loop: false,
            inside: false,
        }
    }

    fn visit(&mut self, entry: LocId) {
        let first = self.begin(entry);
        let mut open = vec![first];
        while let Some(visit) = open.last_mut() {
            let edges = &self.program.locs[visit.loc].outgoing;
            if let Some(&edge) = edges.get(visit.successor) {
                visit.successor += 1;
                let to = self.program.edges[edge].to;
                let number = self.numbers[&to];
                if visit.inside {
                    if number == 0 {
                        let next = self.begin(to);
                        open.push(next);
                    }
                } else if number == 0 {
                    let next = self.begin(to);
                    open.push(next);
                } else if number <= visit.head {
                    visit.head = number;
                    visit.is_loop = true;
                }
                continue;
            }
            let visit = open.pop().expect("the loop has one");
            let head = self.finish(&visit, &mut open);
            if let (Some(head), Some(outer)) = (head, open.last_mut())
                && !outer.inside
                && head <= outer.head
            {
                outer.head = head;
                outer.is_loop = true;
            }
        }
    }

    /// Ends a visit. Gives the number that its caller compares with; none where the visit goes on inside its component.
    fn finish(&mut self, visit: &Visit, open: &mut Vec<Visit>) -> Option<u32> {
        if visit.inside {
            self.order.push(Element::Loc(visit.loc));
            self.order.push(Element::Open);
            return Some(DONE);
        }
        if visit.head != self.numbers[&visit.loc] {
            return Some(visit.head);
        }
        self.numbers.insert(visit.loc, DONE);
        let mut element = self.stack.pop().expect("the location itself is on the stack");
        if !visit.is_loop {
            self.order.push(Element::Loc(visit.loc));
            return Some(DONE);
        }
        while element != visit.loc {
            self.numbers.insert(element, 0);
            element = self.stack.pop().expect("the location itself is on the stack");
        }
        self.order.push(Element::Close);
        open.push(Visit {
            loc: visit.loc,
            successor: 0,
            head: DONE,
            is_loop: true,
            inside: true,
        });
        None
    }
}
