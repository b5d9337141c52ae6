//! Pointers that functions without a body return. They may lead to memory of their own and to what they were given, but not to an
//! object whose address never left the program: no run has such a pointer, although the number could be.

use points_to::{ObjectKind, PointsTo};
use program::{Callee, EdgeId, EdgeKind};
use verdict::{Counterexample, InputValue, Needed, Object, Task};

/// The call whose result is said to point to an object that nobody gave it.
pub(crate) fn guessed_pointer(task: &Task<'_>, counterexample: &Counterexample) -> Option<EdgeId> {
    let mut met = counterexample
        .given
        .values
        .iter()
        .filter_map(|input| {
            Some((
                call_outside(task, input)?,
                object_at(counterexample, input.value)?,
            ))
        })
        .peekable();
    met.peek()?;
    let points_to = PointsTo::new(task.program, &[task.entry]);
    met.find(|&(_, object)| task.program.assumptions.separate || !has_escaped(&points_to, object))
        .map(|(edge, _)| edge)
}

/// The call of a function of which nothing is known that gives this pointer.
fn call_outside(task: &Task<'_>, input: &InputValue) -> Option<EdgeId> {
    let program = task.program;
    let Needed::At(edge) = input.needed else {
        return None;
    };
    let EdgeKind::Call {
        result: Some(place),
        callee: Callee::Direct(function),
        ..
    } = program.edges[edge].kind
    else {
        return None;
    };
    let is_unknown = library::of(&program.functions[function].name)
        .function
        .is_unknown();
    (is_unknown && program.types.is_pointer(program.place(place).ty)).then_some(edge)
}

/// The object of the program that lies at the address, in the layout that the counterexample was found with.
fn object_at(counterexample: &Counterexample, address: i128) -> Option<ObjectKind> {
    let memory = &counterexample.given.memory;
    let met = memory.layout.iter().find(|placed| {
        let start = i128::from(placed.address);
        (start..start + i128::from(placed.size.max(1))).contains(&address)
    })?;
    match met.object {
        Object::Variable(var) => Some(ObjectKind::Var(var)),
        Object::Born(at) => Some(ObjectKind::Heap(memory.born[at].edge)),
        Object::Function(_) => None,
    }
}

fn has_escaped(points_to: &PointsTo, object: ObjectKind) -> bool {
    let mut objects = points_to.objects();
    objects.any(|(id, kind)| kind == object && points_to.has_escaped(id))
}
