# shellcheck shell=sh
# The set-up that ./run, ./test and ./bench share. They source this file with $root set, then call
#
#   set_up run    for the package and what it needs
#   set_up dev    for these and the tools of developers
#
# which makes $root/.venv, or brings it up to date. .venv/.stamp tells what it was made from, so a
# second start costs three small processes and no Python.

set_up() {
    is_fresh "$1" && return
    # In a subshell, so the caller keeps its folder and lets go of the lock.
    (cd -- "$root" && make_fresh "$1") || exit 1
}

# What the venv was made from: its Python, this place (cksum repeats the paths), and what to install.
key() {
    readlink -f "$root/.venv/bin/python"
    cksum "$root/.venv/pyvenv.cfg" "$root/pyproject.toml" "$root"/requirements/*.txt "$root/hatch_build.py"
}

is_fresh() {
    [ -x "$root/.venv/bin/python" ] && [ -f "$root/.venv/.stamp" ] || return 1
    made=$(cat "$root/.venv/.stamp")
    want=$(key 2>/dev/null)
    [ "$made" = "dev $want" ] || [ "$made" = "$1 $want" ]
}

make_fresh() {
    find_python
    echo "Setting up (once, about a minute)…" >&2

    # Python takes the lock on our descriptor, so it is ours until we end, however we end.
    exec 9>>.venv.lock
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)' || fail "cannot lock $root/.venv.lock."
    is_fresh "$1" && return # another start made it while we waited

    level=$1
    if is_ours; then
        case $(cat .venv/.stamp 2>/dev/null) in dev*) level=dev ;; esac
    else
        "$python" -c 'import ensurepip, venv' 2>/dev/null || install_venv_module
        rm -rf .venv
        quietly "$python" -m venv .venv || fail "$python cannot make a virtual environment in $root/.venv."
        printf '%s\n' "$root" >.venv/.place
    fi

    # Each file is checked by its checksum, also what builds the package; so the build may not fetch anything itself.
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_USER=0
    # Pip comes first, so that the one Python brings along installs nothing but the one that is pinned; setuptools,
    # which Python 3.11 brings along too, is used by nothing.
    quietly .venv/bin/python -m pip install -q --no-deps --require-hashes -r requirements/build.txt &&
        quietly .venv/bin/python -m pip uninstall -q -y setuptools &&
        quietly .venv/bin/python -m pip install -q --no-deps --require-hashes -r "requirements/$level.txt" &&
        quietly .venv/bin/python -m pip install -q --no-deps --no-build-isolation -e . ||
        fail "pip could not install what is pinned in requirements/."
    printf '%s %s\n' "$level" "$(key)" >.venv/.stamp
}

# A venv can be kept when it was made here, whole, and its Python still runs.
is_ours() {
    [ "$(cat .venv/.place 2>/dev/null)" = "$root" ] &&
        .venv/bin/python -c "import pip, sys; sys.exit(sys.version_info < ($oldest))" 2>/dev/null
}

oldest='3, 11, 2' # older ones are not tried; pyproject.toml says the same
newest='3, 14'    # the newest that ./test is tried on; a newer one is taken where there is no other

# find_python: the first that is tried, or else newer; $python is its name and $version what it is.
find_python() {
    old=
    for newer in 0 1; do
        for python in python3.11 python3 python3.14 python3.13 python3.12; do
            version=$("$python" -c "import sys
print('%d.%d.%d' % sys.version_info[:3])
sys.exit(sys.version_info < ($oldest) or sys.version_info[:2] > ($newest) and not $newer)" 2>/dev/null) && return
            [ -z "$version" ] || old="$python is Python $version"
        done
    done
    fail "it needs Python $(echo "$oldest" | sed 's/, /./g') or newer, and ${old:-there is none that runs}. Install one and start again."
}

# Debian and Ubuntu keep this part of Python in a package of its own.
install_venv_module() {
    install_package "python${version%.*}-venv" "$python has no venv module"
}

# The tests of the page drive a real browser; any of these will do, or the one that $CHROMIUM names.
need_chromium() {
    for node in "$root"/.venv/lib/python3*/site-packages/playwright/driver/node; do
        [ ! -x "$node" ] || "$node" --version >/dev/null 2>&1 ||
            install_package libatomic1 "what drives the browser needs libatomic"
    done
    has_browser "${CHROMIUM:-chromium-headless-shell}" && return
    # Chromium without its windows does the same in half the time; a machine that tests for us may as well have it.
    why="the tests of the page need Chromium, about a minute"
    if has_browser chromium chromium-browser google-chrome; then
        [ -z "${CI:-}" ] || (install_package chromium-headless-shell "$why") || echo "What is there will do." >&2
        return
    fi
    install_package chromium-headless-shell "$why" chromium
}

has_browser() {
    for browser in "$@"; do
        ! command -v "$browser" >/dev/null || return 0
    done
    return 1
}

# install_package NAME WHY [ANOTHER]: with apt-get where we may, or ANOTHER where there is none of that name; else a
# sentence that says what to do. Somebody who sits at a terminal is asked first; elsewhere what is installed is said.
install_package() {
    command -v apt-get >/dev/null || fail "$2. Install it and start again."
    [ "$(id -u)" = 0 ] || fail "$2. Install it with: sudo apt-get install $1"
    if [ -t 0 ] && [ -t 2 ] && [ -z "${CI:-}" ]; then
        printf 'It needs %s (%s). Install it with apt-get? [Y/n] ' "$1" "$2" >&2
        read -r said || said=n
        case $said in '' | [Yy]*) ;; *) fail "$2. Install it with: apt-get install $1" ;; esac
    fi
    export DEBIAN_FRONTEND=noninteractive
    for package in "$1" ${3:+"$3"}; do
        echo "Installing $package ($2)…" >&2
        apt-get install -y --no-install-recommends "$package" >/dev/null 2>&1 </dev/null && return
        quietly apt-get update && quietly apt-get install -y --no-install-recommends "$package" && return
    done
    fail "$2, and apt-get could not install $package."
}

# Run a command; show the end of what it said only if it fails.
quietly() {
    said=$("$@" 2>&1 </dev/null) && return
    printf '%s\n' "$said" | tail -n 20 >&2
    return 1
}

fail() {
    echo "Battletape could not be set up: $*" >&2
    exit 1
}
