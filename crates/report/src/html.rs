//! A report as one page that a browser shows: the source, the run to step through or what holds where, and how the answer was
//! found. The page is a single file that asks for nothing from elsewhere: its data is in it as JSON, and what draws it is beside
//! this file. Lists draw the rows that are in view and no others, so that long runs stay fluid.

mod data;
mod explained;

use program::SourceMap;

use crate::search::Attempt;
use crate::{Location, Report, Verdict};

/// What the page shows beside the report.
pub struct About<'a> {
    /// The files that were read.
    pub sources: &'a SourceMap,
    /// C that reproduces the violation.
    pub test: Option<String>,
    /// What engines did.
    pub attempts: Vec<Attempt>,
}

/// A line about a place.
struct Remark {
    text: String,
    location: Option<Location>,
}

const STYLE: &str = include_str!("html/page.css");
const BODY: &str = include_str!("html/page.html");
/// In the order in which they need each other.
const SCRIPTS: [&str; 5] = [
    include_str!("html/list.js"),
    include_str!("html/source.js"),
    include_str!("html/run.js"),
    include_str!("html/chart.js"),
    include_str!("html/page.js"),
];

impl Report {
    /// The report as a page.
    pub fn html(&self, about: About<'_>) -> serde_json::Result<String> {
        let verdict = match self.verdict {
            Verdict::True => "TRUE",
            Verdict::False => "FALSE",
            Verdict::Unknown => "UNKNOWN",
        };
        let headline = self.headline();
        let files = self.program.files.join(", ");
        let title = escaped(&format!("{verdict}: {files}"));
        let body = BODY
            .replace("{verdict}", verdict)
            .replace("{headline}", &escaped(&headline))
            .replace("{facts}", &escaped(&self.facts()))
            .replace(
                "{run_title}",
                match self.verdict {
                    Verdict::Unknown => "A possible run, not confirmed",
                    Verdict::True | Verdict::False => "The run",
                },
            )
            .replace(
                "{footer}",
                &escaped(&format!("{} {}", self.tool.name, self.tool.version)),
            );
        // Nothing in it may look like the end of the script that it stands in.
        let data = serde_json::to_string(&data::Page::new(self, about))?.replace('<', "\\u003c");
        Ok(format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
             <script type=\"application/json\" id=\"report\">{data}</script>\n<script>\n\"use strict\";\n{}</script>\n</body>\n</html>\n",
            SCRIPTS.concat()
        ))
    }

    /// The answer in one sentence.
    fn headline(&self) -> String {
        let properties = self.program.properties.join(", ");
        match (&self.violation, &self.unknown) {
            (Some(violation), _) => match &violation.location {
                Some(place) => format!("{} at {}", violation.message, place.line_text()),
                None => violation.message.clone(),
            },
            (_, Some(unknown)) => format!("No answer: {}", unknown.reason),
            (None, None) => format!("No run violates {properties}"),
        }
    }

    fn facts(&self) -> String {
        let mut facts = vec![
            self.program.files.join(", "),
            format!("property {}", self.program.properties.join(", ")),
            format!("from {}", self.program.entry),
            self.program.data_model.to_owned(),
        ];
        facts.extend(self.engine.map(|engine| format!("found by {engine}")));
        facts.join(" · ")
    }
}

/// Text that is no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        // Nor one of the words that the page is filled by.
        .replace('{', "&#123;")
}
