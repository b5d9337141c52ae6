#!/usr/bin/env python3
"""Say what decided each task: a table from the result file and the logs of `run.py --logs FOLDER`.

examples:
  run.py target/release/counterpoint --tasks TASKS locks --arguments "--engine slam" --logs logs -o locks.tsv
  decided.py locks.tsv logs
  decided.py locks.tsv logs --families

A row a task, or a family: who gave the evidence, rounds and predicates of the refinement loop, and which part of the loop's
time went into abstraction, diagrams (checking the abstraction), explanation and transitions (CONSTRAIN); `solver` is the solver's
part of all of these. Shares are of the time that finished rounds took, by the clock; `rest` is what is in no finished round: reading the
program, the round that was not finished, the other engines and the judge.
"""
import argparse
import collections
import pathlib
import re
import sys

import results

TIMES = re.compile(r"abstract ([\d.]+) s, check ([\d.]+) s, explain ([\d.]+) s, constrain ([\d.]+) s; of these the solver ([\d.]+) s")
ROUND = re.compile(r"^iteration (\d+): (\d+) predicates")
PHASES = ["abstraction", "diagrams", "explanation", "transitions", "solver"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, help="what run.py wrote")
    parser.add_argument("logs", type=pathlib.Path, help="the folder given to run.py --logs")
    parser.add_argument("--families", action="store_true", help="a row for each family: sums")
    return parser.parse_args()


class Work:
    """What the refinement loop did, summed."""

    def __init__(self):
        self.tasks = self.rounds = self.predicates = 0
        self.times = [0.0] * len(PHASES)
        self.cpu = self.wall = 0.0

    def add(self, text, row):
        self.tasks += 1
        self.cpu += float(row["cpu"])
        self.wall += float(row["wall"])
        known = 0
        for line in text.splitlines():
            began, times = ROUND.match(line), TIMES.search(line)
            if began and times:
                self.rounds += 1
                known = int(began[2])
                self.times = [sum(pair) for pair in zip(self.times, map(float, times.groups()))]
        self.predicates += known

    def cells(self):
        whole = sum(self.times[:-1])
        shares = [f"{100 * time / whole:.0f} %" if whole else "-" for time in self.times]
        return [str(self.rounds), str(self.predicates), *shares, f"{max(0.0, self.wall - whole):.2f}", f"{self.cpu:.2f}"]


def engine(text):
    """Who gave the evidence, in the tool's words."""
    found = re.findall(r"^evidence checked: (.*)$", text, re.MULTILINE)
    return found[-1] if found else "-"


def main():
    options = arguments()
    families = collections.OrderedDict()
    rows = []
    for row in results.read(options.results)[1].values():
        log = options.logs / row["family"] / (row["task"] + ".log")
        if not log.is_file():
            sys.exit(f"there is no {log}: was run.py called with --logs {options.logs}?")
        text = log.read_text(encoding="utf8")
        if options.families:
            families.setdefault(row["family"], Work()).add(text, row)
            continue
        work = Work()
        work.add(text, row)
        rows.append([row["task"], row["verdict"], engine(text), *work.cells()])
    rows += [[family, str(work.tasks), *work.cells()] for family, work in families.items()]
    head = ["family", "tasks"] if options.families else ["task", "verdict", "evidence"]
    print("| " + " | ".join([*head, "rounds", "predicates", *PHASES, "rest, s", "cpu, s"]) + " |")
    print("|" + "---|" * len(head) + "---:|" * (len(PHASES) + 4))
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
