//! Functions without a body: the ones whose meaning is known, and all others, which are inputs without side effects.

use program::{Callee, EdgeId, ExprId, FuncId, PlaceId};

use crate::effect::{Effect, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::Semantics;

/// Functions that change memory in a way that is not modelled: a call is unsupported rather than passed over.
const CHANGE_MEMORY: [&str; 22] = [
    "memcpy",
    "memmove",
    "memset",
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
    "calloc",
    "qsort",
    "__builtin_va_copy",
];

/// Whether a function without a body has a meaning here other than that of an input.
pub fn is_modelled(name: &str) -> bool {
    matches!(
        plain_name(name),
        "__VERIFIER_assume" | "malloc" | "alloca" | "free"
    ) || CHANGE_MEMORY.contains(&plain_name(name))
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
            ("__VERIFIER_assume", &[condition]) => {
                let guard = self.truth(condition)?;
                Ok(self.finish(guard, Updates::default(), Vec::new()))
            }
            ("malloc" | "alloca", &[_]) => self.forget_result(result, FreshCause::Allocation),
            ("free", _) => Ok(self.nothing()),
            (name, _) if CHANGE_MEMORY.contains(&name) => {
                Err(Unsupported::new(format!("the function `{name}`")))
            }
            _ => self.input(function, result),
        }
    }

    fn input(&mut self, function: FuncId, result: Option<PlaceId>) -> Result<Effect, Unsupported> {
        self.forget_result(result, FreshCause::External(function))
    }
}
