//! Allocated memory. Allocation may fail, and every other block is given back.

use crate::generate::Generator;

const ALLOCATION: &str = "\
extern void *malloc(size_t);\nextern void *calloc(size_t, size_t);\nextern void *realloc(void *, size_t);\nextern void free(void *);\n\
#ifdef RUN\nextern void *run_malloc(size_t);\nextern void *run_calloc(size_t, size_t);\nextern void *run_realloc(void *, size_t);\n\
#define malloc run_malloc\n#define calloc run_calloc\n#define realloc run_realloc\n#endif\n";

pub(super) fn block(g: &mut Generator) {
    g.top_once("allocation", ALLOCATION);
    let (p, r) = (g.name("h"), g.name("r"));
    let (one, other, index) = (g.expression(1), g.expression(1), g.index());
    let failed = g.constant();
    g.line(format!("int {r} = {failed};"));
    match g.random.chance(50) {
        true => {
            g.line(format!("int *{p} = malloc(4 * sizeof *{p});"));
            g.line(format!("if ({p}) {{"));
            g.indented(format!("for (int i = 0; i < 4; i++) {p}[i] = i + ({one});"));
        }
        false => {
            g.line(format!("int *{p} = calloc(4, sizeof *{p});"));
            g.line(format!("if ({p}) {{"));
            g.indented(format!("{p}[1] = {one};"));
        }
    }
    g.indented(format!("{p}[{index}] += {other};"));
    let shown = g.random.below(4);
    g.indented(format!("{r} = {p}[{shown}];"));
    if g.random.chance(60) {
        g.indented(format!("free({p});"));
    }
    g.line("}");
    g.int(&r, true, true);
}

/// A list of a few nodes: built, walked, perhaps turned round, given back.
pub(super) fn list(g: &mut Generator) {
    g.top_once("allocation", ALLOCATION);
    g.top_once("node", "struct node { int value; struct node *next; };\n");
    let (head, node, sum, n) = (g.name("h"), g.name("h"), g.name("r"), g.name("n"));
    let length = match g.inputs > 0 && g.random.chance(60) {
        true => {
            g.inputs -= 1;
            "in(3)".to_owned()
        }
        false => g.random.pick(&["2", "3"]).to_owned(),
    };
    let value = g.expression(1);
    g.line(format!("struct node *{head} = 0;"));
    g.line(format!("int {n} = {length}, {sum} = 0;"));
    g.line(format!("for (int i = 0; i < {n}; i++) {{"));
    g.indented(format!("struct node *{node} = malloc(sizeof *{node});"));
    g.indented(format!("if (!{node}) break;"));
    g.indented(format!("{node}->value = i + ({value});"));
    g.indented(format!("{node}->next = {head};"));
    g.indented(format!("{head} = {node};"));
    g.line("}");
    if g.random.chance(30) {
        g.line(format!("struct node *{node} = 0;"));
        g.line(format!("while ({head}) {{"));
        g.indented(format!("struct node *after = {head}->next;"));
        g.indented(format!("{head}->next = {node};"));
        g.indented(format!("{node} = {head};"));
        g.indented(format!("{head} = after;"));
        g.line("}");
        g.line(format!("{head} = {node};"));
    }
    match g.random.below(3) {
        0 => g.line(format!(
            "for (struct node *at = {head}; at; at = at->next) {sum} += at->value;"
        )),
        1 => g.line(format!(
            "if ({head} && {head}->next) {sum} = {head}->next->value;"
        )),
        _ => g.line(format!(
            "for (struct node *at = {head}; at; at = at->next) {sum}++;"
        )),
    }
    if g.random.chance(60) {
        g.line(format!("while ({head}) {{"));
        g.indented(format!("struct node *after = {head}->next;"));
        g.indented(format!("free({head});"));
        g.indented(format!("{head} = after;"));
        g.line("}");
    }
    g.int(&sum, true, true);
    g.int(&n, true, true);
}

pub(super) fn grow(g: &mut Generator) {
    g.top_once("allocation", ALLOCATION);
    let (p, more, r) = (g.name("h"), g.name("h"), g.name("r"));
    let (one, other) = (g.expression(1), g.expression(1));
    g.line(format!("int {r} = 1;"));
    g.line(format!("char *{p} = malloc(2), *{more};"));
    g.line(format!("if ({p}) {{"));
    g.indented(format!("{p}[0] = {one};"));
    g.indented(format!("{p}[1] = {other};"));
    g.indented(format!("{more} = realloc({p}, 4);"));
    g.indented(format!(
        "if ({more}) {{ {p} = {more}; {p}[3] = {one}; {r} = {p}[3] - {p}[1]; }}"
    ));
    g.indented(format!("else {r} = {p}[0];"));
    g.indented(format!("free({p});"));
    g.line("}");
    g.int(&r, true, true);
}
