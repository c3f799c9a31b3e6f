#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hunt the faults of directed/faults.txt with random programs: who dies after how many, who is left. A list whose name a
# folder beside it has (directed/cache.txt, directed/cache) has programs that are made for some: those left are asked of
# them, and of those for bugs of the L1 in C (caches/).
# usage: directed.sh [--config NAME] [--list FILE] [--programs N] [--seed N] [--jobs N] [--kinds NAMES] [--out DIR]
#   example: directed.sh --jobs 2
# By default 300 programs, of the kinds limits, edges and brief (lab/verify/campaigns), on tiny.
# One device holds all and watches them (build.sh --watch --list), so a program is run with a fault only where it makes a
# difference. Exit status 1: a fault is left. Results of the same kinds of programs go on where they were (in DIR).
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/lab/verify/mutants python=$root/build/venv/bin/python
config=tiny list=$here/directed/faults.txt out=$root/build/mutants/directed programs=300 kinds=limits,edges,edges,limits,edges,brief common=()
while [ $# -gt 0 ]; do
  case $1 in
    --config) config=$2 ;;
    --list) list=$2 ;;
    --out) out=$2 ;;
    --programs) programs=$2 ;;
    --kinds) kinds=$2 ;;
    --seed | --jobs) common+=("$1" "$2") ;;
    -h | --help) sed -n '3,10s/^# //p' "$0"; exit 0 ;;
    *) echo "directed.sh: no option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift 2
done
"$here/build.sh" --watch --list "$list" --out "$out/watch" "$config"
mkdir -p "$out/devices" "$out/present"
cp "$out/watch/mutants.jsonl" "$out/"
cp "$out/watch/devices/verilator_$config.so" "$out/devices/"
cp "$out/watch/present/$config.txt" "$out/present/"
common+=(--config "$config" --mutants "$out" --programs "$programs" --kinds "$kinds")
"$here/run_reach.py" "${common[@]}"
"$here/run.py" "${common[@]}" --no-kernels --reach "$out/reach.jsonl"
[ ! -d "${list%.txt}" ] || "$here/made.py" --mutants "$out" --config "$config" --programs "${list%.txt}" "$here/caches"
"$python" "$here/report.py" "$out" --each
