#!/usr/bin/env python3
"""Measure what refining transitions (CONSTRAIN) does: the same tasks without it, lazily, eagerly, and for several lengths of
the cubes of predicate abstraction.

Each configuration is a run of ../tasks/run.py; what is done is kept, and the same command goes on where it stopped. At the end
the tables and the chart are written as tables.py does.
"""
import argparse
import pathlib
import shlex
import subprocess
import sys

import tables

RUNNER = pathlib.Path(__file__).resolve().parent.parent / "tasks" / "run.py"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="as for run.py: families, or files with tasks")
    parser.add_argument("--tasks", type=pathlib.Path, required=True, help="the folder with tasks.tsv")
    parser.add_argument("--set", action="append", default=[], help="a named set of families, as for run.py")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th task of each family that is named")
    parser.add_argument("--jobs", type=int, default=2, help="tasks at a time [2]")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="limit for each task [60]")
    parser.add_argument("--memory", default="4GiB", metavar="SIZE", help="limit for each task [4GiB]")
    parser.add_argument("--only", choices=sorted(tables.CONFIGURATIONS), action="append", metavar="NAME",
                        help=f"measure only these: {', '.join(tables.CONFIGURATIONS)}")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("constrain"), metavar="FOLDER",
                        help="where everything is written [constrain]")
    options = parser.parse_intermixed_args()
    if not options.families and not options.set:
        parser.error("name families, a file with tasks, or a --set")
    return options


def command(options, name):
    result = [sys.executable, str(RUNNER), str(options.binary), *options.families]
    for given in options.set:
        result += ["--set", given]
    result += ["--tasks", str(options.tasks), "--every", str(options.every), "--jobs", str(options.jobs),
               "--time", str(options.time), "--memory", options.memory,
               f"--arguments={shlex.join(tables.CONFIGURATIONS[name])}",
               "--logs", str(options.output / "logs" / name), "-o", str(options.output / f"{name}.tsv")]
    return result


def main():
    options = arguments()
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.only or tables.CONFIGURATIONS:
        print(f"== {name}: {shlex.join(tables.CONFIGURATIONS[name])}", file=sys.stderr)
        code = subprocess.run(command(options, name), stdout=subprocess.DEVNULL).returncode
        if code:
            sys.exit(code)
    tables.write(options.output)


if __name__ == "__main__":
    main()
