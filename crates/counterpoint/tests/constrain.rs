//! `counterpoint check --constrain`: programs whose predicates suffice and whose abstraction is still too coarse.

use std::process::{Command, Output};

/// Transitivity of `<`, which no single predicate says.
const TRANSITIVE: &str = "\
extern int any(void);
extern void error(void);
int main(void) {
    int x = any(), y = any(), z = any();
    if (x < y) {
        if (y < z) {
            if (!(x < z))
                error();
        }
    }
    return 0;
}
";

/// The same, where one of the comparisons is known only inside a call.
const RETURNED: &str = "\
extern int any(void);
extern void error(void);
extern void exit(int);
int above(int a) {
    int b = any();
    if (a < b)
        return b;
    exit(1);
}
int main(void) {
    int x = any(), y = any(), z = any();
    if (x < y) {
        z = above(y);
        if (!(x < z))
            error();
    }
    return 0;
}
";

fn check(name: &str, text: &str, options: &[&str]) -> Output {
    let folder = std::env::temp_dir().join(format!("counterpoint-constrain-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    std::fs::write(folder.join("program.c"), text).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .current_dir(&folder)
        .args(["check", "program.c", "--error-function", "error", "--stats"])
        .args(options)
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    output
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

/// The constraints that were printed.
fn constraints(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter(|line| line.starts_with("constrain ") || line.starts_with("enforce "))
        .map(str::to_owned)
        .collect()
}

/// A number of the last line of statistics.
fn total(output: &Output, name: &str) -> f64 {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().last().expect("there are statistics");
    let numbers = line.strip_prefix("total: ").expect("the totals are last");
    let found = numbers
        .split(' ')
        .filter_map(|part| part.split_once('='))
        .find(|(key, _)| *key == name);
    let (_, value) = found.unwrap_or_else(|| panic!("no `{name}` in `{line}`"));
    value.parse().expect("totals are numbers")
}

fn is_stuck_without_and_proved_with(name: &str, text: &str, expected: &str) {
    // Cubes of one literal: what takes two predicates together is lost.
    let coarsely = |mode: &str| {
        let options = ["--cube-length", "1", "--constrain", mode];
        check(&format!("{name}-{mode}"), text, &options)
    };
    let output = coarsely("off");
    assert_eq!(
        verdict(&output),
        "Verification result: UNKNOWN(no difference found: a spurious trace came back)"
    );
    assert_eq!(total(&output, "constrain_calls"), 0.0);
    for mode in ["lazy", "early", "eager"] {
        let output = coarsely(mode);
        assert_eq!(verdict(&output), "Verification result: TRUE", "{mode}");
        assert_eq!(constraints(&output), [expected], "{mode}");
        assert_eq!(total(&output, "constraints"), 1.0);
        assert!(total(&output, "constrain_calls") >= 1.0);
        assert!(total(&output, "constrain_series") >= 1.0);
        assert!(total(&output, "elapsed") >= total(&output, "constrain"));
    }
}

#[test]
fn transitivity_is_recovered_by_a_constraint_on_what_it_needs() {
    is_stuck_without_and_proved_with(
        "transitive",
        TRANSITIVE,
        "constrain program.c:7, where !(x < z): !(main::y < main::z && main::x < main::y)",
    );
}

#[test]
fn what_a_call_returns_is_combined_with_what_the_caller_knew() {
    is_stuck_without_and_proved_with(
        "returned",
        RETURNED,
        "constrain program.c:13, after above: \
         !(returned(above::a < above::return) && main::x < main::y && !(main::x < main::z)')",
    );
}

#[test]
fn eagerly_constraints_do_the_work_of_the_abstraction() {
    let output = check("by-cubes", TRANSITIVE, &[]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    assert_eq!(constraints(&output), [""; 0]);
    let output = check("by-constraints", TRANSITIVE, &["--constrain", "eager"]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    assert_eq!(constraints(&output).len(), 1);
}

#[test]
fn where_a_call_through_a_pointer_leads_is_refined() {
    let text = "\
extern void error(void);
static int calls;
static void count(void) { calls++; }
static void run(void (*action)(void)) { action(); }
int main(void) {
    run(count);
    if (calls != 1)
        error();
    return 0;
}
";
    let output = check("pointer", text, &["--constrain", "eager"]);
    assert_eq!(verdict(&output), "Verification result: TRUE");
    let expected = "program.c:4, call of another function:";
    assert!(
        constraints(&output).iter().any(|line| line.contains(expected)),
        "{:?}",
        constraints(&output)
    );
}
