//! Library functions that C defines to the last bit, and those that call back.

use crate::generate::Generator;

const STRINGS: &str = "\
extern char *strcpy(char *, const char *);\nextern char *strncpy(char *, const char *, size_t);\nextern char *strcat(char *, const char *);\n\
extern size_t strlen(const char *);\nextern int strcmp(const char *, const char *);\nextern int strncmp(const char *, const char *, size_t);\n\
extern char *strchr(const char *, int);\nextern char *strrchr(const char *, int);\nextern char *strstr(const char *, const char *);\n\
extern size_t strspn(const char *, const char *);\nextern size_t strcspn(const char *, const char *);\n\
extern char *strtok(char *, const char *);\nextern int sprintf(char *, const char *, ...);\nextern int snprintf(char *, size_t, const char *, ...);\n\
extern int sscanf(const char *, const char *, ...);\n";

const MEMORY: &str = "\
extern void *memcpy(void *, const void *, size_t);\nextern void *memmove(void *, const void *, size_t);\nextern void *memset(void *, int, size_t);\n\
extern int memcmp(const void *, const void *, size_t);\nextern void *memchr(const void *, int, size_t);\n";

pub(super) fn strings(g: &mut Generator) {
    g.top_once("strings", STRINGS);
    let (s, r) = (g.name("text"), g.name("r"));
    let word = g
        .random
        .pick(&["\"\"", "\"a\"", "\"abc\"", "\"cab\\0c\"", "\"12c\""]);
    let value = g.expression(1);
    g.line(format!("char {s}[16] = {word};"));
    match g.random.below(6) {
        0 => g.line(format!("strcpy({s} + 1, \"ca\");")),
        1 => g.line(format!("strcat({s}, \"bc\");")),
        2 => g.line(format!("strncpy({s}, \"xyz\", ({value}) & 3);")),
        3 => g.line(format!("{s}[({value}) & 3] = 'c';")),
        4 => g.line(format!("sprintf({s}, \"%dc\", ({value}) & 63);")),
        _ => g.line(format!("snprintf({s}, 3, \"c%x\", ({value}) & 255);")),
    }
    let result = match g.random.below(7) {
        0 | 1 => format!("strlen({s})"),
        2 => format!("strchr({s}, 'c') ? (int)(strchr({s}, 'c') - {s}) : -1"),
        3 => format!("strrchr({s}, 'c') != 0"),
        4 => format!("strstr({s}, \"bc\") == {s} + 1"),
        5 => format!("strspn({s}, \"abc\")"),
        _ => format!("strcspn({s}, \"c\")"),
    };
    g.line(format!("int {r} = {result};"));
    g.int(&r, true, true);
}

pub(super) fn compare(g: &mut Generator) {
    g.top_once("strings", STRINGS);
    g.top_once("memory", MEMORY);
    let (s, t) = (g.name("text"), g.name("text"));
    let value = g.expression(1);
    g.line(format!("char {s}[4] = \"abc\", {t}[4] = \"abd\";"));
    g.line(format!("{s}[2] += ({value}) & 3;"));
    match g.random.below(4) {
        0 => g.result(&format!("strcmp({s}, {t}) < 0")),
        1 => g.result(&format!("strncmp({s}, {t}, ({value}) & 3) == 0")),
        2 => g.result(&format!("memcmp({s}, {t}, 4) > 0")),
        _ => g.result(&format!("memchr({s}, 'd', 3) != 0")),
    }
}

pub(super) fn characters(g: &mut Generator) {
    g.top_once(
        "characters",
        "extern int isdigit(int);\nextern int isalpha(int);\nextern int isspace(int);\nextern int isupper(int);\nextern int isxdigit(int);\n\
         extern int toupper(int);\nextern int tolower(int);\n",
    );
    let c = g.name("c");
    let value = g.expression(1);
    let base = g.random.pick(&["'0'", "'8'", "'A'", "'x'", "' '", "'Z'"]);
    g.line(format!("int {c} = {base} + (({value}) & 3);"));
    let f = g.random.pick(&[
        "isdigit", "isalpha", "isspace", "isupper", "isxdigit", "toupper", "tolower",
    ]);
    match f.starts_with("is") {
        true => g.result(&format!("{f}({c}) != 0")),
        false => g.result(&format!("{f}({c})")),
    }
    g.int(&c, true, true);
}

pub(super) fn memory(g: &mut Generator) {
    g.top_once("memory", MEMORY);
    let (a, b) = (g.name("a"), g.name("a"));
    let (one, other) = (g.expression(1), g.expression(1));
    let byte = g.random.pick(&["0", "-1", "1"]);
    g.line(format!("int {a}[4] = {{1, {one}, 3, {other}}}, {b}[4] = {{0}};"));
    match g.random.below(6) {
        0 => g.line(format!("memcpy({b}, {a}, sizeof {b});")),
        1 => g.line(format!("memcpy({b} + 1, {a}, (({one}) & 3) * sizeof *{a});")),
        2 => g.line(format!("memmove({a} + 1, {a}, 3 * sizeof *{a});")),
        3 => g.line(format!("memset({b}, {byte}, sizeof {b});")),
        4 => g.line(format!("memset((char *){a} + 2, ({other}) & 1, 4);")),
        _ => g.line(format!("memcpy((char *){b} + 3, {a}, 6);")),
    }
    g.arrays.push(a.clone());
    g.arrays.push(b.clone());
    let (array, index) = (g.random.pick(&[&a, &b]).clone(), g.index());
    g.result(&format!("{array}[{index}]"));
}

pub(super) fn numbers(g: &mut Generator) {
    g.top_once(
        "numbers",
        "extern int abs(int);\nextern long labs(long);\nextern int atoi(const char *);\nextern long strtol(const char *, char **, int);\n\
         extern double fabs(double);\nextern double floor(double);\nextern double ceil(double);\nextern double trunc(double);\n\
         typedef struct { int quot, rem; } div_t;\nextern div_t div(int, int);\n",
    );
    g.top_once("strings", STRINGS);
    let value = g.expression(1);
    match g.random.below(8) {
        0 => g.result(&format!("abs(({value}) % 100)")),
        1 => g.result(&format!("labs(({value}) % 100 - 5L)")),
        2 => g.result(&format!("atoi(({value}) & 1 ? \"12x\" : \" -7\")")),
        3 => {
            let end = g.name("end");
            g.line(format!("char *{end};"));
            g.result(&format!("strtol(({value}) & 1 ? \"12x\" : \"0x1f\", &{end}, 0)"));
            g.result(&format!("*{end}"));
        }
        4 => g.result(&format!("(int)fabs(({value}) % 32 * 0.25 - 1)")),
        5 => {
            let f = g.random.pick(&["floor", "ceil", "trunc"]);
            g.result(&format!("(int){f}(({value}) % 16 * 0.5)"));
        }
        6 => {
            let parts = g.name("parts");
            g.line(format!("div_t {parts} = div(({value}) % 100, 7);"));
            g.result(&format!("{parts}.quot * 10 + {parts}.rem"));
        }
        _ => {
            let n = g.name("n");
            g.line(format!("int {n} = 5;"));
            g.result(&format!("sscanf(({value}) & 1 ? \"42\" : \"x\", \"%d\", &{n})"));
            g.int(&n, true, true);
        }
    }
}

/// A function that is handed to the library, which calls it.
pub(super) fn callback(g: &mut Generator) {
    g.top_once(
        "sorting",
        "extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
         extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));\n\
         static int asked;\n\
         static int by_value(const void *a, const void *b) {\n  int x = *(const int *)a, y = *(const int *)b;\n  asked = 1;\n  return (x > y) - (x < y);\n}\n",
    );
    let a = g.name("a");
    let (one, other) = (g.expression(1), g.expression(1));
    match g.random.chance(50) {
        true => {
            g.line(format!("int {a}[4] = {{3, {one}, 1, {other}}};"));
            g.line(format!("qsort({a}, 3, sizeof *{a}, by_value);"));
            g.arrays.push(a.clone());
            let index = g.random.below(3);
            g.result(&format!("{a}[{index}]"));
        }
        false => {
            let (key, found) = (g.name("key"), g.name("q"));
            g.line(format!("int {a}[4] = {{1, 3, 5, 7}}, {key} = ({one}) & 7;"));
            g.line(format!(
                "int *{found} = bsearch(&{key}, {a}, 4, sizeof *{a}, by_value);"
            ));
            g.result(&format!("{found} ? (int)({found} - {a}) : -1"));
        }
    }
    g.int("asked", true, true);
}

pub(super) fn tokens(g: &mut Generator) {
    g.top_once("strings", STRINGS);
    let (s, t, n) = (g.name("text"), g.name("token"), g.name("n"));
    let value = g.expression(1);
    g.line(format!("char {s}[] = \"a,b\";"));
    g.line(format!("if ({value}) {s}[2] = ',';"));
    g.line(format!("int {n} = 0;"));
    g.line(format!(
        "for (char *{t} = strtok({s}, \",\"); {t}; {t} = strtok(0, \",\")) {n}++;"
    ));
    g.int(&n, true, true);
}
