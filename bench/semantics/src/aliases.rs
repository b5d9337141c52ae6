//! How long it takes to find out what a program's pointers may point to.

use std::path::Path;
use std::time::{Duration, Instant};

use points_to::PointsTo;
use program::DataModel;

#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub functions: usize,
    pub edges: usize,
    pub classes: usize,
    pub time: Duration,
}

/// Analyses a C file from its `main` on, or the reason why it cannot be.
pub fn measure(path: &Path, model: DataModel) -> Result<Measured, String> {
    let options = c_frontend::Options {
        model,
        ..c_frontend::Options::default()
    };
    let input = c_frontend::Input {
        path: path.to_owned(),
        options,
    };
    let loaded = c_frontend::load(&[input])
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<String>())?;
    let program = loaded.program;
    let entries: Vec<_> = program.function_named("main").into_iter().collect();
    if entries.is_empty() {
        return Err(format!("{}: no function `main`", path.display()));
    }
    let start = Instant::now();
    let points_to = PointsTo::new(&program, &entries);
    let time = start.elapsed();
    Ok(Measured {
        functions: program
            .functions
            .iter()
            .filter(|(id, _)| points_to.is_reached(*id))
            .count(),
        edges: program.edges.iter().count(),
        classes: points_to.classes().count(),
        time,
    })
}
