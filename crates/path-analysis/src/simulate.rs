//! Forward simulation: the strongest postcondition of a path, with a symbolic constant for everything unknown.

use std::rc::Rc;

use budget::Budget;
use logic::{Substitution, Symbol, Term};
use program::VarKind;
use rustc_hash::FxHashMap;
use semantics::{Effect, FreshCause, Path, Semantics, Step, Storage, Unsupported};
use verdict::Reason;

use crate::activations::{Activations, owner, place_addresses, region_size};
use crate::definitions::{Computed, Condition, DefId, Definition};
use crate::input::{Cause, Unknown};

/// What a simulated path leaves behind.
pub(crate) struct Simulation {
    pub activations: Activations,
    pub definitions: Vec<Definition>,
    pub conditions: Vec<Condition>,
    /// In the order met.
    pub unknowns: Vec<Unknown>,
    /// New memory, in the order of its addresses, which is that of the path.
    pub allocations: Vec<Allocation>,
    /// What must hold for the steps to be defined, with the step, in terms of symbolic constants.
    pub defined: Vec<(usize, Term)>,
    /// The effect of the program's start, and of each step.
    pub start: Effect,
    pub effects: Vec<Rc<Effect>>,
}

/// Memory that a step of the path allocates.
pub(crate) struct Allocation {
    pub step: usize,
    pub address: u64,
    pub size: u64,
}

impl Allocation {
    /// Where the next begins: never right behind.
    pub fn end(&self) -> u64 {
        self.address + (self.size + 16).next_multiple_of(16)
    }
}

/// New memory lies above the variables of so many nested activations of a function.
pub(crate) const NESTED: u64 = 128;

/// Why a path cannot be simulated.
pub(crate) struct Stop {
    pub reason: Reason,
}

impl From<budget::Exhausted> for Stop {
    fn from(exhausted: budget::Exhausted) -> Stop {
        Stop {
            reason: exhausted.into(),
        }
    }
}

pub(crate) fn simulate(
    semantics: &mut Semantics<'_>,
    path: &Path,
    budget: &Budget,
) -> Result<Simulation, Stop> {
    let start = semantics.initial().map_err(|unsupported| Stop {
        reason: Reason::Unsupported {
            what: format!("the program's initial values need {unsupported}"),
            at: None,
        },
    })?;
    let mut simulator = Simulator {
        semantics,
        globals: FxHashMap::default(),
        frames: vec![FxHashMap::default()],
        result: Simulation {
            activations: Activations::new(path),
            definitions: Vec::new(),
            conditions: Vec::new(),
            unknowns: Vec::new(),
            allocations: Vec::new(),
            defined: Vec::new(),
            start: start.clone(),
            effects: Vec::with_capacity(path.steps.len()),
        },
    };
    simulator.apply(None, 0, &start, 0);
    for (index, &step) in path.steps.iter().enumerate() {
        budget.check()?;
        let effect = simulator.semantics.effect_anew(step);
        let effect = effect.map_err(|unsupported| simulator.unsupported(step, &unsupported))?;
        simulator.step(index, step, &effect)?;
        simulator.result.effects.push(effect);
    }
    Ok(simulator.result)
}

struct Simulator<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    globals: FxHashMap<Symbol, DefId>,
    /// The storage of the activations that are open, innermost last.
    frames: Vec<FxHashMap<Symbol, DefId>>,
    result: Simulation,
}

impl Simulator<'_, '_> {
    fn unsupported(&self, step: Step, unsupported: &Unsupported) -> Stop {
        let program = self.semantics.program;
        let place = program.edges[step.edge()]
            .span
            .map(|span| format!("{}: ", program.sources.describe_line(&span)))
            .unwrap_or_default();
        Stop {
            reason: Reason::Unsupported {
                what: format!("{place}not supported: {unsupported}"),
                at: None,
            },
        }
    }

    fn step(&mut self, index: usize, step: Step, effect: &Effect) -> Result<(), Stop> {
        match step {
            Step::Edge(_) | Step::Outside { .. } | Step::Elsewhere(_) => {}
            Step::Enter { callee, .. } => self.check_recursive_addresses(index, callee, effect)?,
            Step::Leave { .. } => {
                let frame = self
                    .frames
                    .pop()
                    .expect("a well-formed path leaves what it entered");
                for definition in frame.into_values() {
                    self.result.definitions[definition].died = index + 1;
                }
            }
        }
        for fresh in &effect.fresh {
            self.input(index, fresh.symbol, fresh.cause);
        }
        let activation = self.result.activations.of_step(index);
        let guard = self.computed(index, activation, effect.guard);
        if self.semantics.terms.as_bool(effect.guard) != Some(true) {
            let exact = self.exact(&guard);
            self.result.conditions.push(Condition {
                step: index,
                guard,
                exact,
            });
        }
        for &required in &effect.defined {
            let computed = self.computed(index, activation, required);
            let exact = self.exact(&computed);
            if self.semantics.terms.as_bool(exact) != Some(true) {
                self.result.defined.push((index, exact));
            }
        }
        self.apply(Some(index), activation, effect, index + 1);
        Ok(())
    }

    /// A recursive call that mentions addresses of its function's variables could mean an outer activation's or its
    /// own.
    fn check_recursive_addresses(
        &mut self,
        index: usize,
        callee: program::FuncId,
        effect: &Effect,
    ) -> Result<(), Stop> {
        let activations = &self.result.activations;
        if activations.all[activations.at[index + 1]].depth == 0 {
            return Ok(());
        }
        let roots: Vec<Term> = effect.updates.iter().map(|&(_, value)| value).collect();
        for symbol in self.semantics.terms.free_symbols(&roots) {
            if matches!(self.semantics.storage_of(symbol), Some(Storage::Address(_)))
                && owner(self.semantics, symbol) == Some(callee)
            {
                let name = &self.semantics.program.functions[callee].name;
                return Err(Stop {
                    reason: Reason::Unsupported {
                        what: format!("not supported: `{name}` calls itself with its variables' addresses"),
                        at: None,
                    },
                });
            }
        }
        Ok(())
    }

    /// Makes the effect's definitions, born at a position.
    fn apply(&mut self, step: Option<usize>, activation: usize, effect: &Effect, born: usize) {
        let mut made = Vec::with_capacity(effect.updates.len());
        for &(symbol, value) in &effect.updates {
            let computed = self.computed(step.unwrap_or(0), activation, value);
            let exact = self.exact(&computed);
            made.push((symbol, computed, exact));
        }
        // The callee's storage is that of a new activation.
        let inside = self.result.activations.at[born];
        if self.result.activations.all[inside].entry == born && born > 0 && step.is_some() {
            self.frames.push(FxHashMap::default());
        }
        for (symbol, value, exact) in made {
            let local = owner(self.semantics, symbol).is_some() && !self.is_result(symbol);
            self.define(Definition {
                symbol,
                activation: local.then_some(inside),
                step,
                born,
                died: usize::MAX,
                value: Some(value),
                exact,
            });
        }
    }

    fn is_result(&self, symbol: Symbol) -> bool {
        matches!(self.semantics.storage_of(symbol), Some(Storage::Result(..)))
    }

    fn define(&mut self, definition: Definition) -> DefId {
        let id = self.result.definitions.len();
        let (symbol, born) = (definition.symbol, definition.born);
        let scope = match definition.activation {
            Some(_) => self.frames.last_mut().expect("the path is in an activation"),
            None => &mut self.globals,
        };
        if let Some(old) = scope.insert(symbol, id) {
            self.result.definitions[old].died = born;
        }
        self.result.definitions.push(definition);
        id
    }

    /// An unknown that a step makes; it is never storage.
    fn input(&mut self, step: usize, symbol: Symbol, cause: FreshCause) {
        let exact = match cause {
            FreshCause::Allocation { size } => self.allocation(step, size),
            _ => self.semantics.terms.symbol_term(symbol),
        };
        self.result.unknowns.push(Unknown {
            symbol,
            exact,
            cause: Cause::Edge(cause),
            step: Some(step),
        });
        self.define(Definition {
            symbol,
            activation: None,
            step: Some(step),
            born: step,
            died: usize::MAX,
            value: None,
            exact,
        });
    }

    /// New memory lies apart from all else.
    fn allocation(&mut self, step: usize, size: Term) -> Term {
        const UNKNOWN_SIZE: u64 = 1 << 20;
        let activation = self.result.activations.of_step(step);
        let size = self.computed(step, activation, size);
        let size = self.exact(&size);
        let size = self.semantics.terms.as_word(size);
        let size = size
            .and_then(|size| u64::try_from(size).ok())
            .unwrap_or(UNKNOWN_SIZE);
        let address = match self.result.allocations.last() {
            Some(last) => last.end(),
            None => region_size(self.semantics) * NESTED,
        };
        self.result.allocations.push(Allocation { step, address, size });
        let bits = self.semantics.pointer_bits();
        self.semantics.terms.word(bits, u128::from(address))
    }

    /// The term with the definitions of its symbols; what has none gets a symbolic constant.
    fn computed(&mut self, step: usize, activation: usize, term: Term) -> Computed {
        let mut uses = Vec::new();
        for symbol in self.semantics.terms.free_symbols(&[term]) {
            if !matches!(self.semantics.storage_of(symbol), Some(Storage::Address(_))) {
                uses.push((symbol, self.definition(step, activation, symbol)));
            }
        }
        Computed {
            term,
            uses,
            activation,
        }
    }

    fn definition(&mut self, step: usize, activation: usize, symbol: Symbol) -> DefId {
        let local = owner(self.semantics, symbol).is_some() && !self.is_result(symbol);
        let scope = if local {
            self.frames.last().expect("the path is in an activation")
        } else {
            &self.globals
        };
        if let Some(&known) = scope.get(&symbol) {
            return known;
        }
        let storage = self
            .semantics
            .storage_of(symbol)
            .expect("a step's unknowns are defined before they are used");
        let name = format!("θ{}", self.semantics.terms.symbol_name(symbol));
        let sort = self.semantics.terms.symbol_sort(symbol);
        let info = self.semantics.terms.symbol_info(symbol).clone();
        let constant = self.semantics.terms.fresh_symbol(&name, sort, info);
        let cause = match storage {
            Storage::Variable(var, part)
                if activation == 0 && self.semantics.program.vars[var].kind == VarKind::Param =>
            {
                Cause::Parameter(var, part)
            }
            Storage::Variable(var, part) => Cause::Unset(var, part),
            Storage::Memory(class) => Cause::Memory(class),
            _ => Cause::Other,
        };
        let born = if local {
            self.result.activations.all[activation].entry
        } else {
            0
        };
        let before = matches!(cause, Cause::Parameter(..) | Cause::Memory(_)) || !local;
        let exact = self.semantics.terms.symbol_term(constant);
        self.result.unknowns.push(Unknown {
            symbol: constant,
            exact,
            cause,
            step: (!before).then_some(step),
        });
        self.define(Definition {
            symbol,
            activation: local.then_some(activation),
            step: None,
            born,
            died: usize::MAX,
            value: None,
            exact,
        })
    }

    fn exact(&mut self, computed: &Computed) -> Term {
        let activation = self.result.activations.all[computed.activation].clone();
        let placed = place_addresses(self.semantics, &activation, computed.term);
        let definitions = &self.result.definitions;
        let pairs: Vec<(Symbol, Term)> = computed
            .uses
            .iter()
            .map(|&(symbol, used)| (symbol, definitions[used].exact))
            .collect();
        Substitution::of_symbols(&self.semantics.terms, pairs).apply(&mut self.semantics.terms, placed)
    }
}
