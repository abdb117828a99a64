#!/bin/sh
# Makes .venv and installs what a requirements file names, where that file has changed.
# Usage: deploy/venv.sh requirements.txt   (PYTHON=... chooses the Python)
set -eu
cd "$(dirname "$0")/.."
requirements=$1
wanted=$(cat requirements.txt requirements-dev.txt constraints.txt | cksum)
stamp=.venv/$requirements.stamp

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Says in $why what is wrong with a Python.
fits() {
    command -v "$1" >/dev/null 2>&1 || return 1
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || return 1
    if ! "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        why="Marchstone needs Python 3.11 or newer, and $1 is Python $version."
        return 1
    fi
    if ! "$1" -c 'import venv, ensurepip' 2>/dev/null; then
        why="Python $version cannot make virtual environments here: its venv module is missing (on Debian and Ubuntu, install python$version-venv)."
        return 1
    fi
}

find_python() {
    why="Marchstone needs Python 3.11 or newer, and found no Python."
    if [ -n "${PYTHON:-}" ]; then
        why="PYTHON=$PYTHON is no Python that runs."
        fits "$PYTHON" && python=$PYTHON && return
        fail "$why"
    fi
    for candidate in python3.13 python3.12 python3.11 python3; do
        fits "$candidate" && python=$candidate && return
    done
    fail "$why Install one, or name another with PYTHON=/path/to/python."
}

if ! .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    find_python
    echo "Making .venv with $("$python" --version) ..."
    "$python" -m venv --clear .venv
fi
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing packages; the first time this takes about a minute ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements" ||
        fail "The packages could not be installed. Is this machine online?"
    echo "$wanted" >"$stamp"
    # What developing needs includes what running needs.
    [ "$requirements" = requirements.txt ] || echo "$wanted" >.venv/requirements.txt.stamp
fi
