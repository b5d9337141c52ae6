//! Texts that gcc accepts with a warning at most and the parser does not, said again so that it does: the tokens are
//! rewritten, the meaning stays.

use rucc_base::Interner;
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};

/// Rounds of rewriting after which the errors stand; each takes away one level of braces.
pub(crate) const MAX_ROUNDS: usize = 16;

/// Moves a `#pragma` line from between two string literals to before them: the literals are one, and no pragma means
/// anything in the middle of an expression.
pub(crate) fn join_strings(tokens: &mut [PpToken], names: &Interner) {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].kind != PpTokenKind::StringLit {
            at += 1;
            continue;
        }
        let mut start = at;
        at += 1;
        while let Some(end) = pragma_line(&tokens[at..], names).map(|length| at + length)
            && tokens
                .get(end)
                .is_some_and(|token| token.kind == PpTokenKind::StringLit)
        {
            let line = end - at;
            tokens[start..end].rotate_left(at - start);
            // The line ends where another begins.
            start += line;
            tokens[start].flags = tokens[start].flags.with(TokenFlags::START_OF_LINE);
            at = end + 1;
        }
    }
}

/// How many tokens the `#pragma` line that begins here has.
fn pragma_line(tokens: &[PpToken], names: &Interner) -> Option<usize> {
    let [hash, word, rest @ ..] = tokens else {
        return None;
    };
    let is_pragma = hash.kind == PpTokenKind::Punct(Punct::Hash)
        && starts_line(hash)
        && word.value.is_some_and(|name| names.resolve(name) == "pragma");
    is_pragma.then(|| 2 + rest.iter().take_while(|token| !starts_line(token)).count())
}

fn starts_line(token: &PpToken) -> bool {
    token.kind == PpTokenKind::Eof || token.flags.has(TokenFlags::START_OF_LINE)
}

/// Rewrites what the errors are about where that is possible: whether it is worth another try. Other errors may be the
/// aftermath of these.
pub(crate) fn rewrite(tokens: &mut Vec<PpToken>, errors: &[&Diagnostic]) -> bool {
    let mut rewritten = false;
    for error in errors {
        rewritten |= match error.code {
            // Braces inside the braces around a scalar.
            Some("E0636") => drop_braces(tokens, error.span),
            // A string for an array of arrays of characters, the inner braces left out.
            Some("E0638") => add_braces(tokens, error.span),
            _ => false,
        };
    }
    rewritten
}

fn drop_braces(tokens: &mut Vec<PpToken>, span: Span) -> bool {
    let Some((first, last)) = tokens_of(tokens, span) else {
        return false;
    };
    let braced = tokens[first].kind == PpTokenKind::Punct(Punct::LBrace)
        && tokens[last].kind == PpTokenKind::Punct(Punct::RBrace);
    // More than one value between the braces, or none, means something else.
    let inside = tokens.get(first + 1..last).unwrap_or_default();
    if !braced || inside.is_empty() || has_outer_comma(inside) {
        return false;
    }
    tokens.remove(last);
    tokens.remove(first);
    true
}

fn has_outer_comma(tokens: &[PpToken]) -> bool {
    let mut depth = 0_i32;
    tokens.iter().any(|token| {
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
            PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => depth -= 1,
            _ => {}
        }
        depth == 0 && token.kind == PpTokenKind::Punct(Punct::Comma)
    })
}

/// Only where the string is all there is between two braces: else it matters how many arrays a brace would skip.
fn add_braces(tokens: &mut Vec<PpToken>, span: Span) -> bool {
    let Some((first, last)) = tokens_of(tokens, span) else {
        return false;
    };
    let (Some(before), Some(after)) = (first.checked_sub(1), tokens.get(last + 1)) else {
        return false;
    };
    let (open, close) = (tokens[before], *after);
    if open.kind != PpTokenKind::Punct(Punct::LBrace) || close.kind != PpTokenKind::Punct(Punct::RBrace) {
        return false;
    }
    tokens.insert(last + 1, close);
    tokens.insert(first, open);
    true
}

/// The first and the last token of a span, if the span is written in one place only: what a macro expands to may occur
/// many times.
fn tokens_of(tokens: &[PpToken], span: Span) -> Option<(usize, usize)> {
    let only = |is: &dyn Fn(&PpToken) -> bool| {
        let mut found = tokens.iter().enumerate().filter(|(_, token)| is(token));
        match (found.next(), found.next()) {
            (Some((index, _)), None) => Some(index),
            _ => None,
        }
    };
    let first = only(&|token| token.span.lo == span.lo)?;
    let last = only(&|token| token.span.hi == span.hi && token.kind != PpTokenKind::Eof)?;
    (first <= last).then_some((first, last))
}
