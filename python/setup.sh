#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what the Python package is built and tested with besides scripts/setup.sh: cffi, numpy, mypy and what executes
# notebooks, from PyPI, pinned in requirements.txt, into build/venv-python. Does nothing, quickly, when it is there.
set -euo pipefail
[ $# = 0 ] || { echo "usage: python/setup.sh" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
venv="$here/../build/venv-python"
# Two targets may want it at once: one installs, the other waits.
mkdir -p "${venv%/*}"
exec 9>"$venv.lock"
flock 9
if cmp -s "$here/requirements.txt" "$venv/.requirements.txt"; then exit 0; fi
echo "setup: installing $(tr '\n' ' ' <"$here/requirements.txt")" >&2
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" >&2
cp "$here/requirements.txt" "$venv/.requirements.txt"
