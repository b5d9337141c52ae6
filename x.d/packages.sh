# shellcheck shell=bash
# Provides what comes from the system: Debian packages and components of the Rust toolchain; sourced by the script `x`.
#
# `provide_packages PURPOSE` tests for each thing itself, not for the package, so that whatever else provides
# it is as good. PURPOSE is `build` or `test`.

# Prints the packages whose contents are needed for the purpose and not there.
missing_packages() {
    command -v gcc >/dev/null || echo gcc libc6-dev
    command -v g++ >/dev/null || echo g++
    command -v python3 >/dev/null || echo python3
    # Z3's library comes as a Python wheel, see x.d/z3.sh.
    if [[ -f x.d/z3.sh && ! -d .tools/z3 ]] && ! pkg-config --exists z3 2>/dev/null; then
        python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
    fi
    [[ "$1" == test ]] || return 0
    command -v csmith >/dev/null || echo csmith
    [[ -f "${CSMITH_INCLUDE:-/usr/include/csmith}/csmith.h" ]] || echo libcsmith-dev
    can_link_for_32_bits || echo gcc-multilib
    # The page of a report is tested in a browser.
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || echo chromium
}

# Prints the packages that some tests use if they are there; without them these tests are skipped.
welcome_packages() {
    PATH=$PATH:/usr/sbin:/sbin command -v slurmctld >/dev/null || echo slurm-wlm munge
}

can_link_for_32_bits() {
    echo '#include <stdio.h>
int main(void) { return puts("") < 0; }' | gcc -m32 -x c - -o /dev/null 2>/dev/null
}

# Prints the components of the Rust toolchain that the tests need and that are not there.
missing_components() {
    cargo fmt --version >/dev/null 2>&1 || echo rustfmt
    cargo clippy --version >/dev/null 2>&1 || echo clippy
}

# Runs apt-get as root, or fails; asks nothing.
apt_get() {
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes "$@")
    if ((EUID == 0)); then "${command[@]}"; else sudo --non-interactive "${command[@]}"; fi
}

install_packages() {
    local names="$*"
    [[ -z "${X_NO_INSTALL:-}" ]] || fail "missing: $names (X_NO_INSTALL is set; install them with: apt-get install $names)"
    command -v apt-get >/dev/null || fail "missing: $names (these are Debian's names, and there is no apt-get here to install them)"
    ((EUID == 0)) || sudo --non-interactive true 2>/dev/null ||
        fail "missing: $names (neither root nor sudo without a password; ask for: apt-get install $names)"
    say "installing $names"
    local log
    log="$(mktemp)"
    # The package lists of a fresh machine may be empty or stale: fetch them only when the first try fails.
    if ! apt_get install --no-install-recommends "$@" >"$log" 2>&1 &&
        ! { apt_get update && apt_get install --no-install-recommends "$@"; } >"$log" 2>&1; then
        grep '^E:' "$log" >&2 || tail -n 3 "$log" >&2
        rm -f "$log"
        fail "apt-get cannot install $names, see above; is there a network?"
    fi
    rm -f "$log"
}

provide_packages() {
    local missing
    read -r -d '' -a missing < <(missing_packages "$@") || true
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
    [[ "$1" == test ]] || return 0
    read -r -d '' -a missing < <(welcome_packages) || true
    ((${#missing[@]} == 0)) || (install_packages "${missing[@]}") || say "the tests that need these packages are skipped"
    read -r -d '' -a missing < <(missing_components) || true
    ((${#missing[@]} == 0)) && return 0
    command -v rustup >/dev/null || fail "missing: ${missing[*]} (components of the Rust toolchain; there is no rustup to add them)"
    say "adding ${missing[*]} to the Rust toolchain"
    rustup --quiet component add "${missing[@]}" || fail "rustup cannot add ${missing[*]}, see above; is there a network?"
}
