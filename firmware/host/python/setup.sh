#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what the Python package is built and tested with besides scripts/setup.sh: cffi, numpy, mypy and what executes
# notebooks, into build/venv-python (scripts/venv.sh).
set -euo pipefail
[ $# = 0 ] || { echo "usage: firmware/host/python/setup.sh" >&2; exit 2; }
here=$(dirname "$0")
exec "$here/../../../scripts/venv.sh" "$here" python
