//! `campaign`: the example as users run it, edits, baselines, kills, and what is wrong with what was asked for.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use expect_test::{Expect, expect};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::Value;
use support::{command, counterpoint, folder};

/// A folder with a copy of the example.
fn example(test: &str) -> PathBuf {
    let folder = folder(test, &[]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/campaign");
    for part in ["", "drivers", "include"] {
        let to = folder.join(part);
        std::fs::create_dir_all(&to).expect("the folder for tests can be written to");
        for entry in std::fs::read_dir(source.join(part)).expect("the example is in the repository") {
            let path = entry.expect("the example can be read").path();
            if path.is_file() {
                let name = path.file_name().expect("files have names");
                std::fs::copy(&path, to.join(name)).expect("the folder for tests can be written to");
            }
        }
    }
    folder
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).expect("the file is there");
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replace(from, to)).expect("the folder for tests can be written to");
}

/// The last line of a dry run.
fn planned(folder: &Path) -> String {
    let printed = counterpoint(folder, &["campaign", "drivers.toml", "--dry-run", "--jobs", "2"]);
    assert_eq!(printed.status, Some(0), "{}", printed.all());
    printed.verdict().to_owned()
}

const TABLE: &str = "\
program            spin-lock  no-sleep-while-locked  double-free
drivers/clock.c    true       true                   -
drivers/disk.c     true       true                   true
drivers/leds.c     -          true                   -
drivers/network.c  true       FALSE                  -
drivers/serial.c   true       true                   true

15 checks: 10 true, 1 false, 4 with nothing to check
violated: drivers/network.c: no-sleep-while-locked: drivers/network.c:11: a function that may block is called while a spin lock is held
";

#[test]
fn after_an_edit_only_its_row_is_checked_and_what_changed_is_said() {
    let folder = example("edit");
    expect!["5 programs, 15 checks: 0 answered, 15 to check, 2 at a time"].assert_eq(&planned(&folder));
    assert!(
        !folder.join("drivers.campaign").exists(),
        "a dry run leaves nothing"
    );

    let first = counterpoint(&folder, &["campaign", "drivers.toml"]);
    assert_eq!(first.output, TABLE, "{}", first.messages);
    assert_eq!(first.status, Some(1), "a violation");
    assert!(first.messages.ends_with("page: drivers.campaign/index.html\n"));
    expect!["5 programs, 15 checks: 15 answered, 0 to check, 2 at a time"].assert_eq(&planned(&folder));

    let again = counterpoint(&folder, &["campaign", "drivers.toml", "--baseline", "last"]);
    assert_eq!(
        again.output,
        format!("{TABLE}\nNothing changed since the last campaign.\n")
    );
    assert_eq!(
        again.messages, "page: drivers.campaign/index.html\n",
        "nothing is checked"
    );
    assert_eq!(again.status, Some(0), "the violation is known");

    let baseline = folder.join("baseline.json");
    std::fs::copy(folder.join("drivers.campaign/results.json"), &baseline).expect("results are there");
    edit(&folder.join("drivers/network.c"), "        msleep(1);\n", "");
    edit(
        &folder.join("drivers/clock.c"),
        "    return now",
        "    spin_unlock(&lock);\n    return now",
    );
    // The estimate comes last, and is not the same on every machine.
    assert!(planned(&folder).starts_with("5 programs, 15 checks: 9 answered, 6 to check, 2 at a time"));

    let arguments = ["campaign", "drivers.toml", "--baseline", "baseline.json"];
    let changed = counterpoint(&folder, &arguments);
    expect![[r#"
        program            spin-lock  no-sleep-while-locked  double-free
        drivers/clock.c    FALSE      true                   -
        drivers/disk.c     true       true                   true
        drivers/leds.c     -          true                   -
        drivers/network.c  true       true                   -
        drivers/serial.c   true       true                   true

        15 checks: 10 true, 1 false, 4 with nothing to check
        violated: drivers/clock.c: spin-lock: drivers/clock.c:16: the spin lock is released although it is not held

        Since the baseline:
          new     drivers/clock.c: spin-lock: false: drivers/clock.c:16: the spin lock is released although it is not held
          fixed   drivers/network.c: no-sleep-while-locked: true (before: false: drivers/network.c:11: a function that may block is called while a spin lock is held)
    "#]].assert_eq(&changed.output);
    assert_eq!(changed.status, Some(1), "a new violation");
}

#[test]
fn what_others_read_is_what_the_table_says() {
    let folder = example("views");
    counterpoint(&folder, &["campaign", "drivers.toml"]);
    let text = |name: &str| {
        let path = folder.join("drivers.campaign").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let results: Value = serde_json::from_str(&text("results.json")).expect("it is JSON");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/campaign.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is in the repository");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = schema
        .iter_errors(&results)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, [""; 0], "{results:#}");
    assert_eq!(results["cells"].as_array().map(Vec::len), Some(15));

    let csv = text("results.csv");
    let violated: Vec<&str> = csv.lines().filter(|line| line.contains(",false,")).collect();
    assert_eq!(violated.len(), 1, "{csv}");
    assert!(
        violated[0].starts_with("drivers/network.c,no-sleep-while-locked,,false,,,drivers/network.c:11,")
    );

    let log: Value = serde_json::from_str(&text("results.sarif")).expect("it is JSON");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("there are results");
    let failed: Vec<&Value> = results.iter().filter(|result| result["kind"] == "fail").collect();
    assert_eq!(failed.len(), 1, "{log:#}");
    assert_eq!(
        failed[0]["properties"]["cell"],
        "drivers/network.c: no-sleep-while-locked"
    );
    assert!(failed[0]["codeFlows"].is_array(), "{log:#}");

    // Each cell of the page opens a report that is there.
    let page = text("index.html");
    let links: Vec<&str> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert_eq!(links.len(), 15, "{page}");
    for link in links {
        assert!(!text(link).is_empty(), "{link}");
    }
    assert!(
        page.contains("✗ FALSE") && page.contains("✓ true"),
        "not by colour alone: {page}"
    );
    assert!(text("benchexec/drivers.spin-lock.xml").contains("<column title=\"status\" value=\"true\"/>"));
}

/// Starts the example as a group of processes of its own, and kills all of it when it has said so many lines.
fn killed_after(folder: &Path, lines: usize) {
    let mut campaign = command(folder, &["campaign", "drivers.toml"]);
    campaign
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut campaign = campaign.spawn().expect("the program can be started");
    let said = BufReader::new(campaign.stderr.take().expect("it is piped"));
    assert_eq!(said.lines().take(lines).count(), lines);
    let group = Pid::from_raw(i32::try_from(campaign.id()).expect("it is a process"));
    killpg(group, Signal::SIGKILL).expect("nobody waited for it yet");
    campaign.wait().expect("it was started");
}

#[test]
fn who_is_killed_goes_on_where_it_was() {
    let folder = example("kill");
    // At once, and then when the violation is found, whatever runs beside it.
    killed_after(&folder, 0);
    killed_after(&folder, 1);
    let known = planned(&folder);
    let known = known.split(": ").nth(1).and_then(|rest| rest.split(' ').next());
    let known: usize = known
        .and_then(|number| number.parse().ok())
        .expect("a dry run tells");
    assert!(known > 0, "what was shown is kept");
    let printed = counterpoint(&folder, &["campaign", "drivers.toml"]);
    assert_eq!(printed.output, TABLE, "{}", printed.messages);
    if known < 15 {
        let left = 15 - known;
        let line = format!("{left} of {left} done ({known} before)");
        assert!(printed.messages.contains(&line), "{line}: {}", printed.messages);
    }
    let running = std::fs::read_dir(folder.join("drivers.campaign/running")).expect("it is there");
    let left: Vec<_> = running
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    assert_eq!(left, ["door"], "nothing is left of those who were killed");
}

/// Runs the example on a small disk that something else fills, and again when there is room. The disk is one of its own
/// namespace; status 77: that is not allowed here.
const FULL_DISK: &str = r#"
    mount -t tmpfs -o size=8m tmpfs "$PWD" 2>/dev/null && cd "$PWD" || exit 77
    cp -r "$2"/* . && : > filler
    # All but so much that the store can be made.
    head -c $((8 << 20)) /dev/zero > filler 2>/dev/null
    truncate -s -$((300 << 10)) filler
    said=$("$1" campaign drivers.toml 2>&1)
    echo "status $?"
    echo "$said" | tail -1 >&2
    rm filler
    "$1" campaign drivers.toml 2>/dev/null
    echo "status $?"
"#;

#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("full", &[]);
    let source = example("full-source");
    let mut command = std::process::Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        FULL_DISK,
        "sh",
    ]);
    command
        .arg(env!("CARGO_BIN_EXE_counterpoint"))
        .arg(source)
        .current_dir(&folder);
    let printed = support::Printed::of(&mut command);
    if printed.status == Some(77) || printed.messages.starts_with("unshare") {
        // Not by a macro: what passing tests print by these is never seen.
        let text = b"skipped: a_full_disk_loses_nothing: no file system can be mounted here\n";
        std::io::stderr().write_all(text).expect("standard error is open");
        return;
    }
    assert!(
        printed.messages.contains("no space is left on the disk"),
        "{}",
        printed.all()
    );
    assert_eq!(
        printed.output,
        format!("status 2\n{TABLE}status 1\n"),
        "{}",
        printed.messages
    );
}

/// Calls `campaign` with something that is wrong.
fn refused(folder: &Path, arguments: &[&str], expected: Expect) {
    let arguments: Vec<&str> = std::iter::once("campaign")
        .chain(arguments.iter().copied())
        .collect();
    let printed = counterpoint(folder, &arguments);
    let messages = printed.messages.replace(&format!("{}/", folder.display()), "");
    expected.assert_eq(&messages);
    assert_eq!(printed.output, "");
    assert_eq!(printed.status, Some(2));
}

#[test]
fn bad_input_is_said_and_nothing_is_lost() {
    let folder = example("bad");
    std::fs::write(folder.join("empty.toml"), "").expect("the folder for tests can be written to");
    refused(
        &folder,
        &["empty.toml"],
        expect![[r#"
        error: empty.toml: the plan names no program
    "#]],
    );
    refused(
        &folder,
        &["nowhere.toml"],
        expect![[r#"
        error: nowhere.toml: no such file or folder
    "#]],
    );
    refused(
        &folder,
        &["drivers/*.c"],
        expect![[r#"
        error: the plan names nothing to check: `checks` takes rules, property files, `assertions`, `overflow` and the like
    "#]],
    );
    refused(
        &folder,
        &["drivers/*.c", "--rule", "spinlock"],
        expect![[r#"
        error: checks: there is no rule and no kind of check `spinlock`; `counterpoint rules` lists the rules, a file is named with its ending
    "#]],
    );
    refused(
        &folder,
        &["drivers/*.c", "--rule", "no.rule"],
        expect![[r#"
        error: no.rule: No such file or directory
    "#]],
    );
    refused(
        &folder,
        &["drivers/*.c", "--check", "assertions", "--", "--fast"],
        expect![[r#"
        error: the arguments `--fast`: unexpected argument '--fast' found
    "#]],
    );
    refused(
        &folder,
        &["drivers.toml", "--check", "overflow"],
        expect![[r#"
        error: programs, checks and arguments are either in the plan or on the command line
    "#]],
    );
    refused(
        &folder,
        &["drivers.toml", "--baseline", "nothing.json"],
        expect![[r#"
        error: nothing.json: no such file
    "#]],
    );
    // Where nobody may write, not even the administrator.
    refused(
        &folder,
        &["drivers.toml", "-o", "/sys/counterpoint"],
        expect![[r#"
        error: /sys/counterpoint: permission denied
    "#]],
    );
    refused(
        &folder,
        &["drivers.toml", "-o", "drivers/leds.c"],
        expect![[r#"
        error: drivers/leds.c: there is a file of that name, and a folder is needed
    "#]],
    );
    let printed = support::Printed::of(
        command(&folder, &["campaign", "drivers.toml", "--on", "slurm"]).env("PATH", folder.join("nowhere")),
    );
    expect![[r#"
        error: there is no `scontrol` here: `--on slurm` is for a machine that submits to a Slurm cluster
    "#]]
    .assert_eq(&printed.messages);
    assert_eq!(printed.status, Some(2));
    // Nothing of all that is in the way of what is right.
    assert_eq!(counterpoint(&folder, &["campaign", "drivers.toml"]).output, TABLE);
}
