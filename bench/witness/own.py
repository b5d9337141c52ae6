#!/usr/bin/env python3
"""Write everything that `counterpoint check` can write about verification tasks, and have it read.

example:
  own.py target/release/counterpoint --tasks TASKS --sarif-schema sarif-schema-2.1.0.json -o own.tsv

Of the tasks in TASKS/tasks.tsv (bench/tasks/layout.py writes it), family by family in turn, those are taken that are decided within the
time limit, until there are enough of both answers. For each of them the text, JSON, SARIF, page and witness are written; JSON and SARIF
have to fit their schemas, the page has to hold the same verdict and the source, and `counterpoint validate` has to confirm the witness. Needs the
Python packages jsonschema and PyYAML.
"""
import argparse
import csv
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import jsonschema
import yaml

DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}
PROPERTY = "CHECK( init(main()), LTL(G ! {}) )\n"
REPORT_SCHEMA = pathlib.Path(__file__).parent / "../../schemas/report.json"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--tasks", type=pathlib.Path, required=True, help="the folder with tasks.tsv")
    parser.add_argument("--families", default="", metavar="NAMES", help="only tasks of these families, separated by commas")
    parser.add_argument("--each", type=int, default=50, metavar="N", help="so many tasks of each answer [50]")
    parser.add_argument("--time", type=int, default=10, metavar="SECONDS", help="limit for each check [10]")
    parser.add_argument("--ending", default=".yml", choices=[".yml", ".graphml"], help="the witnesses' format [.yml]")
    parser.add_argument("--sarif-schema", type=pathlib.Path, help="the official schema of SARIF 2.1.0")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep what is written here")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("own.tsv"), metavar="FILE")
    return parser.parse_args()


def in_turn(tasks):
    """The tasks in an order in which families alternate."""
    families = {}
    for task in tasks:
        families.setdefault(task["family"], []).append(task)
    return [task for row in itertools.zip_longest(*families.values()) for task in row if task]


def run(command, limit):
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit)
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        output = "ended"
    return output, time.monotonic() - start


def verdict(output):
    last = re.findall(r"^Verification result: (\w+)", output, re.MULTILINE)
    return last[-1] if last else "NONE"


def check_written(folder, schemas):
    """What is wrong with the files."""
    wrong = []
    documents = {}
    for name, schema in schemas.items():
        try:
            documents[name] = json.loads((folder / name).read_text())
            if schema is not None:
                jsonschema.validate(documents[name], schema)
        except (OSError, ValueError, jsonschema.ValidationError) as error:
            wrong.append(f"{name}: {str(error).splitlines()[0]}")
    page = (folder / "page.html").read_text()
    found = re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)
    if not found:
        wrong.append("the page holds no report")
    else:
        if not json.loads(found.group(1))["sources"]:
            wrong.append("the page has no source")
        if f"<title>{documents['report.json']['verdict'].upper()}:" not in page:
            wrong.append("the page has another verdict than the report")
    return wrong


def main():
    options = arguments()
    with open(options.tasks / "tasks.tsv", encoding="utf8", newline="") as file:
        tasks = list(csv.DictReader(file, delimiter="\t"))
    families = set(filter(None, options.families.split(",")))
    tasks = in_turn([task for task in tasks if not families or task["family"] in families])
    sarif = json.loads(options.sarif_schema.read_text()) if options.sarif_schema else None
    schemas = {"report.json": json.loads(REPORT_SCHEMA.read_text()), "report.sarif": sarif}
    left = {"true": options.each, "false": options.each}
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        for task in tasks:
            if not any(left.values()):
                break
            expected = task["expected"]
            if not left[expected]:
                continue
            source = options.tasks / task["path"]
            folder = (options.keep or pathlib.Path(temporary)) / task["path"].replace("/", "_")
            folder.mkdir(parents=True, exist_ok=True)
            # The categories of 2013 have an error label, the later families a function.
            error = "label(ERROR)"
            if not task["family"].startswith("svcomp13-"):
                is_new = re.search(r"\breach_error\b", source.read_text(errors="replace"))
                error = "call(reach_error())" if is_new else "call(__VERIFIER_error())"
            prp = folder / "property.prp"
            prp.write_text(PROPERTY.format(error))
            common = [str(source), DATA_MODELS[task["data_model"]], "--property", str(prp), "--no-progress"]
            witness = folder / f"witness{options.ending}"
            command = [str(options.binary), "check", *common, "--time-limit", f"{options.time}s",
                       "--json", str(folder / "report.json"), "--sarif", str(folder / "report.sarif"),
                       "--witness", str(witness), "--report", str(folder / "page.html")]
            output, seconds = run(command, options.time + 10)
            answer = verdict(output)
            if answer not in ("TRUE", "FALSE"):
                continue
            if answer.lower() != expected:
                print(f"WRONG ANSWER {task['path']}: {answer}", flush=True)
            wrong = check_written(folder, schemas)
            if options.ending == ".yml":
                yaml.safe_load(witness.read_text())
            # Engines share the time that there is: with much more of it they would take their time.
            limit = 2 * options.time
            command = [str(options.binary), "validate", *common, "--time-limit", f"{limit}s", "--witness", str(witness)]
            output, again = run(command, limit + 10)
            confirmed = verdict(output) == answer and "is confirmed" in output
            last = output.strip().splitlines()[-1] if output.strip() else ""
            left[expected] -= 1
            rows.append((task["path"], answer, f"{seconds:.2f}", f"{again:.2f}", "yes" if confirmed else "no",
                         "; ".join(wrong), "" if confirmed else last))
            print("\t".join(rows[-1]), flush=True)
    with open(options.output, "w", encoding="utf8") as file:
        print("task\tanswer\tcheck\tvalidate\tconfirmed\twrong\tmessage", file=file)
        for row in rows:
            print("\t".join(row), file=file)
    confirmed = sum(row[4] == "yes" for row in rows)
    broken = sum(bool(row[5]) for row in rows)
    print(f"{len(rows)} tasks, {confirmed} witnesses confirmed, {broken} with files that are not as they should be; "
          f"check {sum(float(row[2]) for row in rows):.1f} s, validate {sum(float(row[3]) for row in rows):.1f} s")
    sys.exit(confirmed < len(rows) or broken > 0)


if __name__ == "__main__":
    main()
