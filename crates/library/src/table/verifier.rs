//! What verification tasks call.

pub const ROWS: &str = r#"
reach_error,__VERIFIER_error            -> void ; ends error
__VERIFIER_assume,__CPROVER_assume,__ESBMC_assume . -> void ; is assume
__CPROVER_assert,__ESBMC_assert . r:s   -> void
__VERIFIER_nondet                       -> . ; quiet
__VERIFIER_nondet_memory w:#1 .         -> void
__VERIFIER_atomic_begin,__VERIFIER_atomic_end -> void
__VERIFIER_ltl_step ...                 -> void
assume_abort_if_not .                   -> void

# Woven into programs by whoever checks accesses.
block$room      . .                     -> = ; is block room
block$same      . .                     -> = ; is block same
block$live      . .                     -> void ; is block live
block$dead      .                       -> void ; is block dead
block$freeable  .                       -> = ; is block freeable
block$terminated .                      -> = ; is block terminated
block$lost      .                       -> = ; is block lost
block$written   . .                     -> = ; is block written
block$text-written .                    -> = ; is block text-written
block$write     . .                     -> void ; is block write
block$fresh     . .                     -> void ; is block fresh
block$move      . . .                   -> void ; is block move
block$perhaps   . .                     -> void ; is block perhaps
block$aligned   . .                     -> = ; is block aligned
"#;
