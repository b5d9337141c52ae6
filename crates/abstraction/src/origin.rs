//! What the statements of a Boolean program were made from, as values: whoever reads a trace or a proof asks for the origin of a
//! statement, and labels are for printing alone.
//!
//! While statements are made and put into blocks, their numbers are not known. Until then each one that stands for something
//! carries the index of an entry of [`Origins`] as the `id` of its [`bp::Origin`].

use boolean_program as bp;
use boolean_program::{Statement, StatementId};
use program::LocId;
use rustc_hash::FxHashMap;
use semantics::Step;
use verdict::Goal;

use crate::constraints::Transition;

/// What a statement stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Control is at this location.
    Location(LocId),
    /// A step is taken: of all its statements, a trace passes one such.
    Step(Step),
    /// What is looked for.
    Target(Goal),
}

#[derive(Default)]
struct Entry {
    origin: Option<Origin>,
    transition: Option<Transition>,
}

/// What is known of the statements that were made so far.
#[derive(Default)]
pub(crate) struct Origins {
    entries: Vec<Entry>,
}

impl Origins {
    fn entry(&mut self, statement: &mut Statement) -> &mut Entry {
        let next = self.entries.len();
        let origin = statement.origin.get_or_insert_with(|| bp::Origin {
            id: next as u32,
            place: String::new(),
        });
        let index = origin.id as usize;
        if index == next {
            self.entries.push(Entry::default());
        }
        &mut self.entries[index]
    }

    /// Says what a statement stands for and, for people, where that is.
    pub fn set(&mut self, statement: &mut Statement, origin: Origin, place: String) {
        self.entry(statement).origin = Some(origin);
        statement.origin.as_mut().expect("it has an entry").place = place;
    }

    /// Says that a statement is a relation between predicates.
    pub fn relate(&mut self, statement: &mut Statement, transition: Transition) {
        self.entry(statement).transition = Some(transition);
    }

    /// The origins of all statements of the finished program, and the transitions among them.
    pub fn numbered(
        mut self,
        program: &bp::Program,
    ) -> (Vec<Option<Origin>>, FxHashMap<StatementId, Transition>) {
        let (mut origins, mut transitions) = (Vec::new(), FxHashMap::default());
        for (number, (_, statement)) in program.statements().into_iter().enumerate() {
            let id = statement.origin.as_ref().map(|origin| origin.id as usize);
            let entry = id.map(|id| std::mem::take(&mut self.entries[id]));
            let entry = entry.unwrap_or_default();
            origins.push(entry.origin);
            transitions.extend(entry.transition.map(|it| (StatementId(number as u32), it)));
        }
        (origins, transitions)
    }
}
