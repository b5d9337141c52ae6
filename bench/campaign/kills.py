#!/usr/bin/env python3
"""Kill a campaign at random moments, continue it, and compare with one that nobody disturbed.

usage: kills.py COUNTERPOINT PLAN.toml [--kills 20] [--seed 1] [--reference FOLDER]

SIGKILL goes to the whole group of processes. Cells are compared with all that they say but times: no answer of the plan may hinge
on its time limit (plan.py --settled). Afterwards: a run with nothing to do, and one after the edit of a single file. Ends with
status 1 if anything is not as it should be. `--reference` are results of the same plan that are there already.
"""
import argparse
import csv
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

failed = False


def expect(condition, text):
    global failed
    print(("ok: " if condition else "WRONG: ") + text, flush=True)
    failed = failed or not condition


def table(results):
    """What was answered, without how long it took; unknowns with their reasons."""
    with open(results / "results.csv", newline="") as file:
        return {(row["program"], row["check"]): (row["verdict"], row["kind"], row["place"], row["reason"])
                for row in csv.DictReader(file)}


def answers(results):
    store = results / "store.db"
    if not store.exists():
        return set()
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        try:
            return {key for key, in connection.execute("SELECT key FROM answers")}
        except sqlite3.OperationalError:
            return set()  # It was killed before the store was made.


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counterpoint")
    parser.add_argument("plan", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reference", type=pathlib.Path)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    binary = str(pathlib.Path(options.counterpoint).resolve())

    def campaign(results, *arguments, **how):
        command = [binary, "campaign", str(options.plan), "-o", str(results), *arguments]
        began = time.monotonic()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **how)
        return done.stdout, done.stderr, time.monotonic() - began

    with tempfile.TemporaryDirectory() as folder:
        reference = options.reference or pathlib.Path(folder) / "reference"
        whole, said, seconds = campaign(reference)
        checks = len(table(reference))
        print(f"undisturbed: {checks} checks in {seconds:.1f} s", flush=True)

        results = pathlib.Path(folder) / "killed"
        known = set()
        began_all = time.monotonic()
        for kill in range(options.kills):
            after = chance.uniform(0, 2 * seconds / options.kills)
            command = [binary, "campaign", str(options.plan), "-o", str(results)]
            run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
            time.sleep(after)
            try:
                os.killpg(run.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            shown = run.communicate()[1].count("violated: ")
            now = answers(results)
            expect(known <= now and shown <= len(now - known),
                   f"kill {kill + 1} after {after:.2f} s: {len(now)} answers, none lost, {shown} violations shown")
            known = now
        out, said, _ = campaign(results)
        print(said.strip().splitlines()[-2] if len(said.splitlines()) > 1 else said.strip())
        print(f"killed {options.kills} times and continued: {time.monotonic() - began_all:.1f} s")
        there, here = table(reference), table(results)
        different = [name for name in there if there[name] != here.get(name)]
        for name in different:
            print("  differs:", name, there[name], here.get(name))
        expect(there == here, f"the table is that of the undisturbed run: {len(there)} cells, {len(different)} different")

        out, said, seconds = campaign(results)
        expect("done" not in said and seconds < 2, f"a second run checks nothing, in {seconds:.2f} s")

        file = sorted(path for path in options.plan.parent.glob("*/*") if path.suffix in (".c", ".i"))[0]
        text = file.read_bytes()
        try:
            file.write_bytes(text + b"\nint edited_by_the_measurement;\n")
            out, _, _ = campaign(results, "--dry-run")
            again = {line.split(":")[0] for line in out.splitlines() if line.endswith(": to check")}
            row = [name for name in here if name[0] in again]
            number = int(re.search(r"(\d+) to check", out.splitlines()[-1]).group(1))
            expect(len(again) == 1 and number == len(row), f"after an edit exactly its row is checked again: {number} checks")
            _, said, seconds = campaign(results)
            expect(f"{number} of {number} done ({checks - number} before)" in said, f"and no other, in {seconds:.1f} s")
        finally:
            file.write_bytes(text)
    sys.exit(failed)


if __name__ == "__main__":
    main()
