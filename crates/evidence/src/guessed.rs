//! Addresses that nobody gave away. A pointer from outside is null, leads to what is outside, or to what was given to the outside
//! before; a formula sees a number, which may happen to be the address of anything. A way to an error that needs such a number is
//! no way that a run takes.

use library::Meaning;
use points_to::{ObjectKind, PointsTo};
use program::{
    Callee, EdgeId, EdgeKind, ExprId, FuncId, HavocCause, Node, PlaceId, PlaceKind, Program, TypeId, Walk,
};
use verdict::{Content, Counterexample, Given, InputValue, Needed, Object, Task};

/// A pointer from outside that is the address of something of the program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    at: Guessed,
    object: Object,
    /// Whether it is there only later.
    early: bool,
}

/// What holds the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guessed {
    /// An input, by its position.
    Input(usize),
    /// Memory from outside, by the position of its contents.
    Outside(usize),
    /// An undefined global, by its position and that of its contents.
    Global(usize, usize),
    /// What a function without a body wrote, by the position of the call and that of what it wrote.
    Written(usize, usize),
}

/// All guesses of a counterexample whose run takes these edges: its inputs in their order, then what memory is said to hold.
pub(crate) fn guesses(
    task: &Task<'_>,
    points_to: &PointsTo,
    counterexample: &Counterexample,
    edges: &[EdgeId],
) -> Vec<Guess> {
    let given = &counterexample.given;
    let program = task.program;
    let run = Run {
        task,
        points_to,
        given,
        edges,
    };
    let times = Times::new(given, edges);
    let guess = |at: Guessed, address: u64, time: Option<usize>| {
        let object = meant(given, address)?;
        let early = matches!((object, time), (Object::Born(number), Some(time)) if times.born[number] > time);
        let known = !early && run.gave(object, time);
        (!known).then_some(Guess { at, object, early })
    };
    let mask = u64::MAX >> (64 - program.types.model().pointer_bits());
    let mut found = Vec::new();
    for (position, input) in given.values.iter().enumerate() {
        if is_from_outside(program, given, input) {
            let time = times.inputs[position];
            found.extend(guess(
                Guessed::Input(position),
                input.value as u64 & mask,
                Some(time),
            ));
        }
    }
    for (at, word) in words(program, &given.memory.environment_contents) {
        found.extend(guess(Guessed::Outside(at), word, None));
    }
    for (var, (_, contents)) in given.memory.variables.iter().enumerate() {
        for (at, word) in words(program, contents) {
            found.extend(guess(Guessed::Global(var, at), word, Some(0)));
        }
    }
    for (call, written) in given.memory.written.iter().enumerate() {
        for (at, word) in words(program, &written.contents) {
            found.extend(guess(Guessed::Written(call, at), word, None));
        }
    }
    found
}

/// The type that a pointer from outside is to lead to although it is not aligned for it: C has no such pointer.
pub(crate) fn misaligned(program: &Program, given: &Given) -> Option<TypeId> {
    let mask = u64::MAX >> (64 - program.types.model().pointer_bits());
    let pointee = |input: &InputValue| {
        let ty = match input.needed {
            Needed::Before(var, _) => program.vars[var].ty,
            Needed::At(edge) => match program.edges[edge].kind {
                EdgeKind::Call {
                    result: Some(place), ..
                }
                | EdgeKind::Havoc { place, .. } => program.place(place).ty,
                _ => return None,
            },
        };
        program.types.pointee(ty)
    };
    let inputs = given.values.iter();
    let mut inputs = inputs.filter(|input| is_from_outside(program, given, input));
    inputs.find_map(|input| {
        let pointee = pointee(input)?;
        let address = input.value as u64 & mask;
        let is_aligned = address.is_multiple_of(program.types.align(pointee).max(1));
        // Where there is no memory nobody sees how it would be cut.
        let environment = &given.memory.environment;
        let leads =
            meant(given, address).is_some() || environment.iter().any(|range| range.contains(&address));
        (leads && !is_aligned).then_some(pointee)
    })
}

/// The contents that have room for one pointer, with what they are then.
fn words<'a>(program: &Program, contents: &'a [Content]) -> impl Iterator<Item = (usize, u64)> + use<'a> {
    let width = (program.types.model().pointer_bits() / 8) as usize;
    let contents = contents.iter().enumerate();
    contents
        .filter(move |(_, content)| content.bytes.len() == width)
        .map(|(at, content)| {
            let mut word = [0; 8];
            word[..content.bytes.len()].copy_from_slice(&content.bytes);
            (at, u64::from_le_bytes(word))
        })
}

/// What a run is given if nothing is guessed: null pointers instead.
pub(crate) fn without(given: &Given, guesses: &[Guess]) -> Given {
    let mut changed = given.clone();
    for guess in guesses {
        let memory = &mut changed.memory;
        let content = match guess.at {
            Guessed::Input(position) => {
                changed.values[position].value = 0;
                continue;
            }
            Guessed::Outside(at) => &mut memory.environment_contents[at],
            Guessed::Global(var, at) => &mut memory.variables[var].1[at],
            Guessed::Written(call, at) => &mut memory.written[call].contents[at],
        };
        content.bytes.fill(0);
    }
    changed
}

impl Guess {
    pub fn describe(&self, program: &Program) -> String {
        match self.object {
            _ if self.early => "the address of memory before that is allocated".to_owned(),
            Object::Variable(var) => format!(
                "a pointer from outside to be the address of `{}`, which nobody gave it",
                program.vars[var].name
            ),
            Object::Born(_) => {
                "a pointer from outside to be the address of memory that nobody gave it".to_owned()
            }
            Object::Function(function) => format!(
                "a pointer from outside to be the address of `{}`, which nobody gave it",
                program.functions[function].name
            ),
        }
    }
}

/// When inputs are asked for and objects come to life, as edges of the run; what is there before the first is at 0.
struct Times {
    inputs: Vec<usize>,
    born: Vec<usize>,
}

impl Times {
    fn new(given: &Given, edges: &[EdgeId]) -> Times {
        let mut times = Times {
            inputs: vec![0; given.values.len()],
            born: vec![0; given.memory.born.len()],
        };
        let mut asked = given.values.iter().enumerate().filter_map(|(at, input)| {
            let Needed::At(edge) = input.needed else {
                return None;
            };
            Some((at, edge))
        });
        let mut alive = given.memory.born.iter().map(|born| born.edge).enumerate();
        let (mut next_input, mut next_born) = (asked.next(), alive.next());
        for (step, &edge) in edges.iter().enumerate() {
            while let Some((at, _)) = next_input.filter(|&(_, wanted)| wanted == edge) {
                times.inputs[at] = step + 1;
                next_input = asked.next();
            }
            if let Some((at, _)) = next_born.filter(|&(_, wanted)| wanted == edge) {
                times.born[at] = step + 1;
                next_born = alive.next();
            }
        }
        times
    }
}

/// The object that an address is in.
fn meant(given: &Given, address: u64) -> Option<Object> {
    let layout = &given.memory.layout;
    let after = layout.partition_point(|placed| placed.address <= address);
    let placed = &layout[after.checked_sub(1)?];
    (address - placed.address < placed.size.max(1)).then_some(placed.object)
}

/// Whether the input is a pointer that something outside of the program chooses.
fn is_from_outside(program: &Program, given: &Given, input: &InputValue) -> bool {
    let is_pointer = |place: PlaceId| program.types.is_pointer(program.place(place).ty);
    match input.needed {
        Needed::Before(var, _) => {
            program.types.is_pointer(program.vars[var].ty) && !given.placed.contains(&var)
        }
        Needed::At(edge) => match &program.edges[edge].kind {
            EdgeKind::Call {
                result: Some(place),
                callee,
                ..
            } => {
                let chooses = match *callee {
                    Callee::Direct(function) => is_stranger(program, function),
                    Callee::Indirect(_) => true,
                };
                chooses && is_pointer(*place)
            }
            EdgeKind::Havoc { place, cause } => *cause != HavocCause::Uninitialised && is_pointer(*place),
            _ => false,
        },
    }
}

/// Whether the function is not the program's, allocates nothing, and is not there to give any value at all.
fn is_stranger(program: &Program, function: FuncId) -> bool {
    let function = &program.functions[function];
    function.body.is_none()
        && !library::is_verifier_input(&function.name)
        && !library::of(&function.name).function.allocates()
}

/// A run that the outside gives pointers to.
struct Run<'a> {
    task: &'a Task<'a>,
    points_to: &'a PointsTo,
    given: &'a Given,
    edges: &'a [EdgeId],
}

impl Run<'_> {
    /// Whether the outside may have got a pointer to the object before the time, or at all.
    fn gave(&self, object: Object, time: Option<usize>) -> bool {
        let (program, points_to) = (self.task.program, self.points_to);
        if program.assumptions.separate {
            return false;
        }
        let kind = match object {
            Object::Variable(var) => Some(ObjectKind::Var(var)),
            Object::Born(number) => Some(ObjectKind::Heap(self.given.memory.born[number].edge)),
            // Which functions the outside knows is not told apart.
            Object::Function(_) => None,
        };
        let escaped = |kind: ObjectKind| {
            let mut found = points_to
                .objects()
                .filter(|&(_, other)| same(program, other, kind));
            found.any(|(object, _)| points_to.has_escaped(object))
        };
        if kind.is_some_and(|kind| !escaped(kind)) {
            return false;
        }
        // What globals hold before the start was theirs to take.
        let Some(before) = time.and_then(|time| time.checked_sub(1)) else {
            return true;
        };
        let mut edges = self.edges.iter().take(before);
        edges.any(|&edge| gives(program, points_to, edge))
    }
}

/// Whether the objects are the same as far as the analysis tells them apart: a block may be known by the call of the function that
/// merely returns it.
fn same(program: &Program, one: ObjectKind, other: ObjectKind) -> bool {
    match (one, other) {
        (ObjectKind::Heap(_), ObjectKind::Heap(edge)) if one != other => {
            let ObjectKind::Heap(call) = one else { return false };
            let EdgeKind::Call {
                callee: Callee::Direct(callee),
                ..
            } = program.edges[call].kind
            else {
                return false;
            };
            program.locs[program.edges[edge].from].function == callee
        }
        _ => one == other,
    }
}

/// Whether the edge may tell the outside an address.
fn gives(program: &Program, points_to: &PointsTo, edge: EdgeId) -> bool {
    let carries = |value: ExprId| !points_to.pointees(program, value).is_empty();
    match &program.edges[edge].kind {
        EdgeKind::Call {
            callee, arguments, ..
        } => {
            let listens = match *callee {
                Callee::Direct(function) => {
                    let data = &program.functions[function];
                    let question =
                        matches!(library::of(&data.name).function.meaning, Some(Meaning::Block(_)));
                    data.body.is_none() && !question
                }
                Callee::Indirect(_) => true,
            };
            listens && arguments.iter().any(|&argument| carries(argument))
        }
        EdgeKind::Assign { place, value } => carries(*value) && writes_outside(program, points_to, *place),
        _ => false,
    }
}

/// Whether the place may be in memory that something outside of the program sees.
fn writes_outside(program: &Program, points_to: &PointsTo, place: PlaceId) -> bool {
    let mut walk = Walk::new();
    walk.add_place(place);
    let mut follows = false;
    while let Some(node) = walk.next(program) {
        if let Node::Place(place) = node {
            follows |= matches!(program.place(place).kind, PlaceKind::Deref(_));
        }
    }
    let addresses = points_to.addresses(program, place);
    let seen =
        |object| points_to.has_escaped(object) || matches!(points_to.object(object), ObjectKind::Input(..));
    addresses.iter().any(|pointee| seen(pointee.object)) || follows && addresses.is_empty()
}

#[cfg(test)]
mod tests;
