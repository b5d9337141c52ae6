"""How violations of public tasks are explained: `public.py BINARY --tasks TASKS FAMILY... [--every N]`.

`TASKS` is laid out as bench/tasks says. Of each family the tasks are taken whose verdict is `false`. A line for each task, then a
table for each family: how many were found to fail, were explained, have no other run; seconds and lines of the explanations.
"""

import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tasks"))
from run import CONVENTIONS  # noqa: E402


def explain(o, path, model, folder):
    """What became of a task: a word, seconds of the explanation, lines shown."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [o.binary, "explain", "--stats", path, "--64" if model == "LP64" else "--32", *CONVENTIONS]
    command += ["--json", report, "--time-limit", f"{o.time}s", "--explain-limit", f"{o.explain}s"]
    try:
        ran = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=o.time + o.explain + 30)
    except subprocess.TimeoutExpired:
        return "no answer", 0, 0
    if ran.returncode != 1:
        return "no answer", 0, 0
    explanation = json.loads(report.read_text()).get("explanation", {})
    if "unexplained" in explanation:
        why = explanation["unexplained"]
        return ("every run fails" if why.startswith("every run") else why), 0, 0
    lines = ran.stdout.splitlines()
    shown = next((len(lines) - at - 1 for at, line in enumerate(lines) if line.startswith("why:")), 0)
    numbers = dict(part.split("=") for line in ran.stderr.splitlines() if line.startswith("explained:") for part in line.split()[1:])
    return "explained", float(numbers["unwinding"]) + float(numbers["search"]), shown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("families", nargs="+")
    parser.add_argument("--tasks", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--time", type=int, default=20, help="seconds for the answer")
    parser.add_argument("--explain", type=int, default=10, help="seconds for the explanation")
    o = parser.parse_args()
    with open(o.tasks / "tasks.tsv") as table:
        tasks = [row for row in csv.DictReader(table, delimiter="\t") if row["expected"] == "false"]
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for family in o.families:
            for row in [row for row in tasks if row["family"] == family][:: o.every]:
                found = explain(o, o.tasks / row["path"], row["data_model"], pathlib.Path(folder))
                rows.setdefault(family, []).append(found)
                print(family, pathlib.Path(row["path"]).name, *found, sep="\t", flush=True)
    print("\n| family | tasks | fail | explained | every run fails | not explained | seconds | lines |\n|---|---:|---:|---:|---:|---:|---|---|")
    for family, found in rows.items():
        fails = [row for row in found if row[0] != "no answer"]
        explained = [row for row in fails if row[0] == "explained"]
        alone = [row for row in fails if row[0] == "every run fails"]
        span = lambda values: f"{min(values):.3g} to {max(values):.3g}, median {statistics.median(values):.3g}" if values else "-"
        seconds, lines = span([row[1] for row in explained]), span([row[2] for row in explained])
        left = len(fails) - len(explained) - len(alone)
        print(f"| {family} | {len(found)} | {len(fails)} | {len(explained)} | {len(alone)} | {left} | {seconds} | {lines} |")


if __name__ == "__main__":
    main()
