use program::DataModel;
use verdict::{Content, GivenMemory, InputValue, Object, Placed};

use super::*;

const VECTOR: u64 = 0x5000_0000;
const STRINGS: u64 = 0x5000_1000;

/// What is said of a start.
#[derive(Clone, Default)]
struct Said {
    count: Option<i128>,
    vector: Option<u64>,
    environment: Option<u64>,
    /// Words of the vector.
    pointers: Vec<(u64, u64)>,
    bytes: Vec<(u64, &'static [u8])>,
    /// The program's own memory: where, and how much.
    own: Vec<(u64, u64)>,
}

fn read(text: &str, model: DataModel) -> (Program, FuncId) {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    let program = c_frontend::load_text("t.c", text, &options)
        .expect("it is C")
        .program;
    let entry = program.functions.ids().next().expect("there is a function");
    (program, entry)
}

fn started_in(text: &str, model: DataModel, said: &Said) -> Arguments {
    let (program, entry) = read(text, model);
    let width = u64::from(model.pointer_bits() / 8);
    let params = &program.functions[entry].params;
    let value = |position: usize, value: i128| InputValue {
        needed: Needed::Before(params[position], 0),
        value,
    };
    let mut given = Given::default();
    given.values.extend(said.count.map(|count| value(0, count)));
    given
        .values
        .extend(said.vector.map(|at| value(1, i128::from(at))));
    given
        .values
        .extend(said.environment.map(|at| value(2, i128::from(at))));
    let pointers = said.pointers.iter().map(|&(index, to)| Content {
        at: said.vector.expect("there is a vector") + index * width,
        bytes: to.to_le_bytes()[..width as usize].to_vec(),
    });
    let bytes = said.bytes.iter().map(|&(at, bytes)| Content {
        at,
        bytes: bytes.to_vec(),
    });
    given.memory = GivenMemory {
        environment_contents: pointers.chain(bytes).collect(),
        layout: said
            .own
            .iter()
            .map(|&(address, size)| Placed {
                object: Object::Function(entry),
                address,
                size,
            })
            .collect(),
        ..GivenMemory::default()
    };
    arguments(&program, entry, &given)
}

fn started(said: &Said) -> Arguments {
    let main = "int main(int argc, char **argv, char **envp) { return 0; }";
    started_in(main, DataModel::Lp64, said)
}

fn strings(said: &Said) -> Vec<String> {
    let strings = started(said).strings.into_iter();
    strings
        .map(|string| String::from_utf8(string).expect("letters"))
        .collect()
}

fn impossible(said: &Said) -> Option<Impossible> {
    started(said).instead_of
}

/// A vector with these pointers, from the first on.
fn vector(count: i128, pointers: &[u64]) -> Said {
    Said {
        count: Some(count),
        vector: Some(VECTOR),
        pointers: (0..).zip(pointers.iter().copied()).collect(),
        ..Said::default()
    }
}

#[test]
fn where_nothing_is_said() {
    assert_eq!(started(&Said::default()), Arguments::default());
    assert_eq!(strings(&Said::default()), ["program"]);
    let said = Said {
        count: Some(3),
        ..Said::default()
    };
    assert_eq!(strings(&said), ["program", "", ""]);
    assert_eq!(impossible(&said), None);
}

#[test]
fn only_main_is_given_any() {
    let said = vector(3, &[STRINGS]);
    let other = "int other(int argc, char **argv, char **envp) { return 0; }";
    assert_eq!(started_in(other, DataModel::Lp64, &said), Arguments::default());
}

#[test]
fn how_many_there_can_be() {
    for (count, length) in [(0, 0), (1, 1), (65536, 65536)] {
        let said = vector(count, &[]);
        assert_eq!(impossible(&said), None, "{count}");
        assert_eq!(strings(&said).len(), length, "{count}");
    }
    for count in [-1, 65537, i128::from(i32::MIN)] {
        let said = vector(count, &[STRINGS, STRINGS + 9]);
        assert_eq!(impossible(&said), Some(Impossible::Number(count)));
        // Those that are looked at are there.
        assert_eq!(strings(&said).len(), 2);
    }
}

#[test]
fn those_that_are_looked_at_are_there() {
    let looked_at = |index: u64, to: u64| {
        let said = Said {
            vector: Some(VECTOR),
            pointers: vec![(index, to)],
            ..Said::default()
        };
        strings(&said).len()
    };
    assert_eq!(looked_at(0, STRINGS), 1);
    assert_eq!(looked_at(1, STRINGS), 2);
    assert_eq!(looked_at(63, STRINGS), 64);
    assert_eq!(looked_at(64, STRINGS), 1);
    assert_eq!(looked_at(2, 0), 1);
}

#[test]
fn what_they_are() {
    let mut said = vector(3, &[STRINGS, STRINGS + 16, STRINGS + 32]);
    said.bytes = vec![
        (STRINGS, b"ab"),
        // Whatever is in between.
        (STRINGS + 4, b"c\0d"),
        (STRINGS + 16, b"\0e"),
        (STRINGS + 34, b"f"),
    ];
    // A string that goes on without an end is as long as what is known.
    assert_eq!(strings(&said), ["abxxc", "", "xxf"]);
    assert_eq!(impossible(&said), None);
    // Nor is it longer than all strings.
    let mut long = vector(1, &[STRINGS]);
    long.bytes = vec![(STRINGS + LONGEST - 1, b"y")];
    assert_eq!(strings(&long)[0].len() as u64, LONGEST);
    long.bytes = vec![(STRINGS + LONGEST, b"y")];
    assert_eq!(strings(&long), [""]);
}

#[test]
fn null_pointers() {
    let mut none = vector(1, &[]);
    none.vector = Some(0);
    assert_eq!(impossible(&none), Some(Impossible::NoVector));
    assert_eq!(impossible(&vector(1, &[0])), Some(Impossible::Null(0)));
    assert_eq!(impossible(&vector(2, &[STRINGS, 0])), Some(Impossible::Null(1)));
    assert_eq!(impossible(&vector(1, &[STRINGS, 0])), None);
    assert_eq!(
        impossible(&vector(1, &[STRINGS, STRINGS + 9])),
        Some(Impossible::NoEnd)
    );
    assert_eq!(impossible(&vector(1, &[STRINGS, 0, STRINGS + 9])), None);
}

#[test]
fn memory_of_the_programs_own() {
    let own = |own: (u64, u64), said: Said| {
        let own = vec![(0x1000, 8), own];
        impossible(&Said { own, ..said })
    };
    let one = || vector(1, &[STRINGS]);
    for (at, size) in [(STRINGS, 1), (STRINGS, 0), (STRINGS - 3, 4), (VECTOR, 8)] {
        assert_eq!(own((at, size), one()), Some(Impossible::Own), "{at:x}");
    }
    for (at, size) in [
        (STRINGS - 3, 3),
        (STRINGS + 1, 4),
        (VECTOR - 8, 8),
        (VECTOR + 1, 8),
    ] {
        assert_eq!(own((at, size), one()), None, "{at:x}");
    }
    let environment = |at: u64| Said {
        environment: Some(at),
        ..one()
    };
    assert_eq!(own((0x7000, 8), environment(0x7004)), Some(Impossible::Own));
    assert_eq!(own((0x7000, 8), environment(0x7008)), None);
    // A null pointer is in no memory.
    let at_zero = Said {
        own: vec![(0, 8)],
        ..vector(1, &[STRINGS, 0])
    };
    assert_eq!(impossible(&at_zero), None);
}

#[test]
fn memory_of_another_one() {
    let shared = |pointers: &[u64]| impossible(&vector(pointers.len() as i128, pointers));
    assert_eq!(shared(&[STRINGS, STRINGS + 1]), None);
    assert_eq!(shared(&[STRINGS, STRINGS]), Some(Impossible::Shared(1)));
    assert_eq!(
        shared(&[STRINGS, STRINGS + 1, STRINGS]),
        Some(Impossible::Shared(2))
    );
    assert_eq!(shared(&[VECTOR]), Some(Impossible::Shared(0)));
    assert_eq!(shared(&[STRINGS, VECTOR]), Some(Impossible::Shared(1)));
    let environment = |at: u64| Said {
        environment: Some(at),
        ..vector(1, &[STRINGS])
    };
    assert_eq!(impossible(&environment(VECTOR)), Some(Impossible::Shared(0)));
    assert_eq!(impossible(&environment(VECTOR + 8)), None);
    assert_eq!(impossible(&Said::default()), None);
}

#[test]
fn words_of_32_bits() {
    let (program, entry) = read("int main(int argc, char **argv) { return 0; }", DataModel::Ilp32);
    let params = &program.functions[entry].params;
    let value = |position: usize, value: i128| InputValue {
        needed: Needed::Before(params[position], 0),
        value,
    };
    let mut given = Given {
        // Only the lower half of a number is an address.
        values: vec![value(0, 2), value(1, i128::from(VECTOR) | 1 << 40)],
        ..Given::default()
    };
    let words = [STRINGS as u32, STRINGS as u32 + 16, 0].map(u32::to_le_bytes);
    given.memory.environment_contents = vec![
        Content {
            at: VECTOR,
            bytes: words.concat(),
        },
        Content {
            at: STRINGS,
            bytes: b"a\0".to_vec(),
        },
        Content {
            at: STRINGS + 16,
            bytes: b"b\0".to_vec(),
        },
    ];
    let expected = Arguments {
        strings: vec![b"a".to_vec(), b"b".to_vec()],
        instead_of: None,
    };
    assert_eq!(arguments(&program, entry, &given), expected);
}

#[test]
fn a_vector_at_the_end_of_memory() {
    let mut said = vector(3, &[]);
    said.vector = Some(u64::MAX - 7);
    assert_eq!(strings(&said), ["program", "", ""]);
    // A pointer of which a part is not known is not known.
    let mut part = vector(1, &[]);
    part.bytes = vec![(VECTOR, b"\0\0\0\0\0\0\0")];
    assert_eq!(impossible(&part), None);
    part.bytes = vec![(VECTOR, b"\0\0\0\0\0\0\0\0")];
    assert_eq!(impossible(&part), Some(Impossible::Null(0)));
}

#[test]
fn how_it_is_said() {
    let said = [
        (Impossible::Number(-1), "-1 arguments"),
        (Impossible::NoVector, "a null pointer for `argv`"),
        (Impossible::Null(2), "a null pointer for argument 2"),
        (Impossible::NoEnd, "no null pointer behind the arguments"),
        (Impossible::Shared(1), "argument 1 in the memory of another one"),
        (Impossible::Own, "arguments in the program's own memory"),
    ];
    for (impossible, text) in said {
        assert_eq!(impossible.to_string(), text);
    }
}
