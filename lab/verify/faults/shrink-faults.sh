#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How small failing random programs become: each injected fault of lab/verify/faults, in the first random program that
# shows it, shrunk. Prints rows of the table in docs/lab/campaigns.md.
# usage: lab/verify/faults/shrink-faults.sh [--seed S] [--programs N] [--seconds N] [--config C] [FAULT ...]
# example: lab/verify/faults/shrink-faults.sh --config tiny 1 9 18
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
heddle=${HEDDLE:-$root/build/heddle} seed=1 programs=48 seconds=60 config=""
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=$2; shift 2 ;;
    --programs) programs=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --config) config=$2; shift 2 ;;
    -*) sed -n '3,7p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
declare -A name
while read -r f n _; do name[$f]=$n; done < <("$root/lab/verify/faults/plant.py" --list)
[ $# -gt 0 ] || mapfile -t faults < <(printf '%s\n' "${!name[@]}" | sort -n)
[ $# -eq 0 ] || faults=("$@")

diagnosis() { # WHERE FILE
  python3 -c "import json, sys; j = json.load(open(sys.argv[1])); print($1['diagnosis']['signature'])" "$2"
}

# The machine that has what the fault is in, and a knob where programs as they are reach it in one of hundreds.
machine() {
  case ${name[$1]} in
    RESERVED_BIT) echo "tiny stack program.traps=100" ;;
    SYNC_EARLY) echo "tiny stack stream.release=300" ;;
    MMA_SIGN) echo "sm stack node.matrix=60" ;;
    MMA_* | LDSM_*) echo "sm stack" ;;
    PARK_JOINS | TURN_PC) echo "tiny its" ;;
    SFU_* | SHFL_* | MATCH_* | HALF_* | FP64_* | UNI_* | ATOM_ROUND) echo "duo stack" ;;
    *) echo "tiny stack" ;;
  esac
}

for f in "${faults[@]}"; do
  [ "${name[$f]:-NONE}" != NONE ] || continue
  read -r where div knob < <(machine "$f")
  where=${config:-$where}
  options=(--seed "$seed" --config "$where" --div "$div" --fault "$f" ${knob:+--knob "$knob"})
  on="$where${knob:+, \`$knob\`}"
  found="" k=0
  while [ -z "$found" ] && [ "$k" -lt "$programs" ]; do
    "$heddle" fuzz --only "$k" "${options[@]}" --no-shrink >"$dir/log" 2>&1 || found=$k
    k=$((k + 1))
  done
  if [ -z "$found" ]; then
    echo "| $f | \`${name[$f]}\` | $on | - | not shown by $programs programs | | | | |"
    continue
  fi
  rm -f "$dir"/s/* 2>/dev/null || true
  "$heddle" fuzz --only "$found" "${options[@]}" --shrink-seconds "$seconds" --save "$dir/s" --json "$dir/json" >"$dir/log" 2>&1 || true
  words=$(sed -nE 's/^program [0-9]+: ([0-9]+) instructions are left of ([0-9]+), after ([0-9]+) runs(.*)/\1 | \2 | \3/p' "$dir/log")
  ! grep -q '^program .* and all the time there was' "$dir/log" || words="$words, time over"
  want=$(diagnosis 'j["programs"][0]' "$dir/json")
  again=none
  rm -f "$dir/again"
  if HEDDLE=$heddle sh "$dir"/s/*.sh --json "$dir/again" >/dev/null 2>&1; then again=passes; else
    [ ! -s "$dir/again" ] || again=$(diagnosis 'j["result"]' "$dir/again")
  fi
  same=differs
  [ "$again" != "$want" ] || same=same
  echo "| $f | \`${name[$f]}\` | $on | $found | $want | $words | $same |"
done
