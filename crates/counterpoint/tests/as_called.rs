//! The command line as people call it: with what they know from compilers and their builds.

mod support;

use support::{counterpoint, folder};

/// What a compiler is told about a program's meaning is followed, said, or refused.
#[test]
fn compilers_options_are_followed_or_refused() {
    let text = "#include <assert.h>\nenum e { A };\nint main(void) { char c = 200; assert(c < 0 && sizeof(enum e) == 4); }\n";
    let database = |compiler: &str| {
        format!("[{{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"{compiler} -O2 -Wall -c a.c\"}}]")
    };
    let folder = folder("compilers", &[("a.c", text)]);
    let verdict = |arguments: &[&str]| {
        let printed = counterpoint(&folder, &[&["check"], arguments].concat());
        (printed.verdict().to_owned(), printed.messages)
    };
    let (safe, unsafe_) = (
        "Verification result: TRUE",
        "Verification result: FALSE(unreach-call)",
    );
    assert_eq!(verdict(&["-O2", "-Wall", "-g", "-std=c11", "a.c"]).0, safe);
    assert_eq!(verdict(&["-funsigned-char", "a.c"]).0, unsafe_);
    assert_eq!(verdict(&["-fshort-enums", "a.c"]).0, unsafe_);
    let (_, message) = verdict(&["-fpack-struct=1", "a.c"]);
    assert_eq!(
        message,
        "error: a.c: `-fpack-struct=1` changes what the program means, which is not followed\n"
    );
    let with = |compiler: &str, flags: &[&str]| {
        std::fs::write(folder.join("compile_commands.json"), database(compiler))
            .expect("the folder can be written to");
        verdict(&[&["-p", "."], flags].concat())
    };
    assert_eq!(with("cc", &[]), (safe.to_owned(), String::new()));
    let (answer, message) = with("arm-none-eabi-gcc -mcpu=cortex-m4", &[]);
    assert_eq!(answer, unsafe_);
    assert_eq!(
        message,
        "note: read for `arm-none-eabi`: ILP32, `char` is unsigned\n"
    );
    let (_, message) = with("avr-gcc", &[]);
    assert!(
        message.contains("programs for `avr` are not read: its `int` has 16 bits"),
        "{message}"
    );
    assert_eq!(with("avr-gcc", &["--32"]).0, safe);
}

#[test]
fn the_version_names_what_answers_depend_on() {
    let printed = counterpoint(&folder("version", &[]), &["--version"]);
    let lines: Vec<&str> = printed.output.lines().collect();
    assert!(lines[0].starts_with("counterpoint "), "{}", printed.output);
    assert!(lines[1].starts_with("solver: Z3 "), "{}", printed.output);
    assert!(lines[2].starts_with("front end: rucc "), "{}", printed.output);
}

#[test]
fn of_many_errors_that_no_run_comes_to_the_first_are_shown() {
    let calls: String = (0..9).map(|_| "  reach_error();\n").collect();
    let text =
        format!("void reach_error(void);\nvoid unused(void) {{\n{calls}}}\nint main(void) {{ return 0; }}\n");
    let folder = folder("unreached", &[("a.c", &text)]);
    let shown = |flags: &[&str]| {
        let printed = counterpoint(&folder, &[&["check", "a.c"], flags].concat());
        printed.output.matches("never reached: ").count()
    };
    assert_eq!(shown(&[]), 4);
    assert_eq!(shown(&["--list-unreached"]), 9);
}
