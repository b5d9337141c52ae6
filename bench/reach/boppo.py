#!/usr/bin/env python3
"""Runs `counterpoint reach` on the boppo regression tests of SATABS and compares the verdicts.

usage: boppo.py COUNTERPOINT FOLDER

FOLDER is regression/boppo of a checkout of github.com/martin-cs/SATABS. Each test.desc names the file, the options and
regular expressions for lines of the output. Tests about threads are expected to be refused and are listed.
"""

import pathlib
import re
import subprocess
import sys

VERDICTS = {
    0: "VERIFICATION SUCCESSFUL",
    1: "VERIFICATION FAILED",
    2: "bad input",
    3: "unknown",
}


def main() -> int:
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    passed, refused, failed = 0, [], []
    for description in sorted(folder.glob("*/test.desc")):
        lines = description.read_text().splitlines()
        expected = [line for line in lines[3 : lines.index("--")] if not re.match(r"\^(EXIT|SIGNAL)", line)]
        options = [option for option in lines[2].split() if option not in ("--por", "--tvs")]
        program = description.parent / lines[1].strip()
        run = subprocess.run(
            [tool, "reach", str(program), *options], capture_output=True, text=True, check=False, timeout=120
        )
        output = run.stdout.splitlines() + [VERDICTS.get(run.returncode, f"exit {run.returncode}")]
        if run.returncode == 3 and "threads are not supported" in run.stdout:
            reason = run.stderr.splitlines()[0].removeprefix("error: ")
            refused.append(f"{description.parent.name}: {reason}")
        elif all(any(re.search(pattern, line) for line in output) for pattern in expected):
            passed += 1
        else:
            failed.append(f"{description.parent.name}: expected {expected}, got {output[-2:]}")
    print(f"{passed} as expected, {len(failed)} not, {len(refused)} not run (threads)")
    for line in failed:
        print("  FAILED", line)
    for line in refused:
        print("  not run", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
