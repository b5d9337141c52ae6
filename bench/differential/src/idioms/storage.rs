//! Structs, unions, bit-fields, arrays, floats: where values are kept, and in how many ways they can be reached.

use crate::generate::Generator;

const RECORD: &str = "struct record { int a; unsigned char b; short c[2]; struct record *next; };\n";

/// A struct that is reached by name, by pointer and through another.
pub(super) fn record(g: &mut Generator) {
    g.top_once("record", RECORD);
    let (s, t, p) = (g.name("s"), g.name("s"), g.name("q"));
    let (one, other, index) = (g.expression(1), g.expression(1), g.expression(1));
    g.line(format!(
        "struct record {s} = {{{one}, 1, {{2, 3}}, 0}}, {t} = {{.b = 200}};"
    ));
    let condition = g.condition(1);
    g.line(format!("struct record *{p} = {condition} ? &{s} : &{t};"));
    g.line(format!("{s}.next = &{t};"));
    g.line(format!("{t}.next = {p};"));
    g.line(format!("{p}->a += {other};"));
    g.line(format!("{s}.next->b = {one};"));
    g.line(format!("{t}.next->c[({index}) & 1] = {other};"));
    match g.random.below(4) {
        0 => g.result(&format!("{s}.a + {t}.b")),
        1 => g.result(&format!("{p}->next->a")),
        2 => g.result(&format!("{s}.c[0] - {p}->c[1]")),
        _ => g.result(&format!("{s}.next->next == {p}")),
    }
}

/// Structs by value: assignment, arguments, results, arrays of them.
pub(super) fn record_copy(g: &mut Generator) {
    g.top_once(
        "pair",
        "struct pair { int x; signed char y[3]; };\n\
         static struct pair turned(struct pair p) {\n  struct pair r = {p.y[1], {p.x, p.x + 1, p.y[0]}};\n  p.x = 99;\n  return r;\n}\n",
    );
    let (s, t, list) = (g.name("s"), g.name("s"), g.name("s"));
    let (one, other) = (g.expression(1), g.expression(1));
    g.line(format!(
        "struct pair {s} = {{{one}, {{1, {other}}}}}, {t} = {s}, {list}[2];"
    ));
    g.line(format!("{t}.y[1]++;"));
    g.line(format!("{list}[0] = turned({t});"));
    let condition = g.condition(1);
    g.line(format!("{list}[1] = {condition} ? {list}[0] : {s};"));
    if g.random.chance(50) {
        g.line(format!("{s} = turned(turned({list}[1]));"));
    }
    let shown = g.random.pick(&["x", "y[0]", "y[1]", "y[2]"]);
    let which = g.random.pick(&[&s, &t, &list]).clone();
    let which = match which == list {
        true => format!("{list}[1]"),
        false => which,
    };
    g.result(&format!("{which}.{shown}"));
}

pub(super) fn union(g: &mut Generator) {
    g.top_once(
        "view",
        "union view { int i; unsigned char b[4]; short h[2]; float f; struct { unsigned lo : 12, hi : 20; } bits; };\n",
    );
    let (u, v) = (g.name("u"), g.name("u"));
    let (one, other, index) = (g.expression(1), g.expression(1), g.expression(1));
    g.line(format!("union view {u} = {{.i = {one}}}, {v};"));
    match g.random.below(4) {
        0 => g.line(format!("{u}.b[({index}) & 3] = {other};")),
        1 => g.line(format!("{u}.h[({index}) & 1] = {other};")),
        2 => g.line(format!("{u}.bits.lo = {other};")),
        _ => g.line(format!("{u}.f = ({other}) & 15;")),
    }
    g.line(format!("{v} = {u};"));
    let shown = g
        .random
        .pick(&["i", "b[1]", "h[0]", "bits.hi", "bits.lo", "b[3]"]);
    g.result(&format!("{v}.{shown}"));
}

pub(super) fn bit_fields(g: &mut Generator) {
    g.top_once(
        "flags",
        "struct flags { unsigned f : 3; int g : 5; unsigned h : 9; _Bool on : 1; unsigned : 0; short last : 7; };\n",
    );
    let (s, p) = (g.name("s"), g.name("q"));
    let one = g.expression(2);
    g.line(format!(
        "struct flags {s} = {{{one}, -3, 300, 1, 5}}, *{p} = &{s};"
    ));
    for _ in 0..1 + g.random.below(3) {
        let field = g.random.pick(&["f", "g", "h", "on", "last"]);
        let value = g.expression(1);
        match g.random.below(4) {
            0 => g.line(format!("{p}->{field}++;")),
            1 => g.line(format!("{s}.{field} += {value};")),
            2 => g.line(format!("{p}->{field} = {value};")),
            _ => g.line(format!("{s}.{field} ^= {value};")),
        }
    }
    let (one, other) = (
        g.random.pick(&["f", "g", "h", "on", "last"]),
        g.random.pick(&["f", "g", "h", "on", "last"]),
    );
    g.result(&format!("{s}.{one} + {p}->{other}"));
}

/// A function that remembers.
pub(super) fn static_local(g: &mut Generator) {
    let f = g.name("count");
    let (start, step) = (g.constant(), g.constant());
    g.top.push_str(&format!(
        "static int {f}(int up) {{\n  static int kept = {start};\n  static int *where = &kept;\n  if (up) *where += {step};\n  else kept--;\n  return kept;\n}}\n"
    ));
    let (one, other) = (g.expression(1), g.condition(1));
    g.line(format!("{f}({one});"));
    g.line(format!("if ({other}) {f}(0);"));
    g.result(&format!("{f}(1)"));
}

pub(super) fn variable_length(g: &mut Generator) {
    let (n, v, i) = (g.name("n"), g.name("v"), g.name("i"));
    let (size, value) = (g.expression(1), g.expression(1));
    g.line(format!("int {n} = (({size}) & 3) + 1;"));
    g.line(format!("int {v}[{n}];"));
    g.line(format!(
        "for (int {i} = 0; {i} < {n}; {i}++) {v}[{i}] = {i} + ({value});"
    ));
    match g.random.below(3) {
        0 => g.result(&format!("{v}[{n} - 1]")),
        1 => g.result(&format!("(int)(sizeof {v} / sizeof *{v}) + {v}[0]")),
        _ => g.result(&format!("{v}[{n} / 2]")),
    }
}

pub(super) fn float(g: &mut Generator) {
    let d = g.name("d");
    let (ty, suffix) = g.random.pick(&[("double", ""), ("float", "f")]);
    let (one, other) = (g.expression(1), g.expression(1));
    g.line(format!("{ty} {d} = ({one}) % 16 * 0.5{suffix};"));
    match g.random.below(4) {
        0 => g.line(format!("{d} += ({other}) & 3;")),
        1 => g.line(format!("if ({d} > 1.25{suffix}) {d} = -{d};")),
        2 => g.line(format!("{d} = {d} / 4;")),
        _ => g.line(format!("{d} = {d} * {d};")),
    }
    match g.random.below(3) {
        0 => g.result(&format!("(int)({d} * 2)")),
        1 => g.result(&format!("{d} < 0 ? -1 : {d} == 0 ? 0 : 1")),
        _ => g.result(&format!("({d} >= 2.5) + ({d} != {d})")),
    }
}

/// An object's bytes, read and written one by one.
pub(super) fn bytes(g: &mut Generator) {
    let (x, p) = (g.name("x"), g.name("q"));
    let ty = g.random.pick(&["int", "unsigned", "long", "short"]);
    let (one, other, index) = (g.expression(1), g.expression(1), g.random.below(2));
    g.line(format!("{ty} {x} = {one};"));
    g.line(format!("unsigned char *{p} = (unsigned char *)&{x};"));
    match g.random.below(3) {
        0 => g.line(format!("{p}[{index}] = {other};")),
        1 => g.line(format!("*({p} + {index}) ^= {other};")),
        _ => g.line(format!("{p}[0] = {p}[1];")),
    }
    g.int(&x, true, ty == "int");
    if g.random.chance(50) {
        g.result(&format!("{p}[1] + {p}[0]"));
    }
}

pub(super) fn matrix(g: &mut Generator) {
    let (m, row, at) = (g.name("m"), g.name("q"), g.name("i"));
    let (one, other, index) = (g.expression(1), g.expression(1), g.expression(1));
    let ty = g.random.pick(&["int", "short", "unsigned char"]);
    g.line(format!("{ty} {m}[2][3] = {{{{1, 2}}, {{{one}}}}};"));
    g.line(format!("{ty} (*{row})[3] = {m} + (({index}) & 1);"));
    g.line(format!("(*{row})[2] = {other};"));
    g.line(format!("{ty} *{at} = &{m}[0][2];"));
    g.line(format!("{at} -= ({one}) & 1;"));
    g.line(format!("*{at} += 3;"));
    match g.random.below(3) {
        0 => g.result(&format!("{m}[0][2] + {m}[1][2]")),
        1 => g.result(&format!("(int)({at} - {m}[0])")),
        _ => g.result(&format!("{row}[0][0] - {m}[0][1]")),
    }
}
