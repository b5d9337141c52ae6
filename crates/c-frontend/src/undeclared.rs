//! Functions that are called without a declaration. C takes such a function for one that returns an `int`; whoever defines
//! `__VERIFIER_nondet_bool` later returns a `_Bool`, so what the name says is declared before the text. Functions of C's library that
//! return something else than an `int` are declared as in its headers: compilers know them, and call them as what they are.

use rucc_diag::Diagnostic;

/// What a call without a declaration is called.
const IMPLICIT: &str = "E0521";
const PREFIX: &str = "__VERIFIER_nondet_";

/// Declarations of those functions that the checker had to make up, in the order of their calls.
pub(crate) fn declarations(said: &[Diagnostic]) -> String {
    let names = said.iter().filter(|said| is_implicit(said)).filter_map(called);
    names
        .filter_map(|name| match name.strip_prefix(PREFIX) {
            Some(kind) => Some(format!("extern {} {name}();\n", result(kind)?)),
            None => of_library(name),
        })
        .collect()
}

/// Whether this says that a function is called without a declaration.
pub(crate) fn is_implicit(said: &Diagnostic) -> bool {
    said.code == Some(IMPLICIT)
}

fn called(said: &Diagnostic) -> Option<&str> {
    said.message.split('\'').nth(1)
}

/// The declaration of a library function.
fn of_library(name: &str) -> Option<String> {
    let named = |(_, names, _): &&(&str, &str, &str)| names.split(' ').any(|known| known == name);
    let &(result, _, parameters) = LIBRARY.iter().find(named)?;
    let text = format!("extern {result} {name}({parameters});\n");
    // Macros are not known there.
    Some(text.replace("size_t", "__typeof__(sizeof 0)"))
}

/// Results, names and parameters of functions that compilers know, where the result is not `int`.
const LIBRARY: [(&str, &str, &str); 17] = [
    ("void *", "malloc alloca", "size_t"),
    ("void *", "calloc", "size_t, size_t"),
    ("void *", "realloc", "void *, size_t"),
    ("void *", "aligned_alloc", "size_t, size_t"),
    ("void", "free", "void *"),
    ("void", "abort", "void"),
    ("void", "exit _exit _Exit", "int"),
    ("void *", "memcpy memmove mempcpy", "void *, const void *, size_t"),
    ("void *", "memset", "void *, int, size_t"),
    ("void *", "memchr", "const void *, int, size_t"),
    ("char *", "strcpy strcat stpcpy", "char *, const char *"),
    (
        "char *",
        "strncpy strncat stpncpy",
        "char *, const char *, size_t",
    ),
    ("char *", "strchr strrchr", "const char *, int"),
    ("char *", "strstr strpbrk", "const char *, const char *"),
    ("char *", "strdup", "const char *"),
    ("size_t", "strlen", "const char *"),
    ("size_t", "strspn strcspn", "const char *, const char *"),
];

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
