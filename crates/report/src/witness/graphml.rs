//! Witnesses in GraphML, format 1.0. A violation is a chain of edges, one for each value that the program was given and one for the
//! violation; a run that goes on for ever has a chain that leads back to its head instead. A proof has a node for each loop with an invariant, whose edges out are the rounds and the end of that loop.

use std::fmt::Write;

use super::{About, Claim, Ends, Place, Repeated, Returned};
use crate::Report;

/// Name, type, and what it is said of.
const KEYS: [(&str, &str, &str); 21] = [
    ("witness-type", "string", "graph"),
    ("witness-format-version", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("cyclehead", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("originfile", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("control", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
];
/// The same, of what only some witnesses say.
const RESULT_KEY: (&str, &str, &str) = ("assumption.resultfunction", "string", "edge");

pub fn write(report: &Report, claim: &Claim<'_>, about: &About) -> Result<String, String> {
    let mut text = Text::default();
    text.line(0, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>");
    text.line(
        0,
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">",
    );
    for (name, kind, of) in KEYS.into_iter().chain([RESULT_KEY]) {
        let attributes = format!("attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{of}\" id=\"{name}\"");
        match kind {
            "boolean" => text.line(1, &format!("<key {attributes}><default>false</default></key>")),
            _ => text.line(1, &format!("<key {attributes}/>")),
        }
    }
    text.line(1, "<graph edgedefault=\"directed\">");
    let kind = match claim {
        Claim::Violation { .. } => "violation_witness",
        Claim::Proof(_) => "correctness_witness",
    };
    let architecture = match report.program.data_model {
        "ILP32" => "32bit",
        _ => "64bit",
    };
    let producer = format!("{} {}", report.tool.name, report.tool.version);
    let mut facts = vec![
        ("witness-type", kind),
        ("witness-format-version", "1.0"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &about.specification),
    ];
    facts.extend(
        about
            .hashes
            .iter()
            .map(|(file, _)| ("programfile", file.as_str())),
    );
    facts.extend(
        about
            .hashes
            .iter()
            .map(|(_, hash)| ("programhash", hash.as_str())),
    );
    facts.push(("architecture", architecture));
    facts.push(("creationtime", &about.creation_time));
    for (key, value) in facts {
        text.data(2, key, value);
    }
    match claim {
        Claim::Violation { returned, ends } => {
            let head = returned.len();
            let is_head = |number: usize| matches!(ends, Ends::Never(_)) && number == head;
            for number in 0..=head {
                let mut said = Vec::new();
                said.extend((number == 0).then_some(("entry", "true")));
                said.extend(is_head(number).then_some(("cyclehead", "true")));
                text.node(number, &said);
            }
            for (number, returned) in returned.iter().enumerate() {
                text.returned(number, number + 1, returned);
            }
            match ends {
                Ends::At(target) => {
                    text.node(head + 1, &[("violation", "true")]);
                    text.edge(head, head + 1, target, &[]);
                }
                Ends::Never(round) => {
                    for (number, repeated) in round.iter().enumerate() {
                        let from = head + number;
                        let to = head + (number + 1) % round.len();
                        if number > 0 {
                            text.node(from, &[]);
                        }
                        match repeated {
                            Repeated::Returned(returned) => text.returned(from, to, returned),
                            Repeated::Loop(place) => {
                                text.edge(from, to, place, &[("control", "condition-true")])
                            }
                            Repeated::Statement(place) => text.edge(from, to, place, &[]),
                        }
                    }
                }
            }
        }
        Claim::Proof(invariants) => {
            text.node(0, &[("entry", "true")]);
            for (number, invariant) in invariants.iter().enumerate() {
                let (place, head) = (&invariant.place, 3 * number + 1);
                text.node(
                    head,
                    &[
                        ("invariant", invariant.formula),
                        ("invariant.scope", place.function),
                    ],
                );
                text.node(head + 1, &[]);
                text.node(head + 2, &[]);
                text.edge(0, head, place, &[("enterLoopHead", "true")]);
                text.edge(head, head + 1, place, &[("control", "condition-true")]);
                text.edge(head, head + 2, place, &[("control", "condition-false")]);
            }
        }
    }
    text.line(1, "</graph>");
    text.line(0, "</graphml>");
    Ok(text.0)
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, depth: usize, line: &str) {
        writeln!(self.0, "{:1$}{line}", "", 2 * depth).expect("a text takes all that is written to it");
    }

    fn data(&mut self, depth: usize, key: &str, value: &str) {
        self.line(depth, &format!("<data key=\"{key}\">{}</data>", escaped(value)));
    }

    fn node(&mut self, number: usize, data: &[(&str, &str)]) {
        if data.is_empty() {
            return self.line(2, &format!("<node id=\"N{number}\"/>"));
        }
        self.line(2, &format!("<node id=\"N{number}\">"));
        for (key, value) in data {
            self.data(3, key, value);
        }
        self.line(2, "</node>");
    }

    /// The edge for a value that the program was given.
    fn returned(&mut self, from: usize, to: usize, returned: &Returned<'_>) {
        let assumption = format!("\\result == {};", returned.value);
        let mut said = vec![
            ("assumption", assumption.as_str()),
            ("assumption.scope", returned.place.function),
        ];
        let callee = returned.callee;
        said.extend(callee.map(|callee| ("assumption.resultfunction", callee)));
        self.edge(from, to, &returned.place, &said);
    }

    fn edge(&mut self, from: usize, to: usize, place: &Place<'_>, data: &[(&str, &str)]) {
        self.line(2, &format!("<edge source=\"N{from}\" target=\"N{to}\">"));
        self.data(3, "originfile", &place.at.read_file);
        self.data(3, "startline", &place.at.span.line.to_string());
        self.data(3, "endline", &place.at.span.end_line.to_string());
        for (key, value) in data {
            self.data(3, key, value);
        }
        self.line(2, "</edge>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
