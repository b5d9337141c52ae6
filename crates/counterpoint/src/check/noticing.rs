//! How a compiled program notices that it is at the error: what the error is was decided when the property was woven.

use std::collections::BTreeSet;

use program::{FuncId, Function};
use property::{ErrorKind, ErrorSite, Rule, Undefined, Woven};

use super::compile::{Changes, Diversion};
use super::harness;

/// The functions whose call is the error.
pub fn error_functions<'w>(woven: &'w Woven, error: &ErrorSite) -> impl Iterator<Item = &'w Function> {
    let called = same_property(woven, error).filter_map(|site| match site.kind {
        ErrorKind::Call(function) => Some(function),
        _ => None,
    });
    let called: BTreeSet<FuncId> = called.collect();
    called
        .into_iter()
        .map(|function| &woven.program.functions[function])
}

fn same_property<'w>(woven: &'w Woven, error: &ErrorSite) -> impl Iterator<Item = &'w ErrorSite> {
    let errors = woven.errors.iter();
    errors.filter(|site| site.property == error.property)
}

/// What has to be compiled differently for the error to be noticed, and C that notices it; or why it cannot be noticed.
pub fn changes<'w>(woven: &'w Woven, error: &ErrorSite) -> Result<(Changes<'w>, String), String> {
    if matches!(error.kind, ErrorKind::Endless | ErrorKind::Temporal) {
        return Err("the compiled program does not watch what it does for ever".to_owned());
    }
    let mut changes = Changes::default();
    changes
        .labels
        .extend(same_property(woven, error).filter_map(|site| match &site.kind {
            ErrorKind::Label(label) => Some(label),
            _ => None,
        }));
    let functions = error_functions(woven, error).filter(|function| function.body.is_some());
    changes.diversions.extend(functions.map(|function| Diversion {
        function: function.name.clone(),
        to: harness::REACHED_FUNCTION.to_owned(),
        original: None,
    }));
    if let ErrorKind::Undefined(kind) = error.kind {
        let Some(sanitizers) = sanitizers(kind) else {
            return Err(unnoticed(kind).to_owned());
        };
        changes.sanitizers = Some(sanitizers);
        let handlers = match sanitizers {
            ADDRESS if kind == Undefined::Leak => leak_handler(),
            ADDRESS => address_handler(),
            _ => handlers(error),
        };
        return Ok((changes, handlers));
    }
    let is_violated = |rule: &&Rule| error.kind == ErrorKind::Rule && rule.name() == error.property;
    let Some(rule) = woven.rules.iter().find(is_violated) else {
        return Ok((changes, String::new()));
    };
    let violated = format!("{}()", harness::REACHED_FUNCTION);
    let overflow = format!("_Exit({})", harness::TOO_MANY);
    let monitor = property::monitor(woven, rule, &violated, &overflow)?;
    for observed in &monitor.observed {
        match observed.is_linked {
            true => changes.wrapped.push(observed.function.clone()),
            false => changes.diversions.push(Diversion {
                function: observed.function.clone(),
                to: observed.substitute(),
                original: Some(observed.original()),
            }),
        }
    }
    Ok((changes, monitor.text))
}

/// The sanitizer that looks at addresses. It has a library of its own, which calls back.
pub const ADDRESS: &str = "address";

/// What the compiler is asked to look for; nothing where it does not.
fn sanitizers(kind: Undefined) -> Option<&'static str> {
    Some(match kind {
        Undefined::Overflow => "signed-integer-overflow,shift-base",
        Undefined::DivisionByZero => "integer-divide-by-zero",
        Undefined::Shift => "shift",
        Undefined::Bounds => "bounds-strict,vla-bound",
        Undefined::Alignment => "alignment",
        Undefined::Deref | Undefined::Free | Undefined::Leak => ADDRESS,
        Undefined::Cleanup | Undefined::Uninitialised => return None,
    })
}

/// Why a compiled program does not notice.
fn unnoticed(kind: Undefined) -> &'static str {
    match kind {
        Undefined::Uninitialised => "the compiled program does not notice what was never written",
        _ => "the compiled program does not notice what is not freed",
    }
}

/// C for what the sanitizer of addresses calls before it ends the program.
fn address_handler() -> String {
    format!(
        "\nvoid __asan_on_error(void) {{ {}(); }}\n\
         const char *__asan_default_options(void) {{ return \"detect_stack_use_after_return=1\"; }}\n",
        harness::REACHED_FUNCTION
    )
}

/// C that asks the sanitizer at the end what no pointer leads to.
fn leak_handler() -> String {
    format!(
        "\nint __lsan_do_recoverable_leak_check(void);\n\
         __attribute__((destructor)) static void counterpoint_at_end(void) {{ if (__lsan_do_recoverable_leak_check()) {}(); }}\n",
        harness::REACHED_FUNCTION
    )
}

/// The functions that sanitizers call, which get the place as a file, a line and a column first.
const HANDLERS: [(&str, &str); 9] = [
    (
        "add_overflow",
        "const struct counterpoint_place *at, void *a, void *b",
    ),
    (
        "sub_overflow",
        "const struct counterpoint_place *at, void *a, void *b",
    ),
    (
        "mul_overflow",
        "const struct counterpoint_place *at, void *a, void *b",
    ),
    ("negate_overflow", "const struct counterpoint_place *at, void *a"),
    (
        "divrem_overflow",
        "const struct counterpoint_place *at, void *a, void *b",
    ),
    (
        "out_of_bounds",
        "const struct counterpoint_place *at, void *index",
    ),
    (
        "vla_bound_not_positive",
        "const struct counterpoint_place *at, void *bound",
    ),
    (
        "type_mismatch_v1",
        "const struct counterpoint_place *at, void *pointer",
    ),
    (
        "shift_out_of_bounds",
        "const struct counterpoint_place *at, void *a, void *b",
    ),
];

/// C for what sanitizers call: at the line of the error it is reached.
fn handlers(error: &ErrorSite) -> String {
    let line = error.span.map_or(0, |span| span.presumed().1);
    let mut text = "\nstruct counterpoint_place { const char *file; unsigned line, column; };\n".to_owned();
    for (name, parameters) in HANDLERS {
        text.push_str(&format!(
            "void __ubsan_handle_{name}({parameters}) {{ if (at->line == {line}u) {}(); }}\n",
            harness::REACHED_FUNCTION
        ));
    }
    text
}
