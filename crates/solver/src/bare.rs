//! A loop on Z3 without anything around it, as the measure of what this crate costs.

use std::time::{Duration, Instant};

use logic::{Term, Terms};
use z3_sys::Z3_mk_implies;

use crate::encode::Encoder;
use crate::z3::{Ast, Context, Engine, Outcome, Result};

pub fn run(terms: &Terms, literals: &[Term], queries: &[Vec<usize>]) -> Result<(Duration, Vec<bool>)> {
    let context = Context::new()?;
    let engine = Engine::new(&context, None)?;
    let mut encoder = Encoder::new(&context);
    let mut names = Vec::new();
    for (index, literal) in literals.iter().enumerate() {
        let name = context.constant(&format!("name!{index}"), &context.bool_sort()?)?;
        let meaning = encoder.encode(terms, *literal)?;
        engine.assert(&context.binary(Z3_mk_implies, &name, &meaning)?)?;
        names.push(name);
    }
    let mut answers = Vec::with_capacity(queries.len());
    let start = Instant::now();
    for query in queries {
        let assumptions: Vec<Ast> = query.iter().map(|i| names[*i].clone()).collect();
        answers.push(matches!(engine.check(&assumptions)?, Outcome::Unsat));
    }
    Ok((start.elapsed(), answers))
}
