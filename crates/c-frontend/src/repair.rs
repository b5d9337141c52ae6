//! Texts that gcc accepts with a warning at most and the parser does not, said again so that it does: the tokens are
//! rewritten, the meaning stays.

use std::collections::BTreeMap;

use rucc_base::Interner;
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};
use rustc_hash::FxHashMap;

/// Rounds of rewriting after which the errors stand; each takes away one level of braces.
pub(crate) const MAX_ROUNDS: usize = 16;

/// Moves a `#pragma` line from between two string literals to before them: the literals are one, and no pragma means
/// anything in the middle of an expression.
pub(crate) fn join_strings(tokens: &mut [PpToken], names: &Interner) {
    let is_string = |token: &PpToken| token.kind == PpTokenKind::StringLit;
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        at += 1;
        if !is_string(&tokens[start]) {
            continue;
        }
        let mut strings = vec![tokens[start]];
        let mut pragmas = Vec::new();
        while let Some(end) = pragma_line(&tokens[at..], names).map(|length| at + length)
            && let Some(next) = tokens.get(end).filter(|token| is_string(token))
        {
            pragmas.extend_from_slice(&tokens[at..end]);
            strings.push(*next);
            at = end + 1;
        }
        if !pragmas.is_empty() {
            // A line ends where another begins.
            strings[0].flags = strings[0].flags.with(TokenFlags::START_OF_LINE);
            let rewritten = pragmas.into_iter().chain(strings);
            for (token, new) in tokens[start..at].iter_mut().zip(rewritten) {
                *token = new;
            }
        }
    }
}

/// Spells names one way: `\\u0201` and the letter that it stands for are the same in a name.
pub(crate) fn spell_out_names(tokens: &mut [PpToken], names: &mut Interner) {
    for token in tokens {
        if token.kind == PpTokenKind::Ident
            && let Some(name) = token.value
            && let Some(spelled) = spelled_out(names.resolve(name))
        {
            token.value = Some(names.intern(&spelled));
        }
    }
}

/// The name with its universal characters as letters; none if it has no such characters.
fn spelled_out(name: &str) -> Option<String> {
    let mut pieces = name.split('\\');
    let mut spelled = pieces.next()?.to_owned();
    let mut changed = false;
    for piece in pieces {
        let digits = match piece.as_bytes().first()? {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let code = u32::from_str_radix(piece.get(1..=digits)?, 16).ok()?;
        spelled.push(char::from_u32(code)?);
        spelled.push_str(&piece[1 + digits..]);
        changed = true;
    }
    changed.then_some(spelled)
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
///
/// What is said as a warning counts too where it leaves a part of the program out.
pub(crate) fn rewrite(tokens: &mut Vec<PpToken>, errors: &[Diagnostic]) -> bool {
    let index = SpanIndex::new(tokens);
    let mut edits = BTreeMap::new();
    for error in errors {
        let Some((first, last)) = index.tokens_of(error.span) else {
            continue;
        };
        match error.code {
            // Braces inside the braces around a scalar.
            Some("E0636") if is_braced_value(&tokens[first..=last]) => {
                edits.insert(first, Edit::Drop);
                edits.insert(last, Edit::Drop);
            }
            // A string for an array of arrays of characters, the inner braces left out.
            Some("E0638") if is_all_between_braces(tokens, first, last) => {
                edits.insert(first - 1, Edit::Double);
                edits.insert(last + 1, Edit::Double);
            }
            // A range of cases that is empty: the label says nothing, the statement after it stays.
            Some("E0622") if let Some(colon) = end_of_label(&tokens[first..=last]) => {
                edits.extend((first..=first + colon).map(|at| (at, Edit::Drop)));
            }
            _ => {}
        }
    }
    if edits.is_empty() {
        return false;
    }
    let edited = tokens.iter().enumerate().flat_map(|(at, &token)| {
        let times = match edits.get(&at) {
            None => 1,
            Some(Edit::Drop) => 0,
            Some(Edit::Double) => 2,
        };
        std::iter::repeat_n(token, times)
    });
    *tokens = edited.collect();
    true
}

enum Edit {
    Drop,
    Double,
}

/// Whether these are one value between two braces: more than one, or none, means something else.
fn is_braced_value(tokens: &[PpToken]) -> bool {
    let [open, inside @ .., close] = tokens else {
        return false;
    };
    is_punct(open, Punct::LBrace)
        && is_punct(close, Punct::RBrace)
        && !inside.is_empty()
        && !has_outer_comma(inside)
}

fn has_outer_comma(tokens: &[PpToken]) -> bool {
    let mut depth = 0_i32;
    tokens.iter().any(|token| {
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
            PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => depth -= 1,
            _ => {}
        }
        depth == 0 && is_punct(token, Punct::Comma)
    })
}

/// Where the colon of the `case` label is that the tokens begin with.
fn end_of_label(tokens: &[PpToken]) -> Option<usize> {
    let (mut depth, mut questions) = (0_i32, 0_i32);
    tokens.iter().position(|token| match token.kind {
        PpTokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => {
            depth += 1;
            false
        }
        PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
            depth -= 1;
            false
        }
        PpTokenKind::Punct(Punct::Question) if depth == 0 => {
            questions += 1;
            false
        }
        PpTokenKind::Punct(Punct::Colon) if depth == 0 && questions > 0 => {
            questions -= 1;
            false
        }
        PpTokenKind::Punct(Punct::Colon) => depth == 0,
        _ => false,
    })
}

/// Whether the tokens are all there is between two braces: else it matters how many arrays a brace would skip.
fn is_all_between_braces(tokens: &[PpToken], first: usize, last: usize) -> bool {
    let before = first.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|token| is_punct(token, Punct::LBrace))
        && tokens
            .get(last + 1)
            .is_some_and(|token| is_punct(token, Punct::RBrace))
}

fn is_punct(token: &PpToken, punct: Punct) -> bool {
    token.kind == PpTokenKind::Punct(punct)
}

/// Where in the text the tokens begin and end; what a macro expands to may occur many times.
struct SpanIndex {
    begins: FxHashMap<u32, Option<usize>>,
    ends: FxHashMap<u32, Option<usize>>,
}

impl SpanIndex {
    fn new(tokens: &[PpToken]) -> SpanIndex {
        let mut index = SpanIndex {
            begins: FxHashMap::default(),
            ends: FxHashMap::default(),
        };
        for (at, token) in tokens.iter().enumerate() {
            if token.kind != PpTokenKind::Eof {
                let only = |entry: &mut Option<usize>| *entry = None;
                index
                    .begins
                    .entry(token.span.lo)
                    .and_modify(only)
                    .or_insert(Some(at));
                index
                    .ends
                    .entry(token.span.hi)
                    .and_modify(only)
                    .or_insert(Some(at));
            }
        }
        index
    }

    /// The first and the last token of a span, if it is written in one place only.
    fn tokens_of(&self, span: Span) -> Option<(usize, usize)> {
        let first = (*self.begins.get(&span.lo)?)?;
        let last = (*self.ends.get(&span.hi)?)?;
        (first <= last).then_some((first, last))
    }
}
