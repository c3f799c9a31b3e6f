#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A long campaign of random programs in lockstep; the result goes into docs/lab/campaigns.md by hand or with --record.
# usage: scripts/campaign.sh [--programs N] [--seed S] [--record] CONFIG ...      example: scripts/campaign.sh fpga wide
set -euo pipefail
cd "$(dirname "$0")/.."
programs=2000 seed=$(date +%s) record=""
while [ $# -gt 0 ]; do
  case $1 in
    --programs) programs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --record) record=1; shift ;;
    -*) sed -n '3,4p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || set -- fpga wide
commit=$(git rev-parse --short HEAD)
status=0
for config in "$@"; do
  for dep in control scoreboard; do
    n=$programs
    [ "$dep" = control ] || n=$((programs / 4))
    start=$SECONDS
    result=$(build/heddle fuzz --programs "$n" --seed "$seed" --config "$config" --dep "$dep" --jobs "$(nproc)" 2>build/campaign.log) || status=1
    insns=$(sed -n 's/^[0-9]* programs, \([0-9]*\) warp instructions,.*/\1/p' build/campaign.log | tail -1)
    line="| $commit | $config | $dep | $seed | $n | ${insns:-?} | $result | $((SECONDS - start)) s |"
    echo "$line"
    [ -z "$record" ] || echo "$line" >>docs/lab/campaigns.md
    [ "$status" = 0 ] || cat build/campaign.log >&2
  done
done
exit "$status"
