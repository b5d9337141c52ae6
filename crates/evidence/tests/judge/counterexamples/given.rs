//! What is given by hand, where engines seldom give it.

use program::{Program, VarId};
use semantics::Path;
use verdict::{
    Born, Content, Counterexample, Given, GivenMemory, InputValue, Needed, Object, Placed, Verdict,
};

use crate::asked::Asked;

/// Whether the run reaches the error; its way is not compared.
fn reaches(text: &str, given: impl Fn(&Program) -> Given) -> bool {
    reaches_in(&Asked::new(text), given)
}

fn reaches_in(asked: &Asked, given: impl Fn(&Program) -> Given) -> bool {
    let error = asked.task().errors[0];
    let counterexample = |steps| Counterexample {
        path: Path {
            entry: asked.woven.entry,
            steps,
        },
        error,
        given: given(asked.program()),
        defined: true,
        doubt: None,
        abstract_trace: None,
    };
    let verdict = Verdict::Unsafe(Box::new(counterexample(Vec::new())));
    let said = asked.said(&asked.judged(&mut asked.semantics(), verdict));
    // A run that reaches it does not do so at once.
    said.contains("the way that is claimed")
}

fn variable(program: &Program, name: &str) -> VarId {
    let mut vars = program.vars.iter().filter(|(_, var)| var.name == name);
    vars.next().expect("there is such a variable").0
}

const LAID: u64 = 0x20_0000;

/// `g` points to so many bytes behind the start of `mine`, an object of four bytes, in the layout.
fn pointing(program: &Program, offset: u64, is_placed: bool) -> Given {
    let (g, mine) = (variable(program, "g"), variable(program, "mine"));
    Given {
        values: vec![InputValue {
            needed: Needed::Before(g, 0),
            value: i128::from(LAID.wrapping_add(offset)),
        }],
        placed: if is_placed { vec![g] } else { Vec::new() },
        memory: GivenMemory {
            layout: vec![Placed {
                object: Object::Variable(mine),
                address: LAID,
                size: 4,
            }],
            ..GivenMemory::default()
        },
    }
}

fn compared_with(pointer: &str) -> String {
    format!(
        "\nextern char *g;\nextern void give(const char *);\nchar mine[4];\nint main(void) {{ char *p = mine; if (g == {pointer}) reach_error(); give(p); }}"
    )
}

#[test]
fn pointers_are_those_of_the_run() {
    let said = |pointer: &str, offset: u64| {
        let asked = Asked::anywhere(&compared_with(pointer));
        reaches_in(&asked, |p| pointing(p, offset, false))
    };
    assert!(said("mine", 0));
    assert!(said("mine + 1", 1));
    assert!(said("mine + 4", 4));
    assert!(!said("mine + 1", 0));
    // Behind the object and in front of it there is nothing to point to: the address stays what it is.
    assert!(said("(char *)0x200005", 5));
    assert!(said("(char *)0x1fffff", u64::MAX));
}

#[test]
fn addresses_of_the_run_stay_what_they_are() {
    let literal = compared_with("(char *)0x200000");
    assert!(reaches(&literal, |program| pointing(program, 0, true)));
    assert!(!reaches(&literal, |program| pointing(program, 0, false)));
}

/// Two objects that one place allocates hold what they are given, in the order in which they come to life.
#[test]
fn objects_from_one_place_are_told_apart() {
    let text = "
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        sum = sum * 10 + *p;
    }
    if (sum == 12) reach_error();
}";
    let holding = |program: &Program, values: &[u8]| {
        let allocates = |(_, edge): &(_, &program::Edge)| match edge.kind {
            program::EdgeKind::Call {
                callee: program::Callee::Direct(function),
                ..
            } => program.functions[function].name == "malloc",
            _ => false,
        };
        let edge = program.edges.iter().find(allocates).expect("it allocates").0;
        let born = values.iter().map(|&value| Born {
            edge,
            contents: vec![Content {
                at: 0,
                bytes: vec![value, 0, 0, 0],
            }],
        });
        Given {
            memory: GivenMemory {
                born: born.collect(),
                ..GivenMemory::default()
            },
            ..Given::default()
        }
    };
    assert!(reaches(text, |program| holding(program, &[1, 2])));
    assert!(!reaches(text, |program| holding(program, &[2, 1])));
    assert!(!reaches(text, |program| holding(program, &[1])));
}

/// The scalars of an undefined global come from single values or from its bytes.
#[test]
fn scalars_of_a_global_in_memory() {
    let text = "
extern struct { char a; int b; } g;
int main(void) { char *p = (char *)&g; if (p[0] == 7 && g.b == 0x01020304) reach_error(); }";
    let holding = |program: &Program, bytes: &[u8]| Given {
        memory: GivenMemory {
            variables: vec![(
                variable(program, "g"),
                vec![
                    Content {
                        at: 0,
                        bytes: vec![7],
                    },
                    Content {
                        at: 4,
                        bytes: bytes.to_vec(),
                    },
                ],
            )],
            ..GivenMemory::default()
        },
        ..Given::default()
    };
    assert!(reaches(text, |program| holding(program, &[4, 3, 2, 1])));
    assert!(!reaches(text, |program| holding(program, &[4, 3, 2])));
    assert!(!reaches(text, |program| holding(program, &[1, 2, 3, 4])));
}
