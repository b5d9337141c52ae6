//! What a test suite is to reach: locations of the program.

use std::collections::BTreeSet;
use std::str::FromStr;

use program::{CallGraph, EdgeId, EdgeKind, FuncId, IntKind, LocId, Printer, Program, Span};

/// What `--goals` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every block of code.
    Blocks,
    /// Both ways of every condition, those of `&&` and `||` included.
    Branches,
    /// Entries of these functions.
    Functions(Vec<String>),
    /// These lines, `12` or `parse.c:12`.
    Lines(Vec<String>),
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        let (kind, names) = text.split_once(':').unwrap_or((text, ""));
        let names: Vec<String> = names
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        match (kind, names.is_empty()) {
            ("blocks", true) => Ok(Wanted::Blocks),
            ("branches" | "conditions", true) => Ok(Wanted::Branches),
            ("functions", false) => Ok(Wanted::Functions(names)),
            ("lines", false) => Ok(Wanted::Lines(names)),
            _ => Err(
                "expected blocks, branches, conditions, functions:NAME,… or lines:LINE,… (12 or parse.c:12)"
                    .to_owned(),
            ),
        }
    }
}

impl Wanted {
    /// What there are so many of.
    pub fn noun(&self) -> &'static str {
        match self {
            Wanted::Blocks => "blocks",
            Wanted::Branches => "branches",
            Wanted::Functions(_) => "functions",
            Wanted::Lines(_) => "lines",
        }
    }

    /// The edges to cover, in the language that Test-Comp uses.
    pub fn in_fql(&self) -> String {
        let each = |kind: &str, names: &[String]| {
            let all: Vec<String> = names.iter().map(|name| format!("@{kind}({name})")).collect();
            all.join(" | ")
        };
        match self {
            Wanted::Blocks => "@BASICBLOCKENTRY".to_owned(),
            Wanted::Branches => "@CONDITIONEDGE".to_owned(),
            Wanted::Functions(names) => each("ENTRY", names),
            Wanted::Lines(lines) => each("LINE", lines),
        }
    }

    /// Makes a location of its own of everything that is to be reached.
    pub fn prepare(&self, program: &mut Program) {
        for loc in program.locs.ids().collect::<Vec<_>>() {
            let ways = program.locs[loc].outgoing.clone();
            if ways.len() < 2 {
                continue;
            }
            for way in ways {
                if *self == Wanted::Branches && program.locs[program.edges[way].to].incoming.len() > 1 {
                    split(program, way);
                }
            }
            arrive(program, loc);
        }
    }

    /// The locations that are to be reached, in functions that may be called. A name that nothing has is an error.
    pub fn locations(
        &self,
        program: &Program,
        calls: &CallGraph,
        entry: FuncId,
    ) -> Result<BTreeSet<LocId>, String> {
        let functions = calls.reachable_from(entry);
        let bodies = || {
            let bodies = functions.iter().map(|&function| &program.functions[function]);
            bodies.filter_map(|function| Some((function, function.body.as_ref()?)))
        };
        let locs = || bodies().flat_map(|(_, body)| body.locs.iter().copied());
        let mut goals = BTreeSet::new();
        match self {
            Wanted::Blocks => {
                goals.extend(bodies().map(|(_, body)| body.entry));
                for loc in locs() {
                    let data = &program.locs[loc];
                    if data.incoming.len() > 1 {
                        goals.insert(loc);
                    }
                    if data.outgoing.len() > 1 {
                        goals.extend(data.outgoing.iter().map(|&edge| program.edges[edge].to));
                    }
                }
            }
            Wanted::Branches => {
                for loc in locs() {
                    let ways = &program.locs[loc].outgoing;
                    if ways.len() > 1 {
                        goals.extend(ways.iter().map(|&edge| program.edges[edge].to));
                    }
                }
            }
            Wanted::Functions(names) => {
                for name in names {
                    let found = program.function_named(name);
                    let body = found.and_then(|function| program.functions[function].body.as_ref());
                    let body = body.ok_or_else(|| format!("there is no function `{name}` with a body"))?;
                    if found.is_some_and(|function| functions.contains(&function)) {
                        goals.insert(body.entry);
                    }
                }
            }
            Wanted::Lines(lines) => {
                for line in lines {
                    let here: Vec<LocId> = program
                        .edges
                        .ids()
                        .filter_map(|edge| stands_at(program, edge, line))
                        .collect();
                    if here.is_empty() {
                        return Err(format!("there is no code at line `{line}`"));
                    }
                    // Where control comes to the line, not every step of it.
                    let inside: BTreeSet<LocId> = here.iter().copied().collect();
                    let first = here.into_iter().filter(|&loc| {
                        let mut before = program.locs[loc].incoming.iter();
                        !before.any(|&edge| inside.contains(&program.edges[edge].from))
                    });
                    let reached: BTreeSet<LocId> = locs().collect();
                    goals.extend(first.filter(|loc| reached.contains(loc)));
                }
            }
        }
        // Where it is decided how to go on is no place of its own, and where nothing follows there is nothing to run.
        goals.retain(|&loc| program.locs[loc].outgoing.len() < 2);
        goals.retain(|&loc| !program.locs[loc].outgoing.is_empty());
        Ok(goals)
    }
}

/// Where an edge starts, if it stands at a line.
fn stands_at(program: &Program, edge: EdgeId, line: &str) -> Option<LocId> {
    let span = program.edges[edge].span?;
    let place = program.sources.describe_line(&span);
    let is_there = match line.contains(':') {
        true => place == line || place.ends_with(&format!("/{line}")),
        false => place.rsplit_once(':').is_some_and(|(_, number)| number == line),
    };
    is_there.then(|| program.edges[edge].from)
}

/// Puts a location of its own at the end of an edge.
fn split(program: &mut Program, edge: EdgeId) {
    let (to, span) = (program.edges[edge].to, program.edges[edge].span);
    let function = program.locs[to].function;
    let between = program.add_loc(function);
    program.locs[to].incoming.retain(|&other| other != edge);
    program.locs[between].incoming.push(edge);
    program.edges[edge].to = between;
    pass(program, between, to, span);
    list(program, between);
}

/// Lets control arrive at a location before it is decided how it goes on.
fn arrive(program: &mut Program, loc: LocId) {
    let decided = program.add_loc(program.locs[loc].function);
    let ways = std::mem::take(&mut program.locs[loc].outgoing);
    let span = ways.first().and_then(|&way| program.edges[way].span);
    for &way in &ways {
        program.edges[way].from = decided;
    }
    program.locs[decided].outgoing = ways;
    pass(program, loc, decided, span);
    list(program, decided);
}

/// An edge that does nothing, to or from a new location.
fn pass(program: &mut Program, from: LocId, to: LocId, span: Option<Span>) {
    let int = program.types.int(IntKind::Int);
    let condition = program.int(1, int);
    let kind = EdgeKind::Assume {
        condition,
        holds: true,
    };
    program.add_edge(from, to, kind, span);
}

fn list(program: &mut Program, new: LocId) {
    let function = program.locs[new].function;
    if let Some(body) = &mut program.functions[function].body {
        body.locs.push(new);
    }
}

/// The condition under which control comes to a location, where there is one.
pub fn condition(program: &Program, loc: LocId) -> Option<String> {
    let [edge] = program.locs[loc].incoming[..] else {
        return None;
    };
    let EdgeKind::Assume { condition, holds } = program.edges[edge].kind else {
        return None;
    };
    let text = Printer::new(program).expr(condition);
    let text = (!text.contains('$')).then_some(text)?;
    Some(if holds { text } else { format!("!({text})") })
}
