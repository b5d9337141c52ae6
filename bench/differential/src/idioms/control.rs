//! Ways that control takes: recursion, pointers to functions, jumps, and the ways a program ends.

use crate::generate::Generator;

pub(super) fn recursion(g: &mut Generator) {
    let f = g.name("walk");
    let (one, other) = (g.constant(), g.constant());
    let text = match g.random.below(4) {
        0 => format!(
            "static int {f}(int n) {{\n  if (n <= 0) return {one};\n  return {f}(n - 1) + {other};\n}}\n"
        ),
        1 => format!(
            "static int {f}(int n) {{\n  int here = n;\n  if (n > 0) {f}(n - 1);\n  int *p = &here;\n  *p += {one};\n  return here;\n}}\n"
        ),
        2 => format!(
            "static int {f}_odd(int n);\nstatic int {f}(int n) {{ return n <= 0 ? {one} : {f}_odd(n - 1); }}\n\
             static int {f}_odd(int n) {{ return n <= 0 ? {other} : {f}(n - 1); }}\n"
        ),
        _ => format!(
            "static void {f}_into(int n, int *out) {{\n  int mine = n;\n  if (n > 1) {f}_into(n - 1, &mine);\n  *out = mine + {one};\n}}\n\
             static int {f}(int n) {{\n  int r = {other};\n  {f}_into(n, &r);\n  return r;\n}}\n"
        ),
    };
    g.top.push_str(&text);
    let argument = g.expression(1);
    g.result(&format!("{f}(({argument}) & 3)"));
}

pub(super) fn function_pointer(g: &mut Generator) {
    g.top_once(
        "operations",
        "static int plus_one(int x) { return x + 1; }\nstatic int twice(int x) { return x * 2; }\nstatic int minus(int x) { return -x; }\n\
         static int (*const operations[])(int) = {plus_one, twice, minus, twice};\n\
         static int apply(int (*f)(int), int x) { return f ? f(x) : -1; }\n",
    );
    let f = g.name("op");
    let (argument, index, condition) = (g.expression(1), g.index(), g.condition(1));
    match g.random.below(4) {
        0 => g.result(&format!("operations[{index}]({argument})")),
        1 => {
            g.line(format!("int (*{f})(int) = {condition} ? plus_one : minus;"));
            g.result(&format!("{f}({argument})"));
        }
        2 => {
            g.line(format!("int (*{f})(int) = {condition} ? twice : 0;"));
            g.result(&format!("apply({f}, {argument})"));
        }
        _ => {
            g.line(format!("int (*{f})(int) = operations[{index}];"));
            g.result(&format!("({f} == twice) + apply({f}, {argument})"));
        }
    }
}

pub(super) fn variable_arguments(g: &mut Generator) {
    g.top_once(
        "total",
        "static int total(int n, ...) {\n  __builtin_va_list list;\n  int sum = 0;\n  __builtin_va_start(list, n);\n\
           while (n-- > 0) sum += __builtin_va_arg(list, int);\n  __builtin_va_end(list);\n  return sum;\n}\n",
    );
    let (one, other) = (g.expression(1), g.expression(1));
    match g.random.below(2) {
        0 => g.result(&format!("total(2, (int)({one}), (int)({other}))")),
        _ => g.result(&format!("total(({one}) & 1, (int)({other}))")),
    }
}

/// A declaration that a jump leaves out: the variable is there, and its value is not known.
pub(super) fn jump_over(g: &mut Generator) {
    let f = g.name("skip");
    let (one, other) = (g.constant(), g.constant());
    let reach = g.random.pick(&[
        "",
        "  int *way = &x;\n  *way += 1;\n",
        "  int *volatile way = &x;\n  (*way)--;\n",
    ]);
    let ty = g
        .random
        .pick(&["int x = ", "int y[2], x = ", "static int before; int x = "]);
    let back = match g.random.chance(50) {
        true => format!("  if (again-- > 0) goto over;\n  return x + {other};\n"),
        false => "  return x;\n".to_owned(),
    };
    g.top.push_str(&format!(
        "static int {f}(int skipped, int again) {{\n  if (skipped) goto over;\n  {ty}{one};\n{reach}over:\n  if (skipped) UNKNOWN(x, 3);\n  skipped = 0;\n{back}}}\n"
    ));
    let (first, second) = (g.condition(1), g.condition(0));
    g.result(&format!("{f}(0, 0)"));
    g.result(&format!("{f}({first}, {second})"));
}

/// A loop made of jumps, into whose body another jump leads.
pub(super) fn jump_back(g: &mut Generator) {
    let (n, r, label) = (g.name("n"), g.name("r"), g.name("L"));
    let (condition, one, other) = (g.condition(1), g.expression(1), g.expression(1));
    g.line(format!("int {n} = 3, {r} = {one};"));
    g.line(format!("if ({condition}) goto {label}_in;"));
    g.line(format!("{label}:"));
    g.line(format!("if ({n} > 0) {{"));
    g.indented(format!("{r} += {n};"));
    g.line(format!("{label}_in:"));
    g.indented(format!("{n}--;"));
    g.indented(format!("if ({r} > 50) {r} = {other};"));
    g.indented(format!("goto {label};"));
    g.line("}");
    g.int(&n, true, true);
    g.int(&r, true, true);
}

/// What runs when the program has ended.
pub(super) fn handler(g: &mut Generator) {
    if g.probes + 1 >= crate::generate::PROBES {
        return;
    }
    let (kept, f) = (g.name("at_end"), g.name("last"));
    let probe = g.probes;
    g.probes += 1;
    g.top_once(
        "atexit",
        "extern int atexit(void (*)(void));\nextern void exit(int);\n",
    );
    g.top.push_str(&format!(
        "static int {kept} = 1;\nstatic void {f}(void) {{ PROBE{probe}({kept}); {kept} += 2; }}\n"
    ));
    let value = g.expression(1);
    g.line(format!("atexit({f});"));
    if g.random.chance(30) {
        g.line(format!("atexit({f});"));
    }
    g.line(format!("{kept} = {value};"));
    g.int(&kept, true, true);
}

/// An early end, deep in calls.
pub(super) fn exit(g: &mut Generator) {
    let f = g.name("stop");
    g.top_once(
        "atexit",
        "extern int atexit(void (*)(void));\nextern void exit(int);\n",
    );
    g.top_once("abort", "extern void abort(void);\n");
    let (condition, call) = (
        g.constant(),
        g.random
            .pick(&["exit(0)", "abort()", "exit(1)", "__builtin_trap()"]),
    );
    let call = if call == "__builtin_trap()" {
        "abort()"
    } else {
        call
    };
    g.top.push_str(&format!(
        "static void {f}(int x) {{ if (x > {condition}) {call}; }}\n"
    ));
    let value = g.expression(1);
    g.line(format!("{f}({value});"));
}
