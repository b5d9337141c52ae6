#!/usr/bin/env python3
"""Run `counterpoint check` on verification tasks and compare its verdicts with the known ones.

examples:
  run.py target/release/counterpoint --tasks TASKS locks ntdrivers-simplified -o locks.tsv
  run.py target/release/counterpoint --tasks TASKS --set slam -o slam.tsv
  run.py target/release/counterpoint --tasks TASKS product-lines --every 30 --arguments "--cube-length 5"
  run.py target/release/counterpoint --tasks TERMINATION --property termination termination-crafted -o termination.tsv

TASKS is a folder with a file tasks.tsv, as layout.py writes it. Rows are written as they come; called again with the same
output file, the runner goes on where it stopped. Ctrl-C keeps what is done.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import hashlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import results

# Families and the step in which their tasks are taken.
SETS = {
    "slam": [("locks", 1), ("ntdrivers-simplified", 1), ("ssh-simplified", 1),
             ("svcomp13-ControlFlowInteger-MemSimple", 1), ("svcomp13-ControlFlowInteger-MemPrecise", 1),
             ("recursive-simple", 3), ("ldv-regression", 3), ("product-lines", 30)],
    "ControlFlowInteger": [("svcomp13-ControlFlowInteger-MemSimple", 1), ("svcomp13-ControlFlowInteger-MemPrecise", 1)],
}
# What the verdicts of public tasks take for granted.
CONVENTIONS = ["--external", "pure", "--assume-separate", "--malloc-never-fails", "--undefined-goes-on"]
DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}
# A tool that does not keep its own limit is ended so many seconds after it.
GRACE = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("families", nargs="*", metavar="FAMILY",
                        help="a family of tasks.tsv, or a file whose lines start with the path of a task")
    parser.add_argument("--tasks", type=pathlib.Path, required=True, help="the folder with tasks.tsv")
    parser.add_argument("--set", choices=sorted(SETS), action="append", default=[], help="a named set of families")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="take every N-th task of each family that is named (sets have their own)")
    parser.add_argument("--jobs", type=int, default=2, help="tasks at a time [2]")
    parser.add_argument("--time", type=int, default=60, metavar="SECONDS", help="limit for each task [60]")
    parser.add_argument("--memory", default="4GiB", metavar="SIZE", help="limit for each task [4GiB]")
    parser.add_argument("--property", metavar="NAME", help="check this property: a .prp file, or a name such as `termination`")
    parser.add_argument("--arguments", type=shlex.split, default=[], metavar="OPTIONS", help="more options for the tool")
    parser.add_argument("--points", choices=sorted(results.POINTS), default="2019",
                        help="2019: 2, 1, -32, -16 for a right true and false and a wrong true and false; 2013: 2, 1, -8, -4")
    parser.add_argument("--logs", type=pathlib.Path, metavar="FOLDER", help="keep what the tool prints here")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("results.tsv"), metavar="FILE")
    return parser.parse_intermixed_args()


def select(options):
    """The tasks to run, each once, in a fixed order."""
    with open(options.tasks / "tasks.tsv", encoding="utf8", newline="") as file:
        everything = list(csv.DictReader(file, delimiter="\t"))
    by_path = {task["path"]: task for task in everything}
    chosen = {}

    def take(family, step):
        members = [task for task in everything if task["family"] == family]
        if not members:
            known = ", ".join(sorted({task["family"] for task in everything}))
            sys.exit(f"no family `{family}` in {options.tasks / 'tasks.tsv'}; there are: {known}")
        chosen.update((task["path"], task) for task in members[::step])

    for name in options.set:
        for family, step in SETS[name]:
            take(family, step)
    for name in options.families:
        if not os.path.isfile(name):
            take(name, options.every)
            continue
        with open(name, encoding="utf8") as file:
            paths = [line.split()[0] for line in file if line.strip() and not line.startswith("#")]
        if paths and paths[0] == "path":
            paths.pop(0)
        for path in paths[::options.every]:
            if path not in by_path:
                sys.exit(f"{name}: `{path}` is not in {options.tasks / 'tasks.tsv'}")
            chosen[path] = by_path[path]
    if not chosen:
        sys.exit("name families, a file with tasks, or a --set")
    return list(chosen.values())


class Runner:
    """Runs the tool; at most one `stop` ends all that runs."""

    def __init__(self, options):
        self.options = options
        # The program that is run stays the same when it is built again meanwhile.
        self.binary = os.open(options.binary, os.O_RDONLY)
        with open(options.binary, "rb") as file:
            self.hash = hashlib.sha256(file.read()).hexdigest()[:16]
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def description(self):
        o = self.options
        asked = f" property={o.property}" if o.property else ""
        return f"time={o.time} memory={o.memory} arguments={shlex.join(o.arguments)!r}{asked} binary={self.hash}"

    def stop(self):
        with self.lock:
            self.stopped = True
            for pid in self.running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)

    def end_late(self, pid, late):
        with self.lock:
            if pid in self.running:
                late.set()
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)

    def command(self, task):
        o = self.options
        # The categories of 2013 have an error label, the later families a function that the tool knows.
        label = ["--error-label", "ERROR"] if task["family"].startswith("svcomp13-") else []
        asked = ["--property", o.property] if o.property else label
        return [str(o.binary), "check", DATA_MODELS[task["data_model"]], *CONVENTIONS, *asked, "--stats", "--no-explain", "--time-limit", f"{o.time}s",
                "--memory-limit", o.memory, *o.arguments, str(o.tasks / task["path"])]

    def run(self, task):
        """The row of a task, or None when everything is to stop."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
            with self.lock:
                if self.stopped:
                    return None
                start = time.monotonic()
                process = subprocess.Popen(self.command(task), executable=f"/proc/self/fd/{self.binary}",
                                           pass_fds=(self.binary,), stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=messages, start_new_session=True)
                self.running.add(process.pid)
            late = threading.Event()
            alarm = threading.Timer(self.options.time + GRACE, self.end_late, (process.pid, late))
            alarm.start()
            # The process stays in the table, so that nothing else gets its number before the lock is held.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            with self.lock:
                self.running.discard(process.pid)
                _, status, usage = os.wait4(process.pid, 0)
                stopped = self.stopped
            wall = time.monotonic() - start
            alarm.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            if stopped:
                return None
            output.seek(0)
            messages.seek(0)
            texts = [file.read().decode("utf8", "replace") for file in (output, messages)]
        if self.options.logs:
            folder = self.options.logs / task["family"]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / (os.path.basename(task["path"]) + ".log")).write_text("".join(reversed(texts)), encoding="utf8")
        verdict, reason = read_verdict(texts[0], texts[1], process.returncode, late.is_set())
        iterations = re.findall(r"^iteration (\d+): (\d+) predicates", texts[1], re.MULTILINE)
        return {
            "family": task["family"],
            "task": os.path.basename(task["path"]),
            "expected": task["expected"],
            "verdict": verdict,
            "judgement": results.judge(task["expected"], verdict),
            "reason": " ".join(reason.split()) or "-",
            "points": results.points(self.options.points, task["expected"], verdict),
            "cpu": f"{usage.ru_utime + usage.ru_stime:.2f}",
            "wall": f"{wall:.2f}",
            "rss_mib": usage.ru_maxrss // 1024,
            "iterations": iterations[-1][0] if iterations else 0,
            "predicates": iterations[-1][1] if iterations else 0,
            "evidence": "yes" if re.search(r"^evidence checked: ", texts[1], re.MULTILINE) else "no",
        }


def read_verdict(output, messages, code, late):
    """The verdict counts only as the last line and with the exit status that belongs to it."""
    if late:
        return "unknown", "ended by the runner: the tool did not keep its time limit"
    if code < 0:
        return "unknown", f"crash: {signal.Signals(-code).name}"
    last = output.rstrip("\n").rsplit("\n", 1)[-1]
    match = re.fullmatch(r"Verification result: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?", last)
    if not match:
        first = next((line for line in messages.split("\n") if "error" in line or "panicked" in line), "no verdict")
        return "unknown", f"exit status {code}: {first}"
    if code != {"TRUE": 0, "FALSE": 1, "UNKNOWN": 3}[match.group(1)]:
        return "unknown", f"exit status {code} with {last}"
    return match.group(1).lower(), match.group(2) or ""


def main():
    options = arguments()
    tasks = select(options)
    runner = Runner(options)
    done = {}
    if options.output.exists():
        comment, done = results.read(options.output)
        if comment != runner.description():
            sys.exit(f"{options.output} was made differently; remove it or write elsewhere:\n"
                     f"  there: {comment}\n  now:   {runner.description()}")
    chosen = [(task["family"], os.path.basename(task["path"])) for task in tasks]
    left = [task for task, key in zip(tasks, chosen) if key not in done]
    print(f"{len(tasks)} tasks, {len(tasks) - len(left)} of them done before", file=sys.stderr)
    # Written anew, so that a line that was cut off is gone.
    with open(options.output, "w", encoding="utf8") as file:
        file.write(f"# {runner.description()}\n" + "\t".join(results.COLUMNS) + "\n")
        file.writelines(results.line(row) for row in done.values())
        file.flush()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(runner.run, task) for task in left]
            try:
                for number, future in enumerate(concurrent.futures.as_completed(waiting), 1):
                    row = future.result()
                    done[row["family"], row["task"]] = row
                    file.write(results.line(row))
                    file.flush()
                    mark = "  WRONG" if row["judgement"] == "wrong" else ""
                    print(f"[{number}/{len(left)}] {row['family']}/{row['task']}: {row['verdict']} {row['reason']} "
                          f"{row['cpu']} s{mark}", file=sys.stderr)
            except BaseException as stop:
                # A second Ctrl-C does not keep the rest from being put in order.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for future in waiting:
                    future.cancel()
                runner.stop()
                if not isinstance(stop, KeyboardInterrupt):
                    raise
                print("stopped; what is done is kept", file=sys.stderr)
    for line in results.table([done[key] for key in chosen if key in done], options.points):
        print(line)


if __name__ == "__main__":
    main()
