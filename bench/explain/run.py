"""The table of *Explaining Abstract Counterexamples* for the programs here: `run.py BINARY [--only NAME]`.

Each faulty program is explained and the lines that are reported are scored against the corrected one. The handshake and the 41
variants of the collision-avoidance function are written by `handshake.py` and `tcas.py`. Options behind `--` go to `explain`.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def programs(folder):
    """Name, faulty program, corrected program."""
    found = []
    for faulty in sorted((HERE / "programs").glob("*.c")):
        if not faulty.name.endswith(".fixed.c"):
            found.append((faulty.stem, faulty, faulty.with_suffix(".fixed.c")))

    def write(name, generator, argument):
        path = folder / f"{name}.c"
        text = subprocess.run([sys.executable, HERE / generator, argument], capture_output=True, text=True, check=True).stdout
        path.write_text(text)
        return path

    found.append(("handshake", write("handshake", "handshake.py", "faulty"), write("handshake.fixed", "handshake.py", "correct")))
    correct = write("tcas.fixed", "tcas.py", "0")
    found += [(f"tcas{n:02}", write(f"tcas{n:02}", "tcas.py", str(n)), correct) for n in range(1, 42)]
    return found


def explain(o, name, faulty, correct, folder):
    """A row of the table."""
    report = folder / f"{name}.json"
    trusted = ["--trust", "expected"] if name.startswith("tcas") else []
    command = [o.binary, "explain", faulty, *trusted, "--json", report, "--stats", "--explain-limit", f"{o.time}s", "--time-limit", "60s", *o.options]
    started = time.monotonic()
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    row = {"name": name, "lines": len(faulty.read_text().splitlines()), "seconds": time.monotonic() - started, "text": ran.stdout}
    row |= {key: value for key, value in re.findall(r"(\w+)=([\d.]+)", "".join(re.findall(r"explained: .*", ran.stderr)))}
    iterations = re.search(r"total: iterations=(\d+)", ran.stderr)
    row["iterations"] = iterations.group(1) if iterations else "-"
    explanation = json.loads(report.read_text()).get("explanation", {}) if report.exists() else {}
    row["unexplained"] = explanation.get("unexplained") or (None if explanation else ran.stdout.strip().splitlines()[-1:] or "no output")
    if row["unexplained"]:
        return row
    row["metric"] = explanation["metric"] + ("" if explanation["passes"] else "*")
    suspicious = [line["location"]["line"] for line in explanation["suspicious"]]
    row["first"] = suspicious[0] if suspicious else "-"
    row["changes"] = sum(change["causal"] for change in explanation["changes"])
    score = [o.binary, "score", "--faulty", faulty, "--correct", correct, "--report", report]
    ran = subprocess.run([str(part) for part in score], capture_output=True, text=True)
    scored = re.search(r"score: ([\d.]+)", ran.stdout)
    row["score"] = float(scored.group(1)) if scored else 0.0
    fault = re.search(r"faulty lines: (.*)", ran.stdout)
    row["fault"] = fault.group(1) if fault else "-"
    return row


COLUMNS = ["name", "lines", "unwinding", "search", "iterations", "searches", "blocked", "metric", "first", "fault", "score", "changes", "steps"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--time", type=int, default=30, help="seconds for each explanation")
    parser.add_argument("--texts", action="store_true", help="also print the explanations")
    parser.add_argument("options", nargs="*")
    o = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
        for name, faulty, correct in programs(folder):
            if o.only not in name:
                continue
            row = explain(o, name, faulty, correct, folder)
            rows.append(row)
            if row["unexplained"]:
                print(f"| {name} | not explained in {row['seconds']:.1f} s: {row['unexplained']} |", flush=True)
            else:
                print("| " + " | ".join(str(row.get(column, "-")) for column in COLUMNS) + " |", flush=True)
            if o.texts:
                print(row["text"])
    variants = [row for row in rows if row["name"].startswith("tcas")]
    if variants:
        explained = [row for row in variants if not row["unexplained"]]
        mean = sum(row.get("score", 0.0) for row in variants) / len(variants)
        slowest = max(float(row["search"]) + float(row["unwinding"]) for row in explained) if explained else 0
        print(f"\ntcas: {len(explained)} of {len(variants)} explained, mean score {mean:.3f}, slowest {slowest:.1f} s")


if __name__ == "__main__":
    main()
