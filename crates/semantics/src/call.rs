//! Calls: parameters get the arguments' values, locals are without values, the result goes where it is wanted.
//!
//! A recursive call needs its caller's locals again when it returns; that is the engine's stack to keep.

use logic::Term;
use program::{
    Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, PlaceId, PlaceKind, Program, TypeId, VarId, VarKind,
};

use crate::block::{Block, Named};
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Leaf, Semantics, Storage};

impl Semantics<'_> {
    /// The effect of starting `callee` by a call edge: all parameters at once get the arguments' values.
    pub(crate) fn enter(&mut self, call: EdgeId, callee: FuncId) -> Result<Effect, Unsupported> {
        if self.memory.may_recur(callee) && self.has_memory(callee) {
            return Err(Unsupported::new(format!(
                "the variables of the recursive function `{}` that are in memory",
                self.program.functions[callee].name
            )));
        }
        let program = self.program;
        let EdgeKind::Call {
            callee: through,
            arguments,
            ..
        } = &program.edges[call].kind
        else {
            unreachable!("only calls enter functions")
        };
        let mut guard = self.terms.bool(true);
        if let Callee::Indirect(pointer) = through {
            guard = self.leads_to(call, *pointer, callee)?;
        }
        let params = program.functions[callee].params.clone();
        if arguments.len() < params.len() {
            return Err(Unsupported::new(format!(
                "a call of `{}` with too few arguments",
                program.functions[callee].name
            )));
        }
        let mut updates = Updates::default();
        for (&param, &argument) in params.iter().zip(arguments) {
            self.pass(&mut updates, param, argument)?;
        }
        Ok(self.finish(guard, updates, Vec::new()))
    }

    /// That the pointer that is called through is the address of a function.
    pub(crate) fn leads_to(
        &mut self,
        call: EdgeId,
        pointer: ExprId,
        callee: FuncId,
    ) -> Result<Term, Unsupported> {
        let target = self.value(pointer)?;
        if self.left_open.contains(&call) {
            return Ok(self.open_outcome());
        }
        let (bits, address) = (self.pointer_bits(), self.function_address(callee));
        let address = self.terms.word(bits, u128::from(address));
        Ok(self.terms.eq(target, address))
    }

    /// The effect of a call through a pointer that leads to none of the functions that it is known to lead to. Nothing can
    /// be said of what it does, but it can be when it happens. To call through null is undefined: a run ends there.
    pub(crate) fn elsewhere(&mut self, call: EdgeId) -> Result<Effect, Unsupported> {
        let guard = self.leads_elsewhere(call)?;
        Ok(self.finish(guard, Updates::default(), Vec::new()))
    }

    /// That a call through a pointer leads to none of the functions that it is known to lead to, nor to null.
    pub(crate) fn leads_elsewhere(&mut self, call: EdgeId) -> Result<Term, Unsupported> {
        let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            ..
        } = self.program.edges[call].kind
        else {
            unreachable!("only calls through pointers lead elsewhere")
        };
        let value = self.value(pointer)?;
        let mut guard = self.terms.is_nonzero(value);
        for target in self.memory.call_targets(call) {
            let here = self.leads_to(call, pointer, target)?;
            let not_here = self.terms.not(here);
            guard = self.terms.and(guard, not_here);
        }
        Ok(guard)
    }

    /// Whether a variable of the function is memory. Each activation of the function has its own; here it is one.
    fn has_memory(&mut self, function: FuncId) -> bool {
        let data = &self.program.functions[function];
        data.params.iter().chain(&data.locals).any(|&var| {
            let in_frame = !matches!(self.program.vars[var].kind, VarKind::Global(_));
            in_frame && !self.is_split(var)
        })
    }

    /// Gives a parameter an argument's value.
    fn pass(&mut self, updates: &mut Updates, param: VarId, argument: ExprId) -> Result<(), Unsupported> {
        let ty = self.program.vars[param].ty;
        if self.is_split(param) {
            let values = self.argument_values(argument, ty)?;
            for (part, value) in values.into_iter().enumerate() {
                let symbol = self.symbol(Storage::Variable(param, part as u32));
                updates.set(symbol, value);
            }
            return Ok(());
        }
        let Some(place) = self.program.exprs.find_place(PlaceKind::Var(param), ty) else {
            // A parameter that nothing mentions: its value does not matter.
            return Ok(());
        };
        if self.program.types.is_scalar(ty) {
            let values = self.argument_values(argument, ty)?;
            return self.write(updates, place, values[0]);
        }
        if self.program.expr(argument).ty != ty {
            return Err(Unsupported::new("an argument of another type than the parameter"));
        }
        self.copy(updates, place, argument)
    }

    /// The parts of a value that is passed or returned, in the wanted type: its scalars, or its bytes where it does not
    /// split into scalars.
    fn argument_values(&mut self, value: ExprId, ty: TypeId) -> Result<Vec<Term>, Unsupported> {
        let from = self.program.expr(value).ty;
        if self.program.types.is_scalar(ty) {
            if !self.program.types.is_scalar(from) {
                return Err(Unsupported::new("a value of another type than is wanted"));
            }
            let value = self.value(value)?;
            return Ok(vec![self.convert(value, from, ty)?]);
        }
        let source = match self.program.expr(value).kind {
            ExprKind::Read(place) if from == ty => Some(place),
            ExprKind::Zero => None,
            _ => return Err(Unsupported::new("a value of another type than is wanted")),
        };
        if self.leaves(ty).is_some() {
            return self.part_values(source, ty);
        }
        let size = result_bytes(self.program, ty)?;
        let Some(place) = source else {
            let zero = self.terms.word(8, 0);
            return Ok(vec![zero; size as usize]);
        };
        self.require_access(place)?;
        let block = Block {
            named: Named::Place(place),
            address: self.address(place)?,
        };
        self.block_bytes(block, size)
    }

    /// The effect of returning from `callee` to the end of a call edge: the result is stored.
    pub(crate) fn leave(&mut self, call: EdgeId, callee: FuncId) -> Result<Effect, Unsupported> {
        let EdgeKind::Call { result, .. } = self.program.edges[call].kind else {
            unreachable!("only calls are returned to")
        };
        let guard = self.terms.bool(true);
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        if let Some(place) = result {
            let from = self.program.result_type(callee);
            let to = self.program.place(place).ty;
            if self.program.types.is_scalar(to) {
                let value = match self.program.types.is_scalar(from) {
                    true => {
                        let value = self.current(Storage::Result(callee, 0));
                        self.convert(value, from, to)?
                    }
                    // What it was called through is a pointer to functions of another type.
                    // No run is known to be given it.
                    false => self.any_scalar(&mut fresh, to, FreshCause::Unfollowed),
                };
                self.write(&mut updates, place, value)?;
            } else if from != to {
                return Err(Unsupported::new("a result of another type than is wanted"));
            } else {
                self.store_result(&mut updates, place, callee)?;
            }
        }
        Ok(self.finish(guard, updates, fresh))
    }

    /// Stores the parts of what a function returned.
    fn store_result(
        &mut self,
        updates: &mut Updates,
        place: PlaceId,
        callee: FuncId,
    ) -> Result<(), Unsupported> {
        let ty = self.program.place(place).ty;
        let parts = match self.leaves(ty) {
            Some(leaves) => leaves.len() as u64,
            None => result_bytes(self.program, ty)?,
        };
        let values: Vec<Term> = (0..parts)
            .map(|part| self.current(Storage::Result(callee, part as u32)))
            .collect();
        if self.leaves(ty).is_some() {
            return self.write_parts(updates, place, ty, &values);
        }
        self.require_access(place)?;
        let block = Block {
            named: Named::Place(place),
            address: self.address(place)?,
        };
        self.store_block_bytes(updates, block, &values)
    }

    /// The effect of a return edge: the function's result symbols get the value's parts.
    pub(crate) fn return_effect(
        &mut self,
        function: FuncId,
        value: Option<ExprId>,
    ) -> Result<Effect, Unsupported> {
        let guard = self.terms.bool(true);
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        let ty = self.program.result_type(function);
        match value {
            Some(value) => {
                let values = self.argument_values(value, ty)?;
                for (part, value) in values.into_iter().enumerate() {
                    let symbol = self.symbol(Storage::Result(function, part as u32));
                    updates.set(symbol, value);
                }
            }
            // A caller that uses the result anyway gets anything.
            None if self.program.types.is_scalar(ty) => {
                let value = self.any_scalar(&mut fresh, ty, FreshCause::External(function));
                let symbol = self.symbol(Storage::Result(function, 0));
                updates.set(symbol, value);
            }
            None => {}
        }
        Ok(self.finish(guard, updates, fresh))
    }
}

impl Semantics<'_> {
    /// What a function gives whoever uses a result that it does not have.
    fn any_scalar(&mut self, fresh: &mut Vec<Fresh>, ty: TypeId, cause: FreshCause) -> Term {
        let leaf = Leaf {
            offset: 0,
            bits: None,
            ty,
        };
        self.fresh_leaf(fresh, leaf, cause)
    }
}

/// The largest value that is returned by its bytes.
const MAX_RESULT_BYTES: u64 = 256;

/// How many bytes a value that does not split into scalars is returned as.
fn result_bytes(program: &Program, ty: TypeId) -> Result<u64, Unsupported> {
    let size = program.types.size(ty);
    if size > MAX_RESULT_BYTES {
        return Err(Unsupported::new("a large union or array returned by value"));
    }
    Ok(size)
}
