//! How a run ends and what is said about it: outcomes, undefined behaviour, positions with call stacks.

use std::fmt;

use program::{EdgeId, FuncId, Program, Span};

use crate::inputs::{Consumed, Written};

/// Everything known about a finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    /// Undefined behaviour that did not end the run, once per source place, in the order met.
    pub undefined: Vec<Undefined>,
    /// What the user should be told once, such as functions without a body.
    pub notes: Vec<String>,
    /// Whether something was decided on the way that C or the library leaves open: other runs are possible then.
    pub left_open: bool,
    /// Whether that was a value: padding, the bits of a not-a-number.
    pub unspecified: bool,
    /// How many edges were taken.
    pub edges: u64,
    /// The values taken from the inputs, in order.
    pub inputs: Vec<Consumed>,
    /// What functions without a body wrote, in order.
    pub written: Vec<Written>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The program returned from its entry function or called `exit`.
    Exit { code: i32 },
    /// `abort` was called.
    Abort { at: Position },
    /// A failed assertion or an error function was reached.
    ErrorReached {
        function: String,
        message: Option<String>,
        at: Position,
    },
    /// An assumption does not hold on these inputs: the run is none of the program's.
    AssumptionNotMet { at: Position },
    /// Undefined behaviour after which nothing can be said.
    Undefined(Undefined),
    /// Something whose meaning is not known here.
    Unsupported { what: String, at: Position },
    /// As many edges as allowed were taken.
    StepLimit { at: Position },
    /// The program's stack outgrew its limit.
    StackLimit { at: Position },
    /// The deadline passed, or the caller cancelled the run.
    Interrupted { at: Position },
    /// The program's output could not be written.
    OutputFailed { error: String },
}

/// A place in the run: the edge, its source span and the call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub edge: Option<EdgeId>,
    pub span: Option<Span>,
    /// Innermost first.
    pub stack: Vec<StackFrame>,
}

/// One function on the call stack, and where in it the run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    pub function: FuncId,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    pub kind: UndefinedKind,
    pub message: String,
    pub at: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UndefinedKind {
    NullDereference,
    /// At an address so small that it is taken for an offset from a null pointer.
    NearNull,
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    WildPointer,
    WriteToReadOnly,
    InvalidFree,
    DoubleFree,
    DivisionByZero,
    /// The smallest value divided by -1.
    DivisionOverflow,
    BadCall,
    UnreachableReached,
    UnterminatedString,
    VariableArguments,
    /// A `_Bool` is read where neither 0 nor 1 was stored.
    BoolRepresentation,
    SignedOverflow,
    ShiftOutOfRange,
    UninitialisedRead,
    FloatToInteger,
    BitCountOfZero,
    OverlappingCopy,
    MissingReturnValue,
    FormatString,
    /// An array is declared with a length that is not positive.
    ArrayLength,
    /// The address of an element is computed that an array does not have, and that is not the one behind its last.
    AddressOutOfBounds,
}

impl UndefinedKind {
    /// Whether the run cannot go on after it.
    pub fn ends_the_run(self) -> bool {
        use UndefinedKind::*;
        match self {
            NullDereference | NearNull | OutOfBounds | UseAfterFree | UseAfterReturn | WildPointer
            | WriteToReadOnly | InvalidFree | DoubleFree | DivisionByZero | DivisionOverflow | BadCall
            | UnreachableReached | UnterminatedString | VariableArguments | BoolRepresentation => true,
            SignedOverflow | ShiftOutOfRange | UninitialisedRead | FloatToInteger | BitCountOfZero
            | OverlappingCopy | MissingReturnValue | FormatString | ArrayLength | AddressOutOfBounds => false,
        }
    }

    /// A short name, stable enough for machine-readable output.
    pub fn name(self) -> &'static str {
        use UndefinedKind::*;
        match self {
            NullDereference | NearNull => "null-dereference",
            OutOfBounds => "out-of-bounds",
            UseAfterFree => "use-after-free",
            UseAfterReturn => "use-after-return",
            WildPointer => "wild-pointer",
            WriteToReadOnly => "write-to-read-only",
            InvalidFree => "invalid-free",
            DoubleFree => "double-free",
            DivisionByZero => "division-by-zero",
            DivisionOverflow => "division-overflow",
            BadCall => "bad-call",
            UnreachableReached => "unreachable-reached",
            UnterminatedString => "unterminated-string",
            VariableArguments => "variable-arguments",
            SignedOverflow => "signed-overflow",
            ShiftOutOfRange => "shift-out-of-range",
            UninitialisedRead => "uninitialised-read",
            FloatToInteger => "float-to-integer",
            BitCountOfZero => "bit-count-of-zero",
            OverlappingCopy => "overlapping-copy",
            MissingReturnValue => "missing-return-value",
            FormatString => "format-string",
            BoolRepresentation => "bool-representation",
            ArrayLength => "array-length",
            AddressOutOfBounds => "address-out-of-bounds",
        }
    }

    /// What to say where there are no particulars.
    pub(crate) fn description(self) -> &'static str {
        use UndefinedKind::*;
        match self {
            NullDereference => "dereference of a null pointer",
            NearNull => "access at an offset from a null pointer",
            OutOfBounds => "access out of bounds",
            UseAfterFree => "access to freed memory",
            UseAfterReturn => "access to a variable of a function that has returned",
            WildPointer => "access through a pointer to no object",
            WriteToReadOnly => "write to a read-only object",
            InvalidFree => "free of a pointer that no allocation gave",
            DoubleFree => "second free of the same memory",
            DivisionByZero => "division by zero",
            DivisionOverflow => "division of the smallest value by -1",
            BadCall => "call through a pointer to no function",
            UnreachableReached => "code that was declared unreachable was reached",
            UnterminatedString => "string without an end",
            VariableArguments => "wrong use of variable arguments",
            SignedOverflow => "signed integer overflow",
            ShiftOutOfRange => "shift amount negative or not less than the width",
            UninitialisedRead => "read of an uninitialised value",
            FloatToInteger => "floating-point value does not fit the integer type",
            BitCountOfZero => "count of leading or trailing zeros of 0",
            OverlappingCopy => "copy between overlapping memory",
            MissingReturnValue => "use of the result of a function that returned none",
            FormatString => "format does not match its arguments",
            BoolRepresentation => "read of a `_Bool` that is neither 0 nor 1",
            ArrayLength => "array of a length that is not positive",
            AddressOutOfBounds => "address of an element that the array does not have",
        }
    }
}

impl fmt::Display for UndefinedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Outcome {
    /// Whether the run met undefined behaviour, fatal or not.
    pub fn met_undefined(&self) -> bool {
        !self.undefined.is_empty() || matches!(self.end, End::Undefined(_))
    }
}

impl Position {
    /// The call stack as lines of text, innermost first.
    pub fn stack_lines(&self, program: &Program) -> Vec<String> {
        self.stack
            .iter()
            .map(|frame| {
                let name = &program.functions[frame.function].name;
                match &frame.span {
                    Some(span) => format!("in {name} at {}", program.sources.describe(span)),
                    None => format!("in {name}"),
                }
            })
            .collect()
    }
}
