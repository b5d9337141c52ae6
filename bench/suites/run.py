#!/usr/bin/env python3
"""Run `counterpoint check` on other tools' regression programs whose reachability verdict is known, and list disagreements.

usage: run.py COUNTERPOINT [--cbmc FOLDER] [--cpachecker FOLDER] [--time SECONDS] [-o RESULTS.tsv] [WORD...]

--cbmc        the folder `regression/cbmc` of diffblue/cbmc
--cpachecker  the folder `test/programs/simple` of sosy-lab/cpachecker
WORD          only the tasks whose names contain one of these

A disagreement that is known is in disagreements.tsv (suite, task, verdict, why the label is not what C says); every other one makes
the exit status 1, as does a crash or an `internal:` answer. The verdict of a task is taken from its file:

- cpachecker: `expected_verdict` of the task file, for the properties unreach-call, unreach-label and assertions;
- cbmc: `VERIFICATION SUCCESSFUL` in test.desc means that no assertion fails; `VERIFICATION FAILED` counts only where a line says
  that an assertion of the program fails (the tool's other checks are not about reachability) and the loops are not cut off. Tests
  of other options of the tool (output, coverage, slicing of its own formulas, ...) are left out, `--function F` is `--entry F`.
"""
import argparse
import csv
import pathlib
import re
import shlex
import subprocess
import sys

CONVENTIONS = ["--external", "pure", "--assume-separate", "--malloc-never-fails"]
HERE = pathlib.Path(__file__).parent

# Options of cbmc that do not change what its assertions mean, and how many arguments they take.
HARMLESS = {
    "--no-malloc-may-fail": 0, "--no-standard-checks": 0, "--floatbv": 0, "--no-simplify": 0, "--no-propagation": 0,
    "--little-endian": 0, "--arrays-uf-always": 0, "--arrays-uf-never": 0, "--refine-arrays": 0, "--refine-arithmetic": 0,
    "--no-pointer-check": 0, "--unwinding-assertions": 0, "--trace": 0, "--verbosity": 1, "--slice-formula": 0,
    "--full-slice": 0, "--smt2": 0, "--z3": 0, "--paths": 1, "--object-bits": 1, "--bounds-check": 0, "--pointer-check": 0,
    "--signed-overflow-check": 0, "--unsigned-overflow-check": 0, "--div-by-zero-check": 0, "--no-signed-overflow-check": 0,
    "--no-bounds-check": 0, "--no-div-by-zero-check": 0, "--conversion-check": 0, "--pointer-overflow-check": 0,
    "--float-overflow-check": 0, "--nan-check": 0, "--stop-on-fail": 0, "--no-undefined-shift-check": 0, "--refine": 0,
    "--no-pointer-primitive-check": 0, "--pointer-primitive-check": 0, "--refine-strings": 0, "--64": 0, "--32": 0,
}


class Task:
    def __init__(self, suite, name, files, expected, arguments):
        self.suite, self.name, self.files, self.expected, self.arguments = suite, name, files, expected, arguments


def cpachecker_tasks(folder):
    for description in sorted(folder.rglob("*.yml")):
        text = description.read_text(errors="replace")
        source = re.search(r"^input_files:\s*'?([^'\n]+)'?", text, re.M)
        model = re.search(r"data_model:\s*(\w+)", text)
        if not source:
            continue
        model = "--64" if model and model[1] == "LP64" else "--32"
        found = re.findall(r"property_file:\s*'?(\S+?)'?\s*\n\s*expected_verdict:\s*(\w+)", text)
        for path, verdict in found:
            kind = pathlib.Path(path).stem
            arguments = {"unreach-label": ["--error-label", "ERROR"], "unreach-call": [], "assert": [], "Assertion": []}.get(kind)
            if arguments is not None and verdict in ("true", "false"):
                name = f"{description.relative_to(folder)} {kind}"
                files = [description.parent / source[1].strip()]
                yield Task("cpachecker", name, files, verdict, [model, *CONVENTIONS, *arguments])


def cbmc_tasks(folder):
    for description in sorted(folder.rglob("*.desc")):
        task = cbmc_task(folder, description)
        if task:
            yield task


def cbmc_task(folder, description):
    lines = description.read_text(errors="replace").split("\n")
    if len(lines) < 4 or not lines[0].startswith(("CORE", "THOROUGH")):
        return None
    expected = []
    for line in lines[3:]:
        if line.strip() == "--":
            break
        expected.append(line)
    files, given = [description.parent / lines[1].strip()], shlex.split(lines[2])
    arguments, may_fail, cut_off = [], True, False
    at = 0
    while at < len(given):
        word = given[at]
        if word in HARMLESS:
            at += HARMLESS[word]
            may_fail = may_fail and word != "--no-malloc-may-fail"
            if word in ("--32", "--64"):
                arguments.append(word)
        elif word == "--function":
            at += 1
            arguments += ["--entry", given[at], "--arguments", "any"]
        elif word in ("--unwind", "--unwindset"):
            at += 1
            cut_off = "--no-unwinding-assertions" in given
        elif word == "--error-label":
            at += 1
            arguments += ["--error-label", given[at]]
        elif word.startswith(("-D", "-I")) and len(word) > 2:
            arguments.append(word)
        elif word.endswith((".c", ".i")):
            files.append(description.parent / word)
        else:
            return None
        at += 1
    text = "\n".join(expected)
    if "VERIFICATION SUCCESSFUL" in text:
        verdict = "true"
    elif "VERIFICATION FAILED" in text and re.search(r"assertion.*FAILURE", text):
        verdict = "false"
    else:
        return None
    if any(not file.is_file() or file.suffix not in (".c", ".i") for file in files) or (cut_off and verdict == "true"):
        return None
    # What has no body does nothing there, and allocation fails unless it is told not to.
    arguments = ["--external", "pure", "--assume-separate"] + arguments
    if not may_fail:
        arguments.append("--malloc-never-fails")
    return Task("cbmc", str(description.relative_to(folder)), files, verdict, arguments)


def check(counterpoint, task, seconds):
    command = [counterpoint, "check", *map(str, task.files), *task.arguments, f"--time-limit={seconds}s", "--memory-limit=2GiB"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds + 20)
    except subprocess.TimeoutExpired:
        return "fault", "does not end"
    last = done.stdout.strip().split("\n")[-1]
    if "panicked" in done.stderr or "internal:" in done.stdout or done.returncode not in (0, 1, 2, 3):
        return "fault", f"{done.returncode} {last} {done.stderr[-300:]}".replace("\n", " ").replace("\t", " ")
    if done.returncode == 2:
        return "refused", done.stderr.strip().split("\n")[0][:160]
    answer = last.removeprefix("Verification result: ")
    kinds = {0: "true", 1: "false", 3: "unknown"}
    return kinds[done.returncode], answer[:160]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("counterpoint")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--cbmc", type=pathlib.Path)
    parser.add_argument("--cpachecker", type=pathlib.Path)
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    tasks = []
    if options.cpachecker:
        tasks += cpachecker_tasks(options.cpachecker)
    if options.cbmc:
        tasks += cbmc_tasks(options.cbmc)
    tasks = [t for t in tasks if not options.words or any(word in f"{t.suite} {t.name}" for word in options.words)]
    with open(HERE / "disagreements.tsv", newline="") as file:
        known = {(row[0], row[1], row[2]) for row in csv.reader(file, delimiter="\t")}
    counts, bad = {}, 0
    output = open(options.output, "w") if options.output else None
    for task in tasks:
        verdict, said = check(options.counterpoint, task, options.time)
        judgement = verdict
        if verdict in ("true", "false"):
            judgement = "right" if verdict == task.expected else "wrong"
            if judgement == "wrong" and (task.suite, task.name, verdict) in known:
                judgement = "known disagreement"
        if judgement in ("wrong", "fault"):
            bad += 1
            print(f"{judgement}: {task.suite} {task.name}: expected {task.expected}, said {said}\n  "
                  f"{shlex.join(map(str, task.files))} {shlex.join(task.arguments)}", flush=True)
        key = (task.suite, judgement)
        counts[key] = counts.get(key, 0) + 1
        if output:
            print(task.suite, task.name, task.expected, verdict, judgement, said, sep="\t", file=output, flush=True)
    for (suite, judgement), count in sorted(counts.items()):
        print(f"{suite:12} {judgement:20} {count:5}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
