//! A campaign on a cluster: submitting, waiting, and what can be asked later.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use campaign::slurm::{self, Ended, Follow};
use campaign::{Estimates, Failure, Progress, Tool};

use super::checker::Checker;
use super::shown::Shown;
use super::{Baseline, Campaign, absolute, print};
use crate::exit::Status;
use crate::supervise::set_on_interrupt;

/// Makes the checks of one task.
pub fn work(folder: &Path, task: Option<usize>, checker: &Checker) -> Result<Status, Failure> {
    let told = std::env::var("SLURM_ARRAY_TASK_ID").ok();
    let task = task.or_else(|| told?.parse().ok());
    let task = task.ok_or_else(|| Failure::new("SLURM_ARRAY_TASK_ID does not say which task this is"))?;
    let made = slurm::work(&absolute(folder)?, task, checker)?;
    eprintln!("{made} checks made");
    Ok(Status::Done)
}

impl<'a> Campaign<'a> {
    fn follow(&self) -> Result<Follow<'a>, Failure> {
        let executable = self.checker.installed();
        Follow::new(self.plan, self.matrix, self.store, self.build, executable)
    }

    /// Submits what is to be checked and no job has.
    pub fn submit(&self) -> Result<Status, Failure> {
        let mut follow = self.follow()?;
        follow.clear_all()?;
        follow.collect(&mut |_, _| {})?;
        let todo = self.todo()?;
        let estimates = Estimates::new(self.matrix, self.store)?;
        let (checks, jobs) = follow.submit(&todo, &estimates)?;
        let text = match checks {
            0 => format!(
                "nothing to submit: {} checks are at the cluster already\n",
                todo.len()
            ),
            _ => format!("submitted {checks} checks as job {}\n", jobs.join(", ")),
        };
        print(&text)?;
        Ok(Status::Done)
    }

    pub fn run_on_cluster(&self) -> Result<(), Failure> {
        let todo = self.todo()?;
        if todo.is_empty() {
            return Ok(());
        }
        let stop = Arc::new(AtomicBool::new(false));
        set_on_interrupt(&stop);
        let estimates = Estimates::new(self.matrix, self.store)?;
        let before = self.matrix.cells.len() - todo.len();
        let mut progress = Progress::new(&todo, before, 0, &estimates);
        let mut shown = Shown::new();
        let mut follow = self.follow()?;
        let ended = follow.until_done(&todo, &estimates, &stop, &mut progress, &mut shown)?;
        shown.end(&progress);
        match ended {
            Ended::Done { changed: 0 } => {}
            Ended::Done { changed } => {
                eprintln!(
                    "{changed} answers were dropped: files changed meanwhile; the same command goes on"
                );
            }
            Ended::Stopped => {
                eprintln!(
                    "not waiting any more; the jobs go on: see `campaign status`, `collect` and `cancel`"
                );
            }
        }
        Ok(())
    }

    pub fn status(&self) -> Result<Status, Failure> {
        let mut follow = self.follow()?;
        follow.collect(&mut |_, _| {})?;
        let standing = follow.standing()?;
        let left = self.todo()?.len();
        let all = self.matrix.cells.len();
        let mut text = format!(
            "{} of {all} answered, {left} left, {} of them at the cluster",
            all - left,
            standing.open
        );
        for (at, (state, count)) in standing.states.iter().enumerate() {
            text += if at == 0 { "; tasks: " } else { ", " };
            text += &format!("{count} {state}");
        }
        print(&(text + "\n"))?;
        Ok(Status::Done)
    }

    pub fn collect(&self, baseline: Option<&Baseline>) -> Result<Status, Failure> {
        let mut follow = self.follow()?;
        follow.collect(&mut |_, _| {})?;
        follow.clear_all()?;
        let standing = follow.standing()?;
        let left = self.todo()?.len();
        if left > 0 {
            let others = left.saturating_sub(standing.open);
            eprintln!(
                "{left} checks have no answer yet: {} are at the cluster, {others} are not",
                standing.open
            );
        }
        self.finish(baseline)
    }

    pub fn cancel(&self) -> Result<Status, Failure> {
        let jobs = self.follow()?.cancel()?;
        print(&format!(
            "{jobs} jobs cancelled; {} checks have no answer\n",
            self.todo()?.len()
        ))?;
        Ok(Status::Done)
    }
}
