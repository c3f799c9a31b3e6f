#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what a FOLDER/requirements.txt pins, from PyPI, into an environment of its own, build/venv-NAME. Does nothing,
# quickly, when it is there. Two targets may want it at once: one installs, the other waits.
set -euo pipefail
[ $# = 2 ] || { echo "usage: venv.sh FOLDER NAME     example: scripts/venv.sh docs/site site" >&2; exit 2; }
list=$1/requirements.txt
venv=$(dirname "$0")/../build/venv-$2
mkdir -p "${venv%/*}"
exec 9>"$venv.lock"
flock 9
if cmp -s "$list" "$venv/.requirements.txt"; then exit 0; fi
echo "setup: installing $(tr '\n' ' ' <"$list")" >&2
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
"$venv/bin/pip" install -q --disable-pip-version-check -r "$list" >&2
cp "$list" "$venv/.requirements.txt"
