//! Finds the row of a function by any spelling of its name: `__memcpy_chk`, `__builtin_memcpy` and
//! `__builtin___memcpy_chk` are `memcpy`, `__isoc99_scanf` is `scanf`, `getc_unlocked` is `getc`, `lseek64` is `lseek`,
//! `sqrtf` is `sqrt`.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::function::Function;
use crate::{row, table};

/// A function that has a row, by one of its spellings.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub function: &'static Function,
    /// Arguments that this spelling has and the plain one has not.
    inserted: &'static [usize],
}

impl Known {
    /// The arguments that the plain spelling would be given.
    pub fn arguments<'a, T: Clone>(&self, given: &'a [T]) -> Cow<'a, [T]> {
        if self.inserted.is_empty() {
            return Cow::Borrowed(given);
        }
        let kept = given.iter().enumerate();
        let kept = kept.filter(|(at, _)| !self.inserted.contains(at));
        Cow::Owned(kept.map(|(_, argument)| argument.clone()).collect())
    }
}

struct Table {
    functions: Vec<Function>,
    /// By all names that rows spell out; asked by name only.
    names: FxHashMap<Cow<'static, str>, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        functions: Vec::new(),
        names: FxHashMap::default(),
    };
    for (rows, hosted) in [
        (table::c::ROWS, true),
        (table::posix::ROWS, true),
        (table::wide::ROWS, true),
        (table::math::PLAIN_ROWS, true),
        (table::kernel::ROWS, false),
        (table::verifier::ROWS, false),
    ] {
        table.add(rows, &[""], hosted);
    }
    table.add(table::math::ROWS, &["", "f", "l"], true);
    table
});

impl Table {
    fn add(&mut self, rows: &'static str, suffixes: &[&str], hosted: bool) {
        let rows = rows.lines().map(str::trim);
        for line in rows.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (names, mut function) = row::read(line);
            function.hosted = hosted;
            let at = self.functions.len();
            self.functions.push(function);
            for name in names {
                for suffix in suffixes {
                    let name = match suffix.is_empty() {
                        true => Cow::Borrowed(name),
                        false => Cow::Owned(format!("{name}{suffix}")),
                    };
                    self.names.entry(name).or_insert(at);
                }
            }
        }
    }

    fn get(&'static self, name: &str) -> Option<&'static Function> {
        self.names.get(name).map(|&at| &self.functions[at])
    }
}

const INPUT_PREFIX: &str = "__VERIFIER_nondet_";
const INPUT: &str = "__VERIFIER_nondet";

/// The row of the function of that name, or that of functions of which nothing is known.
pub fn of(name: &str) -> Known {
    let built_in = [
        "__builtin_",
        "__CPROVER_",
        "__ESBMC_",
        "__SMACK_",
        "__CRAB_",
        "__SEA_",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix));
    known(name).unwrap_or(Known {
        function: match built_in {
            true => Function::built_in_elsewhere(),
            false => Function::unknown(),
        },
        inserted: &[],
    })
}

/// Whether a name is that of an input of verification tasks.
pub fn is_verifier_input(name: &str) -> bool {
    name.starts_with(INPUT_PREFIX) && TABLE.get(name).is_none()
}

/// The row of the function of that name.
pub fn known(name: &str) -> Option<Known> {
    let plain = |function| Known {
        function,
        inserted: &[],
    };
    if let Some(function) = TABLE.get(name) {
        return (!function.is_builtin).then(|| plain(function));
    }
    if name.starts_with(INPUT_PREFIX) {
        return TABLE.get(INPUT).map(plain);
    }
    if let Some(inner) = name.strip_prefix("__builtin_") {
        return known(inner).or_else(|| TABLE.get(inner).map(plain));
    }
    let isoc = name
        .strip_prefix("__isoc99_")
        .or_else(|| name.strip_prefix("__isoc23_"));
    if let Some(inner) = isoc {
        return known(inner);
    }
    if let Some(inner) = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk")) {
        let found = known(inner)?;
        return Some(Known {
            inserted: &found.function.checked,
            ..found
        });
    }
    let shorter = name
        .strip_suffix("_unlocked")
        .or_else(|| name.strip_suffix("64"))?;
    TABLE.get(shorter).map(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Ends, Extent, Passed, Returns};

    fn plain(name: &str) -> Option<&'static str> {
        known(name).map(|found| found.function.name)
    }

    #[test]
    fn all_rows_read_and_no_name_is_given_twice() {
        let mut names: Vec<&str> = TABLE.functions.iter().map(|function| function.name).collect();
        assert!(names.len() > 600, "{} rows", names.len());
        names.sort_unstable();
        let twice: Vec<&[&str]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
        for function in &TABLE.functions {
            assert!(
                std::ptr::eq(TABLE.get(function.name).expect("its own name"), function),
                "{} is another name of another row",
                function.name
            );
        }
    }

    #[test]
    fn other_spellings_of_a_name_find_its_row() {
        for (name, expected) in [
            ("memcpy", "memcpy"),
            ("__memcpy_chk", "memcpy"),
            ("__builtin_memcpy", "memcpy"),
            ("__builtin___memcpy_chk", "memcpy"),
            ("__isoc99_sscanf", "sscanf"),
            ("__isoc23_strtol", "strtol"),
            ("__isoc99_vsscanf", "vsscanf"),
            ("getc_unlocked", "fgetc"),
            ("fread_unlocked", "fread"),
            ("lseek64", "lseek"),
            ("sqrtf", "sqrt"),
            ("__builtin_fabsl", "fabs"),
            ("__builtin_abort", "abort"),
            ("__VERIFIER_nondet_int", "__VERIFIER_nondet"),
            ("__VERIFIER_nondet_memory", "__VERIFIER_nondet_memory"),
            ("__builtin_trap", "trap"),
        ] {
            assert_eq!(plain(name), Some(expected), "{name}");
        }
        for name in [
            "memcpy_to",
            "_memcpy",
            "frobnicate",
            "__builtin_frobnicate",
            "trap",
            "popcount",
            "l64",
            "__chk",
        ] {
            assert_eq!(plain(name), None, "{name}");
        }
    }

    #[test]
    fn checked_spellings_have_arguments_in_addition() {
        let arguments = |name: &str, given: &[u32]| -> Vec<u32> {
            known(name).expect("it has a row").arguments(given).to_vec()
        };
        assert_eq!(arguments("__printf_chk", &[0, 1, 2]), [1, 2]);
        assert_eq!(arguments("__builtin___sprintf_chk", &[0, 1, 2, 3, 4]), [0, 3, 4]);
        assert_eq!(arguments("__snprintf_chk", &[0, 1, 2, 3, 4, 5]), [0, 1, 4, 5]);
        assert_eq!(arguments("__fgets_chk", &[0, 1, 2, 3]), [0, 2, 3]);
        assert_eq!(arguments("sprintf", &[0, 1, 2]), [0, 1, 2]);
    }

    #[test]
    fn rows_say_what_functions_do() {
        let row = |name: &str| known(name).expect("it has a row").function;
        let memcpy = row("memcpy");
        assert_eq!(memcpy.parameters[0].writes, Some(Extent::Argument(2)));
        assert_eq!(memcpy.parameters[0].reads, None);
        assert_eq!(
            memcpy.returns,
            Returns::Pointer {
                from: Passed::Argument(0),
                or_null: false
            }
        );
        assert_eq!(row("fread").parameters[0].writes, Some(Extent::Product(1, 2)));
        assert!(row("scanf").rest.writes.is_some());
        assert_eq!(row("quick_exit").ends, Some(Ends::QuickExit));
        assert_eq!(
            row("bsearch").calls[0].passed,
            [Passed::Argument(0), Passed::Into(1)]
        );
        assert_eq!(row("getchar").returns, Returns::Input(-1, 255));
        assert!(row("getchar").sets_errno && !row("strlen").sets_errno && row("strtol").sets_errno);
        assert!(row("strlen").only_returns() && !row("strcpy").only_returns());
        assert!(row("getline").frees() && row("free").frees() && !row("malloc").frees());
        assert!(row("setjmp").unsupported.is_some() && row("longjmp").never_returns());
    }
}
