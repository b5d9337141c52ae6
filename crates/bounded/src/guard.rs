//! The condition under which a place of the unwound program is reached: a list of literals, each added by an edge.
//!
//! Where branches meet, what they have in common is found by going back to where they parted, and branches that were taken
//! under a condition and under its negation leave nothing behind. The values of the branches are told apart by the literals
//! since then alone, so that formulas do not grow with the length of the path.

use std::rc::Rc;

use logic::{Term, Terms};

#[derive(Clone, Debug)]
pub(crate) struct Guard(Option<Rc<Node>>);

#[derive(Debug)]
struct Node {
    before: Guard,
    literal: Term,
    depth: u32,
    /// The conjunction of all literals.
    all: Term,
}

/// How far back a literal is looked for among those that hold already.
const LOOKED_BACK: usize = 64;

impl Guard {
    /// What always holds.
    pub fn always() -> Guard {
        Guard(None)
    }

    pub fn all(&self, terms: &Terms) -> Term {
        match &self.0 {
            Some(node) => node.all,
            None => terms.bool(true),
        }
    }

    fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.depth)
    }

    /// With one more literal; `None` if it contradicts the others in a way that is seen at once.
    pub fn with(&self, terms: &mut Terms, literal: Term) -> Option<Guard> {
        match terms.as_bool(literal) {
            Some(true) => return Some(self.clone()),
            Some(false) => return None,
            None => {}
        }
        let negation = terms.not(literal);
        let mut guard = self;
        for _ in 0..LOOKED_BACK {
            let Some(node) = &guard.0 else { break };
            if node.literal == literal {
                return Some(self.clone());
            }
            if node.literal == negation {
                return None;
            }
            guard = &node.before;
        }
        let before_all = self.all(terms);
        let all = terms.and(before_all, literal);
        if terms.as_bool(all) == Some(false) {
            return None;
        }
        Some(Guard(Some(Rc::new(Node {
            before: self.clone(),
            literal,
            depth: self.depth() + 1,
            all,
        }))))
    }

    /// How many literals two guards share from the start on.
    pub fn shared(&self, other: &Guard) -> u32 {
        let (mut a, mut b) = (self, other);
        let depth = a.depth().min(b.depth());
        a = a.up_to(depth);
        b = b.up_to(depth);
        loop {
            match (&a.0, &b.0) {
                (Some(x), Some(y)) if !Rc::ptr_eq(x, y) && x.all != y.all => {
                    a = &x.before;
                    b = &y.before;
                }
                (Some(x), _) => return x.depth,
                (None, _) => return 0,
            }
        }
    }

    fn up_to(&self, depth: u32) -> &Guard {
        let mut guard = self;
        while let Some(node) = &guard.0
            && node.depth > depth
        {
            guard = &node.before;
        }
        guard
    }

    /// The conjunction of the literals beyond the first so many.
    fn beyond(&self, terms: &mut Terms, depth: u32) -> Term {
        let mut literals = Vec::new();
        let mut guard = self;
        while let Some(node) = &guard.0
            && node.depth > depth
        {
            literals.push(node.literal);
            guard = &node.before;
        }
        terms.all(&literals)
    }

    /// Where two guards meet that exclude each other: their disjunction, and a condition that tells the first from the
    /// second under it.
    pub fn join(&self, other: &Guard, terms: &mut Terms) -> (Guard, Term) {
        let shared = self.shared(other);
        let common = self.up_to(shared).clone();
        let first = self.beyond(terms, shared);
        let second = other.beyond(terms, shared);
        let either = terms.or(first, second);
        let not_second = terms.not(second);
        let is_first = match self.depth() <= other.depth() {
            true => first,
            false => not_second,
        };
        let joined = match first == not_second {
            true => common,
            false => common
                .with(terms, either)
                .expect("a disjunction of what is possible is possible"),
        };
        (joined, is_first)
    }
}
