//! Counterexamples as C: `--test` writes a file that makes the compiled program fail, `--confirm` compiles and runs it.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Printed, command};

/// A folder for one test, with the program in it.
fn folder(name: &str, text: &str) -> PathBuf {
    support::folder(name, &[("program.c", text)])
}

fn check(folder: &Path, options: &[&str], compiler: &str) -> Printed {
    let mut check = command(folder, &["check", "program.c"]);
    check.args(options).env("CC", compiler).env("TMPDIR", folder);
    Printed::of(&mut check)
}

/// The line before the verdict, which is that there is a violation.
fn before_verdict(printed: &Printed) -> String {
    let lines: Vec<&str> = printed.output.lines().rev().collect();
    assert!(
        lines[0].starts_with("Verification result: FALSE"),
        "{}",
        printed.output
    );
    assert_eq!(printed.status, Some(1));
    lines[1].to_owned()
}

const CONFIRMED: &str = "confirmed by running the compiled program";

/// Inputs of several types, an undefined function and an undefined global.
const INPUTS: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long __VERIFIER_nondet_longlong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int device(int port), never_called(void);
extern struct { int a; short b; } settings;
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    long long l = __VERIFIER_nondet_longlong();
    _Bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(c > 200);
    if (c == 201 && l == -5000000000 && b && device(1) == 3 && device(2) == -4 && settings.b == -7)
        __VERIFIER_error();
    if (c == 5)
        never_called();
    return 0;
}
";

#[test]
fn a_counterexample_is_reproduced_by_the_compiled_program() {
    let folder = folder("reproduced", INPUTS);
    let output = check(&folder, &["--test", "harness.c"], "cc");
    assert_eq!(
        before_verdict(&output),
        "  cc -w -fno-strict-aliasing -fwrapv -std=gnu17 program.c harness.c -lm -o harness && ./harness"
    );
    let run = run_as_said(&folder, &before_verdict(&output));
    assert_eq!(run.output, "counterpoint: error reached\n");
    assert_eq!(run.status, Some(107));
}

/// Runs a command line, as a person would who copies it.
fn run_as_said(folder: &Path, line: &str) -> Printed {
    Printed::of(Command::new("sh").current_dir(folder).args(["-c", line]))
}

#[test]
fn the_command_has_the_options_that_the_program_was_read_with() {
    let text = "#include \"limits of it.h\"\n#include <assert.h>\nextern int nondet(void);\n\
                int main(void) { char c = (char)200; int x = nondet(); assert(x != LIMIT + OFFSET || c < 0); return 0; }\n";
    let files = [
        ("program.c", text),
        ("include files/limits of it.h", "#define LIMIT 40\n"),
    ];
    let folder = support::folder("read-with", &files);
    let options = [
        "-Iinclude files",
        "-DOFFSET=(1 + 1)",
        "-funsigned-char",
        "--test",
        "a test.c",
    ];
    let output = check(&folder, &options, "cc");
    let line = before_verdict(&output);
    assert_eq!(
        line,
        "  cc -w -fno-strict-aliasing -fwrapv -std=gnu17 -funsigned-char '-DOFFSET=(1 + 1)' -I 'include files' program.c \
         'a test.c' -lm -o 'a test' && './a test'"
    );
    assert_eq!(run_as_said(&folder, &line).status, Some(107));
}

#[test]
fn the_command_works_with_sanitizers() {
    let text = "extern int nondet(void);\nint main(void) { int x = nondet(); return x + 1; }\n";
    let folder = folder("sanitized", text);
    let output = check(&folder, &["--check", "overflow", "--test", "harness.c"], "cc");
    assert_eq!(run_as_said(&folder, &before_verdict(&output)).status, Some(107));
}

#[test]
fn confirming_compiles_and_runs_for_both_data_models() {
    let folder = folder("models", INPUTS);
    assert_eq!(before_verdict(&check(&folder, &["--confirm"], "cc")), CONFIRMED);
    let narrow = before_verdict(&check(&folder, &["--confirm", "--32"], "cc"));
    let lacks = "not confirmed: `cc` cannot make 32-bit programs here";
    assert!(narrow == CONFIRMED || narrow.starts_with(lacks), "{narrow}");
    // Nothing is left behind.
    let left = std::fs::read_dir(&folder).expect("the folder is there");
    assert_eq!(left.count(), 1);
}

#[test]
fn options_of_the_front_end_are_the_compilers() {
    let text = "#include \"limit.h\"
        extern int __VERIFIER_nondet_int(void);
        #define CHECK(x) if (x) reach_error()
        void reach_error(void);
        int main(void) { int x = __VERIFIER_nondet_int(); CHECK(x == LIMIT + EXTRA); return 0; }\n";
    let folder = folder("options", text);
    std::fs::create_dir_all(folder.join("headers")).expect("the folder for tests can be written to");
    std::fs::write(folder.join("headers/limit.h"), "#define LIMIT 12\n")
        .expect("the folder for tests can be written to");
    let options = ["--confirm", "-Iheaders", "-DEXTRA=4", "-std=c11"];
    assert_eq!(before_verdict(&check(&folder, &options, "cc")), CONFIRMED);
}

#[test]
fn a_missing_compiler_is_said() {
    let folder = folder("no-compiler", INPUTS);
    assert_eq!(
        before_verdict(&check(&folder, &["--confirm"], "no-such-compiler")),
        "not confirmed: there is no C compiler `no-such-compiler`; install one, or name yours in the variable CC"
    );
}

#[test]
fn a_contradiction_is_said_loudly() {
    let folder = folder("contradiction", INPUTS);
    // A compiler whose programs do nothing.
    let compiler = folder.join("compiler.sh");
    let script =
        "#!/bin/sh\nfor last; do :; done\nprintf '#!/bin/sh\\nexit 0\\n' >\"$last\"\nchmod +x \"$last\"\n";
    std::fs::write(&compiler, script).expect("the folder for tests can be written to");
    let made = Command::new("chmod").arg("+x").arg(&compiler).status();
    assert!(made.expect("chmod is there").success());
    let line = before_verdict(&check(
        &folder,
        &["--confirm"],
        compiler
            .to_str()
            .expect("the folder for tests has a name in Unicode"),
    ));
    assert!(
        line.starts_with("WARNING: THE COMPILED PROGRAM CONTRADICTS THIS VERDICT"),
        "{line}"
    );
}

#[test]
fn without_a_counterexample_nothing_is_written() {
    let program = "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }\n";
    let folder = folder("nothing", program);
    let printed = check(&folder, &["--test", "harness.c"], "cc");
    assert_eq!(printed.status, Some(0));
    assert!(!folder.join("harness.c").exists());
    let expected = "harness.c is not written";
    assert!(printed.messages.contains(expected), "{}", printed.messages);
}

#[test]
fn the_compiled_program_is_started_with_the_arguments_it_needs() {
    let text = "extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc == 3 && argv[1][0] == '-' && argv[1][1] == 'x') reach_error();
    return 0;
}
";
    let folder = folder("arguments", text);
    let output = check(&folder, &["--confirm", "--test", "harness.c"], "cc");
    assert_eq!(before_verdict(&output), CONFIRMED);
    let written = std::fs::read_to_string(folder.join("harness.c")).expect("it was written");
    let said = "-o harness && ./harness -x ''\n";
    assert!(written.contains(said), "{written}");
}

/// As the written file says, by hand; with another input the rule is kept, and the program sees that too.
#[test]
fn a_rule_is_observed_in_the_compiled_program() {
    let text = "typedef struct { int held; } spinlock_t;
extern void spin_lock(spinlock_t *), spin_unlock(spinlock_t *);
extern int __VERIFIER_nondet_int(void);
spinlock_t first, second;
int main(void) {
    int x = __VERIFIER_nondet_int();
    spin_lock(&first);
    spin_lock(&second);
    if (x == 5) spin_unlock(&second);
    spin_unlock(&first);
    spin_unlock(&second);
    return 0;
}
";
    let folder = folder("rule-by-hand", text);
    let output = check(&folder, &["--rule", "spin-lock", "--test", "harness.c"], "cc");
    let said = before_verdict(&output);
    let violating = std::fs::read_to_string(folder.join("harness.c")).expect("it was written");
    assert!(violating.contains(said.trim()), "{violating}");
    let keeping = violating.replace("values[] = {5}", "values[] = {6}");
    assert_ne!(keeping, violating);
    std::fs::write(folder.join("keeping.c"), keeping).expect("the folder for tests can be written to");
    for (file, status) in [("harness.c", 107), ("keeping.c", 0)] {
        let run = run_as_said(&folder, &said.replace("harness.c", file));
        assert_eq!(run.status, Some(status), "{file}");
    }
}

/// The compiler's sanitizers see what is undefined, each kind in both data models.
#[test]
fn undefined_operators_are_noticed_by_sanitizers() {
    let text = |statement: &str| {
        format!(
            "#include <stdlib.h>\nextern int nondet(void);\nint main(void) {{\n    int n = nondet(), m = nondet();\n    {statement}\n}}\n"
        )
    };
    let kinds = [
        ("sum", "overflow", "return n + m;"),
        ("absolute", "overflow", "return abs(n) > 3;"),
        ("quotient", "overflow", "if (m) return n / m;"),
        ("bits", "overflow", "if (n > 0 && m > 0 && m < 20) return n << m;"),
        ("zero", "division", "return n % m;"),
        ("amount", "shift", "return 1u >> n;"),
    ];
    for (name, kind, statement) in kinds {
        let folder = folder(name, &text(statement));
        for model in ["--32", "--64"] {
            let printed = check(&folder, &["--check", kind, "--confirm", model], "cc");
            assert_eq!(
                before_verdict(&printed),
                CONFIRMED,
                "{name} {model}: {}",
                printed.all()
            );
        }
    }
    let folder = folder("unused", &text("(void)(n + m); return 0;"));
    let printed = check(&folder, &["--check", "overflow", "--confirm"], "cc");
    let expected = "not confirmed: a compiler leaves out what nobody uses; it ends without reaching the error (exit status: 0)";
    assert_eq!(before_verdict(&printed), expected);
}
