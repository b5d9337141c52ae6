//! A long-lived Z3 solver in which every formula is named once by a literal.

use std::time::Duration;

use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use z3_sys::Z3_mk_implies;

use crate::encode::Encoder;
use crate::session::milliseconds;
use crate::z3::{self, Ast, Backend, Context, Result};

/// With so many named formulas that a question is not about the solver is started anew: Z3 decides about every bit of
/// them before it says that the question's own formulas can hold. Of 16 to 4096, 32 was the fastest on drivers.
const MAX_OTHERS: usize = 32;

/// What one check may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub time: Option<Duration>,
    /// In Z3's own count of work.
    pub effort: Option<u32>,
}

impl Limits {
    pub fn set(self, engine: &Backend) -> Result<()> {
        engine.configure(milliseconds(self.time), self.effort.unwrap_or(0))
    }
}

pub struct Lane {
    context: Context,
    pub engine: Backend,
    pub limits: Limits,
    /// A literal for each named formula, defined in `engine`.
    proxies: FxHashMap<Term, Ast>,
    named: u64,
}

impl Lane {
    pub fn new(context: &Context, limits: Limits) -> Result<Lane> {
        Ok(Lane {
            context: context.clone(),
            engine: new_engine(context, limits)?,
            limits,
            proxies: FxHashMap::default(),
            named: 0,
        })
    }

    /// Whether so much else was named that starting anew pays for a question about so many formulas.
    pub fn is_big(&self, formulas: usize) -> bool {
        self.proxies.len() > MAX_OTHERS + formulas + formulas / 4
    }

    pub fn set_limits(&mut self, limits: Limits) {
        if limits != self.limits {
            self.limits = limits;
            // A limit that cannot be set would show as a query that takes longer, not as a wrong answer.
            let _ = limits.set(&self.engine);
        }
    }

    /// Starts anew, without anything named.
    pub fn restart(&mut self) -> Result<()> {
        self.engine = z3::without_memory_limit(|| new_engine(&self.context, self.limits))?;
        self.proxies.clear();
        Ok(())
    }

    /// Literals that stand for the formulas; none for those that are true.
    pub fn literals(
        &mut self,
        encoder: &mut Encoder,
        terms: &mut Terms,
        formulas: &[Term],
    ) -> Result<Vec<Ast>> {
        let mut literals = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            if terms.as_bool(formula) != Some(true) {
                literals.push(self.literal(encoder, terms, formula)?);
            }
        }
        Ok(literals)
    }

    /// A literal that stands for the formula. It implies the formula and not the other way round: what is named but
    /// not assumed then costs nothing, because its name may be false.
    fn literal(&mut self, encoder: &mut Encoder, terms: &Terms, formula: Term) -> Result<Ast> {
        if let Some(proxy) = self.proxies.get(&formula) {
            return Ok(proxy.clone());
        }
        let meaning = encoder.encode(terms, formula)?;
        let is_symbol = |t: Term| matches!(terms.op(t), Op::Symbol(_));
        let literal =
            if is_symbol(formula) || terms.op(formula) == Op::Not && is_symbol(terms.args(formula)[0]) {
                meaning
            } else {
                let name = self
                    .context
                    .constant(&format!("name!{}", self.named), &self.context.bool_sort()?)?;
                self.named += 1;
                self.engine
                    .assert(&self.context.binary(Z3_mk_implies, &name, &meaning)?)?;
                name
            };
        self.proxies.insert(formula, literal.clone());
        Ok(literal)
    }
}

/// Z3's general incremental solver. The ones for a fixed logic were slower on words (three times, on linear
/// constraints) and answer wrongly when a formula has a sort outside their logic.
fn new_engine(context: &Context, limits: Limits) -> Result<Backend> {
    let engine = Backend::new(context, None)?;
    limits.set(&engine)?;
    Ok(engine)
}
