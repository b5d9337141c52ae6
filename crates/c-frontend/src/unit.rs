//! One file from text to a typed tree, by the rucc crates.

use std::path::Path;

use rucc_base::Interner;
use rucc_diag::{SourceMap, Span};
use rucc_lex::{Convert, Keywords, PpToken, convert};
use rucc_pp::{Predef, Preprocessor};
use rucc_sema::{Checker, Tast};
use rucc_session::{Preinclude, Std};
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;

use crate::Options;
use crate::files::{Files, search_path};
use crate::{repair, undeclared};
use diagnostics::{Diagnostic, Location, Severity};
use program::DataModel;

/// A checked translation unit.
pub(crate) struct Unit {
    pub tast: Tast,
    pub types: Types,
    pub names: Interner,
    pub sources: SourceMap,
    pub target: TargetInfo,
    /// Whether the user says where there are devices.
    pub knows_devices: bool,
    /// Warnings, and errors that leave only a poisoned node behind.
    pub remarks: Vec<Diagnostic>,
}

/// Errors that poison one construct and leave the rest of the tree whole. The construct becomes an unsupported edge,
/// which matters only where it can be reached: compiler intrinsics in headers, declarations that disagree with an
/// implicit one, labels that nobody uses, definitions of a type that is only completed further down.
const TOLERATED: [&str; 5] = ["E0518", "E0569", "E0586", "E0601", "E0629"];

/// Brackets or declarators nested too deeply: the parser gives up there, and what it says later is about its own
/// confusion.
const TOO_DEEP: [&str; 2] = ["E0402", "E0410"];

/// Nesting of `#include` at which a cycle is assumed.
const MAX_INCLUDE_DEPTH: u32 = 64;

pub(crate) fn read_unit(path: &Path, options: &Options) -> Result<Unit, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let bytes = contents(path, options)?;
    check(&name, bytes, options)
}

fn contents(path: &Path, options: &Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
    match &options.contents {
        Some(text) => Ok(text.as_bytes().to_vec()),
        None => read_file(path)
            .map_err(|message| vec![Diagnostic::error(format!("{}: {message}", path.display()))]),
    }
}

pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    if path.is_dir() {
        return Err("is a directory, not a C file".to_owned());
    }
    if is_endless(path) {
        return Err("is a device, not a C file".to_owned());
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    })?;
    if bytes.contains(&0) {
        return Err("is a binary file, not C text".to_owned());
    }
    if u32::try_from(bytes.len()).is_err() {
        return Err("is larger than 4 GiB".to_owned());
    }
    Ok(bytes)
}

/// Whether reading the file may never end: a device that is not the standard input.
pub(crate) fn is_endless(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let device = std::fs::metadata(path).is_ok_and(|data| data.file_type().is_char_device());
    device && path != Path::new("/dev/stdin")
}

/// What preprocessing leaves of a file, piece by piece: each token's text with the place that it is reported at.
pub(crate) fn preprocessed(
    path: &Path,
    options: &Options,
    piece: &mut dyn FnMut(&[u8]),
) -> Result<(), Vec<Diagnostic>> {
    let name = path.display().to_string();
    let bytes = contents(path, options)?;
    let (std, gnu, target) = dialect(options)?;
    let mut names = Interner::new();
    let mut sources = SourceMap::new();
    // The keyword table must be interned before any text is.
    let _ = Keywords::new(&mut names, std, gnu).x86(gnu);
    let tokens = preprocess(
        &name,
        bytes,
        options,
        std,
        gnu,
        &target,
        &mut names,
        &mut sources,
        &mut Vec::new(),
    )?;
    for token in &tokens {
        let span = sources.outside(token.span);
        if let (Some(at), Some(presumed)) = (sources.lookup(span.lo), sources.presumed(span.lo)) {
            piece(presumed.name.as_bytes());
            piece(format!(":{}:{} ", presumed.line, at.column).as_bytes());
        }
        match token.value {
            Some(text) => piece(names.resolve_bytes(text)),
            None => piece(format!("{:?}", token.kind).as_bytes()),
        }
        piece(b"\n");
    }
    Ok(())
}

/// The language of the options: the standard, whether with GNU's extensions, and the machine.
fn dialect(options: &Options) -> Result<(Std, bool, TargetInfo), Vec<Diagnostic>> {
    let Some((std, gnu)) = Std::from_flag(&options.standard) else {
        return Err(vec![Diagnostic::error(format!(
            "unknown language standard `{}`",
            options.standard
        ))]);
    };
    let triple = match options.model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
    };
    let mut target = TargetInfo::new(
        triple
            .parse::<Triple>()
            .expect("the two triples are known to the parser"),
    );
    target.char_is_signed = options.char_signed;
    Ok((std, gnu, target))
}

/// Reads the text `bytes` as a translation unit called `name`.
pub(crate) fn check(name: &str, bytes: Vec<u8>, options: &Options) -> Result<Unit, Vec<Diagnostic>> {
    let (std, gnu, target) = dialect(options)?;
    let mut names = Interner::new();
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();

    // The keyword table must be interned before any text is.
    let keywords = Keywords::new(&mut names, std, gnu).x86(gnu);
    let mut pp_tokens = preprocess(
        name,
        bytes,
        options,
        std,
        gnu,
        &target,
        &mut names,
        &mut sources,
        &mut diagnostics,
    )?;
    repair::join_strings(&mut pp_tokens, &names);
    repair::spell_out_names(&mut pp_tokens, &mut names);
    let mut rounds = 0..repair::MAX_ROUNDS;
    loop {
        let read = |tokens: &[PpToken], names: &Interner| {
            check_tokens(tokens, &keywords, names, &target, (std, gnu), options)
        };
        let mut checked =
            read(&pp_tokens, &names).map_err(|said| render_all(&said, &sources, Severity::Error))?;
        if rounds.next().is_some() && repair::rewrite(&mut pp_tokens, &checked.said) {
            continue;
        }
        let missing = undeclared::declarations(&checked.said);
        if !missing.is_empty() {
            let mut declared = declare(missing, &mut names, &mut sources, options, (std, gnu))?;
            declared.extend_from_slice(&pp_tokens);
            // A definition further down may say something else than the name.
            let errors =
                |said: &[rucc_diag::Diagnostic]| said.iter().filter(|d| d.severity.is_fatal()).count();
            if let Ok(mut again) = read(&declared, &names)
                && errors(&again.said) <= errors(&checked.said)
            {
                let said = checked.said.into_iter();
                again.said.extend(said.filter(undeclared::is_implicit));
                checked = again;
            }
        }
        let refused = checked.said.iter().any(is_fatal);
        diagnostics.extend(checked.said);
        if refused {
            return Err(render_all(&diagnostics, &sources, Severity::Error));
        }
        let remarks = render_all(&diagnostics, &sources, Severity::Warning);
        return Ok(Unit {
            tast: checked.tast,
            types: checked.types,
            names,
            sources,
            target,
            knows_devices: !options.mmio.is_empty(),
            remarks,
        });
    }
}

/// The tokens of declarations that stand before the file's text.
fn declare(
    text: String,
    names: &mut Interner,
    sources: &mut SourceMap,
    options: &Options,
    (std, gnu): (Std, bool),
) -> Result<Vec<PpToken>, Vec<Diagnostic>> {
    let file = sources
        .add("<built-in>", text.into_bytes())
        .map_err(|_| vec![Diagnostic::error("the program's text is larger than 4 GiB")])?;
    let files = Files(options);
    let search = search_path(options);
    let mut context = rucc_pp::Context::new(names, sources, &files, &search);
    context.lex = rucc_lex::Options::for_dialect(std, gnu, false);
    let tokens = Preprocessor::new().run(file, &mut context);
    let tokens = tokens.into_iter().map(rucc_pp::Tok::to_pp);
    Ok(tokens.filter(|token| !token.is_eof()).collect())
}

/// What the parser and the checker make of the tokens.
struct Checked {
    tast: Tast,
    types: Types,
    said: Vec<rucc_diag::Diagnostic>,
}

fn is_fatal(diagnostic: &rucc_diag::Diagnostic) -> bool {
    diagnostic.severity.is_fatal() && !diagnostic.code.is_some_and(|c| TOLERATED.contains(&c))
}

fn check_tokens(
    pp_tokens: &[rucc_lex::PpToken],
    keywords: &Keywords,
    names: &Interner,
    target: &TargetInfo,
    (std, gnu): (Std, bool),
    options: &Options,
) -> Result<Checked, Vec<rucc_diag::Diagnostic>> {
    let mut diagnostics = Vec::new();
    let phase7 = Convert {
        keywords,
        interner: names,
        target,
        std,
        gnu,
        pedantic: false,
    };
    let (tokens, said) = convert(pp_tokens, &phase7);
    diagnostics.extend(said);

    let type_names: Vec<_> = target
        .type_names()
        .iter()
        .filter_map(|(spelling, _)| names.find(spelling))
        .collect();
    let mut parse_context = rucc_parse::Context::new(names, std);
    parse_context.gnu = gnu;
    parse_context.type_names = &type_names;
    let parsed = rucc_parse::parse(&tokens, parse_context);
    let parse_failed = parsed.failed();
    diagnostics.extend(parsed.diagnostics);
    if parse_failed {
        let gave_up = |d: &rucc_diag::Diagnostic| d.code.is_some_and(|code| TOO_DEEP.contains(&code));
        if let Some(at) = diagnostics.iter().position(gave_up) {
            diagnostics.truncate(at + 1);
        }
        return Err(diagnostics);
    }

    let mut check_context = rucc_sema::Context::new(names, target, std);
    check_context.gnu = gnu;
    check_context.permissive = true;
    check_context.builtins = false;
    check_context.error_limit = 0;
    check_context.short_enums = options.short_enums;
    let mut checker = Checker::new(&parsed.ast, check_context);
    checker.check_unit();
    let checked = checker.finish();
    diagnostics.extend(checked.diagnostics);
    Ok(Checked {
        tast: checked.tast,
        types: checked.types,
        said: diagnostics,
    })
}

#[allow(clippy::too_many_arguments)] // One call site; the parts are built at different times.
fn preprocess(
    name: &str,
    bytes: Vec<u8>,
    options: &Options,
    std: Std,
    gnu: bool,
    target: &TargetInfo,
    names: &mut Interner,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<rucc_diag::Diagnostic>,
) -> Result<Vec<rucc_lex::PpToken>, Vec<Diagnostic>> {
    let full = |_| {
        vec![Diagnostic::error(format!(
            "{name}: the program's text is larger than 4 GiB"
        ))]
    };
    let search = search_path(options);
    let files = Files(options);
    let file = sources.add(name, bytes).map_err(full)?;
    let mut context = rucc_pp::Context::new(names, sources, &files, &search);
    context.lex = rucc_lex::Options::for_dialect(std, gnu, false);
    context.max_include_depth = MAX_INCLUDE_DEPTH;
    let predefined = Predef {
        std,
        gnu_extensions: gnu,
        gnuc: "12.2.0".parse().expect("a gcc version is three numbers"),
        defines: options.defines.clone(),
        undefines: options.undefines.clone(),
        // A program that prints the time it was compiled at would differ between two runs of the checker.
        timestamp: rucc_pp::Timestamp::from_unix(0),
        ..Predef::new()
    };
    let mut preprocessor = Preprocessor::new();
    preprocessor
        .predefine(target, &predefined, &mut context)
        .map_err(full)?;
    let preincludes: Vec<Preinclude> = options
        .preincludes
        .iter()
        .map(|name| Preinclude {
            name: name.clone(),
            macros_only: false,
        })
        .collect();
    let mut tokens = Vec::new();
    preprocessor
        .preinclude(&preincludes, &mut tokens, &mut context)
        .map_err(full)?;
    tokens.extend(preprocessor.run(file, &mut context));
    // A type that gcc knows without a declaration, where it is mentioned.
    if context.interner.find("__float80").is_some() {
        let known = b"typedef long double __float80;\n".to_vec();
        let known = context.sources.add("<built-in>", known).map_err(full)?;
        let known = preprocessor.run(known, &mut context);
        tokens.splice(0..0, known.into_iter().filter(|token| !token.to_pp().is_eof()));
    }
    diagnostics.extend(preprocessor.take_diagnostics());
    if diagnostics.iter().any(|d| d.severity.is_fatal()) {
        return Err(render_all(diagnostics, sources, Severity::Error));
    }
    Ok(tokens.into_iter().map(rucc_pp::Tok::to_pp).collect())
}

/// The diagnostics at the given severity (tolerated errors count as warnings), rendered.
fn render_all(
    diagnostics: &[rucc_diag::Diagnostic],
    sources: &SourceMap,
    severity: Severity,
) -> Vec<Diagnostic> {
    let wanted = |d: &&rucc_diag::Diagnostic| match severity {
        Severity::Error => d.severity.is_fatal(),
        _ => d.severity.is_fatal() || d.severity == rucc_diag::Severity::Warning,
    };
    diagnostics
        .iter()
        .filter(wanted)
        .map(|d| render(d, sources, severity))
        .collect()
}

fn render(diagnostic: &rucc_diag::Diagnostic, sources: &SourceMap, severity: Severity) -> Diagnostic {
    Diagnostic {
        severity,
        // The folder of a file that is named without one.
        message: diagnostic.message.replacen("searched: ,", "searched: .,", 1),
        location: locate(diagnostic.span, sources),
        notes: diagnostic
            .children
            .iter()
            .map(|child| render(child, sources, Severity::Note))
            .collect(),
    }
}

pub(crate) fn locate(span: Span, sources: &SourceMap) -> Option<Location> {
    if span.is_dummy() {
        return None;
    }
    let span = sources.outside(span);
    let at = sources.lookup(span.lo)?;
    let file = sources.file(at.file);
    let presumed = sources.presumed(span.lo);
    let text = file
        .line_bytes(at.line)
        .map(|b| String::from_utf8_lossy(b).into_owned())
        .unwrap_or_default();
    Some(Location {
        file: presumed.map_or_else(|| file.name.clone(), |p| p.name.to_owned()),
        line: presumed.map_or(at.line, |p| p.line),
        column: at.column,
        width: span.len().max(1),
        text: text.trim_end_matches(['\n', '\r']).to_owned(),
    })
}
