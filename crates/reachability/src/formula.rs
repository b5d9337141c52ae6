//! Sets of states as compact formulas over the program's variables.
//!
//! Literals that hold in all states are pulled out; the rest is an irredundant sum of products (Minato, Morreale) or the
//! complement of one, whichever is shorter. Of states that cannot be whatever happens, such as those in which one variable
//! has two values, nothing need be said: that makes formulas of many variables that exclude each other short.

use std::collections::{BTreeSet, HashMap, HashSet};

use boolean_program::{Expr, VarId};
use budget::Budget;

use crate::bdd::{Bdd, BddVar, Bdds, Stop};

/// More products than this are not worth printing.
const MAX_PRODUCTS: usize = 20_000;

/// Neither is it worth more memory than this many literals take.
const MAX_LITERALS: usize = 500 * MAX_PRODUCTS;

/// A product of literals.
type Product = Vec<(BddVar, bool)>;

/// How much a formula's length matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// The shorter of the two ways round.
    Short,
    /// A short one is good enough: finding the other way round takes as long again.
    Quick,
}

/// The formula of a set of states, or `None` if it is too large. Where there are others than the `possible` states, it may be
/// true or false of them. `name` gives the program's variable for each variable of the diagram.
pub(crate) fn formula(
    bdds: &Bdds,
    states: &Bdd,
    possible: &Bdd,
    name: &impl Fn(BddVar) -> VarId,
    care: Care,
    budget: &Budget,
) -> Result<Option<Expr>, Stop> {
    let (fixed, rest) = pull_literals(bdds, states.clone(), budget)?;
    const SHORT: usize = 40;
    let mut possible = possible.clone();
    for &(var, value) in &fixed {
        possible = possible.restrict(&bdds.literal(var, value)?)?;
    }
    let among = rest.and(&possible)?;
    let size = |products: &Option<Vec<Product>>| {
        products
            .as_ref()
            .map_or(usize::MAX, |it| it.iter().map(Vec::len).sum())
    };
    let negative = products(bdds, &possible.minus(&rest)?, &among.not()?, MAX_PRODUCTS, budget)?;
    let positive = match &negative {
        Some(products) if care == Care::Quick && (1..=SHORT).contains(&products.len()) => None,
        // Longer than the other one it is of no use: what many variables are independently of each other is short one way round,
        // and exponentially long the other.
        _ => {
            let most = size(&negative).min(MAX_PRODUCTS);
            products(bdds, &among, &rest.or(&possible.not()?)?, most, budget)?
        }
    };
    let literal = |var: BddVar, value: bool| Expr::literal(name(var), value);
    let rest = match (positive, negative) {
        (None, None) => return Ok(None),
        // Nothing left but true or false.
        (Some(products), _) if products.is_empty() => Expr::FALSE,
        (_, Some(products)) if products.is_empty() => Expr::TRUE,
        (positive, negative) if size(&positive) <= size(&negative) => {
            let products = sorted(positive.unwrap_or_default(), name);
            Expr::any(
                products
                    .iter()
                    .map(|product| Expr::all(product.iter().map(|&(var, value)| literal(var, value)))),
            )
        }
        (_, negative) => {
            let products = sorted(negative.unwrap_or_default(), name);
            Expr::all(
                products
                    .iter()
                    .map(|product| Expr::any(product.iter().map(|&(var, value)| literal(var, !value)))),
            )
        }
    };
    let mut fixed: Vec<(VarId, bool)> = fixed.into_iter().map(|(var, value)| (name(var), value)).collect();
    fixed.sort_unstable();
    let mut parts: Vec<Expr> = fixed
        .into_iter()
        .map(|(var, value)| Expr::literal(var, value))
        .collect();
    match rest {
        Expr::Const(true) => {}
        Expr::Const(false) => return Ok(Some(Expr::FALSE)),
        Expr::And(more) => parts.extend(more),
        rest => parts.push(rest),
    }
    Ok(Some(Expr::all(parts)))
}

/// In the order of the program's variables, whatever the order of the diagram.
fn sorted(mut products: Vec<Product>, name: &impl Fn(BddVar) -> VarId) -> Vec<Product> {
    for product in &mut products {
        product.sort_by_key(|&(var, value)| (name(var), value));
    }
    products.sort_by_key(|product| {
        product
            .iter()
            .map(|&(var, value)| (name(var), value))
            .collect::<Vec<_>>()
    });
    products
}

/// The literals that a function implies, and the function without them.
fn pull_literals(bdds: &Bdds, mut function: Bdd, budget: &Budget) -> Result<(Product, Bdd), Stop> {
    let mut literals = Vec::new();
    if function.is_false() {
        return Ok((literals, function));
    }
    for var in support(&function, budget)? {
        for value in [true, false] {
            let other = bdds.literal(var, !value)?;
            if function.restrict(&other)?.is_false() {
                function = function.restrict(&bdds.literal(var, value)?)?;
                literals.push((var, value));
                break;
            }
        }
    }
    Ok((literals, function))
}

/// The variables a function depends on, by number.
fn support(function: &Bdd, budget: &Budget) -> Result<Vec<BddVar>, Stop> {
    // All parts stay alive with the function, so their numbers stay theirs.
    let mut seen = HashSet::new();
    let mut variables = BTreeSet::new();
    let mut open = vec![function.clone()];
    while let Some(function) = open.pop() {
        budget.check()?;
        if let Some((var, high, low)) = function.branch()
            && seen.insert(function.id())
        {
            variables.insert(var);
            open.extend([high, low]);
        }
    }
    Ok(variables.into_iter().collect())
}

/// An irredundant sum of at most so many products that covers `lower` and stays inside `upper`; `None` if it is longer, or
/// takes more nodes than there is room for.
fn products(
    bdds: &Bdds,
    lower: &Bdd,
    upper: &Bdd,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Product>>, Stop> {
    let mut search = Products {
        bdds,
        budget,
        known: HashMap::new(),
        most,
        literals: 0,
    };
    let cover = search.cover(lower, upper);
    drop(search);
    match cover {
        Ok(cover) => Ok(cover.map(|(products, _)| products)),
        // What fills the table is too long, too; the other way round may not be.
        Err(Stop::Nodes) => {
            bdds.collect_garbage();
            Ok(None)
        }
        Err(stop) => Err(stop),
    }
}

/// A bounded function and what covers it.
struct Cover {
    _bounds: (Bdd, Bdd),
    products: Vec<Product>,
    function: Bdd,
}

struct Products<'b> {
    bdds: &'b Bdds,
    budget: &'b Budget,
    /// By the numbers of lower and upper bound, which are kept so that the numbers stay theirs.
    known: HashMap<(usize, usize), Cover>,
    /// More products than this are too many.
    most: usize,
    /// The literals of the products made so far, those that were parts of others included.
    literals: usize,
}

impl Products<'_> {
    /// Products that cover `lower` and stay inside `upper`, with the function they denote. Recursion is as deep as the
    /// diagram has levels.
    fn cover(&mut self, lower: &Bdd, upper: &Bdd) -> Result<Option<(Vec<Product>, Bdd)>, Stop> {
        if lower.is_false() {
            return Ok(Some((Vec::new(), self.bdds.bottom())));
        }
        if upper.is_true() {
            return Ok(Some((vec![Vec::new()], self.bdds.top())));
        }
        let key = (lower.id(), upper.id());
        if let Some(known) = self.known.get(&key) {
            return Ok(Some((known.products.clone(), known.function.clone())));
        }
        self.budget.check()?;
        let top = if lower.level() <= upper.level() {
            lower
        } else {
            upper
        };
        let (var, ..) = top.branch().expect("one of the two is not constant");
        let (lower_high, lower_low) = split(lower, var);
        let (upper_high, upper_low) = split(upper, var);
        // What only one branch can cover needs the literal; the rest does without.
        let Some((low, low_function)) = self.cover(&lower_low.minus(&upper_high)?, &upper_low)? else {
            return Ok(None);
        };
        let Some((high, high_function)) = self.cover(&lower_high.minus(&upper_low)?, &upper_high)? else {
            return Ok(None);
        };
        let open = lower_low
            .minus(&low_function)?
            .or(&lower_high.minus(&high_function)?)?;
        let Some((both, both_function)) = self.cover(&open, &upper_low.and(&upper_high)?)? else {
            return Ok(None);
        };

        let mut products = both;
        let with = |value| {
            move |mut product: Product| {
                product.push((var, value));
                product
            }
        };
        products.extend(low.into_iter().map(with(false)));
        products.extend(high.into_iter().map(with(true)));
        self.literals += products.iter().map(Vec::len).sum::<usize>();
        if products.len() > self.most || self.literals > MAX_LITERALS {
            return Ok(None);
        }
        let literal = self.bdds.literal(var, true)?;
        let function = literal
            .and(&high_function)?
            .or(&low_function.minus(&literal)?)?
            .or(&both_function)?;
        let bounds = (lower.clone(), upper.clone());
        self.known.insert(
            key,
            Cover {
                _bounds: bounds,
                products: products.clone(),
                function: function.clone(),
            },
        );
        Ok(Some((products, function)))
    }
}

/// The functions for `var` true and false, where `var` is not below the topmost variable.
fn split(function: &Bdd, var: BddVar) -> (Bdd, Bdd) {
    match function.branch() {
        Some((top, high, low)) if top == var => (high, low),
        _ => (function.clone(), function.clone()),
    }
}
