//! A loop on Z3 without anything around it, as the measure of what this crate costs.

use logic::{Term, Terms};
use z3_sys::Z3_mk_implies;

use crate::answer::Unknown;
use crate::encode::Encoder;
use crate::session::unknown;
use crate::z3::{Ast, Backend, Context, Outcome, Result};

/// What anybody would write on Z3 itself: each literal has a name that implies it, all in one solver, and a query is
/// a check under names. For benchmarks only.
pub struct BareLoop {
    engine: Backend,
    names: Vec<Ast>,
}

impl BareLoop {
    pub fn new(terms: &Terms, literals: &[Term]) -> std::result::Result<BareLoop, Unknown> {
        build(terms, literals).map_err(unknown)
    }

    /// Whether the literals at these places contradict each other.
    pub fn is_unsat(&self, query: &[usize]) -> bool {
        let assumptions: Vec<Ast> = query.iter().map(|i| self.names[*i].clone()).collect();
        matches!(self.engine.check(&assumptions), Ok(Outcome::Unsat))
    }
}

fn build(terms: &Terms, literals: &[Term]) -> Result<BareLoop> {
    let context = Context::new()?;
    let engine = Backend::new(&context, None)?;
    let mut encoder = Encoder::new(&context);
    let mut names = Vec::new();
    for (index, literal) in literals.iter().enumerate() {
        let name = context.constant(&format!("name!{index}"), &context.bool_sort()?)?;
        let meaning = encoder.encode(terms, *literal)?;
        engine.assert(&context.binary(Z3_mk_implies, &name, &meaning)?)?;
        names.push(name);
    }
    Ok(BareLoop { engine, names })
}
