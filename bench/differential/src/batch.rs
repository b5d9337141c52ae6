//! Programs in batches: those of a batch are compiled together and share data model and conventions; each is asked about with a
//! setting that goes by its number, so that all settings meet all kinds of programs.

use std::path::Path;

use crate::generate::{Program, program};
use crate::judge::{Judgement, Request, Setting, judge};
use crate::limited::Limit;
use crate::question::question;
use crate::truth::{How, truths};

/// Programs that are compiled together.
pub const BATCH: u64 = 20;

const MODELS: [(&str, &str); 2] = [("--64", "-m64"), ("--32", "-m32")];

/// What came of a program.
#[derive(Clone, Debug)]
pub struct Asked {
    pub seed: u64,
    pub setting: Setting,
    /// The call of `check`, to do it again.
    pub call: String,
    /// The text that was checked.
    pub text: String,
    /// `None` if there is no question: a run is undefined or does not end.
    pub judgement: Option<Judgement>,
    pub how: How,
}

/// Asks about the programs of these numbers, at most a batch of them, in a folder that is used for files.
///
/// # Errors
///
/// A message, where the compiler fails or files cannot be written.
pub fn batch(counterpoint: &Path, work: &Path, seeds: &[u64], limit: Limit) -> Result<Vec<Asked>, String> {
    let Some(&first) = seeds.first() else {
        return Ok(Vec::new());
    };
    let turn = first / BATCH;
    let (model, width) = MODELS[usize::from(turn % 3 == 2)];
    let conventions = turn.is_multiple_of(2);
    let programs: Vec<Program> = seeds.iter().map(|&seed| program(seed)).collect();
    let truths = truths(&programs, width, work, conventions)?;
    let mut all = Vec::new();
    for ((&seed, program), truth) in seeds.iter().zip(&programs).zip(&truths) {
        let mut setting = Setting::ALL[(seed % Setting::ALL.len() as u64) as usize];
        setting.conventions = conventions;
        let mut asked = Asked {
            seed,
            setting,
            call: String::new(),
            text: String::new(),
            judgement: None,
            how: truth.how,
        };
        if let Some(question) = question(program, truth, seed, conventions) {
            let file = format!("{seed}.c");
            asked.text = crate::text_to_check(program, &question);
            std::fs::write(work.join(&file), &asked.text).map_err(|error| error.to_string())?;
            let request = Request {
                folder: work,
                file: &file,
                model,
                entry: program.entry,
                setting,
                limit,
            };
            asked.call = request.arguments().join(" ");
            asked.judgement = Some(judge(counterpoint, &request, &question));
            std::fs::remove_file(work.join(&file)).map_err(|error| error.to_string())?;
        }
        all.push(asked);
    }
    Ok(all)
}
