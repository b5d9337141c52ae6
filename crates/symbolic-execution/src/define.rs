//! How an execution's store comes about: definitions from terms, and an unknown wherever there is nothing to define from.

use logic::{Substitution, Symbol, Term};
use program::VarKind;
use semantics::{Effect, FreshCause, Semantics, Storage, owner};

use crate::definitions::{Computed, Condition, DefId, Definition};
use crate::execution::{Addresses, Execution, Taken};
use crate::layout::{Allocation, UNKNOWN_SIZE, address_in, heap_start};
use crate::persistent::Map;
use crate::unknown::{Cause, Unknown};

impl Execution {
    pub(crate) fn require(
        &mut self,
        semantics: &mut Semantics<'_>,
        step: usize,
        activation: usize,
        effect: &Effect,
    ) -> Taken {
        let is_open = |semantics: &Semantics<'_>, term| semantics.terms.as_bool(term) != Some(true);
        let mut taken = Taken::default();
        if is_open(semantics, effect.guard) {
            let (guard, exact) = self.computed(semantics, activation, effect.guard);
            taken.condition = is_open(semantics, exact).then_some(exact);
            self.conditions.push(Condition { step, guard, exact });
        }
        for &required in &effect.defined {
            let (_, exact) = self.computed(semantics, activation, required);
            if is_open(semantics, exact) {
                self.defined.push((step, exact));
                taken.defined.push(exact);
            }
        }
        taken
    }

    pub(crate) fn computed_updates(
        &mut self,
        semantics: &mut Semantics<'_>,
        activation: usize,
        effect: &Effect,
    ) -> Vec<(Symbol, Computed, Term)> {
        let updates = effect.updates.iter();
        updates
            .map(|&(symbol, value)| {
                let (computed, exact) = self.computed(semantics, activation, value);
                (symbol, computed, exact)
            })
            .collect()
    }

    /// Makes the definitions of a step, or of the start.
    pub(crate) fn define_all(
        &mut self,
        semantics: &Semantics<'_>,
        step: Option<usize>,
        inside: usize,
        made: Vec<(Symbol, Computed, Term)>,
    ) {
        let born = step.map_or(0, |step| step + 1);
        for (symbol, value, exact) in made {
            self.define(Definition {
                symbol,
                activation: is_local(semantics, symbol).then_some(inside),
                step,
                born,
                died: usize::MAX,
                value: Some(value),
                exact,
            });
        }
    }

    pub(crate) fn remember(
        &mut self,
        symbol: Symbol,
        activation: usize,
        position: usize,
        value: Computed,
        exact: Term,
    ) {
        self.define(Definition {
            symbol,
            activation: Some(activation),
            step: position.checked_sub(1),
            born: position,
            died: usize::MAX,
            value: Some(value),
            exact,
        });
    }

    fn define(&mut self, definition: Definition) -> DefId {
        let id = self.definitions.len();
        let (key, born) = (definition.symbol.index(), definition.born);
        let scope = match definition.activation {
            Some(activation) => self
                .frames
                .get_mut(activation)
                .expect("an activation has a frame"),
            None => &mut self.globals,
        };
        if let Some(old) = scope.insert(key, id) {
            self.dies(old, born);
        }
        self.definitions.push(definition);
        id
    }

    pub(crate) fn input_at(
        &mut self,
        semantics: &mut Semantics<'_>,
        step: usize,
        activation: usize,
        symbol: Symbol,
        cause: FreshCause,
    ) {
        if let (FreshCause::Allocation { size }, Addresses::Chosen) = (cause, self.addresses) {
            let (_, size) = self.computed(semantics, activation, size);
            let exact = self.allocate(semantics, step, size);
            self.unknown(Some(step), symbol, exact, Cause::Edge(cause));
        } else {
            self.input(semantics, Some(step), symbol, cause);
        }
    }

    /// An unknown that a step makes, or the start; it is never storage.
    pub(crate) fn input(
        &mut self,
        semantics: &Semantics<'_>,
        step: Option<usize>,
        symbol: Symbol,
        cause: FreshCause,
    ) {
        let exact = semantics.terms.symbol_term(symbol);
        self.unknown(step, symbol, exact, Cause::Edge(cause));
    }

    fn unknown(&mut self, step: Option<usize>, symbol: Symbol, exact: Term, cause: Cause) {
        self.unknowns.push(Unknown {
            symbol,
            exact,
            cause,
            step,
        });
        self.define(Definition {
            symbol,
            activation: None,
            step,
            born: step.unwrap_or(0),
            died: usize::MAX,
            value: None,
            exact,
        });
    }

    /// New memory lies apart from all else.
    fn allocate(&mut self, semantics: &mut Semantics<'_>, step: usize, size: Term) -> Term {
        let size = semantics.terms.as_word(size);
        let size = size.and_then(|size| u64::try_from(size).ok());
        let address = match self.allocations.last() {
            Some(last) => last.end(),
            None => heap_start(semantics),
        };
        self.allocations.push(Allocation {
            step,
            address,
            size: size.unwrap_or(UNKNOWN_SIZE),
        });
        let bits = semantics.pointer_bits();
        semantics.terms.word(bits, u128::from(address))
    }

    pub(crate) fn scope(&self, is_local: bool, activation: usize) -> &Map<DefId> {
        match is_local {
            true => &self.frames[activation],
            false => &self.globals,
        }
    }

    /// The term with the definitions of its symbols, and its value; what has no definition becomes an unknown.
    pub(crate) fn computed(
        &mut self,
        semantics: &mut Semantics<'_>,
        activation: usize,
        term: Term,
    ) -> (Computed, Term) {
        let mut uses = Vec::new();
        let mut addresses = Vec::new();
        for symbol in semantics.terms.free_symbols(&[term]) {
            match semantics.storage_of(symbol) {
                Some(Storage::Address(var)) => addresses.push((symbol, var)),
                storage => uses.push((symbol, self.definition(semantics, activation, symbol, storage))),
            }
        }
        let mut exact = term;
        if !addresses.is_empty() && self.addresses == Addresses::Chosen {
            let of = self.activations[activation];
            let pairs: Vec<(Symbol, Term)> = addresses
                .into_iter()
                .map(|(symbol, var)| (symbol, address_in(semantics, &of, var)))
                .collect();
            exact = Substitution::of_symbols(&semantics.terms, pairs).apply(&mut semantics.terms, exact);
        }
        if !uses.is_empty() {
            let values = uses.iter();
            let values = values.map(|&(symbol, used)| (symbol, self.definitions[used].exact));
            let mut values = Substitution::of_symbols(&semantics.terms, values);
            exact = values.apply(&mut semantics.terms, exact);
        }
        let computed = Computed {
            term,
            uses: uses.into(),
            activation,
        };
        (computed, exact)
    }

    fn definition(
        &mut self,
        semantics: &mut Semantics<'_>,
        activation: usize,
        symbol: Symbol,
        storage: Option<Storage>,
    ) -> DefId {
        let local = is_local(semantics, symbol);
        if let Some(&known) = self.scope(local, activation).get(symbol.index()) {
            return known;
        }
        let name = format!("θ{}", semantics.terms.symbol_name(symbol));
        let sort = semantics.terms.symbol_sort(symbol);
        let info = semantics.terms.symbol_info(symbol).clone();
        let constant = semantics.terms.fresh_symbol(&name, sort, info);
        let cause = match storage {
            Some(Storage::Variable(var, part))
                if activation == 0 && semantics.program.vars[var].kind == VarKind::Param =>
            {
                Cause::Parameter(var, part)
            }
            Some(Storage::Variable(var, part)) => Cause::Unset(var, part),
            Some(Storage::Memory(class)) => Cause::Memory(class),
            // A step's unknowns are defined before they are used: this stands for just anything.
            _ => Cause::Other,
        };
        let before = matches!(cause, Cause::Parameter(..) | Cause::Memory(_)) || !local;
        let exact = semantics.terms.symbol_term(constant);
        self.unknowns.push(Unknown {
            symbol: constant,
            exact,
            cause,
            step: (!before).then_some(self.steps.len()),
        });
        self.define(Definition {
            symbol,
            activation: local.then_some(activation),
            step: None,
            born: if local {
                self.activations[activation].entry
            } else {
                0
            },
            died: usize::MAX,
            value: None,
            exact,
        })
    }

    pub(crate) fn dies(&mut self, id: DefId, position: usize) {
        let definition = self.definitions.get_mut(id);
        definition.expect("what is in the store is defined").died = position;
    }
}

/// Whether each activation has such storage of its own. Results are handed over from one to the next.
pub(crate) fn is_local(semantics: &Semantics<'_>, symbol: Symbol) -> bool {
    owner(semantics, symbol).is_some() && !matches!(semantics.storage_of(symbol), Some(Storage::Result(..)))
}
