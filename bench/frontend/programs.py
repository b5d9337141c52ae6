#!/usr/bin/env python3
"""Compare the interpreter with gcc on whole programs, such as compilers' and checkers' own tests.

usage: programs.py [-j N] [--details FILE] [--summary FILE] BINARY LIST.tsv...

LIST.tsv is as for lower.py. A program is compared when gcc -O0 -fwrapv links it and it ends in 5 s without any input.

equal          same standard output, same way to end (exit code, or abort)
not-compared   gcc does not link it, it does not end, needs inputs, prints something else each time, reaches an error function
               (the interpreter ends there), or counterpoint refuses it (lower.py counts those)
limit          the interpreter's step or stack limit
unsupported    the interpreter met an edge that is marked unsupported
uninitialised  the interpreter met a read of something that has no value yet, on which the rest may depend: not compared
undefined      different, and gcc's sanitizers report undefined behaviour as well
undefined-here same output, but the interpreter reports undefined behaviour that gcc's sanitizers do not: to look at
MISMATCH       different otherwise
crash          the interpreter crashed or did not end in time
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import signal
import tempfile

import process

OUTCOMES = ["equal", "not-compared", "limit", "unsupported", "uninitialised", "undefined", "undefined-here", "MISMATCH", "crash"]
GCC_LIMIT_SECONDS = 5
RUN_LIMIT_SECONDS = 120
STEP_LIMIT = 200_000_000
# Signed overflow is undefined only without -fwrapv.
SANITIZERS = ["-g", "-fno-wrapv", "-fsanitize=undefined,address"]
VOID_MAIN = re.compile(rb"\bvoid\s+main\s*\(")


def compiled(source, flags, folder):
    binary = pathlib.Path(folder) / "program"
    command = ["gcc", "-w", "-O0", "-fwrapv", *flags, str(source), "-o", str(binary), "-lm"]
    built = process.call(command, GCC_LIMIT_SECONDS * 12, folder)
    if built.status != 0:
        return None
    return process.call([str(binary)], GCC_LIMIT_SECONDS, folder, {"ASAN_OPTIONS": "detect_leaks=0"})


def end_of(code, messages):
    """How the interpreted program ended, in gcc's terms: an exit code, or minus the signal."""
    exit_code = re.search(r"the program ended with exit code (-?\d+)", messages)
    if exit_code:
        return int(exit_code.group(1)) & 0xFF
    if re.search(r"(error|note|warning): .*(abort|assertion|Assertion|reached)", messages):
        return -signal.SIGABRT
    return 0


def compare(binary, source, row, base):
    """(outcome, evidence)"""
    width, flag = ("-m32", "--32") if row["data_model"] == "ILP32" else ("-m64", "--64")
    include = [f"-I{base / folder}" for folder in (row.get("include") or "").split(":") if folder]
    with tempfile.TemporaryDirectory() as folder:
        built = compiled(source, [width, *include], folder)
        if built is None or built.status is None:
            return "not-compared", "gcc"
        status, expected = built.status, built.output
        command = [binary, "run", flag, *include, "--step-limit", str(STEP_LIMIT), str(source)]
        result = process.call(command, RUN_LIMIT_SECONDS, folder)
        code, actual, messages = result.status, result.output, result.messages
        if code is None or code < 0 or "panicked at" in messages:
            return "crash", messages
        if code == 2:
            return "not-compared", messages
        if code == 3:
            return ("unsupported" if "unsupported" in messages else "limit"), messages
        if "further inputs were needed" in messages or re.search(r"error: `\w+` was reached", messages):
            return "not-compared", messages
        if re.search(r"no value yet|nothing was written yet", messages):
            return "uninitialised", messages
        end = end_of(code, messages)
        # What an aborted program had in its buffers is lost; a main that returns nothing leaves its status open.
        same = (actual.startswith(expected) if end == -signal.SIGABRT else actual == expected) and (
            status == end or VOID_MAIN.search(source.read_bytes()) is not None)
        if same and not (code == 1 and end != -signal.SIGABRT):
            return "equal", ""
        again = compiled(source, [width, *include, *SANITIZERS], folder)
        if again and ("runtime error" in again.messages or "AddressSanitizer" in again.messages):
            return "undefined", ""
        if not same and again and again.output != expected and status >= 0:
            return "not-compared", "gcc's output differs from run to run"
        evidence = f"gcc: status {status}\n{expected.decode('utf8', 'replace')}\nhere: status {code}\n" \
                   f"{actual.decode('utf8', 'replace')}\n{messages}"
        return ("undefined-here" if same else "MISMATCH"), evidence


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("lists", nargs="+", type=pathlib.Path)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--details", type=pathlib.Path)
    parser.add_argument("--summary", type=pathlib.Path)
    options = parser.parse_args()
    binary = str(options.binary.resolve())

    tasks = []
    for path in options.lists:
        with open(path, newline="") as lines:
            tasks += [(path.stem, row, path.resolve().parent) for row in csv.DictReader(lines, delimiter="\t")]
    counts, details = {}, open(options.details or os.devnull, "w")
    with details, concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        results = pool.map(lambda task: compare(binary, task[2] / task[1]["path"], task[1], task[2]), tasks)
        for (name, row, _), (outcome, evidence) in zip(tasks, results):
            counts.setdefault(name, collections.Counter())[outcome] += 1
            details.write(f"=== {outcome}\t{row['path']}\n{evidence}\n")
            if outcome not in ("equal", "not-compared", "uninitialised", "undefined"):
                print(f"{outcome}: {row['path']}", flush=True)
    rows = [["list", "programs", *OUTCOMES]]
    rows += [[name, str(sum(count.values())), *(str(count[o]) for o in OUTCOMES)] for name, count in counts.items()]
    for row in rows:
        print("  ".join(cell.rjust(12) for cell in row))
    if options.summary:
        options.summary.write_text("".join("\t".join(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
