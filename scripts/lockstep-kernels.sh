#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: lockstep-kernels.sh [--seeds N] [--seed S] HEDDLE CONFIG ...
# All kernels in assembly in lockstep on each configuration (two at a time), with N seeds (8) from S (1) on, and totals. Every count
# that must not be zero is checked; with --profile-out each warp's cycles are charged to instructions, and must be what is counted.
set -euo pipefail
seeds=8 seed=1
[ "$1" != --seeds ] || { seeds=$2; shift 2; }
[ "$1" != --seed ] || { seed=$2; shift 2; }
heddle=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

run() {
  "$heddle" kernels --form asm --on lockstep --config "$1" --scale 0 --seeds "$seeds" --seed "$seed" --launches 3 --profile-window 1 \
    --profile-out "$dir/$1.profile" >"$dir/$1.out" 2>"$dir/$1.err" ||
    echo "$1" >>"$dir/failed"
}
# A place for one more. On a terminal a line that moves meanwhile: how many kernels are done.
wait_below() { # JOBS
  while [ "$(jobs -rp | wc -l)" -ge "$1" ]; do
    [ -t 2 ] || { wait -n; continue; }
    printf '\r\033[Kkernels done: %d, %d s' "$(cat "$dir"/*.out 2>/dev/null | grep -c launches)" $SECONDS >&2
    sleep 1
  done
}
for config in "$@"; do
  wait_below "$(nproc)"
  run "$config" &
done
wait_below 1
[ ! -t 2 ] || printf '\r\033[K' >&2

for config in "$@"; do
  echo "== $config"
  cat "$dir/$config.err" >&2
  grep -vE '^(total:|[0-9]+ passed)' "$dir/$config.out" || true
done

# "total: 8 kernels, N warp instructions retired, N checked, N lanes compared, N performs, N divergent branches, N barrier
# waits, N differences" and "axi: ..." of every configuration, added up.
cat "$dir"/*.out | awk -v want="$#" -v least=$((1250 * seeds)) '
  /^axi:/ {
    for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/) axi[++n] = $i
    if (n != 7) bad = "the AXI counters are incomplete"
    for (i = 1; i <= n; i++) if (axi[i] == 0) bad = "AXI counter " i " is zero in " $0
    n = 0
  }
  /^total:/ { configs++; k += $2; r += $4; c += $8 - 0; split($0, f, /, /)
    for (i in f) { split(f[i], w, " "); v = w[1] == "total:" ? w[2] : w[1]
      if (f[i] ~ /retired/) R += v; else if (f[i] ~ /checked/) C += v; else if (f[i] ~ /lanes/) L += v
      else if (f[i] ~ /performs/) P += v; else if (f[i] ~ /divergent/) D += v; else if (f[i] ~ /barrier/) B += v
      else if (f[i] ~ /differences/) X += v; else if (f[i] ~ /kernels/) K += v } }
  / [0-9]+ warp instructions / && /launches/ { if ($4 < least) bad = $1 " retired only " $4 " warp instructions" }
  END {
    if (configs != want) bad = "a configuration did not finish"
    if (!(R > 0 && R == C && L > 0 && P > 0 && D > 0 && B > 0)) bad = "a required count is zero, or not everything was checked"
    if (bad) print "error: " bad
    printf "%d kernel runs at %d configurations, %d warp instructions retired and checked, %d lanes compared, %d performs, %d divergent branches, %d barrier waits, %d differences\n", K, configs, C, L, P, D, B, X
    exit bad != "" || X > 0
  }' || status=1
[ ! -e "$dir/failed" ] && exit "${status:-0}"
exit 1
