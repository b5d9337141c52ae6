#!/usr/bin/env python3
"""Make the same campaign one check at a time, and two at a time.

usage: throughput.py COUNTERPOINT PLAN.toml
"""
import pathlib
import subprocess
import sys
import tempfile
import time


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    seconds = {}
    with tempfile.TemporaryDirectory() as folder:
        for jobs in 1, 2:
            began = time.monotonic()
            results = pathlib.Path(folder) / str(jobs)
            subprocess.run([sys.argv[1], "campaign", sys.argv[2], "-o", results, "--jobs", str(jobs)], capture_output=True)
            seconds[jobs] = time.monotonic() - began
            print(f"{jobs} at a time: {seconds[jobs]:.1f} s", flush=True)
    print(f"two cores have {seconds[1] / seconds[2]:.2f} times the throughput of one")


if __name__ == "__main__":
    main()
