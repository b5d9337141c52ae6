//! What is not in the program: functions without a body, arguments of an entry function, and values that nobody gave. For the
//! compiler's run each is played by the driver's choices; the program then assumes that they are among few.

use crate::generate::Generator;

/// A function without a body that is given no pointer: all it does is return something.
pub(super) fn external(g: &mut Generator) {
    let f = g.name("ask");
    g.top.push_str(&format!(
        "#ifdef RUN\nstatic int {f}(int x) {{ return choose(3); }}\n#else\nextern int {f}(int);\n#endif\n"
    ));
    let (argument, r) = (g.expression(1), g.name("r"));
    g.inputs = g.inputs.saturating_sub(1);
    g.line(format!("int {r} = {f}({argument});"));
    g.line(format!("__VERIFIER_assume({r} >= 0 && {r} < 3);"));
    g.int(&r, true, true);
}

/// One that may write what it is given the address of, unless functions without a body are taken to be pure.
pub(super) fn external_writes(g: &mut Generator) {
    let f = g.name("fill");
    let (parameter, reach) = match g.random.below(3) {
        0 => ("int *p", "*p = choose(3)"),
        1 => ("struct holder *p", "*p->held = choose(3)"),
        _ => ("int *p", "p[0] = choose(3)"),
    };
    g.top_once("holder", "struct holder { int *held; };\n");
    g.top.push_str(&format!(
        "#ifdef RUN\nstatic void {f}({parameter}) {{ if (!conventions && choose(2)) {reach}; }}\n#else\nextern void {f}({parameter});\n#endif\n"
    ));
    let (r, q) = (g.name("r"), g.name("q"));
    let value = g.constant();
    g.inputs = g.inputs.saturating_sub(1);
    g.line(format!("int {r} = {value}, *{q} = &{r};"));
    match parameter.starts_with("struct") {
        true => {
            let s = g.name("s");
            g.line(format!("struct holder {s} = {{{q}}};"));
            g.line(format!("{f}(&{s});"));
            // Where the pointer itself was overwritten, nothing is known.
            g.line(format!("__VERIFIER_assume({s}.held == {q});"));
        }
        false => g.line(format!("{f}({q});")),
    }
    g.line(format!(
        "__VERIFIER_assume({r} == {value} || {r} >= 0 && {r} < 3);"
    ));
    g.int(&r, true, true);
    g.pointers.push(q);
}

/// One whose result is null, what it was given now or before, or an object of its own.
pub(super) fn external_pointer(g: &mut Generator) {
    let f = g.name("pick");
    g.top.push_str(&format!(
        "#ifdef RUN\nstatic int *{f}(const int *p) {{\n  static int own[4];\n  static int used;\n  int *mine = &own[used++ & 3];\n  *mine = choose(2);\n  \
         if (choose(2)) return 0;\n  return !conventions && choose(2) ? (int *)p : mine;\n}}\n#else\nextern int *{f}(const int *);\n#endif\n"
    ));
    // What it was given before, and other runs of its own, are not all shown.
    let Some(address) = g.address() else {
        return external(g);
    };
    g.open = true;
    let (q, r) = (g.name("q"), g.name("r"));
    let value = g.constant();
    g.line(format!("int *{q} = {f}({address}), {r} = -5;"));
    g.line(format!("if ({q}) {{"));
    g.indented(format!("{r} = *{q};"));
    g.indented(format!("*{q} = {value};"));
    g.line("}");
    g.int(&r, true, true);
}

const ENTRY: &str = "\
static int entry(int *p, int *q, int n) {\n  if (!p || !q) return 0;\n  __VERIFIER_assume(*p >= 0 && *p < 3 && *q >= 0 && *q < 3 && n >= 0 && n < 2);\n";

/// A function that the check starts at; its pointers may lead to one object or to two.
pub(super) fn entry(g: &mut Generator) {
    if g.entry.is_some() || g.probes + 1 >= crate::generate::PROBES {
        return;
    }
    g.entry = Some("entry");
    let probe = g.probes;
    g.probes += 1;
    let visible = g.ints.clone();
    g.ints.retain(|int| int.depth == 0);
    let (text, indent) = (std::mem::take(&mut g.text), std::mem::replace(&mut g.indent, 1));
    let (arrays, pointers) = (std::mem::take(&mut g.arrays), std::mem::take(&mut g.pointers));
    let functions = std::mem::take(&mut g.functions);
    for name in ["(*p)", "(*q)", "n"] {
        g.int(name, true, false);
    }
    g.inputs = 0;
    for _ in 0..2 + g.random.below(3) {
        g.statement(1);
    }
    let value = g.expression(1);
    g.line(format!("PROBE{probe}({value});"));
    g.line("return 0;");
    let body = std::mem::replace(&mut g.text, text);
    (g.ints, g.arrays, g.pointers, g.indent) = (visible, arrays, pointers, indent);
    g.functions = functions;
    g.top.push_str(&format!(
        "{ENTRY}{body}}}\n#ifdef RUN\nstatic int enter(void) {{\n  int one = choose(3), other = choose(3), n = choose(2);\n  \
         return entry(&one, !conventions && choose(2) ? &one : &other, n);\n}}\n#endif\n"
    ));
}

/// A local that nobody gave a value.
pub(super) fn uninitialised(g: &mut Generator) {
    let x = g.name("x");
    g.inputs = g.inputs.saturating_sub(1);
    match g.random.below(3) {
        0 => g.line(format!("int {x};")),
        1 => {
            g.line(format!("int {x}, *{x}_way = &{x};"));
            g.pointers.push(format!("{x}_way"));
        }
        _ => {
            g.line(format!("int {x}_all[4], {x};"));
            g.line(format!("{x}_all[0] = {x}_all[1] = {x}_all[3] = 4;"));
            g.line(format!("UNKNOWN({x}_all[2], 2);"));
            g.arrays.push(format!("{x}_all"));
        }
    }
    g.line(format!("UNKNOWN({x}, 3);"));
    g.int(&x, true, true);
}
