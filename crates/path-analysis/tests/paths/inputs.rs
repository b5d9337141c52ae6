//! Values for the unknowns of feasible paths.

use crate::common::with_analysis;
use path_analysis::{Analysis, Cause, Feasible, Options};
use semantics::FreshCause;

fn inputs(text: &str, outcomes: &[usize]) -> Feasible {
    with_analysis(
        text,
        outcomes,
        |_, _| Options::default(),
        |_, analysis| match analysis {
            Analysis::Feasible(feasible) => feasible,
            other => panic!("the path is feasible, not {other:?}"),
        },
    )
}

fn word(feasible: &Feasible, index: usize) -> i32 {
    feasible.inputs[index]
        .value
        .as_word()
        .expect("the input is a word") as u32 as i32
}

#[test]
fn every_unknown_has_a_value_in_the_order_met() {
    let text = "
        int nondet(void);
        void main(int a) {
            int x = nondet(), y = nondet();
            if (x > 10) {
                if (a == x + y) {
                    if (y == 7) return;
                }
            }
        }";
    let feasible = inputs(text, &[1, 1, 1]);
    let causes: Vec<Cause> = feasible.inputs.iter().map(|input| input.cause).collect();
    assert!(matches!(
        causes[..],
        [
            Cause::Edge(FreshCause::External(_)),
            Cause::Edge(FreshCause::External(_)),
            Cause::Parameter(..)
        ]
    ));
    let (x, y, a) = (word(&feasible, 0), word(&feasible, 1), word(&feasible, 2));
    assert!(
        x > 10 && y == 7 && a == x.wrapping_add(y),
        "x = {x}, y = {y}, a = {a}"
    );
}

#[test]
fn inputs_avoid_undefined_behaviour_where_they_can() {
    let text = "
        void main(int a, int b) {
            if (10 / a != 3) {
                if (b == 1) return;
            }
        }";
    let feasible = inputs(text, &[1, 1]);
    assert!(feasible.defined);
    assert_ne!(word(&feasible, 0), 0);
    let only_undefined = "
        void main(int a) {
            if (a == 0) {
                if (10 / a) return;
            }
        }";
    assert!(!inputs(only_undefined, &[1, 1]).defined);
}

#[test]
fn memory_that_is_read_before_it_is_written_has_contents() {
    let text = "
        void *malloc(unsigned long);
        struct t { int v; };
        struct s { int a; int state; struct t *t; };
        void main(void) {
            struct s *p = malloc(sizeof(struct s));
            p->a = 1;
            if (p->state == 8464) {
                if (p->t->v == 77) return;
            }
        }";
    let feasible = inputs(text, &[1, 1]);
    assert!(feasible.defined);
    let memory = &feasible.given.memory;
    let [born] = &memory.born[..] else {
        panic!("one allocation: {memory:?}");
    };
    let at = |offset: u64| born.contents.iter().find(|content| content.at == offset);
    assert_eq!(
        at(4).map(|content| &content.bytes[..]),
        Some(&8464i32.to_le_bytes()[..])
    );
    let pointer = at(8).expect("the pointer is read");
    let pointer = u64::from_le_bytes(pointer.bytes[..].try_into().expect("a pointer has 8 bytes"));
    let [range] = &memory.environment[..] else {
        panic!("one pointer from nowhere: {memory:?}");
    };
    assert!(range.contains(&pointer), "{pointer:#x} is not in {range:x?}");
    // Nothing says how the memory is divided: it is read byte by byte.
    let contents = &memory.environment_contents;
    let bytes: Vec<u8> = contents
        .iter()
        .flat_map(|content| content.bytes.clone())
        .collect();
    assert_eq!((contents[0].at, &bytes[..]), (pointer, &77i32.to_le_bytes()[..]));
}

#[test]
fn a_pointer_that_must_be_null_has_no_memory() {
    let text = "
        void *malloc(unsigned long);
        struct s { int *t; };
        void main(void) {
            struct s *p = malloc(sizeof(struct s));
            if (p->t == 0) {
                if (*p->t == 77) return;
            }
        }";
    let feasible = inputs(text, &[1, 1]);
    assert!(!feasible.defined);
    assert!(feasible.given.memory.environment.is_empty());
}
