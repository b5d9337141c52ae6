//! Z3 expressions back as terms, and values of models. What has no term is `None`: the caller then does without.

use std::collections::BTreeMap;

use logic::{ArrayValue, Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashMap;
use z3_sys::{DeclKind, Z3_mk_fpa_to_ieee_bv};

use crate::encode::symbol_of;
use crate::z3::{Ast, Model};

/// The term of an expression over constants that are symbols of the pool.
pub fn decode(terms: &mut Terms, root: &Ast) -> Option<Term> {
    decode_with(root, &mut |ast, args| node(terms, ast, args))
}

/// Folds an expression from its leaves, without recursion.
pub fn decode_with<T: Copy>(root: &Ast, node: &mut dyn FnMut(&Ast, &[T]) -> Option<T>) -> Option<T> {
    let mut done: FxHashMap<u32, T> = FxHashMap::default();
    let mut stack = vec![root.clone()];
    while let Some(next) = stack.last().cloned() {
        if done.contains_key(&next.id()) {
            stack.pop();
            continue;
        }
        let children = next.children();
        let missing: Vec<Ast> = children
            .iter()
            .filter(|c| !done.contains_key(&c.id()))
            .cloned()
            .collect();
        if missing.is_empty() {
            stack.pop();
            let args: Vec<T> = children.iter().map(|c| done[&c.id()]).collect();
            done.insert(next.id(), node(&next, &args)?);
        } else {
            stack.extend(missing);
        }
    }
    done.get(&root.id()).copied()
}

fn node(terms: &mut Terms, ast: &Ast, args: &[Term]) -> Option<Term> {
    let fold = |terms: &mut Terms, f: fn(&mut Terms, Term, Term) -> Term| {
        args.iter().copied().reduce(|a, b| f(terms, a, b))
    };
    let (&a, &b) = match args {
        [] => (&terms.bool(true), &terms.bool(true)),
        [a] => (a, a),
        [a, b, ..] => (a, b),
    };
    Some(match ast.kind()? {
        DeclKind::True => terms.bool(true),
        DeclKind::False => terms.bool(false),
        DeclKind::Bnum => {
            let bits = ast.number()?.parse().ok()?;
            terms.word(ast.width()?, bits)
        }
        DeclKind::Uninterpreted if args.is_empty() => {
            let symbol = symbol_of(terms, &ast.name())?;
            terms.symbol_term(symbol)
        }
        DeclKind::Not => terms.not(a),
        DeclKind::And => terms.all(args),
        DeclKind::Or => terms.any(args),
        DeclKind::Implies => terms.implies(a, b),
        DeclKind::Xor => {
            let same = terms.iff(a, b);
            terms.not(same)
        }
        DeclKind::Eq | DeclKind::Iff => terms.eq(a, b),
        DeclKind::Ite => terms.ite(a, b, *args.get(2)?),
        DeclKind::Badd => fold(terms, Terms::add)?,
        DeclKind::Bmul => fold(terms, Terms::mul)?,
        DeclKind::Bsub => fold(terms, Terms::sub)?,
        DeclKind::Bneg => terms.neg(a),
        DeclKind::Band => fold(terms, Terms::bit_and)?,
        DeclKind::Bor => fold(terms, Terms::bit_or)?,
        DeclKind::Bxor => fold(terms, Terms::bit_xor)?,
        DeclKind::Bnot => terms.bit_not(a),
        DeclKind::Budiv | DeclKind::BudivI => terms.udiv(a, b),
        DeclKind::Burem | DeclKind::BuremI => terms.urem(a, b),
        DeclKind::Bsdiv | DeclKind::BsdivI => terms.sdiv(a, b),
        DeclKind::Bsrem | DeclKind::BsremI => terms.srem(a, b),
        DeclKind::Bshl => terms.shl(a, b),
        DeclKind::Blshr => terms.lshr(a, b),
        DeclKind::Bashr => terms.ashr(a, b),
        DeclKind::Uleq => terms.ule(a, b),
        DeclKind::Ult => terms.ult(a, b),
        DeclKind::Ugeq => terms.ule(b, a),
        DeclKind::Ugt => terms.ult(b, a),
        DeclKind::Sleq => terms.sle(a, b),
        DeclKind::Slt => terms.slt(a, b),
        DeclKind::Sgeq => terms.sle(b, a),
        DeclKind::Sgt => terms.slt(b, a),
        DeclKind::Concat => {
            if args.iter().filter_map(|t| terms.sort(*t).width()).sum::<u32>() > Sort::MAX_WIDTH {
                return None;
            }
            fold(terms, Terms::concat)?
        }
        DeclKind::Extract => terms.extract(ast.parameter(0)?, ast.parameter(1)?, a),
        DeclKind::SignExt | DeclKind::ZeroExt => {
            let width = ast.width().filter(|w| *w <= Sort::MAX_WIDTH)?;
            terms.resize(width, a, ast.kind() == Some(DeclKind::SignExt))
        }
        DeclKind::Bit2bool => {
            let bit = ast.parameter(0)?;
            let bit = terms.extract(bit, bit, a);
            terms.is_nonzero(bit)
        }
        DeclKind::Select if args.len() == 2 => terms.select(a, b),
        DeclKind::Store if args.len() == 3 => terms.store(a, b, args[2]),
        _ => return None,
    })
}

/// The value that a model gives a symbol whose expression is `constant`.
pub fn value_of(model: &Model, terms: &Terms, symbol: Symbol, constant: &Ast) -> Option<Value> {
    let sort = terms.symbol_sort(symbol);
    match sort {
        Sort::Array { index, element } => {
            let value = model.eval(constant).ok()?;
            array_value(model, &value, index, element.into())
        }
        _ => scalar(model, &model.eval(constant).ok()?, sort),
    }
}

fn scalar(model: &Model, value: &Ast, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => value.truth().map(Value::Bool),
        Sort::BitVec(width) => Some(Value::word(width, value.number()?.parse().ok()?)),
        Sort::Float(kind) => {
            if value.is_nan() {
                return Some(Value::float(kind, u128::MAX >> (128 - kind.width() + 1)));
            }
            let bits = value.context().unary(Z3_mk_fpa_to_ieee_bv, value).ok()?;
            let bits = model.eval(&bits).ok()?.number()?.parse().ok()?;
            Some(Value::float(kind, bits))
        }
        Sort::Array { .. } => None,
    }
}

/// An array's value is a chain of stores over a constant array or over a function given by a table.
fn array_value(model: &Model, value: &Ast, index: u32, element: Sort) -> Option<Value> {
    let word = |ast: &Ast| scalar(model, ast, Sort::BitVec(index))?.as_word();
    let mut stores: Vec<(u128, Value)> = Vec::new();
    let mut base = value.clone();
    loop {
        let args = base.children();
        match base.kind()? {
            DeclKind::Store if args.len() == 3 => {
                stores.push((word(&args[1])?, scalar(model, &args[2], element)?));
                base = args[0].clone();
            }
            DeclKind::ConstArray => {
                let default = scalar(model, &args[0], element)?;
                let entries: BTreeMap<u128, Value> = stores.into_iter().rev().collect();
                return Some(Value::Array(ArrayValue::from_entries(index, default, entries)));
            }
            DeclKind::AsArray => {
                let (table, default) = model.function_of(&base)?;
                let mut entries = BTreeMap::new();
                for (at, value) in table {
                    entries.insert(word(&at)?, scalar(model, &value, element)?);
                }
                entries.extend(stores.into_iter().rev());
                let default = scalar(model, &default, element)?;
                return Some(Value::Array(ArrayValue::from_entries(index, default, entries)));
            }
            _ => return None,
        }
    }
}
