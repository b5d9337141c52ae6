//! A plan laid out: rows are programs, columns are checks in their variants, and each cell has the key of its answer.
//!
//! The key is the digest of all that an answer depends on: the preprocessed program, the text of the property, all arguments
//! with the limits, and the build of the checker. Cells with the same key have the same answer.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

use crate::plan::{Check, Plan, Variant};
use crate::{Failure, Tool};

/// Changes when answers that were stored before must not be used any more.
const KEYS: &str = "counterpoint campaign 1";

#[derive(Clone, Debug)]
pub struct Matrix {
    /// The names of the programs.
    pub rows: Vec<String>,
    pub columns: Vec<Column>,
    /// By row, then by column; not every row has a cell in every column.
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub check: String,
    /// Empty if there is only one.
    pub variant: String,
}

impl Column {
    /// `spin-lock`, or `spin-lock (slam)`
    pub fn title(&self) -> String {
        match self.variant.as_str() {
            "" => self.check.clone(),
            variant => format!("{} ({variant})", self.check),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
    pub key: String,
    /// The arguments of `check`, limits included.
    pub arguments: Vec<String>,
    /// The verdict that a task file tells.
    pub expected: Option<bool>,
}

impl Matrix {
    /// `build` says which build of the checker answers.
    pub fn new(plan: &Plan, tool: &dyn Tool, build: &str) -> Result<Matrix, Failure> {
        let checks = all_checks(plan);
        let columns = checks.iter().flat_map(|check| {
            plan.variants.iter().map(|variant| Column {
                check: check.clone(),
                variant: variant.name.clone(),
            })
        });
        let mut matrix = Matrix {
            rows: plan.programs.iter().map(|program| program.name.clone()).collect(),
            columns: columns.collect(),
            cells: Vec::new(),
        };
        let programs = program_digests(plan, tool);
        let mut properties = BTreeMap::new();
        for (row, program) in plan.programs.iter().enumerate() {
            for (place, name) in checks.iter().enumerate() {
                let asked = program.asked.iter().find(|(check, _)| check.name == *name);
                let common = plan.checks.iter().find(|check| check.name == *name);
                let (check, expected) = match (asked, common) {
                    (Some((check, expected)), _) => (check, *expected),
                    (None, Some(check)) => (check, None),
                    (None, None) => continue,
                };
                let property = properties.entry(&check.arguments).or_insert_with(|| {
                    // What a task asks for may be nothing that can be checked: then its answer says so.
                    let told = tool.property_digest(&check.arguments);
                    told.unwrap_or_else(|failure| failure.to_string())
                });
                for (at, variant) in plan.variants.iter().enumerate() {
                    let arguments = arguments(&program.arguments, check, variant, plan);
                    let program = &programs[row * plan.variants.len() + at];
                    matrix.cells.push(Cell {
                        row,
                        column: place * plan.variants.len() + at,
                        key: key(build, program, property, &arguments),
                        arguments,
                        expected,
                    });
                }
            }
        }
        Ok(matrix)
    }

    pub fn name(&self, cell: &Cell) -> String {
        format!("{}: {}", self.rows[cell.row], self.columns[cell.column].title())
    }

    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        let found = self
            .cells
            .binary_search_by_key(&(row, column), |cell| (cell.row, cell.column));
        found.ok().map(|at| &self.cells[at])
    }
}

fn arguments(program: &[String], check: &Check, variant: &Variant, plan: &Plan) -> Vec<String> {
    let parts = [
        program,
        &check.arguments,
        &variant.arguments,
        &plan.limits.arguments(),
    ];
    parts.concat()
}

/// The names of all checks: those of the plan, then those that tasks ask for, in the order in which they are met.
fn all_checks(plan: &Plan) -> Vec<String> {
    let mut names: Vec<String> = plan.checks.iter().map(|check| check.name.clone()).collect();
    for (check, _) in plan.programs.iter().flat_map(|program| &program.asked) {
        if !names.contains(&check.name) {
            names.push(check.name.clone());
        }
    }
    names
}

/// The digest of each program in each variant, which may say how to read it.
fn program_digests(plan: &Plan, tool: &dyn Tool) -> Vec<String> {
    let programs = plan.programs.iter();
    let readings: Vec<Vec<String>> = programs
        .flat_map(|program| {
            let variants = plan.variants.iter();
            variants.map(|variant| [program.arguments.as_slice(), &variant.arguments].concat())
        })
        .collect();
    let digests = Mutex::new(vec![String::new(); readings.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(arguments) = readings.get(at) else {
                break;
            };
            let digest = tool.program_digest(arguments);
            digests.lock().expect("nobody panics with it")[at] = digest;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    digests.into_inner().expect("nobody panics with it")
}

/// The key of a check as the files are now.
pub fn key_now(tool: &dyn Tool, build: &str, arguments: &[String]) -> String {
    let property = tool.property_digest(arguments);
    let property = property.unwrap_or_else(|failure| failure.to_string());
    key(build, &tool.program_digest(arguments), &property, arguments)
}

fn key(build: &str, program: &str, property: &str, arguments: &[String]) -> String {
    let mut digest = Sha256::new();
    for part in [KEYS, build, program, property] {
        digest.update(part.as_bytes());
        digest.update(b"\0");
    }
    for argument in arguments {
        digest.update(argument.as_bytes());
        digest.update(b"\0");
    }
    hexadecimal(&digest.finalize()[..16])
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
