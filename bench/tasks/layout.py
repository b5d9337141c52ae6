#!/usr/bin/env python3
"""Lay out verification tasks of the public SV-COMP collection with their expected verdicts.

usage: layout.py GIT_DIR OUT [FAMILY...]

GIT_DIR is the git directory of a clone of github.com/yanxx297/sv-benchmarks, a copy of the collection up to July 2019.
Writes OUT/tasks/FAMILY/PROGRAM and OUT/tasks.tsv: path, family, whether the error is unreachable, data model. The families
svcomp13-* are categories of 2013 as they were scored: their error is the label ERROR; in the others it is a call of
__VERIFIER_error. None of the programs belongs in this repository.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "frontend"))
import svcomp  # noqa: E402 (found through the line above)


def tasks_2019(tree, wanted):
    for family in (f for f in svcomp.FAMILIES_2019 if not wanted or f in wanted):
        makefile = (tree.read(f"c/{family}/Makefile") or b"").decode()
        model = "LP64" if re.search(r"CC\.Arch\s*:=\s*64", makefile) else "ILP32"
        for path in sorted(p for p in tree.blobs if re.fullmatch(rf"c/{family}/[^/]+\.yml", p)):
            task = tree.read(path).decode()
            program = re.search(r"^input_files:\s*['\"]?([^'\"\s]+)['\"]?\s*$", task, re.MULTILINE)
            verdict = re.search(r"unreach-call\.prp['\"]?\s+expected_verdict:\s*(true|false)", task)
            if program and verdict:
                name = program.group(1)
                yield family, name.split("/")[-1], tree.read(f"c/{family}/{name}"), verdict.group(1), model


def tasks_2013(tree, wanted):
    for family, name, text in svcomp.programs_2013(tree):
        if not wanted or family in wanted:
            yield family, name, text, "false" if "_unsafe" in name else "true", "ILP32"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    git_dir, out, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), set(sys.argv[3:])
    rows, absent = set(), 0
    for tasks in (tasks_2019(svcomp.Tree(git_dir, svcomp.COMMIT_2019), wanted),
                  tasks_2013(svcomp.Tree(git_dir, svcomp.TAG_2013), wanted)):
        for family, name, text, verdict, model in tasks:
            if text is None:
                absent += 1
                continue
            (out / "tasks" / family).mkdir(parents=True, exist_ok=True)
            (out / "tasks" / family / name).write_bytes(text)
            rows.add((f"tasks/{family}/{name}", family, verdict, model))
    with open(out / "tasks.tsv", "w", encoding="utf8") as table:
        table.write("path\tfamily\texpected\tdata_model\n")
        table.writelines("\t".join(row) + "\n" for row in sorted(rows))
    print(f"{len(rows)} tasks in {len({row[1] for row in rows})} families; {absent} not in the clone")


if __name__ == "__main__":
    main()
