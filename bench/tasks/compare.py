#!/usr/bin/env python3
"""Compare two result files of run.py.

usage: compare.py BEFORE.tsv AFTER.tsv

Prints the tasks whose verdict changed, the judgements of each family side by side, and how the processor time of the tasks
that both decided rightly changed (geometric mean; below 1 the second file is faster).
"""
import collections
import math
import sys

import results

# Shorter times are taken as this long: below it, starting a process is what is measured.
SHORTEST = 0.05


def ratio(pairs):
    """The geometric mean of after / before."""
    logs = [math.log(max(float(after["cpu"]), SHORTEST) / max(float(before["cpu"]), SHORTEST)) for before, after in pairs]
    return f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else "-"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    (_, before), (_, after) = results.read(sys.argv[1]), results.read(sys.argv[2])
    both = [key for key in before if key in after]
    for name, one, other in ((sys.argv[1], before, after), (sys.argv[2], after, before)):
        if only := sum(key not in other for key in one):
            print(f"{only} tasks are only in {name}")
    changed = [(before[key], after[key]) for key in sorted(both) if before[key]["verdict"] != after[key]["verdict"]]
    if changed:
        table = [["changed", "expected", "before", "after", "CPU before", "CPU after"]]
        for old, new in changed:
            table.append([f"{old['family']}/{old['task']}", old["expected"], said(old), said(new), old["cpu"], new["cpu"]])
        print(*results.aligned(table), sep="\n")
    else:
        print("no verdict changed")
    print()
    families = collections.defaultdict(list)
    for key in both:
        families[key[0]].append((before[key], after[key]))
    table = [["family", "tasks", "right", "wrong", "unknown", "CPU s", "both right", "CPU ratio"]]
    for name, pairs in [*sorted(families.items()), ("all", [pair for pairs in families.values() for pair in pairs])]:
        def arrow(judgement):
            return " -> ".join(str(sum(pair[side]["judgement"] == judgement for pair in pairs)) for side in (0, 1))
        seconds = " -> ".join(f"{sum(float(pair[side]['cpu']) for pair in pairs):.1f}" for side in (0, 1))
        solved = [pair for pair in pairs if all(row["judgement"] == "right" for row in pair)]
        table.append([name, str(len(pairs)), arrow("right"), arrow("wrong"), arrow("unknown"), seconds, str(len(solved)),
                      ratio(solved)])
    print(*results.aligned(table), sep="\n")


def said(row):
    return row["verdict"] if row["verdict"] != "unknown" else f"unknown ({row['reason'][:60]})"


if __name__ == "__main__":
    main()
