//! Terms of another semantics of the same program: what they say is kept, by what their symbols stand for.

use logic::{Op, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::storage::{Semantics, Storage};

/// Takes terms from one semantics to another; what was taken before is not gone through again.
pub struct Import<'a, 'p> {
    from: &'a Semantics<'p>,
    done: FxHashMap<Term, Term>,
}

impl<'a, 'p> Import<'a, 'p> {
    pub fn new(from: &'a Semantics<'p>) -> Import<'a, 'p> {
        Import {
            from,
            done: FxHashMap::default(),
        }
    }

    /// The same term there; `None` if it speaks of something that is no storage of the program, or of other storage there.
    pub fn term(&mut self, to: &mut Semantics<'_>, term: Term) -> Option<Term> {
        let terms = &self.from.terms;
        for next in terms.subterms(&[term]) {
            if self.done.contains_key(&next) {
                continue;
            }
            let sort = terms.sort(next);
            let taken = match terms.op(next) {
                Op::Symbol(symbol) => {
                    let symbol = symbol_there(self.from, to, symbol)?;
                    to.terms.symbol_term(symbol)
                }
                op => {
                    let args: Vec<Term> = terms.args(next).iter().map(|arg| self.done[arg]).collect();
                    to.terms.rebuild(op, sort, &args)
                }
            };
            if to.terms.sort(taken) != sort {
                return None;
            }
            self.done.insert(next, taken);
        }
        Some(self.done[&term])
    }
}

fn symbol_there(from: &Semantics<'_>, to: &mut Semantics<'_>, symbol: Symbol) -> Option<Symbol> {
    let storage = match from.storage_of(symbol)? {
        Storage::AtEntry(function, inner) => Storage::AtEntry(function, symbol_there(from, to, inner)?),
        other => other,
    };
    Some(to.symbol(storage))
}
