//! Measures the analysis: `cargo run --release -p points-to --example points_to -- [--32] [--all] [--classes] FILE…`
//! prints,
//! for each file by itself, how long reading and analysing it takes and what comes out. With `--all` every function is
//! an entry, not just `main`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

use c_frontend::{Input, Options};
use points_to::PointsTo;
use program::{Callee, DataModel, EdgeKind};

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let model = if flags.iter().any(|flag| flag == "--32") {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    println!(
        "file\tlines\tread ms\tanalysis ms\tfunctions\tobjects\tblurred\tclasses\tsingle\tlargest\tcalls by pointer\tunresolved"
    );
    for file in files {
        let input = Input {
            path: PathBuf::from(&file),
            options: Options {
                model,
                ..Options::default()
            },
        };
        let start = Instant::now();
        let program = match c_frontend::load(&[input]) {
            Ok(loaded) => loaded.program,
            Err(errors) => {
                println!(
                    "{file}\tnot read: {}",
                    errors.first().map_or(String::new(), |e| e.message.clone())
                );
                continue;
            }
        };
        let read = start.elapsed();
        let entries: Vec<_> = match flags.iter().any(|flag| flag == "--all") {
            true => program.functions.ids().collect(),
            false => program.function_named("main").into_iter().collect(),
        };
        let start = Instant::now();
        let result = PointsTo::new(&program, &entries);
        let analysis = start.elapsed();
        let lines = std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        let reached = program.functions.ids().filter(|&f| result.is_reached(f)).count();
        let blurred = result
            .objects()
            .filter(|&(object, _)| !result.is_structured(object))
            .count();
        let single = result.classes().filter(|(_, class)| class.is_single).count();
        let largest = result
            .classes()
            .map(|(_, class)| class.regions.len())
            .max()
            .unwrap_or(0);
        let pointer_calls: Vec<_> = program
            .edges
            .iter()
            .filter(|(_, edge)| {
                let indirect = matches!(
                    edge.kind,
                    EdgeKind::Call {
                        callee: Callee::Indirect(_),
                        ..
                    }
                );
                indirect && result.is_reached(program.locs[edge.from].function)
            })
            .map(|(id, _)| id)
            .collect();
        let unresolved = pointer_calls
            .iter()
            .filter(|&&edge| result.call_targets(&program, edge).functions.is_empty());
        println!(
            "{file}\t{lines}\t{}\t{}\t{reached}\t{}\t{blurred}\t{}\t{single}\t{largest}\t{}\t{}",
            read.as_millis(),
            analysis.as_millis(),
            result.objects().count(),
            result.classes().count(),
            pointer_calls.len(),
            unresolved.count(),
        );
        if flags.iter().any(|flag| flag == "--classes") {
            for (id, class) in result.classes() {
                if class.variable.is_none() {
                    println!("  {}", result.describe_class(&program, id));
                }
            }
        }
    }
}
