#!/usr/bin/env python3
"""Validate witnesses that other tools' regression suites have, and compare with the answers that validators must give.

example:
  others.py target/release/counterpoint --cpachecker CHECKOUT --goblint CHECKOUT --sv-witnesses CHECKOUT

A valid witness is to be confirmed (an answer that is not reached is counted, but not wrong); one that is not valid must not be.
"""
import argparse
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

# Suite, program, witness, what must not be contradicted (true, false: it is valid; invalid), and options.
CPACHECKER = "test/programs/witness-v2-validation"
SMOKE = "scripts/sv-comp/smoketests"
VIOLATION = "tests/regression/witness/violation.t"
OLD_ERROR = ["--error-function", "__VERIFIER_error", "--external", "pure"]
CASES = [
    *[("cpachecker", f"{CPACHECKER}/simple.c", f"{CPACHECKER}/simple-invalid-witness-v2--{n}.yml", "invalid", [])
      for n in (1, 2, 3, 4)],
    *[("cpachecker", f"{CPACHECKER}/simple.c", f"{CPACHECKER}/simple-valid-witness-v2--{n}.yml", "true", [])
      for n in (1, 2)],
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-correct.yml", "true", []),
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-imprecise.yml", "true", []),
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-incorrect.yml", "invalid", []),
    ("goblint", f"{VIOLATION}/correct.c", f"{VIOLATION}/correct.yml", "invalid", []),
    ("goblint", f"{VIOLATION}/correct-hard.c", f"{VIOLATION}/correct-hard.yml", "invalid", []),
    ("goblint", f"{VIOLATION}/incorrect.c", f"{VIOLATION}/incorrect.yml", "false", []),
    *[("sv-witnesses", "multivar_true-unreach-call1.i", f"multivar_true-unreach-call1{by}.graphml", "true", OLD_ERROR)
      for by in ("", ".ultimateautomizer")],
    *[("sv-witnesses", "minepump_spec1_product33_false-unreach-call_false-termination.cil.c",
       f"minepump_spec1_product33_false-unreach-call_false-termination.cil{by}.graphml", "false", OLD_ERROR)
      for by in ("", ".ultimateautomizer")],
    *[("sv-witnesses", f"test-harnesses/example-{n}.i", f"test-harnesses/example-{n}-witness.graphml", "false", OLD_ERROR)
      for n in (1, 2)],
    # The second is about overflow, which there is none of.
    *[("sv-witnesses", f"lint/test/program/simple/{name}.c", f"lint/test/program/simple/{name}.yml.graphml", "true", [])
      for name in ("simple_correct", "simple_incorrect")],
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    for suite in ("cpachecker", "goblint", "sv-witnesses"):
        parser.add_argument(f"--{suite}", type=pathlib.Path, metavar="DIR", help=f"a checkout of {suite}")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="limit for each witness [60]")
    return parser.parse_args()


def main():
    options = arguments()
    wrong = confirmed = refused = open_ = 0
    with tempfile.TemporaryDirectory() as temporary:
        for suite, program, witness, expected, flags in CASES:
            folder = getattr(options, suite.replace("-", "_"))
            if folder is None:
                continue
            program, text = folder / program, (folder / witness).read_text()
            digest = hashlib.sha256(program.read_bytes()).hexdigest()
            copy = pathlib.Path(temporary) / pathlib.Path(witness).name
            copy.write_text(re.sub(r"\b[0-9a-f]{64}\b", digest, text))
            command = [options.binary, "validate", program, "--witness", copy, "--time-limit", f"{options.time}s", "--no-progress", *flags]
            printed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
            last = (printed.stdout.strip() or printed.stderr.strip()).splitlines()[-1]
            is_confirmed = "the witness is confirmed" in printed.stdout
            answer = {0: "true", 1: "false"}.get(printed.returncode, "none")
            is_wrong = is_confirmed and answer != expected
            if expected in ("true", "false") and not is_confirmed and answer not in ("none", expected):
                is_wrong = True
            wrong += is_wrong
            confirmed += is_confirmed
            refused += not is_confirmed and expected == "invalid"
            open_ += not is_confirmed and expected != "invalid"
            print(f"{'WRONG ' if is_wrong else ''}{suite} {pathlib.Path(witness).name}: {expected}; {last}", flush=True)
    print(f"{wrong} wrong, {confirmed} confirmed, {refused} refused that are not valid, {open_} valid ones without an answer")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
