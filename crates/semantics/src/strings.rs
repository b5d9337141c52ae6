//! Strings of known small size: their length, order and characters as terms over their bytes.

use library::{Function, Meaning};
use logic::{Sort, SymbolInfo, Term};
use program::{ExprId, ExprKind, PlaceId, PlaceKind};

use crate::block::{Block, Named};
use crate::effect::{Fresh, FreshCause};
use crate::error::Unsupported;
use crate::library::without_casts;
use crate::storage::Semantics;

/// Larger objects are not looked at byte by byte.
const MAX_BYTES: u64 = 32;

impl Semantics<'_> {
    /// What a function that looks at strings returns; `None` where that is not followed.
    pub(crate) fn of_strings(
        &mut self,
        fresh: &mut Vec<Fresh>,
        row: &Function,
        arguments: &[ExprId],
        place: PlaceId,
    ) -> Result<Option<Term>, Unsupported> {
        let Some(meaning) = &row.meaning else {
            return Ok(None);
        };
        let ty = self.program.place(place).ty;
        let sort = self.sort(ty);
        let Sort::BitVec(bits) = sort else {
            return Ok(None);
        };
        Ok(match (meaning, arguments) {
            (Meaning::Length, &[text]) => {
                let (bytes, mut length) = match self.small_text(text)? {
                    // A string that does not end in its object has no meaning.
                    Some(bytes) => {
                        let most = (bytes.len() - 1) as u128;
                        (bytes, self.terms.word(bits, most))
                    }
                    None => {
                        let most = self.cells_of_blocks.min(MAX_BYTES);
                        let Some(bytes) = self.text_behind(text, most)? else {
                            return Ok(None);
                        };
                        let cause = FreshCause::Unfollowed;
                        (
                            bytes,
                            self.fresh_value(fresh, sort, SymbolInfo::unsigned(), cause),
                        )
                    }
                };
                for (at, &byte) in bytes.iter().enumerate().rev() {
                    let ends = self.is_byte(byte, 0);
                    let here = self.terms.word(bits, at as u128);
                    length = self.terms.ite(ends, here, length);
                }
                Some(length)
            }
            (&Meaning::Compare { strings }, &[left, right, ref limit @ ..]) => {
                let (mut a, mut b) = (self.limited(left, limit)?, self.limited(right, limit)?);
                // A string need not be known beyond the end of the other.
                match (&a, &b) {
                    (Some(known), None) if strings => b = self.text_behind(right, known.len() as u64)?,
                    (None, Some(known)) if strings => a = self.text_behind(left, known.len() as u64)?,
                    _ => {}
                }
                let (Some(a), Some(b)) = (a, b) else {
                    return Ok(None);
                };
                // Without an end of their own, all bytes are needed.
                if !strings && a.len() != b.len() {
                    return Ok(None);
                }
                let zero = self.terms.word(bits, 0);
                let mut order = zero;
                let cause = FreshCause::Unfollowed;
                let differs = self.fresh_value(fresh, sort, SymbolInfo::signed(), cause);
                for (&a, &b) in a.iter().zip(&b).rev() {
                    let same = self.terms.eq(a, b);
                    let less = self.terms.ult(a, b);
                    // Only the sign is said.
                    let sign = self.terms.int(bits, -1 << (bits - 1));
                    let negative = self.terms.bit_or(differs, sign);
                    let (magnitude, one) = (self.terms.bit_not(sign), self.terms.word(bits, 1));
                    let positive = self.terms.bit_and(differs, magnitude);
                    let is_positive = self.terms.is_nonzero(positive);
                    let positive = self.terms.ite(is_positive, positive, one);
                    let different = self.terms.ite(less, negative, positive);
                    let mut equal = order;
                    if strings {
                        let ends = self.is_byte(a, 0);
                        equal = self.terms.ite(ends, zero, order);
                    }
                    order = self.terms.ite(same, equal, different);
                }
                Some(order)
            }
            (&Meaning::Find { strings }, &[text, wanted, ref limit @ ..]) if bits == self.pointer_bits() => {
                let Some(bytes) = self.limited(text, limit)? else {
                    return Ok(None);
                };
                let wanted = self.value(wanted)?;
                if !matches!(self.terms.sort(wanted), Sort::BitVec(8..)) {
                    return Ok(None);
                }
                let wanted = self.terms.extract(7, 0, wanted);
                let start = self.value(text)?;
                let null = self.terms.word(bits, 0);
                let mut found = null;
                for (at, &byte) in bytes.iter().enumerate().rev() {
                    if strings {
                        let ends = self.is_byte(byte, 0);
                        found = self.terms.ite(ends, null, found);
                    }
                    let here = self.terms.eq(byte, wanted);
                    let address = self.displaced(start, at as u64);
                    found = self.terms.ite(here, address, found);
                }
                Some(found)
            }
            _ => None,
        })
    }

    fn is_byte(&mut self, byte: Term, value: u128) -> Term {
        let value = self.terms.word(8, value);
        self.terms.eq(byte, value)
    }

    /// The bytes of a text, no more than the limit says; `None` if it says more and there may be no end before.
    fn limited(&mut self, text: ExprId, limit: &[ExprId]) -> Result<Option<Vec<Term>>, Unsupported> {
        let known = self.small_text(text)?;
        let Some(&limit) = limit.first() else {
            return Ok(known);
        };
        let limit = self.index_value(limit)?;
        match (known, self.small_constant(limit)) {
            (Some(mut bytes), Some(limit)) if limit <= bytes.len() as u64 => {
                bytes.truncate(limit as usize);
                Ok(Some(bytes))
            }
            (None, Some(limit)) => self.text_behind(text, limit),
            _ => Ok(None),
        }
    }

    /// So many bytes from where a pointer points, if that many are followed.
    fn text_behind(&mut self, text: ExprId, size: u64) -> Result<Option<Vec<Term>>, Unsupported> {
        if size == 0 || size > self.cells_of_blocks.min(MAX_BYTES) {
            return Ok(None);
        }
        let address = self.value(text)?;
        let named = Named::Behind(without_casts(self.program, text));
        Ok(self.block_bytes(Block { named, address }, size).ok())
    }

    /// The bytes of a string literal or of a small variable from its start.
    fn small_text(&mut self, text: ExprId) -> Result<Option<Vec<Term>>, Unsupported> {
        let program = self.program;
        if let Some(literal) = library::literal(program, text) {
            if literal.len() as u64 >= MAX_BYTES {
                return Ok(None);
            }
            let bytes = literal.iter().chain(&[0]);
            return Ok(Some(
                bytes.map(|&byte| self.terms.word(8, u128::from(byte))).collect(),
            ));
        }
        let pointer = without_casts(program, text);
        let ExprKind::AddressOf(mut place) = program.expr(pointer).kind else {
            return Ok(None);
        };
        if let PlaceKind::Index(base, index) = program.place(place).kind
            && program.expr(index).kind == ExprKind::Int(0)
        {
            place = base;
        }
        let PlaceKind::Var(var) = program.place(place).kind else {
            return Ok(None);
        };
        let size = program.types.size(program.vars[var].ty);
        if size == 0 || size > MAX_BYTES {
            return Ok(None);
        }
        let block = Block {
            named: Named::Behind(pointer),
            address: self.value(text)?,
        };
        Ok(self.block_bytes(block, size).ok())
    }
}
