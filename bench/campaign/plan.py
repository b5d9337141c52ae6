#!/usr/bin/env python3
"""Make a campaign of public programs: copies of some tasks, and a plan that checks each for all rules of the library and its assertions.

usage: plan.py TASKS FOLDER [--programs 200] [--time 10s] [--settled RESULTS.csv]

TASKS is a folder with a table `tasks.tsv`, as bench/tasks/layout.py makes it. The programs are taken from all families in turn, the
smallest first. They are copied, so that they can be edited.

Whether a check ends just before its limit or just after it is chance on a machine with other work. Where tables are to be compared to the
byte, no answer may hinge on that: with the results of an earlier campaign, only programs are taken all of whose checks ended in it by
themselves. The limit of the new campaign is to be many times that of the earlier one.
"""
import argparse
import csv
import pathlib
import shutil


def name_of(row):
    return f"{row['data_model']}/{row['family']}-{pathlib.Path(row['path']).name}"


# What is settled takes no more: engines share out the time that there is, and late answers come otherwise where there is more.
SECONDS = 2.5
BYTES = 512 << 20


def settled(results):
    """The programs of earlier results whose answers do not hinge on a limit."""
    programs = {}
    with open(results, newline="") as file:
        for row in csv.DictReader(file):
            # Who is stuck in the end may be out of time before.
            is_limited = row["kind"] in ("time", "memory", "stuck") or float(row["wall_seconds"]) > SECONDS
            is_settled = not is_limited and int(row["memory_bytes"] or 0) < BYTES
            programs[row["program"]] = programs.get(row["program"], True) and is_settled
    return {program for program, is_settled in programs.items() if is_settled}


def chosen(tasks, number, known):
    """The smallest programs of each family, one of each in turn; if some are known to be settled, only those."""
    families = {}
    with open(tasks / "tasks.tsv", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if known is None or name_of(row) in known:
                families.setdefault(row["family"], []).append(row)
    for rows in families.values():
        rows.sort(key=lambda row: ((tasks / row["path"]).stat().st_size, row["path"]))
    taken = []
    for turn in range(max(map(len, families.values()))):
        for family in sorted(families):
            if turn < len(families[family]) and len(taken) < number:
                taken.append(families[family][turn])
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--time", default="10s")
    parser.add_argument("--settled", type=pathlib.Path, metavar="RESULTS.csv")
    options = parser.parse_args()
    plan = f'checks = ["rules", "assertions"]\n\n[limits]\ntime = "{options.time}"\nmemory = "1GiB"\n'
    rows = chosen(options.tasks, options.programs, settled(options.settled) if options.settled else None)
    print(f"{len(rows)} programs")
    for model, flag in ("ILP32", "--32"), ("LP64", "--64"):
        own = [row for row in rows if row["data_model"] == model]
        for row in own:
            copy = options.folder / name_of(row)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(options.tasks / row["path"], copy)
        if own:
            plan += f'\n[[programs]]\nfiles = "{model}/*"\narguments = "{flag}"\n'
    (options.folder / "plan.toml").write_text(plan)


if __name__ == "__main__":
    main()
