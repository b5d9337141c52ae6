//! How `counterpoint check` refines, as `--stats` shows it: how often, and with `--constrain` by which constraints, for programs
//! whose predicates suffice and whose abstraction is still too coarse.

mod support;

use support::{Printed, counterpoint, folder};

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

fn check(name: &str, text: &str, options: &[&str]) -> Printed {
    let folder = folder(name, &[("program.c", text)]);
    let arguments = ["check", "program.c", "--error-function", "error", "--stats"];
    counterpoint(&folder, &[&arguments, options].concat())
}

/// The constraints that were printed.
fn constraints(printed: &Printed) -> Vec<String> {
    printed
        .messages
        .lines()
        .filter(|line| line.starts_with("constrain ") || line.starts_with("enforce "))
        .map(str::to_owned)
        .collect()
}

/// A number of the last line of statistics.
fn total(printed: &Printed, name: &str) -> f64 {
    let line = printed.messages.lines().last().expect("there are statistics");
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
        let options = ["--engine", "slam", "--cube-length", "1", "--constrain", mode];
        check(&format!("{name}-{mode}"), text, &options)
    };
    let printed = coarsely("off");
    assert_eq!(
        printed.verdict(),
        "Verification result: UNKNOWN(no difference found: a spurious trace came back)"
    );
    assert_eq!(total(&printed, "constrain_calls"), 0.0);
    for mode in ["lazy", "early", "eager"] {
        let printed = coarsely(mode);
        assert_eq!(printed.verdict(), "Verification result: TRUE", "{mode}");
        assert_eq!(constraints(&printed), [expected], "{mode}");
        assert_eq!(total(&printed, "constraints"), 1.0);
        assert!(total(&printed, "constrain_calls") >= 1.0);
        assert!(total(&printed, "constrain_series") >= 1.0);
        assert!(total(&printed, "elapsed") >= total(&printed, "constrain"));
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
    let printed = check("by-cubes", TRANSITIVE, &["--engine", "slam"]);
    assert_eq!(printed.verdict(), "Verification result: TRUE");
    assert_eq!(constraints(&printed), [""; 0]);
    let printed = check(
        "by-constraints",
        TRANSITIVE,
        &["--engine", "slam", "--constrain", "eager"],
    );
    assert_eq!(printed.verdict(), "Verification result: TRUE");
    assert_eq!(constraints(&printed).len(), 1);
}

#[test]
fn the_classic_driver_loop_is_proved_within_five_iterations() {
    let text = include_str!("../../../tests/programs/control/driver_loop.c");
    let folder = folder("driver", &[("program.c", text)]);
    let printed = counterpoint(&folder, &["check", "program.c", "--engine", "slam", "--stats"]);
    assert_eq!(printed.verdict(), "Verification result: TRUE");
    let iterations = printed.messages.matches("iteration ").count();
    assert!((1..=5).contains(&iterations), "{iterations} iterations");
}
