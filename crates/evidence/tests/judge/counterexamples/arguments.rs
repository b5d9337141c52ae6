//! The arguments of `main`, and the parameters of other entries.

use expect_test::expect;

use super::{Kinds, counterexample};
use crate::asked::Asked;
use crate::claimed::Claimed;

#[test]
fn a_parameter_of_the_entry() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc == 3) reach_error();
}",
        ),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:3
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn an_argument_of_main() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] == 'x' && argv[1][1] == 'y') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

/// Whatever their number, there are enough of them to be looked at.
#[test]
fn arguments_of_main_in_some_number() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'x' && argv[1][3] == 'y') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 2 of Environment: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 3 of allocated memory, which has 2 bytes at t.c:3
            another byte 0 of content 2 of Environment: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn the_name_that_the_program_is_started_by() {
    counterexample(
        &Asked::new(
            "
int main(int argc, char **argv) {
    if (argv[0][0] == 'b') reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 1 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 2 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 3 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 4 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 5 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 6 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 7 of content 0 of Environment: internal: the counterexample does not replay: the program ends with status 0
            without content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
            another byte 0 of content 1 of Environment: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}

#[test]
fn arguments_of_main_on_32_bits() {
    counterexample(
        &Asked::on_32_bits(
            "
int main(int argc, char **argv) {
    if (argc == 4 && argv[2][1] == 'b' && argv[3][0] == 'c' && argv[1] != argv[2]) reach_error();
}",
        ),
        Kinds::All,
        expect![[r#"
            violated at t.c:3
            another input 0: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            without input 1: not-confirmed: the way to the error that was found has undefined behaviour: read of 1 bytes at offset 1 of allocated memory, which has 1 bytes at t.c:3
            another input 1: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            without content 1 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 0 of content 1 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 1 of content 1 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 2 of content 1 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 3 of content 1 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            without content 2 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 0 of content 2 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 1 of content 2 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 2 of content 2 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 3 of content 2 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            without content 3 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 0 of content 3 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            without content 4 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
            another byte 0 of content 4 of Environment: not-confirmed: the way to the error that was found needs a start with a null pointer for argument 1
        "#]],
    );
}

/// Nothing starts a program with less than no arguments.
#[test]
fn a_number_of_arguments_that_there_cannot_be() {
    let asked = Asked::new("\nint main(int argc, char **argv) { if (argc < 0) reach_error(); }");
    let said = Claimed::new(&asked);
    let said = said.judged(said.counterexample.clone());
    let reason = "not-confirmed: the way to the error that was found needs a start with -";
    assert!(said.starts_with(reason), "{said}");
}

/// The parameters of another function that the program starts at are inputs like others.
#[test]
fn parameters_of_another_entry() {
    let property = property::Property {
        entry: "start".to_owned(),
        ..property::Property::default()
    };
    let text = "\nint start(int n, unsigned char c) { if (n == -5 && c == 200) reach_error(); return 0; }";
    counterexample(
        &Asked::with(text, program::DataModel::Lp64, &property),
        Kinds::Inputs,
        expect![[r#"
            violated at t.c:2
            without input 0: internal: the counterexample does not replay: the program ends with status 0
            another input 0: internal: the counterexample does not replay: the program ends with status 0
            without input 1: internal: the counterexample does not replay: the program ends with status 0
            another input 1: internal: the counterexample does not replay: the program ends with status 0
        "#]],
    );
}
