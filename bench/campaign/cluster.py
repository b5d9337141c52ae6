#!/usr/bin/env python3
"""Make a campaign on this machine and on a Slurm cluster of four nodes that loses one in the middle, and compare.

usage: cluster.py COUNTERPOINT PLAN.toml

The cluster is that of tests/slurm/cluster.sh, on the loopback address. Ends with status 1 if the tables differ.
"""
import csv
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tests/slurm/cluster.sh"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        cluster = pathlib.Path(folder) / "cluster"
        os.environ["SLURM_CONF"] = str(cluster / "slurm.conf")

        def campaign(results, *arguments):
            command = [sys.argv[1], "campaign", sys.argv[2], "-o", str(pathlib.Path(folder) / results), *arguments]
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        began = time.monotonic()
        here, _ = campaign("here").communicate()
        print(f"here: {time.monotonic() - began:.1f} s", flush=True)
        subprocess.run(["bash", SCRIPT, "up", cluster], check=True)
        try:
            began = time.monotonic()
            run = campaign("there", "--on", "slurm")
            answered = pathlib.Path(folder).glob
            with open(pathlib.Path(folder) / "here/results.csv", newline="") as file:
                checks = sum(1 for _ in csv.DictReader(file))
            while run.poll() is None and len(list(answered("there/slurm/*/answers/*.json"))) < checks // 2:
                time.sleep(0.2)
            subprocess.run(["bash", SCRIPT, "kill", cluster, "n2"], check=True)
            answers = len(list(answered("there/slurm/*/answers/*.json")))
            print(f"n2 is killed after {time.monotonic() - began:.1f} s, when {answers} of {checks} answers were there", flush=True)
            there, said = run.communicate()
            print(f"on the cluster: {time.monotonic() - began:.1f} s")
        finally:
            subprocess.run(["bash", SCRIPT, "down", cluster], check=True)
        print(said.strip().splitlines()[-2])
        print("the tables are the same" if here == there else "THE TABLES DIFFER")
        for line in difflib.unified_diff(here.splitlines(), there.splitlines(), "here", "there", n=0, lineterm=""):
            print(line)
        sys.exit(here != there)


if __name__ == "__main__":
    main()
