#!/usr/bin/env python3
"""Compare the interpreter with gcc on random programs.

usage: csmith.py [-j N] [--first SEED] [--work DIR] [--summary FILE] [--csmith-options '...'] BINARY COUNT

For each of COUNT seeds csmith writes a program; for each data model gcc -O0 -fwrapv compiles it, and its output (the hash of
every global variable, and the final checksum) is compared with that of `BINARY run`.

equal        the outputs are the same
gcc-slow     gcc's program did not end in 5 s: not compared
step-limit   the interpreter ended at its step limit: not compared
undefined    the outputs differ, and gcc's own sanitizer or another optimisation level shows that the program has no single
             meaning; the evidence is written beside the program
MISMATCH     the outputs differ otherwise
refused      the front end gave an error message, or an edge is unsupported
crash        the interpreter crashed or did not end in time

--work    the folder for the programs, gcc's outputs and the evidence (default: a temporary one). What it has of the first
          two is not made again: a second run is much faster. Use one folder for each set of csmith's options.

The COUNT programs of the default options need about an hour of two cores for 1,000 seeds, most of it for gcc's part.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shlex
import tempfile

import process

HEADERS = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")
CSMITH_LIMIT_SECONDS = 120
GCC_LIMIT_SECONDS = 5
RUN_LIMIT_SECONDS = 300
STEP_LIMIT = 1_000_000_000
MODELS = {"ILP32": ("-m32", "--32"), "LP64": ("-m64", "--64")}
OUTCOMES = ["equal", "gcc-slow", "step-limit", "undefined", "MISMATCH", "refused", "crash"]


def generate(seed, options, work):
    """The program of a seed, or None where csmith gives up."""
    program = work / f"{seed}.c"
    if not program.exists():
        with tempfile.TemporaryDirectory() as folder:  # csmith writes a file platform.info into its working folder
            made = process.call(["csmith", "--seed", str(seed), *options], CSMITH_LIMIT_SECONDS, folder)
        # The hash of every global, not only the last, so that a difference shows where it arises.
        text = made.output.replace(b"int print_hash_value = 0;", b"int print_hash_value = 1;")
        program.write_bytes(text if made.status == 0 else b"")
    return program if program.stat().st_size else None


def expected_output(program, model):
    """What gcc's program prints, or None where it does not end in time."""
    cached = program.with_suffix(f".{model}.expected")
    if not cached.exists():
        result = compile_and_run(program, ["-O0", "-fwrapv", MODELS[model][0]])
        cached.write_bytes(b"" if result.status is None else result.output)
    return cached.read_bytes() or None


def compile_and_run(program, flags, limit=GCC_LIMIT_SECONDS):
    binary = program.with_suffix(".".join(["", *(flag.strip("-").replace("=", "-") for flag in flags)]))
    command = ["gcc", "-w", *flags, f"-I{HEADERS}", str(program), "-o", str(binary)]
    built = process.call(command, 300)
    if built.status != 0:
        raise RuntimeError(f"{shlex.join(command)}: {built.messages}")
    result = process.call([str(binary)], limit)
    binary.unlink()
    return result


def without_single_meaning(program, width, expected):
    """Why gcc's own answer is not the only one: the evidence, or None."""
    report = compile_and_run(program, ["-O0", "-g", "-fsanitize=undefined,address", width], 60).messages
    complaints = [line for line in report.splitlines()
                  if "runtime error" in line or "ERROR: AddressSanitizer" in line]
    if complaints:
        return "\n".join(complaints)
    for level in ("-O1", "-O2", "-O3"):
        other = compile_and_run(program, [level, "-fwrapv", width])
        if other.status is not None and other.output != expected:
            return f"gcc {level} -fwrapv prints something else than gcc -O0 -fwrapv"
    return None


def compare(binary, program, model):
    """(outcome, evidence)"""
    width, flag = MODELS[model]
    expected = expected_output(program, model)
    if expected is None:
        return "gcc-slow", ""
    command = [binary, "run", flag, f"-I{HEADERS}", "--step-limit", str(STEP_LIMIT), str(program)]
    result = process.call(command, RUN_LIMIT_SECONDS)
    code, actual, messages = result.status, result.output, result.messages
    if code is None or code < 0 or "panicked at" in messages:
        return "crash", messages
    if code == 3 and "step limit" in messages:
        return "step-limit", ""
    if code in (2, 3):
        return "refused", messages
    if actual == expected:
        return "equal", ""
    evidence = without_single_meaning(program, width, expected)
    if evidence:
        return "undefined", evidence
    return "MISMATCH", f"expected:\n{expected.decode()}\nactual:\n{actual.decode('utf8', 'replace')}\n{messages}"


def one_seed(task):
    binary, seed, options, work = task
    program = generate(seed, options, work)
    results = []
    for model in MODELS if program else []:
        for old in work.glob(f"{seed}.{model}.*.txt"):
            old.unlink()
        outcome, evidence = compare(binary, program, model)
        results.append((model, outcome))
        if outcome not in ("equal", "gcc-slow"):
            (work / f"{seed}.{model}.{outcome}.txt").write_text(evidence)
    return seed, results


def main():
    parser = argparse.ArgumentParser(usage=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--summary", type=pathlib.Path)
    parser.add_argument("--csmith-options", default="")
    options = parser.parse_args()
    temporary = tempfile.TemporaryDirectory()
    work = options.work or pathlib.Path(temporary.name)
    work.mkdir(parents=True, exist_ok=True)
    binary, extra = str(options.binary.resolve()), shlex.split(options.csmith_options)
    tasks = [(binary, seed, extra, work) for seed in range(options.first, options.first + options.count)]

    counts = {model: collections.Counter() for model in MODELS}
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        for seed, results in pool.map(one_seed, tasks):
            if not results:
                print(f"seed {seed}: csmith gives no program")
            for model, outcome in results:
                counts[model][outcome] += 1
                if outcome not in ("equal", "gcc-slow"):
                    print(f"seed {seed} {model}: {outcome}", flush=True)
    rows = [["model", "programs", *OUTCOMES]]
    rows += [[model, str(sum(count.values())), *(str(count[o]) for o in OUTCOMES)] for model, count in counts.items()]
    for row in rows:
        print("  ".join(cell.rjust(10) for cell in row))
    if options.summary:
        options.summary.write_text("".join("\t".join(row) + "\n" for row in rows))
    raise SystemExit(any(count["MISMATCH"] + count["crash"] for count in counts.values()))


if __name__ == "__main__":
    main()
