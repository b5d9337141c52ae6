#!/usr/bin/env python3
"""Run the examples of a Markdown file and compare what they print with what the file says they print.

usage: readme.py FILE.md

An example is a ```console block: lines that start with "$ " are commands, the lines below each are what it prints on
both of its streams. Commands run in the folder of the file. Prints "PASSED FAILED" on standard output, differences on
standard error, and ends with status 1 when any example differs or when there is none.
"""
import difflib
import pathlib
import re
import subprocess
import sys

LIMIT_SECONDS = 300


def examples(text):
    """Yields (command, expected output) for each command of each console block."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            yield command, expected


def printed_by(command, folder):
    try:
        done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"(no end within {LIMIT_SECONDS} s)\n"
    return done.stdout.decode("utf8", "replace")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    file = pathlib.Path(sys.argv[1])
    passed = failed = 0
    for command, expected in examples(file.read_text()):
        actual = printed_by(command, file.resolve().parent)
        if actual == expected:
            passed += 1
            continue
        failed += 1
        print(f"{file}: `{command}` does not print what is written there:", file=sys.stderr)
        sys.stderr.writelines(line if line.endswith("\n") else line + "\n" for line in difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True), "expected", "actual"))
    if passed + failed == 0:
        failed = 1
        print(f"{file}: no ```console block to run", file=sys.stderr)
    print(passed, failed)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
