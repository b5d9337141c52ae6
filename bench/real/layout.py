#!/usr/bin/env python3
"""Lay out the C sources that the harnesses include.

usage: layout.py TO [--repository NAME=PATH]...

Sources of zlib, xz, lz4, lua and littlefs come from crates that bundle them (`cargo vendor`), the others from git repositories;
--repository names a clone that is there already. Nothing of them is changed, except that what cmark's build would generate
(the header of its exported names) is written as an empty one.
"""
import argparse
import pathlib
import shutil
import subprocess
import tempfile

# Where in which crate the sources are, and where they go.
CRATES = {
    "libz-sys": ("1.1.22", [("src/zlib", "zlib")]),
    "lzma-sys": ("0.1.20", [("xz-5.2/src", "xz"), ("config.h", "xz/config.h")]),
    "lz4-sys": ("1.11.1", [("liblz4/lib", "lz4")]),
    "lua-src": ("547.0.0", [("lua-5.4.7", "lua"), ("lua-5.3.6", "lua53")]),
    "littlefs2-sys": ("0.3.1", [("littlefs", "littlefs")]),
}
REPOSITORIES = {
    "picohttpparser": ("https://github.com/h2o/picohttpparser", "f8326098f63eefabfa2b6ec595d90e9ed5ed958a", ""),
    "cmark": ("https://github.com/commonmark/cmark", "54b2be567c735162d8d84125200cfda032073b1a", ""),
    "ring-buffer": ("https://github.com/AndersKaloer/Ring-Buffer", "1468e24fc55986d7c432d1d26115e3b28f985fe0", ""),
    "base64": ("https://github.com/zhicheng/base64", "81060e3338120b43d759ee8adfe24619370c5f36", ""),
    "lwrb": ("https://github.com/MaJerle/lwrb", "d07fe1767a9dc38fe73463c3ebfe1136daf88a19", "lwrb"),
}


def from_crates(to, scratch):
    (scratch / "src").mkdir()
    (scratch / "src/lib.rs").touch()
    wanted = "".join(f'{name} = "={version}"\n' for name, (version, _) in CRATES.items())
    (scratch / "Cargo.toml").write_text(f'[package]\nname = "sources"\nversion = "0.0.0"\n[workspace]\n[dependencies]\n{wanted}')
    subprocess.run(["cargo", "vendor", "--quiet", "vendor"], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
    for name, (_, parts) in CRATES.items():
        for part, target in parts:
            source = scratch / "vendor" / name / part
            if source.is_dir():
                shutil.copytree(source, to / target)
            else:
                shutil.copy(source, to / target)


def from_repository(name, place, to, scratch):
    url, commit, part = REPOSITORIES[name]
    if place is None:
        place = scratch / name
        subprocess.run(["git", "clone", "--quiet", "--bare", url, str(place)], check=True)
    tree = commit + (":" + part if part else "")
    archive = subprocess.run(["git", "-C", str(place), "archive", tree], check=True, stdout=subprocess.PIPE).stdout
    (to / name).mkdir()
    subprocess.run(["tar", "x", "-C", str(to / name)], input=archive, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("to", type=pathlib.Path)
    parser.add_argument("--repository", action="append", default=[], metavar="NAME=PATH")
    options = parser.parse_args()
    places = dict(pair.split("=", 1) for pair in options.repository)
    options.to.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        from_crates(options.to, pathlib.Path(scratch))
        for name in REPOSITORIES:
            from_repository(name, places.get(name), options.to, pathlib.Path(scratch))
    (options.to / "cmark/src/cmark_export.h").write_text("#define CMARK_EXPORT\n")
    (options.to / "cmark/src/cmark_version.h").write_text("")


if __name__ == "__main__":
    main()
