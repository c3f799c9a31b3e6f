#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: lab/verify/coverage/campaign.sh HEDDLE CONFIG PROGRAMS SEED FILE [fuzz options]
# Adds what random programs reach to the coverage database FILE: PROGRAMS of each kind (lab/verify/campaigns/*.knobs: short
# ones; those with several warps; those that trap; codes by hand; half as many of every shape, of addresses, of what
# lets parked lanes go, at edges, one beyond them, brief ones, those that fill the machine, on sm matrices) in each of four modes: both divergence
# units, both dependency modes, the retire port held in every other run. Seeds go on from SEED. A line a run, then the
# report.
# A program that fails is kept beside FILE, and the exit status is 1.
# example: lab/verify/coverage/campaign.sh build/heddle tiny 100 1 tiny.cov --jobs 2
set -uo pipefail
[ $# -ge 5 ] || { sed -n 's/^# //p' "$0" | sed -n '2,10p' >&2; exit 2; }
heddle=$1 config=$2 programs=$3 seed=$4 file=$5
shift 5
[[ $programs =~ ^[1-9][0-9]{0,6}$ && $seed =~ ^[0-9]{1,9}$ ]] || { echo "PROGRAMS and SEED are numbers" >&2; exit 2; }
knobs=$(cd "$(dirname "$0")/../campaigns" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
kinds="short warps shapes traps hazards addresses release edges limits brief fills"
case $config in sm*) kinds="$kinds matrix" ;; esac
for div in stack its; do
  for dep in control scoreboard; do
    for kind in $kinds; do
      n=$programs hold=()
      case $kind in shapes | addresses | release | matrix | edges | limits | brief | fills) n=$(((programs + 1) / 2)) ;; esac
      [ $((seed % 2)) = 0 ] && hold=(--hold)
      "$heddle" fuzz --programs "$n" --seed "$seed" --config "$config" --div "$div" --dep "$dep" "${hold[@]}" \
        --knobs "$knobs/$kind.knobs" --cov "$file" --save "$file.failed" "$@" >"$log" 2>&1
      rc=$?
      echo "$config $div $dep $kind seed $seed: $(tail -1 "$log")"
      [ "$rc" = 0 ] || { status=1; cat "$log"; }
      [ "$rc" -le 1 ] || exit "$rc"
      seed=$((seed + 1))
    done
  done
done
"$heddle" cov report "$file" || status=$?
exit "$status"
