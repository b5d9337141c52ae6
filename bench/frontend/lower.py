#!/usr/bin/env python3
"""Lower every file of one or several lists and say what became of each.

usage: lower.py [-j N] [--limit SECONDS] [--details FILE] [--summary FILE] BINARY LIST.tsv...

BINARY    the program to measure, target/release/counterpoint
LIST.tsv  a table with a header and the columns path (relative to the table) and data_model (ILP32 or LP64), optionally
          include (folders separated by colons) and family (rows are summed up by it; else by the table's name)
--details  a table with a row for each file: outcome, seconds, first message
--summary  the printed table, tab-separated

Outcomes of a file: whole (lowered, nothing left out), unsupported (lowered; some edge is marked unsupported), refused (an
error message with file and line), unlocated (an error message without), crash, timeout. Seconds are processor time, so that
they mean something on a busy machine; the limit is of the clock.
The messages of the files that are not whole are grouped, names and numbers taken out, most frequent first.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import re

import process

OUTCOMES = ["whole", "unsupported", "refused", "unlocated", "crash", "timeout"]
LOCATED = re.compile(r"^(\S.*?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
UNSUPPORTED = re.compile(rb"^  (unsupported: .*) -> ", re.MULTILINE)
SLOW_SECONDS = 2.0


def lower(task):
    """Runs the front end on one file: (outcome, seconds, first message)."""
    result = process.call(*task)
    status, seconds, messages = result.status, result.seconds, result.messages
    if status is None:
        return "timeout", seconds, ""
    if status == 0:
        marked = UNSUPPORTED.search(result.output)
        return ("unsupported", seconds, marked.group(1).decode("utf8", "replace")) if marked else ("whole", seconds, "")
    if status != 2 or "panicked at" in messages:
        panic = re.search(r"panicked at .*\n.*", messages)
        return "crash", seconds, panic.group(0).replace("\n", " ") if panic else f"status {status}"
    located = LOCATED.search(messages)
    if located:
        return "refused", seconds, located.group(0)
    return "unlocated", seconds, messages.strip().split("\n")[0]


def command_for(binary, row, base):
    flags = ["--32" if row["data_model"] == "ILP32" else "--64"]
    flags += [f"-I{base / folder}" for folder in (row.get("include") or "").split(":") if folder]
    return [binary, "cfg", *flags, str(base / row["path"])]


def kind_of(message):
    """The message with everything that differs from file to file taken out."""
    message = re.sub(r"^\S.*?:\d+:\d+: ", "", message)
    message = re.sub(r"'[^']*'|`[^`]*`|\"[^\"]*\"|‘[^’]*’", "…", message)
    return re.sub(r"\d+", "N", message)


def table(groups):
    yield ["group", "files", *OUTCOMES, "whole_percent", "over_2_s", "slowest_s"]
    for name, results in groups.items():
        count = collections.Counter(outcome for outcome, _, _ in results)
        seconds = [s for _, s, _ in results]
        yield [name, str(len(results)), *(str(count[o]) for o in OUTCOMES), f"{100 * count['whole'] / len(results):.2f}",
               str(sum(s > SLOW_SECONDS for s in seconds)), f"{max(seconds):.2f}"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("lists", nargs="+", type=pathlib.Path)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--details", type=pathlib.Path)
    parser.add_argument("--summary", type=pathlib.Path)
    options = parser.parse_args()

    names, tasks = [], []
    for path in options.lists:
        with open(path, newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                names.append((row.get("family") or path.stem, row["path"]))
                tasks.append((command_for(options.binary, row, path.parent), options.limit))
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        results = list(pool.map(lower, tasks))

    groups, kinds = {}, collections.defaultdict(list)
    for (group, path), result in zip(names, results):
        groups.setdefault(group, []).append(result)
        if result[0] != "whole":
            kinds[result[0], kind_of(result[2])].append((path, result[2]))
    if len(groups) > 1:
        groups["all"] = results
    for row in table(groups):
        print("  ".join(cell.ljust(24) if i == 0 else cell.rjust(9) for i, cell in enumerate(row)))
    for (outcome, kind), examples in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        path, message = examples[0]
        print(f"\n{len(examples)} x {outcome}: {kind}\n    {path}\n    {message}")
    if options.summary:
        options.summary.write_text("".join("\t".join(row) + "\n" for row in table(groups)))
    if options.details:
        with open(options.details, "w") as out:
            out.write("path\toutcome\tseconds\tmessage\n")
            for (_, path), (outcome, seconds, message) in zip(names, results):
                out.write(f"{path}\t{outcome}\t{seconds:.3f}\t{message}\n")


if __name__ == "__main__":
    main()
