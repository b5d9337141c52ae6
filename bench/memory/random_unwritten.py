#!/usr/bin/env python3
"""Reads of what was never written in random programs: what `counterpoint check` answers against what its interpreter sees in all runs.

usage: random_unwritten.py COUNTERPOINT FOLDER [PROGRAMS [FIRST]] [--time SECONDS]

The program of a number is always the same, odd numbers for ILP32 and even ones for LP64. Each asks for a few values of 0 to 3; it is
run on all of them. An answer is a fault if the runs contradict it: TRUE where one of them reads what was never written, FALSE where
none does. FOLDER gets the programs of faults. Needs Python 3.9.
"""
import argparse
import collections
import itertools
import pathlib
import random
import re
import subprocess

ASKED = 3
PRELUDE = """\
#include <stdlib.h>
#include <string.h>
struct s { char c; int v; struct { short h; unsigned b : 3; unsigned d : 5; } in; int a[2]; };
struct p { int x; long y; };
struct n { struct n *next; int v; };
union u { int i; char c[8]; };
extern int __VERIFIER_nondet_int(void);
static int asked;
static int in(void) { return asked++ < 3 ? __VERIFIER_nondet_int() & 3 : 0; }
int g; struct p gp;
static void set(int *p, int v) { *p = v; }
static int get(const int *p) { return *p; }
static struct p make(int v) { struct p r; r.x = v; if (v & 1) r.y = 2; return r; }
static int sum(struct p q, int with) { return with ? q.x + (int)q.y : q.x; }
static void move(unsigned char *d, const unsigned char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
"""


class Generator:
    def __init__(self, number):
        self.random = random.Random(number)

    def statement(self, depth):
        n, two, pick = self.random.randrange(4), self.random.randrange(2), self.random.choice
        if depth > 0 and self.random.random() < 0.2:
            one, other = self.statement(depth - 1), self.statement(depth - 1)
            return pick([
                f"if (in()) {{ {one} }} else {{ {other} }}", f"if (in() > 1) {{ {one} {other} }}",
                f"for (int j = 0; j < {pick(['2', '3', 'in()'])}; j++) {{ {one} {other} }}",
                f"{{ int w; if (in()) w = 1; {one} k += w; {other} }}",
            ])
        return pick([
            "x = 1;", "x = 1;", "k += x;", "y = 1;", "y = 1;", "k += y;", f"a[{n}] = 1;", f"a[{n}] = 1;", f"k += a[{n}];",
            "a[i] = 2;", "k += a[i + 1];", "s.v = 1; s.c = 2;", "k += s.v;", "s.in.h = 1; s.in.b = 2;", "k += s.in.d;",
            "k += t.in.h;", f"s.a[{two}] = 1;", f"k += t.a[{two}];", "t = s;", "s = t;", "memcpy(&t, &s, sizeof t);",
            "p.x = 1;", "p.y = 1;", "q = p;", "k += q.x;", "k += (unsigned)q.y;", "p = make(in());", "k += sum(p, 0);",
            "k += sum(make(in()), in());", "r = &y;", f"r = &a[{n}];", f"r = m + {n};", "r = &s.v;", "r = &g;",
            "*r = 3;", "*r = 3;", "k += *r;", "set(r, 4);", "k += get(r);", f"set(&a[{n}], 4);", f"m[{n}] = 5;", f"m[{n}] = 5;",
            f"k += m[{n}];", "memcpy(a, m, 16);", "memcpy(m, a, 8);", "memset(a, 0, 8);", "memset(&s, 0, sizeof s);",
            "move((unsigned char *)&q, (unsigned char *)&p, sizeof q);", f"c[{n}] = 6;", f"c[{n + 1}] = c[{n}];",
            f"k += c[{n + 1}];", "o.i = 1;", f"k += (unsigned)o.c[{n}];", "k += o.i;",
            "{ int *n = calloc(2, 4); k += n[1]; free(n); }", "m = realloc(m, 32); m[6] = 1; r = m;", "gp = p;", "k += gp.x;",
            "memset(m, 0, in() * 4);", "s = (struct s){1, 2};", "g = 2; k += g;", "x = in(); y = in();",
            "{ struct n *e = malloc(sizeof *e); e->next = h; if (in()) e->v = 1; h = e; }",
            "{ struct n *e = malloc(sizeof *e); e->next = h; e->v = 1; h = e; }",
            "for (struct n *e = h; e; e = e->next) k += e->v;", "if (h) h = h->next;",
        ])

    def program(self):
        lines = ["int main(void) {",
                 "    int x, y, a[4], i = in() & 1; unsigned k = 0; struct s s, t; struct p p, q; union u o;",
                 "    unsigned char c[8]; struct n *h = 0; int *m = malloc(16), *r = &y;"]
        for first in ["x = 1;", "y = 1;", "memset(a, 0, sizeof a);", "memset(&s, 0, sizeof s);", "t = s;", "p.x = 1; p.y = 2;",
                      "q = p;", "o.i = 0;", "memset(c, 0, 8);", "memset(m, 1, 16);"]:
            if self.random.random() < 0.85:
                lines.append("    " + first)
        lines += ["    " + self.statement(2) for _ in range(self.random.randint(2, 9))]
        return PRELUDE + "\n".join(lines + ["    return k > 7;", "}"]) + "\n"


def reads_unwritten(counterpoint, model, source):
    for values in itertools.product("0123", repeat=ASKED):
        command = [str(counterpoint), "run", model, "--stop-at-undefined", "--input", ",".join(values), str(source)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if "no value yet" in run.stderr or "nothing was written yet" in run.stderr:
            return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counterpoint", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", type=int, nargs="?", default=100)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--time", type=int, default=5)
    options = parser.parse_args()
    (options.folder / "faults").mkdir(parents=True, exist_ok=True)
    counts = collections.Counter()
    for number in range(options.first, options.first + options.programs):
        text = Generator(number).program()
        source = options.folder / "program.c"
        source.write_text(text)
        model = "--32" if number % 2 else "--64"
        command = [str(options.counterpoint), "check", model, "--check", "uninitialised", "--external", "pure",
                   "--malloc-never-fails", "--no-explain", "--time-limit", f"{options.time}s", str(source)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        last = (run.stdout.strip().splitlines() or ["-"])[-1]
        answer = re.search(r"result: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?", last)
        fault = None
        if answer is None or "internal" in last or "panicked" in run.stderr or "please report" in run.stderr:
            fault = f"no answer: {last} {run.stderr[-200:]!r}"
        elif answer[1] != "UNKNOWN" and (answer[1] == "FALSE") != reads_unwritten(options.counterpoint, model, source):
            fault = f"{last}, but runs show something else"
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
        if number % 100 == 99:
            print(dict(counts), flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")


if __name__ == "__main__":
    main()
