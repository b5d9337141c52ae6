//! The Hanoi format (HOA v1), in which tools exchange automata over infinite words.

mod read;
mod words;

use std::fmt::Write as _;

use crate::automaton::{Buchi, Cube};

pub use read::read_hoa;

/// Why a text is no automaton that can be read here.
pub type HoaError = crate::parse::SyntaxError;

/// A Büchi automaton as text. `atoms` are the names of the atoms, in their order.
pub fn write_hoa(automaton: &Buchi, name: &str, atoms: &[String]) -> String {
    let mut text = String::from("HOA: v1\n");
    let names: String = atoms
        .iter()
        .map(|atom| format!(" \"{}\"", escaped(atom)))
        .collect();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "name: \"{}\"\nStates: {}\nStart: {}\nAP: {}{names}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         properties: trans-labels explicit-labels state-acc\n--BODY--\n",
        escaped(name),
        automaton.states.len(),
        automaton.initial,
        atoms.len(),
    );
    for (number, state) in automaton.states.iter().enumerate() {
        let mark = if state.accepting { " {0}" } else { "" };
        let _ = writeln!(text, "State: {number}{mark}");
        for edge in &state.edges {
            let _ = writeln!(text, "  [{}] {}", label(edge.label), edge.to);
        }
    }
    text.push_str("--END--\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn label(cube: Cube) -> String {
    let literal = |atom: u32| match (cube.positive >> atom & 1, cube.negative >> atom & 1) {
        (0, 0) => None,
        (1, _) => Some(format!("{atom}")),
        _ => Some(format!("!{atom}")),
    };
    let literals: Vec<String> = (0..64).filter_map(literal).collect();
    match literals.is_empty() {
        true => "t".to_owned(),
        false => literals.join(" & "),
    }
}
