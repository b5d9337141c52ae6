#!/usr/bin/env python3
"""The tables and the chart of a measurement.

usage: tables.py FOLDER

Reads what measure.py left in the folder, and writes tables.md and outcomes.svg there. Only tasks that every configuration
has finished are counted.
"""
import pathlib
import re
import sys
from xml.sax.saxutils import escape

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tasks"))
import results  # noqa: E402 - it lies beside run.py

# By name, the options of the tool.
CONFIGURATIONS = {
    "off": ["--constrain", "off"],
    "lazy": ["--constrain", "lazy"],
    "early": ["--constrain", "early"],
    "eager": ["--constrain", "eager"],
    "cubes-5": ["--constrain", "lazy", "--cube-length", "5"],
    "cubes-none": ["--constrain", "lazy", "--cube-length", "none"],
}
MODES = {"off": "off", "lazy": "lazy", "early": "early", "eager": "eager"}
# Three literals are what the tool does by itself.
CUBES = {"lazy": "at most 3", "cubes-5": "at most 5", "cubes-none": "any length"}

# In the order of the tables and of the chart, with colours that are told apart without seeing red and green.
OUTCOMES = {
    "proved": "#0072b2",
    "violation found": "#56b4e9",
    "no difference found": "#d55e00",
    "out of time or memory": "#bbbbbb",
    "other unknown": "#777777",
    "wrong": "#000000",
}
DARK = {"proved", "no difference found", "other unknown", "wrong"}


def outcome(row):
    if row["judgement"] == "wrong":
        return "wrong"
    if row["verdict"] == "true":
        return "proved"
    if row["verdict"] == "false":
        return "violation found"
    if row["reason"].startswith("no difference found"):
        return "no difference found"
    limits = ("out of time", "out of memory", "ended by the runner")
    return "out of time or memory" if row["reason"].startswith(limits) else "other unknown"


class Run:
    """The rows of a configuration, and what its statistics say."""

    def __init__(self, folder, name):
        self.comment, self.rows = results.read(folder / f"{name}.tsv")
        self.totals = {key: totals(folder / "logs" / name / key[0] / f"{key[1]}.log") for key in self.rows}


def totals(path):
    """The numbers of the line of totals; none if the tool did not come to write it."""
    try:
        text = path.read_text(encoding="utf8", errors="replace")
    except FileNotFoundError:
        return {}
    lines = re.findall(r"^total: (.*)$", text, re.MULTILINE)
    return {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", lines[-1])} if lines else {}


def markdown(table):
    """A table whose first column is text and whose others are numbers."""
    head, *body = [[str(cell) for cell in row] for row in table]
    yield "| " + " | ".join(head) + " |"
    yield "|---|" + "---:|" * (len(head) - 1)
    for row in body:
        yield "| " + " | ".join(row) + " |"


def outcomes(runs, keys, columns):
    """How often each outcome was reached, by configuration."""
    counts = {name: {what: 0 for what in OUTCOMES} for name in columns}
    for name in columns:
        for key in keys:
            counts[name][outcome(runs[name].rows[key])] += 1
    return counts


def outcome_table(runs, keys, columns):
    counts = outcomes(runs, keys, columns)
    table = [["outcome", *columns.values()]]
    for what in OUTCOMES:
        table.append([what, *(counts[name][what] for name in columns)])
    for label, field in (("calls of CONSTRAIN", "constrain_calls"), ("constraints", "constraints"),
                         ("enforced combinations", "enforced")):
        table.append([label, *(round(total(runs[name], keys, field)) for name in columns)])
    seconds = [sum(float(runs[name].rows[key]["cpu"]) for key in keys) for name in columns]
    table.append(["CPU s", *(f"{value:.0f}" for value in seconds)])
    return table


def total(run, keys, field):
    return sum(run.totals[key].get(field, 0) for key in keys)


def averages(runs, keys, columns):
    """Over the runs in which CONSTRAIN was called."""
    table = [["average", *columns.values()]]
    needed = {name: [key for key in keys if runs[name].totals[key].get("constrain_calls", 0) > 0] for name in columns}

    def row(label, value):
        table.append([label, *(value(runs[name], needed[name]) if needed[name] else "-" for name in columns)])

    def mean(field, digits):
        return lambda run, chosen: f"{total(run, chosen, field) / len(chosen):.{digits}f}"

    table.append(["runs that called it", *(len(needed[name]) for name in columns)])
    row("run time, s", mean("elapsed", 2))
    row("in CONSTRAIN, s", mean("constrain", 3))
    row("share of the run time", lambda run, chosen: share(run, chosen))
    row("calls", mean("constrain_calls", 2))
    row("series of calls without NEWTON", mean("constrain_series", 2))
    row("constraints", mean("constraints", 2))
    row("enforced combinations", mean("enforced", 2))
    table.append(["share of the run time of all runs", *(share(runs[name], keys) for name in columns)])
    return table


def share(run, keys):
    elapsed = total(run, keys, "elapsed")
    return f"{100 * total(run, keys, 'constrain') / elapsed:.1f} %" if elapsed else "-"


def solved_table(runs, keys, columns):
    table = [["solved in family", "tasks", *columns.values()]]
    for family in sorted({key[0] for key in keys}):
        members = [key for key in keys if key[0] == family]
        table.append([family, len(members), *(sum(runs[name].rows[key]["judgement"] == "right" for key in members)
                                              for name in columns)])
    return table


def chart(groups, tasks):
    """Stacked bars; each group is a title and the counts of its bars by label."""
    left, width, bar, gap = 120, 560, 26, 8
    lines, y = [], 34
    lines.append(f'<text x="{left}" y="20" class="title">Outcomes of {tasks} tasks</text>')
    for title, bars in groups:
        y += 14
        lines.append(f'<text x="{left}" y="{y}" class="group">{escape(title)}</text>')
        y += 8
        for label, counts in bars.items():
            lines.append(f'<text x="{left - 8}" y="{y + bar / 2 + 4:g}" text-anchor="end">{escape(label)}</text>')
            x = float(left)
            for what, count in counts.items():
                if not count:
                    continue
                wide = width * count / max(tasks, 1)
                lines.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{bar}" fill="{OUTCOMES[what]}">'
                             f'<title>{escape(what)}: {count}</title></rect>')
                # A number that does not fit its segment is only in the table.
                if wide >= 9 * len(str(count)):
                    colour = "#ffffff" if what in DARK else "#000000"
                    lines.append(f'<text x="{x + wide / 2:.1f}" y="{y + bar / 2 + 4:g}" text-anchor="middle" '
                                 f'fill="{colour}">{count}</text>')
                x += wide
            y += bar + gap
        y += 6
    y += 10
    for index, (what, colour) in enumerate(OUTCOMES.items()):
        x, row = left + index % 3 * 190, y + index // 3 * 20
        lines.append(f'<rect x="{x}" y="{row - 10}" width="12" height="12" fill="{colour}"/>')
        lines.append(f'<text x="{x + 18}" y="{row}">{escape(what)}</text>')
    height = y + 20 * ((len(OUTCOMES) - 1) // 3) + 16
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{height}" '
            f'viewBox="0 0 {left + width + 20} {height}" role="img" font-family="sans-serif" font-size="12">')
    style = "<style>.title { font-size: 15px; font-weight: bold } .group { font-weight: bold }</style>"
    background = f'<rect width="{left + width + 20}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, style, background, *lines, "</svg>"]) + "\n"


def write(folder):
    names = [name for name in CONFIGURATIONS if (folder / f"{name}.tsv").exists()]
    if not names:
        sys.exit(f"{folder}: nothing was measured")
    runs = {name: Run(folder, name) for name in names}
    keys = [key for key in runs[names[0]].rows if all(key in run.rows for run in runs.values())]
    modes = {name: label for name, label in MODES.items() if name in runs}
    cubes = {name: label for name, label in CUBES.items() if name in runs}
    limits = re.match(r"time=(\d+) memory=(\S+)", runs[names[0]].comment)
    made = f", at most {limits.group(1)} s and {limits.group(2)} each" if limits else ""
    text = [f"{len(keys)} tasks{made}.", ""]
    for title, table in (
        ("When transitions are refined", outcome_table(runs, keys, modes)),
        ("Runs that needed it", averages(runs, keys, {name: label for name, label in modes.items() if name != "off"})),
        ("How long the cubes may be, refining lazily", outcome_table(runs, keys, cubes)),
        ("By family", solved_table(runs, keys, modes)),
    ):
        text += [f"### {title}", "", *markdown(table), ""]
    (folder / "tables.md").write_text("\n".join(text), encoding="utf8")
    groups = [("When transitions are refined", modes), ("How long the cubes may be, refining lazily", cubes)]
    groups = [(title, {label: outcomes(runs, keys, columns)[name] for name, label in columns.items()})
              for title, columns in groups]
    (folder / "outcomes.svg").write_text(chart(groups, len(keys)), encoding="utf8")
    print(f"{folder / 'tables.md'} and {folder / 'outcomes.svg'} are written", file=sys.stderr)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]))


if __name__ == "__main__":
    main()
