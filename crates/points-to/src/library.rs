//! What functions without a body do to memory, by name. A function that is not listed is an input without side
//! effects: it reads and writes nothing, and if its result is a pointer, that leads to memory of its own.

/// Where the pointers in a function's result come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Memory of its own, different at each call, with nothing in it.
    Fresh,
    /// An argument.
    Argument(usize),
    /// Somewhere in the object that an argument points into.
    Into(usize),
    /// The argument's object or a larger one with the same contents.
    Resized(usize),
    /// One of the arguments that the caller's caller passed beyond the declared ones.
    VariableArgument,
    /// An input.
    Input,
}

/// Which arguments a function reads or writes through, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    pub reads: u32,
    pub writes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    pub returns: Returns,
    pub touches: Touches,
    /// Copies bytes from one argument's memory to another's: destination and source.
    pub copies: Option<(usize, usize)>,
    /// Stores a pointer into one argument's object where another argument points: where, into which.
    pub stores: Option<(usize, usize)>,
    /// Stores the address of fresh memory where the argument points.
    pub stores_fresh: Option<usize>,
    /// Calls the function that the argument points to, with pointers into the object of the second.
    pub calls: Option<(usize, Option<usize>)>,
}

const UNKNOWN: Model = Model {
    returns: Returns::Input,
    touches: Touches { reads: 0, writes: 0 },
    copies: None,
    stores: None,
    stores_fresh: None,
    calls: None,
};

/// All arguments from that one on.
const fn from(first: u32) -> u32 {
    u32::MAX << first
}

/// The model of the function with that name.
pub fn model(name: &str) -> Model {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name
        .strip_prefix("__")
        .and_then(|inner| inner.strip_suffix("_chk"))
        .unwrap_or(name);
    let touching = |reads: u32, writes: u32| Model {
        touches: Touches { reads, writes },
        ..UNKNOWN
    };
    let returning = |returns: Returns, reads: u32, writes: u32| Model {
        returns,
        ..touching(reads, writes)
    };
    match name {
        "malloc" | "aligned_alloc" | "memalign" | "valloc" | "pvalloc" | "alloca" | "alloca_with_align"
        | "calloc" => returning(Returns::Fresh, 0, 0),
        "strdup" | "strndup" => returning(Returns::Fresh, 1, 0),
        "realloc" | "reallocarray" => returning(Returns::Resized(0), 1, 0),
        "posix_memalign" => Model {
            stores_fresh: Some(0),
            ..touching(0, 1)
        },
        "memcpy" | "memmove" => Model {
            copies: Some((0, 1)),
            ..returning(Returns::Argument(0), 2, 1)
        },
        "mempcpy" => Model {
            copies: Some((0, 1)),
            ..returning(Returns::Into(0), 2, 1)
        },
        "bcopy" => Model {
            copies: Some((1, 0)),
            ..touching(1, 2)
        },
        "memset" => returning(Returns::Argument(0), 0, 1),
        "bzero" | "explicit_bzero" => touching(0, 1),
        "strcpy" | "strncpy" => returning(Returns::Argument(0), 2, 1),
        "strcat" | "strncat" => returning(Returns::Argument(0), 3, 1),
        "stpcpy" | "stpncpy" => returning(Returns::Into(0), 2, 1),
        "strlcpy" | "strlcat" => touching(3, 1),
        "strchr" | "strrchr" | "strchrnul" | "index" | "rindex" | "memchr" | "memrchr" | "rawmemchr" => {
            returning(Returns::Into(0), 1, 0)
        }
        "strstr" | "strcasestr" | "strpbrk" | "memmem" => returning(Returns::Into(0), from(0), 0),
        "strlen" | "strnlen" | "puts" | "atoi" | "atol" | "atoll" | "atof" => touching(1, 0),
        "memcmp" | "bcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll" | "strspn"
        | "strcspn" => touching(3, 0),
        "fputs" | "fwrite" => touching(1, 0),
        "printf" | "vprintf" => touching(from(0), 0),
        "fprintf" | "vfprintf" | "dprintf" => touching(from(1), 0),
        "sprintf" | "vsprintf" => touching(from(1), 1),
        "snprintf" | "vsnprintf" => touching(from(2), 1),
        "scanf" => touching(1, from(1)),
        "sscanf" => touching(3, from(2)),
        "fscanf" => touching(2, from(2)),
        "fgets" | "gets" => returning(Returns::Argument(0), 0, 1),
        "fread" => touching(0, 1),
        "read" => touching(0, 2),
        "write" => touching(2, 0),
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold" | "strtoimax"
        | "strtoumax" => Model {
            stores: Some((1, 0)),
            ..touching(1, 2)
        },
        "va_arg" => Model {
            returns: Returns::VariableArgument,
            ..touching(1, 1)
        },
        "va_start" => touching(0, 1),
        "va_copy" => touching(2, 1),
        "atexit" | "at_quick_exit" => Model {
            calls: Some((0, None)),
            ..UNKNOWN
        },
        "qsort" => Model {
            calls: Some((3, Some(0))),
            ..touching(1, 1)
        },
        "bsearch" => Model {
            calls: Some((4, Some(1))),
            ..returning(Returns::Into(1), 3, 0)
        },
        _ => UNKNOWN,
    }
}

/// Whether the function does nothing with a pointer but look at the memory behind it or give it back.
pub fn is_harmless_to_fresh_memory(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(name),
        "memset" | "bzero" | "free" | "abort" | "exit" | "__VERIFIER_assume" | "assume_abort_if_not"
    )
}
