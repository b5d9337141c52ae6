//! Proofs stated in the program's text, and all the single changes of them.
//!
//! `inv(a, b);` says that `a` and `b` hold there; `ensures(a, b);` that they hold at the exit of the function it stands in. A
//! global `result` stands for what the function returns, and `old_x` for what `x` was when it was entered. What holds
//! elsewhere is computed backwards, as the weakest precondition, so nothing holds there that is not needed. On lines with
//! the comment `// defined` the proof relies on defined behaviour.

use std::collections::{BTreeMap, BTreeSet};

use logic::{Signedness, Sort, Substitution, SymbolInfo, Term};
use program::{Callee, EdgeId, EdgeKind, ExprId, FuncId, LocId};
use semantics::{Semantics, Storage};
use verdict::{Invariants, Verdict};

use crate::asked::Asked;

/// What is said at one place of the text: its conjuncts, and the locations they hold at.
pub struct Said {
    pub place: String,
    pub locs: Vec<LocId>,
    pub parts: Vec<Term>,
}

pub struct Stated<'a> {
    pub asked: &'a Asked,
    pub semantics: Semantics<'static>,
    pub said: Vec<Said>,
    pub invariants: Invariants,
}

impl<'a> Stated<'a> {
    pub fn new(asked: &'a Asked, text: &str) -> Stated<'a> {
        let program = asked.program();
        let mut semantics = asked.semantics();
        let mut said = Vec::new();
        let mut invariants = Invariants::default();
        for (edge, data) in program.edges.iter() {
            let function = program.locs[data.from].function;
            if let Some((name, arguments)) = annotation(asked, edge) {
                let parts = arguments
                    .iter()
                    .map(|&part| stated_part(&mut semantics, function, part));
                let mut parts: Vec<Term> = parts.collect();
                // `inv(1)` says nothing.
                parts.retain(|&part| semantics.terms.as_bool(part) != Some(true));
                let body = program.functions[function]
                    .body
                    .as_ref()
                    .expect("edges are in bodies");
                let (locs, what) = match name {
                    "inv" => (vec![data.from, data.to], ""),
                    _ => (vec![body.exit], " (exit)"),
                };
                let place = format!("{}{what}", asked.line(edge));
                said.push(Said { place, locs, parts });
            }
            let line = data.span.map(|span| span.presumed().1);
            let text = line.and_then(|line| text.lines().nth(line as usize - 1));
            if text.is_some_and(|text| text.contains("// defined"))
                && semantics
                    .effect(semantics::Step::Edge(edge))
                    .is_ok_and(|effect| !effect.defined.is_empty())
            {
                invariants.assumed_defined.insert(edge);
                semantics.assume_defined(edge);
            }
        }
        for said in &said {
            let all = semantics.terms.all(&said.parts);
            for &loc in &said.locs {
                invariants.at.insert(loc, all);
            }
        }
        let mut stated = Stated {
            asked,
            semantics,
            said,
            invariants,
        };
        for function in asked.task().calls.reachable_from(asked.woven.entry) {
            let locs = program.functions[function]
                .body
                .as_ref()
                .map(|body| body.locs.as_slice());
            for &loc in locs.unwrap_or_default() {
                stated.complete(loc, &mut BTreeSet::new());
            }
        }
        stated
    }

    /// The invariant of a location, computed from those of the next ones if it is not given.
    fn complete(&mut self, loc: LocId, open: &mut BTreeSet<LocId>) -> Term {
        if let Some(&known) = self.invariants.at.get(&loc) {
            return known;
        }
        let program = self.asked.program();
        assert!(
            open.insert(loc),
            "nothing is said in a loop of {}",
            program.functions[program.locs[loc].function].name
        );
        let mut all = self.semantics.terms.bool(true);
        for &edge in &program.locs[loc].outgoing {
            let holds = self.before(edge, open);
            all = self.semantics.terms.and(all, holds);
        }
        self.invariants.at.insert(loc, all);
        all
    }

    fn before(&mut self, edge: EdgeId, open: &mut BTreeSet<LocId>) -> Term {
        let program = self.asked.program();
        let place = self.asked.line(edge);
        let never = self.semantics.terms.bool(false);
        if self.asked.task().errors.contains(&edge) {
            return never;
        }
        match program.edges[edge].kind {
            EdgeKind::Call {
                callee: Callee::Direct(function),
                ..
            } if program.functions[function].body.is_none() => {}
            EdgeKind::Call { .. } => panic!("nothing is said before the call at {place}"),
            _ => {}
        }
        let Ok(effect) = self.semantics.effect(semantics::Step::Edge(edge)) else {
            return never;
        };
        let after = self.complete(program.edges[edge].to, open);
        let before = self.semantics.weakest_precondition(&effect, after);
        let symbols = self.semantics.terms.free_symbols(&[before]);
        let plain = symbols
            .iter()
            .all(|&symbol| self.semantics.storage_of(symbol).is_some());
        assert!(plain, "nothing is said before the unknown value at {place}");
        before
    }

    pub fn judged(&mut self, invariants: Invariants) -> String {
        let verdict = Verdict::Safe(Box::new(Some(invariants)));
        let answer = self.asked.judged(&mut self.semantics, verdict);
        self.asked.said(&answer)
    }

    /// The invariants with other parts at one place.
    fn with(&mut self, place: usize, parts: &[Term]) -> Invariants {
        let all = self.semantics.terms.all(parts);
        let mut changed = self.invariants.clone();
        for loc in &self.said[place].locs {
            changed.at.insert(*loc, all);
        }
        changed
    }

    /// The lines of the edges by which control comes to a place, or leaves it.
    fn edges_at(&self, place: usize, comes: bool) -> BTreeSet<String> {
        let program = self.asked.program();
        let task = self.asked.task();
        let locs = &self.said[place].locs;
        let mut found = BTreeSet::new();
        for &loc in locs {
            let function = program.locs[loc].function;
            let body = program.functions[function]
                .body
                .as_ref()
                .expect("locations are in bodies");
            let edges = match comes {
                true => &program.locs[loc].incoming,
                false => &program.locs[loc].outgoing,
            };
            let other = |edge: &EdgeId| match comes {
                true => program.edges[*edge].from,
                false => program.edges[*edge].to,
            };
            found.extend(
                edges
                    .iter()
                    .filter(|edge| !locs.contains(&other(edge)))
                    .map(|&edge| self.asked.line(edge)),
            );
            if loc == (if comes { body.entry } else { body.exit }) {
                let sites = task
                    .calls
                    .sites()
                    .iter()
                    .filter(|site| site.targets.contains(&function));
                found.extend(sites.map(|site| self.asked.line(site.edge)));
                if comes && function == task.entry {
                    found.insert("the start".to_owned());
                }
            }
        }
        found
    }

    /// All single changes: what is changed, the changed invariants, and the places where it may be noticed.
    pub fn changes(&mut self) -> Vec<(String, Invariants, BTreeSet<String>)> {
        let mut changes = Vec::new();
        for place in 0..self.said.len() {
            let (name, parts) = (self.said[place].place.clone(), self.said[place].parts.clone());
            let (comes, goes) = (self.edges_at(place, true), self.edges_at(place, false));
            let both: BTreeSet<String> = comes.union(&goes).cloned().collect();
            for number in 0..parts.len() {
                let mut rest = parts.clone();
                let dropped = rest.remove(number);
                let text = self.semantics.to_c(dropped);
                let negated = self.semantics.terms.not(dropped);
                changes.push((
                    format!("without `{text}` at {name}"),
                    self.with(place, &rest),
                    goes.clone(),
                ));
                rest.push(negated);
                changes.push((
                    format!("not `{text}` at {name}"),
                    self.with(place, &rest),
                    both.clone(),
                ));
            }
            if parts
                .iter()
                .any(|&part| self.semantics.terms.as_bool(part) == Some(false))
            {
                // That the place cannot be reached is all there is to deny.
                continue;
            }
            let mut without = self.invariants.clone();
            for loc in &self.said[place].locs {
                without.at.remove(loc);
            }
            changes.push((format!("nothing at {name}"), without, comes));
            if parts.is_empty() {
                continue;
            }
            let foreign = self.foreign();
            let foreign = [&parts[..], &[foreign]].concat();
            changes.push((
                format!("a foreign symbol at {name}"),
                self.with(place, &foreign),
                BTreeSet::new(),
            ));
            if place + 1 < self.said.len() {
                changes.extend(self.exchanges(place, place + 1, &both));
            }
        }
        for edge in self.invariants.assumed_defined.clone() {
            let mut without = self.invariants.clone();
            without.assumed_defined.remove(&edge);
            let line = self.asked.line(edge);
            changes.push((format!("not defined at {line}"), without, BTreeSet::from([line])));
        }
        changes
    }

    /// What is said at two places of a function, each at the other, and both at the second.
    fn exchanges(
        &mut self,
        one: usize,
        other: usize,
        noticed: &BTreeSet<String>,
    ) -> Vec<(String, Invariants, BTreeSet<String>)> {
        let program = self.asked.program();
        let function = |said: &Said| program.locs[said.locs[0]].function;
        let (first, second) = (&self.said[one], &self.said[other]);
        if function(first) != function(second) || first.parts == second.parts || second.parts.is_empty() {
            return Vec::new();
        }
        let (first, second) = (first.parts.clone(), second.parts.clone());
        let names = (self.said[one].place.clone(), self.said[other].place.clone());
        let mut places: BTreeSet<String> = self.edges_at(other, true);
        places.extend(self.edges_at(other, false));
        places.extend(noticed.iter().cloned());
        let mut swapped = self.with(one, &second);
        let all = self.semantics.terms.all(&first);
        let both = self.semantics.terms.all(&[&first[..], &second[..]].concat());
        let mut moved = self.with(one, &[]);
        for loc in &self.said[other].locs {
            swapped.at.insert(*loc, all);
            moved.at.insert(*loc, both);
        }
        vec![
            (
                format!("swapped {} and {}", names.0, names.1),
                swapped,
                places.clone(),
            ),
            (format!("moved from {} to {}", names.0, names.1), moved, places),
        ]
    }

    /// A claim about a symbol that stands for nothing of the program.
    fn foreign(&mut self) -> Term {
        let info = SymbolInfo {
            signedness: Signedness::Signed,
            c_type: None,
        };
        let terms = &mut self.semantics.terms;
        let symbol = terms.fresh_symbol("foreign", Sort::BitVec(32), info);
        let (term, zero) = (terms.symbol_term(symbol), terms.word(32, 0));
        terms.eq(term, zero)
    }
}

/// The annotation that an edge is, and its arguments.
fn annotation(asked: &Asked, edge: EdgeId) -> Option<(&'static str, &'static [ExprId])> {
    let EdgeKind::Call {
        callee: Callee::Direct(callee),
        arguments,
        ..
    } = &asked.program().edges[edge].kind
    else {
        return None;
    };
    match asked.program().functions[*callee].name.as_str() {
        name @ ("inv" | "ensures") => Some((name, arguments)),
        _ => None,
    }
}

/// The formula that an expression of an annotation stands for.
fn stated_part(semantics: &mut Semantics<'_>, function: FuncId, part: ExprId) -> Term {
    let formula = semantics.truth(part).expect("what is said has a meaning");
    let program = semantics.program;
    let mut meant: BTreeMap<_, Term> = BTreeMap::new();
    for symbol in semantics.terms.free_symbols(&[formula]) {
        let Some(Storage::Variable(var, 0)) = semantics.storage_of(symbol) else {
            continue;
        };
        let name = program.vars[var].name.as_str();
        if name == "result" {
            meant.insert(symbol, semantics.current(Storage::Result(function, 0)));
        } else if let Some(name) = name.strip_prefix("old_") {
            let params = program.functions[function].params.iter().copied();
            let globals = program
                .vars
                .ids()
                .filter(|&var| program.vars[var].function.is_none());
            let var = params.chain(globals).find(|&var| program.vars[var].name == name);
            let inner = semantics.symbol(Storage::Variable(var.expect("there is such a variable"), 0));
            meant.insert(symbol, semantics.current(Storage::AtEntry(function, inner)));
        }
    }
    Substitution::of_symbols(&semantics.terms, meant).apply(&mut semantics.terms, formula)
}
