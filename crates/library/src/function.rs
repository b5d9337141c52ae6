//! What a row says.

use program::UnaryOp;

/// A library function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The plain name, whatever the spelling it was asked for by.
    pub name: &'static str,
    pub parameters: Vec<Parameter>,
    /// What is done with arguments beyond the parameters.
    pub rest: Parameter,
    /// Whether there are such.
    pub(crate) takes_more: bool,
    pub returns: Returns,
    /// Functions that it calls before it returns.
    pub calls: Vec<Callback>,
    /// A function that it has called later.
    pub registers: Option<Registers>,
    pub copies: Option<Copies>,
    pub stores: Vec<Stores>,
    /// Arguments behind which pointers are stored that it writes through.
    pub deep: Vec<usize>,
    /// An argument that stays known to the library, as memory of that name.
    pub keeps: Option<(usize, &'static str)>,
    /// Memory of the library's own that it writes.
    pub own: Vec<&'static str>,
    /// Variables of the library that it writes, should the program declare them.
    pub globals: Vec<Global>,
    pub sets_errno: bool,
    pub ends: Option<Ends>,
    /// That no program defines a function of this name that comes back.
    pub reserved: bool,
    /// That only the name with `__builtin_` before it is the compiler's; the plain one is the program's own.
    pub(crate) is_builtin: bool,
    /// An argument that an integer result does not exceed.
    pub at_most: Option<usize>,
    /// Whether the system's C library has it.
    pub hosted: bool,
    /// Whether it may end the program, or come back.
    pub may_end: bool,
    /// That it gives out memory whenever it comes back.
    pub never_fails: bool,
    /// That it gives null where it is asked for no bytes.
    pub none_is_null: bool,
    /// That what it returns does not change during a run.
    pub is_constant: bool,
    /// What it computes, where that can be said exactly.
    pub meaning: Option<Meaning>,
    /// What has no meaning yet: whoever reaches a call knows nothing of what comes after.
    pub unsupported: Option<&'static str>,
    /// Where the `__…_chk` spelling has arguments in addition.
    pub(crate) checked: Vec<usize>,
}

/// What is done with the memory behind an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    pub reads: Option<Extent>,
    pub writes: Option<Extent>,
    /// That what is written comes from outside and may be anything.
    pub input: bool,
    pub frees: bool,
    /// The pointer is kept, and what is behind it is used by later calls of this or other functions.
    pub kept: bool,
    /// That it may be null, and nothing is done then.
    pub or_null: bool,
    pub format: Option<Format>,
}

/// Whose format a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Print,
    Scan,
}

/// How many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Bytes(u64),
    /// As many as an argument says.
    Argument(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// Up to and with the first byte that is zero.
    String,
    /// One object of the type that the argument points to.
    Object,
    Unknown,
}

/// Where a pointer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    Argument(usize),
    /// Somewhere in the object that the argument points into.
    Into(usize),
    /// Somewhere in the objects that pointers behind the argument lead to.
    IntoStored(usize),
    /// New memory.
    New,
    /// Memory of the library's own.
    Own(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Nothing,
    /// What the arguments and the memory that is read determine.
    Computed,
    /// An input, between the two numbers.
    Input(i128, i128),
    /// A pointer that was given, or one into an object that was.
    Pointer {
        from: Passed,
        or_null: bool,
    },
    /// New memory.
    New {
        size: Extent,
        zeroed: bool,
        or_null: bool,
    },
    /// The block that an argument points to, there or elsewhere, with another size.
    Resized {
        block: usize,
        size: Extent,
        or_null: bool,
    },
    /// Memory of the library's own, which is the same for all functions that name it, or what they were given to keep.
    Own {
        memory: &'static str,
        /// Whether it is only what they were given.
        only_kept: bool,
        or_null: bool,
    },
    /// One of the arguments that the caller's caller passed beyond the declared ones.
    VariableArgument,
}

impl Returns {
    /// Any value of its type.
    pub const ANY: Returns = Returns::Input(i128::MIN, i128::MAX);
}

/// A call of the function that an argument points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    pub function: usize,
    pub passed: Vec<Passed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    pub when: When,
    pub callback: Callback,
    /// The function stands in a record that the argument points to.
    pub in_record: bool,
}

/// When a function is called that was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Exit,
    QuickExit,
    Signal,
    ThreadExit,
    Fork,
}

/// Bytes are copied from where one argument points to where another does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    pub to: usize,
    pub from: usize,
}

/// A pointer is stored behind an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stores {
    pub behind: usize,
    pub what: Passed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: &'static str,
    /// Where the pointer comes from that it gets, if it is one.
    pub pointer: Option<Passed>,
}

/// What a function computes, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// All bytes of the source are copied as if they were read first.
    Copy,
    /// All bytes get the value of argument 1.
    Fill,
    /// All bytes get zero.
    Zero,
    /// The run goes on only where argument 0 is not zero.
    Assume,
    /// The memory is given back when the caller returns.
    StackMemory,
    /// An operator of the program's own language.
    Operator(UnaryOp),
    /// The argument, rounded to an integer.
    Round(Rounding),
    /// Made from floats.
    Float(FloatFunction),
    /// How many bytes there are before the first zero.
    Length,
    /// The order of the bytes behind two arguments, as many as argument 2 says if there is one.
    Compare {
        /// A zero ends them.
        strings: bool,
    },
    /// Where the first byte is that argument 1 says, among as many as argument 2 says if there is one.
    Find { strings: bool },
    /// Not zero for the characters in these ranges.
    Class(Vec<(u8, u8)>),
    /// A character of the range moved by so much, any other as it is.
    Case(u8, u8, i8),
    /// What is asked or said about blocks of memory.
    Block(Block),
}

/// What programs ask about blocks of memory, and say about them, once it is woven into them that all accesses are checked.
/// No program calls such a function by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// How many bytes there are from argument 0 on to the end of the live block that argument 1 points into; none if
    /// argument 0 is outside of it.
    Room,
    /// Whether argument 0, which is made from argument 1, points into the same block, or right behind its end. From then
    /// on it is known to.
    Same,
    /// At argument 0 there is a block of as many bytes as argument 1 says.
    Live,
    /// There is none any more at argument 0.
    Dead,
    /// Whether argument 0 is the start of an allocated block that was not freed.
    Freeable,
    /// Whether the string that argument 0 points to ends before its block does.
    Terminated,
    /// Whether there is an allocated block that no pointer in static objects leads to, nor one of the stack if argument 0 is
    /// not zero.
    Lost,
    /// Whether all of as many bytes as argument 1 says were written, from argument 0 on.
    Written,
    /// Whether the bytes of the string that argument 0 points to were written, up to its end.
    TextWritten,
    /// As many bytes as argument 1 says are written, from argument 0 on.
    Write,
    /// As many bytes as argument 1 says are there and hold nothing yet, from argument 0 on, if that is not null.
    Fresh,
    /// As many bytes as argument 2 says are copied to argument 0 from argument 1, written or not.
    Move,
    /// As many bytes as argument 1 says, from argument 0 on, are written or not.
    Perhaps,
    /// Whether argument 0 is a multiple of argument 1, a power of two.
    Aligned,
}

impl Block {
    /// Whether it is about what memory holds, and not about where there is any.
    pub fn is_about_contents(self) -> bool {
        use Block::*;
        matches!(self, Written | TextWritten | Write | Fresh | Move | Perhaps)
    }

    /// Whether it is about which blocks there are.
    pub fn is_about_blocks(self) -> bool {
        !self.is_about_contents() && self != Block::Aligned
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Down,
    Up,
    TowardZero,
    /// To the nearest, of two to the one that is further from zero.
    Away,
    /// To the nearest, of two to the even one.
    Even,
}

/// Functions of floats that C defines to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFunction {
    /// The smaller argument, or the one that is a number.
    Least,
    /// The larger argument, or the one that is a number.
    Greatest,
    /// By how much argument 0 is larger, if it is.
    Difference,
    /// Argument 0 with the sign of argument 1.
    CopySign,
    /// 0 for not-a-number, 1 for infinity, 2 for zero, 3 for what is too small to be normal, 4 for all others.
    Class,
}

/// How a function that does not come back ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Abort,
    /// After the handlers that were registered.
    Exit,
    /// After those of `at_quick_exit`.
    QuickExit,
    /// At once.
    Now,
    /// The error that verification tasks look for.
    Error,
    /// Elsewhere in the program.
    Jump,
    /// The thread only.
    Thread,
    /// To get there is undefined.
    Undefined,
}

impl Function {
    pub(crate) fn plain(name: &'static str, returns: Returns) -> Function {
        Function {
            name,
            parameters: Vec::new(),
            rest: Parameter::default(),
            takes_more: false,
            returns,
            calls: Vec::new(),
            registers: None,
            copies: None,
            stores: Vec::new(),
            deep: Vec::new(),
            keeps: None,
            own: Vec::new(),
            globals: Vec::new(),
            sets_errno: false,
            ends: None,
            reserved: false,
            is_builtin: false,
            hosted: true,
            at_most: None,
            may_end: false,
            never_fails: false,
            none_is_null: false,
            is_constant: false,
            meaning: None,
            unsupported: None,
            checked: Vec::new(),
        }
    }

    /// What a function is taken for of which nothing is known: an input without side effects.
    pub fn unknown() -> &'static Function {
        static UNKNOWN: std::sync::LazyLock<Function> =
            std::sync::LazyLock::new(|| Function::plain("", Returns::ANY));
        &UNKNOWN
    }

    /// What a compiler or another tool knows by a name of its own, and nobody here does: to take it for a function that returns
    /// anything would be to make its meaning up.
    pub fn built_in_elsewhere() -> &'static Function {
        static ELSEWHERE: std::sync::LazyLock<Function> = std::sync::LazyLock::new(|| Function {
            unsupported: Some("a built-in function that is not known here"),
            ..Function::plain("", Returns::ANY)
        });
        &ELSEWHERE
    }

    pub fn is_unknown(&self) -> bool {
        self.name.is_empty()
    }

    /// What is done with the argument at a position.
    pub fn parameter(&self, at: usize) -> Parameter {
        self.parameters.get(at).copied().unwrap_or(self.rest)
    }

    /// The position of the format, and whose it is.
    pub fn format(&self) -> Option<(usize, Format)> {
        let formats = self.parameters.iter().enumerate();
        formats
            .filter_map(|(at, parameter)| Some((at, parameter.format?)))
            .next()
    }

    /// Whether a call gives out memory that is in use until it is freed.
    pub fn allocates(&self) -> bool {
        matches!(self.returns, Returns::New { .. } | Returns::Resized { .. })
            || self.stores.iter().any(|stores| stores.what == Passed::New)
    }

    /// Whether it frees what it is given.
    pub fn frees(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.frees) || !self.deep.is_empty() && self.allocates()
    }

    /// Whether it does nothing but return: no memory, no other function, no end of the program.
    pub fn only_returns(&self) -> bool {
        let untouched = |parameter: &Parameter| {
            parameter.writes.is_none() && !parameter.frees && !parameter.kept && parameter.format.is_none()
        };
        self.parameters.iter().all(untouched)
            && untouched(&self.rest)
            && self.calls.is_empty()
            && self.registers.is_none()
            && self.stores.is_empty()
            && self.deep.is_empty()
            && self.keeps.is_none()
            && self.own.is_empty()
            && self.globals.is_empty()
            && self.ends.is_none()
            && !self.may_end
            && self.unsupported.is_none()
    }

    /// Whether it does not come back to where it was called.
    pub fn never_returns(&self) -> bool {
        self.ends.is_some()
    }

    /// Whether it does nothing with memory that it is given but look at it, fill it with bytes, free it or return it.
    pub fn keeps_no_pointer(&self) -> bool {
        self.keeps.is_none()
            && self.copies.is_none()
            && self.stores.is_empty()
            && self.calls.is_empty()
            && self.registers.is_none()
            && self.unsupported.is_none()
            && !self.parameters.iter().any(|parameter| parameter.kept)
    }

    /// Whether its result may be a pointer that it was given.
    pub fn gives_back_pointer(&self) -> bool {
        matches!(
            self.returns,
            Returns::Pointer { .. } | Returns::Resized { .. } | Returns::Own { .. }
        )
    }
}
