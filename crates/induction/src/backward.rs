//! Weakest preconditions between cut points.
//!
//! A goal's condition at a location is what must hold there for the goal to hold at the next cut points. It is a list of
//! formulas about the program's state alone: a value that nothing determines must not be in it, so where one comes to be, a
//! formula about it is shown from the facts, or made stronger by leaving out the cases that speak of it. Where neither
//! is possible the goal is given up. Calls are passed over with what is known at the callee's exit; the result is put in by
//! equations that tell it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use logic::{Linear, Op, Substitution, Symbol, Term};
use program::{EdgeId, FuncId, LocId};
use semantics::{Call, Role, Step};
use verdict::Reason;

use crate::prove::Judged;
use crate::{Goal, Work};

/// A condition with more formulas than this is given up, and so is one with a larger formula.
const MAX_FORMULAS: usize = 64;
const MAX_SIZE: usize = 600;
/// So many parts of a formula are tried in place of all of it.
const MAX_CASES: usize = 8;

/// What must hold at each location of a function where something must; `None` if that cannot be said.
pub(crate) type Conditions = Option<Rc<BTreeMap<LocId, Vec<Term>>>>;

pub(crate) type Memo = BTreeMap<(FuncId, Goal), Conditions>;

/// A formula that must hold where the guard does.
struct Guarded {
    guard: Term,
    formula: Term,
}

impl Work<'_, '_, '_> {
    pub fn conditions(&mut self, function: FuncId, goal: Goal) -> Result<Conditions, Reason> {
        if let Some(known) = self.conditions.get(&(function, goal)) {
            return Ok(known.clone());
        }
        let conditions = self.worked_out(function, goal)?.map(Rc::new);
        self.conditions.insert((function, goal), conditions.clone());
        Ok(conditions)
    }

    fn worked_out(
        &mut self,
        function: FuncId,
        goal: Goal,
    ) -> Result<Option<BTreeMap<LocId, Vec<Term>>>, Reason> {
        let (_, loops) = self
            .functions
            .iter()
            .find(|(other, _)| *other == function)
            .expect("the function may be entered");
        let order = loops.flow().reverse_post_order().to_vec();
        let program = self.task.program;
        let mut conditions: BTreeMap<LocId, Vec<Term>> = BTreeMap::new();
        for &loc in order.iter().rev() {
            self.budget.check()?;
            if !self.facts.is_reachable(loc) {
                continue;
            }
            let mut ways: Vec<Vec<Guarded>> = Vec::new();
            for &edge in &program.locs[loc].outgoing {
                for way in self.semantics.ways(edge) {
                    match self.before(loc, edge, way, goal, &conditions) {
                        Some(before) => ways.push(before),
                        None => return Ok(None),
                    }
                }
            }
            let formulas = self.together(&ways);
            let too_large = |formula: &Term| self.semantics.terms.size(*formula) > MAX_SIZE;
            if formulas.len() > MAX_FORMULAS || formulas.iter().any(too_large) {
                return Ok(None);
            }
            if !formulas.is_empty() {
                conditions.insert(loc, formulas);
            }
        }
        Ok(Some(conditions))
    }

    /// What all ways ask for is asked for whatever way is taken.
    fn together(&mut self, ways: &[Vec<Guarded>]) -> Vec<Term> {
        let mut formulas: BTreeSet<Term> = BTreeSet::new();
        for way in ways {
            for Guarded { guard, formula } in way {
                let everywhere = ways
                    .iter()
                    .all(|other| other.iter().any(|asked| asked.formula == *formula));
                let formula = match everywhere {
                    true => *formula,
                    false => self.semantics.terms.implies(*guard, *formula),
                };
                formulas.extend(self.semantics.terms.conjuncts(formula));
            }
        }
        formulas.into_iter().collect()
    }

    /// What must hold at the end of an edge.
    fn at_end(&self, edge: EdgeId, goal: Goal, conditions: &BTreeMap<LocId, Vec<Term>>) -> Vec<Term> {
        let to = self.task.program.edges[edge].to;
        if !self.facts.is_reachable(to) {
            return Vec::new();
        }
        match goal {
            Goal::At(loc, formula) if loc == to => vec![formula],
            _ if self.cut_points.contains(&to) => Vec::new(),
            _ => conditions.get(&to).cloned().unwrap_or_default(),
        }
    }

    fn before(
        &mut self,
        loc: LocId,
        edge: EdgeId,
        way: Step,
        goal: Goal,
        conditions: &BTreeMap<LocId, Vec<Term>>,
    ) -> Option<Vec<Guarded>> {
        let always = self.semantics.terms.bool(true);
        let impossible = Guarded {
            guard: always,
            formula: self.semantics.terms.bool(false),
        };
        if self.task.errors.contains(&edge) {
            return Some(match goal {
                Goal::NoError => vec![impossible],
                Goal::At(..) => Vec::new(),
            });
        }
        let wanted = self.at_end(edge, goal, conditions);
        match way {
            Step::Enter { callee, .. } => self.before_call(loc, edge, callee, goal, wanted),
            Step::Elsewhere(_) => {
                let effect = self.semantics.effect(way).ok();
                let guard = effect.map_or(always, |effect| effect.guard);
                Some(match goal {
                    Goal::NoError => vec![Guarded { guard, ..impossible }],
                    Goal::At(..) => Vec::new(),
                })
            }
            _ => {
                let effect = match self.semantics.effect(way) {
                    Ok(effect) => effect,
                    Err(_) if goal == Goal::NoError => return Some(vec![impossible]),
                    Err(_) => return Some(Vec::new()),
                };
                let unknown: BTreeSet<Symbol> = effect.fresh.iter().map(|fresh| fresh.symbol).collect();
                let mut substitution =
                    Substitution::of_symbols(&self.semantics.terms, effect.updates.iter().copied());
                let mut before = Vec::new();
                for formula in wanted {
                    let formula = substitution.apply(&mut self.semantics.terms, formula);
                    let without = match self.mentions(formula, &unknown) {
                        true => {
                            let known = self.known(loc);
                            self.without(edge, &known, effect.guard, formula, &unknown)?
                        }
                        false => Some(formula),
                    };
                    if let Some(formula) = without {
                        before.push(Guarded {
                            guard: effect.guard,
                            formula,
                        });
                    }
                }
                if self.mentions(effect.guard, &unknown) {
                    for guarded in &mut before {
                        guarded.guard = always;
                    }
                }
                Some(before)
            }
        }
    }

    fn mentions(&self, formula: Term, symbols: &BTreeSet<Symbol>) -> bool {
        !symbols.is_empty() && !self.semantics.terms.free_symbols(&[formula]).is_disjoint(symbols)
    }

    /// A formula that does not speak of the unknown symbols and from which, with what is known, the formula follows
    /// whatever they are: `Some(None)` if it follows already, `None` if there is none.
    fn without(
        &mut self,
        edge: EdgeId,
        known: &[Term],
        guard: Term,
        formula: Term,
        unknown: &BTreeSet<Symbol>,
    ) -> Option<Option<Term>> {
        if self.semantics.terms.as_bool(formula) == Some(true) {
            return Some(None);
        }
        if !self.mentions(formula, unknown) {
            return Some(Some(formula));
        }
        let seen = self.seen.get(&edge).into_iter().flatten();
        let fails = seen.rev().any(|model| self.is_false(model, formula));
        if !fails {
            let mut premises = known.to_vec();
            premises.push(guard);
            match self.judge(&premises, formula) {
                Judged::Holds => return Some(None),
                Judged::Fails(model) => self.seen.entry(edge).or_default().push(*model),
                Judged::Unknown => {}
            }
        }
        let cases = self.semantics.terms.disjuncts(formula);
        let kept: Vec<Term> = cases
            .into_iter()
            .filter(|&case| !self.mentions(case, unknown))
            .collect();
        if !kept.is_empty() {
            return Some(Some(self.semantics.terms.any(&kept)));
        }
        self.case_that_suffices(known, guard, formula, unknown).map(Some)
    }

    /// A part of a formula about what memory holds that does not speak of the unknown symbols and that is enough for all of it.
    fn case_that_suffices(
        &mut self,
        known: &[Term],
        guard: Term,
        formula: Term,
        unknown: &BTreeSet<Symbol>,
    ) -> Option<Term> {
        if !self.semantics.speaks_of_contents(formula) {
            return None;
        }
        let mut cases = vec![self.semantics.watched_is_written()];
        for atom in self.semantics.terms.atoms(formula) {
            if !self.mentions(atom, unknown) && cases.len() < MAX_CASES {
                cases.extend([atom, self.semantics.terms.not(atom)]);
            }
        }
        let mut premises = known.to_vec();
        premises.push(guard);
        let mut enough = Vec::new();
        for case in cases {
            premises.push(case);
            if self.holds(&premises, formula) {
                enough.push(case);
            }
            premises.pop();
        }
        (!enough.is_empty()).then(|| self.semantics.terms.any(&enough))
    }

    fn before_call(
        &mut self,
        loc: LocId,
        edge: EdgeId,
        callee: FuncId,
        goal: Goal,
        wanted: Vec<Term>,
    ) -> Option<Vec<Guarded>> {
        let Ok(call) = Call::new(self.semantics, edge, callee) else {
            return match goal {
                Goal::NoError => {
                    let formula = self.semantics.terms.bool(false);
                    let guard = self.semantics.terms.bool(true);
                    Some(vec![Guarded { guard, formula }])
                }
                Goal::At(..) => Some(Vec::new()),
            };
        };
        let guard = call.enter.guard;
        let mut before = Vec::new();
        if let Goal::At(at, formula) = goal
            && at == self.entry_of(callee)
        {
            let formula = call.at_entry(self.semantics, formula);
            before.push(Guarded { guard, formula });
        }
        if wanted.is_empty() || !self.facts.is_reachable(self.exit_of(callee)) {
            return Some(before);
        }
        let changed = self.changes[callee].clone();
        let exit = self.exit_of(callee);
        let mut inside = Vec::new();
        for fact in self.known(exit) {
            inside.push(call.at_exit(self.semantics, &changed, fact));
        }
        let mut known = inside.clone();
        for fact in self.known(loc) {
            known.push(call.before(self.semantics, &changed, fact));
        }
        let guard_before = call.before(self.semantics, &changed, guard);
        let back = self.names_before(&changed);
        for formula in wanted {
            let mut formula = call.after(self.semantics, formula);
            formula = self.told(callee, &changed, &inside, formula);
            let unknown: BTreeSet<Symbol> = self
                .semantics
                .terms
                .free_symbols(&[formula])
                .into_iter()
                .filter(|symbol| self.is_inside(callee, &changed, *symbol))
                .collect();
            if let Some(formula) = self.without(edge, &known, guard_before, formula, &unknown)? {
                let mut back = Substitution::of_symbols(&self.semantics.terms, back.iter().copied());
                let formula = back.apply(&mut self.semantics.terms, formula);
                before.push(Guarded { guard, formula });
            }
        }
        Some(before)
    }

    /// Whether a symbol of a formula at the callee's exit has a value that the caller does not know before the call.
    fn is_inside(&self, callee: FuncId, changed: &BTreeSet<Symbol>, symbol: Symbol) -> bool {
        if changed.contains(&symbol) || self.semantics.role(callee, symbol) == Role::Result {
            return true;
        }
        let name = self.semantics.terms.symbol_name(symbol);
        name.ends_with("@inside")
    }

    /// What a changed symbol was before the call, and its name there.
    fn names_before(&mut self, changed: &BTreeSet<Symbol>) -> Vec<(Symbol, Term)> {
        let terms = &self.semantics.terms;
        let names = changed.iter().filter_map(|&symbol| {
            let before = terms.find_symbol(&format!("{}@before", terms.symbol_name(symbol)))?;
            Some((before, terms.symbol_term(symbol)))
        });
        names.collect()
    }

    /// The formula with what equations tell of values from inside the call put in.
    fn told(
        &mut self,
        callee: FuncId,
        changed: &BTreeSet<Symbol>,
        equations: &[Term],
        mut formula: Term,
    ) -> Term {
        for &equation in equations {
            if self.semantics.terms.op(equation) != Op::Eq {
                continue;
            }
            let args = self.semantics.terms.args(equation).to_vec();
            let Some(width) = self.semantics.terms.sort(args[0]).width() else {
                continue;
            };
            let minus_one = u128::MAX >> (128 - width);
            let mut sum = self.semantics.terms.linear(args[0]);
            sum.add_scaled(&self.semantics.terms.linear(args[1]), minus_one);
            let free = self.semantics.terms.free_symbols(&[formula]);
            let told = sum.monomials.iter().copied().find(|&(term, coefficient)| {
                let symbol = self.semantics.terms.as_symbol(term);
                let is_unit = coefficient == 1 || coefficient == minus_one;
                is_unit
                    && symbol.is_some_and(|symbol| {
                        free.contains(&symbol) && self.is_inside(callee, changed, symbol)
                    })
            });
            let Some((term, coefficient)) = told else {
                continue;
            };
            // coefficient · term + rest = 0
            let mut rest = Linear {
                width,
                constant: sum.constant,
                monomials: sum
                    .monomials
                    .iter()
                    .copied()
                    .filter(|&(other, _)| other != term)
                    .collect(),
            };
            rest.scale(if coefficient == 1 { minus_one } else { 1 });
            let value = self.semantics.terms.from_linear(&rest);
            let mut substitution = Substitution::new(&self.semantics.terms, [(term, value)]);
            formula = substitution.apply(&mut self.semantics.terms, formula);
        }
        formula
    }
}
