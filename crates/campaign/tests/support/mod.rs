//! A checker for tests: a shell script whose programs say themselves what becomes of them, and what was called is written down.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use campaign::plan::PlanFile;
use campaign::{
    Estimates, Failure, Matrix, Plan, Progress, Results, Store, Tool, Watch, local, longest_first,
};
use sha2::{Digest, Sha256};

/// A program is a piece of this script: it calls `answer`, or ends in some other way.
const SCRIPT: &str = r#"#!/bin/sh
answer() {
    printf '{"verdict": "%s", "engine": "script", %s "x": 0}' "$1" "$3" > "$json"
    exit "$2"
}
holds() { answer true 0; }
fails() { answer false 1 '"violation": {"message": "it fails", "location": {"file": "a.c", "line": 7}, "steps": [{"function": "main"}]},'; }
open() { answer unknown 3 "\"unknown\": {\"kind\": \"$1\", \"reason\": \"for the test\"},"; }
shift
file=$1
echo "$*" | sed 's/ --json.*//' >> "$(dirname "$0")/calls"
while [ $# -gt 0 ]; do
    case "$1" in --json) json=$2 ;; esac
    shift
done
. "$file"
"#;

pub struct Scripted {
    pub folder: tempfile::TempDir,
    script: PathBuf,
}

impl Scripted {
    /// With these programs, which are files with that text.
    pub fn new(programs: &[(&str, &str)]) -> Scripted {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = folder.path().join("checker");
        std::fs::write(&script, SCRIPT).expect("the folder is writable");
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it is our own file");
        let scripted = Scripted { folder, script };
        for (name, text) in programs {
            scripted.write(name, text);
        }
        scripted
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("the folder is writable");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The plan of this text; `FOLDER` stands for the test's own.
    pub fn plan(&self, text: &str) -> Result<Plan, Failure> {
        let text = text.replace("FOLDER", &self.folder.path().display().to_string());
        let file = PlanFile::parse(&text).map_err(Failure::new)?;
        let mut plan = Plan::of(file, "test", self)?;
        for program in &mut plan.programs {
            program.name = self.without_folder(&program.name);
        }
        let results = self.folder.path().join("results");
        Ok(Plan { results, ..plan })
    }

    /// All `.c` files of the folder, each for one rule.
    pub fn usual_plan(&self) -> Plan {
        self.plan("checks = ['spin-lock']\n[[programs]]\nfiles = 'FOLDER/*.c'\n[limits]\njobs = 2\n")
            .expect("the plan is right")
    }

    /// Makes all checks of a plan that have no answer, and gives the table and how the run ended.
    pub fn run(&self, plan: &Plan) -> Result<(String, local::Ended), Failure> {
        let store = Store::open(&plan.store())?;
        let matrix = Matrix::new(plan, self, "build")?;
        let keys = matrix.cells.iter().map(|cell| cell.key.as_str());
        let known = store.answers(keys)?;
        let cells = matrix.cells.iter();
        let todo = cells.filter(|cell| !known.contains_key(&cell.key)).collect();
        let estimates = Estimates::new(&matrix, &store)?;
        let todo = longest_first(todo, &estimates);
        let stop = AtomicBool::new(false);
        let work = local::Work {
            matrix: &matrix,
            limits: &plan.limits,
            tool: self,
            build: "build",
            stop: &stop,
        };
        let mut progress = Progress::new(&todo, known.len(), 2, &estimates);
        let ended = local::run(&work, todo, &store, &mut progress, &mut Nobody)?;
        let results = Results::new(plan, &matrix, "1.0+build", &store)?;
        results.write_all(&store)?;
        Ok((self.without_folder(&results.table()), ended))
    }

    /// The calls of the checker so far, sorted.
    pub fn calls(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("calls")).unwrap_or_default();
        let mut calls: Vec<String> = text.lines().map(|line| self.without_folder(line)).collect();
        calls.sort();
        calls
    }

    pub fn without_folder(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }
}

pub struct Nobody;

impl Watch for Nobody {
    fn answered(&mut self, _: &Progress) {}

    fn tick(&mut self, _: &Progress) {}
}

impl Tool for Scripted {
    fn executable(&self) -> &Path {
        &self.script
    }

    fn installed(&self) -> &Path {
        &self.script
    }

    fn version(&self) -> &str {
        "1.0"
    }

    fn program_digest(&self, arguments: &[String]) -> String {
        let mut digest = Sha256::new();
        for file in arguments.iter().filter(|argument| argument.ends_with(".c")) {
            digest.update(std::fs::read(file).unwrap_or_default());
        }
        digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    fn property_digest(&self, _: &[String]) -> Result<String, Failure> {
        Ok(String::new())
    }

    fn accepts(&self, arguments: &[String]) -> Result<(), Failure> {
        let known = ["overflow", "assertions"];
        match arguments {
            [check, kind] if check == "--check" && !known.contains(&kind.as_str()) => {
                Err(Failure::new(format!("there is no kind {kind}")))
            }
            _ => Ok(()),
        }
    }

    fn targets(&self, _: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, Failure> {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        Ok(vec![
            ("server".to_owned(), files(&["main.c", "net.c"])),
            ("client".to_owned(), files(&["client.c"])),
        ])
    }

    fn nothing_to_check(&self) -> &str {
        "nothing to check"
    }

    fn writes_pages(&self) -> bool {
        false
    }
}
