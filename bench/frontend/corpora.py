#!/usr/bin/env python3
"""Lay out the C files the front end is measured on, and list those that gcc accepts.

usage: corpora.py OUT [NAME=CLONE...]

OUT     folder to write: OUT/NAME/... (the files) and OUT/NAME.tsv (path, data model, include folders)
CLONE   git directory (bare or not) of the public repository behind NAME; without any, only the lists are made anew

    NAME         repository             part            commit
    cbmc         diffblue/cbmc          regression/     f2a7665e82acb791333dc731c53d4d14c3c6e3b1
    cpachecker   sosy-lab/cpachecker    test/programs/  45029808f6bc5b2a99bc4ae831a32cd660a7a0e5
    zlib         madler/zlib            all             d201f04c72b0881220f5ba75ca19fd0e19fa848b
    lua          lua/lua                all             53b41d0cddd80bf33fdc631bdd32e3ba53842b89
    svcomp       sosy-lab/sv-benchmarks some families   fd78367e9f2ef7af07ceb77d1de5dc03ab03f43b and tag svcomp13

A file is listed when `gcc -fsyntax-only -w` accepts it for LP64 (-m64) or else for ILP32 (-m32), as it stands or with its
own folder on the include path. gcc's own headers must exist for both (Debian: gcc-multilib). The verification tasks of
SV-COMP are listed whether gcc accepts them or not, see svcomp.py. The files are inputs to measure with; none of them
belongs in the repository.
"""
import concurrent.futures
import io
import os
import pathlib
import subprocess
import sys
import tarfile

import svcomp

SOURCES = {
    "cbmc": ("f2a7665e82acb791333dc731c53d4d14c3c6e3b1", "regression"),
    "cpachecker": ("45029808f6bc5b2a99bc4ae831a32cd660a7a0e5", "test/programs"),
    "zlib": ("d201f04c72b0881220f5ba75ca19fd0e19fa848b", None),
    "lua": ("53b41d0cddd80bf33fdc631bdd32e3ba53842b89", None),
}
SUFFIXES = {".c", ".i"}
GCC_LIMIT_SECONDS = 60


def lay_out(clone, name, out):
    commit, part = SOURCES[name]
    command = ["git", "--git-dir", clone, "archive", commit] + ([part] if part else [])
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(out / name, filter="data")


def attempts(path):
    """The ways to compile one file, simplest first: (data model, include folders)."""
    own = str(path.parent)
    return [(model, folders) for folders in ([], [own]) for model in ("LP64", "ILP32")]


def accepted(path):
    for model, folders in attempts(path):
        width = "-m64" if model == "LP64" else "-m32"
        command = ["gcc", "-fsyntax-only", "-w", width, *(f"-I{folder}" for folder in folders), str(path)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=GCC_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        if done.returncode == 0:
            return model, folders
    return None


def make_list(name, out):
    files = sorted(p for p in (out / name).rglob("*") if p.suffix in SUFFIXES and p.is_file())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(accepted, files))
    rows = 0
    with open(out / f"{name}.tsv", "w") as table:
        table.write("path\tdata_model\tinclude\n")
        for path, verdict in zip(files, verdicts):
            if verdict is None:
                continue
            model, folders = verdict
            include = ":".join(os.path.relpath(folder, out) for folder in folders)
            table.write(f"{path.relative_to(out)}\t{model}\t{include}\n")
            rows += 1
    print(f"{name}: gcc accepts {rows} of {len(files)} files")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[2:]:
        name, _, clone = argument.partition("=")
        if os.path.isdir(os.path.join(clone, ".git")):
            clone = os.path.join(clone, ".git")
        if name == "svcomp" and clone:
            svcomp.lay_out(clone, out)
        elif name in SOURCES and clone:
            lay_out(clone, name, out)
        else:
            sys.exit(f"{argument}: expected NAME=CLONE with NAME one of {', '.join(SOURCES)}, svcomp")
    for name in SOURCES:
        if (out / name).is_dir():
            make_list(name, out)


if __name__ == "__main__":
    main()
