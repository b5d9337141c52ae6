//! A campaign on a real Slurm cluster, which `tests/slurm/cluster.sh` starts on the loopback address. Without Slurm's programs these
//! tests do nothing, and say so.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Printed, command, folder};

/// A cluster that ends with this value.
struct Cluster {
    folder: PathBuf,
}

impl Cluster {
    /// Starts one, if the machine has what it takes. Its folder is a short one: sockets are in it.
    fn start(test: &str) -> Option<Cluster> {
        let programs = ["slurmctld", "slurmd", "munged", "sbatch"];
        let folders = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
        let is_there = |name: &&str| {
            folders
                .split(':')
                .any(|folder| Path::new(folder).join(name).exists())
        };
        if !programs.iter().all(is_there) {
            // Not by a macro: what passing tests print by these is never seen.
            let text = format!("skipped: {test}: Debian's packages slurm-wlm and munge are not installed\n");
            std::io::stderr()
                .write_all(text.as_bytes())
                .expect("standard error is open");
            return None;
        }
        let name = format!("counterpoint-{test}-{}", std::process::id());
        let cluster = Cluster {
            folder: std::env::temp_dir().join(name),
        };
        let started = cluster.script("up", &[]);
        assert_eq!(started.status, Some(0), "{}", started.all());
        Some(cluster)
    }

    fn script(&self, order: &str, arguments: &[&str]) -> Printed {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/slurm/cluster.sh");
        Printed::of(
            Command::new("bash")
                .arg(script)
                .arg(order)
                .arg(&self.folder)
                .args(arguments),
        )
    }

    fn campaign(&self, folder: &Path, arguments: &[&str]) -> Printed {
        let mut command = command(folder, &["campaign"]);
        command
            .args(arguments)
            .env("SLURM_CONF", self.folder.join("slurm.conf"));
        Printed::of(&mut command)
    }

    /// Waits until a task runs on the node.
    fn until_busy(&self, node: &str) {
        let busy = || {
            let mut squeue = Command::new("squeue");
            squeue.args(["--noheader", "--states=RUNNING", "--nodelist", node]);
            !Printed::of(squeue.env("SLURM_CONF", self.folder.join("slurm.conf")))
                .output
                .is_empty()
        };
        while !busy() {}
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.script("down", &[]);
    }
}

/// The answer about this one is that its time is over.
const ENDLESS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
    while (x < n) { x++; y += x * x; }
    if (y == 3 && x > 1000000) reach_error();
    return 0;
}
";
const FAILS: &str =
    "void reach_error(void); int main(int count, char **words) { if (count > 1) reach_error(); return 0; }\n";
const HOLDS: &str =
    "void reach_error(void); int main(void) { int x = 1; if (x > 2) reach_error(); return 0; }\n";
const PLAN: &str = "checks = ['assertions']\n[[programs]]\nfiles = '*.c'\n[limits]\ntime = '4s'\n";

fn programs(test: &str) -> PathBuf {
    let files = [
        ("a.c", ENDLESS),
        ("b.c", FAILS),
        ("c.c", HOLDS),
        ("d.c", "no C\n"),
        ("e.c", HOLDS),
        ("plan.toml", PLAN),
    ];
    folder(test, &files)
}

/// How many submissions are in the shared folder.
fn submissions(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("plan.campaign/slurm")).map_or(0, Iterator::count)
}

#[test]
fn a_cluster_that_loses_a_node_comes_to_the_same_as_one_machine() {
    let Some(cluster) = Cluster::start("lost") else {
        return;
    };
    let folder = programs("lost");
    let here = cluster.campaign(&folder, &["plan.toml", "-o", "here"]);
    assert!(
        here.output
            .contains("5 checks: 2 true, 1 false, 1 unknown, 1 that cannot be checked"),
        "{}",
        here.all()
    );

    let submitted = cluster.campaign(&folder, &["plan.toml", "--on", "slurm", "--detach"]);
    assert!(
        submitted.output.starts_with("submitted 5 checks as job "),
        "{}",
        submitted.all()
    );
    assert_eq!(submitted.status, Some(0));
    let twice = cluster.campaign(&folder, &["plan.toml", "--on", "slurm", "--detach"]);
    assert!(twice.output.starts_with("nothing to submit: "), "{}", twice.all());
    // The first task has the check that takes long, and the first node has the first task.
    cluster.until_busy("n1");
    let killed = cluster.script("kill", &["n1"]);
    assert_eq!(killed.status, Some(0), "{}", killed.all());

    let there = cluster.campaign(&folder, &["plan.toml", "--on", "slurm"]);
    assert_eq!(there.output, here.output, "{}", there.messages);
    assert_eq!(there.status, here.status);
    assert_eq!(submissions(&folder), 0, "nothing is left in the shared folder");
    let collected = cluster.campaign(&folder, &["collect", "plan.toml"]);
    assert_eq!(collected.output, here.output, "{}", collected.messages);
}

#[test]
fn who_does_not_wait_asks_later() {
    let Some(cluster) = Cluster::start("later") else {
        return;
    };
    let folder = programs("later");
    let status = || cluster.campaign(&folder, &["status", "plan.toml"]).output;
    assert_eq!(status(), "0 of 5 answered, 5 left, 0 of them at the cluster\n");
    cluster.campaign(&folder, &["plan.toml", "--on", "slurm", "--detach"]);
    cluster.until_busy("n1");
    let cancelled = cluster.campaign(&folder, &["cancel", "plan.toml"]);
    assert!(
        cancelled.output.starts_with("1 jobs cancelled; "),
        "{}",
        cancelled.all()
    );
    assert_eq!(submissions(&folder), 0);
    assert!(status().ends_with(" left, 0 of them at the cluster\n"));

    let wrong = ["plan.toml", "--on", "slurm", "--slurm-option=--partition=nowhere"];
    let refused = cluster.campaign(&folder, &wrong);
    assert!(
        refused.messages.contains("invalid partition specified: nowhere"),
        "{}",
        refused.all()
    );
    assert_eq!(refused.status, Some(2));

    cluster.campaign(&folder, &["plan.toml", "--on", "slurm", "--detach"]);
    while !status().starts_with("5 of 5 answered") {}
    let collected = cluster.campaign(&folder, &["collect", "plan.toml"]);
    assert!(
        collected
            .output
            .contains("5 checks: 2 true, 1 false, 1 unknown, 1 that cannot be checked"),
        "{}",
        collected.all()
    );
    assert_eq!(collected.status, Some(1), "a violation");
    assert_eq!(submissions(&folder), 0);
}
