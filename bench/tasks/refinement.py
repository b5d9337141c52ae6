#!/usr/bin/env python3
"""How many predicates each iteration of the refinement loop learned, from a result file of run.py.

Tasks that took no refinement are left out: `refinement.py RESULTS [FAMILY…]`.
"""

import csv
import pathlib
import sys


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    path, families = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with open(path, encoding="utf8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        rows = list(csv.DictReader(lines, delimiter="\t"))
    print(f"{'family':40} {'tasks':>5} {'iterations':>10} {'predicates':>10} {'per iteration':>13}")
    for family in families or sorted({row["family"] for row in rows}):
        # The last iteration proves, or finds the path that can be taken: it learns nothing.
        pairs = [(int(row["iterations"]) - 1, int(row["predicates"])) for row in rows if row["family"] == family]
        pairs = [(iterations, predicates) for iterations, predicates in pairs if iterations > 0]
        iterations = sum(pair[0] for pair in pairs)
        predicates = sum(pair[1] for pair in pairs)
        ratio = f"{predicates / iterations:.2f}" if iterations else "-"
        print(f"{family:40} {len(pairs):5} {iterations:10} {predicates:10} {ratio:>13}")


if __name__ == "__main__":
    main()
