//! How large a word can be, as far as its form tells: a byte that was widened is below 256, whatever is done with the wide word.
//! Every node knows it from the start, so comparisons and remainders that it decides are never made.

use crate::bits::mask;
use crate::op::Op;
use crate::pool::{Term, Terms};
use crate::sort::Sort;

impl Terms {
    /// The largest number that a node can be, read without a sign; 1 for what is not a word.
    pub(crate) fn extent(&self, op: Op, sort: Sort, args: &[Term]) -> u128 {
        let Sort::BitVec(width) = sort else {
            return 1;
        };
        let all = mask(width);
        let most = |at: usize| self.most(args[at]);
        let number = |at: usize| self.as_word(args[at]);
        let below = |limit: u128| u128::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0);
        let extent = match op {
            Op::Word(bits) => Some(bits),
            Op::Ite => Some(most(1).max(most(2))),
            Op::Add => (0..args.len()).try_fold(0_u128, |sum, at| sum.checked_add(most(at))),
            Op::Mul => (0..args.len()).try_fold(1_u128, |product, at| product.checked_mul(most(at))),
            // What is divided by zero has all bits set.
            Op::Udiv => number(1).and_then(|by| most(0).checked_div(by)),
            Op::Urem => match number(1) {
                Some(by) if by > 0 => Some(most(0).min(by - 1)),
                _ => Some(most(0)),
            },
            Op::BitAnd => (0..args.len()).map(most).min(),
            Op::BitOr | Op::BitXor => (0..args.len()).map(most).max().map(below),
            Op::Lshr => match number(1) {
                Some(by) if by < u128::from(width) => Some(most(0) >> by),
                _ => Some(most(0)),
            },
            Op::ZeroExtend => Some(most(0)),
            Op::SignExtend => Some(most(0)).filter(|&most| most <= mask(self.width(args[0])) >> 1),
            Op::Concat => {
                let low = self.width(args[1]);
                Some(most(0) << low | mask(low))
            }
            Op::Extract { low, .. } => Some(most(0) >> low),
            _ => None,
        };
        extent.map_or(all, |extent| extent.min(all))
    }

    /// Whether the word, read with a sign, is known not to be negative.
    pub(crate) fn is_nonnegative(&self, term: Term) -> bool {
        self.most(term) <= mask(self.width(term)) >> 1
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, SymbolInfo, Terms};

    #[test]
    fn what_extents_decide_is_not_made() {
        let mut t = Terms::new();
        let byte = t.var("b", Sort::BitVec(8), SymbolInfo::unsigned());
        let wide = t.zero_extend(64, byte);
        let one = t.word(64, 1);
        let sum = t.add(wide, one);
        let (limit, reached) = (t.word(64, 257), t.word(64, 256));
        let decided = [
            t.ult(sum, limit),
            t.slt(sum, limit),
            t.sle(sum, reached),
            t.ne(sum, limit),
        ];
        assert!(decided.iter().all(|&truth| t.as_bool(truth) == Some(true)));
        let open = [t.ult(sum, reached), t.eq(sum, reached)];
        assert!(open.iter().all(|&truth| t.as_bool(truth).is_none()));
        assert_eq!(t.urem(sum, limit), sum);
        assert_ne!(t.urem(sum, reached), sum);
        let zero = t.word(64, 0);
        assert_eq!(t.udiv(sum, limit), zero);
        let mask = t.word(64, 511);
        assert_eq!(t.bit_and(sum, mask), sum);
    }
}
