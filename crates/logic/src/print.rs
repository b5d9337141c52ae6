//! Terms as C source that a person reads.
//!
//! The text is C with the term's meaning where C can say it: where an operator needs a signedness that its operand
//! does not have, the operand is cast; words narrower than `int` are cast back after arithmetic. Reads of memory
//! print through a hook, because only its giver knows which place `mem[p + 4]` is.

use rustc_hash::FxHashMap;

use crate::bits;
use crate::float;
use crate::op::Op;
use crate::pool::{Signedness, Term, Terms};
use crate::sort::{FloatKind, Sort};

/// Part of a text that a hook gives: the terms in it are printed as operands.
pub enum Piece {
    Text(String),
    Term(Term),
    /// Between brackets of the text already.
    Inner(Term),
}

/// A read of memory as a C expression such as `p->f`; it is printed without brackets around it.
pub struct Read {
    pub pieces: Vec<Piece>,
    pub signedness: Signedness,
}

/// Knows the places of the program.
pub trait PrintHook {
    /// How to print the read of an array, if the hook knows.
    fn select(&self, terms: &Terms, array: Term, index: Term) -> Option<Read>;

    /// How to print a term of any kind, if the hook knows better than its operators say.
    fn whole(&self, _terms: &Terms, _term: Term) -> Option<Read> {
        None
    }
}

struct NoHook;

impl PrintHook for NoHook {
    fn select(&self, _: &Terms, _: Term, _: Term) -> Option<Read> {
        None
    }
}

/// Longer texts are cut off with `…`: a term that shares its parts can have a text without end.
const LONGEST: usize = 100_000;

/// Prints terms as C.
pub struct CPrinter<'a> {
    terms: &'a Terms,
    hook: &'a dyn PrintHook,
}

impl Terms {
    /// The term as C source; see [`CPrinter`] for reads of memory.
    pub fn to_c(&self, term: Term) -> String {
        CPrinter::new(self).print(term)
    }
}

/// The levels of C's grammar; a higher number binds tighter.
mod level {
    pub const TERNARY: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const BIT_OR: u8 = 6;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const EQUALITY: u8 = 9;
    pub const RELATION: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const SUM: u8 = 12;
    pub const PRODUCT: u8 = 13;
    pub const UNARY: u8 = 14;
    pub const PRIMARY: u8 = 15;
}

/// The signedness of the C expression that a term prints as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
    Pointer,
    /// A constant, which takes the sign it is asked for.
    Any,
}

enum Item {
    Text(String),
    Operand {
        term: Term,
        level: u8,
        want: Option<Sign>,
    },
}

fn text(text: impl Into<String>) -> Item {
    Item::Text(text.into())
}

fn operand(term: Term, level: u8) -> Item {
    Item::Operand {
        term,
        level,
        want: None,
    }
}

fn signed_operand(term: Term, level: u8, want: Sign) -> Item {
    Item::Operand {
        term,
        level,
        want: Some(want),
    }
}

impl<'a> CPrinter<'a> {
    pub fn new(terms: &'a Terms) -> CPrinter<'a> {
        CPrinter { terms, hook: &NoHook }
    }

    pub fn with_hook(self, hook: &'a dyn PrintHook) -> CPrinter<'a> {
        CPrinter { hook, ..self }
    }

    pub fn print(&self, term: Term) -> String {
        let signs = self.signs(term);
        let mut out = String::new();
        let mut stack = vec![operand(term, 0)];
        while let Some(item) = stack.pop() {
            if out.len() > LONGEST {
                out.push('…');
                break;
            }
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Operand { term, level, want } => {
                    let (own_level, items) = self.expand(&signs, term, want);
                    let brackets = own_level < level;
                    if brackets {
                        out.push('(');
                        stack.push(text(")"));
                    }
                    stack.extend(items.into_iter().rev());
                }
            }
        }
        out
    }

    fn signs(&self, root: Term) -> FxHashMap<Term, Sign> {
        let terms = self.terms;
        let mut signs: FxHashMap<Term, Sign> = FxHashMap::default();
        for term in terms.subterms(&[root]) {
            if let Some(read) = self.hook.whole(terms, term) {
                signs.insert(term, sign_of(read.signedness));
                continue;
            }
            let args = terms.args(term);
            let sign = match terms.op(term) {
                Op::Word(_) => Sign::Any,
                Op::Symbol(symbol) => sign_of(terms.symbol_info(symbol).signedness),
                Op::Select => match self.hook.select(terms, args[0], args[1]) {
                    Some(read) => sign_of(read.signedness),
                    None => Sign::Signed,
                },
                Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor | Op::BitNot => {
                    args.iter().map(|a| signs[a]).fold(Sign::Any, join)
                }
                Op::Ite => join(signs[&args[1]], signs[&args[2]]),
                Op::Shl => join(signs[&args[0]], Sign::Any),
                Op::Udiv | Op::Urem | Op::Lshr | Op::Concat | Op::Extract { .. } => Sign::Unsigned,
                Op::FpToUnsigned | Op::FpToBits => Sign::Unsigned,
                _ => Sign::Signed,
            };
            signs.insert(term, sign);
        }
        signs
    }

    /// The level of the term's outermost operator and its text with operands still to print.
    fn expand(&self, signs: &FxHashMap<Term, Sign>, term: Term, want: Option<Sign>) -> (u8, Vec<Item>) {
        let sign = signs[&term];
        let width = self.terms.sort(term).width();
        match (want, width) {
            (Some(want), Some(width)) if sign != Sign::Any && sign != want => {
                // A pointer compares as the unsigned number that it is.
                if sign == Sign::Pointer && want == Sign::Unsigned {
                    return self.node(signs, term, sign);
                }
                (
                    level::UNARY,
                    vec![
                        text(format!("({})", c_type(width, want))),
                        operand(term, level::UNARY),
                    ],
                )
            }
            (Some(want), Some(_)) if sign == Sign::Any => self.node(signs, term, want),
            _ => self.node(signs, term, sign),
        }
    }

    fn node(&self, signs: &FxHashMap<Term, Sign>, term: Term, sign: Sign) -> (u8, Vec<Item>) {
        let terms = self.terms;
        if let Some(read) = self.hook.whole(terms, term) {
            return (level::PRIMARY, read.pieces.into_iter().map(piece_item).collect());
        }
        let args = terms.args(term);
        let sort = terms.sort(term);
        let call = |name: &str| {
            let mut items = vec![text(format!("{name}("))];
            items.extend(join_items(args.iter().map(|a| operand(*a, level::TERNARY)), ", "));
            items.push(text(")"));
            (level::PRIMARY, items)
        };
        let infix = |own: u8, symbol: &str| {
            // All these operators group to the left; the right operand binds tighter.
            let operands = args
                .iter()
                .enumerate()
                .map(|(i, a)| operand(*a, own + u8::from(i > 0)));
            (own, join_items(operands, symbol))
        };
        let cast = |width: u32, sign: Sign, arg: Item| {
            (
                level::UNARY,
                vec![text(format!("({})", c_type(width, sign))), arg],
            )
        };
        let narrowed = |items: (u8, Vec<Item>)| match sort {
            Sort::BitVec(width) if width < 32 => {
                let mut cast = vec![text(format!("({})(", c_type(width, sign)))];
                cast.extend(items.1);
                cast.push(text(")"));
                (level::UNARY, cast)
            }
            _ => items,
        };
        let both = |own: u8, symbol: &str, sign: Sign| {
            (
                own,
                vec![
                    signed_operand(args[0], own, sign),
                    text(symbol),
                    signed_operand(args[1], own + 1, sign),
                ],
            )
        };
        match terms.op(term) {
            Op::True => (level::PRIMARY, vec![text("1")]),
            Op::False => (level::PRIMARY, vec![text("0")]),
            Op::Word(value) => word_text(value, sort.width().expect("a word's sort"), sign),
            Op::Float(pattern) => float_text(pattern, sort),
            Op::Symbol(symbol) => (level::PRIMARY, vec![text(terms.symbol_name(symbol))]),
            Op::Not => self.negation(signs, args[0]),
            Op::And => infix(level::AND, " && "),
            Op::Or => infix(level::OR, " || "),
            Op::Eq => self.equality(signs, args, " == "),
            Op::Ite => {
                let want = width_sign(sort, sign);
                let branch = |term, level| Item::Operand { term, level, want };
                let items = vec![
                    operand(args[0], level::OR),
                    text(" ? "),
                    branch(args[1], level::TERNARY),
                    text(" : "),
                    branch(args[2], level::TERNARY),
                ];
                (level::TERNARY, items)
            }
            Op::Add => narrowed(self.sum(signs, args)),
            Op::Mul => narrowed(self.product(args)),
            Op::BitAnd => narrowed(self.bitwise(args, level::BIT_AND, " & ")),
            Op::BitOr => narrowed(self.bitwise(args, level::BIT_OR, " | ")),
            Op::BitXor => narrowed(self.bitwise(args, level::BIT_XOR, " ^ ")),
            Op::BitNot => narrowed((level::UNARY, vec![text("~"), operand(args[0], level::UNARY)])),
            Op::Udiv => both(level::PRODUCT, " / ", Sign::Unsigned),
            Op::Urem => both(level::PRODUCT, " % ", Sign::Unsigned),
            Op::Sdiv => narrowed(both(level::PRODUCT, " / ", Sign::Signed)),
            Op::Srem => narrowed(both(level::PRODUCT, " % ", Sign::Signed)),
            Op::Shl => narrowed(infix(level::SHIFT, " << ")),
            Op::Lshr => both(level::SHIFT, " >> ", Sign::Unsigned),
            Op::Ashr => both(level::SHIFT, " >> ", Sign::Signed),
            op @ (Op::Ult | Op::Ule | Op::Slt | Op::Sle) => self.comparison(op, args),
            Op::Concat => {
                let lower = terms.width(args[1]);
                let items = vec![
                    text(format!(
                        "({})",
                        c_type(sort.width().unwrap_or(lower), Sign::Unsigned)
                    )),
                    signed_operand(args[0], level::UNARY, Sign::Unsigned),
                    text(format!(" << {lower} | ")),
                    signed_operand(args[1], level::BIT_XOR, Sign::Unsigned),
                ];
                (level::BIT_OR, items)
            }
            Op::Extract { high, low } => {
                let width = high - low + 1;
                if low == 0 {
                    return cast(width, Sign::Unsigned, operand(args[0], level::UNARY));
                }
                let items = vec![
                    text(format!("({})(", c_type(width, Sign::Unsigned))),
                    signed_operand(args[0], level::SHIFT, Sign::Unsigned),
                    text(format!(" >> {low})")),
                ];
                (level::UNARY, items)
            }
            op @ (Op::ZeroExtend | Op::SignExtend) => {
                let inner = if op == Op::ZeroExtend {
                    Sign::Unsigned
                } else {
                    Sign::Signed
                };
                let width = sort.width().expect("a word's sort");
                if width == 32 {
                    // C's promotion does it.
                    return self.expand(signs, args[0], Some(inner));
                }
                cast(width, Sign::Signed, signed_operand(args[0], level::UNARY, inner))
            }
            Op::Select => match self.hook.select(terms, args[0], args[1]) {
                Some(read) => (level::PRIMARY, read.pieces.into_iter().map(piece_item).collect()),
                None => {
                    let items = vec![
                        operand(args[0], level::PRIMARY),
                        text("["),
                        operand(args[1], 0),
                        text("]"),
                    ];
                    (level::PRIMARY, items)
                }
            },
            Op::Store => call("store"),
            Op::ConstArray => call("all"),
            Op::FpAdd => infix(level::SUM, " + "),
            Op::FpSub => infix(level::SUM, " - "),
            Op::FpMul => infix(level::PRODUCT, " * "),
            Op::FpDiv => infix(level::PRODUCT, " / "),
            Op::FpNeg => (level::UNARY, vec![text("-"), operand(args[0], level::PRIMARY)]),
            Op::FpAbs => call("fabs"),
            Op::FpEq => infix(level::EQUALITY, " == "),
            Op::FpLt => infix(level::RELATION, " < "),
            Op::FpLe => infix(level::RELATION, " <= "),
            Op::FpIsNan => call("isnan"),
            Op::FpIsInfinite => call("isinf"),
            Op::FpConvert => float_cast(sort, operand(args[0], level::UNARY)),
            Op::FpFromSigned => float_cast(sort, signed_operand(args[0], level::UNARY, Sign::Signed)),
            Op::FpFromUnsigned => float_cast(sort, signed_operand(args[0], level::UNARY, Sign::Unsigned)),
            Op::FpToSigned => cast(
                sort.width().expect("a word's sort"),
                Sign::Signed,
                operand(args[0], level::UNARY),
            ),
            Op::FpToUnsigned => cast(
                sort.width().expect("a word's sort"),
                Sign::Unsigned,
                operand(args[0], level::UNARY),
            ),
            Op::FpFromBits => call("float_of_bits"),
            Op::FpToBits => call("bits_of_float"),
        }
    }

    fn negation(&self, signs: &FxHashMap<Term, Sign>, inner: Term) -> (u8, Vec<Item>) {
        if self.terms.op(inner) == Op::Eq
            && !matches!(self.terms.sort(self.terms.args(inner)[0]), Sort::Float(_))
        {
            return self.equality(signs, self.terms.args(inner), " != ");
        }
        (level::UNARY, vec![text("!"), operand(inner, level::UNARY)])
    }

    fn equality(&self, signs: &FxHashMap<Term, Sign>, args: &[Term], symbol: &str) -> (u8, Vec<Item>) {
        let (a, b) = (args[0], args[1]);
        match self.terms.sort(a) {
            Sort::Float(_) => {
                let items = vec![
                    text("identical("),
                    operand(a, level::TERNARY),
                    text(", "),
                    operand(b, level::TERNARY),
                ];
                return (level::PRIMARY, items.into_iter().chain([text(")")]).collect());
            }
            Sort::Bool | Sort::Array { .. } => {
                let own = level::EQUALITY;
                return (own, vec![operand(a, own + 1), text(symbol), operand(b, own + 1)]);
            }
            Sort::BitVec(_) => {}
        }
        let own = level::EQUALITY;
        // From `int` upwards C converts a mixed pair to unsigned itself; below, both are promoted by their own sign.
        let narrow = self.terms.width(a) < 32;
        let want = match (signs[&a], signs[&b]) {
            (Sign::Any, other) | (other, Sign::Any) => Some(other),
            (x, y) if x != y && narrow => Some(Sign::Unsigned),
            _ => None,
        };
        let side = |term, level| Item::Operand { term, level, want };
        (own, vec![side(a, own), text(symbol), side(b, own + 1)])
    }

    /// A bound is printed with the variable on the left: `c <= x` as `x >= c`, or `x > 0` where that is shorter.
    fn comparison(&self, op: Op, args: &[Term]) -> (u8, Vec<Item>) {
        let sign = if matches!(op, Op::Slt | Op::Sle) {
            Sign::Signed
        } else {
            Sign::Unsigned
        };
        let strict = matches!(op, Op::Slt | Op::Ult);
        let own = level::RELATION;
        let around = |a: Term, symbol: &str, b: Term| {
            (
                own,
                vec![
                    signed_operand(a, own, sign),
                    text(symbol),
                    signed_operand(b, own + 1, sign),
                ],
            )
        };
        let bound = |a: Term, symbol: &str| (own, vec![signed_operand(a, own, sign), text(symbol)]);
        match (self.terms.as_word(args[0]), self.terms.as_word(args[1])) {
            (_, Some(1)) if strict => bound(args[0], " <= 0"),
            (Some(1), _) if !strict => bound(args[1], " > 0"),
            (Some(_), None) => around(args[1], if strict { " > " } else { " >= " }, args[0]),
            _ => around(args[0], if strict { " < " } else { " <= " }, args[1]),
        }
    }

    /// `x - y + 1`: summands with positive coefficients first.
    fn sum(&self, signs: &FxHashMap<Term, Sign>, args: &[Term]) -> (u8, Vec<Item>) {
        let width = self.terms.width(args[0]);
        let mut plus = Vec::new();
        let mut minus = Vec::new();
        for &arg in args {
            let (coefficient, factor) = self.monomial(arg);
            if coefficient < 0 {
                minus.push((coefficient.unsigned_abs(), factor));
            } else {
                plus.push((coefficient.unsigned_abs(), factor));
            }
        }
        // A pointer comes first, and what is added to it counts bytes.
        plus.sort_by_key(|(_, factor)| !factor.is_some_and(|f| signs[&f] == Sign::Pointer));
        let mut items = Vec::new();
        for (index, (magnitude, factor)) in plus.iter().enumerate() {
            if index > 0 {
                items.push(text(" + "));
            } else if factor.is_some_and(|f| signs[&f] == Sign::Pointer) {
                items.push(text("(char *)"));
            }
            self.push_monomial(&mut items, *magnitude, *factor, width);
        }
        for (magnitude, factor) in minus {
            items.push(text(if items.is_empty() { "-" } else { " - " }));
            self.push_monomial(&mut items, magnitude, factor, width);
        }
        (level::SUM, items)
    }

    fn push_monomial(&self, items: &mut Vec<Item>, magnitude: u128, factor: Option<Term>, width: u32) {
        match factor {
            None => items.push(text(magnitude.to_string())),
            Some(factor) => {
                if magnitude != 1 {
                    let unsigned = if magnitude > bits::max_signed(width) {
                        "u"
                    } else {
                        ""
                    };
                    items.push(text(format!("{magnitude}{unsigned} * ")));
                }
                items.push(operand(factor, level::PRODUCT + 1));
            }
        }
    }

    /// The signed coefficient and the term that it multiplies; a constant multiplies nothing.
    fn monomial(&self, term: Term) -> (i128, Option<Term>) {
        let width = self.terms.width(term);
        if let Some(value) = self.terms.as_word(term) {
            return (bits::to_signed(value, width), None);
        }
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Mul, &[coefficient, other]) => match self.terms.as_word(coefficient) {
                Some(value) => (bits::to_signed(value, width), Some(other)),
                None => (1, Some(term)),
            },
            _ => (1, Some(term)),
        }
    }

    fn product(&self, args: &[Term]) -> (u8, Vec<Item>) {
        let width = self.terms.width(args[0]);
        match (self.terms.as_word(args[0]), args) {
            (Some(value), &[_, factor]) if value == bits::mask(width) => {
                (level::UNARY, vec![text("-"), operand(factor, level::PRIMARY)])
            }
            _ => {
                let own = level::PRODUCT;
                let operands = args
                    .iter()
                    .enumerate()
                    .map(|(i, a)| operand(*a, own + u8::from(i > 0)));
                (own, join_items(operands, " * "))
            }
        }
    }

    /// Constants are masks here, and read best in hexadecimal.
    fn bitwise(&self, args: &[Term], own: u8, symbol: &str) -> (u8, Vec<Item>) {
        let operands = args
            .iter()
            .enumerate()
            .map(|(i, a)| match self.terms.as_word(*a) {
                Some(value) if value > 9 => text(format!("{value:#x}")),
                _ => operand(*a, own + u8::from(i > 0)),
            });
        (own, join_items(operands, symbol))
    }
}

fn piece_item(piece: Piece) -> Item {
    match piece {
        Piece::Text(words) => text(words),
        Piece::Term(term) => operand(term, level::PRIMARY),
        Piece::Inner(term) => operand(term, 0),
    }
}

fn join_items(operands: impl Iterator<Item = Item>, separator: &str) -> Vec<Item> {
    let mut items = Vec::new();
    for operand in operands {
        if !items.is_empty() {
            items.push(text(separator));
        }
        items.push(operand);
    }
    items
}

fn sign_of(signedness: Signedness) -> Sign {
    match signedness {
        Signedness::Signed => Sign::Signed,
        Signedness::Unsigned => Sign::Unsigned,
        Signedness::Pointer => Sign::Pointer,
    }
}

/// C's usual conversions: unsigned wins, and a pointer stays one.
fn join(a: Sign, b: Sign) -> Sign {
    match (a, b) {
        (Sign::Any, other) | (other, Sign::Any) => other,
        (Sign::Pointer, _) | (_, Sign::Pointer) => Sign::Pointer,
        (Sign::Unsigned, _) | (_, Sign::Unsigned) => Sign::Unsigned,
        _ => Sign::Signed,
    }
}

fn width_sign(sort: Sort, sign: Sign) -> Option<Sign> {
    (sort.width().is_some() && sign != Sign::Any).then_some(sign)
}

fn c_type(width: u32, sign: Sign) -> String {
    let name = match width {
        8 if sign == Sign::Signed => "signed char",
        8 => "char",
        16 => "short",
        32 if sign != Sign::Signed => return "unsigned".to_owned(),
        32 => "int",
        64 => "long long",
        128 => "__int128",
        _ => {
            let prefix = if sign == Sign::Signed { "" } else { "unsigned " };
            return format!("{prefix}_BitInt({width})");
        }
    };
    if sign == Sign::Signed {
        name.to_owned()
    } else {
        format!("unsigned {name}")
    }
}

fn word_text(value: u128, width: u32, sign: Sign) -> (u8, Vec<Item>) {
    let signed = bits::to_signed(value, width);
    if sign == Sign::Pointer && value == 0 {
        return (level::PRIMARY, vec![text("NULL")]);
    }
    if signed >= 0 {
        return (level::PRIMARY, vec![text(value.to_string())]);
    }
    match sign {
        Sign::Unsigned | Sign::Pointer => (level::PRIMARY, vec![text(format!("{value}u"))]),
        Sign::Signed | Sign::Any => (level::UNARY, vec![text(signed.to_string())]),
    }
}

fn float_text(pattern: u128, sort: Sort) -> (u8, Vec<Item>) {
    let Sort::Float(kind) = sort else {
        unreachable!("a float's sort")
    };
    let negative = pattern >> (kind.width() - 1) == 1;
    let body = if float::is_nan(pattern, kind) {
        "NAN".to_owned()
    } else if float::is_infinite(pattern, kind) {
        if negative {
            "-INFINITY".to_owned()
        } else {
            "INFINITY".to_owned()
        }
    } else {
        let suffix = match kind {
            FloatKind::F32 => "f",
            FloatKind::F64 => "",
            FloatKind::F80 => "L",
            FloatKind::F128 => "q",
        };
        format!("{}{suffix}", float::display(pattern, kind))
    };
    (
        if negative { level::UNARY } else { level::PRIMARY },
        vec![text(body)],
    )
}

fn float_cast(sort: Sort, arg: Item) -> (u8, Vec<Item>) {
    let name = match sort {
        Sort::Float(FloatKind::F32) => "(float)",
        Sort::Float(FloatKind::F80) => "(long double)",
        Sort::Float(FloatKind::F128) => "(__float128)",
        _ => "(double)",
    };
    (level::UNARY, vec![text(name), arg])
}
