#!/usr/bin/env python3
"""Run `counterpoint check`, and CBMC beside it, on the harnesses over real code, each as it is and with its bug put in.

examples:
  run.py target/release/counterpoint --sources SOURCES -o results.tsv
  run.py target/release/counterpoint --sources SOURCES --cbmc bin/cbmc --time 60 ring zlib

SOURCES is what layout.py wrote. A harness says in its first lines what it needs (`define:`, `include:`) and the bug: a file, a text
in it and what replaces its first occurrence. One task runs at a time. Times are of the processor and of the wall; --beside takes
CBMC's columns from an earlier result.
"""
import argparse
import contextlib
import csv
import math
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ["harness", "expected", "ours", "cpu", "wall", "reason", "cbmc", "cbmc_cpu", "cbmc_wall"]
# Unwinding bounds that are tried with CBMC, as for programs whose loops are not known.
BOUNDS = (2, 6, 12, 17, 21, 40, 260, 1025)
STUB = "void __VERIFIER_assume(int c) { __CPROVER_assume(c); }\n"


def header(harness, key):
    return re.findall(rf"^// {key}: (.*)$", harness.read_text(), re.M)


def options(harness, sources, first):
    """Preprocessor options; what is in the folder `first` wins over the sources."""
    project = re.search(r'^#include "([^/"]+)/', harness.read_text(), re.M).group(1)
    folders = [project, *" ".join(header(harness, "include")).split()]
    folders = [path for base in first + [sources] for path in (base, *(base / folder for folder in folders))]
    defines = " ".join(header(harness, "define")).split()
    return [*(f"-I{path}" for path in [*folders, harness.parent]), *(f"-D{define}" for define in defines)]


def put_in(bug, sources, scratch):
    file, old, new = re.fullmatch(r"(\S+): (.*) => (.*)", bug).groups()
    old, new = (text.replace("\\n", "\n") for text in (old, new))
    text = (sources / file).read_text(encoding="utf8", errors="surrogateescape")
    if old not in text:
        sys.exit(f"{file} does not have: {old}")
    # Headers are looked for beside the file that includes them, so all of the project is there.
    project = file.split("/")[0]
    shutil.copytree(sources / project, scratch / project)
    (scratch / file).write_text(text.replace(old, new, 1), encoding="utf8", errors="surrogateescape")


@contextlib.contextmanager
def measured(row, prefix):
    """Notes the seconds of all that runs meanwhile."""
    def now():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime, time.monotonic()

    start = now()
    yield
    row[prefix + "cpu"], row[prefix + "wall"] = (end - begin for begin, end in zip(start, now()))


def ours(binary, harness, flags, limit, arguments):
    command = [binary, "check", "--time-limit", f"{limit}s", "--memory-limit", "4GiB", *arguments, *flags, str(harness)]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             timeout=limit + 5)
    except subprocess.TimeoutExpired:
        return "unknown", "did not end"
    verdict, _, reason = re.search(r"Verification result: (\w+)(\((.*)\))?|$", run.stdout).groups("")
    return verdict.lower() or "unknown", reason or "-"


def cbmc(binary, harness, flags, limit, scratch):
    stub = scratch / "stub.c"
    stub.write_text(STUB)
    start = time.monotonic()
    for bound in BOUNDS:
        left = max(limit - (time.monotonic() - start), 0.01)
        try:
            run = subprocess.run([binary, "--no-standard-checks", "--unwinding-assertions", "--unwind", str(bound), *flags,
                                  str(harness), str(stub)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 errors="replace", timeout=left)
        except subprocess.TimeoutExpired:
            break
        failed = re.findall(r"^\[(.*?)\].*: FAILURE$", run.stdout, re.M)
        if run.returncode == 0:
            return "true"
        if any(not re.search(r"\.(unwind|recursion)", check) for check in failed):
            return "false"
        if run.returncode != 10:
            print(run.stdout[-500:], file=sys.stderr)
            break
    return "unknown"


def summary(rows):
    for tool in ("ours", "cbmc"):
        right = sum(row[tool] == row["expected"] for row in rows)
        wrong = sum(row[tool] not in (row["expected"], "unknown", "-") for row in rows)
        print(f"{tool}: {right} right, {wrong} wrong, {len(rows) - right - wrong} unknown")
    both = [row for row in rows if row["ours"] == row["cbmc"] == row["expected"]]
    for time_of in ("cpu", "wall") if both else ():
        ratios = [math.log(max(row[time_of], 0.01) / max(row["cbmc_" + time_of], 0.01)) for row in both]
        print(f"{time_of} time by CBMC's, geometric mean over {len(both)}: {math.exp(sum(ratios) / len(both)):.2f}")
    lost = [row for row in rows if row["cbmc"] == row["expected"] != row["ours"] and row["cbmc_wall"] <= 10]
    print("answered by CBMC within 10 s and not by us:", *(f"{row['harness']}({row['expected']})" for row in lost))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("names", nargs="*", help="only harnesses whose names begin so")
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("--cbmc")
    parser.add_argument("--beside", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--arguments", default="", metavar="OPTIONS", help="more options for counterpoint")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    chosen = parser.parse_intermixed_args()
    earlier = {}
    if chosen.beside:
        with open(chosen.beside, encoding="utf8", newline="") as file:
            earlier = {(row["harness"], row["expected"]): row for row in csv.DictReader(file, delimiter="\t")}
    rows = []
    out = open(chosen.output, "w", encoding="utf8") if chosen.output else sys.stdout
    print("\t".join(COLUMNS), file=out, flush=True)
    for harness in sorted((HERE / "harness").glob("*.c")):
        if chosen.names and not harness.stem.startswith(tuple(chosen.names)):
            continue
        for expected in ("true", "false"):
            with tempfile.TemporaryDirectory() as scratch:
                scratch = pathlib.Path(scratch)
                if expected == "false":
                    put_in(header(harness, "bug")[0], chosen.sources, scratch)
                flags = options(harness, chosen.sources, [scratch] if expected == "false" else [])
                row = dict(harness=harness.stem, expected=expected, cbmc="-", cbmc_cpu=0.0, cbmc_wall=0.0)
                with measured(row, ""):
                    row["ours"], row["reason"] = ours(chosen.binary, harness, flags, chosen.time, chosen.arguments.split())
                before = earlier.get((harness.stem, expected))
                if before:
                    row.update(cbmc=before["cbmc"], cbmc_cpu=float(before["cbmc_cpu"]), cbmc_wall=float(before["cbmc_wall"]))
                elif chosen.cbmc:
                    with measured(row, "cbmc_"):
                        row["cbmc"] = cbmc(chosen.cbmc, harness, flags, chosen.time, scratch)
            rows.append(row)
            print("\t".join(f"{row[c]:.2f}" if isinstance(row[c], float) else row[c] for c in COLUMNS), file=out, flush=True)
    summary(rows)


if __name__ == "__main__":
    main()
