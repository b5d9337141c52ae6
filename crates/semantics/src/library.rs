//! Functions without a body: the ones whose meaning is known, and all others, which are inputs without side effects.

use logic::Term;
use program::{Callee, EdgeId, ExprId, ExprKind, FuncId, PlaceId};

use crate::block::{Block, Named};
use crate::copy::MAX_CELLS;
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::Semantics;

/// Functions that change memory in a way that is not modelled: a call is unsupported rather than passed over.
const CHANGE_MEMORY: [&str; 19] = [
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "fgets",
    "gets",
    "fread",
    "read",
    "scanf",
    "fscanf",
    "sscanf",
    "realloc",
    "qsort",
    "__builtin_va_copy",
    "__VERIFIER_nondet_memory",
];

const MODELLED: [&str; 9] = [
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "malloc",
    "alloca",
    "calloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
];

/// Whether a function without a body has a meaning here other than that of an input.
pub fn is_modelled(name: &str) -> bool {
    let name = plain_name(name);
    MODELLED.contains(&name) || CHANGE_MEMORY.contains(&name)
}

/// `__builtin_memcpy` is `memcpy`.
fn plain_name(name: &str) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(plain) if !plain.starts_with("va_") => plain,
        _ => name,
    }
}

impl Semantics<'_> {
    pub(crate) fn external_call(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
        callee: Callee,
        arguments: &[ExprId],
    ) -> Result<Effect, Unsupported> {
        let program = self.program;
        let Callee::Direct(function) = callee else {
            return Err(Unsupported::new("a call through a pointer needs its target"));
        };
        let data = &program.functions[function];
        debug_assert!(
            data.body.is_none(),
            "a function with a body is entered and left ({edge})"
        );
        match (plain_name(&data.name), arguments) {
            ("__VERIFIER_assume" | "__CPROVER_assume", &[condition]) => {
                let guard = self.truth(condition)?;
                Ok(self.finish(guard, Updates::default(), Vec::new()))
            }
            ("malloc" | "alloca", &[size]) => {
                let size = self.index_value(size)?;
                self.allocation(edge, result, size, false)
            }
            ("calloc", &[count, size]) => {
                let (count, size) = (self.index_value(count)?, self.index_value(size)?);
                let size = self.terms.mul(count, size);
                self.allocation(edge, result, size, true)
            }
            ("free", _) => Ok(self.nothing()),
            ("memcpy" | "memmove", &[to, from, size]) => {
                let size = self.constant_size(size)?;
                let (to, from) = (self.block_behind(to)?, self.block_behind(from)?);
                let mut updates = Updates::default();
                self.copy_block(&mut updates, to, from, size)?;
                self.returning_pointer(updates, result, to.address)
            }
            ("memset", &[to, byte, size]) => {
                let size = self.constant_size(size)?;
                let to = self.block_behind(to)?;
                let byte = self.value(byte)?;
                let byte = self.terms.extract(7, 0, byte);
                let mut updates = Updates::default();
                self.fill_block(&mut updates, to, byte, size)?;
                self.returning_pointer(updates, result, to.address)
            }
            (name, _) if CHANGE_MEMORY.contains(&name) || MODELLED.contains(&name) => {
                Err(Unsupported::new(format!("the function `{name}`")))
            }
            _ => self.input(function, result),
        }
    }

    fn input(&mut self, function: FuncId, result: Option<PlaceId>) -> Result<Effect, Unsupported> {
        self.forget_result(result, FreshCause::External(function))
    }

    /// New memory at an unknown address that is not null. What it holds is whatever is there, or zeros.
    fn allocation(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
        size: Term,
        zeroed: bool,
    ) -> Result<Effect, Unsupported> {
        let Some(place) = result else {
            return Ok(self.nothing());
        };
        let mut updates = Updates::default();
        let mut fresh: Vec<Fresh> = Vec::new();
        let ty = self.program.place(place).ty;
        let (sort, info) = (self.sort(ty), self.info(ty));
        let address = self.fresh_value(&mut fresh, sort, info, FreshCause::Allocation { size });
        if zeroed {
            let Some(size) = self.small_constant(size) else {
                return Err(Unsupported::new(
                    "`calloc` of a size that is not constant and small",
                ));
            };
            let block = Block {
                named: Named::Allocated(edge),
                address,
            };
            let zero = self.terms.word(8, 0);
            self.fill_block(&mut updates, block, zero, size)?;
        }
        self.write(&mut updates, place, address)?;
        let guard = self.terms.is_nonzero(address);
        Ok(self.finish(guard, updates, fresh))
    }

    fn small_constant(&self, size: Term) -> Option<u64> {
        let size = self.terms.as_word(size)?;
        u64::try_from(size).ok().filter(|&size| size <= MAX_CELLS)
    }

    fn constant_size(&mut self, size: ExprId) -> Result<u64, Unsupported> {
        let size = self.index_value(size)?;
        self.small_constant(size)
            .ok_or_else(|| Unsupported::new("a memory function with a size that is not constant and small"))
    }

    /// The memory that a pointer argument leads to; the conversion to `void *` does not matter.
    fn block_behind(&mut self, pointer: ExprId) -> Result<Block, Unsupported> {
        let address = self.value(pointer)?;
        self.require_nonzero(address);
        let mut named = pointer;
        while let ExprKind::Cast { operand, .. } = self.program.expr(named).kind {
            if !self.program.types.is_pointer(self.program.expr(operand).ty) {
                break;
            }
            named = operand;
        }
        Ok(Block {
            named: Named::Behind(named),
            address,
        })
    }

    /// Ends the effect of a function that returns the pointer it was given.
    fn returning_pointer(
        &mut self,
        mut updates: Updates,
        result: Option<PlaceId>,
        pointer: Term,
    ) -> Result<Effect, Unsupported> {
        if let Some(place) = result {
            self.write(&mut updates, place, pointer)?;
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, Vec::new()))
    }
}
