//! What the formats of `printf` and `scanf` have the functions do.

use program::{ExprId, ExprKind, Initial, PlaceKind, Program, VarKind};

/// The text of a string literal.
pub fn literal(program: &Program, mut expr: ExprId) -> Option<&[u8]> {
    while let ExprKind::Cast { operand, .. } = program.expr(expr).kind {
        expr = operand;
    }
    let ExprKind::AddressOf(mut place) = program.expr(expr).kind else {
        return None;
    };
    if let PlaceKind::Index(base, index) = program.place(place).kind
        && program.expr(index).kind == ExprKind::Int(0)
    {
        place = base;
    }
    let PlaceKind::Var(var) = program.place(place).kind else {
        return None;
    };
    match &program.vars[var].kind {
        VarKind::Global(Initial::Bytes(bytes)) => bytes.split(|&byte| byte == 0).next(),
        _ => None,
    }
}

/// The conversions of a format, each by its last letter, with what stands between it and the percent sign.
pub fn formats(text: &[u8]) -> Vec<(&[u8], u8)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(percent) = text[at..].iter().position(|&byte| byte == b'%') {
        let start = at + percent + 1;
        let modifiers = text[start..]
            .iter()
            .take_while(|byte| b"0123456789.*-+ #'$hljztLqm".contains(byte))
            .count();
        let Some(&letter) = text.get(start + modifiers) else {
            break;
        };
        found.push((&text[start..start + modifiers], letter));
        at = start + modifiers + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::formats;

    #[test]
    fn conversions_of_a_format() {
        let letters = |text: &str| -> String {
            let found = formats(text.as_bytes());
            found.iter().map(|&(_, letter)| letter as char).collect()
        };
        assert_eq!(letters("%d%%n %5.2lf and %-*s%hhn"), "d%fsn");
        assert_eq!(letters("100%"), "");
        assert_eq!(letters("n%"), "");
    }
}
