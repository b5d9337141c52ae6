//! `counterpoint test`: what it says about a program's blocks, and that its tests compile and reach what they claim.

mod support;

use std::process::Command;

use support::Printed;

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
static int classify(int a, int b) {
    if (a > 10) {
        if (b == a * 2)
            return 1;
        return 2;
    }
    if (a < -10)
        if (a > 5)
            return 3;
    int s = 0;
    for (int i = 0; i < b && i < 5; i++)
        s += a;
    if (s == 21)
        return 4;
    return 0;
}
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    return classify(x, y);
}
";

#[test]
fn every_block_is_covered_or_proved_dead() {
    let folder = support::folder("every_block_is_covered_or_proved_dead", &[("program.c", PROGRAM)]);
    let printed = support::counterpoint(&folder, &["test", "program.c", "-o", "suite"]);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
    assert!(
        printed.output.contains("1 cannot be reached, 0 unknown"),
        "{}",
        printed.output
    );
    let suite = folder.join("suite");
    let report = std::fs::read_to_string(suite.join("report.json")).expect("the report is written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("the report is JSON");
    let goals = report["goals"].as_array().expect("the report has goals");
    let dead: Vec<&str> = goals
        .iter()
        .filter(|goal| goal["state"] == "dead")
        .filter_map(|goal| goal["place"].as_str())
        .collect();
    assert_eq!(dead, ["program.c:10"]);

    // The compiler counts what the tests run: all lines that are claimed, and not the dead one.
    let mut make = Command::new("make");
    make.current_dir(&suite).args(["-s", "run", "CFLAGS=--coverage"]);
    let made = Printed::of(&mut make);
    assert_eq!(made.status, Some(0), "{}", made.all());
    let mut counted = Vec::new();
    for file in std::fs::read_dir(&suite).expect("the suite is a folder") {
        let path = file.expect("the folder can be read").path();
        let name = path.display().to_string();
        if name.ends_with("program.gcda") {
            let mut gcov = Command::new("gcov");
            gcov.current_dir(&suite).args(["-t", &name]);
            counted.push(Printed::of(&mut gcov).output);
        }
    }
    let ran = |line: usize| {
        counted.iter().any(|text| {
            text.lines().any(|counted| {
                let mut parts = counted.split(':');
                let (count, number) = (parts.next(), parts.next());
                number.is_some_and(|number| number.trim() == line.to_string())
                    && count
                        .is_some_and(|count| count.trim().starts_with(|first: char| first.is_ascii_digit()))
            })
        })
    };
    let lines = PROGRAM.lines().count();
    let not_run: Vec<usize> = (1..=lines)
        .filter(|&line| {
            PROGRAM
                .lines()
                .nth(line - 1)
                .is_some_and(|text| text.contains("return "))
        })
        .filter(|&line| !ran(line))
        .collect();
    assert_eq!(not_run, [10]);
}

#[test]
fn what_gcov_counts_is_what_is_claimed() {
    let program = "#include <stdlib.h>
#include <assert.h>
extern int each(int (*)(int), int *);
static int seen, hits;
static int called(int value) {
    if (seen == 5 && value == 9)
        hits++;
    return 0;
}
int main(int argc, char **argv) {
    each(called, &seen);
    if (hits == 2)
        return 1;
    char *p = malloc(8);
    if (!p)
        abort();
    if (argc > 2 && argv[1][0] == 'x') {
        free(p);
        exit(3);
    }
    assert(hits < 3);
    if (hits > 7)
        return 4;
    return 0;
}
";
    let folder = support::folder("what_gcov_counts_is_what_is_claimed", &[("program.c", program)]);
    let arguments = [
        "test",
        "program.c",
        "-o",
        "suite",
        "--goals",
        "branches",
        "--confirm",
    ];
    let printed = support::counterpoint(&folder, &arguments);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
    let said = |text: &str| assert!(printed.output.contains(text), "{}", printed.all());
    said("of 18 branches 17 are covered, 1 cannot be reached, 0 unknown");
    said("gcov: ");
    assert!(!printed.output.contains("but not"), "{}", printed.all());
}

#[test]
fn goals_by_name() {
    let folder = support::folder("goals_by_name", &[("program.c", PROGRAM)]);
    let cases = [
        ("functions:classify", Some(0), "of 1 functions 1 are covered"),
        (
            "lines:10,program.c:15",
            Some(0),
            "of 2 lines 1 are covered, 1 cannot be reached",
        ),
        (
            "functions:nobody",
            Some(2),
            "there is no function `nobody` with a body",
        ),
        ("lines:900", Some(2), "there is no code at line `900`"),
        ("everything", Some(2), "expected blocks, branches"),
    ];
    for (goals, status, expected) in cases {
        let printed = support::counterpoint(&folder, &["test", "program.c", "-o", "suite", "--goals", goals]);
        assert_eq!(printed.status, status, "{goals}: {}", printed.all());
        assert!(printed.all().contains(expected), "{goals}: {}", printed.all());
    }
}

#[test]
fn both_ways_of_searching_are_recorded_and_drawn() {
    let program = "extern int __VERIFIER_nondet_int(void);
int count;
static void after(int n) {
    for (int i = 0; i < n; i++)
        if (n == 3)
            count++;
    goto over;
    count = 7;
over:
    if (n > count)
        n = count;
}
int main(void) {
    int s = 0;
    for (int i = 0; i < 6; i++)
        if (__VERIFIER_nondet_int())
            s += 2;
        else
            s += 4;
    if (s == 13)
        return 1;
    after(2);
    return 0;
}
";
    let folder = support::folder(
        "both_ways_of_searching_are_recorded_and_drawn",
        &[("program.c", program)],
    );
    let arguments = ["test", "program.c", "-o", "suite", "--plot", "plot.svg"];
    let report = || {
        let text = std::fs::read_to_string(folder.join("suite/report.json")).expect("the report is written");
        serde_json::from_str::<serde_json::Value>(&text).expect("the report is JSON")
    };
    let dead = |report: &serde_json::Value| {
        let goals = report["goals"].as_array().expect("the report has goals");
        goals.iter().filter(|goal| goal["state"] == "dead").count()
    };
    let last = |search: &serde_json::Value| {
        let progress = search["progress"].as_array().expect("progress is recorded");
        let numbers: Vec<(u64, u64)> = progress
            .iter()
            .map(|at| (at["backtracks"].as_u64(), at["covered"].as_u64()))
            .map(|(backtracks, covered)| (backtracks.expect("a count"), covered.expect("a count")))
            .collect();
        assert!(
            numbers.is_sorted_by(|a, b| a.0 <= b.0 && a.1 < b.1),
            "{numbers:?}"
        );
        numbers.last().expect("something was reached").1
    };
    let printed = support::counterpoint(&folder, &arguments);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
    let learned = report();
    assert_eq!(dead(&learned), 2, "{learned}");
    let (with, without) = (&learned["search"], &learned["compared"]);
    assert_eq!(
        (&with["learning"], &without["learning"]),
        (&true.into(), &false.into())
    );
    assert_eq!(
        (&with["complete"], &without["complete"]),
        (&true.into(), &true.into())
    );
    assert_eq!(last(with), last(without));
    let backtracks = |search: &serde_json::Value| search["backtracks"].as_u64().expect("a count");
    assert!(backtracks(with) < backtracks(without), "{learned}");
    let plot = std::fs::read_to_string(folder.join("plot.svg")).expect("the plot is written");
    assert!(
        plot.contains("with learning: ") && plot.contains("without learning: "),
        "{plot}"
    );
    assert_eq!(plot.matches("stroke-width").count(), 2, "{plot}");

    let printed = support::counterpoint(&folder, &["test", "program.c", "-o", "suite", "--no-learning"]);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
    let enumerated = report();
    assert_eq!(dead(&enumerated), 0, "{enumerated}");
    assert_eq!(enumerated["search"], *without);
    assert!(
        printed.output.contains("nothing is proved without learning"),
        "{}",
        printed.output
    );
}

#[test]
fn what_nobody_can_give_is_not_claimed() {
    let program = "#include <stdlib.h>
int get(const unsigned char *bytes, unsigned size) {
    if (size > 2 && bytes[2] == 7)
        return 1;
    return 0;
}
int main(void) {
    int x, *p = malloc(4);
    if (!p)
        return 1;
    if (x == 3)
        return 2;
    if (*p == 4)
        return 3;
    return 0;
}
";
    let folder = support::folder("what_nobody_can_give_is_not_claimed", &[("program.c", program)]);
    // Variables and memory without a value are zero when the tests run.
    let printed = support::counterpoint(&folder, &["test", "program.c", "-o", "suite", "--confirm"]);
    assert!(!printed.output.contains("but not"), "{}", printed.all());
    assert!(
        printed.output.contains(" 0 cannot be reached, 2 unknown"),
        "{}",
        printed.output
    );

    // A function is given memory, by a main in a file beside the tests.
    let arguments = ["test", "program.c", "--entry", "get", "-o", "around", "--confirm"];
    let printed = support::counterpoint(&folder, &arguments);
    assert!(!printed.output.contains("but not"), "{}", printed.all());
    assert!(printed.output.contains(" 0 unknown"), "{}", printed.output);
    assert!(folder.join("around/any-get.c").exists());
}
