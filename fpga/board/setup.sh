#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what a board needs besides scripts/setup.sh: LiteDRAM from PyPI, pinned in requirements.txt, into an environment
# of its own (build/venv-board), since nothing else of the project wants it. Does nothing, quickly, when it is there.
set -euo pipefail
[ $# = 0 ] || { echo "usage: fpga/board/setup.sh" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
venv="$here/../../build/venv-board"
# The memories of two boards are made at once: one installs, the other waits.
mkdir -p "${venv%/*}"
exec 9>"$venv.lock"
flock 9
if cmp -s "$here/requirements.txt" "$venv/.requirements.txt"; then exit 0; fi
echo "setup: installing $(tr '\n' ' ' <"$here/requirements.txt")" >&2
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt" >&2
cp "$here/requirements.txt" "$venv/.requirements.txt"
