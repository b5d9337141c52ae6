//! What library functions do: the one place that knows them by name.
//!
//! Each function of ISO C, POSIX, GNU and the Linux kernel that programs call without a body has one row in `table/`: what
//! it reads and writes through which arguments, what it returns, calls, keeps, allocates and frees, and how it ends the
//! program. Whoever asks about a function asks [`known`], which also knows the other spellings of a name, and gets the
//! row; what a part does not follow is then at least known to it. A function without a row is
//! [`Function::unknown`].

mod declared;
mod format;
mod function;
mod global;
mod row;
mod spelling;
mod table;

pub use declared::is_another;
pub use format::{formats, literal};
pub use function::{
    Block, Callback, Copies, Ends, Extent, FloatFunction, Format, Function, Global, Meaning, Parameter,
    Passed, Registers, Returns, Rounding, Stores, When,
};
pub use global::declared;
pub use spelling::{Known, is_verifier_input, known, of};

/// What a failing `assert` calls.
pub const ASSERTION_FAILS: &str = "__assert_fail";
/// The functions whose call is an error unless the user says otherwise.
pub const ERROR_FUNCTIONS: [&str; 3] = [ASSERTION_FAILS, "reach_error", "__VERIFIER_error"];
