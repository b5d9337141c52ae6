//! What memory held that a path reads before it writes it, out of the values of the path's unknowns: the contents of
//! new objects, and of memory that is none of the program's, where unknown pointers point to.

use std::collections::BTreeMap;

use logic::{Assignment, EvalError, FloatKind, Op, Symbol, Term, Value};
use program::{BitRange, EdgeKind, Id, PlaceKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{FreshCause, Semantics, Step};
use verdict::{Born, Content, GivenMemory, Object, Placed, Written};

use crate::execution::Execution;
use crate::layout::{heap_start, region_size};
use crate::unknown::{Cause, Unknown};

/// Bytes by offset or address.
type Cells = BTreeMap<u64, Vec<u8>>;

/// What an address of the path's layout belongs to, and the offset there.
pub(crate) enum Home {
    /// By its position among the path's allocations.
    Allocation(usize, u64),
    Variable(VarId, u64),
    Environment,
    /// Between objects.
    Nowhere,
}

impl Execution {
    /// What memory held before the path wrote it, as far as the terms read it, for the values of the path's unknowns in a
    /// model. What lies in the environment is for [`crate::point_apart`] to say.
    pub fn initial_memory(
        &self,
        semantics: &mut Semantics<'_>,
        roots: &[Term],
        model: &Assignment,
    ) -> Result<GivenMemory, EvalError> {
        initial_memory(semantics, self, roots, model)
    }
}

fn initial_memory(
    semantics: &mut Semantics<'_>,
    execution: &Execution,
    roots: &[Term],
    model: &Assignment,
) -> Result<GivenMemory, EvalError> {
    let unknowns: FxHashMap<Symbol, &Unknown> = execution
        .unknowns()
        .iter()
        .map(|unknown| (unknown.symbol, unknown))
        .collect();
    let mut born: BTreeMap<usize, Cells> = BTreeMap::new();
    let mut variables: BTreeMap<VarId, Cells> = BTreeMap::new();
    let mut environment: Cells = BTreeMap::new();
    let mut forgotten: Vec<(Home, u64, usize, Vec<u8>)> = Vec::new();
    let mut written: BTreeMap<usize, Cells> = BTreeMap::new();
    // What the path reads of memories as they were before any of its stores.
    for (symbol, address, value) in reads(semantics, roots, model)? {
        let Some(bytes) = bytes(&value) else { continue };
        let Some(unknown) = unknowns.get(&symbol) else {
            continue;
        };
        let forgotten_at = match unknown.cause {
            Cause::Memory(_) => None,
            Cause::Edge(FreshCause::Forgotten | FreshCause::Unfollowed) => unknown.step,
            _ => continue,
        };
        if let (Cause::Edge(FreshCause::Unfollowed), Some(step)) = (unknown.cause, unknown.step) {
            written.entry(step).or_default().insert(address, bytes.clone());
        }
        match (home(semantics, execution, address), forgotten_at) {
            (Home::Allocation(number, offset), None) => {
                let step = execution.allocations()[number].step;
                born.entry(step).or_default().insert(offset, bytes);
            }
            (Home::Variable(var, offset), None) => {
                variables.entry(var).or_default().insert(offset, bytes);
            }
            (Home::Environment, None) => {
                environment.insert(address, bytes);
            }
            (Home::Nowhere, None) => {}
            (home, Some(step)) => forgotten.push((home, address, step, bytes)),
        }
    }
    // A large object that comes to life takes the memory of its whole class with it. What others hold then is what they
    // held from the start, unless something wrote it meanwhile.
    for (home, address, step, bytes) in forgotten {
        let (cells, at) = match home {
            Home::Allocation(number, offset) => {
                let step = execution.allocations()[number].step;
                (born.entry(step).or_default(), offset)
            }
            Home::Variable(var, offset) => {
                let declared = (0..=step)
                    .rev()
                    .find(|&step| havocked(semantics, execution, step) == Some(var));
                match declared {
                    Some(step) => (born.entry(step).or_default(), offset),
                    None => (variables.entry(var).or_default(), offset),
                }
            }
            Home::Environment => (&mut environment, address),
            Home::Nowhere => continue,
        };
        cells.entry(at).or_insert(bytes);
    }
    for allocation in execution.allocations().iter() {
        born.entry(allocation.step).or_default();
    }
    for (step, contents) in havocs(semantics, execution, model)? {
        born.entry(step).or_default().extend(contents);
    }
    let contents =
        |map: Cells| -> Vec<Content> { map.into_iter().map(|(at, bytes)| Content { at, bytes }).collect() };
    let layout = layout(semantics, execution, &born);
    Ok(GivenMemory {
        born: born
            .into_iter()
            .map(|(step, map)| Born {
                edge: execution.steps()[step].edge(),
                contents: contents(map),
            })
            .collect(),
        variables: variables
            .into_iter()
            .map(|(var, map)| (var, contents(map)))
            .collect(),
        environment: Vec::new(),
        environment_contents: contents(environment),
        written: written
            .into_iter()
            .map(|(step, map)| Written {
                edge: execution.steps()[step].edge(),
                contents: contents(map),
            })
            .collect(),
        layout,
    })
}

/// Where objects lie. Variables of nested activations are left out: which of them a pointer means is not said by
/// their address in a run.
fn layout(semantics: &Semantics<'_>, execution: &Execution, born: &BTreeMap<usize, Cells>) -> Vec<Placed> {
    let program = semantics.program;
    let variables = program.vars.iter().map(|(var, data)| Placed {
        object: Object::Variable(var),
        address: semantics.address_value(var),
        size: program.types.size(data.ty),
    });
    let allocations = execution.allocations().iter().map(|allocation| Placed {
        object: Object::Born(born.range(..allocation.step).count()),
        address: allocation.address,
        size: allocation.size,
    });
    let functions = program.functions.ids().map(|function| Placed {
        object: Object::Function(function),
        address: semantics.function_address(function),
        size: 1,
    });
    functions.chain(variables).chain(allocations).collect()
}

/// The cells of memory that the terms read: the symbol of the memory, the address, what is there.
fn reads(
    semantics: &Semantics<'_>,
    roots: &[Term],
    model: &Assignment,
) -> Result<Vec<(Symbol, u64, Value)>, EvalError> {
    let terms = &semantics.terms;
    let mut selects: Vec<(Symbol, Term)> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = roots.to_vec();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        pending.extend(args);
        if terms.op(term) == Op::Select {
            for symbol in memories(semantics, args[0]) {
                selects.push((symbol, args[1]));
            }
        }
    }
    let indices: Vec<Term> = selects.iter().map(|&(_, index)| index).collect();
    let addresses = terms.eval_all(&indices, model)?;
    let mut found = Vec::with_capacity(selects.len());
    for ((symbol, _), address) in selects.into_iter().zip(addresses) {
        let Some(address) = address.as_word().and_then(|word| u64::try_from(word).ok()) else {
            continue;
        };
        let memory = terms.eval(terms.symbol_term(symbol), model)?;
        if let Value::Array(memory) = memory {
            found.push((symbol, address, memory.select(u128::from(address)).clone()));
        }
    }
    Ok(found)
}

/// The symbols that a term of array sort starts from.
fn memories(semantics: &Semantics<'_>, array: Term) -> Vec<Symbol> {
    let terms = &semantics.terms;
    let mut found = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut pending = vec![array];
    while let Some(array) = pending.pop() {
        if !seen.insert(array) {
            continue;
        }
        let args = terms.args(array);
        match terms.op(array) {
            Op::Symbol(symbol) => found.push(symbol),
            Op::Store => pending.push(args[0]),
            Op::Ite => pending.extend(&args[1..]),
            _ => {}
        }
    }
    found
}

pub(crate) fn home(semantics: &Semantics<'_>, execution: &Execution, address: u64) -> Home {
    let allocations = execution.allocations();
    let after = allocations.partition_point(|allocation| allocation.address <= address);
    if let Some(number) = after.checked_sub(1) {
        let allocation = &allocations[number];
        let offset = address - allocation.address;
        if offset < allocation.size {
            return Home::Allocation(number, offset);
        }
    }
    let region = region_size(semantics);
    if address >= heap_start(semantics) {
        return match after {
            // Behind the last allocation, too close to be anything of its own.
            1.. if address < allocations[after - 1].end() => Home::Nowhere,
            _ => Home::Environment,
        };
    }
    let within = address % region;
    let program = semantics.program;
    // Variables lie in the order of their numbers.
    let (mut low, mut high) = (0, program.vars.len());
    while low < high {
        let middle = (low + high) / 2;
        if semantics.address_value(VarId::from_index(middle)) <= within {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let Some(index) = low.checked_sub(1) else {
        return Home::Nowhere;
    };
    let var = VarId::from_index(index);
    let offset = within - semantics.address_value(var);
    if offset < program.types.size(program.vars[var].ty) {
        Home::Variable(var, offset)
    } else {
        Home::Nowhere
    }
}

/// The variable that a step brings to life without a value.
fn havocked(semantics: &Semantics<'_>, execution: &Execution, step: usize) -> Option<VarId> {
    let Step::Edge(edge) = execution.steps()[step] else {
        return None;
    };
    let EdgeKind::Havoc { place, .. } = semantics.program.edges[edge].kind else {
        return None;
    };
    match semantics.program.place(place).kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

/// The contents of records and arrays that come to life on the path, from the unknowns that their edges made: one for
/// each scalar part, or one for each cell, in the order of their offsets.
fn havocs(
    semantics: &mut Semantics<'_>,
    execution: &Execution,
    model: &Assignment,
) -> Result<Vec<(usize, Cells)>, EvalError> {
    let program = semantics.program;
    let mut made: BTreeMap<usize, (VarId, Vec<Term>)> = BTreeMap::new();
    for step in 0..execution.steps().len() {
        if let Some(var) = havocked(semantics, execution, step)
            && !program.types.is_scalar(program.vars[var].ty)
        {
            made.insert(step, (var, Vec::new()));
        }
    }
    for unknown in execution.unknowns().iter() {
        if let (Cause::Edge(FreshCause::Uninitialised(var)), Some(step)) = (unknown.cause, unknown.step)
            && let Some((of, unknowns)) = made.get_mut(&step)
            && *of == var
        {
            unknowns.push(unknown.exact);
        }
    }
    let mut found = Vec::new();
    for (step, (var, unknowns)) in made {
        let values = semantics.terms.eval_all(&unknowns, model)?;
        let mut contents: Cells = BTreeMap::new();
        match semantics.parts(semantics.program.vars[var].ty) {
            Some(parts) => {
                for ((offset, bits), value) in parts.into_iter().zip(&values) {
                    match bits {
                        None => {
                            contents.extend(bytes(value).map(|bytes| (offset, bytes)));
                        }
                        Some(bits) => set_bits(&mut contents, offset, bits, value),
                    }
                }
            }
            None => {
                let mut offset = 0;
                for value in &values {
                    let Some(bytes) = bytes(value) else { break };
                    let size = cell_size(semantics, value, bytes.len() as u64);
                    contents.insert(offset, bytes);
                    offset += size;
                }
            }
        }
        found.push((step, contents));
    }
    Ok(found)
}

/// Bit-fields share bytes.
fn set_bits(contents: &mut Cells, offset: u64, bits: BitRange, value: &Value) {
    let value = value.as_word().unwrap_or(0);
    for bit in 0..bits.width {
        let at = bits.start + bit;
        let byte = contents
            .entry(offset + u64::from(at / 8))
            .or_insert_with(|| vec![0]);
        if value >> bit & 1 == 1 {
            byte[0] |= 1 << (at % 8);
        }
    }
}

/// How much room a cell takes: that of its bytes, but a `long double` has padding.
fn cell_size(semantics: &Semantics<'_>, value: &Value, bytes: u64) -> u64 {
    match value {
        Value::Float {
            kind: FloatKind::F80, ..
        } if semantics.pointer_bits() == 32 => 12,
        Value::Float {
            kind: FloatKind::F80, ..
        } => 16,
        _ => bytes,
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    let (width, bits) = match *value {
        Value::Word { width, bits } => (width, bits),
        Value::Float { kind, bits } => {
            let width = match kind {
                FloatKind::F32 => 32,
                FloatKind::F64 => 64,
                FloatKind::F80 => 80,
                FloatKind::F128 => 128,
            };
            (width, bits)
        }
        Value::Bool(_) | Value::Array(_) => return None,
    };
    Some(bits.to_le_bytes()[..width.div_ceil(8) as usize].to_vec())
}
