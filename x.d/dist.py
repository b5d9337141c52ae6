#!/usr/bin/env python3
"""Make an archive of the program that runs where it is unpacked, and try it in a root that has nothing else.

usage: dist.py BINARY LICENSE...

Writes target/dist/counterpoint-VERSION-MACHINE.tar.gz and prints its name. In it are bin/counterpoint, the solver's library in lib/
(which the program finds from where it stands), man pages and completions in share/, rules, and the licences. The root of
the try has the C library, what its loader needs, and the archive; to make it takes the right to have other mounts (`unshare`).
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEAR = b"$ORIGIN/../lib"
SHELLS = {"bash": "share/bash-completion/completions/counterpoint", "zsh": "share/zsh/site-functions/_counterpoint",
          "fish": "share/fish/vendor_completions.d/counterpoint.fish"}
PLAIN = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
TRIED = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n * 3 == 21)
        reach_error();
    return 0;
}
"""


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def libraries(binary):
    """The shared libraries of a program by name, as the loader finds them."""
    found = re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(0x", printed("ldd", str(binary)), re.MULTILINE)
    return {name or path: pathlib.Path(path) for name, path in found}


def run_path(binary):
    """Where the program looks for libraries, as it is written in it."""
    found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", printed("readelf", "--dynamic", str(binary)))
    return found.group(1).encode() if found else None


def look_near(binary):
    """Has the program look for libraries beside itself, and nowhere that only this machine has."""
    path = run_path(binary)
    data = binary.read_bytes()
    text = b"\0" + (path or b"") + b"\0"
    if not path or len(path) < len(NEAR) or data.count(text) != 1:
        sys.exit("dist: the program's search path for libraries cannot be replaced")
    binary.write_bytes(data.replace(text, b"\0" + NEAR.ljust(len(path), b"\0") + b"\0"))


def lay_out(binary, licences, folder):
    (folder / "bin").mkdir(parents=True)
    (folder / "lib").mkdir()
    placed = folder / "bin/counterpoint"
    solver = {name: path for name, path in libraries(binary).items() if name.startswith("libz3")}
    for name, path in solver.items():
        shutil.copy(path, folder / "lib" / name)
    shutil.copy(binary, placed)
    if solver:
        look_near(placed)
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-debug", str(placed)], check=True)
    for shell, name in SHELLS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(printed(str(placed), "completions", shell))
    printed(str(placed), "manual", str(folder / "share/man/man1"))
    shutil.copytree(ROOT / "rules", folder / "share/counterpoint/rules")
    for name in ["README.md", "CHANGELOG.md", *licences]:
        shutil.copy(ROOT / name, folder)


def try_out(archive, name):
    """Runs the program of the archive in a root of its own."""
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        with tarfile.open(archive) as file:
            file.extractall(root / "opt", filter="data")
        folder = root / "opt" / name
        needed = set(libraries(folder / "bin/counterpoint").values())
        for path in needed:
            if not path.is_relative_to(folder):
                place = root / path.relative_to("/")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)
        (root / "tmp").mkdir()
        (root / "tmp/a.c").write_text(TRIED)
        inside = f"/opt/{name}/bin/counterpoint"
        # The loader asks /proc where the program stands.
        (root / "proc").mkdir()
        inner = 'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"'
        others = [] if os.geteuid() == 0 else ["--map-root-user"]
        change = ["unshare", "--mount", *others, "sh", "-c", inner, str(root)]
        version = subprocess.run([*change, inside, "--version"], env=PLAIN, capture_output=True, text=True)
        if version.returncode != 0:
            sys.exit(f"dist: the archive does not run in a clean root: {version.stderr}")
        answer = subprocess.run([*change, inside, "check", "/tmp/a.c"], env=PLAIN, capture_output=True, text=True)
        if not answer.stdout.endswith("Verification result: FALSE(unreach-call)\n"):
            sys.exit(f"dist: the archive gives no answer in a clean root: {answer.stdout}{answer.stderr}")
        return version.stdout


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary, licences = pathlib.Path(sys.argv[1]), sys.argv[2:]
    version = printed(str(binary), "-V").split()[1]
    name = f"counterpoint-{version}-{platform.machine()}-{platform.system().lower()}"
    target = ROOT / "target/dist"
    folder = target / name
    shutil.rmtree(folder, ignore_errors=True)
    lay_out(binary, licences, folder)
    archive = target / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(folder, arcname=name)
    print(try_out(archive, name), end="")
    print(archive.relative_to(ROOT))


if __name__ == "__main__":
    main()
