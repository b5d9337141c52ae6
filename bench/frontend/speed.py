#!/usr/bin/env python3
"""Measure the interpreter's steps a second, and lowering against what preprocessing, parsing and checking cost.

usage: speed.py BINARY [LIST.tsv...]

BINARY    the program to measure, target/release/counterpoint
LIST.tsv  lists of files as corpora.py makes them, for example zlib.tsv and lua.tsv; lowering is measured on them

A step is an edge of a control-flow graph. Seconds are processor time of the whole run, also of reading the program. The cost
of lowering is counted in samples of Linux' perf, which must be installed and allowed (kernel.perf_event_paranoid <= 2).
"""
import csv
import pathlib
import re
import sys
import tempfile

import process

PROGRAMS = pathlib.Path(__file__).parent / "speed"
LIMIT_SECONDS = 600
SAMPLES_A_SECOND = 5000
STACK_BYTES = 32768
LOWERING = "c_frontend::lower"
READING = re.compile(r"c_frontend::unit|rucc_")


def interpreter(binary):
    for source in sorted(PROGRAMS.glob("*.c")):
        result = process.call([binary, "run", "--statistics", str(source)], LIMIT_SECONDS)
        steps = re.search(r"(\d+) steps", result.messages)
        if result.status != 0 or steps is None:
            sys.exit(f"{source.name}: {result.messages}")
        count = int(steps.group(1))
        print(f"{source.stem:12} {count:>12,} steps  {result.seconds:6.2f} s  {count / result.seconds / 1e6:6.1f} million a second")


def samples(command):
    """(samples in lowering, samples in the stages before it) of one run under perf."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/perf.data"
        record = ["perf", "record", "-q", "-F", str(SAMPLES_A_SECOND), "--call-graph", f"dwarf,{STACK_BYTES}", "-o", data]
        process.call([*record, *command], LIMIT_SECONDS)
        stacks = process.call(["perf", "script", "--no-inline", "-F", "comm,ip,sym", "-i", data], LIMIT_SECONDS)
    lowering = reading = 0
    for stack in stacks.output.decode("utf8", "replace").split("\n\n"):
        if LOWERING in stack:
            lowering += 1
        elif READING.search(stack):
            reading += 1
    return lowering, reading


def lowering(binary, table):
    total = [0, 0]
    with open(table, newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            flags = ["--32" if row["data_model"] == "ILP32" else "--64"]
            flags += [f"-I{table.parent / folder}" for folder in row["include"].split(":") if folder]
            for i, count in enumerate(samples([binary, "cfg", *flags, str(table.parent / row["path"])])):
                total[i] += count
    if total[1] == 0:
        sys.exit("perf gives no samples")
    print(f"{table.stem:12} lowering {total[0]} samples, stages before it {total[1]}: {total[0] / total[1]:.2f} times as much")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    interpreter(sys.argv[1])
    for table in sys.argv[2:]:
        lowering(sys.argv[1], pathlib.Path(table))


if __name__ == "__main__":
    main()
