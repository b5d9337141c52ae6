//! The page: the matrix with a word and a colour in each cell, which opens its report; what changed; filters. One file that
//! needs nothing else but the reports beside it.

use crate::{Answer, Results, Verdict};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// `reports` are the names of the cells' reports, in the order of the cells.
pub fn page(results: &Results<'_>, reports: &[Option<String>]) -> String {
    let name = escape(&results.plan.name);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}: campaign</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    html += &summary(results);
    html += &changes(results);
    html += FILTERS;
    html += &matrix(results, reports);
    html += &format!("<p class=\"tool\">counterpoint {}</p>\n", escape(results.version));
    html + &format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

const FILTERS: &str = "<form class=\"filters\" role=\"search\">\n\
    <label>Program <input type=\"search\" id=\"program\" placeholder=\"part of its name\"></label>\n\
    <label>Check <input type=\"search\" id=\"check\" placeholder=\"part of its name\"></label>\n\
    <label>Rows with <select id=\"verdict\"><option value=\"\">anything</option><option value=\"false\">a violation</option>\
    <option value=\"unknown\">an unknown</option><option value=\"error\">an error</option>\
    <option value=\"changed\">a change</option></select></label>\n\
    <output id=\"shown\"></output>\n</form>\n";

fn summary(results: &Results<'_>) -> String {
    let mut html = "<ul class=\"totals\">\n".to_owned();
    for verdict in Verdict::ALL {
        let count = results.count(verdict);
        if count > 0 {
            let (class, text) = (verdict.name(), label(verdict));
            html += &format!("<li class=\"{class}\"><b>{count}</b> {text}</li>\n");
        }
    }
    html + "</ul>\n"
}

/// A sign and a word: whoever does not see the colour misses nothing.
fn label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::True => "✓ true",
        Verdict::False => "✗ FALSE",
        Verdict::Unknown => "? unknown",
        Verdict::Inapplicable => "– nothing to check",
        Verdict::Error => "! error",
    }
}

fn changes(results: &Results<'_>) -> String {
    let Some(changes) = &results.changes else {
        return String::new();
    };
    let mut html = format!(
        "<section class=\"changes\">\n<h2>Since {}</h2>\n",
        escape(&changes.since)
    );
    if changes.changes.is_empty() {
        html += "<p>No verdict changed.</p>\n";
    } else {
        html += "<ul>\n";
        for change in &changes.changes {
            let options = match change.options.as_str() {
                "" => String::new(),
                options => format!(" ({options})"),
            };
            html += &format!(
                "<li class=\"{kind}\"><b>{kind}</b> {}: {}{}: {}{}</li>\n",
                escape(&change.program),
                escape(&change.check),
                escape(&options),
                escape(&change.now),
                match &change.before {
                    Some(before) => format!(" <span>before: {}</span>", escape(before)),
                    None => String::new(),
                },
                kind = change.kind.name(),
            );
        }
        html += "</ul>\n";
    }
    html + "</section>\n"
}

fn matrix(results: &Results<'_>, reports: &[Option<String>]) -> String {
    let matrix = results.matrix;
    let mut html = "<div class=\"scroll\">\n<table>\n<thead>\n<tr><th scope=\"col\">program</th>".to_owned();
    for column in &matrix.columns {
        html += &format!("<th scope=\"col\">{}</th>", escape(&column.title()));
    }
    html += "</tr>\n</thead>\n<tbody>\n";
    let mut cells = matrix.cells.iter().zip(reports).peekable();
    for (row, name) in matrix.rows.iter().enumerate() {
        html += &format!("<tr><th scope=\"row\">{}</th>", escape(name));
        for column in 0..matrix.columns.len() {
            match cells.next_if(|(cell, _)| (cell.row, cell.column) == (row, column)) {
                None => html += "<td></td>",
                Some((cell, report)) => {
                    let is_changed = results.changes.as_ref().is_some_and(|changes| {
                        let column = &matrix.columns[column];
                        changes.changes.iter().any(|change| {
                            change.program == *name
                                && change.check == column.check
                                && change.options == column.variant
                        })
                    });
                    html += &of_cell(results.answer(cell), report.as_deref(), is_changed);
                }
            }
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n</div>\n"
}

fn of_cell(answer: Option<&Answer>, report: Option<&str>, is_changed: bool) -> String {
    let Some(answer) = answer else {
        return "<td class=\"open\">…</td>".to_owned();
    };
    let text = match answer.verdict {
        Verdict::Inapplicable => "–",
        verdict => label(verdict),
    };
    let changed = if is_changed { " changed" } else { "" };
    let title = escape(&format!("{} ({:.1} s)", answer.describe(), answer.wall));
    let shown = match report {
        Some(report) => format!("<a href=\"{}\" title=\"{title}\">{text}</a>", escape(report)),
        None => format!("<span title=\"{title}\">{text}</span>"),
    };
    format!("<td class=\"{}{changed}\">{shown}</td>", answer.verdict.name())
}

/// Text for HTML and XML; characters that XML does not have are left out.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}
