"""Lay out verification tasks of the public SV-COMP collection; used by corpora.py.

The families of 2019 are the C programs of the tasks with the property unreach-call. The families svcomp13-* are the
categories of 2013 as they were scored. All are for ILP32.
"""
import fnmatch
import re
import subprocess

COMMIT_2019 = "fd78367e9f2ef7af07ceb77d1de5dc03ab03f43b"
FAMILIES_2019 = ["array-examples", "bitvector", "bitvector-loops", "bitvector-regression", "eca-rers2012", "ldv-regression",
                 "list-ext-properties", "list-ext2-properties", "list-ext3-properties", "list-properties", "list-simple",
                 "locks", "loops", "ntdrivers", "ntdrivers-simplified", "product-lines", "recursive", "recursive-simple",
                 "ssh", "ssh-simplified", "systemc"]
TAG_2013 = "svcomp13"
CATEGORIES_2013 = ["BitVectors", "ControlFlowInteger-MemPrecise", "ControlFlowInteger-MemSimple", "FeatureChecks",
                   "HeapManipulation", "Loops", "SystemC"]


class Tree:
    """The files of one commit, read through one `git cat-file` process."""

    def __init__(self, git_dir, commit):
        git = ["git", "--git-dir", git_dir]
        listing = subprocess.run([*git, "ls-tree", "-r", "-z", commit], capture_output=True, check=True).stdout
        self.blobs = {}
        for entry in filter(None, listing.split(b"\0")):
            meta, path = entry.split(b"\t", 1)
            self.blobs[path.decode("utf8", "replace")] = meta.split()[2]
        self.reader = subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path):
        """The bytes of a file; None where the clone does not have it (copies may lack the largest)."""
        if path not in self.blobs:
            return None
        self.reader.stdin.write(self.blobs[path] + b"\n")
        self.reader.stdin.flush()
        header = self.reader.stdout.readline().split()
        if header[1] == b"missing":
            return None
        data = self.reader.stdout.read(int(header[2]))
        self.reader.stdout.read(1)
        return data


def programs_2019(tree):
    for family in FAMILIES_2019:
        for path in sorted(p for p in tree.blobs if re.fullmatch(rf"c/{family}/[^/]+\.yml", p)):
            task = tree.read(path).decode()
            program = re.search(r"^input_files:\s*['\"]?([^'\"\s]+)['\"]?\s*$", task, re.MULTILINE)
            scored = re.search(r"unreach-call\.prp['\"]?\s+expected_verdict:", task)
            if program and scored:
                name = program.group(1)
                yield family, name.split("/")[-1], tree.read(f"c/{family}/{name}")


def programs_2013(tree):
    for category in CATEGORIES_2013:
        patterns = tree.read(f"{category}.set").decode().split()
        for path in sorted(tree.blobs):
            if any(path.count("/") == p.count("/") and fnmatch.fnmatchcase(path, p) for p in patterns):
                yield f"svcomp13-{category}", path.replace("/", "__"), tree.read(path)


def lay_out(git_dir, out):
    rows, absent = set(), 0
    for programs in (programs_2019(Tree(git_dir, COMMIT_2019)), programs_2013(Tree(git_dir, TAG_2013))):
        for family, name, text in programs:
            if text is None:
                absent += 1
                continue
            (out / "svcomp" / family).mkdir(parents=True, exist_ok=True)
            (out / "svcomp" / family / name).write_bytes(text)
            rows.add((f"svcomp/{family}/{name}", "ILP32", family))
    with open(out / "svcomp.tsv", "w") as table:
        table.write("path\tdata_model\tfamily\n")
        table.writelines("\t".join(row) + "\n" for row in sorted(rows))
    print(f"svcomp: {len(rows)} tasks in {len({family for _, _, family in rows})} families; {absent} not in the clone")
