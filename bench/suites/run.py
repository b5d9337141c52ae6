#!/usr/bin/env python3
"""Run `counterpoint check` on other tools' regression programs whose reachability verdict is known, and list disagreements.

usage: run.py COUNTERPOINT [--cbmc FOLDER] [--cbmc-checks FOLDER] [--cpachecker FOLDER] [--esbmc FOLDER] [--smack FOLDER]
              [--seahorn FOLDER] [--ultimate FOLDER] [--time SECONDS] [--every N] [-o RESULTS.tsv] [WORD...]

--cbmc        the folder `regression/cbmc` of diffblue/cbmc
--cbmc-checks the same, the tests of cbmc's own checks: pointers, bounds, overflow, divisions, shifts, leaks
--cpachecker  the folder `test/programs/simple` of sosy-lab/cpachecker
--esbmc       the folder `regression` of esbmc/esbmc
--smack       the folder `test/c` of smackers/smack
--seahorn     the folder `test` of seahorn/seahorn
--ultimate    the folder `trunk/examples` of ultimate-pa/ultimate
WORD          only the tasks whose names contain one of these

A disagreement that is known is in disagreements.tsv (suite, task, verdict, why the label is not what C says); every other one makes
the exit status 1, as does a crash or an `internal:` answer. The verdict of a task is taken from its file:

- cpachecker: `expected_verdict` of the task file, for the properties unreach-call, unreach-label and assertions;
- cbmc: `VERIFICATION SUCCESSFUL` in test.desc means that no assertion fails; `VERIFICATION FAILED` counts only where a line says
  that an assertion of the program fails (the tool's other checks are not about reachability) and the loops are not cut off. Tests
  of other options of the tool (output, coverage, slicing of its own formulas, ...) are left out, `--function F` is `--entry F`;
- cbmc-checks: those for which these checks are on, as they are unless a test.desc says otherwise; `VERIFICATION FAILED` counts where
  a line says that one of them fails that this tool knows as well, or an assertion of the program;
- esbmc: likewise, with the tool's own checks (divisions, bounds, pointers, alignment; overflow, shifts and leaks where asked for) unless they are off;
- smack, seahorn, ultimate: by a comment of the program (`@expect verified`, `CHECK: ^unsat$`, `#Safe`); tests with threads or checks that
  are not about assertions are left out. What their headers define is put in front.
"""
import argparse
import csv
import itertools
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

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


def cbmc_task(folder, description, options=None, known=None):
    lines = description.read_text(errors="replace").split("\n")
    if len(lines) < 4 or not lines[0].startswith(("CORE", "THOROUGH")):
        return None
    expected = []
    for line in lines[3:]:
        if line.strip() == "--":
            break
        expected.append(line)
    files, given = [description.parent / lines[1].strip()], shlex.split(lines[2] if options is None else options)
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
    if known:
        verdict = known
    elif "VERIFICATION SUCCESSFUL" in text:
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


# cbmc's checks by their options, and the kinds that are the same here. All but leaks are looked for unless it is told not to.
CHECKS = {"--pointer-check": ["pointers", "free"], "--bounds-check": ["bounds", "pointers"], "--signed-overflow-check": ["overflow"],
          "--div-by-zero-check": ["division"], "--undefined-shift-check": ["shift"], "--memory-leak-check": ["leaks", "cleanup"],
          "--memory-cleanup-check": ["cleanup"]}
STANDARD = ["--pointer-check", "--bounds-check", "--signed-overflow-check", "--div-by-zero-check", "--undefined-shift-check"]
FAILS = (r"\[[^\]]*\.(pointer_dereference|array_bounds|overflow|division-by-zero|undefined-shift|memory-leak|assertion|precondition_instance)"
         r".*FAILURE|(pointer|bound|overflow on signed|division by zero|shift|leak|assertion).*FAILURE")


def cbmc_check_tasks(folder):
    for description in sorted(folder.rglob("*.desc")):
        lines = description.read_text(errors="replace").split("\n")
        if len(lines) < 4 or not lines[0].startswith(("CORE", "THOROUGH")):
            continue
        given = shlex.split(lines[2])
        asked = [word for word in given if word in CHECKS]
        if not asked and "--no-standard-checks" in given:
            continue
        if "--no-standard-checks" not in given:
            asked += [word for word in STANDARD if "--no-" + word[2:] not in given]
        text = "\n".join(itertools.takewhile(lambda line: line.strip() != "--", lines[3:]))
        if "VERIFICATION SUCCESSFUL" in text:
            verdict = "true"
        elif "VERIFICATION FAILED" in text and re.search(FAILS, text):
            verdict = "false"
        else:
            continue
        plain = [word for word in given if word not in ("--memory-leak-check", "--memory-cleanup-check", "--undefined-shift-check")]
        pretended = cbmc_task(folder, description, " ".join(map(shlex.quote, plain)), verdict)
        if pretended:
            kinds = sorted({kind for word in asked for kind in CHECKS[word]})
            pretended.suite = "cbmc-checks"
            pretended.arguments += ["--check", ",".join(["assertions", *kinds])]
            yield pretended


# The same of esbmc.
ESBMC_HARMLESS = {
    "--k-induction": 0, "--k-induction-parallel": 0, "--incremental-bmc": 0, "--floatbv": 0, "--bv": 0, "--z3": 0, "--boolector": 0,
    "--bitwuzla": 0, "--mathsat": 0, "--cvc": 0, "--yices": 0, "--interval-analysis": 0, "--falsification": 0,
    "--max-inductive-step": 1, "--max-k-step": 1, "--k-step": 1, "--base-k-step": 1, "--unlimited-k-steps": 0, "--goto-unwind": 0,
    "--unlimited-goto-unwind": 0, "--state-hashing": 0, "--add-symex-value-sets": 0, "--no-slice": 0, "--32": 0, "--64": 0,
    "--context-bound": 1, "--timeout": 1, "--memlimit": 1, "--smt-during-symex": 0, "--force-malloc-success": 0,
    "--force-realloc-success": 0, "--no-align-check": 0, "--symex-thread-guard": 0, "--quiet": 0, "--no-simplify": 0,
    "--no-vla-size-check": 0, "--no-propagation": 0, "--tuple-sym-flattener": 0, "--tuple-node-flattener": 0,
    "--array-flattener": 0, "--result-only": 0, "--error-label": 1, "--function": 1, "--no-bounds-check": 0, "--no-pointer-check": 0,
    "--no-div-by-zero-check": 0, "--overflow-check": 0, "--memory-leak-check": 0, "--gcse": 0, "--multi-property": 0, "--std": 1,
    "--unwind": 1, "--no-unwinding-assertions": 0, "--partial-loops": 0, "--slice-assumes": 0, "--verbosity": 1,
}


def esbmc_tasks(folder):
    for description in sorted(folder.glob("*/*/test.desc")):
        lines = description.read_text(errors="replace").split("\n")
        if len(lines) < 4 or lines[0].strip() not in ("CORE", "THOROUGH"):
            continue
        given, files, arguments = lines[2].split(), [description.parent / lines[1].strip()], []
        words, at, usable = set(), 0, True
        while at < len(given):
            word = given[at]
            words.add(word)
            if word in ESBMC_HARMLESS:
                value = given[at + 1] if ESBMC_HARMLESS[word] and at + 1 < len(given) else None
                at += ESBMC_HARMLESS[word]
                option = {"--function": "--entry", "--error-label": "--error-label"}.get(word)
                arguments += [option, value] if option else [word] if word in ("--32", "--64") else []
                arguments += ["--arguments", "any"] * (word == "--function")
            elif word.startswith(("-D", "-I")) and len(word) > 2:
                arguments.append(word)
            elif word.endswith((".c", ".i")):
                files.append(description.parent / word)
            elif not word.startswith(("-W", "--std")):
                usable = False
            at += 1
        text = "\n".join(lines[3:])
        verdict = "true" if "VERIFICATION SUCCESSFUL" in text else "false" if "VERIFICATION FAILED" in text else None
        cut_off = {"--no-unwinding-assertions", "--partial-loops"} & words or "--unwind" in words
        if not usable or verdict is None or "--partial-loops" in words or (cut_off and verdict == "true"):
            continue
        if "unwinding assertion" in text:
            continue
        if any(not file.is_file() or file.suffix not in (".c", ".i") or b"pthread" in file.read_bytes() for file in files):
            continue
        checks = [kind for kind, off in (("bounds", "--no-bounds-check"), ("pointers", "--no-pointer-check"),
                                         ("free", "--no-pointer-check"), ("division", "--no-div-by-zero-check")) if off not in words]
        checks += ["alignment"] * ("--no-align-check" not in words and "--no-pointer-check" not in words)
        checks += ["overflow", "shift"] * ("--overflow-check" in words) + ["leaks", "cleanup"] * ("--memory-leak-check" in words)
        arguments += ["--external", "pure", "--assume-separate"]
        arguments += ["--check", ",".join(["assertions", *checks])] if checks else []
        if "--force-malloc-success" in words:
            arguments.append("--malloc-never-fails")
        yield Task("esbmc", str(description.parent.relative_to(folder)), files, verdict, arguments)


NONDET = "".join(f"{ty} __VERIFIER_nondet_{name}(void);\n" for name, ty in (
    ("int", "int"), ("uint", "unsigned"), ("char", "char"), ("uchar", "unsigned char"), ("short", "short"), ("long", "long"),
    ("ushort", "unsigned short"), ("ulong", "unsigned long"), ("float", "float"), ("double", "double"), ("unsigned_int", "unsigned"),
    ("signed_int", "int"), ("unsigned_char", "unsigned char"), ("unsigned_short", "unsigned short"), ("signed_char", "signed char"),
    ("unsigned_long", "unsigned long"), ("long_long", "long long"), ("unsigned_long_long", "unsigned long long"),
    ("signed_short", "short"), ("signed_long", "long"), ("longlong", "long long"), ("ulonglong", "unsigned long long"),
    ("signed_long_long", "long long"), ("bool", "_Bool")))
HEADERS = {
    "smack.h": "#include <assert.h>\n#include <stdbool.h>\n" + NONDET + "void __VERIFIER_assume(int);\n#define assume __VERIFIER_assume\n",
    "seahorn/seahorn.h": "void __VERIFIER_assume(int);\nvoid __VERIFIER_error(void);\n#define assume __VERIFIER_assume\n"
                         "#define sassert(X) (void)((X) || (__VERIFIER_error(), 0))\n",
}


def commented_tasks(suite, folder, verdicts, leave_out, headers):
    """Programs that say in a comment what is expected: `verdicts` maps patterns to verdicts."""
    for program in sorted([*folder.rglob("*.c"), *folder.rglob("*.i")]):
        text = program.read_text(errors="replace")
        found = {verdict for pattern, verdict in verdicts.items() if re.search(pattern, text, re.M)}
        if len(found) == 1 and not re.search(leave_out, text) and not re.search(leave_out, str(program)):
            # The tools take functions without a body for inputs and know of no failing allocation.
            yield Task(suite, str(program.relative_to(folder)), [program], found.pop(), ["-I", str(headers), *CONVENTIONS])


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
    parser.add_argument("--cbmc-checks", type=pathlib.Path)
    parser.add_argument("--cpachecker", type=pathlib.Path)
    for suite in ("--esbmc", "--smack", "--seahorn", "--ultimate"):
        parser.add_argument(suite, type=pathlib.Path)
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    tasks = []
    if options.cpachecker:
        tasks += cpachecker_tasks(options.cpachecker)
    if options.cbmc:
        tasks += cbmc_tasks(options.cbmc)
    if options.cbmc_checks:
        tasks += cbmc_check_tasks(options.cbmc_checks)
    if options.esbmc:
        tasks += esbmc_tasks(options.esbmc)
    headers = pathlib.Path(tempfile.mkdtemp())
    for name, text in HEADERS.items():
        (headers / name).parent.mkdir(exist_ok=True)
        (headers / name).write_text(text)
    if options.smack:
        verdicts = {r"@expect verified": "true", r"@expect error": "false"}
        leave_out = r"pthread|@flag --(check|unroll|pthread|integer-encoding)|memory-safety|failing|@checkbpl|contracts|simd"
        tasks += commented_tasks("smack", options.smack, verdicts, leave_out, headers)
    if options.seahorn:
        verdicts = {r"CHECK: \^unsat\$": "true", r"CHECK: \^sat\$": "false"}
        leave_out = r"RUN:.*(bpf|--bmc|smc|abc|null|horn-make|inline-only|--devirt-functions|entry|bound)|XFAIL"
        tasks += commented_tasks("seahorn", options.seahorn, verdicts, leave_out, headers)
    if options.ultimate:
        verdicts = {r"^\s*//\s*#\s*Safe\b": "true", r"^\s*//\s*#\s*Unsafe\b": "false"}
        leave_out = r"pthread|/(LTL|termination|memsafety|SignedIntegerOverflow|concurrent)/|#(MemSafe|MemUnsafe|Terminat|NonTerm)"
        tasks += commented_tasks("ultimate", options.ultimate, verdicts, leave_out, headers)
    tasks = [t for t in tasks if not options.words or any(word in f"{t.suite} {t.name}" for word in options.words)]
    tasks = tasks[:: options.every]
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
