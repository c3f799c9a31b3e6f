#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prove the properties of lab/verify/formal/NAME_formal.sv, and show that a planted bug breaks each.
#   lab/verify/formal/run.sh [options] [NAME...]     (default: all; example: lab/verify/formal/run.sh fifo spare)
#   --list        the properties with their sentences; proves nothing
#   --quick       only those that take seconds (what ctest runs)
#   --no-planted  do not plant bugs
#   --show        the counterexample of each planted bug as well
#   --json FILE   the results as JSON too (`-`: standard output, the table then on standard error)
#   --record PAGE write what was run into PAGE (docs/lab/proofs.md)
#   --tops DIR    the formal tops and planted/ of another folder in this tree
#   --limit S     seconds for one property (default 300)
#   --jobs N      proofs side by side (default: one a processor)
# Logs, netlists, witnesses: build/formal/NAME. HEDDLE_GEN_DIR: where the generated packages are.
# Exit status: 0 all proved and all planted bugs found, 1 not so, 2 usage, 5 a tool or the packages
# are missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(command -v "${PYTHON:-python3}") || { echo "formal: no python3: run scripts/setup.sh" >&2; exit 5; }
case " $* " in
  *" -h "* | *" --help "*) sed -n '3,17p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
esac
exec "$python" "$here/run.py" "$@"
