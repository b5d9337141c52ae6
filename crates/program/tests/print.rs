//! Printing back as C: each expression is built by hand and shown as text.

#![allow(clippy::unwrap_used)]

mod support;

use expect_test::{Expect, expect};
use program::*;
use support::Build;

fn check(b: &Build, expr: ExprId, expected: Expect) {
    expected.assert_eq(&Printer::new(&b.p).expr(expr));
}

fn lp64() -> Build {
    Build::new(DataModel::Lp64)
}

#[test]
fn precedence_asks_for_the_fewest_parentheses() {
    let mut b = lp64();
    let int = b.int_ty();
    let (x, y, z) = (b.read("x", int), b.read("y", int), b.read("z", int));
    let sum = b.binary(BinaryOp::Add, x, y);
    let product = b.binary(BinaryOp::Mul, sum, z);
    check(&b, product, expect!["(x + y) * z"]);
    let left = b.binary(BinaryOp::Sub, sum, z);
    check(&b, left, expect!["x + y - z"]);
    let right = b.binary(BinaryOp::Sub, z, sum);
    check(&b, right, expect!["z - (x + y)"]);
    let masked = b.binary(BinaryOp::BitAnd, x, y);
    let test = b.compare(BinaryOp::Eq, masked, z);
    check(&b, test, expect!["(x & y) == z"]);
    let less = b.compare(BinaryOp::Lt, sum, z);
    let both = b.compare(BinaryOp::LogicalAnd, test, less);
    let either = b.compare(BinaryOp::LogicalOr, both, less);
    let not = b.p.unary(UnaryOp::Not, either, int);
    check(&b, not, expect!["!((x & y) == z && x + y < z || x + y < z)"]);
    let conditional = b.p.exprs.add(
        ExprKind::Conditional {
            condition: less,
            then: x,
            otherwise: sum,
        },
        int,
    );
    let shifted = b.binary(BinaryOp::Shl, conditional, x);
    check(&b, shifted, expect!["(x + y < z ? x : x + y) << x"]);
}

#[test]
fn signs_do_not_run_together() {
    let mut b = lp64();
    let int = b.int_ty();
    let x = b.read("x", int);
    let minus = b.p.unary(UnaryOp::Negate, x, int);
    let twice = b.p.unary(UnaryOp::Negate, minus, int);
    check(&b, twice, expect!["-(-x)"]);
    let five = b.p.int(-5, int);
    let minus_five = b.p.unary(UnaryOp::Negate, five, int);
    check(&b, minus_five, expect!["-(-5)"]);
    let difference = b.binary(BinaryOp::Sub, x, five);
    check(&b, difference, expect!["x - -5"]);
    let complement = b.p.unary(UnaryOp::BitNot, minus, int);
    check(&b, complement, expect!["~-x"]);
}

#[test]
fn conversions_that_c_makes_itself_are_not_shown() {
    let mut b = lp64();
    let [char, int, uint, long] =
        [IntKind::Char, IntKind::Int, IntKind::UInt, IntKind::Long].map(|k| b.ty(k));
    let (c, i, u, l) = (
        b.read("c", char),
        b.read("i", int),
        b.read("u", uint),
        b.read("l", long),
    );
    let promoted = b.p.convert(c, int);
    let sum = b.binary(BinaryOp::Add, promoted, i);
    check(&b, sum, expect!["c + i"]);
    let widened = b.p.convert(sum, long);
    let total = b.binary(BinaryOp::Add, widened, l);
    check(&b, total, expect!["c + i + l"]);
    let as_unsigned = b.p.convert(i, uint);
    let less = b.compare(BinaryOp::Lt, as_unsigned, u);
    check(&b, less, expect!["i < u"]);
    let one = b.p.int(1, uint);
    let bumped = b.binary(BinaryOp::Add, u, one);
    check(&b, bumped, expect!["u + 1"]);
    // Kept by an equality whatever the width it is made in.
    let wide = b.p.convert(i, long);
    let five = b.p.int(5, long);
    let equal = b.compare(BinaryOp::Eq, wide, five);
    check(&b, equal, expect!["i == 5"]);
    let c5 = b.p.int(5, char);
    let narrow = b.compare(BinaryOp::Eq, c, c5);
    check(&b, narrow, expect!["c == 5"]);
}

#[test]
fn conversions_that_matter_are_written_out() {
    let mut b = lp64();
    let [char, int, uint, long] =
        [IntKind::Char, IntKind::Int, IntKind::UInt, IntKind::Long].map(|k| b.ty(k));
    let (i, j, u, l) = (
        b.read("i", int),
        b.read("j", int),
        b.read("u", uint),
        b.read("l", long),
    );
    let narrowed = b.p.convert(l, int);
    let less = b.compare(BinaryOp::Lt, narrowed, i);
    check(&b, less, expect!["(int)l < i"]);
    let (ui, uj) = (b.p.convert(i, uint), b.p.convert(j, uint));
    let unsigned = b.compare(BinaryOp::Lt, ui, uj);
    check(&b, unsigned, expect!["(unsigned int)i < j"]);
    let wide = b.p.convert(i, long);
    let one = b.p.int(1, long);
    let sum = b.binary(BinaryOp::Add, wide, one);
    check(&b, sum, expect!["i + 1L"]);
    let minus_one = b.p.int(-1, long);
    let wide_u = b.p.convert(u, long);
    let never = b.compare(BinaryOp::Eq, wide_u, minus_one);
    check(&b, never, expect!["u == -1L"]);
    let two = b.p.int(2, uint);
    let ten = b.p.int(10, uint);
    let folded = b.binary(BinaryOp::Sub, two, ten);
    check(&b, folded, expect!["2 - 10U"]);
    let byte = b.p.convert(i, char);
    let back = b.p.convert(byte, int);
    let test = b.compare(BinaryOp::Eq, back, j);
    check(&b, test, expect!["(char)i == j"]);
    let c = b.read("c", char);
    let narrow_sum = b.binary(BinaryOp::Add, c, c);
    let test = b.compare(BinaryOp::Lt, narrow_sum, c);
    check(&b, test, expect!["(char)(c + c) < c"]);
}

#[test]
fn conditions_ignore_what_keeps_zero() {
    let mut b = lp64();
    let [int, long] = [IntKind::Int, IntKind::Long].map(|k| b.ty(k));
    let i = b.read("i", int);
    let wide = b.p.convert(i, long);
    let l = b.read("l", long);
    let narrow = b.p.convert(l, int);
    let printer = Printer::new(&b.p);
    expect!["i"].assert_eq(&printer.condition(wide, true));
    expect!["!i"].assert_eq(&printer.condition(wide, false));
    expect!["(int)l"].assert_eq(&printer.condition(narrow, true));
}

#[test]
fn constants_read_back_with_value_and_type() {
    let mut b = lp64();
    let kinds = [
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::Int128,
        IntKind::UInt128,
    ];
    let [int, uint, long, ulong, wide, uwide] = kinds.map(|k| b.ty(k));
    let least = b.p.int(i32::MIN.into(), int);
    let x = b.read("x", int);
    let test = b.compare(BinaryOp::Eq, x, least);
    check(&b, test, expect!["x == -2147483648"]);
    let sum = b.binary(BinaryOp::Add, x, least);
    check(&b, sum, expect!["x + (-2147483647 - 1)"]);
    let least = b.p.int(i64::MIN.into(), long);
    check(&b, least, expect!["-9223372036854775807L - 1"]);
    let most = b.p.int(u64::MAX.into(), ulong);
    check(&b, most, expect!["18446744073709551615UL"]);
    let u = b.read("u", uint);
    let all = b.p.int(-1, uint);
    let test = b.binary(BinaryOp::BitXor, u, all);
    check(&b, test, expect!["u ^ 4294967295U"]);
    let big = b.p.int(1 << 100, wide);
    check(&b, big, expect!["(__int128)0x1000000000UL << 64 | 0x0UL"]);
    let all = b.p.int(-1, uwide);
    let w = b.read("w", uwide);
    let test = b.compare(BinaryOp::Ne, w, all);
    check(
        &b,
        test,
        expect!["w != ((unsigned __int128)0xffffffffffffffffUL << 64 | 0xffffffffffffffffUL)"],
    );
}

#[test]
fn pointers_arrays_and_fields() {
    let mut b = lp64();
    let [int, long] = [IntKind::Int, IntKind::Long].map(|k| b.ty(k));
    let array = b.p.types.array(int, Some(4));
    let inner = b.record(RecordKind::Union, "", &[("word", int), ("wide", long)]);
    let s = b.record(RecordKind::Struct, "s", &[("a", array), ("", inner), ("n", int)]);
    let s_pointer = b.p.types.pointer(s);
    let int_pointer = b.p.types.pointer(int);
    let void = b.p.types.void();
    let void_pointer = b.p.types.pointer(void);
    let (p, q, i) = (b.read("p", s_pointer), b.read("q", int_pointer), b.read("i", int));
    let v = b.read("v", void_pointer);
    let x = b.var("x", s);

    let star = b.p.deref(p);
    let (n, a, anonymous) = (b.p.field(star, 2), b.p.field(star, 0), b.p.field(star, 1));
    let read = b.p.read(n);
    check(&b, read, expect!["p->n"]);
    let wide = b.p.field(anonymous, 1);
    let read = b.p.read(wide);
    check(&b, read, expect!["p->wide"]);
    let element = b.p.index(a, i);
    let read = b.p.read(element);
    check(&b, read, expect!["p->a[i]"]);
    let decayed = b.p.exprs.add(ExprKind::AddressOf(a), int_pointer);
    check(&b, decayed, expect!["p->a"]);
    let address = b.p.exprs.add(ExprKind::AddressOf(element), int_pointer);
    check(&b, address, expect!["&p->a[i]"]);

    let whole = b.p.var_place(x);
    let member = b.p.field(whole, 1);
    let word = b.p.field(member, 0);
    let read = b.p.read(word);
    check(&b, read, expect!["x.word"]);
    let x_address = b.p.exprs.add(ExprKind::AddressOf(whole), s_pointer);
    check(&b, x_address, expect!["&x"]);
    let through = b.p.deref(x_address);
    let n = b.p.field(through, 2);
    let read = b.p.read(n);
    check(&b, read, expect!["x.n"]);

    let index = b.p.convert(i, long);
    let moved = b.p.binary(BinaryOp::PointerAdd, q, index, int_pointer);
    check(&b, moved, expect!["q + i"]);
    let item = b.p.deref(moved);
    let read = b.p.read(item);
    check(&b, read, expect!["q[i]"]);
    let back = b.p.int(-2, long);
    let moved = b.p.binary(BinaryOp::PointerAdd, q, back, int_pointer);
    check(&b, moved, expect!["q - 2"]);
    let star = b.p.deref(q);
    let read = b.p.read(star);
    let product = b.binary(BinaryOp::Mul, read, i);
    check(&b, product, expect!["*q * i"]);

    let row = b.p.types.pointer(array);
    let r = b.read("r", row);
    let star = b.p.deref(r);
    let item = b.p.index(star, i);
    let read = b.p.read(item);
    check(&b, read, expect!["(*r)[i]"]);

    // A void pointer compares as it is but must be cast to be followed.
    let as_int = b.p.convert(v, int_pointer);
    let same = b.compare(BinaryOp::Eq, as_int, q);
    check(&b, same, expect!["v == q"]);
    let star = b.p.deref(as_int);
    let read = b.p.read(star);
    check(&b, read, expect!["*(int *)v"]);
    let null = b.p.int(0, int_pointer);
    let test = b.compare(BinaryOp::Ne, q, null);
    check(&b, test, expect!["q != 0"]);
    let magic = b.p.int(64, int_pointer);
    let test = b.compare(BinaryOp::Eq, q, magic);
    check(&b, test, expect!["q == (int *)64"]);
}

#[test]
fn enumerators_and_characters_by_name() {
    let mut b = lp64();
    let [char, int, uint] = [IntKind::Char, IntKind::Int, IntKind::UInt].map(|k| b.ty(k));
    let id = b.p.types.add_enum(Enumeration {
        name: "color".to_owned(),
        tagged: true,
        underlying: uint,
        enumerators: vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 1)],
    });
    let color = b.p.types.intern(Type::Enum(id));
    let x = b.var("x", color);
    let read = b.p.read_var(x);
    let raw = b.p.convert(read, uint);
    let (green, other) = (b.p.int(1, uint), b.p.int(7, uint));
    let test = b.compare(BinaryOp::Eq, raw, green);
    check(&b, test, expect!["x == GREEN"]);
    let test = b.compare(BinaryOp::Eq, raw, other);
    check(&b, test, expect!["x == 7"]);
    let sum = b.binary(BinaryOp::Add, raw, green);
    check(&b, sum, expect!["x + 1"]);
    let place = b.p.var_place(x);
    let value = b.p.convert(green, color);
    let printer = Printer::new(&b.p);
    expect!["x = GREEN"].assert_eq(&printer.edge(&EdgeKind::Assign { place, value }, b.f));

    let c = b.read("c", char);
    let promoted = b.p.convert(c, int);
    let (letter, zero, tab) = (b.p.int(97, int), b.p.int(0, int), b.p.int(9, int));
    let test = b.compare(BinaryOp::Eq, promoted, letter);
    check(&b, test, expect!["c == 'a'"]);
    let test = b.compare(BinaryOp::Ne, promoted, zero);
    check(&b, test, expect!["c != 0"]);
    let test = b.compare(BinaryOp::Ne, promoted, tab);
    check(&b, test, expect![[r"c != '\t'"]]);
}

#[test]
fn floats_are_exact() {
    let mut b = lp64();
    let mut show = |kind, bits| {
        let ty = b.p.types.float(kind);
        let expr = b.p.exprs.add(ExprKind::Float(FloatBits { kind, bits }), ty);
        Printer::new(&b.p).expr(expr)
    };
    let mut lines = Vec::new();
    for value in [0.0, -0.0, 1.5, 0.1, 1e300, 5e-324, f64::INFINITY, f64::NAN, -1e22] {
        lines.push(show(FloatKind::Double, f64::to_bits(value).into()));
    }
    for value in [0.1, -3.0, f32::MAX] {
        lines.push(show(FloatKind::Single, f32::to_bits(value).into()));
    }
    let extended = |exponent: u128, mantissa: u128| exponent << 64 | mantissa;
    lines.push(show(FloatKind::Extended, 0));
    lines.push(show(FloatKind::Extended, extended(16383, 1 << 63)));
    lines.push(show(
        FloatKind::Extended,
        extended(16383 - 4, 0xcccc_cccc_cccc_cccd),
    ));
    lines.push(show(FloatKind::Extended, extended(0x7fff, 1 << 63) | 1 << 79));
    lines.push(show(FloatKind::Quad, 16384 << 112 | 1 << 111));
    lines.push(show(FloatKind::Quad, 1));
    expect![[r#"
        0.0
        -0.0
        1.5
        0.1
        1e300
        5e-324
        __builtin_inf()
        __builtin_nan("")
        -1e22
        0.1f
        -3.0f
        3.4028235e38f
        0.0L
        1.0L
        0x1.999999999999999ap-4L
        -__builtin_infl()
        3.0Q
        0x0.0000000000000000000000000001p-16382Q"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn types_in_declarator_syntax() {
    let mut b = lp64();
    let [char, int] = [IntKind::Char, IntKind::Int].map(|k| b.ty(k));
    let s = b.record(RecordKind::Struct, "s", &[]);
    let types = &mut b.p.types;
    let array = types.array(int, Some(3));
    let to_array = types.pointer(array);
    let char_pointer = types.pointer(char);
    let s_pointer = types.pointer(s);
    let function = types.intern(Type::Function(FunctionType {
        result: char_pointer,
        params: vec![int, s_pointer],
        variadic: true,
    }));
    let to_function = types.pointer(function);
    let table = types.array(to_function, None);
    let nested = types.array(array, Some(2));
    let printer = Printer::new(&b.p);
    expect!["int (*)[3]"].assert_eq(&printer.ty(to_array));
    expect!["char *(*)(int, struct s *, ...)"].assert_eq(&printer.ty(to_function));
    expect!["char *(*table[])(int, struct s *, ...)"].assert_eq(&printer.declaration(table, "table"));
    expect!["int m[2][3]"].assert_eq(&printer.declaration(nested, "m"));
}

#[test]
fn bit_fields_promote_by_their_width() {
    let mut b = lp64();
    let [int, uint] = [IntKind::Int, IntKind::UInt].map(|k| b.ty(k));
    let s = b.record(RecordKind::Struct, "s", &[("bits", uint)]);
    let Type::Record(record) = *b.p.types.get(s) else {
        unreachable!()
    };
    b.p.types.record_mut(record).fields[0].bits = Some(BitRange { start: 0, width: 3 });
    let x = b.var("x", s);
    let place = b.p.var_place(x);
    let bits = b.p.field(place, 0);
    let read = b.p.read(bits);
    let promoted = b.p.convert(read, int);
    let i = b.read("i", int);
    let less = b.compare(BinaryOp::Lt, promoted, i);
    check(&b, less, expect!["x.bits < i"]);
    let as_unsigned = b.p.convert(i, uint);
    let less = b.compare(BinaryOp::Lt, read, as_unsigned);
    check(&b, less, expect!["(unsigned int)x.bits < i"]);
}

#[test]
fn same_names_are_told_apart_on_demand() {
    let mut b = lp64();
    let int = b.int_ty();
    let (outer, inner) = (b.read("x", int), b.read("x", int));
    let sum = b.binary(BinaryOp::Add, outer, inner);
    expect!["x + x"].assert_eq(&Printer::new(&b.p).expr(sum));
    expect!["x + x#2"].assert_eq(&Printer::disambiguating(&b.p).expr(sum));
}

#[test]
fn deep_expressions_do_not_exhaust_the_stack() {
    let mut b = lp64();
    let int = b.int_ty();
    let x = b.read("x", int);
    let mut sum = x;
    for _ in 0..200_000 {
        sum = b.binary(BinaryOp::Add, sum, x);
    }
    let mut right = x;
    for _ in 0..200_000 {
        right = b.binary(BinaryOp::Sub, x, right);
    }
    let printer = Printer::new(&b.p);
    assert_eq!(printer.expr(sum).len(), 4 * 200_000 + 1);
    assert!(printer.expr(right).starts_with("x - (x - (x - "));
    assert_eq!(printer.expr(right).len(), 6 * 200_000 - 1);
}
