//! Arithmetic on words of 1 to 128 bits, held in the low bits of a `u128`. The upper bits of every argument and of
//! every result are zero.

/// All ones in `width` bits.
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// The smallest signed word.
pub fn min_signed(width: u32) -> u128 {
    1 << (width - 1)
}

/// The largest signed word.
pub fn max_signed(width: u32) -> u128 {
    mask(width) >> 1
}

/// The word read as a signed number.
pub fn to_signed(value: u128, width: u32) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

pub fn neg(a: u128, width: u32) -> u128 {
    a.wrapping_neg() & mask(width)
}

pub fn add(a: u128, b: u128, width: u32) -> u128 {
    a.wrapping_add(b) & mask(width)
}

pub fn mul(a: u128, b: u128, width: u32) -> u128 {
    a.wrapping_mul(b) & mask(width)
}

pub fn udiv(a: u128, b: u128, width: u32) -> u128 {
    a.checked_div(b).unwrap_or(mask(width))
}

pub fn urem(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

/// Towards zero; the smallest number divided by -1 wraps to itself.
pub fn sdiv(a: u128, b: u128, width: u32) -> u128 {
    let (x, y) = (to_signed(a, width), to_signed(b, width));
    let quotient = match y {
        0 => {
            if x < 0 {
                1
            } else {
                -1
            }
        }
        _ => x.wrapping_div(y),
    };
    quotient as u128 & mask(width)
}

/// With the sign of the dividend.
pub fn srem(a: u128, b: u128, width: u32) -> u128 {
    let (x, y) = (to_signed(a, width), to_signed(b, width));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    remainder as u128 & mask(width)
}

pub fn shl(a: u128, b: u128, width: u32) -> u128 {
    if b >= u128::from(width) {
        0
    } else {
        (a << b) & mask(width)
    }
}

pub fn lshr(a: u128, b: u128, width: u32) -> u128 {
    if b >= u128::from(width) { 0 } else { a >> b }
}

pub fn ashr(a: u128, b: u128, width: u32) -> u128 {
    let by = b.min(u128::from(width - 1)) as u32;
    (to_signed(a, width) >> by) as u128 & mask(width)
}

pub fn sign_extend(a: u128, from: u32, to: u32) -> u128 {
    to_signed(a, from) as u128 & mask(to)
}

/// The number that times the odd `a` gives one modulo 2^width (Newton's iteration doubles the correct bits).
pub fn inverse(a: u128, width: u32) -> u128 {
    debug_assert!(a & 1 == 1);
    let mut x = a;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(a.wrapping_mul(x)));
    }
    x & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_follows_c_and_is_total() {
        let minus = |n: u128| neg(n, 8);
        assert_eq!(sdiv(minus(7), 2, 8), minus(3));
        assert_eq!(srem(minus(7), 2, 8), minus(1));
        assert_eq!(srem(7, minus(2), 8), 1);
        assert_eq!(sdiv(0x80, 0xff, 8), 0x80);
        assert_eq!(srem(0x80, 0xff, 8), 0);
        assert_eq!((sdiv(5, 0, 8), sdiv(minus(5), 0, 8), srem(5, 0, 8)), (0xff, 1, 5));
        assert_eq!((udiv(5, 0, 8), urem(5, 0)), (0xff, 5));
        assert_eq!(sdiv(min_signed(128), mask(128), 128), min_signed(128));
    }

    #[test]
    fn shifts_past_the_width() {
        assert_eq!((shl(1, 8, 8), lshr(0x80, 9, 8), ashr(0x80, 200, 8)), (0, 0, 0xff));
        assert_eq!(shl(1, 127, 128), 1 << 127);
        assert_eq!(ashr(0x80, 3, 8), 0xf0);
    }

    #[test]
    fn inverse_of_odd_words() {
        for width in [1, 5, 32, 64, 128] {
            for a in [1u128, 3, 5, 0xdead_beef, u128::MAX - 6] {
                let a = (a | 1) & mask(width);
                assert_eq!(mul(a, inverse(a, width), width), 1);
            }
        }
    }
}
