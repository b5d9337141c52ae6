//! Floats as C programmers write them: with an exponent where the digits would fill a line.

use program::FloatKind;

/// A float by its bits; formats that the machine computing this does not have are shown as bits.
pub fn text(kind: FloatKind, bits: i128) -> String {
    match kind {
        FloatKind::Single => {
            let value = f32::from_bits(bits as u32);
            match needs_exponent(f64::from(value)) {
                true => format!("{value:e}"),
                false => value.to_string(),
            }
        }
        FloatKind::Double => {
            let value = f64::from_bits(bits as u64);
            match needs_exponent(value) {
                true => format!("{value:e}"),
                false => value.to_string(),
            }
        }
        FloatKind::Extended | FloatKind::Quad => format!("{bits:#x} (bits)"),
    }
}

fn needs_exponent(value: f64) -> bool {
    value.is_finite() && value != 0.0 && !(1e-5..1e16).contains(&value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_and_huge_floats_have_an_exponent() {
        let double = |value: f64| text(FloatKind::Double, i128::from(value.to_bits()));
        assert_eq!(double(5e-324), "5e-324");
        assert_eq!(double(-1e300), "-1e300");
        assert_eq!(double(0.0), "0");
        assert_eq!(double(-1.5), "-1.5");
        assert_eq!(double(123456789.0), "123456789");
        assert_eq!(double(f64::INFINITY), "inf");
        let single = |value: f32| text(FloatKind::Single, i128::from(value.to_bits()));
        assert_eq!(single(1e-45), "1e-45");
        assert_eq!(single(0.1), "0.1");
    }
}
