//! Messages about a Boolean program, like a compiler's: the message, the place, the line, a caret.

use boolean_program::Problem;

pub enum Severity {
    Error,
    Warning,
}

pub fn render(severity: &Severity, file: &str, source: &str, problem: &Problem) -> String {
    let severity = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let Some(position) = problem.position else {
        return format!("{severity}: {}\n --> {file}\n", problem.message);
    };
    let line = source.lines().nth(position.line as usize - 1).unwrap_or("");
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    // A tab stays a tab, so that the caret stands under its character.
    let indent: String = line
        .chars()
        .take(position.column as usize - 1)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    format!(
        "{severity}: {}\n{margin}--> {file}:{position}\n{margin} |\n{number} | {line}\n{margin} | {indent}^\n",
        problem.message
    )
}
