//! Witnesses in GraphML, format 1.0: an automaton whose edges say which lines a run passes and what it assumes there. Of a violation the
//! way from the entry to the violation is taken, if there is one; of a proof, the invariants of nodes at which
//! a loop's condition is evaluated.
//!
//! Lines are all that many of these witnesses say of a place. What has no one place in its line is passed over; that makes the
//! claim weaker, never another one. Which file an edge is of matters only where the program has several.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use roxmltree::{Document, Node};

use crate::{
    Claim, Holds, Invariant, Passing, Place, ReadError, Segment, Task, Waypoint, Witness, data_model,
    malformed,
};

pub fn read(text: &str) -> Result<Witness, ReadError> {
    let document = Document::parse(text).map_err(|error| malformed(format!("it is no witness: {error}")))?;
    let root = document.root_element();
    if !root.has_tag_name((root.tag_name().namespace().unwrap_or_default(), "graphml"))
        && root.tag_name().name() != "graphml"
    {
        return Err(malformed("it is XML, but no GraphML"));
    }
    let graph = children(root, "graph").next();
    let graph = graph.ok_or_else(|| malformed("it has no graph"))?;
    let about = data(graph);
    let said = |key: &str| about.get(key).and_then(|values| values.first()).cloned();
    if let Some(version) = said("witness-format-version").filter(|version| version != "1.0") {
        return Err(malformed(format!(
            "it has format version {version}; version 1.0 is read"
        )));
    }
    let task = Task {
        hashes: about.get("programhash").cloned().unwrap_or_default(),
        specification: about.get("specification").cloned().unwrap_or_default().join("\n"),
        data_model: data_model(&said("architecture").unwrap_or_default()),
    };
    if said("sourcecodelang").is_some_and(|language| language != "C") {
        return Err(malformed("it is about a program that is not in C"));
    }
    let has_files = about.get("programfile").is_some_and(|files| files.len() > 1);
    let graph = Graph::new(graph, has_files)?;
    let claim = match said("witness-type").as_deref() {
        Some("violation_witness") => graph.violation()?,
        Some("correctness_witness") => graph.correctness(),
        Some(other) => return Err(malformed(format!("`{other}` is no type of witness"))),
        None => return Err(malformed("it does not say of which type it is")),
    };
    Ok(Witness { task, claim })
}

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(move |child| child.tag_name().name() == name)
}

/// What is said about a node, by keys.
type Data = BTreeMap<String, Vec<String>>;

fn data(node: Node<'_, '_>) -> Data {
    let mut data = Data::new();
    for child in node.children().filter(|child| child.tag_name().name() == "data") {
        if let Some(key) = child.attribute("key") {
            let text = child.text().unwrap_or_default().trim().to_owned();
            data.entry(key.to_owned()).or_default().push(text);
        }
    }
    data
}

struct Graph {
    /// Whether the program has several files.
    has_files: bool,
    nodes: BTreeMap<String, Data>,
    edges: Vec<Edge>,
}

struct Edge {
    from: String,
    to: String,
    data: Data,
}

impl Edge {
    fn said(&self, key: &str) -> Option<&str> {
        let values = self.data.get(key)?;
        values.first().map(String::as_str)
    }

    fn line(&self) -> Option<u32> {
        self.said("startline")?.parse().ok()
    }
}

impl Graph {
    fn new<'a>(graph: Node<'a, 'a>, has_files: bool) -> Result<Graph, ReadError> {
        let mut nodes = BTreeMap::new();
        for node in children(graph, "node") {
            let id = node
                .attribute("id")
                .ok_or_else(|| malformed("a node has no id"))?;
            nodes.insert(id.to_owned(), data(node));
        }
        let mut edges = Vec::new();
        for edge in children(graph, "edge") {
            let end = |name: &'static str| {
                let id = edge.attribute(name).filter(|id| nodes.contains_key(*id));
                id.map(str::to_owned)
                    .ok_or_else(|| malformed("an edge does not lead from a node to a node"))
            };
            edges.push(Edge {
                from: end("source")?,
                to: end("target")?,
                data: data(edge),
            });
        }
        Ok(Graph {
            has_files,
            nodes,
            edges,
        })
    }

    fn place(&self, edge: &Edge) -> Option<Place> {
        let file = edge.said("originfile").filter(|_| self.has_files);
        Some(Place {
            file: file.unwrap_or_default().to_owned(),
            line: edge.line()?,
            column: None,
        })
    }

    fn nodes_with(&self, key: &str) -> BTreeSet<&str> {
        let nodes = self.nodes.iter();
        nodes
            .filter(|(_, data)| {
                data.get(key)
                    .is_some_and(|values| values.iter().any(|value| value == "true"))
            })
            .map(|(id, _)| id.as_str())
            .collect()
    }

    /// The one node that runs start at.
    fn entry(&self) -> Result<&str, ReadError> {
        let entries = self.nodes_with("entry");
        let first = entries.first().filter(|_| entries.len() == 1);
        first
            .copied()
            .ok_or_else(|| malformed("it has not one entry node"))
    }

    /// A shortest way from a node to one of some, if there is one.
    fn way(&self, from: &str, to: &BTreeSet<&str>) -> Option<Vec<&Edge>> {
        let mut before: BTreeMap<&str, &Edge> = BTreeMap::new();
        let mut pending = VecDeque::from([from]);
        while let Some(node) = pending.pop_front() {
            if to.contains(node) {
                let mut way = Vec::new();
                let mut at = node;
                while let Some(edge) = before.get(at) {
                    way.push(*edge);
                    at = &edge.from;
                }
                way.reverse();
                return Some(way);
            }
            for edge in self.edges.iter().filter(|edge| edge.from == node) {
                let is_new = edge.to != from && !before.contains_key(edge.to.as_str());
                if is_new {
                    before.insert(&edge.to, edge);
                    pending.push_back(&edge.to);
                }
            }
        }
        None
    }

    /// A shortest way from a node back to it.
    fn round(&self, head: &str) -> Option<Vec<&Edge>> {
        let back = BTreeSet::from([head]);
        let rounds = self.edges.iter().filter(|edge| edge.from == head);
        let rounds = rounds.filter_map(|first| {
            let mut round = vec![first];
            round.extend(self.way(&first.to, &back)?);
            Some(round)
        });
        rounds.min_by_key(Vec::len)
    }

    fn violation(&self) -> Result<Claim, ReadError> {
        let entry = self.entry()?;
        let (violations, heads) = (self.nodes_with("violation"), self.nodes_with("cyclehead"));
        let (way, round) = match heads.first() {
            None if violations.is_empty() => return Err(malformed("no node is a violation")),
            None => {
                let way = self.way(entry, &violations);
                let way = way.ok_or_else(|| malformed("no way leads from its entry to a violation"))?;
                (way, Vec::new())
            }
            Some(&head) => {
                let lost = || malformed("no way leads from its entry to the head of a cycle and back");
                let way = self.way(entry, &BTreeSet::from([head]));
                (way.ok_or_else(lost)?, self.round(head).ok_or_else(lost)?)
            }
        };
        Ok(Claim::Violation {
            segments: self.segments(&way),
            avoid: Vec::new(),
            target: None,
            cycle: self.segments(&round),
            // Edges that lead back to where they come from are not looked at: what does not fit may be one of them.
            at_once: false,
        })
    }

    fn segments(&self, way: &[&Edge]) -> Vec<Segment> {
        let mut segments = Vec::new();
        // Several conditions in a line are parts of one, which say little of it.
        let branches = |edge: &Edge| edge.line().filter(|_| edge.said("control").is_some());
        let is_part = |number: usize, other: Option<usize>| {
            let other = other.and_then(|other| way.get(other));
            other.is_some_and(|other| branches(other) == branches(way[number]))
        };
        for (number, edge) in way.iter().enumerate() {
            let Some(place) = self.place(edge) else { continue };
            if let Some(control) = edge.said("control")
                && !is_part(number, number.checked_sub(1))
                && !is_part(number, Some(number + 1))
            {
                segments.push(Segment {
                    avoid: Vec::new(),
                    follow: Waypoint {
                        place: place.clone(),
                        what: Passing::BranchingInLine(control == "condition-true"),
                    },
                });
            }
            // What holds for the result of a call can be said at the call; the rest has no certain place.
            let assumptions = edge.said("assumption").unwrap_or_default();
            for assumption in assumptions.split(';').map(str::trim) {
                if assumption.contains("\\result") {
                    segments.push(Segment {
                        avoid: Vec::new(),
                        follow: Waypoint {
                            place: place.clone(),
                            what: Passing::Returned {
                                formula: Some(assumption.to_owned()),
                                function: edge.said("assumption.resultfunction").map(str::to_owned),
                            },
                        },
                    });
                }
            }
        }
        segments
    }

    fn correctness(&self) -> Claim {
        let mut invariants = Vec::new();
        for (id, data) in &self.nodes {
            let formulas = data.get("invariant").into_iter().flatten();
            let formulas: Vec<&String> = formulas.filter(|formula| !formula.is_empty()).collect();
            if formulas.is_empty() {
                continue;
            }
            // The condition of a loop is evaluated where its head is.
            let mut places: Vec<Place> = Vec::new();
            let edges = self.edges.iter();
            for edge in edges.filter(|edge| edge.from == *id && edge.said("control").is_some()) {
                places.extend(self.place(edge).filter(|place| !places.contains(place)));
            }
            for place in places {
                invariants.extend(formulas.iter().map(|formula| Invariant {
                    place: place.clone(),
                    about: Holds::InLine,
                    formula: (*formula).clone(),
                }));
            }
        }
        Claim::Correctness(invariants)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::read;
    use crate::Claim;

    fn graph(kind: &str, rest: &str) -> String {
        format!(
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"directed\">\
             <data key=\"witness-type\">{kind}</data><data key=\"architecture\">32bit</data>{rest}</graph></graphml>"
        )
    }

    fn edge(from: u32, to: u32, said: &[(&str, &str)]) -> String {
        let data = said
            .iter()
            .map(|(key, value)| format!("<data key=\"{key}\">{value}</data>"));
        let data: String = data.collect();
        format!("<edge source=\"{from}\" target=\"{to}\">{data}</edge>")
    }

    #[test]
    fn the_shortest_way_to_the_violation_is_followed() {
        let text = [
            "<node id=\"0\"><data key=\"entry\">true</data></node><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>".to_owned(),
            "<node id=\"4\"><data key=\"violation\">true</data></node>".to_owned(),
            edge(0, 0, &[("startline", "2"), ("control", "condition-true")]),
            edge(0, 1, &[("startline", "3"), ("assumption", "\\result == 4; x == 4;"), ("assumption.resultfunction", "f")]),
            // Two parts of one condition.
            edge(1, 2, &[("startline", "5"), ("control", "condition-true")]),
            edge(2, 3, &[("startline", "5"), ("control", "condition-false")]),
            edge(3, 4, &[("startline", "6"), ("control", "condition-false")]),
        ];
        let witness = read(&graph("violation_witness", &text.concat())).expect("it is a witness");
        let Claim::Violation {
            segments,
            target: None,
            at_once: false,
            ..
        } = witness.claim
        else {
            panic!("{:?}", witness.claim)
        };
        let said: Vec<String> = segments
            .iter()
            .map(|segment| format!("{}: {:?}\n", segment.follow.place, segment.follow.what))
            .collect();
        expect![[r#"
            line 3: Returned { formula: Some("\\result == 4"), function: Some("f") }
            line 6: BranchingInLine(false)
        "#]]
        .assert_eq(&said.concat());
    }

    #[test]
    fn invariants_hold_where_conditions_are_evaluated() {
        let text = [
            "<node id=\"0\"><data key=\"entry\">true</data></node>".to_owned(),
            "<node id=\"1\"><data key=\"invariant\">x &lt; 3</data></node><node id=\"2\"/><node id=\"3\"/>"
                .to_owned(),
            edge(0, 1, &[("startline", "2"), ("enterLoopHead", "true")]),
            edge(1, 2, &[("startline", "4"), ("control", "condition-true")]),
            edge(1, 3, &[("startline", "4"), ("control", "condition-false")]),
        ];
        let witness = read(&graph("correctness_witness", &text.concat())).expect("it is a witness");
        let Claim::Correctness(invariants) = witness.claim else {
            panic!("{:?}", witness.claim)
        };
        let said: Vec<String> = invariants
            .iter()
            .map(|invariant| format!("{}: {}", invariant.place, invariant.formula))
            .collect();
        assert_eq!(said, ["line 4: x < 3"]);
    }

    #[test]
    fn what_is_no_witness_is_told() {
        let told = |text: &str| read(text).expect_err("it is none").to_string();
        assert_eq!(told("<x/>"), "it is XML, but no GraphML");
        assert_eq!(told(&graph("proof", "")), "`proof` is no type of witness");
        assert_eq!(told(&graph("violation_witness", "")), "it has not one entry node");
        let alone = "<node id=\"0\"><data key=\"entry\">true</data></node><node id=\"1\"><data key=\"violation\">true</data></node>";
        assert_eq!(
            told(&graph("violation_witness", alone)),
            "no way leads from its entry to a violation"
        );
        let dangling = format!("{alone}{}", edge(0, 9, &[]));
        assert_eq!(
            told(&graph("violation_witness", &dangling)),
            "an edge does not lead from a node to a node"
        );
    }
}
