//! A task of the job, on its node: makes its checks in turn. One that is started again goes on where it was.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::folder::{Folder, Leaving};
use crate::matrix::key_now;
use crate::process::{self, Outcome};
use crate::{Failure, Tool, build_of};

/// Makes the checks of a task; gives how many. From now on the current folder is the campaign's.
pub fn work(folder: &Path, task: usize, tool: &dyn Tool) -> Result<usize, Failure> {
    let folder = Folder(folder.to_owned());
    let job = folder.job()?;
    if build_of(tool)? != job.build {
        return Err(Failure::at(
            tool.installed(),
            "is not the program any more that submitted the job; `campaign cancel`, and submit again",
        ));
    }
    let fail = |error: std::io::Error| Failure::at(&job.base, error);
    std::env::set_current_dir(&job.base).map_err(fail)?;
    let checks = job.tasks.get(task).map_or(&[][..], Vec::as_slice);
    let scratch = tempfile::tempdir().map_err(fail)?;
    let limits = job.limits();
    let mut made = 0;
    for check in checks {
        if folder.has(&check.key) {
            continue;
        }
        folder.begin(&check.key)?;
        let stop = AtomicBool::new(false);
        let outcome = process::check(tool, &check.arguments, &limits, scratch.path(), &stop)?;
        let is_same = key_now(tool, &job.build, &check.arguments) == check.key;
        let leaving = match outcome {
            _ if !is_same => Leaving::Changed,
            Outcome::Answered(answer, documents) => Leaving::Answered(answer, documents),
            // The node is shut down, or somebody cancels the job.
            Outcome::Stopped => break,
        };
        folder.leave(&check.key, &leaving)?;
        made += 1;
    }
    Ok(made)
}
