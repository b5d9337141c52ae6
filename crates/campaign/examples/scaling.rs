//! How far a campaign scales: recorded times of checks are dealt to tasks as `--on slurm` deals them, and the start of the tasks on
//! 1 to 1,024 nodes is simulated. Prints a table of the makespan against the ideal, says where the shared folder and whoever
//! collects become the limit, and writes a plot.
//!
//! usage: cargo run -p campaign --example scaling -- SECONDS.txt PLOT.svg
//!
//! `SECONDS.txt` has the wall time of one check a line. What is assumed of the cluster is in [`CLUSTER`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;

use campaign::slurm::{deal, wanted};

struct Cluster {
    /// The most tasks of an array: Slurm's default.
    array: usize,
    /// Tasks that the controller starts in a second.
    starts: f64,
    /// Seconds from the start of a task to its first check.
    begin: f64,
    /// Seconds that a check takes beyond its own time: reading its files once more, keeping its answer.
    keep: f64,
    /// Operations on the shared folder that a check takes: the program and its headers are opened twice, the beginning is noted, the
    /// answer is made, written, synchronised and renamed.
    operations: f64,
    /// Operations that a file server does in a second.
    served: f64,
    /// Seconds that one answer takes to be collected: it is read, and kept durably.
    collect: f64,
}

const CLUSTER: Cluster = Cluster {
    array: 1001,
    starts: 50.0,
    begin: 0.5,
    keep: 0.05,
    operations: 20.0,
    served: 10_000.0,
    collect: 0.01,
};

/// When the last task ends.
fn makespan(tasks: &[f64], nodes: usize) -> f64 {
    let key = |seconds: f64| (seconds * 1e6) as u64;
    // When each node is free.
    let mut free: BinaryHeap<Reverse<u64>> = (0..nodes).map(|_| Reverse(0)).collect();
    let mut started = 0.0_f64;
    let mut last = 0.0_f64;
    for &seconds in tasks {
        let Some(Reverse(at)) = free.pop() else { break };
        started = (started + 1.0 / CLUSTER.starts).max(at as f64 / 1e6);
        let end = started + CLUSTER.begin + seconds;
        last = last.max(end);
        free.push(Reverse(key(end)));
    }
    last
}

/// The times of the tasks, in the order in which they are started.
fn tasks(checks: &[f64], known: &[Option<f64>]) -> Vec<f64> {
    let number = wanted(known).min(CLUSTER.array);
    let seconds = |task: &Vec<usize>| task.iter().map(|&check| checks[check] + CLUSTER.keep).sum();
    deal(known, number).iter().map(seconds).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [times, plot] = arguments.as_slice() else {
        return Err("usage: scaling SECONDS.txt PLOT.svg".into());
    };
    let mut checks = Vec::new();
    for line in std::fs::read_to_string(times)?.lines() {
        checks.push(line.trim().parse::<f64>()?);
    }
    let first = tasks(&checks, &vec![None; checks.len()]);
    let mut sorted = checks.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let known: Vec<Option<f64>> = sorted.iter().copied().map(Some).collect();
    let later = tasks(&sorted, &known);
    let sum: f64 = checks.iter().sum();
    let longest = sorted.first().copied().unwrap_or(0.0);

    let mut text = format!(
        "{} checks, {sum:.0} s together, the longest {longest:.0} s; {} tasks when nothing is known, {} when times are\n\n",
        checks.len(),
        first.len(),
        later.len()
    );
    text += "| nodes | ideal (s) | first run (s) | later runs (s) | later, of the ideal |\n|---|---|---|---|---|\n";
    let mut points = Vec::new();
    for nodes in (0..=10).map(|power| 1_usize << power) {
        // Nothing ends before its longest check does.
        let ideal = (sum / nodes as f64).max(longest);
        let (one, two) = (makespan(&first, nodes), makespan(&later, nodes));
        writeln!(
            text,
            "| {nodes} | {ideal:.0} | {one:.0} | {two:.0} | {:.0} % |",
            100.0 * ideal / two
        )?;
        points.push((nodes as f64, [ideal, one, two]));
    }
    let mean = sum / checks.len() as f64 + CLUSTER.keep;
    writeln!(
        text,
        "\nA node ends a check every {mean:.1} s. The shared folder ({} operations a check, {} a second) is the limit from {:.0} nodes \
         on; whoever collects ({} answers a second), from {:.0} nodes on; the controller ({} starts a second), from {:.0} nodes on.",
        CLUSTER.operations,
        CLUSTER.served,
        mean * CLUSTER.served / CLUSTER.operations,
        1.0 / CLUSTER.collect,
        mean / CLUSTER.collect,
        CLUSTER.starts,
        CLUSTER.starts * (later.iter().sum::<f64>() / later.len() as f64 + CLUSTER.begin),
    )?;
    std::fs::write(plot, drawn(&points))?;
    print(&text)
}

fn print(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    Ok(std::io::Write::write_all(
        &mut std::io::stdout(),
        text.as_bytes(),
    )?)
}

/// Both axes are logarithmic.
fn drawn(points: &[(f64, [f64; 3])]) -> String {
    let (width, height, margin) = (640.0, 420.0, 60.0);
    let most = points
        .iter()
        .flat_map(|(_, values)| values)
        .copied()
        .fold(1.0, f64::max);
    let least = points
        .iter()
        .flat_map(|(_, values)| values)
        .copied()
        .fold(most, f64::min);
    let (low, high) = (least.log10().floor(), most.log10().ceil());
    let x = |nodes: f64| margin + nodes.log2() / 10.0 * (width - 2.0 * margin);
    let y = |seconds: f64| height - margin - (seconds.log10() - low) / (high - low) * (height - 2.0 * margin);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for &(nodes, _) in points {
        let at = x(nodes);
        svg += &format!(
            "<text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{nodes}</text>\n",
            height - margin + 18.0
        );
    }
    for power in low as i32..=high as i32 {
        let (seconds, at) = (10_f64.powi(power), y(10_f64.powi(power)));
        svg += &format!(
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{seconds}</text>\n\
             <line x1=\"{margin}\" x2=\"{:.0}\" y1=\"{at:.0}\" y2=\"{at:.0}\" stroke=\"#ccc\"/>\n",
            margin - 6.0,
            at + 4.0,
            width - margin
        );
    }
    let lines = [
        ("ideal", "#000", "4 4"),
        ("first run", "#d55e00", "none"),
        ("later runs", "#0072b2", "none"),
    ];
    for (which, (name, colour, dashes)) in lines.into_iter().enumerate() {
        let path: Vec<String> = points
            .iter()
            .map(|(nodes, values)| format!("{:.1},{:.1}", x(*nodes), y(values[which])))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>\n",
            path.join(" "),
            width - margin - 90.0,
            margin + 18.0 * which as f64
        );
    }
    svg += &format!(
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">nodes</text>\n<text x=\"12\" y=\"{:.0}\">makespan (s)</text>\n</svg>\n",
        width / 2.0,
        height - 16.0,
        margin - 20.0
    );
    svg
}
