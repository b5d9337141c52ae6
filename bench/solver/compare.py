#!/usr/bin/env python3
"""Reads the output of `solver-bench queries` and asks Bitwuzla the same; prints how often the two answers differ.

Run it with a Python that has the package `bitwuzla`; see README.md.
"""

import sys

import bitwuzla


def second_answer(script):
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 2000)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse("(set-logic ALL)\n" + script, True, False)
    return str(parser.bitwuzla().check_sat()).lower().split(".")[-1]


def main():
    same = wrong = undecided = failed = 0
    lines = iter(sys.stdin)
    for head in lines:
        if not head.strip():
            continue
        ours, length = head.split()
        script = "".join(next(lines) for _ in range(int(length)))
        try:
            theirs = second_answer(script)
        except Exception as error:  # a construct that the other solver does not read
            failed += 1
            if failed <= 3:
                print(f"not read: {error}", file=sys.stderr)
            continue
        if "unknown" in (ours, theirs):
            undecided += 1
        elif ours == theirs:
            same += 1
        else:
            wrong += 1
            print(f"ours {ours}, theirs {theirs}:\n{script}")
    print(f"{same} same, {wrong} different, {undecided} undecided by one of the two, {failed} not read by the second")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
