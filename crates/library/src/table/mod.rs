//! The rows, by where the functions come from. One row a function, in the notation that [`crate::row`] reads:
//!
//! ```text
//! name,other-name  parameter… [...further-parameters] -> result ; clause ; …
//! ```
//!
//! A parameter is `.` (a value, or memory that nobody looks into), or what is done with the memory behind it: `r` reads,
//! `w` writes, `i` writes whatever comes in from outside, `f` frees, `k` keeps the pointer and uses it later, `n` does nothing where it is null; `t` is the format of `printf`, `s` that of `scanf`.
//! How many bytes follows a colon: `:8`, `:#2` as many as argument 2 says, `:#1*#2`, `:s` a string, `:o` one object of
//! the type that the pointer has; without it, any number. Arguments count from 0.
//!
//! A result is `void`; `=` determined by the arguments and the memory read; `.` an input, `-1..255` one in that range;
//! `0` argument 0, `@0` a pointer into its object, with `?` possibly null; `new:#0` new memory, `zero:` filled with
//! zeros, `resized(0):#1` the block at argument 0 with another size; `own(tm)` memory of the library's own, which all
//! functions that name it share, `kept(token)` only what they keep; `vararg` a variable argument.
//!
//! Clauses: `copies 0 1` copies what argument 1 leads to; `stores 1 @0` stores a pointer into argument 0's object behind
//! argument 1, `stores 0 new` one to new memory, `stores 0 own(x)` one to own memory, `stores 0 @*0` one into the object that the stored pointer leads to now;
//! `deep 0` writes behind the pointers that are stored behind argument 0; `keeps 0 token` keeps argument 0 as own memory of
//! that name; `own tm` writes own memory; `errno` may set `errno` (inputs, own and new memory imply it, `quiet` denies it);
//! `calls 3(@0,@0)` calls argument 3 with pointers; `registers exit 0` has argument 0 called later; `ends exit` does not
//! come back (`reserved`: nor does a function of the program's of that name), `may end` perhaps not; `most #2` the result is at
//! most argument 2; `builtin` only the name with `__builtin_` before it is meant; `sure` it gives out memory whenever it
//! comes back; `none null` it gives null where it is asked for no bytes; `constant` it returns the same value in all of a run; `is copy` what is computed exactly ([`crate::Meaning`]; a character class is a list of ranges); `chk 1,2` the arguments that the `__…_chk` spelling has in addition; `unsupported …` what has no meaning yet.

pub mod c;
pub mod kernel;
pub mod math;
pub mod posix;
pub mod verifier;
pub mod wide;
