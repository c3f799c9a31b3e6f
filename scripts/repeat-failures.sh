#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the line that a failure prints give the same failure every time? Of each injected fault the first random program
# that shows it, run again and again by that line: the same words of the same difference, and a trace (each record up to
# it) of the same bytes. Prints rows of the table in docs/lab/campaigns.md; exit status 1: one was different.
# usage: scripts/repeat-failures.sh [--times N] [--seed S] [--config C] FAULT ...
# example: scripts/repeat-failures.sh --times 100 --config duo 1 9 18
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=${HEDDLE:-$root/build/heddle} times=100 seed=1 config=tiny
while [ $# -gt 0 ]; do
  case $1 in
    --times) times=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --config) config=$2; shift 2 ;;
    -h | --help) sed -n '3,7s/^# //p' "$0"; exit 0 ;;
    -*) sed -n '6,7s/^# //p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { sed -n '6,7s/^# //p' "$0" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# What JSON says of the only program of a run: repeat, why.
of_program() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['programs'][0]['$1'])" "$2"; }

first_failing() { # FAULT: its results in $dir/first
  local k status
  for k in $(seq 0 47); do
    status=0
    "$heddle" fuzz --only "$k" --seed "$seed" --config "$config" --fault "$1" --hold --no-shrink --json "$dir/first" \
      >"$dir/log" 2>&1 || status=$?
    [ "$status" = 0 ] || break
  done
  [ "$status" = 1 ] && return
  [ "$status" = 0 ] && echo "repeat-failures.sh: fault $1 on $config: not shown by 48 programs" >&2
  [ "$status" = 0 ] || cat "$dir/log" >&2
  exit 2
}

worst=0
for fault in "$@"; do
  first_failing "$fault"
  read -ra line < <(of_program repeat "$dir/first")
  why=$(of_program why "$dir/first") hash="" equal=0
  for _ in $(seq "$times"); do
    rm -f "$dir/again" "$dir/trace"
    status=0
    "$heddle" "${line[@]:1}" --no-shrink --trace "$dir/trace" --json "$dir/again" >"$dir/log" 2>&1 || status=$?
    [ "$status" = 1 ] && [ -s "$dir/trace" ] && [ "$(of_program why "$dir/again")" = "$why" ] || continue
    sum=$(sha256sum "$dir/trace" | cut -c 1-12)
    hash=${hash:-$sum}
    [ "$sum" != "$hash" ] || equal=$((equal + 1))
  done
  [ "$equal" = "$times" ] || worst=1
  bytes=$(stat -c %s "$dir/trace" 2>/dev/null || echo 0)
  program=$(sed -nE 's/.*--only ([0-9]+) .*/\1/p' <<<"${line[*]}") words=${why#difference: }
  echo "| $fault | $config | $program | ${words%%:*} | $bytes | \`${hash:-none}\` | $equal of $times |"
done
exit $worst
