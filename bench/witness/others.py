#!/usr/bin/env python3
"""Validate witnesses that other tools' regression suites have, and compare with the answers that validators must give.

example:
  others.py target/release/counterpoint --cpachecker CHECKOUT --esbmc CHECKOUT --goblint CHECKOUT --sv-witnesses CHECKOUT

A valid witness is to be confirmed (an answer that is not reached is counted, but not wrong); one that is not valid must not be. Of
ESBMC the tests of its validator are taken, which are the validation tasks of the verification competition; they say which answer it has
to give. Of Goblint's witnesses the comments in the programs say so, or it is plain: those of its tests of false invariants are not valid.
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
UNASSUME = "tests/regression/56-witness"
# Those of programs without threads.
INVARIANTS = [
    "03-int-log-short", "07-base-lor-interval", "10-apron-unassume-interval", "11-base-unassume-interval", "12-apron-unassume-branch",
    "13-base-unassume-branch", "16-base-unassume-dependent", "17-base-unassume-tauto", "19-base-unassume-mem",
    "20-apron-unassume-global", "25-apron-unassume-strengthening", "26-mine-tutorial-ex4.6", "27-mine-tutorial-ex4.7",
    "28-mine-tutorial-ex4.8", "29-mine-tutorial-ex4.10", "31-base-unassume-mem-ex", "32-base-unassume-lor-addr",
    "33-base-unassume-lor-enums", "35-hh-ex1b", "36-hh-ex2b", "37-hh-ex3", "38-bh-ex3", "39-bh-ex-add", "40-bh-ex1-poly", "41-as-hybrid",
    "44-base-unassume-array", "45-apron-tracked-global-annot", "48-apron-unassume-no-strengthening", "63-hh-ex3-term",
    "70-apron-unassume-set-tokens", "74-var_eq-unassume-interval", "75-var_eq-unassume-equal", "76-apron-unassume-extra-trivial",
]
FALSE_INVARIANTS = [
    "01-base-lor-enums", "02-base-lor-addr", "18-base-unassume-contra", "42-base-unassume-precheck", "43-apron-unassume-precheck",
]
# These witnesses do not say what they are about beside their invariants.
GOBLINT = ["--property", "unreach-call", "-Ilib/goblint/runtime/include", "-D__goblint_assume=__VERIFIER_assume"]
VALIDATED = "regression/witnesses_validate"
OLD_ERROR = ["--error-function", "__VERIFIER_error", "--external", "pure"]
CASES = [
    *[("cpachecker", f"{CPACHECKER}/simple.c", f"{CPACHECKER}/simple-invalid-witness-v2--{n}.yml", "invalid", [])
      for n in (1, 2, 3, 4)],
    *[("cpachecker", f"{CPACHECKER}/simple.c", f"{CPACHECKER}/simple-valid-witness-v2--{n}.yml", "true", [])
      for n in (1, 2)],
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-correct.yml", "true", []),
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-imprecise.yml", "true", []),
    ("goblint", f"{SMOKE}/mine2017-ex4.6.c", f"{SMOKE}/mine2017-ex4.6-witness-incorrect.yml", "invalid", []),
    *[("goblint", f"{UNASSUME}/{name}.c", f"{UNASSUME}/{name}.yml", "invalid" if name in FALSE_INVARIANTS else "true", GOBLINT)
      for name in INVARIANTS + FALSE_INVARIANTS],
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


def tests_of_esbmc(folder):
    """The tests of its validator: a witness is valid if it comes to the witness's own answer."""
    for description in sorted((folder / VALIDATED).glob("*/*/test.desc")):
        text = description.read_text()
        says_true = "^VERIFICATION SUCCESSFUL$" in text
        is_proof = "--validate-correctness-witness" in text
        expected = ("true" if is_proof else "false") if says_true == is_proof else "invalid"
        test = description.parent.relative_to(folder)
        yield "esbmc", test / text.splitlines()[1], test / "witness.yml", expected, []


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    for suite in ("cpachecker", "esbmc", "goblint", "sv-witnesses"):
        parser.add_argument(f"--{suite}", type=pathlib.Path, metavar="DIR", help=f"a checkout of {suite}")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="limit for each witness [60]")
    return parser.parse_args()


def main():
    options = arguments()
    binary = options.binary.resolve()
    cases = [*CASES, *(tests_of_esbmc(options.esbmc) if options.esbmc else [])]
    wrong = confirmed = refused = open_ = 0
    with tempfile.TemporaryDirectory() as temporary:
        for suite, program, witness, expected, flags in cases:
            folder = getattr(options, suite.replace("-", "_"))
            if folder is None:
                continue
            folder = folder.resolve()
            program, text = folder / program, (folder / witness).read_text()
            digest = hashlib.sha256(program.read_bytes()).hexdigest()
            copy = pathlib.Path(temporary) / pathlib.Path(witness).name
            copy.write_text(re.sub(r"\b[0-9a-f]{64}\b", digest, text))
            command = [binary, "validate", program, "--witness", copy, "--time-limit", f"{options.time}s", "--no-progress", *flags]
            printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
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
            print(f"{'WRONG ' if is_wrong else ''}{suite} {witness}: {expected}; {last}", flush=True)
    print(f"{wrong} wrong, {confirmed} confirmed, {refused} refused that are not valid, {open_} valid ones without an answer")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
