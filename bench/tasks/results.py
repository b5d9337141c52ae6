"""Result files and what they add up to; used by run.py and compare.py.

A result file starts with one comment line that says how it was made. Then come a header and one line a task, separated by
tabs, in the order in which the tasks were finished.
"""
import collections

COLUMNS = ["family", "task", "expected", "verdict", "judgement", "reason", "points", "cpu", "wall", "rss_mib",
           "iterations", "predicates", "evidence"]
# correct true, correct false, wrong true, wrong false
POINTS = {"2019": (2, 1, -32, -16), "2013": (2, 1, -8, -4)}


def judge(expected, verdict):
    """right, wrong or unknown."""
    if verdict not in ("true", "false"):
        return "unknown"
    return "right" if verdict == expected else "wrong"


def points(scheme, expected, verdict):
    judgement = judge(expected, verdict)
    if judgement == "unknown":
        return 0
    right_true, right_false, wrong_true, wrong_false = POINTS[scheme]
    if judgement == "right":
        return right_true if verdict == "true" else right_false
    return wrong_true if verdict == "true" else wrong_false


def read(path):
    """The comment and the rows, by family and task; a last line that was cut off is left out."""
    with open(path, encoding="utf8") as file:
        lines = file.read().split("\n")
    # What follows the last line break is not a whole line.
    lines.pop()
    comment = lines[0][2:] if lines and lines[0].startswith("# ") else ""
    table = [line.split("\t") for line in lines if line and not line.startswith("#")]
    if table and table[0] != COLUMNS:
        raise ValueError(f"{path}: not a result file")
    rows = {}
    for number, cells in enumerate(table[1:], 3):
        if len(cells) != len(COLUMNS):
            raise ValueError(f"{path}:{number}: {len(cells)} columns instead of {len(COLUMNS)}")
        row = dict(zip(COLUMNS, cells))
        rows[row["family"], row["task"]] = row
    return comment, rows


def line(row):
    return "\t".join(str(row[column]) for column in COLUMNS) + "\n"


def aligned(table):
    """Lines of text: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        yield "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])


def table(rows, scheme):
    """The lines of a table with a line a family. The points are those of the scheme, whatever the rows say."""
    families = collections.defaultdict(list)
    for row in rows:
        families[row["family"]].append(row)
    cells = [["family", "tasks", "right", "wrong", "unknown", "points", "CPU s", "CPU s right", "evidence"]]
    for name, members in [*sorted(families.items()), ("all", rows)]:
        count = collections.Counter(row["judgement"] for row in members)
        seconds = sum(float(row["cpu"]) for row in members)
        seconds_right = sum(float(row["cpu"]) for row in members if row["judgement"] == "right")
        decided = count["right"] + count["wrong"]
        checked = sum(row["evidence"] == "yes" for row in members)
        score = sum(points(scheme, row["expected"], row["verdict"]) for row in members)
        cells.append([name, str(len(members)), str(count["right"]), str(count["wrong"]), str(count["unknown"]), str(score),
                      f"{seconds:.1f}", f"{seconds_right:.1f}", f"{checked}/{decided}"])
    return aligned(cells)
