//! `counterpoint campaign`: every program against every rule, answers kept, only what changed checked again.

mod checker;
mod cluster;
mod options;
mod shown;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use campaign::{
    Cell, Estimates, Failure, Matrix, Plan, Progress, Results, Store, Verdict, build_of, local,
    longest_first, read_known,
};

use crate::exit::Status;
use crate::supervise::set_on_interrupt;
use checker::Checker;
pub use options::Options;
use options::{Command, Place, RunOptions};
use shown::Shown;

pub fn run(options: &Options) -> Status {
    let done = Checker::new().and_then(|checker| match &options.command {
        Some(Command::Work { folder, task }) => cluster::work(folder, *task, &checker),
        Some(Command::Status(run)) => with_campaign(run, &checker, |it| it.status()),
        Some(Command::Collect(run)) => {
            let baseline = run.baseline()?;
            with_campaign(run, &checker, |it| it.collect(baseline.as_ref()))
        }
        Some(Command::Cancel(run)) => with_campaign(run, &checker, |it| it.cancel()),
        None => start(&options.run, &checker),
    });
    done.unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        Status::BadInput
    })
}

fn start(options: &RunOptions, checker: &Checker) -> Result<Status, Failure> {
    if options.dry_run {
        return dry_run(&options.plan(checker)?, checker);
    }
    let baseline = options.baseline()?;
    with_campaign(options, checker, |campaign| {
        campaign.forget(&options.again)?;
        match options.on {
            Place::Local => campaign.run_here()?,
            Place::Slurm if options.detach => return campaign.submit(),
            Place::Slurm => campaign.run_on_cluster()?,
        }
        campaign.finish(baseline.as_ref())
    })
}

fn with_campaign(
    options: &RunOptions,
    checker: &Checker,
    work: impl FnOnce(&Campaign<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let from = absolute(".".as_ref())?;
    let plan = options.plan(checker)?;
    let store = Store::open(&plan.store())?;
    let build = store.build(checker)?;
    let matrix = Matrix::new(&plan, checker, &build)?;
    work(&Campaign {
        plan: &plan,
        checker,
        store: &store,
        build: &build,
        matrix: &matrix,
        from: &from,
    })
}

/// Prints the plan and what is answered already.
fn dry_run(plan: &Plan, checker: &Checker) -> Result<Status, Failure> {
    let store = Store::look(&plan.store())?;
    let build = match &store {
        Some(store) => store.build(checker)?,
        None => build_of(checker)?,
    };
    let matrix = Matrix::new(plan, checker, &build)?;
    let keys = matrix.cells.iter().map(|cell| cell.key.as_str());
    let (answers, estimates) = match &store {
        Some(store) => (store.answers(keys)?, Estimates::new(&matrix, store)?),
        None => Default::default(),
    };
    let mut text = String::new();
    let mut seconds = Some(0.0);
    let mut open = 0;
    for cell in &matrix.cells {
        let told = match answers.get(&cell.key) {
            Some(answer) => format!("answered: {}", answer.describe()),
            None => {
                open += 1;
                let time = estimates.of_cell(cell);
                seconds = seconds.zip(time).map(|(sum, time)| sum + time);
                "to check".to_owned()
            }
        };
        text += &format!("{}: {told}\n", matrix.name(cell));
    }
    let jobs = local::at_a_time(&plan.limits);
    text += &format!(
        "{} programs, {} checks: {} answered, {open} to check, {jobs} at a time",
        matrix.rows.len(),
        matrix.cells.len(),
        matrix.cells.len() - open,
    );
    let time = seconds.map(|seconds| std::time::Duration::from_secs_f64(seconds / jobs as f64));
    if let Some(time) = time.filter(|_| open > 0) {
        text += &format!(", about {}", campaign::in_words(time));
    }
    print(&(text + "\n"))?;
    Ok(Status::Done)
}

/// A plan at work.
struct Campaign<'a> {
    plan: &'a Plan,
    checker: &'a Checker,
    store: &'a Store,
    build: &'a str,
    matrix: &'a Matrix,
    /// The folder that the user is in.
    from: &'a Path,
}

impl<'a> Campaign<'a> {
    /// Has answers of these verdicts looked for again.
    fn forget(&self, verdicts: &[Verdict]) -> Result<(), Failure> {
        if verdicts.is_empty() {
            return Ok(());
        }
        let keys = self.matrix.cells.iter().map(|cell| cell.key.as_str());
        let answers = self.store.answers(keys)?;
        let again = answers
            .iter()
            .filter(|(_, answer)| verdicts.contains(&answer.verdict));
        self.store.forget(again.map(|(key, _)| key.as_str()))
    }

    /// The checks without an answer, each key once.
    fn todo(&self) -> Result<Vec<&'a Cell>, Failure> {
        let keys = self.matrix.cells.iter().map(|cell| cell.key.as_str());
        let mut known: std::collections::BTreeSet<String> = self.store.answers(keys)?.into_keys().collect();
        let cells = self.matrix.cells.iter();
        Ok(cells.filter(|cell| known.insert(cell.key.clone())).collect())
    }

    fn run_here(&self) -> Result<(), Failure> {
        let todo = self.todo()?;
        if todo.is_empty() {
            return Ok(());
        }
        let estimates = Estimates::new(self.matrix, self.store)?;
        let todo = longest_first(todo, &estimates);
        let stop = Arc::new(AtomicBool::new(false));
        set_on_interrupt(&stop);
        let work = local::Work {
            matrix: self.matrix,
            limits: &self.plan.limits,
            tool: self.checker,
            build: self.build,
            stop: &stop,
        };
        let before = self.matrix.cells.len() - todo.len();
        let jobs = local::at_a_time(&self.plan.limits);
        let mut progress = Progress::new(&todo, before, jobs, &estimates);
        let mut shown = Shown::new();
        let ended = local::run(&work, todo, self.store, &mut progress, &mut shown)?;
        shown.end(&progress);
        match ended {
            local::Ended::Done { changed: 0 } => {}
            local::Ended::Done { changed } => {
                eprintln!(
                    "{changed} answers were dropped: files changed meanwhile; the same command goes on"
                );
            }
            local::Ended::Stopped => eprintln!("stopped; the same command goes on where it was"),
        }
        Ok(())
    }

    /// Shows and writes what there is.
    fn finish(&self, baseline: Option<&Baseline>) -> Result<Status, Failure> {
        let mut results = Results::new(self.plan, self.matrix, self.build, self.store)?;
        self.compare(&mut results, baseline)?;
        results.write_all(self.store)?;
        let changes = results.changes.as_ref();
        let changed = changes.map_or(String::new(), |changes| format!("\n{changes}"));
        print(&format!("{}{changed}", results.table()))?;
        let page = absolute(&self.plan.results.join("index.html"))?;
        eprintln!(
            "page: {}",
            page.strip_prefix(self.from).unwrap_or(&page).display()
        );
        Ok(
            match (changes.filter(|_| baseline.is_some()), results.is_complete()) {
                (Some(changes), _) if changes.has_new_violations() => Status::Violated,
                (None, _) if results.count(Verdict::False) > 0 => Status::Violated,
                (_, false) => Status::Unknown,
                (Some(_), true) => Status::Done,
                (None, true) if results.count(Verdict::Unknown) + results.count(Verdict::Error) > 0 => {
                    Status::Unknown
                }
                (None, true) => Status::Done,
            },
        )
    }

    /// Compares with the baseline, or else with the last campaign that came to something else; and remembers this one.
    fn compare(&self, results: &mut Results<'_>, baseline: Option<&Baseline>) -> Result<(), Failure> {
        let earlier = self.store.campaigns(&self.plan.name, 2)?;
        let read =
            |text: &String| read_known(text).map_err(|message| Failure::at(&self.plan.store(), message));
        let earlier = earlier.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let is_known = earlier
            .first()
            .is_some_and(|last| last.says_the_same(&results.known()));
        if results.is_complete() && !is_known {
            let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
            self.store.add_campaign(&self.plan.name, &now, &results.json())?;
        }
        match baseline {
            Some(Baseline::File(path)) => {
                let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, error))?;
                let known = read_known(&text).map_err(|message| Failure::at(path, message))?;
                results.compare("the baseline", &known);
            }
            Some(Baseline::Last) | None => {
                let last = earlier.get(usize::from(is_known));
                match last.or(earlier.first().filter(|_| baseline.is_some())) {
                    Some(known) => results.compare("the last campaign", known),
                    None if baseline.is_some() => results.compare("the last campaign", &Default::default()),
                    None => {}
                }
            }
        }
        Ok(())
    }
}

/// What a campaign is compared with.
#[derive(Clone, Debug)]
pub enum Baseline {
    /// The last campaign in the store.
    Last,
    /// Results that were written as JSON.
    File(PathBuf),
}

fn print(text: &str) -> Result<(), Failure> {
    crate::output::write(None, text).map_err(Failure::new)
}

/// A path that stays the same when the current folder changes.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::at(path, error))
}
