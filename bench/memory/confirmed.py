#!/usr/bin/env python3
"""What share of the FALSE answers does the compiled program show, with the compiler's sanitizers in it?

usage: confirmed.py COUNTERPOINT [--tasks TASKS PROPERTY]... [--programs FOLDER] [--time SECONDS] [--every N] [-o RESULTS.tsv]

--tasks     a folder with tasks.tsv, as bench/tasks/layout.py writes it, and the property (a file, or a name such as no-overflow):
            every N-th of its tasks that are violated is checked with --confirm
--programs  the folder tests/programs: the runs of its files that expect a violation of `--check` kinds

Every FALSE is replayed by the interpreter before it is printed; --confirm then compiles the program with the run's inputs and, for what
C leaves undefined, with the sanitizers that look for it. What they do not show is listed with the reason that `check` gives.
"""
import argparse
import collections
import csv
import pathlib
import re
import subprocess
import sys

MODELS = {"ILP32": "--32", "LP64": "--64"}
ASSERTIONS = {"unreach-call", "unreach-label"}


def public(folder, prop, every):
    with open(folder / "tasks.tsv") as rows:
        violated = [row for row in csv.DictReader(rows, delimiter="\t") if row["expected"] == "false"]
    for row in violated[::every]:
        yield row["path"], folder / row["path"], ["--property", prop, MODELS[row["data_model"]]]


def own(folder):
    for path in sorted(folder.rglob("*.c")):
        text = path.read_text(errors="replace")
        for name, flags in re.findall(r"^// check ?(\w*): *(.*)$", text, re.M):
            if "--check" not in flags:
                continue
            wanted = re.findall(r"//~\^*(?:\[([\w,]*)\])?\^* FALSE (\S+?):?(?=\s|$)", text)
            if any(kind not in ASSERTIONS and (not names or name in names.split(",")) for names, kind in wanted):
                yield f"{path.relative_to(folder)} {name}".strip(), path, flags.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counterpoint")
    parser.add_argument("--tasks", nargs=2, action="append", default=[], metavar=("TASKS", "PROPERTY"))
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    o = parser.parse_args()
    tasks = [task for folder, prop in o.tasks for task in public(pathlib.Path(folder), prop, o.every)]
    if o.programs:
        tasks.extend(own(o.programs))
    output = open(o.output, "w") if o.output else sys.stdout
    asked, shown, reasons = collections.Counter(), collections.Counter(), collections.Counter()
    for name, path, flags in tasks:
        command = [o.counterpoint, "check", path.name, *flags, "--confirm", "--no-explain", "--time-limit", f"{o.time}s"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=path.parent, timeout=o.time + 60)
            text = run.stdout
        except subprocess.TimeoutExpired:
            text = "Verification result: UNKNOWN(time)"
        verdict = re.search(r"Verification result: FALSE\((.*)\)", text)
        if not verdict or verdict[1] in ASSERTIONS:
            asked["no answer"] += 1
            continue
        kind = verdict[1]
        asked[kind] += 1
        why = re.search(r"^not confirmed: (.*)$", text, re.M)
        if "\nconfirmed by running" in text:
            shown[kind] += 1
            why = "confirmed"
        else:
            why = why[1] if why else "nothing is said"
            reasons[kind, why] += 1
        print(name, kind, why, sep="\t", file=output, flush=True)
    none = asked.pop("no answer", 0)
    print(f"{sum(asked.values())} answers FALSE, {sum(shown.values())} confirmed; {none} tasks without such an answer")
    for kind, count in sorted(asked.items()):
        print(f"  {kind}: {count}, {shown[kind]} confirmed")
    for (kind, why), count in sorted(reasons.items()):
        print(f"  not confirmed: {count} of {kind}: {why}")


if __name__ == "__main__":
    main()
