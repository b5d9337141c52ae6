//! Functions without a body: the ones whose meaning is known, and all others, which are inputs without side effects.
//!
//! What the known ones write is followed as far as it is a small number of cells. Beyond that it is forgotten, with all that
//! is in the same classes of memory: terms then allow more than runs do, and [`FreshCause::Unfollowed`] says so.

use logic::{Sort, SymbolInfo, Term};
use program::{Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, PlaceId};

use crate::block::{Block, Named};
use crate::copy::{MAX_CELLS, cell_sort};
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Semantics, Storage};

/// Functions whose effect on memory is not modelled: a call is unsupported rather than passed over.
const CHANGE_MEMORY: [&str; 29] = [
    "qsort",
    "__builtin_va_copy",
    "asprintf",
    "vasprintf",
    "getaddrinfo",
    "getcwd",
    "getdelim",
    "getline",
    "gmtime_r",
    "localtime_r",
    "memccpy",
    "mempcpy",
    "posix_memalign",
    "stpcpy",
    "stpncpy",
    "strsep",
    "strtok",
    "strtok_r",
    "swab",
    "vfscanf",
    "vscanf",
    "vsscanf",
    "wcscat",
    "wcscpy",
    "wcsncat",
    "wcsncpy",
    "wmemcpy",
    "wmemmove",
    "wmemset",
];

/// Functions that call functions of the program, at once or later: what those do is not part of any effect, so a call is
/// unsupported rather than passed over.
const CALL_BACK: [&str; 20] = [
    "atexit",
    "at_quick_exit",
    "on_exit",
    "__cxa_atexit",
    "bsearch",
    "qsort_r",
    "lfind",
    "lsearch",
    "tdelete",
    "tfind",
    "tsearch",
    "twalk",
    "ftw",
    "nftw",
    "glob",
    "scandir",
    "sigaction",
    "signal",
    "call_once",
    "pthread_once",
];

const MODELLED: [&str; 14] = [
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "malloc",
    "alloca",
    "calloc",
    "realloc",
    "strdup",
    "strndup",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "bzero",
    "bcopy",
];

/// Functions besides `free` and `realloc` that may free what they are given.
const FREE: [&str; 12] = [
    "cfree",
    "reallocarray",
    "getline",
    "getdelim",
    "kfree",
    "kzfree",
    "kfree_sensitive",
    "krealloc",
    "kvfree",
    "vfree",
    "kmem_cache_free",
    "g_free",
];

/// What a function returns that writes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Returns {
    FirstArgument,
    FirstArgumentOrNull,
    /// Something that is not followed.
    Value,
}

/// Whether a function without a body has a meaning here other than that of an input.
pub fn is_modelled(name: &str) -> bool {
    let name = plain_name(name);
    MODELLED.contains(&name)
        || CHANGE_MEMORY.contains(&name)
        || CALL_BACK.contains(&name)
        || writes(name).is_some()
}

/// Whether a function without a body gives out memory that is in use until it is freed.
pub(crate) fn allocates(name: &str) -> bool {
    matches!(
        plain_name(name),
        "malloc" | "calloc" | "realloc" | "strdup" | "strndup"
    )
}

/// `__builtin_memcpy` is `memcpy`, and so is `__memcpy_chk`, which has a further argument; `__isoc99_scanf` is what headers make
/// of `scanf`.
fn plain_name(name: &str) -> &str {
    let name = match name.strip_prefix("__builtin_") {
        Some(plain) if !plain.starts_with("va_") => plain,
        _ => name,
    };
    let revised = ["__isoc99_", "__isoc23_"];
    let name = revised
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    name.strip_prefix("__")
        .and_then(|inner| inner.strip_suffix("_chk"))
        .unwrap_or(name)
}

/// Functions that write behind their arguments from the first of these on, to the second if there is one, and what they
/// return.
fn writes(name: &str) -> Option<(usize, Option<usize>, Returns)> {
    let one = |argument: usize, returns: Returns| Some((argument, Some(argument), returns));
    match name {
        "strcpy" | "strncpy" | "strcat" | "strncat" => one(0, Returns::FirstArgument),
        "fgets" | "gets" => one(0, Returns::FirstArgumentOrNull),
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "strlcpy" | "strlcat" | "fread" => {
            one(0, Returns::Value)
        }
        "__VERIFIER_nondet_memory" | "time" => one(0, Returns::Value),
        "read" | "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold"
        | "strtoimax" | "strtoumax" => one(1, Returns::Value),
        "gettimeofday" | "getrandom" | "gethostname" | "mbstowcs" | "wcstombs" | "pipe" | "pipe2"
        | "strftime" | "times" | "uname" | "wait" => one(0, Returns::Value),
        "clock_gettime" | "clock_getres" | "fstat" | "lstat" | "stat" | "nanosleep" | "pread"
        | "readlink" | "recv" | "recvfrom" | "waitpid" | "frexp" | "frexpf" | "frexpl" | "modf" | "modff"
        | "modfl" | "lgamma_r" | "lgammaf_r" | "lgammal_r" => one(1, Returns::Value),
        "remquo" | "remquof" | "remquol" => one(2, Returns::Value),
        "sincos" | "sincosf" | "sincosl" => Some((1, Some(2), Returns::Value)),
        "scanf" => Some((1, None, Returns::Value)),
        "fscanf" | "sscanf" => Some((2, None, Returns::Value)),
        _ => None,
    }
}

/// So many cells of zeroed memory are followed; where its size is not known, fewer.
const FOLLOWED_CELLS: usize = 256;
const FOLLOWED_CELLS_OF_UNKNOWN: usize = 16;
const FOLLOWED_BYTES: u64 = 256;

impl Semantics<'_> {
    pub(crate) fn external_call(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
        callee: Callee,
        arguments: &[ExprId],
    ) -> Result<Effect, Unsupported> {
        match callee {
            Callee::Direct(function) => self.library_call(edge, function, result, arguments),
            Callee::Indirect(_) => {
                let targets = self.memory.call_targets(edge);
                self.elsewhere(edge, &targets)
            }
        }
    }

    /// The effect of a call of a function without a body through a pointer.
    pub fn outside(&mut self, call: EdgeId, function: FuncId) -> Result<Effect, Unsupported> {
        self.begin();
        let program = self.program;
        let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            result,
            ref arguments,
        } = program.edges[call].kind
        else {
            unreachable!("other calls say which function they call")
        };
        let here = self.leads_to(pointer, function)?;
        let mut effect = self.library_call(call, function, result, arguments)?;
        effect.guard = self.terms.and(here, effect.guard);
        Ok(self.strict_where_assumed(call, effect))
    }

    fn library_call(
        &mut self,
        edge: EdgeId,
        function: FuncId,
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<Effect, Unsupported> {
        let program = self.program;
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
            ("malloc", &[size]) => {
                let size = self.index_value(size)?;
                self.allocation(edge, result, size, Contents::Any)
            }
            ("alloca", &[size]) => {
                let size = self.index_value(size)?;
                let mut effect = self.allocation(edge, result, size, Contents::Any)?;
                // It is given back when the function returns, where nothing is said about it.
                let allocated = self.symbol(Storage::Allocated);
                effect.updates.retain(|&(symbol, _)| symbol != allocated);
                Ok(effect)
            }
            ("calloc", &[count, size]) => {
                let (count, size) = (self.index_value(count)?, self.index_value(size)?);
                let size = self.terms.mul(count, size);
                self.allocation(edge, result, size, Contents::Zero)
            }
            ("realloc", &[old, size]) => {
                let size = self.index_value(size)?;
                self.allocation(edge, result, size, Contents::Resized(old))
            }
            ("strdup" | "strndup", _) => self.allocation_of_unknown_size(edge, result),
            ("free", &[freed]) => self.freed(freed),
            ("memcpy" | "memmove", &[to, from, size, ..]) => self.copied(result, to, from, size),
            ("bcopy", &[from, to, size]) => self.copied(result, to, from, size),
            ("memset", &[to, byte, size, ..]) => {
                let byte = self.value(byte)?;
                let byte = self.terms.extract(7, 0, byte);
                self.filled(result, to, byte, size)
            }
            ("bzero", &[to, size]) => {
                let byte = self.terms.word(8, 0);
                self.filled(result, to, byte, size)
            }
            (name, _) if CHANGE_MEMORY.contains(&name) || MODELLED.contains(&name) => {
                Err(Unsupported::new(format!("the function `{name}`")))
            }
            (name, _) if CALL_BACK.contains(&name) => Err(Unsupported::new(format!(
                "the function `{name}`, which calls functions of the program"
            ))),
            (name, _) => {
                let mut effect = match writes(name) {
                    Some((first, last, returns)) => {
                        let end = last.map_or(arguments.len(), |last| last + 1);
                        let Some(written) = arguments.get(first..end) else {
                            return Err(Unsupported::new(format!(
                                "a call of `{name}` with too few arguments"
                            )));
                        };
                        self.unfollowed(function, result, arguments, written, returns)?
                    }
                    None => self.input(function, result)?,
                };
                if FREE.contains(&name) {
                    // Whichever it was, its address may be given out again.
                    effect
                        .updates
                        .push((self.symbol(Storage::Allocated), self.nothing_allocated()));
                }
                Ok(effect)
            }
        }
    }

    fn input(&mut self, function: FuncId, result: Option<PlaceId>) -> Result<Effect, Unsupported> {
        self.forget_result(result, FreshCause::External(function))
    }

    /// New memory at an unknown address that is not null, nor that of a block in use.
    fn allocation(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
        size: Term,
        contents: Contents,
    ) -> Result<Effect, Unsupported> {
        let Some(place) = result else {
            return match contents {
                // Nobody knows where it is now.
                Contents::Resized(old) => self.freed(old),
                Contents::Any | Contents::Zero => Ok(self.nothing()),
            };
        };
        let mut updates = Updates::default();
        let mut fresh: Vec<Fresh> = Vec::new();
        let ty = self.program.place(place).ty;
        let (sort, info) = (self.sort(ty), self.info(ty));
        let address = self.fresh_value(&mut fresh, sort, info, FreshCause::Allocation { size });
        self.allocated.extend(fresh.iter().map(|fresh| fresh.symbol));
        let mut guard = self.terms.is_nonzero(address);
        let in_use = match contents {
            // It may stay where it was.
            Contents::Resized(old) => self.without_block(old)?,
            Contents::Any | Contents::Zero => self.current(Storage::Allocated),
        };
        let (no, yes) = (self.terms.word(1, 0), self.terms.word(1, 1));
        let there = self.terms.select(in_use, address);
        let is_new = self.terms.eq(there, no);
        guard = self.terms.and(guard, is_new);
        let in_use = self.terms.store(in_use, address, yes);
        updates.set(self.symbol(Storage::Allocated), in_use);
        match contents {
            Contents::Any => {}
            Contents::Zero => {
                let zero = self.zero_allocated(&mut fresh, edge, address, size);
                guard = self.terms.and(guard, zero);
            }
            Contents::Resized(old) => {
                self.note_unfollowed(&mut fresh);
                let same = self.resized(old, address, size)?;
                guard = self.terms.and(guard, same);
            }
        }
        self.write(&mut updates, place, address)?;
        Ok(self.finish(guard, updates, fresh))
    }

    /// That no block is known to be in use.
    pub(crate) fn nothing_allocated(&mut self) -> Term {
        let no = self.terms.word(1, 0);
        self.terms.const_array(self.pointer_bits(), no)
    }

    fn freed(&mut self, address: ExprId) -> Result<Effect, Unsupported> {
        let mut updates = Updates::default();
        let left = self.without_block(address)?;
        updates.set(self.symbol(Storage::Allocated), left);
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, Vec::new()))
    }

    /// The blocks in use without one. Its address may be given out again.
    fn without_block(&mut self, address: ExprId) -> Result<Term, Unsupported> {
        let address = self.value(address)?;
        let (in_use, no) = (self.current(Storage::Allocated), self.terms.word(1, 0));
        Ok(self.terms.store(in_use, address, no))
    }

    /// That new memory holds zeros, as far as it is followed. To find them there is as good as to write them: nothing has
    /// looked at that memory before, and what is known of other memory stays known.
    fn zero_allocated(&mut self, fresh: &mut Vec<Fresh>, edge: EdgeId, address: Term, size: Term) -> Term {
        let constant = self.small_constant(size);
        let (bytes, count) = match constant {
            Some(size) => (size, FOLLOWED_CELLS),
            None => (FOLLOWED_BYTES, FOLLOWED_CELLS_OF_UNKNOWN),
        };
        let mut cells = self.memory.cells_allocated(edge, bytes);
        if constant.is_none() || cells.len() > count {
            self.note_unfollowed(fresh);
        }
        cells.sort_by_key(|&(class, offset)| (offset, class));
        cells.truncate(count);
        let bits = self.pointer_bits();
        let mut conditions = Vec::with_capacity(cells.len());
        for (class, offset) in cells {
            let cell = self.memory.cell(class);
            let end = u128::from(offset + self.cell_size(cell));
            let end = self.terms.word(bits, end);
            let inside = self.terms.ule(end, size);
            let at = self.displaced(address, offset);
            let memory = self.current(Storage::Memory(class));
            let (value, zero) = (self.terms.select(memory, at), self.zero(cell_sort(cell)));
            let is_zero = self.terms.eq(value, zero);
            conditions.push(self.terms.implies(inside, is_zero));
        }
        self.terms.all(&conditions)
    }

    /// That the first cells of new memory hold what was found behind a pointer. How much there was is not known: what lies
    /// behind it is as good as anything, for nobody knows what that is.
    fn resized(&mut self, old: ExprId, address: Term, size: Term) -> Result<Term, Unsupported> {
        let from = self.value(old)?;
        let was_there = self.terms.is_nonzero(from);
        let old = without_casts(self.program, old);
        let bits = self.pointer_bits();
        let mut conditions = Vec::new();
        let mut offset = 0;
        while offset < FOLLOWED_BYTES && conditions.len() < FOLLOWED_CELLS_OF_UNKNOWN {
            // The result is used like the old pointer: their memory is in the same classes.
            let Some(class) = self.memory.class_behind(old, offset, 1) else {
                break;
            };
            let start = offset;
            offset += self.cell_size(self.memory.cell(class));
            let end = self.terms.word(bits, u128::from(offset));
            let inside = self.terms.ule(end, size);
            let memory = self.current(Storage::Memory(class));
            let (there, here) = (self.displaced(from, start), self.displaced(address, start));
            let (was, is) = (self.terms.select(memory, there), self.terms.select(memory, here));
            let same = self.terms.eq(was, is);
            conditions.push(self.terms.implies(inside, same));
        }
        let same = self.terms.all(&conditions);
        Ok(self.terms.implies(was_there, same))
    }

    /// New memory of a size that is not known, with contents that are not followed.
    fn allocation_of_unknown_size(
        &mut self,
        edge: EdgeId,
        result: Option<PlaceId>,
    ) -> Result<Effect, Unsupported> {
        let sort = Sort::BitVec(self.pointer_bits());
        let mut fresh = Vec::new();
        let size = self.fresh_value(&mut fresh, sort, SymbolInfo::unsigned(), FreshCause::Unfollowed);
        let mut effect = self.allocation(edge, result, size, Contents::Any)?;
        fresh.append(&mut effect.fresh);
        effect.fresh = fresh;
        Ok(effect)
    }

    /// Says that the effect allows more than runs do.
    fn note_unfollowed(&mut self, fresh: &mut Vec<Fresh>) {
        let cause = FreshCause::Unfollowed;
        self.fresh_value(fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
    }

    fn copied(
        &mut self,
        result: Option<PlaceId>,
        to: ExprId,
        from: ExprId,
        size: ExprId,
    ) -> Result<Effect, Unsupported> {
        let size = self.index_value(size)?;
        let (target, source) = (self.block_behind(to)?, self.block_behind(from)?);
        let mut updates = Updates::default();
        let followed = match self.small_constant(size) {
            Some(size) => self.copy_block(&mut updates, target, source, size).is_ok(),
            None => false,
        };
        self.written(updates, followed, result, to, target.address)
    }

    fn filled(
        &mut self,
        result: Option<PlaceId>,
        to: ExprId,
        byte: Term,
        size: ExprId,
    ) -> Result<Effect, Unsupported> {
        let size = self.index_value(size)?;
        let target = self.block_behind(to)?;
        let mut updates = Updates::default();
        let followed = match self.small_constant(size) {
            Some(size) => self.fill_block(&mut updates, target, byte, size).is_ok(),
            None => false,
        };
        self.written(updates, followed, result, to, target.address)
    }

    /// Ends the effect of a function that writes where its argument points and returns it.
    fn written(
        &mut self,
        updates: Updates,
        followed: bool,
        result: Option<PlaceId>,
        to: ExprId,
        pointer: Term,
    ) -> Result<Effect, Unsupported> {
        let mut fresh = Vec::new();
        let mut updates = updates;
        if !followed {
            updates = Updates::default();
            self.forget_behind(&mut updates, &mut fresh, to);
        }
        if let Some(place) = result {
            self.write(&mut updates, place, pointer)?;
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }

    /// The effect of a function that writes anything behind some arguments.
    fn unfollowed(
        &mut self,
        function: FuncId,
        result: Option<PlaceId>,
        arguments: &[ExprId],
        written: &[ExprId],
        returns: Returns,
    ) -> Result<Effect, Unsupported> {
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        for &pointer in written {
            self.forget_behind(&mut updates, &mut fresh, pointer);
        }
        self.note_unfollowed(&mut fresh);
        if let Some(place) = result {
            match returns {
                Returns::Value => {
                    self.forget(&mut updates, &mut fresh, place, FreshCause::External(function))?;
                }
                Returns::FirstArgument | Returns::FirstArgumentOrNull => {
                    let mut value = self.value(arguments[0])?;
                    if returns == Returns::FirstArgumentOrNull {
                        let info = SymbolInfo::unsigned();
                        let choice =
                            self.fresh_value(&mut fresh, Sort::BitVec(1), info, FreshCause::Unfollowed);
                        let some = self.terms.is_nonzero(choice);
                        let bits = self.pointer_bits();
                        let null = self.terms.word(bits, 0);
                        value = self.terms.ite(some, value, null);
                    }
                    self.write(&mut updates, place, value)?;
                }
            }
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }

    /// Forgets all that the classes of the memory behind a pointer hold.
    fn forget_behind(&mut self, updates: &mut Updates, fresh: &mut Vec<Fresh>, pointer: ExprId) {
        for class in self.memory.classes_behind(without_casts(self.program, pointer)) {
            self.forget_class(updates, fresh, class, FreshCause::Unfollowed);
        }
    }

    fn small_constant(&self, size: Term) -> Option<u64> {
        let size = self.terms.as_word(size)?;
        u64::try_from(size).ok().filter(|&size| size <= MAX_CELLS)
    }

    /// The memory that a pointer argument leads to.
    fn block_behind(&mut self, pointer: ExprId) -> Result<Block, Unsupported> {
        let address = self.value(pointer)?;
        self.require_nonzero(address);
        Ok(Block {
            named: Named::Behind(without_casts(self.program, pointer)),
            address,
        })
    }
}

/// What new memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Any,
    Zero,
    /// What was behind a pointer.
    Resized(ExprId),
}

/// A pointer before conversions to other pointer types, such as `void *`: they do not matter to what it points to.
fn without_casts(program: &program::Program, mut pointer: ExprId) -> ExprId {
    while let ExprKind::Cast { operand, .. } = program.expr(pointer).kind {
        if !program.types.is_pointer(program.expr(operand).ty) {
            break;
        }
        pointer = operand;
    }
    pointer
}
