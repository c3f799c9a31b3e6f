#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hunt the faults of the cache that SMs share (FAULT_L2_* of rtl/core_pkg.sv) with random programs in lockstep: who is
# found, by what, after how many programs. One device has all of them (run-time straps), so nothing is built.
# usage: l2_faults.sh [HEDDLE [CONFIG]]      example: l2_faults.sh build/heddle backed
# Exit status: 0 all found, 1 one is left, 2 usage.
set -euo pipefail
[ $# -le 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
heddle=${1:-$root/build/heddle} config=${2:-backed}
mapfile -t faults < <(sed -n "s/.*FAULT_L2_\([A-Z_]*\) *= 8'd\([0-9]*\);.*/\2 \1/p" "$root/rtl/core_pkg.sv")
[ ${#faults[@]} -ge 15 ] || { echo "l2_faults.sh: no faults in rtl/core_pkg.sv" >&2; exit 2; }

# Few programs first; then more, and such as meet what memory refuses: all that trap, and one in seed 7 whose store is lost.
rounds=("--programs 5 --seed 105" "--programs 20 --seed 120" "--programs 60 --seed 31 --knob program.traps=100"
  "--programs 1 --only 44 --seed 7")
left=0
for fault in "${faults[@]}"; do
  read -r number name <<< "$fault"
  found=""
  for round in "${rounds[@]}"; do
    # shellcheck disable=SC2086 # words of the round
    said=$("$heddle" fuzz --config "$config" $round --fault "$number" --no-shrink 2>&1) || true
    failed=$(sed -n 's/.* passed, \([0-9]*\) failed$/\1/p' <<< "$said" | tail -1)
    if [ "${failed:-0}" -gt 0 ]; then
      each=${round#--programs }
      each=${each%% *}
      found="$failed of $each $(sed -n 's/^[0-9]* x s1://p' <<< "$said" | head -1)"
      break
    fi
  done
  printf '%-3s %-14s %s\n' "$number" "$name" "${found:-NOT FOUND}"
  [ -n "$found" ] || left=1
done
exit $left
