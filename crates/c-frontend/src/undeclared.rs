//! Functions that ask for a value and are called without a declaration. C takes such a function for one that returns an
//! `int`; whoever defines `__VERIFIER_nondet_bool` later returns a `_Bool`, so what the name says is declared before the text.

use rucc_diag::Diagnostic;

/// What a call without a declaration is called.
const IMPLICIT: &str = "E0521";
const PREFIX: &str = "__VERIFIER_nondet_";

/// Declarations of those functions that the checker had to make up, in the order of their calls.
pub(crate) fn declarations(said: &[Diagnostic]) -> String {
    let names = said.iter().filter(|said| is_implicit(said)).filter_map(called);
    names
        .filter_map(|name| Some((name, result(name.strip_prefix(PREFIX)?)?)))
        .map(|(name, result)| format!("extern {result} {name}();\n"))
        .collect()
}

/// Whether this says that a function is called without a declaration.
pub(crate) fn is_implicit(said: &Diagnostic) -> bool {
    said.code == Some(IMPLICIT)
}

fn called(said: &Diagnostic) -> Option<&str> {
    said.message.split('\'').nth(1)
}

fn result(name: &str) -> Option<&'static str> {
    let found = TYPES.iter().find(|(known, _)| *known == name);
    found.map(|(_, ty)| *ty)
}

/// What is behind the prefix, and the type that is asked for, where that is not `int`. Types of a system's own are spelled as
/// they are on Linux.
const TYPES: [(&str, &str); 34] = [
    ("bool", "_Bool"),
    ("_Bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("int128", "__int128"),
    ("uint128", "unsigned __int128"),
    ("float", "float"),
    ("double", "double"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("charp", "char *"),
    ("const_char_pointer", "const char *"),
    ("size_t", "unsigned long"),
    ("loff_t", "long long"),
    ("sector_t", "unsigned long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("s8", "signed char"),
    ("s16", "short"),
    ("S8", "signed char"),
    ("U8", "unsigned char"),
];
