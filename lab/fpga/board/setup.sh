#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what a board needs besides scripts/setup.sh: LiteDRAM, into an environment of its own (build/venv-board,
# scripts/venv.sh), since nothing else of the project wants it.
set -euo pipefail
[ $# = 0 ] || { echo "usage: lab/fpga/board/setup.sh" >&2; exit 2; }
here=$(dirname "$0")
exec "$here/../../../scripts/venv.sh" "$here" board
