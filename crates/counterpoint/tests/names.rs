//! Names, attributes and properties that do or do not apply: small programs with the answer that C gives. One row a check:
//! the file in `programs-names`, further arguments, the exit status, and texts that the output must contain.

use std::path::Path;
use std::process::Command;

const TRUE: &str = "Verification result: TRUE";
const FALSE: &str = "Verification result: FALSE(unreach-call)";

struct Outcome {
    status: Option<i32>,
    /// Standard output and standard error, with the folder of the programs left out.
    said: String,
}

fn counterpoint(command: &str, arguments: &[&str]) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs-names");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .arg(command)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome {
        status: output.status.code(),
        said: text(&output.stdout) + &text(&output.stderr),
    }
}

/// What is wrong with the answers, one line each.
fn check(command: &str, rows: &[(&str, i32, &[&str])]) {
    let mut wrong = String::new();
    for &(arguments, status, texts) in rows {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let outcome = counterpoint(command, &words);
        let missing: Vec<&&str> = texts
            .iter()
            .filter(|text| !outcome.said.contains(**text))
            .collect();
        if outcome.status != Some(status) || !missing.is_empty() || outcome.said.contains("internal") {
            wrong += &format!(
                "{command} {arguments}: status {:?}, expected {status}; missing {missing:?} in\n{}\n",
                outcome.status, outcome.said
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn assertions_by_any_name() {
    let warning = "warning: `assert` is called without `<assert.h>`";
    check(
        "check",
        &[
            (
                "assert_without_header.c",
                1,
                &[FALSE, "assertion `x < 10`", warning],
            ),
            (
                "assert_declared_only.c",
                1,
                &[FALSE, "assertion `x != 7`", warning],
            ),
            ("assert_without_header_holds.c", 0, &[TRUE, warning]),
            ("assert_failed_bsd.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_failed_mac.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_failed_newlib.c", 1, &[FALSE, "assertion `x != 4`"]),
            ("assert_condition_glibc_name.c", 1, &[FALSE, "assertion `x == 2`"]),
            ("assert_own_definition.c", 0, &[TRUE]),
            ("cprover_assert.c", 1, &[FALSE, "assertion `x is not three`"]),
            ("cprover_assume.c", 0, &[TRUE]),
        ],
    );
    check(
        "run",
        &[
            (
                "assert_without_header.c --input 10",
                1,
                &["assertion failed: x < 10"],
            ),
            ("assert_without_header.c --input 9", 0, &[]),
            ("assert_condition_glibc_name.c", 1, &["assertion failed: x == 2"]),
            (
                "cprover_assert.c --input 3",
                1,
                &["assertion failed: x is not three"],
            ),
        ],
    );
}

#[test]
fn nothing_to_check_is_not_safe() {
    let nothing = "error: there is nothing to check";
    check(
        "check",
        &[
            ("no_property.c", 2, &["no_property.c:1:5", nothing]),
            (
                "no_property.c --error-label ERROR",
                2,
                &["no_property.c:1:5", nothing, "`ERROR`"],
            ),
            ("no_property.c --error-function panic", 2, &[nothing, "`panic`"]),
            ("no_property.c --rule spin-lock", 2, &[nothing, "spin-lock"]),
            (
                "no_property.c --property unreach-call.prp",
                0,
                &["warning: ", TRUE],
            ),
            ("dead_label.c --error-label ERROR", 0, &["warning: ", TRUE]),
            (
                "dead_assert.c",
                0,
                &["never reached: dead_assert.c:5: assertion `x == 2`", TRUE],
            ),
            (
                "uncalled_assert.c",
                0,
                &["never reached: uncalled_assert.c:3: assertion `x == 2`", TRUE],
            ),
            (
                "uncalled_error_function.c --error-function panic",
                0,
                &["warning: ", TRUE],
            ),
            (
                "uncalled_error_function.c --error-function panic --error-function oops",
                2,
                &[nothing, "`oops`"],
            ),
        ],
    );
}

#[test]
fn names_that_are_not_what_they_spell() {
    check(
        "check",
        &[
            ("asm_label_function.c", 1, &[FALSE]),
            ("asm_label_object.c", 1, &[FALSE]),
            ("asm_label_defined.c", 1, &[FALSE]),
            ("asm_label_local_register.c", 1, &[FALSE]),
            ("alias_before_target.c", 1, &[FALSE]),
            ("alias_after_target.c", 1, &[FALSE]),
            ("alias_used_before.c", 1, &[FALSE]),
            ("alias_address.c", 1, &[FALSE]),
            ("alias_error_function.c", 1, &[FALSE]),
            ("alias_other_file_use.c alias_other_file.c", 1, &[FALSE]),
            ("alias_other_file.c alias_other_file_use.c", 1, &[FALSE]),
            ("object_alias.c", 1, &[FALSE]),
            ("object_alias_before.c", 1, &[FALSE]),
            ("object_alias_static.c", 1, &[FALSE]),
            (
                "object_alias_type.c",
                3,
                &["UNKNOWN(`bytes`, an alias of an object of another type at object_alias_type.c:"],
            ),
            (
                "object_alias_other_file.c object_alias_other_file_use.c",
                1,
                &[FALSE],
            ),
            (
                "object_alias_other_file_use.c object_alias_other_file.c",
                3,
                &["UNKNOWN(`other`, an alias of an object"],
            ),
            ("weak_default.c", 1, &[FALSE]),
            (
                "weak_undefined.c",
                3,
                &["UNKNOWN(the address of `maybe`, which is weak and defined nowhere at weak_undefined.c:"],
            ),
            (
                "weak_undefined2.c",
                3,
                &["UNKNOWN(the address of `maybe`, which is weak"],
            ),
            (
                "weak_object.c",
                3,
                &["UNKNOWN(the address of `maybe`, which is weak"],
            ),
            (
                "weak_pointer.c",
                3,
                &["UNKNOWN(the address of `maybe`, which is weak"],
            ),
            ("weakref.c", 1, &[FALSE]),
            (
                "weakref_undefined.c",
                3,
                &["UNKNOWN(the address of `hidden`, which is weak"],
            ),
            (
                "ifunc.c",
                3,
                &["UNKNOWN(a function that is chosen when the program is loaded (ifunc) at ifunc.c:"],
            ),
        ],
    );
}

#[test]
fn layouts_that_are_not_usual() {
    let reversed = "UNKNOWN(an object whose members are stored in the other byte order at storage_order";
    check(
        "check",
        &[
            ("storage_order.c", 3, &[reversed]),
            ("storage_order_pragma.c", 3, &[reversed]),
            ("storage_order_init.c", 3, &[reversed]),
            ("storage_order_elsewhere.c", 0, &[TRUE]),
            ("bitint.c", 1, &[FALSE]),
            ("bitint2.c", 1, &[FALSE]),
            ("bitint3.c", 1, &[FALSE]),
            ("bitint4.c", 1, &[FALSE]),
            ("bitint_array.c", 1, &[FALSE]),
            ("bitint_wide.c", 3, &["at bitint_wide.c:"]),
            ("zero_width.c", 1, &[FALSE]),
            ("zero_width2.c", 1, &[FALSE]),
        ],
    );
    check("run", &[("bitint_array.c", 1, &["`reach_error` was reached"])]);
}

/// A run ends at a division that has no quotient; a float that does not fit an integer may become any integer.
#[test]
fn arithmetic_that_is_undefined() {
    let ends = "a run ends at a null pointer, a division by zero or one that overflows";
    let overflow = "error: overflow of a division";
    let misfit = "warning: floating-point value does not fit the integer type";
    check(
        "check",
        &[
            ("min_div.c", 0, &[TRUE, ends]),
            ("min_div2.c", 0, &[TRUE, ends]),
            ("min_rem.c", 0, &[TRUE, ends]),
            ("float_signed.c", 1, &[FALSE]),
            ("float_unsigned.c", 1, &[FALSE]),
            ("float_unsigned2.c", 1, &[FALSE]),
            (
                "float_unsigned3.c",
                3,
                &["has undefined behaviour: a floating-point value does not fit"],
            ),
        ],
    );
    check(
        "run",
        &[
            ("min_div.c", 1, &[overflow]),
            ("min_rem.c", 1, &[overflow]),
            ("float_unsigned.c", 1, &[misfit, "`reach_error` was reached"]),
            ("float_unsigned2.c", 1, &[misfit, "`reach_error` was reached"]),
        ],
    );
}

/// What once ended in an internal error.
#[test]
fn no_answer_is_internal() {
    check(
        "check",
        &[
            ("argc3.c", 1, &[FALSE, "input argc: 3"]),
            ("argc_argv.c", 1, &[FALSE]),
            ("exit_pointer.c", 0, &[TRUE]),
            ("exit_pointer2.c", 0, &[TRUE]),
            ("builtin_abort.c", 0, &[TRUE]),
            ("builtin_exit.c", 0, &[TRUE]),
            ("self_init.c", 1, &[FALSE]),
            ("self_init2.c", 0, &[TRUE]),
            ("callee_update.c", 0, &[TRUE]),
            ("callee_deep.c", 0, &[TRUE]),
        ],
    );
}

/// Each rule of the library finds three plain bugs and lets three correct programs pass.
#[test]
fn rules_find_bugs() {
    let mut wrong = String::new();
    for rule in property::library() {
        for number in 1..=3 {
            for (kind, answer) in [
                ("bad", format!("FALSE({})", rule.name)),
                ("good", "TRUE".to_owned()),
            ] {
                let file = format!("rules/{}.{kind}{number}.c", rule.name);
                let outcome = counterpoint("check", &["--rule", rule.name, &file]);
                if !outcome.said.contains(&format!("Verification result: {answer}\n")) {
                    wrong += &format!("{file}: expected {answer}\n{}", outcome.said);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The compiled program does what the counterexample says, or it is said why it need not.
#[test]
fn counterexamples_are_confirmed() {
    let confirmed = "confirmed by running the compiled program";
    check(
        "check",
        &[
            ("assert_without_header.c --confirm", 1, &["\nconfirmed by", FALSE]),
            ("assert_failed_bsd.c --confirm", 1, &["\nconfirmed by", FALSE]),
            ("assert_failed_mac.c --confirm", 1, &["\nconfirmed by", FALSE]),
            (
                "assert_condition_glibc_name.c --confirm",
                1,
                &["\nconfirmed by", FALSE],
            ),
            ("cprover_assert.c --confirm", 1, &["\nconfirmed by", FALSE]),
            ("argc3.c --confirm", 1, &[confirmed, "input argc: 3"]),
            (
                "confirm_tiny.c --confirm",
                1,
                &[confirmed, "input confirm_tiny.c:4: 5e-324\n"],
            ),
            (
                "confirm_huge.c --confirm",
                1,
                &[confirmed, "input confirm_huge.c:4: 1e300\n"],
            ),
            ("confirm_long_double.c --confirm", 1, &[confirmed, FALSE]),
            ("confirm_output.c --confirm", 1, &[confirmed, FALSE]),
            (
                "confirm_realloc.c --confirm",
                1,
                &[
                    "not confirmed: the compiled program need not do the same: whether `realloc` moves a block",
                    FALSE,
                ],
            ),
        ],
    );
}
