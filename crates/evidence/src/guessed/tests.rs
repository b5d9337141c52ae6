use program::{Assumptions, CallGraph, DataModel, VarId};
use semantics::Path;
use verdict::{Born, GivenMemory, Placed, Written};

use super::*;

const TEXT: &str = "
extern int *outside(void); extern int number(void); extern int *__VERIFIER_nondet_pointer(void);
extern void *malloc(unsigned long); extern void give(const void *); extern void tell(int);
extern int *variable; extern int count; int mine, *holder; int *(*through)(void *);
int *make(void) { return malloc(4); }
int *keep(int *p) { return p; }
int main(void) {
    int *p = outside(), *q, n = number();
    p = __VERIFIER_nondet_pointer();
    p = make();
    p = keep(&mine);
    p = through(&mine);
    int *block = malloc(8);
    give(&mine); tell(5);
    __asm__(\"\" : \"=r\"(p)); __asm__(\"\" : \"=r\"(n));
    *outside() = 3;
    *(int **)outside() = &mine;
    *(int **)(unsigned long)number() = &mine;
    give(&holder); holder = &mine;
    int *slot, **own = &slot; *own = &mine;
    return *q + n;
}";

fn load(text: &str, model: DataModel) -> Program {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    let loaded = c_frontend::load_text("t.c", text, &options).expect("it is C");
    let mut program = loaded.program;
    program.assumptions = Assumptions::NONE;
    program
}

fn function(program: &Program, name: &str) -> FuncId {
    program.function_named(name).expect("it is declared")
}

fn variable(program: &Program, name: &str) -> VarId {
    let mut vars = program.vars.iter();
    vars.find(|(_, var)| var.name == name).expect("it is declared").0
}

/// The calls of a function, from this function.
fn calls(program: &Program, from: &str, name: &str) -> Vec<EdgeId> {
    let (from, callee) = (function(program, from), function(program, name));
    let is_call = |(_, edge): &(EdgeId, &program::Edge)| {
        let calls =
            matches!(edge.kind, EdgeKind::Call { callee: Callee::Direct(called), .. } if called == callee);
        calls && program.locs[edge.from].function == from
    };
    let found: Vec<EdgeId> = program.edges.iter().filter(is_call).map(|(id, _)| id).collect();
    assert!(!found.is_empty(), "{name} is called");
    found
}

fn call(program: &Program, name: &str) -> EdgeId {
    calls(program, "main", name)[0]
}

fn edges(program: &Program, is_wanted: impl Fn(&EdgeKind) -> bool) -> Vec<EdgeId> {
    let wanted = program.edges.iter().filter(|(_, edge)| is_wanted(&edge.kind));
    wanted.map(|(id, _)| id).collect()
}

fn indirect(program: &Program) -> EdgeId {
    let is_indirect = |kind: &EdgeKind| {
        matches!(
            kind,
            EdgeKind::Call {
                callee: Callee::Indirect(_),
                ..
            }
        )
    };
    edges(program, is_indirect)[0]
}

fn input(needed: Needed, value: i128) -> InputValue {
    InputValue { needed, value }
}

#[test]
fn objects_that_addresses_are_in() {
    let program = load(TEXT, DataModel::Lp64);
    let (main, make) = (function(&program, "main"), function(&program, "make"));
    let placed = |function: FuncId, address: u64, size: u64| Placed {
        object: Object::Function(function),
        address,
        size,
    };
    let given = Given {
        memory: GivenMemory {
            layout: vec![placed(main, 0x1000, 8), placed(make, 0x2000, 0)],
            ..GivenMemory::default()
        },
        ..Given::default()
    };
    for (address, object) in [
        (0xfff, None),
        (0x1000, Some(main)),
        (0x1007, Some(main)),
        (0x1008, None),
        (0x1fff, None),
        (0x2000, Some(make)),
        (0x2001, None),
    ] {
        assert_eq!(
            meant(&given, address),
            object.map(Object::Function),
            "{address:x}"
        );
    }
}

#[test]
fn who_chooses_a_pointer() {
    let program = load(TEXT, DataModel::Lp64);
    let (global, count) = (variable(&program, "variable"), variable(&program, "count"));
    let mut given = Given::default();
    let chosen = |given: &Given, needed: Needed| is_from_outside(&program, given, &input(needed, 0));
    assert!(chosen(&given, Needed::Before(global, 0)));
    assert!(!chosen(&given, Needed::Before(count, 0)));
    given.placed = vec![global];
    assert!(!chosen(&given, Needed::Before(global, 0)));
    given.placed = vec![count];
    assert!(!chosen(&given, Needed::Before(count, 0)));
    let by_call = |edge: EdgeId| chosen(&given, Needed::At(edge));
    assert!(by_call(call(&program, "outside")));
    assert!(by_call(indirect(&program)));
    for name in [
        "number",
        "__VERIFIER_nondet_pointer",
        "make",
        "keep",
        "malloc",
        "tell",
    ] {
        assert!(!by_call(call(&program, name)), "{name}");
    }
    let is_pointer = |place: PlaceId| program.types.is_pointer(program.place(place).ty);
    let mut seen = 0;
    for (id, edge) in program.edges.iter() {
        match edge.kind {
            EdgeKind::Havoc { place, cause } => {
                // What a variable happens to hold nobody chooses.
                let expected = cause != HavocCause::Uninitialised && is_pointer(place);
                assert_eq!(by_call(id), expected, "{cause:?}");
                seen |= 1 << (2 * u8::from(is_pointer(place)) + u8::from(cause == HavocCause::Uninitialised));
            }
            EdgeKind::Assign { .. } | EdgeKind::Assume { .. } => assert!(!by_call(id)),
            _ => {}
        }
    }
    // By assembly a number and a pointer, and a pointer that nothing was put into.
    assert_eq!(seen & 0b1101, 0b1101, "{seen:b}");
}

#[test]
fn pointers_that_are_not_aligned() {
    let text = TEXT.replace("unsigned long", "__SIZE_TYPE__");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let program = load(&text, model);
        let global = variable(&program, "variable");
        let places = [
            Needed::At(call(&program, "outside")),
            Needed::Before(global, 0),
            Needed::At(indirect(&program)),
        ];
        let high = match model {
            DataModel::Lp64 => 0,
            DataModel::Ilp32 => 1 << 32,
        };
        let at = |needed: Needed, address: i128| Given {
            values: vec![input(needed, address | high)],
            memory: GivenMemory {
                layout: vec![Placed {
                    object: Object::Variable(variable(&program, "mine")),
                    address: 0x2000,
                    size: 4,
                }],
                environment: std::iter::once(0x5000..0x6000).collect(),
                ..GivenMemory::default()
            },
            ..Given::default()
        };
        for needed in places {
            for (address, is_misaligned) in [
                (0x5000, false),
                (0x5001, true),
                (0x5002, true),
                (0x5004, false),
                (0x2003, true),
                (0x2000, false),
                // There is no memory.
                (0x6001, false),
                (0x2005, false),
            ] {
                let found = misaligned(&program, &at(needed, address)).is_some();
                assert_eq!(found, is_misaligned, "{model:?} {needed:?} {address:x}");
            }
        }
        // The program's own.
        let own = Needed::At(call(&program, "malloc"));
        assert_eq!(misaligned(&program, &at(own, 0x5001)), None);
    }
}

/// The guesses of a run that is given `value` where it is needed, and takes these edges; `mine` lies at 0x2000, the block at 0x3000.
fn guessed(program: &Program, given: Given, edges: &[EdgeId]) -> Vec<Guess> {
    let entry = function(program, "main");
    let points_to = PointsTo::new(program, &[entry]);
    let calls = CallGraph::new(program, &points_to);
    let task = Task {
        program,
        calls: &calls,
        entry,
        errors: &[],
        followed: &[],
    };
    let counterexample = Counterexample {
        path: Path {
            entry,
            steps: Vec::new(),
        },
        error: edges[0],
        given: laid(program, given),
        defined: true,
        doubt: None,
        abstract_trace: None,
    };
    guesses(&task, &points_to, &counterexample, edges)
}

fn laid(program: &Program, mut given: Given) -> Given {
    let placed = |object: Object, address: u64, size: u64| Placed {
        object,
        address,
        size,
    };
    given.memory.layout = vec![
        placed(Object::Variable(variable(program, "mine")), 0x2000, 4),
        placed(Object::Born(0), 0x3000, 8),
    ];
    given.memory.born = vec![Born {
        edge: call(program, "malloc"),
        contents: Vec::new(),
    }];
    given
}

#[test]
fn when_an_address_is_known() {
    let program = load(TEXT, DataModel::Lp64);
    let (outside, give, malloc) = (
        call(&program, "outside"),
        call(&program, "give"),
        call(&program, "malloc"),
    );
    let of = |value: i128, edges: &[EdgeId]| {
        let given = Given {
            values: vec![input(Needed::At(outside), value)],
            ..Given::default()
        };
        let found = guessed(&program, given, edges);
        found.iter().map(|guess| guess.early).collect::<Vec<bool>>()
    };
    assert_eq!(of(0x2000, &[outside]), [false]);
    assert_eq!(of(0x2000, &[outside, give]), [false]);
    assert_eq!(of(0x2000, &[give, outside]), [false; 0]);
    assert_eq!(of(0x2004, &[outside]), [false; 0]);
    // A block that is not there yet, one that nobody gave away, and one of which the run says nothing.
    assert_eq!(of(0x3000, &[outside, malloc]), [true]);
    assert_eq!(of(0x3000, &[malloc, outside]), [false]);
    assert_eq!(of(0x3000, &[give, outside]), [false]);
    let before = Given {
        values: vec![input(Needed::Before(variable(&program, "variable"), 0), 0x3000)],
        ..Given::default()
    };
    let early = |edges: &[EdgeId]| guessed(&program, before.clone(), edges)[0].early;
    assert!(early(&[malloc]));
    assert!(!early(&[give]));
}

#[test]
fn addresses_of_32_bits() {
    let program = load(&TEXT.replace("unsigned long", "unsigned"), DataModel::Ilp32);
    let outside = call(&program, "outside");
    let given = Given {
        values: vec![input(Needed::At(outside), 0x2000 | 7 << 32)],
        ..Given::default()
    };
    assert_eq!(guessed(&program, given, &[outside]).len(), 1);
}

/// A run that is given the address in every way that there is.
fn everywhere(program: &Program, bytes: &[u8]) -> Given {
    let content = |at: u64| Content {
        at,
        bytes: bytes.to_vec(),
    };
    let other = Content {
        at: 0,
        bytes: vec![1],
    };
    Given {
        values: vec![
            input(Needed::At(call(program, "number")), 9),
            input(Needed::At(call(program, "outside")), 0x2000),
        ],
        memory: GivenMemory {
            environment_contents: vec![other.clone(), content(0x5000)],
            variables: vec![(variable(program, "variable"), vec![other.clone(), content(8)])],
            written: vec![Written {
                edge: call(program, "give"),
                contents: vec![other, content(0x4000)],
            }],
            ..GivenMemory::default()
        },
        ..Given::default()
    }
}

#[test]
fn what_is_guessed_may_be_null_instead() {
    let mut program = load(TEXT, DataModel::Lp64);
    program.assumptions.separate = true;
    let word = 0x2000_u64.to_le_bytes();
    let given = everywhere(&program, &word);
    let edges = [call(&program, "number"), call(&program, "outside")];
    let found = guessed(&program, given.clone(), &edges);
    let at: Vec<Guessed> = found.iter().map(|guess| guess.at).collect();
    assert_eq!(
        at,
        [
            Guessed::Input(1),
            Guessed::Outside(1),
            Guessed::Global(0, 1),
            Guessed::Written(0, 1)
        ]
    );
    let mut expected = everywhere(&program, &[0; 8]);
    expected.values[1].value = 0;
    assert_eq!(without(&given, &found), expected);
    // Half an address is none.
    let halves = everywhere(&program, &word[..4]);
    assert_eq!(guessed(&program, halves, &edges).len(), 1);
}

#[test]
fn blocks_that_a_function_returns() {
    let program = load(TEXT, DataModel::Lp64);
    let of_make = ObjectKind::Heap(call(&program, "make"));
    let in_make = ObjectKind::Heap(calls(&program, "make", "malloc")[0]);
    let in_main = ObjectKind::Heap(call(&program, "malloc"));
    let through = ObjectKind::Heap(indirect(&program));
    let mine = ObjectKind::Var(variable(&program, "mine"));
    let other = ObjectKind::Var(variable(&program, "count"));
    for (one, two, expected) in [
        (of_make, in_make, true),
        (of_make, of_make, true),
        (of_make, in_main, false),
        (in_main, in_make, false),
        (in_make, of_make, false),
        (through, in_make, false),
        (mine, mine, true),
        (mine, other, false),
        (mine, in_main, false),
    ] {
        assert_eq!(same(&program, one, two), expected, "{one:?} {two:?}");
    }
}

#[test]
fn who_is_told_an_address() {
    let program = load(TEXT, DataModel::Lp64);
    let points_to = PointsTo::new(&program, &[function(&program, "main")]);
    let told = |edge: EdgeId| gives(&program, &points_to, edge);
    assert!(told(call(&program, "give")));
    assert!(told(indirect(&program)));
    for name in ["tell", "keep", "outside", "number", "make"] {
        assert!(!told(call(&program, name)), "{name}");
    }
    let assignments = edges(&program, |kind| matches!(kind, EdgeKind::Assign { .. }));
    let telling: Vec<EdgeId> = assignments.into_iter().filter(|&edge| told(edge)).collect();
    // Addresses, to memory from outside, to nobody knows where, and to a variable that the outside knows.
    assert_eq!(telling.len(), 3, "{telling:?}");
}

#[test]
fn how_guesses_are_told() {
    let program = load(TEXT, DataModel::Lp64);
    let told = |object: Object, early: bool| {
        let guess = Guess {
            at: Guessed::Input(0),
            object,
            early,
        };
        guess.describe(&program)
    };
    let mine = Object::Variable(variable(&program, "mine"));
    let nobody = "a pointer from outside to be the address of";
    assert_eq!(
        told(mine, false),
        format!("{nobody} `mine`, which nobody gave it")
    );
    assert_eq!(
        told(Object::Born(0), false),
        format!("{nobody} memory that nobody gave it")
    );
    assert_eq!(
        told(Object::Function(function(&program, "main")), false),
        format!("{nobody} `main`, which nobody gave it")
    );
    assert_eq!(
        told(Object::Born(0), true),
        "the address of memory before that is allocated"
    );
}
