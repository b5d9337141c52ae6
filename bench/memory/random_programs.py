#!/usr/bin/env python3
"""Memory safety of random programs: what `counterpoint check` answers against what gcc's address sanitizer sees in all runs.

usage: random_programs.py COUNTERPOINT FOLDER [PROGRAMS [FIRST]] [--strings] [--time SECONDS]

The program of a number is always the same. Each asks for a few values of 0 to 3; it is run on all of them. An answer is a fault if
the runs contradict it: TRUE where one of them misuses memory, FALSE of a kind that none of them shows. FOLDER gets the programs of
faults. With --strings the programs are about strings and the functions of them. Needs Python 3.9 and gcc.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess

ASKED = 3
PRELUDE = """\
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define in() (__VERIFIER_nondet_int() & 3)
struct node { struct node *next; int v; };
struct box { int *p; int n; };
int ga[4];
struct box gb;
static void set(int *to, int v) { *to = v; }
static int get(const struct box *b, int at) { return b->p[at]; }
static int *same(int *p) { return p; }
static int *fresh(int n) { return calloc(n, sizeof(int)); }
static int *local(int v) { int l = v; int *r = &l; return r; }
static void drop(int **p) { free(*p); *p = 0; }
"""
TRUTH = """\
#include <stdio.h>
#include <stdlib.h>
static int at;
int __VERIFIER_nondet_int(void) {
    const char *digits = getenv("DIGITS");
    if (!digits[at]) { fputs("MORE\\n", stderr); return 0; }
    return digits[at++] - '0';
}
"""


class Generator:
    def __init__(self, number):
        self.random = random.Random(number)
        self.lines = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        return self.random.randint(0, 4)

    def pointer(self):
        return self.pick("p", "p", "q", "q", "r")

    def index(self):
        return self.pick("0", "1", str(self.number()), "x & 3", "in()", "2")

    def statement(self, depth):
        p, q, i, c = self.pointer(), self.pointer(), self.index(), self.number()
        simple = [
            f"{p} = calloc({max(c, 1)}, sizeof(int));",
            f"{p} = fresh({max(c, 1)});",
            f"{p} = {q};",
            f"{p} = same({q});",
            f"{p} = ga;", f"{p} = &ga[{self.number()}];", f"{p} = la;", f"{p} = la + {self.number()};",
            f"if ({p}) {p} = {p} + {self.pick('1', '2', 'in()')};",
            f"if ({p} != 0) {p}--;",
            f"*{p} = x;", f"{p}[{i}] = x;", f"x = *{p};", f"x = {p}[{i}];",
            f"if ({p}) *{p} = {c};", f"if ({p}) x = {p}[{i}];",
            f"set({p}, {c});", f"set(&{p}[{i}], x);",
            f"free({p});", f"free({p}); {p} = 0;", f"drop(&{p});", f"drop(&{p});",
            f"{p} = 0;",
            f"{p} = local(x);",
            f"b.p = {p}; b.n = {c};", "x = b.p[0];", f"x = get(&b, {i});", "gb = b;", f"{p} = gb.p;", f"{p} = b.p;",
            f"pp = &{p};", f"*pp = {q};", "**pp = 1;", f"if (*pp) x = (*pp)[{i}];",
            "t = malloc(sizeof *t); t->next = h; t->v = x; h = t;",
            "for (t = h; t; t = t->next) x += t->v & 1;",
            "t = h; if (h) h = h->next; free(t);",
            "while (h) { t = h->next; free(h); h = t; }",
            "x = h->v;", "x = h ? h->v : 0;", "x = t->v;",
            f"memset({p}, 0, {c} * sizeof(int));",
            f"if ({p} != {q}) memmove({p}, {q}, {self.number()} * sizeof(int));",
            f"{p} = realloc({q}, {max(c, 1)} * sizeof(int)); *{p} = 1;",
            f"ga[{i}] = x;", f"la[{i}] = x;", f"x = ga[x & 3];",
            f"{{ int inner = x; set(&inner, 2); x = inner; }}",
            f"{{ int inner[2] = {{1, 2}}; int *w = inner; w[{i}] = 3; x = *w; }}",
            f"{{ int inner = x; {p} = &inner; *{p} = 1; }}",
            f"x = in();", f"x = {c};",
        ]
        shape = self.random.random()
        if depth > 0 and shape < 0.18:
            body = self.block(depth - 1, 2)
            other = f" else {{ {self.block(depth - 1, 1)} }}" if self.random.random() < 0.4 else ""
            condition = self.pick("in()", "x > 1", "in() == 2", f"{p} != {q}", f"{p}")
            return f"if ({condition}) {{ {body} }}{other}"
        if depth > 0 and shape < 0.28:
            bound = self.pick("3", "in()", "2")
            return f"for (int i = 0; i < {bound}; i++) {{ {self.block(depth - 1, 2)} }}"
        return self.random.choice(simple)

    def block(self, depth, most):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, most)))

    def program(self):
        lines = ["int main(void) {",
                 "    int x = in(), la[3] = {1, 2, 3};",
                 "    int *p = la, *q = ga, *r = 0, **pp = &p;",
                 "    struct node *h = 0, *t = 0;",
                 "    struct box b = {la, 3};"]
        for _ in range(self.random.randint(3, 9)):
            lines.append("    " + self.statement(2))
        lines += ["    return x > 7;", "}"]
        return PRELUDE + "\n".join(lines) + "\n"


class Texts(Generator):
    def text(self):
        return self.pick("a", "a", "b", "s", "s", "s", "r.t", "r.u", '"hello"', '"xy"', '""', "a + 2", "s + 1", "m")

    def room(self):
        return self.pick("a", "b", "s", "s", "r.t", "r.u", "a + 1", "m", "m")

    def statement(self, depth):
        to, one, other, n = self.room(), self.text(), self.text(), self.pick("1", "3", "5", "7", "in()", "x & 3")
        simple = [
            f"strcpy({to}, {one});", f"strcpy({to}, {one});", f"strcat({to}, {one});", f"strcat({to}, {one});",
            f"strncpy({to}, {one}, {n});", f"strncat({to}, {one}, {n});",
            f"x = strlen({one}) & 3;", f"x = strnlen({one}, {n}) & 3;",
            f"x = strcmp({one}, {other}) > 0;", f"x = strncmp({one}, {other}, {n}) == 0;", f"x = memcmp({one}, {other}, {n}) < 0;",
            f"s = strchr({one}, 'l');", f"s = strrchr({one}, 'l');", f"s = memchr({one}, 'x', {n});", "if (!s) s = a;", "if (!s) s = a;",
            f"x = sprintf({to}, \"%s-%d\", {self.pick('a', 'b', 'q')}, x) & 3;", f"x = snprintf({to}, {n}, \"%s%c\", q, 'z') & 3;",
            f"free(m); m = strdup({one});", f"free(m); m = strndup({one}, {n});", f"free(m); m = calloc(1, {self.pick('2', '4', '8')});",
            f"a[{self.pick('0', '2', '5')}] = {self.pick('0', 'x')};", f"b[{self.pick('3', 'x & 3')}] = 'y';", f"s = {self.pick('a', 'b', 'r.t', 'm')};",
            f"puts({one});", f"printf(\"%s %d\", {self.pick('a', 'b', 'r.t')}, x);", "x = in();",
        ]
        shape = self.random.random()
        if depth > 0 and shape < 0.15:
            return f"if ({self.pick('in()', 'x > 1', 'strlen(q) == 2')}) {{ {self.block(depth - 1, 2)} }}"
        if depth > 0 and shape < 0.22:
            return f"for (int i = 0; i < {self.pick('2', 'in()')}; i++) {{ {self.block(depth - 1, 2)} }}"
        return self.random.choice(simple)

    def program(self):
        lines = ["#include <stdio.h>", PRELUDE + "int main(void) {",
                 "    int x = in();",
                 '    char a[8] = "abc", b[4] = "de", q[3] = "fg", *s = a, *m = calloc(1, 4);',
                 '    struct { char t[4], u[6]; } r = {"xyz", "uvw"};']
        for _ in range(self.random.randint(2, 6)):
            lines.append("    " + self.statement(2))
        lines += ["    return x > 7;", "}"]
        return "\n".join(lines) + "\n"


def kind(text):
    if "param-overlap" in text:
        return "overlap"
    if re.search(r"double-free|attempting free|bad-free|malloc_usable_size", text):
        return "valid-free"
    if "AddressSanitizer" in text:
        return "valid-deref"
    return None


def truth(folder, source):
    binary = folder / "truth"
    (folder / "driver.c").write_text(TRUTH)
    flags = ["-w", "-O0", "-g0", "-fno-builtin", "-fsanitize=address", "-fsanitize-address-use-after-scope"]
    subprocess.run(["gcc", *flags, str(source), str(folder / "driver.c"), "-o", str(binary)], check=True)
    found, whole = set(), True
    options = "detect_leaks=0:detect_stack_use_after_return=1:redzone=128:symbolize=0:allocator_may_return_null=1"
    pending = [""]
    while pending:
        digits = pending.pop()
        environment = dict(os.environ, DIGITS=digits, ASAN_OPTIONS=options)
        try:
            run = subprocess.run([str(binary)], env=environment, capture_output=True, text=True, timeout=20, errors="replace")
        except subprocess.TimeoutExpired:
            whole = False
            continue
        more = "MORE" in run.stderr
        if more and len(digits) < ASKED:
            pending += [digits + digit for digit in "0123"]
            continue
        seen = kind(run.stderr)
        whole = whole and not more
        if seen and not more:
            found.add(seen)
    return found, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counterpoint", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", type=int, nargs="?", default=100)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--strings", action="store_true")
    parser.add_argument("--time", type=int, default=5)
    options = parser.parse_args()
    (options.folder / "faults").mkdir(parents=True, exist_ok=True)
    counts = collections.Counter()
    for number in range(options.first, options.first + options.programs):
        text = (Texts if options.strings else Generator)(number).program()
        source = options.folder / "program.c"
        source.write_text(text)
        found, whole = truth(options.folder, source)
        model = "--64"
        command = [str(options.counterpoint), "check", model, "--check", "pointers,free", "--external", "pure",
                   "--malloc-never-fails", "--time-limit", f"{options.time}s", str(source)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        last = (run.stdout.strip().splitlines() or ["-"])[-1]
        answer = re.search(r"result: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?", last)
        fault = None
        if answer is None or "internal" in last or "panicked" in run.stderr:
            fault = f"no answer: {last}"
        elif answer[1] == "TRUE" and found:
            fault = f"TRUE, but runs show {sorted(found)}"
        elif answer[1] == "FALSE" and whole and answer[2] not in found:
            fault = f"FALSE({answer[2]}), but runs show {sorted(found)}"
        if fault:
            counts["faults"] += 1
            (options.folder / "faults" / f"{number}.c").write_text(f"// {fault}\n// {' '.join(command)}\n{text}")
            print(f"{number}: {fault}", flush=True)
        elif answer[1] == "UNKNOWN":
            counts["unknown"] += 1
            reason = re.sub(r"`[^`]*`|\d+|at /\S+", "…", answer[2] or "")
            counts["  " + reason[:90]] += 1
        else:
            counts[answer[1]] += 1
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")


if __name__ == "__main__":
    main()
