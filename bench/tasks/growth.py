#!/usr/bin/env python3
"""How processor time and memory grow with the size of a program.

examples:
  growth.py target/release/counterpoint
  growth.py target/release/counterpoint --tasks TASKS --arguments "--engine auto"
  growth.py target/release/counterpoint handshake driver --cpu 30

Series: `locks` (test_locks_5 to 15) and `token_ring` (1 to 15) are families of TASKS, those whose label is *true*; `handshake` (a server with 5 to 40
states) and `driver` (1 to 16 copies of a driver's functions) are written here. Of each series the exponent k is printed for which
the time is closest to c * size^k (least squares of the logarithms, sizes that were decided rightly, times of at least 0.05 s), and
the most memory that was resident.
"""
import argparse
import csv
import math
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

import run

# Below it, starting a process is what is measured.
SHORTEST = 0.05
SERIES = ["locks", "token_ring", "handshake", "driver"]


def handshake(states):
    """A server that goes from state to state, stays where it is while a message is not complete, and keeps what the message before was."""
    cases = "".join(f"""        case {4096 + 16 * state}:
            if (__VERIFIER_nondet_int()) break;
            if (last != {state % 4}) __VERIFIER_error();
            last = {(state + 1) % 4};
            state = {4096 + 16 * (state + 1)};
            break;
""" for state in range(states))
    return f"""extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {{
    int state = 4096, last = 0;
    while (1) {{
        switch (state) {{
{cases}        default:
            return 0;
        }}
    }}
}}
"""


def driver(copies):
    """A driver whose functions take a lock, change a reference count, and give it back; as often as asked for, all called in a loop."""
    functions = "\n".join(f"""struct device_{k} {{ int users; int ready; int pending; }};
static struct device_{k} device_{k};
static int probe_{k}(void) {{
    acquire();
    if (!__VERIFIER_nondet_int()) {{ release(); return -12; }}
    device_{k}.ready = 1;
    release();
    return 0;
}}
static int open_{k}(void) {{
    int result = -19;
    acquire();
    if (device_{k}.ready) {{ device_{k}.users++; result = 0; }}
    release();
    return result;
}}
static void interrupt_{k}(void) {{
    if (device_{k}.pending) {{
        acquire();
        device_{k}.pending = 0;
        release();
    }}
}}
static void close_{k}(int opened) {{
    if (opened == 0) {{
        acquire();
        if (--device_{k}.users == 0) device_{k}.ready = 0;
        release();
    }}
}}
""" for k in range(copies))
    calls = "\n".join(f"""        case {k}: {{
            int opened;
            if (probe_{k}() != 0) break;
            opened = open_{k}();
            interrupt_{k}();
            close_{k}(opened);
            break;
        }}""" for k in range(copies))
    return f"""extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
static int held;
static void acquire(void) {{ if (held) __VERIFIER_error(); held = 1; }}
static void release(void) {{ if (!held) __VERIFIER_error(); held = 0; }}
{functions}
int main(void) {{
    while (__VERIFIER_nondet_int()) {{
        switch (__VERIFIER_nondet_int()) {{
{calls}
        default: break;
        }}
    }}
    return 0;
}}
"""


def programs(series, options, folder):
    """Sizes with the program of each and more options for it."""
    written = {"handshake": (handshake, [5, 10, 15, 20, 25, 30, 40]), "driver": (driver, [1, 2, 4, 8, 16])}
    if series in written:
        write, sizes = written[series]
        for size in sizes:
            path = folder / f"{series}_{size}.c"
            path.write_text(write(size), encoding="utf8")
            yield size, path, []
        return
    if options.tasks is None:
        return
    family, pattern = {"locks": ("locks", r"test_locks_(\d+)"), "token_ring": ("systemc", r"token_ring\.(\d+)\.")}[series]
    with open(options.tasks / "tasks.tsv", encoding="utf8", newline="") as file:
        tasks = [task for task in csv.DictReader(file, delimiter="\t") if task["family"] == family and task["expected"] == "true"]
    found = {}
    for task in tasks:
        match = re.search(pattern, os.path.basename(task["path"]))
        if match:
            found.setdefault(int(match[1]), task)
    for size, task in sorted(found.items()):
        yield size, options.tasks / task["path"], [run.DATA_MODELS[task["data_model"]]]


def measure(options, path, more):
    """The verdict, processor seconds and MiB of a check."""
    command = [str(options.binary.resolve()), "check", *more, *run.CONVENTIONS, "--no-explain", "--memory-limit", options.memory, *options.arguments, str(path)]

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (options.cpu, options.cpu + 1))

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    output = process.stdout.read().decode("utf8", "replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    match = re.search(r"^Verification result: (\w+)", output, re.MULTILINE)
    verdict = match[1].lower() if match else "out of time" if process.returncode < 0 else "no verdict"
    return verdict, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def exponent(points):
    """k and c of the closest c * size^k."""
    logs = [(math.log(size), math.log(max(value, SHORTEST))) for size, value in points]
    if len(logs) < 2:
        return None
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs))
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("series", nargs="*", metavar="SERIES", help=f"of {', '.join(SERIES)} [all]")
    parser.add_argument("--tasks", type=pathlib.Path, help="the folder with tasks.tsv, for locks and token_ring")
    parser.add_argument("--cpu", type=int, default=60, metavar="SECONDS", help="processor time for each program [60]")
    parser.add_argument("--memory", default="4GiB", metavar="SIZE", help="limit for each program [4GiB]")
    parser.add_argument("--arguments", type=shlex.split, default=["--engine", "slam"], metavar="OPTIONS",
                        help="options for the tool [--engine slam]")
    options = parser.parse_intermixed_args()
    if unknown := set(options.series) - set(SERIES):
        sys.exit(f"no series {', '.join(sorted(unknown))}; there are {', '.join(SERIES)}")
    summary = []
    with tempfile.TemporaryDirectory() as folder:
        for series in options.series or SERIES:
            times, peak = [], 0
            for size, path, more in programs(series, options, pathlib.Path(folder)):
                verdict, cpu, memory = measure(options, path, more)
                print(f"{series} {size}: {verdict}, {cpu:.2f} s, {memory} MiB", flush=True)
                peak = max(peak, memory)
                if verdict == "true":
                    times.append((size, cpu))
                else:
                    break
            k = exponent(times)
            sizes = f"{times[0][0]} to {times[-1][0]}" if times else "-"
            summary.append(f"| {series} | {sizes} | {'-' if k is None else f'{k:.2f}'} | {peak} |")
    print("\n| series | decided sizes | exponent | peak MiB |\n|---|---|---:|---:|", *summary, sep="\n")


if __name__ == "__main__":
    main()
