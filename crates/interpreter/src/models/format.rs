//! `printf` conversions as glibc does them: parsing of conversion specifications, integers, floats, padding.

use program::FloatKind;

use super::decimal::{Parts, exact, parts};

/// A conversion specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Option<Number>,
    pub precision: Option<Number>,
    pub length: Length,
    pub conversion: u8,
}

/// A width or precision: written out, or the next argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Given(usize),
    Argument,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Length {
    #[default]
    None,
    Char,
    Short,
    Long,
    LongLong,
    Max,
    Size,
    Difference,
    LongDouble,
}

/// A specification whose width and precision are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
    pub uppercase: bool,
}

/// Reads the specification after a `%`; how many bytes it takes. `None` if it is none.
pub(super) fn parse(text: &[u8]) -> Option<(Spec, usize)> {
    let mut spec = Spec::default();
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            // Thousands are not grouped in the C locale.
            b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    spec.width = number(text, &mut at);
    if text.get(at) == Some(&b'.') {
        at += 1;
        spec.precision = Some(number(text, &mut at).unwrap_or(Number::Given(0)));
    }
    let (length, bytes) = match (text.get(at)?, text.get(at + 1)) {
        (b'h', Some(b'h')) => (Length::Char, 2),
        (b'h', _) => (Length::Short, 1),
        (b'l', Some(b'l')) => (Length::LongLong, 2),
        (b'l', _) => (Length::Long, 1),
        (b'q', _) => (Length::LongLong, 1),
        (b'j', _) => (Length::Max, 1),
        (b'z' | b'Z', _) => (Length::Size, 1),
        (b't', _) => (Length::Difference, 1),
        (b'L', _) => (Length::LongDouble, 1),
        _ => (Length::None, 0),
    };
    at += bytes;
    spec.length = length;
    spec.conversion = *text.get(at)?;
    Some((spec, at + 1))
}

fn number(text: &[u8], at: &mut usize) -> Option<Number> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Number::Argument);
    }
    let start = *at;
    let mut value: usize = 0;
    while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    (*at > start).then_some(Number::Given(value.min(i32::MAX as usize)))
}

/// Text filled up to the width.
pub(super) fn pad(layout: &Layout, text: &[u8]) -> Vec<u8> {
    let fill = layout.width.saturating_sub(text.len());
    let blanks = vec![b' '; fill];
    match layout.left {
        true => [text, &blanks].concat(),
        false => [&blanks, text].concat(),
    }
}

/// A number filled up to the width, with zeros between its prefix and its digits if asked for.
fn pad_number(layout: &Layout, prefix: &str, digits: &[u8], zeros: bool) -> Vec<u8> {
    let length = prefix.len() + digits.len();
    if zeros && !layout.left && length < layout.width {
        let fill = vec![b'0'; layout.width - length];
        return [prefix.as_bytes(), &fill, digits].concat();
    }
    pad(layout, &[prefix.as_bytes(), digits].concat())
}

fn sign(layout: &Layout, negative: bool) -> &'static str {
    match (negative, layout.plus, layout.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

/// `%d` and `%i`.
pub(super) fn signed(layout: &Layout, value: i128) -> Vec<u8> {
    let digits = with_precision(layout, value.unsigned_abs().to_string());
    let zeros = layout.zero && layout.precision.is_none();
    pad_number(layout, sign(layout, value < 0), digits.as_bytes(), zeros)
}

fn with_precision(layout: &Layout, digits: String) -> String {
    match layout.precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    }
}

/// `%u`, `%o`, `%x` and `%X`, by their base.
pub(super) fn unsigned(layout: &Layout, value: u128, base: u32) -> Vec<u8> {
    let (digits, prefix) = match base {
        8 => (format!("{value:o}"), ""),
        16 if layout.uppercase => (format!("{value:X}"), "0X"),
        16 => (format!("{value:x}"), "0x"),
        _ => (value.to_string(), ""),
    };
    let mut digits = with_precision(layout, digits);
    if base == 8 && layout.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = if layout.alternate && value != 0 {
        prefix
    } else {
        ""
    };
    let zeros = layout.zero && layout.precision.is_none();
    pad_number(layout, prefix, digits.as_bytes(), zeros)
}

/// `%e`, `%f`, `%g` and `%a`, by the lower-case letter.
pub(super) fn float(layout: &Layout, conversion: u8, kind: FloatKind, bits: u128) -> Vec<u8> {
    let (negative, body, finite) = match parts(kind, bits) {
        Parts::Nan { negative } => (negative, "nan".to_owned(), false),
        Parts::Infinite { negative } => (negative, "inf".to_owned(), false),
        Parts::Finite {
            negative,
            mantissa,
            exponent,
        } => {
            let body = match conversion {
                b'f' => fixed(layout, mantissa, exponent),
                b'e' => scientific(layout, mantissa, exponent),
                b'g' => general(layout, mantissa, exponent),
                _ => hexadecimal(layout, kind, mantissa, exponent),
            };
            (negative, body, true)
        }
    };
    let (prefix, body) = match body.strip_prefix("0x") {
        Some(rest) => (format!("{}0x", sign(layout, negative)), rest.to_owned()),
        None => (sign(layout, negative).to_owned(), body),
    };
    let mut text = pad_number(layout, &prefix, body.as_bytes(), layout.zero && finite);
    if layout.uppercase {
        text.make_ascii_uppercase();
    }
    text
}

fn fixed(layout: &Layout, mantissa: u128, exponent: i32) -> String {
    let precision = layout.precision.unwrap_or(6);
    fixed_with(layout, mantissa, exponent, precision)
}

fn fixed_with(layout: &Layout, mantissa: u128, exponent: i32, precision: usize) -> String {
    let mut decimal = exact(mantissa, exponent);
    let places = i32::try_from(precision).unwrap_or(i32::MAX);
    decimal.round(decimal.point.saturating_add(places));
    let mut text = String::new();
    if decimal.digits.is_empty() || decimal.point <= 0 {
        text.push('0');
    } else {
        for power in (0..decimal.point).rev() {
            text.push(char::from(b'0' + decimal.digit(power)));
        }
    }
    if precision > 0 || layout.alternate {
        text.push('.');
    }
    for place in 1..=places {
        let digit = if decimal.digits.is_empty() {
            0
        } else {
            decimal.digit(-place)
        };
        text.push(char::from(b'0' + digit));
    }
    text
}

fn scientific(layout: &Layout, mantissa: u128, exponent: i32) -> String {
    scientific_with(layout, mantissa, exponent, layout.precision.unwrap_or(6)).0
}

/// The text with `precision` digits behind the point, and the decimal exponent.
fn scientific_with(layout: &Layout, mantissa: u128, exponent: i32, precision: usize) -> (String, i32) {
    let mut decimal = exact(mantissa, exponent);
    let places = i32::try_from(precision).unwrap_or(i32::MAX);
    decimal.round(places.saturating_add(1));
    let power = if mantissa == 0 { 0 } else { decimal.point - 1 };
    let digit = |place: i32| match mantissa {
        0 => '0',
        _ => char::from(b'0' + decimal.digit(power - place)),
    };
    let mut text = String::new();
    text.push(digit(0));
    if precision > 0 || layout.alternate {
        text.push('.');
    }
    for place in 1..=places {
        text.push(digit(place));
    }
    let sign = if power < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", power.abs()));
    (text, power)
}

fn general(layout: &Layout, mantissa: u128, exponent: i32) -> String {
    let significant = layout.precision.unwrap_or(6).max(1);
    let (text, power) = scientific_with(layout, mantissa, exponent, significant - 1);
    let limit = i32::try_from(significant).unwrap_or(i32::MAX);
    if power < -4 || power >= limit {
        if layout.alternate {
            return text;
        }
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{exponent}", without_trailing_zeros(digits));
    }
    let text = fixed_with(layout, mantissa, exponent, (limit - 1 - power) as usize);
    match layout.alternate {
        true => text,
        false => without_trailing_zeros(&text).to_owned(),
    }
}

fn without_trailing_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// The mantissa as one hexadecimal digit and a fraction. The x87 format stores its leading one, so that glibc puts
/// four bits before the point; the others have one.
fn hexadecimal(layout: &Layout, kind: FloatKind, mantissa: u128, exponent: i32) -> String {
    let fraction_bits: u32 = match kind {
        FloatKind::Single => 23,
        FloatKind::Double => 52,
        FloatKind::Extended => 60,
        FloatKind::Quad => 112,
    };
    // A whole number of hexadecimal digits.
    let fill = fraction_bits.next_multiple_of(4) - fraction_bits;
    let mut mantissa = mantissa << fill;
    let digits = (fraction_bits + fill) / 4;
    let power = if mantissa == 0 {
        0
    } else {
        exponent + fraction_bits as i32
    };
    let mut shown = digits;
    if let Some(precision) = layout.precision {
        shown = u32::try_from(precision).unwrap_or(u32::MAX).min(digits);
        let dropped = 4 * (digits - shown);
        if dropped > 0 {
            let rest = mantissa & ((1 << dropped) - 1);
            mantissa >>= dropped;
            let half = 1 << (dropped - 1);
            if rest > half || (rest == half && mantissa & 1 == 1) {
                mantissa += 1;
            }
        }
    }
    let lead = mantissa >> (4 * shown);
    let fraction = mantissa & ((1 << (4 * shown)) - 1);
    let mut text = if shown > 0 {
        format!("{fraction:0width$x}", width = shown as usize)
    } else {
        String::new()
    };
    match layout.precision {
        Some(precision) => text.push_str(&"0".repeat(precision - shown as usize)),
        None => text.truncate(text.trim_end_matches('0').len()),
    }
    let point = if text.is_empty() && !layout.alternate {
        ""
    } else {
        "."
    };
    format!("0x{lead:x}{point}{text}p{power:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(spec: &str) -> (Layout, u8) {
        let (spec, _) = parse(spec.as_bytes()).unwrap();
        let given = |number: Option<Number>| match number {
            Some(Number::Given(value)) => Some(value),
            _ => None,
        };
        let layout = Layout {
            left: spec.left,
            plus: spec.plus,
            space: spec.space,
            alternate: spec.alternate,
            zero: spec.zero,
            width: given(spec.width).unwrap_or(0),
            precision: given(spec.precision),
            uppercase: spec.conversion.is_ascii_uppercase(),
        };
        (layout, spec.conversion.to_ascii_lowercase())
    }

    fn double(spec: &str, value: f64) -> String {
        let (layout, conversion) = layout(spec);
        String::from_utf8(float(
            &layout,
            conversion,
            FloatKind::Double,
            u128::from(value.to_bits()),
        ))
        .unwrap()
    }

    fn int(spec: &str, value: i128) -> String {
        let (layout, conversion) = layout(spec);
        let text = match conversion {
            b'd' => signed(&layout, value),
            b'o' => unsigned(&layout, value as u128, 8),
            b'x' => unsigned(&layout, value as u128, 16),
            _ => unsigned(&layout, value as u128, 10),
        };
        String::from_utf8(text).unwrap()
    }

    // The expected texts below are what glibc 2.36 printed.

    #[test]
    fn integers() {
        assert_eq!(int("d", -5), "-5");
        assert_eq!(int("5d|", 42), "   42");
        assert_eq!(int("-5d|", 42), "42   ");
        assert_eq!(int("05d", -42), "-0042");
        assert_eq!(int("+d", 42), "+42");
        assert_eq!(int(" d", 42), " 42");
        assert_eq!(int(".3d", 7), "007");
        assert_eq!(int("06.3d", 7), "   007");
        assert_eq!(int(".0d", 0), "");
        assert_eq!(int("#x", 255), "0xff");
        assert_eq!(int("#X", 255), "0XFF");
        assert_eq!(int("#x", 0), "0");
        assert_eq!(int("#o", 8), "010");
        assert_eq!(int("#.0o", 0), "0");
        assert_eq!(int("#010x", 255), "0x000000ff");
    }

    #[test]
    fn fixed_point() {
        assert_eq!(double("f", 3.25), "3.250000");
        assert_eq!(double(".0f", 0.5), "0");
        assert_eq!(double(".0f", 1.5), "2");
        assert_eq!(double(".0f", 2.5), "2");
        assert_eq!(double(".0f", 0.7), "1");
        assert_eq!(double("#.0f", 3.0), "3.");
        assert_eq!(double(".2f", 0.005), "0.01");
        assert_eq!(double(".1f", 0.25), "0.2");
        assert_eq!(double("10.3f", -2.0), "    -2.000");
        assert_eq!(double("010.3f", -2.0), "-00002.000");
        assert_eq!(double("f", 1e22), "10000000000000000000000.000000");
        assert_eq!(double("f", 0.0), "0.000000");
        assert_eq!(double("f", -0.0), "-0.000000");
        assert_eq!(double(".20f", 0.1), "0.10000000000000000555");
    }

    #[test]
    fn scientific_and_general() {
        assert_eq!(double("e", 12345.678), "1.234568e+04");
        assert_eq!(double("E", 0.0), "0.000000E+00");
        assert_eq!(double(".0e", 9.5), "1e+01");
        assert_eq!(double("e", 5e-324), "4.940656e-324");
        assert_eq!(double("g", 100000.0), "100000");
        assert_eq!(double("g", 1000000.0), "1e+06");
        assert_eq!(double("g", 0.0001), "0.0001");
        assert_eq!(double("g", 0.00001), "1e-05");
        assert_eq!(double("#g", 1.0), "1.00000");
        assert_eq!(double("g", 0.0), "0");
        assert_eq!(double(".3g", 1234.5), "1.23e+03");
        assert_eq!(double(".17g", 0.1), "0.10000000000000001");
        assert_eq!(double("g", 999999.5), "1e+06");
    }

    #[test]
    fn not_finite() {
        assert_eq!(double("f", f64::INFINITY), "inf");
        assert_eq!(double("F", f64::NEG_INFINITY), "-INF");
        assert_eq!(double("05f", f64::INFINITY), "  inf");
        assert_eq!(double("+e", f64::INFINITY), "+inf");
    }

    #[test]
    fn hexadecimal_floats() {
        assert_eq!(double("a", 1.0), "0x1p+0");
        assert_eq!(double("a", 0.1), "0x1.999999999999ap-4");
        assert_eq!(double(".2a", 0.1), "0x1.9ap-4");
        assert_eq!(double(".0a", 1.5), "0x2p+0");
        assert_eq!(double("A", 255.0), "0X1.FEP+7");
        assert_eq!(double("a", 0.0), "0x0p+0");
        assert_eq!(double("a", 5e-324), "0x0.0000000000001p-1022");
    }
}
