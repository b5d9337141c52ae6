//! BenchExec's result files, one for each column: its `table-generator` puts them side by side, a row a program. Rows are the same to it
//! when names and properties are, so that the property is told by the run set and not by the run.

use super::page::escape;
use crate::{Answer, Column, Results, Verdict};

/// Names and texts. `reports` are the names of the cells' reports in the folder above, in the order of the cells.
pub fn files(results: &Results<'_>, reports: &[Option<String>]) -> Vec<(String, String)> {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "-_.".contains(c) => c,
        _ => '_',
    };
    let mut files: Vec<(String, String)> = Vec::new();
    for (column, title) in results.matrix.columns.iter().map(Column::title).enumerate() {
        let name: String = format!("{}.{title}", results.plan.name)
            .chars()
            .map(plain)
            .collect();
        let is_taken = files.iter().any(|(taken, _)| *taken == format!("{name}.xml"));
        let number = if is_taken {
            format!(".{}", column + 1)
        } else {
            String::new()
        };
        files.push((
            format!("{name}{number}.xml"),
            text(results, reports, column, &title),
        ));
    }
    files
}

fn text(results: &Results<'_>, reports: &[Option<String>], column: usize, title: &str) -> String {
    let plan = results.plan;
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.18//EN\" \
         \"https://www.sosy-lab.org/benchexec/result-3.18.dtd\">\n",
    );
    text += &format!(
        "<result benchmarkname=\"{}\" name=\"{}\" block=\"{}\" tool=\"Counterpoint\" version=\"{}\" \
         generator=\"counterpoint campaign\" options=\"\" timelimit=\"{}s\" memlimit=\"{}B\" cpuCores=\"{}\" \
         displayName=\"{}\">\n",
        escape(&plan.name),
        escape(title),
        escape(title),
        escape(results.version),
        plan.limits.time.as_secs_f64(),
        plan.limits.memory,
        plan.limits.cores,
        escape(title),
    );
    text += "  <columns>\n";
    for name in ["status", "cputime", "walltime", "memory"] {
        text += &format!("    <column title=\"{name}\"/>\n");
    }
    text += "  </columns>\n";
    let cells = results.cells().zip(reports);
    for ((cell, answer), report) in cells.filter(|((cell, _), _)| cell.column == column) {
        let Some(answer) = answer else { continue };
        let log = report.as_ref().map_or(String::new(), |report| {
            format!(" logfile=\"../{}\"", escape(report))
        });
        let files: Vec<String> = plan.programs[cell.row]
            .files
            .iter()
            .map(|file| escape(&file.display().to_string()))
            .collect();
        let expected = cell.expected.map_or(String::new(), |expected| {
            format!(" expectedVerdict=\"{expected}\"")
        });
        text += &format!(
            "  <run name=\"{}\" files=\"[{}]\"{log}{expected}>\n",
            escape(&results.matrix.rows[cell.row]),
            files.join(", "),
        );
        for (name, value) in [
            ("status", status(answer)),
            ("category", category(answer, cell.expected).to_owned()),
            ("cputime", format!("{:.3}s", answer.cpu)),
            ("walltime", format!("{:.3}s", answer.wall)),
            ("memory", format!("{}B", answer.memory)),
        ] {
            let hidden = if name == "category" {
                " hidden=\"true\""
            } else {
                ""
            };
            let value = escape(&value);
            text += &format!("    <column title=\"{name}\" value=\"{value}\"{hidden}/>\n");
        }
        text += "  </run>\n";
    }
    text + "</result>\n"
}

/// BenchExec's word for a verdict.
fn status(answer: &Answer) -> String {
    match (answer.verdict, answer.kind.as_str()) {
        (Verdict::True, _) => "true".to_owned(),
        (Verdict::False, _) => "false".to_owned(),
        (Verdict::Unknown, "time") => "TIMEOUT".to_owned(),
        (Verdict::Unknown, "memory") => "OUT OF MEMORY".to_owned(),
        (Verdict::Unknown, kind) => format!("unknown ({kind})"),
        (Verdict::Inapplicable, _) => "nothing to check".to_owned(),
        (Verdict::Error, _) => "ERROR".to_owned(),
    }
}

fn category(answer: &Answer, expected: Option<bool>) -> &'static str {
    match (answer.verdict, expected) {
        (Verdict::True, Some(true)) | (Verdict::False, Some(false)) => "correct",
        (Verdict::True, Some(false)) | (Verdict::False, Some(true)) => "wrong",
        (Verdict::True | Verdict::False, None) => "missing",
        (Verdict::Unknown | Verdict::Inapplicable, _) => "unknown",
        (Verdict::Error, _) => "error",
    }
}
