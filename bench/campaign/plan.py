#!/usr/bin/env python3
"""Make a campaign of public programs: copies of some tasks, and a plan that checks each for all rules of the library.

usage: plan.py TASKS FOLDER [--programs 200] [--time 10s]

TASKS is a folder with a table `tasks.tsv`, as bench/tasks/layout.py makes it. The programs are taken from all families in turn, the
smallest first. They are copied, so that they can be edited.
"""
import argparse
import csv
import pathlib
import shutil


def chosen(tasks, number):
    """Paths and data models of the smallest programs of each family, one of each in turn."""
    families = {}
    with open(tasks / "tasks.tsv", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            families.setdefault(row["family"], []).append(row)
    for rows in families.values():
        rows.sort(key=lambda row: ((tasks / row["path"]).stat().st_size, row["path"]))
    taken = []
    for turn in range(max(map(len, families.values()))):
        for family in sorted(families):
            if turn < len(families[family]) and len(taken) < number:
                row = families[family][turn]
                taken.append((tasks / row["path"], f"{family}-{pathlib.Path(row['path']).name}", row["data_model"]))
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--time", default="10s")
    options = parser.parse_args()
    plan = f'checks = ["rules"]\n\n[limits]\ntime = "{options.time}"\nmemory = "1GiB"\n'
    for model, flag in ("ILP32", "--32"), ("LP64", "--64"):
        files = []
        for path, name, its_model in chosen(options.tasks, options.programs):
            if its_model == model:
                folder = options.folder / model
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / name)
                files.append(name)
        if files:
            plan += f'\n[[programs]]\nfiles = "{model}/*"\narguments = "{flag}"\n'
    (options.folder / "plan.toml").write_text(plan)


if __name__ == "__main__":
    main()
